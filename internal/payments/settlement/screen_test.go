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

	placed := State{Conversions: []Conversion{{State: ConversionAsked}}}
	for _, x := range []struct {
		st   State
		a    Action
		of   screening.Status // empty: everybody is approved
		want Action
	}{
		{State{}, Send, "", Send},
		{State{}, PayOut, "", PayOut},
		{State{}, Deliver, "", Deliver},
		{State{}, Convert, "", Convert},
		{State{}, Send, screening.Rejected, Fail},
		{State{}, Send, screening.Review, Wait},
		{State{}, Send, screening.Error, Wait},
		{State{}, PayOut, screening.Rejected, Wait},
		{State{}, PayOut, screening.Review, Wait},
		{State{}, Deliver, screening.Rejected, Wait},
		{State{}, Deliver, screening.Error, Wait},
		{State{}, Convert, screening.Rejected, Wait},
		{placed, Convert, screening.Rejected, Convert},
		{State{}, Nothing, screening.Rejected, Nothing},
		{State{}, Fail, screening.Rejected, Fail},
		{State{}, Hold, screening.Rejected, Hold},
		{State{}, Wait, screening.Rejected, Wait},
		{State{}, GiveBack, screening.Rejected, Wait},
		{State{}, PlanSend, screening.Rejected, PlanSend},
	} {
		o := analysis.Outcome{}
		if x.of != "" {
			o = finding(x.of)
		}

		got := x.a
		if x.st.movesValue(x.a) {
			got, _ = screened(x.a, "", o)
		}

		require.Equal(t, x.want, got, "%d with %s", x.a, x.of)
	}
}

// A FIAT transaction that screening holds after its tokens were pulled waits, and is converted when the finding is
// gone.
func TestHeldByScreeningGoesOn(t *testing.T) {
	st := State{
		Planned:    true,
		Currencies: []string{"EUR"},
		T: transaction.Transaction{
			Type:       transaction.TypeFiat,
			Status:     transaction.StatusProcess,
			Settlement: transaction.SettlementReceived,
		},
		Screening: analysis.Outcome{Findings: []analysis.Finding{{
			Party:   analysis.Party{Name: "X"},
			Status:  screening.Review,
			Message: "people look.",
		}}},
	}

	action, why := next(st)
	require.Equal(t, Wait, action)
	require.Contains(t, why, "people look.")

	st.T.Settlement = transaction.SettlementHeld
	st.Screening = analysis.Outcome{}
	action, _ = next(st)
	require.Equal(t, Convert, action)
}
