package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// script is a list of statements that is sent to PostgreSQL in one piece and answered in one piece. It writes values in
// the protocol's binary form itself. The driver would look up an encoding for each value of each array, which took as
// long as everything else that a write costs this process.
type script struct {
	conn    *pgconn.PgConn
	batch   pgconn.Batch
	count   int
	values  []byte // of one statement, reused
	ends    []int  // where each value ends
	params  [][]byte
	formats []int16
}

// Type numbers of PostgreSQL (pg_type.dat) for the four kinds of columns.
const (
	oidBool  = 16
	oidBytea = 17
	oidInt8  = 20
	oidText  = 25
)

const formatBinary = 1

// newScript returns an empty script that reuses the memory of the writer's last one. If the connection has prepared too
// many statements, it closes them first, while no script uses any of them.
func newScript(conn *pgconn.PgConn, last *script) (*script, error) {
	if err := preparedOn(conn).trim(conn); err != nil {
		return nil, err
	}

	s := &script{conn: conn}
	if last != nil && cap(last.values) <= maxKept {
		s.values = last.values
		s.ends = last.ends
		s.params = last.params
		s.formats = last.formats
	} else {
		s.values = make([]byte, 0, 4096) // an empty text is not NULL
	}

	return s, nil
}

// maxKept limits the memory for values that a writer keeps.
const maxKept = 1 << 20

// add appends a statement without values.
func (s *script) add(text string) error {
	return s.bind(text, func(*pgconn.StatementDescription) error { return nil })
}

// addRows appends an insert: one array for each column.
func (s *script) addRows(in *Insert, a *arrays, rows [][]any) error {
	return s.bind(a.text, func(*pgconn.StatementDescription) error {
		for i, t := range a.types {
			if err := s.column(t, rows, i); err != nil {
				return fmt.Errorf("insert into %s, column %s: %w", in.table, in.columns[i], err)
			}
		}

		return nil
	})
}

// addChange appends a guarded change.
func (s *script) addChange(query string, args []any) error {
	return s.bind(guarded(query), func(d *pgconn.StatementDescription) error {
		if len(d.ParamOIDs) != len(args) {
			return fmt.Errorf("%d values for %d places of %q", len(args), len(d.ParamOIDs), query)
		}

		for i, v := range args {
			if err := s.value(d.ParamOIDs[i], v); err != nil {
				return fmt.Errorf("value %d of %q: %w", i+1, query, err)
			}
		}

		return nil
	})
}

// addJoined appends changes with the same text as one statement.
func (s *script) addJoined(j joined) error {
	if len(j.rows) == 1 {
		return s.addChange(j.query, j.rows[0])
	}

	return s.bind(j.query, func(*pgconn.StatementDescription) error {
		for i, t := range j.types {
			if err := s.column(t, j.rows, i); err != nil {
				return fmt.Errorf("value %d of %q: %w", i+1, j.query, err)
			}
		}

		return s.value(oidInt8, int64(len(j.rows)))
	})
}

// bind prepares the text, once for each connection, and calls write for the values.
func (s *script) bind(text string, write func(d *pgconn.StatementDescription) error) error {
	d, err := s.prepared(text)
	if err != nil {
		return fmt.Errorf("prepare %q: %w", text, pgError(err))
	}

	s.values = s.values[:0]
	s.ends = s.ends[:0]
	s.params = s.params[:0]
	s.formats = s.formats[:0]

	if err := write(d); err != nil {
		return err
	}

	begin := 0
	for _, end := range s.ends {
		if end < 0 { // NULL
			s.params = append(s.params, nil)
			continue
		}

		s.params = append(s.params, s.values[begin:end:end])
		begin = end
	}

	s.batch.ExecPrepared(d.Name, s.params, s.formats, nil)
	s.count++

	return nil
}

// statements are what a connection has prepared for scripts. They are stored with the connection, because it may pass
// from one writer to the other.
type statements struct {
	byText map[string]*pgconn.StatementDescription
	made   int // in total: no name is used twice
}

const statementsOf = "slipway.statements"

func preparedOn(conn *pgconn.PgConn) *statements {
	all, _ := conn.CustomData()[statementsOf].(*statements)
	if all == nil {
		all = &statements{byText: map[string]*pgconn.StatementDescription{}}
		conn.CustomData()[statementsOf] = all
	}

	return all
}

// trim closes all prepared statements if there are too many.
func (p *statements) trim(conn *pgconn.PgConn) error {
	if len(p.byText) < statementLimit {
		return nil
	}

	for t, d := range p.byText {
		if err := conn.Deallocate(context.Background(), d.Name); err != nil {
			return fmt.Errorf("deallocate a statement: %w", pgError(err))
		}

		delete(p.byText, t)
	}

	return nil
}

func (s *script) prepared(text string) (*pgconn.StatementDescription, error) {
	all := preparedOn(s.conn)
	if d := all.byText[text]; d != nil {
		return d, nil
	}

	all.made++

	d, err := s.conn.Prepare(context.Background(), "script_"+strconv.Itoa(all.made), text, nil)
	if err != nil {
		return nil, err
	}

	all.byText[text] = d

	return d, nil
}

// run sends the script and waits for its end. The server skips everything after a statement that failed.
func (s *script) run() error {
	if s.count == 0 {
		return nil
	}

	res := s.conn.ExecBatch(context.Background(), &s.batch)
	for res.NextResult() {
		_, _ = res.ResultReader().Close() // Close of the batch returns the first error
	}

	return pgError(res.Close())
}

// column writes one column of the rows as an array: dimensions, whether there are NULLs, the type of the elements,
// their number and the first index; then each with its length (src/backend/utils/adt/arrayfuncs.c, array_recv).
func (s *script) column(pgType string, rows [][]any, i int) error {
	b := binary.BigEndian.AppendUint32(s.values, 1)
	nulls := len(b)
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint32(b, elementOf(pgType))
	b = binary.BigEndian.AppendUint32(b, uint32(len(rows)))

	b = binary.BigEndian.AppendUint32(b, 1)
	for _, row := range rows {
		if row[i] == nil {
			b[nulls+3] = 1
			b = binary.BigEndian.AppendUint32(b, nullLength)
			continue
		}

		at := len(b)
		b = binary.BigEndian.AppendUint32(b, 0)

		var ok bool
		if b, ok = appendAs(b, pgType, row[i]); !ok {
			return fmt.Errorf("value of type %T in a column of type %s", row[i], pgType)
		}

		binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	}

	s.values = b
	s.ends = append(s.ends, len(b))
	s.formats = append(s.formats, formatBinary)

	return nil
}

const nullLength = 1<<32 - 1

func elementOf(pgType string) uint32 {
	switch pgType {
	case "text":
		return oidText
	case "bigint":
		return oidInt8
	case "boolean":
		return oidBool
	case "bytea":
		return oidBytea
	}

	return 0
}

// appendAs appends a value in the binary form of a type; ok is false if the value has another type.
func appendAs(b []byte, pgType string, v any) (out []byte, ok bool) {
	switch x := plain(v).(type) {
	case string:
		return append(b, x...), pgType == "text"
	case int64:
		return binary.BigEndian.AppendUint64(b, uint64(x)), pgType == "bigint"
	case bool:
		return append(b, truth(x)), pgType == "boolean"
	case []byte:
		return append(b, x...), pgType == "bytea"
	}

	return b, false
}

func truth(x bool) byte {
	if x {
		return 1
	}

	return 0
}

// value appends a single value for a parameter of a type: in binary form if the types match, as text otherwise.
func (s *script) value(oid uint32, v any) error {
	if v == nil {
		s.ends = append(s.ends, -1)
		s.formats = append(s.formats, formatBinary)
		return nil
	}

	b := s.values

	format := int16(formatBinary)
	switch x := plain(v).(type) {
	case string:
		b = append(b, x...)
		format = 0

	case int64:
		if oid == oidInt8 {
			b = binary.BigEndian.AppendUint64(b, uint64(x))
		} else {
			b = strconv.AppendInt(b, x, 10)
			format = 0
		}

	case bool:
		if oid == oidBool {
			b = append(b, truth(x))
		} else {
			b = strconv.AppendBool(b, x)
			format = 0
		}

	case []byte:
		b = append(b, x...)
	default:
		return fmt.Errorf("value of type %T", v)
	}

	s.values = b
	s.ends = append(s.ends, len(b))
	s.formats = append(s.formats, format)

	return nil
}
