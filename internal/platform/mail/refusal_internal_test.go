package mail

import (
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"testing"

	"github.com/stretchr/testify/require"
)

// What servers answer, in their own words: only what is known to be about the recipient ends a mail.
func TestOnlyRefusalsOfTheRecipientAreFinal(t *testing.T) {
	for _, c := range []struct {
		command string
		code    int
		answer  string
		want    Problem // empty: it is temporary
	}{
		// Postfix; it judges HELO and MAIL at RCPT
		{commandRcpt, 550, "5.1.1 <a@b.example>: Recipient address rejected: User unknown", AddressUnknown},
		{commandRcpt, 550, "5.1.1 <a@b.example>: Recipient address rejected: undeliverable address", AddressUnknown},
		{commandRcpt, 550, "5.1.2 <a@b.example>: Recipient address rejected: Domain not found", AddressUnknown},
		{commandRcpt, 504, "5.5.2 <vm>: Helo command rejected: need fully-qualified hostname", SetUpRefused},
		{commandRcpt, 554, "5.7.1 <a@b.example>: Relay access denied", SetUpRefused},
		{commandRcpt, 554, "5.7.1 <a@b.example>: Recipient address rejected: Access denied", SetUpRefused},
		{commandRcpt, 550, "5.1.0 <n@c.example>: Sender address rejected: User unknown in local table", SetUpRefused},
		{commandRcpt, 550, "5.1.8 <no-reply@c.example>: Sender address rejected: Domain not found", SetUpRefused},
		{commandRcpt, 450, "4.7.1 <a@b.example>: Recipient address rejected: Greylisted", ""},
		{commandData, 552, "5.3.4 Message size exceeds fixed limit", SetUpRefused},

		// Exchange and Exchange Online
		{commandRcpt, 550, "5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup", AddressUnknown},
		{commandData, 550, "5.4.310 DNS domain b.example does not exist", AddressUnknown},
		{commandMail, 530, "5.7.57 Client not authenticated to send mail", SetUpRefused},
		{commandData, 550, "5.7.60 SMTP; Client does not have permissions to send as this sender", SetUpRefused},
		{commandRcpt, 550, "5.7.64 TenantAttribution; Relay Access Denied SMTP", SetUpRefused},
		{commandData, 550, "5.1.8 Access denied, bad outbound sender", SetUpRefused},

		// Gmail
		{commandRcpt, 550, "5.1.1 The email account that you tried to reach does not exist.", AddressUnknown},
		{commandRcpt, 550, "5.2.1 The email account that you tried to reach is disabled.", MailboxClosed},
		{commandRcpt, 552, "5.2.2 The email account that you tried to reach is over quota.", MailboxFull},
		{commandData, 550, "5.4.5 Daily user sending limit exceeded.", SetUpRefused},
		{commandMail, 550, "5.7.0 Mail relay denied", SetUpRefused},

		// Amazon SES, SendGrid, SMTP2GO: no enhanced status codes
		{commandData, 554, "Message rejected: Email address is not verified.", SetUpRefused},
		{commandData, 454, "Throttling failure: Daily message quota exceeded.", ""},
		{commandData, 550, "The from address does not match a verified Sender Identity.", SetUpRefused},
		{commandRcpt, 550, "Relay access denied - please authenticate", SetUpRefused},

		// Exim, qmail, hMailServer and others in words
		{commandRcpt, 550, "Unrouteable address", AddressUnknown},
		{commandRcpt, 550, "relay not permitted", SetUpRefused},
		{commandRcpt, 550, "No Such User Here", AddressUnknown},
		{commandRcpt, 550, "Unknown user", AddressUnknown},
		{commandRcpt, 550, "sorry, no mailbox here by that name. (#5.1.1)", AddressUnknown},
		{commandRcpt, 553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", SetUpRefused},
		{commandRcpt, 550, "Requested action not taken: mailbox unavailable\ninvalid DNS MX record", SetUpRefused},
		{commandRcpt, 550, "Sender verify failed: no such user", SetUpRefused},
		{commandRcpt, 556, "domain does not accept mail", AddressUnknown},

		// the rest of the case
		{commandMail, 550, "5.7.1 sender not verified", SetUpRefused},
		{commandMail, 550, "5.1.1 no such user", SetUpRefused},
		{commandData, 554, "5.7.0 daily quota", SetUpRefused},
		{commandHello, 554, "5.7.1 You are not allowed to connect", SetUpRefused},
		{commandHello, 535, "5.7.8 Authentication credentials invalid", SetUpRefused},
		{commandHello, 421, "4.3.2 Try again later", ""},
	} {
		err := judge(c.command, "a@b.example", fmt.Errorf("deeper: %w", &textproto.Error{Code: c.code, Msg: c.answer}))

		var (
			refused *Refused
			setUp   *SetUp
			got     Problem
		)

		switch {
		case errors.As(err, &refused):
			got = refused.Problem
		case errors.As(err, &setUp):
			got = SetUpRefused
		}

		require.Equal(t, c.want, got, "%s: %d %s", c.command, c.code, c.answer)
		require.ErrorContains(t, err, fmt.Sprintf("%s: %d ", c.command, c.code))
		require.NotContains(t, err.Error(), "a@b.example")
	}

	require.NoError(t, judge(commandData, "", nil))
	require.ErrorIs(t, judge(commandData, "", io.EOF), io.EOF)
}
