package transaction_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/transaction"
)

// In the second of its deadline a signature is not sent any more, and what was sent may still be executed.
func TestASignatureAtItsDeadline(t *testing.T) {
	x := transaction.Signed{Deadline: 1_795_600_000}
	at := func(d time.Duration) time.Time { return time.Unix(x.Deadline, 0).Add(d) }

	require.False(t, x.Lapsed(at(-time.Microsecond)))
	require.True(t, x.Lapsed(at(0)))
	require.True(t, x.Lapsed(at(time.Second)))

	require.False(t, x.Dead(1_795_599_999))
	require.False(t, x.Dead(1_795_600_000))
	require.True(t, x.Dead(1_795_600_001))
}
