package feed_test

import (
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/web"
)

// A thousand open streams take less than 60 MB, heap and stacks together.
func TestAThousandStreamsTakeLittleMemory(t *testing.T) {
	const (
		streams = 1_000
		most    = 60 << 20
	)

	d := dbtest.SQLite(t)
	s := serve(t, d, web.Config{MaxWaiting: 4 * streams, MaxWaitingOfOne: streams, MaxInFlight: 4 * streams})
	host := strings.TrimPrefix(s.url, "http://")

	begin := memory()

	for range streams {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })

		_, err = io.WriteString(c, "GET /events/stream HTTP/1.1\r\nHost: "+host+
			"\r\nAuthorization: Bearer org_a\r\n\r\n")
		require.NoError(t, err)

		// the header and the first id have come: it waits
		for got := ""; !strings.Contains(got, "id: 0"); {
			b := make([]byte, 1024)
			n, err := c.Read(b)
			require.NoError(t, err)

			got += string(b[:n])
		}
	}

	taken := memory() - begin
	t.Logf("%d streams take %.1f MB", streams, float64(taken)/(1<<20))
	require.Less(t, taken, int64(most))
}

// memory returns the bytes of heap and stacks in use.
func memory() int64 {
	runtime.GC()

	var m runtime.MemStats
	runtime.ReadMemStats(&m)

	return int64(m.HeapInuse + m.StackInuse)
}
