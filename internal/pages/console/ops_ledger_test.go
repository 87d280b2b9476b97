//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db"
)

// TestAnOperatorProvesTheBook asks for a proof of the book by keyboard alone, sees its result, and finds the journal of
// a payment with its postings. When somebody has changed a journal, another operator's page says so.
func TestAnOperatorProvesTheBook(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	two := s.h.Operators()
	id := s.c.Accepted("USDC", "12.50")
	s.h.Settle()
	s.c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)

	const proof = "section[aria-label='Ledger verification']"

	proves := func(p *browsertest.Page, who *apptest.Client, name, says string) {
		s.enter(t, p, who, "/console/ops/ledger?transaction="+id)
		p.Await(proof + " .button:not([disabled])")
		press(t, p, proof+" .button")
		p.Await(proof + " progress")
		require.Contains(t, p.Text(proof), "asked for by "+name)

		_, err := s.h.App.Proofs.RunDue(t.Context(), 10)
		require.NoError(t, err)
		p.Await(proof + ":not(:has(progress))")
		require.Contains(t, p.Text(proof), says)
		sound(t, p)
	}

	p := b.Page(t, browsertest.Look{})
	proves(p, two.Client, "Olga", "Intact")
	p.Shot("ledger")
	p.Await("section[aria-label=journals] a.whole")
	require.Contains(t, p.Text("section[aria-label=journals]"), "transaction/"+id+"/hold")
	press(t, p, "section[aria-label=journals] tr:last-child a.whole")
	p.Await("section[aria-label=Postings] tbody tr")
	require.Contains(t, p.Text("section[aria-label=Postings]"), "reserved for")
	require.Contains(t, p.Text("section[aria-label=Postings]"), "12.50")
	p.Shot("journal")
	sound(t, p)

	require.NoError(t, s.h.DB().Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE journals SET kind = 'gift' WHERE transaction_id = ?", id)
		return err
	}))

	phone := b.Page(t, browsertest.Phone())
	proves(phone, two.Second, "Otto", "does not have the content it was written with")
	phone.Shot("ledger-unsound")
	phone.Fits()
}
