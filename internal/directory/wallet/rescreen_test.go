//go:build !nosandbox

package wallet_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/analysis"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/rails/screening"
)

// A newer list blocks at once whoever it names, and frees whom it names no more; what people have decided stands; each answer is on record.
func TestNewerListsReachStoredWallets(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		named, namedAddress := w.Usable(dt.A)
		other, _ := w.Usable(dt.A)
		decided := w.Wallet(dt.A, "0x111111111111111111111111111111111111cafe").Text("_id")
		require.NoError(t, w.Wallets.Screen(ctx, decided))
		w.Do(dt.Staff, "POST", "/wallets/"+decided+"/screening-decision", `{"decision":"REJECTED","reason":"looked"}`).Status(200)
		status := func(id string) string { return w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus") }

		path := filepath.Join(t.TempDir(), "list.txt")
		require.NoError(t, os.WriteFile(path, []byte(namedAddress+"\n"), 0o600))
		lists, err := screening.NewLists(path)
		require.NoError(t, err)
		w.Jobs()
		for range 2 { // the second finds nothing to do
			require.NoError(t, w.Wallets.Rescreen(ctx, lists))
			require.Equal(t, []string{"REJECTED", "APPROVED", "REJECTED"}, []string{status(named), status(other), status(decided)})
		}
		require.Empty(t, w.Jobs())
		a := w.Do(dt.A, "GET", "/wallets/"+named, "").Status(200)
		require.Contains(t, a.Text("screeningErrMessage"), "list.txt")
		records, err := analysis.Records(ctx, w.DB, named, 10)
		require.NoError(t, err)
		require.Len(t, records, 2)
		require.Equal(t, a.Text("screeningAnalysisId"), records[0].ID)
		require.Equal(t, screening.Rejected, records[0].Status)
		require.Equal(t, lists.Edition(), records[0].Reference)
		require.Equal(t, screening.Approved, records[1].Status)

		require.NoError(t, os.WriteFile(path, []byte("0x2222222222222222222222222222222222222222\n"), 0o600))
		require.NoError(t, lists.Reload())
		require.NoError(t, w.Wallets.Rescreen(ctx, lists))
		require.Equal(t, []string{"PENDING", "APPROVED", "REJECTED"}, []string{status(named), status(other), status(decided)})
		require.Equal(t, []string{"wallet.screen wallet/" + named + "/screen " + named}, w.Jobs())
		require.NoError(t, w.Wallets.Screen(ctx, named))
		require.Equal(t, "APPROVED", status(named))
	})
}
