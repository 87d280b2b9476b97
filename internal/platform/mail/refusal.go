package mail

import (
	"errors"
	"fmt"
	"net/textproto"
	"regexp"
	"strings"

	"slipway/internal/platform/words"
)

// Problem is why a mail has not been delivered.
type Problem string

// The problems. A mail with SetUpRefused waits; with every other one it has ended.
const (
	SetUpRefused   Problem = "SET_UP_REFUSED"  // the server refuses this deployment: its name, sender, rights or quota
	AddressUnknown Problem = "ADDRESS_UNKNOWN" // the address or its domain does not exist
	MailboxClosed  Problem = "MAILBOX_CLOSED"  // the mailbox is switched off
	MailboxFull    Problem = "MAILBOX_FULL"    // the mailbox is full, and its server does not ask to try again
	NotTaken       Problem = "NOT_TAKEN"       // no server has taken it within GiveUp
)

// Words returns the problem of a mail that has ended, for the middle of a sentence in a mail.
func (p Problem) Words() string {
	switch p {
	case AddressUnknown:
		return words.Phrase("the address does not exist")
	case MailboxClosed:
		return words.Phrase("the mailbox is closed")
	case MailboxFull:
		return words.Phrase("the mailbox is full")
	case NotTaken, SetUpRefused:
	}

	return words.Phrase("no mail server took it within three days")
}

// Refused is the error of a server that will never accept a letter for this recipient. Answer is what it answered,
// without the recipient's address.
type Refused struct {
	Problem Problem
	Answer  string
}

// Error returns the server's answer.
func (r *Refused) Error() string { return "the mail was refused: " + r.Answer }

// SetUp is the error of a server that refuses this deployment, or for a reason that is not known to be the recipient's.
// The same letter is accepted once the set-up is right.
type SetUp struct{ Answer string }

// Error returns the server's answer.
func (s *SetUp) Error() string {
	return "the mail server refuses this deployment's set-up: " + s.Answer
}

// The commands whose answers are judged.
const (
	commandHello = "HELO" // with the greeting, TLS and the sign-in
	commandMail  = "MAIL"
	commandRcpt  = "RCPT"
	commandData  = "DATA"
)

// judge returns the error for an answer to a command: a Refused about the recipient, a SetUp for every other permanent
// refusal, else an error that is temporary. An error that is no answer is returned as it is.
//
// Only what is known to be about the recipient ends a mail. Servers answer 550 and 554 to a wrong HELO, sender, right
// or quota as well (RFC 5321, 4.2.2), mostly to RCPT: Postfix judges HELO and MAIL there (smtpd_delay_reject).
func judge(command, recipient string, err error) error {
	var said *textproto.Error
	if !errors.As(err, &said) {
		return err
	}

	answer := fmt.Sprintf("%s: %d %s", command, said.Code, shortened(said.Msg, recipient))

	if said.Code < 500 {
		return errors.New(answer)
	}

	if command == commandRcpt || command == commandData {
		if p := aboutRecipient(said); p != "" {
			return &Refused{Problem: p, Answer: answer}
		}
	}

	return &SetUp{Answer: answer}
}

// longestAnswer is how many bytes of an answer are kept.
const longestAnswer = 300

// shortened returns an answer as one line without the recipient's address.
func shortened(text, recipient string) string {
	out := strings.Join(strings.Fields(text), " ")
	if recipient != "" {
		out = regexp.MustCompile("(?i)"+regexp.QuoteMeta(recipient)).ReplaceAllString(out, "…")
	}

	return strings.ToValidUTF8(out[:min(len(out), longestAnswer)], "")
}

// detail matches the subject and detail of an enhanced status code (RFC 3463) where servers write it: at the beginning
// of the answer (RFC 2034), or as qmail does, in brackets behind it.
var detail = regexp.MustCompile(`^5\.(\d{1,3}\.\d{1,3})\b|\(#5\.(\d{1,3}\.\d{1,3})\)`)

// details are the enhanced status codes about a recipient. X.1.0, X.1.7 and X.1.8 are about the sender also in answers
// to RCPT, X.7.Y about rights and policy, and X.4.5 is the quota of Gmail.
var details = map[string]Problem{
	"1.1":   AddressUnknown, // bad destination mailbox address
	"1.2":   AddressUnknown, // bad destination system address
	"1.3":   AddressUnknown, // bad destination mailbox address syntax
	"1.6":   AddressUnknown, // the mailbox has moved, and no new address is known
	"1.10":  AddressUnknown, // the domain accepts no mail (RFC 7505); Exchange: the recipient is not found
	"4.4":   AddressUnknown, // unable to route: the domain does not exist
	"4.310": AddressUnknown, // Exchange Online: the same
	"2.1":   MailboxClosed,
	"2.2":   MailboxFull,
}

// aboutRecipient returns what an answer reports about the recipient, or "" if it may be about something else.
func aboutRecipient(said *textproto.Error) Problem {
	if found := detail.FindStringSubmatch(said.Msg); found != nil {
		return details[found[1]+found[2]]
	}

	if said.Code == domainTakesNoMail {
		return AddressUnknown
	}

	text := strings.ToLower(said.Msg)
	if unknownMailbox.MatchString(text) && !othersFault.MatchString(text) {
		return AddressUnknown
	}

	return ""
}

// domainTakesNoMail is the reply code of a domain that accepts no mail (RFC 7504).
const domainTakesNoMail = 556

// Servers without enhanced status codes report an unknown mailbox in words only. "mailbox unavailable", the words of
// RFC 5321 for 550, is not among these: some servers also write it about the sender.
var (
	unknownMailbox = regexp.MustCompile(`(unknown|no such|invalid) (local )?(user|recipient|mailbox|account)|` +
		`(user|recipient|mailbox|account|person) (is )?(unknown|not found|does(n't| not) exist)|` +
		`no mailbox here|unrouteable address`)
	othersFault = regexp.MustCompile(`sender|helo|ehlo|relay|authenticat|sign in|log ?in|spf|quota`)
)
