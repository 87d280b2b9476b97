//go:build !nosandbox

package transaction_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction/transactiontest"
)

// A deleted receiver takes its accounts and wallets with it. Drafts say so, in the record, in lists, and where they
// would be submitted; what was submitted goes on.
func TestDraftOfADeletedReceiverSaysSo(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		submitted := w.Submitted(w.Fiat("90.00"))
		drafts := map[string]string{"bankAccount": w.Draft(w.Fiat("90.00")), "wallet": w.Draft(w.Crypto("100"))}
		other := w.Draft(w.Crypto("7"))
		w.Send("PUT", "/transactions/"+other, transactiontest.With(w.Crypto("7"), map[string]any{
			"receiver":      w.Self(w.Token),
			"wallet":        nil,
			"walletAddress": w.Address,
			"walletType":    "EOA",
			"network":       "net_ethereum",
		})).Status(200)

		for _, id := range drafts {
			w.Read(id) // a copy is kept in memory from here on
			w.Read(id)
		}

		w.Send("DELETE", "/receivers/"+w.Payee, nil).Status(200)
		w.Send("GET", "/bank-accounts/"+w.Account, nil).Refused(404, fault.NotFoundCode, "")
		w.Send("GET", "/wallets/"+w.Wallet, nil).Refused(404, fault.NotFoundCode, "")

		said := func(v map[string]any) string {
			info, _ := v["payments"].([]any)[0].(map[string]any)["statusInfo"].(string) // absent is null
			return info
		}

		for destination, id := range drafts {
			for _, operation := range []string{"validate", "submit"} {
				a := w.Post(id, operation).Refused(422, fault.ReceiverUnknown, "/payments/0/receiver")
				require.Contains(t, a.Raw, "The receiver was deleted")
				require.Contains(t, a.Raw, "/payments/0/"+destination)
			}

			require.Contains(t, said(w.Read(id).Body), "The receiver was deleted")
		}

		require.Empty(t, said(w.Read(other).Body))
		require.Empty(t, said(w.Read(submitted).Body))

		for _, v := range w.Send("GET", "/transactions?columnId=all", nil).Status(200).List("results") {
			item := v.(map[string]any)
			draft := item["_id"] == drafts["bankAccount"] || item["_id"] == drafts["wallet"]
			require.Equal(t, draft, said(item) != "", item["_id"])
		}

		w.Post(submitted, "accept").Status(200)
	})
}
