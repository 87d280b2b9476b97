package statement_test

import (
	"context"
	"math/big"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/statement"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/standards/ecb"
)

// press publishes one dollar for one euro, for each day until one.
type press struct{ until time.Time }

func (p *press) Name() string { return "press" }

func (p *press) Days(context.Context) (days []ecb.Day, _ error) {
	for d := p.until; !d.Before(november); d = d.AddDate(0, 0, -1) {
		days = append(days, ecb.Day{Date: d, Rates: map[string]*big.Rat{"USD": big.NewRat(1, 1)}})
	}

	return days, nil
}

var november = time.Date(2031, 11, 1, 0, 0, 0, 0, time.UTC)

// desk is two organisations, with fees in their books.
type desk struct {
	*identitytest.World

	statements *statement.Service
	press      *press
	mails      []string
	orgs       []string
}

// eachDesk runs a test on each database, in November 2031. Days are in UTC.
func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()

	dbtest.Each(t, func(t *testing.T, database *db.DB) {
		out := &desk{press: &press{until: november}, mails: []string{"ada@example.org", "bob@example.org"}}

		out.World = identitytest.NewWith(t, database, func(*auth.Config) {}, func(w *identitytest.World) {
			out.statements = statement.New(statement.Deps{
				DB:       w.DB,
				Keys:     w.Keys,
				BaseURL:  "https://slipway.example",
				Issuer:   statement.Issuer{Name: "Slip GmbH", Country: "DE", VATID: "DE123456789", VATPercent: "19"},
				Currency: "EUR",
				Taxes: func(_ context.Context, _ db.Querier, ids []string) (map[string]quote.Tax, error) {
					out := map[string]quote.Tax{}
					for _, id := range ids {
						out[id] = german
					}

					return out, nil
				},
				Book: bookkeeping.New(bookkeeping.Deps{
					DB:        w.DB,
					Rates:     dayrate.New(w.DB, out.press),
					Approvals: w.Approvals,
					Currency:  "EUR",
				}),
			})
			out.statements.Routes(w.API)
		})

		out.until(november.Add(12 * time.Hour))

		for _, mail := range out.mails {
			org := out.Organisation(out.Someone(mail).Access)
			out.orgs = append(out.orgs, org)
			out.Do("PATCH", "/organisations/"+org, out.token(mail), `{"timeZone":"UTC"}`).OK(200)
			out.Exec("UPDATE organisations SET country = 'DE' WHERE id = ?", org)
		}

		test(t, out)
	})
}

func (d *desk) token(mail string) string { return d.Login(mail).Access }

func (d *desk) until(at time.Time) { d.DB.Clock().Advance(at.Sub(d.DB.Now())) }

// german is how the fees are taxed by their prices, whatever is set later.
var german = quote.Seller{Country: "DE", VATPercent: "19"}.TaxFor("DE", "")

// fee posts now that an organisation was charged something; below zero it was given back.
func (d *desk) fee(org int, transaction, event, amount string) {
	d.T.Helper()

	usdc := money.Asset{Code: "USDC", Decimals: 6}
	a, err := money.Parse(usdc, strings.TrimPrefix(amount, "-"))
	require.NoError(d.T, err)

	if strings.HasPrefix(amount, "-") {
		a = a.Neg()
	}

	units := new(big.Int).Mul(a.Units(), big.NewInt(19))
	vat := money.FromUnits(usdc, units.Quo(units, big.NewInt(119)))

	require.NoError(d.T, d.DB.Write(d.T.Context(), func(tx *db.Tx) error {
		return ledger.Post(tx, ledger.Journal{
			Key:          transaction + "/" + event,
			Kind:         event,
			Organisation: d.orgs[org],
			Transaction:  transaction,
			Postings: []ledger.Posting{
				{Account: ledger.WalletAccount("net_1", "0xAB"), Amount: a.Neg()},
				{Account: ledger.IncomeAccount("COMMISSION", "net_1"), Amount: a.Sub(vat)},
				{Account: ledger.TaxAccount("net_1", german.Code()), Amount: vat},
			},
		})
	}))
}

func (d *desk) ask(org int, month string) identitytest.Answer {
	return d.Do("POST", "/bookkeeping/periods/"+month+"/invoice", d.token(d.mails[org]), "")
}

// content returns what a stored document says.
func (d *desk) content(org int, month string) string {
	d.T.Helper()

	id, err := db.Value[string](d.T.Context(), d.DB,
		"SELECT id FROM invoices WHERE organisation = ? AND kind = 'COLLECTIVE' AND month = ?", d.orgs[org], month)
	require.NoError(d.T, err)

	for _, c := range statement.Sealed() {
		if c.Name() == "invoices.sealed" {
			return dbtest.Opened(d.T, d.DB, c)[id]
		}
	}

	return ""
}

// 1. A month that is not over, or of which a rate may still come, or without fees has no invoice, and none gets a number.
// 2. However often and by how many at once it is asked for, it is the same file under the same number, also when fees
// and settings have come since. 3. No other month, and no other organisation, has its number.
func TestCollectiveInvoiceIsMadeOnce(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.ask(0, "2031-13").Refused(422, "FORMAT_INVALID")
		d.fee(0, "txn_a", "convert", "11.90")
		d.fee(1, "txn_b", "convert", "119.00")
		d.ask(0, "2031-11").Refused(409, "PERIOD_NOT_OVER")
		d.ask(0, "2031-12").Refused(409, "PERIOD_NOT_OVER")
		d.ask(0, "2031-10").Refused(409, "NO_FEES")

		d.until(november.AddDate(0, 0, 29).Add(23 * time.Hour))
		d.fee(0, "txn_a", "rejected", "-2.38")
		d.until(november.AddDate(0, 1, 0))
		d.ask(0, "2031-11").Refused(503, "RATE_UNAVAILABLE")
		require.Zero(t, d.Count("SELECT count(*) FROM invoices"))

		d.press.until = november.AddDate(0, 1, 1)
		d.until(november.AddDate(0, 1, 1).Add(17 * time.Hour))
		d.ask(0, "2031-10").Refused(409, "NO_FEES") // and the rates are read

		var (
			answers [4]identitytest.Answer
			wg      sync.WaitGroup
		)

		token := d.token(d.mails[0])
		for i := range answers {
			wg.Go(func() { answers[i] = d.Do("POST", "/bookkeeping/periods/2031-11/invoice", token, "") })
		}

		wg.Wait()

		for _, a := range answers {
			require.Equal(t, "invoice-2031-000001.pdf", a.OK(200).Text("fileName"))
			require.Equal(t, answers[0].Text("sha256"), a.Text("sha256"))
		}

		content := d.content(0, "2031-11")
		for _, want := range []string{`"percent":"19","net":"8.00","vat":"1.52"`, `"vat":"1.52","total":"9.52"`, "txn_a"} {
			require.Contains(t, content, want)
		}

		require.NotContains(t, content, "txn_b")

		d.fee(0, "txn_c", "convert", "1.19")
		d.fee(1, "txn_d", "convert", "2.38")
		d.Exec("UPDATE organisations SET country = 'FR', home_currency = 'USD' WHERE id = ?", d.orgs[0])
		again := d.ask(0, "2031-11").OK(200)
		require.Equal(t, answers[0].Text("sha256"), again.Text("sha256"))

		link, err := url.Parse(again.Text("url"))
		require.NoError(t, err)
		d.Do("GET", link.Path, "", "").OK(200)

		d.until(november.AddDate(0, 2, 2))

		d.press.until = november.AddDate(0, 2, 1)
		names := map[string]bool{"invoice-2031-000001.pdf": true}

		for _, x := range []struct {
			org   int
			month string
		}{{0, "2031-12"}, {1, "2031-11"}, {1, "2031-12"}} {
			name := d.ask(x.org, x.month).OK(200).Text("fileName")
			require.False(t, names[name], name)

			names[name] = true
		}
	})
}

// A fee is in one collective invoice, and in one only, when the time zone of the organisation moves it into another
// month after that of one of them was made.
func TestFeeIsInOneCollectiveInvoice(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		zone := func(name string) {
			d.Do("PATCH", "/organisations/"+d.orgs[0], d.token(d.mails[0]), `{"timeZone":"`+name+`"}`).OK(200)
		}
		d.press.until = november.AddDate(0, 4, 0)

		d.fee(0, "txn_early", "convert", "1.00")
		d.until(november.AddDate(0, 1, 0).Add(-time.Hour))
		d.fee(0, "txn_before", "convert", "2.00") // December's in Tokyo
		d.until(november.AddDate(0, 1, 0).Add(time.Hour))
		d.fee(0, "txn_after", "convert", "4.00") // November's in New York
		d.until(november.AddDate(0, 1, 9))
		d.fee(0, "txn_late", "convert", "8.00")

		d.ask(0, "2031-11").OK(200)
		zone("Asia/Tokyo")
		d.until(november.AddDate(0, 2, 9))
		d.ask(0, "2031-12").OK(200)

		require.Contains(t, d.content(0, "2031-11"), `"total":"3.00"`)
		require.Contains(t, d.content(0, "2031-12"), `"total":"12.00"`)

		d.until(november.AddDate(0, 3, 0).Add(time.Hour)) // February's in UTC, and January's in New York
		zone("UTC")
		d.fee(0, "txn_stray", "convert", "16.00")
		d.until(november.AddDate(0, 3, 5))
		d.ask(0, "2032-01").Refused(409, "NO_FEES")
		zone("America/New_York")
		d.ask(0, "2032-01").OK(200)
		zone("UTC")
		d.until(november.AddDate(0, 4, 5))
		d.ask(0, "2032-02").Refused(409, "NO_FEES")
		require.EqualValues(t, 5, d.Count("SELECT count(*) FROM collected_journals"))
	})
}

// What is posted for a month that has its invoice already joins the next one.
func TestLateFeeJoinsTheNextCollectiveInvoice(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.press.until = november.AddDate(0, 4, 0)
		d.fee(0, "txn_a", "convert", "1.00")
		d.until(november.AddDate(0, 1, 0).Add(30 * time.Minute))
		d.ask(0, "2031-11").OK(200)
		d.fee(0, "txn_late", "convert", "2.00")
		d.Do("PATCH", "/organisations/"+d.orgs[0], d.token(d.mails[0]), `{"timeZone":"Atlantic/Azores"}`).OK(200)
		d.until(november.AddDate(0, 2, 5))
		d.ask(0, "2031-12").OK(200)

		require.NotContains(t, d.content(0, "2031-11"), "txn_late")
		require.Contains(t, d.content(0, "2031-12"), "Fees, 2031-11-30, txn_late")
	})
}
