package id_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestIdsSortByTimeAndThenInTheOrderTheyWereMade(t *testing.T) {
	var ids []string
	for i := range 2000 {
		ids = append(ids, id.New("txn", noon.Add(time.Duration(i/100)*time.Millisecond)))
	}

	require.True(t, slices.IsSorted(ids))
	require.Len(t, slices.Compact(slices.Clone(ids)), 2000)
}

// Two transactions that began at different times make their ids alternately: each keeps its order.
func TestIdsOfOneTimeKeepTheirOrderAmongThoseOfOtherTimes(t *testing.T) {
	var early, late []string
	for range 500 {
		early = append(early, id.New("jrn", noon))
		late = append(late, id.New("jrn", noon.Add(3*time.Millisecond)))
	}

	require.True(t, slices.IsSorted(early))
	require.True(t, slices.IsSorted(late))
	require.Less(t, early[499], late[0])
}

func TestIdsAreUniqueAcrossGoroutines(t *testing.T) {
	const each, workers = 20_000, 8
	made := make([][]string, workers)

	var all sync.WaitGroup
	for i := range made {
		all.Go(func() {
			for n := range each {
				made[i] = append(made[i], id.New("x", noon.Add(time.Duration(n%2)*time.Second)))
			}
		})
	}

	all.Wait()
	every := slices.Concat(made...)
	slices.Sort(every)
	require.Len(t, slices.Compact(every), each*workers)
}

func TestValidKnowsTheFormAndThePrefix(t *testing.T) {
	s := id.New("txn", noon)
	require.Len(t, s, len("txn_")+id.Length)
	require.True(t, id.Valid("txn", s))

	tail := strings.TrimPrefix(s, "txn_")
	for _, bad := range []string{
		"", "txn", "txn_", tail, "pay_" + tail, "txn-" + tail, "txn_" + tail[1:], s + "0", strings.ToUpper(s), "txn_" + strings.ToUpper(tail), " " + s, s + "\n",
		"txn_i" + tail[1:], "txn_l" + tail[1:], "txn_o" + tail[1:], "txn_u" + tail[1:], "txn_" + tail[:25] + "é", "txn_8" + tail[1:],
	} {
		require.False(t, id.Valid("txn", bad), "%q", bad)
	}
}

func TestMillisGivesTheTimeBack(t *testing.T) {
	for _, at := range []time.Time{noon, time.UnixMilli(0), time.UnixMilli(1), noon.Add(999 * time.Microsecond), noon.AddDate(500, 0, 0)} {
		ms, ok := id.Millis(id.New("a_b", at))
		require.True(t, ok)
		require.Equal(t, at.UnixMilli(), ms)
	}

	for _, bad := range []string{"", "x", "x_", "_" + strings.Repeat("z", 26)} {
		_, ok := id.Millis(bad)
		require.False(t, ok, "%q", bad)
	}
}
