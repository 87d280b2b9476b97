//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/schema"
)

// databaseURL returns the address of the database that deskOf has configured.
func databaseURL() string { return os.Getenv("SLIPWAY_DATABASE__URL") }

// deskOf is a configured database, and a bank beside it.
func deskOf(t *testing.T) *banksim.Bank {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("SLIPWAY_DATA_DIR", dir)
	url := "sqlite:" + filepath.Join(dir, "desk.db")
	t.Setenv("SLIPWAY_DATABASE__URL", url)
	d, err := db.Open(context.Background(), db.Config{URL: url})
	require.NoError(t, err)
	_, err = d.Migrate(context.Background(), schema.Files())
	require.NoError(t, err)
	require.NoError(t, d.Close())

	b, err := banksim.New(banksim.Config{Folder: filepath.Join(dir, "elsewhere"), Accounts: world.HouseAccounts()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.Close() })

	return b
}

// A deposit that matches nothing comes in by import, stands in suspense, and is settled by two different people (D-04).
func TestBankImportsStatementsAndSettlesSuspense(t *testing.T) {
	b := deskOf(t)
	ctx := context.Background()
	_, err := b.Deposit(ctx, banksim.Deposit{
		Currency:      "EUR",
		Amount:        "1250.00",
		Sender:        "Bob & Sons",
		SenderAccount: "DE89370400440532013000",
		Reference:     "no reference at all",
	})
	require.NoError(t, err)
	require.NoError(t, b.Control(ctx, banksim.Control{Op: "statement"}))

	out, err := slip(t, "bank", "import", b.Outbox())
	require.NoError(t, err, out)
	require.Contains(t, out, "camt.054  IMPORTED")
	require.Contains(t, out, "2 files: 2 booked, 0 known already, 0 wait, 0 quarantined")
	require.NotContains(t, out, "\r", "no bar where there is no terminal")
	out, err = slip(t, "bank", "import", b.Outbox())
	require.NoError(t, err, "D-01: again")
	require.Contains(t, out, "0 booked, 2 known already")

	out, err = slip(t, "bank", "files", "--in")
	require.NoError(t, err)
	require.Contains(t, out, "camt.053")
	out, err = slip(t, "bank", "show", "--raw", "00000001_camt.054_eur.xml")
	require.NoError(t, err)
	require.Contains(t, out, "no reference at all")
	out, err = slip(t, "bank", "show", "00000001_camt.054_eur.xml")
	require.NoError(t, err)
	require.Contains(t, out, "1 entries, 1 of them new")
	require.Contains(t, out, "+1250.00 EUR")
	require.Contains(t, out, "Bob & Sons")
	out, err = slip(t, "bank", "show", "00000002_camt.053_eur.xml", "--max", "0")
	require.NoError(t, err)
	require.Contains(t, out, "CLBD +50001250.00 EUR")
	require.Contains(t, out, "… and 1 more")

	settled(t)
}

// settled walks the one deposit in suspense through its decision.
func settled(t *testing.T) {
	t.Helper()
	out, err := slip(t, "bank", "suspense")
	require.NoError(t, err)
	require.Contains(t, out, "1250.00 EUR")
	require.Contains(t, out, "Bob & Sons")
	require.Equal(t, 1, strings.Count(out, "SUSPENSE"), "advice and statement tell of one deposit\n%s", out)
	entry := regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d\s+(\S+)`).FindStringSubmatch(out)[1]

	d := peopleAt(t)
	settle := func(name string, what ...string) (string, error) {
		return d.piped(d.as(name), append([]string{"bank", "settle", entry}, what...)...)
	}

	_, err = settle("guest", "--hold")
	require.ErrorContains(t, err, "not an operator")
	_, err = settle("ann")
	require.Error(t, err, "nothing is decided by saying nothing")
	_, err = settle("ann", "--assign", "txn_nobody")
	require.ErrorContains(t, err, "DEPOSIT_NOT_ASSIGNABLE")
	out, err = settle("ann", "--hold", "--note", "asked the sender")
	require.NoError(t, err)
	require.Contains(t, out, "is asked for by ann@example.org")
	_, err = settle("ann", "--hold")
	require.ErrorContains(t, err, "TWO_PERSONS_NEEDED", "one person alone")
	out, err = settle("ben", "--hold")
	require.NoError(t, err)
	require.Contains(t, out, "is APPROVED by ben@example.org")
	out, err = slip(t, "bank", "suspense")
	require.NoError(t, err)
	require.Contains(t, out, "empty")
	out, err = slip(t, "bank", "suspense", "--held")
	require.NoError(t, err)
	require.Contains(t, out, "HELD")
	out, err = slip(t, "ledger", "verify")
	require.NoError(t, err, out)
}

// D-03, D-10: what cannot be booked is said, kept, and fails the command; what can be is booked all the same.
func TestBankImportSaysWhatItCouldNotBook(t *testing.T) {
	b := deskOf(t)

	ctx := context.Background()
	for _, amount := range []string{"10.00", "20.00", "30.00"} {
		_, err := b.Deposit(ctx, banksim.Deposit{Currency: "EUR", Amount: amount, Sender: "Bob"})
		require.NoError(t, err)
		require.NoError(t, b.Control(ctx, banksim.Control{Op: "statement"}))
	}

	statements, err := filepath.Glob(filepath.Join(b.Outbox(), "*camt.053*"))
	require.NoError(t, err)
	require.Len(t, statements, 3)
	out, err := slip(t, "bank", "import", statements[0])
	require.NoError(t, err, out)
	out, err = slip(t, "bank", "import", statements[2])
	require.ErrorContains(t, err, "1 files were not booked")
	require.Contains(t, out, "WAITING")
	out, err = slip(t, "bank", "held")
	require.NoError(t, err)
	require.Contains(t, out, "STATEMENT_WAITING")
	require.Contains(t, out, "bank resolve SUBJECT book|drop")
	out, err = slip(t, "bank", "import", statements[1])
	require.NoError(t, err, out)
	out, err = slip(t, "bank", "files", "--in", "--state", "WAITING")
	require.NoError(t, err)
	require.NotContains(t, out, "camt.053", "the missing one has come, so the one after it is booked too\n%s", out)

	require.NoError(t, b.Control(ctx, banksim.Control{Op: "hostile", Kind: "entities"}))
	hostile, err := filepath.Glob(filepath.Join(b.Outbox(), "*hostile*"))
	require.NoError(t, err)
	name := filepath.Join(b.Outbox(), "c\x1b[2J53.xml")
	require.NoError(t, os.Rename(hostile[0], name))
	out, err = slip(t, "bank", "import", name)
	require.Error(t, err)
	require.Contains(t, out, "QUARANTINED c [2J53.xml: ", "the name steers no terminal")
	_, err = slip(t, "bank", "import", t.TempDir())
	require.ErrorContains(t, err, "no file in the folder")
	_, err = slip(t, "bank", "import", filepath.Join(b.Outbox(), "nothing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// D-01: a statement whose balances do not add up with what is booked is counted, and fails the command.
func TestBankImportSaysWhichStatementsDoNotBalance(t *testing.T) {
	b := deskOf(t)
	ctx := context.Background()
	_, err := b.Deposit(ctx, banksim.Deposit{Currency: "EUR", Amount: "75.00", Sender: "Bob", Reference: "PX4K"})
	require.NoError(t, err)
	require.NoError(t, b.Control(ctx, banksim.Control{Op: "statement"}))
	_, err = b.Deposit(ctx, banksim.Deposit{Currency: "EUR", Amount: "1.00", Sender: "Eve"})
	require.NoError(t, err)

	statements, err := filepath.Glob(filepath.Join(b.Outbox(), "*camt.053*"))
	require.NoError(t, err)
	require.Len(t, statements, 1)

	// the bank's statement names the first credit by another reference than its advice did
	text, err := os.ReadFile(statements[0])
	require.NoError(t, err)

	text = bytes.ReplaceAll(text, []byte("BANK000000000001"), []byte("BANK999999999999"))
	text = bytes.ReplaceAll(text, []byte("PX4K"), []byte("collective booking"))
	other := filepath.Join(t.TempDir(), "statement.xml")
	require.NoError(t, os.WriteFile(other, text, 0o600))
	require.NoError(t, os.Remove(statements[0]))

	out, err := slip(t, "bank", "import", b.Outbox())
	require.NoError(t, err, out)
	out, err = slip(t, "bank", "import", other)
	require.ErrorContains(t, err, "the balances of 1 files do not add up", out)
	require.Contains(t, out, "0 quarantined, 1 unbalanced")

	out, err = slip(t, "bank", "held")
	require.NoError(t, err)
	require.Contains(t, out, "STATEMENT_UNBALANCED")
}

// D-03: a statement whose predecessor never comes is booked by the decision of two people, not of one.
func TestBankResolvesAStatementThatWaits(t *testing.T) {
	b := deskOf(t)

	ctx := context.Background()
	for range 3 {
		_, err := b.Deposit(ctx, banksim.Deposit{Currency: "EUR", Amount: "10.00", Sender: "Bob"})
		require.NoError(t, err)
		require.NoError(t, b.Control(ctx, banksim.Control{Op: "statement"}))
	}

	statements, err := filepath.Glob(filepath.Join(b.Outbox(), "*camt.053*"))
	require.NoError(t, err)
	_, err = slip(t, "bank", "import", statements[0])
	require.NoError(t, err)
	_, err = slip(t, "bank", "import", statements[2])
	require.Error(t, err)
	out, err := slip(t, "bank", "held")
	require.NoError(t, err)
	subject := regexp.MustCompile(`STATEMENT_WAITING\s+(\S+)`).FindStringSubmatch(out)[1]

	d := peopleAt(t)
	resolve := func(typed, action string) (string, error) {
		return d.at(typed, "bank", "resolve", subject, action, "--note", "the bank lost it")
	}

	_, err = resolve(d.as("ann")+d.as("ann"), "book")
	require.ErrorContains(t, err, "SECOND_PERSON_REQUIRED")
	_, err = resolve(d.as("ann")+d.as("ben"), "send-again")
	require.ErrorContains(t, err, "NOT_ALLOWED", "its choices are book and drop")
	out, err = resolve(d.as("ann")+d.as("ben"), "book")
	require.NoError(t, err, out)
	require.Contains(t, out, "is APPROVED by ben@example.org\n")

	out, err = slip(t, "bank", "held")
	require.NoError(t, err)
	require.Contains(t, out, "nothing waits")
	_, err = resolve(d.as("ann")+d.as("ben"), "book")
	require.ErrorContains(t, err, "NOT_FOUND", "it waits no more")
}

func TestBankWithoutAnything(t *testing.T) {
	deskOf(t)
	out, err := slip(t, "bank", "files")
	require.NoError(t, err)
	require.Contains(t, out, "to be executed")

	out, err = slip(t, "bank", "held")
	require.NoError(t, err)
	require.Contains(t, out, "nothing waits")

	_, err = slip(t, "bank", "show", "nothing.xml")
	require.ErrorContains(t, err, "there is no file nothing.xml")

	_, err = slip(t, "bank", "resolve", "nothing", "book")
	require.ErrorContains(t, err, "--note")
}

// A live deployment's desk needs accounts, rates and a provider of liquidity in its configuration, but no key.
func TestBankOfALiveDeployment(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "slipway.toml")

	write := func(text string) {
		require.NoError(
			t,
			os.WriteFile(
				file,
				[]byte(
					"mode = \"live\"\ndata_dir = \""+dir+"\"\n[database]\nurl = \"sqlite:"+filepath.Join(
						dir,
						"live.db",
					)+"\"\n[security]\nkeyring = \"k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"\n"+text,
				),
				0o600,
			),
		)
	}

	write("")
	_, err := slip(t, "--config", file, "bank", "files")
	require.ErrorContains(t, err, "no accounts at banks")

	write(
		"[liquidity]\nprovider = \"http\"\nurl = \"https://market.example\"\nkey_id = \"k\"\nsecret = \"0123456789abcdef0123456789abcdef\"\n" +
			"[[house_account]]\nid = \"eur\"\ncurrency = \"EUR\"\ncountry = \"DE\"\niban = " +
			"\"DE91100000000123456789\"\nbic = \"SLWYDEF0XXX\"\nholder = \"Muster AG\"\nrails = [\"SEPA\"]\n",
	)

	out, err := slip(t, "--config", file, "bank", "files")
	require.NoError(t, err)
	require.Contains(t, out, "to be executed")
}

// A name with signs that steer a terminal is shown without them, in its row.
func TestColumnsArePlain(t *testing.T) {
	var out strings.Builder
	require.NoError(t, columns(&out, "name\tamount", [][]string{{"Bob\x1b[2J\u202e\tand\nSons", "1"}}))
	require.Equal(t, "name               amount\nBob [2J  and Sons  1\n", out.String())
}

func TestProgressBar(t *testing.T) {
	b := &bar{label: "1 of 1 a.xml", size: 200}

	require.Equal(
		t,
		"1 of 1 a.xml                             [███████████████···············] 12 entries",
		b.line(100, 12),
	)

	require.Contains(t, b.line(400, 12), strings.Repeat("█", barWidth)+"]", "it is read twice; the bar stays full")
	require.Contains(t, (&bar{}).line(0, 0), "0 entries")
}
