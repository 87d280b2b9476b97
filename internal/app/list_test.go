//go:build !nosandbox

package app_test

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

type page struct {
	Results   []apptest.View `json:"results"`
	PageTotal int            `json:"page_total"`
	Total     int            `json:"total"`
	Next      *string        `json:"nextCursor"`
}

func list(c *apptest.Client, query string) page {
	var p page
	c.Do("GET", "/transactions?columnId=all"+query, nil).OK(200).Into(&p)
	return p
}

// Every filter of the interface, in each way that clients write lists.
func TestListFilters(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		other.Draft("USDC", "1.00")
		usdc := c.Draft("USDC", "1.00")
		dai := c.Draft("DAI", "1.00")
		waiting := c.Submitted("USDT", "1.00")
		percent := c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", with(c.Payment(c.Payee, "3.00"), object{"reason": `50% of A_1 \ Übung`})),
		).OK(201).ID()
		hidden := c.Draft("USDC", "2.00")
		c.Do("PATCH", "/transactions/"+hidden, object{"isHidden": true}).OK(200)
		// September 2020
		h.Exec("UPDATE transactions SET created_at = ? WHERE id = ?", int64(1_600_000_000_000_000), hidden)
		gone := c.Draft("USDC", "9.00")
		c.Do("DELETE", "/transactions/"+gone, nil).OK(200)

		esc := url.QueryEscape
		for query, want := range map[string][]string{
			"":                           {usdc, dai, waiting, percent, hidden},
			"&status[]=DRAFT":            {usdc, dai, percent, hidden},
			"&status=WAITING_ACCEPTANCE": {waiting},
			"&status[]=DRAFT&status[]=WAITING_ACCEPTANCE&tokens[]=USDT": {waiting},
			"&status=DRAFT,WAITING_ACCEPTANCE&tokens=USDT,DAI":          {dai, waiting},
			"&tokens[]=DAI":                       {dai},
			"&type[]=CRYPTO&tokens=DAI":           {dai},
			"&type[]=FIAT":                        {},
			"&currencies[]=cur_eur":               {},
			"&partners[]=p":                       {},
			"&commissionType=PARTNER":             {},
			"&commissionType=STANDARD&tokens=DAI": {dai},
			"&organisations[]=" + other.Org:       {},
			"&organisations[]=" + other.Org + "&organisations[]=" + c.Org: {usdc, dai, waiting, percent, hidden},
			"&isHidden=true":                                     {hidden},
			"&isHidden=false":                                    {usdc, dai, waiting, percent},
			"&selectedYear=2020":                                 {hidden},
			"&to=2021-01-01T00:00:00Z":                           {hidden},
			"&from=2021-01-01T00:00:00Z":                         {usdc, dai, waiting, percent},
			"&from=2020-01-01T00:00:00Z&to=2020-09-13T12:26:40Z": {}, // to is not included
			"&searchTerm=" + esc("50%"):                          {percent},
			"&searchTerm=" + esc("a_1"):                          {percent},
			"&searchTerm=" + esc(`\ übung`):                      {percent},
			"&searchTerm=" + esc("%"):                            {percent},
			"&searchTerm=" + esc("_1 "):                          {percent},
			"&searchTerm=" + esc("a_1 50%"):                      {percent},
			"&searchTerm=" + esc("a_1 51%"):                      {},
			"&searchTerm=3.00":                                   {percent},
			"&searchTerm=" + usdc[:len(usdc)-1]:                  {usdc},
			"&from=2020-09-13&to=2020-09-13":                     {hidden},
			"&from=2020-09-14&to=2020-12-31":                     {},
			"&searchTerm=" + usdc:                                {usdc},
			"&searchTerm=nothing":                                {},
		} {
			p := list(c, query)

			got := []string{}
			for _, v := range p.Results {
				got = append(got, v.ID)
			}

			require.ElementsMatch(t, want, got, query)
			require.Equal(t, len(want), p.Total, query)
			require.Equal(t, len(want), p.PageTotal, query)
			require.Nil(t, p.Next, query)
		}

		refused := func(query, field string) {
			t.Helper()
			a := c.Do("GET", "/transactions?"+query, nil)
			require.Equal(t, 422, a.Status, a.Raw)
			require.Equal(t, []string{field}, a.Fields(), query)
		}
		refused("columnId=all&sortBy=debit", "?sortBy NOT_IN_ENUM")
		refused("columnId=all&direction=2", "?direction NOT_IN_ENUM")
		refused("columnId=all&limit=251", "?limit OUT_OF_RANGE")
		refused("columnId=all&limit=0", "?limit OUT_OF_RANGE")
		refused("columnId=all&status=OPEN", "?status[] NOT_IN_ENUM")
		refused("columnId=all&from=yesterday", "?from FORMAT_INVALID")
		refused("columnId=all&colour=red", "?colour UNKNOWN_PARAMETER")
		refused("columnId=all&cursor=abc", "?cursor CURSOR_INVALID")
	})
}

// columnId is a saved view. It may be left out, and is in the answer.
func TestListViews(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		draft := c.Draft("USDC", "1.00")
		failed := c.Draft("USDC", "2.00")
		h.Exec("UPDATE transactions SET status = 'FAILED' WHERE id = ?", failed)

		for view, want := range map[string][]string{
			"":       {draft, failed},
			"all":    {draft, failed},
			"mine":   {draft, failed},
			"open":   {draft},
			"done":   {},
			"failed": {failed},
		} {
			query := "?columnId=" + view
			if view == "" {
				query = ""
			}

			var p struct {
				Results  []apptest.View `json:"results"`
				ColumnID string         `json:"columnId"`
			}

			c.Do("GET", "/transactions"+query, nil).OK(200).Into(&p)

			got := []string{}
			for _, v := range p.Results {
				got = append(got, v.ID)
			}

			require.ElementsMatch(t, want, got, view)
			require.Equal(t, cmp.Or(view, "all"), p.ColumnID)
		}
	})
}

// What is hidden is out of the lists that ask for that, and otherwise as before; another organisation hides nothing.
func TestATransactionIsHiddenAndShownAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		waiting := c.Submitted("USDC", "1.00")

		hide := func(hidden bool) (version int64) {
			var v struct {
				Status   string `json:"status"`
				IsHidden bool   `json:"isHidden"`
				Version  int64  `json:"version"`
			}

			c.Do("PATCH", "/transactions/"+waiting, object{"isHidden": hidden}).OK(200).Into(&v)
			require.Equal(t, hidden, v.IsHidden)

			return v.Version
		}

		once := hide(true)
		require.Equal(t, once, hide(true), "a second time changes nothing")
		require.Empty(t, list(c, "&isHidden=false").Results)
		require.Len(t, list(c, "&isHidden=true").Results, 1)

		h.Client("Bob").Do("PATCH", "/transactions/"+waiting, object{"isHidden": false}).OK(404)
		c.Do("POST", "/transactions/"+waiting+"/accept", nil).OK(200)
		require.NotEqual(t, once, hide(false))
		require.Len(t, list(c, "&isHidden=false").Results, 1)
	})
}

// A search finds what others know a transaction by: hashes on the chain, references at the bank, its receiver's name.
func TestListSearchesWhatOthersKnow(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		sent := c.Accepted("USDC", "1.00")
		h.Settle()

		paid := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "77.77"))
		h.SettleAll()

		hash := c.Read(sent).Chain[0].TxHash
		endToEnd := h.EndToEnd(paid, 0)

		for term, want := range map[string][]string{
			hash:                      {sent},
			strings.ToUpper(hash[2:]): {},
			hash[:10]:                 {sent},
			hash[:9]:                  {},
			hash + "0":                {},
			endToEnd:                  {paid},
			strings.ToLower(endToEnd): {paid},
			endToEnd[1:]:              {},
			"77.77":                   {paid},
			sent[:len(sent)-2]:        {sent},
		} {
			got := []string{}
			for _, v := range list(c, "&searchTerm="+url.QueryEscape(term)).Results {
				got = append(got, v.ID)
			}

			require.ElementsMatch(t, want, got, term)
			require.Empty(t, list(other, "&searchTerm="+url.QueryEscape(term)).Results, "another organisation's")
		}
	})
}

// A walk along cursors gives every record that was there at its start exactly once, in each order, while others are
// inserted; a cursor of one order is refused in another.
func TestCursorWalk(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		for _, sortBy := range []string{"createdAt", "updatedAt", "status", "type", "token", "_id"} {
			for _, direction := range []int{-1, 1} {
				for i := range 3 {
					c.Draft([]string{"USDC", "USDT", "DAI"}[i], "1.00")
				}

				c.Submitted("DAI", "1.00")
				order := fmt.Sprintf("&limit=3&sortBy=%s&direction=%d", sortBy, direction)

				there := map[string]int{}
				for _, v := range list(c, "&limit=250").Results {
					there[v.ID] = 0
				}

				cursor := ""
				for {
					p := list(c, order+cursor)
					for _, v := range p.Results {
						if _, ok := there[v.ID]; ok {
							there[v.ID]++
						}
					}

					if p.Next == nil {
						break
					}

					cursor = "&cursor=" + *p.Next

					if len(there) < 40 {
						c.Draft("USDC", "1.00")
					}
				}

				for id, n := range there {
					require.Equal(t, 1, n, "%s in order %s", id, order)
				}

				a := c.Do(
					"GET",
					fmt.Sprintf(
						"/transactions?columnId=all&limit=3&sortBy=%s&direction=%d%s",
						sortBy,
						-direction,
						cursor,
					),
					nil,
				)
				a.Refused(422, "CURSOR_INVALID", "?cursor CURSOR_INVALID")
			}
		}
	})
}
