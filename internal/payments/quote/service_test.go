package quote_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/rates"
)

// fixed is a source with the rates of market and the dollar's, unless told otherwise.
type fixed struct {
	pairs map[string]string
	err   error
}

func (f *fixed) Rate(_ context.Context, base, to string) (rates.Rate, error) {
	if f.err != nil {
		return rates.Rate{}, f.err
	}

	v, ok := f.pairs[base+"/"+to]
	if !ok {
		return rates.Rate{}, rates.ErrUnknownPair
	}

	return rates.Rate{
		Base:   base,
		Quote:  to,
		Value:  rat(v),
		AsOf:   time.Unix(1_700_000_000, 0).UTC(),
		Source: "test",
	}, nil
}

// desk is a quote service with an organisation and a network.
type desk struct {
	t      *testing.T
	db     *db.DB
	source *fixed
	quotes *quote.Service
	orgs   *organisation.Service
	org    string
}

func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()

	dbtest.Each(t, func(t *testing.T, database *db.DB) {
		d := &desk{
			t:  t,
			db: database,
			source: &fixed{pairs: map[string]string{
				"USDC/USD": "1",
				"USDC/EUR": "0.9",
				"USDC/JPY": "150",
				"USD/EUR":  "0.9",
				"USD/JPY":  "149.37",
				"USD/KWD":  "0.3071",
				"USD/INR":  "85.385",
			}},
		}

		w := identitytest.New(t, database)
		d.org = w.Organisation(w.Someone("alice@example.org").Access)
		d.orgs = w.Orgs

		d.write(func(tx *db.Tx) error {
			return network.Upsert(context.Background(), tx, network.Network{
				ID:          "net_1",
				Name:        "One",
				Type:        network.EVM,
				ChainID:     1,
				NativeToken: "ETH",
				Finality:    network.Finality{Depth: 1},
			})
		})

		d.quotes = quote.New(quote.Deps{DB: database, Rates: d.source, Schedule: schedule(t)})
		test(t, d)
	})
}

func (d *desk) write(body func(tx *db.Tx) error) {
	d.t.Helper()
	require.NoError(d.t, d.db.Write(context.Background(), body))
}

func (d *desk) request(euros string) quote.Request {
	in := fiat(line(0, amount(d.t, eur, euros)))
	in.Organisation = d.org
	return in
}

func (d *desk) price(euros string) quote.Quote {
	d.t.Helper()
	q, err := d.quotes.Price(context.Background(), d.request(euros))
	require.NoError(d.t, err)

	return q
}

func (d *desk) lock(transaction string, q quote.Quote) (out quote.Quote, err error) {
	err = d.db.Write(context.Background(), func(tx *db.Tx) (e error) {
		out, e = d.quotes.Lock(context.Background(), tx, transaction, q)
		return e
	})

	return out, err
}

func (d *desk) terms(t organisation.Terms) {
	d.t.Helper()
	d.write(func(tx *db.Tx) error { return d.orgs.SetTerms(context.Background(), tx, d.org, t) })
}

func text(s string) *string { return &s }

func TestALockedQuoteIsReadBackAsItWas(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		in := d.request("1000.00")
		in.Lines[0].Rail = "SEPA"
		in.Lines = append(in.Lines, line(1, amount(t, jpy, "15000")))
		in.Lines[1].Rail = "SWIFT"
		in.Lines[1].Charges = quote.BEN
		in.Token.Decimals = 18
		q, err := d.quotes.Price(t.Context(), in)
		require.NoError(t, err)

		locked, err := d.lock("txn_1", q)
		require.NoError(t, err)
		require.Equal(t, 1, locked.Sequence)
		require.Equal(t, 5*time.Minute, locked.ExpiresAt.Sub(locked.LockedAt))

		read, err := d.quotes.ForTransaction(t.Context(), d.db, "txn_1")
		require.NoError(t, err)
		require.Equal(t, locked.View(), read.View())
		require.Equal(t, locked.FeeViews(), read.FeeViews())
		require.Equal(t, locked.TotalsView(), read.TotalsView())

		for i, l := range locked.Lines {
			require.Equal(t, l.TokenUnits.String(), read.Lines[i].TokenUnits.String())
			require.Equal(t, l.Deducted.String(), read.Lines[i].Deducted.String())
			require.Zero(t, l.Rate.Cmp(read.Lines[i].Rate))

			require.Equal(
				t,
				[]any{l.Rail, l.Charges, l.AsOf, l.Source},
				[]any{read.Lines[i].Rail, read.Lines[i].Charges, read.Lines[i].AsOf, read.Lines[i].Source},
			)
		}

		require.Equal(t, q.TokenDebit.String(), read.TokenDebit.String())
		require.Equal(t, "1211.11", read.ValueUSD.String())

		_, err = d.quotes.ForTransaction(t.Context(), d.db, "txn_2")
		require.ErrorIs(t, err, db.ErrNone)
	})
}

func TestATransactionHasOneCurrentQuote(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for i := range 3 {
			d.source.pairs["USDC/EUR"] = []string{"0.9", "0.91", "0.92"}[i]
			locked, err := d.lock("txn_1", d.price("100.00"))
			require.NoError(t, err)
			require.Equal(t, i+1, locked.Sequence)
		}

		read, err := d.quotes.ForTransaction(t.Context(), d.db, "txn_1")
		require.NoError(t, err)
		require.Equal(t, "0.92", read.View().Rate)
		count := func(status string) int64 {
			n, err := db.Value[int64](
				t.Context(),
				d.db,
				"SELECT count(*) FROM quotes WHERE transaction_id = 'txn_1' AND status = ?",
				status,
			)

			require.NoError(t, err)

			return n
		}
		require.Equal(t, []int64{1, 2, 0}, []int64{count("CURRENT"), count("REPLACED"), count("DEAD")})
		_, err = d.lock("txn_2", d.price("100.00"))
		require.NoError(t, err)
		all, err := d.quotes.ForTransactions(t.Context(), d.db, []string{"txn_1", "txn_2", "txn_3"})
		require.NoError(t, err)
		require.Len(t, all, 2)
		require.Equal(t, 3, all["txn_1"].Sequence)

		for range 2 {
			d.write(func(tx *db.Tx) error { return quote.Release(tx, "txn_1") })
		}

		require.Equal(t, []int64{0, 2, 1}, []int64{count("CURRENT"), count("REPLACED"), count("DEAD")})
		read, err = d.quotes.ForTransaction(t.Context(), d.db, "txn_1")
		require.NoError(t, err)
		require.Equal(t, 3, read.Sequence, "a dead transaction still shows its price")
	})
}

// Many at once end with one current quote and numbers without gaps.
func TestLocksAtOnceLeaveOneCurrentQuote(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		q := d.price("100.00")

		done := make(chan error)
		for range 8 {
			go func() { _, err := d.lock("txn_1", q); done <- err }()
		}

		locked := 0

		for range 8 {
			if err := <-done; err == nil {
				locked++
			} else {
				require.True(t, db.IsUnique(err, "quotes") || errors.Is(err, db.ErrRetry), "%v", err)
			}
		}

		require.Positive(t, locked)

		n, err := db.Value[int64](t.Context(), d.db, "SELECT count(*) FROM quotes WHERE status = 'CURRENT'")
		require.NoError(t, err)
		require.EqualValues(t, 1, n)

		last, err := db.Value[int64](t.Context(), d.db, "SELECT max(sequence) FROM quotes")
		require.NoError(t, err)
		require.EqualValues(t, locked, last)
	})
}

func TestAQuoteHoldsForFiveMinutesAndIsThenMadeAnew(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		before, err := d.lock("txn_1", d.price("900.00"))
		require.NoError(t, err)
		require.NoError(t, before.Good(before.LockedAt.Add(5*time.Minute-time.Microsecond)))
		require.ErrorIs(t, before.Good(before.LockedAt.Add(5*time.Minute)), quote.ErrExpired)

		d.source.pairs["USDC/EUR"] = "0.8"
		d.db.Clock().Advance(6 * time.Minute)
		now, err := d.lock("txn_1", d.price("900.00"))
		require.NoError(t, err)
		require.NoError(t, now.Good(d.db.Now()))
		f, ok := fault.As(quote.Expired(before, now))
		require.True(t, ok)
		require.Equal(t, fault.Conflict, f.Kind)
		require.Equal(t, fault.QuoteExpired, f.Code)
		require.Equal(t, []any{"0.9", "0.8"}, []any{f.Extra["previousRate"], f.Extra["newRate"]})
		require.Equal(t, now.View(), f.Extra["quote"])
		require.Equal(t, "1131.125", f.Extra["totals"].(quote.TotalsView).TokenDebit)
	})
}

// What is stale is not used: the caller is told to come back, with a code of its own, and nothing is kept.
func TestWithoutAFreshRateThereIsNoQuote(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for _, test := range []struct {
			err  error
			code fault.Code
		}{
			{&rates.Stale{Base: "USDC", Quote: "EUR", Source: "ECB", AsOf: time.Unix(0, 0)}, fault.RateStale},
			{rates.ErrUnavailable, fault.RateUnavailable},
			{errors.Join(rates.ErrUnavailable, &rates.Stale{}), fault.RateStale},
		} {
			d.source.err = test.err
			_, err := d.quotes.Price(t.Context(), d.request("100.00"))
			f, ok := fault.As(err)
			require.True(t, ok, "%v", err)
			require.Equal(t, fault.Unavailable, f.Kind)
			require.Equal(t, test.code, f.Code)

			_, err = d.quotes.MinOnramp(t.Context(), eur)
			require.True(t, fault.Is(err, test.code))
		}

		d.source.err = errors.New("a fault of ours")
		_, err := d.quotes.Price(t.Context(), d.request("100.00"))
		_, refusal := fault.As(err)
		require.False(t, refusal)

		d.source.err = nil
		delete(d.source.pairs, "USDC/EUR")
		_, err = d.quotes.Price(t.Context(), d.request("100.00"))
		require.Equal(t, map[string]fault.Code{"/payments/0/currencyIsoCode": fault.PairUnknown}, refusals(t, err))
	})
}

func TestLimitsOfTheOrganisationAreKept(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.terms(organisation.Terms{TransactionValueLimit: text("1000"), MinUSDPaymentAmount: text("100.00")})
		_, err := d.quotes.Price(t.Context(), d.request("900.01"))
		require.Equal(t, map[string]fault.Code{"/payments": fault.ValueLimit}, refusals(t, err))

		_, err = d.quotes.Price(t.Context(), d.request("89.99"))
		require.Equal(t, map[string]fault.Code{"/payments/0/amount": fault.AmountBelowLeast}, refusals(t, err))

		d.price("900.00")
		d.terms(organisation.Terms{TransactionValueLimit: text("0"), MinUSDPaymentAmount: text("0")})
		d.price("1000000.00")
		d.price("0.01")
	})
}

// cumulativeAmount is over all transactions that were submitted and did not die; each counts once, whatever the
// number of its quotes.
func TestTheSumOfAllTransactionsIsLimited(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.terms(organisation.Terms{CumulativeAmount: text("1000")})

		for range 3 {
			_, err := d.lock("txn_1", d.price("540.00")) // 600 dollars
			require.NoError(t, err)
		}

		_, err := d.lock("txn_2", d.price("360.01"))
		require.Equal(t, map[string]fault.Code{"/payments": fault.CumulativeLimit}, refusals(t, err))
		_, err = d.quotes.ForTransaction(t.Context(), d.db, "txn_2")
		require.ErrorIs(t, err, db.ErrNone)
		_, err = d.lock("txn_2", d.price("360.00"))
		require.NoError(t, err)

		arrived := d.request("500.00")
		arrived.Kind = quote.Onramp
		arrived.Arrived = true
		q, err := d.quotes.Price(t.Context(), arrived)
		require.NoError(t, err)
		_, err = d.lock("txn_3", q)
		require.NoError(t, err, "a deposit that is there is never refused")

		d.write(func(tx *db.Tx) error { return errors.Join(quote.Release(tx, "txn_1"), quote.Release(tx, "txn_3")) })
		_, err = d.lock("txn_4", d.price("540.00"))
		require.NoError(t, err)
	})
}

// A deposit that was submitted counts before it has come, and is no price; what it brought takes its place; what died
// counts no more.
func TestADepositCountsFromItsSubmission(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.terms(organisation.Terms{CumulativeAmount: text("1000")})
		announce := func(id, euros string) error {
			r := d.request(euros)
			r.Kind = quote.Onramp
			q, err := d.quotes.Price(t.Context(), r)
			require.NoError(t, err)

			return d.db.Write(t.Context(), func(tx *db.Tx) error { return d.quotes.Announce(t.Context(), tx, id, q) })
		}
		limit := map[string]fault.Code{"/payments": fault.CumulativeLimit}

		require.NoError(t, announce("txn_1", "540.00")) // 600 dollars
		require.Equal(t, limit, refusals(t, announce("txn_2", "360.01")))
		_, err := d.lock("txn_2", d.price("360.01"))
		require.Equal(t, limit, refusals(t, err))
		_, err = d.quotes.ForTransaction(t.Context(), d.db, "txn_1")
		require.ErrorIs(t, err, db.ErrNone)
		all, err := d.quotes.ForTransactions(t.Context(), d.db, []string{"txn_1"})
		require.NoError(t, err)
		require.Empty(t, all)

		d.source.pairs["USDC/EUR"] = "0.6" // it brings more than it seemed to
		arrived := d.request("540.00")
		arrived.Kind = quote.Onramp
		arrived.Arrived = true
		q, err := d.quotes.Price(t.Context(), arrived)
		require.NoError(t, err)
		_, err = d.lock("txn_1", q)
		require.NoError(t, err)
		d.source.pairs["USDC/EUR"] = "0.9"
		require.Equal(t, limit, refusals(t, announce("txn_2", "90.01")), "900 and 100.01")
		require.NoError(t, announce("txn_2", "90.00"))

		d.write(func(tx *db.Tx) error { return quote.Release(tx, "txn_2") })
		_, err = d.quotes.ForTransaction(t.Context(), d.db, "txn_2")
		require.ErrorIs(t, err, db.ErrNone)
		require.NoError(t, announce("txn_3", "90.00"))
	})
}

func TestCommissionsAndTheNetworksLeastFeeComeFromTheirRecords(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		require.Equal(t, "0.555556", feesOf(d.price("100.00"), quote.CommissionFee).String())

		d.write(func(tx *db.Tx) error {
			for _, row := range [][]any{
				{"CUSTOM", d.org, "pair_usdc_eur", "0.25"},
				{"CUSTOM", d.org, "pair_gone", "9"},
				{"PARTNER", "partner_1", "pair_usdc_eur", "1"},
			} {
				if _, err := tx.Exec(
					`INSERT INTO commissions (kind, owner, pair, percent, is_hidden, updated_at)
						VALUES (?, ?, ?, ?, FALSE, 0)`,
					row...); err != nil {
					return err
				}
			}

			_, err := tx.Exec("UPDATE networks SET min_transaction_fee = '0.75' WHERE id = 'net_1'")

			return err
		})

		q := d.price("100.00")
		require.Equal(t, "0.277778", feesOf(q, quote.CommissionFee).String())
		require.Equal(t, quote.Custom, q.Commission)
		require.Equal(t, "0.75", feesOf(q, quote.NetworkFee).String())

		in := d.request("100.00")
		in.Partner = "partner_1"
		q, err := d.quotes.Price(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, quote.Partner, q.Commission)

		locked, err := d.lock("txn_1", q)
		require.NoError(t, err)

		read, err := d.quotes.ForTransaction(t.Context(), d.db, locked.Transaction)
		require.NoError(t, err)
		require.Equal(t, quote.Partner, read.Commission)
	})
}

func TestTheLeastDepositIsAFigureForPeople(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for currency, want := range map[money.Asset]string{
			usd:                        "1000.00",
			eur:                        "900.00",
			jpy:                        "150000",
			{Code: "KWD", Decimals: 3}: "310.00",
			{Code: "INR", Decimals: 2}: "85000.00",
		} {
			least, err := d.quotes.MinOnramp(t.Context(), currency)
			require.NoError(t, err)
			require.Equal(t, want, least.String(), currency.Code)
		}

		_, err := d.quotes.MinOnramp(t.Context(), money.Asset{Code: "XYZ", Decimals: 2})
		require.True(t, fault.Is(err, fault.PairUnknown))

		set := quote.New(quote.Deps{
			DB:    d.db,
			Rates: d.source,
			Minimum: quote.Minimum{
				USD:        amount(t, usd, "50"),
				Currencies: map[string]money.Amount{"EUR": amount(t, eur, "123.45")},
			},
		})

		least, err := set.MinOnramp(t.Context(), eur)
		require.NoError(t, err)
		require.Equal(t, "123.45", least.String())

		least, err = set.MinOnramp(t.Context(), usd)
		require.NoError(t, err)
		require.Equal(t, "50.00", least.String())
	})
}

// Stored numbers that were damaged are told, not guessed.
func TestADamagedQuoteIsNotRead(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		_, err := d.lock("txn_1", d.price("100.00"))
		require.NoError(t, err)

		for _, damage := range []string{
			"UPDATE quotes SET token_debit = 'x'", "UPDATE quotes SET token_debit = '1', content = '{'",
			`UPDATE quotes SET content = '{"lines":[{"fiat":"1","rate":"x","tokens":"1"}]}'`,
		} {
			d.write(func(tx *db.Tx) error { _, err := tx.Exec(damage); return err })
			_, err = d.quotes.ForTransaction(t.Context(), d.db, "txn_1")
			require.Error(t, err, damage)
			require.True(t, strings.Contains(err.Error(), "quo_"), err)
		}
	})
}

func TestTheViewsSayWhatThereIs(t *testing.T) {
	in := fiat(line(0, amount(t, eur, "100.00")), line(1, amount(t, jpy, "1500")), line(2, amount(t, eur, "50.00")))
	q, err := quote.Make(in, market(), quote.Fees{Schedule: schedule(t)})
	require.NoError(t, err)

	v := q.View()
	require.Empty(t, v.Rate, "two currencies have no one rate")
	require.Len(t, v.Rates, 2)
	require.Nil(t, v.ExpiresAt, "it was not locked")

	require.Equal(t, []quote.AmountView{
		{CurrencyIsoCode: "EUR", Amount: "150.00"},
		{CurrencyIsoCode: "JPY", Amount: "1500"},
	}, q.TotalsView().FiatOut)

	whole := 0
	sum := new(big.Int)

	for _, f := range q.FeeViews() {
		if f.Payment == nil {
			whole++
			require.Equal(t, "NETWORK", f.Type)
		}

		sum.Add(sum, amount(t, usdc, f.Amount).Units())
	}

	require.Equal(t, 1, whole)

	for _, l := range q.Lines {
		sum.Add(sum, l.TokenUnits)
	}

	require.Equal(t, money.Format(sum, 6), q.TotalsView().TokenDebit, "what is shown adds up")
}
