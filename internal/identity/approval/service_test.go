package approval_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
)

// Z-07: a second person with a role decides. Who has asked may only take back what he asked for.
func TestSecondPersonDecides(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for _, x := range []struct {
			name, who, word string
			status          int
			code            fault.Code
		}{
			{"who has asked approves", ada, "approve", 403, fault.SecondPersonRequired},
			{"who has asked withdraws", ada, "reject", 200, ""},
			{"an admin approves", ben, "approve", 200, ""},
			{"an admin rejects", ben, "reject", 200, ""},
			{"a member without a role approves", cleo, "approve", 403, fault.RoleRequired},
			{"a member without a role rejects", cleo, "reject", 403, fault.RoleRequired},
			{"a member of another organisation approves", eve, "approve", 404, fault.NotFoundCode},
			{"nobody approves", nobody, "approve", 401, fault.TokenMissing},
		} {
			o.run(t, x.name, func(t *testing.T) {
				id := o.askWallet(ada, "wal_1")
				o.noted()

				a := o.decide(x.who, id, x.word)
				if x.code != "" {
					a.refused(x.status, x.code)
					require.Equal(t, approval.Pending, o.get(id).Status)
					require.Empty(t, o.noted())

					return
				}

				a.ok()
				v := o.get(id)
				require.Equal(t, map[string]approval.Status{
					"approve": approval.Approved,
					"reject":  approval.Rejected,
				}[x.word], v.Status)
				require.Equal(t, "as agreed", v.Comment)
				require.Equal(t, []string{string(v.Status) + " wal_1"}, o.noted())
			})
		}
	})
}

// What is approved is what was looked at: a newer request about the same record takes the place of the older one, and
// everybody who had a part in either is an author.
func TestNewerRequestSupersedesTheOlder(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		old := o.askWallet(ada, "wal_1")
		other := o.askWallet(ada, "wal_2")
		newer := o.ask(ben, approval.Request{
			Organisation: "org_a",
			Kind:         approval.Wallet,
			Object:       "wal_1",
			Authors:      "ada",
		})

		require.Equal(t, approval.Superseded, o.get(old).Status)
		require.Equal(t, approval.Pending, o.get(other).Status)
		require.Equal(t, []string{"ada", "ben"}, o.get(newer).Authors)

		o.decide(ben, old, "approve").refused(409, fault.ApprovalDecided)
		o.decide(ben, newer, "approve").refused(403, fault.SecondPersonRequired)
		o.decide(ada, newer, "approve").refused(403, fault.SecondPersonRequired)

		open, err := approval.OpenAbout(t.Context(), o.db, "org_a", approval.Wallet, "wal_1")
		require.NoError(t, err)
		require.Equal(t, newer, open)
	})
}

// An approval is decided once: a later decision is refused and has no effect.
func TestApprovalIsDecidedOnce(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for _, first := range []string{"approve", "reject"} {
			o.run(t, "after "+first, func(t *testing.T) {
				id := o.askWallet(cleo, "wal_1")
				o.decide(ada, id, first).ok()
				o.noted()

				for _, again := range []string{"approve", "reject"} {
					o.decide(ben, id, again).refused(409, fault.ApprovalDecided)
				}

				require.Empty(t, o.noted())
			})
		}
	})
}

// N-01, N-04: of many decisions at once one has an effect, and every other one is refused as decided.
func TestOneOfManyDecisionsAtOnceHasAnEffect(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		id := o.askWallet(cleo, "wal_1")
		o.noted()

		var all sync.WaitGroup

		codes := make([]int, 8)
		for i := range codes {
			all.Go(func() {
				codes[i] = o.decide([]string{ada, ben}[i%2], id, []string{"approve", "reject"}[i/4]).code
			})
		}

		all.Wait()
		slices.Sort(codes)
		require.Equal(t, []int{200, 409, 409, 409, 409, 409, 409, 409}, codes)
		require.Len(t, o.noted(), 1)
	})
}

// What an approval is about happens in the same transaction as the decision: if it cannot, nothing was decided.
func TestDecisionIsUndoneWithItsEffect(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		id := o.askWallet(ada, "wal_1")
		o.noted()

		o.refuse = fault.New(fault.Conflict, fault.ApprovalOvertaken, "It has changed.")
		o.decide(ben, id, "approve").refused(409, fault.ApprovalOvertaken)
		require.Equal(t, approval.Pending, o.get(id).Status)
		require.Empty(t, o.noted())

		o.refuse = nil
		o.decide(ben, id, "approve").ok()
	})
}

// A request with a delay can be rejected at once, and approved only afterwards. The platform's own lapses after a week.
func TestDelayAndLifetime(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		terms := approval.Request{Kind: approval.Terms, Object: "org_a", Delay: 24 * time.Hour}
		early := o.ask(olga, terms)
		o.standIn(otto, early, approval.Approved).refused(409, fault.ApprovalTooEarly)
		o.standIn(otto, early, approval.Rejected).ok()

		good := o.ask(olga, terms)
		o.db.Clock().Advance(24 * time.Hour)
		o.standIn(otto, good, approval.Approved).ok()

		late := o.ask(olga, terms)
		o.db.Clock().Advance(8 * 24 * time.Hour)
		o.standIn(otto, late, approval.Approved).refused(409, fault.ApprovalExpired)

		require.NoError(t, o.approvals.Expire(t.Context()))
		o.standIn(otto, late, approval.Rejected).refused(409, fault.ApprovalDecided)

		kept := o.askWallet(ada, "wal_1") // an organisation's own waits for as long as it takes
		o.db.Clock().Advance(365 * 24 * time.Hour)
		require.NoError(t, o.approvals.Expire(t.Context()))
		o.decide(ben, kept, "approve").ok()
	})
}

// Operators decide about what another operator asked for, and about an organisation's policy and people; never about
// whom an organisation pays.
func TestOperatorsStandIn(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		terms := o.ask(olga, approval.Request{Kind: approval.Terms, Object: "org_a"})
		o.standIn(olga, terms, approval.Approved).refused(403, fault.SecondPersonRequired)
		o.standIn(ada, terms, approval.Approved).refused(403, fault.RoleRequired)
		require.Zero(t, o.outside, "nobody outside is asked for whoever may not approve")
		o.standIn(otto, terms, approval.Approved).ok()

		policy := o.ask(ada, approval.Request{Organisation: "org_a", Kind: approval.Policy, Object: "org_a"})
		o.standIn(olga, policy, approval.Approved).ok()

		payee := o.askWallet(ada, "wal_1")
		o.standIn(olga, payee, approval.Approved).refused(409, fault.ApprovalForMembers)
		o.standIn(olga, payee, approval.Rejected).refused(409, fault.ApprovalForMembers)
		require.Equal(t, approval.Pending, o.get(payee).Status)

		o.standIn(olga, "apr_nobody", approval.Approved).refused(404, fault.NotFoundCode)
	})
}

// What is carried out by a job waits for it, is carried out once, and says what became of it. While nobody outside
// answers, it goes on waiting.
func TestJobCarriesOutWhatWasApproved(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		ask := func() string {
			id := o.ask(olga, approval.Request{Kind: approval.Return, Object: "txn_1"})
			o.standIn(otto, id, approval.Approved).ok()

			return id
		}
		outcome := func(id string) (approval.Outcome, string) {
			a, err := approval.ByID(t.Context(), o.db, "", id)
			require.NoError(t, err)

			return a.Outcome, a.OutcomeInfo
		}

		id := ask()
		require.Equal(t, []string{"asked operator about txn_1", "job", "APPROVED txn_1"}, o.noted())

		o.refuse = fault.New(fault.Unavailable, fault.UpstreamFailed, "The bank does not answer.")
		require.Error(t, o.approvals.CarryOut(t.Context(), id))

		o.refuse = errors.New("the database is gone")
		require.Error(t, o.approvals.CarryOut(t.Context(), id))

		got, _ := outcome(id)
		require.Equal(t, approval.Waiting, got, "unknown is not refused")

		o.refuse = nil
		require.NoError(t, o.approvals.CarryOut(t.Context(), id))
		require.NoError(t, o.approvals.CarryOut(t.Context(), id))
		got, _ = outcome(id)
		require.Equal(t, approval.CarriedOut, got)
		require.Equal(t, []string{"carried out txn_1"}, o.noted())

		id = ask()
		o.refuse = fault.New(fault.Conflict, fault.ApprovalOvertaken, "It was paid meanwhile.")
		require.NoError(t, o.approvals.CarryOut(t.Context(), id))
		got, why := outcome(id)
		require.Equal(t, approval.Refused, got)
		require.Contains(t, why, "It was paid meanwhile.")

		o.refuse = nil
		id = ask()
		o.db.Clock().Advance(8 * 24 * time.Hour)
		o.noted()
		require.NoError(t, o.approvals.CarryOut(t.Context(), id))
		got, _ = outcome(id)
		require.Equal(t, approval.Refused, got, "too late to carry out")
		require.Empty(t, o.noted())
	})
}

// A kind that nobody decides about is a fault of the program, and a kind has one handler.
func TestKindsHaveOneHandler(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		require.Error(t, o.db.Write(o.as(ada), askFor(o, approval.Held)))
		require.Panics(t, func() { o.approvals.Handle(approval.Wallet, approval.Handler{}) })
		require.Panics(t, func() { o.approvals.Handle(approval.Held, approval.Handler{Roles: []string{"operator"}}) })
	})
}

// Z-02: lists and reads show an organisation its own approvals alone, filtered and paged.
func TestListShowsTheOrganisationsOwn(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		one := o.askWallet(ada, "wal_1")
		two := o.askWallet(ada, "wal_2")
		policy := o.ask(ada, approval.Request{Organisation: "org_a", Kind: approval.Policy, Object: "org_a"})
		terms := o.ask(olga, approval.Request{Kind: approval.Terms, Object: "org_a"})
		o.decide(ben, two, "approve").ok()

		list := func(token, path string) []string {
			var ids []string

			for _, x := range o.do(token, "GET", path, "").ok().body["results"].([]any) {
				ids = append(ids, x.(map[string]any)["_id"].(string))
			}

			return ids
		}

		for query, want := range map[string][]string{
			"":                                 {policy, two, one},
			"?direction=1":                     {one, two, policy},
			"?status[]=PENDING":                {policy, one},
			"?kind[]=WALLET":                   {two, one},
			"?kind[]=WALLET&status[]=APPROVED": {two},
			"?object=wal_1":                    {one},
			"?object=wal_9":                    nil,
		} {
			o.run(t, query, func(t *testing.T) { require.Equal(t, want, list(ada, "/approvals"+query)) })
		}

		first := o.do(ada, "GET", "/approvals?limit=1", "").ok()
		require.Equal(t, []string{two}, list(ada, "/approvals?limit=1&cursor="+first.body["nextCursor"].(string)))

		require.Empty(t, list(eve, "/approvals"))
		require.Equal(t, []string{terms}, list(olga, "/operations/approvals"))
		o.do(ada, "GET", "/approvals?cursor=wal_1", "").refused(422, fault.CursorInvalid)
		o.do(eve, "GET", "/approvals/"+one, "").refused(404, fault.NotFoundCode)
		o.do(ada, "GET", "/approvals/"+terms, "").refused(404, fault.NotFoundCode)
	})
}
