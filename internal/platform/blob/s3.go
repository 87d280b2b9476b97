package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"slipway/internal/platform/secret"
)

// S3Config names a bucket. The bucket must exist.
type S3Config struct {
	Endpoint  string // https://host[:port]
	Region    string
	Bucket    string
	Prefix    string // of every name, such as "documents/"; may be empty
	AccessKey string // empty: none, for a bucket that this machine may use without one
	Secret    secret.Text
	// the bucket's name is in the path and not in the host, as with most servers other than Amazon's
	PathStyle bool
	Timeout   time.Duration     // for a request, and for each piece of an object that is read; 0: a minute
	Transport http.RoundTripper // nil: the library's
}

// S3 stores blobs in a bucket. The client is created at first use, so a process that stores nothing pays nothing for
// it.
type S3 struct {
	config  S3Config
	objects func() (objects, error)
}

// objects are the library's functions that are needed. They are functions and not a client because reflection may reach
// whatever a struct holds: a client in it would keep all of the library's exported methods in the program, several
// megabytes that nothing calls.
type objects struct {
	put    func(ctx context.Context, key string, in io.Reader, size int64) error
	get    func(ctx context.Context, key string) (io.ReadCloser, error)
	remove func(ctx context.Context, key string) error
	list   func(ctx context.Context, prefix string) ([]string, error)
}

// OpenS3 checks only the configuration. Whether the bucket exists, Check reports.
func OpenS3(c S3Config) (*S3, error) {
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("blob bucket: the endpoint is an address such as https://s3.eu-central-1.amazonaws.com")
	}

	if c.Timeout <= 0 {
		c.Timeout = time.Minute
	}

	return &S3{c, sync.OnceValues(func() (objects, error) { return connect(c, u) })}, nil
}

// connect creates the client. It opens no connection yet.
func connect(c S3Config, u *url.URL) (objects, error) {
	look := minio.BucketLookupAuto
	if c.PathStyle {
		look = minio.BucketLookupPath
	}

	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:        credentials.NewStaticV4(c.AccessKey, c.Secret.Reveal(), ""),
		Secure:       u.Scheme == "https",
		Region:       c.Region,
		BucketLookup: look,
		Transport:    c.Transport,
		MaxRetries:   3,
	})
	if err != nil {
		return objects{}, fmt.Errorf("blob bucket: %w", err)
	}

	return objects{
		put: func(ctx context.Context, key string, in io.Reader, size int64) error {
			_, err := core.Client.PutObject(ctx, c.Bucket, key, in, size, minio.PutObjectOptions{
				ContentType:      "application/octet-stream",
				DisableMultipart: true,
			})

			return err
		},
		get: func(ctx context.Context, key string) (io.ReadCloser, error) {
			body, _, _, err := core.GetObject(ctx, c.Bucket, key, minio.GetObjectOptions{})
			return body, err
		},
		remove: func(ctx context.Context, key string) error {
			return core.RemoveObject(ctx, c.Bucket, key, minio.RemoveObjectOptions{})
		},
		list: func(ctx context.Context, prefix string) (keys []string, err error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel() // ends the library's goroutine where this one stops early

			for o := range core.Client.ListObjects(ctx, c.Bucket, minio.ListObjectsOptions{
				Prefix:    prefix,
				Recursive: true,
			}) {
				switch {
				case o.Err != nil:
					return nil, o.Err
				case len(keys) == mostKeys:
					return nil, fmt.Errorf("there are more than %d", mostKeys)
				}

				keys = append(keys, o.Key)
			}

			return keys, ctx.Err()
		},
	}, nil
}

// at returns the bucket and the key of a name.
func (s *S3) at(name string) (objects, string, error) {
	p, err := place(name)
	if err != nil {
		return objects{}, "", err
	}

	bucket, err := s.objects()

	return bucket, s.config.Prefix + p, err
}

// Put uploads the staged file in one request: an object becomes visible only when it is complete.
func (s *S3) Put(ctx context.Context, name string, f *Staged) error {
	bucket, key, err := s.at(name)
	if err != nil {
		return err
	}

	return s.put(ctx, bucket, key, f.Reader(), f.Size())
}

func (s *S3) put(ctx context.Context, bucket objects, key string, in io.Reader, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()

	if err := bucket.put(ctx, key, in, size); err != nil {
		return fmt.Errorf("put blob %s: %w", key, err)
	}

	return nil
}

// Open begins to read the object. The context must live as long as the reader. If the server sends nothing for Timeout,
// reading fails.
func (s *S3) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	bucket, key, err := s.at(name)
	if err != nil {
		return nil, err
	}

	return s.open(ctx, bucket, key)
}

func (s *S3) open(ctx context.Context, bucket objects, key string) (_ io.ReadCloser, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	out := &awaited{timeout: s.config.Timeout, cancel: cancel}
	out.waits = time.AfterFunc(out.timeout, func() { cancel(errSilent) })
	out.body, err = bucket.get(ctx, key)
	out.waits.Stop()

	if err == nil {
		return out, nil
	}

	silent := context.Cause(ctx)
	cancel(nil)

	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, ErrNone
	}

	return nil, fmt.Errorf("open blob %s: %w", key, errors.Join(err, silent))
}

var errSilent = errors.New("the server sent nothing for too long")

// awaited is an object's content, of which each piece must come within the timeout.
type awaited struct {
	body    io.ReadCloser
	timeout time.Duration
	waits   *time.Timer
	cancel  context.CancelCauseFunc
}

// Read reads the next piece.
func (a *awaited) Read(p []byte) (int, error) {
	a.waits.Reset(a.timeout)
	defer a.waits.Stop()
	return a.body.Read(p)
}

// Close releases the connection.
func (a *awaited) Close() error {
	defer a.cancel(nil)
	return a.body.Close()
}

// Delete removes the object.
func (s *S3) Delete(ctx context.Context, name string) error {
	bucket, key, err := s.at(name)
	if err != nil {
		return err
	}

	return s.remove(ctx, bucket, key)
}

func (s *S3) remove(ctx context.Context, bucket objects, key string) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()

	if err := bucket.remove(ctx, key); err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchKey {
		return fmt.Errorf("delete blob %s: %w", key, err)
	}

	return nil
}

// Check writes an object, reads it back and removes it: an access key may have a right to do one of them alone.
func (s *S3) Check(ctx context.Context) error {
	key := "check-" + NewName()
	if err := s.PutKey(ctx, key, []byte(key)); err != nil {
		return err
	}

	content, err := s.ReadKey(ctx, key)
	if err == nil && string(content) != key {
		err = fmt.Errorf("blob %s is read otherwise than it was written", key)
	}

	return errors.Join(err, s.DeleteKey(ctx, key))
}
