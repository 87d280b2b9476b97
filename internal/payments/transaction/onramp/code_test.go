//go:build !nosandbox

package onramp_test

import (
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/payments/transaction/transactiontest"
	"slipway/internal/platform/qrscan"
	"slipway/internal/standards/epcqr"
	"slipway/internal/standards/qrbill"
)

// The picture reads as the code that is stated beside it, and that code pays the deposit and nothing else.
func TestTheCodeOfADepositPaysIt(t *testing.T) {
	reader := qrscan.New(qrscan.Settings{})
	defer reader.Close(t.Context())

	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Deposits[1].PostCode = "8001"
		w.Deposits[1].Town = "Zürich"

		code := func(currency, kind string) (payload string, details func(string) string) {
			id := w.Submitted(w.Deposit("2000.00", currency))
			a := w.Send("GET", "/transactions/"+id+"/bank-details", nil).Status(200)
			require.Equal(t, kind, a.Text("paymentCode.kind"))

			picture, ok := strings.CutPrefix(a.Text("paymentCode.qrCodeDataUrl"), "data:image/png;base64,")
			require.True(t, ok)

			png, err := base64.StdEncoding.DecodeString(picture)
			require.NoError(t, err)

			found, err := reader.Read(t.Context(), png, qrscan.LightMemory)
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, found[0].Text, a.Text("paymentCode.payload"))

			return found[0].Text, a.Text
		}

		payload, details := code("EUR", "EPC_QR")
		transfer, err := epcqr.Parse(payload)
		require.NoError(t, err)
		require.Equal(t, "2000.00", transfer.Amount)
		require.Equal(t, details("iban"), string(transfer.Account))
		require.Equal(t, details("creditorReference"), transfer.Reference)

		payload, details = code("CHF", "QR_BILL")
		bill, err := qrbill.Parse(payload)
		require.NoError(t, err)
		require.Equal(t, "2000.00", bill.Amount)
		require.Equal(t, details("iban"), string(bill.Account))
		require.Equal(t, details("qrReference"), bill.Reference)
	})
}

// A Swiss code states where its creditor is. Without an address there is none, and the words suffice.
func TestThereIsNoSwissCodeWithoutAnAddress(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Submitted(w.Deposit("2000.00", "CHF"))
		a := w.Send("GET", "/transactions/"+id+"/bank-details", nil).Status(200)
		require.Nil(t, a.Get("paymentCode"))
		require.NotEmpty(t, a.Text("qrReference"))
	})
}

// A code of the euro area or of Switzerland holds no other currency: there is none, of no kind.
func TestThereIsNoCodeForOtherCurrencies(t *testing.T) {
	reference, err := onramp.NewReference()
	require.NoError(t, err)

	house := transaction.DepositAccount{
		Currency: "GBP",
		Country:  "GB",
		Holder:   "Slipway",
		IBAN:     "GB33BUKB20201555555555",
	}
	amount := money.FromUnits(money.Asset{Code: "GBP", Decimals: 2}, big.NewInt(200000))

	kind, text := onramp.Code(house, amount, reference)
	require.Empty(t, text)
	require.Empty(t, kind)
}

// What has arrived is not to be paid again: the code goes, and the words say so.
func TestThereIsNoCodeForWhatHasArrived(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Submitted(w.Deposit("2000.00", "EUR"))
		a := w.Send("GET", "/transactions/"+id+"/bank-details", nil).Status(200)
		require.NotNil(t, a.Get("paymentCode"))

		w.Exec("UPDATE transactions SET status = 'PROCESSING', settlement_status = 'FUNDS_RECEIVED', version = 3 "+
			"WHERE id = ?", id)

		a = w.Send("GET", "/transactions/"+id+"/bank-details", nil).Status(200)
		require.Nil(t, a.Get("paymentCode"))
		require.Equal(t, "The deposit has arrived. Do not transfer it again.", a.Text("instructions"))
	})
}
