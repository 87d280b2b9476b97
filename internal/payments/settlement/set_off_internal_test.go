package settlement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// D-08: only money that is here, and neither on its way back nor given up, is set off; an organisation's own, in the
// currency that is owed.
func TestWhatCanBeSetOff(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		eur := money.Asset{Code: "EUR", Decimals: 2}
		put := func(id, organisation string, asset money.Asset, state ReturnState) {
			amount := money.Zero(asset)

			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				insertReturn(tx, PayoutReturn{
					ID:           id,
					Organisation: organisation,
					Amount:       amount,
					Deducted:     amount,
					State:        state,
				})

				return nil
			}))
		}

		for _, s := range []ReturnState{
			ReturnReceived,
			ReturnHeld,
			ReturnGivenBack,
			ReturnResent,
			ReturnSetOff,
		} {
			put("ent_"+string(s), "org_1", eur, s)
		}

		put("ent_other", "org_2", eur, ReturnReceived)
		put("ent_francs", "org_1", money.Asset{Code: "CHF", Decimals: 2}, ReturnReceived)

		all, err := returnsToSetOff(t.Context(), d, "org_1", "EUR")
		require.NoError(t, err)

		var ids []string
		for _, x := range all {
			ids = append(ids, x.ID)
		}

		require.ElementsMatch(t, []string{"ent_RECEIVED", "ent_HELD"}, ids)
	})
}
