//go:build !nosandbox

package app_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/screening"
)

// interrupted is a provider during whose next answer something happens.
type interrupted struct {
	screening.Provider

	during atomic.Pointer[func()]
}

func (p *interrupted) Screen(ctx context.Context, network, address string) (screening.Result, error) {
	if do := p.during.Swap(nil); do != nil {
		(*do)()
	}

	return p.Provider.Screen(ctx, network, address)
}

// A wake-up that comes while the job runs is not lost. A wallet whose address is changed while the provider is
// asked about the old one is screened by its new address, with nobody asking again.
func TestAWalletChangedWhileItIsScreenedIsScreenedAgain(t *testing.T) {
	var provider interrupted

	tune := func(out *app.Outside) {
		provider.Provider = out.Screening.Addresses
		out.Screening.Addresses = &provider
	}

	apptest.EachWith(t, apptest.Config{Tune: tune}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		next := h.Account("another wallet").Address.Hex()
		change := func() { c.Do("PATCH", "/wallets/"+c.Wallet, object{"address": next}).OK(200) }

		h.Exec("UPDATE wallets SET screening_status = 'PENDING' WHERE id = ?", c.Wallet)
		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			h.App.Jobs.Demand(tx, "wallet.screen", "wallet/"+c.Wallet+"/screen", c.Wallet)
			return nil
		}))
		provider.during.Store(&change)
		h.RunJobs()

		require.Nil(t, provider.during.Load(), "the address was changed while the provider was asked")
		require.EqualValues(
			t,
			1,
			h.Count(
				"SELECT count(*) FROM wallets WHERE id = ? AND address = ? AND screening_status = 'APPROVED'",
				c.Wallet,
				next,
			),
		)
	})
}

// A batch that is refused while the job still looks into an earlier doubt about it is looked into once more, and
// ends: the amount goes back.
func TestADoubtThatComesWhileTheLastOneIsLookedIntoIsResolved(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", true))

		id := c.Accepted("USDC", "10.00")
		h.RunJobs()

		refused := func() {
			require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
				return h.App.Settlement.Refused(t.Context(), tx, "transaction/"+id+"/batch", "execution reverted")
			}))
		}
		refused()
		require.Equal(t, "UNCERTAIN", c.Read(id).Settlement)

		looks := 0
		h.App.Jobs.Handle("settle-doubt", func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
			err := h.App.Settlement.Resolve(ctx, j.Payload)

			if looks++; looks == 1 { // the job has found a send that may still act, and has not ended yet
				h.Exec("UPDATE chain_sends SET state = 'REFUSED'")
				refused()
			}

			return jobs.Done(), err
		})
		h.RunJobs()

		require.Equal(t, 2, looks)
		c.Ends(id, failed, transaction.PaymentFailed)
		h.Oracle()
	})
}
