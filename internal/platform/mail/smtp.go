package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

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
		return &Refused{Reason: err.Error()} // an address that cannot be written will never be
	}

	c, err := gomail.NewClient(s.Host, s.options()...)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.Host, err)
	}

	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()

	return classify(c.DialAndSendWithContext(ctx, m))
}

// Hello connects to the server, with the configured encryption and sign-in, and leaves again. It sends no mail.
func (s SMTP) Hello(ctx context.Context) error {
	c, err := gomail.NewClient(s.Host, s.options()...)
	if err != nil {
		return fmt.Errorf("mail server %s: %w", s.Host, err)
	}

	ctx, cancel := context.WithTimeout(ctx, s.timeout())
	defer cancel()

	if err := c.DialWithContext(ctx); err != nil {
		return err
	}

	return c.Close()
}

func (s SMTP) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}

	return 30 * time.Second
}

func (s SMTP) options() []gomail.Option {
	o := []gomail.Option{gomail.WithPort(s.Port), gomail.WithTimeout(s.timeout())}
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
		return nil, fmt.Errorf("sender: %w", err)
	}

	if err := m.To(l.To); err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
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

// classify separates final errors from temporary ones. A final one has a code of 500 or more about this very letter
// (RFC 5321, 4.2.1). A wrong password or missing TLS is our fault and may be corrected, so it is temporary.
func classify(err error) error {
	var s *gomail.SendError
	if !errors.As(err, &s) || s.IsTemp() || s.ErrorCode() < 500 {
		return err
	}

	switch s.Reason {
	case gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose, gomail.ErrSMTPMailFrom:
		return &Refused{Reason: fmt.Sprintf("%d from the server", s.ErrorCode())}
	default: // nothing that the server said of this mail: it is tried again
		return err
	}
}
