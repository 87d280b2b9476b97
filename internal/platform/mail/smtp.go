package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	stdmail "net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"slipway/internal/platform/secret"
)

// How a connection to the server is encrypted.
const (
	StartTLS = "starttls" // plain first, then TLS or nothing is sent: port 587
	TLS      = "tls"      // from the first byte: port 465
	NoTLS    = "none"     // for servers on this machine
)

// SMTP is a server that accepts our mail. It opens a connection for each letter: security mails are few, and the server
// would close an idle connection.
type SMTP struct {
	Host     string
	Port     int
	Helo     string // greets the server: a whole host name, or an address literal (RFC 5321, 4.1.3)
	Security string // StartTLS, TLS or NoTLS
	Username string // empty: no authentication
	Password secret.Text
	Timeout  time.Duration // for the whole delivery
	Trust    *tls.Config   // nil: the system's authorities
}

// Send delivers one letter. To a server without the required TLS it sends nothing.
func (s SMTP) Send(ctx context.Context, l Letter) error {
	m, err := compose(l)
	if err != nil {
		return err
	}

	return s.offer(ctx, l.From, l.To, func(session *smtp.Client) error {
		w, err := session.Data()
		if err == nil {
			_, err = m.WriteTo(w)
		}

		if err == nil {
			err = w.Close()
		}

		return judge(commandData, l.To, err)
	})
}

// outsider is a recipient outside of every deployment: the domain is reserved (RFC 2606). Nothing is sent to it.
const outsider = "postmaster@example.com"

// Probe asks the server whether it would accept a letter from an address to somebody outside, and sends none. It goes
// as far as RCPT. A server that refuses the probe's recipient alone accepts others.
func (s SMTP) Probe(ctx context.Context, from string) error {
	err := s.offer(ctx, from, outsider, func(session *smtp.Client) error { return session.Reset() })

	var refused *Refused
	if errors.As(err, &refused) {
		return nil
	}

	return err
}

// offer begins a delivery: it connects, names sender and recipient, calls deliver, and leaves. An error of leaving does
// not count: whether the letter was accepted is known before.
func (s SMTP) offer(ctx context.Context, from, to string, deliver func(session *smtp.Client) error) error {
	sender, err := stdmail.ParseAddress(from)
	if err != nil {
		return &SetUp{Answer: "mail.from is no address"}
	}

	c, err := gomail.NewClient(s.Host, s.options()...)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.Host, err)
	}

	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()

	session, err := c.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return judge(commandHello, to, err)
	}

	defer func() {
		if session.Quit() != nil {
			_ = session.Close()
		}
	}()

	if err := session.Mail("<" + sender.Address + ">"); err != nil {
		return judge(commandMail, to, err)
	}

	if err := session.Rcpt("<" + to + ">"); err != nil {
		return judge(commandRcpt, to, err)
	}

	return deliver(session)
}

func (s SMTP) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}

	return 30 * time.Second
}

func (s SMTP) options() []gomail.Option {
	o := []gomail.Option{gomail.WithPort(s.Port), gomail.WithTimeout(s.timeout())}
	if s.Helo != "" {
		o = append(o, gomail.WithHELO(s.Helo))
	}

	switch s.Security {
	case TLS:
		o = append(o, gomail.WithSSL())
	case NoTLS:
		o = append(o, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		o = append(o, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}

	if s.Trust != nil {
		t := s.Trust.Clone()
		t.ServerName = s.Host
		o = append(o, gomail.WithTLSConfig(t))
	}

	if s.Username != "" {
		o = append(o, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.Username),
			gomail.WithPassword(s.Password.Reveal()))
	}

	return o
}

// compose returns the letter as a message of text and HTML, and the logo if there is one. Message-ID and date are the
// letter's own, so a second delivery is the same mail.
func compose(l Letter) (*gomail.Msg, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := m.From(l.From); err != nil {
		return nil, &SetUp{Answer: "mail.from is no address"}
	}

	if err := m.To(l.To); err != nil {
		return nil, &Refused{Problem: AddressUnknown, Answer: "the recipient's address cannot be written"}
	}

	m.Subject(l.Subject)
	m.SetMessageIDWithValue(l.ID + "@" + domainOf(l.From))
	m.SetDateWithValue(l.At)
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no out-of-office answers
	stopHeaders(m, l.Stop)
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)

	if len(l.Logo) > 0 {
		m.EmbedReadSeeker("logo.png", bytes.NewReader(l.Logo), gomail.WithFileContentID("<"+logoID+">"),
			gomail.WithFileContentType("image/png"))
	}

	return m, nil
}

// stopHeaders lets a mail program end these mails by one click (RFC 8058, 3.1). It may do so only over HTTPS; without
// that, only the URL is given, for people to open (RFC 2369, 3.2). The relay's DKIM must sign both headers.
func stopHeaders(m *gomail.Msg, address string) {
	if address == "" {
		return
	}

	m.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+address+">")

	if strings.HasPrefix(address, "https://") {
		m.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
}

func domainOf(address string) string {
	return strings.Trim(address[strings.LastIndexByte(address, '@')+1:], "> ")
}
