package db

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// setting is what a connection sets for itself. It is set by a statement and not while connecting: a pooler in between
// refuses what it does not know, or drops it without a word.
type setting struct{ name, value string }

// everySetting holds for all connections.
var everySetting = []setting{
	// A statement is planned once, not each time for its values: planning the read of a transaction takes three times
	// as long as reading it.
	{"plan_cache_mode", "force_generic_plan"},
	// Such a plan may be made while a table is small, or not analysed yet, and is kept while it grows to millions of
	// rows: what an index can answer must not be planned as a scan of the table. A scan that is left counts as costly
	// then, and must not be compiled for that.
	{"enable_seqscan", "off"},
	{"jit", "off"},
	// Without it a role's own client_encoding would decide how the bytes of a text are understood.
	{"client_encoding", utf8},
}

// utf8 is the encoding of every text of ours.
const utf8 = "UTF8"

// checkEncoding refuses a database that keeps text in another encoding. In LATIN1 it has no place for most names; in
// SQL_ASCII it keeps bytes without knowing what they mean, and a dump of it is put back as other names.
func checkEncoding(c *pgx.Conn) error {
	if is := c.PgConn().ParameterStatus("server_encoding"); is != utf8 {
		return fmt.Errorf("the database keeps text in the encoding %s, in which names are lost: make one by CREATE "+
			"DATABASE … TEMPLATE template0 ENCODING 'UTF8', and put the data there", is)
	}

	return nil
}

// writerSettings holds for connections that write.
func writerSettings() []setting {
	return []setting{
		{"idle_in_transaction_session_timeout", pausedLimit.String()},
		{"client_min_messages", "warning"}, // line.notice reads them
	}
}

// settingsQuery returns the statement that sets them, or the one that reads them.
func settingsQuery(all []setting, set bool) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = fmt.Sprintf("current_setting('%s')", s.name)
		if set {
			parts[i] = fmt.Sprintf("set_config('%s', '%s', false)", s.name, s.value)
		}
	}

	return "SELECT " + strings.Join(parts, ", ")
}

// apply returns a function that sets them on a new connection, to a database in UTF-8.
func apply(all []setting) func(ctx context.Context, c *pgx.Conn) error {
	query := settingsQuery(all, true)

	return func(ctx context.Context, c *pgx.Conn) error {
		if err := checkEncoding(c); err != nil {
			return err
		}

		_, err := simple(ctx, c, query)

		return err
	}
}

// simple sends a text without preparing it and returns the values of its only row. A pooler may give each statement
// another server, which knows nothing of what was prepared.
func simple(ctx context.Context, c *pgx.Conn, query string) ([]string, error) {
	results, err := c.PgConn().Exec(ctx, query).ReadAll()
	if err != nil {
		return nil, err
	}

	if len(results) != 1 || len(results[0].Rows) != 1 {
		return nil, errors.New("the server answers with another number of rows than one")
	}

	out := make([]string, len(results[0].Rows[0]))
	for i, v := range results[0].Rows[0] {
		out[i] = string(v)
	}

	return out, nil
}

// codeReadOnly is the code with which a server refuses to write: it is a standby, or was told to take no writes.
const codeReadOnly = "25006"

// closesAfter reports by false that a connection is of no use any more: the server has ended it, or takes no writes
// there.
func closesAfter(_ *pgconn.PgConn, e *pgconn.PgError) bool {
	return e.Code != codeReadOnly && !strings.EqualFold(e.Severity, "FATAL")
}

// hostsRefused returns why an address must not be used; nil if it may. Of several hosts only one takes writes, and the
// driver would stay with whichever answers first.
func hostsRefused(address string, config *pgconn.Config) error {
	hosts := map[string]bool{hostAndPort(config.Host, config.Port): true}
	for _, f := range config.Fallbacks { // the same host is there twice, if it may be asked without encryption
		hosts[hostAndPort(f.Host, f.Port)] = true
	}

	_, query, _ := strings.Cut(address, "?")

	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the part behind ? of the database address cannot be read")
	}

	wanted := values.Get(sessionAttrs)

	switch {
	case wanted == readWrite, (wanted == "" || wanted == "any") && len(hosts) == 1:
		return nil
	case wanted == "":
		return fmt.Errorf("the database address names %d hosts, and a standby among them would refuse every write: "+
			"add %s=%s to it", len(hosts), sessionAttrs, readWrite)
	}

	return fmt.Errorf("the database address says %s=%s, and such a server may refuse every write: it must be %s",
		sessionAttrs, wanted, readWrite)
}

const (
	sessionAttrs = "target_session_attrs"
	readWrite    = "read-write"
)

func hostAndPort(host string, port uint16) string { return host + ":" + strconv.Itoa(int(port)) }

var errPooler = errors.New("the database address leads to a connection pooler in transaction mode (pgbouncer: " +
	"pool_mode = transaction or statement). Settings, locks and prepared statements do not stay with a connection " +
	"there: set pool_mode = session for this database, or give the address of PostgreSQL itself")

// checkSessions returns why the connections are no sessions of their own. Behind a pooler in session mode, a setting
// that did not take effect is named.
func (e *pgEngine) checkSessions(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()

	reader, err := e.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer reader.Release()

	served, err := serverOf(ctx, reader)
	if err != nil || served == strconv.FormatUint(uint64(reader.Conn().PgConn().PID()), 10) {
		return err // it talks to the server itself
	}

	writer, err := e.wp.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("the connection pooler gives no second connection (pgbouncer: default_pool_size must be "+
			"more than database.readers and database.writers together): %w", err)
	}
	defer writer.Release()

	// Of a pooler that gives servers to transactions, two connections get the same one, or one gets two in turn.
	seen := []string{served}

	for _, c := range []*pgxpool.Conn{writer, writer, reader} {
		s, err := serverOf(ctx, c)
		if err != nil {
			return err
		}

		seen = append(seen, s)
	}

	if seen[0] == seen[1] || seen[1] != seen[2] || seen[0] != seen[3] {
		return errPooler
	}

	if err := tookEffect(ctx, reader, everySetting); err != nil {
		return err
	}

	return tookEffect(ctx, writer, append(writerSettings(), everySetting...))
}

// serverOf returns the number of the server's process that serves a connection now.
func serverOf(ctx context.Context, c *pgxpool.Conn) (string, error) {
	row, err := simple(ctx, c.Conn(), "SELECT pg_backend_pid()")
	if err != nil {
		return "", err
	}

	return row[0], nil
}

func tookEffect(ctx context.Context, c *pgxpool.Conn, all []setting) error {
	row, err := simple(ctx, c.Conn(), settingsQuery(all, false))
	if err != nil {
		return err
	}

	for i, s := range all {
		if row[i] != s.value {
			return fmt.Errorf("the connection pooler does not keep the setting %s=%s (it is %s): give the address of "+
				"PostgreSQL itself, or let the pooler keep it (pgbouncer: pool_mode = session)", s.name, s.value, row[i])
		}
	}

	return nil
}
