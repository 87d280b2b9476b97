package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// copyFrom is the number of rows from which COPY costs less than an INSERT from arrays, although it takes one more
// round trip: the server stores the first rows while the last ones are still being encoded.
const copyFrom = 512

// copyLarge writes the rows of large inserts by COPY and returns the other inserts. An insert that skips existing rows
// cannot use COPY.
func (w *pgWriter) copyLarge(conn *pgconn.PgConn, inserts []*pendingInsert) ([]*pendingInsert, error) {
	var rest []*pendingInsert
	for _, p := range inserts {
		if len(p.rows) < copyFrom || p.into.suffix != "" {
			rest = append(rest, p)
			continue
		}

		a, err := w.columns.arrays(p.into)
		if err != nil {
			return nil, err
		}

		text := "COPY " + p.into.table + " (" + strings.Join(p.into.columns, ",") + ") FROM STDIN BINARY"
		rows := &copyRows{into: p.into, types: a.types, rows: p.rows, encoded: []byte(copyHeader)}

		if _, err := conn.CopyFrom(context.Background(), rows, text); err != nil {
			return nil, fmt.Errorf("copy into %s: %w", p.into.table, pgError(err))
		}
	}

	return rest, nil
}

// copyHeader begins what COPY reads in binary form: a signature, no flags, no extension (PostgreSQL, COPY, Binary
// Format).
const copyHeader = "PGCOPY\n\xff\r\n\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00"

// copyRows encodes rows while the connection reads them.
type copyRows struct {
	into    *Insert
	types   []string
	rows    [][]any // not encoded yet
	encoded []byte  // not read yet
	buffer  []byte  // of encoded, reused
	ended   bool
}

// Read returns the next encoded rows.
func (c *copyRows) Read(p []byte) (int, error) {
	for len(c.encoded) == 0 {
		if c.ended {
			return 0, io.EOF
		}

		if err := c.encode(len(p)); err != nil {
			return 0, err
		}
	}

	n := copy(p, c.encoded)
	c.encoded = c.encoded[n:]

	return n, nil
}

// encode encodes rows until they fill about size bytes, or the end of all rows.
func (c *copyRows) encode(size int) error {
	b := c.buffer[:0]
	for len(b) < size && len(c.rows) > 0 {
		b = binary.BigEndian.AppendUint16(b, uint16(len(c.types)))

		for i, v := range c.rows[0] {
			if v == nil {
				b = binary.BigEndian.AppendUint32(b, nullLength)
				continue
			}

			at := len(b)
			b = binary.BigEndian.AppendUint32(b, 0)

			var ok bool
			if b, ok = appendAs(b, c.types[i], v); !ok {
				return fmt.Errorf("column %s of type %s: value of type %T", c.into.columns[i], c.types[i], v)
			}

			binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
		}

		c.rows = c.rows[1:]
	}

	if len(c.rows) == 0 {
		b = binary.BigEndian.AppendUint16(b, copyEnd)
		c.ended = true
	}

	c.buffer = b
	c.encoded = b

	return nil
}

// copyEnd stands in place of the number of columns after the last row.
const copyEnd = 1<<16 - 1
