package settlement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/analysis"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/screening"
)

// What screening leaves of each action: only a pull that was not made yet fails, and only by a rejection; everything
// else that moves value waits, whatever the finding; what moves none, and orders that were placed, go on.
func TestScreeningHoldsWhatMovesValue(t *testing.T) {
	finding := func(s screening.Status) analysis.Outcome {
		return analysis.Outcome{Findings: []analysis.Finding{{Status: s}}}
	}

	placed := Stand{Conversions: []Conversion{{State: ConversionAsked}}}
	for _, x := range []struct {
		st   Stand
		a    Action
		of   screening.Status // empty: everybody is approved
		want Action
	}{
		{Stand{}, Send, "", Send},
		{Stand{}, PayOut, "", PayOut},
		{Stand{}, Deliver, "", Deliver},
		{Stand{}, Convert, "", Convert},
		{Stand{}, Send, screening.Rejected, Fail},
		{Stand{}, Send, screening.Review, Wait},
		{Stand{}, Send, screening.Error, Wait},
		{Stand{}, PayOut, screening.Rejected, Wait},
		{Stand{}, PayOut, screening.Review, Wait},
		{Stand{}, Deliver, screening.Rejected, Wait},
		{Stand{}, Deliver, screening.Error, Wait},
		{Stand{}, Convert, screening.Rejected, Wait},
		{placed, Convert, screening.Rejected, Convert},
		{Stand{}, Nothing, screening.Rejected, Nothing},
		{Stand{}, Fail, screening.Rejected, Fail},
		{Stand{}, Hold, screening.Rejected, Hold},
		{Stand{}, Wait, screening.Rejected, Wait},
		{Stand{}, GiveBack, screening.Rejected, Wait},
		{Stand{}, PlanSend, screening.Rejected, PlanSend},
	} {
		o := analysis.Outcome{}
		if x.of != "" {
			o = finding(x.of)
		}

		got := x.a
		if x.st.moves(x.a) {
			got, _ = screened(x.a, "", o)
		}

		require.Equal(t, x.want, got, "%d with %s", x.a, x.of)
	}
}

// A FIAT transaction that screening holds after its tokens were pulled waits, and is converted when the finding is
// gone.
func TestHeldByScreeningGoesOn(t *testing.T) {
	st := Stand{
		Planned:    true,
		Currencies: []string{"EUR"},
		T: transaction.Transaction{
			Type:       transaction.TypeFiat,
			Status:     transaction.StatusProcess,
			Settlement: transaction.SettlementReceived,
		},
		Look: analysis.Outcome{Findings: []analysis.Finding{{
			Party:   analysis.Party{Name: "X"},
			Status:  screening.Review,
			Message: "people look.",
		}}},
	}

	action, why := next(st)
	require.Equal(t, Wait, action)
	require.Contains(t, why, "people look.")

	st.T.Settlement = transaction.SettlementHeld
	st.Look = analysis.Outcome{}
	action, _ = next(st)
	require.Equal(t, Convert, action)
}
