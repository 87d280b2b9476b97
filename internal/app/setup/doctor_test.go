package setup

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/secret"
	"slipway/internal/schema"
	"slipway/internal/standards/ecb"
)

// examined returns what was found, by part.
func examined(t *testing.T, path string) map[string]Finding {
	t.Helper()

	c, err := config.Load(config.Source{File: path})
	require.NoError(t, err)

	out := map[string]Finding{}
	for _, f := range Examine(t.Context(), c, schema.Files()) {
		out[f.Part] = f
		require.Equal(t, f.State == Fine, f.Do == "", "%+v", f)
	}

	return out
}

// snapshot returns every file of a folder with its content and time.
func snapshot(t *testing.T, dir string) string {
	t.Helper()

	var b strings.Builder

	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}

		info, err := e.Info()
		fmt.Fprintln(&b, path, info.Size(), info.ModTime())

		return err
	}))

	return b.String()
}

// A deployment that was just set up lacks its tables, and nothing once they are there. Looking changes nothing.
func TestDoctorOfASoundDeployment(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	_, err := run(t, dir, Answers{}, "")
	require.NoError(t, err)

	before := snapshot(t, dir)
	require.Equal(t, Wrong, examined(t, path)["database"].State)
	require.Contains(t, examined(t, path)["database"].Do, "slipway migrate")
	require.Equal(t, Watch, examined(t, path)["witness"].State, "it lies with the database")
	require.Equal(t, before, snapshot(t, dir))

	c, err := config.Load(config.Source{File: path})
	require.NoError(t, err)
	d, err := db.Open(context.Background(), db.Config{URL: c.DatabaseURL()})
	require.NoError(t, err)
	_, err = d.Migrate(context.Background(), schema.Files())
	require.NoError(t, err)
	require.NoError(t, d.Close())

	for part, f := range examined(t, path) {
		require.NotEqual(t, Wrong, f.State, "%s: %s", part, f.Found)
	}

	require.Equal(t, Fine, examined(t, path)["schema"].State)
	require.Equal(t, Fine, examined(t, path)["mails"].State)
}

// Mails that wait because the mail server refuses the deployment are told with what it answered.
func TestDoctorTellsOfMailsThatWait(t *testing.T) {
	d, open := doctorOf(t), dbtest.SQLite(t)
	d.say("schema", Fine, "", "")

	require.NoError(t, open.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO mails (id, kind, recipient, payload, state, created_at, problem, last_error)
			VALUES ('mail_1', 'reset', 'a@b.example', '', 'QUEUED', 1, 'SET_UP_REFUSED', '554 relay access denied')`)

		return err
	}))
	d.waitingMails(t.Context(), open)
	require.Equal(t, Wrong, part(t, d, "mails").State)
	require.Equal(t, "1 wait: 554 relay access denied", part(t, d, "mails").Found)
}

// A sandbox without a keyring of its own is sound: it seals with a public key.
func TestDoctorOfASandboxWithoutAKeyring(t *testing.T) {
	d := doctorOf(t)
	d.config.Mode = config.Sandbox
	d.config.Security.Keyring = ""
	d.sealingKeys()
	require.Equal(t, Watch, part(t, d, "sealing keys").State)

	d = doctorOf(t)
	d.config.Mode = config.Test
	d.config.Security.Keyring = ""
	d.sealingKeys()
	require.Equal(t, Wrong, part(t, d, "sealing keys").State)
}

// Every part that is wrong is named, and what mends it; one that cannot be looked at hides no other.
func TestDoctorNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	require.NoError(t, os.WriteFile(list, []byte("name: Nobody\n"), 0o600))

	long := time.Now().Add(-8 * 24 * time.Hour)
	require.NoError(t, os.Chtimes(list, long, long))

	path := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `mode = "test"
data_dir = %q

[chain.signer]
kind = "keystore"
keystore_file = %q
password = "a long enough password"

[mail]
host = "127.0.0.1"
port = 1
security = "none"
from = "no-reply@example.org"

[screening]
list_files = [%q, %q]

[bank]
channel = "folder"
to_bank = %q
from_bank = %q

[[house_account]]
id = "eur"
currency = "EUR"
country = "DE"
iban = "DE89370400440532013000"
bic = "COBADEFFXXX"
holder = "Example GmbH"
rails = ["SEPA"]

[[network]]
id = "seven"
chain_id = 77001
rpc_urls = ["http://127.0.0.1:1"]
treasury = "0x31F1b7C22BF70250D4e29de6549D1b351dB82660"
`, filepath.Join(dir, "nowhere"), filepath.Join(dir, "missing.json"), list, filepath.Join(dir, "gone.txt"),
		filepath.Join(dir, "out"), list), 0o600))

	found := examined(t, path)
	for part, state := range map[string]State{
		"settings":              Wrong,
		"disk":                  Wrong,
		"database":              Wrong,
		"signing key":           Wrong,
		"network seven, node 1": Wrong,
		"network seven":         Watch,
		"mail":                  Wrong,
		"list list.txt":         Watch,
		"list gone.txt":         Wrong,
	} {
		require.Equal(t, state, found[part].State, "%s: %+v", part, found[part])
	}

	for _, dir := range []string{filepath.Join(dir, "out"), list} {
		require.Equal(t, Wrong, found["bank folder "+dir].State, "%s", dir)
	}

	require.NotContains(t, found, "network seven, router", "no node answers")
	require.Contains(t, found["list list.txt"].Found, "8 days")
	require.NoDirExists(t, filepath.Join(dir, "out"))
}

// part returns what a doctor has found about one part.
func part(t *testing.T, d *doctor, name string) Finding {
	t.Helper()

	i := slices.IndexFunc(d.found, func(f Finding) bool { return f.Part == name })
	require.GreaterOrEqual(t, i, 0, "nothing is said of %s: %+v", name, d.found)

	return d.found[i]
}

// doctorOf returns a doctor of a deployment with settings as in the environment.
func doctorOf(t *testing.T, environ ...string) *doctor {
	t.Helper()

	c, err := config.Load(config.Source{Environ: environ})
	require.NoError(t, err)

	return newDoctor(c)
}

// Little room and few files are told before they are used up; on a full disk nothing can be recorded.
func TestDoctorLooksAtTheMachine(t *testing.T) {
	require.Equal(t, Wrong, room(leastDisk-1))
	require.Equal(t, Watch, room(leastDisk))
	require.Equal(t, Watch, room(littleDisk-1))
	require.Equal(t, Fine, room(littleDisk))
	require.Equal(t, Watch, handles(wantedFiles-1))
	require.Equal(t, Fine, handles(wantedFiles))

	d := doctorOf(t, "SLIPWAY_DATA_DIR="+t.TempDir())
	d.machine()
	require.Contains(t, part(t, d, "disk").Found, "GB are free")
	require.Contains(t, part(t, d, "open files").Found, "at most")
}

// Too little memory for the documents that are read at once is told, with what they need.
func TestDoctorLooksAtTheMemory(t *testing.T) {
	const gb = 1 << 30

	for name, c := range map[string]struct {
		limit   int64
		environ []string
		state   State
		found   string
		do      string
	}{
		"no limit":     {0, nil, Fine, "no limit; 2 of 2 documents are read at once, in 320 MB at most each", ""},
		"as shipped":   {gb, nil, Fine, "at most 1024 MB (cgroup); 2 of 2", ""},
		"half of it":   {gb / 2, nil, Watch, "2 of 2 documents are read at once, in 128 MB", "give the process 896 MB"},
		"more at once": {gb, []string{"SLIPWAY_QR_BILLS__AT_ONCE=8"}, Watch, "2 of 8", "give the process 2432 MB"},
		"little set":   {gb, []string{"SLIPWAY_QR_BILLS__MEMORY_MB=300"}, Watch, "2 of 2", "memory_mb to 448"},
		"much set":     {gb, []string{"SLIPWAY_QR_BILLS__MEMORY_MB=900"}, Wrong, "2 of 2", "lower qr_bills.memory_mb"},
	} {
		t.Run(name, func(t *testing.T) {
			d := doctorOf(t, c.environ...)
			d.memory(observe.MemoryLimit{Bytes: c.limit, From: "cgroup"})

			f := part(t, d, "memory")
			require.Equal(t, c.state, f.State, "%+v", f)
			require.Contains(t, f.Found, c.found)
			require.Contains(t, f.Do, c.do)
		})
	}
}

// A database is looked at without making anything in it: whether it is durable, whether its schema is this program's,
// and whether its clock is the machine's.
func TestDoctorLooksAtTheDatabase(t *testing.T) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + dbtest.SQLiteFile(t) },
		"postgres": func(t *testing.T) string { return dbtest.PostgresURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			at := url(t)

			d := doctorOf(t, "SLIPWAY_DATABASE__URL="+at)
			d.database(t.Context(), schema.Files())

			for _, p := range []string{"database", "schema", "clock"} {
				require.Equal(t, Fine, part(t, d, p).State, "%+v", d.found)
			}

			if name == "sqlite" { // a server for tests is not durable
				require.Equal(t, Fine, part(t, d, "durability").State)
			}

			d = doctorOf(t, "SLIPWAY_DATABASE__URL="+at)
			d.clock.Jump(-clockOff - time.Second)
			d.database(t.Context(), with(t, map[string]string{"9001_more.sql": "-- +goose Up\nSELECT 1;\n"}))
			require.Equal(t, Watch, part(t, d, "clock").State)
			require.Regexp(t, `is (2\.9\d*|3(\.\d+)?)s ahead`, part(t, d, "clock").Found)
			require.Equal(t, Wrong, part(t, d, "schema").State)
			require.Contains(t, part(t, d, "schema").Found, "1 migrations wait")

			if name == "postgres" {
				d = doctorOf(t, "SLIPWAY_DATABASE__URL="+at+"&options=-c%20synchronous_commit%3Doff")
				d.database(t.Context(), schema.Files())
				require.Equal(t, Wrong, part(t, d, "durability").State)
				require.Contains(t, part(t, d, "durability").Found, "which can lose a committed payment")
			}
		})
	}
}

// Doctor does in each bucket that the settings name what the service does there, so that a key which lacks one right is
// found before the service needs it. Only the witness lists.
func TestDoctorAsksEachBucketForAllThatIsNeeded(t *testing.T) {
	for refused, wrong := range map[string][]string{
		"nothing":         {},
		http.MethodPut:    {"witness, bucket", "documents, bucket"},
		http.MethodGet:    {"witness, bucket", "documents, bucket"},
		http.MethodDelete: {"witness, bucket", "documents, bucket"},
		"list":            {"witness, bucket"},
	} {
		server := httptest.NewServer(bucketWithout(refused))

		d := doctorOf(t)
		at := config.Bucket{Endpoint: server.URL, Region: "eu-test-1", Bucket: "records", PathStyle: true}
		d.config.Witness.Store = "s3"
		d.config.Witness.S3 = at
		d.config.Documents.Store = "s3"
		d.config.Documents.S3 = at
		d.buckets(t.Context())
		server.Close()

		found := []string{}

		for _, f := range d.found {
			if f.State == Wrong {
				found = append(found, f.Part)
				require.Contains(t, f.Found, "AccessDenied", refused)
			}
		}

		require.Len(t, d.found, 2, refused)
		require.Equal(t, wrong, found, refused)
	}
}

// bucketWithout answers as a bucket whose key may do all but one thing. Each object holds its own name, as those of a
// check do.
func bucketWithout(refused string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := r.Method
		if r.URL.Query().Has("list-type") {
			asked = "list"
		}

		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))

		switch asked {
		case refused:
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprint(w, "<Error><Code>AccessDenied</Code><Message>AccessDenied</Message></Error>")
		case http.MethodGet:
			_, _ = fmt.Fprint(w, filepath.Base(r.URL.Path))
		case http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		case "list":
			_, _ = fmt.Fprint(w, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
		}
	})
}

// What another keyring has sealed is told before a start is refused for it.
func TestDoctorLooksAtWhatIsSealed(t *testing.T) {
	at := "sqlite:" + dbtest.SQLiteFile(t)
	other, err := secret.ParseKeyring(secret.NewKey("k0"))
	require.NoError(t, err)
	open, err := db.Open(t.Context(), db.Config{URL: at, Keys: other})
	require.NoError(t, err)

	d := doctorOf(t, "SLIPWAY_DATABASE__URL="+at)
	d.database(t.Context(), schema.Files())
	require.Equal(t, Fine, part(t, d, "sealed records").State, "nothing is sealed yet")

	require.NoError(t, open.UseKeys(t.Context()))
	require.NoError(t, open.Close())

	d = doctorOf(t, "SLIPWAY_DATABASE__URL="+at)
	d.database(t.Context(), schema.Files())
	require.Equal(t, Wrong, part(t, d, "sealed records").State)
	require.Contains(t, part(t, d, "sealed records").Found, "the key k0 is missing")
}

// Keys are opened as the service opens them. Of a process that holds one it is asked only whether it is there.
func TestDoctorLooksAtEveryKey(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "signer")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)

	const address = "0x52908400098527886E0F7030069857D2E4169EE7"

	d := doctorOf(t)
	d.config.Security.Keyring = "not a keyring"
	d.config.Chain.Signer = config.Signer{Kind: "remote", RemoteURL: socket, Address: address}
	d.config.FurtherSigners = []config.FurtherSigner{{
		ID:           "second",
		Kind:         "keystore",
		KeystoreFile: filepath.Join(t.TempDir(), "gone.json"),
	}}
	d.keys(t.Context())
	require.Equal(t, Wrong, part(t, d, "sealing keys").State)
	require.Equal(t, Fine, part(t, d, "signing key").State)
	require.Equal(t, Wrong, part(t, d, "signing key second").State)
	require.Equal(t, address, d.signer.Hex())

	require.NoError(t, listener.Close())

	gone := doctorOf(t)
	gone.config.Chain.Signer = d.config.Chain.Signer
	gone.keys(t.Context())
	require.Equal(t, Wrong, part(t, gone, "signing key").State)
	require.Contains(t, part(t, gone, "signing key").Do, "signer run")

	for _, closed := range []string{"http://127.0.0.1:1/", "unix://" + socket} {
		require.Error(t, reachable(t.Context(), closed), closed)
	}
}

// Folders of the bank have to be the service's own to read and write; a server of the bank has to answer.
func TestDoctorLooksAtTheWayToTheBank(t *testing.T) {
	ours, locked := t.TempDir(), t.TempDir()
	require.NoError(t, os.Chmod(locked, 0o500))

	d := doctorOf(t)
	d.config.Bank.Channel = "folder"
	d.config.Bank.ToBank = ours
	d.config.Bank.FromBank = locked
	d.bank(t.Context())
	require.Equal(t, Fine, part(t, d, "bank folder "+ours).State)

	if os.Getuid() != 0 { // root may write everywhere
		require.Equal(t, Wrong, part(t, d, "bank folder "+locked).State)
	}

	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	d = doctorOf(t)
	d.config.Bank.Channel = "sftp"
	d.config.Bank.SFTP.Address = server.Addr().String()
	d.bank(t.Context())
	require.Equal(t, Fine, part(t, d, "bank").State)

	require.NoError(t, server.Close())

	d.found = nil
	d.bank(t.Context())
	require.Equal(t, Wrong, part(t, d, "bank").State)
}

// The certificate that clients see is told before it ends. One that clients refuse is wrong; an address that cannot be
// reached from this machine may be fine for clients.
func TestDoctorLooksAtTheCertificate(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()

	ends := server.Certificate().NotAfter
	look := func(left time.Duration, known bool) Finding {
		d := doctorOf(t)
		d.config.HTTP.BaseURL = server.URL
		d.clock.Jump(time.Until(ends) - left)
		d.roots = x509.NewCertPool()

		if known {
			d.roots.AddCert(server.Certificate())
		}

		d.certificate(t.Context())

		return part(t, d, "certificate")
	}

	require.Equal(t, Fine, look(certificateEnd+time.Hour, true).State)
	require.Equal(t, Watch, look(certificateEnd-time.Hour, true).State)
	require.Contains(t, look(certificateEnd-time.Hour, true).Found, "13 more days")
	require.Equal(t, Wrong, look(-time.Hour, true).State)
	require.Equal(t, Wrong, look(certificateEnd+time.Hour, false).State, "nobody vouches for it")

	server.Close()
	require.Equal(t, Watch, look(certificateEnd+time.Hour, true).State)
}

// A node that stands, or whose blocks are from the future by this machine's clock, is told.
func TestDoctorTellsTheTimeByBlocks(t *testing.T) {
	for age, want := range map[time.Duration]string{
		oldBlock + time.Second:  "is 10m1s old",
		time.Second:             "at block 7, 1s old",
		-newBlock:               "at block 7, 0s old",
		-newBlock - time.Second: "is 16s ahead of this machine's clock",
	} {
		require.Contains(t, nodeState{chain: 1, block: 7, age: age}.String(), want)
	}
}

// Each source of exchange rates is asked, where the market is.
func TestDoctorAsksTheSourcesOfRates(t *testing.T) {
	day := ecb.Latest(time.Now()).Format(time.DateOnly)
	bank := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" `+
			`xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time="%s">`+
			`<Cube currency="USD" rate="1.0850"/></Cube></Cube></gesmes:Envelope>`, day)
	}))
	t.Cleanup(bank.Close)

	d := doctorOf(t)
	d.config.Rates.Source = "market"
	d.config.Rates.ECBURL = bank.URL
	d.config.Rates.ECBMissed = 1
	d.config.Rates.MaxDeviationPercent = "2"
	d.config.Rates.Feeds = []string{"USDC/USD dead 0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6 24h"}
	d.config.Networks = []config.Network{{ID: "dead", ChainID: 1, RPCURLs: []secret.Text{"http://127.0.0.1:1"}}}
	d.rates(t.Context())
	require.Equal(t, Fine, part(t, d, "rates, ECB").State, part(t, d, "rates, ECB").Found)
	require.Contains(t, part(t, d, "rates, ECB").Found, "old")
	require.Equal(t, Wrong, part(t, d, "rates, USDC/USD net_dead").State)
	require.Contains(t, part(t, d, "rates, USDC/USD net_dead").Found, "node at 127.0.0.1:1: no answer")

	bank.Close()

	d = doctorOf(t)
	d.config.Rates.Source = "market"
	d.config.Rates.ECBURL = bank.URL
	d.config.Rates.MaxDeviationPercent = "2"
	d.rates(t.Context())
	require.Equal(t, Wrong, part(t, d, "rates, ECB").State)

	d = doctorOf(t)
	d.rates(t.Context())
	require.Empty(t, d.found, "nobody is asked where there is a simulator")
}

// B-12, B-13, B-15: a database whose rules of sorting have changed, one that confirms no commit or takes none, and one
// that cannot hold every letter are told of with what mends them; a server that is sound says so.
func TestDoctorLooksAtSortingAndCommits(t *testing.T) {
	server := dbtest.OwnServer(t)
	server.Do("CREATE DATABASE old TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de'")

	address := server.Database("old")
	open, err := db.Open(t.Context(), db.Config{URL: address})
	require.NoError(t, err)
	_, err = open.Migrate(t.Context(), schema.Files())
	require.NoError(t, err)
	require.NoError(t, open.Close())

	look := func() map[string]Finding {
		c := &config.Config{DataDir: t.TempDir()}
		c.Database.URL = secret.Text(address)

		d := newDoctor(c)
		d.database(t.Context(), schema.Files())

		out := map[string]Finding{}
		for _, f := range d.found {
			out[f.Part] = f
		}

		return out
	}

	found := look()
	require.Equal(t, Fine, found["collation"].State, found["collation"].Found)
	require.Equal(t, Fine, found["commits"].State, found["commits"].Found)

	server.Do("UPDATE pg_database SET datcollversion = '1.2.3' WHERE datname = 'old'")
	server.LoseStandby()

	found = look()
	require.Equal(t, Watch, found["collation"].State)
	require.Contains(t, found["collation"].Found, "1.2.3")
	require.Contains(t, found["collation"].Do, "REINDEX")
	require.Equal(t, Wrong, found["commits"].State)
	require.Contains(t, found["commits"].Do, "synchronous_standby_names")

	server.FindStandby()
	server.Do("ALTER ROLE postgres SET default_transaction_read_only = on")

	found = look()
	require.Equal(t, Wrong, found["database"].State, "a managed server whose disk is nearly full")
	require.Contains(t, found["database"].Found, "read only")

	server.Do("SET default_transaction_read_only = off", "ALTER ROLE postgres RESET default_transaction_read_only",
		"CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")

	address = server.Database("latin")
	found = look()
	require.Equal(t, Wrong, found["database"].State)
	require.Contains(t, found["database"].Found, "encoding LATIN1")
}
