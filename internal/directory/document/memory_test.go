//go:build !nosandbox

package document_test

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/document"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
)

// largest is a PDF of the largest size, in two forms; most of it is a stream that does not unpack.
var largest = strings.Replace(
	pdf,
	"xref",
	"3 0 obj\n<< /Length 1 >>\nstream\n"+strings.Repeat(
		"0123456789abcdeF",
		(document.MaxSize-len(pdf)-100)/16,
	)+"\nendstream\nendobj\nxref",
	1,
)

// serviceOver is a service over a folder of the test's.
func serviceOver(t testing.TB, d *db.DB) *document.Service {
	t.Helper()
	dir := t.TempDir()
	folder, err := blob.OpenFolder(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, folder.Close()) })
	stage, err := blob.NewStage(dir)
	require.NoError(t, err)
	ring, err := secret.ParseKeyring(secret.NewKey("k1"))
	require.NoError(t, err)

	return document.NewService(document.Deps{
		DB:          d,
		Blobs:       folder,
		Stage:       stage,
		Keyring:     ring,
		OrgApproved: approved,
	})
}

// The memory that uploads take does not grow with their size: 256 of them at once must not take gigabytes.
func TestUploadsAreNotHeldInMemory(t *testing.T) { // L-05
	body, kind := form("a.pdf", "", largest)

	for name, c := range map[string]struct{ kind, body string }{
		"form": {kind, body},
		"json": {"application/json", inBase64(largest)},
	} {
		each(t, nil, func(t *testing.T, w *world) {
			var before, after runtime.MemStats
			w.upload(dt.A, "a.pdf", pdf).Status(201)
			r := httptest.NewRequest("POST", "/payables/upload", strings.NewReader(c.body))
			r.Header.Set("Authorization", "Bearer "+dt.A)
			r.Header.Set("Content-Type", c.kind)
			answer := httptest.NewRecorder()
			handler := w.API.Handler()
			runtime.ReadMemStats(&before)
			handler.ServeHTTP(answer, r)
			runtime.ReadMemStats(&after)
			require.Equal(t, 201, answer.Code, "%s", answer.Body)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), name)
		})
	}
}

// BenchmarkUpload stores 10 MiB: inspected, hashed, encrypted, durable, with its rows.
func BenchmarkUpload(b *testing.B) {
	s := serviceOver(b, dbtest.SQLite(b))
	b.SetBytes(int64(len(largest)))

	for b.Loop() {
		if _, err := s.Store(context.Background(), document.New{
			Organisation: "org_a",
			Body:         strings.NewReader(largest),
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareCopy is what no upload can do without: the bytes hashed and on the disk.
func BenchmarkBareCopy(b *testing.B) {
	b.SetBytes(int64(len(largest)))

	name := filepath.Join(b.TempDir(), "copy")
	for b.Loop() {
		f, err := os.Create(name)
		if err != nil {
			b.Fatal(err)
		}

		if _, err := io.Copy(io.MultiWriter(f, sha256.New()), strings.NewReader(largest)); err != nil {
			b.Fatal(err)
		}

		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}

		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestManyLargeUploadsAtOnce: 64 of 10 MiB end well, and what they take together is bounded.
func TestManyLargeUploadsAtOnce(t *testing.T) { // L-05
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := serviceOver(t, d)
		runtime.GC()
		runtime.GC()

		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		gate := make(chan struct{})

		var all, inside sync.WaitGroup
		for range 64 {
			inside.Add(1)

			all.Go(func() {
				held := &holds{until: gate, inside: &inside}
				_, err := s.Store(context.Background(), document.New{
					Organisation: "org_a",
					Body: io.MultiReader(strings.NewReader(largest[:len(largest)/2]), held,
						strings.NewReader(largest[len(largest)/2:])),
				})
				require.NoError(t, err)
			})
		}

		inside.Wait() // all are half way
		runtime.GC()
		runtime.ReadMemStats(&now)
		close(gate)
		all.Wait()
		each := (int64(now.HeapAlloc) - int64(before.HeapAlloc)) / 64
		t.Logf("%d kB for each upload under way", each>>10)
		require.Less(t, each, int64(512<<10))
	})
}

// holds is an empty reader that waits.
type holds struct {
	until  chan struct{}
	inside *sync.WaitGroup
}

// Read waits once.
func (h *holds) Read([]byte) (int, error) {
	h.inside.Done()
	<-h.until
	return 0, io.EOF
}
