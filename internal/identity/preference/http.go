package preference

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
)

// view is what a person sees of his preferences.
type view struct {
	Unsubscribed bool       `json:"unsubscribed" doc:"nothing that can be switched off is sent"`
	Categories   categories `json:"categories"`
}

type categories struct {
	Product     bool `json:"product" doc:"news of the service"`
	Transaction bool `json:"transaction" doc:"what became of payments, and what waits for you"`
	Security    bool `json:"security" doc:"about the account; always true"`
}

func viewOf(w Wants) view {
	return view{w.Unsubscribed(), categories{w[mail.Product], w[mail.Transaction], w[mail.Security]}}
}

type noInput struct{}

type changeInput struct {
	Body struct {
		Categories struct {
			Product     *bool `json:"product,omitempty" doc:"news of the service"`
			Transaction *bool `json:"transaction,omitempty" doc:"what became of payments, and what waits for you"`
			Security    *bool `json:"security,omitempty" doc:"about the account; cannot be false"`
		} `json:"categories" doc:"which are to be sent, by name"`
	}
}

// wishes are the categories that were named.
func (in *changeInput) wishes() Wants {
	w := Wants{}

	c := in.Body.Categories
	for category, on := range map[mail.Category]*bool{
		mail.Product:     c.Product,
		mail.Transaction: c.Transaction,
		mail.Security:    c.Security,
	} {
		if on != nil {
			w[category] = *on
		}
	}

	return w
}

// Routes registers the operations of a signed-in person. They are no business of API clients: mails go to people.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary string) web.Operation {
		return web.Operation{
			Method:     method,
			Path:       path,
			ID:         id,
			Summary:    summary,
			Tag:        "emails",
			Access:     web.Bearer,
			PeopleOnly: true,
		}
	}

	web.Register(api, op("GET", "/email/preferences", "getEmailPreferences", "Which mails you get"),
		func(ctx context.Context, _ *noInput) (*view, error) {
			w, err := s.Find(ctx, caller.Of(ctx).User)
			v := viewOf(w)
			return &v, err
		})

	change := op("PATCH", "/email/preferences", "changeEmailPreferences", "Change which mails you get")
	change.Description = "Categories that are left out stay as they are."
	change.Codes = []fault.Code{fault.MailsMandatory}
	web.Register(api, change, func(ctx context.Context, in *changeInput) (*view, error) {
		return s.answer(ctx, in.wishes())
	})
	again := op("POST", "/email/resubscribe", "resubscribe", "Get all mails again")
	again.Description = "Takes back what was switched off, here or by the link of a mail."
	web.Register(api, again, func(ctx context.Context, _ *noInput) (*view, error) {
		return s.answer(ctx, everything())
	})
}

func (s *Service) answer(ctx context.Context, changes Wants) (*view, error) {
	return web.Once(ctx, 200, viewOf, func(done func(*db.Tx, Wants) error) error {
		return s.Change(ctx, caller.Of(ctx).User, changes, done)
	})
}
