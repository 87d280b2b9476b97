//go:build !nosandbox

package settlement_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
)

// swissFile is a file of the bank about one collective booking of 2,540.00 CHF: the statement with the sum, or the
// notification with the two payments that it is made of.
func swissFile(statement bool, number int, day, reference, sender string) string {
	root := "BkToCstmrDbtCdtNtfctn"
	part := "Ntfctn"
	message := "camt.054.001.08"
	balances := ""

	details := fmt.Sprintf(
		`<TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs><Amt Ccy="CHF">2500.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>%s</Nm></Pty></Dbtr></RltdPties>`+
			`<RmtInf><Ustrd>Deposit %s</Ustrd></RmtInf></TxDtls><TxDtls><Refs><EndToEndId>E-2</EndToEndId></Refs><Amt Ccy="CHF">40.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>thank you</Ustrd></RmtInf></TxDtls>`,
		sender,
		reference,
	)
	if statement {
		root = "BkToCstmrStmt"
		part = "Stmt"
		message = "camt.053.001.08"
		details = ""

		for i, typ := range []string{"OPBD", "CLBD"} {
			balances += fmt.Sprintf(
				`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">%d.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>%s</Dt></Dt></Bal>`,
				typ,
				1000+2540*(number+i),
				day,
			)
		}
	}

	return fmt.Sprintf(
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:%s"><%s><GrpHdr><MsgId>M%d</MsgId><CreDtTm>%sT20:00:00</CreDtTm></GrpHdr><%s><Id>%s-%d</Id><ElctrncSeqNb>%d</ElctrncSeqNb>`+
			`<CreDtTm>%sT20:00:00</CreDtTm><Acct><Id><IBAN>CH6700099012345678901</IBAN></Id><Ccy>CHF</Ccy></Acct>%s<Ntry><Amt Ccy="CHF">2540.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>`+
			`<BookgDt><Dt>%s</Dt></BookgDt><AcctSvcrRef>REF-%d</AcctSvcrRef><NtryDtls>%s</NtryDtls></Ntry></%s></%s></Document>`,
		message,
		root,
		number,
		day,
		part,
		part,
		number,
		number+1,
		day,
		balances,
		day,
		number,
		details,
		part,
		root,
	)
}

// F-11: an on-ramp is paid by one payment of a collective booking, whether the bank tells of the sum first or of the
// payments it is made of: the same deposits, the same books.
func TestACollectiveBookingPaysAnOnrampInEitherOrder(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		day := h.DB().Now().UTC().Format("2006-01-02")
		for number, order := range [][]bool{{true, false, true}, {false, true, false}} {
			id, reference := c.OnrampSubmitted("USDC", "CHF", "2500.00")
			for i, statement := range order {
				file := swissFile(statement, number, day, reference, c.Name())
				_, err := h.App.Bank.Import(t.Context(), fmt.Sprint(i), strings.NewReader(file), nil)
				require.NoError(t, err)
			}

			h.MineUntil("delivered", func() bool { return c.Read(id).Status == completed })

			left := h.Suspense()
			require.Len(t, left, number+1)

			for _, d := range left {
				require.Equal(t, "40.00", d.Amount.String())
				require.Equal(t, reconcile.ReasonNoReference, d.Reason)
			}

			alerts, err := h.App.Bank.Attention(t.Context(), h.DB())
			require.NoError(t, err)
			require.Empty(t, alerts)
			h.Oracle()
		}

		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM deposits WHERE state = 'WITHDRAWN'"),
			"the sum that came before its payments",
		)
	})
}

// F-11: a lump that two persons have sent back stays as they decided; its payments, told later, are shown and
// credited to nobody.
func TestPaymentsOfALumpThatWentBack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		_, reference := c.OnrampSubmitted("USDC", "CHF", "2500.00")
		day := h.DB().Now().UTC().Format("2006-01-02")
		imported := func(statement bool) {
			_, err := h.App.Bank.Import(
				t.Context(),
				"file",
				strings.NewReader(swissFile(statement, 0, day, reference, c.Name())),
				nil,
			)
			require.NoError(t, err)
		}
		imported(true)
		lump := h.Suspense()[0]
		h.Exec(
			`UPDATE deposits
				SET sender_name = 'Bank', sealed = ?, sender_bank = 'UBSWCHZH80A'
				WHERE entry = ?`,
			reconcile.Sealed()[0].Of(db.Key{lump.Entry}, "", "CH9300762011623852957"),
			lump.Entry,
		)
		h.Decide(lump.Entry, reconcile.Decision{Action: reconcile.ActionRefund, Note: "the bank asked for it"})

		imported(false)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM deposits"))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM bank_late"))
		h.Oracle()
	})
}
