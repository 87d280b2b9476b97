//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
)

// Accounts of the test's bank. The numbers are nobody's.
var testAccounts = []Account{
	{
		ID:       "eur",
		Currency: "EUR",
		Country:  "DE",
		Holder:   "Slipway Test",
		IBAN:     "DE89370400440532013000",
		BIC:      "SLWYDEF0XXX",
		Opening:  "10000.00",
	},
	{
		ID:            "usd",
		Currency:      "USD",
		Country:       "US",
		Holder:        "Slipway Test",
		AccountNumber: "000123456789",
		RoutingNumber: "123456780",
		BIC:           "SLWYUSN0XXX",
		Opening:       "500.00",
	},
}

// desk is a bank with what a test needs of it.
type desk struct {
	*Bank
	t     *testing.T
	clock *clock.Clock
	files int
}

func open(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, clock: clock.New()}
	// Noon: a test may go on for hours without ending a day.
	d.clock.Advance(d.clock.Now().Truncate(day).Add(36 * time.Hour).Sub(d.clock.Now()))
	d.reopen(t.TempDir())

	return d
}

// reopen starts the bank on a folder, as after a kill.
func (d *desk) reopen(folder string) {
	d.t.Helper()

	if d.Bank != nil {
		require.NoError(d.t, d.Bank.Close())
	}

	b, err := New(Config{Folder: folder, Accounts: testAccounts, Clock: d.clock})
	require.NoError(d.t, err)
	d.Bank = b
	d.t.Cleanup(func() { _ = b.Close() })
}

func (d *desk) folder() string { return d.config.Folder }

// pay is one payment of a test's file.
type pay struct{ id, amount, iban string }

// orderText writes a payment file by hand, so that the bank is not tested with its own words.
func orderText(msg string, list ...pay) string {
	sum := new(big.Rat)

	tx := ""
	for _, p := range list {
		r, _ := new(big.Rat).SetString(p.amount)
		sum.Add(sum, r)
		tx += `<CdtTrfTxInf><PmtId><InstrId>I-` + p.id + `</InstrId><EndToEndId>` + p.id + `</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">` + p.amount +
			`</InstdAmt></Amt><Cdtr><Nm>Alice</Nm></Cdtr><CdtrAcct><Id><IBAN>` + p.iban + `</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Invoice ` + p.id + `</Ustrd></RmtInf></CdtTrfTxInf>`
	}

	total := fmt.Sprintf("<NbOfTxs>%d</NbOfTxs><CtrlSum>%s</CtrlSum>", len(list), sum.FloatString(3))

	return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><GrpHdr><MsgId>` + msg +
		`</MsgId><CreDtTm>2026-11-20T10:00:00Z</CreDtTm>` + total + `<InitgPty><Nm>Slipway</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>` + msg + `-1</PmtInfId><PmtMtd>TRF</PmtMtd>` +
		`<BtchBookg>false</BtchBookg>` + total + `<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-11-20</Dt></ReqdExctnDt><Dbtr><Nm>Slipway</Nm></Dbtr>` +
		`<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BICFI>SLWYDEF0XXX</BICFI></FinInstnId></DbtrAgt>` + tx + `</PmtInf></CstmrCdtTrfInitn></Document>`
}

// iban makes a sound German IBAN whose last three digits choose the ending.
func iban(ending string) string {
	for n := range 1000 {
		for check := 2; check < 99; check++ {
			if s := fmt.Sprintf("DE%02d37040044%07d%s", check, n, ending); soundIBAN(s) {
				return s
			}
		}
	}

	panic("no IBAN")
}

const plainEnding = "100"

// send puts a file into the inbox and lets the bank work.
func (d *desk) send(text string) {
	d.t.Helper()
	d.files++
	require.NoError(
		d.t,
		os.WriteFile(filepath.Join(d.Inbox(), fmt.Sprintf("pay-%03d.xml", d.files)), []byte(text), 0o600),
	)
	d.work()
}

func (d *desk) work() {
	d.t.Helper()
	_, err := d.Step(context.Background())
	require.NoError(d.t, err)
}

// fetch reads and removes the answers in the outbox, by name, and holds each against the official schema where that
// is at hand.
func (d *desk) fetch() []string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.Outbox(), "*.xml"))
	require.NoError(d.t, err)

	var out []string
	for _, name := range names {
		raw, err := os.ReadFile(name)
		require.NoError(d.t, err)
		validate(d.t, name, raw)
		require.NoError(d.t, os.Remove(name))

		out = append(out, string(raw))
	}

	return out
}

var messageName = regexp.MustCompile(`tech:xsd:([a-z]{4}\.\d{3}\.\d{3}\.\d{2})"`)

func validate(t *testing.T, name string, raw []byte) {
	t.Helper()
	found := messageName.FindSubmatch(raw)
	schema := filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "iso20022/xsd", string(found[1])+".xsd")

	tool, err := exec.LookPath("xmllint")
	if _, missing := os.Stat(schema); err != nil || missing != nil {
		return // TestAnswersAreValid says so
	}

	out, err := exec.Command(tool, "--noout", "--schema", schema, name).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, raw)
}

func TestAnswersAreValid(t *testing.T) {
	if _, err := exec.LookPath("xmllint"); err != nil || os.Getenv("SLIPWAY_FIXTURES") == "" {
		t.Skip(
			"the bank's answers are not held against the official schemas: this needs xmllint and the folder " +
				"SLIPWAY_FIXTURES",
		)
	}

	for _, version := range []Version{V02, V08} {
		t.Run(string(version), func(t *testing.T) {
			d := open(t)
			d.control(Control{Op: "format", Kind: string(version)})
			d.control(Control{Op: "pacs_on"})

			var list []pay
			for _, end := range []string{plainEnding, "002", "003", "004", "005", "006", "007", "008", "009"} {
				list = append(list, pay{"E" + end, "100.00", iban(end)})
			}

			d.send(orderText("M1", list...))
			d.send(orderText("M1", list...))
			d.send("<nothing/>")

			for _, k := range append(Kinds(), Exact) {
				_, err := d.Deposit(context.Background(), Deposit{
					Currency:      "EUR",
					Amount:        "99.01",
					Sender:        "Bob & <Sons>",
					SenderAccount: iban("111"),
					Reference:     "PX4K7Q2M",
					Kind:          k,
				})

				require.NoError(t, err)
			}

			_, err := d.Deposit(context.Background(), Deposit{
				Currency:      "USD",
				Amount:        "1",
				Sender:        "Bob",
				SenderAccount: "12345",
				Reference:     "RF18539007547034",
			})
			require.NoError(t, err)
			d.clock.Advance(25 * time.Hour)
			d.work()
			d.clock.Advance(24 * time.Hour)
			d.work()

			kinds := map[string]int{}
			for _, answer := range d.fetch() { // fetch validates
				kinds[messageName.FindStringSubmatch(answer)[1]]++
			}

			require.Positive(t, kinds["pain.002.001.10"])
			require.Positive(t, kinds["camt.054.001."+string(version)])
			require.Positive(t, kinds["camt.053.001."+string(version)])
			require.Equal(t, 2, kinds["pacs.004.001.09"])
			d.sound()
		})
	}
}

func (d *desk) control(c Control) {
	d.t.Helper()
	require.NoError(d.t, d.Control(context.Background(), c))
}

func (d *desk) sound() {
	d.t.Helper()
	wrong, err := d.Check(context.Background())
	require.NoError(d.t, err)
	require.Empty(d.t, wrong)
}

func (d *desk) holds(account, want string) {
	d.t.Helper()
	units, err := d.Balance(context.Background(), account)
	require.NoError(d.t, err)
	require.Equal(d.t, want, formatAmount("EUR", units))
}

func (d *desk) payment(id string) Payment {
	d.t.Helper()
	list, err := d.Payments(context.Background())
	require.NoError(d.t, err)

	for _, p := range list {
		if p.EndToEndID == id {
			return p
		}
	}

	d.t.Fatalf("the bank knows no payment %s", id)

	return Payment{}
}

// F-01, F-03: whatever comes twice is executed once, and the copy is refused in words.
func TestACopyIsNeverExecuted(t *testing.T) {
	d := open(t)
	first := orderText("M1", pay{"E1", "100.00", iban(plainEnding)}, pay{"E2", "50.50", iban(plainEnding)})
	d.send(first)
	answers := d.fetch()
	require.Len(t, answers, 2)
	require.Contains(t, answers[0], "<GrpSts>ACCP</GrpSts>")
	require.NotContains(t, answers[0], "TxInfAndSts", "what holds for all is said once")
	require.Contains(t, answers[1], "<EndToEndId>E1</EndToEndId>")
	d.holds("eur", "9849.50")

	for what, text := range map[string]string{
		"the same bytes":          first,
		"the same MsgId":          orderText("M1", pay{"E7", "1.00", iban(plainEnding)}),
		"the same bytes, renamed": first,
	} {
		d.send(text)
		answers = d.fetch()
		require.Len(t, answers, 1, what)
		require.Contains(t, answers[0], "<GrpSts>RJCT</GrpSts>", what)
		require.Contains(t, answers[0], "<Cd>DU01</Cd>", what)
	}

	d.send(orderText("M2", pay{"E2", "50.50", iban(plainEnding)}, pay{"E3", "1.00", iban(plainEnding)}))
	answers = d.fetch()
	require.Contains(t, answers[0], "<GrpSts>PART</GrpSts>")
	require.Contains(t, answers[0], "<Cd>AM05</Cd>")
	n, err := d.Executions(context.Background())
	require.NoError(t, err)
	require.Equal(t, map[string]int{"E1": 1, "E2": 1, "E3": 1}, n)
	d.holds("eur", "9848.50")
	d.sound()

	d.control(Control{Op: "accept_duplicates"})
	d.send(first)
	n, err = d.Executions(context.Background())
	require.NoError(t, err)
	require.Equal(t, 2, n["E1"], "a careless bank pays twice, and its count shows it")
}

func TestEndings(t *testing.T) {
	for _, c := range []struct {
		ending        string
		first         string // in the status report; "" is no report
		booked        string // balance at once
		after         time.Duration
		state, reason string
		final         string // balance in the end
	}{
		{plainEnding, "ACCP", "9900.00", 0, "EXECUTED", "", "9900.00"},
		{"002", "AC04", "10000.00", 0, "REJECTED", "AC04", "10000.00"},
		{"003", "AC01", "10000.00", 0, "REJECTED", "AC01", "10000.00"},
		{"004", "ACCP", "9900.00", 3 * time.Minute, "RETURNED", "AC04", "10000.00"},
		{"005", "PDNG", "10000.00", 24 * time.Hour, "EXECUTED", "", "9900.00"},
		{"006", "RR04", "10000.00", 90 * day, "HELD", "", "10000.00"},
		{"007", "", "10000.00", time.Hour, "EXECUTED", "", "9900.00"},
		{"008", "", "10000.00", time.Hour, "REJECTED", "AB05", "10000.00"},
		{"009", "ACCP", "9900.00", 3 * time.Minute, "RETURNED", "AC06", "9985.00"},
	} {
		t.Run(c.ending, func(t *testing.T) {
			d := open(t)
			d.send(orderText("M1", pay{"E1", "100.00", iban(c.ending)}))

			answers := strings.Join(d.fetch(), "")
			if c.first == "" {
				require.Empty(t, answers, "silence")
			} else {
				require.Contains(t, answers, c.first)
			}

			d.holds("eur", c.booked)
			d.clock.Advance(c.after)
			d.work()
			d.work()
			p := d.payment("E1")
			require.Equal(t, c.state, p.State)
			require.Equal(t, c.reason, p.Reason)
			d.holds("eur", c.final)

			later := strings.Join(d.fetch(), "")
			switch c.ending {
			case "004":
				require.Contains(t, later, "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>")
			case "007":
				require.Contains(t, later, "<EndToEndId>E1</EndToEndId>")
			case "008":
				require.Contains(t, later, "<TxSts>RJCT</TxSts>")
			case "009":
				require.Contains(t, later, `<TtlChrgsAndTaxAmt Ccy="EUR">15.00</TtlChrgsAndTaxAmt>`)
			}

			d.sound()
		})
	}
}

// D-02: a debit that waits is announced, and booked under the same reference.
func TestAPendingDebitIsAnnounced(t *testing.T) {
	d := open(t)
	d.send(orderText("M1", pay{"E1", "100.00", iban("005")}))
	answers := d.fetch()
	require.Contains(t, answers[1], "<Sts><Cd>PDNG</Cd></Sts>")

	ref := regexp.MustCompile(`BANK\d+`)
	d.clock.Advance(24 * time.Hour)
	d.work()
	booked := d.fetch()
	require.Contains(t, booked[0], "<Sts><Cd>BOOK</Cd></Sts>")
	require.Equal(t, ref.FindString(answers[1]), ref.FindString(booked[0]))

	d.sound()
}

func TestRefusals(t *testing.T) {
	good := orderText("M1", pay{"E1", "100.00", iban(plainEnding)})

	for _, c := range []struct{ name, text, code string }{
		{"no XML", "PK\x03\x04", "FF01"},
		{"other message", strings.Replace(good, "pain.001.001.09", "pain.001.001.03", 1), "FF01"},
		{"something after the end", good + "<x/>", "FF01"},
		{"entities", strings.Replace(good, "Alice", "&who;", 1), "FF01"},
		{"wrong number", strings.Replace(good, "<NbOfTxs>1<", "<NbOfTxs>2<", 1), "AM18"},
		{"wrong sum of the group", strings.Replace(good, "<CtrlSum>100.000<", "<CtrlSum>100.01<", 1), "AM10"},
		{"wrong sum of the block", strings.Replace(good, "<CtrlSum>100.000</CtrlSum><PmtTpInf>", "<CtrlSum>99.99</CtrlSum><PmtTpInf>", 1), "AM10"},
		{"MsgId of 36", strings.ReplaceAll(good, "<MsgId>M1<", "<MsgId>"+strings.Repeat("M", 36)+"<"), "FF01"},
		{"payment twice", strings.Replace(orderText("M1", pay{"E1", "1.00", iban(plainEnding)}, pay{"E2", "1.00", iban(plainEnding)}), "<EndToEndId>E2", "<EndToEndId>E1", 1), "DU04"},
		{"not our account", strings.Replace(good, "DE89370400440532013000", iban("777"), 1), "AC02"},
		{"wrong IBAN", strings.Replace(good, iban(plainEnding), "DE00370400440532013000", 1), "AC01"},
		{"other currency", strings.Replace(good, `Ccy="EUR"`, `Ccy="USD"`, 1), "AM03"},
		{"no name", strings.Replace(good, "Alice", "", 1), "BE22"},
		{"no date", strings.Replace(good, "<Dt>2026-11-20</Dt>", "<Dt>soon</Dt>", 1), "DT01"},
		{"not enough money", orderText("M1", pay{"E1", "10000.01", iban(plainEnding)}), "AM04"},
		{"a thousandth", orderText("M1", pay{"E1", "1.001", iban(plainEnding)}), "AM12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t)
			d.send(c.text)
			answers := d.fetch()
			require.Len(t, answers, 1)
			require.Contains(t, answers[0], "RJCT")
			require.Contains(t, answers[0], "<Cd>"+c.code)

			d.holds("eur", "10000.00")
			d.sound()
		})
	}
}

// Of a file with sound and bad payments the sound ones are executed.
func TestPartOfAFile(t *testing.T) {
	d := open(t)

	d.send(
		orderText(
			"M1",
			pay{"E1", "9000.00", iban(plainEnding)},
			pay{"E2", "2000.00", iban(plainEnding)},
			pay{"E3", "1000.00", iban(plainEnding)},
		),
	)

	answer := d.fetch()[0]
	require.Contains(t, answer, "<GrpSts>PART</GrpSts>")
	require.Contains(t, answer, "AM04", "the second is more than what is left")
	require.Equal(t, "REJECTED", d.payment("E2").State)

	d.holds("eur", "0.00")
	d.sound()
}

func TestBatchBooking(t *testing.T) {
	d := open(t)

	text := orderText(
		"M1",
		pay{"E1", "1.00", iban(plainEnding)},
		pay{"E2", "2.00", iban(plainEnding)},
		pay{"E3", "4.00", iban("002")},
	)

	d.send(strings.Replace(text, "<BtchBookg>false", "<BtchBookg>true", 1))
	lines, err := d.Lines(context.Background(), "eur")
	require.NoError(t, err)
	require.Len(t, lines, 1)
	require.Equal(t, "3.00", lines[0].Amount)
	require.Equal(t, []string{"E1", "E2"}, lines[0].EndToEndIDs)
	require.Contains(t, d.fetch()[1], "<NbOfTxs>2</NbOfTxs>")

	d.sound()
}

func TestAPaymentWaitsForItsDay(t *testing.T) {
	d := open(t)
	tomorrow := d.clock.Now().Add(day).Format(time.DateOnly)

	d.send(
		strings.Replace(
			orderText("M1", pay{"E1", "100.00", iban(plainEnding)}),
			"<Dt>2026-11-20</Dt>",
			"<Dt>"+tomorrow+"</Dt>",
			1,
		),
	)

	d.holds("eur", "10000.00")
	d.clock.Advance(day)
	d.work()
	d.holds("eur", "9900.00")
}

// F-04: what is not whole yet is left alone.
func TestAHalfFileIsLeftAlone(t *testing.T) {
	d := open(t)
	for _, name := range []string{"a.xml.tmp", "b.part", ".c.xml"} {
		require.NoError(t, os.WriteFile(filepath.Join(d.Inbox(), name), []byte("<Docu"), 0o600))
	}

	d.work()
	require.Empty(t, d.fetch())
}

// F-01: a kill after each step of taking a file leaves one execution and every answer.
func TestAKillWhileTakingAFile(t *testing.T) {
	ctx := context.Background()

	text := orderText("M1", pay{"E1", "100.00", iban(plainEnding)})
	for _, c := range []struct {
		name string
		do   func(d *desk, path string)
	}{
		{"before anything", func(*desk, string) {}},
		{"booked, not moved", func(d *desk, path string) {
			require.NoError(d.t, d.write(ctx, func(tx *sql.Tx) error {
				raw, err := os.ReadFile(path)
				require.NoError(d.t, err)
				_, err = d.receive(ctx, tx, filepath.Base(path), hashOf(raw), raw)

				return err
			}))
		}},
		{"booked and moved, not answered", func(d *desk, path string) {
			require.NoError(d.t, d.take(ctx, filepath.Base(path)))
		}},
		{"answered, not marked", func(d *desk, path string) {
			require.NoError(d.t, d.take(ctx, filepath.Base(path)))
			require.NoError(d.t, os.WriteFile(filepath.Join(d.Outbox(), "00000001_pain.002.xml.tmp"), []byte("<half"), 0o600))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t)
			path := filepath.Join(d.Inbox(), "pay.xml")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

			c.do(d, path)
			d.reopen(d.folder())
			d.work()
			d.work()
			require.Len(t, d.fetch(), 2)
			require.NoFileExists(t, path)

			d.holds("eur", "9900.00")
			n, err := d.Executions(ctx)
			require.NoError(t, err)
			require.Equal(t, map[string]int{"E1": 1}, n)

			d.sound()
		})
	}
}
