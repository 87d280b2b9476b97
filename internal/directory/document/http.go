package document

import (
	"context"
	"mime"
	"net/http"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// View is a document as clients see it.
type View struct {
	DocumentStorageKey string    `json:"documentStorageKey" doc:"names the document in payables and payments"`
	FileName           string    `json:"fileName"`
	ContentType        string    `json:"contentType" enum:"application/pdf,image/png,image/jpeg" doc:"by its content"`
	Size               int64     `json:"size" doc:"bytes"`
	SHA256             string    `json:"sha256" doc:"of the content, in hexadecimal digits"`
	UploadedBy         string    `json:"uploadedBy,omitempty" doc:"the user; none when it came by an invoice link"`
	InvoiceLink        string    `json:"invoiceLink,omitempty" doc:"the invoice link that it came by"`
	URL                string    `json:"url" doc:"where its content is, for those who may have it"`
	AllowedActions     []string  `json:"allowedActions" nullable:"false" example:"[\"delete\"]"`
	CreatedAt          time.Time `json:"createdAt"`
}

// UploadView is what an upload answers.
type UploadView struct {
	View
	DuplicateOf []string `json:"duplicateOf,omitempty" doc:"documents of yours with the same content: perhaps this invoice is there already"`
}

// views returns the interface's form of documents of one organisation.
func (s *Service) views(ctx context.Context, q db.Querier, organisation string, all []Document) ([]View, error) {
	keys := make([]string, len(all))
	for i, d := range all {
		keys[i] = d.Key
	}

	used, err := s.inUse(ctx, q, organisation, keys...)
	if err != nil {
		return nil, err
	}

	out := make([]View, len(all))
	for i, d := range all {
		out[i] = viewOf(ctx, d, used[d.Key])
	}

	return out, nil
}

func viewOf(ctx context.Context, d Document, used bool) View {
	return View{
		AllowedActions: caller.Allowed(ctx,
			caller.Act{Word: "delete", Operation: "deleteDocument", Refusal: deletable(used)}),
		DocumentStorageKey: d.Key,
		FileName:           d.Name,
		ContentType:        d.ContentType,
		Size:               d.Size,
		SHA256:             d.SHA256,
		UploadedBy:         d.UploadedBy,
		InvoiceLink:        d.Link,
		URL:                "/documents/" + d.Key,
		CreatedAt:          d.CreatedAt.Truncate(time.Millisecond),
	}
}

// uploadView returns the function that shows what was just uploaded: nothing refers to it yet.
func uploadView(ctx context.Context) func(Stored) UploadView {
	return func(d Stored) UploadView { return UploadView{viewOf(ctx, d.Document, false), d.DuplicateOf} }
}

type uploadIn struct{ Body web.Upload }

type byKey struct {
	Key string `path:"key" maxLength:"64" doc:"the documentStorageKey"`
}

type listIn struct {
	web.Paging
	Direction int `query:"direction" enum:"-1,1" default:"-1" doc:"-1: newest first"`
}

// refusals are what an upload may be refused with.
var refusals = []fault.Code{
	fault.DocumentTypeUnknown,
	fault.DocumentTypeMismatch,
	fault.DocumentDamaged,
	fault.DocumentAmbiguous,
	fault.DocumentActive,
	fault.DocumentProtected,
	fault.DocumentTooLarge,
	fault.DocumentInfected,
	fault.DocumentQuota,
	fault.BodyTooLarge,
	fault.RateLimited,
}

// Routes registers the operations.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/payables/upload",
		ID:      "uploadDocument",
		Tag:     "documents",
		Access:  web.Tenant,
		Roles:   organisation.Writers(),
		Status:  201,
		Summary: "Upload an invoice",
		Description: "A PDF, PNG or JPEG of at most 10 MiB, as multipart/form-data with the part `file`, or as " +
			"JSON with the content in base64. What the file is " +
			"is told by its content. The same content may be uploaded again; `duplicateOf` then names the " +
			"documents that have it.",
		Upload: &web.UploadRule{MaxBytes: MaxSize},
		Codes:  append(slices.Clone(refusals), fault.OrgNotApproved),
	}, s.upload)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/documents",
		ID:      "listDocuments",
		Tag:     "documents",
		Access:  web.Tenant,
		Summary: "List documents",
	}, s.list)

	web.Register(api, web.Operation{
		Method:      "GET",
		Path:        "/documents/{key}",
		ID:          "downloadDocument",
		Tag:         "documents",
		Access:      web.Tenant,
		Summary:     "Read a document's content",
		Description: "Always an attachment, under a policy that lets nothing in it run.",
		Answers:     map[string]any{"application/pdf": nil, "image/png": nil, "image/jpeg": nil},
	}, s.download)

	web.Register(api, web.Operation{
		Method:      "DELETE",
		Path:        "/documents/{key}",
		ID:          "deleteDocument",
		Tag:         "documents",
		Access:      web.Tenant,
		Roles:       organisation.Writers(),
		Status:      200,
		Summary:     "Delete a document",
		Description: "Possible while no payable and no payment refers to it.",
		Codes:       []fault.Code{fault.DocumentInUse},
	}, s.remove)
}

func (s *Service) upload(ctx context.Context, in *uploadIn) (*UploadView, error) {
	n := New{Organisation: caller.Of(ctx).Organisation, Body: in.Body.File, Labels: in.Body.Labels}

	return web.Once(ctx, 201, uploadView(ctx), func(done func(*db.Tx, Stored) error) error {
		return s.StoreThen(ctx, n, done)
	})
}

func (s *Service) download(ctx context.Context, in *byKey) (*web.Stream, error) {
	content, d, err := s.Open(ctx, caller.Of(ctx).Organisation, in.Key)
	if err != nil {
		return nil, err
	}

	return &web.Stream{ContentType: d.ContentType, Size: d.Size, Body: content, Header: http.Header{
		"Content-Disposition":          {mime.FormatMediaType("attachment", map[string]string{"filename": d.Name})},
		"Content-Security-Policy":      {"default-src 'none'; sandbox"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}}, nil
}

func (s *Service) remove(ctx context.Context, in *byKey) (*View, error) {
	shown := func(d Document) View { return viewOf(ctx, d, false) }

	return web.Once(ctx, 200, shown, func(done func(*db.Tx, Document) error) error {
		return s.Delete(ctx, caller.Of(ctx).Organisation, in.Key, done)
	})
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	var w db.Where
	w.And("organisation = ?", caller.Of(ctx).Organisation)
	w.And("status = 'STORED'")

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, page caller.Window) ([]record, int64, error) {
		return documentTable.Page(ctx, q, db.Page{
			Where:  w,
			Window: page,
			Order:  caller.Order{Ascending: in.Direction > 0},
		})
	}, func(v record) string { return v.Key }, func(q db.Querier, rows []record) ([]View, error) {
		all := make([]Document, len(rows))
		for i, r := range rows {
			all[i] = r.Document
		}

		return s.views(ctx, q, caller.Of(ctx).Organisation, all)
	})
}
