//go:build !nosandbox

package billscan_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/billscan"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/qrscan"
)

// pngOfSide is the beginning of a PNG file of so many pixels on each side, in colours.
func pngOfSide(side uint32) string {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), side), side)
	header = append(header, 8, 2, 0, 0, 0)

	return "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" +
		string(binary.BigEndian.AppendUint32(header, crc32.ChecksumIEEE(header)))
}

// ledger says what documents under way may take, all together, and the most that it ever was.
type ledger struct {
	sync.Mutex
	now, peak int
	read      map[string]int // how often each kind was read to its end
}

// take counts memory as taken until it is given back.
func (l *ledger) take(n int) (giveBack func()) {
	l.Lock()
	defer l.Unlock()

	l.now += n
	l.peak = max(l.peak, l.now)

	return func() {
		l.Lock()
		defer l.Unlock()

		l.now -= n
	}
}

// L-05: however many heavy documents are sent, they take no more memory than there is for documents: one after the
// other is read. Small ones of others go on beside them, and what can never fit is refused.
func TestHeavyDocumentsWaitForTheirMemory(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	for name, c := range map[string]struct {
		atOnce  int
		memory  int64
		waiting time.Duration // that a small document may have to wait
		refused bool          // the large ones
	}{
		"the shipped limit": {atOnce: 2, memory: 512 << 20, waiting: 2 * time.Second},
		"much memory":       {atOnce: 8, memory: 2 << 30, waiting: 2 * time.Second},
		"more places":       {atOnce: 8, memory: 1 << 30, waiting: 2 * time.Second},
		"one place":         {atOnce: 1, memory: 320 << 20, waiting: 4 * time.Second},
		"little memory":     {atOnce: 2, memory: 256 << 20, waiting: 2 * time.Second, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &ledger{read: map[string]int{}}

				s := billscan.New(billscan.Deps{
					DB:       d,
					Stage:    dir,
					Settings: billscan.Settings{Room: qrscan.RoomFor(c.atOnce, c.memory), Deadline: 15 * time.Second},
					Scan: func(ctx context.Context, document []byte, memory int) ([]qrscan.Code, error) {
						defer l.take(memory)()

						if string(document) == "small" {
							return scan(ctx, []byte(codesOf(qrr)), 0)
						}

						cost := qrscan.Cost(document)
						if qrscan.IsPDF(document) {
							cost = 300 << 20

							time.Sleep(time.Second) // until it asks for more than it has
						}

						if cost > memory {
							return nil, qrscan.ErrMemory
						}

						time.Sleep(3 * time.Second)

						l.Lock()
						l.read[string(document[1:4])]++
						l.Unlock()

						return nil, nil
					},
				})

				answers := make(chan error, 8)
				for i := range 8 {
					document := "%PDF-1.7"
					if i%2 == 1 {
						document = pngOfSide(6200)
					}

					go func() {
						_, err := s.Read(t.Context(), fmt.Sprint("org_", i/4), billscan.Document{
							File: strings.NewReader(document),
						})
						answers <- err
					}()
				}

				synctest.Wait()

				for range 3 {
					time.Sleep(700 * time.Millisecond)

					begin := time.Now()
					_, err := s.Read(t.Context(), "org_z", billscan.Document{File: strings.NewReader("small")})
					require.NoError(t, err)
					require.LessOrEqual(t, time.Since(begin), c.waiting)
				}

				want := fault.QRNotFound
				if c.refused {
					want = fault.DocumentTooLarge
				}

				for range 8 {
					err := <-answers
					require.True(t, fault.Is(err, want), "%v", err)
				}

				require.LessOrEqual(t, int64(l.peak), c.memory)
				require.Zero(t, l.now)

				if !c.refused {
					require.Equal(t, map[string]int{"PDF": 4, "PNG": 4}, l.read)
				}
			})
		})
	}
}

// What needs more memory than most is read once more, with as much as a document may have, and then refused.
func TestADocumentIsReadTwiceAtMostForItsMemory(t *testing.T) {
	var given []int

	s := billscan.New(billscan.Deps{
		Stage:    stage(t, t.TempDir()),
		Settings: billscan.Settings{Room: qrscan.RoomFor(2, 0), Deadline: 15 * time.Second},
		Scan: func(_ context.Context, _ []byte, memory int) ([]qrscan.Code, error) {
			given = append(given, memory)
			return nil, qrscan.ErrMemory
		},
	})

	_, err := s.Read(t.Context(), "org_a", billscan.Document{File: strings.NewReader("%PDF-1.7")})
	require.True(t, fault.Is(err, fault.DocumentTooLarge), "%v", err)
	require.Equal(t, []int{qrscan.LightMemory, qrscan.MostMemory}, given)
}
