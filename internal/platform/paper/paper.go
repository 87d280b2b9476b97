// Package paper draws PDF documents for people: facts, tables over several pages, QR codes, page numbers. It does not
// depend on their content.
//
// It promises that the same calls return the same bytes. Every character is drawn; one that no font has becomes a box.
// A row is broken between pages only if it is longer than one, and headers are repeated. A text adds only glyphs to the
// file, whoever wrote it: there are no links, actions, forms or scripts; attachments and the file's title are only what
// the caller passes as such (L-06). Archive makes PDF/A-3. It does not promise accessibility tags or hyphenation.
// Arabic and Hebrew are drawn from right to left with joined letters, each field by itself; vowel signs are placed
// roughly. Thai and Devanagari are drawn letter by letter. Scripts that need more shaping (others of India) show boxes.
//
// Read in this order: paper.go (the sheet), table.go, symbol.go, picture.go, archive.go (PDF/A), colour.go, text.go,
// shape.go, font.go, subset.go (only the glyphs that a text needs).
package paper

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// MM is a length in millimetres.
type MM float64

// The sheet: A4, with margins for printers and folders.
const (
	pageWidth   MM = 210
	pageHeight  MM = 297
	left        MM = 16
	top         MM = 18
	bottom      MM = 20
	Width          = pageWidth - 2*left // of the text area
	leading        = 1.32               // height of a line, in font sizes
	headHeight  MM = 9                  // of the running title from the second page on
	sectionGap  MM = 5.5
	labelWidth  MM = 25 // of the labels of facts
	columnGap   MM = 6
	bodySize       = 8.5
	smallSize      = 7.0
	headingSize    = 10.5
	titleSize      = 17.0
	paddingX    MM = 1.2
	paddingY    MM = 1.1
	hairline       = 0.15
)

// producer is what the file says it was made by.
const producer = "Slipway"

// Info is the file's metadata, and what is drawn on every page. It must not contain untrusted text.
type Info struct {
	Title  string
	Footer string    // on the left, beside the page number
	Number string    // the form of the page number, such as "Seite %d von %d"; empty: in English
	Mark   string    // above everything, such as what says that a document has no worth; empty: nothing
	Brand  string    // above the title, in Colour: whom the document is for; empty: nothing
	Logo   *Picture  // in place of Brand; nil: none
	Colour [3]int    // of the brand and the line below the title: red, green, blue
	Made   time.Time // the file's date; the same sheet with another date is another file
}

// Sheet is a document being drawn, by one goroutine. It records what to draw on each page. Bytes draws it, once the
// number of pages and the characters that the fonts need are known.
type Sheet struct {
	info  Info
	y     MM     // upper edge of what is drawn next
	title string // of the section that begins with what is drawn next
	pages [][]func(f *fpdf.Fpdf)
	used  map[*face]map[rune]bool
}

// New returns a document with one empty page.
func New(info Info) *Sheet {
	s := &Sheet{info: info, y: top, pages: make([][]func(f *fpdf.Fpdf), 1), used: map[*face]map[rune]bool{}}
	s.mark()

	return s
}

// mark draws the document's mark above the text of the last page.
func (s *Sheet) mark() {
	if s.info.Mark != "" {
		s.text(strongInk, left, top/2-2, clean(s.info.Mark))
	}
}

// draw records something for the last page.
func (s *Sheet) draw(f func(f *fpdf.Fpdf)) { s.drawOn(len(s.pages)-1, f) }

func (s *Sheet) drawOn(page int, f func(f *fpdf.Fpdf)) {
	s.pages[page] = append(s.pages[page], f)
}

var (
	bodyInk    = ink{face: regular, size: bodySize}
	strongInk  = ink{face: bold, size: bodySize}
	smallInk   = ink{face: regular, size: smallSize, grey: 90}
	headingInk = ink{face: bold, size: headingSize}
	titleInk   = ink{face: bold, size: titleSize}
	brandInk   = ink{face: bold, size: headingSize}
)

func (k ink) height() MM { return MM(k.size * leading * point) }

// text draws one clean line with its left end at x; y is its upper edge.
func (s *Sheet) text(k ink, x, y MM, line string) { s.textOn(len(s.pages)-1, k, x, y, line) }

func (s *Sheet) textOn(page int, k ink, x, y MM, line string) {
	const ascent = leading - 0.28 // from the upper edge to the baseline, in font sizes
	baseline := float64(y) + k.size*point*ascent
	at := float64(x)

	var (
		run  []rune
		of   *face
		lift int // of the run, in thousandths of the size
	)

	flush := func() {
		if len(run) == 0 {
			return
		}

		from := at
		level := baseline - float64(lift)*k.size/1000*point
		family := of.family
		text := string(run)
		s.drawOn(page, func(f *fpdf.Fpdf) {
			f.SetTextColor(k.colour[0]+k.grey, k.colour[1]+k.grey, k.colour[2]+k.grey)
			f.SetFont(family, "", k.size)
			f.Text(from, level, text)
		})

		for _, r := range run {
			at += float64(of.widths[r]) * k.size / 1000 * point
		}

		run = run[:0]
	}

	drawn := []rune(visual(line))
	for i, r := range drawn {
		if r == joiner || r == nonJoiner {
			continue
		}

		next := faceOf(r, k.face)
		if next == nil {
			r = placeholder
			next = k.face()
		}

		if above := liftOf(drawn, i); next != of || above != lift {
			flush()

			of = next
			lift = above
		}

		if s.used[of] == nil {
			s.used[of] = map[rune]bool{}
		}

		s.used[of][r] = true
		run = append(run, r)
	}

	flush()
}

// textRight draws one clean line that ends at x.
func (s *Sheet) textRight(k ink, x, y MM, line string) { s.text(k, x-MM(k.width(line)), y, line) }

func (s *Sheet) line(x1, y1, x2, y2 MM, width float64, grey int) {
	s.lineOn(len(s.pages)-1, x1, y1, x2, y2, width, grey)
}

func (s *Sheet) lineOn(page int, x1, y1, x2, y2 MM, width float64, grey int) {
	s.drawOn(page, func(f *fpdf.Fpdf) {
		f.SetDrawColor(grey, grey, grey)
		f.SetLineWidth(width)
		f.Line(float64(x1), float64(y1), float64(x2), float64(y2))
	})
}

// fill draws a rectangle.
func (s *Sheet) fill(x, y, width, height MM, red, green, blue int) {
	s.draw(func(f *fpdf.Fpdf) {
		f.SetFillColor(red, green, blue)
		f.Rect(float64(x), float64(y), float64(width), float64(height), "F")
	})
}

// room begins a new page if the height does not fit on this one. It reports whether it did.
func (s *Sheet) room(height MM) bool {
	if s.y+height <= pageHeight-bottom {
		return false
	}

	s.NewPage()

	return true
}

// NewPage begins a new page, with the running title.
func (s *Sheet) NewPage() {
	s.pages = append(s.pages, nil)
	s.mark()
	s.text(smallInk, left, top-2, clean(s.info.Title))
	s.y = top + headHeight - 5
	s.line(left, s.y, left+Width, s.y, hairline, 160)
	s.y += 4
}

// Title draws the document's title, and the lines of its issuer at the right.
func (s *Sheet) Title(title string, issuer ...string) {
	switch {
	case s.info.Logo != nil:
		s.logo(s.info.Logo)
	case s.info.Brand != "":
		k := brandInk
		k.colour = s.info.Colour
		s.text(k, left, s.y, clean(s.info.Brand))
		s.y += k.height() + 1
	}

	right := s.y
	for i, x := range issuer {
		k := smallInk
		if i == 0 {
			k = strongInk
		}

		for _, line := range k.wrap(x, float64(Width)*0.45) {
			s.textRight(k, left+Width, right, line)
			right += k.height()
		}
	}

	for _, line := range titleInk.wrap(title, float64(Width)*0.52) {
		s.text(titleInk, left, s.y, line)
		s.y += titleInk.height()
	}

	s.y = max(s.y, right) + 2
	s.ruleBelowTitle(s.y)
	s.y += 4
}

// ruleBelowTitle draws the line below the title, in the colour of the brand.
func (s *Sheet) ruleBelowTitle(y MM) {
	c := s.info.Colour
	s.draw(func(f *fpdf.Fpdf) {
		f.SetDrawColor(c[0], c[1], c[2])
		f.SetLineWidth(0.5)
		f.Line(float64(left), float64(y), float64(left+Width), float64(y))
	})
}

// Heading begins a section. It is drawn on the same page as what follows.
func (s *Sheet) Heading(text string) { s.title = text }

// begin makes sure that a height fits on the page, below the heading of a new section if there is one.
func (s *Sheet) begin(height MM) {
	if s.title == "" {
		s.room(height)
		return
	}

	const below MM = 1.5
	if !s.room(sectionGap + headingInk.height() + below + height) {
		s.y += sectionGap
	}

	s.text(headingInk, left, s.y, clean(s.title))
	s.y += headingInk.height() + below
	s.title = ""
}

// Paragraph draws a text over the full width.
func (s *Sheet) Paragraph(text string) {
	for _, line := range bodyInk.wrap(text, float64(Width)) {
		s.begin(bodyInk.height())
		s.text(bodyInk, left, s.y, line)
		s.y += bodyInk.height()
	}

	s.y += 1
}

// Fact is a label with its value. A fact without a value is left out. Small are further lines in small letters.
type Fact struct {
	Label, Value string
	Small        []string
}

// Facts draws columns of facts side by side. It does not break them between pages: use it for a handful of facts.
func (s *Sheet) Facts(columns ...[]Fact) {
	each := (Width - columnGap*MM(len(columns)-1)) / MM(len(columns))
	laid := make([][]laidFact, len(columns))

	height := MM(0)
	for i, c := range columns {
		var h MM
		laid[i], h = layFacts(c, each)
		height = max(height, h)
	}

	s.begin(height)

	for i, c := range laid {
		s.facts(c, left+MM(i)*(each+columnGap))
	}

	s.y += height
}

// laidFact is a fact whose text is wrapped.
type laidFact struct {
	label, value []inked
	height       MM
}

const factGap MM = 0.8

// layFacts wraps the text of facts, and returns their total height.
func layFacts(facts []Fact, width MM) (out []laidFact, height MM) {
	for _, f := range facts {
		value := linesOf(bodyInk, f.Value, smallInk, f.Small, width-labelWidth)
		if len(value) == 0 {
			continue
		}

		l := laidFact{label: linesOf(smallInk, f.Label, smallInk, nil, labelWidth-1), value: value}
		l.height = max(heightOf(l.label), heightOf(value)) + factGap
		out = append(out, l)
		height = height + l.height
	}

	return out, height
}

// facts draws a column of facts.
func (s *Sheet) facts(column []laidFact, x MM) {
	y := s.y

	for _, f := range column {
		const lower MM = 0.45 // so that small letters share the baseline of the larger ones

		at := y + lower
		for _, l := range f.label {
			s.text(l.ink, x, at, l.text)
			at += l.ink.height()
		}

		at = y
		for _, l := range f.value {
			s.text(l.ink, x+labelWidth, at, l.text)
			at += l.ink.height()
		}

		y += f.height
	}
}

// inked is a line that fits, with its ink.
type inked struct {
	ink  ink
	text string
}

// linesOf wraps a text and the small lines below it.
func linesOf(k ink, text string, below ink, small []string, width MM) (out []inked) {
	for _, l := range k.wrap(text, float64(width)) {
		out = append(out, inked{k, l})
	}

	for _, x := range small {
		for _, l := range below.wrap(x, float64(width)) {
			out = append(out, inked{below, l})
		}
	}

	return out
}

// Bytes draws the document and returns the PDF file. The sheet must not be used afterwards.
func (s *Sheet) Bytes() ([]byte, error) {
	for n := range s.pages {
		const y = pageHeight - bottom + 5.5
		number := fmt.Sprintf(cmp.Or(s.info.Number, "Page %d of %d"), n+1, len(s.pages))
		s.lineOn(n, left, y-1.5, left+Width, y-1.5, hairline, 160)
		s.textOn(n, smallInk, left, y, clean(s.info.Footer))
		s.textOn(n, smallInk, left+Width-MM(smallInk.width(number)), y, number)
	}

	f := s.file()
	for family := range strings.FieldsSeq(families) {
		for of, used := range s.used {
			if of.family == family {
				f.AddUTF8FontFromBytes(family, "", of.subset(used))
			}
		}
	}

	for _, page := range s.pages {
		f.AddPage()

		for _, draw := range page {
			draw(f)
		}
	}

	var out bytes.Buffer
	if err := f.Output(&out); err != nil {
		return nil, fmt.Errorf("write the PDF: %w", err)
	}

	return out.Bytes(), nil
}

// file returns an empty PDF file with its metadata.
func (s *Sheet) file() *fpdf.Fpdf {
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetCreationDate(s.info.Made.UTC())
	f.SetModificationDate(s.info.Made.UTC())
	f.SetProducer(producer, false)
	f.SetTitle(s.info.Title, true)
	f.SetLang("en")
	f.SetAutoPageBreak(false, 0)
	f.SetMargins(0, 0, 0)
	f.SetCellMargin(0)

	return f
}
