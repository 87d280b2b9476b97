//go:build !nosandbox

package payable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/paymentstest"
)

// listed is an organisation with four payables, from the oldest to the newest.
type listed struct {
	ada                        *paymentstest.Member
	hosting, wool, rent, other string
	bob                        payee
}

func newListed(w *paymentstest.World) listed {
	eve := w.Founder("Eve")
	create(eve, newPayee(eve, "Zoe").crypto("1.00"))

	ada := w.Founder("Ada")
	bob := newPayee(ada, "Bob")
	carol := newPayee(ada, "Carol")
	x := listed{ada: ada, bob: bob}
	x.hosting = approved(ada, bob.crypto("9.00").With(object{"expectedPaymentDate": "2026-12-01"}))
	x.wool = create(ada, carol.crypto("10.00").With(object{
		"tokenIsoCode":        "DAI",
		"name":                "100% wool_, grün",
		"expectedPaymentDate": "2026-12-24",
	}))
	x.rent = create(ada, carol.fiat(ada.BankAccount(carol.receiver, ibanOne), "9.50").With(object{
		"invoiceNumber": "INV-7",
	}))
	x.other = approved(ada, bob.crypto("100.00").With(object{"name": "Design"}))
	pay(ada, x.other).OK(201)

	return x
}

// list returns the identifiers of a list of one page.
func (x listed) list(t *testing.T, query string) []string {
	t.Helper()

	a := x.ada.Do("GET", "/payables/me?"+query, nil).OK(200)

	var ids []string
	for _, p := range a.Results() {
		ids = append(ids, p["_id"].(string))
	}

	require.EqualValues(t, len(ids), a.Body["total"])

	return ids
}

// Every filter finds what it names, and nothing of another organisation.
func TestPayablesAreFiltered(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		x := newListed(w)

		for query, want := range map[string][]string{
			"":                            {x.other, x.rent, x.wool, x.hosting},
			"direction=1":                 {x.hosting, x.wool, x.rent, x.other},
			"status[]=DRAFT":              {x.rent, x.wool},
			"status=DRAFT,APPROVED":       {x.other, x.rent, x.wool, x.hosting},
			"type[]=FIAT":                 {x.rent},
			"receiver=" + x.bob.receiver:  {x.other, x.hosting},
			"currencies[]=EUR":            {x.rent},
			"tokens[]=DAI":                {x.wool},
			"tokens[]=DAI&currencies=EUR": {x.rent, x.wool},
			"expectedFrom=2026-12-02":     {x.wool},
			"expectedTo=2026-12-01":       {x.hosting},
			"searchTerm=100%25%20WOOL_":   {x.wool},
			"searchTerm=inv-7":            {x.rent},
			"searchTerm=GRUN":             {x.wool},
			"searchTerm=gru%CC%88n":       {x.wool},
			"searchTerm=9.50":             {x.rent},
			"searchTerm=bob":              {x.other, x.hosting},
			"searchTerm=%25":              {x.wool},
			"from=2099-01-01T00:00:00Z":   nil,
			"to=2099-01-01T00:00:00Z":     {x.other, x.rent, x.wool, x.hosting},
			"sortBy=amount&direction=1":   {x.hosting, x.rent, x.wool, x.other},
			"sortBy=_id":                  {x.other, x.rent, x.wool, x.hosting},
			"sortBy=expectedPaymentDate":  {x.wool, x.hosting, x.other, x.rent},
		} {
			w.Run(t, query, func(t *testing.T) { require.Equal(t, want, x.list(t, query)) })
		}

		for _, wrong := range []string{"sortBy=color", "expectedFrom=soon", "status[]=GONE", "cursor=pbl_1"} {
			w.Run(t, wrong, func(t *testing.T) { x.ada.Do("GET", "/payables/me?"+wrong, nil).OK(422) })
		}
	})
}

// Pages follow one another without a gap in every order, and a cursor belongs to the order that it came from.
func TestCursorsWalkEveryOrder(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		x := newListed(w)

		for _, order := range []string{"createdAt", "updatedAt", "expectedPaymentDate", "amount", "status", "type", "_id"} {
			for _, direction := range []string{"1", "-1"} {
				w.Run(t, order+direction, func(t *testing.T) {
					query := "sortBy=" + order + "&direction=" + direction

					var seen []string

					for cursor := ""; ; {
						a := x.ada.Do("GET", "/payables/me?limit=1&"+query+cursor, nil).OK(200)
						seen = append(seen, a.Results()[0]["_id"].(string))

						if a.Body["nextCursor"] == nil {
							break
						}

						cursor = "&cursor=" + a.Text("nextCursor")
						x.ada.Do("GET", "/payables/me?sortBy=receiver"+cursor, nil).OK(422)
					}

					require.Equal(t, x.list(t, query), seen)
				})
			}
		}
	})
}

// The number of statements does not grow with the page.
func TestListTakesAsManyStatementsForMorePayables(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		x := newListed(w)
		statements := func() (n int) {
			w.DB.Watch(func(string, []any) { n++ })
			defer w.DB.Watch(nil)
			x.list(t, "tokens[]=USDC&currencies[]=EUR")

			return n
		}
		few := statements()

		for range 6 {
			approved(x.ada, x.bob.crypto("1.00"))
		}

		require.Equal(t, few, statements())
	})
}
