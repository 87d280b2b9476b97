package approval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
)

func TestPeopleAreASet(t *testing.T) {
	var p approval.People
	require.False(t, p.Has(""), "nobody without an identifier is an author")
	require.Empty(t, p.With("").List())

	p = p.With("usr_a").With("usr_b").With("usr_a")
	require.Equal(t, []string{"usr_a", "usr_b"}, p.List())
	require.False(t, p.Has("usr_"), "a part of a name is nobody")
	require.Equal(t, []string{"usr_a", "usr_b", "usr_c"}, p.And("usr_c,usr_b").List())
	require.Equal(t, approval.People("usr_b"), p.Without("usr_a,usr_c"))
	require.Equal(t, approval.People(""), p.Without(p))
}

// A mark is lifted by the approval that the record waits for, and by no other.
func TestMarkIsLiftedByItsOwnApproval(t *testing.T) {
	for _, c := range []struct {
		decided approval.Approval
		usable  bool
	}{
		{approval.Approval{ID: "apr_1", Status: approval.Approved, Authors: "usr_b"}, true},
		{approval.Approval{ID: "apr_1", Status: approval.Rejected}, false},
		{approval.Approval{ID: "apr_1", Status: approval.Superseded}, false},
		{approval.Approval{ID: "apr_0", Status: approval.Approved}, false},
	} {
		m := approval.Mark{ChangedBy: "usr_a,usr_b", Approval: "apr_1"}
		require.True(t, fault.Is(m.Usable("wallet"), fault.PayeeNotApproved))
		require.Equal(t, c.usable, m.Decided(c.decided))
		require.Equal(t, c.usable, m.Usable("wallet") == nil)

		require.Equal(t, c.usable, m.ChangedBy == "usr_a",
			"what two have looked at counts against nobody, what was there before does")
	}
}
