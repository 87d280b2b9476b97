package paper

import "strings"

// Column is one of a table.
type Column struct {
	Title string
	Width MM   // 0: shares with others of no width what the rest leaves
	Fit   bool // as wide as its widest text, which is never broken: figures and words that must be read at a glance
	Right bool // figures: the right ends stand below each other
}

// Cell is what stands in a row's column. Small are further lines in small letters.
type Cell struct {
	Text  string
	Small []string
}

// Row is one line of a table, as high as its highest cell. Below are lines in small letters that go from the first
// column that is not fitted to the right edge.
type Row struct {
	Cells  []Cell
	Below  []string
	Strong bool // a total: bold, under a line
}

// Table is rows under headers that stand on every page anew.
type Table struct {
	Columns []Column
	Rows    []Row
}

// C makes a cell.
func C(text string, small ...string) Cell { return Cell{text, small} }

// laidTable is a table whose widths are settled.
type laidTable struct {
	columns []Column
	widths  []MM
	inks    [3]ink // of rows, of totals, of lines below them
	below   MM     // where lines below a row begin, from the left edge
	rows    []laidRow
}

// laidRow is a row whose lines are broken.
type laidRow struct {
	cells  [][]inked
	below  []inked
	height MM
	strong bool
}

// Table writes a table. A row is kept on one page as long as a page can hold it, a total with the row before it, and
// a short table as a whole.
func (s *Sheet) Table(t Table) {
	l := t.lay()
	head := l.headHeight()

	whole := head
	for _, r := range l.rows {
		whole += r.height
	}

	for i, r := range l.rows {
		need := r.height
		for k := i + 1; k < len(l.rows) && l.rows[k].strong; k++ {
			need += l.rows[k].height
		}

		if page := pageHeight - bottom - top - headHeight - head; need > page {
			need = min(r.height, splitAt)
		}

		switch {
		case i == 0 && whole < short:
			s.begin(whole)
			s.tableHead(l)
		case i == 0:
			s.begin(head + need)
			s.tableHead(l)
		case s.room(need):
			s.tableHead(l)
		}

		s.row(l, r)
	}
}

// short is how high a table may be that is not broken.
const short = pageHeight / 4

// splitAt is how much of a row that is longer than a page must stand on its first.
const splitAt MM = 20

// leastWidth is what fitted columns must leave to the others together.
const leastWidth MM = 34

// lay settles widths, in smaller letters where the fitted columns would leave too little, and breaks all lines.
func (t Table) lay() laidTable {
	l := laidTable{columns: t.Columns}
	for size := bodySize; ; size -= 0.5 {
		l.inks = [3]ink{
			{face: regular, size: size},
			{face: bold, size: size},
			{face: regular, size: min(size, smallSize), grey: smallInk.grey},
		}

		rest := l.measure(t.Rows)
		if rest >= leastWidth || size <= smallestSize {
			break
		}
	}

	for i, c := range t.Columns {
		if !c.Fit {
			break
		}

		l.below += l.widths[i]
	}

	for _, r := range t.Rows {
		l.rows = append(l.rows, l.row(r))
	}

	return l
}

const smallestSize = 5.5

// measure gives every column its width, and what the open ones have together.
func (l *laidTable) measure(rows []Row) MM {
	rest := Width
	open := 0

	l.widths = make([]MM, len(l.columns))
	for i, c := range l.columns {
		switch {
		case c.Fit:
			l.widths[i] = l.fitted(i, rows)
		case c.Width == 0:
			open++
		default:
			l.widths[i] = c.Width
		}

		rest -= l.widths[i]
	}

	for i := range l.widths {
		if l.widths[i] == 0 {
			l.widths[i] = rest / MM(open)
		}
	}

	if open == 0 {
		return Width
	}

	return rest
}

// fitted returns the width of a column's widest text. Of the title the longest word counts: it may be broken.
func (l *laidTable) fitted(column int, rows []Row) MM {
	widest := 0.0
	for _, word := range strings.Fields(l.columns[column].Title) {
		widest = max(widest, tableHeadInk.width(clean(word)))
	}

	for _, r := range rows {
		if column < len(r.Cells) {
			widest = max(widest, l.ink(r).width(clean(r.Cells[column].Text)))
			for _, small := range r.Cells[column].Small {
				widest = max(widest, l.inks[2].width(clean(small)))
			}
		}
	}

	return MM(widest) + 2*paddingX + 0.1
}

func (l *laidTable) ink(r Row) ink {
	if r.Strong {
		return l.inks[1]
	}

	return l.inks[0]
}

func (l *laidTable) row(r Row) laidRow {
	out := laidRow{cells: make([][]inked, len(l.columns)), strong: r.Strong}
	for i, c := range r.Cells {
		out.cells[i] = linesOf(l.ink(r), c.Text, l.inks[2], c.Small, l.widths[i]-2*paddingX)
		out.height = max(out.height, heightOf(out.cells[i]))
	}

	out.below = linesOf(smallInk, "", l.inks[2], r.Below, Width-l.below-2*paddingX)
	out.height += heightOf(out.below) + 2*paddingY

	return out
}

func heightOf(lines []inked) (h MM) {
	for _, l := range lines {
		h += l.ink.height()
	}

	return h
}

// row draws a row. One that is longer than a page goes on under the headers of the next, line by line.
func (s *Sheet) row(l laidTable, r laidRow) {
	if r.strong {
		s.line(left, s.y, left+Width, s.y, 0.3, 0)
	}

	next := make([]int, len(r.cells)+1) // the first line of each cell that is not drawn, and of those below
	for {
		x := left

		lowest := s.y + paddingY
		for i, lines := range r.cells {
			lowest = max(lowest, s.lines(lines, &next[i], x, s.y+paddingY, l.widths[i], l.columns[i].Right))
			x += l.widths[i]
		}

		if done(r.cells, next) {
			lowest = s.lines(r.below, &next[len(r.cells)], left+l.below, lowest, Width-l.below, false)
		}

		s.y = lowest + paddingY

		if done(append(r.cells, r.below), next) {
			break
		}

		s.NewPage()
		s.tableHead(l)
	}

	if !r.strong {
		s.line(left, s.y, left+Width, s.y, hairline, 200)
	}
}

// lines draws those of a cell from next on, as far as the page reaches, and gives the lower edge.
func (s *Sheet) lines(lines []inked, next *int, x, y, width MM, right bool) MM {
	for ; *next < len(lines) && y+lines[*next].ink.height() <= pageHeight-bottom; *next++ {
		l := lines[*next]
		if right {
			s.textRight(l.ink, x+width-paddingX, y, l.text)
		} else {
			s.text(l.ink, x+paddingX, y, l.text)
		}

		y += l.ink.height()
	}

	return y
}

func done(cells [][]inked, next []int) bool {
	for i := range cells {
		if next[i] < len(cells[i]) {
			return false
		}
	}

	return true
}

var tableHeadInk = ink{face: bold, size: smallSize}

func (l laidTable) head(column int) []string {
	return tableHeadInk.wrap(l.columns[column].Title, float64(l.widths[column]-2*paddingX))
}

func (l laidTable) headHeight() MM {
	lines := 1
	for i := range l.columns {
		lines = max(lines, len(l.head(i)))
	}

	return MM(lines)*tableHeadInk.height() + 2*paddingY
}

// tableHead draws the headers, which stand at the foot of their band.
func (s *Sheet) tableHead(l laidTable) {
	height := l.headHeight()
	s.fill(left, s.y, Width, height, 238, 240, 243)

	x := left
	for i, c := range l.columns {
		var lines []inked
		for _, text := range l.head(i) {
			lines = append(lines, inked{tableHeadInk, text})
		}

		next := 0
		s.lines(lines, &next, x, s.y+height-paddingY-heightOf(lines), l.widths[i], c.Right)
		x += l.widths[i]
	}

	s.y += height
}
