package bank_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
	"slipway/internal/standards/iso20022/isotest"
)

// banks are house accounts by the country of their bank: each as an operator writes it who fills in everything, and as
// one who fills in the least.
func banks() []bank.HouseAccount {
	everything := []bank.HouseAccount{
		{Country: "CH", IBAN: "CH9300762011623852957", BIC: "BLKBCH22XXX"},
		{Country: "LI", IBAN: "LI21088100002324013AA", BIC: "LILALI2XXXX"},
		{Country: "DE", IBAN: "DE89370400440532013000", BIC: "COBADEFFXXX"},
		{Country: "GB", IBAN: "GB29NWBK60161331926819", BIC: "NWBKGB2LXXX", SortCode: "601613"},
		{Country: "US", AccountNumber: "123456789", BIC: "CHASUS33XXX", RoutingNumber: "021000021"},
		{Country: "IN", AccountNumber: "50100012345678", BIC: "HDFCINBBXXX", IFSC: "HDFC0000001"},
	}

	var out []bank.HouseAccount

	for _, a := range everything {
		a.Holder = "Slipway AG"
		least := a

		a.HolderStreet = "Bahnhofstrasse 1"
		a.HolderPostCode = "8001"
		a.HolderTown = "Zürich"
		a.BankName = "100% Bank & Söhne 🏦"
		a.BankAddress = "Bahnhofstrasse 45, 8001 Zürich"
		out = append(out, a)

		if least.IBAN != "" {
			least.BIC = ""
			out = append(out, least)
		}
	}

	return out
}

// payees are accounts that a rail reaches, with all that a client may have said of them.
func payees(rail string) []bank.AccountIDs {
	german := bank.AccountIDs{IBAN: "DE89370400440532013000", BIC: "COBADEFFXXX", Country: "DE"}

	out := map[string][]bank.AccountIDs{
		"SEPA":         {german, {IBAN: "ES9121000418450200051332", BIC: "REVOLT21XXX", Country: "ES"}},
		"SEPA_INSTANT": {german, {IBAN: "FR7630006000011234567890189", Country: "FR"}},
		"SIC":          {{IBAN: "CH5604835012345678009", BIC: "POFICHBEXXX", Country: "CH"}},
		"FASTER_PAYMENTS": {{
			SortCode: "040004", AccountNumber: "87654321", BIC: "MONZGB2LXXX", Country: "GB",
		}},
		"CHAPS":   {{SortCode: "040004", AccountNumber: "87654321", Country: "GB"}},
		"ACH":     {{RoutingNumber: "011000015", AccountNumber: "000123456789", Country: "US"}},
		"FEDWIRE": {{RoutingNumber: "011000015", AccountNumber: "000123456789", BIC: "FRNYUS33", Country: "US"}},
		"IMPS":    {{IFSC: "SBIN0000300", AccountNumber: "50100012345678", Country: "IN"}},
		"NEFT":    {{IFSC: "SBIN0000300", AccountNumber: "50100012345678", BIC: "SBININBB", Country: "IN"}},
		"SWIFT": {
			{IBAN: "AE070331234567890123456", BIC: "EBILAEAD", Country: "AE"},
			{AccountNumber: "1234567", BIC: "BOTKJPJT", RoutingNumber: "021000021", Country: "JP"},
		},
	}[rail]

	for i := range out {
		out[i].AccountType = "CHECKING"
		out[i].BankName = "100% Bank & Söhne"
	}

	return out
}

// references are those that a payee may want, by rail.
func references(rail string) []string {
	if rail == "SEPA" || rail == "SEPA_INSTANT" || rail == "SIC" || rail == "SWIFT" {
		return []string{"", "RF18539007547034"}
	}

	return []string{""}
}

// F-12: every file of every rail and currency, from a bank of each country, keeps to the schema by which that bank
// checks it. Swiss banks have a schema of their own, and refuse the whole file otherwise.
func TestEveryFileKeepsToTheSchemaOfItsBank(t *testing.T) {
	var (
		accounts []bank.HouseAccount
		planned  []bank.Payout
	)

	for _, a := range banks() {
		for _, currency := range refdata.All().Currencies {
			for _, rail := range currency.Rails {
				a.ID = strings.ToLower(fmt.Sprintf("%s-%d-%s-%s", a.Country, len(accounts), currency.Code,
					strings.ReplaceAll(rail.Code, "_", "")))
				a.Currency = currency.Code
				a.Rails = []string{rail.Code}

				if len(a.Check()) > 0 || !offers(a, rail.Code) {
					continue
				}

				accounts = append(accounts, a)

				for _, to := range payees(rail.Code) {
					for _, reference := range references(rail.Code) {
						planned = append(planned, bank.Payout{
							Key:       fmt.Sprintf("transaction/txn_1/payout/%d", len(planned)),
							Object:    "txn_1",
							From:      a.ID,
							Rail:      rail.Code,
							Amount:    money.FromUnits(bank.Asset(currency.Code), big.NewInt(1000)),
							Charges:   []string{"OUR", "SHA", "BEN"}[len(planned)%3],
							Purpose:   "SUPP",
							Reference: reference,
							Account:   to,
							Creditor: bank.Party{
								Name:           "Jörg Müller & Söhne",
								Street:         "100% Weg 🛣 5",
								BuildingNumber: "5",
								PostCode:       "1010",
								Town:           "Wien",
								Country:        "AT",
							},
							Remittance: "Rechnung 7, Größe XL",
						})
					}
				}
			}
		}
	}

	w := openWorld(t, dbtest.SQLite(t), t.TempDir(), func(c *bank.Config) { c.Accounts = accounts })
	w.plan(planned...)

	files := map[string]map[string][]byte{}
	rails := map[string]bool{}
	currencies := map[string]bool{}

	for range len(accounts) { // a round writes some of them
		w.work()

		some, err := w.rail.Files(context.Background(), w.d, bank.FileSelected, "", 1)
		require.NoError(t, err)

		if len(some) == 0 {
			break
		}
	}

	for before, more := "", true; more; {
		page, err := w.rail.Files(context.Background(), w.d, "", before, 1000)
		require.NoError(t, err)

		more = len(page) > 0

		for _, f := range page {
			before = f.ID

			_, content, err := w.rail.File(context.Background(), w.d, f.ID)
			require.NoError(t, err)
			require.NotEmpty(t, content, "%s: %s", f.House, f.Reason)

			schema := "pain.001.001.09.xsd"
			if strings.HasPrefix(f.House, "ch-") || strings.HasPrefix(f.House, "li-") {
				schema = "ch/pain.001.001.09.ch.03.xsd"
			}

			if files[schema] == nil {
				files[schema] = map[string][]byte{}
			}

			files[schema][f.House] = content
			rails[f.Rail] = true
			currencies[strings.ToUpper(strings.Split(f.House, "-")[2])] = true
		}
	}

	require.Len(t, rails, 10, "rails: %v", slices.Sorted(maps.Keys(rails)))
	require.Greater(t, len(currencies), 140)

	for schema, all := range files {
		isotest.AllValid(t, schema, all)
	}
}

// offers reports whether a bank takes payments in the account's currency by a rail. Two of them take any currency.
func offers(a bank.HouseAccount, rail string) bool {
	home := map[string]string{
		"FASTER_PAYMENTS": "GB",
		"CHAPS":           "GB",
		"ACH":             "US",
		"FEDWIRE":         "US",
		"IMPS":            "IN",
		"NEFT":            "IN",
		"SIC":             "CH LI",
		"SEPA":            "CH LI DE",
		"SEPA_INSTANT":    "CH LI DE",
		"SWIFT":           "CH DE",
	}[rail]

	if rail == "SWIFT" && a.Currency == "USD" {
		home += " LI GB US IN"
	}

	named := a.BIC != "" || a.Country != "DE" && a.Country != "GB" || strings.HasPrefix(rail, "SEPA")

	return strings.Contains(home, a.Country) && named
}
