package paper_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/platform/paper"
	"slipway/internal/platform/paper/papertest"
)

var made = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// document puts a text wherever one can stand.
func document(t testing.TB, text string, rows int) []byte {
	s := paper.New(paper.Info{Title: "A document", Footer: "Made 2026-11-21", Made: made})
	s.Title("A document", "The House Ltd", text)
	s.Facts([]paper.Fact{{
		Label: "First",
		Value: text,
		Small: []string{text},
	}}, []paper.Fact{{Label: "Second", Value: "two"}})
	s.Heading("Heading")
	s.Paragraph(text)

	table := paper.Table{Columns: []paper.Column{
		{Title: "Number", Fit: true, Right: true},
		{Title: "Text"},
		{Title: "Fitted", Fit: true, Right: true},
	}}
	for i := range rows {
		table.Rows = append(table.Rows, paper.Row{
			Cells: []paper.Cell{paper.C(strconv.Itoa(i + 1)), paper.C(text, text), paper.C("1,234.50")},
			Below: []string{text},
		})
	}

	table.Rows = append(table.Rows, paper.Row{
		Strong: true,
		Cells:  []paper.Cell{{}, paper.C("Total"), paper.C("477,611.839488")},
	})
	s.Table(table)
	require.NoError(t, s.FactsBeside(paper.Symbol{
		Payload: "payload",
		Caption: "Scan it",
		Cross:   true,
	}, []paper.Fact{{Label: "Account", Value: "CH44"}}))
	out, err := s.Bytes()
	require.NoError(t, err)

	return out
}

// hostile are texts that are syntax in PDF files.
var hostile = []string{
	`(`,
	`)`,
	`\`,
	`\)`,
	"\r",
	"\n",
	"\x00",
	") Tj ET\nendstream\nendobj\n9 0 obj\n",
	"<</Type /Annot /Subtype /Link /A <</S /URI /URI (https://evil.example)>>>>",
	"/JavaScript",
	"/OpenAction 1 0 R",
	"/AA",
	"/Launch",
	"/EmbeddedFile",
	"https://evil.example/",
	"mailto:a@b.c",
	"{nb}",
	"%PDF-1.7",
	"%%EOF",
	"trailer",
	"\u202e",
	"\u2028",
	"\ufeff",
	"\ufffe",
	"\xff\xfe",
	"😀",
	"ä",
	"Ω",
	"Ж",
	"中",
	"ا",
	"א",
	" ",
}

// (L-06) Whatever a text says, the file has the same objects and dictionaries as one with harmless text, its pages
// draw with the same few operators, and nothing in it can be followed, opened or run.
func TestTextAddsNothingButGlyphs(t *testing.T) {
	harmless := papertest.Read(t, document(t, "a Ω 中 न ก", 2))

	allowed := map[string]bool{}
	for _, x := range harmless.Operators {
		allowed[x] = true
	}

	qpdf, _ := exec.LookPath("qpdf")
	checked := 0
	rapid.Check(t, func(r *rapid.T) {
		// in all fonts of one weight
		text := "a Ω 中 न ก" + strings.Join(
			rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostile), rapid.String()), 1, 12).Draw(r, "text"),
			"",
		)
		file := document(t, text, 2)
		got := papertest.Read(t, file)
		require.Equal(r, harmless.Names, got.Names)
		require.Equal(r, harmless.Objects+2*(len(got.Pages)-len(harmless.Pages)), got.Objects, "a page is two objects")

		for _, x := range got.Operators {
			require.True(r, allowed[x], "operator %q", x)
		}

		if qpdf != "" && checked < 5 {
			checked++
			path := filepath.Join(t.TempDir(), "x.pdf")
			require.NoError(r, os.WriteFile(path, file, 0o600))
			out, err := exec.Command(qpdf, "--check", path).CombinedOutput()
			require.NoError(r, err, string(out))
		}
	})

	for _, forbidden := range []string{"/Annot", "/Annots", "/URI", "/A", "/AA", "/OpenAction", "/JavaScript", "/JS", "/Launch", "/EmbeddedFile", "/AcroForm", "/Filespec", "/Encrypt"} {
		require.NotContains(t, harmless.Names, forbidden)
	}
}

// A logo is one picture in the file, without the transparency that PDF/A restricts; a small one is not blown up.
func TestLogoIsOneOpaquePicture(t *testing.T) {
	drawn := image.NewNRGBA(image.Rect(0, 0, 400, 100))
	for x := range 400 {
		drawn.Set(x, x/4, color.NRGBA{R: 0x0b, G: 0x5c, B: 0xad, A: uint8(x / 2)})
	}

	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, drawn))

	logo, err := paper.NewPicture(file.Bytes())
	require.NoError(t, err)

	write := func() []byte {
		s := paper.New(paper.Info{Title: "A document", Brand: "Northwind", Logo: logo, Made: made})
		s.Title("A document", "The House Ltd")

		out, err := s.Archive()
		require.NoError(t, err)

		return out
	}

	out := write()
	require.Equal(t, out, write(), "the same bytes")
	require.Equal(t, 1, strings.Count(string(out), "/Subtype /Image"))
	require.NotContains(t, string(out), "/SMask")
	require.NotContains(t, strings.Join(papertest.Read(t, out).Pages[0], "\n"), "Northwind", "the logo stands for it")

	_, err = paper.NewPicture([]byte("<svg/>"))
	require.Error(t, err)

	if qpdf, err := exec.LookPath("qpdf"); err == nil {
		path := filepath.Join(t.TempDir(), "logo.pdf")
		require.NoError(t, os.WriteFile(path, out, 0o600))

		said, err := exec.Command(qpdf, "--check", path).CombinedOutput()
		require.NoError(t, err, string(said))
	}
}

// The same calls give the same bytes, also when many documents are made at the same time: fonts are shared and never
// changed.
func TestSameDocumentIsTheSameFile(t *testing.T) {
	want := document(t, "Müller Ω 北京 شركة", 30)

	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := document(t, "Müller Ω 北京 شركة", 30); string(got) != string(want) {
				t.Error("another file")
			}
		})
	}

	wg.Wait()
}

// A table of several pages has its headers on each, every page its number, a total never stands alone, and figures
// are never broken.
func TestTableOverPages(t *testing.T) {
	for rows := range 90 {
		f := papertest.Read(t, document(t, "Müller", rows+1))

		seen := 0
		for i, page := range f.Pages {
			require.Contains(t, page, "Page "+strconv.Itoa(i+1)+" of "+strconv.Itoa(len(f.Pages)))
			figures := count(page, "1,234.50")

			seen += figures
			if count(page, "477,611.839488") > 0 {
				require.Positive(t, figures, "the total of %d rows stands without one", rows+1)
			}

			if figures > 0 {
				require.Equal(t, 1, count(page, "Fitted"), "page %d of %d rows", i+1, rows+1)
			} else {
				require.Zero(t, count(page, "Fitted"), "headers without rows on page %d of %d rows", i+1, rows+1)
				require.Zero(t, count(page, "Heading"))
			}
		}

		require.Equal(t, rows+1, seen, "every row once")
	}
}

func count(texts []string, text string) (n int) {
	for _, x := range texts {
		if x == text {
			n++
		}
	}

	return n
}

// A row that is longer than a page goes on over the next, and nothing of it is lost.
func TestRowLongerThanAPage(t *testing.T) {
	words := make([]string, 4_000)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
	}

	f := papertest.Read(t, document(t, strings.Join(words, " "), 1))

	all := ""
	for _, page := range f.Pages {
		all += " " + strings.Join(page, " ")
	}

	for _, w := range words {
		require.GreaterOrEqual(t, strings.Count(all+" ", " "+w+" "), 5, w)
	}
}

func BenchmarkDocumentOfThirtyRows(b *testing.B) {
	for b.Loop() {
		document(b, "Müller & Söhne AG", 30)
	}
}
