//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// What people, companies and the organisation itself are paid stands on accounts of their own, if the organisation has
// set some: by the type that the receiver had when the payment was locked, in every way in which a book is read. A
// payee's own account is finer. A closed month keeps its accounts.
func TestAccountsByTypeOfReceiver(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": "CHF", "timeZone": "UTC"}).OK(200)

		person := c.Receiver
		firm := newCompany(c, "Keller GmbH")
		other := newCompany(c, "Meier GmbH")
		self := c.Do("GET", "/receivers/self", nil).OK(200).ID()

		for receiver, end := range map[string]string{person: "000", firm: "010", other: "020", self: "030"} {
			c.Receiver = receiver
			c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", end), "90.01"))
		}

		c.Receiver = person
		c.Accepted("USDC", "12.500001")
		h.SettleAll()

		rule := func(kind, number string, of apptest.Object) apptest.Object {
			of["kind"] = kind
			of["number"] = number
			of["name"] = "Payees " + number

			return of
		}
		set := func(accounts ...apptest.Object) apptest.Answer {
			return c.Do("PUT", "/bookkeeping/accounts", apptest.Object{
				"accounts": append([]apptest.Object{}, accounts...),
			})
		}

		set(rule("payee", "1", apptest.Object{"receiverType": "PARTNER"})).
			Refused(422, "NOT_IN_ENUM", "/accounts/0/receiverType NOT_IN_ENUM")
		set(rule("wallet", "1", apptest.Object{"receiverType": "COMPANY"})).
			Refused(422, "NOT_ALLOWED", "/accounts/0/receiverType NOT_ALLOWED")

		people := rule("payee", "7001", apptest.Object{"receiverType": "INDIVIDUAL"})
		set(people, people).Refused(422, "NOT_ALLOWED", "/accounts/1/kind NOT_ALLOWED")

		answer := set(
			people,
			rule("payee", "7002", apptest.Object{"receiverType": "COMPANY", "taxCode": "94", "costCentre": "Firms"}),
			rule("payee", "7003", apptest.Object{"receiverType": "SELF"}),
			rule("payee", "7004", apptest.Object{"place": other}),
			rule("receiver", "7005", apptest.Object{"receiverType": "INDIVIDUAL", "asset": "USDC"}),
			rule("receiver", "7006", apptest.Object{"receiverType": "COMPANY"}),
		).OK(200)
		require.Contains(t, answer.Raw, `"_id":"payee:::COMPANY"`)
		require.Contains(t, c.Do("GET", "/bookkeeping/accounts", nil).OK(200).Raw, `"_id":"receiver:USDC::INDIVIDUAL"`)

		// what was paid was paid to a person, whatever the receiver is now
		c.Do("PATCH", "/receivers/"+person, apptest.Object{"type": "COMPANY", "legalName": "Ada GmbH"}).OK(200)

		want := map[string]string{person: "7001", firm: "7002", self: "7003", other: "7004"}
		types := map[string]string{person: "INDIVIDUAL", firm: "COMPANY", self: "SELF", other: "COMPANY"}

		stands := func() {
			t.Helper()

			seen := map[string]int{}

			for _, l := range book(t, c, "") {
				switch l.AccountKind {
				case "payee":
					require.Equal(t, want[l.Place], l.Account)
					require.Equal(t, types[l.Place], l.ReceiverType)
				case "receiver":
					require.Equal(t, "7005", l.Account)
				default:
					require.NotRegexp(t, "^700", l.Account, l.AccountKind)
					continue
				}

				seen[l.Account]++
			}

			require.Equal(t, map[string]int{
				"7001": 1,
				"7002": 1,
				"7003": 1,
				"7004": 1,
				"7005": 1,
			}, seen)
		}
		stands()

		today := h.DB().Now().UTC()
		period := "?from=" + today.Format(time.DateOnly) + "&to=" + today.Format(time.DateOnly)
		file := c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw
		require.Contains(t, file, ",7002,Payees 7002,payee,")
		require.Regexp(t, `,SELF,`, file)

		journal := c.Do("GET", "/bookkeeping/export"+period+"&format=hledger", nil).OK(200).Raw
		balances := c.Do("GET", "/bookkeeping/balances", nil, asCSV).OK(200).Raw

		for _, number := range []string{"7001", "7002", "7003", "7004", "7005"} {
			require.Contains(t, journal, ":"+number+" Payees "+number)
			require.Contains(t, balances, number+",Payees "+number)
		}

		next := time.Date(today.Year(), today.Month()+1, 2, 20, 0, 0, 0, time.UTC)
		until(t, h, m, next, 9_000, 8_500)

		month := today.Format("2006-01")
		c.Do("POST", "/bookkeeping/periods/"+month+"/close", apptest.Object{"reason": "Done"}).OK(200)
		set().OK(200)
		stands()

		c.Do("POST", "/bookkeeping/periods/"+month+"/reopen", apptest.Object{"reason": "Wrong"}).OK(200)
		require.NotContains(t, c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw, "Payees 700")
		h.Oracle()
	})
}

func newCompany(c *apptest.Client, name string) string {
	return c.Do("POST", "/receivers", apptest.Object{
		"type":           "COMPANY",
		"email":          "books@example.org",
		"legalName":      name,
		"address":        apptest.Object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	}).OK(201).ID()
}
