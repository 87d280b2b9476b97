package chatchannel

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/rails/chat"
)

// View is a channel as members see it: without its address, which lets anybody write there.
type View struct {
	ID             string     `json:"_id" example:"cch_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Name           string     `json:"name" example:"Finance"`
	Kind           chat.Kind  `json:"kind" enum:"SLACK,TEAMS,MATRIX"`
	ShownAddress   string     `json:"shownAddress" example:"hooks.slack.com/…h8Qk" doc:"host and last four characters of the incoming webhook's address, which is not shown again"`
	Language       string     `json:"language" enum:"en,de,fr" doc:"of its messages"`
	News           []News     `json:"news" nullable:"false" enum:"DECISIONS,PAYMENTS,PROBLEMS,INVOICES,PAYEES,TECHNICAL" doc:"what it is told of"`
	IsEnabled      bool       `json:"isEnabled" doc:"false: nothing is sent, and what happens meanwhile is not sent afterwards"`
	OffReason      string     `json:"offReason,omitempty" enum:"GONE,FAILING" doc:"why the service switched it off. GONE: its address does not exist any more, or is forbidden. FAILING: nothing was taken for five days"`
	FailingSince   *time.Time `json:"failingSince,omitempty" doc:"first failure since a message was taken"`
	Problem        string     `json:"problem,omitempty" example:"The server answered 404: no_service. The webhook was removed or switched off." doc:"why the newest message was not taken"`
	SentAt         *time.Time `json:"sentAt,omitempty" doc:"when the room has last taken a message"`
	AllowedActions []string   `json:"allowedActions" nullable:"false" example:"[\"update\",\"test\",\"delete\"]"`
	Version        int64      `json:"version"`
	CreatedAt      time.Time  `json:"createdAt"`
	UpdatedAt      time.Time  `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// viewOf returns the function that shows channels to the caller.
func viewOf(ctx context.Context) func(Channel) View {
	return func(c Channel) View { return show(ctx, c) }
}

func show(ctx context.Context, c Channel) View {
	v := View{
		ID:           c.ID,
		Name:         c.Name,
		Kind:         c.Kind,
		ShownAddress: chat.Shown(c.Address),
		Language:     c.Language,
		News:         c.News,
		IsEnabled:    c.Enabled,
		OffReason:    c.OffReason,
		Problem:      c.Problem,
		AllowedActions: caller.Allowed(ctx,
			caller.Act{Word: "update", Operation: "changeChatChannel"},
			caller.Act{Word: "test", Operation: "testChatChannel"},
			caller.Act{Word: "delete", Operation: "deleteChatChannel"},
		),
		Version:   c.Version,
		CreatedAt: c.CreatedAt,
		UpdatedAt: c.UpdatedAt,
	}
	if v.News == nil {
		v.News = []News{}
	}

	if !c.FailingSince.IsZero() {
		v.FailingSince = &c.FailingSince
	}

	if !c.SentAt.IsZero() {
		v.SentAt = &c.SentAt
	}

	return v
}

// TestedView is what a test came to.
type TestedView struct {
	Outcome    chat.Outcome `json:"outcome" enum:"TAKEN,LATER,REFUSED,GONE" doc:"TAKEN: the room has it. LATER: there was no verdict; it may be taken later. REFUSED: this message is not taken. GONE: nothing is taken at this address"`
	HTTPStatus int          `json:"httpStatus" example:"200" doc:"0: there was no answer"`
	Said       string       `json:"said" example:"The server answered 200. It has taken the message." doc:"what the server said, in plain words"`
}
