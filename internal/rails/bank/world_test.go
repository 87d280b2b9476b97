package bank_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/witness"
	"slipway/internal/rails/bank"
)

// The house accounts of the tests; the IBANs are the registry's examples.
func houseAccounts() []bank.HouseAccount {
	return []bank.HouseAccount{
		{
			ID:         "eur",
			Currency:   "EUR",
			Country:    "DE",
			IBAN:       "DE89370400440532013000",
			BIC:        "COBADEFFXXX",
			Holder:     "Slipway GmbH",
			HolderTown: "Berlin",
			BankName:   "Bank",
			Rails:      []string{"SEPA", "SEPA_INSTANT", "SWIFT"},
		},
		{
			ID:            "gbp",
			Currency:      "GBP",
			Country:       "GB",
			IBAN:          "GB29NWBK60161331926819",
			BIC:           "NWBKGB2LXXX",
			SortCode:      "601613",
			AccountNumber: "31926819",
			Holder:        "Slipway Ltd",
			HolderTown:    "London",
			BankName:      "Bank",
			Rails:         []string{"FASTER_PAYMENTS"},
		},
		{
			ID:            "usd",
			Currency:      "USD",
			Country:       "US",
			RoutingNumber: "021000021",
			AccountNumber: "123456789",
			BIC:           "CHASUS33XXX",
			Holder:        "Slipway Inc",
			HolderTown:    "New York",
			BankName:      "Bank",
			Rails:         []string{"ACH", "FEDWIRE"},
		},
	}
}

// world is a rail with its folders and a database; files lie where a bank would put them.
type world struct {
	t    *testing.T
	d    *db.DB
	dir  string
	out  string // to the bank
	in   string // from the bank
	rail *bank.Rail

	copies witness.Store // nil: none are kept
}

func newWorld(t *testing.T, d *db.DB) *world {
	t.Helper()
	return openWorld(t, d, t.TempDir(), nil)
}

// openWorld makes a rail over folders that may be there already; change may alter its configuration.
func openWorld(t *testing.T, d *db.DB, dir string, change func(*bank.Config)) *world {
	t.Helper()
	w := &world{
		t:   t,
		d:   d,
		dir: dir,
		out: filepath.Join(dir, "to-bank"),
		in:  filepath.Join(dir, "from-bank"),
	}
	ch, err := bank.NewFolder(w.out, w.in)
	require.NoError(t, err)

	c := bank.Config{
		DB:       d,
		Observer: books{},
		Accounts: houseAccounts(),
		Channel:  ch,
		Archive:  filepath.Join(dir, "archive"),
	}
	if os.Getenv("SLIPWAY_TEST_LOG") != "" {
		c.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}

	if change != nil {
		change(&c)
	}

	w.rail, err = bank.New(c)
	require.NoError(t, err)

	return w
}

// pay is a payout in euro to a numbered key.
func pay(n int) bank.Payout {
	return bank.Payout{
		Key:        fmt.Sprintf("transaction/txn_1/payout/%d", n),
		Object:     "txn_1",
		From:       "eur",
		Rail:       "SEPA",
		Amount:     eur(int64(1000 + n)),
		Charges:    "SHA",
		Creditor:   bank.Party{Name: "Jörg Müller", Town: "Wien", Country: "AT"},
		Account:    bank.AccountIDs{IBAN: "AT611904300234573201", Country: "AT"},
		Remittance: fmt.Sprintf("Invoice %d", n),
	}
}

func eur(cents int64) money.Amount { return money.FromUnits(bank.Asset("EUR"), big.NewInt(cents)) }

func (w *world) plan(payouts ...bank.Payout) {
	w.t.Helper()

	require.NoError(w.t, w.d.Write(context.Background(), func(tx *db.Tx) error {
		for _, p := range payouts {
			if err := w.rail.Plan(tx, p); err != nil {
				return err
			}
		}

		return nil
	}))
}

func (w *world) work() {
	w.t.Helper()
	require.NoError(w.t, w.rail.Work(context.Background()))
}

// paid plans payouts 0 to n-1 and hands them over.
func (w *world) paid(n int) {
	w.t.Helper()

	for i := range n {
		w.plan(pay(i))
	}

	w.work()

	for i := range n {
		w.is(i, bank.HandedOver)
	}
}

func (w *world) status(n int) bank.PayoutStatus {
	w.t.Helper()
	s, err := w.rail.Status(context.Background(), w.d, pay(n).Key)
	require.NoError(w.t, err)

	return s
}

func (w *world) is(n int, want bank.State) {
	w.t.Helper()
	require.Equal(w.t, want, w.status(n).State, "payout %d", n)
}

func (w *world) import_(name, content string) bank.Report {
	w.t.Helper()
	report, err := w.rail.Import(context.Background(), name, strings.NewReader(content), nil)
	require.NoError(w.t, err)

	return report
}

// imported imports a file that must be booked.
func (w *world) imported(content string) bank.Report {
	w.t.Helper()
	report := w.import_("file.xml", content)
	require.Equal(w.t, bank.Imported, report.Outcome, "%s %s", report.Code, report.Reason)

	return report
}

// files gives the names in a folder that are not hidden.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)

	var out []string
	for _, e := range entries {
		if !e.IsDir() {
			out = append(out, e.Name())
		}
	}

	return out
}

// alerts are the kinds of what needs attention, with their subjects.
func (w *world) alerts() []string {
	w.t.Helper()
	list, err := w.rail.Attention(context.Background(), w.d)
	require.NoError(w.t, err)

	var out []string
	for _, a := range list {
		out = append(out, a.Kind+" "+a.Subject)
	}

	return out
}

// told lists what the books were told, by action.
func (w *world) told(action string) []string {
	w.t.Helper()
	rows, err := db.Select(context.Background(), w.d, func(s *string) []any {
		return []any{s}
	}, "SELECT object FROM audit_log WHERE action = ? ORDER BY object", action)
	require.NoError(w.t, err)

	return rows
}

// books is an observer that keeps its records in the database. What may come only once breaks a unique index the
// second time.
type books struct{}

var insertBook = db.InsertInto(
	"audit_log",
	"id, organisation, actor, action, object, request_id, source, detail, created_at",
)

func (books) note(tx *db.Tx, id, action, object string, detail any) error {
	text, err := json.Marshal(detail)
	tx.Insert(insertBook, id, "org", "system", action, object, "", "", string(text), tx.Now.UnixMicro())
	return err
}

func (b books) HandedOver(_ context.Context, tx *db.Tx, p bank.Payout) error {
	return b.note(tx, "handed/"+p.Key, "handed", p.Key, p.EndToEndID)
}

func (b books) Booked(_ context.Context, tx *db.Tx, p bank.Payout, e bank.Entry) error {
	return errorsOf(
		b.note(tx, "booked/"+p.Key, "booked", p.Key, e.ID),
		b.note(tx, "entry/"+e.ID, "entry", e.ID, e.Amount.String()),
	)
}

func (b books) Rejected(_ context.Context, tx *db.Tx, p bank.Payout, r bank.Reason) error {
	return b.note(tx, "rejected/"+p.Key, "rejected", p.Key, r.Code+" "+r.Text)
}

func (b books) Held(ctx context.Context, tx *db.Tx, p bank.Payout, why string) error {
	n, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log WHERE action = 'held' AND object = ?", p.Key)
	return errorsOf(err, b.note(tx, fmt.Sprintf("held/%s/%d", p.Key, n), "held", p.Key, why))
}

func (b books) Returned(_ context.Context, tx *db.Tx, p bank.Payout, r bank.Return) error {
	return errorsOf(
		b.note(
			tx,
			"returned/"+p.Key+"/"+r.Entry.ID,
			"returned",
			p.Key,
			fmt.Sprintf("%s %s of %s, %s deducted", r.Reason.Code, r.Amount, p.Amount, r.Deducted),
		),
		b.note(tx, "entry/"+r.Entry.ID, "entry", r.Entry.ID, r.Entry.Amount.String()),
	)
}

// PayeeChecked keeps every call, in their order.
func (b books) PayeeChecked(ctx context.Context, tx *db.Tx, p bank.Payout, c bank.PayeeCheck) error {
	n, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log WHERE action = 'payee' AND object = ?", p.Key)
	said := fmt.Sprintf("%s %s %t", c.Status, c.Name, c.Waits)

	return errorsOf(err, b.note(tx, fmt.Sprintf("payee/%s/%d", p.Key, n), "payee", p.Key, said))
}

func (b books) Corrected(_ context.Context, tx *db.Tx, p bank.Payout, right bank.Corrected) error {
	return b.note(tx, p.ID, "CORRECTED", p.Key, right)
}

func (b books) Credited(_ context.Context, tx *db.Tx, entries []bank.Entry) error {
	return b.strangers(tx, "credited", entries)
}

func (b books) Debited(_ context.Context, tx *db.Tx, entries []bank.Entry) error {
	return b.strangers(tx, "debited", entries)
}

func (b books) strangers(tx *db.Tx, action string, entries []bank.Entry) error {
	for _, e := range entries {
		if err := errorsOf(
			b.note(tx, "entry/"+e.ID, "entry", e.ID, e.Amount.String()),
			b.note(tx, action+"/"+e.ID, action, e.Amount.String()+" "+e.Remittance, e.ID),
		); err != nil {
			return err
		}
	}

	return nil
}

// Withdrawn forgets movements, as books do that never carry them further.
func (b books) Withdrawn(ctx context.Context, tx *db.Tx, entries []bank.Entry) (bool, error) {
	for _, e := range entries {
		decided, err := db.Value[bool](ctx, tx, "SELECT EXISTS(SELECT 1 FROM audit_log WHERE id = ?)", "decided/"+e.ID)
		if err != nil || decided {
			return false, err
		}

		n, err := tx.Exec(
			"DELETE FROM audit_log WHERE id IN (?, ?, ?)",
			"entry/"+e.ID,
			"credited/"+e.ID,
			"debited/"+e.ID,
		)
		if err != nil || n != 2 {
			return false, errorsOf(err, fmt.Errorf("entry %s was told %d times", e.ID, n))
		}

		if err := b.note(tx, "withdrawn/"+e.ID, "withdrawn", e.ID, e.Amount.String()); err != nil {
			return false, err
		}
	}

	return true, nil
}

func errorsOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}

	return nil
}

// statement is what a camt file of the tests says.
type statement struct {
	kind, version string // "053", "08"
	account, ccy  string
	id, seq       string
	from, to      string // days of the balances
	opening       int64  // cents
	closing       *int64 // nil: what follows from the entries
	entries       []entry
}

type entry struct {
	cents    int64 // negative: debit
	ccy      string
	reversal bool
	status   string
	day      string
	ref      string
	info     string
	pmtInf   string
	details  []detail
}

type detail struct {
	cents                            int64 // 0: none given
	end, uetr, text, ref, name, iban string
	returned                         string
	code                             string // sub-family of PMNT/ICDT
	own                              string // the bank's own code
}

func stmt(entries ...entry) statement {
	return statement{
		kind:    "053",
		version: "08",
		account: "DE89370400440532013000",
		ccy:     "EUR",
		id:      "S1",
		from:    "2026-11-20",
		to:      "2026-11-20",
		opening: 1_000_000,
		entries: entries,
	}
}

func advice(entries ...entry) statement {
	s := stmt(entries...)
	s.kind = "054"
	return s
}

// deposit is a booked credit with a reference of the bank and a text.
func deposit(cents int64, ref, text string) entry {
	return entry{
		cents:   cents,
		ref:     ref,
		details: []detail{{text: text, name: "Payer AG", iban: "AT611904300234573201"}},
	}
}

// debit is the booked debit of payout n.
func debit(n int, ref string) entry {
	p := pay(n)
	return entry{cents: -p.Amount.Units().Int64(), ref: ref, details: []detail{{end: bank.EndToEndID(p.Key)}}}
}

func decimal(cents int64) string {
	if cents < 0 {
		cents = -cents
	}

	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

func sign(cents int64) string {
	if cents < 0 {
		return "DBIT"
	}

	return "CRDT"
}

// xml writes the file.
func (s statement) xml() string {
	root := map[string]string{"052": "BkToCstmrAcctRpt", "053": "BkToCstmrStmt", "054": "BkToCstmrDbtCdtNtfctn"}[s.kind]
	part := map[string]string{"052": "Rpt", "053": "Stmt", "054": "Ntfctn"}[s.kind]

	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		`<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.%s.001.%s"><%s><GrpHdr><MsgId>M-%s</MsgId><CreDtTm>%sT20:00:00</CreDtTm></GrpHdr><%s><Id>%s</Id>`,
		s.kind,
		s.version,
		root,
		s.id,
		s.to,
		part,
		s.id,
	)

	if s.seq != "" {
		fmt.Fprintf(&b, "<ElctrncSeqNb>%s</ElctrncSeqNb>", s.seq)
	}

	fmt.Fprintf(
		&b,
		"<CreDtTm>%sT20:00:00</CreDtTm><Acct><Id>%s</Id><Ccy>%s</Ccy></Acct>",
		s.to,
		accountID(s.account),
		s.ccy,
	)

	if s.kind == "053" {
		closing := s.opening
		for _, e := range s.entries {
			if e.status == "" || e.status == "BOOK" {
				closing += e.cents
			}
		}

		if s.closing != nil {
			closing = *s.closing
		}

		for _, x := range []struct {
			typ   string
			cents int64
			day   string
		}{{"OPBD", s.opening, s.from}, {"CLBD", closing, s.to}} {
			fmt.Fprintf(
				&b,
				`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="%s">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Dt><Dt>%s</Dt></Dt></Bal>`,
				x.typ,
				s.ccy,
				decimal(x.cents),
				sign(x.cents),
				x.day,
			)
		}
	}

	for _, e := range s.entries {
		e.write(&b, s)
	}

	fmt.Fprintf(&b, "</%s></%s></Document>\n", part, root)

	return b.String()
}

func accountID(s string) string {
	if len(s) > 15 {
		return "<IBAN>" + s + "</IBAN>"
	}

	return "<Othr><Id>" + s + "</Id></Othr>"
}

func (e entry) write(b *bytes.Buffer, s statement) {
	ccy := s.ccy
	status := "BOOK"
	day := s.to

	if e.ccy != "" {
		ccy = e.ccy
	}

	if e.status != "" {
		status = e.status
	}

	if e.day != "" {
		day = e.day
	}

	if s.version >= "08" {
		status = "<Cd>" + status + "</Cd>"
	}

	fmt.Fprintf(b, `<Ntry><Amt Ccy="%s">%s</Amt><CdtDbtInd>%s</CdtDbtInd>`, ccy, decimal(e.cents), sign(e.cents))

	if e.reversal {
		b.WriteString("<RvslInd>true</RvslInd>")
	}

	fmt.Fprintf(b, "<Sts>%s</Sts><BookgDt><Dt>%s</Dt></BookgDt><ValDt><Dt>%s</Dt></ValDt>", status, day, day)

	if e.ref != "" {
		fmt.Fprintf(b, "<AcctSvcrRef>%s</AcctSvcrRef>", e.ref)
	}

	b.WriteString("<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>")

	if len(e.details) > 0 || e.pmtInf != "" {
		b.WriteString("<NtryDtls>")

		if e.pmtInf != "" {
			fmt.Fprintf(b, "<Btch><PmtInfId>%s</PmtInfId></Btch>", e.pmtInf)
		}

		for _, d := range e.details {
			d.write(b, e, ccy)
		}

		b.WriteString("</NtryDtls>")
	}

	if e.info != "" {
		fmt.Fprintf(b, "<AddtlNtryInf>%s</AddtlNtryInf>", e.info)
	}

	b.WriteString("</Ntry>")
}

func (d detail) write(b *bytes.Buffer, e entry, ccy string) {
	b.WriteString("<TxDtls><Refs>")

	if d.end != "" {
		fmt.Fprintf(b, "<EndToEndId>%s</EndToEndId>", d.end)
	}

	if d.uetr != "" {
		fmt.Fprintf(b, "<UETR>%s</UETR>", d.uetr)
	}

	b.WriteString("</Refs>")

	if d.cents != 0 {
		fmt.Fprintf(b, `<Amt Ccy="%s">%s</Amt><CdtDbtInd>%s</CdtDbtInd>`, ccy, decimal(d.cents), sign(d.cents))
	}

	if d.code != "" || d.own != "" {
		b.WriteString("<BkTxCd>")

		if d.code != "" {
			fmt.Fprintf(b, "<Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>%s</SubFmlyCd></Fmly></Domn>", d.code)
		}

		if d.own != "" {
			fmt.Fprintf(b, "<Prtry><Cd>%s</Cd></Prtry>", d.own)
		}

		b.WriteString("</BkTxCd>")
	}

	if d.name != "" {
		role := "Dbtr"
		if e.cents < 0 {
			role = "Cdtr"
		}

		fmt.Fprintf(
			b,
			"<RltdPties><%s><Pty><Nm>%s</Nm></Pty></%s><%sAcct><Id><IBAN>%s</IBAN></Id></%sAcct></RltdPties>",
			role,
			d.name,
			role,
			role,
			d.iban,
			role,
		)
	}

	if d.text != "" || d.ref != "" {
		b.WriteString("<RmtInf>")

		if d.text != "" {
			fmt.Fprintf(b, "<Ustrd>%s</Ustrd>", d.text)
		}

		if d.ref != "" {
			fmt.Fprintf(b, "<Strd><CdtrRefInf><Ref>%s</Ref></CdtrRefInf></Strd>", d.ref)
		}

		b.WriteString("</RmtInf>")
	}

	if d.returned != "" {
		fmt.Fprintf(b, "<RtrInf><Rsn><Cd>%s</Cd></Rsn></RtrInf>", d.returned)
	}

	b.WriteString("</TxDtls>")
}

// later moves the service's clock.
func (w *world) later(d time.Duration) { w.d.Clock().Advance(d) }
