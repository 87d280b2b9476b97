//go:build !nosandbox

package document_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/document"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
)

// world is a service over a folder, with what a test changes of it.
type world struct {
	*dt.World
	dir   string
	blobs *faulty
	deps  document.Deps
	*document.Service
}

// faulty is a store that fails when a test says so.
type faulty struct {
	blob.Store
	mu  sync.Mutex
	put func(ctx context.Context, name string, f *blob.Staged) error
	del error // of the next Delete

	check error
}

// Check fails, or looks.
func (f *faulty) Check(ctx context.Context) error {
	if f.check != nil {
		return f.check
	}

	return f.Store.Check(ctx)
}

// Delete fails once, or deletes.
func (f *faulty) Delete(ctx context.Context, name string) error {
	f.mu.Lock()
	err := f.del
	f.del = nil
	f.mu.Unlock()

	if err != nil {
		return err
	}

	return f.Store.Delete(ctx, name)
}

// Put fails, or stores.
func (f *faulty) Put(ctx context.Context, name string, s *blob.Staged) error {
	f.mu.Lock()
	put := f.put
	f.mu.Unlock()

	if put != nil {
		return put(ctx, name, s)
	}

	return f.Store.Put(ctx, name, s)
}

func (f *faulty) fails(put func(ctx context.Context, name string, s *blob.Staged) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put = put
}

func each(t *testing.T, change func(d *document.Deps), test func(t *testing.T, w *world)) {
	t.Helper()

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &world{World: dt.New(t, d), dir: t.TempDir()}
		folder, err := blob.OpenFolder(w.dir)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, folder.Close()) })
		stage, err := blob.NewStage(w.dir)
		require.NoError(t, err)
		ring, err := secret.ParseKeyring(secret.NewKey("k1"))
		require.NoError(t, err)
		w.blobs = &faulty{Store: folder}

		w.deps = document.Deps{
			DB:          d,
			Blobs:       w.blobs,
			Stage:       stage,
			Keyring:     ring,
			OrgApproved: approved,
			Limits:      document.Limits{KeepDeleted: time.Hour},
		}
		if change != nil {
			change(&w.deps)
		}

		w.Service = document.NewService(w.deps)
		w.Routes(w.API)
		test(t, w)
	})
}

func approved(_ context.Context, _ db.Querier, org string) error {
	if org == "org_pending" {
		return fault.New(fault.Forbidden, fault.OrgNotApproved, "no")
	}

	return nil
}

const pdf = "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 2 " +
	"/Root 1 0 R >>\nstartxref\n44\n%%EOF\n"

// form is a multipart body and its type.
func form(name, declared, content string) (body, contentType string) {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)

	header := map[string][]string{"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, name)}}
	if declared != "" {
		header["Content-Type"] = []string{declared}
	}

	p, err := m.CreatePart(header)
	if err == nil {
		_, err = io.WriteString(p, content)
	}

	if err = errors.Join(err, m.Close()); err != nil {
		panic(err)
	}

	return b.String(), m.FormDataContentType()
}

func (w *world) upload(as, name, content string, headers ...string) *dt.Answer {
	w.T.Helper()
	body, kind := form(name, "", content)
	return w.Do(as, "POST", "/payables/upload", body, append(headers, "Content-Type", kind)...)
}

func inBase64(content string) string {
	return `{"fileBase64":"` + base64.StdEncoding.EncodeToString([]byte(content)) + `"}`
}

// files lists what lies in the folder, without what is on its way in.
func (w *world) files() (stored, staged []string) {
	w.T.Helper()
	require.NoError(w.T, filepath.WalkDir(w.dir, func(name string, e os.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir():
		case strings.HasPrefix(e.Name(), "in-"):
			staged = append(staged, name)
		default:
			stored = append(stored, name)
		}

		return err
	}))

	return stored, staged
}

func TestDocumentIsStoredAndServedToItsOrganisationAlone(t *testing.T) { // L-01, L-04, Z-02
	each(t, nil, func(t *testing.T, w *world) {
		a := w.upload(dt.A, "Rechnung “12”.pdf", pdf).Status(201)
		key := a.Text("documentStorageKey")
		require.Equal(t, document.PDF, a.Text("contentType"))
		require.EqualValues(t, len(pdf), a.Get("size"))
		require.Len(t, a.Text("sha256"), 64)
		require.Equal(t, "usr_a", a.Text("uploadedBy"))
		require.Empty(t, a.Get("duplicateOf"))

		d := w.Do(dt.A, "GET", "/documents/"+key, "").Status(200)
		require.Equal(t, pdf, d.Raw)

		for name, want := range map[string]string{
			"Content-Type":                 document.PDF,
			"X-Content-Type-Options":       "nosniff",
			"Content-Security-Policy":      "default-src 'none'; sandbox",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Content-Disposition":          "attachment; filename*=utf-8''Rechnung%20%E2%80%9C12%E2%80%9D.pdf",
			"Content-Length":               fmt.Sprint(len(pdf)),
		} {
			require.Equal(t, []string{want}, d.Head[name], name)
		}

		unknown := w.Do(dt.A, "GET", "/documents/doc_00000000000000000000000000", "").Refused(
			404,
			fault.NotFoundCode,
			"",
		)
		for _, other := range []*dt.Answer{
			w.Do(dt.B, "GET", "/documents/"+key, ""), w.Do(dt.A, "GET", "/documents/..%2F..%2Fetc%2Fpasswd", ""),
			w.Do(dt.A, "GET", "/documents/"+key[:len(key)-1], ""), w.Do(dt.B, "DELETE", "/documents/"+key, ""),
		} {
			other.Refused(404, fault.NotFoundCode, "")
			require.Equal(t, unknown.Text("detail"), other.Text("detail"))
		}

		require.EqualValues(t, 0, w.Do(dt.B, "GET", "/documents", "").Status(200).Get("total"))
		require.EqualValues(t, 1, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))
		known, err := document.Known(context.Background(), w.DB, "org_b", []string{key})
		require.NoError(t, err)
		require.Empty(t, known)

		stored, staged := w.files()
		require.Len(t, stored, 1)
		require.Empty(t, staged)
		require.NotContains(t, stored[0], key, "a key says nothing of where the bytes are")
		bytes, err := os.ReadFile(stored[0])
		require.NoError(t, err)
		require.NotContains(t, string(bytes), "Catalog", "encrypted at rest")
	})
}

func TestBothFormsGiveTheSameAndTellTheSameContent(t *testing.T) {
	each(t, nil, func(t *testing.T, w *world) {
		one := w.upload(dt.A, "a.pdf", pdf).Status(201)
		two := w.Do(
			dt.A,
			"POST",
			"/payables/upload",
			strings.Replace(inBase64(pdf), "}", `,"fileName":"a.pdf","contentType":"application/pdf"}`, 1),
		).Status(201)

		three := w.Do(
			dt.A,
			"POST",
			"/payables/upload",
			strings.Replace(inBase64(pdf), "{", `{"contentType":null,"fileName":"b",`, 1),
		).Status(201)
		for _, a := range []*dt.Answer{two, three} {
			require.Equal(t, one.Text("sha256"), a.Text("sha256"))
			require.Equal(t, pdf, w.Do(dt.A, "GET", a.Text("url"), "").Status(200).Raw)
		}

		require.Equal(t, "b.pdf", three.Text("fileName"))
		require.Equal(t, []any{one.Text("documentStorageKey")}, two.List("duplicateOf"))
		require.Equal(
			t,
			[]any{one.Text("documentStorageKey"), two.Text("documentStorageKey")},
			three.List("duplicateOf"),
		)
		require.Empty(
			t,
			w.upload(dt.B, "a.pdf", pdf).Status(201).Get("duplicateOf"),
			"nobody hears of another's documents",
		)
	})
}

func TestWrongFilesAreRefusedAndLeaveNothing(t *testing.T) { // L-01, L-02
	each(t, nil, func(t *testing.T, w *world) {
		page := "<html><script>alert(1)</script></html>"
		w.upload(dt.A, "bill.pdf", page).Refused(422, fault.DocumentTypeUnknown, "/file")
		w.Do(dt.A, "POST", "/payables/upload", inBase64(page)).Refused(422, fault.DocumentTypeUnknown, "/fileBase64")
		w.upload(dt.A, "bill.png", pdf).Refused(422, fault.DocumentTypeMismatch, "/file")
		body, kind := form("bill.pdf", "image/png", pdf)

		w.Do(dt.A, "POST", "/payables/upload", body, "Content-Type", kind).Refused(
			422,
			fault.DocumentTypeMismatch,
			"/file",
		)

		w.Do(
			dt.A,
			"POST",
			"/payables/upload",
			strings.Replace(inBase64(pdf), "}", `,"fileName":"a.exe","contentType":"text/html"}`, 1),
		).
			Refused(
				422,
				fault.DocumentTypeMismatch,
				"/fileName",
			).Refused(422, fault.DocumentTypeMismatch, "/contentType")

		w.upload(dt.A, "bill.pdf", "").Refused(422, fault.DocumentDamaged, "/file")

		w.upload(dt.A, "bill.pdf", "%PDF-1.7\n"+strings.Repeat("x", document.MaxSize)).Refused(
			413,
			fault.BodyTooLarge,
			"",
		)

		w.Do(dt.A, "POST", "/payables/upload", inBase64("%PDF-1.7\n"+strings.Repeat("x", document.MaxSize))).Refused(
			413,
			fault.BodyTooLarge,
			"",
		)

		w.upload(dt.A, "bill.pdf", strings.Replace(pdf, "%%EOF", "PK", 1)).Refused(422, fault.DocumentDamaged, "/file")
		w.upload(dt.Pending, "bill.pdf", pdf).Refused(403, fault.OrgNotApproved, "")
		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))

		stored, staged := w.files()
		require.Empty(t, stored)
		require.Empty(t, staged)
	})
}

func TestIdempotencyKeyKnowsAnUploadByItsContent(t *testing.T) { // N-01
	each(t, nil, func(t *testing.T, w *world) {
		first := w.upload(dt.A, "a.pdf", pdf, "Idempotency-Key", "k").Status(201)
		again := w.upload(dt.A, "a.pdf", pdf, "Idempotency-Key", "k").Status(201) // with another boundary
		require.JSONEq(t, first.Raw, again.Raw)
		require.Equal(t, []string{"true"}, again.Head["Idempotent-Replayed"])
		body := strings.Replace(inBase64(pdf), "}", `,"fileName":"a.pdf","contentType":"application/pdf"}`, 1)
		w.Do(dt.A, "POST", "/payables/upload", body, "Idempotency-Key", "k").Refused(
			422,
			fault.IdempotencyKeyReused,
			"",
		)
		w.upload(dt.A, "b.pdf", pdf, "Idempotency-Key", "k").Refused(422, fault.IdempotencyKeyReused, "")
		w.upload(dt.A, "a.pdf", pdf+"\n", "Idempotency-Key", "k").Refused(422, fault.IdempotencyKeyReused, "")
		require.EqualValues(t, 1, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))

		w.Advance(2 * time.Hour)
		n, err := w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		require.Equal(t, 4, n, "what the repetitions had stored")
		stored, _ := w.files()
		require.Len(t, stored, 1)
		require.Equal(t, pdf, w.Do(dt.A, "GET", first.Text("url"), "").Status(200).Raw)
	})
}

func TestOrganisationHasItsRoomAndItsUploads(t *testing.T) { // L-05
	limits := document.Limits{Bytes: int64(3 * len(pdf)), PerHour: 6, AtOnce: 1, KeepDeleted: time.Hour}

	each(t, func(d *document.Deps) { d.Limits = limits }, func(t *testing.T, w *world) {
		var keys []string
		for range 3 {
			keys = append(keys, w.upload(dt.A, "a.pdf", pdf).Status(201).Text("documentStorageKey"))
		}

		w.upload(dt.A, "a.pdf", pdf).Refused(413, fault.DocumentQuota, "/file")
		w.upload(dt.B, "a.pdf", pdf).Status(201)

		w.Do(dt.A, "DELETE", "/documents/"+keys[0], "").Status(200)
		w.upload(dt.A, "a.pdf", pdf).Refused(413, fault.DocumentQuota, "/file")
		w.upload(dt.A, "a.pdf", "no document").Refused(413, fault.DocumentQuota, "/file")
		a := w.upload(dt.A, "a.pdf", pdf).Refused(429, fault.RateLimited, "")
		require.NotEmpty(t, a.Head["Retry-After"])
		w.upload(dt.B, "a.pdf", pdf).Status(201)
		w.Advance(2 * time.Hour)
		_, err := w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		w.upload(dt.A, "a.pdf", pdf).Status(201)
	})
}

func TestParallelUploadsTakeNoMoreThanTheRoom(t *testing.T) { // L-05
	each(t, func(d *document.Deps) { d.Limits.Bytes = int64(5 * len(pdf)) }, func(t *testing.T, w *world) {
		var wg sync.WaitGroup

		codes := make([]int, 20)
		for i := range codes {
			wg.Go(func() {
				body, kind := form("a.pdf", "", pdf)
				codes[i] = w.Do(dt.A, "POST", "/payables/upload", body, "Content-Type", kind).Code
			})
		}

		wg.Wait()

		stored := 0
		for _, c := range codes {
			if c == 201 {
				stored++
			} else {
				require.Contains(t, []int{413, 503}, c)
			}
		}

		require.LessOrEqual(t, stored, 5)
		require.EqualValues(t, stored, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))
	})
}

func TestUploadsAtOnceAreBounded(t *testing.T) { // L-05
	each(t, func(d *document.Deps) { d.Limits.AtOnce = 5 }, func(t *testing.T, w *world) {
		var ends []func()
		holdUp := func(org string) {
			held, end := io.Pipe()
			began := make(chan struct{})

			result := make(chan error, 1)
			go func() {
				_, err := w.Store(context.Background(), document.New{
					Organisation: org,
					Body:         io.MultiReader(&tell{began}, held),
				})
				result <- err
			}()
			<-began

			ends = append(ends, func() {
				_, err := io.WriteString(end, pdf)
				require.NoError(t, errors.Join(err, end.Close()))
				require.NoError(t, <-result)
			})
		}
		holdUp("org_a")
		w.upload(dt.A, "a.pdf", pdf).Refused(429, fault.RateLimited, "")
		w.upload(dt.B, "a.pdf", pdf).Status(201) // one that is slow holds up nobody else

		for i := range 4 {
			holdUp(fmt.Sprint("org_", i))
		}

		w.upload(dt.B, "a.pdf", pdf).Refused(503, fault.Overloaded, "")

		for _, end := range ends {
			end()
		}

		w.upload(dt.A, "a.pdf", pdf).Status(201)
		w.upload(dt.B, "a.pdf", pdf).Status(201)
	})
}

// L-05: four organisations that send as many files as they may, and end none of them, leave a fifth its place: it
// uploads and reads.
func TestFourOrganisationsThatDripLeaveAPlaceForAFifth(t *testing.T) {
	each(t, func(d *document.Deps) { d.Limits.AtOnce = 20 }, func(t *testing.T, w *world) {
		var ends []func()

		drip := func(org string) bool {
			held, end := io.Pipe()
			began := make(chan struct{})

			result := make(chan error, 1)
			go func() {
				_, err := w.Store(context.Background(), document.New{
					Organisation: org,
					Body:         io.MultiReader(&tell{began}, held),
				})
				result <- err
			}()

			select {
			case <-began:
			case err := <-result:
				require.True(t, fault.Is(err, fault.RateLimited), "%v", err)
				return false
			}

			ends = append(ends, func() {
				require.NoError(
					t,
					end.CloseWithError(fault.New(fault.Malformed, fault.BodyMalformed, "It came too slowly.")),
				)
				require.Error(t, <-result)
			})

			return true
		}
		for i := range 4 {
			for drip(fmt.Sprint("org_", i)) {
			}
		}

		key := w.upload(dt.B, "a.pdf", pdf).Status(201).Text("documentStorageKey")
		w.Do(dt.B, "GET", "/documents/"+key, "").Status(200)

		for _, end := range ends {
			end()
		}
	})
}

// tell says when somebody reads, and is empty.
type tell struct{ began chan struct{} }

// Read tells.
func (t *tell) Read([]byte) (int, error) { close(t.began); return 0, io.EOF }

func TestDocumentThatIsReferredToStays(t *testing.T) {
	inUse := ""

	each(t, func(d *document.Deps) {
		d.InUse = []func(context.Context, db.Querier, string, []string) ([]string, error){
			func(_ context.Context, _ db.Querier, org string, keys []string) ([]string, error) {
				return slices.DeleteFunc(
					slices.Clone(keys),
					func(k string) bool { return k != inUse || org != "org_a" },
				), nil
			},
		}
	}, func(t *testing.T, w *world) {
		key := w.upload(dt.A, "a.pdf", pdf).Status(201).Text("documentStorageKey")
		inUse = key
		w.Do(dt.A, "DELETE", "/documents/"+key, "").Refused(409, fault.DocumentInUse, "")
		inUse = ""
		w.Do(dt.A, "DELETE", "/documents/"+key, "").Status(200)
		w.Do(dt.A, "DELETE", "/documents/"+key, "").Refused(404, fault.NotFoundCode, "")
		w.Do(dt.A, "GET", "/documents/"+key, "").Refused(404, fault.NotFoundCode, "")

		for hours, want := range []int{1, 0} { // the bytes stay for KeepDeleted
			w.Advance(time.Duration(hours) * time.Hour)
			_, err := w.Sweep(context.Background(), 100)
			require.NoError(t, err)
			stored, _ := w.files()
			require.Len(t, stored, want)
		}
	})
}

func TestStorageThatFailsKeepsNothingAndCanBeTriedAgain(t *testing.T) { // P-08
	each(t, nil, func(t *testing.T, w *world) {
		full := errors.New("no space left on device")
		w.blobs.fails(func(context.Context, string, *blob.Staged) error { return full })
		w.upload(dt.A, "a.pdf", pdf, "Idempotency-Key", "k").Refused(503, fault.UpstreamFailed, "")

		// One that says it failed and has stored: the answer was lost.
		w.blobs.fails(func(ctx context.Context, name string, s *blob.Staged) error {
			require.NoError(t, w.blobs.Store.Put(ctx, name, s))
			return full
		})

		w.upload(dt.A, "a.pdf", pdf, "Idempotency-Key", "k").Refused(503, fault.UpstreamFailed, "")
		w.blobs.fails(nil)
		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))

		w.upload(dt.A, "a.pdf", pdf, "Idempotency-Key", "k").Status(201)
		stored, staged := w.files()
		require.Len(t, stored, 2)
		require.Empty(t, staged)

		w.Advance(2 * time.Hour)
		n, err := w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		require.Equal(t, 2, n)

		stored, _ = w.files()
		require.Len(t, stored, 1)
	})
}

func TestUploadThatTheSweepHasTakenIsNotStored(t *testing.T) { // P-08
	each(t, nil, func(t *testing.T, w *world) {
		for _, late := range []bool{true, false} { // before the bytes were there, and after
			w.blobs.fails(func(ctx context.Context, name string, s *blob.Staged) error {
				if !late {
					require.NoError(t, w.blobs.Store.Put(ctx, name, s))
				}

				w.Advance(2 * time.Hour) // so slow was the store

				_, staged := w.files()
				for _, name := range staged {
					require.NoError(t, os.Chtimes(name, time.Time{}, w.DB.Now())) // files live in the machine's time
				}

				_, err := w.Sweep(ctx, 100)
				if late {
					require.NoError(t, errors.Join(err, w.blobs.Store.Put(ctx, name, s)))
				}

				return err
			})

			w.upload(dt.A, "a.pdf", pdf).Refused(503, fault.Overloaded, "")
			require.EqualValues(t, 0, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))

			stored, _ := w.files()
			require.Empty(t, stored)
		}
	})
}

func TestUploadIsLostFromTheMomentTheSweepHasIt(t *testing.T) { // P-08
	each(t, nil, func(t *testing.T, w *world) {
		away := errors.New("the bucket does not answer")

		w.blobs.fails(func(ctx context.Context, name string, s *blob.Staged) error {
			require.NoError(t, w.blobs.Store.Put(ctx, name, s))
			w.Advance(2 * time.Hour)
			w.blobs.del = away // so that the row is marked and still there
			_, err := w.Sweep(ctx, 100)
			require.ErrorIs(t, err, away)

			return nil
		})

		w.upload(dt.A, "a.pdf", pdf).Refused(503, fault.Overloaded, "")
		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/documents", "").Status(200).Get("total"))

		n, err := w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		require.Equal(t, 1, n)

		stored, _ := w.files()
		require.Empty(t, stored)
	})
}

// A document that storage does not let go is tried again and keeps no other; and a run says when storage is away,
// before somebody uploads.
func TestDocumentThatCannotBeRemovedKeepsNoOther(t *testing.T) { // P-08
	each(t, nil, func(t *testing.T, w *world) {
		for range 3 {
			key := w.upload(dt.A, "a.pdf", pdf).Status(201).Text("documentStorageKey")
			w.Do(dt.A, "DELETE", "/documents/"+key, "").Status(200)
		}

		left := filepath.Join(w.dir, "incoming", "in-1234")
		require.NoError(t, os.WriteFile(left, []byte("x"), 0o600))
		w.Advance(2 * time.Hour)
		require.NoError(t, os.Chtimes(left, time.Time{}, w.DB.Now().Add(-2*time.Hour)))
		stuck := errors.New("it is stuck")
		away := errors.New("read-only file system")
		w.blobs.del = stuck
		w.blobs.check = away
		n, err := w.Sweep(context.Background(), 100)
		require.ErrorIs(t, err, stuck)
		require.ErrorIs(t, err, away)
		require.Equal(t, 2, n)
		require.NoFileExists(t, left)
		w.blobs.check = nil
		n, err = w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		require.Equal(t, 1, n)
	})
}

func TestContentThatWasChangedIsNotServedAsWhole(t *testing.T) { // L-01, C-02
	for _, sealed := range []bool{true, false} {
		each(t, func(d *document.Deps) {
			if !sealed {
				d.Keyring = nil
			}
		}, func(t *testing.T, w *world) {
			a := w.upload(dt.A, "a.pdf", pdf).Status(201)
			stored, _ := w.files()
			content, err := os.ReadFile(stored[0])
			require.NoError(t, err)
			require.Equal(t, !sealed, bytes.Contains(content, []byte("Catalog")))

			for name, change := range map[string]func(b []byte) []byte{
				"a bit": func(b []byte) []byte { b[20] ^= 1; return b },
				"cut off": func(b []byte) []byte {
					return b[:len(b)-1]
				},
				"longer": func(b []byte) []byte { return append(b, '\n') },
			} {
				require.NoError(t, os.WriteFile(stored[0], change(bytes.Clone(content)), 0o600))
				in, _, err := w.Open(context.Background(), "org_a", a.Text("documentStorageKey"))
				require.NoError(t, err)
				_, err = io.ReadAll(in)
				require.Error(t, err, name)
				require.NoError(t, in.Close())
				require.Less(t, len(w.Do(dt.A, "GET", a.Text("url"), "").Raw), len(pdf), name)
			}

			require.NoError(t, os.Remove(stored[0]))
			w.Do(dt.A, "GET", a.Text("url"), "").Refused(503, fault.UpstreamFailed, "")
		})
	}
}

func TestKeysOfDocumentsFollowTheKeyring(t *testing.T) { // C-02
	each(t, nil, func(t *testing.T, w *world) {
		first := secret.NewKey("k1")
		second := secret.NewKey("k2")

		ring := func(parts ...secret.Text) *secret.Keyring {
			k, err := secret.ParseKeyring(secret.Text(strings.Join(secret.RevealAll(parts), ",")))
			require.NoError(t, err)
			return k
		}

		with := func(k *secret.Keyring) *document.Service {
			d := w.deps
			d.Keyring = k
			return document.NewService(d)
		}

		d, err := with(ring(first)).Store(context.Background(), document.New{
			Organisation: "org_a",
			Body:         strings.NewReader(pdf),
		})

		require.NoError(t, err)

		off := w.deps // encryption is switched off, and the keys go with the keyring still
		off.Keyring = nil
		off.Older = ring(second, first)
		both := document.NewService(off)
		n, err := both.Rotate(context.Background(), 100)
		require.NoError(t, err)
		require.Equal(t, 1, n)

		n, err = both.Rotate(context.Background(), 100)
		require.NoError(t, err)
		require.Zero(t, n)

		in, _, err := with(ring(second)).Open(context.Background(), "org_a", d.Key)
		require.NoError(t, err)

		content, err := io.ReadAll(in)
		require.NoError(t, errors.Join(err, in.Close()))
		require.Equal(t, pdf, string(content))

		_, _, err = with(ring(first)).Open(context.Background(), "org_a", d.Key)
		require.Error(t, err)
	})
}

// scanner finds what a test says.
type scanner func(content string) (string, error)

// Scan reads all.
func (s scanner) Scan(_ context.Context, in io.Reader) (string, error) {
	content, err := io.ReadAll(in)
	if err != nil {
		return "", err
	}

	return s(string(content))
}

func TestScannerSeesTheContentBeforeItIsStored(t *testing.T) { // L-01
	answer := ""
	trouble := error(nil)

	each(t, func(d *document.Deps) {
		d.Scanner = scanner(func(content string) (string, error) {
			if content != pdf {
				return "", errors.New("another content")
			}

			return answer, trouble
		})
	}, func(t *testing.T, w *world) {
		answer = ""
		trouble = nil
		w.upload(dt.A, "a.pdf", pdf).Status(201)
		answer = "Eicar-Test-Signature"
		a := w.upload(dt.A, "a.pdf", pdf).Refused(422, fault.DocumentInfected, "/file")
		require.NotContains(t, a.Raw, "Eicar", "what finds what is nobody's business")

		answer = ""
		trouble = errors.New("clamd is away")
		w.upload(dt.A, "a.pdf", pdf).Refused(503, fault.UpstreamFailed, "")
		stored, _ := w.files()
		require.Len(t, stored, 1)
	})
}

func TestStagedFilesOfADeadProcessAreRemoved(t *testing.T) { // P-08
	each(t, nil, func(t *testing.T, w *world) {
		left := filepath.Join(w.dir, "incoming", "in-1234")
		require.NoError(t, os.WriteFile(left, []byte("x"), 0o600))

		_, err := w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		require.FileExists(t, left, "it may be under way")
		require.NoError(t, os.Chtimes(left, time.Time{}, w.DB.Now().Add(-2*time.Hour)))

		_, err = w.Sweep(context.Background(), 100)
		require.NoError(t, err)
		require.NoFileExists(t, left)
	})
}

func TestEveryPairOfStatuses(t *testing.T) {
	all := append(document.Moves.States(), "")

	allowed := 0
	for _, from := range all {
		for _, to := range document.Moves.States() {
			if document.Moves.Allows(from, to) {
				allowed++
			}
		}
	}

	require.Equal(t, 4, allowed)
	require.True(t, document.Moves.Final(document.StatusDeleted))
}
