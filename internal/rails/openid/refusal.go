package openid

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Reason is what is wrong with a provider or with what it has sent.
type Reason string

// The reasons.
const (
	Unreachable   Reason = "UNREACHABLE"    // no answer, or one that is none: nothing is known
	BadIssuer     Reason = "BAD_ISSUER"     // no issuer that could be asked
	OtherIssuer   Reason = "OTHER_ISSUER"   // its description or its token names another issuer
	MixedUp       Reason = "MIXED_UP"       // the answer came from another provider
	CodeRefused   Reason = "CODE_REFUSED"   // the code was used, is too old, or another's
	ClientRefused Reason = "CLIENT_REFUSED" // it does not know our client or its secret
	BadSignature  Reason = "BAD_SIGNATURE"  // not signed, or by no key of the provider
	WrongAudience Reason = "WRONG_AUDIENCE" // made for another application
	WrongNonce    Reason = "WRONG_NONCE"    // made for another sign-in
	Expired       Reason = "EXPIRED"
	NotYetValid   Reason = "NOT_YET_VALID"
	WrongSubject  Reason = "WRONG_SUBJECT" // token and userinfo speak of two people
	TooLong       Reason = "TOO_LONG"
	Unreadable    Reason = "UNREADABLE"
)

// Refusal is an answer that cannot be used. Detail is for whoever runs the provider; it has no secrets.
type Refusal struct {
	Reason Reason
	Detail string
}

// Error returns the reason and the detail.
func (r *Refusal) Error() string { return string(r.Reason) + ": " + r.Detail }

func refuse(reason Reason, format string, args ...any) *Refusal {
	return &Refusal{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// discoveryRefusal says why a provider's description was refused.
func discoveryRefusal(issuer string, err error) error {
	var other *oidc.IssuerMismatchError
	if errors.As(err, &other) {
		return refuse(OtherIssuer, "The provider at %s calls itself %q. The issuer must be written exactly as that.",
			issuer, other.Discovered)
	}

	if strings.HasPrefix(err.Error(), "oidc: failed to decode") {
		return refuse(Unreadable, "What the provider answers at %s is no description of OpenID Connect.", issuer)
	}

	return unreachable(err)
}

// unreachable says why no answer came. It names no address of the network that the service runs in.
func unreachable(err error) error {
	var (
		own  *Refusal
		slow net.Error
	)

	switch {
	case errors.As(err, &own):
		return own
	case strings.Contains(err.Error(), string(TooLong)+": "): // the library keeps the text of a body's error alone
		return tooLong()
	case errors.As(err, &slow) && slow.Timeout():
		return refuse(Unreachable, "The provider has not answered in time.")
	default:
		return refuse(
			Unreachable,
			"The provider cannot be reached: its name is unknown, its address is not public, or its connection is not encrypted "+
				"as it must be.",
		)
	}
}

func tooLong() *Refusal {
	return refuse(TooLong, "The provider's answer is longer than %d kB.", maxAnswer>>10)
}

// exchangeRefusal says why a code was not traded (RFC 6749, 5.2).
func exchangeRefusal(err error) error {
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) {
		if strings.Contains(err.Error(), "cannot parse") || strings.Contains(err.Error(), "missing access_token") {
			return refuse(Unreadable, "The provider's answer cannot be read.")
		}

		return unreachable(err)
	}

	switch answer.ErrorCode {
	case "invalid_client", "unauthorized_client":
		return refuse(ClientRefused, "The provider does not accept the client's id or secret.")
	case "":
		return refuse(Unreachable, "The provider answers %s.", answer.Response.Status)
	default:
		return refuse(CodeRefused, "The provider refuses the code (%.40q).", answer.ErrorCode)
	}
}

// tokenRefusal says why a token was refused. The library gives a text alone, but for a token that has expired, so the
// claims of the refused token are compared once more: nothing but the words depends on it.
func tokenRefusal(r Registration, raw string, err error) error {
	var expired *oidc.TokenExpiredError
	if errors.As(err, &expired) {
		return refuse(Expired, "The token has expired. If that is not so, compare the clocks.")
	}

	var own *Refusal
	if errors.As(err, &own) {
		return own
	}

	text := err.Error()

	switch {
	case strings.Contains(text, "issued by a different provider"):
		return refuse(OtherIssuer, "The token was issued by another provider than %s.", r.Issuer)
	case strings.Contains(text, "expected audience"):
		return refuse(WrongAudience, "The token was made for another application.")
	case strings.Contains(text, "before the nbf"):
		return refuse(NotYetValid, "The token is not valid yet: compare the clocks.")
	case strings.Contains(text, "fetching keys"):
		return refuse(Unreachable, "The provider's keys cannot be read.")
	case strings.Contains(text, "signature"), strings.Contains(text, "malformed jwt"):
		return refuse(BadSignature, "The token is not signed by a key of the provider.")
	default:
		return refuse(Unreadable, "The token cannot be read (%d bytes).", len(raw))
	}
}
