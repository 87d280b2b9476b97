package billscan

import (
	"context"
	"net/http"
	"strconv"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/web"
)

type pageIn struct {
	Key    string `path:"key" maxLength:"64" doc:"the documentStorageKey"`
	Number int    `path:"number" minimum:"1" maximum:"20" doc:"which page; the first is 1" example:"1"`
}

func (s *Service) pageRoute(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/documents/{key}/pages/{number}",
		ID:      "readDocumentPage",
		Tag:     "documents",
		Access:  web.Tenant,
		Summary: "Show a page of a PDF document as a picture",
		Description: "In grey, at 110 dots per inch. The header Slipway-Pages says how many pages can be shown. Nothing in " +
			"the document runs: it is drawn in a sandbox.",
		Answers: map[string]any{"image/png": nil},
		Codes: []fault.Code{
			fault.DocumentTypeUnknown,
			fault.DocumentDamaged,
			fault.DocumentProtected,
			fault.DocumentTooLarge,
			fault.RateLimited,
			fault.Overloaded,
			fault.QRReadingTooLong,
		},
	}, s.showPage)
}

func (s *Service) showPage(ctx context.Context, in *pageIn) (*web.Raw, error) {
	p, err := s.Page(ctx, caller.Of(ctx).Organisation, in.Key, in.Number)
	if err != nil {
		return nil, err
	}

	return &web.Raw{ContentType: "image/png", Body: p.content, Header: http.Header{
		"Slipway-Pages":                {strconv.Itoa(p.pages)},
		"Content-Security-Policy":      {"default-src 'none'; sandbox"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}}, nil
}
