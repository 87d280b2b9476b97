//go:build !nosandbox

package app_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// A payee is found by the number of its account: whole and in whatever groups it is typed, or by its last four
// characters, within the organisation alone and as long as the account is there.
func TestReceiversAreFoundByTheNumbersOfTheirAccounts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")

		payee := func(c *apptest.Client, name string, account object) (receiver, id string) {
			receiver = c.Do("POST", "/receivers", object{
				"type":           "COMPANY",
				"legalName":      name,
				"email":          "pay@example.org",
				"countryIsoCode": "GB",
				"address":        object{"addressLine1": "1 High Street", "city": "London", "postCode": "N1 1AA"},
			}).OK(201).ID()
			account["receiver"] = receiver

			return receiver, c.Do("POST", "/bank-accounts", account).OK(201).ID()
		}

		german, account := payee(c, "Nordwind", with(bankAccounts["EUR"], nil))
		british, _ := payee(c, "Southwind", with(bankAccounts["GBP"], nil))

		found := func(c *apptest.Client, term string) []string {
			var list struct {
				Results []struct {
					ID string `json:"_id"`
				} `json:"results"`
			}
			c.Do("GET", "/receivers/me?isSelf=false&searchTerm="+url.QueryEscape(term), nil).OK(200).Into(&list)

			ids := []string{}
			for _, r := range list.Results {
				ids = append(ids, r.ID)
			}

			return ids
		}

		for _, term := range []string{
			"DE89370400440532013000",
			"de89 3704 0044 0532 0130 00",
			"IBAN: DE89-3704-0044-0532-0130-00",
			"3000",
			"nordw",
		} {
			require.Equal(t, []string{german}, found(c, term), term)
			require.Empty(t, found(other, term), term)
		}

		for _, term := range []string{"66374958", "6637 4958", "4958"} {
			require.Equal(t, []string{british}, found(c, term), term)
			require.Empty(t, found(other, term), term)
		}

		for _, term := range []string{"DE8937040044053201300", "6637495", "08-99-99"} {
			require.Empty(t, found(c, term), term)
		}

		c.Do("DELETE", "/bank-accounts/"+account, nil).OK(200)
		require.Empty(t, found(c, "3000"))
	})
}
