package preference

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
)

// view is a person's preferences as the interface shows them.
type view struct {
	Unsubscribed bool       `json:"unsubscribed" doc:"nothing that can be switched off is sent"`
	Categories   categories `json:"categories"`
	// TransactionMails is beside the categories, which say on and off alone.
	TransactionMails Coming `json:"transactionMails" enum:"AT_ONCE,MORNING,OFF" doc:"how mails about payments come. AT_ONCE: each by itself. MORNING: one at seven in the morning, with what waits then and what has happened. OFF: the category is off"`
}

type categories struct {
	Product     bool `json:"product" doc:"news of the service"`
	Transaction bool `json:"transaction" doc:"what became of payments, and what waits for you"`
	Security    bool `json:"security" doc:"about the account; always true"`
}

func viewOf(c Chosen) view {
	return view{
		Unsubscribed:     c.Unsubscribed(),
		Categories:       categories{c.Wants[mail.Product], c.Wants[mail.Transaction], c.Wants[mail.Security]},
		TransactionMails: c.Coming(),
	}
}

type noInput struct{}

type changeInput struct {
	Body struct {
		Categories struct {
			Product     *bool `json:"product,omitempty" doc:"news of the service"`
			Transaction *bool `json:"transaction,omitempty" doc:"what became of payments, and what waits for you"`
			Security    *bool `json:"security,omitempty" doc:"about the account; cannot be false"`
		} `json:"categories,omitempty" doc:"which are to be sent, by name"`
		TransactionMails Coming `json:"transactionMails,omitempty" enum:"AT_ONCE,MORNING,OFF" doc:"how mails about payments come; OFF switches the category off, the others switch it on"`
	}
}

// wants returns the categories that the request names.
func (in *changeInput) wants() Wants {
	c := in.Body.Categories
	w := Wants{}

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

// Routes registers the operations of a signed-in person. API clients cannot use them: mails go to people.
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

	web.Register(api, op("GET", "/email/preferences", "getEmailPreferences", "Which mails you get"), s.handleFind)

	change := op("PATCH", "/email/preferences", "changeEmailPreferences", "Change which mails you get")
	change.Description = "Categories that are left out stay as they are. Mails that keep the account safe always come at once."
	change.Codes = []fault.Code{fault.MailsMandatory}
	web.Register(api, change, s.handleChange)

	again := op("POST", "/email/resubscribe", "resubscribe", "Get all mails again")
	again.Description = "Switches on again what was switched off, here or by the link of a mail."
	web.Register(api, again, s.handleResubscribe)
}

func (s *Service) handleFind(ctx context.Context, _ *noInput) (*view, error) {
	c, err := s.Find(ctx, caller.Of(ctx).User)
	v := viewOf(c)

	return &v, err
}

func (s *Service) handleChange(ctx context.Context, in *changeInput) (*view, error) {
	return s.answer(ctx, in.wants(), in.Body.TransactionMails)
}

func (s *Service) handleResubscribe(ctx context.Context, _ *noInput) (*view, error) {
	return s.answer(ctx, everything(), "")
}

func (s *Service) answer(ctx context.Context, changes Wants, coming Coming) (*view, error) {
	return web.Once(ctx, 200, viewOf, func(done func(*db.Tx, Chosen) error) error {
		return s.Change(ctx, caller.Of(ctx).User, changes, coming, done)
	})
}
