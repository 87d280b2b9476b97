package sheet_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/sheet"
)

// cells returns the cells of a file's rows, each row as one text.
func cells(t *testing.T, content string) (out []string) {
	t.Helper()

	rows, err := sheet.Read([]byte(content), 100)
	require.NoError(t, err)

	for _, r := range rows {
		out = append(out, strings.Join(r.Cells, "|"))
	}

	return out
}

// Programs write tables in several ways. Each is read as the same cells.
func TestTablesOfTextAreReadAsPeopleSaveThem(t *testing.T) {
	want := []string{"Name|Amount", "Müller; Söhne|1250,50"}
	for name, content := range map[string]string{
		"semicolons":      "Name;Amount\r\n\"Müller; Söhne\";1250,50\r\n",
		"commas":          "Name,Amount\n\"Müller; Söhne\",\"1250,50\"",
		"tabs":            "Name\tAmount\nMüller; Söhne\t1250,50\n",
		"UTF-8 with mark": "\ufeffName;Amount\n\"Müller; Söhne\";1250,50",
		"Windows-1252":    "Name;Amount\n\"M\xfcller; S\xf6hne\";1250,50",
		"UTF-16": "\xff\xfe" + strings.NewReplacer("ü", "\xfc\x00", "ö", "\xf6\x00").Replace(
			wide("Name\tAmount\nM")+"ü"+wide("ller; S")+"ö"+wide("hne\t1250,50")),
		"empty rows": "\n;;\nName;Amount\n\n\"Müller; Söhne\";1250,50\n;\n",
	} {
		require.Equal(t, want, cells(t, content), name)
	}

	rows, err := sheet.Read([]byte("a;b\n\n\nc;d"), 10)
	require.NoError(t, err)
	require.Equal(t, []int{1, 4}, []int{rows[0].Line, rows[1].Line}, "lines are those of the file")
}

// wide is ASCII text in UTF-16, the smaller byte first.
func wide(s string) string { return strings.Join(strings.Split(s, ""), "\x00") + "\x00" }

// book writes a workbook.
func book(t *testing.T, parts map[string]string) string {
	t.Helper()

	all := map[string]string{
		"xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` +
			`<sheet name="Payees" sheetId="7" r:id="rId2"/><sheet name="Notes" sheetId="8" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="str"><v>wrong sheet</v></c></row></sheetData></worksheet>`,
		"xl/sharedStrings.xml": `<sst><si><t>Name</t></si><si><r><t>Amo</t></r><r><t>unt</t></r></si>` +
			`<si><t>Müller</t><rPh><t>myu</t></rPh></si></sst>`,
	}
	for name, content := range parts {
		all[name] = content
	}

	var out bytes.Buffer

	w := zip.NewWriter(&out)
	for name, content := range all {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write([]byte(content))
		require.NoError(t, err)
	}

	require.NoError(t, w.Close())

	return out.String()
}

func withRows(rows string) map[string]string {
	return map[string]string{
		"xl/worksheets/sheet2.xml": `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
			rows + `</sheetData></worksheet>`,
	}
}

// A workbook's cells are what it stores, in the columns where they stand: a formula is its stored value, a number has
// the digits that people see.
func TestWorkbooksAreReadAsTheyAreStored(t *testing.T) {
	content := book(t, withRows(
		`<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="s"><v>1</v></c></row>`+
			`<row r="3"><c r="B3" t="s"><v>2</v></c><c r="D3"><f>SUM(A1:A9)</f><v>0.30000000000000004</v></c></row>`+
			`<row r="4"><c r="B4" t="inlineStr"><is><t>Inline</t></is></c><c r="D4"><v>1250.5</v></c></row>`+
			`<row r="5"><c r="B5" t="str"><f>A1</f><v>Formula</v></c><c r="D5"><v>1.2345678901234501E+16</v></c></row>`+
			`<row r="6"><c r="B6"><v>45992</v></c><c r="D6"><v>8.1299999999999994E-2</v></c></row>`+
			`<row r="7"><c r="D7"><v>1E999999999</v></c></row>`,
	))

	require.Equal(t, []string{
		"|Name||Amount",
		"|Müller||0.3",
		"|Inline||1250.5",
		"|Formula||12345678901234501",
		"|45992||0.0813",
		"|||1E999999999",
	}, cells(t, content))
}

// Whoever hands in a file may mean harm.
func TestTablesAreBounded(t *testing.T) {
	for name, x := range map[string]struct {
		content string
		err     error
	}{
		"nothing":         {"\n;;\n", sheet.ErrEmpty},
		"too many rows":   {strings.Repeat("a\n", 101), sheet.ErrRows},
		"rows of a sheet": {book(t, withRows(strings.Repeat(`<row><c t="str"><v>a</v></c></row>`, 101))), sheet.ErrRows},
		"columns":         {strings.Repeat("a;", 61), sheet.ErrColumns},
		"a far column":    {book(t, withRows(`<row><c r="ZZZ1" t="str"><v>a</v></c></row>`)), sheet.ErrDamaged},
		"a long cell":     {strings.Repeat("a", 2001), sheet.ErrCell},
		"a bomb":          {book(t, withRows(strings.Repeat(" ", 17<<20))), sheet.ErrDamaged},
		"no such text":    {book(t, withRows(`<row><c t="s"><v>3</v></c></row>`)), sheet.ErrDamaged},
		"a column twice":  {book(t, withRows(`<row><c r="A1"/><c r="A1"/></row>`)), sheet.ErrDamaged},
		"no sheet":        {book(t, nil), sheet.ErrDamaged},
		"no workbook":     {"PK\x03\x04 and so on", sheet.ErrDamaged},
	} {
		_, err := sheet.Read([]byte(x.content), 100)
		require.ErrorIs(t, err, x.err, name)
	}
}

// FuzzRead must not panic, and keeps its limits.
func FuzzRead(f *testing.F) {
	f.Add([]byte("Name;Amount\nA;1"))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\xff\xfea\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		rows, err := sheet.Read(content, 10)
		if err == nil && (len(rows) == 0 || len(rows) > 10) {
			t.Fatal(len(rows))
		}
	})
}
