//go:build !nosandbox

package crypto_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction/transactiontest"
)

type object = transactiontest.Object

// inline returns the members of a payment to an address that is not stored; more take others away.
func inline(address string, more ...object) object {
	out := object{"wallet": nil, "walletAddress": address, "walletType": "EOA", "network": "net_ethereum"}
	for _, m := range more {
		maps.Copy(out, m)
	}

	return out
}

// Every member of a payment that is wrong is named, with what is wrong with it.
func TestPaymentsThatAreRefused(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		_, foreign := w.Key()
		mistyped := "0x" + strings.Repeat("aB", 20)
		self := w.Self(w.Token)
		elsewhere := w.Send("POST", "/wallets", object{
			"address":  foreign,
			"network":  "net_base",
			"receiver": w.Payee,
		}).Status(201).Text("_id")

		for name, x := range map[string]struct {
			members object
			at      string
			code    fault.Code
		}{
			"no receiver":           {object{"receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abc"}, "/receiver", fault.ReceiverUnknown},
			"no reason":             {object{"reason": " "}, "/reason", fault.Required},
			"more decimals":         {object{"amount": "1.0000001"}, "/amount", fault.AmountPrecision},
			"nothing":               {object{"amount": "0.00"}, "/amount", fault.AmountZero},
			"no number":             {object{"amount": "1,5"}, "/amount", fault.AmountForm},
			"more than a batch":     {object{"amount": "1" + strings.Repeat("0", 23)}, "/amount", fault.AmountTooLarge},
			"no wallet":             {object{"wallet": nil}, "/wallet", fault.Required},
			"wallet twice":          {object{"walletAddress": foreign}, "/wallet", fault.PayeeConflict},
			"unknown wallet":        {object{"wallet": "wal_01jd3v8e5m7k2q9w4x6y8z0abc"}, "/wallet", fault.WalletUnknown},
			"another's wallet":      {object{"wallet": w.PayerID}, "/wallet", fault.WalletUnknown},
			"the payer's wallet":    {object{"receiver": self, "wallet": w.PayerID}, "/wallet", fault.AddressForbidden},
			"wallet elsewhere":      {object{"wallet": elsewhere}, "/wallet", fault.PayeeNetwork},
			"another token":         {object{"tokenIsoCode": "DAI"}, "/tokenIsoCode", fault.TokenSwapMissing},
			"a bank account":        {object{"bankAccount": w.Account}, "/bankAccount", fault.NotAllowed},
			"a currency":            {object{"currencyIsoCode": "EUR"}, "/currencyIsoCode", fault.NotAllowed},
			"a day":                 {object{"expectedTransferDate": "2026-11-30"}, "/expectedTransferDate", fault.NotAllowed},
			"address without type":  {inline(foreign, object{"walletType": nil}), "/walletType", fault.Required},
			"address on no network": {inline(foreign, object{"network": nil}), "/network", fault.Required},
			"address elsewhere":     {inline(foreign, object{"network": "net_base"}), "/network", fault.PayeeNetwork},
			"no address":            {inline("0x12"), "/walletAddress", fault.AddressInvalid},
			"mistyped address":      {inline(mistyped), "/walletAddress", fault.AddressChecksum},
			"the paying wallet":     {inline(w.Payer), "/walletAddress", fault.AddressForbidden},
			"the zero address":      {inline("0x" + strings.Repeat("0", 40)), "/walletAddress", fault.AddressForbidden},
			"unknown document":      {object{"documentStorageKey": "doc_x"}, "/documentStorageKey", fault.DocumentUnknown},
		} {
			t.Run(name, func(t *testing.T) {
				body := transactiontest.With(w.Crypto("1.00"), x.members)
				w.Send("POST", "/transactions", body).Refused(422, x.code, "/payments/0"+x.at)
			})
		}
	})
}

// One fault of each stage: all are named at once.
func TestFaultsOfAllStagesAreNamedAtOnce(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		body := transactiontest.With(w.Crypto("1.0000001"), object{
			"reason":   strings.Repeat("x", 501),
			"receiver": "rcv_nobody",
			"wallet":   nil,
		})
		body["network"] = strings.Repeat("n", 65)
		body["typo"] = true
		require.ElementsMatch(t, []string{
			"/typo UNKNOWN_FIELD",
			"/network TOO_LONG",
			"/payments/0/reason TOO_LONG",
			"/payments/0/receiver RECEIVER_UNKNOWN",
			"/payments/0/amount AMOUNT_PRECISION",
			"/payments/0/wallet REQUIRED",
		}, w.Send("POST", "/transactions", body).Status(422).Faults())
	})
}

// The field that is wrong is blamed: the network, if the wallet is stored on another one.
func TestTheNetworkIsBlamed(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		body := w.Crypto("1.00")
		body["network"] = "net_base"
		a := w.Send("POST", "/transactions", body).Status(422)
		require.Equal(t, []string{"/network PAYER_WALLET_UNUSABLE"}, a.Faults())
		require.Equal(t, "/network: is not a network that the wallet is stored on.", a.Text("detail"))

		body["walletAddress"] = "0x" + strings.Repeat("1", 40)
		a = w.Send("POST", "/transactions", body).Status(422)
		require.Equal(t, []string{"/walletAddress PAYER_WALLET_UNUSABLE"}, a.Faults())
		require.Equal(t, 1, strings.Count(a.Raw, `/walletAddress: `)/2, "the pointer stands once in detail and message")
	})
}

// What an answer shows can be sent back, and changes nothing.
func TestPaymentCanBeSentBack(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		_, address := w.Key()
		w.SentBackIsNoChange(w.Draft(w.Crypto("1.00")))
		w.SentBackIsNoChange(w.Draft(transactiontest.With(w.Crypto("1.00"), inline(address))))
	})
}

// An address is stored with its checksum, however it was written.
func TestAddressIsStoredWithItsChecksum(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		_, address := w.Key()
		pasted := " " + address[:6] + " " + address[6:] + "\u00a0"
		id := w.Draft(transactiontest.With(w.Crypto("1.00"), inline(pasted)))
		require.Equal(t, address, w.Read(id).List("payments")[0].(map[string]any)["walletAddress"])

		id = w.Draft(transactiontest.With(w.Crypto("1.00"), inline(strings.ToLower(address))))

		a := w.Read(id)
		payment := a.List("payments")[0].(map[string]any)
		require.Equal(t, address, payment["walletAddress"])
		require.Equal(t, "1.00", payment["amount"])
		require.Equal(t, "USDC", payment["tokenIsoCode"])
		require.Equal(t, []any{"update", "validate", "check-allowance", "submit", "delete"}, a.List("allowedActions"))
	})
}

// The whole way of a payment until it is settlement's.
func TestPaymentIsSubmittedAndAccepted(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Crypto("250.00"))
		require.Equal(t, true, w.Post(id, "validate").Status(200).Get("valid"))
		require.Equal(t, true, w.Post(id, "check-allowance").Status(200).Get("sufficient"))
		require.Equal(t, "WAITING_ACCEPTANCE", w.Post(id, "submit").Status(200).Text("status"))
		require.Empty(t, w.Settled())

		a := w.Post(id, "accept").Status(200)
		require.Equal(t, "PROCESSING", a.Text("status"))
		require.Equal(t, "FUNDS_PULLING", a.Text("settlementStatus"))
		require.Equal(t, w.User, a.Text("acceptedBy"))
		require.Equal(t, []string{id}, w.Settled())
		require.Len(t, w.Read(id).List("timeline"), 3)

		w.Post(id, "accept").Refused(409, fault.TxNotWaiting, "")
		require.Equal(t, []string{id}, w.Settled(), "N-01: a second call takes no effect")
	})
}

// The wallet is debited with what its payments come to together, and each is shown as it will be paid.
func TestDebitIsTheSumOfThePayments(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		body := w.Crypto("1.25")
		other := transactiontest.With(w.Crypto("2.50"), object{"reason": "Invoice 9"})
		body["payments"] = append(body["payments"].([]object), other["payments"].([]object)...)

		id := w.Draft(body)
		a := w.Read(id)
		require.Equal(t, "3.75", a.Text("totals.tokenDebit"))
		require.Equal(t, "3.75", w.Post(id, "check-allowance").Status(200).Text("required"))

		for i, amount := range []string{"1.25", "2.50"} {
			payment := a.List("payments")[i].(map[string]any)
			require.Equal(t, amount, payment["amount"])
			require.Equal(t, w.Wallet, payment["wallet"])
			require.Equal(t, w.Address, payment["walletAddress"])
		}

		w.Post(id, "submit").Status(200)
		require.Equal(t, "3.75", w.Read(id).Text("totals.tokenDebit"))
		require.EqualValues(t, 1, w.Number("SELECT count(*) FROM reservations WHERE units = '3750000'"))
	})
}

// Deleting frees the wallet: another transaction can reserve all of it.
func TestDeletedTransactionReservesNothing(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Node.Set(1_000_000_000, 1_000_000_000)
		id := w.Submitted(w.Crypto("600.00"))
		other := w.Draft(w.Crypto("600.00"))
		w.Post(other, "submit").Refused(422, fault.ReservationShort, "/walletAddress")

		w.Send("DELETE", "/transactions/"+id, nil).Status(200)
		w.Post(other, "submit").Status(200)
	})
}

// A draft keeps the wallet that it names. If that is deleted, nothing is submitted, and nobody else is paid.
func TestWalletThatIsDeletedIsNotPaid(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Crypto("1.00"))
		w.Send("DELETE", "/wallets/"+w.Wallet, nil).Status(200)
		w.Post(id, "validate").Refused(422, fault.WalletUnknown, "/payments/0/wallet")
		w.Post(id, "submit").Refused(422, fault.WalletUnknown, "/payments/0/wallet")
	})
}

// What is to be known of an address that is no stored wallet is said of a draft and of what waits for acceptance, and
// stops nothing: that it is new, until something was paid to it for this payee, and that it is another sort than the
// payment says. A node that does not answer says nothing; an address with a key and a delegate is no contract.
func TestWhatIsSaidOfANewAddress(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		_, address := w.Key()
		_, contract := w.Key()
		_, delegated := w.Key()
		w.Node.Code = map[common.Address][]byte{
			common.HexToAddress(contract):  {0x60, 0x80},
			common.HexToAddress(delegated): append([]byte{0xef, 0x01, 0x00}, make([]byte, 20)...),
		}

		made := 0
		said := func(body object) (codes []string) {
			t.Helper()
			made++ // so that none is like another one
			id := w.Draft(transactiontest.With(w.Crypto(strconv.Itoa(made)+".00"), body))

			for _, issue := range w.Post(id, "validate").Status(200).List("issues") {
				x := issue.(map[string]any)
				require.Equal(t, "WARNING", x["severity"])
				require.Equal(t, "/payments/0/walletAddress", x["pointer"])
				codes = append(codes, x["code"].(string))
			}

			return codes
		}
		isNew := []string{"ADDRESS_NEW"}
		another := []string{"ADDRESS_NEW", "ADDRESS_CONTRACT"}

		require.Empty(t, said(object{}), "a stored wallet")
		require.Equal(t, isNew, said(inline(address)))
		require.Equal(t, isNew, said(inline(delegated)))
		require.Equal(t, another, said(inline(contract)))
		require.Equal(t, isNew, said(inline(contract, object{"walletType": "MULTISIG"})))
		require.Equal(t, another, said(inline(address, object{"walletType": "MULTISIG"})))

		w.Node.Down = true

		require.Equal(t, isNew, said(inline(contract)))

		two := transactiontest.With(w.Crypto("77.00"), inline(contract))
		payments := two["payments"].([]transactiontest.Object)
		two["payments"] = append(payments, transactiontest.Merge(payments[0], object{"amount": "78.00"}))
		draft := w.Draft(two)
		w.Node.CodeAsked = 0

		w.Post(draft, "validate").Status(200)
		require.Equal(t, 1, w.Node.CodeAsked, "a node that is silent is not asked for each payment")

		w.Exec("UPDATE payments SET outcome = 'FAILED' WHERE address = ?", address)
		require.Equal(t, isNew, said(inline(address)), "what has failed proves nothing")
		w.Exec("UPDATE payments SET outcome = 'COMPLETED' WHERE address = ?", address)
		require.Empty(t, said(inline(address)))
		w.Exec("UPDATE payments SET receiver = 'rcv_other' WHERE address = ? AND outcome = 'COMPLETED'", address)
		require.Equal(t, isNew, said(inline(address)), "paid to somebody else")
	})
}
