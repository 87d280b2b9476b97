//go:build !nosandbox

package overview_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/payments/overview"
	"slipway/internal/payments/paymentstest"
)

type object = paymentstest.Object

// world is a world with the overview on its API.
type world struct {
	*paymentstest.World

	overview *overview.Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	paymentstest.Each(t, func(t *testing.T, p *paymentstest.World) {
		w := &world{World: p}
		w.overview = overview.New(overview.Deps{DB: p.DB, Transactions: p.Transactions, Approvals: p.Approvals})
		w.overview.Routes(p.API)
		test(t, w)
	})
}

// answer is what tests look at.
type answer struct {
	Waiting struct {
		Transactions   int64   `json:"transactions"`
		MyTransactions int64   `json:"myTransactions"`
		OldestAt       *string `json:"oldestAt"`
		Approvals      int64   `json:"approvals"`
		MyApprovals    int64   `json:"myApprovals"`
		Wallets        int64   `json:"walletsToProve"`
		Payables       struct {
			Draft      int64 `json:"draft"`
			MyApproval int64 `json:"myApproval"`
			Approved   int64 `json:"approved"`
			Reserved   int64 `json:"reserved"`
		} `json:"payables"`
	} `json:"waiting"`
	Due []struct {
		Currency string  `json:"currency"`
		Overdue  sumOf   `json:"overdue"`
		Days     []dayOf `json:"days"`
	} `json:"due"`
	DueComplete bool `json:"dueComplete"`
	Paid        []struct {
		Currency string   `json:"currency"`
		Weeks    []weekOf `json:"weeks"`
	} `json:"paid"`
	Settled struct {
		Transactions int64  `json:"transactions"`
		Half         *int64 `json:"halfWithinSeconds"`
	} `json:"settled"`
	Steps []struct {
		Step string `json:"step"`
		Done bool   `json:"done"`
	} `json:"steps"`
}

type sumOf struct {
	Amount   string `json:"amount"`
	Payments int64  `json:"payments"`
}

type dayOf struct {
	Day string `json:"day"`
	sumOf
}

type weekOf struct {
	Week string `json:"week"`
	sumOf
}

func read(m *paymentstest.Member, weeks string) (a answer) {
	m.W.T.Helper()

	raw := m.Do("GET", "/overview?weeks="+weeks, nil).OK(200).Raw
	require.NoError(m.W.T, json.Unmarshal([]byte(raw), &a), raw)

	return a
}

// payment is a payment of USDC to a payee of the member.
func payment(m *paymentstest.Member, wallet, receiver, amount string) object {
	return object{
		"type":     "CRYPTO",
		"receiver": receiver,
		"wallet":   wallet,
		"amount":   amount,
		"reason":   "Rent",
	}
}

// submitted makes a transaction and submits it.
func submitted(m *paymentstest.Member, payments ...object) string {
	m.W.T.Helper()

	id := m.Do("POST", "/transactions", object{
		"type":          "CRYPTO",
		"token":         "USDC",
		"walletAddress": m.Payer,
		"network":       paymentstest.NetworkID,
		"payments":      payments,
	}).OK(201).Text("_id")
	m.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)

	return id
}

func TestOverviewCountsWhatWaitsForTheCaller(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.Founder("Ada")
		viewer := ada.Colleague("Vera", "viewer")
		receiver := ada.Receiver("Bob")
		wallet, _ := ada.Wallet(receiver)

		submitted(ada, payment(ada, wallet, receiver, "1.00"))
		ada.Do("POST", "/payables", object{
			"name":         "Hosting",
			"amount":       "12.50",
			"reason":       "Invoice",
			"receiver":     receiver,
			"type":         "CRYPTO",
			"wallet":       wallet,
			"tokenIsoCode": "USDC",
		}).OK(201)

		a := read(ada, "1")
		require.EqualValues(t, 1, a.Waiting.Transactions)
		require.EqualValues(t, 1, a.Waiting.MyTransactions)
		require.NotNil(t, a.Waiting.OldestAt)
		require.EqualValues(t, 1, a.Waiting.Payables.Draft)
		require.EqualValues(t, 1, a.Waiting.Payables.MyApproval)

		v := read(viewer, "1")
		require.EqualValues(t, 1, v.Waiting.Transactions, "everybody sees what waits")
		require.Zero(t, v.Waiting.MyTransactions, "and only who may accept is asked to")
		require.Zero(t, v.Waiting.Payables.MyApproval)

		ada.Colleague("Eve", "admin")
		ada.Policy(object{"fourEyes": true})

		a = read(ada, "1")
		require.EqualValues(t, 1, a.Waiting.Payables.Draft)
		require.Zero(t, a.Waiting.Payables.MyApproval, "under four eyes nobody approves what he has written")
		require.Zero(t, a.Waiting.MyTransactions)
	})
}

func TestOverviewAddsUpWhatFallsDueByCurrencyAndDay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.Founder("Ada")
		receiver := ada.Receiver("Bob")
		wallet, _ := ada.Wallet(receiver)
		account := ada.BankAccount(receiver, "DE89370400440532013000")
		today := w.DB.Now().UTC().Truncate(24 * time.Hour)

		due := func(amount, token string, inDays int) {
			body := object{
				"name":                "Hosting",
				"amount":              amount,
				"reason":              "Invoice",
				"receiver":            receiver,
				"type":                "CRYPTO",
				"wallet":              wallet,
				"tokenIsoCode":        token,
				"expectedPaymentDate": today.AddDate(0, 0, inDays).Format(time.DateOnly),
			}
			if token == "EUR" {
				body = body.With(object{
					"type":            "FIAT",
					"wallet":          nil,
					"tokenIsoCode":    nil,
					"bankAccount":     account,
					"currencyIsoCode": "EUR",
				})
			}

			ada.Do("POST", "/payables", body).OK(201)
		}
		due("1.10", "EUR", 0)
		due("2.20", "EUR", 0)
		due("3.00", "EUR", 30)
		due("4.00", "EUR", 31)
		due("5.000001", "USDC", 3)

		a := read(ada, "1")
		require.True(t, a.DueComplete)
		require.Len(t, a.Due, 2, "nothing is added up over currencies")

		euro := a.Due[0]
		require.Equal(t, "EUR", euro.Currency)
		require.Equal(t, sumOf{"0", 0}, euro.Overdue)
		require.Equal(t, []dayOf{
			{today.Format(time.DateOnly), sumOf{"3.30", 2}},
			{today.AddDate(0, 0, 30).Format(time.DateOnly), sumOf{"3.00", 1}},
		}, euro.Days)
		require.Equal(t, sumOf{"5.000001", 1}, a.Due[1].Days[0].sumOf)

		w.DB.Clock().Advance(40 * 24 * time.Hour)
		ada.Token = w.Login(ada.Email).Access

		a = read(ada, "1")
		require.Equal(t, sumOf{"10.30", 4}, a.Due[0].Overdue)
		require.Empty(t, a.Due[0].Days)
	})
}

// What was paid is the same before the job has counted it, after it, and when it has run twice.
func TestOverviewAddsUpWhatWasPaidOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		ada := w.Founder("Ada")
		receiver := ada.Receiver("Bob")
		wallet, _ := ada.Wallet(receiver)

		id := submitted(ada, payment(ada, wallet, receiver, "1.50"), payment(ada, wallet, receiver, "2.25"),
			payment(ada, wallet, receiver, "9.00"))
		ada.Do("POST", "/transactions/"+id+"/accept", nil).OK(200)
		w.DB.Clock().Advance(2 * time.Minute)
		w.Finish(id, "COMPLETED", "COMPLETED", "FAILED")

		check := func(when string) {
			t.Helper()

			a := read(ada, "2")
			require.Len(t, a.Paid, 1, when)
			require.Equal(t, "USDC", a.Paid[0].Currency)
			require.Len(t, a.Paid[0].Weeks, 2)
			require.Equal(t, sumOf{"3.75", 2}, a.Paid[0].Weeks[1].sumOf, when)
			require.Equal(t, sumOf{"0", 0}, a.Paid[0].Weeks[0].sumOf, when)
			require.EqualValues(t, 1, a.Settled.Transactions, when)
			require.EqualValues(t, 300, *a.Settled.Half, "%s: it took two minutes", when)
			require.True(t, a.Steps[len(a.Steps)-1].Done)
		}
		check("before the job")

		require.NoError(t, w.overview.Count(ctx))
		check("too young to be counted")

		w.DB.Clock().Advance(time.Minute)
		require.NoError(t, w.overview.Count(ctx))
		check("counted")

		require.NoError(t, w.overview.Count(ctx))
		check("counted twice")

		w.DB.Clock().Advance(14 * 24 * time.Hour)
		ada.Token = w.Login(ada.Email).Access
		require.Empty(t, read(ada, "2").Paid, "it is older than what is asked for")
	})
}

func TestOverviewOfAnotherOrganisationIsAnother(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.Founder("Ada")
		receiver := ada.Receiver("Bob")
		wallet, _ := ada.Wallet(receiver)
		id := submitted(ada, payment(ada, wallet, receiver, "1.50"))
		ada.Do("POST", "/transactions/"+id+"/accept", nil).OK(200)
		w.Finish(id, "COMPLETED")
		submitted(ada, payment(ada, wallet, receiver, "1.00"))

		a := read(w.Founder("Zoe"), "1")
		require.Zero(t, a.Waiting.Transactions)
		require.Empty(t, a.Paid)
		require.False(t, a.Steps[len(a.Steps)-1].Done)
	})
}
