package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDocumentSettingsFitTogether(t *testing.T) {
	c := load(t, "")
	require.Equal(t, "folder", c.Documents.Store)
	require.Equal(t, "data/documents", c.DocumentFolder())
	require.True(t, c.Documents.Encrypt)
	bucket := []string{
		"SLIPWAY_DOCUMENTS__STORE=s3",
		"SLIPWAY_DOCUMENTS__S3__ENDPOINT=https://s3.example",
		"SLIPWAY_DOCUMENTS__S3__BUCKET=b",
		"SLIPWAY_DOCUMENTS__S3__ACCESS_KEY=a",
		"SLIPWAY_DOCUMENTS__S3__SECRET=canary",
	}
	require.Equal(t, "canary", load(t, "", bucket...).Documents.S3.Secret.Reveal())

	for wrong, environ := range map[string][]string{
		"documents.s3.bucket is needed":              {"SLIPWAY_DOCUMENTS__S3__BUCKET="},
		"documents.s3.secret is needed":              {"SLIPWAY_DOCUMENTS__S3__SECRET="},
		`documents.s3.endpoint: "s3.example" is not`: {"SLIPWAY_DOCUMENTS__S3__ENDPOINT=s3.example"},
		"documents.scanner":                          {"SLIPWAY_DOCUMENTS__SCANNER=clamd"},
		"is not one of: folder s3":                   {"SLIPWAY_DOCUMENTS__STORE=tape"},
	} {
		t.Run(wrong, func(t *testing.T) {
			name, _, _ := strings.Cut(environ[0], "=")
			others := slices.DeleteFunc(
				slices.Clone(bucket),
				func(x string) bool { return strings.HasPrefix(x, name+"=") },
			)
			got := strings.Join(problems(t, "", append(others, environ...)...), "\n")
			require.Contains(t, strings.ReplaceAll(got, ", ", " "), wrong)
			require.NotContains(t, got, "canary")
		})
	}

	load(t, "", "SLIPWAY_DOCUMENTS__SCANNER=/run/clamav/clamd.ctl")
	load(t, "", "SLIPWAY_DOCUMENTS__SCANNER=127.0.0.1:3310")
}

func TestLiveDocumentsAreNeitherLostNorSeen(t *testing.T) {
	for reason, change := range map[string]map[string]string{
		"documents.folder /tmp/x is emptied":      {"DOCUMENTS__FOLDER": "/tmp/x"},
		"documents.folder papers is no full path": {"DOCUMENTS__FOLDER": "papers"},
		"documents.s3.endpoint http://s3.example.org is not https": {
			"DOCUMENTS__STORE":        "s3",
			"DOCUMENTS__S3__ENDPOINT": "http://s3.example.org",
		},
		"documents.s3.endpoint http://10.0.0.7:9000 is not https": {
			"DOCUMENTS__STORE":        "s3",
			"DOCUMENTS__S3__ENDPOINT": "http://10.0.0.7:9000",
		},
		"": {"DOCUMENTS__STORE": "s3", "DOCUMENTS__S3__ENDPOINT": "https://s3.example.org"},
	} {
		t.Run(reason, func(t *testing.T) {
			m := liveEnviron(t)
			for k, v := range map[string]string{
				"DOCUMENTS__S3__BUCKET":     "b",
				"DOCUMENTS__S3__ACCESS_KEY": "a",
				"DOCUMENTS__S3__SECRET":     "s",
			} {
				m[k] = v
			}

			for k, v := range change {
				m[k] = v
			}

			found := strings.Join(CheckLive(load(t, "", environ(m)...)), "\n")
			if reason == "" {
				require.NotContains(t, found, "documents.")
				return
			}

			require.Contains(t, found, reason)
		})
	}
}
