package setup

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/qrscan"
)

// State is how a part of a deployment is.
type State string

// The states of a Finding.
const (
	Fine  State = "ok"
	Watch State = "warn" // it works, and will not for ever
	Wrong State = "fail"
)

// Finding is what was found about one part of a deployment, in words.
type Finding struct {
	Part  string `json:"part"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what mends it
}

const (
	commitTimeout  = 5 * time.Second
	leastDisk      = 1 << 30 // bytes that must be free in the data folder
	littleDisk     = 5 << 30 // below this it is told
	listsOld       = 7 * 24 * time.Hour
	certificateEnd = 14 * 24 * time.Hour
	clockOff       = 2 * time.Second // leases of processes are told apart by less
	wantedFiles    = 20_000
	readWriteEnter = 4 | 2 | 1 // of access(2)
)

// Examine looks at everything that a deployment stands on, by the ways that the service goes, and leaves nothing
// behind. schema are the migrations. A part that cannot be looked at is found to be wrong; the others are looked at all
// the same.
func Examine(ctx context.Context, c *config.Config, schema fs.FS) []Finding {
	d := newDoctor(c)
	d.settings()
	d.proxies()
	d.machine()
	d.memory(observe.FindMemoryLimit())
	d.witness()
	d.backups()
	d.buckets(ctx)
	d.database(ctx, schema)
	d.keys(ctx)
	d.networks(ctx)
	d.rates(ctx)
	d.providers(ctx)
	d.signOn(ctx)
	d.mail(ctx)
	d.bank(ctx)
	d.lists()
	d.certificate(ctx)

	return d.found
}

// doctor collects findings.
type doctor struct {
	config *config.Config
	clock  *clock.Clock
	roots  *x509.CertPool // who vouches for certificates; nil: this machine's
	found  []Finding
	signer common.Address // who signs on chains; zero if it is not known

	placed map[string][]network.Token // the tokens of each network, as far as the database tells
}

func newDoctor(c *config.Config) *doctor {
	return &doctor{config: c, clock: clock.New(), placed: map[string][]network.Token{}}
}

func (d *doctor) say(part string, s State, found, do string) {
	if s == Fine {
		do = ""
	}

	d.found = append(d.found, Finding{Part: part, State: s, Found: found, Do: do})
}

// check says what a check has found: its words, or its error with what mends it.
func (d *doctor) check(part, found string, err error, do string) {
	if err != nil {
		d.say(part, Wrong, err.Error(), do)
		return
	}

	d.say(part, Fine, found, "")
}

// settings says what would keep serve from starting.
func (d *doctor) settings() {
	reasons := config.CheckLive(d.config)
	if !d.config.Mode.RealMoney() {
		reasons = config.CheckTest(d.config)
	}

	for _, r := range reasons {
		d.say("settings", Wrong, r, "correct the configuration; slipway init asks for what is missing")
	}

	if len(reasons) == 0 {
		d.say("settings", Fine, "complete for mode "+string(d.config.Mode), "")
	}
}

// witness says where the witness lies with the database.
func (d *doctor) witness() {
	if d.config.WitnessBeside() {
		d.say(
			"witness",
			Watch,
			"it lies with the database, in "+d.config.WitnessFolder()+": both are lost and put back together",
			"set witness.folder to another disk or server, or witness.store to s3, and move what is there",
		)

		return
	}

	d.say("witness", Fine, "it lies apart from the database", "")
}

// machine looks at the disk and at the limit of open files.
func (d *doctor) machine() {
	var disk syscall.Statfs_t

	switch err := syscall.Statfs(d.config.DataDir, &disk); {
	case err != nil:
		d.say(
			"disk",
			Wrong,
			fmt.Sprintf("data_dir %s: %v", d.config.DataDir, err),
			"make the folder, or correct data_dir",
		)
	default:
		free := disk.Bavail * uint64(disk.Bsize)
		d.say(
			"disk",
			room(free),
			fmt.Sprintf("%.1f GB are free in %s", float64(free)/1e9, d.config.DataDir),
			"make room",
		)
	}

	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		d.say("open files", Watch, err.Error(), "look at the limit of open files")
		return
	}

	d.say("open files", handles(files.Max), fmt.Sprintf("at most %d", files.Max),
		fmt.Sprintf("start the service with %d or more (LimitNOFILE= of systemd, ulimit -n)", wantedFiles))
}

// memory looks at whether the documents that are read at once find room in the limit of memory. The limit is this
// command's: doctor runs where the service does.
func (d *doctor) memory(limit observe.MemoryLimit) {
	q := d.config.QRBills
	room := qrscan.RoomFor(q.AtOnce, q.Memory(limit.Bytes))
	needed := int64(qrscan.MostMemory + (q.AtOnce-1)*qrscan.LightMemory)

	found := "no limit"
	if limit.Bytes > 0 {
		found = fmt.Sprintf("at most %d MB (%s)", limit.Bytes>>20, limit.From)
	}

	found += fmt.Sprintf("; %d of %d documents are read at once, in %d MB at most each", room.AtOnce, q.AtOnce,
		room.Most()>>20)

	state := Fine
	do := fmt.Sprintf("give the process %d MB, or lower qr_bills.at_once", 2*needed>>20)

	switch {
	case limit.Bytes > 0 && q.Memory(limit.Bytes) > limit.Bytes*3/4:
		state = Wrong
		do = "lower qr_bills.memory_mb: the rest of the service needs a quarter of the limit or more"
	case room.AtOnce < q.AtOnce || room.Most() < qrscan.MostMemory:
		state = Watch

		if q.MemoryMB > 0 {
			do = fmt.Sprintf("set qr_bills.memory_mb to %d, or lower qr_bills.at_once", needed>>20)
		}
	}

	d.say("memory", state, found, do)
}

// room says how many free bytes are enough.
func room(free uint64) State {
	switch {
	case free < leastDisk:
		return Wrong
	case free < littleDisk:
		return Watch
	}

	return Fine
}

// handles says whether so many open files are enough.
func handles(files uint64) State {
	if files < wantedFiles {
		return Watch
	}

	return Fine
}

// open opens the database; nil if it cannot be looked at, which is then said. An SQLite file that is missing is not
// made.
func (d *doctor) open(ctx context.Context) *db.DB {
	url := d.config.DatabaseURL()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		path, _, _ = strings.Cut(path, "?")
		if !exists(path) {
			d.say("database", Wrong, "there is no file "+path, "slipway migrate makes it")
			return nil
		}
	}

	keys, _ := d.config.SealingKeys() // none: settings says why

	open, err := db.Open(ctx, db.Config{URL: url, Readers: 1, Writers: 1, Keys: keys})
	if err != nil {
		d.say("database", Wrong, err.Error(), "look whether the server runs and takes writes, and at database.url")
		return nil
	}

	return open
}

// database looks at durability, sealed records, schema and clock.
func (d *doctor) database(ctx context.Context, schema fs.FS) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	open := d.open(ctx)
	if open == nil {
		return
	}

	defer func() { _ = open.Close() }() // nothing was written

	d.say("database", Fine, open.Dialect().String()+" answers", "")
	d.check("durability", "a committed payment survives a crash", open.CheckDurability(ctx), "switch it on")
	d.check("sealed records", "the keyring opens them", open.CheckKeys(ctx), "put the key back into security.keyring")

	switch u, err := open.Upgrade(ctx, schema); {
	case err != nil:
		d.say("schema", Wrong, err.Error(), "look at the rights of the database's role")
	case len(u.Unknown) > 0:
		d.newer(u)
	case len(u.Missing) > 0 || len(u.Late) > 0:
		d.say("schema", Wrong, fmt.Sprintf("%d migrations wait", len(u.Missing)+len(u.Late)),
			"slipway upgrade --check, back up, then slipway migrate")
	default:
		d.say("schema", Fine, "is current", "")
	}

	d.collation(ctx, open)
	d.commits(ctx, open)
	d.waitingMails(ctx, open)
	d.tokens(ctx, open)

	off := open.ServerNow().Sub(d.clock.Now()).Round(time.Millisecond)
	state := Fine

	if off.Abs() > clockOff {
		state = Watch
	}

	d.say("clock", state, fmt.Sprintf("the database's is %s ahead of this machine's", off), "set both by NTP")
}

// collation looks whether PostgreSQL sorts text by the rules by which the database was made.
func (d *doctor) collation(ctx context.Context, open *db.DB) {
	c, err := open.Collation(ctx)

	switch {
	case err != nil:
		d.say("collation", Watch, err.Error(), "look at the rights of the database's role")
	case c.Changed():
		d.say("collation", Watch, fmt.Sprintf("PostgreSQL sorts text by version %s, and the database was made under %s",
			c.Now, c.Built), "REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION")
	default:
		d.say("collation", Fine, "keys sort by bytes, and no rules of sorting have changed", "")
	}
}

// commits looks whether the database takes a commit and confirms it. It leaves nothing behind. A database whose schema
// is older has no place for it, which schema has said.
func (d *doctor) commits(ctx context.Context, open *db.DB) {
	if d.said("schema") != Fine {
		return
	}

	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()

	d.check("commits", "are confirmed", open.Confirm(ctx),
		"look whether the disk is full, whether this user may write to the file, or whether PostgreSQL waits for its "+
			"standby (synchronous_standby_names)")
}

// waitingMails looks whether mails wait because the mail server refuses this deployment. A database whose schema is
// older does not tell.
func (d *doctor) waitingMails(ctx context.Context, open *db.DB) {
	if d.said("schema") != Fine {
		return
	}

	const (
		part = "mails"
		do   = "correct [mail], or what the server knows of this deployment: what waits then leaves by itself"
	)

	n, answer, err := mail.SetUpRefusals(ctx, open)

	switch {
	case err != nil:
		d.say(part, Wrong, err.Error(), "look at the rights of the database's role")
	case n > 0:
		d.say(part, Wrong, fmt.Sprintf("%d wait: %s", n, answer), do)
	default:
		d.say(part, Fine, "none is refused for the set-up", "")
	}
}

// said returns what was found about a part.
func (d *doctor) said(part string) State {
	for _, f := range d.found {
		if f.Part == part {
			return f.State
		}
	}

	return ""
}

func (d *doctor) mail(ctx context.Context) {
	if d.config.Mail.Host == "" {
		d.say("mail", Watch, "nothing is sent", "set mail.host")
		return
	}

	said, err := mailServer(ctx, d.config)
	d.check("mail", said, err, "look at the server, and at [mail]")
}

// bank looks whether the way to the bank is there.
func (d *doctor) bank(ctx context.Context) {
	b := d.config.Bank

	switch b.Channel {
	case "folder":
		for _, dir := range []string{b.ToBank, b.FromBank} {
			info, err := os.Stat(dir)
			if err == nil && !info.IsDir() {
				err = errors.New(dir + " is no folder")
			}

			if err == nil && syscall.Access(dir, readWriteEnter) != nil {
				err = errors.New(dir + " cannot be read and written by this user")
			}

			d.check("bank folder "+dir, "can be read and written", err,
				"make the folder, give it to the service's user, or correct [bank]")
		}

	case "sftp":
		dialer := net.Dialer{Timeout: checkTimeout}

		conn, err := dialer.DialContext(ctx, "tcp", b.SFTP.Address)
		if err == nil {
			err = conn.Close()
		}

		d.check("bank", b.SFTP.Address+" answers", err, "look at the bank's server, and at [bank.sftp]")

	case "ebics":
		d.ebics(ctx)
	}
}

// lists looks at the age of the sanctions lists.
func (d *doctor) lists() {
	for _, path := range d.config.Screening.ListFiles {
		part := "list " + filepath.Base(path)

		info, err := os.Stat(path)
		if err != nil {
			d.say(part, Wrong, err.Error(), "fetch the list, or correct screening.list_files")
			continue
		}

		age := d.clock.Now().Sub(info.ModTime())
		state := Fine

		if age > listsOld {
			state = Watch
		}

		d.say(part, state, fmt.Sprintf("%d days old", int(age.Hours()/24)), "fetch it anew, every day")
	}
}

// certificate looks at the one that clients see.
func (d *doctor) certificate(ctx context.Context) {
	base, err := url.Parse(d.config.HTTP.BaseURL)
	if err != nil || base.Scheme != "https" {
		return // settings says what there is to say
	}

	host := base.Host
	if base.Port() == "" {
		host = net.JoinHostPort(base.Hostname(), "443")
	}

	dialer := tls.Dialer{
		NetDialer: &net.Dialer{Timeout: checkTimeout},
		Config:    &tls.Config{RootCAs: d.roots, Time: d.clock.Now, MinVersion: tls.VersionTLS12},
	}

	conn, err := dialer.DialContext(ctx, "tcp", host)

	var refused *tls.CertificateVerificationError

	switch {
	case errors.As(err, &refused):
		d.say("certificate", Wrong, refused.Error(), "renew it, with the names in http.base_url and all of its chain")
		return
	case err != nil:
		d.say("certificate", Watch, err.Error(), "look whether "+d.config.HTTP.BaseURL+" can be reached from outside")
		return
	}

	defer func() { _ = conn.Close() }()

	left := conn.(*tls.Conn).ConnectionState().PeerCertificates[0].NotAfter.Sub(d.clock.Now())
	state := Fine

	if left < certificateEnd {
		state = Watch
	}

	d.say("certificate", state, fmt.Sprintf("%s: %d more days", host, int(left.Hours()/24)), "renew it")
}
