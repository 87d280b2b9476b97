package brand_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/brand"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

func each(t *testing.T, test func(t *testing.T, w *identitytest.World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		test(t, identitytest.NewWith(t, d, func(*auth.Config) {}, func(w *identitytest.World) {
			brand.New(w.DB).Routes(w.API)
		}))
	})
}

func TestAdminsSetTheBrandAndMembersReadIt(t *testing.T) {
	each(t, func(t *testing.T, w *identitytest.World) {
		admin := w.Someone("ada@example.com").Access
		org := w.Organisation(admin)
		viewer, _ := w.Member(admin, org, "grace@example.com", `"viewer"`)
		stranger := w.Someone("eve@example.com").Access
		path := "/organisations/" + org + "/brand"

		require.JSONEq(t, `{"name":"","colour":"","logo":null,"version":0,"updatedAt":null}`,
			w.Do("GET", path, viewer.Access, "").OK(200).Raw)

		body := `{"name":" Ada's ","colour":"#0B5CAD"}`
		w.Do("PUT", path, viewer.Access, body).Refused(403, "ROLE_REQUIRED")
		w.Do("PUT", path, stranger, body).Refused(404, "NOT_FOUND")
		w.Do("GET", path, stranger, "").Refused(404, "NOT_FOUND")

		set := w.Do("PUT", path, admin, body).OK(200)
		require.Equal(t, "Ada's", set.Text("name"))
		require.Equal(t, "#0b5cad", set.Text("colour"))
		require.EqualValues(t, 1, w.Do("PUT", path, admin, body).OK(200).Body["version"], "nothing has changed")

		w.Do("PUT", path, admin, `{"name":"x"}`, identitytest.Header{Name: "If-Match", Value: `"7"`}).
			Refused(412, "VERSION_MISMATCH")
		w.Do("PUT", path, admin, `{"colour":"#ffcc00"}`).Refused(422, "COLOUR_CONTRAST", "/colour COLOUR_CONTRAST")
		w.Do("PUT", path, admin, `{"colour":"blue","name":"`+strings.Repeat("x", 61)+`"}`).
			Refused(422, "VALIDATION", "/colour FORMAT_INVALID", "/name TOO_LONG")

		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM audit_log WHERE action = 'organisation.brand_changed'"))
	})
}

func picture(width, height int) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range out.Pix {
		out.Pix[i] = 0xa0
	}

	out.Set(1, 1, color.NRGBA{R: 0xff, A: 0xff})

	return out
}

// noise cannot be compressed.
func noise(side int) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	_, _ = rand.Read(out.Pix)

	return out
}

func pngOf(t *testing.T, p image.Image) []byte {
	t.Helper()

	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, p))

	return b.Bytes()
}

func TestLogosAreWrittenAnew(t *testing.T) {
	each(t, func(t *testing.T, w *identitytest.World) {
		admin := w.Someone("ada@example.com").Access
		org := w.Organisation(admin)
		path := "/organisations/" + org + "/brand/logo"
		send := func(file []byte) identitytest.Answer {
			return w.Do("PUT", path, admin, `{"fileBase64":"`+base64.StdEncoding.EncodeToString(file)+
				`","fileName":"logo","contentType":"image/png"}`)
		}

		var photo bytes.Buffer
		require.NoError(t, jpeg.Encode(&photo, picture(40, 20), nil))

		secret := append(pngOf(t, picture(40, 20)), "a hidden text"...)
		for _, file := range [][]byte{secret, photo.Bytes()} {
			logo, ok := strings.CutPrefix(send(file).OK(200).Text("logo"), "data:image/png;base64,")
			require.True(t, ok)

			raw, err := base64.StdEncoding.DecodeString(logo)
			require.NoError(t, err)
			require.NotContains(t, string(raw), "hidden")

			c, kind, err := image.DecodeConfig(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Equal(t, "png", kind)
			require.Equal(t, 40, c.Width)
		}

		for name, file := range map[string][]byte{
			"svg":     []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
			"wide":    pngOf(t, picture(1025, 2)),
			"broken":  pngOf(t, picture(40, 20))[:60],
			"detail":  pngOf(t, noise(400)),
			"nothing": []byte("x"),
		} {
			require.Equal(t, "LOGO_INVALID", send(file).OK(422).Text("code"), name)
		}

		svg := `<?xml version="1.0"?><!-- drawn --><SVG xmlns="http://www.w3.org/2000/svg"/>`
		require.Contains(t, send([]byte(svg)).OK(422).Raw, "is SVG, which can hold scripts")

		require.Nil(t, w.Do("DELETE", path, admin, "").OK(200).Body["logo"])
		require.Nil(t, w.Do("DELETE", path, admin, "").OK(200).Body["logo"])
	})
}

// A document finds the logo that it was made with, also when the brand has another one or none by now. Of very many the
// oldest are forgotten.
func TestLogosOfThePastAreKeptByTheirHash(t *testing.T) {
	each(t, func(t *testing.T, w *identitytest.World) {
		admin := w.Someone("ada@example.com").Access
		org := w.Organisation(admin)
		path := "/organisations/" + org + "/brand/logo"

		var hashes []string

		for i := range 21 {
			file := base64.StdEncoding.EncodeToString(pngOf(t, picture(40+i, 20)))
			w.Do("PUT", path, admin, `{"fileBase64":"`+file+`","fileName":"x.png","contentType":"image/png"}`).OK(200)
			w.DB.Clock().Advance(time.Second)

			b, err := brand.Of(t.Context(), w.DB, org)
			require.NoError(t, err)
			require.NotEmpty(t, b.Logo)
			hashes = append(hashes, b.LogoSHA256)
		}

		w.Do("DELETE", path, admin, "").OK(200)

		for i, hash := range hashes {
			logo, err := brand.Logo(t.Context(), w.DB, org, hash)
			require.NoError(t, err)
			require.Equal(t, i == 0, logo == nil, "%d", i)
		}

		other, err := brand.Logo(t.Context(), w.DB, "org_other", hashes[20])
		require.NoError(t, err)
		require.Nil(t, other, "another organisation's") // Z-02
	})
}
