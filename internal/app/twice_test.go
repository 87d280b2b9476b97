//go:build !nosandbox

package app_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// duplicates returns what each payment of a transaction is alike, as the remarks say; validate of a draft must say the
// same.
func duplicates(t *testing.T, c *apptest.Client, id string) map[string][]string {
	c.StaySignedIn()

	var remarks, valid struct {
		Issues []transaction.IssueView `json:"issues"`
	}
	c.Do("GET", "/transactions/"+id+"/remarks", nil).OK(200).Into(&remarks)

	if c.Read(id).Status == transaction.StatusDraft {
		if a := c.Do("POST", "/transactions/"+id+"/validate", nil); a.Status == 200 {
			a.Into(&valid)
			require.Equal(t, remarks.Issues, valid.Issues)
		}
	}

	out := map[string][]string{}
	for _, issue := range remarks.Issues {
		if issue.Code == "POSSIBLE_DUPLICATE" {
			require.Equal(t, "WARNING", issue.Severity)
			slices.Sort(issue.Related)
			out[issue.Pointer] = issue.Related
		}
	}

	return out
}

// What seems to be paid twice is remarked, with what it is alike: the same receiver and amount, reference or document,
// in a draft, in a transaction that is under way or was made within 90 days, in a payable, or in the transaction
// itself. It stops nothing.
func TestWhatSeemsPaidTwiceIsRemarked(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		account := c.NewBankAccount("EUR", "100")
		closed := c.NewBankAccount("EUR", "002")

		draft := func(payments ...object) string {
			body := with(c.Body("USDC", payments...), object{"type": "FIAT"})
			return c.Do("POST", "/transactions", body).OK(201).ID()
		}
		payment := func(amount string, members object) object { return with(c.FiatPayment(account, amount), members) }
		none := map[string][]string{}

		first := draft(
			payment("120.00", object{"reference": "RF18539007547034", "documentStorageKey": upload(c, bill)}),
		)
		require.Equal(t, none, duplicates(t, c, first))

		for name, one := range map[string]object{
			"receiver and amount": payment("120.00", nil),
			"reference":           payment("7.00", object{"reference": "RF18 5390 0754 7034"}),
			"document":            payment("8.00", object{"documentStorageKey": upload(c, bill)}),
		} {
			id := draft(payment("1.00", nil), one)
			require.Equal(t, map[string][]string{"/payments/1": {first}}, duplicates(t, c, id), name)
			c.Do("DELETE", "/transactions/"+id, nil).OK(200)
			require.Equal(t, none, duplicates(t, c, first), "a deleted draft pays nothing")
		}

		other := h.Client("Bob")
		theirs := other.Do(
			"POST",
			"/transactions",
			with(other.Body("USDC", other.FiatPayment(other.NewBankAccount("EUR", "100"), "120.00")),
				object{"type": "FIAT"}),
		).OK(
			201,
		).ID()
		require.Equal(t, none, duplicates(t, other, theirs))

		both := draft(payment("3.00", nil), payment("3.00", nil))
		require.Equal(
			t,
			map[string][]string{"/payments/1": {both}},
			duplicates(t, c, both),
			"twice in the same transaction",
		)

		due := fiatPayable(c, account, "EUR", "55.00")
		payable := approved(c, due)
		require.Equal(t, map[string][]string{"/payments/0": {payable}}, duplicates(t, c, draft(payment("55.00", nil))))

		batch := pay(c, payable).OK(201).ID()
		require.NotContains(t, duplicates(t, c, batch)["/payments/0"], payable, "it pays this one")

		// under way, and paid
		paying := c.FiatAccepted("USDC", payment("210.00", nil))
		again := draft(payment("210.00", nil))
		require.Equal(t, map[string][]string{"/payments/0": {paying}}, duplicates(t, c, again))
		h.SettleAll()
		c.Ends(paying, completed, paid)
		require.Equal(t, map[string][]string{"/payments/0": {paying}}, duplicates(t, c, again))
		c.Act(again, "submit").OK(200)
		require.Equal(
			t,
			map[string][]string{"/payments/0": {paying}},
			duplicates(t, c, again),
			"whoever accepts it is told, too",
		)

		failing := c.FiatAccepted("USDC", c.FiatPayment(closed, "77.00"))
		h.SettleAll()
		require.Equal(t, transaction.StatusFailed, c.Read(failing).Status)
		require.Equal(t, none, duplicates(t, c, draft(payment("77.00", nil))), "what has failed was not paid")

		h.DB().Clock().Advance(91 * 24 * time.Hour)
		require.Equal(t, map[string][]string{"/payments/0": {again}}, duplicates(t, c, draft(payment("210.00", nil))),
			"what is open counts for ever, and what was paid long ago no longer")
	})
}

// Tokens to wallets are compared in the same way.
func TestTokensThatSeemSentTwiceAreRemarked(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		sent := c.Accepted("USDC", "12.50")
		h.Settle()
		c.Ends(sent, completed, paid)

		require.Equal(t, map[string][]string{"/payments/1": {sent}}, duplicates(t, c, c.Draft("USDC", "1.00", "12.50")))
		require.Empty(t, duplicates(t, c, c.Draft("USDT", "12.50")), "another token")
	})
}
