package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/platform/jsonout"
)

const maxFile = 1000

type fileIn struct{ Body Upload }

type fileView struct {
	Content string `json:"content"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Stored  string `json:"stored"`
}

// uploads is an API with operations that take files. It needs no database.
func uploads(t *testing.T) *API {
	t.Helper()

	api := New(Config{Title: "test", Log: slog.New(slog.DiscardHandler)})
	for path, orStored := range map[string]bool{"/files": false, "/files/read": true} {
		Register(api, Operation{
			Method: "POST",
			Path:   path,
			ID:     "x" + fmt.Sprint(orStored),
			Access: Public,
			Upload: &UploadRule{MaxBytes: maxFile, OrStored: orStored},
		},
			func(ctx context.Context, in *fileIn) (*fileView, error) {
				if in.Body.File == nil {
					return &fileView{Stored: in.Body.Stored}, nil
				}

				content, err := io.ReadAll(in.Body.File)
				if err != nil {
					return nil, err
				}

				if string(content) == "bad" {
					var l fault.List
					l.Add("/file", fault.FormatInvalid, "is bad.")
					l.Add("/fileName", fault.FormatInvalid, "is bad.")

					return nil, l.Err()
				}

				_, late := ctx.Deadline()
				require.True(t, late)
				name, declared := in.Body.Labels()

				return &fileView{Content: fmt.Sprintf("%x", content), Name: name, Type: declared}, nil
			})
	}

	return api
}

// post sends a body, as it is and byte by byte, which must come to the same.
func post(t *testing.T, api *API, path, contentType, body string) answer {
	t.Helper()

	var last answer
	for i, in := range []io.Reader{strings.NewReader(body), iotest.OneByteReader(strings.NewReader(body))} {
		r := httptest.NewRequest("POST", path, in)
		r.Header.Set("X-Request-Id", "r")
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		api.Handler().ServeHTTP(w, r)

		a := answer{w, t}
		if i > 0 {
			require.Equal(t, last.Body.String(), a.Body.String())
		}

		last = a
	}

	return last
}

// part is one part of a form.
type part struct{ header, content string }

func formOf(parts ...part) (contentType, body string) {
	var b bytes.Buffer

	m := multipart.NewWriter(&b)
	for _, p := range parts {
		w, err := m.CreatePart(map[string][]string{"Content-Disposition": {p.header}, "Content-Type": {"image/png"}})
		if err == nil {
			_, err = io.WriteString(w, p.content)
		}

		if err != nil {
			panic(err)
		}
	}

	if err := m.Close(); err != nil {
		panic(err)
	}

	return m.FormDataContentType(), b.String()
}

func TestFileComesAsFormOrAsJSON(t *testing.T) {
	api := uploads(t)
	kind, body := formOf(part{`form-data; name="file"; filename="C:\a\Réchnung.png"`, "content"})
	a := post(t, api, "/files", kind, body)
	require.Equal(t, 200, a.Code, "%s", a.Body)
	require.Contains(t, a.Body.String(), `"content":"636f6e74656e74"`)
	require.Contains(t, a.Body.String(), `"type":"image/png"`)

	content := "\xff\xfe\xfd" + strings.Repeat("?>+/", 100)
	plain := base64.StdEncoding.EncodeToString([]byte(content))
	require.Contains(t, plain, "/")
	require.Contains(t, plain, "+")

	escaped := strings.ReplaceAll(strings.ReplaceAll(plain, "/", `\/`), "+", `\u002B`)
	for name, body := range map[string]string{
		"labels behind":       `{"fileBase64":"` + plain + `","fileName":"a.png","contentType":"x/y"}`,
		"labels before":       `{"contentType":"x/y","fileName":"a.png","fileBase64":"` + plain + `"}`,
		"escapes":             ` { "fileName" : "\u0061.png" , "fileBase64" : "` + escaped + `", "contentType":"x\/y" } ` + "\n",
		"lines":               `{"fileBase64":"` + plain[:76] + `\r\n` + plain[76:] + `\n","fileName":"a.png","contentType":"x/y"}`,
		"name with an escape": `{"\u0066ileBase64":"` + plain + `","fileName":"a.png","contentType":"x/y"}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := post(t, api, "/files", "application/json", body)
			require.Equal(t, 200, a.Code, "%s: %s", name, a.Body)
			want, err := jsonout.Marshal(fileView{Content: fmt.Sprintf("%x", content), Name: "a.png", Type: "x/y"})
			require.NoError(t, err)
			require.JSONEq(t, string(want), a.Body.String())
		})
	}

	a = post(t, api, "/files/read", "application/json", `{"documentStorageKey":"doc_1"}`)
	require.Equal(t, 200, a.Code, "%s", a.Body)
	require.Contains(t, a.Body.String(), `"stored":"doc_1"`)
}

func TestEveryFaultOfAnUploadIsNamed(t *testing.T) { // L-02, I-03
	api := uploads(t)
	sound := base64.StdEncoding.EncodeToString([]byte("content"))

	large := base64.StdEncoding.EncodeToString(make([]byte, maxFile+1))
	for body, want := range map[string]string{
		``:                    "400 BODY_MALFORMED",
		`[]`:                  "400 BODY_MALFORMED",
		`{}`:                  "422 REQUIRED /fileBase64",
		`{"fileBase64":null}`: "400 TYPE_MISMATCH /fileBase64",
		`{"fileBase64":7,"fileName":[{"a":"}"}]}`: "400 TYPE_MISMATCH /fileBase64; " +
			"TYPE_MISMATCH /fileName",
		`{"fileBase64":"` + sound + `","file":"x","b/c":{"d":[1,2,{}]}}`: "422 UNKNOWN_FIELD /file; " +
			"UNKNOWN_FIELD /b~1c",
		`{"FileBase64":"` + sound + `"}`: "422 UNKNOWN_FIELD /FileBase64; " +
			"REQUIRED /fileBase64",
		`{"fileBase64":"` + sound + `","fileBase64":"` + sound + `"}`:  "400 DUPLICATE_FIELD /fileBase64",
		`{"fileName":"a","fileBase64":"` + sound + `","fileName":"b"}`: "400 DUPLICATE_FIELD /fileName",
		`{"fileName":"a\u0000","fileBase64":"` + sound + `"}`:          "422 FORMAT_INVALID /fileName",
		`{"fileBase64":"` + sound + `"`:                                "400 BODY_MALFORMED",
		`{"fileBase64":"` + sound:                                      "400 BODY_MALFORMED",
		`{"fileBase64":"` + sound + `"}}`:                              "400 BODY_MALFORMED",
		`{"fileBase64":"` + sound + `"} {}`:                            "400 BODY_MALFORMED",
		`{"fileBase64":"` + sound + `",}`:                              "400 BODY_MALFORMED",
		`{"fileBase64":"` + sound + `" "fileName":"a"}`:                "400 BODY_MALFORMED",
		`{"fileBase64":"` + sound + `","x":tru}`:                       "400 BODY_MALFORMED",
		`{"fileBase64":"data:image/png;base64,` + sound + `"}`:         "422 FORMAT_INVALID /fileBase64",
		`{"fileBase64":"` + strings.TrimRight(sound, "=") + `"}`:       "422 FORMAT_INVALID /fileBase64",
		`{"fileBase64":"` + sound + sound + `"}`:                       "422 FORMAT_INVALID /fileBase64",
		`{"fileBase64":"other","fileName":7,"fileBase64":"` + sound + `","x":1}`: "400 FORMAT_INVALID /fileBase64; " +
			"TYPE_MISMATCH /fileName; DUPLICATE_FIELD /fileBase64; UNKNOWN_FIELD /x",
		`{"fileBase64":"a\ud800"}`:                                          "400 BODY_MALFORMED",
		`{"fileBase64":"a\ud83d\ude00"}`:                                    "422 FORMAT_INVALID /fileBase64",
		`{"fileBase64":"a\q"}`:                                              "400 BODY_MALFORMED",
		`{"fileBase64":"a\t"}`:                                              "422 FORMAT_INVALID /fileBase64",
		`{"fileBase64":"a\u00e9a="}`:                                        "422 FORMAT_INVALID /fileBase64",
		"{\"fileBase64\":\"" + sound[:4] + "\n" + sound[4:] + "\"}":         "400 BODY_MALFORMED",
		"{\"fileBase64\":\"" + sound[:4] + "\xff" + sound[4:] + "\"}":       "400 BODY_MALFORMED",
		"{\"fileBase64\":\"" + sound[:4] + "é" + sound[4:] + "\"}":          "422 FORMAT_INVALID /fileBase64",
		`{"fileBase64":"` + large + `"}`:                                    "413 BODY_TOO_LARGE",
		`{"fileBase64":"","fileName":"` + strings.Repeat("x", 5000) + `"}`:  "400 BODY_MALFORMED",
		`{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`: "400 BODY_MALFORMED",
		`{"fileBase64":"YmFk"}`: "422 FORMAT_INVALID /fileBase64; " +
			"FORMAT_INVALID /fileName",
		`{"fileBase64":"` + sound + `","documentStorageKey":"doc_1"}`: "422 UNKNOWN_FIELD /documentStorageKey",
	} {
		t.Run(body, func(t *testing.T) {
			require.Equal(t, want, said(post(t, api, "/files", "application/json", body)), "%.200s", body)
		})
	}

	require.Equal(t, "422 NOT_ALLOWED /documentStorageKey",
		said(post(t, api, "/files/read", "application/json", `{"fileBase64":"`+sound+`","documentStorageKey":"d"}`)))
	require.Equal(t, "422 UNKNOWN_FIELD /fileName",
		said(post(t, api, "/files/read", "application/json", `{"fileName":"a","documentStorageKey":"d"}`)))
	require.Equal(t, "422 REQUIRED /fileBase64", said(post(t, api, "/files/read", "application/json", `{}`)))

	file := part{`form-data; name="file"; filename="a.png"`, "content"}

	other := part{`form-data; name="amount"`, "5"}
	for name, c := range map[string]struct {
		parts []part
		want  string
	}{
		"nothing":       {nil, "422 REQUIRED /file"},
		"another":       {[]part{other}, "422 UNKNOWN_FIELD /amount; REQUIRED /file"},
		"one before":    {[]part{other, file}, "422 UNKNOWN_FIELD /amount"},
		"one behind":    {[]part{file, other}, "422 UNKNOWN_FIELD /amount"},
		"two":           {[]part{file, file}, "422 DUPLICATE_FIELD /file"},
		"large":         {[]part{{file.header, strings.Repeat("x", maxFile+1)}}, "413 BODY_TOO_LARGE"},
		"refused":       {[]part{{file.header, "bad"}}, "422 FORMAT_INVALID /file; FORMAT_INVALID /file"},
		"a long header": {[]part{{`form-data; name="file"; filename="` + strings.Repeat("x", 2*uploadHead) + `"`, "c"}}, "400 BODY_MALFORMED"},
		"much before":   {[]part{{other.header, strings.Repeat("x", 2*uploadHead)}, file}, "400 BODY_MALFORMED"},
	} {
		t.Run(name, func(t *testing.T) {
			kind, body := formOf(c.parts...)
			require.Equal(t, c.want, said(post(t, api, "/files", kind, body)))
		})
	}

	kind, body := formOf(file)
	for n := range body[:len(body)-2] { // cut off anywhere it is not taken for whole
		if got := said(post(t, api, "/files", kind, body[:n])); got != "400 BODY_MALFORMED" &&
			got != "422 REQUIRED /file" {
			t.Fatalf("the first %d bytes: %s", n, got)
		}
	}

	require.Equal(t, "400 BODY_MALFORMED", said(post(t, api, "/files", "multipart/form-data", body)))
	require.Equal(t, "415 CONTENT_TYPE_UNSUPPORTED", said(post(t, api, "/files", "application/pdf", "%PDF-1.7")))
	require.Equal(t, "415 CONTENT_TYPE_UNSUPPORTED",
		said(post(t, api, "/files", "application/x-www-form-urlencoded", "a=b")))
}

// said is an answer's status, and the codes with their places.
func said(a answer) string {
	p := a.problem()
	if len(p.Errors) == 0 {
		return fmt.Sprintf("%d %s", a.Code, p.Code)
	}

	var all []string
	for _, e := range p.Errors {
		all = append(all, string(e.Code)+" "+placeOf(e))
	}

	return fmt.Sprintf("%d %s", a.Code, strings.Join(all, "; "))
}

// slowly gives so many bytes after each pause.
type slowly struct {
	pieces int
	size   int // bytes of a piece
	pause  time.Duration
	conn   *deadlines
	left   int // bytes of the piece that came last
}

// Read waits, for as long as the connection allows.
func (s *slowly) Read(p []byte) (int, error) {
	if s.left == 0 {
		if s.pieces == 0 {
			return 0, io.EOF
		}

		if end := time.Now().Add(s.pause); s.conn.read.Before(end) {
			<-time.After(time.Until(s.conn.read))
			return 0, &net.OpError{Op: "read", Err: errTimeout{}}
		}

		<-time.After(s.pause)
		s.pieces--
		s.left = s.size
	}

	n := min(s.left, len(p))

	s.left -= n
	for i := range n {
		p[i] = 'x'
	}

	return n, nil
}

type errTimeout struct{}

// Timeout is what deadlines end with.
func (errTimeout) Timeout() bool   { return true }
func (errTimeout) Temporary() bool { return true }
func (errTimeout) Error() string   { return "i/o timeout" }

// deadlines is a connection's answer with its deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

// SetReadDeadline notes it.
func (d *deadlines) SetReadDeadline(t time.Time) error { d.read = t; return nil }

// SetWriteDeadline notes it.
func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// I-08, L-05: a slow sender is waited for while pieces come; one who stops, one who drips, and one who never ends, is
// not.
func TestSlowUploadMayTakeItsTimeAndNotForEver(t *testing.T) {
	for name, c := range map[string]struct {
		pieces, size int
		pause        time.Duration
		want         int
		after        time.Duration // it has ended
	}{
		"two minutes":         {12, pacePiece, 10 * time.Second, 204, 2 * time.Minute},
		"a small file":        {19, 40, time.Second, 204, 19 * time.Second},
		"a pause":             {3, pacePiece, uploadPause + time.Second, 400, uploadPause},
		"drops":               {500, 1, time.Second, 400, uploadPause},
		"drops of some bytes": {500, 1000, time.Second, 400, uploadPause},
		"for ever":            {500, pacePiece, 18 * time.Second, 400, 612 * time.Second}, // the first after uploadTime
	} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			api := New(Config{Title: "test", Log: slog.New(slog.DiscardHandler)})

			Register(api, Operation{
				Method: "POST",
				Path:   "/files",
				ID:     "x",
				Access: Public,
				Upload: &UploadRule{MaxBytes: 1 << 30},
			},
				func(_ context.Context, in *fileIn) (*Empty, error) {
					_, err := io.Copy(io.Discard, in.Body.File)
					return &Empty{}, err
				})

			conn := &deadlines{
				ResponseRecorder: httptest.NewRecorder(),
				read:             begun.Add(30 * time.Second),
				write:            begun.Add(time.Minute),
			}

			in := &slowly{pieces: c.pieces, size: c.size, pause: c.pause, conn: conn}
			open := `--b` + "\r\n" + `Content-Disposition: form-data; name="file"` + "\r\n\r\n"
			end := "\r\n--b--\r\n"

			r := httptest.NewRequest("POST", "/files",
				io.MultiReader(strings.NewReader(open), in, strings.NewReader(end)))

			r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			api.Handler().ServeHTTP(conn, r)
			require.Equal(t, c.want, conn.Code, "%s: %s", name, conn.Body)
			require.Equal(t, c.after, time.Since(begun), name)
			require.True(t, time.Now().Before(conn.write), "there is time left for the answer")
		})
	}
}

func TestStreamIsSentAndBrokenOffWhereReadingFails(t *testing.T) {
	api := New(Config{Title: "test", Log: slog.New(slog.DiscardHandler)})
	body := io.Reader(strings.NewReader("all of it"))
	Register(api, Operation{
		Method: "GET",
		Path:   "/x",
		ID:     "x",
		Access: Public,
	}, func(context.Context, *struct{}) (*Stream, error) {
		return &Stream{ContentType: "text/x", Size: 9, Body: io.NopCloser(body), Header: http.Header{"X-A": {"b"}}}, nil
	})

	server := httptest.NewServer(api.Handler())
	defer server.Close()
	read := func() (string, error) {
		r, err := http.Get(server.URL + "/x")
		require.NoError(t, err)
		require.Equal(t, "b", r.Header.Get("X-A"))
		require.EqualValues(t, 9, r.ContentLength)
		content, err := io.ReadAll(r.Body)

		return string(content), errors.Join(err, r.Body.Close())
	}
	got, err := read()
	require.NoError(t, err)
	require.Equal(t, "all of it", got)
	body = io.MultiReader(strings.NewReader("all"), iotest.ErrReader(errors.New("disk")))
	_, err = read()
	require.Error(t, err, "half of it is not taken for the whole")
}

// A caller who takes a file slowly is waited for: what it is read from stays open for as long.
func TestStreamIsReadForAsLongAsItsCallerTakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := New(Config{Title: "test", Log: slog.New(slog.DiscardHandler)})

		Register(api, Operation{
			Method: "GET",
			Path:   "/x",
			ID:     "x",
			Access: Public,
		}, func(ctx context.Context, _ *struct{}) (*Stream, error) {
			return &Stream{ContentType: "text/x", Size: 12, Body: io.NopCloser(&under{ctx, 12})}, nil
		})

		answer := httptest.NewRecorder()
		api.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/x", nil))
		require.Equal(t, 200, answer.Code)
		require.Equal(t, strings.Repeat("x", 12), answer.Body.String())
	})
}

// under gives a byte each ten seconds, until its context ends.
type under struct {
	ctx  context.Context
	left int
}

// Read waits.
func (u *under) Read(p []byte) (int, error) {
	if u.left == 0 {
		return 0, io.EOF
	}

	select {
	case <-u.ctx.Done():
		return 0, u.ctx.Err()
	case <-time.After(10 * time.Second):
	}

	u.left--
	p[0] = 'x'

	return 1, nil
}

// dripping is a caller who takes a piece after a pause.
type dripping struct {
	*deadlines
	pause time.Duration
}

// Write waits, for as long as the connection allows.
func (d *dripping) Write(p []byte) (int, error) {
	if end := time.Now().Add(d.pause); d.write.Before(end) {
		<-time.After(time.Until(d.write))
		return 0, &net.OpError{Op: "write", Err: errTimeout{}}
	}

	<-time.After(d.pause)

	return d.deadlines.Write(p)
}

// I-08, L-05: a caller who takes a file drop by drop, or never ends, does not keep his place. One who is slow and
// takes it gets it.
func TestStreamThatIsTakenDropByDropIsBrokenOff(t *testing.T) {
	for name, c := range map[string]struct {
		piece int // bytes of the file that are written at once
		pause time.Duration
		sent  bool
		after time.Duration
	}{
		"slow":         {pacePiece / 2, 20 * time.Second, true, 160 * time.Second},
		"small pieces": {pacePiece / 40, time.Second, true, 161 * time.Second},
		"drops":        {1000, 10 * time.Second, false, streamPause},
		"a pause":      {pacePiece / 2, streamPause + time.Second, false, streamPause},
	} {
		synctest.Test(t, func(t *testing.T) {
			const size = 4 * pacePiece
			api := New(Config{Title: "test", Log: slog.New(slog.DiscardHandler)})

			Register(api, Operation{
				Method: "GET",
				Path:   "/x",
				ID:     "x",
				Access: Public,
			}, func(context.Context, *struct{}) (*Stream, error) {
				return &Stream{
					ContentType: "text/x",
					Size:        size,
					Body:        io.NopCloser(&inPieces{left: size, most: c.piece}),
				}, nil
			})

			begun := time.Now()

			answer := &dripping{&deadlines{
				ResponseRecorder: httptest.NewRecorder(),
				write:            begun.Add(time.Minute),
			}, c.pause}

			api.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/x", nil))
			require.Equal(t, c.sent, answer.Body.Len() == size, name)
			require.Equal(t, c.after, time.Since(begun), name)
		})
	}
}

// inPieces is a file that is read a piece at a time.
type inPieces struct{ left, most int }

// Read gives a piece.
func (f *inPieces) Read(p []byte) (int, error) {
	n := min(f.left, f.most, len(p))

	f.left -= n
	if n == 0 {
		return 0, io.EOF
	}

	return n, nil
}

// L-05, I-08: those who are slow with files leave the others their places, for files as well.
func TestSlowCallersDoNotTakeAllPlaces(t *testing.T) {
	api := New(Config{Title: "test", Log: slog.New(slog.DiscardHandler), MaxInFlight: 16})
	Register(api, Operation{
		Method: "GET",
		Path:   "/plain",
		ID:     "plain",
		Access: Public,
	}, func(context.Context, *struct{}) (*Empty, error) { return &Empty{}, nil })
	began := make(chan struct{})
	end := make(chan struct{})
	Register(api, Operation{
		Method: "GET",
		Path:   "/file",
		ID:     "file",
		Access: Public,
	}, func(context.Context, *struct{}) (*Stream, error) {
		began <- struct{}{}
		<-end
		return &Stream{ContentType: "text/x", Body: http.NoBody}, nil
	})
	handler := api.Handler()
	call := func(path, from string) int {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = from + ":1"
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)

		return answer.Code
	}

	var all sync.WaitGroup

	keep := func(from string) {
		all.Go(func() { require.Equal(t, 200, call("/file", from)) })
		<-began
	}
	for _, from := range []int{0, 0, 1, 1, 2, 2, 3} {
		keep(fmt.Sprintf("192.0.2.%d", from))
	}

	for from := range 4 {
		require.Equal(t, 429, call("/file", fmt.Sprintf("192.0.2.%d", from)))
	}

	keep("192.0.2.9")
	require.Equal(t, 503, call("/file", "192.0.2.10"))
	require.Equal(t, 204, call("/plain", "192.0.2.0"))
	close(end)
	all.Wait()
	all.Go(func() { <-began })
	require.Equal(t, 200, call("/file", "192.0.2.0"), "the places come back")
	all.Wait()
}

func FuzzUploadBodies(f *testing.F) { // I-09
	f.Add(`{"fileBase64":"YWJj","fileName":"a"}`, true)
	f.Add("--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n", false)

	f.Fuzz(func(t *testing.T, body string, inJSON bool) {
		kind := "multipart/form-data; boundary=b"
		if inJSON {
			kind = "application/json"
		}

		a := post(t, uploads(t), "/files", kind, body)
		if a.Code >= 500 || inJSON && a.Code == 200 && !validJSON(body) {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
	})
}

func validJSON(s string) bool { return jsontext.Value(s).IsValid(jsontext.AllowInvalidUTF8(true)) }
