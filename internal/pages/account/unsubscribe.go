package account

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/preference"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
)

var unsubscribePage = template.Must(template.ParseFS(files, "unsubscribe.html"))

// formPolicy is policy for a page without a script that sends a form to where it came from.
const formPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// PerSource is how often one address may follow links that end mails: the mail programs of many people may share one.
var PerSource = limit.Rate{Events: 60, Per: time.Minute, Burst: 120}

type unsubscribeInput struct {
	Token  string `query:"token" required:"true" maxLength:"256" doc:"from the link of a mail; good for a year"`
	Accept string `header:"Accept" doc:"text/html shows refusals as a page"`
}

// said is what the page shows.
type said struct {
	Title string
	Lines []string
	Ask   bool // with the button
}

// UnsubscribeRoutes registers where the links lead that end mails. Opening one shows a page and changes nothing:
// scanners and browsers that read ahead open links, too. The page's button, and the one of a mail program (RFC 8058),
// send a POST; it is answered without a redirect. often limits how often one address calls; nil: as often as it
// likes.
func UnsubscribeRoutes(api *web.API, s *preference.Service, often *limit.Limiter) {
	op := func(method, id, summary, description string) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/email/unsubscribe",
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "emails",
			Access:      web.Public,
			PerSource:   often,
			Codes:       []fault.Code{fault.UnsubscribeInvalid, fault.UnsubscribeExpired},
		}
	}

	web.Register(
		api,
		op("GET", "showUnsubscribe", "The page that a mail's link to end mails leads to",
			"A page with a button. It changes nothing."),
		func(ctx context.Context, in *unsubscribeInput) (*web.Raw, error) {
			c, err := s.Check(ctx, in.Token)
			if err != nil {
				return in.refused(err)
			}

			return page(http.StatusOK, said{
				Title: "Stop these mails?",
				Lines: []string{about[c], "Mails about the security of your account are always sent."},
				Ask:   true,
			})
		},
	)

	web.Register(api, op(
		"POST",
		"unsubscribe",
		"End the mails that a link belongs to",
		"One click (RFC 8058): mail programs send the form `List-Unsubscribe=One-Click`. The body is not looked "+
			"at; the token says everything. Calling it again changes nothing.",
	),
		func(ctx context.Context, in *unsubscribeInput) (*web.Raw, error) {
			c, err := s.Stop(ctx, in.Token)
			if err != nil {
				return in.refused(err)
			}

			return page(http.StatusOK, said{
				Title: "They are stopped",
				Lines: []string{
					done[c],
					"You can get them again at any time: change your e-mail preferences in your account.",
				},
			})
		})
}

var (
	about = map[mail.Category]string{
		mail.Transaction: "You would no longer be told by mail when a payment waits for your approval, or what " +
			"became of one.",
		mail.Product: "You would no longer get news of the service.",
	}
	done = map[mail.Category]string{
		mail.Transaction: "You get no more mails about payments.",
		mail.Product:     "You get no more news of the service.",
	}
)

// refused shows a refusal to people; programs get the problem document.
func (in *unsubscribeInput) refused(err error) (*web.Raw, error) {
	if !strings.Contains(in.Accept, "text/html") {
		return nil, err
	}

	switch {
	case fault.Is(err, fault.UnsubscribeExpired):
		return page(http.StatusGone, said{
			Title: "This link is too old",
			Lines: []string{
				"Nothing was changed. Use the link of a newer mail, or change your e-mail preferences in your account.",
			},
		})

	case fault.Is(err, fault.UnsubscribeInvalid):
		return page(http.StatusNotFound, said{
			Title: "This link is not complete",
			Lines: []string{
				"Nothing was changed. Open it once more from the mail, whole, or change your e-mail preferences in " +
					"your account.",
			},
		})
	}

	return nil, err
}

func page(status int, s said) (*web.Raw, error) {
	var b bytes.Buffer
	if err := unsubscribePage.Execute(&b, s); err != nil {
		return nil, err
	}

	return &web.Raw{
		Status:      status,
		ContentType: "text/html; charset=utf-8",
		Header:      http.Header{"Content-Security-Policy": {formPolicy}, "X-Robots-Tag": {"noindex"}},
		Body:        b.Bytes(),
	}, nil
}
