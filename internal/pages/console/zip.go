//go:build !noconsole

package console

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
)

// zip returns a text as gzip makes it smallest.
func zip(text []byte) []byte {
	var b bytes.Buffer

	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // cannot happen: the level exists
	}

	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()

	return b.Bytes()
}

// acceptsGzip reports whether a browser understands gzip: all do, some proxies do not.
func acceptsGzip(r *http.Request) bool {
	for _, value := range r.Header["Accept-Encoding"] {
		for _, coding := range strings.Split(value, ",") {
			name, weight, weighted := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
			if strings.EqualFold(name, "gzip") && !(weighted && strings.Trim(weight, "0.") == "") {
				return true
			}
		}
	}

	return false
}
