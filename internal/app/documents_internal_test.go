package app

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/blob"
	"slipway/internal/platform/config"
)

func TestDocumentsGoWhereTheConfigurationSays(t *testing.T) {
	dir := t.TempDir()
	a := &App{Config: &config.Config{DataDir: dir}}
	store, stage, err := a.blobs(config.Documents{Store: "folder"})
	require.NoError(t, err)
	require.IsType(t, &blob.Folder{}, store)
	require.DirExists(t, filepath.Join(dir, "documents", "incoming"))
	f, err := stage.Create()
	require.NoError(t, err)
	name := blob.NewName()
	require.NoError(t, store.Put(t.Context(), name, f))
	require.NoError(t, f.Discard())
	require.FileExists(t, filepath.Join(dir, "documents", name[:2], name))
	require.NoError(t, a.files.Close())

	a = &App{Config: &config.Config{DataDir: dir}}
	store, _, err = a.blobs(config.Documents{Store: "s3", S3: config.Bucket{Endpoint: "https://s3.example"}})
	require.NoError(t, err)
	require.IsType(t, &blob.S3{}, store)
	require.Nil(t, a.files)
	_, _, err = a.blobs(config.Documents{Store: "s3", S3: config.Bucket{Endpoint: "s3.example"}})
	require.Error(t, err)
}
