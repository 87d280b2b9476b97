//go:build linux && !nosandbox

package billscan_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/billscan"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan"
)

// packed compresses what is written.
func packed(t *testing.T, write func(w *bufio.Writer)) string {
	t.Helper()

	var out bytes.Buffer

	z, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	require.NoError(t, err)

	w := bufio.NewWriter(z)
	write(w)
	require.NoError(t, w.Flush())
	require.NoError(t, z.Close())

	return out.String()
}

// rectangles is a PDF file that draws n rectangles.
func rectangles(t *testing.T, n int) string {
	t.Helper()

	random := rand.New(rand.NewPCG(1, 2))
	content := packed(t, func(w *bufio.Writer) {
		for range n {
			fmt.Fprintf(w, "%d %d 1 1 re f\n", random.IntN(590), random.IntN(840))
		}
	})

	return "%PDF-1.7\n1 0 obj\n<</Type /Catalog /Pages 2 0 R>>\nendobj\n" +
		"2 0 obj\n<</Type /Pages /Kids [3 0 R] /Count 1>>\nendobj\n" +
		"3 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R>>\nendobj\n" +
		fmt.Sprintf("4 0 obj\n<</Length %d /Filter /FlateDecode>>\nstream\n", len(content)) + content +
		"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n"
}

// noise is a PNG file of so many pixels on each side. depth and kind are those of PNG, and pixel the bytes of one
// pixel, of which the first of every thirty-second is noise.
func noise(t *testing.T, side, depth, kind, pixel int) string {
	t.Helper()

	random := rand.New(rand.NewPCG(3, 4))
	content := packed(t, func(w *bufio.Writer) {
		row := make([]byte, 1+side*pixel)
		for range side {
			for x := 1; x < len(row); x += 32 * pixel {
				row[x] = byte(random.Uint32())
			}

			_, _ = w.Write(row)
		}
	})

	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), uint32(side)), uint32(side))
	out := "\x89PNG\r\n\x1a\n"

	for _, chunk := range []string{
		string(append(header, byte(depth), byte(kind), 0, 0, 0)),
		"IDAT" + content,
		"IEND",
	} {
		out += string(binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))) + chunk +
			string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(chunk))))
	}

	return out
}

// resident returns the most memory that this process has had since it was last forgotten, in bytes.
func resident(t *testing.T) int64 {
	t.Helper()

	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)

	_, peak, found := strings.Cut(string(status), "VmHWM:")
	require.True(t, found)

	kilobytes, err := strconv.ParseInt(strings.Fields(peak)[0], 10, 64)
	require.NoError(t, err)

	return kilobytes << 10
}

// TestRealMemoryOfHeavyDocuments (L-05): under the limit of memory that the packages ship, eight of the worst documents
// at once take no more than documents may have, which is half of it, and another's is read beside them. It takes a
// minute of two cores, so it runs with the real parts alone.
func TestRealMemoryOfHeavyDocuments(t *testing.T) {
	if os.Getenv("SLIPWAY_PARTS") == "" {
		t.Skip("it runs with make parts")
	}

	const shipped = 1 << 30

	room := qrscan.RoomFor(2, shipped/2)
	before := debug.SetMemoryLimit(-1)

	defer debug.SetMemoryLimit(before)
	observe.LimitHeap(observe.MemoryLimit{Bytes: shipped, From: "test"}, room.Sandboxes())

	documents := []string{
		rectangles(t, 1_200_000),
		noise(t, 6200, 8, 2, 3),  // in colours
		noise(t, 5700, 16, 6, 8), // the largest that is taken
		rectangles(t, 300_000),
	}
	small := rectangles(t, 3)

	reader := qrscan.New(qrscan.Settings{
		CacheDir: platformtest.PDFCache(),
		Wanted:   func(string) bool { return false },
	})
	defer func() { require.NoError(t, reader.Close(context.Background())) }()

	s := billscan.New(billscan.Deps{
		Scan:     reader.Read,
		Draw:     reader.Page,
		Ready:    reader.Ready,
		Stage:    stage(t, t.TempDir()),
		Settings: billscan.Settings{Room: room, Deadline: 15 * time.Second},
	})

	read := func(organisation, document string) error {
		_, err := s.Read(t.Context(), organisation, billscan.Document{File: strings.NewReader(document)})
		return err
	}

	require.True(t, fault.Is(read("org_z", small), fault.QRNotFound)) // the library is compiled
	debug.FreeOSMemory()
	require.NoError(t, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)) // VmHWM begins anew
	idle := resident(t)

	var all sync.WaitGroup

	for i := range 8 {
		all.Go(func() {
			err := read(fmt.Sprint("org_", i/4), documents[i%4])
			t.Logf("document %d: %v", i, err)

			_, refused := fault.As(err)
			require.True(t, refused, "%v", err)
		})
	}

	require.True(t, fault.Is(read("org_z", small), fault.QRNotFound))
	all.Wait()

	peak := resident(t)
	t.Logf("%d MB, %d MB before", peak>>20, idle>>20)
	require.Less(t, peak-idle, int64(shipped/2))
}
