package comment

import (
	"context"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

// Input is the body of a comment.
type Input struct {
	Comment   string   `json:"comment" maxLength:"4000" doc:"what people are to read" example:"The invoice is for two months." verbatim:"true"`
	Documents []string `json:"documents,omitempty" maxItems:"20" doc:"documentStorageKeys of uploaded documents"`
}

type writeIn struct {
	byID
	Body Input
}

type noteIn struct {
	byID
	Body struct {
		Input

		Internal *bool `json:"internal,omitempty" doc:"false: the organisation reads it, too; true, the default: the platform's people alone"`
	}
}

type listIn struct {
	byID
	web.Paging
	Direction int `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

// Routes registers the operations of comments: those of members below their records, and those of the platform's
// people.
func (s *Service) Routes(api *web.API) {
	for _, of := range s.deps.Subjects {
		if of.Path == "" {
			continue
		}

		path := of.Path + "/{id}/comments"
		tag := strings.Trim(of.Path, "/")

		list := operation("GET", path, "list"+of.Name+"Comments", "List the comments on a record", tag)
		web.Register(api, list, func(ctx context.Context, in *listIn) (*web.List[View], error) {
			return s.list(ctx, in, &of)
		})

		write := operation("POST", path, "add"+of.Name+"Comment", "Write a comment on a record", tag)
		write.Status = 201
		write.Roles = s.deps.Writers
		write.Codes = []fault.Code{fault.DocumentUnknown}
		web.Register(api, write, func(ctx context.Context, in *writeIn) (*View, error) {
			return s.write(ctx, Comment{
				Object:    in.ID,
				Text:      in.Body.Comment,
				Documents: in.Body.Documents,
			}, &of)
		})
	}

	const path = "/operations/records/{id}/comments"

	list := operation("GET", path, "listRecordComments", "List the comments and notes on any record", "operations")
	list.Access = web.Staff
	web.Register(api, list, func(ctx context.Context, in *listIn) (*web.List[View], error) {
		return s.list(ctx, in, nil)
	})

	note := operation("POST", path, "addRecordComment", "Write a comment or a note on any record", "operations")
	note.Access = web.Staff
	note.Status = 201
	note.Codes = []fault.Code{fault.DocumentUnknown}
	note.Description = "On a transaction, a payable, a receiver, an organisation, a user or a screening case. " +
		"`documents` are those of the record's organisation."
	web.Register(api, note, s.note)
}

func operation(method, path, id, summary, tag string) web.Operation {
	return web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     tag,
		Access:  web.Tenant,
	}
}

func (s *Service) write(ctx context.Context, c Comment, by reader) (*View, error) {
	return web.Once(ctx, 201, ViewOf, func(done func(*db.Tx, Comment) error) error {
		return s.add(ctx, c, by, done)
	})
}

func (s *Service) note(ctx context.Context, in *noteIn) (*View, error) {
	return s.write(ctx, Comment{
		Object:    in.ID,
		Text:      in.Body.Comment,
		Documents: in.Body.Documents,
		Internal:  in.Body.Internal == nil || *in.Body.Internal,
	}, nil)
}

func (s *Service) list(ctx context.Context, in *listIn, by reader) (*web.List[View], error) {
	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, window caller.Window) ([]Comment, int64, error) {
		if _, _, err := s.find(ctx, q, in.ID, by); err != nil {
			return nil, 0, err
		}

		return page(ctx, q, in.ID, by == nil, in.Direction > 0, window)
	}, func(c Comment) string { return c.ID }, web.Each(ViewOf))
}
