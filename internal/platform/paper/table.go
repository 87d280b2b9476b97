package paper

// Column is one of a table.
type Column struct {
	Title string
	Width MM   // 0: shares with others of no width what the rest leaves
	Right bool // figures: the right ends stand below each other
}

// Cell is what stands in a row's column. Small are further lines in small letters.
type Cell struct {
	Text  string
	Small []string
}

// Row is one line of a table, as high as its highest cell.
type Row struct {
	Cells  []Cell
	Strong bool // a total: bold, under a line
}

// Table is rows under headers that stand on every page anew.
type Table struct {
	Columns []Column
	Rows    []Row
}

// C makes a cell.
func C(text string, small ...string) Cell { return Cell{text, small} }

// laidRow is a row whose lines are broken.
type laidRow struct {
	cells  [][]inked
	height MM
	strong bool
}

// Table writes a table. A row is kept on one page as long as a page can hold it; a total is not parted from the row before it.
func (s *Sheet) Table(t Table) {
	widths := t.widths()
	rows := make([]laidRow, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = r.lay(t.Columns, widths)
	}
	head := tableHeadHeight(t.Columns, widths)
	for i, r := range rows {
		need := r.height
		for k := i + 1; k < len(rows) && rows[k].strong; k++ {
			need += rows[k].height
		}
		if page := pageHeight - bottom - top - headHeight - head; need > page {
			need = min(r.height, splitAt)
		}
		if i == 0 {
			s.begin(head + need)
			s.tableHead(t.Columns, widths)
		} else if s.room(need) {
			s.tableHead(t.Columns, widths)
		}
		s.row(t.Columns, widths, r)
	}
}

// splitAt is how much of a row that is longer than a page must stand on its first.
const splitAt MM = 20

// widths gives every column's width.
func (t Table) widths() []MM {
	rest, open := Width, 0
	for _, c := range t.Columns {
		rest -= c.Width
		if c.Width == 0 {
			open++
		}
	}
	out := make([]MM, len(t.Columns))
	for i, c := range t.Columns {
		if out[i] = c.Width; c.Width == 0 {
			out[i] = rest / MM(open)
		}
	}
	return out
}

func (r Row) lay(columns []Column, widths []MM) laidRow {
	k := bodyInk
	if r.Strong {
		k = strongInk
	}
	out := laidRow{cells: make([][]inked, len(columns)), strong: r.Strong}
	for i, c := range r.Cells {
		out.cells[i] = linesOf(k, c.Text, c.Small, widths[i]-2*paddingX)
		h := MM(0)
		for _, l := range out.cells[i] {
			h += l.ink.height()
		}
		out.height = max(out.height, h)
	}
	out.height += 2 * paddingY
	return out
}

// row draws a row. One that is longer than a page goes on under the headers of the next, line by line.
func (s *Sheet) row(columns []Column, widths []MM, r laidRow) {
	if r.strong {
		s.line(left, s.y, left+Width, s.y, 0.3, 0)
	}
	next := make([]int, len(r.cells)) // the first line of each cell that is not drawn
	for {
		x, lowest := left, s.y+paddingY
		for i, lines := range r.cells {
			y := s.y + paddingY
			for ; next[i] < len(lines) && y+lines[next[i]].ink.height() <= pageHeight-bottom; next[i]++ {
				l := lines[next[i]]
				if columns[i].Right {
					s.textRight(l.ink, x+widths[i]-paddingX, y, l.text)
				} else {
					s.text(l.ink, x+paddingX, y, l.text)
				}
				y += l.ink.height()
			}
			lowest = max(lowest, y)
			x += widths[i]
		}
		s.y = lowest + paddingY
		if done(r.cells, next) {
			break
		}
		s.NewPage()
		s.tableHead(columns, widths)
	}
	if !r.strong {
		s.line(left, s.y, left+Width, s.y, hairline, 200)
	}
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

func tableHeadHeight(columns []Column, widths []MM) MM {
	lines := 1
	for i, c := range columns {
		lines = max(lines, len(tableHeadInk.wrap(c.Title, float64(widths[i]-2*paddingX))))
	}
	return MM(lines)*tableHeadInk.height() + 2*paddingY
}

// tableHead draws the headers, which stand at the foot of their band.
func (s *Sheet) tableHead(columns []Column, widths []MM) {
	height := tableHeadHeight(columns, widths)
	s.fill(left, s.y, Width, height, 238, 240, 243)
	x := left
	for i, c := range columns {
		lines := tableHeadInk.wrap(c.Title, float64(widths[i]-2*paddingX))
		y := s.y + height - paddingY - MM(len(lines))*tableHeadInk.height()
		for _, l := range lines {
			if c.Right {
				s.textRight(tableHeadInk, x+widths[i]-paddingX, y, l)
			} else {
				s.text(tableHeadInk, x+paddingX, y, l)
			}
			y += tableHeadInk.height()
		}
		x += widths[i]
	}
	s.y += height
}
