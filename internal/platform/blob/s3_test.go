package blob

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	testAccess = "AKIDEXAMPLE"
	testSecret = "canary-s3-secret"
	testRegion = "eu-test-1"
)

// bucket is a server that speaks as much of S3 as documents need. It believes nobody whose signature is not right
// (AWS Signature Version 4).
type bucket struct {
	t       *testing.T
	mu      sync.Mutex
	objects map[string][]byte
	fails   int // so many requests are answered 503 first
	asked   int
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++

	refuse := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>no</Message></Error>", code)
	}
	if auth := r.Header.Get("Authorization"); !strings.Contains(auth, "Credential="+testAccess+"/") ||
		!strings.HasSuffix(auth, "Signature="+signature(r)) {
		refuse(403, "SignatureDoesNotMatch")
		return
	}

	if b.fails > 0 {
		b.fails--
		refuse(503, "SlowDown")
		return
	}

	content, there := b.objects[r.URL.Path]
	switch r.Method {
	case http.MethodPut:
		body, err := payload(r)
		if err != nil {
			refuse(400, "IncompleteBody")
			return
		}

		b.objects[r.URL.Path] = body
		w.Header().Set("ETag", `"x"`)

	case http.MethodGet:
		if r.URL.Query().Get("list-type") == "2" {
			b.list(w, r)
			return
		}

		if !there {
			refuse(404, "NoSuchKey")
			return
		}

		w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))
		w.Header().Set("ETag", `"x"`)
		_, _ = w.Write(content)

	case http.MethodDelete:
		delete(b.objects, r.URL.Path)
		w.WriteHeader(204)
	default:
		refuse(405, "MethodNotAllowed")
	}
}

// list answers ListObjectsV2, two keys a page.
func (b *bucket) list(w http.ResponseWriter, r *http.Request) {
	folder := strings.TrimSuffix(r.URL.Path, "/") + "/"
	after := r.URL.Query().Get("continuation-token")

	var keys []string
	for p := range b.objects {
		if key, ok := strings.CutPrefix(p, folder); ok && strings.HasPrefix(key, r.URL.Query().Get("prefix")) &&
			key > after {
			keys = append(keys, key)
		}
	}

	sort.Strings(keys)
	more := len(keys) > 2
	keys = keys[:min(len(keys), 2)]

	_, _ = fmt.Fprintf(w, "<ListBucketResult><IsTruncated>%t</IsTruncated>", more)
	for _, key := range keys {
		_, _ = fmt.Fprintf(w,
			"<Contents><Key>%s</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>", key)
	}

	if more {
		_, _ = fmt.Fprintf(w, "<NextContinuationToken>%s</NextContinuationToken>", keys[len(keys)-1])
	}

	_, _ = fmt.Fprint(w, "</ListBucketResult>")
}

// Keys that mean something are kept, listed over pages, and read back below the prefix.
func TestBucketKeepsKeys(t *testing.T) {
	b := &bucket{t: t, objects: map[string][]byte{"/records/elsewhere/epochs/9": []byte("x")}}

	server := httptest.NewServer(b)
	defer server.Close()
	s, err := OpenS3(S3Config{
		Endpoint:  server.URL,
		Region:    testRegion,
		Bucket:    "records",
		Prefix:    "here/",
		AccessKey: testAccess,
		Secret:    testSecret,
		PathStyle: true,
	})
	require.NoError(t, err)
	ctx := context.Background()

	for _, key := range []string{"epochs/1", "epochs/2", "epochs/3", "payments/1"} {
		require.NoError(t, s.PutKey(ctx, key, []byte(key)))
	}

	require.NoError(t, s.PutKey(ctx, "epochs/1", []byte("anew")))
	require.NoError(t, s.DeleteKey(ctx, "epochs/2"))
	require.NoError(t, s.DeleteKey(ctx, "epochs/2"))

	keys, err := s.ListKeys(ctx, "epochs/")
	require.NoError(t, err)
	require.Equal(t, []string{"epochs/1", "epochs/3"}, keys)
	require.NoError(t, s.PutKey(ctx, "epochs/4", nil))
	keys, err = s.ListKeys(ctx, "epochs/")
	require.NoError(t, err)
	require.Equal(t, []string{"epochs/1", "epochs/3", "epochs/4"}, keys, "over two pages")
	content, err := s.ReadKey(ctx, "epochs/1")
	require.NoError(t, err)
	require.Equal(t, "anew", string(content))
	_, err = s.ReadKey(ctx, "epochs/2")
	require.ErrorIs(t, err, ErrNone)
	b.fails = 100
	_, err = s.ListKeys(ctx, "epochs/")
	require.Error(t, err, "a listing that fails is never an empty one")
}

// payload reads a body, out of its signed chunks where it has such.
func payload(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}

	var out bytes.Buffer

	in := bufio.NewReader(r.Body)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}

		size, _, _ := strings.Cut(strings.TrimSpace(line), ";")

		n, err := strconv.ParseInt(size, 16, 64)
		if err != nil {
			return nil, err
		}

		if _, err := io.CopyN(&out, in, n); err != nil || n == 0 {
			return out.Bytes(), err
		}

		if _, err := in.Discard(2); err != nil {
			return nil, err
		}
	}
}

// signature is what a request must be signed with.
func signature(r *http.Request) string {
	_, signed, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	signed, _, _ = strings.Cut(signed, ",")

	var headers strings.Builder
	for _, h := range strings.Split(signed, ";") {
		v := r.Header.Get(h)
		switch h {
		case "host":
			v = r.Host
		case "content-length":
			v = fmt.Sprint(r.ContentLength)
		}

		headers.WriteString(h + ":" + strings.TrimSpace(v) + "\n")
	}

	query := strings.Split(r.URL.RawQuery, "&")
	sort.Strings(query)
	canonical := strings.Join(
		[]string{
			r.Method,
			r.URL.EscapedPath(),
			strings.Join(query, "&"),
			headers.String(),
			signed,
			r.Header.Get("X-Amz-Content-Sha256"),
		},
		"\n",
	)
	at := r.Header.Get("X-Amz-Date")
	scope := at[:min(8, len(at))] + "/" + testRegion + "/s3/aws4_request"
	sum := sha256.Sum256([]byte(canonical))

	key := []byte("AWS4" + testSecret)
	for _, part := range append(strings.Split(scope, "/"), "AWS4-HMAC-SHA256\n"+at+"\n"+scope+"\n"+hex.EncodeToString(sum[:])) {
		m := hmac.New(sha256.New, key)
		_, _ = m.Write([]byte(part))
		key = m.Sum(nil)
	}

	return hex.EncodeToString(key)
}

func TestBucketKeepsItsPromises(t *testing.T) {
	for name, start := range map[string]func(http.Handler) *httptest.Server{
		"https": httptest.NewTLSServer,
		"http":  httptest.NewServer,
	} {
		t.Run(name, func(t *testing.T) {
			b := &bucket{t: t, objects: map[string][]byte{}}

			server := start(b)
			defer server.Close()
			config := S3Config{
				Endpoint:  server.URL,
				Region:    testRegion,
				Bucket:    "invoices",
				Prefix:    "documents/",
				AccessKey: testAccess,
				Secret:    testSecret,
				PathStyle: true,
				Transport: server.Client().Transport,
			}
			s, err := OpenS3(config)
			require.NoError(t, err)
			require.Zero(t, b.asked, "nothing is asked before something is stored")
			stage, err := NewStage(t.TempDir())
			require.NoError(t, err)
			conforms(t, s, stage)

			for path := range b.objects {
				require.True(t, strings.HasPrefix(path, "/invoices/documents/"), path)
			}

			b.fails = 2 // an attempt is made again from the staged file
			name := NewName()
			require.NoError(t, s.Put(context.Background(), name, staged(t, stage, "content")))
			require.Equal(t, "content", string(b.objects["/invoices/documents/"+name[:2]+"/"+name]))

			config.Secret = "wrong"
			wrong, err := OpenS3(config)
			require.NoError(t, err)
			err = wrong.Check(context.Background())
			require.Error(t, err)
			require.Error(t, wrong.Put(context.Background(), NewName(), staged(t, stage, "x")))
			_, err = wrong.Open(context.Background(), name)
			require.Error(t, err)
			require.NotErrorIs(t, err, ErrNone, "who may not read knows nothing of what is there")
		})
	}

	for _, bad := range []string{"", "s3.example.org", "ftp://x", "https://s3.example.org/bucket"} {
		_, err := OpenS3(S3Config{Endpoint: bad})
		require.Error(t, err, bad)
	}
}

// A server that goes silent, before its answer or in the middle of it, ends the reading; one that is merely slow does
// not, nor does a slow reader.
func TestBucketThatGoesSilentIsNotWaitedForForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pauses []time.Duration // before the answer, and before each byte

		s, err := OpenS3(S3Config{
			Endpoint:  "https://s3.example",
			Region:    testRegion,
			Bucket:    "invoices",
			AccessKey: testAccess,
			Secret:    testSecret,
			Transport: served(func(r *http.Request) (*http.Response, error) {
				if err := pause(r.Context(), pauses[0]); err != nil {
					return nil, err
				}

				return &http.Response{
					StatusCode:    200,
					ContentLength: 2,
					Request:       r,
					Body:          io.NopCloser(&pausing{r.Context(), pauses[1:]}),
					Header: http.Header{
						"Last-Modified": {time.Unix(0, 0).UTC().Format(http.TimeFormat)},
						"Etag":          {`"x"`},
					},
				}, nil
			}),
		})

		require.NoError(t, err)

		read := func(reader, before, first, second time.Duration) (string, error) {
			pauses = []time.Duration{before, first, second}

			in, err := s.Open(t.Context(), NewName())
			if err != nil {
				return "", err
			}

			require.NoError(t, pause(t.Context(), reader))
			got, err := io.ReadAll(in)

			return string(got), errors.Join(err, in.Close())
		}

		got, err := read(time.Hour, 50*time.Second, 50*time.Second, 50*time.Second)
		require.NoError(t, err)
		require.Equal(t, "xx", got)

		got, err = read(0, 0, 0, time.Hour)
		require.Error(t, err)
		require.Equal(t, "x", got)

		_, err = read(0, time.Hour, 0, 0)
		require.ErrorIs(t, err, errSilent)
	})
}

type served func(*http.Request) (*http.Response, error)

// RoundTrip answers.
func (s served) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// pausing gives a byte after each pause, until its request ends.
type pausing struct {
	ctx  context.Context
	left []time.Duration
}

// Read waits.
func (p *pausing) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		return 0, io.EOF
	}

	if err := pause(p.ctx, p.left[0]); err != nil {
		return 0, err
	}

	p.left = p.left[1:]
	b[0] = 'x'

	return 1, nil
}
