package mail_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"image"
	"image/png"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http/httptest"
	stdmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

const link = "https://pay.example.org/account/reset#lk_canaryLinkCanaryLink"

// server is an SMTP server in this process.
type server struct {
	sync.Mutex
	host     string
	port     int
	trust    *tls.Config
	got      []string // messages as they came
	to       []string
	users    []string
	refuseTo string // an address that is refused for ever
	busy     bool   // every message is put off
	greeted  string // the name by which it was greeted last

	refuses map[string]*smtp.SMTPError // what it answers to a command: HELO, MAIL, RCPT, DATA
	dropped bool                       // takes messages, and loses the connection before it says so
}

func (s *server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	s.greeted = c.Hostname()
	return &session{s: s, conn: c}, s.answer("HELO")
}

// answer returns what the server answers to a command: nil, unless it refuses it.
func (s *server) answer(command string) error {
	if refusal := s.refuses[command]; refusal != nil {
		return refusal
	}

	return nil
}

type session struct {
	s    *server
	conn *smtp.Conn
	to   string
}

func (x *session) AuthMechanisms() []string { return []string{sasl.Plain} }
func (x *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "smtp password" {
			return errors.New("no")
		}

		x.s.users = append(x.s.users, user)

		return nil
	}), nil
}
func (x *session) Mail(string, *smtp.MailOptions) error { return x.s.answer("MAIL") }
func (x *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	x.to = to
	if to == x.s.refuseTo {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such person " + to}
	}

	return x.s.answer("RCPT")
}

func (x *session) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	x.s.Lock()
	defer x.s.Unlock()

	if x.s.busy {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "later"}
	}

	if refusal := x.s.answer("DATA"); refusal != nil {
		return refusal
	}

	x.s.got = append(x.s.got, string(b))

	x.s.to = append(x.s.to, x.to)
	if x.s.dropped {
		x.s.dropped = false
		_ = x.conn.Close()
	}

	return err
}
func (x *session) Reset()        {}
func (x *session) Logout() error { return nil }

// listen starts the server; offersTLS: by STARTTLS, or from the first byte when implicit.
func listen(t *testing.T, offersTLS, implicit bool) *server {
	t.Helper()
	s := &server{}
	cert, pool := certificate(t)
	s.trust = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	srv := smtp.NewServer(s)
	srv.Domain = "mx.test"
	srv.ErrorLog = discard{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	if offersTLS {
		srv.TLSConfig = config
	}

	if implicit {
		l = tls.NewListener(l, config)
	}

	at := l.Addr().(*net.TCPAddr)
	s.host = "127.0.0.1"
	s.port = at.Port

	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })

	return s
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(parsed)

	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, pool
}

// box is an outbox with its jobs.
type box struct {
	t    *testing.T
	db   *db.DB
	jobs *jobs.Runner
	*mail.Outbox
	config   mail.Config
	log      bytes.Buffer
	refused  bool   // everybody has switched everything off
	gathers  bool   // everybody wants a morning mail
	language string // of everybody
	site     string // where the links to stop lead; empty: over HTTPS
}

// Language knows nobody: mails are in the language of the request, or English.
func (b *box) Language(context.Context, string) (string, error) { return b.language, nil }

func (b *box) Wants(context.Context, string, mail.Category) (bool, error) { return !b.refused, nil }

func (b *box) Gathers(context.Context, string, mail.Category) (bool, error) { return b.gathers, nil }

func (b *box) StopLink(user, _ string, c mail.Category, _ time.Time) string {
	return cmp.Or(b.site, "https://pay.example.org") + "/email/unsubscribe?token=tk-" + user + "-" + string(c)
}

func newBox(t *testing.T, d *db.DB, sender mail.Sender, keep bool) *box {
	t.Helper()
	b := &box{t: t, db: d}
	b.jobs = jobs.New(d, slog.New(slog.NewTextHandler(&b.log, nil)), jobs.Config{})

	var err error

	b.config = mail.Config{
		DB:          d,
		Jobs:        b.jobs,
		Sender:      sender,
		From:        "Slipway <no-reply@pay.example.org>",
		Site:        "https://pay.example.org",
		Keep:        keep,
		Preferences: b,
		Log:         slog.New(slog.NewTextHandler(&b.log, nil)),
	}
	b.Outbox, err = mail.New(b.config)
	require.NoError(t, err)

	return b
}

// app lets mails lead to a program.
func (b *box) app(address string) {
	b.t.Helper()

	b.config.App = address
	b.config.Jobs = nil

	var err error

	b.Outbox, err = mail.New(b.config)
	require.NoError(b.t, err)
}

func (b *box) queue(to string) {
	b.t.Helper()

	require.NoError(b.t, b.db.Write(context.Background(), func(tx *db.Tx) error {
		b.Queue(tx, mail.Message{
			Kind: mail.Reset,
			To:   to,
			Data: map[string]string{"name": "Zoë <b>&\r\nBcc: x@evil.example", "link": link},
		})

		return nil
	}))
}

func (b *box) run() {
	b.t.Helper()
	_, err := b.jobs.RunDue(context.Background(), 100)
	require.NoError(b.t, err)
}

func (b *box) value(query string) string {
	b.t.Helper()
	s, err := db.Value[string](context.Background(), b.db, query)
	require.NoError(b.t, err)

	return s
}

func TestMailGoesOutByEveryKindOfConnection(t *testing.T) {
	for _, c := range []struct {
		security            string
		offersTLS, implicit bool
	}{{mail.StartTLS, true, false}, {mail.TLS, false, true}, {mail.NoTLS, false, false}} {
		t.Run(c.security, func(t *testing.T) {
			s := listen(t, c.offersTLS, c.implicit)

			sender := mail.SMTP{Host: s.host, Port: s.port, Security: c.security, Trust: s.trust}
			if c.security != mail.NoTLS {
				sender.Username = "slipway"
				sender.Password = "smtp password"
			}

			b := newBox(t, dbtest.SQLite(t), sender, false)
			b.queue("ada@example.com")
			b.run()
			require.Len(t, s.got, 1, b.log.String())
			m, err := stdmail.ReadMessage(strings.NewReader(s.got[0]))
			require.NoError(t, err)
			require.Equal(t, "Set a new password", m.Header.Get("Subject"))
			require.Contains(t, m.Header.Get("From"), "no-reply@pay.example.org")
			require.Contains(t, m.Header.Get("Content-Type"), "multipart/alternative")
			require.Equal(t, "auto-generated", m.Header.Get("Auto-Submitted"))
			require.Empty(t, m.Header.Get("Bcc"), "a name wrote a header")
			require.Contains(t, unfolded(s.got[0]), "&lt;b&gt;&amp; Bcc: x@evil.example",
				"a name wrote markup or lines")
			require.Contains(t, s.got[0], "<b>& Bcc: x@evil.example,\r\n\r\n")
			require.Equal(t, []string{"ada@example.com"}, s.to)

			if sender.Username != "" {
				require.Equal(t, []string{"slipway"}, s.users)
			}
		})
	}
}

func TestMailIsNotSentInClearOrToStrangers(t *testing.T) { // C-05
	plain := listen(t, false, false)

	secure := listen(t, true, false)
	for name, sender := range map[string]mail.SMTP{
		"no STARTTLS offered": {Host: plain.host, Port: plain.port, Security: mail.StartTLS, Trust: plain.trust},
		"unknown authority":   {Host: secure.host, Port: secure.port, Security: mail.StartTLS},
		"another name":        {Host: "localhost", Port: secure.port, Security: mail.StartTLS, Trust: secure.trust},
		"wrong password": {
			Host:     secure.host,
			Port:     secure.port,
			Security: mail.StartTLS,
			Trust:    secure.trust,
			Username: "slipway",
			Password: "wrong",
		},
	} {
		b := newBox(t, dbtest.SQLite(t), sender, false)
		b.queue("ada@example.com")
		b.run()
		require.Equal(t, mail.Queued, b.value("SELECT state FROM mails"), name)
		require.NotEmpty(t, b.value("SELECT last_error FROM mails"), name)
	}

	require.Empty(t, plain.got)
	require.Empty(t, secure.got)
}

func TestMailSurvivesAServerThatIsAway(t *testing.T) { // W-06
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := listen(t, true, false)
		s.busy = true
		b := newBox(t, d, mail.SMTP{Host: s.host, Port: s.port, Security: mail.StartTLS, Trust: s.trust}, false)

		require.ErrorContains(t, d.Write(context.Background(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind: mail.Reset,
				To:   "undone@example.com",
				Data: map[string]string{"name": "A", "link": link},
			})

			return errors.New("undone")
		}), "undone")

		b.queue("ada@example.com")
		require.NotContains(t, b.value("SELECT payload FROM mails"), "canaryLink", "links lie sealed")

		b.run()
		require.Equal(t, mail.Queued, b.value("SELECT state FROM mails"))

		s.busy = false
		s.dropped = true
		d.Clock().Advance(time.Hour)
		b.run() // taken, but the answer is lost
		require.Equal(t, mail.Queued, b.value("SELECT state FROM mails"))

		d.Clock().Advance(time.Hour)
		b.run()
		require.Equal(t, mail.Sent, b.value("SELECT state FROM mails"))
		require.Len(t, s.got, 2, "at least once")
		require.Equal(t, header(t, s.got[0], "Message-Id"), header(t, s.got[1], "Message-Id"), "and known as the same")
		require.Equal(t, header(t, s.got[0], "Date"), header(t, s.got[1], "Date"))
		require.Equal(t, "", b.value("SELECT payload FROM mails"), "links are forgotten once sent")

		d.Clock().Advance(time.Hour)
		b.run()
		require.Len(t, s.got, 2)
		require.NotContains(t, b.log.String(), "canary", "the log shows a link")
		require.NotContains(t, b.value("SELECT COALESCE(max(last_error), '') FROM jobs"), "canary")

		n, err := b.Forget(context.Background(), d.Now().Add(time.Minute), 10)
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
	})
}

// What monitoring is told of the outbox: how many mails have not left, and since when the oldest waits (W-06).
func TestMailsThatWaitAreCountedAsJobs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := listen(t, true, false)
		s.busy = true
		b := newBox(t, d, mail.SMTP{Host: s.host, Port: s.port, Security: mail.StartTLS, Trust: s.trust}, false)

		waiting := func(want int, since string) {
			t.Helper()

			n, oldest, err := jobs.Waiting(t.Context(), d, mail.Job)
			require.NoError(t, err)
			require.EqualValues(t, want, n)

			if since == "" {
				require.True(t, oldest.IsZero(), "nothing waits")
				return
			}

			created, err := db.Value[int64](t.Context(), d, "SELECT created_at FROM mails WHERE recipient = ?", since)
			require.NoError(t, err)
			require.Equal(t, db.Time(created), oldest)
		}

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error { // no mail
			b.jobs.Enqueue(tx, "other", "other/1", "")
			return nil
		}))
		waiting(0, "")

		b.queue("ada@example.com")
		d.Clock().Advance(time.Hour)
		b.queue("grace@example.com")
		waiting(2, "ada@example.com")

		b.run()
		waiting(2, "ada@example.com")

		s.busy = false
		d.Clock().Advance(time.Hour)
		b.run()
		require.Len(t, s.got, 2)
		waiting(0, "")
	})
}

// unfolded takes the soft line ends of quoted-printable away (RFC 2045, 6.7).
func unfolded(message string) string { return strings.ReplaceAll(message, "=\r\n", "") }

func header(t *testing.T, message, name string) string {
	t.Helper()
	m, err := stdmail.ReadMessage(strings.NewReader(message))
	require.NoError(t, err)
	require.NotEmpty(t, m.Header.Get(name))

	return m.Header.Get(name)
}

func TestMailThatIsRefusedOrTooOldEnds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := listen(t, true, false)
		s.refuseTo = "nobody@example.com"
		b := newBox(t, d, mail.SMTP{Host: s.host, Port: s.port, Security: mail.StartTLS, Trust: s.trust}, false)
		b.queue("nobody@example.com")
		b.run()
		require.Equal(t, mail.Failed, b.value("SELECT state FROM mails"))
		require.Equal(t, "", b.value("SELECT payload FROM mails"))

		s.busy = true
		b.queue("ada@example.com")
		b.run()
		d.Clock().Advance(mail.GiveUp + time.Hour)
		b.run()
		require.Equal(t, mail.Failed, b.value("SELECT state FROM mails WHERE recipient = 'ada@example.com'"))

		n, err := db.Value[int64](context.Background(), d, "SELECT count(*) FROM jobs")
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

func TestMailboxShowsWhatWasSent(t *testing.T) {
	b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)
	b.queue("ada@example.com")
	b.queue("grace@example.com")
	b.run()
	all, err := b.Mailbox(context.Background(), "")
	require.NoError(t, err)
	require.Len(t, all, 2)

	mine, err := b.Mailbox(context.Background(), "ada@example.com")
	require.NoError(t, err)
	require.Len(t, mine, 1)
	require.Contains(t, mine[0].Text, link)
	require.Equal(t, mail.Sent, mine[0].State)

	rec := httptest.NewRecorder()
	b.Page().ServeHTTP(rec, httptest.NewRequest("GET", "/sandbox/mailbox", nil))
	require.Contains(t, rec.Body.String(), "to grace@example.com")
	require.NotContains(t, rec.Body.String(), "<b>&\r")
}

func (b *box) news(to string) {
	b.t.Helper()

	data := map[string]string{}
	for _, name := range strings.Fields("name organisation headline lead what amount receivers reference when why") {
		data[name] = "the " + name
	}

	require.NoError(b.t, b.db.Write(context.Background(), func(tx *db.Tx) error {
		b.Queue(tx, mail.Message{Kind: mail.TransactionNews, To: to, User: "usr_1", Data: data})
		return nil
	}))
}

// What can be switched off says how, by the headers of RFC 8058 and a link for people; what cannot must not offer it
// (W-06).
func TestOnlyMailsThatCanBeSwitchedOffSayHow(t *testing.T) {
	s := listen(t, true, false)
	b := newBox(t, dbtest.SQLite(t), mail.SMTP{
		Host:     s.host,
		Port:     s.port,
		Security: mail.StartTLS,
		Trust:    s.trust,
	}, false)

	const stop = "https://pay.example.org/email/unsubscribe?token=tk-usr_1-transaction"
	for i, c := range []struct {
		queue      func(string)
		list, post string
	}{{b.news, "<" + stop + ">", "List-Unsubscribe=One-Click"}, {b.queue, "", ""}} {
		c.queue("ada@example.com")
		b.run()
		require.Len(t, s.got, i+1, b.log.String())

		m, err := stdmail.ReadMessage(strings.NewReader(s.got[i]))
		require.NoError(t, err)
		require.Equal(t, c.list, m.Header.Get("List-Unsubscribe"))
		require.Equal(t, c.post, m.Header.Get("List-Unsubscribe-Post"))
		require.Equal(t, c.list != "", strings.Contains(unfolded(s.got[i]), "Stop mails of this kind"), s.got[i])
	}

	b.site = "http://127.0.0.1:8080"
	b.news("ada@example.com")
	b.run()
	m, err := stdmail.ReadMessage(strings.NewReader(s.got[2]))
	require.NoError(t, err)
	require.Contains(t, m.Header.Get("List-Unsubscribe"), "http://127.0.0.1:8080/")
	require.Empty(t, m.Header.Get("List-Unsubscribe-Post"), "one click is for HTTPS (RFC 8058, 3.1)")
}

// Whether a mail is wanted is asked when it is sent. Mails about the account are sent in any case.
func TestWhatIsSwitchedOffBeforeItIsSentStaysHere(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := listen(t, true, false)
		s.busy = true
		b := newBox(t, d, mail.SMTP{Host: s.host, Port: s.port, Security: mail.StartTLS, Trust: s.trust}, false)
		b.news("ada@example.com")
		b.queue("ada@example.com")
		b.run()
		s.busy = false
		b.refused = true
		d.Clock().Advance(time.Hour)
		b.run()
		require.Len(t, s.got, 1)
		require.Contains(t, s.got[0], "Set a new password")
		require.Equal(t, mail.Unwanted, b.value("SELECT state FROM mails WHERE category = 'transaction'"))
		require.Equal(t, "", b.value("SELECT payload FROM mails WHERE category = 'transaction'"))
	})
}

func TestMailThatNobodyCanSwitchOffForIsNotQueued(t *testing.T) {
	b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)

	require.ErrorContains(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
		b.Queue(tx, mail.Message{
			Kind: mail.TransactionSummary,
			To:   "a@b.ch",
			Data: map[string]string{"name": "A", "organisation": "B", "count": "2", "more": ""},
		})

		return nil
	}), "nobody can be asked")
}

func TestEveryKindCanBeWritten(t *testing.T) {
	b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)
	for _, kind := range []mail.Kind{
		mail.Confirm, mail.AccountExists, mail.Reset, mail.PasswordChanged, mail.NewKey, mail.RefreshReuse, mail.TwoFactorChanged, mail.Invitation,
		mail.CompleteAccount, mail.VerifyIdentity, mail.EmailChange, mail.BankAccountChanged, mail.Verification, mail.ApprovalNeeded, mail.TransactionNews,
		mail.TransactionSummary, mail.PayableSummary, mail.DecisionNeeded, mail.PayeeAdded, mail.InvoiceUndelivered,
		mail.InvitationUndelivered, mail.KeyExpires, mail.RoleGranted,
	} {
		data := map[string]string{}
		for _, name := range strings.Fields("name link when source clients client label organisation scopes what " +
			"inviter old new ending until subject outcome why next creator amount receivers reference headline " +
			"lead count more asker summary approval email who") {
			data[name] = "the " + name
		}

		require.NoError(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind:  kind,
				To:    string(kind) + "@example.com",
				User:  "usr_1",
				Data:  data,
				Items: []mail.Item{{Title: "an item", Text: "its text"}},
			})

			return nil
		}))
	}

	all, err := b.Mailbox(context.Background(), "")
	require.NoError(t, err)
	require.Len(t, all, 23)

	for _, m := range all {
		require.NotContains(t, m.Text+m.HTML, "{{")
		require.NotContains(t, m.Text+m.HTML, "no value")
		require.Contains(t, m.Text, "https://pay.example.org")
	}

	require.ErrorContains(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
		b.Queue(tx, mail.Message{Kind: "unknown", To: "a@b.ch"})
		return nil
	}), "no mail of kind")
}

// Mails lead to where their thing is decided, and a deployment that does not know that place has no link.
func TestMailsLeadToTheirRecords(t *testing.T) {
	for app, want := range map[string]string{
		"":                           "",
		"https://app.example.org":    "https://app.example.org/approvals/apr_1%2F..",
		"https://app.example.org/x/": "https://app.example.org/x/approvals/apr_1%2F..",
	} {
		b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)
		b.app(app)

		require.NoError(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind:   mail.DecisionNeeded,
				To:     "a@b.ch",
				Record: "apr_1/..",
				Data: map[string]string{
					"name":         "A",
					"organisation": "B",
					"asker":        "C",
					"summary":      "see https://evil.example",
					"approval":     "apr_1",
				},
			})

			return nil
		}))

		all, err := b.Mailbox(context.Background(), "")
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.NotContains(t, all[0].Text, "https://evil.example", "nobody's own text is a link")

		if want == "" {
			require.NotContains(t, all[0].HTML, "button\" href")
			require.NotContains(t, all[0].Text, "Look at it and decide:")

			continue
		}

		require.Contains(t, all[0].HTML, `<a class="button" href="`+want+`">Look at it and decide</a>`)
		require.Contains(t, all[0].Text, "Look at it and decide:\n"+want+"\n")
	}
}

// Without a program of its own, a deployment's mails lead to the console: to the organisation's part of it, or to that
// of the platform's people.
func TestMailsLeadToTheConsole(t *testing.T) {
	b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)
	b.config.Console = "https://pay.example.org/console"
	b.app("")

	for organisation, want := range map[string]string{
		"org_1": "https://pay.example.org/console/o/org_1/decide",
		"":      "https://pay.example.org/console/ops",
	} {
		require.NoError(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind:         mail.DecisionNeeded,
				To:           "a@b.ch",
				Organisation: organisation,
				Data: map[string]string{
					"name":         "A",
					"organisation": "B",
					"asker":        "C",
					"summary":      "D",
					"approval":     "apr_1",
				},
			})

			return nil
		}))

		all, err := b.Mailbox(context.Background(), "")
		require.NoError(t, err)
		require.Contains(t, all[0].Text, "Look at it and decide:\n"+want+"\n")
	}
}

// B-06: mails that waited in a back-up may have been sent, and are not sent again; one that was queued since is sent.
func TestMailsOfABackUpAreNotSentAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := listen(t, true, false)
		b := newBox(t, d, mail.SMTP{Host: s.host, Port: s.port, Security: mail.StartTLS, Trust: s.trust}, false)
		b.queue("old@example.org")
		d.Clock().Advance(time.Second)
		n, err := b.DoubtOlder(context.Background(), d.Now())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)

		d.Clock().Advance(time.Second)
		b.queue("new@example.org")
		b.run()
		require.Equal(t, []string{"new@example.org"}, s.to)
		require.Equal(t, mail.Doubtful, b.value("SELECT state FROM mails WHERE recipient = 'old@example.org'"))
		require.Empty(t, b.value("SELECT payload FROM mails WHERE recipient = 'old@example.org'"))
	})
}

// The reader's own language decides, then that of the request; what people have written stays as it is.
func TestMailsSpeakTheirReadersLanguage(t *testing.T) {
	b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)
	write := func() mail.Shown {
		require.NoError(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind:     mail.TransactionNews,
				To:       "ada@example.com",
				User:     "usr_1",
				Language: "fr-CH,fr;q=0.9",
				Data: map[string]string{
					"name":         "Paid",
					"organisation": "Muster AG",
					"headline":     words.Phrase("Not paid"),
					"lead":         words.Phrase("The transaction has failed."),
					"why":          "",
					"what":         words.Phrase("a payment of %s to wallets", "USDC"),
					"amount":       words.Sum("1012.50", "USDC"),
					"receivers":    "Rejected GmbH",
					"reference":    "tra_1",
					"when":         words.When(time.Date(2026, 3, 1, 9, 5, 0, 0, time.UTC)),
				},
			})

			return nil
		}))

		all, err := b.Mailbox(context.Background(), "")
		require.NoError(t, err)

		return all[0]
	}

	french := write()
	require.Equal(t, "Non payé : 1 012,50 USDC, Muster AG", french.Subject)
	require.Contains(t, french.HTML, `<html lang="fr">`)
	require.Contains(t, french.Text, "Bonjour Paid,", "a name is no text of ours")
	require.NotRegexp(t, `[^ ]:( |\n)`, french.Text, "French has a space before a colon")

	b.language = "de"
	german := write()
	require.Equal(t, "Nicht bezahlt: 1.012,50 USDC, Muster AG", german.Subject)
	require.Contains(t, german.Text, "Was: eine Zahlung von USDC an Wallets\n")
	require.Contains(t, german.Text, "An: Rejected GmbH\n")
	require.Contains(t, german.Text, "Wann: 1. März 2026, 09:05 Uhr UTC")
	require.Contains(t, german.HTML, "<th>Betrag</th><td class=\"big\">1.012,50\u00a0USDC</td>")
}

// A mail in an organisation's name has its colour, and its logo as a part of its own. It loads nothing from anywhere,
// and says still who sends it.
func TestMailsWearTheLetterheadOfTheOrganisation(t *testing.T) {
	var logo bytes.Buffer
	require.NoError(t, png.Encode(&logo, image.NewGray(image.Rect(0, 0, 600, 150))))

	s := listen(t, true, false)
	b := newBox(t, dbtest.SQLite(t),
		mail.SMTP{Host: s.host, Port: s.port, Security: mail.StartTLS, Trust: s.trust}, true)
	head := mail.Letterhead{Name: `North<b>wind</b> www.evil.example`, Colour: "#7a1fa2", Logo: logo.Bytes()}
	b.config.Letterheads = func(_ context.Context, organisation string) (mail.Letterhead, error) {
		require.Equal(t, "org_1", organisation)
		return head, nil
	}

	var err error
	b.Outbox, err = mail.New(b.config)
	require.NoError(t, err)

	write := func(organisation string) (sent string, shown mail.Shown) {
		require.NoError(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
			b.Queue(tx, mail.Message{
				Kind:         mail.InvoiceReceipt,
				To:           "ada@example.com",
				Organisation: organisation,
				Data: map[string]string{
					"organisation": "Northwind Trading AG",
					"amount":       words.Sum("1.00", "EUR"),
					"where":        "there",
					"reference":    "tok_1",
				},
			})

			return nil
		}))

		b.run()

		all, err := b.Mailbox(context.Background(), "")
		require.NoError(t, err)

		return s.got[len(s.got)-1], all[0]
	}

	sent, shown := write("org_1")
	for _, want := range []string{
		"Content-Type: multipart/related",
		"Content-Type: multipart/alternative",
		"Content-Id: <logo@slipway>",
		"Content-Disposition: inline",
		`src=3D"cid:logo@slipway" width=3D"192" height=3D"48"`,
	} {
		require.Contains(t, strings.ReplaceAll(sent, "=\r\n", ""), want)
	}

	require.Contains(t, shown.HTML, `src="data:image/png;base64,`)
	require.Contains(t, shown.HTML, `alt="North&lt;b&gt;wind&lt;/b&gt; www.`+"\u200b"+`evil.`+"\u200b"+`example"`)
	require.Contains(t, shown.HTML, ".button{background:#7a1fa2}")
	require.Contains(t, shown.HTML, "<footer>Slipway, https://pay.example.org")
	require.NotRegexp(t, `(src|background)="?http`, shown.HTML)

	head.Logo = []byte("no picture")
	sent, shown = write("org_1")
	require.NotContains(t, sent, "Content-Id")
	require.Contains(t, shown.HTML, `<p class="brand">North&lt;b&gt;wind`)

	sent, shown = write("")
	require.NotContains(t, sent, "Content-Id")
	require.Contains(t, shown.HTML, `<p class="brand">Slipway</p>`)
	require.NotContains(t, shown.HTML, "7a1fa2")
}
