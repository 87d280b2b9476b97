package paper

import "strings"

// Column is a column of a table.
type Column struct {
	Title string
	Width MM   // 0: the columns without a width share the remaining space
	Fit   bool // as wide as its widest text, which is never broken: figures, and words to be read at a glance
	Right bool // aligned to the right, for figures
}

// Cell is the content of a column in a row. Small are further lines in small letters.
type Cell struct {
	Text  string
	Small []string
}

// Row is a row of a table, as high as its highest cell. Below are lines in small letters, from the first column that is
// not fitted to the right edge.
type Row struct {
	Cells  []Cell
	Below  []string
	Strong bool // a total: bold, under a line
}

// Table is rows under headers, which are repeated on every page.
type Table struct {
	Columns []Column
	Rows    []Row
}

// C returns a cell.
func C(text string, small ...string) Cell { return Cell{text, small} }

// laidTable is a table whose column widths are known.
type laidTable struct {
	columns []Column
	widths  []MM
	inks    [3]ink // of rows, of totals, of lines below them
	below   MM     // left edge of the lines below a row
	rows    []laidRow
}

// laidRow is a row whose text is wrapped.
type laidRow struct {
	cells  [][]inked
	below  []inked
	height MM
	strong bool
}

// Table draws a table. It breaks a row between pages only if a page cannot hold it. A total stays on the page of the
// row before it, and a short table on one page.
func (s *Sheet) Table(t Table) {
	l := t.lay()
	head := l.headHeight()

	height := head
	for _, r := range l.rows {
		height += r.height
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
		case i == 0 && height < short:
			s.begin(height)
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

// short is the height below which a table is not broken.
const short = pageHeight / 4

// splitAt is how much of a row longer than a page must fit on its first page.
const splitAt MM = 20

// leastWidth is the least width that fitted columns must leave to all others.
const leastWidth MM = 34

// lay computes the column widths and wraps all text. It uses smaller letters if the fitted columns leave too little.
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

// measure sets the width of every column. It returns what remains for the columns without a width.
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

// fitted returns the width of a column's widest text. The title may be wrapped, so its longest word counts.
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

// row draws a row. A row longer than a page continues on the next one, under the headers.
func (s *Sheet) row(l laidTable, r laidRow) {
	if r.strong {
		s.line(left, s.y, left+Width, s.y, 0.3, 0)
	}

	next := make([]int, len(r.cells)+1) // index of the first line not drawn yet, of each cell and of the lines below
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

// lines draws the lines of a cell from next on, as many as fit on the page, and returns the lower edge.
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

// tableHead draws the headers, aligned to the bottom.
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
