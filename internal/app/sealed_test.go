//go:build !nosandbox

package app_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// canaries are what identifies people and their accounts, each of them nowhere else. None is so short, and of so few
// kinds of characters, that bytes in hexadecimal or a time would have it by chance.
var canaries = map[string]string{
	"address of a user":           "Sanzibarweg 17",
	"telephone of a user":         "+41795558192",
	"handle of a user":            "@sanzibarhandle",
	"birth of a user":             "1971-03-17",
	"registration number":         "CHE-481.592.673",
	"street of an organisation":   "Firmengasse 418",
	"city of an organisation":     "Firmenhausen",
	"tax number":                  "756.4711.0815.42",
	"telephone of a receiver":     "+41 79 444 71 93",
	"street of a receiver":        "Quittengasse 93",
	"post code of a receiver":     "QT-80473",
	"city of a receiver":          "Quittenhausen",
	"birth of a receiver":         "1969-11-23",
	"IBAN":                        "CH9300762011623852957",
	"account number":              "48151623421",
	"IBAN of a sender":            "DE89370400440532013000",
	"IBAN of somebody unknown":    "AT611904300234573201",
	"account that came by a link": "31926819",
	"address that came by a link": "Linkgasse 771",
	"text of an unknown payer":    "Sehrprivat 5512",
	"content of a document":       "Dokumentinhalt 9091",
}

// TestNothingPersonalLiesInClear searches the database and the files of a deployment through which the canaries have
// gone by every way there is. What must be found is found all the same: names in clear, accounts by their keyed hash.
// (C-02)
func TestNothingPersonalLiesInClear(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id := throughEverything(t, h, c)

		clear := map[string][]string{}
		for name, canary := range canaries {
			if places := placesOf(t, h, canary); len(places) > 0 {
				clear[name] = places
			}
		}

		require.Empty(t, clear)
		require.NotEmpty(t, placesOf(t, h, "Namensuche"), "the search looks where names are")

		require.Contains(t, c.Do("GET", "/transactions?columnId=all&searchTerm=invoice", nil).OK(200).Raw, id)
		named, err := receiver.WithName(t.Context(), h.DB(), c.Org, "zora namensuche")
		require.NoError(t, err)
		require.Len(t, named, 1)

		for iban, n := range map[string]int{canaries["IBAN"]: 1, "CH5604835012345678009": 0} {
			found, err := bankaccount.ByIBAN(t.Context(), h.DB(), c.Org, iban)
			require.NoError(t, err)
			require.Len(t, found, n)
		}

		found, err := bankaccount.ByIBAN(t.Context(), h.DB(), "org_another", canaries["IBAN"])
		require.NoError(t, err)
		require.Empty(t, found, "within its organisation alone")
		h.Oracle()
	})
}

// throughEverything has the canaries take part in all that people and banks can tell the service, and returns a
// transaction that is paid.
func throughEverything(t *testing.T, h *apptest.Harness, c *apptest.Client) string {
	t.Helper()
	c.Do("PATCH", "/users/me", object{
		"address":         canaries["address of a user"],
		"phoneNumber":     canaries["telephone of a user"],
		"messagingHandle": canaries["handle of a user"],
		"dateOfBirth":     canaries["birth of a user"],
	}, apptest.Key("user")).OK(200)
	c.Do("POST", "/organisations/create", object{
		"organisationType":   "Organisation",
		"name":               "Second AG",
		"registrationNumber": canaries["registration number"],
		"country":            "CH",
		"address": object{
			"addressLine1": canaries["street of an organisation"],
			"city":         canaries["city of an organisation"],
			"postCode":     "8001",
		},
	}, apptest.Key("organisation")).OK(201)

	receiver := c.Do("POST", "/receivers", object{
		"type":           "INDIVIDUAL",
		"firstName":      "Zora",
		"lastName":       "Namensuche",
		"email":          "zora@example.org",
		"taxId":          canaries["tax number"],
		"phoneNumber":    canaries["telephone of a receiver"],
		"countryIsoCode": "CH",
		"dateOfBirth":    canaries["birth of a receiver"] + "T00:00:00Z",
		"address": object{
			"addressLine1": canaries["street of a receiver"],
			"postCode":     canaries["post code of a receiver"],
			"city":         canaries["city of a receiver"],
		},
	}, apptest.Key("receiver")).OK(201).ID()
	account := func(body object) string {
		body["receiver"] = receiver
		return c.Do("POST", "/bank-accounts", body, apptest.Key("account "+body["currency"].(string))).OK(201).ID()
	}
	eur := account(object{
		"bankCountry": "CH",
		"currency":    "EUR",
		"iban":        canaries["IBAN"],
		"bicSwift":    "SLWYCHZ0XXX",
	})
	usd := account(object{
		"bankCountry":   "US",
		"currency":      "USD",
		"accountNumber": canaries["account number"],
		"routingNumber": "021000021",
		"accountType":   "CHECKING",
	})
	h.RunJobs()

	id := paidAndReturned(t, h, c, receiver, eur, usd)
	deposited(t, h, c)
	handedIn(h, c)
	require.NotEmpty(
		t,
		upload(c, strings.Replace(bill, "/Type", "/Note ("+canaries["content of a document"]+") /Type", 1)),
	)
	o := begin(t, h, "Nora")
	o.complete()
	o.wait(time.Minute)

	return id
}

// paidAndReturned pays by two rails, has one payment come back, and asks for the papers.
func paidAndReturned(t *testing.T, h *apptest.Harness, c *apptest.Client, receiver, eur, usd string) string {
	t.Helper()
	item := func(account, amount string) object {
		return object{
			"type":        "FIAT",
			"receiver":    receiver,
			"bankAccount": account,
			"amount":      amount,
			"reason":      "Invoice",
		}
	}
	id := c.Do("POST", "/transactions", object{
		"type":          "FIAT",
		"token":         "USDC",
		"walletAddress": c.Payer.Address.Hex(),
		"payments":      []object{item(eur, "90.00"), item(usd, "80.00")},
	}, apptest.Key("create")).OK(201).ID()
	c.Act(id, "submit", apptest.Key("submit")).OK(200)
	c.Act(id, "accept", apptest.Key("accept")).OK(200)
	h.SettleAll()
	c.Do("POST", "/transactions/"+id+"/statement", nil).OK(200)
	c.Do("POST", "/transactions/"+id+"/invoice", nil).OK(200)
	h.Control(banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(id, 0), Reason: "AC04"})
	h.SettleAll()

	return id
}

// deposited has a bank tell of deposits, of which one is sent back.
func deposited(t *testing.T, h *apptest.Harness, c *apptest.Client) {
	t.Helper()
	_, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")

	h.Deposit(banksim.Deposit{
		Currency:      "EUR",
		Amount:        "2500.00",
		Reference:     reference,
		Sender:        c.Name(),
		SenderAccount: canaries["IBAN of a sender"],
	})

	h.Deposit(banksim.Deposit{
		Currency:      "EUR",
		Amount:        "17.00",
		Reference:     canaries["text of an unknown payer"],
		Sender:        "Niemand Bekannt",
		SenderAccount: canaries["IBAN of somebody unknown"],
	})

	h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })
	h.Decide(h.Suspense()[0].Entry, reconcile.Decision{Action: reconcile.ActionRefund, Note: "nobody knows it"})
	h.SettleAll()
}

// handedIn has somebody without an account hand in where he wants to be paid.
func handedIn(h *apptest.Harness, c *apptest.Client) {
	token, _ := link(c, object{"isExistingReceiver": false, "email": "studio@example.org"})

	outside(h, "/payables/create-invoice-receiver", object{
		"token":          token,
		"type":           "COMPANY",
		"email":          "studio@example.org",
		"legalName":      "Studio Ana",
		"address":        canaries["address that came by a link"],
		"countryIsoCode": "CH",
	}).OK(200)

	outside(h, "/payables/create-invoice-bank-account", object{
		"token":         token,
		"bankCountry":   "GB",
		"currency":      "GBP",
		"accountNumber": canaries["account that came by a link"],
		"sortCode":      "601613",
	}).OK(200)
}

// placesOf lists the columns and the service's own files that hold a text as it is.
func placesOf(t *testing.T, h *apptest.Harness, text string) []string {
	t.Helper()
	places := columnsWith(t, h, text)

	files := []string{filepath.Join(h.World.BankFolder, "data"), filepath.Join(h.World.BankFolder, "received")}
	if file := h.SQLiteFile(); file != "" {
		files = append(files, file, file+"-wal")
	}

	for _, f := range files {
		require.NoError(t, filepath.WalkDir(f, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}

			raw, err := os.ReadFile(path)
			if bytes.Contains(raw, []byte(text)) {
				places = append(places, filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path))
			}

			return err
		}))
	}

	return places
}

// columnsWith asks every column of every table.
func columnsWith(t *testing.T, h *apptest.Harness, text string) (places []string) {
	t.Helper()
	ctx := context.Background()

	type column struct{ table, name string }

	query := "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
	if h.DB().Dialect() == db.Postgres {
		query = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
	}

	columns, err := db.Select(ctx, h.DB(), func(c *column) []any { return []any{&c.table, &c.name} }, query)
	require.NoError(t, err)

	inHex := hex.EncodeToString([]byte(text)) // as PostgreSQL writes bytes
	for _, c := range columns {
		values, err := db.Select(ctx, h.DB(), func(s *string) []any {
			return []any{s}
		}, `SELECT CAST("`+c.name+`" AS TEXT) FROM "`+c.table+`" WHERE "`+c.name+`" IS NOT NULL`)
		require.NoError(t, err, c)

		if slices.ContainsFunc(values, func(s string) bool {
			return strings.Contains(s, text) || strings.Contains(s, inHex)
		}) {
			places = append(places, c.table+"."+c.name)
		}
	}

	return places
}
