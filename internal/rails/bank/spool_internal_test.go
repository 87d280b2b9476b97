package bank

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/secret"
)

// testKeys is a keyring.
func testKeys(t *testing.T) *secret.Keyring {
	t.Helper()
	keys, err := secret.ParseKeyring("test:c2xpcHdheSB0ZXN0aW5nIHNlYWxpbmcga2V5IDAwMDE=")
	require.NoError(t, err)

	return keys
}

// The archive keeps the very bytes that were read, under their hash, however they come and however many there are.
func TestTheArchiveKeepsTheVeryBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(20261122, 2))

	for _, size := range []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 3 * blockSize, 9*blockSize + 7} {
		folder := t.TempDir()

		content := make([]byte, size)
		for i := range content {
			content[i] = byte(r.Uint32())
		}

		s, err := newSpool(testKeys(t), folder, bytes.NewReader(content), 1<<30)
		require.NoError(t, err)

		var read []byte
		for err == nil {
			p := make([]byte, 1+r.IntN(2*blockSize))
			n := 0
			n, err = s.Read(p)
			read = append(read, p[:n]...)
		}

		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, s.commit())
		s.discard()
		sum := sha256.Sum256(content)
		require.Equal(t, hex.EncodeToString(sum[:]), s.hash)
		require.EqualValues(t, size, s.size)
		raw, err := os.ReadFile(archived(folder, s.hash))
		require.NoError(t, err)
		require.False(t, size > 100 && bytes.Contains(raw, content[:100]), "it lies sealed (C-02)")
		file, err := openArchived(testKeys(t), folder, s.hash)
		require.NoError(t, err)
		kept, err := io.ReadAll(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.True(t, bytes.Equal(content, read) && bytes.Equal(content, kept), "%d bytes", size)
	}
}

// A disk that fails is told, whether the file was read to its end by then or not; nothing is left of it.
func TestADiskThatFailsIsTold(t *testing.T) {
	for _, size := range []int{1, 20 * blockSize} {
		folder := t.TempDir()
		s, err := newSpool(testKeys(t), folder, bytes.NewReader(make([]byte, size)), 1<<30)
		require.NoError(t, err)
		name := s.file.Name()
		require.NoError(t, s.file.Close())
		s.file, err = os.Open(name) // for reading alone: it can be made durable, but nothing is written
		require.NoError(t, err)

		_, err = io.Copy(io.Discard, s)
		if kept := s.commit(); err == nil {
			err = kept
		} else {
			require.Error(t, kept)
		}

		require.ErrorIs(t, err, syscall.EBADF)
		s.discard()
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left)
	}
}
