//go:build !nosandbox

package invoicelink_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/wallet"
)

// Wrong signatures use a text up. A wallet that was proven by the link is VERIFIED when a member confirms it.
func TestProofGoesWithTheProposal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := w.Receiver(directorytest.A, "Known Ltd")
		key, address := w.Key()
		thief, _ := w.Key()

		token, id := w.made(directorytest.A, object{
			"isExistingReceiver": true,
			"email":              sender,
			"receiverId":         known,
		})
		proposal := w.post("", "/payables/create-invoice-wallet", object{
			"token":   token,
			"network": "net_ethereum",
			"address": address,
			"type":    "EOA",
		}).Status(200).Text("_id")

		text, err := w.links.WalletText(t.Context(), token, address)
		require.NoError(t, err)

		for range wallet.MaxFailures {
			_, err := w.links.ProveWallet(t.Context(), token, address, directorytest.Sign(thief, text.Message))
			require.True(t, fault.Is(err, fault.SignatureMismatch), "%v", err)
		}

		_, err = w.links.ProveWallet(t.Context(), token, address, directorytest.Sign(key, text.Message))
		require.True(t, fault.Is(err, fault.SignatureMismatch), "another text is to be signed now: %v", err)

		text, err = w.links.WalletText(t.Context(), token, address)
		require.NoError(t, err)

		signature := directorytest.Sign(key, text.Message)
		opened, err := w.links.ProveWallet(t.Context(), token, address, signature)
		require.NoError(t, err)
		require.True(t, opened.Given.Wallet.Proven)

		_, err = w.links.ProveWallet(t.Context(), token, address, signature)
		require.NoError(t, err, "twice is once")

		w.post(second, "/payables/invoice-links/"+id+"/confirm", object{"proposal": proposal}).Status(200)

		stored := w.Do(directorytest.A, "GET", "/wallets/"+proposal, "").Status(200)
		require.Equal(t, "VERIFIED", stored.Text("ownership.status"))
		require.Equal(t, text.Message, stored.Text("ownership.message"))
		require.Equal(t, signature, stored.Text("ownership.signedMessage"))
	})
}

// Another wallet in the place of a proven one is not proven.
func TestProofIsOfOneWallet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, address := w.Key()
		_, other := w.Key()
		token, id := w.link(directorytest.A)
		give := func(address string) {
			w.post("", "/payables/create-invoice-wallet", object{
				"token":   token,
				"network": "net_ethereum",
				"address": address,
				"type":    "EOA",
			}).Status(200)
		}

		give(address)

		text, err := w.links.WalletText(t.Context(), token, address)
		require.NoError(t, err)

		_, err = w.links.ProveWallet(t.Context(), token, address, directorytest.Sign(key, text.Message))
		require.NoError(t, err)
		require.Empty(t, w.warnings(id))

		give(address)
		require.Empty(t, w.warnings(id), "the same once more")

		give(other)
		require.Contains(t, w.warnings(id), any("WALLET_UNPROVEN"))

		_, err = w.links.WalletText(t.Context(), token, address)
		require.True(t, fault.Is(err, fault.WalletUnknown), "%v", err)
	})
}
