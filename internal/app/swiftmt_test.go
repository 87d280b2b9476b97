//go:build !nosandbox

package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// F-12: the deposit of an on-ramp that the bank tells of in MT940 is found by its reference and delivered.
func TestAnOnrampIsPaidByAStatementOfSWIFT(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "CHF", "2500.00")
		day := h.DB().Now().UTC().Format("060102")
		file := fmt.Sprintf(
			":20:STARTUMS\r\n:25:CH6700099012345678901\r\n:28C:1/1\r\n:60F:C%sCHF1000,00\r\n:61:%s%sC2500,00NTRFNONREF//POS 1\r\n"+
				":86:166?00GUTSCHRIFT?20EREF+E-1?21SVWZ+Deposit %s?32%s\r\n:62F:C%sCHF3500,00\r\n-\r\n",
			day,
			day,
			day[2:],
			reference,
			c.Name(),
			day,
		)

		_, err := h.App.Bank.Import(t.Context(), "statement.sta", strings.NewReader(file), nil)
		require.NoError(t, err)
		h.MineUntil("delivered", func() bool { return c.Read(id).Status == completed })
		require.Empty(t, h.Suspense())
		h.Oracle()
	})
}

// And in BAI2: of a report during the day nothing is booked.
func TestAnOnrampIsPaidByAReportOfBAI2(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "CHF", "2500.00")
		day := h.DB().Now().UTC().Format("060102")

		for _, modifier := range []string{"3", "2"} {
			require.NotEqual(t, completed, c.Read(id).Status, "nothing is booked yet")

			file := fmt.Sprintf(
				"01,BANK,SLIPWAY,%[1]s,0700,%[2]s,,,2/\n02,SLIPWAY,BANK,1,%[1]s,2400,CHF,%[2]s/\n"+
					"03,CH6700099012345678901,,010,100000,,,015,350000,,/\n16,195,250000,V,%[1]s,,POS 1,,DEPOSIT %[3]s/\n"+
					"88,DBNM: %[4]s\n49,700000,4/\n98,700000,1,6/\n99,700000,1,8/\n",
				day,
				modifier,
				reference,
				c.Name(),
			)
			name := "report-" + modifier + ".txt"

			_, err := h.App.Bank.Import(t.Context(), name, strings.NewReader(file), nil)
			require.NoError(t, err)
		}

		h.MineUntil("delivered", func() bool { return c.Read(id).Status == completed })
		require.Empty(t, h.Suspense())
		h.Oracle()
	})
}
