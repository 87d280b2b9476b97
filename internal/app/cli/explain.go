package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"slipway/internal/app/apiclient"
	"slipway/internal/rails/webhook"
)

// explanation is the answer of GET /transactions/{id}/explain.
type explanation struct {
	Type       string `json:"type"`
	Status     string `json:"status"`
	Settlement string `json:"settlementStatus"`
	Meaning    string `json:"meaning"`
	Info       string `json:"statusInfo"`
	WaitsFor   struct {
		Actor string     `json:"actor"`
		For   []string   `json:"for"`
		You   bool       `json:"you"`
		Until *time.Time `json:"until"`
		Then  string     `json:"then"`
	} `json:"waitsFor"`
	Next      []way      `json:"next"`
	Decisions []way      `json:"decisions"`
	Evidence  []evidence `json:"evidence"`
}

type way struct {
	Cause      string `json:"cause"`
	By         string `json:"by"`
	Status     string `json:"status"`
	Settlement string `json:"settlementStatus"`
}

type evidence struct {
	Kind      string     `json:"kind"`
	Status    string     `json:"status"`
	Reference string     `json:"reference"`
	Info      string     `json:"info"`
	At        *time.Time `json:"at"`
}

// Explain prints where a transaction stands, whom it waits for, and what happens next.
func Explain(ctx context.Context, s *Session, id string, out io.Writer) error {
	var x explanation
	if err := s.Call(ctx, http.MethodGet, "/transactions/"+url.PathEscape(id)+"/explain", nil, &x); err != nil {
		return Refusal(err, "")
	}

	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(head string, parts ...string) {
		fmt.Fprintf(w, "%s\t%s\n", head, Plain(strings.TrimSpace(strings.Join(parts, " "))))
	}

	line("stands", x.Type, x.Status, x.Settlement)
	line("means", x.Meaning, x.Info)

	waits := x.WaitsFor.Actor
	if x.WaitsFor.You {
		waits += " (you can)"
	}

	if len(x.WaitsFor.For) > 0 {
		waits += ": " + strings.Join(x.WaitsFor.For, ", ")
	}

	line("waits for", waits)

	if x.WaitsFor.Until != nil {
		line("until", x.WaitsFor.Until.Format(time.RFC3339), "then:", x.WaitsFor.Then)
	}

	for _, n := range x.Next {
		line("by itself", n.Cause, "("+n.By+")", "→", n.Status, n.Settlement)
	}

	for _, n := range x.Decisions {
		line("decision", n.Cause, "("+n.By+")", "→", n.Status, n.Settlement)
	}

	for _, e := range x.Evidence {
		at := ""
		if e.At != nil {
			at = e.At.Format(time.RFC3339)
		}

		line("evidence", at, e.Kind, e.Status, e.Reference, e.Info)
	}

	return w.Flush()
}

// NewWebhookKey returns a random key that signs webhooks.
func NewWebhookKey() string { return webhook.NewKey() }

// readyWithin is how long a service may take to say that it is ready.
const readyWithin = 5 * time.Second

// Ready returns an error unless a service answers that it is ready.
func Ready(ctx context.Context, base string) error {
	c := apiclient.New(strings.TrimRight(base, "/"))
	c.HTTP.Timeout = readyWithin

	a, err := c.Send(ctx, http.MethodGet, "/readyz", nil)

	switch {
	case err != nil:
		return &Fault{ExitUnreachable, err.Error()}
	case a.Status != http.StatusOK:
		return &Fault{ExitRefused, Plain(fmt.Sprintf("not ready: %d %.300s", a.Status, a.Body))}
	}

	return nil
}
