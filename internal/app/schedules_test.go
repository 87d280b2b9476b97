//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// P-13: a process that is killed anywhere between the first write of a day and the acceptance leaves something that the
// next one brings to its end: the day's payment is on the chain once.
func TestADayOfAScheduleIsPaidOnceWhereverTheProcessIsKilled(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		tomorrow := h.DB().Now().UTC().AddDate(0, 0, 1)

		body := c.Body("USDC", c.Payment(c.Payee, "10.01"))
		body["firstDay"] = tomorrow.Format(time.DateOnly)
		id := c.Do("POST", "/schedules", body).OK(201).ID()
		c.Do("POST", "/schedules/"+id+"/accept", nil).OK(200)

		day := time.Date(tomorrow.Year(), tomorrow.Month(), tomorrow.Day(), 1, 0, 0, 0, time.UTC)
		ahead := day.Sub(h.DB().Now())
		nodes := []string{h.NodeURL(), h.SecondNode()}
		h.Stop(h.App)

		for i, point := range []string{"schedule.made", "schedule.submitted", "accept.before_commit", "accept.after_commit"} {
			work := apptest.Work{Nodes: nodes, Ahead: ahead + time.Duration(i)*later, Forever: true}
			h.Spawn(work, point).Wait().Killed()
		}

		h.Ahead(ahead + 5*later)

		var v struct {
			State string `json:"state"`
			Days  []struct {
				State       string `json:"state"`
				Transaction string `json:"transaction"`
			} `json:"days"`
		}
		c.Do("GET", "/schedules/"+id, nil).OK(200).Into(&v)
		require.Equal(t, "ENDED", v.State)
		require.Len(t, v.Days, 1)
		require.Equal(t, "PAID", v.Days[0].State)

		h.Settle()
		require.Len(
			t,
			c.Ends(v.Days[0].Transaction, transaction.StatusCompleted, transaction.PaymentCompleted).Chain,
			1,
		)

		moved, _ := h.Ground()
		require.Len(t, moved, 1, "the payment is on the chain once")
		h.Oracle()
	})
}

// A schedule waits on the overview until it is accepted.
func TestAScheduledPaymentThatWaitsIsOnTheOverview(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		body := c.Body("USDC", c.Payment(c.Payee, "10.01"))
		body["firstDay"] = h.DB().Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
		id := c.Do("POST", "/schedules", body).OK(201).ID()

		waits := func() int {
			var v struct {
				Waiting struct {
					Schedules int `json:"schedules"`
				} `json:"waiting"`
			}
			c.Do("GET", "/overview", nil).OK(200).Into(&v)

			return v.Waiting.Schedules
		}
		require.Equal(t, 1, waits())
		c.Do("POST", "/schedules/"+id+"/accept", nil).OK(200)
		require.Equal(t, 0, waits())
	})
}

// A day on which the rail to a payee's bank rests is paid on the next working day, and the answer says so.
func TestAScheduledPaymentWaitsForTheRail(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		christmas := time.Date(h.DB().Now().Year()+1, 12, 25, 0, 0, 0, 0, time.UTC)

		payment := c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00")
		body := c.Body("USDC", payment)
		body["type"] = "FIAT"
		body["firstDay"] = christmas.Format(time.DateOnly)
		body["maxDebit"] = "500"

		var v struct {
			NextDay string `json:"nextDay"`
		}
		c.Do("POST", "/schedules", body).OK(201).Into(&v)

		day, err := time.Parse(time.DateOnly, v.NextDay)
		require.NoError(t, err)
		require.GreaterOrEqual(t, day.Day(), 27)
		require.NotContains(t, []time.Weekday{time.Saturday, time.Sunday}, day.Weekday())
	})
}
