package mail_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
)

// setUps are refusals of a deployment's set-up, by the command that they answer.
var setUps = map[string]*smtp.SMTPError{
	"HELO": {Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "you may not connect"},
	"MAIL": {Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "sender not verified"},
	"RCPT": {Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "relay access denied"},
	"DATA": {Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "daily quota"},
}

func (s *server) sender() mail.SMTP {
	return mail.SMTP{
		Host:     s.host,
		Port:     s.port,
		Helo:     "pay.example.org",
		Security: mail.StartTLS,
		Trust:    s.trust,
	}
}

// A server that refuses the deployment's set-up keeps every mail waiting, which the log and the figures show. Once it
// is mended, all of them leave.
func TestMailsWaitWhileTheServerRefusesTheSetUp(t *testing.T) {
	for command, refusal := range setUps {
		t.Run(command, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				s := listen(t, true, false)
				s.refuses = map[string]*smtp.SMTPError{command: refusal}
				b := newBox(t, d, s.sender(), false)
				b.OnFailure(mail.Reset, func(context.Context, *db.Tx, mail.Failure) error {
					t.Error("the mail has not ended")
					return nil
				})
				b.queue("ada@example.com")
				b.queue("grace@example.com")

				b.run()
				d.Clock().Advance(24 * time.Hour)
				b.run()

				require.Equal(t, map[mail.Problem]int64{mail.SetUpRefused: 2}, b.problems())

				n, answer, err := mail.SetUpRefusals(t.Context(), d)
				require.NoError(t, err)
				require.EqualValues(t, 2, n)
				require.Contains(t, answer, refusal.Message)
				require.Contains(t, b.log.String(), "refuses this deployment's set-up: "+command)
				require.NotContains(t, b.log.String(), "ada@")

				s.refuses = nil
				d.Clock().Advance(time.Hour)
				b.run()
				require.Len(t, s.got, 2)
				require.Empty(t, b.problems())

				n, _, err = mail.SetUpRefusals(t.Context(), d)
				require.NoError(t, err)
				require.Zero(t, n)
			})
		})
	}
}

// problems returns how many mails have each problem.
func (b *box) problems() map[mail.Problem]int64 {
	b.t.Helper()

	out, err := mail.Problems(b.t.Context(), b.db)
	require.NoError(b.t, err)

	return out
}

// A refusal of the recipient ends a mail. What the mail is about learns of it in the same transaction, once; the log
// has a line of it without the address.
func TestWhatAMailIsAboutLearnsThatItWasNotDelivered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := listen(t, true, false)
		s.refuseTo = "nobody@example.com"
		b := newBox(t, d, s.sender(), false)

		var told []mail.Failure

		fails := errors.New("not now")

		b.OnFailure(mail.InvoiceRequest, func(_ context.Context, _ *db.Tx, f mail.Failure) error {
			told = append(told, f)
			return fails
		})
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind:         mail.InvoiceRequest,
				To:           "nobody@example.com",
				Record:       "ivl_1",
				Organisation: "org_1",
				Data:         pictured()[3].Data,
			})

			return nil
		}))

		b.run()
		require.Equal(t, mail.Queued, b.value("SELECT state FROM mails"), "nothing is lost between the two")
		require.Len(t, told, 1)

		fails = nil
		told = nil

		d.Clock().Advance(time.Hour)
		b.run()
		d.Clock().Advance(time.Hour)
		b.run()

		require.Equal(t, []mail.Failure{{
			Kind:         mail.InvoiceRequest,
			To:           "nobody@example.com",
			Record:       "ivl_1",
			Organisation: "org_1",
			Problem:      mail.AddressUnknown,
		}}, told)
		require.Equal(t, map[mail.Problem]int64{mail.AddressUnknown: 1}, b.problems())
		require.Equal(t, 1, strings.Count(b.log.String(), "a mail was not delivered and has ended"))
		require.Contains(t, b.log.String(), "ADDRESS_UNKNOWN")
		require.NotContains(t, b.log.String(), "nobody@")
		require.NotContains(t, b.value("SELECT last_error FROM mails"), "nobody@")
	})
}

// A mail that no server has taken in three days ends, and what it is about learns of it.
func TestWhatAMailIsAboutLearnsThatNobodyTookIt(t *testing.T) {
	d := dbtest.SQLite(t)
	s := listen(t, true, false)
	s.refuses = setUps
	b := newBox(t, d, s.sender(), false)

	var told []mail.Problem

	b.OnFailure(mail.Reset, func(_ context.Context, _ *db.Tx, f mail.Failure) error {
		told = append(told, f.Problem)
		return nil
	})
	b.queue("ada@example.com")
	d.Clock().Advance(mail.GiveUp + time.Hour)
	b.run()
	require.Equal(t, []mail.Problem{mail.NotTaken}, told)
	require.Equal(t, map[mail.Problem]int64{mail.NotTaken: 1}, b.problems())
}

// A probe goes as far as naming a recipient and sends nothing. It sees a refusal of the set-up; a refusal of the
// address that it asks for is none.
func TestProbeSeesARefusalOfTheSetUp(t *testing.T) {
	s := listen(t, true, false)
	probe := func() error { return s.sender().Probe(t.Context(), "Slipway <no-reply@pay.example.org>") }

	require.NoError(t, probe())
	require.Equal(t, "pay.example.org", s.greeted)

	for _, command := range []string{"HELO", "MAIL", "RCPT"} {
		s.refuses = map[string]*smtp.SMTPError{command: setUps[command]}

		var setUp *mail.SetUp
		require.ErrorAs(t, probe(), &setUp, command)
		require.Contains(t, setUp.Answer, setUps[command].Message)
	}

	s.refuses = nil
	s.refuseTo = "postmaster@example.com"
	require.NoError(t, probe())
	require.Empty(t, s.got)
}
