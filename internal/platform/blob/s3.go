package blob

import (
	"bytes"
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
	AccessKey string // empty: none, for a bucket that lets this machine in
	Secret    secret.Text
	PathStyle bool              // the bucket's name stands in the path and not in the host: most servers that are not Amazon's
	Timeout   time.Duration     // of a request, and of each piece of an object that is read; 0: a minute
	Transport http.RoundTripper // nil: the library's
}

// S3 keeps blobs in a bucket. The client is made at first use, so that a process that stores nothing pays nothing for it.
type S3 struct {
	config S3Config
	client func() (*minio.Core, error)
}

// OpenS3 looks at nothing but the configuration: whether the bucket is there, Check tells.
func OpenS3(c S3Config) (*S3, error) {
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("blob bucket: the endpoint is an address such as https://s3.eu-central-1.amazonaws.com")
	}
	if c.Timeout <= 0 {
		c.Timeout = time.Minute
	}
	return &S3{c, sync.OnceValues(func() (*minio.Core, error) {
		look := minio.BucketLookupAuto
		if c.PathStyle {
			look = minio.BucketLookupPath
		}
		core, err := minio.NewCore(u.Host, &minio.Options{Creds: credentials.NewStaticV4(c.AccessKey, c.Secret.Reveal(), ""), Secure: u.Scheme == "https",
			Region: c.Region, BucketLookup: look, Transport: c.Transport, MaxRetries: 3})
		if err != nil {
			return nil, fmt.Errorf("blob bucket: %w", err)
		}
		return core, nil
	})}, nil
}

// at gives the client and the key of a name.
func (s *S3) at(name string) (*minio.Core, string, error) {
	p, err := place(name)
	if err != nil {
		return nil, "", err
	}
	core, err := s.client()
	return core, s.config.Prefix + p, err
}

// Put uploads the staged file in one request: an object is seen when it is whole.
func (s *S3) Put(ctx context.Context, name string, f *Staged) error {
	core, key, err := s.at(name)
	if err != nil {
		return err
	}
	return s.put(ctx, core, key, f.Reader(), f.Size())
}

func (s *S3) put(ctx context.Context, core *minio.Core, key string, in io.Reader, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	_, err := core.Client.PutObject(ctx, s.config.Bucket, key, in, size,
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true})
	if err != nil {
		return fmt.Errorf("put blob %s: %w", key, err)
	}
	return nil
}

// Open begins to read the object. The context must live as long as the reader. A server that sends nothing for Timeout ends it.
func (s *S3) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	core, key, err := s.at(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	out := &awaited{timeout: s.config.Timeout, cancel: cancel}
	out.waits = time.AfterFunc(out.timeout, func() { cancel(errSilent) })
	out.body, _, _, err = core.GetObject(ctx, s.config.Bucket, key, minio.GetObjectOptions{})
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

// awaited is an object's content, each piece of which comes within the timeout.
type awaited struct {
	body    io.ReadCloser
	timeout time.Duration
	waits   *time.Timer
	cancel  context.CancelCauseFunc
}

// Read reads on.
func (a *awaited) Read(p []byte) (int, error) {
	a.waits.Reset(a.timeout)
	defer a.waits.Stop()
	return a.body.Read(p)
}

// Close lets go of the connection.
func (a *awaited) Close() error {
	defer a.cancel(nil)
	return a.body.Close()
}

// Delete removes the object.
func (s *S3) Delete(ctx context.Context, name string) error {
	core, key, err := s.at(name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	err = core.RemoveObject(ctx, s.config.Bucket, key, minio.RemoveObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchKey {
		return fmt.Errorf("delete blob %s: %w", key, err)
	}
	return nil
}

// Check writes and removes an object.
func (s *S3) Check(ctx context.Context) error {
	core, err := s.client()
	if err != nil {
		return err
	}
	key := s.config.Prefix + "check-" + NewName()
	if err := s.put(ctx, core, key, bytes.NewReader([]byte(key)), int64(len(key))); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	if err := core.RemoveObject(ctx, s.config.Bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("delete blob %s: %w", key, err)
	}
	return nil
}
