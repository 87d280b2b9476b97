package bookfile

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"io"

	"slipway/internal/core/money"
)

// sheet writes journals as tables in files of a limited number of rows, which stand in one ZIP archive.
type sheet struct {
	zip    *zip.Writer
	rows   *csv.Writer
	name   string
	header []string
	most   int // rows of a file, its header not counted
	held   int
	files  int
	row    func(j Journal, part string, l Line) []string
}

// The longest journal number of QuickBooks. The last characters of an identifier are random, so they are unique too.
const quickBooksNumber = 21

// NewXero returns a writer of an archive of manual journals for Xero (Xero Central, "Import manual journals"): at most
// 300 lines a file. Rows with the same narration and date are one journal there.
func NewXero(out io.Writer, h Head) Writer {
	return &sheet{
		zip:  zip.NewWriter(out),
		name: fileName("xero", h),
		most: 300,
		header: []string{
			"*Narration",
			"*Date",
			"Description",
			"*AccountCode",
			"*TaxRate",
			"*Amount",
			"TrackingName1",
			"TrackingOption1",
			"TrackingName2",
			"TrackingOption2",
		},
		row: func(j Journal, part string, l Line) []string {
			tax := l.Tax
			if tax == "" {
				tax = "Tax Exempt"
			}

			centre := ""
			if l.Centre != "" {
				centre = "Cost centre"
			}

			return []string{
				words(j.Text, j.ID+part),
				j.Day.Format("02/01/2006"),
				words(j.Party, j.Document, lineText(l), j.Reference),
				l.Account.Number,
				tax,
				l.Value.String(),
				centre,
				l.Centre,
				"",
				"",
			}
		},
	}
}

// NewQuickBooks returns a writer of an archive of journal entries for QuickBooks Online (Intuit, "Import journal
// entries"): at most 1,000 rows a file. It knows accounts by their names.
func NewQuickBooks(out io.Writer, h Head) Writer {
	return &sheet{
		zip:  zip.NewWriter(out),
		name: fileName("quickbooks", h),
		most: 999,
		header: []string{
			"Journal No.",
			"Journal Date",
			"Account Name",
			"Debits",
			"Credits",
			"Description",
			"Name",
			"Class",
		},
		row: func(j Journal, part string, l Line) []string {
			debit, credit := l.Value.String(), ""
			if l.Value.Sign() < 0 {
				debit, credit = "", l.Value.Neg().String()
			}

			number := j.ID[max(0, len(j.ID)-quickBooksNumber+len(part)):] + part

			return []string{
				number,
				j.Day.Format("01/02/2006"),
				oneLine(l.Account.Name),
				debit,
				credit,
				words(j.Text, j.Party, j.Document, lineText(l), j.Reference),
				"",
				l.Centre,
			}
		},
	}
}

func fileName(program string, h Head) string {
	return "slipway-" + program + "-" + h.From.Format("20060102") + "-" + h.To.Format("20060102")
}

// lineText says in which asset a value is, if it is in another one.
func lineText(l Line) string {
	if l.Amount.Asset() == l.Value.Asset() {
		return ""
	}

	return l.Amount.String() + " " + l.Amount.Asset().Code
}

// Journal writes a journal.
func (s *sheet) Journal(j Journal) error {
	var lines []Line

	for _, l := range j.Lines {
		if l.Value.Sign() != 0 {
			lines = append(lines, l)
		}
	}

	if len(lines) <= s.most {
		return s.write(j, "", lines)
	}

	// a journal that is longer than a file is written as several, each of which balances
	all := pairs(lines)
	per := s.most / 2

	for i := 0; i < len(all); i += per {
		var part []Line

		for _, p := range all[i:min(i+per, len(all))] {
			part = append(part, p.side(p.debit, p.value), p.side(p.credit, p.value.Neg()))
		}

		if err := s.write(j, fmt.Sprintf("-%d", i/per+1), part); err != nil {
			return err
		}
	}

	return nil
}

// side returns a line with the pair's value. Its amount in the asset is not known.
func (p pair) side(l Line, value money.Amount) Line {
	l.Value = &value
	l.Amount = value

	return l
}

func (s *sheet) write(j Journal, part string, lines []Line) error {
	if len(lines) == 0 {
		return nil
	}

	if s.rows == nil || s.held+len(lines) > s.most {
		if err := s.begin(); err != nil {
			return err
		}
	}

	s.held += len(lines)

	for _, l := range lines {
		row := s.row(j, part, l)
		for i := range row {
			if row[i] = oneLine(row[i]); row[i] != l.Value.String() {
				row[i] = inert(row[i])
			}
		}

		if err := s.rows.Write(row); err != nil {
			return err
		}
	}

	return nil
}

// begin begins the next file. The time of files in the archive stays empty, so that the same content has the same
// bytes.
func (s *sheet) begin() error {
	if err := s.flush(); err != nil {
		return err
	}

	s.files++
	s.held = 0

	out, err := s.zip.Create(fmt.Sprintf("%s-%03d.csv", s.name, s.files))
	if err != nil {
		return err
	}

	s.rows = csv.NewWriter(out)
	s.rows.UseCRLF = true

	return s.rows.Write(s.header)
}

func (s *sheet) flush() error {
	if s.rows == nil {
		return nil
	}

	s.rows.Flush()

	return s.rows.Error()
}

// Close ends the archive. Of a period without journals it has one file with its header alone.
func (s *sheet) Close() error {
	if s.rows == nil {
		if err := s.begin(); err != nil {
			return err
		}
	}

	if err := s.flush(); err != nil {
		return err
	}

	return s.zip.Close()
}
