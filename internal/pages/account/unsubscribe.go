package account

import (
	"context"
	"net/http"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/preference"
	"slipway/internal/pages/look"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
)

// formPolicy is the policy of a page without a script, whose form goes back to where it came from.
const formPolicy = look.Policy

// PerSource is how often one address may follow links that end mails. It is generous: the mail programs of many people
// may share one address.
var PerSource = limit.Rate{Events: 60, Per: time.Minute, Burst: 120}

type unsubscribeInput struct {
	Token  string `query:"token" required:"true" maxLength:"256" doc:"from the link of a mail; good for a year" example:"Zm9yIGV4YW1wbGU"`
	Accept string `header:"Accept" doc:"text/html shows refusals as a page"`
}

// content is what the page shows.
type content struct {
	Title string
	Lines []string
	Ask   bool // with the button
}

// unsubscriber serves the page.
type unsubscriber struct {
	preferences *preference.Service
	pages       *look.Pages
}

// UnsubscribeRoutes registers the operations behind the links that end mails. perSource limits how often one address
// calls them; nil means no limit.
//
// Opening a link shows a page and changes nothing, because scanners and prefetching browsers open links, too. The
// page's button and that of a mail program (RFC 8058) send a POST, which is answered without a redirect.
func UnsubscribeRoutes(api *web.API, s *preference.Service, perSource *limit.Limiter) {
	op := func(method, id, summary, description string) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/email/unsubscribe",
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "emails",
			Access:      web.Public,
			PerSource:   perSource,
			Answers:     map[string]any{"text/html": nil},
			Codes:       []fault.Code{fault.UnsubscribeInvalid, fault.UnsubscribeExpired},
		}
	}

	u := unsubscriber{s, look.Parse(files, "pages.html", nil)}

	show := op("GET", "showUnsubscribe", "The page that a mail's link to end mails leads to",
		"A page with a button. It changes nothing.")
	web.Register(api, show, u.show)

	stop := op("POST", "unsubscribe", "End the mails that a link belongs to",
		"One click (RFC 8058): mail programs send the form `List-Unsubscribe=One-Click`. The body is ignored; the "+
			"token is enough. Calling it again changes nothing.")
	stop.ForeignBody = true
	web.Register(api, stop, u.stop)
}

func (u unsubscriber) show(ctx context.Context, in *unsubscribeInput) (*web.Raw, error) {
	c, err := u.preferences.Check(ctx, in.Token)
	if err != nil {
		return u.refused(ctx, in.Accept, err)
	}

	return u.page(ctx, http.StatusOK, content{
		Title: "Stop these mails?",
		Lines: []string{about[c], "Mails about the security of your account are always sent."},
		Ask:   true,
	})
}

func (u unsubscriber) stop(ctx context.Context, in *unsubscribeInput) (*web.Raw, error) {
	c, err := u.preferences.Stop(ctx, in.Token)
	if err != nil {
		return u.refused(ctx, in.Accept, err)
	}

	return u.page(ctx, http.StatusOK, content{
		Title: "They are stopped",
		Lines: []string{
			done[c],
			"You can get them again at any time: change your e-mail preferences in your account.",
		},
	})
}

// What the page says about each category, before and after.
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

// refused shows a refusal as a page to people; programs get the problem document.
func (u unsubscriber) refused(ctx context.Context, accept string, err error) (*web.Raw, error) {
	if !strings.Contains(accept, "text/html") {
		return nil, err
	}

	switch {
	case fault.Is(err, fault.UnsubscribeExpired):
		return u.page(ctx, http.StatusGone, content{
			Title: "This link is too old",
			Lines: []string{
				"Nothing was changed. Use the link of a newer mail, or change your e-mail preferences in your account.",
			},
		})

	case fault.Is(err, fault.UnsubscribeInvalid):
		return u.page(ctx, http.StatusNotFound, content{
			Title: "This link is not complete",
			Lines: []string{
				"Nothing was changed. Open it once more from the mail, or change your e-mail preferences in your " +
					"account.",
			},
		})
	}

	return nil, err
}

func (u unsubscriber) page(ctx context.Context, status int, c content) (*web.Raw, error) {
	language := words.Must().Wished(caller.RequestOf(ctx).Language)

	body, err := u.pages.Render(language, "unsubscribe", c)
	if err != nil {
		return nil, err
	}

	h := http.Header{"Content-Security-Policy": {formPolicy}, "X-Robots-Tag": {"noindex"}}
	look.Speaks(h, language)

	return &web.Raw{
		Status:      status,
		ContentType: "text/html; charset=utf-8",
		Header:      h,
		Body:        body,
	}, nil
}
