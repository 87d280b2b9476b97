package remote_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/remote"
)

func TestExchangeGivesAWholeAnswerOrAnError(t *testing.T) {
	stranger := false

	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stranger = true }))
	defer elsewhere.Close()

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ten":
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte("0123456789"))
		case "/eleven":
			_, _ = w.Write([]byte("0123456789x"))
		case "/half":
			w.Header().Set("Content-Length", "9")
			_, _ = w.Write([]byte("01"))
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/led":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer server.Close()
	p := remote.New(5*time.Second, 10, nil)
	ask := func(path string) (int, string, error) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+path+"?key=private",
			strings.NewReader("signed"))
		require.NoError(t, err)
		status, body, err := p.Exchange(r)

		return status, string(body), err
	}
	status, body, err := ask("/ten")
	require.NoError(t, err)
	require.Equal(t, 418, status)
	require.Equal(t, "0123456789", body)
	_, _, err = ask("/eleven")
	require.ErrorIs(t, err, remote.ErrLong)
	_, _, err = ask("/half")
	require.ErrorIs(t, err, remote.ErrBroken)
	_, _, err = ask("/cut")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "private")
	status, _, err = ask("/led")
	require.NoError(t, err)
	require.Equal(t, 307, status)
	require.False(t, stranger, "nobody is led elsewhere")
}

func TestIsAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"https://api.example":   true,
		"http://127.0.0.1:80/x": true,
		"api.example":           false,
		"ftp://api.example":     false,
		"https://":              false,
		"":                      false,
		"http://[":              false,
	} {
		t.Run(text, func(t *testing.T) {
			require.Equal(t, want, remote.IsAddress(text))
		})
	}
}
