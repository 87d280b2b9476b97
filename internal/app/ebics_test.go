//go:build !nosandbox

package app_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/bank/ebicssim"
)

// F-14: the keys of a bank are used once two operators have accepted them, and not before.
func TestTwoOperatorsAcceptTheBanksKeys(t *testing.T) {
	host, err := ebicssim.New(ebicssim.Config{
		Folder:   t.TempDir(),
		Host:     "EXAMPLE",
		Users:    []string{"CUST0001/SLIPWAY1"},
		Activate: true,
	})
	require.NoError(t, err)

	server := httptest.NewServer(host)
	defer server.Close()

	order, err := ebics.ParseOrder("service=SCT scope=DE message=pain.001", true)
	require.NoError(t, err)

	tune := func(out *app.Outside) {
		out.Banking.EBICS = &app.EBICS{
			Contract: ebics.ContractConfig{
				URL:        server.URL,
				Subscriber: ebics.Subscriber{Host: "EXAMPLE", Partner: "CUST0001", User: "SLIPWAY1"},
			},
			Channel: ebics.ChannelConfig{Accounts: out.Banking.House, Payments: map[string]ebics.Order{"": order}},
		}
	}

	apptest.EachWith(t, apptest.Config{Tune: tune}, func(t *testing.T, h *apptest.Harness) {
		require.NoError(t, host.Reset("CUST0001/SLIPWAY1"))

		_, _, err := h.App.EBICS.Init(t.Context())
		require.NoError(t, err)

		s, keys, err := h.App.EBICS.FetchBankKeys(t.Context())
		require.NoError(t, err)

		two := h.Operators()
		as := func(person *apptest.Client) context.Context {
			return caller.With(t.Context(), caller.Principal{User: person.User, Staff: user.Operator})
		}

		var asked approval.Approval

		require.NoError(t, h.App.AskBankKeys(as(two.Client), s, keys, func(_ *db.Tx, ap approval.Approval) error {
			asked = ap
			return nil
		}))
		require.Contains(t, asked.Summary, keys.Authentication.HashText(s.Version))

		_, err = h.App.DecideApproval(as(two.Client), asked.ID, true, "mine")
		require.True(t, fault.Is(err, fault.SecondPersonRequired), "one person accepts nothing")

		_, err = h.App.EBICS.Rights(t.Context())
		require.ErrorIs(t, err, ebics.ErrNotReady)

		_, err = h.App.DecideApproval(as(two.Second), asked.ID, true, "compared with the letter")
		require.NoError(t, err)

		rights, err := h.App.EBICS.Rights(t.Context())
		require.NoError(t, err)
		require.True(t, rights.May(order))
	})
}
