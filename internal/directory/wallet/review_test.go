//go:build !nosandbox

package wallet_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
)

const (
	approves = `{"decision":"APPROVED","reason":"known exchange"}`
	rejects  = `{"decision":"REJECTED","reason":"mixer"}`
)

// inReview returns a new wallet that waits for people.
func inReview(t *testing.T, w *dt.World) string {
	t.Helper()
	id := w.Wallet(dt.A, "0x111111111111111111111111111111111111cafe").Text("_id")
	require.NoError(t, w.Wallets.Screen(context.Background(), id))
	require.Equal(t, "REVIEW", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus"))

	return id
}

// Z-07: no single person lets a wallet in REVIEW be used, or blocks it: two who say the same decide. Each word is
// audited, and only the decision is on record.
func TestTwoPeopleDecideAReview(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := inReview(t, w)
		path := "/wallets/" + id + "/screening-decision"
		said := func(who, word, status, proposed, decided string) {
			t.Helper()
			a := w.Do(who, "POST", path, word).Status(200)
			review := a.Body["review"].(map[string]any)
			require.Equal(t, status, a.Text("walletAnalysisStatus"))
			require.Equal(t, proposed, review["proposedBy"])

			if decided == "" {
				require.Nil(t, review["decidedBy"])
				return
			}

			require.Equal(t, decided, review["decidedBy"])
		}

		said(dt.Staff, approves, "REVIEW", "usr_st", "")
		w.Do(dt.Staff, "POST", path, approves).Refused(409, fault.ScreeningSecondPerson, "")
		said(dt.Operator, rejects, "REVIEW", "usr_op", "")
		said(dt.Staff, approves, "REVIEW", "usr_st", "")
		records := w.Screened(id)
		require.Len(t, records, 1, "a proposal is no answer")

		identitytest.TooNew(t, w.DB, "usr_op2")
		w.Do(dt.Second, "POST", path, approves).Refused(403, fault.OperatorTooNew, "")
		w.DB.Clock().Advance(user.GrantDelay)
		said(dt.Second, approves, "APPROVED", "usr_st", "usr_op2")
		w.Do(dt.Operator, "POST", path, rejects).Refused(409, fault.WalletNotInReview, "")
		records = w.Screened(id)
		require.Len(t, records, 2)
		require.Equal(t, analysis.ByPeople, records[0].Reference)
		require.NotContains(
			t,
			w.Do(dt.A, "GET", "/wallets/"+id, "").Raw,
			"usr_st",
			"the organisation is not shown who decides",
		)
	})
}

// Z-07: what one person has said of an address does not count for another address of the same wallet.
func TestProposalEndsWithTheAddress(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := inReview(t, w)
		path := "/wallets/" + id + "/screening-decision"
		w.Do(dt.Staff, "POST", path, approves).Status(200)
		w.Do(dt.A, "PATCH", "/wallets/"+id, `{"address":"0x222222222222222222222222222222222222cafe"}`).Status(200)
		require.NoError(t, w.Wallets.Screen(context.Background(), id))

		require.Equal(t, "REVIEW", w.Do(dt.Operator, "POST", path, approves).Status(200).Text("walletAnalysisStatus"))
		require.Equal(t, "APPROVED", w.Do(dt.Staff, "POST", path, approves).Status(200).Text("walletAnalysisStatus"))
	})
}

// Z-07: staff find every wallet in REVIEW, whoever's it is, and see who has proposed what of it and when; a wallet
// leaves the list when two have decided.
func TestStaffListReviews(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ids := make([]string, 3)
		for i, token := range []string{dt.A, dt.B, dt.A} {
			ids[i] = w.Wallet(token, fmt.Sprintf("0x%s%dcafe", strings.Repeat("1", 35), i)).Text("_id")
			require.NoError(t, w.Wallets.Screen(context.Background(), ids[i]))
		}

		listed := func(query string) (out []map[string]any) {
			t.Helper()

			for _, x := range w.Do(dt.Staff, "GET", "/operations/wallet-reviews"+query, "").Status(200).Body["results"].([]any) {
				out = append(out, x.(map[string]any))
			}

			return out
		}
		named := func(all []map[string]any) (out []string) {
			for _, x := range all {
				out = append(out, x["_id"].(string))
			}

			return out
		}

		require.Equal(t, ids, named(listed("")))
		require.Equal(t, ids[:2], named(listed("?limit=2")))
		require.Equal(t, ids[2:], named(listed("?limit=2&offset=2")))
		require.Equal(t, ids[2], named(listed("?direction=-1"))[0])
		require.Nil(t, listed("")[1]["review"])
		w.Do(dt.A, "GET", "/operations/wallet-reviews", "").Refused(403, fault.RoleRequired, "")

		w.Advance(time.Hour)
		before := w.DB.Now()
		said := w.Do(dt.Staff, "POST", "/wallets/"+ids[1]+"/screening-decision", rejects).Status(200).Body["review"]
		require.Equal(t, ids[1:2], named(listed("?proposed=true")))
		require.Equal(t, []string{ids[0], ids[2]}, named(listed("?proposed=false")))

		proposed := listed("?proposed=true")[0]
		require.NotEqual(t, listed("")[0]["organisation"], proposed["organisation"])
		review := proposed["review"].(map[string]any)
		require.Equal(t, said, review)
		require.Equal(
			t,
			[]any{"REJECTED", "usr_st", "mixer"},
			[]any{review["verdict"], review["proposedBy"], review["reason"]},
		)

		at, err := time.Parse(time.RFC3339, review["at"].(string))
		require.NoError(t, err)
		require.WithinRange(t, at, before.Add(-time.Second), w.DB.Now())

		w.Do(dt.Operator, "POST", "/wallets/"+ids[1]+"/screening-decision", rejects).Status(200)
		w.Do(dt.B, "DELETE", "/wallets/"+ids[1], "")
		require.Equal(t, []string{ids[0], ids[2]}, named(listed("")))
	})
}
