package bank_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// A payout is executed when its debit is booked, not before, and what shows it is kept.
func TestOnlyABookedDebitCompletesAPayout(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)
		pending := debit(0, "D0")
		pending.status = "PDNG"
		w.imported(advice(pending).xml())
		w.is(0, bank.HandedOver)
		report := w.imported(stmt(debit(0, "D0"), deposit(5_00, "C1", "hello")).xml())
		require.Equal(t, 1, report.Matched)

		w.is(0, bank.Booked)
		w.is(1, bank.HandedOver)
		require.NotEmpty(t, w.status(0).Movement)
		require.Equal(t, []string{"5.00 hello"}, w.told("credited"))
	})
}

// Matched by EndToEndId, then UETR, then the block's PmtInfId with the sum of its payouts.
func TestADebitIsMatchedByWhatTheBankGivesBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(4)
		byUETR := debit(0, "D0")
		byUETR.details = []detail{{uetr: bank.UETR(pay(0).Key)}}
		w.imported(stmt(byUETR).xml())
		w.is(0, bank.Booked)

		message := w.status(1).MessageID
		collective := entry{cents: -(10_01 + 10_02 + 10_03), ref: "D1", pmtInf: message + "-S"}
		s := advice(collective)
		report := w.imported(s.xml())
		require.Equal(t, 3, report.Matched)

		for i := 1; i < 4; i++ {
			w.is(i, bank.Booked)
			require.Contains(t, w.status(i).Movement, "/")
		}

		require.Empty(t, w.told("debited"))
	})
}

// A collective debit whose amount is not that of its payouts completes none of them.
func TestACollectiveDebitOfAnotherSumCompletesNothing(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(2)
	w.imported(advice(entry{cents: -(10_00 + 10_01 + 1), ref: "D1", pmtInf: w.status(0).MessageID + "-S"}).xml())
	w.is(0, bank.HandedOver)
	require.Len(t, w.told("debited"), 1)
	require.Contains(t, w.alerts(), bank.AlertConflict+" "+pay(0).Key)
}

// What does not agree in amount is no evidence; neither is a second debit. Both come as movements that belong to
// nobody, and are shown.
func TestADebitThatDoesNotAgreeIsNoEvidence(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)
		short := debit(0, "D0")
		short.cents++
		w.imported(stmt(short).xml())
		w.is(0, bank.HandedOver)
		w.imported(advice(debit(1, "D1")).xml())
		twice := advice(debit(1, "D2")) // the bank executed it twice: F-03
		twice.id = "twice"
		w.imported(twice.xml())
		w.is(1, bank.Booked)
		require.Equal(t, []string{"10.01 ", "9.99 "}, w.told("debited"))

		require.ElementsMatch(
			t,
			[]string{bank.AlertConflict + " " + pay(0).Key, bank.AlertConflict + " " + pay(1).Key},
			w.alerts(),
		)
	})
}

// back is the booked credit of payout n coming back, less some cents.
func back(n int, less int64, ref, code string) entry {
	p := pay(n)

	return entry{
		cents:   p.Amount.Units().Int64() - less,
		ref:     ref,
		details: []detail{{end: bank.EndToEndID(p.Key), returned: code}},
	}
}

// D-09: a return of an executed payout is matched by its EndToEndId and told exactly once, however often the bank
// tells of it.
func TestAReturnIsToldOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)
		w.imported(stmt(debit(0, "D0"), debit(1, "D1")).xml())
		w.imported(advice(back(0, 150, "B0", "AC04")).xml())
		s := stmt(back(0, 150, "B0", "AC04"))
		s.id = "S2"
		s.from = "2026-11-21"
		s.to = "2026-11-21"
		s.opening = 1_000_000 - 20_01
		s.entries[0].day = "2026-11-20"
		require.Zero(t, w.imported(s.xml()).New)
		w.is(0, bank.Returned)
		require.Equal(t, "AC04", w.status(0).Reason.Code)
		require.Equal(t, []string{pay(0).Key}, w.told("returned"))
		detail, err := db.Value[string](
			context.Background(),
			d,
			"SELECT detail FROM audit_log WHERE action = 'returned'",
		)
		require.NoError(t, err)
		require.Equal(t, `"AC04 8.50 of 10.00, 1.50 deducted"`, detail)

		again := advice(back(0, 0, "B9", "AC04"))
		again.id = "again"
		w.imported(again.xml())
		require.Len(t, w.told("returned"), 1)
		require.Len(t, w.told("credited"), 1, "a second return is nobody's money, and a person looks at it")
		require.Equal(t, []string{bank.AlertConflict + " " + pay(0).Key}, w.alerts())
	})
}

// D-09: a return that the bank tells of before the debit waits for it.
func TestAReturnBeforeTheDebitWaits(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)
		w.imported(advice(back(0, 0, "B0", "AC01")).xml())
		w.is(0, bank.HandedOver)
		require.Empty(t, w.told("returned"))
		require.Equal(t, []string{bank.AlertReturn + " " + pay(0).Key}, w.alerts())

		w.imported(stmt(debit(0, "D0"), back(0, 0, "B0", "AC01")).xml())
		w.is(0, bank.Returned)
		require.Len(t, w.told("booked"), 1)
		require.Len(t, w.told("returned"), 1)
		require.Empty(t, w.alerts())
	})
}

// A return and the debit it returns in one file, and a reversal: the bank takes its own booking back.
func TestDebitAndReversalInOneFile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)
		reversal := back(0, 0, "D0", "")
		reversal.reversal = true
		w.imported(stmt(debit(0, "D0"), reversal).xml())
		w.is(0, bank.Returned)
		require.Len(t, w.told("returned"), 1)
	})
}

// D-08: the reversal of a deposit comes as a debit that is marked so.
func TestAReversalOfADepositComesAsDebit(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.imported(stmt(deposit(9_00, "R1", "dep")).xml())
	gone := deposit(-9_00, "R1", "dep")
	gone.reversal = true
	w.imported(advice(gone).xml())
	require.Equal(t, []string{"9.00 dep"}, w.told("credited"))
	require.Equal(t, []string{"9.00 dep"}, w.told("debited"))
}

// A payout that arrives on another account of ours is a deposit there, not a return.
func TestATransferBetweenOurAccountsIsNoReturn(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	w.imported(stmt(debit(0, "D0")).xml())
	s := advice(back(0, 0, "X1", ""))
	s.account = "GB29NWBK60161331926819"
	s.ccy = "GBP"
	w.imported(s.xml())
	w.is(0, bank.Booked)
	require.Len(t, w.told("credited"), 1)
}

// report is a pain.002; of transactions only those given are spoken of.
type report struct {
	id, message, group, groupReason string
	block, blockStatus, blockReason string
	tx                              []txStatus
}

type txStatus struct{ end, status, reason, text string }

func rsn(code, text string) string {
	if code == "" && text == "" {
		return ""
	}

	s := "<StsRsnInf>"
	if code != "" {
		s += "<Rsn><Cd>" + code + "</Cd></Rsn>"
	}

	if text != "" {
		s += "<AddtlInf>" + text + "</AddtlInf>"
	}

	return s + "</StsRsnInf>"
}

func (r report) xml() string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>%s</MsgId><CreDtTm>2026-11-21T10:00:00</CreDtTm></GrpHdr>`,
		r.id,
	)
	fmt.Fprintf(
		&b,
		"<OrgnlGrpInfAndSts><OrgnlMsgId>%s</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>",
		r.message,
	)

	if r.group != "" {
		fmt.Fprintf(&b, "<GrpSts>%s</GrpSts>%s", r.group, rsn(r.groupReason, ""))
	}

	b.WriteString("</OrgnlGrpInfAndSts>")

	if r.block != "" || r.blockStatus != "" || len(r.tx) > 0 {
		if r.block == "" {
			r.block = r.message + "-S"
		}

		fmt.Fprintf(&b, "<OrgnlPmtInfAndSts><OrgnlPmtInfId>%s</OrgnlPmtInfId>", r.block)

		if r.blockStatus != "" {
			fmt.Fprintf(&b, "<PmtInfSts>%s</PmtInfSts>%s", r.blockStatus, rsn(r.blockReason, ""))
		}

		for _, x := range r.tx {
			fmt.Fprintf(
				&b,
				"<TxInfAndSts><OrgnlEndToEndId>%s</OrgnlEndToEndId><TxSts>%s</TxSts>%s</TxInfAndSts>",
				x.end,
				x.status,
				rsn(x.reason, x.text),
			)
		}

		b.WriteString("</OrgnlPmtInfAndSts>")
	}

	b.WriteString("</CstmrPmtStsRpt></Document>")

	return b.String()
}

func end(n int) string { return bank.EndToEndID(pay(n).Key) }

// F-05: the lowest level that speaks counts, whatever stands above it.
func TestAReportSpeaksOnThreeLevels(t *testing.T) {
	const handed, accepted, rejected, held = bank.HandedOver, bank.Accepted, bank.Rejected, bank.Held

	for name, c := range map[string]struct {
		report report
		want   [3]bank.State
	}{
		"group accepted": {report{group: "ACCP"}, [3]bank.State{accepted, accepted, accepted}},
		"group rejected": {
			report{group: "RJCT", groupReason: "AC04"},
			[3]bank.State{rejected, rejected, rejected},
		},
		"block rejected": {
			report{group: "PART", blockStatus: "RJCT", blockReason: "DT01"},
			[3]bank.State{rejected, rejected, rejected},
		},
		"one rejected, group accepted": {
			report{group: "ACCP", tx: []txStatus{{end(1), "RJCT", "AC04", ""}}},
			[3]bank.State{accepted, rejected, accepted},
		},
		"part, one accepted": {
			report{
				group:       "PART",
				blockStatus: "PART",
				tx:          []txStatus{{end(0), "ACSP", "", ""}, {end(1), "RJCT", "AC01", ""}},
			},
			[3]bank.State{accepted, rejected, handed},
		},
		"payee verification only": {report{group: "RCVC"}, [3]bank.State{handed, handed, handed}},
		"pending":                 {report{group: "PDNG"}, [3]bank.State{handed, handed, handed}},
		"duplicate file (F-07)":   {report{group: "RJCT", groupReason: "DU01"}, [3]bank.State{held, held, held}},
		"duplicate payment (F-07)": {
			report{group: "PART", tx: []txStatus{{end(2), "RJCT", "AM05", ""}}},
			[3]bank.State{handed, handed, held},
		},
		"settled is no booking": {report{group: "ACSC"}, [3]bank.State{accepted, accepted, accepted}},
		"cancelled": {
			report{group: "PART", tx: []txStatus{{end(0), "CANC", "", ""}}},
			[3]bank.State{rejected, handed, handed},
		},
		"code nobody knows": {report{group: "XYZZ"}, [3]bank.State{handed, handed, handed}},
		"group rejected but one settled": {
			report{group: "RJCT", groupReason: "AC04", tx: []txStatus{{end(0), "ACSC", "", ""}}},
			[3]bank.State{accepted, rejected, rejected},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, dbtest.SQLite(t))
			w.paid(3)
			c.report.id = "P1"
			c.report.message = w.status(0).MessageID
			w.imported(c.report.xml())

			for i, want := range c.want {
				w.is(i, want)
			}

			again := c.report
			again.id = "P1-again"
			w.imported(again.xml())

			for i, want := range c.want {
				w.is(i, want)
			}
		})
	}
}

// F-05: accepted, then rejected after all: it fails once, with the bank's reason, and repeated reports change nothing.
func TestARejectAfterAcceptanceFailsOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)
		m := w.status(0).MessageID
		w.imported(report{id: "P1", message: m, group: "ACSP"}.xml())

		for i := range 3 {
			w.imported(report{
				id:      fmt.Sprintf("P2-%d", i),
				message: m,
				group:   "PART",
				tx:      []txStatus{{end(0), "RJCT", "AC04", "closed in May"}},
			}.xml())
		}

		w.imported(report{id: "P3", message: m, group: "ACSP"}.xml())
		w.is(0, bank.Rejected)
		w.is(1, bank.Accepted)
		require.Equal(t, []string{pay(0).Key}, w.told("rejected"))
		s := w.status(0)
		require.Equal(t, bank.Reason{Code: "AC04", Text: "closed in May"}, s.Reason)
	})
}

// F-05: a report of a file or a payment that is not ours is quarantined, and nothing of it counts.
func TestAReportOfSomethingElseIsQuarantined(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)

		for _, r := range []report{
			{id: "P1", message: "SLW" + end(9), group: "RJCT", groupReason: "AC04"},
			{
				id:      "P2",
				message: w.status(0).MessageID,
				group:   "PART",
				tx:      []txStatus{{end(0), "RJCT", "AC04", ""}, {end(9), "RJCT", "AC04", ""}},
			},
			{
				id:          "P3",
				message:     w.status(0).MessageID,
				block:       "OTHER",
				blockStatus: "RJCT",
				blockReason: "AC04",
			},
			{id: "P4", message: "THE-BANKS", tx: []txStatus{{end(0), "RJCT", "AC04", ""}}, block: "THE-BANKS"},
			{
				id:          "P5",
				message:     "THE-BANKS",
				block:       w.status(0).MessageID + "-S",
				blockStatus: "RJCT",
				blockReason: "AC04",
			},
		} {
			got := w.import_(r.id, r.xml())
			require.Equal(t, bank.Quarantined, got.Outcome, r.id)
			require.Equal(t, bank.CodeUnknownOrder, got.Code, r.id)
		}

		for name, id := range map[string]string{
			"InstrId": "<OrgnlInstrId>" + end(0) + "</OrgnlInstrId>",
			"UETR":    "<OrgnlUETR>" + bank.UETR(pay(0).Key) + "</OrgnlUETR>",
		} {
			theirs := report{
				id:      name,
				message: "THE-BANKS",
				block:   "THE-BANKS",
				tx:      []txStatus{{"", "RJCT", "AC04", ""}},
			}
			ours := strings.Replace(theirs.xml(), "<OrgnlEndToEndId></OrgnlEndToEndId>", id, 1)
			require.Equal(t, bank.CodeUnknownOrder, w.import_(name, ours).Code, name)
		}

		w.is(0, bank.HandedOver)
		require.Empty(t, w.told("rejected"))
	})
}

// What a bank reports about payments of another program is counted, and alarms nobody.
func TestReportsOfAnotherProgramAreCounted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(2)

		got := w.imported(report{id: "P1", message: "SOMEBODY-ELSES", group: "RJCT", groupReason: "AC04"}.xml())
		require.Equal(t, "1 statuses of payment files that are not ours: left out", got.Remark)
		require.Zero(t, got.Statuses)

		held, err := w.rail.Attention(t.Context(), d)
		require.NoError(t, err)
		require.Empty(t, held)
		w.is(0, bank.HandedOver)
		require.Empty(t, w.told("rejected"))
	})
}

// F-07: a refusal as duplicate never fails a payout by itself; the booking of the first one completes it.
func TestADuplicateRefusalIsHeldUntilThereIsEvidence(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)
		m := w.status(0).MessageID
		w.imported(report{id: "P1", message: m, group: "RJCT", groupReason: "DUPL"}.xml())
		w.is(0, bank.Held)
		require.Empty(t, w.told("rejected"))
		require.Equal(t, []string{bank.AlertHeld + " " + pay(0).Key}, w.alerts())

		w.imported(report{id: "P2", message: m, group: "ACSP"}.xml())
		w.is(0, bank.Held)

		err := w.rail.Resolve(context.Background(), pay(0).Key, bank.Decision{
			Action:     bank.ActSendAgain,
			AskedBy:    "ann",
			ApprovedBy: "bob",
		})

		require.Error(t, err, "what the bank called a duplicate is never sent again")

		w.imported(stmt(debit(0, "D0")).xml())
		w.is(0, bank.Booked)
	})
}

// What the bank says against a booking changes nothing by itself but is shown.
func TestAReportAgainstABookingIsShown(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	w.imported(stmt(debit(0, "D0")).xml())
	w.imported(report{id: "P1", message: w.status(0).MessageID, group: "RJCT", groupReason: "AC04"}.xml())
	w.is(0, bank.Booked)
	require.Empty(t, w.told("rejected"))
	require.Equal(t, []string{bank.AlertConflict + " " + pay(0).Key}, w.alerts())
}

// A debit of a payout that was rejected, and so refunded, is nobody's: it comes as an unknown debit and is shown.
func TestADebitAfterARejectIsShown(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	w.imported(report{id: "P1", message: w.status(0).MessageID, group: "RJCT", groupReason: "AC04"}.xml())
	w.imported(stmt(debit(0, "D0"), back(0, 0, "B0", "AC04")).xml())
	w.is(0, bank.Rejected)
	require.Equal(t, []string{"10.00 "}, w.told("debited"))
	require.Equal(t, []string{"10.00 "}, w.told("credited"), "and so does the money that comes back")
	require.Equal(t, []string{bank.AlertConflict + " " + pay(0).Key}, w.alerts())
}

// F-02: a report that names the file answers whether it arrived.
func TestAReportAnswersAnUnknownHandOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := unknown(t, d)
		m := w.status(0).MessageID
		require.Zero(t, w.status(0).HandedOverAt)
		w.imported(report{id: "P1", message: m, group: "PART", tx: []txStatus{{end(0), "ACSP", "", ""}}}.xml())
		w.is(0, bank.Accepted)
		require.NotZero(t, w.status(0).HandedOverAt, "the report is the first that says so")
		w.work()
		w.is(1, bank.HandedOver)
		require.Len(t, w.told("handed"), 2)
	})
}

// returnMessage is a pacs.004 of payout n.
func returnMessage(n int, code string) string {
	return fmt.Sprintf(
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.004.001.09"><PmtRtr><GrpHdr><MsgId>RT%d</MsgId><CreDtTm>2026-11-21T10:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf></GrpHdr>`+
			`<TxInf><RtrId>R%d</RtrId><OrgnlEndToEndId>%s</OrgnlEndToEndId><OrgnlTxId>T</OrgnlTxId><RtrdIntrBkSttlmAmt Ccy="EUR">10.00</RtrdIntrBkSttlmAmt><IntrBkSttlmDt>2026-11-21</IntrBkSttlmDt>`+
			`<RtrRsnInf><Rsn><Cd>%s</Cd></Rsn></RtrRsnInf></TxInf></PmtRtr></Document>`,
		n,
		n,
		end(n),
		code,
	)
}

// D-09: a pacs.004 announces a return; the money is back with the booked credit, which takes the reason from it.
func TestAnAnnouncedReturnGivesTheReason(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)
		w.imported(stmt(debit(0, "D0")).xml())
		require.Equal(t, 1, w.imported(returnMessage(0, "AC06")).Statuses)

		w.is(0, bank.Booked)
		w.imported(advice(back(0, 0, "B0", "")).xml())
		w.is(0, bank.Returned)
		require.Equal(t, "AC06", w.status(0).Reason.Code)
		require.Equal(t, bank.Quarantined, w.import_("other", returnMessage(5, "AC06")).Outcome)

		for ids, want := range map[string]bank.Outcome{
			"<OrgnlEndToEndId>THEIRS</OrgnlEndToEndId>":                                              bank.Imported,
			"<OrgnlInstrId>" + end(6) + "</OrgnlInstrId><OrgnlEndToEndId>THEIRS</OrgnlEndToEndId>":   bank.Quarantined,
			"<OrgnlEndToEndId>THEIRS</OrgnlEndToEndId><OrgnlUETR>" + bank.UETR("6") + "</OrgnlUETR>": bank.Quarantined,
		} {
			file := strings.Replace(returnMessage(6, "AC06"), "<OrgnlEndToEndId>"+end(6)+"</OrgnlEndToEndId>", ids, 1)
			got := w.import_("theirs", file)
			require.Equal(t, want, got.Outcome, "%s %s", ids, got.Reason)
		}
	})
}

// P-01: killed between keeping the returns of a pacs.004 and saying that it is imported, it is finished and keeps
// nothing twice.
func TestAKillBehindAnAnnouncedReturn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)
		w.imported(stmt(debit(0, "D0")).xml())
		w.imported(returnMessage(0, "AC06"))

		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			tx.Change("UPDATE bank_inbox SET state = 'IMPORTING' WHERE kind = 'pacs.004' AND done = 1")
			return nil
		}))

		w.later(2 * time.Minute)
		w.work()

		n, err := db.Value[int64](
			context.Background(),
			d,
			"SELECT count(*) FROM bank_inbox WHERE state = 'IMPORTED' AND kind = 'pacs.004'",
		)

		require.NoError(t, err)
		require.EqualValues(t, 1, n)
	})
}
