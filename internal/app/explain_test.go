//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// explained is what tests look at of an explanation.
type explained struct {
	Meaning  string `json:"meaning"`
	WaitsFor struct {
		Actor string     `json:"actor"`
		For   []string   `json:"for"`
		You   bool       `json:"you"`
		Until *time.Time `json:"until"`
		Then  string     `json:"then"`
	} `json:"waitsFor"`
	Next      []explainedWay `json:"next"`
	Decisions []explainedWay `json:"decisions"`
	Evidence  []struct {
		Kind      string `json:"kind"`
		Reference string `json:"reference"`
	} `json:"evidence"`
}

type explainedWay struct {
	Cause  string `json:"cause"`
	Status string `json:"status"`
}

func explain(c *apptest.Client, id string) (out explained) {
	c.Do("GET", "/transactions/"+id+"/explain", nil).OK(200).Into(&out)
	return out
}

// Each pair of statuses that can be has an explanation, and it says what the tables say of that pair.
func TestEveryPairOfStatusesIsExplained(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		onramp, _ := c.OnrampSubmitted("USDC", "EUR", "2000.00")

		for kind, id := range map[transaction.Type]string{
			transaction.TypeCrypto: c.Submitted("USDC", "10"),
			transaction.TypeFiat:   c.FiatSubmitted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "900.00")),
			transaction.TypeOnramp: onramp,
		} {
			for _, at := range transaction.Pairs(kind) {
				h.Exec("UPDATE transactions SET status = ?, settlement_status = ?, version = version + 1 WHERE id = ?",
					string(at.Status), string(at.Settlement), id)

				v := explain(c, id)
				require.Equal(t, transaction.Meaning(kind, at), v.Meaning, "%s %v", kind, at)
				require.Equal(t, string(transaction.WaitsFor(kind, at)), v.WaitsFor.Actor, "%s %v", kind, at)
				require.Equal(t, v.WaitsFor.Actor == "NOBODY", len(v.WaitsFor.For) == 0,
					"%s %v: who is waited for, and for what", kind, at)
				require.NotEmpty(t, v.Evidence, "%s %v", kind, at)
			}
		}
	})
}

// From draft to end, an explanation names who acts and what is known.
func TestExplainFollowsATransaction(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		id := c.Draft("USDC", "10")

		v := explain(c, id)
		require.Equal(t, "MEMBER", v.WaitsFor.Actor)
		require.True(t, v.WaitsFor.You)
		require.Contains(t, v.WaitsFor.For, "submit")
		require.Equal(t, "WAITING_ACCEPTANCE", v.Decisions[1].Status)

		c.Act(id, "submit").OK(200)
		require.Equal(t, []string{"accept"}, explain(c, id).WaitsFor.For)

		other.Do("GET", "/transactions/"+id+"/explain", nil).Refused(404, "NOT_FOUND")

		c.Act(id, "accept").OK(200)
		require.Equal(t, "SLIPWAY", explain(c, id).WaitsFor.Actor)

		h.Settle()

		v = explain(c, id)
		require.Equal(t, "NOBODY", v.WaitsFor.Actor)
		require.False(t, v.WaitsFor.You)
		require.Empty(t, v.Next)

		last := v.Evidence[len(v.Evidence)-1]
		require.Equal(t, "CHAIN", last.Kind)
		require.NotEmpty(t, last.Reference)
	})
}

// A locked rate and an awaited deposit have an end, and what follows is said.
func TestExplainSaysUntilWhen(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		fiat := explain(c, c.FiatSubmitted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "900.00")))
		require.Equal(t, "quoted anew", fiat.WaitsFor.Then)
		require.True(t, fiat.WaitsFor.Until.After(h.DB().Now()))

		id, _ := c.OnrampSubmitted("USDC", "EUR", "2000.00")
		onramp := explain(c, id)
		require.Equal(t, "SENDER", onramp.WaitsFor.Actor)
		require.Equal(t, "deposit missing", onramp.WaitsFor.Then)
		require.True(t, onramp.WaitsFor.Until.After(h.DB().Now()))
	})
}
