package nacha

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/parts"
)

// The library of others takes every file that is written here, and finds each entry in it.
func TestRealLibraryTakesWhatIsWritten(t *testing.T) {
	program := parts.Need(t, "ach-judge")[0]

	for _, n := range []int{1, 2, 10, 300} {
		for _, balanced := range []bool{false, true} {
			o := order(n)
			o.From.ACH.Balanced = balanced
			o.Payments[0].Amount = usd(sameDayLimit + 7)
			o.Payments[0].Account.AccountType = "SAVINGS"
			o.Day = o.Created.Format(time.DateOnly)

			path := parts.File(t, t.TempDir(), "file.ach", string(write(t, o)))
			out, err := exec.CommandContext(t.Context(), program, path).Output()
			require.NoError(t, err)
			require.NotContains(t, string(out), "REFUSED", "%d %v: %s", n, balanced, out)

			for _, p := range o.Payments {
				require.Equal(t, 1, strings.Count(string(out), fmt.Sprintf("|%d|%s|", p.Amount.Units(), p.Identity)))
			}
		}
	}
}
