package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"slipway/internal/app/apiclient"
)

// The exit codes of commands that call the API, besides 0 and 1 for what is wrong on this side.
const (
	ExitRefused     = 2 // the service has refused: nothing was done
	ExitUnreachable = 3 // nothing was sent, or nothing that could change anything
	ExitUnknown     = 4 // it may be done: repeat with the same key to learn it
)

// Fault is an error with the exit code of its kind.
type Fault struct {
	Exit int
	Text string
}

// Error returns the text for people; the exit code is for their scripts.
func (f *Fault) Error() string { return f.Text }

// Refusal returns what an error of a call means that can be repeated without harm.
func Refusal(err error, prefix string) error {
	var p *apiclient.Problem
	if errors.As(err, &p) && p.Status < http.StatusInternalServerError {
		return &Fault{ExitRefused, prefix + p.Error()}
	}

	return &Fault{ExitUnreachable, prefix + err.Error()}
}

// outcome returns what the result of a change means. Only a connection that was never made, and a refusal, say that
// nothing was done.
func outcome(a apiclient.Answer, err error, key string) error {
	var (
		dial    *net.OpError
		refusal *apiclient.Problem
		known   *Fault
	)

	switch {
	case err == nil && a.Status < http.StatusBadRequest:
		return nil
	case errors.As(err, &known):
		return known
	case err == nil && a.Status < http.StatusInternalServerError:
		return &Fault{ExitRefused, text(a)}
	case errors.As(err, &refusal) && refusal.Status < http.StatusInternalServerError:
		return &Fault{ExitRefused, refusal.Error()}
	case errors.As(err, &dial) && dial.Op == "dial":
		return &Fault{ExitUnreachable, err.Error()}
	}

	why := text(a)
	if err != nil {
		why = err.Error()
	}

	if errors.Is(err, context.Canceled) {
		why = "interrupted"
	}

	if key == "" {
		return &Fault{ExitUnknown, why + "\noutcome unknown: look before you repeat it, this operation takes no key"}
	}

	return &Fault{ExitUnknown, fmt.Sprintf("%s\noutcome unknown: repeat with --key %s to learn it", why, key)}
}

// text returns what a refusal says.
func text(a apiclient.Answer) string {
	if p, ok := a.Problem(); ok {
		return p.Error()
	}

	return fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status))
}
