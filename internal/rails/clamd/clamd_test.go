package clamd_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/clamd"
)

// daemon answers each question as a test says, after it has read the whole content.
func daemon(t *testing.T, network, address string, answer func(content string) string) string {
	t.Helper()
	l, err := net.Listen(network, address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })

	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}

			content, err := question(conn)
			if err == nil {
				_, _ = io.WriteString(conn, answer(content))
			}

			_ = conn.Close()
		}
	}()

	return l.Addr().String()
}

// question reads INSTREAM to its end.
func question(conn io.Reader) (string, error) {
	command := make([]byte, 10)
	if _, err := io.ReadFull(conn, command); err != nil || string(command) != "zINSTREAM\x00" {
		return "", errors.Join(err, errors.New("no INSTREAM"))
	}

	var content strings.Builder
	for {
		var length [4]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return "", err
		}

		n := binary.BigEndian.Uint32(length[:])
		if n == 0 {
			return content.String(), nil
		}

		if _, err := io.CopyN(&content, conn, int64(n)); err != nil {
			return "", err
		}
	}
}

func TestContentIsCleanOnlyWhenTheDaemonHasSaidSo(t *testing.T) { // L-01
	large := strings.Repeat("invoice ", 100_000)

	answers := map[string]struct {
		answer, found string
		wrong         bool
	}{
		large:            {answer: "stream: OK\x00"},
		"":               {answer: "stream: OK\x00"},
		"eicar":          {answer: "stream: Eicar-Test-Signature FOUND\x00", found: "Eicar-Test-Signature"},
		"too large":      {answer: "INSTREAM size limit exceeded. ERROR\x00", wrong: true},
		"silence":        {wrong: true},
		"another daemon": {answer: "220 mail.example ESMTP\r\n", wrong: true},
		"clean, perhaps": {answer: "stream: OK maybe\x00", wrong: true},
	}
	for network, address := range map[string]string{
		"tcp":  "127.0.0.1:0",
		"unix": filepath.Join(t.TempDir(), "clamd.sock"),
	} {
		t.Run(network, func(t *testing.T) {
			at := daemon(t, network, address, func(content string) string { return answers[content].answer })
			c, err := clamd.New(at, time.Minute)
			require.NoError(t, err)

			for content, want := range answers {
				found, err := c.Scan(context.Background(), iotest.HalfReader(strings.NewReader(content)))
				require.Equal(t, want.found, found)
				require.Equal(t, want.wrong, err != nil, "%.20q: %v", content, err)
			}

			broken := errors.New("disk")
			_, err = c.Scan(context.Background(), io.MultiReader(strings.NewReader("eic"), iotest.ErrReader(broken)))
			require.Error(t, err, "half a content is not clean")
		})
	}
}

func TestDaemonThatDoesNotAnswerIsAnError(t *testing.T) {
	silent := make(chan struct{})
	at := daemon(t, "tcp", "127.0.0.1:0", func(string) string { <-silent; return "" })

	defer close(silent)
	c, err := clamd.New(at, time.Minute)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	read := &tell{cancel}
	_, err = c.Scan(ctx, read)
	require.Error(t, err)
	c, err = clamd.New("127.0.0.1:1", time.Minute)
	require.NoError(t, err)
	_, err = c.Scan(context.Background(), strings.NewReader("x"))
	require.Error(t, err)
	_, err = clamd.New("clamd", time.Minute)
	require.Error(t, err)
}

// tell ends a question while its content is read.
type tell struct{ cancel context.CancelFunc }

// Read cancels.
func (t *tell) Read([]byte) (int, error) { t.cancel(); return 0, io.EOF }
