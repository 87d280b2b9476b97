package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The functions below store small objects with meaningful names, for package witness. They are below the prefix, beside
// the blobs.

// mostKeys limits a listing: a bucket with more keys under one prefix is not ours.
const mostKeys = 1_000_000

// PutKey stores content under a key, in one request.
func (s *S3) PutKey(ctx context.Context, key string, content []byte) error {
	bucket, err := s.objects()
	if err != nil {
		return err
	}

	return s.put(ctx, bucket, s.config.Prefix+key, bytes.NewReader(content), int64(len(content)))
}

// ReadKey returns the content of a key, or ErrNone.
func (s *S3) ReadKey(ctx context.Context, key string) ([]byte, error) {
	bucket, err := s.objects()
	if err != nil {
		return nil, err
	}

	body, err := s.open(ctx, bucket, s.config.Prefix+key)
	if err != nil {
		return nil, err
	}

	content, err := io.ReadAll(body)

	return content, errors.Join(err, body.Close())
}

// ListKeys returns the keys that begin with a prefix.
func (s *S3) ListKeys(ctx context.Context, prefix string) ([]string, error) {
	bucket, err := s.objects()
	if err != nil {
		return nil, err
	}

	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()

	keys, err := bucket.list(ctx, s.config.Prefix+prefix)
	if err != nil {
		return nil, fmt.Errorf("list blobs %s: %w", prefix, err)
	}

	for i := range keys {
		keys[i] = strings.TrimPrefix(keys[i], s.config.Prefix)
	}

	return keys, nil
}

// DeleteKey removes a key. A missing one is no error.
func (s *S3) DeleteKey(ctx context.Context, key string) error {
	bucket, err := s.objects()
	if err != nil {
		return err
	}

	return s.remove(ctx, bucket, s.config.Prefix+key)
}
