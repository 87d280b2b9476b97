//go:build !nosandbox && !noconsole

package console_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// TestPicturesOfTheReadme draws what README shows: a month of a company's payments, and one that is on its way. See
// scripts/pictures.
func TestPicturesOfTheReadme(t *testing.T) {
	s := newStage(t)
	s.c.Do("PATCH", "/users/me", object{"firstName": "Ada", "lastName": "Lang"}).OK(200)
	s.c.Colleague("Berta", "authorized", "approver")

	for _, token := range s.h.World.Tokens {
		s.h.Approve(token, s.c.Payer, apptest.Units(token, 25_000))
	}

	suppliers := s.suppliers()
	now := s.h.DB().Now()

	for n, days := range []int{1, 2, 4, 5, 8, 11, 12, 15, 18, 22, 23, 27} {
		supplier := suppliers[n%len(suppliers)]
		s.c.Do("POST", "/payables", object{
			"name":                supplier.name,
			"type":                "FIAT",
			"amount":              []string{"480.00", "1250.50", "96.20", "2310.00", "740.75"}[n%5],
			"currencyIsoCode":     "EUR",
			"reason":              supplier.reason,
			"receiver":            supplier.receiver,
			"bankAccount":         supplier.account,
			"expectedPaymentDate": now.AddDate(0, 0, days).Format(time.DateOnly),
		}).OK(201)
	}

	for _, supplier := range suppliers {
		s.c.FiatAccepted("USDC", s.paymentTo(supplier, "860.00"))
	}

	s.h.SettleAll()
	s.c.FiatSubmitted("USDC", s.paymentTo(suppliers[1], "1250.50"))

	moving := s.c.FiatAccepted("USDC", s.paymentTo(suppliers[0], "480.00"), s.paymentTo(suppliers[2], "2310.00"))
	s.h.MineUntil("its tokens have arrived", func() bool {
		return slices.Contains([]string{"CONVERTED", "SENT_TO_BANK"}, s.c.Read(moving).Settlement)
	})

	p := browsertest.Start(t).Page(t, browsertest.Look{Height: 860})
	p.Open(s.home())
	p.Await("main:not(:has([aria-busy=true])) svg")
	p.Shot("overview")
	p.Open(s.home() + "/transactions/" + moving)
	p.Await("h1 .sum")
	p.Await("li.now")
	p.Shot("payment")
	require.Empty(t, p.Complaints())
}

// supplier is somebody who is paid, with a bank account.
type supplier struct{ name, reason, receiver, account string }

// suppliers stores some.
func (s *stage) suppliers() []supplier {
	all := []supplier{
		{name: "Druckerei Lehmann AG", reason: "Letterheads"},
		{name: "Studio Moreau SARL", reason: "Photographs, November"},
		{name: "Kestrel Hosting Ltd", reason: "Servers, November"},
	}

	for i := range all {
		all[i].receiver = s.c.Do("POST", "/receivers", object{
			"type":           "COMPANY",
			"email":          "invoices@supplier.example",
			"legalName":      all[i].name,
			"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
			"countryIsoCode": "CH",
		}).OK(201).ID()

		of := *s.c
		of.Receiver = all[i].receiver
		all[i].account = of.NewBankAccount("EUR", []string{"000", "010", "020"}[i])
	}

	return all
}

func (s *stage) paymentTo(x supplier, amount string) object {
	of := *s.c
	of.Receiver = x.receiver
	payment := of.FiatPayment(x.account, amount)
	payment["reason"] = x.reason

	return payment
}
