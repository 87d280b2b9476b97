package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	plainGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	measured = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\r\n\r\nx"
	inChunks = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " +
		"chunked\r\n\r\n4;x=y\r\n\r\n\r\n\r\na\r\n0123456789\r\n0\r\nT: 1\r\n\r\n"
	noChunks = "POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
	twoWays  = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
	otherWay = "POST / HTTP/1.1\r\nHost: a\r\ntRANSFER-eNCODING: chunked\r\ncontent-length:\t 5 \r\n\r\n0\r\n\r\n"
	folded   = "POST / HTTP/1.1\r\nHost: a\r\nX: y\r\n Content-Length: 5\r\nTransfer-Encoding: " +
		"chunked\r\n\r\n0\r\n\r\n"
	oldChunks = "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
	newLines  = "POST / HTTP/1.1\nHost: a\nContent-Length: 1\n\nx"
)

// follow gives the framing a stream in pieces of a size, and collects where requests begin and which headers were
// ambiguous.
func follow(stream string, size int) (starts []int, ambiguous []bool) {
	var f framing

	at := 0
	for at < len(stream) {
		if f.stage == inHeader && !f.begun && len(f.line) == 0 {
			starts = append(starts, at)
		}

		n, ended := f.advance([]byte(stream[at:min(at+size, len(stream))]))
		at += n

		if ended {
			ambiguous = append(ambiguous, f.ambiguous())
		}
	}

	return starts, ambiguous
}

func TestFramingFindsEveryRequestInPiecesOfAnySize(t *testing.T) {
	messages := []string{plainGet, measured, inChunks, noChunks, newLines, plainGet}

	var want []int

	at := 0
	for _, m := range messages {
		want = append(want, at)
		at += len(m)
	}

	stream := strings.Join(messages, "")
	for size := 1; size <= len(stream); size++ {
		starts, ambiguous := follow(stream, size)
		require.Equal(t, want, starts, "in pieces of %d", size)
		require.Equal(t, make([]bool, len(messages)), ambiguous)
	}
}

// RFC 9112, 6.1 and 6.3: whoever states the length of a body in two ways may mean another request than his neighbour
// reads.
func TestTwoStatementsOfABodysLengthAreAmbiguous(t *testing.T) {
	for _, message := range []string{twoWays, otherWay, folded, oldChunks} {
		for size := 1; size <= len(message); size++ {
			_, ambiguous := follow(message, size)
			require.Equal(t, []bool{true}, ambiguous, "%q in pieces of %d", message, size)
		}
	}
}

// FuzzFraming holds the framing against the HTTP library: of a stream that the library takes as one request after the
// other, both see the same number of requests, and those with two lengths are found.
func FuzzFraming(f *testing.F) {
	for _, m := range []string{plainGet, measured, inChunks, noChunks, twoWays, otherWay, folded, oldChunks, newLines} {
		f.Add(m+m+plainGet, 7)
	}

	f.Fuzz(func(t *testing.T, stream string, size int) {
		if size < 1 {
			return
		}

		_, ambiguous := follow(stream, size)

		in := bufio.NewReader(strings.NewReader(stream))
		for i := range len(ambiguous) {
			r, err := http.ReadRequest(in)
			if err != nil || r.Method == "CONNECT" {
				return
			}

			if ambiguous[i] {
				return
			}

			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
		}

		if r, err := http.ReadRequest(in); err == nil {
			t.Fatalf("the library sees another request: %q of %q", r.RequestURI, stream)
		}
	})
}

func BenchmarkFraming(b *testing.B) {
	var head bytes.Buffer
	head.WriteString("POST /transactions HTTP/1.1\r\nHost: api.example\r\n")

	for i := range 12 {
		fmt.Fprintf(&head, "X-Header-%d: some value of usual length\r\n", i)
	}

	head.WriteString("Content-Length: 400\r\n\r\n")
	message := append(head.Bytes(), make([]byte, 400)...)

	var f framing
	b.ReportAllocs()

	for b.Loop() {
		f.advance(message)
	}
}
