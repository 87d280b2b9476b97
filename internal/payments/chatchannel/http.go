package chatchannel

import (
	"context"
	"slices"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/rails/chat"
)

type byPath struct {
	ID string `path:"id" maxLength:"64"`
}

type createIn struct {
	Body struct {
		Name     string    `json:"name" minLength:"1" maxLength:"80" example:"Finance" doc:"as people call the room"`
		Kind     chat.Kind `json:"kind" enum:"SLACK,TEAMS,MATRIX" doc:"product that the address belongs to"`
		Address  string    `json:"address" verbatim:"true" minLength:"1" maxLength:"1000" example:"https://hooks.slack.com/services/T000/B000/XXXX" doc:"of the incoming webhook, https, on the public internet; a secret, which is not shown again"`
		Language string    `json:"language,omitempty" enum:"en,de,fr" doc:"en if left out"`
		News     []News    `json:"news,omitempty" minItems:"1" maxItems:"6" enum:"DECISIONS,PAYMENTS,PROBLEMS,INVOICES,PAYEES,TECHNICAL" doc:"what it is told of; left out: everything" example:"[\"DECISIONS\",\"PROBLEMS\"]"`
	}
}

type changeIn struct {
	byPath
	Body struct {
		Name      *string `json:"name,omitempty" nullable:"false" minLength:"1" maxLength:"80" example:"Finance" doc:"as people call the room"`
		Address   *string `json:"address,omitempty" verbatim:"true" nullable:"false" minLength:"1" maxLength:"1000" example:"https://hooks.slack.com/services/T000/B000/XXXX" doc:"of the incoming webhook; a secret, which is not shown again"`
		Language  *string `json:"language,omitempty" nullable:"false" enum:"en,de,fr" doc:"of its messages"`
		News      *[]News `json:"news,omitempty" nullable:"false" minItems:"1" maxItems:"6" enum:"DECISIONS,PAYMENTS,PROBLEMS,INVOICES,PAYEES,TECHNICAL" doc:"what it is told of" example:"[\"DECISIONS\",\"PROBLEMS\"]"`
		IsEnabled *bool   `json:"isEnabled,omitempty" nullable:"false" doc:"false: nothing is sent, and what happens meanwhile is not sent afterwards"`
	}
}

type listIn struct{ web.Paging }

// Routes registers the operations of chat channels.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		o := web.Operation{
			Method:      method,
			Path:        "/chat-channels" + path,
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "events",
			Access:      web.Tenant,
			Codes:       codes,
		}
		if method != "GET" {
			o.Roles = []string{organisation.Admin}
		}

		return o
	}

	create := op(
		"POST",
		"",
		"createChatChannel",
		"Add a chat channel",
		"A room of Slack, Teams or Matrix that is told what waits and what has happened, by its incoming webhook. Messages "+
			"lead to pages; nothing is decided by opening a link. At most 10 an organisation.",
		fault.WebhookURL,
		fault.ChatLimit,
	)
	create.Status = 201
	create.Location = "/chat-channels/{id}"
	create.StepUp = true // whoever names an address decides who learns of every payment
	web.Register(api, create, s.create)

	web.Register(api, op("GET", "", "listChatChannels", "List the organisation's chat channels", "",
		fault.CursorInvalid), s.list)
	web.Register(api, op("GET", "/{id}", "readChatChannel", "Read a chat channel", ""), s.read)

	change := op(
		"PATCH",
		"/{id}",
		"changeChatChannel",
		"Change a chat channel, or switch it off or on",
		"With a new address, or switched on, it begins anew.",
		fault.WebhookURL,
	)
	change.StepUp = true
	web.Register(api, change, s.patch)

	web.Register(api, op("DELETE", "/{id}", "deleteChatChannel", "Delete a chat channel",
		"Its address is forgotten. What waits for it is not sent."), s.remove)

	test := op(
		"POST",
		"/{id}/test",
		"testChatChannel",
		"Send a chat channel a test",
		"The answer says what the server of the chat has said. It takes as long as that does, 15 seconds at most.",
	)
	test.NoIdempotency = true // each call is a test of its own
	web.Register(api, test, s.tested)
}

func (s *Service) create(ctx context.Context, in *createIn) (*View, error) {
	b := in.Body
	c := Channel{
		Organisation: caller.Of(ctx).Organisation,
		Name:         b.Name,
		Kind:         b.Kind,
		Address:      b.Address,
		Language:     b.Language,
		News:         ordered(b.News),
	}

	if c.Language == "" {
		c.Language = "en"
	}

	if len(c.News) == 0 {
		c.News = everything()
	}

	return web.Once(ctx, 201, viewOf(ctx), func(done func(*db.Tx, Channel) error) error {
		return s.Create(ctx, c, done)
	})
}

// ordered returns kinds of news in the order in which they are shown, each once.
func ordered(news []News) []News {
	return slices.DeleteFunc(everything(), func(n News) bool { return !slices.Contains(news, n) })
}

func (s *Service) patch(ctx context.Context, in *changeIn) (*View, error) {
	b := in.Body

	return web.Once(ctx, 200, viewOf(ctx), func(done func(*db.Tx, Channel) error) error {
		return s.Change(ctx, caller.Of(ctx).Organisation, in.ID, func(c *Channel) {
			set(&c.Name, b.Name)
			set(&c.Address, b.Address)
			set(&c.Language, b.Language)
			set(&c.Enabled, b.IsEnabled)

			if b.News != nil {
				c.News = ordered(*b.News)
			}
		}, done)
	})
}

// set replaces a value by one that was sent.
func set[T any](field, sent *T) {
	if sent != nil {
		*field = *sent
	}
}

func (s *Service) remove(ctx context.Context, in *byPath) (*View, error) {
	return web.Once(ctx, 200, viewOf(ctx), func(done func(*db.Tx, Channel) error) error {
		return s.Delete(ctx, caller.Of(ctx).Organisation, in.ID, done)
	})
}

func (s *Service) tested(ctx context.Context, in *byPath) (*TestedView, error) {
	t, err := s.Test(ctx, caller.Of(ctx).Organisation, in.ID)
	return &TestedView{t.Outcome, t.Status, t.Said}, err
}

func (s *Service) read(ctx context.Context, in *byPath) (*View, error) {
	c, err := ByID(ctx, s.DB, caller.Of(ctx).Organisation, in.ID)
	v := show(ctx, c)

	return &v, err
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Channel, int64, error) {
		return list(ctx, q, caller.Of(ctx).Organisation, page)
	}, func(c Channel) string { return c.ID }, web.Each(viewOf(ctx)))
}
