package nacha

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/rails/bank/format"
	"slipway/internal/rails/bank/format/formattest"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/nacha"
)

// account is an account with the set-up sheet of its bank.
func account() format.Account {
	return format.Account{
		ID:            "usd",
		Currency:      "USD",
		Country:       "US",
		RoutingNumber: "121042882",
		AccountNumber: "900100",
		Holder:        "Slipway Incorporated Payments",
		BankName:      "First Bank",
		ACH:           format.ACH{Origin: "1234567890", Description: "INVOICES"},
	}
}

// usd is an amount in cents.
func usd(cents int64) money.Amount {
	return money.FromUnits(money.Asset{Code: "USD", Decimals: 2}, big.NewInt(cents))
}

// payment is a payment to a company, or to a person if its number is odd.
func payment(n int) format.Payment {
	end := fmt.Sprintf("%013d%013d", n, n)

	return format.Payment{
		Identity:   Format{}.Identity(end),
		Amount:     usd(int64(1000 + n)),
		Charges:    "SHA",
		Remittance: fmt.Sprintf("Invoice %d", n),
		Creditor:   format.Party{Name: "Kränz & Sons of a very long name", Person: n%2 == 1},
		Account:    format.AccountIDs{RoutingNumber: "231380104", AccountNumber: "12345678", AccountType: "CHECKING"},
	}
}

// order is a file of n payments for the day after it was made.
func order(n int) format.Order {
	o := format.Order{
		Message: format.Prefix + "0123456789ABCDEFGHJKMNPQRS",
		Created: time.Date(2026, 12, 1, 15, 0, 0, 0, time.UTC), // 10:00 in New York
		Day:     "2026-12-02",
		NextDay: "2026-12-03",
		Rail:    "ACH",
		From:    account(),
	}
	for i := range n {
		o.Payments = append(o.Payments, payment(i))
	}

	return o
}

// batches reads a file back.
func batches(t *testing.T, content []byte) (out []nacha.Batch) {
	t.Helper()

	_, err := nacha.Read(bytes.NewReader(content), iso20022.Limits{}, func(b *nacha.Batch, e nacha.Entry) error {
		if len(out) == 0 || out[len(out)-1].Number != b.Number {
			out = append(out, *b)
		}

		last := &out[len(out)-1]
		last.Entries = append(last.Entries, e)

		return nil
	})
	require.NoError(t, err)

	return out
}

func write(t *testing.T, o format.Order) []byte {
	t.Helper()

	content, _, err := Format{}.Write(o)
	require.NoError(t, err)

	return content
}

// B-17: the same payments are the same file, in whatever order the database lists them.
func TestTheSamePaymentsAreTheSameFile(t *testing.T) {
	o := order(500)
	want := write(t, o)

	rand.New(rand.NewPCG(1, 2)).Shuffle(len(o.Payments), func(i, j int) {
		o.Payments[i], o.Payments[j] = o.Payments[j], o.Payments[i]
	})
	require.Equal(t, string(want), string(write(t, o)))
}

// Each payment is found under its identification, and trace numbers ascend without a repetition.
func TestAFileNamesEachPayment(t *testing.T) {
	all := batches(t, write(t, order(500)))
	require.Len(t, all, 2)
	require.Equal(t, "PPD", all[0].Class)
	require.Equal(t, "CCD", all[1].Class)
	require.Equal(t, "Slipway Incorpor", all[0].Company)
	require.Equal(t, "1234567890", all[0].CompanyID)
	require.Equal(t, 220, all[0].Service)
	require.Equal(t, "0123456789ABC-P", all[0].Discretionary)

	seen := map[string]bool{}
	for _, b := range all {
		for _, e := range b.Entries {
			require.True(t, Format{}.Names(e.ID))
			require.False(t, seen[e.Trace])
			seen[e.Trace] = true
		}
	}

	e := all[0].Entries[0]
	require.Equal(t, "Kraenz & S", e.Name[:10])
	require.LessOrEqual(t, len(e.Name), 22)
	require.True(t, strings.HasPrefix(e.Text, "Invoice "))
}

// Trace numbers of many payments have collisions; no two entries share one, and none takes the place of an offset.
func TestTraceNumbersMoveApart(t *testing.T) {
	var of []placed
	for i := range 50_000 {
		of = append(of, placed{number: int64(i % 7), entry: nacha.Entry{ID: fmt.Sprint(i)}})
	}

	of = append(of, placed{number: traces - 1}, placed{number: traces - 1})
	number(of, "12104288")

	for i := 1; i < len(of); i++ {
		require.Less(t, of[i-1].entry.Trace, of[i].entry.Trace)
	}

	require.Equal(t, "121042889999998", of[len(of)-1].entry.Trace)
}

// Until the account's time a file is for the same day, but what is above the limit of the windows is for the next.
func TestSameDayIsForWhatTheWindowsTake(t *testing.T) {
	a := account()
	a.ACH.SameDayUntil = "13:00"

	next := func(at time.Time) time.Time { // every weekday works, until 15:00 in New York
		place, _ := time.LoadLocation(zone)
		local := at.In(place)

		day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
		if local.Hour() >= 15 {
			day = day.AddDate(0, 0, 1)
		}

		for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			day = day.AddDate(0, 0, 1)
		}

		return day
	}

	for _, c := range []struct {
		at, until, want string
	}{
		{"2026-12-01T17:59:00Z", "13:00", "2026-12-01"},
		{"2026-12-01T18:00:00Z", "13:00", "2026-12-02"},
		{"2026-12-01T17:59:00Z", "", "2026-12-02"},
		{"2026-12-01T20:00:00Z", "13:00", "2026-12-03"}, // the bank takes it the day after
		{"2026-12-04T20:00:00Z", "13:00", "2026-12-08"},
		{"2026-12-05T15:00:00Z", "13:00", "2026-12-08"}, // a Saturday
		{"2026-07-01T16:59:00Z", "13:00", "2026-07-01"}, // daylight saving time
		{"2026-07-01T17:00:00Z", "13:00", "2026-07-02"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		require.NoError(t, err)

		a.ACH.SameDayUntil = c.until
		require.Equal(t, c.want, Format{}.Day(a, at, next).Format(time.DateOnly), "%s %s", c.at, c.until)
	}

	o := order(4)
	o.Day = "2026-12-01"
	o.NextDay = "2026-12-02"
	o.Payments[0].Amount = usd(sameDayLimit)
	o.Payments[2].Amount = usd(sameDayLimit + 1)

	all := batches(t, write(t, o))
	require.Len(t, all, 3)

	for i, want := range []string{"PPD 2026-12-01 2", "CCD 2026-12-01 1", "CCD 2026-12-02 1"} {
		require.Equal(
			t,
			want,
			fmt.Sprintf("%s %s %d", all[i].Class, all[i].Effective.Format(time.DateOnly), len(all[i].Entries)),
		)
	}
}

// B-17: a balanced batch ends with a debit of our account, of the sum of its entries, under the batch's identification.
func TestABalancedFileDebitsOurAccount(t *testing.T) {
	o := order(3)
	o.From.ACH.Balanced = true

	all := batches(t, write(t, o))
	require.Len(t, all, 2)
	require.Equal(t, 200, all[1].Service)

	last := all[1].Entries[len(all[1].Entries)-1]
	require.True(t, last.Debit())
	require.Equal(t, int64(1000+1002), last.Cents)
	require.Equal(t, "900100", last.Account)
	require.Equal(t, "121042882", last.Routing)
	require.Equal(t, Format{}.Block(o.Message, o.Payments[0]), last.ID)

	message, ours := Format{}.MessageOfBlock(last.ID)
	require.True(t, ours)
	require.True(t, strings.HasPrefix(o.Message, message))
}

// What is written is read again after a restore; offsets are no payments.
func TestAFileIsReadAgain(t *testing.T) {
	o := order(5)
	o.From.ACH.Balanced = true
	content := write(t, o)
	require.True(t, Format{}.Looks(content))

	got, err := Format{}.Read(bytes.NewReader(content), 1<<20)
	require.NoError(t, err)
	require.Equal(t, "2026-12-02", got.Day)
	require.Equal(t, "1234567890", got.Origin)
	require.Len(t, got.Payments, 5)

	amounts := map[string]string{}
	for _, p := range got.Payments {
		amounts[p.Identity] = p.Amount
	}

	for _, p := range o.Payments {
		require.Equal(t, p.Amount.String(), amounts[p.Identity])
	}
}

// What no entry can carry is refused with the payment and the field that people have filled.
func TestWhatNoEntryCarriesIsRefused(t *testing.T) {
	o := order(6)
	o.From.ACH.Classes = []string{"CCD"}
	o.Payments[0].Remittance = strings.Repeat("x", 81)
	o.Payments[2].Account.RoutingNumber = "231380105"
	o.Payments[4].Amount = usd(nacha.MostCents + 1)

	_, _, err := Format{}.Write(o)

	var refused *format.Refused
	require.ErrorAs(t, err, &refused)

	got := map[string]bool{}
	for _, f := range refused.Faults {
		got[fmt.Sprint(f.Payment, " ", f.Field)] = true
	}

	require.Equal(
		t,
		map[string]bool{
			"0 remittance":    true,
			"1 creditor/name": true,
			"3 creditor/name": true,
			"5 creditor/name": true,
		},
		got,
	)

	o.Payments = []format.Payment{o.Payments[2], o.Payments[4]}
	_, _, err = Format{}.Write(o)
	require.ErrorAs(t, err, &refused)

	got = map[string]bool{}
	for _, f := range refused.Faults {
		got[fmt.Sprint(f.Payment, " ", f.Field)] = true
	}

	require.Equal(t, map[string]bool{"0 account/routingNumber": true, "1 amount": true}, got)
}

// A set-up sheet that no bank gives is refused when the program starts.
func TestASetUpSheetIsChecked(t *testing.T) {
	require.Empty(t, Format{}.Check(account()))

	a := account()
	a.ACH = format.ACH{SameDayUntil: "1pm", Classes: []string{"CTX"}}
	a.Currency = "EUR"
	require.Len(t, Format{}.Check(a), 4)

	a = account()
	a.ACH.CompanyName = "A company of more than sixteen letters"
	a.ACH.CompanyID = "12345678901"
	require.Equal(
		t,
		[]string{"ach: companyid has at most 10 characters"},
		Format{}.Check(a),
		"names are cut, numbers not",
	)
}

// An identification of others, even of the same length and letters, is hardly ever taken for ours.
func TestOthersAreNotTakenForOurs(t *testing.T) {
	own := Format{}.Identity("0123456789ABCDEFGHJKMNPQRS")
	require.Len(t, own, 15)
	require.True(t, Format{}.Names(own))
	require.Equal(t, "0123456789ABC", format.Root(own))

	taken := 0
	for i := range 10_000 {
		if (Format{}).Names(fmt.Sprintf("%015d", i)) {
			taken++
		}
	}

	require.Less(t, taken, 40)

	for _, block := range []string{"0123456789ABC-X", "0123456789ABCDP", "0123456789ABI-P", ""} {
		_, ours := Format{}.MessageOfBlock(block)
		require.False(t, ours, block)
	}
}

// The format keeps what every format of payment files must.
func TestNachaIsAFormat(t *testing.T) {
	formattest.Check(t, Format{}, account(), "ACH",
		format.AccountIDs{RoutingNumber: "231380104", AccountNumber: "12345678", AccountType: "CHECKING"})
}
