//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/standards/iban"
)

// payeesFile writes a table of so many payees whom nobody knows, each with a payment if it is to have one. One row
// lacks its e-mail address.
func payeesFile(t *testing.T, count int, payments bool) string {
	t.Helper()

	var out strings.Builder
	out.WriteString("Name;E-Mail;Strasse;PLZ;Ort;Land;IBAN;BIC;Währung;Betrag;Verwendungszweck\n")

	for n := range count {
		number := fmt.Sprintf("00762%012d", n)
		email := fmt.Sprintf("bills%d@payee.example", n)
		payment := ";"

		if n == 7 {
			email = ""
		}

		if payments {
			payment = fmt.Sprintf("12,%02d;Invoice %d", n, n)
		}

		fmt.Fprintf(&out, "Payee %c%c AG;%s;Seestrasse 1;8002;Zürich;CH;CH%s%s;SLWYCHZ0XXX;EUR;%s\n",
			'A'+n/26, 'A'+n%26, email, iban.CheckDigits("CH", number), number, payment)
	}

	file := filepath.Join(t.TempDir(), "payees.csv")
	require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o600))

	return file
}

const importRows = "section[aria-label=Rows] .item"

// TestThirtyNewPayeesAreImportedWithinEightClicks begins at the payees with a file. One row says what is missing, where
// it is missing, and is corrected there.
func TestThirtyNewPayeesAreImportedWithinEightClicks(t *testing.T) {
	b := browsertest.Start(t)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			before := s.payees()
			goes, clicks := counted(by)

			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/payees"))
			*clicks++ // to this page
			goes(t, p, ".head a[href$='/payees/import']")
			p.Await("main textarea")
			p.Shot("empty")
			sound(t, p)

			*clicks += 2 // a file is chosen or dropped
			p.Drop("main", payeesFile(t, 30, false))
			p.Await(importRows + ":nth-of-type(30)")
			require.Contains(t, p.Text("form[aria-label='Rows to correct'] h2"), "1 row to correct")
			require.Contains(t, p.Text("form[aria-label='Rows to correct'] li"), "Line 9: Payee AH AG")
			require.Contains(t, p.Text("form[aria-label='Rows to correct'] li"), "is required.")
			require.True(
				t,
				p.Holds("document.querySelectorAll('form[aria-label=\"Rows to correct\"] input').length === 1"),
			)
			p.Shot("checked")
			sound(t, p)

			p.Fill("form[aria-label='Rows to correct'] input", "bills7@payee.example")
			goes(t, p, "form[aria-label='Rows to correct'] .primary")
			p.Await("main:not(:has(form[aria-label='Rows to correct']))")
			require.Equal(t, before, s.payees(), "nothing is made before")
			require.Contains(t, p.Text("main > * .actions .primary"), "Make 30 payees")
			p.Shot("corrected")
			sound(t, p)

			goes(t, p, "main > * .actions .primary")
			p.Await("section[aria-label='Taken in']")
			p.Shot("taken")
			sound(t, p)
			require.Contains(t, p.Text("section[aria-label='Taken in']"), "Made: 30 payees.")
			require.Equal(t, before+30, s.payees())
			require.LessOrEqual(t, *clicks, 8)
		})
	}
}

// TestAPastedSheetBecomesSeveralTransactions pastes forty payments to new payees, leaves the faulty row out, corrects
// what a column says, and pastes the same again: nothing is made twice.
func TestAPastedSheetBecomesSeveralTransactions(t *testing.T) {
	b := browsertest.Start(t)
	content, err := os.ReadFile(payeesFile(t, 40, true))
	require.NoError(t, err)

	for _, by := range ways() {
		t.Run(by.name, func(t *testing.T) {
			s := newDoor(t)
			p := b.Page(t, by.look)
			s.enter(t, p, s.c.Colleague("Ada", "authorized", "initiator"), s.path("/payees/import"))

			paste := func() {
				p.Await("main textarea")
				p.TabTo("main textarea")
				p.Paste(strings.ReplaceAll(string(content), ";", "\t"))
				by.goes(t, p, "form[aria-label='Paste a sheet'] .button")
				p.Await(importRows + ":nth-of-type(40)")
			}

			paste()
			by.goes(t, p, "form[aria-label='Rows to correct'] li .link")
			p.Await("main:not(:has(form[aria-label='Rows to correct']))")
			require.Contains(t, p.Text("main > * .actions .primary"), "Make 39 payees, 39 payments in 2 transactions")
			p.Shot("payments")
			sound(t, p)

			p.Holds(`(() => {
				const list = [...document.querySelectorAll('.columns select')].at(-3);
				list.value = '-';
				list.dispatchEvent(new Event('change', { bubbles: true }));
				return true;
			})()`) // the last column is no reason
			p.Await("form[aria-label='Rows to correct']")
			require.Contains(t, p.Text("form[aria-label='Rows to correct']"), "Reason is required.")
			p.Holds(`(() => {
				const list = [...document.querySelectorAll('.columns select')].find(l => l.value === '-');
				list.value = 'reason';
				list.dispatchEvent(new Event('change', { bubbles: true }));
				return true;
			})()`)
			p.Await("main:not(:has(form[aria-label='Rows to correct']))")

			by.goes(t, p, "main > * .actions .primary")
			p.Await("section[aria-label='Taken in'] a[href$='/review']")
			p.Shot("taken")
			sound(t, p)
			require.Contains(t, p.Text("section[aria-label='Taken in']"), "transaction 2 of 2")
			require.EqualValues(t, 2, s.h.Count("SELECT count(*) FROM transactions"))
			require.EqualValues(t, 39, s.h.Count("SELECT count(*) FROM payments"))

			p.Open(s.home() + "/payees/import")
			paste()
			by.goes(t, p, "form[aria-label='Rows to correct'] li .link")
			p.Await("main:not(:has(form[aria-label='Rows to correct']))")
			require.Contains(t, p.Text("main > * .actions .button:last-child"), "Nothing to make")
			require.Contains(t, p.Text(importRows), "Taken in before")
			p.Shot("again")
			sound(t, p)
		})
	}
}
