//go:build !race

// What is measured here would be more under the race detector, which allocates by itself and has pools forget what
// they hold.

package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// megabyte repeats something between a beginning and an end until a body weighs 1 MB. A %d in it is another number
// each time.
func megabyte(begin, part, end string) string {
	var b strings.Builder
	b.WriteString(begin)

	for i := 0; b.Len()+len(part)+len(end)+8 < 1<<20; i++ {
		if i > 0 {
			b.WriteByte(',')
		}

		if strings.Contains(part, "%d") {
			fmt.Fprintf(&b, part, i)
		} else {
			b.WriteString(part)
		}
	}

	b.WriteString(end)

	return b.String()
}

// allocated is what one request allocates, in bytes.
func allocated(h http.Handler, path, body string) (bytes uint64, status int) {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "k")
	w := &sink{header: http.Header{}}

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)

	return after.TotalAlloc - before.TotalAlloc, w.status
}

// I-10: no body grows in memory. Whatever a megabyte holds, the request allocates a few megabytes from its first byte
// to its answer, what it throws away on the way included. A list of empty objects took 250 MB.
func TestNoBodyGrowsInMemory(t *testing.T) {
	w := newWorld(t, nil)
	w.api.config.Authenticate = people
	files := New(Config{Title: "Test", Version: "1", Log: discarding()})
	Register(files, Operation{
		Method: "POST",
		Path:   "/files",
		ID:     "files",
		Access: Public,
		Upload: &UploadRule{MaxBytes: 8 << 20},
	},
		func(_ context.Context, in *struct{ Body Upload }) (*Empty, error) {
			_, err := io.Copy(io.Discard, in.Body.File)
			return &Empty{}, err
		})
	asFile := files.Handler()

	for name, body := range map[string]string{
		"empty objects in a list":           megabyte(`{"token":"USDC","payments":[`, `{}`, `]}`),
		"empty objects in an unknown field": megabyte(`{"x":[`, `{}`, `]}`),
		"empty lists for objects":           megabyte(`{"token":"USDC","payments":[`, `[]`, `]}`),
		"references":                        megabyte(`{"token":"USDC","others":[`, `"a"`, `]}`),
		"objects for references":            megabyte(`{"token":"USDC","others":[`, `{"_id":"a"}`, `]}`),
		"texts of the wrong word":           megabyte(`{"token":"USDC","tags":[`, `"x"`, `]}`),
		"numbers for texts":                 megabyte(`{"token":"USDC","tags":[`, `0`, `]}`),
		"unknown names":                     megabyte(`{`, `"%d":0`, `}`),
		"one name many times":               megabyte(`{`, `"token":""`, `}`),
		"names in a reference":              megabyte(`{"partner":{`, `"%d":0`, `}}`),
		"names in an item":                  megabyte(`{"token":"USDC","payments":[{`, `"%d":0`, `}]}`),
		"a name of a megabyte":              `{"` + strings.Repeat(`\u0001`, 170_000) + `":0}`,
		"a text of a megabyte":              order(`"organisationRole":"` + strings.Repeat("A", 1_000_000) + `"`),
		"an escaped text of a megabyte":     order(`"note":"` + strings.Repeat(`\n`, 500_000) + `"`),
		"lists in lists":                    strings.Repeat("[", 1_000_000),
		"objects in objects":                `{"x":` + strings.Repeat(`{"x":`, 200_000),
		"lists in a reference":              `{"partner":{"x":` + strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000) + `}}`,
		"commas in texts":                   order(`"note":"` + strings.Repeat(",{", 500_000) + `"`),
	} {
		t.Run(name, func(t *testing.T) {
			bytes, status := allocated(w.handler, "/check", body)
			require.GreaterOrEqual(t, status, 400)
			require.Less(t, status, 500)
			require.LessOrEqual(t, bytes, uint64(8*len(body)), "%d MB", bytes>>20)

			bytes, _ = allocated(asFile, "/files", body)
			require.LessOrEqual(t, bytes, uint64(8*len(body)), "%d MB, as a file", bytes>>20)
		})
	}
}
