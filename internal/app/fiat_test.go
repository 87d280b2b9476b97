//go:build !nosandbox

package app_test

import (
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// bankAccounts are good accounts by currency.
var bankAccounts = map[string]object{
	"EUR": {"bankCountry": "DE", "currency": "EUR", "iban": "DE89370400440532013000", "bicSwift": "COBADEFFXXX"},
	"GBP": {"bankCountry": "GB", "currency": "GBP", "accountNumber": "66374958", "sortCode": "089999"},
	"USD": {
		"bankCountry":   "US",
		"currency":      "USD",
		"accountNumber": "123456789",
		"routingNumber": "021000021",
		"accountType":   "CHECKING",
		"achSupport":    true,
	},
	"INR": {"bankCountry": "IN", "currency": "INR", "accountNumber": "50100012345678", "ifscCode": "HDFC0000001"},
}

// account adds a bank account of the person's receiver.
func account(h *apptest.Harness, c *apptest.Client, currency string) string {
	h.T.Helper()
	id := c.Do("POST", "/bank-accounts", with(bankAccounts[currency], object{"receiver": c.Receiver})).OK(201).ID()
	h.RunJobs() // the provider is asked

	return id
}

// payout is an item to a bank account.
func payout(c *apptest.Client, bankAccount, amount, currency string) object {
	return object{
		"type":            "FIAT",
		"receiver":        c.Receiver,
		"bankAccount":     bankAccount,
		"amount":          amount,
		"currencyIsoCode": currency,
		"reason":          "Invoice 2026-117",
	}
}

func fiatBody(c *apptest.Client, payments ...object) object {
	return object{"type": "FIAT", "token": "USDC", "walletAddress": c.Payer.Address.Hex(), "payments": payments}
}

// fiatView is what tests look at beside apptest.View.
type fiatView struct {
	apptest.View
	Type           string `json:"type"`
	CommissionType string `json:"commissionType"`
	AmountCurrency string `json:"amountCurrency"`
	Reference      string `json:"reference"`
	Quote          *struct {
		ID        string     `json:"_id"`
		Rate      string     `json:"rate"`
		ExpiresAt *time.Time `json:"expiresAt"`
	} `json:"quote"`
	Fees []struct {
		Type   string `json:"type"`
		Amount string `json:"amount"`
		Asset  string `json:"asset"`
	} `json:"fees"`
	Sums struct {
		TokenDebit  string `json:"tokenDebit"`
		TokenCredit string `json:"tokenCredit"`
		FiatOut     []struct {
			Currency string `json:"currencyIsoCode"`
			Amount   string `json:"amount"`
		} `json:"fiatOut"`
		FiatIn *struct {
			Currency string `json:"currencyIsoCode"`
			Amount   string `json:"amount"`
		} `json:"fiatIn"`
	} `json:"totals"`
	Items []struct {
		Status      string `json:"status"`
		Amount      string `json:"amount"`
		Currency    string `json:"currencyIsoCode"`
		TokenAmount string `json:"tokenAmount"`
		FeesOption  string `json:"bankingFeesOption"`
		BankAccount *struct {
			ID   string `json:"_id"`
			IBAN string `json:"iban"`
		} `json:"bankAccount"`
		Receiver struct {
			FirstName string `json:"firstName"`
		} `json:"receiver"`
	} `json:"payments"`
}

func read(c *apptest.Client, id string) fiatView {
	var v fiatView
	c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&v)
	return v
}

// units reads an amount of USDC.
func units(t *testing.T, s string) int64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	require.True(t, ok, s)
	r.Mul(r, big.NewRat(1_000_000, 1))
	require.True(t, r.IsInt(), s)

	return r.Num().Int64()
}

// Every refusal of a FIAT body with its field and code, all at once, the same for create and for PUT. It is long
// because it is a table.
func TestRefusedFiatBodies(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		eur := account(h, c, "EUR")
		foreign := account(h, other, "EUR")
		carol := c.NewReceiver("Carol")
		good := payout(c, eur, "100.00", "EUR")
		payment := func(members object) object { return fiatBody(c, with(good, members)) }
		body := fiatBody(c, good)
		refused := []struct {
			name string
			body object
			want []string
		}{
			{"no bank account", payment(object{"bankAccount": nil}), []string{"/payments/0/bankAccount REQUIRED"}},
			{
				"unknown bank account",
				payment(object{"bankAccount": "bac_01m7y1zxw37a8zdxb5g3v70g62"}),
				[]string{"/payments/0/bankAccount BANK_ACCOUNT_UNKNOWN"},
			},
			{
				"bank account of another organisation",
				payment(object{"bankAccount": foreign}),
				[]string{"/payments/0/bankAccount BANK_ACCOUNT_UNKNOWN"},
			},
			{
				"bank account of another receiver",
				payment(object{"receiver": carol}),
				[]string{"/payments/0/bankAccount BANK_ACCOUNT_UNKNOWN"},
			},
			{
				"receiver of another organisation",
				payment(object{"receiver": other.Receiver}),
				[]string{"/payments/0/receiver RECEIVER_UNKNOWN", "/payments/0/bankAccount BANK_ACCOUNT_UNKNOWN"},
			},
			{"no reason", payment(object{"reason": " "}), []string{"/payments/0/reason REQUIRED"}},
			{"no amount", payment(object{"amount": nil}), []string{"/payments/0/amount REQUIRED"}},
			{"no text amount", payment(object{"amount": 100}), []string{"/payments/0/amount TYPE_MISMATCH"}},
			{
				"three decimals of euro",
				payment(object{"amount": "1.001"}),
				[]string{"/payments/0/amount AMOUNT_PRECISION"},
			},
			{"nothing", payment(object{"amount": "0.00"}), []string{"/payments/0/amount AMOUNT_ZERO"}},
			{"a sign", payment(object{"amount": "-1"}), []string{"/payments/0/amount AMOUNT_INVALID"}},
			{
				"more than SEPA takes",
				payment(object{"amount": "1000000000.00"}),
				[]string{"/payments/0/amount AMOUNT_TOO_LARGE"},
			},
			{
				"currency of another account",
				payment(object{"currencyIsoCode": "USD"}),
				[]string{"/payments/0/currencyIsoCode CURRENCY_MISMATCH"},
			},
			{
				"no currency",
				payment(object{"currencyIsoCode": "ABC"}),
				[]string{
					"/payments/0/currencyIsoCode CURRENCY_MISMATCH",
					"/payments/0/currencyIsoCode CURRENCY_UNKNOWN",
				},
			},
			{"a token", payment(object{"tokenIsoCode": "USDC"}), []string{"/payments/0/tokenIsoCode NOT_ALLOWED"}},
			{"a wallet", payment(object{
				"wallet":     "wal_1",
				"walletType": "EOA",
			}), []string{"/payments/0/wallet NOT_ALLOWED", "/payments/0/walletType NOT_ALLOWED"}},
			{
				"an on-ramp's field",
				payment(object{"expectedTransferDate": "2026-12-01"}),
				[]string{"/payments/0/expectedTransferDate NOT_ALLOWED"},
			},
			{"amountCurrency", with(body, object{"amountCurrency": "EUR"}), []string{"/amountCurrency NOT_ALLOWED"}},
			{
				"fees option",
				payment(object{"bankingFeesOption": "our"}),
				[]string{"/payments/0/bankingFeesOption NOT_IN_ENUM"},
			},
			{
				"estimate that is no number",
				payment(object{"estimatedRate": "about 1"}),
				[]string{"/payments/0/estimatedRate FORMAT_INVALID"},
			},
			{
				"estimate of nothing",
				payment(object{"estimatedRate": "0.00"}),
				[]string{"/payments/0/estimatedRate FORMAT_INVALID"},
			},
			{
				"estimate far off",
				payment(object{"estimatedRate": "0.95"}),
				[]string{"/payments/0/estimatedRate ESTIMATED_RATE_OUT_OF_TOLERANCE"},
			},
			{
				"payment of another type",
				payment(object{"type": "CRYPTO"}),
				[]string{"/payments/0/type PAYMENT_TYPE_MISMATCH"},
			},
			{"31 payments", fiatBody(c, many(good, 31)...), []string{"/payments TOO_MANY_ITEMS"}},
			{
				"paying wallet of another organisation",
				with(body, object{"walletAddress": other.Payer.Address.Hex()}),
				[]string{"/walletAddress PAYER_WALLET_UNUSABLE"},
			},
			{
				"all at once",
				with(fiatBody(c, with(good, object{
					"reason": nil,
					"amount": "1.001",
				}), with(good, object{"bankAccount": foreign}), with(good, object{"network": "x"})), object{"token": nil}),
				[]string{
					"/token REQUIRED",
					"/payments/0/reason REQUIRED",
					"/payments/0/amount AMOUNT_PRECISION",
					"/payments/1/bankAccount BANK_ACCOUNT_UNKNOWN",
					"/payments/2/network NOT_ALLOWED",
				},
			},
		}

		draft := c.Do("POST", "/transactions", body).OK(201).ID()
		for _, x := range refused {
			for method, path := range map[string]string{"POST": "/transactions", "PUT": "/transactions/" + draft} {
				a := c.Do(method, path, x.body)
				require.GreaterOrEqual(t, a.Status, 400, "%s: %s", x.name, a.Raw)
				require.ElementsMatch(t, x.want, a.Fields(), "%s %s: %s", method, x.name, a.Raw)
			}
		}

		c.Do("PUT", "/transactions/"+draft, c.Body("USDC", c.Payment(c.Payee, "1.00"))).Refused(
			422,
			"TX_NOT_FOR_TYPE",
			"/type TX_NOT_FOR_TYPE",
		)
		v := read(c, draft)
		require.EqualValues(t, 1, v.Version, "nothing of all this has changed the draft")
		require.Equal(t, "SHA", v.Items[0].FeesOption)
		object := c.Do("POST", "/transactions", payment(object{
			"bankAccount":       object{"_id": eur},
			"currencyIsoCode":   nil,
			"bankingFeesOption": "BEN",
			"estimatedRate":     "0.8955",
		})).OK(201).ID()
		require.Equal(t, "EUR", read(c, object).Items[0].Currency, "the currency is the bank account's")
	})
}

// A quote is locked by check-allowance for ten minutes; what is due afterwards is quoted anew and told with both rates
// before it can be accepted.
func TestFiatQuote(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")
		gbp := account(h, c, "GBP")
		id := c.Do(
			"POST",
			"/transactions",
			fiatBody(
				c,
				payout(c, eur, "900.00", "EUR"),
				payout(c, gbp, "80.00", "GBP"),
				payout(c, eur, "90.00", "EUR"),
			),
		).OK(201).ID()

		var valid struct {
			Valid bool `json:"valid"`
			Quote struct {
				ID    string `json:"_id"`
				Rates []any  `json:"rates"`
			} `json:"quote"`
			Totals struct {
				TokenDebit string `json:"tokenDebit"`
			} `json:"totals"`
		}
		c.Do("POST", "/transactions/"+id+"/validate", nil).OK(200).Into(&valid)
		require.True(t, valid.Valid)
		require.Empty(t, valid.Quote.ID, "nothing is locked yet")
		require.Len(t, valid.Quote.Rates, 2)

		var need struct {
			Required string `json:"required"`
		}
		c.Do("POST", "/transactions/"+id+"/check-allowance", nil).OK(200).Into(&need)
		require.Equal(t, valid.Totals.TokenDebit, need.Required, "the allowance covers the fees too")

		c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)
		v := read(c, id)
		require.Equal(t, "QUOTED", v.Settlement)
		require.NotEmpty(t, v.Quote.ID)
		sum := units(t, "1000.00") + units(t, "100.00") + units(t, "100.00") // 900 / 0.9, 80 / 0.8, 90 / 0.9

		fees := int64(0)
		for _, f := range v.Fees {
			fees += units(t, f.Amount)
		}

		require.Positive(t, fees)
		require.Equal(t, sum+fees, units(t, v.Sums.TokenDebit), "the debit is lines and fees to the last unit")
		require.Equal(t, valid.Totals.TokenDebit, v.Sums.TokenDebit)
		require.Equal(t, "1000.00", v.Items[0].TokenAmount)
		require.Len(t, v.Sums.FiatOut, 2)
		require.Equal(t, "990.00", v.Sums.FiatOut[0].Amount)
		reserved := func() string {
			s, err := db.Value[string](
				t.Context(),
				h.DB(),
				"SELECT units FROM reservations WHERE transaction_id = ? AND released_at = 0",
				id,
			)
			require.NoError(t, err)

			return s
		}
		require.Equal(t, big.NewInt(sum+fees).String(), reserved())

		m.Fix("EUR", 8_000) // dearer
		h.DB().Clock().Advance(10*time.Minute + time.Second)
		seen := v.Version
		refusal := c.Do("POST", "/transactions/"+id+"/accept", nil).Refused(409, "QUOTE_EXPIRED")

		var told struct {
			Rates []struct {
				Currency string `json:"currencyIsoCode"`
				Previous string `json:"previousRate"`
				New      string `json:"newRate"`
			} `json:"rates"`
		}
		refusal.Into(&told)
		require.Equal(t, "EUR", told.Rates[0].Currency)
		requireRate(t, "0.9", told.Rates[0].Previous)
		requireRate(t, "0.8", told.Rates[0].New)
		v = read(c, id)
		require.Equal(t, transaction.StatusWaiting, v.Status)
		require.Equal(t, "1125.00", v.Items[0].TokenAmount)
		require.Greater(t, units(t, v.Sums.TokenDebit), sum+fees)
		require.Equal(t, big.NewInt(units(t, v.Sums.TokenDebit)).String(), reserved())
		c.Do("POST", "/transactions/"+id+"/accept", nil, apptest.Header{
			Name:  "If-Match",
			Value: big.NewInt(seen).String(),
		}).Refused(412, "VERSION_MISMATCH")

		m.Fix("EUR", 7_000) // the locked rate counts, not the market's
		accepted := c.Do("POST", "/transactions/"+id+"/accept", nil).OK(200).View()
		require.Equal(t, transaction.StatusProcess, accepted.Status)
		require.Equal(t, "FUNDS_PULLING", accepted.Settlement)
		held, err := db.Value[string](
			t.Context(),
			h.DB(),
			`SELECT p.units FROM postings p JOIN journals j ON j.id = p.journal
				WHERE j.key = ? AND p.account LIKE 'hold/%'`,
			"transaction/"+id+"/hold",
		)
		require.NoError(t, err)
		require.Equal(t, big.NewInt(units(t, v.Sums.TokenDebit)).String(), held)
		c.Do("POST", "/transactions/"+id+"/accept", nil).Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
	})
}

func requireRate(t *testing.T, want, got string) {
	t.Helper()
	a, _ := new(big.Rat).SetString(want)
	b, ok := new(big.Rat).SetString(got)
	require.True(t, ok && a.Cmp(b) == 0, "rate %s, not %s", got, want)
}

// A draft that is read while it is edited is shown as it was before or after, never with the payments of one and the
// bank accounts of the other.
func TestFiatReadWhileItIsEdited(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		one := payout(c, account(h, c, "EUR"), "90.00", "EUR")
		bodies := []object{fiatBody(c, one, one, one), fiatBody(c, one)}
		id := c.Do("POST", "/transactions", bodies[0]).OK(201).ID()

		var wg sync.WaitGroup

		edited := make(chan struct{})
		for range 4 {
			wg.Go(func() {
				for {
					select {
					case <-edited:
						return
					default:
						if code := c.Do("GET", "/transactions/"+id, nil).Code(); code != "" {
							t.Error(code)
							return
						}
					}
				}
			})
		}

		for i := range 60 {
			c.Do("PUT", "/transactions/"+id, bodies[(i+1)%2]).OK(200)
		}

		close(edited)
		wg.Wait()
	})
}

// A locked quote is no free option for ever: whoever has it made anew again and again gets a worse rate after a
// while, and then none for a day, by whatever transactions; quotes that were accepted count for nothing.
func TestLapsedQuotesAreNoFreeOption(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		eur := account(h, c, "EUR")
		submit := func() string {
			id := c.Do("POST", "/transactions", fiatBody(c, payout(c, eur, "90.00", "EUR"))).OK(201).ID()
			c.Act(id, "submit").OK(200)
			return id
		}
		id := submit()
		lapse := func() apptest.Answer {
			h.DB().Clock().Advance(5*time.Minute + time.Second)
			return c.Act(id, "accept")
		}

		const free, most = 20, 200

		for range free - 1 {
			lapse().Refused(409, "QUOTE_EXPIRED")
			requireRate(t, "0.9", read(c, id).Quote.Rate)
		}

		lapse().Refused(409, "QUOTE_EXPIRED")
		requireRate(t, "0.8991", read(c, id).Quote.Rate)
		other := submit()
		requireRate(t, "0.8991", read(c, other).Quote.Rate)
		c.Act(other, "accept").OK(200)

		for range most - free - 1 {
			lapse().Refused(409, "QUOTE_EXPIRED")
		}

		refused := lapse()
		refused.Refused(429, "QUOTES_UNUSED")
		require.NotEmpty(t, refused.Header.Get("Retry-After"))
		draft := c.Do("POST", "/transactions", fiatBody(c, payout(c, eur, "90.00", "EUR"))).OK(201).ID()
		c.Act(draft, "submit").Refused(429, "QUOTES_UNUSED")

		h.Exec("UPDATE quotes SET locked_at = locked_at - 86400000000") // a day later
		c.Act(id, "accept").Refused(409, "QUOTE_EXPIRED")
		requireRate(t, "0.9", read(c, id).Quote.Rate)
	})
}

// Many accepts of one old quote: nobody accepts a rate that nobody has seen, and there is one new quote.
func TestManyAcceptsOfAnOldQuote(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		id := c.Do("POST", "/transactions", fiatBody(c, payout(c, account(h, c, "EUR"), "90.00", "EUR"))).OK(201).ID()
		c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)
		h.DB().Clock().Advance(5*time.Minute + time.Second)
		m.Fix("EUR", 8_000)

		var wg sync.WaitGroup
		codes := make([]string, 8)

		version := apptest.Header{Name: "If-Match", Value: "2"}
		for i := range codes {
			wg.Go(func() { codes[i] = c.Do("POST", "/transactions/"+id+"/accept", nil, version).Code() })
		}

		wg.Wait()

		for _, code := range codes { // TX_CHANGED: it read the old transaction and the new quote
			require.Contains(t, []string{"QUOTE_EXPIRED", "VERSION_MISMATCH", "TX_CHANGED"}, code)
		}

		require.Contains(t, codes, "QUOTE_EXPIRED")
		require.Equal(t, transaction.StatusWaiting, read(c, id).Status)
		require.EqualValues(t, 2, h.Count("SELECT count(*) FROM quotes WHERE transaction_id = ?", id))
		require.EqualValues(t, 3, read(c, id).Version)
	})
}

// N-04: who may not accept does not set off a new quote either.
func TestOnlyWhoMayAcceptIsQuotedAnew(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		id := c.Do("POST", "/transactions", fiatBody(c, payout(c, account(h, c, "EUR"), "90.00", "EUR"))).OK(201).ID()
		c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)
		h.DB().Clock().Advance(5*time.Minute + time.Second)
		h.Exec("UPDATE members SET user_type = 'viewer' WHERE id = ?", c.Member)
		c.Do("POST", "/transactions/"+id+"/accept", nil).Refused(403, "MEMBER_NOT_AUTHORIZED")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM quotes WHERE transaction_id = ?", id))
	})
}

// F-09: what was locked is paid: bank account and receiver are edited before submit, which locks them as they are
// then, and edited and deleted after it, which changes nothing.
func TestFiatPaysWhatWasLocked(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")
		id := c.Do("POST", "/transactions", fiatBody(c, payout(c, eur, "90.00", "EUR"))).OK(201).ID()
		c.Do("PATCH", "/bank-accounts/"+eur, object{"bankName": "Commerzbank"}).OK(200)
		c.Do("PATCH", "/receivers/"+c.Receiver, object{"lastName": "Meier"}).OK(200)
		c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)

		c.Do("PATCH", "/bank-accounts/"+eur, object{
			"iban":        "FR1420041010050500013M02606",
			"bankCountry": "FR",
			"bicSwift":    "PSSTFRPPXXX",
		}).OK(200)

		c.Do("PATCH", "/receivers/"+c.Receiver, object{"firstName": "Mallory"}).OK(200)
		c.Do("DELETE", "/bank-accounts/"+eur, nil).OK(200)
		h.DB().Clock().Advance(5*time.Minute + time.Second)
		// quoted anew, still for what was locked
		c.Do("POST", "/transactions/"+id+"/accept", nil).Refused(409, "QUOTE_EXPIRED")
		c.Do("POST", "/transactions/"+id+"/accept", nil).OK(200)
		v := read(c, id)
		require.Equal(t, "DE89370400440532013000", v.Items[0].BankAccount.IBAN)
		require.Equal(t, "Alice", v.Items[0].Receiver.FirstName)

		locked, err := transaction.ByID(t.Context(), h.DB(), id)
		require.NoError(t, err)

		a, err := locked.Payments[0].Account()
		require.NoError(t, err)
		require.Equal(t, "DE89370400440532013000", a.IBAN)
		require.Equal(t, "Commerzbank", a.BankName())

		r, err := locked.Payments[0].Creditor()
		require.NoError(t, err)
		require.Equal(t, "Alice Meier", r.Name())
		require.Equal(t, "Zürich", r.Address.City)
		require.True(t, locked.ContentUnchanged())
	})
}

// I8: the hash covers where the money goes and how much of it: what was changed behind the service's back is not
// accepted.
func TestTamperedBankDetailsAreNotAccepted(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")

		eur := account(h, c, "EUR")
		for _, change := range []string{
			"", // the account itself, by somebody who has the key
			"UPDATE payment_terms SET fiat_units = '900000' WHERE transaction_id = ?",
			"UPDATE payment_terms SET fees_option = 'OUR' WHERE transaction_id = ?",
			"UPDATE payments SET snapshot = replace(snapshot, 'Alice', 'Mallory') WHERE transaction_id = ?",
			"UPDATE transactions SET debit = '1' WHERE id = ?",
		} {
			id := c.Do("POST", "/transactions", fiatBody(c, payout(c, eur, "90.00", "EUR"))).OK(201).ID()
			c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)

			if change == "" {
				dbtest.Replace(
					t,
					h.DB(),
					transaction.Sealed()[0],
					"DE89370400440532013000",
					"FR1420041010050500013M02606",
				)
			} else {
				h.Exec(change, id)
			}

			c.Do("POST", "/transactions/"+id+"/accept", nil).Refused(409, "TX_CHANGED")
		}
	})
}

// Submit looks anew: at bank accounts, at the rate, at the funds with all fees; and whoever dies lets go of what he
// had reserved.
func TestFiatSubmitLooksAnew(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")
		draft := func(amount string, members object) string {
			return c.Do("POST", "/transactions", fiatBody(c, with(payout(c, eur, amount, "EUR"), members))).OK(201).ID()
		}
		id := draft("90.00", object{"estimatedRate": "0.90"})
		m.Fix("EUR", 9_500)
		c.Do("POST", "/transactions/"+id+"/submit", nil).Refused(
			422,
			"ESTIMATED_RATE_OUT_OF_TOLERANCE",
			"/payments/0/estimatedRate ESTIMATED_RATE_OUT_OF_TOLERANCE",
		)
		m.Fix("EUR", 9_000)
		m.Down(true)
		c.Do("POST", "/transactions/"+id+"/submit", nil).Refused(503, "RATE_UNAVAILABLE")
		priceless := draft("90.00", nil) // a draft can be made without a rate
		m.Down(false)
		c.Do("POST", "/transactions/"+priceless+"/submit", nil).OK(200)
		c.Do("DELETE", "/transactions/"+priceless, nil).OK(200)
		require.Zero(t, h.Count("SELECT count(*) FROM reservations WHERE released_at = 0"))
		require.Zero(
			t,
			h.Count("SELECT count(*) FROM quotes WHERE transaction_id = ? AND status = 'CURRENT'", priceless),
		)

		dear := draft("99999999.00", nil)
		c.Do("POST", "/transactions/"+dear+"/submit", nil).Refused(
			422,
			"BALANCE_INSUFFICIENT",
			"/walletAddress BALANCE_INSUFFICIENT",
		)
		require.Equal(t, transaction.StatusDraft, read(c, dear).Status)
		c.Do("POST", "/transactions/"+id+"/submit", object{"sender": "Ada AG"}).Refused(
			422,
			"NOT_ALLOWED",
			"/sender NOT_ALLOWED",
		)

		c.Do("PATCH", "/bank-accounts/"+eur, object{
			"iban":        "FR1420041010050500013M02606",
			"bankCountry": "FR",
			"bicSwift":    "PSSTFRPPXXX",
		}).OK(200)
		h.RunJobs()
		c.Do("POST", "/transactions/"+id+"/validate", nil).Refused(
			422,
			"BANK_ACCOUNT_COOLING_DOWN",
			"/payments/0/bankAccount BANK_ACCOUNT_COOLING_DOWN",
		)
		c.Do("DELETE", "/bank-accounts/"+eur, nil).OK(200)
		c.Do("POST", "/transactions/"+id+"/submit", nil).Refused(
			422,
			"BANK_ACCOUNT_UNKNOWN",
			"/payments/0/bankAccount BANK_ACCOUNT_UNKNOWN",
		)
	})
}

// Z-01: another organisation's FIAT transaction does not exist, on no route.
func TestFiatOfOthersDoesNotExist(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		body := fiatBody(c, payout(c, account(h, c, "EUR"), "90.00", "EUR"))
		id := c.Do("POST", "/transactions", body).OK(201).ID()

		theirs := fiatBody(other, payout(other, account(h, other, "EUR"), "90.00", "EUR"))
		for _, x := range []struct {
			method, path string
			body         any
		}{
			{"GET", "", nil},
			{"PUT", "", theirs},
			{"POST", "/validate", nil},
			{"POST", "/check-allowance", nil},
			{"POST", "/submit", nil},
			{"POST", "/accept", nil},
			{"GET", "/bank-details", nil},
			{"DELETE", "", nil},
		} {
			other.Do(x.method, "/transactions/"+id+x.path, x.body).Refused(404, "NOT_FOUND")
		}

		require.Equal(t, transaction.StatusDraft, read(c, id).Status)
		require.Empty(t, list(other, "&currencies[]=EUR").Results)
	})
}

// The list's filters over what only FIAT and ONRAMP have.
func TestListFiltersOfFiat(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")
		gbp := account(h, c, "GBP")
		crypto := c.Draft("USDC", "1.00")
		euro := c.Do("POST", "/transactions", fiatBody(c, payout(c, eur, "90.00", "EUR"))).OK(201).ID()
		both := c.Do(
			"POST",
			"/transactions",
			fiatBody(c, payout(c, eur, "90.00", "EUR"), payout(c, gbp, "90.00", "GBP")),
		).OK(201).ID()

		ramp := c.Do("POST", "/transactions", onrampBody(c, "2000.00", "EUR")).OK(201).ID()
		for query, want := range map[string][]string{
			"":                                {crypto, euro, both, ramp},
			"&currencies[]=EUR":               {euro, both, ramp},
			"&currencies[]=cur_gbp":           {both},
			"&currencies=GBP,CHF":             {both},
			"&currencies[]=JPY":               {},
			"&type[]=FIAT":                    {euro, both},
			"&type=FIAT,ONRAMP":               {euro, both, ramp},
			"&type[]=ONRAMP":                  {ramp},
			"&type[]=ONRAMP&currencies[]=GBP": {},
			"&commissionType=STANDARD":        {crypto, euro, both, ramp},
			"&commissionType=CUSTOM":          {},
			"&partners[]=p":                   {},
		} {
			got := []string{}
			for _, v := range list(c, query).Results {
				got = append(got, v.ID)
			}

			require.ElementsMatch(t, want, got, query)
		}

		var page struct {
			Results []fiatView `json:"results"`
		}
		c.Do("GET", "/transactions?columnId=all&type[]=FIAT&sortBy=_id&direction=1", nil).OK(200).Into(&page)
		require.Equal(t, "90.00", page.Results[0].Items[0].Amount, "a list shows the terms too")
		require.Equal(t, "EUR", page.Results[0].Items[0].Currency)
	})
}

// A review rejects while nothing has left the house: what was reserved and held is free again, the quote counts no
// more. The platform's people see the last four signs of account numbers; the organisation's own see all.
func TestReviewOfFiat(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		staff := h.Client("Grace")
		staff.Staff("staff")
		eur := account(h, c, "EUR")
		reject := func(id string) fiatView {
			var v fiatView
			staff.Do("POST", "/transactions/"+id+"/reject", object{"reason": "sanctions"}).OK(200).Into(&v)
			require.Equal(t, transaction.StatusRejected, v.Status)
			require.Zero(
				t,
				h.Count("SELECT count(*) FROM reservations WHERE transaction_id = ? AND released_at = 0", id),
			)
			require.Zero(t, h.Count("SELECT count(*) FROM quotes WHERE transaction_id = ? AND status = 'CURRENT'", id))

			return v
		}
		submitted := func() string {
			id := c.Do("POST", "/transactions", fiatBody(c, payout(c, eur, "90.00", "EUR"))).OK(201).ID()
			c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)
			return id
		}
		waiting := submitted()
		require.Equal(t, "••••••••••••••••••3000", reject(waiting).Items[0].BankAccount.IBAN)
		require.Equal(t, "DE89370400440532013000", read(c, waiting).Items[0].BankAccount.IBAN)

		accepted := submitted()
		c.Do("POST", "/transactions/"+accepted+"/accept", nil).OK(200)
		require.Equal(t, "IDLE", reject(accepted).Settlement)
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM journals WHERE transaction_id = ? AND kind = 'release'", accepted),
		)

		ramp := c.Do("POST", "/transactions", onrampBody(c, "2000.00", "EUR")).OK(201).ID()
		c.Do("POST", "/transactions/"+ramp+"/submit", nil).OK(200)
		staff.Do("POST", "/transactions/"+ramp+"/reject", object{"reason": "sanctions"}).OK(200)
		c.Do("GET", "/transactions/"+ramp+"/bank-details", nil).Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
	})
}

// A deployment without rates carries out CRYPTO alone; what it had of the other types can still be read.
func TestWithoutRates(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		body := fiatBody(c, payout(c, account(h, c, "EUR"), "90.00", "EUR"))
		draft := c.Do("POST", "/transactions", body).OK(201).ID()
		waiting := c.Do("POST", "/transactions", body).OK(201).ID()
		c.Do("POST", "/transactions/"+waiting+"/submit", nil).OK(200)
		h.Tune(func(out *app.Outside) { out.Banking = app.Banking{} })
		h.Restart()
		c.Login()
		c.Do("POST", "/transactions", body).Refused(
			422,
			"TRANSACTION_TYPE_UNSUPPORTED",
			"/type TRANSACTION_TYPE_UNSUPPORTED",
		)
		c.Do("POST", "/transactions", onrampBody(c, "2000.00", "EUR")).Refused(
			422,
			"TRANSACTION_TYPE_UNSUPPORTED",
			"/type TRANSACTION_TYPE_UNSUPPORTED",
		)
		c.Do("GET", "/transactions/min-onramp-amount", nil).Refused(409, "TRANSACTION_TYPE_UNSUPPORTED")
		require.Equal(t, "[]", strings.TrimSpace(c.Do("GET", "/transactions/onramp-currencies", nil).OK(200).Raw))

		for _, path := range []string{"/validate", "/check-allowance", "/submit"} {
			c.Do("POST", "/transactions/"+draft+path, nil).Refused(409, "TRANSACTION_TYPE_UNSUPPORTED")
		}

		c.Do("POST", "/transactions/"+waiting+"/accept", nil).Refused(409, "TRANSACTION_TYPE_UNSUPPORTED")
		require.Equal(t, "90.00", read(c, waiting).Items[0].Amount)
		c.Do("DELETE", "/transactions/"+waiting, nil).OK(200)
		c.Draft("USDC", "1.00")
	})
}

// F-08: what no payment file could carry is told before anything is taken from the wallet, beside the field that it
// comes from.
func TestWhatNoFileCarriesIsRefusedAtSubmit(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")

		id := c.Do(
			"POST",
			"/transactions",
			fiatBody(
				c,
				payout(c, eur, "90.00", "EUR"),
				with(payout(c, eur, "90.00", "EUR"), object{"reason": "Rechnung für 🚀"}),
			),
		).OK(201).ID()
		for _, action := range []string{"validate", "submit"} {
			c.Act(id, action).Refused(422, "FORMAT_INVALID", "/payments/1/reason FORMAT_INVALID")
		}

		h.Exec("UPDATE receivers SET first_name = '李', last_name = '' WHERE id = ?", c.Receiver)
		refused := c.Act(id, "validate").Refused(
			422,
			"VALIDATION",
			"/payments/0/receiver FORMAT_INVALID",
			"/payments/1/receiver FORMAT_INVALID",
			"/payments/1/reason FORMAT_INVALID",
		)
		require.Contains(t, refused.Raw, "SEPA")
	})
}

// F-08: a text is never cut in silence, however it has grown too long; a payee abroad needs a town, which banks ask for
// since November 2026. Both are told at validate.
func TestValidateSaysWhatBanksRefuse(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")

		reason := func(text string) object { return with(payout(c, eur, "90.00", "EUR"), object{"reason": text}) }
		id := c.Do("POST", "/transactions", fiatBody(
			c,
			reason(strings.Repeat("x", 140)),
			reason(strings.Repeat("x", 200)),
			reason(strings.Repeat("ä", 71)),
		)).OK(201).ID()
		refused := c.Act(id, "validate").Refused(
			422,
			"VALIDATION",
			"/payments/1/reason FORMAT_INVALID",
			"/payments/2/reason FORMAT_INVALID",
		)
		require.Contains(t, refused.Raw, "there is room for 140 characters, the text has 200")
		require.Contains(t, refused.Raw, "there is room for 140 characters, the text has 142")

		for _, address := range []any{"12 Long Road, Dubai", object{"addressLine1": "Sheikh Zayed Road"}} {
			receiver := c.Do("POST", "/receivers", object{
				"type":           "COMPANY",
				"email":          "dunes@example.org",
				"legalName":      "Dunes LLC",
				"address":        address,
				"countryIsoCode": "AE",
			}).OK(201).ID()

			dirham := c.Do("POST", "/bank-accounts", object{
				"receiver":    receiver,
				"bankCountry": "AE",
				"currency":    "AED",
				"iban":        "AE070331234567890123456",
				"bicSwift":    "EBILAEAD",
			}).OK(201).ID()
			h.RunJobs()

			abroad := c.Do("POST", "/transactions", fiatBody(
				c,
				with(payout(c, dirham, "90.00", "AED"), object{"receiver": receiver}),
			)).OK(201).ID()
			refused := c.Act(abroad, "validate").Refused(422, "FORMAT_INVALID", "/payments/0/receiver FORMAT_INVALID")
			require.Contains(t, refused.Raw, "the address lacks its town")

			c.Do("PATCH", "/receivers/"+receiver, object{
				"address": object{"addressLine1": "Sheikh Zayed Road", "city": "Dubai"},
			}).OK(200)
			c.Act(abroad, "validate").OK(200)
		}
	})
}
