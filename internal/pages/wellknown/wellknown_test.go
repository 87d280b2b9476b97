package wellknown_test

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/pages/wellknown"
	"slipway/internal/platform/web"
)

func TestAddressesThatAreLookedAtUnasked(t *testing.T) {
	const security = "Contact: mailto:security@example.org\nExpires: 2027-11-01T00:00:00Z\n"

	for _, text := range []string{security, ""} {
		api := web.New(web.Config{BaseURL: "https://pay.example.org", Log: slog.New(slog.DiscardHandler)})
		wellknown.Routes(api, wellknown.Deps{ChangePassword: "/console/me", SecurityText: text})

		handler := api.Handler()
		get := func(path string) *http.Response {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))

			return w.Result()
		}

		change := get("/.well-known/change-password")
		require.Equal(t, 303, change.StatusCode)
		require.Equal(t, "/console/me", change.Header.Get("Location"))

		told := get("/.well-known/security.txt")
		body, err := io.ReadAll(told.Body)
		require.NoError(t, err)

		if text == "" {
			require.Equal(t, 404, told.StatusCode)
		} else {
			require.Equal(t, 200, told.StatusCode)
			require.Equal(t, "text/plain; charset=utf-8", told.Header.Get("Content-Type"))
			require.Equal(t, security, string(body))
		}

		icon := get("/favicon.ico")
		require.Equal(t, 200, icon.StatusCode)
		require.Equal(t, "image/x-icon", icon.Header.Get("Content-Type"))
		body, err = io.ReadAll(icon.Body)
		require.NoError(t, err)

		at := binary.LittleEndian.Uint32(body[18:])
		require.EqualValues(t, len(body), at+binary.LittleEndian.Uint32(body[14:]))
		picture, err := png.Decode(bytes.NewReader(body[at:]))
		require.NoError(t, err)
		require.Equal(t, int(body[6]), picture.Bounds().Dx())

		_, _, _, outside := picture.At(0, 0).RGBA()
		require.Zero(t, outside, "its corners are round")
		require.NotEqual(t, picture.At(8, 8), picture.At(30, 30))
	}
}
