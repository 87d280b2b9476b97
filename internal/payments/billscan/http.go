package billscan

import (
	"context"
	"net/http"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/qrscan"
	"slipway/internal/platform/web"
)

type extractIn struct {
	Bill int `query:"bill" minimum:"1" maximum:"1000" doc:"which of the document's bills is meant, where it states several: its number in bills of the refusal QR_SEVERAL_BILLS"`
	Body web.Upload
}

// Routes registers the operations.
func (s *Service) Routes(api *web.API) {
	s.pageRoute(api)

	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/payables/extract-qr-bill-info",
		ID:      "extractQrBillInfo",
		Summary: "Read the QR code of a bill",
		Description: "Reads the QR code of a Swiss QR bill, or of the European Payments Council, in a PDF, PNG or " +
			"JPEG file, and says what it states. Nothing is kept. Every value stands in the code exactly so: nothing " +
			"is guessed or taken from what is printed around it. `prefill` is a body of POST /payables as far as the " +
			"bill tells it.",
		Tag:    "payables",
		Access: web.Tenant,
		Roles:  organisation.Writers(),
		Upload: &web.UploadRule{
			MaxBytes: qrscan.MaxBytes,
			OrStored: true,
		},
		NoIdempotency: true, // it changes nothing
		RefusalWith:   map[int]any{http.StatusUnprocessableEntity: severalView{}},
		Codes: []fault.Code{
			fault.QRNotFound,
			fault.QRSeveralBills,
			fault.QRBillNumberWrong,
			fault.DocumentTypeUnknown,
			fault.DocumentDamaged,
			fault.DocumentProtected,
			fault.DocumentTooLarge,
			fault.BodyTooLarge,
			fault.RateLimited,
			fault.Overloaded,
			fault.QRReadingTooLong,
			fault.QRNeedsQRR,
			fault.QRBadIBAN,
			fault.QRBadReference,
		},
	}, s.extract)
}

func (s *Service) extract(ctx context.Context, in *extractIn) (*View, error) {
	d := Document{File: in.Body.File, Stored: in.Body.Stored, Number: in.Bill}

	r, err := s.Read(ctx, caller.Of(ctx).Organisation, d)
	if err != nil {
		return nil, err
	}

	return viewOf(r, d.Stored), nil
}
