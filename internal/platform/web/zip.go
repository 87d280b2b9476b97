package web

import (
	"bytes"
	"io"
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
// whichever way it is sent. Credentials stand in short answers alone, so the length of a compressed one says nothing
// about them (the attack BREACH).
func deliver(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if !zips(w, r, body) {
		w.WriteHeader(status)
		_, _ = w.Write(body) //nolint:gosec // the header says what it is; pages escape with html/template

		return
	}

	w.WriteHeader(status)
	zip(w, body)
}

// zips reports whether an answer is sent compressed, and says so in its header.
func zips(w http.ResponseWriter, r *http.Request, body []byte) bool {
	if len(body) < zipFrom {
		return false
	}

	w.Header().Add("Vary", "Accept-Encoding")

	if !TakesGzip(r) {
		return false
	}

	w.Header().Set("Content-Encoding", "gzip")

	return true
}

func zip(w io.Writer, body []byte) {
	z := zippers.Get().(*gzip.Writer)
	z.Reset(w)
	_, _ = z.Write(body)
	_ = z.Close()
	zippers.Put(z)
}

// fixed is an answer that is always the same, and compressed once: anybody may ask for it, as often as he likes.
type fixed struct {
	body   []byte
	zipped func() []byte
}

func newFixed(body []byte) fixed {
	return fixed{body, sync.OnceValue(func() []byte {
		var b bytes.Buffer

		zip(&b, body)

		return b.Bytes()
	})}
}

// deliver sends the answer as the function of that name does.
func (f fixed) deliver(w http.ResponseWriter, r *http.Request) {
	body := f.body
	if zips(w, r, body) {
		body = f.zipped()
	}

	_, _ = w.Write(body)
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
