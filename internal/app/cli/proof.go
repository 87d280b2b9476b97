package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"slices"

	"slipway/internal/app/apiclient"
	"slipway/internal/core/fault"
)

// proof is what a person types before a change: a code of the second factor, the password, or neither.
type proof struct{ code, password string }

// change sends a call that changes something. Where the service asks for a fresh second factor, or for the password of
// an older session, a person types it and the same request is sent once more with the same key.
func (c *Call) change(
	ctx context.Context, s *Session, file []byte, headers []apiclient.Header,
) (apiclient.Answer, error) {
	a, err := c.once(ctx, s, file, headers, proof{})

	asked := stepUp(a, err)
	if asked == nil {
		return a, err
	}

	var given proof

	if !wantsPassword(asked) {
		const before = "prove it before: slipway api auth step-up --code CODE"

		if given.code, err = s.ask("code of the second factor", before); err != nil {
			return a, err
		}

		a, err = c.once(ctx, s, file, headers, given)
		if asked = stepUp(a, err); asked == nil || !wantsPassword(asked) {
			return a, err
		}
	}

	given = proof{} // the code was taken: it is not sent again
	if given.password, err = s.ask("password", "sign in anew: slipway login"); err != nil {
		return a, err
	}

	return c.once(ctx, s, file, headers, given)
}

// once sends a change with what a person has typed for it. The answer to a file that was taken has no status but 200.
func (c *Call) once(
	ctx context.Context, s *Session, file []byte, headers []apiclient.Header, given proof,
) (apiclient.Answer, error) {
	headers = slices.Clip(headers)
	if given.code != "" {
		headers = append(headers, apiclient.Header{Name: "X-2FA-Code", Value: given.code})
	}

	if c.File != "" {
		var answer json.RawMessage

		err := s.Upload(ctx, c.target(), filepath.Base(c.File), file, &answer, headers...)

		return apiclient.Answer{Status: http.StatusOK, Body: answer}, err
	}

	body, err := c.with(given.password)
	if err != nil {
		return apiclient.Answer{}, err
	}

	return s.Send(ctx, c.Operation.Method, c.target(), body, headers...)
}

// with returns the body of the request, with the password if there is one; nil: none.
func (c *Call) with(password string) (any, error) {
	if password == "" {
		if c.body == "" {
			return nil, nil
		}

		return c.body, nil
	}

	members := map[string]json.RawMessage{}
	if c.body != "" {
		if err := json.Unmarshal([]byte(c.body), &members); err != nil {
			return nil, &Fault{ExitRefused, "--body is no JSON object, which the password could be added to"}
		}
	}

	raw, err := json.Marshal(password)
	members["password"] = raw

	return members, err
}

// stepUp returns the refusal of a request that needs a proof first; nil for every other result.
func stepUp(a apiclient.Answer, err error) *apiclient.Problem {
	p, _ := a.Problem()
	if err != nil && !errors.As(err, &p) {
		return nil
	}

	if p == nil || p.Code != string(fault.StepUpRequired) {
		return nil
	}

	return p
}

// wantsPassword reports whether a refusal asks for the password. Otherwise it asks for the second factor.
func wantsPassword(p *apiclient.Problem) bool {
	for _, f := range p.Errors {
		if f.Pointer == "/password" {
			return true
		}
	}

	return false
}

// ask has a person type a secret. Without a terminal it returns a refusal that says what to do instead.
func (s *Session) ask(what, instead string) (string, error) {
	if s.Ask == nil {
		return "", &Fault{ExitRefused, "STEP_UP_REQUIRED: this needs your " + what + ". Run it at a terminal, or " +
			instead}
	}

	typed, err := s.Ask(what)
	if err != nil {
		return "", &Fault{ExitRefused, "no " + what + ": " + err.Error()}
	}

	return typed, nil
}
