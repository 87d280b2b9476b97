//go:build !nosandbox

package app_test

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/paper"
)

// A member sees the pages of a document of his organisation as pictures, and nobody else does. What is no PDF file has
// no pages.
func TestPagesOfADocumentAreShownAsPictures(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		a := h.Client("Ada")
		b := h.Client("Bob")

		sheet := paper.New(paper.Info{Title: "Invoice"})
		sheet.Title("Invoice 4711", "Muster AG")
		sheet.NewPage()
		sheet.Paragraph("The second page")

		content, err := sheet.Bytes()
		require.NoError(t, err)

		upload := func(file []byte) string {
			var d struct {
				Key string `json:"documentStorageKey"`
			}

			a.Do(
				"POST",
				"/payables/upload",
				object{"fileBase64": base64.StdEncoding.EncodeToString(file)},
			).OK(
				201,
			).Into(
				&d,
			)

			return d.Key
		}

		key := upload(content)
		first := a.Do("GET", "/documents/"+key+"/pages/1", nil).OK(200)
		second := a.Do("GET", "/documents/"+key+"/pages/2", nil).OK(200)
		require.NotEqual(t, first.Raw, second.Raw)

		picture, err := png.Decode(bytes.NewReader([]byte(first.Raw)))
		require.NoError(t, err)
		require.InDelta(t, 910, picture.Bounds().Dx(), 2, "A4 at 110 dots per inch")
		require.Equal(t, first.Raw, a.Do("GET", "/documents/"+key+"/pages/1", nil).OK(200).Raw)

		a.Do("GET", "/documents/"+key+"/pages/3", nil).Refused(404, "NOT_FOUND")
		a.Do("GET", "/documents/"+key+"/pages/21", nil).Refused(422, "OUT_OF_RANGE")
		b.Do("GET", "/documents/"+key+"/pages/1", nil).Refused(404, "NOT_FOUND")

		var encoded bytes.Buffer
		require.NoError(t, png.Encode(&encoded, picture))
		a.Do("GET", "/documents/"+upload(encoded.Bytes())+"/pages/1", nil).Refused(422, "DOCUMENT_TYPE_UNSUPPORTED")

		a.Do("DELETE", "/documents/"+key, nil).OK(200)
		a.Do("GET", "/documents/"+key+"/pages/1", nil).Refused(404, "NOT_FOUND")
	})
}
