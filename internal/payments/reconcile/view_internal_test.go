package reconcile

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// What a deposit and a transaction agree in is told point by point. An account that is not known tells nothing against
// the deposit.
func TestCandidatesAreComparedPointByPoint(t *testing.T) {
	every := []Point{PointReference, PointAmount, PointCurrency, PointAccount, PointSender, PointTime}

	for name, x := range map[string]struct {
		change  func(d *Deposit, a *Awaited)
		named   bool
		differs []Point
	}{
		"all of it":        {func(*Deposit, *Awaited) {}, true, nil},
		"no reference":     {func(*Deposit, *Awaited) {}, false, []Point{PointReference}},
		"another amount":   {func(d *Deposit, _ *Awaited) { d.Amount = units(1) }, true, []Point{PointAmount}},
		"another account":  {func(d *Deposit, _ *Awaited) { d.House = "hse_2" }, true, []Point{PointAccount}},
		"no account":       {func(_ *Deposit, a *Awaited) { a.House = "" }, true, nil},
		"another sender":   {func(d *Deposit, _ *Awaited) { d.SenderName = "Bob" }, true, []Point{PointSender}},
		"another currency": {inPounds, true, []Point{PointAmount, PointCurrency}},
	} {
		d := deposit()
		a := awaited()
		x.change(&d, &a)

		c := compare(d, a, x.named)
		require.Equal(t, x.differs, c.Differs, name)
		require.Len(t, c.Agrees, len(every)-len(x.differs), name)
		require.Subset(t, every, c.Agrees, name)
	}
}

func inPounds(d *Deposit, _ *Awaited) {
	d.Amount = money.FromUnits(money.Asset{Code: "GBP", Decimals: 2}, big.NewInt(100_000))
}

// A deposit shows the payout that it names, and only if it names one; what one person has proposed is shown until two
// have decided.
func TestADepositShowsWhatItNames(t *testing.T) {
	d := deposit()
	v := viewOf(t.Context(), d)
	require.Nil(t, v.Claim)
	require.Nil(t, v.Proposal)

	d.Claim = Claim{Payout: "transaction/txn_1/payout/0", Why: "it names it"}
	d.Proposal = Proposal{
		Approval: "apr_1",
		Decision: Decision{Action: ActionReturn, Payout: d.Claim.Payout, Note: "it names it"},
		By:       "ann",
	}

	v = viewOf(t.Context(), d)
	require.Equal(t, &ClaimView{d.Claim.Payout, d.Claim.Why}, v.Claim)
	require.Equal(t, &ProposalView{Action: ActionReturn, By: "ann", Payout: d.Claim.Payout}, v.Proposal)
	require.Equal(t, "it names it", v.Note)

	d.Settler = "bob"
	d.Proposal = Proposal{} // the second one's word has ended it
	require.Nil(t, viewOf(t.Context(), d).Proposal)
}

// People decide about what is in suspense, and about nothing else: what is NEW is in no book yet, and what pays a
// transaction is not theirs to send back.
func TestPeopleDecideAboutSuspenseOnly(t *testing.T) {
	actions := []Action{ActionAssign, ActionRefund, ActionHold, ActionReturn, ActionSettle}

	for _, state := range table.States() {
		d := deposit()
		d.State = state

		for _, a := range actions {
			if !slices.Contains(undecided, state) {
				require.True(t, fault.Is(d.allows(a), fault.DepositSettled), "%s %s", state, a)
			}
		}

		require.Error(t, d.allows(""), state)
	}

	d := deposit()
	d.State = StateSuspense

	for _, a := range actions {
		require.NoError(t, d.allows(a), a)
	}
}

// A candidate is called as its organisation is, if that has a name.
func TestACandidateHasTheNameOfItsOrganisation(t *testing.T) {
	c := Candidate{T: awaited().T, Missing: units(100_000)}
	require.Empty(t, candidateView(c).Name)

	c.Names = []string{"ACME", "ACME Trading"}
	require.Equal(t, "ACME", candidateView(c).Name)
	require.True(t, candidateView(c).Assignable)
}

// A page has one deposit more than is asked for, from which the next one is known; a walk over the pages meets each
// deposit once, in either direction.
func TestPagesOfDeposits(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var all []string

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			all = nil

			for i := range 5 {
				x := deposit()
				x.Entry = fmt.Sprintf("ent_%08d", i)
				x.State = StateSuspense
				all = append(all, x.Entry)
				insertDeposit(tx, x)
			}

			return nil
		}))

		for _, ascending := range []bool{true, false} {
			var walked []string

			order := caller.Order{Column: "created_at", Ascending: ascending}

			page := caller.Window{Limit: 2}
			for more := true; more; {
				rows, total, err := depositPage(t.Context(), d, db.Where{}, order, page)
				require.NoError(t, err)
				require.EqualValues(t, 5, total)
				require.LessOrEqual(t, len(rows), 3)

				more = len(rows) == 3
				for _, x := range rows[:min(len(rows), 2)] {
					walked = append(walked, x.Entry)
					page.After = depositPosition(order, x)
				}

				require.Less(t, len(walked), 7)
			}

			if !ascending {
				slices.Reverse(walked)
			}

			require.Equal(t, all, walked)
		}
	})
}
