package statement

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/paper/papertest"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// every kind of statement that people look at, in every state that shows something else.
func samples() map[string]Statement {
	out := map[string]Statement{}
	for _, kind := range []string{"CRYPTO", "FIAT", "ONRAMP"} {
		for _, status := range []string{"DRAFT", "COMPLETED", "FAILED"} {
			for _, n := range []int{1, 3, 30} {
				out[kind+" "+status+" "+string(rune('0'+n/10))+string(rune('0'+n%10))] = sample(
					kind,
					status,
					n,
					status == "COMPLETED" && n > 1,
				)
			}
		}
	}

	return out
}

// printed reads a number off the page.
func printed(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(strings.NewReplacer(",", "", "−", "-").Replace(s))
	require.True(t, ok, s)

	return r
}

// What stands on paper adds up: the payments to their totals, the lines of the price to its total. Read from the
// pages, figure by figure.
func TestPrintedFiguresAddUp(t *testing.T) {
	for name, st := range samples() {
		file, err := Render(st, nil)
		require.NoError(t, err, name)
		all := slices.Concat(papertest.Read(t, file).Pages...)

		text := strings.Join(all, "\n")
		for _, p := range st.Payments {
			require.Contains(t, text, p.ID, name)
		}

		f := figures{}
		for _, x := range st.Totals {
			f.see(x.Amount)
		}

		sum := new(big.Rat)
		for _, x := range st.Totals {
			at := slices.Index(all, x.Label)
			require.GreaterOrEqual(t, at, 0, "%s: %s", name, x.Label)

			if figure := printed(t, all[at+1]); x.Total {
				require.Zero(t, sum.Cmp(figure), "%s: %s", name, all[at+1])
			} else {
				sum.Add(sum, figure)
			}

			require.Equal(t, x.Amount.Asset, all[at+2])
		}

		if st.Type == "ONRAMP" {
			continue
		}

		totals := map[string]*big.Rat{}
		for _, p := range st.Payments {
			if totals[p.Amount.Asset] == nil {
				totals[p.Amount.Asset] = new(big.Rat)
			}

			totals[p.Amount.Asset].Add(totals[p.Amount.Asset], printed(t, p.Amount.Value))
		}

		found := 0
		for i, x := range all {
			if strings.HasPrefix(x, "Total ") {
				require.Zero(t, totals[all[i+2]].Cmp(printed(t, all[i+1])), "%s: %s", name, x)
				found++
			}
		}

		require.Equal(t, len(totals), found, name)
	}
}

// Payees stand there in the letters of their own scripts.
func TestPayeesHaveTheirLetters(t *testing.T) {
	names := []string{"สมศรี ทองดี", "राम कुमार", "Иван Петров", "東京商事"}

	st := sample("FIAT", "COMPLETED", len(names), false)
	for i, name := range names {
		st.Payments[i].Receiver = name
	}

	file, err := Render(st, nil)
	require.NoError(t, err)

	text := strings.Join(slices.Concat(papertest.Read(t, file).Pages...), "\n")
	for _, word := range strings.Fields(strings.Join(names, " ")) {
		require.Contains(t, text, word)
	}

	require.NotContains(t, text, "□")
}

// The same content gives the same file.
func TestRenderIsReproducible(t *testing.T) {
	for name, st := range samples() {
		a, err := Render(st, nil)
		require.NoError(t, err)
		b, err := Render(st, nil)
		require.NoError(t, err)
		require.Equal(t, a, b, name)
	}
}

func TestFigures(t *testing.T) {
	f := figures{}
	f.see(Amount{"1.5", "USDC"}, Amount{"0.123456", "USDC"}, Amount{"7", "JPY"})

	for in, want := range map[Amount]string{
		{"1234567.50", "USDC"}:   "1,234,567.500000",
		{"-1234.123456", "USDC"}: "−1,234.123456",
		{"0.00", "USDC"}:         "0.000000",
		{"123", "JPY"}:           "123",
		{"1234", "JPY"}:          "1,234",
		{"12.30", "EUR"}:         "12.30", // never seen, never cut
	} {
		require.Equal(t, want, f.show(in))
	}
}

// Whatever is posted, what a statement says of the books sums to nothing for each asset, and the house's own accounts
// are not among it.
func TestBooksSumToNothing(t *testing.T) {
	accounts := []string{
		"wallet/net/0x1",
		"hold/net/org",
		"clearing/net",
		"clearing/convert/EUR",
		"fx/USDC-EUR",
		"receiver/net/rcv",
		"payee/rcv",
		"income/commission/net",
		"income/network/net",
		"held/EUR/org",
		"suspense/EUR",
		"sender/EUR",
		"receivable/org",
		"another/kind",
	}

	rapid.Check(t, func(r *rapid.T) {
		var lines []ledger.Line
		for range rapid.IntRange(1, 20).Draw(r, "journals") {
			asset := rapid.SampledFrom([]string{"USDC", "EUR"}).Draw(r, "asset")
			n := big.NewInt(rapid.Int64Range(1, 1<<50).Draw(r, "units"))

			lines = append(lines, ledger.Line{
				Account: rapid.SampledFrom(accounts).Draw(r, "from"),
				Asset:   asset,
				Units:   new(big.Int).Neg(n).String(),
			},
				ledger.Line{Account: rapid.SampledFrom(accounts).Draw(r, "to"), Asset: asset, Units: n.String()},
				ledger.Line{
					Account: "treasury/net",
					Asset:   asset,
					Units:   n.String(),
				}, ledger.Line{Account: "position/net", Asset: asset, Units: new(big.Int).Neg(n).String()})
		}

		sums, err := booked(lines, map[string]int{"USDC": 6, "EUR": 2})
		require.NoError(r, err)

		left := map[string]*big.Rat{}
		for _, s := range sums {
			require.NotContains(r, s.Label, "treasury")
			v, ok := new(big.Rat).SetString(s.Amount.Value)
			require.True(r, ok)

			if s.Total {
				require.Zero(r, v.Sign())
				continue
			}

			require.NotZero(r, v.Sign(), "what has come to nothing is left out")

			if left[s.Amount.Asset] == nil {
				left[s.Amount.Asset] = new(big.Rat)
			}

			left[s.Amount.Asset].Add(left[s.Amount.Asset], v)
		}

		for asset, v := range left {
			require.Zero(r, v.Sign(), asset)
		}
	})
}

// Which code a depositor gets follows from the house's account: a QR reference goes with a QR-IBAN alone, the
// creditor reference with any other.
func TestCodeOfADeposit(t *testing.T) {
	house := transaction.DepositAccount{
		Currency: "CHF",
		Country:  "CH",
		Holder:   "Robert Schneider AG",
		Street:   "Rue du Lac 1268",
		PostCode: "2501",
		Town:     "Biel",
		IBAN:     "CH4431999123000889012",
	}
	deposit := func(currency string) transaction.Transaction {
		x := transaction.Transaction{Type: transaction.TypeOnramp}
		x.Reference = creditorref.Deposit([5]byte{1, 2, 3, 4, 5})
		x.AmountCurrency = currency
		x.CurrencyDecimals = 2
		x.FiatUnits = big.NewInt(194_975)

		return x
	}
	with := func(change func(h *transaction.DepositAccount)) transaction.DepositAccount {
		h := house
		change(&h)
		return h
	}
	_, err := iban.Parse(house.IBAN)
	require.NoError(t, err)

	for _, x := range []struct {
		name, currency string
		house          transaction.DepositAccount
		issuer         Issuer
		reference      qrbill.ReferenceType // empty: no Swiss bill
		epc            bool
	}{
		{"a QR-IBAN", "CHF", house, Issuer{}, qrbill.QRR, false},
		{"another Swiss account", "CHF", with(func(h *transaction.DepositAccount) {
			h.IBAN = "CH9300762011623852957"
		}), Issuer{}, qrbill.SCOR, false},
		{"euro on a Swiss account", "EUR", with(func(h *transaction.DepositAccount) {
			h.IBAN = "CH9300762011623852957"
		}), Issuer{}, qrbill.SCOR, false},
		{"a holder without an address", "CHF", with(func(h *transaction.DepositAccount) {
			h.Town = ""
		}), Issuer{}, "", false},
		{"whose address the operator's is", "CHF", with(func(h *transaction.DepositAccount) {
			h.Town = ""
		}), Issuer{Name: house.Holder, PostCode: "8000", Town: "Zürich", Country: "CH"}, qrbill.QRR, false},
		{"SEPA", "EUR", with(func(h *transaction.DepositAccount) {
			h.IBAN = "DE89370400440532013000"
			h.Country = "DE"
		}), Issuer{}, "", true},
		{"SEPA, with a holder's name that no code holds", "EUR", with(func(h *transaction.DepositAccount) {
			h.IBAN = "DE89370400440532013000"
			h.Country = "DE"
			h.Holder = strings.Repeat("x", 71)
		}), Issuer{}, "", false},
		{"pounds", "GBP", with(func(h *transaction.DepositAccount) {
			h.IBAN = ""
			h.Country = "GB"
		}), Issuer{}, "", false},
		{"dirhams", "AED", with(func(h *transaction.DepositAccount) {
			h.IBAN = "AE070331234567890123456"
			h.Country = "AE"
		}), Issuer{}, "", false},
	} {
		code, swiss := codeOf(deposit(x.currency), x.house, x.issuer)
		require.Equal(t, x.reference != "", swiss, x.name)

		switch {
		case swiss:
			bill, err := qrbill.Parse(code)
			require.NoError(t, err, x.name)
			require.Equal(t, x.reference, bill.ReferenceType, x.name)
			require.Equal(t, "1949.75", bill.Amount)

		case x.epc:
			require.True(t, strings.HasPrefix(code, "BCD\n002\n1\nSCT\n"), x.name)
		default:
			require.Empty(t, code, x.name)
		}
	}
}

// Amounts of an asset whose decimals nobody knows are not written down, rather than some powers of ten too large.
func TestBooksOfAnUnknownAssetAreRefused(t *testing.T) {
	lines := []ledger.Line{
		{Account: "wallet/n/0x1", Asset: "XXA", Units: "-5"},
		{Account: "payee/rcv", Asset: "XXA", Units: "5"},
	}
	_, err := booked(lines, source{lines: lines}.decimals())
	require.Error(t, err)

	for i := range lines {
		lines[i].Asset = "GBP" // not among the transaction's own
	}

	sums, err := booked(lines, source{lines: lines}.decimals())
	require.NoError(t, err)
	require.Equal(t, Amount{"-0.05", "GBP"}, sums[0].Amount)
}

// Who types a payment off the page finds the reference that the account takes: a QR reference where it has a QR-IBAN,
// and there alone.
func TestDepositNamesTheReferenceThatItsAccountTakes(t *testing.T) {
	for number, want := range map[string]bool{"CH4431999123000889012": true, "CH9300762011623852957": false} {
		x := transaction.Transaction{
			Type:       transaction.TypeOnramp,
			Status:     transaction.StatusWaiting,
			Settlement: transaction.SettlementAwaiting,
		}

		x.Reference = creditorref.Deposit([5]byte{1, 2, 3, 4, 5})
		x.AmountCurrency = "CHF"
		x.CurrencyDecimals = 2
		x.FiatUnits = big.NewInt(194_975)

		house, err := json.Marshal(transaction.DepositAccount{
			Currency: "CHF",
			Country:  "CH",
			Holder:   "Robert Schneider AG",
			PostCode: "2501",
			Town:     "Biel",
			IBAN:     number,
		})

		require.NoError(t, err)

		x.House = string(house)
		d, err := depositOf(x, Issuer{})
		require.NoError(t, err)

		qrr, err := creditorref.QRRFor(x.Reference)
		require.NoError(t, err)
		require.Equal(t, want, slices.Contains(d.Facts, [2]string{"QR reference", qrr}), number)
		require.Equal(t, want, strings.Contains(d.Code, "\nQRR\n"+qrr), number)
	}
}

// An invoice has what was charged, its credit note what was given back for failed payments. A kind of fee that an
// invoice has no line for stops it: an invoice that leaves something out would be wrong for ever.
func TestInvoiceOfWhatTheLedgerHasEarned(t *testing.T) {
	line := func(account, units string) ledger.Line {
		return ledger.Line{Account: account, Asset: "USDC", Units: units}
	}
	src := source{
		issuer: sampleIssuer,
		now:    at,
		t: transaction.Transaction{
			ID:       "txn_x",
			Type:     transaction.TypeFiat,
			Status:   transaction.StatusCompleted,
			Token:    "USDC",
			Decimals: 6,
			Debit:    new(big.Int),
		},
		lines: []ledger.Line{
			line("income/commission/net", "6000000"),
			line("income/network/net", "500000"),
			line("income/commission/net", "-1000000"),
		},
	}
	v, err := src.invoice()
	require.NoError(t, err)
	require.Equal(t, Charge{"", "Total", Amount{"6.50", "USDC"}}, v.Total)
	require.Equal(t, []string{"Commission", "Network fee"}, []string{v.Lines[0].Label, v.Lines[1].Label})
	v.Number = invoiceNumber(2026, 42)
	file, err := RenderInvoice(v, nil)
	require.NoError(t, err)

	text := strings.Join(slices.Concat(papertest.Read(t, file).Pages...), "\n")
	for _, want := range []string{"Invoice 2026-000042", "6.50", sampleIssuer.TaxNote, "CHE-123.456.789 MWST"} {
		require.Contains(t, text, want)
	}

	back, err := src.creditNote(v)
	require.NoError(t, err)
	require.Equal(t, []Charge{{"commission", "Commission", Amount{"1.00", "USDC"}}}, back.Lines)
	require.Equal(t, Charge{"", "Total", Amount{"1.00", "USDC"}}, back.Total)

	back.Number = invoiceNumber(2026, 43)
	require.Equal(t, "credit-note-2026-000043.pdf", back.fileName())

	file, err = RenderInvoice(back, nil)
	require.NoError(t, err)

	text = strings.Join(slices.Concat(papertest.Read(t, file).Pages...), "\n")
	for _, want := range []string{"Credit note 2026-000043", "2026-000042 of " + day(at), "1.00"} {
		require.Contains(t, text, want)
	}

	require.NotContains(t, text, "6.50")

	unknown := src
	unknown.lines = append(slices.Clone(src.lines), line("income/surprise/net", "1"))
	_, err = unknown.invoice()
	require.ErrorContains(t, err, "surprise")
	nobody := src
	nobody.issuer = Issuer{}
	_, err = nobody.invoice()
	require.ErrorContains(t, err, "INVOICE_ISSUER_UNKNOWN")
	free := src
	free.lines = []ledger.Line{line("income/network/net", "5"), line("income/network/net", "-5")}
	v, err = free.invoice()
	require.NoError(t, err)
	require.Equal(t, "0.000005", v.Total.Amount.Value)
	back, err = free.creditNote(v)
	require.NoError(t, err)
	require.Equal(t, v.Total, back.Total, "all of it was given back")
}

// What has cost nothing has an invoice over nothing, with a line.
func TestInvoiceOverNothing(t *testing.T) {
	v, err := source{
		issuer: sampleIssuer,
		now:    at,
		t: transaction.Transaction{
			ID:       "txn_x",
			Type:     transaction.TypeCrypto,
			Status:   transaction.StatusCompleted,
			Token:    "USDC",
			Decimals: 6,
			Debit:    new(big.Int),
		},
	}.invoice()
	require.NoError(t, err)

	nothing := Amount{"0.00", "USDC"}
	require.Equal(t, []Charge{{"", "Carrying out the transaction", nothing}}, v.Lines)
	require.Equal(t, Charge{"", "Total", nothing}, v.Total)

	file, err := RenderInvoice(v, nil)
	require.NoError(t, err)
	require.Contains(
		t,
		strings.Join(slices.Concat(papertest.Read(t, file).Pages...), "\n"),
		"Nothing was charged for this transaction, and nothing is to be paid.",
	)
}

// A state that was entered is told once, with the time it was entered.
func TestHistoryTellsEachStateOnce(t *testing.T) {
	var st Statement

	step := func(status, settlement string, minute int) transaction.StepView {
		return transaction.StepView{
			Status:           status,
			SettlementStatus: settlement,
			At:               at.Add(time.Duration(minute) * time.Minute),
		}
	}

	st.steps([]transaction.StepView{
		step("DRAFT", "IDLE", 0),
		step("WAITING_ACCEPTANCE", "QUOTED", 1),
		step("RELEASED", "SENT_TO_BANK", 2),
		step("RELEASED", "SENT_TO_BANK", 3),
		step("COMPLETED", "SETTLED", 4),
		step("COMPLETED", "RETURNED", 5),
	})

	require.Len(t, st.Steps, 5)
	require.Equal(t, at.Add(time.Minute), st.SubmittedAt)
	require.Equal(t, at.Add(4*time.Minute), st.EndedAt, "a late return does not end it again")
}

func TestAddedIsExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var payments []Payment

		want := money.Zero(money.Asset{Code: "DAI", Decimals: 18})
		for range rapid.IntRange(1, 30).Draw(r, "n") {
			a := money.FromUnits(want.Asset(), big.NewInt(rapid.Int64Min(0).Draw(r, "units")))
			want = want.Add(a)
			payments = append(payments, Payment{Amount: amount(a)})
		}

		got, ok := new(big.Rat).SetString(subtotalOf("", payments, true).amount.Value)
		require.True(r, ok)
		require.Zero(r, got.Cmp(want.Rat()))
	})
}

func BenchmarkStatementOfThirtyPayments(b *testing.B) {
	st := sample("FIAT", "COMPLETED", 30, true)
	for b.Loop() {
		if _, err := Render(st, nil); err != nil {
			b.Fatal(err)
		}
	}
}
