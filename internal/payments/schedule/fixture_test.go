//go:build !nosandbox

package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/day"
	"slipway/internal/payments/paymentstest"
	"slipway/internal/payments/schedule"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

type object = paymentstest.Object

// desk is an organisation with a maker, somebody who accepts, and a payee.
type desk struct {
	*paymentstest.World
	schedules       *schedule.Service
	maker, accepter *paymentstest.Member
	payee, wallet   string
	rests           map[string]bool // days on which the rails rest, as 2026-12-25
	restored        time.Time
	account         string
}

func each(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		d := &desk{World: w, rests: map[string]bool{}}
		d.schedules = schedule.New(schedule.Deps{
			DB:           w.DB,
			Jobs:         w.Jobs,
			Transactions: w.Transactions,
			Mail:         w.Outbox.Queue,
			Calendars: func(t transaction.Transaction) string {
				if t.Type == transaction.TypeFiat {
					return "SEPA EUR"
				}

				return ""
			},
			Works:    func(_ string, on time.Time) bool { return !d.rests[on.Format(time.DateOnly)] },
			Restored: func(context.Context) (time.Time, error) { return d.restored, nil },
		})
		d.schedules.Routes(w.API)
		w.Handler = w.API.Handler()

		d.maker = w.Founder("Ada")
		d.accepter = d.maker.Colleague("Grace", "authorized", "admin")
		d.payee = d.maker.Receiver("Alice")
		d.wallet, _ = d.maker.Wallet(d.payee)
		test(t, d)
	})
}

// today returns midnight of the present day, so many days later.
func (d *desk) today(later int) time.Time { return day.Of(d.DB.Now().UTC()).AddDate(0, 0, later) }

func text(t time.Time) string { return t.Format(time.DateOnly) }

// rent is a schedule in USDC from a day on.
func (d *desk) rent(first time.Time, members object) object {
	return object{
		"type":          "CRYPTO",
		"token":         "USDC",
		"walletAddress": d.maker.Payer,
		"payments":      []object{d.tokens("100.00")},
		"firstDay":      text(first),
	}.With(members)
}

// tokens is a payment of USDC to the payee's wallet.
func (d *desk) tokens(amount string) object {
	return object{
		"type":     "CRYPTO",
		"receiver": d.payee,
		"wallet":   d.wallet,
		"amount":   amount,
		"reason":   "Rent",
	}
}

// salary is a schedule in euros from a day on.
func (d *desk) salary(first time.Time, members object) object {
	if d.account == "" {
		d.account = d.maker.BankAccount(d.payee, "DE89370400440532013000")
	}

	return d.rent(first, object{
		"type":     "FIAT",
		"maxDebit": "150.00",
		"payments": []object{{
			"type":        "FIAT",
			"receiver":    d.payee,
			"bankAccount": d.account,
			"amount":      "100.00",
			"reason":      "Salary",
		}},
	}).With(members)
}

// made makes a schedule as the maker.
func (d *desk) made(body object) string {
	d.T.Helper()
	return d.maker.Do("POST", "/schedules", body).OK(201).Text("_id")
}

// accepted makes a schedule, and accepts it as the other one.
func (d *desk) accepted(body object) string {
	d.T.Helper()

	id := d.made(body)
	d.accepter.Do("POST", "/schedules/"+id+"/accept", nil).OK(200)

	return id
}

// goTo moves the clock to noon of a day and renews the sessions.
func (d *desk) goTo(to time.Time) {
	d.T.Helper()
	d.clock(to.Add(12 * time.Hour))

	for _, m := range []*paymentstest.Member{d.maker, d.accepter} {
		m.Token = d.Login(m.Email).Access
	}
}

// clock sets the clock. The wallets are screened anew, as their job does every day.
func (d *desk) clock(to time.Time) {
	d.DB.Clock().Advance(to.Sub(d.DB.Now()))
	d.Exec("UPDATE wallets SET screened_at = ?", db.Micros(d.DB.Now()))
}

// run does what is due, twice: the second time there is nothing to do.
func (d *desk) run() {
	d.T.Helper()
	require.NoError(d.T, d.steps())
	require.NoError(d.T, d.steps())
}

// steps does what is due for each schedule, as its job does.
func (d *desk) steps() (failed error) {
	d.T.Helper()

	all, err := db.Select(d.T.Context(), d.DB, func(id *string) []any { return []any{id} }, "SELECT id FROM schedules")
	require.NoError(d.T, err)

	for _, id := range all {
		failed = errors.Join(failed, d.schedules.Step(d.T.Context(), id))
	}

	return failed
}

// copies makes so many copies of a schedule.
func (d *desk) copies(id string, count int) {
	for n := range count {
		d.Exec(`INSERT INTO schedules SELECT ?, organisation, state, input, payees, most_code, most_decimals,
			most_units, first_day, repeats, until_day, times, calendars, next_number, next_day, told_day,
			created_by, accepted_by, accepted_for, accepted_at, accepted_hash, stopped_by, version, created_at,
			updated_at FROM schedules WHERE id = ?`, fmt.Sprintf("sch_%d", n), id)
	}
}

// paid returns how many transactions were accepted, and by whom.
func (d *desk) paid() int64 {
	return d.Count("SELECT count(*) FROM transactions WHERE status = 'PROCESSING' AND accepted_by = ?", d.accepter.User)
}

// accepts returns how many transactions were accepted by anybody.
func (d *desk) accepts() int64 {
	return d.Count("SELECT count(*) FROM transactions WHERE accepted_by <> ''")
}

// proof sets how far the proof of the paying wallet is.
func (d *desk) proof(status string) {
	d.Exec("UPDATE wallets SET ownership_status = ? WHERE id = ?", status, d.maker.PayingWallet)
}

// drafts returns how many transactions wait for people.
func (d *desk) drafts() int64 {
	return d.Count("SELECT count(*) FROM transactions WHERE status IN ('DRAFT', 'WAITING_ACCEPTANCE')")
}

// mails returns the mails of a kind to a member.
func (d *desk) mails(m *paymentstest.Member, kind mail.Kind) []mail.Shown {
	var out []mail.Shown
	for _, x := range d.Mails(m.Email) {
		if x.Kind == string(kind) {
			out = append(out, x)
		}
	}

	return out
}

// state returns a schedule's state.
func (d *desk) state(id string) string {
	d.T.Helper()
	return d.maker.Do("GET", "/schedules/"+id, nil).OK(200).Text("state")
}

// days returns the days of a schedule on which something was made, newest first, as "state" of each.
func (d *desk) days(id string) []string {
	d.T.Helper()

	out := []string{}
	for _, x := range d.maker.Do("GET", "/schedules/"+id, nil).OK(200).Body["days"].([]any) {
		out = append(out, x.(map[string]any)["state"].(string))
	}

	return out
}

// transactionOf returns the transaction of a schedule's newest day.
func (d *desk) transactionOf(id string) string {
	d.T.Helper()

	days := d.maker.Do("GET", "/schedules/"+id, nil).OK(200).Body["days"].([]any)

	return days[0].(map[string]any)["transaction"].(string)
}
