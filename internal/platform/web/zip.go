package web

import (
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// zipFrom is the length from which an answer is worth compressing: a page of a list, and not one record. A page of 50
// transactions is then an eighth of what it was.
const zipFrom = 8 << 10 // bytes

var zippers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // cannot happen: the level exists
	}

	return w
}}

// deliver sends an answer, compressed if it is long and the client takes it so. Its entity tag is that of the record,
// whichever way it is sent. Credentials stand in short answers alone,
// so the length of a compressed one says nothing about them (the attack BREACH).
func deliver(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	if len(body) >= zipFrom {
		h.Add("Vary", "Accept-Encoding")
	}

	if len(body) < zipFrom || !TakesGzip(r) {
		w.WriteHeader(status)
		_, _ = w.Write(body) //nolint:gosec // the header says what it is; pages escape with html/template

		return
	}

	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(status)

	z := zippers.Get().(*gzip.Writer)
	z.Reset(w)
	_, _ = z.Write(body)
	_ = z.Close()
	zippers.Put(z)
}

// TakesGzip reports whether a client understands gzip: all browsers do, some proxies do not.
func TakesGzip(r *http.Request) bool {
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
