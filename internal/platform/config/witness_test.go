package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The witness lies in data_dir unless something else is said, and a bucket is checked as that of documents.
func TestWitnessHasAPlace(t *testing.T) {
	c := load(t, "")
	require.Equal(t, filepath.Join(c.DataDir, "witness"), c.WitnessFolder())

	c = load(t, "", "SLIPWAY_WITNESS__FOLDER=/srv/witness")
	require.Equal(t, "/srv/witness", c.WitnessFolder())

	require.Contains(t, strings.Join(problems(t, "", "SLIPWAY_WITNESS__STORE=s3"), "\n"),
		"witness.s3.bucket is needed with witness.store s3")

	m := liveEnviron(t)
	m["WITNESS__FOLDER"] = "/tmp/x"
	require.Contains(t, strings.Join(CheckLive(load(t, "", environ(m)...)), "\n"), "witness.folder /tmp/x is emptied")

	c = load(t, "", "SLIPWAY_WITNESS__STORE=s3", "SLIPWAY_WITNESS__S3__ENDPOINT=https://s3.example",
		"SLIPWAY_WITNESS__S3__BUCKET=b", "SLIPWAY_WITNESS__S3__ACCESS_KEY=a", "SLIPWAY_WITNESS__S3__SECRET=canary")

	require.Equal(t, "canary", c.Witness.S3.Secret.Reveal())
}

// Several processes may share PostgreSQL: with it, the witness is where somebody has said that all of them find it.
func TestWitnessIsNamedBesideASharedDatabase(t *testing.T) {
	const refusal = "witness.folder is not set"

	postgres := "SLIPWAY_DATABASE__URL=postgres://localhost/x"
	bucket := []string{
		postgres,
		"SLIPWAY_WITNESS__STORE=s3",
		"SLIPWAY_WITNESS__S3__ENDPOINT=https://s3.example",
		"SLIPWAY_WITNESS__S3__BUCKET=b",
		"SLIPWAY_WITNESS__S3__ACCESS_KEY=a",
		"SLIPWAY_WITNESS__S3__SECRET=s",
	}

	for _, check := range []func(*Config) []string{CheckLive, CheckTest} {
		said := func(environ ...string) string { return strings.Join(check(load(t, "", environ...)), "\n") }

		require.Contains(t, said(postgres), refusal)
		require.NotContains(t, said(), refusal, "one process has an SQLite file")
		require.NotContains(t, said(postgres, "SLIPWAY_WITNESS__FOLDER=/srv/shared"), refusal)
		require.NotContains(t, said(bucket...), refusal)
	}
}
