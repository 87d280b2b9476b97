package witness

import (
	"context"
	"errors"

	"slipway/internal/platform/blob"
)

// Bucket keeps records as objects of a bucket that speaks the protocol of S3. The access key also has to list objects.
type Bucket struct{ objects *blob.S3 }

// OpenBucket checks the configuration and makes no call: the first use fails if there is no such bucket.
func OpenBucket(c blob.S3Config) (*Bucket, error) {
	s, err := blob.OpenS3(c)
	if err != nil {
		return nil, err
	}

	return &Bucket{s}, nil
}

// Put uploads the record in one request: an object is visible once it is complete.
func (b *Bucket) Put(ctx context.Context, name string, content []byte) error {
	if err := checkName(name); err != nil {
		return err
	}

	return b.objects.PutKey(ctx, name, content)
}

// Read returns the object's content.
func (b *Bucket) Read(ctx context.Context, name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}

	content, err := b.objects.ReadKey(ctx, name)
	if errors.Is(err, blob.ErrNone) {
		return nil, ErrNone
	}

	return content, err
}

// List returns the names of the objects.
func (b *Bucket) List(ctx context.Context, kind string) ([]string, error) {
	if err := checkKind(kind); err != nil {
		return nil, err
	}

	keys, err := b.objects.ListKeys(ctx, kind+"/")
	if err != nil {
		return nil, err
	}

	return completeNames(kind, keys), nil
}

// Remove deletes the object.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}

	return b.objects.DeleteKey(ctx, name)
}
