package app

import (
	"fmt"
	"time"

	"slipway/internal/directory/document"
	"slipway/internal/identity/comment"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/config"
	"slipway/internal/rails/clamd"
)

// buildDocuments builds documents, stored in the configured folder or bucket.
func (a *App) buildDocuments() error {
	c := a.Config.Documents

	store, stage, err := a.blobs(c)
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}

	d := document.Deps{
		DB:          a.DB,
		Log:         a.Log,
		Blobs:       store,
		Stage:       stage,
		Older:       a.Keys,
		OrgApproved: mayUpload,
		Limits: document.Limits{
			Bytes:       int64(c.Room) << 20,
			PerHour:     c.UploadsPerHour,
			AtOnce:      c.UploadsAtOnce,
			KeepDeleted: c.KeepDeleted,
		},
	}
	d.InUse = append(d.InUse, payable.Referred, transaction.Referred, comment.Referred)

	if a.outside.NoLimits {
		d.Limits.PerHour = 0
	}

	if c.Encrypt {
		d.Keyring = a.Keys
	}

	if c.Scanner != "" {
		if d.Scanner, err = clamd.New(c.Scanner, 0); err != nil {
			return fmt.Errorf("documents.scanner: %w", err)
		}
	}

	a.Documents = document.NewService(d)

	every(a, "documents", 10*time.Minute, a.Documents.Sweep, 1_000)
	every(a, "document-keys", time.Hour, a.Documents.Rotate, 1_000)

	return nil
}

// blobs opens the store of documents. It makes no call to a bucket: the first upload does.
func (a *App) blobs(c config.Documents) (blob.Store, *blob.Stage, error) {
	dir := a.Config.DocumentFolder()

	stage, err := blob.NewStage(dir)
	if err != nil {
		return nil, nil, err
	}

	if c.Store == "s3" {
		s3, err := blob.OpenS3(BucketOf(c.S3))

		return s3, stage, err
	}

	folder, err := blob.OpenFolder(dir)
	if err != nil {
		return nil, nil, err
	}

	a.files = folder

	return folder, stage, nil
}

// BucketOf returns a configured bucket as the store takes it.
func BucketOf(b config.Bucket) blob.S3Config {
	return blob.S3Config{
		Endpoint:  b.Endpoint,
		Region:    b.Region,
		Bucket:    b.Bucket,
		Prefix:    b.Prefix,
		AccessKey: b.AccessKey,
		Secret:    b.Secret,
		PathStyle: b.PathStyle,
	}
}
