//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// TestAPersonChangesNameAddressAndMail changes them on the page about the person, by mouse and by keyboard, on a desk
// and on a telephone. The mail address stays until both have agreed, and a wrong password is refused beside its field.
func TestAPersonChangesNameAddressAndMail(t *testing.T) {
	b := browsertest.Start(t)

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			s := newDoor(t)
			p := b.Page(t, look)
			s.signIn(p, s.c, nil, s.path("/me"))

			const card = "section[aria-label='Your details']"

			p.Await(card + " input[name='/firstName']")
			p.Fill(card+" input[name='/firstName']", "Nora")
			p.Fill(card+" input[name='/lastName']", "Winter")
			p.Fill(card+" input[name='/address']", "Seestrasse 1, 8002 Zürich")
			p.Click(card + " > form .button")
			s.h.Until("it is saved", func() bool { return s.shown("/users/me")["lastName"] == "Winter" })
			require.Equal(t, "Seestrasse 1, 8002 Zürich", s.shown("/users/me")["address"])
			p.Await("main h1")
			s.h.Until("the page says so", func() bool { return p.Text("main h1") == "Nora Winter" })
			p.Shot("name")
			sound(t, p)

			press(t, p, card+" summary")
			p.Await(card + " input[name='/newEmail']")
			p.Fill(card+" input[name='/newEmail']", "nora@winter.example")
			p.Fill(card+" input[name='/password']", "not it")
			p.Press(browsertest.Enter)
			p.Await(card + " .refusal, " + card + " .fault")
			p.Complained("422")
			require.True(t, s.typed(p, "nora@winter.example"), "it stays")
			p.Fill(card+" input[name='/password']", apptest.Password)
			p.Press(browsertest.Enter)
			p.Await(card + " .note.good")
			p.Shot("mail")
			sound(t, p)
			require.Equal(t, s.c.Email, s.shown("/users/me")["email"], "it counts when both links were followed")
		})
	}
}

// TestAPayeesDataAreChanged changes name, mail and address of a payee and the name of a bank, by mouse and by keyboard,
// on a desk and on a telephone. What was not changed stays, and what is refused keeps the form.
func TestAPayeesDataAreChanged(t *testing.T) {
	b := browsertest.Start(t)

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			account := s.c.NewBankAccount("EUR", "000")
			path := "/receivers/" + s.c.Receiver
			before := s.shown(path)
			p := b.Page(t, look)

			const card = "section[aria-label='Change the payee']"

			p.Open(s.home() + "/payees/" + s.c.Receiver)
			p.Await(".head .row > button:nth-of-type(3)")
			p.Click(".head .row > button:nth-of-type(3)")
			p.Await(card)
			p.Fill(card+" input[name='/firstName']", "Alicia")
			p.Fill(card+" input[name='/email']", "no address")
			p.Fill(card+" input[name='/address/city']", "Bern")
			p.Press(browsertest.Enter)
			p.Await(card + " .fault")
			p.Complained("422")
			p.Fill(card+" input[name='/email']", "alicia@keller.example")
			p.Shot("payee")
			press(t, p, card+" .button.primary")
			s.h.Until("it is saved", func() bool { return s.shown(path)["email"] == "alicia@keller.example" })

			after := s.shown(path)
			require.Equal(t, "Alicia", after["firstName"])
			require.Equal(t, before["lastName"], after["lastName"])
			require.Equal(t, "Bern", after["address"].(object)["city"])
			require.Equal(t, before["country"], after["country"])
			p.Await("main:not(:has(" + card + ")) h1")
			sound(t, p)

			press(t, p, "section.card .actions > .button:first-of-type")
			p.Await("dialog[open] textarea")
			p.Fill("dialog[open] textarea", "Bank of the Lake")
			p.Click("dialog[open] .button.primary")
			s.h.Until("the bank has its name", func() bool {
				return s.shown("/bank-accounts/" + account)["bankName"] == "Bank of the Lake"
			})
			p.Await("main:not(:has(dialog[open]))")
			p.Shot("bank")
			sound(t, p)
		})
	}
}
