//go:build !nosandbox

package payable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/paymentstest"
	"slipway/internal/platform/platformtest"
)

type object = paymentstest.Object

// Two good bank accounts of nobody.
const (
	ibanOne = "DE89370400440532013000"
	ibanTwo = "DE12500105170648489890"
)

// payee is somebody who can be paid, with a wallet of his own.
type payee struct{ receiver, wallet string }

func newPayee(m *paymentstest.Member, name string) payee {
	m.W.T.Helper()

	p := payee{receiver: m.Receiver(name)}
	p.wallet, _ = m.Wallet(p.receiver)

	return p
}

// crypto is the body of a payable to the payee's wallet.
func (p payee) crypto(amount string) object {
	return object{
		"name":         "Hosting",
		"amount":       amount,
		"reason":       "Invoice 2026-117",
		"receiver":     p.receiver,
		"type":         "CRYPTO",
		"wallet":       p.wallet,
		"tokenIsoCode": "USDC",
	}
}

// fiat is the body of a payable to a bank account of the payee.
func (p payee) fiat(account, amount string) object {
	return object{
		"name":            "Rent",
		"amount":          amount,
		"reason":          "Invoice 2026-118",
		"receiver":        p.receiver,
		"type":            "FIAT",
		"bankAccount":     account,
		"currencyIsoCode": "EUR",
	}
}

func create(m *paymentstest.Member, body object) string {
	m.W.T.Helper()
	return m.Do("POST", "/payables", body).OK(201).Text("_id")
}

func approve(m *paymentstest.Member, id string) identitytest.Answer {
	m.W.T.Helper()
	return m.Do("POST", "/payables/"+id+"/approve", nil)
}

// approved makes a payable and approves it.
func approved(m *paymentstest.Member, body object) string {
	m.W.T.Helper()

	id := create(m, body)
	approve(m, id).OK(200)

	return id
}

// pay makes a transaction of payables.
func pay(m *paymentstest.Member, ids ...string) identitytest.Answer {
	m.W.T.Helper()
	return m.Do("POST", "/transactions/payables", object{"payableIds": ids, "token": "USDC"})
}

// act calls an operation of a transaction: submit, accept.
func act(m *paymentstest.Member, transactionID, what string) identitytest.Answer {
	m.W.T.Helper()
	return m.Do("POST", "/transactions/"+transactionID+"/"+what, nil)
}

// accepted makes a transaction of payables, submits and accepts it.
func accepted(m *paymentstest.Member, ids ...string) string {
	m.W.T.Helper()

	id := pay(m, ids...).OK(201).Text("_id")
	act(m, id, "submit").OK(200)
	act(m, id, "accept").OK(200)

	return id
}

func read(m *paymentstest.Member, id string) identitytest.Answer {
	m.W.T.Helper()
	return m.Do("GET", "/payables/"+id, nil).OK(200)
}

// statusIs requires a payable's status, and the transaction that it belongs to; empty: none.
func statusIs(m *paymentstest.Member, id, status, transactionID string) identitytest.Answer {
	m.W.T.Helper()

	a := read(m, id)
	require.Equal(m.W.T, status, a.Text("status"), a.Raw)

	if transactionID == "" {
		require.Nil(m.W.T, a.Body["payment"], a.Raw)
		return a
	}

	require.Equal(m.W.T, transactionID, a.Text("payment.transactionId"), a.Raw)

	return a
}

// texts returns a member of an answer that is a list of texts.
func texts(t testing.TB, a identitytest.Answer, name string) []string {
	t.Helper()

	out := []string{}
	for _, x := range objects(t, a, name) {
		out = append(out, x.(string))
	}

	return out
}

func objects(t testing.TB, a identitytest.Answer, name string) []any {
	t.Helper()
	list, ok := a.Body[name].([]any)
	require.True(t, ok, "no list %s in %s", name, a.Raw)

	return list
}

// fields are the fields of a refusal, as "pointer CODE".
func fields(t testing.TB, a identitytest.Answer) []string {
	t.Helper()

	out := []string{}
	for _, x := range objects(t, a, "errors") {
		f := x.(map[string]any)
		out = append(out, platformtest.PlaceOf(f)+" "+f["code"].(string))
	}

	return out
}
