//go:build !noconsole

package console

import (
	"bytes"
	"compress/gzip"
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
