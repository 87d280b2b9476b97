package settlement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/analysis"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/screening"
)

// What screening leaves of each action: only a pull that was not made yet fails, and only by a rejection; everything
// else that moves value waits, whatever the finding; what moves none, and orders that were placed, go on.
func TestScreeningHoldsWhatMovesValue(t *testing.T) {
	finding := func(s screening.Status) analysis.Outcome {
		return analysis.Outcome{Findings: []analysis.Finding{{Status: s}}}
	}

	for _, x := range []struct {
		a    Action
		of   screening.Status // empty: everybody is approved
		want Action
	}{
		{Send, "", Send},
		{PayOut, "", PayOut},
		{Deliver, "", Deliver},
		{Convert, "", Convert},
		{Send, screening.Rejected, Fail},
		{Send, screening.Review, Wait},
		{Send, screening.Error, Wait},
		{PayOut, screening.Rejected, Wait},
		{PayOut, screening.Review, Wait},
		{Deliver, screening.Rejected, Wait},
		{Deliver, screening.Error, Wait},
		{Convert, screening.Rejected, Wait},
		{Nothing, screening.Rejected, Nothing},
		{Fail, screening.Rejected, Fail},
		{Hold, screening.Rejected, Hold},
		{Wait, screening.Rejected, Wait},
		{GiveBack, screening.Rejected, Wait},
		{Advance, screening.Rejected, Advance},
	} {
		o := analysis.Outcome{}
		if x.of != "" {
			o = finding(x.of)
		}

		got := x.a
		if x.a.movesValue() {
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

	st.Orders = []outbound.Effect{anOrder(outbound.Wanted)}
	action, _ = next(st)
	require.Equal(t, Advance, action, "what was ordered is followed to its end")

	st.Orders = nil
	st.T.Settlement = transaction.SettlementHeld
	st.Screening = analysis.Outcome{}
	action, _ = next(st)
	require.Equal(t, Convert, action)
}
