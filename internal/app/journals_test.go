//go:build !nosandbox

package app_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// journal is what tests look at of one.
type journal struct {
	ID           string `json:"_id"`
	Key          string `json:"key"`
	Kind         string `json:"kind"`
	Organisation string `json:"organisation"`
	Name         string `json:"organisationName"`
	Transaction  string `json:"transaction"`
	Link         *struct {
		Number int64 `json:"number"`
	} `json:"link"`
	Postings []struct {
		Account string `json:"account"`
		Name    string `json:"accountName"`
		Asset   string `json:"asset"`
		Amount  string `json:"amount"`
	} `json:"postings"`
	Unchanged bool `json:"isUnchanged"`
	Genuine   bool `json:"isGenuine"`
}

type journals struct {
	Results    []journal `json:"results"`
	Total      int       `json:"total"`
	NextCursor *string   `json:"nextCursor"`
}

func journalsOf(o apptest.Operators, query url.Values) (out journals) {
	o.Do("GET", "/operations/ledger/journals?"+query.Encode(), nil).OK(200).Into(&out)

	return out
}

// Operators find journals by what they book and where, page by page, and see one with its postings in whole units and
// under the names that people know.
func TestOperatorsReadTheBook(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		o := h.Operators()
		c := h.Client("Ada")
		id := c.Accepted("USDC", "12.50")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)

		_, err := ledger.Seal(t.Context(), h.DB(), h.App.Keys)
		require.NoError(t, err)

		of := journalsOf(o, url.Values{"transaction": {id}})
		require.Equal(t, len(of.Results), of.Total)
		require.Equal(t, "transaction/"+id+"/hold", of.Results[len(of.Results)-1].Key, "the newest come first")

		for _, j := range of.Results {
			require.Equal(t, id, j.Transaction)
			require.Equal(t, c.Org, j.Organisation)
			require.NotEqual(t, c.Org, j.Name)
			require.NotNil(t, j.Link)
		}

		hold := journalsOf(o, url.Values{"key": {"transaction/" + id + "/hold"}})
		require.Len(t, hold.Results, 1)

		held := string(ledger.HoldAccount(world.NetworkID, c.Org))
		require.Equal(t, hold.Results[0], journalsOf(o, url.Values{"account": {held}, "kind": {"hold"}}).Results[0])
		require.Empty(t, journalsOf(o, url.Values{"account": {held}, "from": {"2100-01-01"}}).Results)
		require.Empty(t, journalsOf(o, url.Values{"account": {"hold/none"}}).Results)
		require.Empty(t, journalsOf(o, url.Values{"organisation": {"org_none"}}).Results)

		walkJournals(t, o, url.Values{"limit": {"2"}, "transaction": {id}}, of)

		var one journal

		o.Do("GET", "/operations/ledger/journals/"+hold.Results[0].ID, nil).OK(200).Into(&one)
		require.True(t, one.Unchanged && one.Genuine)
		require.Equal(t, "-12.50", one.Postings[0].Amount)
		require.Equal(t, "12.50", one.Postings[1].Amount)
		require.Equal(t, held, one.Postings[1].Account)
		require.Contains(t, one.Postings[1].Name, "reserved for")
		require.NotContains(t, one.Postings[1].Name, "net_dev")

		o.Do("GET", "/operations/ledger/journals/jrn_none", nil).Refused(404, "NOT_FOUND")
		o.Do("GET", "/operations/ledger/journals?from=yesterday", nil).Refused(422, "FORMAT_INVALID")
		o.Do("GET", "/operations/ledger/journals?cursor=djE6bm9uZQ", nil).Refused(422, "CURSOR_INVALID")
	})
}

// walkJournals reads a list page by page and compares it with the whole.
func walkJournals(t *testing.T, o apptest.Operators, query url.Values, all journals) {
	t.Helper()

	var found []journal

	for {
		page := journalsOf(o, query)
		require.LessOrEqual(t, len(page.Results), 2)
		found = append(found, page.Results...)

		if page.NextCursor == nil {
			break
		}

		query.Set("cursor", *page.NextCursor)
	}

	require.Equal(t, all.Results, found)
}

// proof is what tests look at of a verification.
type proof struct {
	ID       string   `json:"_id"`
	State    string   `json:"state"`
	Name     string   `json:"askedByName"`
	Read     int      `json:"journalsRead"`
	Journals int      `json:"journals"`
	Faults   []string `json:"faults"`
	Open     []struct {
		Account string `json:"account"`
		Amount  string `json:"amount"`
	} `json:"open"`
	EndedAt *string `json:"endedAt"`
}

func proofs(o apptest.Operators) []proof {
	var out struct {
		Results []proof `json:"results"`
	}

	o.Do("GET", "/operations/ledger/verifications", nil).OK(200).Into(&out)

	return out.Results
}

// proveBook asks for a proof of the book and runs its job.
func proveBook(t *testing.T, h *apptest.Harness, o apptest.Operators) proof {
	t.Helper()

	asked := o.Do("POST", "/operations/ledger/verifications", nil).OK(202)
	_, err := h.App.Proofs.RunDue(t.Context(), 10)
	require.NoError(t, err)

	found := proofs(o)[0]
	require.Equal(t, asked.ID(), found.ID)

	return found
}

// An operator asks for a proof of the book. While it runs there is no other. It finds a sound book sound, with what is
// under way, and a row that was changed behind the service's back (B-05).
func TestOperatorsHaveTheBookProven(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		o := h.Operators()
		c := h.Client("Ada")
		id := c.Accepted("USDC", "12.50")

		first := o.Do("POST", "/operations/ledger/verifications", nil).OK(202)
		require.Equal(t, first.ID(), o.Second.Do("POST", "/operations/ledger/verifications", nil).OK(202).ID())
		require.Equal(t, "RUNNING", proofs(o)[0].State)

		_, err := h.App.Proofs.RunDue(t.Context(), 10)
		require.NoError(t, err)

		found := proofs(o)
		require.Len(t, found, 1)
		require.Equal(t, "SOUND", found[0].State, "%v", found[0].Faults)
		require.Contains(t, found[0].Name, "Olga")
		require.Positive(t, found[0].Journals)
		require.Equal(t, found[0].Journals, found[0].Read)
		require.NotNil(t, found[0].EndedAt)
		require.Equal(t, string(ledger.HoldAccount(world.NetworkID, c.Org)), found[0].Open[0].Account)
		require.Equal(t, "12.50", found[0].Open[0].Amount)

		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE journals SET kind = 'gift' WHERE transaction_id = ?", id)
			return err
		}))

		bad := proveBook(t, h, o)
		require.Equal(t, "UNSOUND", bad.State)
		require.Contains(t, bad.Faults[0], "does not have the content it was written with")

		of := journalsOf(o, url.Values{"transaction": {id}})

		var one journal

		o.Do("GET", "/operations/ledger/journals/"+of.Results[0].ID, nil).OK(200).Into(&one)
		require.False(t, one.Unchanged)
		require.True(t, one.Genuine, "the hash is the one that was signed")

		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE journals SET kind = 'hold' WHERE transaction_id = ?", id)
			return err
		}))
		require.Equal(t, "SOUND", proveBook(t, h, o).State)
		h.SettleAll()
	})
}
