package bank_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// benchEntries is how many bookings the statement has; one in ten is the debit of a payout. It has about 100 MB.
const (
	benchEntries = 100_000
	benchPayouts = benchEntries / 10
)

// writeStatement writes a camt.053 with many entries, piece by piece.
func writeStatement(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}

	out := bufio.NewWriterSize(f, 1<<20)

	var sum int64

	cents := func(i int) int64 {
		if i%10 == 0 && i/10 < benchPayouts {
			return -1000
		}

		return int64(1000 + i)
	}
	for i := range n {
		sum += cents(i)
	}

	fmt.Fprintf(
		out,
		`<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-20T20:00:00</CreDtTm></GrpHdr><Stmt><Id>S</Id><CreDtTm>2026-11-20T20:00:00</CreDtTm><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>`,
	)

	for _, b := range []struct {
		typ   string
		cents int64
	}{{"OPBD", 0}, {"CLBD", sum}} {
		fmt.Fprintf(
			out,
			`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`,
			b.typ,
			decimal(b.cents),
			sign(b.cents),
		)
	}

	for i := range n {
		c := cents(i)
		end := fmt.Sprintf("CUSTOMER-REFERENCE-%08d", i)

		role := "Dbtr"
		if c < 0 {
			end = bank.EndToEndID(benchPay(i / 10).Key)
			role = "Cdtr"
		}

		fmt.Fprintf(
			out,
			`<Ntry><NtryRef>%d</NtryRef><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><RvslInd>false</RvslInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt><AcctSvcrRef>2026112000%08d</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><AcctSvcrRef>2026112000%08d</AcctSvcrRef><InstrId>INSTR-%08d</InstrId><EndToEndId>%s</EndToEndId></Refs><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><RltdPties><%s><Pty><Nm>Customer Number %d Aktiengesellschaft</Nm></Pty></%s><%sAcct><Id><IBAN>AT611904300234573201</IBAN></Id></%sAcct></RltdPties><RltdAgts><DbtrAgt><FinInstnId><BICFI>BKAUATWWXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts><RmtInf><Ustrd>Invoice %d of 20 November 2026, customer number %d</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
			i,
			decimal(c),
			sign(c),
			i,
			i,
			i,
			end,
			decimal(c),
			sign(c),
			role,
			i,
			role,
			role,
			role,
			i,
			i,
		)
		out.WriteString("\n")
	}

	out.WriteString("</Stmt></BkToCstmrStmt></Document>")

	if err := out.Flush(); err != nil {
		return err
	}

	return f.Close()
}

func benchPay(n int) bank.Payout {
	p := pay(n)
	p.Amount = eur(1000)
	return p
}

// silent is an observer that does nothing: what is measured is the rail.
type silent struct{}

func (silent) HandedOver(context.Context, *db.Tx, bank.Payout) error                { return nil }
func (silent) Booked(context.Context, *db.Tx, bank.Payout, bank.Entry) error        { return nil }
func (silent) Rejected(context.Context, *db.Tx, bank.Payout, bank.Reason) error     { return nil }
func (silent) Held(context.Context, *db.Tx, bank.Payout, string) error              { return nil }
func (silent) Returned(context.Context, *db.Tx, bank.Payout, bank.Return) error     { return nil }
func (silent) Corrected(context.Context, *db.Tx, bank.Payout, bank.Corrected) error { return nil }

func (silent) Credited(context.Context, *db.Tx, []bank.Entry) error { return nil }
func (silent) Debited(context.Context, *db.Tx, []bank.Entry) error  { return nil }

func (silent) PayeeChecked(context.Context, *db.Tx, bank.Payout, bank.PayeeCheck) error { return nil }

func (silent) Withdrawn(context.Context, *db.Tx, []bank.Entry) (bool, error) { return true, nil }

// planMany plans payouts without trying each of them in a file.
func planMany(t testing.TB, d *db.DB, r *bank.Rail, n int) {
	t.Helper()

	for from := 0; from < n; from += 500 {
		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			for i := from; i < min(n, from+500); i++ {
				if err := r.Plan(tx, benchPay(i)); err != nil {
					return err
				}
			}

			return nil
		}))
	}
}

func benchRail(t testing.TB, d *db.DB, dir string) *bank.Rail {
	t.Helper()
	ch, err := bank.NewFolder(filepath.Join(dir, "to-bank"), filepath.Join(dir, "from-bank"))
	require.NoError(t, err)
	r, err := bank.New(bank.Config{
		DB:       d,
		Observer: silent{},
		Accounts: houseAccounts(),
		Channel:  ch,
		Archive:  filepath.Join(dir, "archive"),
	})
	require.NoError(t, err)

	return r
}

// TestImportAgainstBareSQL measures, when SLIPWAY_TEST_BENCH is set, the import of 100,000 entries beside the same
// rows inserted and matched in bare SQL, on both databases.
func TestImportAgainstBareSQL(t *testing.T) {
	if os.Getenv("SLIPWAY_TEST_BENCH") == "" {
		t.Skip("measures; set SLIPWAY_TEST_BENCH=1")
	}

	dir := t.TempDir()
	path := filepath.Join(dir, "statement.xml")
	require.NoError(t, writeStatement(path, benchEntries))
	info, err := os.Stat(path)
	require.NoError(t, err)

	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			open := func() (*db.DB, string) {
				address := ""
				if name == "sqlite" {
					address = "sqlite:" + dbtest.SQLiteFile(t)
				} else {
					address = dbtest.PostgresURL(t)
				}

				d, err := db.Open(context.Background(), db.Config{URL: address, Keys: dbtest.Keys(t)})
				require.NoError(t, err)
				t.Cleanup(func() { _ = d.Close() })

				return d, address
			}
			d, first := open()
			r := benchRail(t, d, filepath.Join(dir, name))
			planMany(t, d, r, benchPayouts)
			begin := time.Now()
			require.NoError(t, r.Work(context.Background()))
			t.Logf("%d payouts written, stored and handed over in %v", benchPayouts, time.Since(begin))
			require.NoError(t, r.Work(context.Background()))

			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			f, err := os.Open(path)
			require.NoError(t, err)
			begin = time.Now()
			cpu := processor(t) + serverProcessor(t, first)
			report, err := r.Import(context.Background(), "statement.xml", f, nil)
			took := time.Since(begin)
			used := processor(t) + serverProcessor(t, first) - cpu
			require.NoError(t, err)
			require.NoError(t, f.Close())
			runtime.ReadMemStats(&after)
			require.Equal(t, bank.Imported, report.Outcome, report.Reason)
			require.Equal(t, benchPayouts, report.Matched)

			rows := storedRows(t, d)
			other, address := open()
			planMany(t, other, benchRail(t, other, filepath.Join(dir, name+"-bare")), benchPayouts)
			require.NoError(t, other.Close())
			runtime.GC()
			begin = time.Now()

			cpu = processor(t)
			if name == "sqlite" {
				bareSQLite(t, strings.TrimPrefix(address, "sqlite:"), rows)
			} else {
				cpu -= barePostgres(t, address, rows)
			}

			bare := time.Since(begin)
			bareUsed := processor(t) - cpu
			t.Logf(
				"%s: import of %d entries (%d MB) %v, bare SQL %v, factor %.2f; of processor time, the server's "+
					"included, %v and %v, factor %.2f; allocated %d MB in all",
				name,
				benchEntries,
				info.Size()>>20,
				took,
				bare,
				took.Seconds()/bare.Seconds(),
				used,
				bareUsed,
				used.Seconds()/bareUsed.Seconds(),
				(after.TotalAlloc-before.TotalAlloc)>>20,
			)
		})
	}
}

// processor is the processor time this process has used: on a busy machine it says more than the clock.
func processor(t *testing.T) time.Duration {
	t.Helper()

	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))

	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverProcessor is the processor time that PostgreSQL's processes for a database have used; 0 for SQLite.
func serverProcessor(t *testing.T, address string) (sum time.Duration) {
	t.Helper()

	if strings.HasPrefix(address, "sqlite:") {
		return 0
	}

	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	require.NoError(t, err)

	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(
		ctx,
		"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
	)
	require.NoError(t, err)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	require.NoError(t, err)

	for _, pid := range pids {
		sum += processorOf(t, pid)
	}

	return sum
}

// processorOf reads a process's time from /proc, in ticks of 10 ms.
func processorOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	require.NoError(t, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(t, err)

	return time.Duration(user+system) * 10 * time.Millisecond
}

const bareColumns = "id, account, file_id, kind, position, status, named, statement, advised, bare, units, " +
	"currency, credit, reversal, booked_at, value_at, bank_ref, code, end_to_end_id, uetr, " +
	"instr_id, payment_info_id, mandate_id, sealed, refs, counterparty, return_code, parts"

// storedRows reads what the import stored, to insert the same again.
func storedRows(t *testing.T, d *db.DB) [][]any {
	t.Helper()
	rows, err := d.Query(context.Background(), "SELECT "+bareColumns+" FROM bank_entries ORDER BY position")
	require.NoError(t, err)

	defer rows.Close()

	var out [][]any
	for rows.Next() {
		var (
			s [19]string
			n [4]int64
			b [5]bool
		)

		require.NoError(
			t,
			rows.Scan(
				&s[0],
				&s[1],
				&s[2],
				&s[3],
				&n[0],
				&s[4],
				&b[0],
				&s[5],
				&b[1],
				&b[2],
				&s[6],
				&s[7],
				&b[3],
				&b[4],
				&n[1],
				&n[2],
				&s[8],
				&s[9],
				&s[10],
				&s[11],
				&s[12],
				&s[13],
				&s[14],
				&s[15],
				&s[16],
				&s[17],
				&s[18],
				&n[3],
			),
		)

		out = append(out, []any{
			s[0], s[1], s[2], s[3], n[0], s[4], b[0], s[5], b[1], b[2], s[6], s[7], b[3], b[4], n[1], n[2], s[8],
			s[9], s[10], s[11], s[12], s[13], s[14], s[15], s[16], s[17], s[18], n[3],
		})
	}

	require.NoError(t, rows.Err())

	return out
}

// The match in bare SQL: every debit that carries a payout's identification and amount books it.
const (
	bareMatch = `INSERT INTO bank_matches (payout_id, kind, movement, units, settled, created_at) SELECT p.id, 'BOOKED', e.id, e.units, TRUE, 0 FROM bank_entries e
		JOIN bank_payouts p ON p.end_to_end_id = e.end_to_end_id WHERE NOT e.credit AND e.status = 'BOOK' AND e.units = p.units AND e.account = p.house`
	bareMove = `UPDATE bank_payouts SET state = 'BOOKED', updated_at = 1 WHERE id IN (SELECT payout_id FROM bank_matches)`
)

func bareSQLite(t *testing.T, path string, rows [][]any) {
	t.Helper()
	ctx := context.Background()
	conn, err := sql.Open(
		"sqlite",
		"file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)",
	)
	require.NoError(t, err)

	defer func() { _ = conn.Close() }()
	tx, err := conn.BeginTx(ctx, nil)
	require.NoError(t, err)

	const at = 100
	one := "(" + strings.TrimSuffix(strings.Repeat("?,", 28), ",") + ")"
	st, err := tx.Prepare(
		"INSERT INTO bank_entries (" + bareColumns + ") VALUES " + strings.TrimSuffix(strings.Repeat(one+",", at), ","),
	)
	require.NoError(t, err)

	defer func() { _ = st.Close() }()

	args := make([]any, 0, at*28)
	for from := 0; from < len(rows); from += at {
		args = args[:0]
		for _, r := range rows[from : from+at] {
			args = append(args, r...)
		}

		_, err := st.Exec(args...)
		require.NoError(t, err)
	}

	for _, q := range []string{bareMatch, bareMove} {
		_, err := tx.Exec(q)
		require.NoError(t, err)
	}

	require.NoError(t, tx.Commit())
}

// barePostgres gives the processor time of its server process.
func barePostgres(t *testing.T, address string, rows [][]any) time.Duration {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	require.NoError(t, err)

	defer func() { _ = conn.Close(ctx) }()
	tx, err := conn.Begin(ctx)
	require.NoError(t, err)
	names := strings.Split(strings.ReplaceAll(bareColumns, " ", ""), ",")
	n, err := tx.CopyFrom(ctx, pgx.Identifier{"bank_entries"}, names, pgx.CopyFromRows(rows))
	require.NoError(t, err)
	require.EqualValues(t, len(rows), n)

	for _, q := range []string{bareMatch, bareMove} {
		_, err := tx.Exec(ctx, q)
		require.NoError(t, err)
	}

	require.NoError(t, tx.Commit(ctx))

	var pid int
	require.NoError(t, conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid))

	return processorOf(t, pid)
}
