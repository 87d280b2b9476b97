package inprocess_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/inprocess"
)

func TestHandlerSeesTheRequestAndTheCallerItsAnswer(t *testing.T) {
	c := http.Client{Transport: inprocess.Transport(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Host != "provider.sandbox" {
			w.WriteHeader(http.StatusTeapot)
			return
		}

		w.Header().Set("X-Asked", r.Method+" "+r.URL.RequestURI())
		w.WriteHeader(http.StatusCreated)
		w.WriteHeader(http.StatusOK) // as in net/http, the first one counts
		_, _ = w.Write(append(body, '!'))
	}))}

	res, err := c.Post("http://provider.sandbox/a?b=c", "text/plain", strings.NewReader("body"))
	require.NoError(t, err)

	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, 201, res.StatusCode)
	require.Equal(t, "POST /a?b=c", res.Header.Get("X-Asked"))
	require.Equal(t, "body!", string(body))

	res, err = c.Get("http://provider.sandbox/")
	require.NoError(t, err, "a request without a body has an empty one")
	require.Equal(t, 201, res.StatusCode)
}

func TestAnswerMayBeSilenceOrACutConnection(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())

	c := http.Client{Transport: inprocess.Transport(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/late":
			cancel()
		}
	}))}

	res, err := c.Get("http://x/silent")
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode, "as net/http does for a handler that writes nothing")

	_, err = c.Get("http://x/cut")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)

	r, err := http.NewRequestWithContext(ctx, "GET", "http://x/late", nil)
	require.NoError(t, err)

	_, err = c.Do(r)
	require.ErrorIs(t, err, context.Canceled)

	_, err = c.Do(r)
	require.ErrorIs(t, err, context.Canceled, "not asked at all")
}
