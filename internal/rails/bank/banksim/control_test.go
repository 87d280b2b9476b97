//go:build !nosandbox

package banksim

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func (d *desk) deposit(x Deposit) []string {
	d.t.Helper()
	refs, err := d.Deposit(context.Background(), x)
	require.NoError(d.t, err)

	return refs
}

// D-05: each kind of inexact deposit is what its name says, and the books stay sound.
func TestKindsOfDeposit(t *testing.T) {
	const asked = "1000.00"

	for _, c := range []struct {
		kind    Kind
		amounts []string
		says    string
	}{
		{Exact, []string{"1000.00"}, "PX4K-7Q2M"},
		{Short, []string{"900.00"}, "PX4K-7Q2M"},
		{Over, []string{"1100.00"}, "PX4K-7Q2M"},
		{FeeShortened, []string{"985.00"}, `<TtlChrgsAndTaxAmt Ccy="EUR">15.00`},
		{Split, []string{"333.33", "333.33", "333.34"}, "PX4K-7Q2M"},
		{Duplicate, []string{"1000.00", "1000.00"}, "PX4K-7Q2M"},
		{WrongReference, []string{"1000.00"}, "PX4K-7Q2N"},
		{NoReference, []string{"1000.00"}, "<Dbtr><Pty><Nm>Bob"},
		{WrongCurrency, []string{"1000.00"}, `Ccy="USD"`},
		{OtherSender, []string{"1000.00"}, "Another Sender Ltd"},
		{Pending, []string{"1000.00"}, "PDNG"},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			d := open(t)
			refs := d.deposit(Deposit{
				Currency:  "EUR",
				Amount:    asked,
				Sender:    "Bob",
				Reference: "PX4K-7Q2M",
				Kind:      c.kind,
			})
			lines, err := d.Lines(context.Background(), "")
			require.NoError(t, err)

			var amounts, got []string
			for _, l := range lines {
				amounts = append(amounts, l.Amount)
				got = append(got, l.Ref)
			}

			require.Equal(t, c.amounts, amounts)
			require.Equal(t, refs, got)
			answers := d.fetch()
			require.Len(t, answers, 1)
			require.Contains(t, answers[0], c.says)
			d.sound()
		})
	}
}

func TestADepositIsRefusedInWords(t *testing.T) {
	d := open(t)
	for field, x := range map[string]Deposit{
		"currency":   {Currency: "JPY", Amount: "1"},
		"amount":     {Currency: "EUR", Amount: "0.00"},
		"senderName": {Currency: "EUR", Amount: "1", Sender: strings.Repeat("x", 141)},
		"reference":  {Currency: "EUR", Amount: "1", Reference: strings.Repeat("x", 141)},
		"kind":       {Currency: "EUR", Amount: "1", Kind: "odd"},
	} {
		_, err := d.Deposit(context.Background(), x)

		var f Faults
		require.ErrorAs(t, err, &f)
		require.Equal(t, field, f[0].Field)
	}

	require.Empty(t, d.fetch())
}

// Statements follow each other without a gap: each opens where the one before has closed, over days and a restart.
func TestStatementsMakeAChain(t *testing.T) {
	d := open(t)
	for n := range 3 {
		d.deposit(Deposit{Currency: "EUR", Amount: "10.00", Sender: "Bob"})
		d.send(orderText(fmt.Sprintf("M%d", n), pay{fmt.Sprintf("E%d", n), "3.00", iban(plainEnding)}))
		d.clock.Advance(2 * day)
		d.reopen(d.folder())
		d.work()
	}

	var statements []string
	for _, a := range d.fetch() {
		if strings.Contains(a, "<Stmt>") {
			statements = append(statements, a)
		}
	}

	require.Len(t, statements, 3)

	for n, want := range [][2]string{{"10000.00", "10007.00"}, {"10007.00", "10014.00"}, {"10014.00", "10021.00"}} {
		require.Contains(t, statements[n], fmt.Sprintf("<LglSeqNb>%d<", n+1))
		require.Regexp(t, "OPBD</Cd></CdOrPrtry></Tp>\n<Amt Ccy=\"EUR\">"+want[0], statements[n])
		require.Regexp(t, "CLBD</Cd></CdOrPrtry></Tp>\n<Amt Ccy=\"EUR\">"+want[1], statements[n])
	}

	d.holds("eur", "10021.00")
	d.work()
	require.Empty(t, d.fetch(), "a day ends once")
	d.sound()
}

func TestControls(t *testing.T) {
	one := func(d *desk) string {
		d.files++
		id := fmt.Sprintf("E%d", d.files)
		d.send(orderText("M-"+id, pay{id, "100.00", iban(plainEnding)}))

		return strings.Join(d.fetch(), "")
	}

	t.Run("reject", func(t *testing.T) {
		d := open(t)
		d.control(Control{Op: "reject", Count: 2, Reason: "AG01"})
		require.Contains(t, one(d), "AG01")
		require.Contains(t, one(d), "AG01")
		require.Contains(t, one(d), "ACCP")
		d.holds("eur", "9900.00")
	})

	t.Run("reject_file", func(t *testing.T) {
		d := open(t)
		d.control(Control{Op: "reject_file"})
		require.Contains(t, one(d), "<GrpSts>RJCT")
		d.holds("eur", "10000.00")
	})

	t.Run("late_reject", func(t *testing.T) { // F-05: ACSP, then RJCT
		d := open(t)
		d.control(Control{Op: "late_reject"})
		answers := one(d)
		require.Less(t, strings.Index(answers, "ACSP"), strings.Index(answers, "RJCT"))
		require.Contains(t, answers, "ACSP")
		d.holds("eur", "10000.00")
	})

	t.Run("duplicate_reject", func(t *testing.T) { // F-07: the rejected one is paid all the same
		d := open(t)
		d.control(Control{Op: "duplicate_reject"})
		require.Contains(t, one(d), "AM05")
		d.clock.Advance(day)
		d.work()
		d.holds("eur", "9900.00")
	})

	t.Run("silence", func(t *testing.T) { // F-06
		d := open(t)
		d.control(Control{Op: "silence"})
		require.Empty(t, one(d))
		d.holds("eur", "9900.00")
		d.control(Control{Op: "speak"})
		require.Len(t, d.fetch(), 2)
	})

	t.Run("offline", func(t *testing.T) {
		d := open(t)
		d.control(Control{Op: "offline"})
		require.Empty(t, one(d))
		d.holds("eur", "10000.00")
		d.control(Control{Op: "online"})
		d.holds("eur", "9900.00")
	})

	t.Run("lose_answer", func(t *testing.T) { // F-02
		d := open(t)
		d.control(Control{Op: "lose_answer"})
		require.NotContains(t, one(d), "pain.002")
		d.holds("eur", "9900.00")
		require.Contains(t, one(d), "pain.002")
	})

	t.Run("duplicate_file", func(t *testing.T) { // D-01
		d := open(t)
		d.deposit(Deposit{Currency: "EUR", Amount: "10.00", Sender: "Bob"})
		first := d.fetch()
		d.control(Control{Op: "duplicate_file", Kind: "camt.054"})
		require.Equal(t, first, d.fetch())
		d.holds("eur", "10010.00")
	})

	t.Run("late_return", func(t *testing.T) { // D-09
		d := open(t)
		one(d)
		d.control(Control{Op: "late_return", EndToEndID: "E1", Reason: "MD07", Amount: "99.00"})
		require.Contains(t, strings.Join(d.fetch(), ""), "MD07")
		d.holds("eur", "9999.00")
		require.Equal(t, "99.00", d.payment("E1").Returned)

		d.control(Control{Op: "late_return", EndToEndID: "E1"}) // what is still out
		d.holds("eur", "10000.00")
		require.Error(t, d.Control(context.Background(), Control{
			Op:         "late_return",
			EndToEndID: "E1",
		}), "nothing is out of it any more")
	})

	t.Run("release and refuse", func(t *testing.T) {
		d := open(t)
		d.send(orderText("M1", pay{"H1", "1.00", iban("006")}, pay{"H2", "2.00", iban("006")}))
		d.control(Control{Op: "release", EndToEndID: "H1"})
		d.control(Control{Op: "refuse", EndToEndID: "H2"})
		d.holds("eur", "9999.00")
		require.Error(t, d.Control(context.Background(), Control{Op: "release", EndToEndID: "H2"}))
		d.sound()
	})

	t.Run("payee_differs", func(t *testing.T) {
		d := open(t)
		d.control(Control{Op: "payee_differs", Reason: "RVMC"})
		d.send(orderText("M1", pay{"N1", "1.00", iban("001")}))

		said := strings.Join(d.fetch(), "")
		require.Contains(t, said, "<GrpSts>RVCM</GrpSts>")
		require.Contains(t, said, "<TxSts>RVMC</TxSts>")
		require.Contains(t, said, "<AddtlInf>")
		require.NotContains(t, said, "<Rsn>")

		d.control(Control{Op: "payee_differs"})
		d.send(orderText("M2", pay{"N2", "2.00", iban("001")}, pay{"N3", "4.00", iban("001")}))
		said = strings.Join(d.fetch(), "")
		require.Contains(t, said, "<GrpSts>PART</GrpSts>")
		require.Contains(t, said, "<TxSts>RVNM</TxSts>")
		require.Contains(t, said, "<TxSts>ACCP</TxSts>")
		require.NotContains(t, said, "<StsRsnInf>")
		d.holds("eur", "9996.00")

		d.control(Control{Op: "release", EndToEndID: "N1"})
		d.control(Control{Op: "refuse", EndToEndID: "N2"})
		d.holds("eur", "9995.00")

		err := d.Control(context.Background(), Control{Op: "payee_differs", Reason: "AC04"})
		require.ErrorContains(t, err, "RVNM, RVMC or RVNA")
		d.sound()
	})

	t.Run("reverse", func(t *testing.T) { // D-08
		d := open(t)
		ref := d.deposit(Deposit{Currency: "EUR", Amount: "10.00", Sender: "Bob", Reference: "PX4K7Q2M"})[0]
		d.fetch()
		d.control(Control{Op: "reverse", Entry: ref})
		answer := d.fetch()[0]
		require.Contains(t, answer, "<RvslInd>true</RvslInd>")
		require.Contains(t, answer, "PX4K7Q2M")

		d.holds("eur", "10000.00")
		require.Error(t, d.Control(context.Background(), Control{Op: "reverse", Entry: ref}))

		d.sound()
	})

	t.Run("book and drop", func(t *testing.T) { // D-02
		d := open(t)
		a := d.deposit(Deposit{Currency: "EUR", Amount: "10.00", Kind: Pending})[0]
		b := d.deposit(Deposit{Currency: "EUR", Amount: "20.00", Kind: Pending})[0]
		d.holds("eur", "10000.00")
		d.control(Control{Op: "book", Entry: a})
		d.control(Control{Op: "drop", Entry: b})
		d.holds("eur", "10010.00")
		require.Error(t, d.Control(context.Background(), Control{Op: "book", Entry: b}))

		d.sound()
	})

	t.Run("unknown_status", func(t *testing.T) {
		d := open(t)
		d.control(Control{Op: "unknown_status"})
		require.Contains(t, d.fetch()[0], "NEVER-SENT")
	})

	t.Run("break_balance", func(t *testing.T) { // D-03
		d := open(t)
		d.control(Control{Op: "break_balance"})
		d.deposit(Deposit{Currency: "EUR", Amount: "10.00"})
		d.control(Control{Op: "statement"})
		require.Contains(t, strings.Join(d.fetch(), ""), "10000.01")
		d.sound()
	})

	t.Run("references_off", func(t *testing.T) { // D-01: entries that are known by their content only
		d := open(t)
		d.control(Control{Op: "references_off"})
		require.NotContains(t, one(d), "AcctSvcrRef")
	})

	t.Run("unknown ones are refused", func(t *testing.T) {
		d := open(t)

		for field, c := range map[string]Control{
			"op":         {Op: "rob"},
			"reason":     {Op: "reject", Reason: "no"},
			"count":      {Op: "reject", Count: -1},
			"endToEndId": {Op: "late_return", EndToEndID: "none"},
			"entry":      {Op: "reverse", Entry: "none"},
			"kind":       {Op: "hostile", Kind: "odd"},
		} {
			var f Faults
			require.ErrorAs(t, d.Control(context.Background(), c), &f)
			require.Equal(t, field, f[0].Field)
		}
	})
}

// D-10: the hostile files are there in each kind, and change nothing at the bank.
func TestHostileFiles(t *testing.T) {
	d := open(t)
	for _, kind := range []string{"dtd", "entities", "depth", "truncated", "namespace", "trailing", "utf16", "binary"} {
		d.control(Control{Op: "hostile", Kind: kind})
	}

	names, err := filepath.Glob(filepath.Join(d.Outbox(), "*hostile*"))
	require.NoError(t, err)
	require.Len(t, names, 8)

	for _, name := range names {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(500), name)
	}

	d.holds("eur", "10000.00")
	d.sound()
}

// Whatever comes in whatever order: the books are sound, and what our account lost is what was executed less what
// came back.
func TestBooksStaySoundThroughAnything(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			d := open(t)
			endings := []string{plainEnding, "002", "003", "004", "005", "006", "007", "008", "009"}
			switches := []string{
				"silence",
				"speak",
				"offline",
				"online",
				"statement",
				"pacs_on",
				"pacs_off",
				"lose_answer",
				"late_reject",
				"duplicate_reject",
				"payee_differs",
				"reject",
				"duplicate_file",
			}

			text := ""
			for n := range 60 {
				switch r.IntN(8) {
				case 0, 1, 2:
					var list []pay
					for k := range 1 + r.IntN(4) {
						list = append(
							list,
							pay{
								fmt.Sprintf("E%d-%d", n, k),
								fmt.Sprintf("%d.%02d", 1+r.IntN(400), r.IntN(100)),
								iban(endings[r.IntN(len(endings))]),
							},
						)
					}

					text = orderText(fmt.Sprintf("M%d", n), list...)
					if r.IntN(2) == 0 {
						text = strings.Replace(text, "<BtchBookg>false", "<BtchBookg>true", 1)
					}

					d.send(text)

				case 3:
					d.send(text) // once more, or nothing at all

				case 4:
					d.deposit(Deposit{
						Currency: "EUR",
						Amount:   "40.00",
						Sender:   "Bob",
						Kind:     append(Kinds(), Exact)[r.IntN(11)],
					})

				case 5:
					d.clock.Advance(time.Duration(r.IntN(30)) * time.Hour)
					d.work()
				case 6:
					// some have nothing to do
					_ = d.Control(context.Background(), Control{Op: switches[r.IntN(len(switches))]})
				case 7:
					d.reopen(d.folder())
				}

				d.sound()
			}

			d.conserves()
		})
	}
}

// conserves adds up from payments and lines what the account must hold.
func (d *desk) conserves() {
	want := big.NewInt(1_000_000)
	payments, err := d.Payments(context.Background())
	require.NoError(d.t, err)

	for _, p := range payments {
		units := mustUnitsOf(d.t, p.Amount)
		want.Sub(want, units.Mul(units, big.NewInt(int64(p.Executed))))

		if p.Returned != "" {
			want.Add(want, mustUnitsOf(d.t, p.Returned))
		}
	}

	lines, err := d.Lines(context.Background(), "eur")
	require.NoError(d.t, err)

	for _, l := range lines {
		if l.Credit && l.Status == statusBooked && l.ReturnReason == "" {
			want.Add(want, mustUnitsOf(d.t, l.Amount))
		}
	}

	d.holds("eur", formatAmount("EUR", want))
}

func mustUnitsOf(t *testing.T, amount string) *big.Int {
	units, err := parseAmount("EUR", amount)
	require.NoError(t, err)
	return units
}
