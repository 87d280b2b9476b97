package invoice

import (
	"errors"
	"io"
	"mime/multipart"
	"net/url"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/document"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/web"
)

// Limits of a form with a file: bytes of one answer, and answers.
const (
	maxPart  = 8 << 10
	maxParts = 20
)

// maxUpload is the most bytes of a form with a file, far more than an accepted file has. A form that is too large is
// still read to its end: a browser that is cut off shows its own error and not this page's.
const maxUpload = 8 * document.MaxSize

// readParts reads a form with a file. The file is stored as it arrives and is never held in memory. The answer of its
// field is the document's key.
func (v *visit) readParts() (url.Values, error) {
	answers := url.Values{}

	r, cancel := web.ReceiveUpload(v.w, v.r, maxUpload)
	defer cancel()

	form, err := r.MultipartReader()
	for n := 0; err == nil && n < maxParts; n++ {
		var part *multipart.Part
		if part, err = form.NextPart(); err != nil {
			break
		}

		if part.FileName() != "" {
			var d invoicelink.ShownDocument

			d, err = v.deps.Links.GiveDocument(r.Context(), v.token, document.New{
				Name:         part.FileName(),
				DeclaredType: part.Header.Get("Content-Type"),
				Body:         part,
			})
			if err != nil {
				_, _ = io.Copy(io.Discard, r.Body)
				return answers, aboutFile(err)
			}

			answers.Set(part.FormName(), d.Key)

			continue
		}

		var answer []byte
		if answer, err = io.ReadAll(io.LimitReader(part, maxPart)); err == nil {
			answers.Set(part.FormName(), text.Trim(string(answer)))
		}
	}

	if errors.Is(err, io.EOF) {
		if answers.Get("file") != "" {
			v.link, err = v.deps.Links.Open(v.r.Context(), v.token) // now with the file
			return answers, err
		}

		return answers, nil
	}

	return answers, incompleteForm()
}

// incompleteForm refuses a form that broke off.
func incompleteForm() error {
	return fault.New(fault.Malformed, fault.BodyMalformed, "The form did not arrive completely. Send it once more.")
}

// aboutFile turns a refusal without fields into one about the file. A refusal that ends the visit stays as it is.
func aboutFile(err error) error {
	f, refused := fault.As(err)
	switch {
	case !refused || len(f.Fields) > 0 || f.Code == fault.LinkInvalid:
		return err
	case f.Code == fault.BodyTooLarge:
		f.Detail = "The file is larger than 10 MB. Send a smaller one, or a picture with fewer points."
	}

	return &fault.Fault{
		Kind:   f.Kind,
		Code:   f.Code,
		Detail: f.Detail,
		Fields: []fault.Field{{Pointer: "/file", Code: f.Code, Message: f.Detail}},
	}
}
