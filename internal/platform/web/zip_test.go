package web

import (
	"compress/gzip"
	"io"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A long answer is compressed for who takes it so, and has the same bytes then. A short one, such as one with
// credentials, is not.
func TestLongAnswersAreCompressed(t *testing.T) {
	w := newWorld(t, nil)

	plain := w.send("GET", "/openapi.json", "")
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	require.Contains(t, plain.Header()["Vary"], "Accept-Encoding")

	zipped := w.send("GET", "/openapi.json", "", "Accept-Encoding: br, gzip")
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	require.Contains(t, zipped.Header()["Vary"], "Accept-Encoding")
	require.Less(t, 4*zipped.Body.Len(), plain.Body.Len())

	r, err := gzip.NewReader(zipped.Body)
	require.NoError(t, err)

	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, plain.Body.String(), string(text))

	head := w.send("HEAD", "/openapi.json", "", "Accept-Encoding: gzip")
	again := w.send("GET", "/openapi.json", "", "Accept-Encoding: gzip")
	require.Equal(t, "gzip", head.Header().Get("Content-Encoding"))
	require.Zero(t, head.Body.Len())

	size, err := strconv.Atoi(head.Header().Get("Content-Length"))
	require.NoError(t, err)
	require.Equal(t, again.Body.Len(), size)

	for _, none := range []string{"identity", "gzip;q=0, br", "gzip;q=0.0"} {
		require.Empty(t, w.send("GET", "/openapi.json", "", "Accept-Encoding: "+none).Header().Get("Content-Encoding"))
	}

	short := w.send("GET", "/orders/x", "", "Accept-Encoding: gzip")
	require.Equal(t, 200, short.Code)
	require.Empty(t, short.Header().Get("Content-Encoding"))
	require.Empty(t, short.Header().Get("Vary"))
}
