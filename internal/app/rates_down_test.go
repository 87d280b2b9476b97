//go:build !nosandbox

package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/standards/ecb"
)

const daily = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" ` +
	`xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<Cube><Cube time="%s"><Cube currency="USD" rate="1.0850"/></Cube></Cube></gesmes:Envelope>`

// A source of rates that cannot be reached is seen by everybody who watches, before anybody needs a rate: in
// the metrics, by /readyz and at the operators' desk.
func TestADeadSourceOfRatesIsSeen(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)

		var down atomic.Bool

		day := ecb.Latest(h.DB().Now())
		bank := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if down.Load() {
				http.Error(w, "no", http.StatusServiceUnavailable)
				return
			}

			_, _ = fmt.Fprintf(w, daily, day.Format(time.DateOnly))
		}))
		t.Cleanup(bank.Close)

		h.Environ = append(h.Environ,
			"SLIPWAY_RATES__SOURCE=market",
			"SLIPWAY_RATES__ECB_URL="+bank.URL,
		)
		h.Restart()

		o := h.Operators()
		desk := func() map[string]rateSource {
			var list struct {
				Results []rateSource `json:"results"`
			}
			o.Do("GET", "/operations/rate-sources", nil).OK(200).Into(&list)

			out := map[string]rateSource{}
			for _, s := range list.Results {
				out[s.Source] = s
			}

			return out
		}

		require.True(t, desk()["ECB"].Usable)
		require.True(t, gauge(h, h.App, `slipway_rate_source_usable{source="ECB"} 1`))

		status, _ := ready(h, h.App)
		require.Equal(t, "ok", status)

		down.Store(true)
		h.Restart()

		status, checks := ready(h, h.App)
		require.Equal(t, "degraded", status)
		require.Equal(t, "failed", checks["rates"])

		dead := desk()["ECB"]
		require.False(t, dead.Usable)
		require.Contains(t, dead.Problem, "HTTP status 503")
		require.True(t, gauge(h, h.App, `slipway_rate_source_usable{source="ECB"} 0`))
		require.False(t, gauge(h, h.App, `slipway_rate_source_age_seconds{source="ECB"}`), "it has given none")

		down.Store(false)
		h.DB().Clock().Advance(3 * time.Minute)
		require.NotNil(t, desk()["ECB"].AsOf)

		h.Restart() // figures are kept for some seconds
		require.True(t, gauge(h, h.App, `slipway_rate_source_age_seconds{source="ECB"}`))
		h.Client("Ada").Do("GET", "/operations/rate-sources", nil).Refused(403, "ROLE_REQUIRED")
	})
}

type rateSource struct {
	Source  string     `json:"source"`
	Usable  bool       `json:"usable"`
	AsOf    *time.Time `json:"asOf"`
	Problem string     `json:"problem"`
}
