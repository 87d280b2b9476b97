package blob

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/parts"
)

// A real S3 server keeps what Store promises, with documents longer than one part, and lets in nobody whose secret is
// wrong.
func TestRealBucket(t *testing.T) {
	gateway := parts.Need(t, "versitygw")[0]
	dir := parts.Dir(t)
	port := parts.Port(t)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "invoices"), 0o755))
	parts.Start(t, port, gateway, "--port", parts.Address(port), "--access", testAccess, "--secret", testSecret,
		"--region", testRegion, "posix", dir)

	config := S3Config{
		Endpoint:  "http://" + parts.Address(port),
		Region:    testRegion,
		Bucket:    "invoices",
		Prefix:    "documents/",
		AccessKey: testAccess,
		Secret:    testSecret,
		PathStyle: true,
		Transport: &http.Transport{},
	}
	s, err := OpenS3(config)
	require.NoError(t, err)

	stage, err := NewStage(t.TempDir())
	require.NoError(t, err)
	conforms(t, s, stage)

	long := make([]byte, 20<<20)
	name := NewName()
	require.NoError(t, s.Put(t.Context(), name, staged(t, stage, string(long))))

	config.Secret = "wrong"
	wrong, err := OpenS3(config)
	require.NoError(t, err)
	require.Error(t, wrong.Check(t.Context()))
	_, err = wrong.Open(t.Context(), name)
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrNone)
}
