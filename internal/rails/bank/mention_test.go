package bank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// own is the end-to-end identification of payout n.
func own(n int) string { return bank.EndToEndID(pay(n).Key) }

// The ways in which banks write an identification that its field should hold, as texts of an MT940.
func germanTexts(id string) map[string]string {
	return map[string]string{
		"the bank's words behind it":   "?20EREF+" + id[:22] + "?21" + id[22:] + "?22MTLG:Konto gesperrt?23Rueckueberweisung aus SEPA",
		"glued to the bank's words":    "?20EREF+" + id[:22] + "?21" + id[22:] + "MTLG:Konto gesperrt",
		"followed by a part of theirs": "?20EREF+" + id + "?60Entgelt siehe Preisverzeichnis der Bank",
		"a colon and a blank":          "?20Invoice 0 EREF: " + id[:9] + "?21" + id[9:] + " MREF: x?22IBAN: AT611904300234573201 ",
		"a keyword over two parts":     "?20SVWZ Invoice 0 EREF?21+" + id,
		"a keyword without a sign":     "?20EREF" + id,
		"free text alone":              "?20Ueberweisung " + id + " vom 20.11.",
		"free text with a line end":    "?20SVWZ+Ueberweisung Nr?21" + id[:20] + "?22" + id[20:],
	}
}

// Our identification is found wherever it stands in a text: the debit of a payout, and its return.
func TestOurIdentificationIsFoundInAnyText(t *testing.T) {
	for name := range germanTexts(own(0)) {
		t.Run(name, func(t *testing.T) {
			text := germanTexts(own(0))[name]
			w := newWorld(t, dbtest.SQLite(t))
			w.paid(1)
			w.imported(
				mt940(1, "10000,00", "9990,00", ":61:2611201120D10,00NTRFNONREF//POS 2\r\n:86:116?00UEBERWEISUNG"+
					text+"?31AT611904300234573201?32Payee"),
			)
			w.is(0, bank.Booked)
			require.Empty(t, w.told("debited"))

			w.imported(
				mt940(2, "9990,00", "10000,00", ":61:2611201120C10,00NRTINONREF//POS 3\r\n:86:159?00RUECKUEBERWEISUNG"+
					text+"?31AT611904300234573201?32Payee"),
			)
			w.is(0, bank.Returned)
			require.Empty(t, w.told("credited"))
		})
	}
}

// F-11: the same in the places of a camt message that are not for it.
func TestOurIdentificationIsFoundInAnyPlaceOfAnEntry(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(5)

		at := func(n int, place string) string {
			e := debit(n, fmt.Sprintf("D%d", n))
			e.details = nil
			bare := stmt(e).xml()

			return bare[strings.Index(bare, "<Ntry>"):strings.Index(bare, "</Ntry>")] + place + "</Ntry>"
		}
		detail := func(inside string) string { return "<NtryDtls><TxDtls>" + inside + "</TxDtls></NtryDtls>" }

		entries := at(
			0,
			detail("<RmtInf><Ustrd>SEPA UEBERWEISUNG</Ustrd><Ustrd>Kundenreferenz: "+own(0)+"</Ustrd></RmtInf>"),
		) +
			at(
				1,
				"<AddtlNtryInf>Sent money to Payee, reference "+own(1)+"</AddtlNtryInf>",
			) +
			at(
				2,
				detail("<Refs><InstrId>"+own(2)+"</InstrId><EndToEndId>NOTPROVIDED</EndToEndId></Refs>"),
			) +
			at(
				3,
				detail("<Refs><TxId>"+own(3)+"</TxId></Refs>"),
			) +
			at(
				4,
				detail("<RmtInf><Ustrd>Ref "+own(4)[:13]+"</Ustrd><Ustrd>"+own(4)[13:]+"</Ustrd></RmtInf>"),
			)

		all := stmt()
		for n := range 5 {
			all.entries = append(all.entries, debit(n, ""))
		}

		whole := all.xml()
		file := whole[:strings.Index(whole, "<Ntry>")] + entries + "</Stmt></BkToCstmrStmt></Document>"
		require.Equal(t, 5, w.imported(file).Matched)

		for n := range 5 {
			w.is(n, bank.Booked)
		}

		require.Empty(t, w.told("debited"))
	})
}

// In a text it is ours with the exact amount only: a fee for a payout is none, and neither are two payouts in one
// debit.
func TestAMentionWithAnotherAmountIsNobodys(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(2)

	fee := entry{cents: -1_50, ref: "F1", details: []detail{{text: "Fee for " + own(0)}}}
	several := entry{cents: -(10_00 + 10_01), ref: "F2", details: []detail{{text: own(0) + " and " + own(1)}}}
	stranger := entry{cents: -10_00, ref: "F3", details: []detail{{text: own(1)}}}
	another := entry{
		cents:   5_00,
		ref:     "F4",
		details: []detail{{text: "For " + own(0), name: "X", iban: "AT611904300234573201"}},
	}
	w.imported(stmt(fee, several, stranger, another).xml())
	w.is(0, bank.HandedOver)
	w.is(1, bank.HandedOver)
	require.Len(t, w.told("debited"), 3)
	require.Len(t, w.told("credited"), 1)
	require.Empty(t, w.alerts())
}

// The account must be the one that paid.
func TestAMentionOnAnotherAccountIsNobodys(t *testing.T) {
	w := openWorld(t, dbtest.SQLite(t), t.TempDir(), func(c *bank.Config) {
		second := c.Accounts[0]
		second.ID = "eur-2"
		second.IBAN = "DE02100100100006820101"
		c.Accounts = append(c.Accounts, second)
	})
	w.paid(1)

	s := stmt(entry{cents: -10_00, ref: "D1", details: []detail{{text: own(0)}}})
	s.account = "DE02100100100006820101"
	w.imported(s.xml())
	w.is(0, bank.HandedOver)
	require.Len(t, w.told("debited"), 1)

	s.account = "GB29NWBK60161331926819"
	s.ccy = "GBP"
	s.id = "S2"
	w.imported(s.xml())
	w.is(0, bank.HandedOver)
	require.Len(t, w.told("debited"), 2)
}

// Everyone who was paid knows the identification. A credit that only mentions it is a claim, and two persons look at
// it.
func TestACreditThatMentionsAPayoutIsAClaim(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	w.imported(stmt(debit(0, "D0")).xml())
	w.is(0, bank.Booked)

	s := stmt(deposit(10_00, "C1", "back for "+own(0)))
	s.id = "S2"
	s.opening = 1_000_000 - 10_00
	w.imported(s.xml())
	w.is(0, bank.Booked)
	require.Len(t, w.told("credited"), 1)
	require.Contains(t, w.alerts(), bank.AlertConflict+" "+pay(0).Key)
}
