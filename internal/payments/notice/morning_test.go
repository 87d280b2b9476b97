//go:build !nosandbox

package notice_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/notice"
	"slipway/internal/payments/overview"
	"slipway/internal/payments/paymentstest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/mail"
)

type object = paymentstest.Object

// dawn is an organisation in which Ada makes payments, and Grace, who accepts them, wants one mail a day.
type dawn struct {
	*paymentstest.World
	tell          *notice.Service
	mornings      *notice.Mornings
	ada, grace    *paymentstest.Member
	payee, wallet string
	seen          map[string]bool // mails to Grace that were looked at
}

func eachDawn(t *testing.T, test func(t *testing.T, d *dawn)) {
	t.Helper()
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		view := overview.New(overview.Deps{DB: w.DB, Transactions: w.Transactions, Approvals: w.Approvals})
		d := &dawn{
			World:    w,
			tell:     notice.New(notice.Config{DB: w.DB, Mail: w.Outbox}),
			mornings: notice.NewMornings(notice.Mornings{DB: w.DB, Mail: w.Outbox, Waits: view.Waits}),
			seen:     map[string]bool{},
		}
		d.ada = w.Founder("Ada")
		d.grace = d.ada.Colleague("Grace", "authorized", "admin")
		d.payee = d.ada.Receiver("Alice")
		d.wallet, _ = d.ada.Wallet(d.payee)
		d.ada.Do("PATCH", "/organisations/"+d.ada.Org, object{"timeZone": "Pacific/Auckland"}).OK(200)
		d.grace.Do("PATCH", "/email/preferences", object{"transactionMails": "MORNING"}).OK(200)
		d.wake()
		d.got()
		test(t, d)
	})
}

// wake has the mornings that are due written, and sent.
func (d *dawn) wake() {
	d.T.Helper()
	require.NoError(d.T, d.mornings.Send(context.Background()))
	d.RunJobs()
}

// happens lets the mails about what has happened be written.
func (d *dawn) happens() {
	d.T.Helper()
	d.pass(notice.Settle + 20*time.Minute)
	require.NoError(d.T, d.tell.Send(context.Background()))
	d.RunJobs()
}

func (d *dawn) pass(by time.Duration) {
	d.T.Helper()
	d.DB.Clock().Advance(by)
	d.ada.Token = d.Login(d.ada.Email).Access
	d.grace.Token = d.Login(d.grace.Email).Access
}

// until lets time pass until so much after seven in Auckland.
func (d *dawn) until(after time.Duration) {
	d.T.Helper()

	zone, err := time.LoadLocation("Pacific/Auckland")
	require.NoError(d.T, err)

	now := d.DB.Now().In(zone)
	at := time.Date(now.Year(), now.Month(), now.Day(), 7, 0, 0, 0, zone).Add(after)

	if !at.After(now) {
		at = time.Date(now.Year(), now.Month(), now.Day()+1, 7, 0, 0, 0, zone).Add(after)
	}

	d.pass(at.Sub(now))
}

// got returns what has come to Grace about payments since the last call, oldest first.
func (d *dawn) got() (out []mail.Shown) {
	d.T.Helper()

	for _, m := range d.Mails(d.grace.Email) {
		if m.Category == string(mail.Transaction) && m.State == mail.Sent && !d.seen[m.ID] {
			out = append([]mail.Shown{m}, out...)
			d.seen[m.ID] = true
		}
	}

	return out
}

func (d *dawn) submitted(amount string) string {
	d.T.Helper()

	id := d.ada.Do("POST", "/transactions", object{
		"type":          "CRYPTO",
		"token":         "USDC",
		"walletAddress": d.ada.Payer,
		"payments": []object{{
			"type":     "CRYPTO",
			"receiver": d.payee,
			"wallet":   d.wallet,
			"amount":   amount,
			"reason":   "Rent",
		}},
	}).OK(201).Text("_id")
	d.ada.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)

	return id
}

// One mail each morning has what waits now, and then what has happened since. Without anything there is none.
func TestAMorningMailSaysWhatWaitsAndWhatHasHappened(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		done := d.submitted("10.00")
		waits := d.submitted("20.00")
		d.happens()
		d.grace.Do("POST", "/transactions/"+done+"/accept", nil).OK(200)
		d.Finish(done, transaction.PaymentCompleted)
		d.happens()
		require.Empty(t, d.got(), "nothing comes before the morning")

		d.until(-time.Minute)
		d.wake()
		require.Empty(t, d.got())

		d.until(time.Minute)
		d.wake()

		all := d.got()
		require.Len(t, all, 1)
		require.Equal(t, string(mail.Morning), all[0].Kind)
		require.Contains(t, all[0].Subject, "Your morning mail of")
		require.Contains(t, all[0].Text, "One payment waits for your approval")
		require.Contains(t, all[0].Text, "Paid: USDC 10.00")
		require.Contains(t, all[0].Text, done)
		require.NotContains(t, all[0].Text, "USDC 20.00", "what waits is counted, not told as news")
		require.Less(t, strings.Index(all[0].Text, "One payment waits"), strings.Index(all[0].Text, "Paid:"))

		for range 3 {
			d.pass(time.Hour)
			d.wake()
		}

		require.Empty(t, d.got(), "one a day")

		d.until(time.Hour)
		d.wake()

		all = d.got()
		require.Len(t, all, 1, "it still waits")
		require.NotContains(t, all[0].Text, "Paid:", "what was said is not said again")

		d.ada.Do("DELETE", "/transactions/"+waits, nil).OK(200)
		d.until(time.Minute)
		d.wake()
		require.Empty(t, d.got(), "there is nothing to say")
	})
}

// A summary of many is told without what it asked for.
func TestASummaryIsToldWithoutWhatItAsked(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		for range 5 {
			d.submitted("10.00")
		}

		d.happens()
		require.EqualValues(t, 1, d.Count("SELECT count(*) FROM mails WHERE state = 'GATHERED' AND kind = ?",
			string(mail.TransactionSummary)))
		d.until(time.Minute)
		d.wake()

		all := d.got()
		require.Len(t, all, 1)
		require.Contains(t, all[0].Text, "5 payments wait for your approval")
		require.NotContains(t, all[0].Text, "USDC 10.00")
	})
}

// What was decided between the writing of the mail and its sending is not in it.
func TestAMorningMailIsReadWhenItIsSent(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		decided := d.submitted("10.00")
		d.submitted("20.00")
		d.until(time.Minute)
		require.NoError(t, d.mornings.Send(context.Background()))
		d.grace.Do("POST", "/transactions/"+decided+"/accept", nil).OK(200)
		d.RunJobs()

		all := d.got()
		require.Len(t, all, 1)
		require.Contains(t, all[0].Text, "One payment waits for your approval")
	})
}

// Two processes write one mail between them.
func TestTwoProcessesWriteOneMorningMail(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		d.submitted("10.00")
		d.until(time.Minute)

		require.NoError(t, d.mornings.WriteTwice(context.Background()))
		d.wake()
		require.Len(t, d.got(), 1)
	})
}

// Mails that keep the account safe come at once, and those of people who have not chosen otherwise.
func TestMailsThatKeepTheAccountSafeComeAtOnce(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		linus := d.ada.Colleague("Linus", "authorized")
		before := len(d.Mails(d.grace.Email))
		d.Do("POST", "/auth/forgot-password", "", `{"email":"`+d.grace.Email+`"}`).OK(200)
		require.Greater(t, len(d.Mails(d.grace.Email)), before)

		d.submitted("10.00")
		d.happens()
		require.Empty(t, d.got())

		mails := d.Mails(linus.Email)
		require.Equal(t, string(mail.ApprovalNeeded), mails[0].Kind)
	})
}

// Whoever wants each mail by itself again misses nothing: what was kept comes the next morning, and nothing after that.
func TestWhatWasKeptIsToldBeforeMailsComeAtOnceAgain(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		done := d.submitted("10.00")
		d.grace.Do("POST", "/transactions/"+done+"/accept", nil).OK(200)
		d.Finish(done, transaction.PaymentCompleted)
		d.happens()
		d.grace.Do("PATCH", "/email/preferences", object{"transactionMails": "AT_ONCE"}).OK(200)

		next := d.submitted("20.00")
		d.happens()

		all := d.got()
		require.Len(t, all, 1)
		require.Contains(t, all[0].Text, next)

		d.until(time.Minute)
		d.wake()

		all = d.got()
		require.Len(t, all, 1)
		require.Contains(t, all[0].Text, "Paid: USDC 10.00")
		require.Zero(t, d.Count("SELECT count(*) FROM morning_mails"))

		d.until(time.Minute)
		d.wake()
		require.Empty(t, d.got())
	})
}

// Whoever switches them off gets neither what was kept nor a morning mail.
func TestWhoeverSwitchesMailsOffGetsNoMorningMail(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		d.submitted("10.00")
		d.happens()
		d.grace.Do("PATCH", "/email/preferences", object{"transactionMails": "OFF"}).OK(200)
		d.until(time.Minute)
		d.wake()
		require.Empty(t, d.got())
		require.Zero(t, d.Count("SELECT count(*) FROM mails WHERE state = 'GATHERED'"))
	})
}

// A restored back-up writes no morning a second time, and tells of nothing that may have been told.
func TestARestoredBackUpWritesNoMorningAgain(t *testing.T) {
	eachDawn(t, func(t *testing.T, d *dawn) {
		d.submitted("10.00")
		d.happens()
		d.until(time.Minute) // the back-up is of before seven, and is put back after it

		_, err := d.Outbox.DoubtOlder(context.Background(), d.DB.Now())
		require.NoError(t, err)
		require.NoError(t, d.mornings.SkipMissed(context.Background(), d.DB.Now()))
		d.wake()
		require.Empty(t, d.got())
		require.Zero(t, d.Count("SELECT count(*) FROM mails WHERE state = 'GATHERED'"))

		d.until(time.Minute)
		d.wake()
		require.Len(t, d.got(), 1, "it waits, and the next morning is told")
	})
}
