//go:build !nosandbox

package app_test

import (
	"io"
	"log"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/mail"
)

// relay is a mail server that does not know any address at unknown.example.
type relay struct{ smtp.Session }

func (relay) Mail(string, *smtp.MailOptions) error { return nil }

func (relay) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasSuffix(to, "@unknown.example") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "User unknown"}
	}

	return nil
}

func (relay) Data(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }

func (relay) Reset() {}

func (relay) Logout() error { return nil }

// withRelay restarts the app with a relay as its mail server.
func withRelay(t *testing.T, h *apptest.Harness) {
	t.Helper()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return relay{}, nil }))
	s.Domain = "localhost"
	s.ErrorLog = log.New(io.Discard, "", 0)

	go func() { _ = s.Serve(l) }()

	t.Cleanup(func() { _ = s.Close() })

	h.Environ = append(h.Environ,
		"SLIPWAY_MAIL__HOST=127.0.0.1",
		"SLIPWAY_MAIL__PORT="+strconv.Itoa(l.Addr().(*net.TCPAddr).Port),
		"SLIPWAY_MAIL__SECURITY=none",
		"SLIPWAY_MAIL__FROM=no-reply@pay.example.org",
	)
	h.Restart()
}

// sent returns the mails of a kind to an address.
func sent(h *apptest.Harness, to string, kind mail.Kind) (out []mail.Shown) {
	h.T.Helper()

	var list struct {
		Results []mail.Shown `json:"results"`
	}

	h.Do(h.App, "GET", "/sandbox/mails?recipient="+url.QueryEscape(to), "", nil).OK(200).Into(&list)

	for _, m := range list.Results {
		if m.Kind == string(kind) {
			out = append(out, m)
		}
	}

	return out
}

// A link and an invitation whose mail is refused say so: by an event, a mail to whoever made them, and the link by a
// field. A mail that arrives says nothing.
func TestMailThatIsRefusedIsToldToWhoeverLetItBeSent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		withRelay(t, h)

		c := h.Client("Ada")
		c.StaySignedIn()

		_, good := link(c, object{"isExistingReceiver": false, "email": "studio@example.org"})
		_, bad := link(c, object{"isExistingReceiver": false, "email": "studio@unknown.example"})
		c.Do("POST", "/organisations/"+c.Org+"/invitations", object{"email": "grace@unknown.example"}).OK(201)
		h.RunJobs()
		h.RunJobs()

		problem := func(id string) (v struct {
			Status      string  `json:"status"`
			MailProblem *string `json:"mailProblem"`
		},
		) {
			c.Do("GET", "/payables/invoice-links/"+id, nil).OK(200).Into(&v)
			return v
		}
		require.Nil(t, problem(good).MailProblem)
		require.Equal(t, "ADDRESS_UNKNOWN", *problem(bad).MailProblem)
		require.Equal(t, "OPEN", problem(bad).Status, "its maker may hand it over in another way")

		asked := sent(h, c.Email, mail.InvoiceUndelivered)
		require.Len(t, asked, 1)
		require.Contains(t, asked[0].Text, "studio@unknown.example")
		require.Contains(t, asked[0].Text, "the address does not exist")
		require.Contains(t, asked[0].Text, bad)

		invited := sent(h, c.Email, mail.InvitationUndelivered)
		require.Len(t, invited, 1)
		require.Contains(t, invited[0].Text, "grace@unknown.example")

		sealedAll(h)

		const types = "types[]=invoice_link.undelivered&types[]=invitation.undelivered"

		events := c.Do("GET", "/events?"+types, nil).OK(200).Raw
		require.Equal(t, 1, strings.Count(events, `"invoice_link.undelivered"`))
		require.Equal(t, 1, strings.Count(events, `"invitation.undelivered"`))
		require.Contains(t, events, `"mailProblem":"ADDRESS_UNKNOWN"`)

		metrics := h.Do(h.App, "GET", "/metrics", "", nil).OK(200).Raw
		require.Contains(t, metrics, "\nslipway_mails_undelivered{problem=\"ADDRESS_UNKNOWN\"} 2\n")
		require.Contains(t, metrics, "\nslipway_mails_undelivered{problem=\"SET_UP_REFUSED\"} 0\n")
	})
}
