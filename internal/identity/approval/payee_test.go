package approval_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
)

// askFor is a write body that asks for an approval of a kind.
func askFor(o *office, k approval.Kind) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		_, err := o.approvals.Ask(o.as(ada), tx, approval.Request{Organisation: "org_a", Kind: k, Object: "x"})
		return err
	}
}

// change notes in a mark that somebody has made or changed org_a's wallet wal_1, under rules.
func (o *office) change(token string, m *approval.Mark, rules approval.Rules, c approval.Change) (from time.Time) {
	o.t.Helper()

	payees := &approval.Payees{
		Service: o.approvals,
		Rules: func(context.Context, db.Querier, string) (approval.Rules, error) {
			return rules, nil
		},
		OnChange: func(_ context.Context, tx *db.Tx, c approval.Change) error {
			o.note(tx, "followed "+c.Object)
			return nil
		},
	}
	c.Organisation = "org_a"
	c.Kind = approval.Wallet
	c.Object = "wal_1"

	var next approval.Mark

	require.NoError(o.t, o.db.Write(o.as(token), func(tx *db.Tx) (err error) {
		next = *m
		from, err = payees.Changed(o.as(token), tx, &next, c)

		return err
	}))

	*m = next

	return from
}

// where the organisation's rules ask for it, a payee that is new or changed waits for a second person.
func TestPayeeWaitsForASecondPerson(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		rules := approval.Rules{Approval: true}

		var m approval.Mark

		o.change(cleo, &m, rules, approval.Change{New: true, Destination: true})
		require.True(t, fault.Is(m.Usable("wallet"), fault.PayeeNotApproved))
		require.Equal(t, []string{"asked admin about wal_1"}, o.noted(), "nobody has decided anything about a new one")

		first := m.Approval
		o.change(ada, &m, rules, approval.Change{})
		require.NotEqual(t, first, m.Approval)
		require.Equal(t, approval.Superseded, o.get(first).Status)
		require.Equal(t, []string{"cleo", "ada"}, o.get(m.Approval).Authors, "neither has been approved yet")
		o.decide(ada, m.Approval, "approve").refused(403, fault.SecondPersonRequired)
		o.decide(ben, m.Approval, "approve").ok()

		a, err := approval.ByID(t.Context(), o.db, "org_a", m.Approval)
		require.NoError(t, err)
		require.True(t, m.Decided(a))
		require.NoError(t, m.Usable("wallet"))
		require.Empty(t, m.ChangedBy)

		o.change(ben, &m, rules, approval.Change{})
		require.Equal(t, []string{"ben"}, o.get(m.Approval).Authors, "what was approved before counts against nobody")
	})
}

// What the rules no longer ask for is no longer waited for, and who had a part in it is still known.
func TestPayeeNoLongerWaitsWhenTheRulesAreGone(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		var m approval.Mark

		o.change(cleo, &m, approval.Rules{Approval: true}, approval.Change{New: true})
		waiting := m.Approval

		o.change(ada, &m, approval.Rules{}, approval.Change{})
		require.NoError(t, m.Usable("wallet"))
		require.Equal(t, approval.Superseded, o.get(waiting).Status)
		require.Equal(t, approval.People("cleo,ada"), m.ChangedBy)
	})
}

// A new destination can be paid to only after the delay, and the admins are told. Another change has no delay.
func TestNewDestinationWaits(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		rules := approval.Rules{Delay: time.Hour}

		for _, x := range []struct {
			name   string
			change approval.Change
			waits  bool
			noted  []string
		}{
			{"a new payee", approval.Change{New: true, Destination: true}, true, []string{"new payee wal_1"}},
			{"another destination", approval.Change{Destination: true}, true, []string{"followed wal_1", "new payee wal_1"}},
			{"another name", approval.Change{}, false, []string{"followed wal_1"}},
		} {
			o.run(t, x.name, func(t *testing.T) {
				var m approval.Mark

				from := o.change(ada, &m, rules, x.change)
				require.Equal(t, x.waits, from.After(o.db.Now().Add(50*time.Minute)))
				require.Equal(t, x.noted, o.noted())
				require.NoError(t, m.Usable("wallet"))
			})
		}
	})
}

// Without rules only the mark changes, and what follows from payees is called when one is taken out of use.
func TestWithoutRulesNobodyIsAsked(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		var none *approval.Payees

		require.NoError(t, o.db.Write(o.as(ada), func(tx *db.Tx) error {
			m := approval.Mark{ChangedBy: "cleo"}
			from, err := none.Changed(o.as(ada), tx, &m, approval.Change{})
			require.Zero(t, from)
			require.Equal(t, approval.People("cleo,ada"), m.ChangedBy)

			if err != nil {
				return err
			}

			return none.Removed(o.as(ada), tx, approval.Change{})
		}))

		gone := errors.New("stop")
		payees := &approval.Payees{OnChange: func(context.Context, *db.Tx, approval.Change) error { return gone }}
		require.ErrorIs(t, o.db.Write(o.as(ada), func(tx *db.Tx) error {
			return payees.Removed(o.as(ada), tx, approval.Change{})
		}), gone)
	})
}
