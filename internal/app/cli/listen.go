package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"slipway/internal/rails/webhook"
)

// Listener follows an organisation's feed, and hands each event on.
type Listener struct {
	Session *Session
	Types   []string // such as transaction.*; none: all
	After   string   // the number of the last event that was seen; empty: what happens from now on
	Forward string   // URL; empty: events are printed alone
	Secret  string   // that signs what is forwarded
	Out     io.Writer

	Pause time.Duration // before a request that has failed is repeated; 0: two seconds
	Until int           // ends after so many events; 0: never
}

// feed is a page of GET /events.
type feed struct {
	Results []json.RawMessage `json:"results"`
	Next    string            `json:"next"`
	More    bool              `json:"hasMore"`
}

// again is how long a failed request waits for its repetition where nothing else is said.
const again = 2 * time.Second

// Run follows the feed until the context ends. A connection that is lost is taken up where it ended: an event may be
// forwarded twice and is never left out.
func (l *Listener) Run(ctx context.Context) error {
	after := l.After
	seen := 0

	wait := "30"
	if after == "" { // what has happened is passed over
		wait = "0"
	}

	for ctx.Err() == nil {
		page, err := l.page(ctx, after, wait)
		if err != nil {
			var f *Fault
			if errors.As(err, &f) && f.Exit == ExitRefused {
				return err
			}

			fmt.Fprintf(l.Out, "waiting: %v\n", err)

			if !pause(ctx, cmp.Or(l.Pause, again)) {
				break
			}

			continue
		}

		after = page.Next

		if wait == "0" {
			if !page.More {
				wait = "30"

				fmt.Fprintln(l.Out, "listening from event "+after+" on")
			}

			continue
		}

		for _, e := range page.Results {
			if err := l.hand(ctx, e); err != nil {
				return err
			}

			seen++
			if l.Until > 0 && seen == l.Until {
				return nil
			}
		}
	}

	return nil
}

// page asks for what came after a place, and waits for it.
func (l *Listener) page(ctx context.Context, after, wait string) (feed, error) {
	var p feed

	q := url.Values{"wait": {wait}, "limit": {"250"}}
	for _, t := range l.Types {
		q.Add("types[]", t)
	}

	if after != "" {
		q.Set("after", after)
	}

	if err := l.Session.authorize(ctx); err != nil {
		return p, err
	}

	if err := l.Session.Call(ctx, http.MethodGet, "/events?"+q.Encode(), nil, &p); err != nil {
		return p, Refusal(err, "")
	}

	return p, nil
}

// hand prints an event, and forwards it as a webhook is sent: signed over its very bytes.
func (l *Listener) hand(ctx context.Context, event json.RawMessage) error {
	r := recordOf(event)
	id := cell(r.values["_id"])

	if id == "" {
		id = cell(r.values["id"])
	}

	words := []string{cell(r.values["number"]), cell(r.values["type"]), id, cell(r.values["object"])}

	line := Plain(strings.Join(words, "  "))
	if l.Forward == "" {
		_, err := fmt.Fprintln(l.Out, line)
		return err
	}

	now := time.Now()

	signature, err := webhook.Sign([]string{l.Secret}, id, now, event)
	if err != nil {
		return fmt.Errorf("--secret: %w", err)
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Forward, bytes.NewReader(event))
	if err != nil {
		return err
	}

	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Webhook-Id", id)
	req.Header.Set("Webhook-Timestamp", fmt.Sprint(now.Unix()))
	req.Header.Set("Webhook-Signature", signature)

	result := ""

	res, err := l.Session.HTTP.Do(req)
	if err != nil {
		result = err.Error()
	} else {
		result = res.Status
		_ = res.Body.Close()
	}

	_, err = fmt.Fprintln(l.Out, line+"  "+Plain(result))

	return err
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()

	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
