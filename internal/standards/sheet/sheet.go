// Package sheet reads tables as people hand them in: CSV with commas, semicolons or tabs, what was copied out of a
// spreadsheet, and XLSX (ECMA-376, the first sheet of a workbook).
//
// It promises that a cell is what the file stores: nothing is computed, and a formula is its stored value. A number of
// a workbook is written as a decimal, to the 15 digits that spreadsheets show, since what is stored behind them is the
// rounding of their arithmetic. A date of a workbook is the number of a day, as it is stored. Reading is bounded in
// rows, columns, and in what is unpacked.
//
// Read in this order: sheet.go (limits, CSV), xlsx.go.
package sheet

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"slipway/internal/core/text"
)

// Limits of a table, besides the caller's limit of rows.
const (
	MaxColumns = 60
	MaxCell    = 2_000 // bytes of one cell
)

// Row is a row that has a cell with something in it. Line is its number in the file, from 1.
type Row struct {
	Line  int
	Cells []string
}

// Errors of files that are no table. Others are about what is wrong in a file that is one.
var (
	ErrEmpty   = errors.New("the table has no row")
	ErrRows    = errors.New("the table has too many rows")
	ErrColumns = fmt.Errorf("a row has more than %d columns", MaxColumns)
	ErrCell    = fmt.Errorf("a cell has more than %d bytes", MaxCell)
	ErrDamaged = errors.New("the workbook is damaged, or is none")
)

// Read returns the rows of a file, at most most of them. Rows without content are left out.
func Read(content []byte, most int) ([]Row, error) {
	t := table{most: most}

	var err error
	if bytes.HasPrefix(content, []byte("PK\x03\x04")) {
		err = t.workbook(content)
	} else {
		err = t.plain(decoded(content))
	}

	if err == nil && len(t.rows) == 0 {
		err = ErrEmpty
	}

	return t.rows, err
}

// table is what was read so far.
type table struct {
	rows []Row
	most int
}

// add keeps a row.
func (t *table) add(line int, cells []string) error {
	last := 0

	for i, c := range cells {
		cells[i] = text.Trim(c)
		if len(cells[i]) > MaxCell {
			return ErrCell
		}

		if cells[i] != "" {
			last = i + 1
		}
	}

	switch {
	case last == 0:
		return nil
	case last > MaxColumns:
		return ErrColumns
	case len(t.rows) == t.most:
		return ErrRows
	}

	t.rows = append(t.rows, Row{Line: line, Cells: cells[:last]})

	return nil
}

// plain reads text. Quotation marks are those of RFC 4180; one in the middle of a cell is a character, as in what is
// copied out of a spreadsheet.
func (t *table) plain(s string) error {
	in := csv.NewReader(strings.NewReader(s))
	in.Comma = separator(s)
	in.LazyQuotes = true
	in.FieldsPerRecord = -1

	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return err
		}

		line, _ := in.FieldPos(0)
		if err := t.add(line, record); err != nil {
			return err
		}
	}
}

// separator returns what stands between the cells: tabs where there is one in the first line, else semicolons, else
// commas. Spreadsheets of countries with a decimal comma write semicolons.
func separator(s string) rune {
	first, _, _ := strings.Cut(strings.TrimLeft(s, "\r\n"), "\n")
	for _, c := range "\t;" {
		if strings.ContainsRune(first, c) {
			return c
		}
	}

	return ','
}

// decoded returns a file as UTF-8: from UTF-16 with a byte order mark, as spreadsheets save Unicode text, and from
// Windows-1252 where it is not UTF-8, as they save CSV on Windows.
func decoded(content []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(content, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	}

	if order != nil {
		units := make([]uint16, 0, len(content)/2)
		for i := 2; i+1 < len(content); i += 2 {
			units = append(units, order.Uint16(content[i:]))
		}

		return string(utf16.Decode(units))
	}

	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if utf8.Valid(content) {
		return string(content)
	}

	out, err := charmap.Windows1252.NewDecoder().Bytes(content)
	if err != nil {
		return string(bytes.ToValidUTF8(content, []byte("\ufffd")))
	}

	return string(out)
}
