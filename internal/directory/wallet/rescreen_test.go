//go:build !nosandbox

package wallet_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/wallet"
	"slipway/internal/rails/screening"
)

// A newer list blocks at once whoever it names, and frees whom it names no more; what people have decided stands;
// each answer is on record.
func TestNewerListsReachStoredWallets(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		named, namedAddress := w.Usable(dt.A)
		other, _ := w.Usable(dt.A)
		decided := w.Wallet(dt.A, "0x111111111111111111111111111111111111cafe").Text("_id")
		require.NoError(t, w.Wallets.Screen(ctx, decided))

		for _, who := range []string{dt.Staff, dt.Operator} {
			w.Do(
				who,
				"POST",
				"/wallets/"+decided+"/screening-decision",
				`{"decision":"REJECTED","reason":"looked"}`,
			).Status(200)
		}

		status := func(id string) string { return w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus") }

		path := filepath.Join(t.TempDir(), "list.txt")
		require.NoError(t, os.WriteFile(path, []byte(namedAddress+"\n"), 0o600))
		lists, err := screening.NewLists(path)
		require.NoError(t, err)
		w.Jobs()

		for range 2 { // the second finds nothing to do
			require.NoError(t, w.Wallets.Rescreen(ctx, lists))
			require.Equal(
				t,
				[]string{"REJECTED", "APPROVED", "REJECTED"},
				[]string{status(named), status(other), status(decided)},
			)
		}

		require.Empty(t, w.Jobs())
		a := w.Do(dt.A, "GET", "/wallets/"+named, "").Status(200)
		require.Contains(t, a.Text("screeningErrMessage"), "list.txt")
		records := w.Screened(named)
		require.Len(t, records, 2)
		require.Equal(t, a.Text("screeningAnalysisId"), records[0].ID)
		require.Equal(t, screening.Rejected, records[0].Status)
		require.Equal(t, lists.Edition(), records[0].Reference)
		require.Equal(t, screening.Approved, records[1].Status)

		require.NoError(t, os.WriteFile(path, []byte("0x2222222222222222222222222222222222222222\n"), 0o600))
		require.NoError(t, lists.Reload())
		require.NoError(t, w.Wallets.Rescreen(ctx, lists))
		require.Equal(
			t,
			[]string{"PENDING", "APPROVED", "REJECTED"},
			[]string{status(named), status(other), status(decided)},
		)
		require.Equal(t, []string{"wallet.screen wallet/" + named + "/screen " + named}, w.Jobs())
		require.NoError(t, w.Wallets.Screen(ctx, named))
		require.Equal(t, "APPROVED", status(named))
	})
}

// A wallet in use is screened again before its approval ends. A rejection counts at once, a question when the
// approval has ended.
func TestApprovalsAreRenewedInTime(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		id, address := w.Usable(dt.A)
		gone, goneAddress := w.Usable(dt.A)
		asked, askedAddress := w.Usable(dt.A)
		status := func(id string) string { return w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus") }
		n, err := w.Wallets.RenewScreenings(ctx, 10)
		require.NoError(t, err)
		require.Zero(t, n, "it is too early")

		w.Screening.Ask = func(a string) (screening.Result, error) {
			switch a {
			case goneAddress:
				return screening.Result{Status: screening.Rejected, Message: "listed"}, nil
			case askedAddress:
				return screening.Result{Status: screening.Review}, nil
			}

			require.Equal(t, address, a)

			return screening.Result{Status: screening.Approved}, nil
		}

		first := w.Do(dt.A, "GET", "/wallets/"+id, "").Text("screeningAnalysisId")
		w.Advance(wallet.ScreeningLifetime - 30*time.Minute)
		n, err = w.Wallets.RenewScreenings(ctx, 10)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.NotEqual(t, first, w.Do(dt.A, "GET", "/wallets/"+id, "").Text("screeningAnalysisId"))

		require.Equal(
			t,
			[]string{"APPROVED", "REJECTED", "APPROVED"},
			[]string{status(id), status(gone), status(asked)},
			"a rejection counts at once",
		)

		w.Advance(time.Hour)
		require.Equal(t, []string{"APPROVED", "REJECTED", "EXPIRED"}, []string{status(id), status(gone), status(asked)})

		_, err = w.Wallets.ExpireScreenings(ctx, 10)
		require.NoError(t, err)
		require.NoError(t, w.Wallets.Screen(ctx, asked))
		require.Equal(t, []string{"APPROVED", "REJECTED", "REVIEW"}, []string{status(id), status(gone), status(asked)})

		records := w.Screened(id)
		require.Len(t, records, 2)
	})
}
