package preference

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/mail"
)

// linkDays is how many days the link in a mail works.
const linkDays = 365

// signedFor keeps these signatures apart from other signatures with the same keys.
const signedFor = "unsubscribe"

// maxToken is longer than any token: key id, user, category, day and signature.
const maxToken = 256

// link is the content of a token. The signature also covers the address of the mail, which the token does not contain:
// a link in an old mailbox stops working when the account gets another address.
type link struct {
	user     string
	category mail.Category
	day      int64 // of the mail, counted from 1970
}

func (l link) text() string {
	return l.user + "." + string(l.category) + "." + strconv.FormatInt(l.day, 10)
}

// message returns what the signature covers.
func (l link) message(address string) string { return l.text() + "." + user.Key(address) }

func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// StopLink returns the address that ends a category for a person. Calls on the same day return the same address while
// the key is the same.
func (s *Service) StopLink(userID, address string, c mail.Category, at time.Time) string {
	l := link{userID, c, dayOf(at)}
	key, mac := s.config.Keyring.Sign(signedFor, l.message(address))

	token := key + "." + l.text() + "." + base64.RawURLEncoding.EncodeToString(mac)

	return s.config.BaseURL + "/email/unsubscribe?token=" + token
}

// signed is a parsed token whose signature has not been verified.
type signed struct {
	link
	key string
	mac []byte
}

// parse parses a token. ok is false if the text cannot be one.
func parse(token string) (t signed, ok bool) {
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 5 {
		return t, false
	}

	days, err := strconv.ParseInt(parts[3], 10, 32)
	if err != nil {
		return t, false
	}

	t = signed{link{parts[1], mail.Category(parts[2]), days}, parts[0], nil}
	t.mac, err = base64.RawURLEncoding.Strict().DecodeString(parts[4])

	return t, err == nil
}

// check refuses a token that was not signed for this address or is too old.
func (s *Service) check(t signed, address string, now time.Time) error {
	if !s.config.Keyring.Verify(t.key, signedFor, t.message(address), t.mac) {
		return invalid()
	}

	if dayOf(now)-t.day > linkDays {
		return refusal(fault.Gone, fault.UnsubscribeExpired, "is more than a year old.")
	}

	return nil
}

func invalid() error {
	return refusal(fault.NotFound, fault.UnsubscribeInvalid,
		"is not one of our mails to the account's present address.")
}

func refusal(kind fault.Kind, code fault.Code, why string) error {
	f := fault.New(kind, code, "The token %s", why)
	f.Fields = []fault.Field{{In: "query", Name: "token", Code: code, Message: why}}
	return f
}
