//go:build !nosandbox

package app

import (
	"context"
	"errors"
	"net"
	"time"

	"slipway/internal/app/world"
	"slipway/internal/core/fault"
	"slipway/internal/platform/config"
	"slipway/internal/platform/web"
	"slipway/internal/rails/idv/idvsim"
)

type idvIn struct {
	Body struct {
		Op        string `json:"op" enum:"look,complete,approve,retry,final,hold,recheck,reset,level,travel,send,mode" doc:"one of the operations listed above"`
		Applicant string `json:"applicant,omitempty" maxLength:"200" doc:"the provider's applicantId, or the id of our user or organisation"`
		Comment   string `json:"comment,omitempty" maxLength:"1000" doc:"what the applicant may read about the outcome"`
		Level     string `json:"level,omitempty" maxLength:"200" doc:"level: where the applicant goes"`
		Travel    string `json:"travel,omitempty" enum:"once,twice,late,reversed,held,lost" doc:"travel: what happens to webhooks of later events"`
		Webhook   int    `json:"webhook,omitempty" minimum:"1" maximum:"1000000" doc:"send: its number"`
		Mode      string `json:"mode,omitempty" enum:"normal,slow,drop,down,garbled" doc:"mode: how the provider treats requests of ours"`
		Times     int    `json:"times,omitempty" minimum:"0" maximum:"1000" doc:"mode: for so many requests; 0: until it is set anew"`
	}
}

// idvState is what the provider holds of an applicant, and the webhooks that tell of it.
type idvState struct {
	Widget    string        `json:"widget" doc:"the person's page: open it with ?token= of get-applicant-token; testers find everybody at the same host's root"`
	Applicant *idvApplicant `json:"applicant,omitempty" doc:"left out when none was named"`
	Webhooks  []idvWebhook  `json:"webhooks" nullable:"false" doc:"of the applicant; the newest 100 of all when none was named"`
}

type idvApplicant struct {
	ID             string    `json:"applicantId"`
	ExternalUserID string    `json:"externalUserId"`
	Name           string    `json:"name"`
	Level          string    `json:"levelName"`
	Status         string    `json:"reviewStatus"`
	Answer         string    `json:"reviewAnswer"`
	RejectType     string    `json:"rejectType"`
	Documents      []string  `json:"documents" nullable:"false" doc:"kinds of those handed in"`
	CreatedAt      time.Time `json:"createdAt"`
}

type idvWebhook struct {
	Number int       `json:"number"`
	Type   string    `json:"type"`
	At     time.Time `json:"at"`
	Due    time.Time `json:"due"`
	Held   bool      `json:"held"`
	Done   bool      `json:"done" doc:"it arrived, was given up, or was lost"`
	Tries  int       `json:"tries"`
	Answer string    `json:"answer" doc:"to the last try"`
}

// shownWebhooks limits what an answer lists.
const shownWebhooks = 100

const idvOperations = `Operations:

- ` + "`look`" + `: show an applicant and its webhooks
- ` + "`complete`" + `: hand in what is missing, with a sample document, and submit, as a person does on the widget
- ` + "`approve`, `retry`, `final`, `hold`" + `: let the outcome come true: GREEN; RED with RETRY; RED with FINAL; on hold
- ` + "`recheck`" + `: review the same documents once more; ` + "`reset`" + `: ask for them anew; ` + "`level`" + `: move to another level
- ` + "`travel`" + `: webhooks of later events come ` + "`once`, `twice`, `late`" + ` (ten minutes), ` + "`reversed`" + ` (kept until the
  outcome, newest first), ` + "`held`" + ` (until sent by hand) or are ` + "`lost`" + `
- ` + "`send`" + `: send a webhook now, or once more
- ` + "`mode`" + `: how the provider treats our requests

A name that holds SANCTIONED, FINAL-REJECT, RETRY-REJECT or RFI chooses the outcome by itself when the applicant is submitted.`

// idvRoutes registers the controls of the simulated identity provider, whose webhooks come to this API.
func idvRoutes(w *world.World, a *App, api *web.API) {
	w.IDV.SetWebhook(ownAddress(a.Config)+"/idv/webhook", nil)

	op := control("/sandbox/idv", "sandboxIdv", "Steer the identity provider")
	op.Description = idvOperations
	web.Register(api, op, func(_ context.Context, in *idvIn) (*idvState, error) {
		if err := steerIDV(w.IDV, in); err != nil {
			return nil, idvRefusal(err)
		}

		return idvStateOf(w.IDV, in.Body.Applicant)
	})
}

// ownAddress returns the address at which this process reaches its own API. On a developer's machine that is where
// clients reach it, too; elsewhere a proxy may be in between, on another machine.
func ownAddress(c *config.Config) string {
	host, port, err := net.SplitHostPort(c.HTTP.Listen)
	if c.Mode.Personal() || err != nil {
		return c.HTTP.BaseURL
	}

	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}

	return "http://" + net.JoinHostPort(host, port)
}

// steerIDV carries out a control of the identity provider.
func steerIDV(s *idvsim.Server, in *idvIn) error {
	b := in.Body

	var l fault.List
	for op, missing := range map[string]bool{
		"travel": b.Travel == "",
		"send":   b.Webhook == 0,
		"mode":   b.Mode == "",
		"level":  b.Level == "",
	} {
		if b.Op == op && missing {
			at := map[string]string{"send": "webhook"}[op]
			if at == "" {
				at = op
			}

			l.Add("/"+at, fault.Required, "is required for %s.", op)
		}
	}

	if err := l.Err(); err != nil {
		return err
	}

	switch b.Op {
	case "look":
		return nil
	case "travel":
		return s.SetTravel(idvsim.Travel(b.Travel))
	case "send":
		return s.Send(b.Webhook)
	case "mode":
		s.Steer(idvsim.Behaviour(b.Mode), b.Times)
		return nil
	case "complete":
		_, err := s.Complete(b.Applicant)
		return err
	}

	_, err := s.Decide(b.Applicant, idvsim.Verdict{Outcome: idvsim.Outcome(b.Op), Comment: b.Comment, Level: b.Level})

	return err
}

// idvRefusal returns what the provider did not do as a refusal.
func idvRefusal(err error) error {
	if errors.Is(err, idvsim.ErrNotFound) {
		return fault.Missing("applicant at the simulated identity provider")
	}

	text, ok := idvsim.Refusal(err)
	if !ok {
		return err
	}

	var l fault.List
	l.Add("/op", fault.FormatInvalid, "%s", text)

	return l.Err()
}

// idvStateOf returns an applicant, if one is named, and the webhooks about it, or the newest of all.
func idvStateOf(s *idvsim.Server, ref string) (*idvState, error) {
	out := &idvState{Widget: s.WidgetURL(""), Webhooks: []idvWebhook{}}
	if ref != "" {
		a, err := s.Applicant(ref)
		if err != nil {
			return nil, idvRefusal(err)
		}

		out.Applicant = &idvApplicant{
			ID:             a.ID,
			ExternalUserID: a.ExternalUserID,
			Name:           a.Name,
			Level:          a.Level,
			Status:         a.Status,
			Answer:         a.Answer,
			RejectType:     a.RejectType,
			Documents:      []string{},
			CreatedAt:      a.CreatedAt,
		}
		for _, d := range a.Documents {
			out.Applicant.Documents = append(out.Applicant.Documents, d.Type)
		}
	}

	hooks, err := s.Webhooks(ref)
	if err != nil {
		return nil, err
	}

	for _, h := range hooks[max(0, len(hooks)-shownWebhooks):] {
		out.Webhooks = append(out.Webhooks, idvWebhook{
			Number: h.Number,
			Type:   h.Type,
			At:     h.At,
			Due:    h.Due,
			Held:   h.Held,
			Done:   h.Done,
			Tries:  h.Tries,
			Answer: h.Answer,
		})
	}

	return out, nil
}
