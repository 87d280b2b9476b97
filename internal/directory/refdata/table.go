package refdata

import (
	_ "embed"
	"strconv"
	"strings"
)

// The tables of this package: a line a row, its cells parted by tabs. Lines that begin with # are remarks. sources.go
// says where they are from.
//
//go:embed countries.tsv
var countriesFile string

//go:embed currencies.tsv
var currenciesFile string

// rowsOf returns the rows of a table, each with that many cells. Other lines are no rows.
func rowsOf(file string, cells int) (rows [][]string) {
	for line := range strings.Lines(file) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if strings.HasPrefix(line, "#") || len(row) != cells {
			continue
		}

		rows = append(rows, row)
	}

	return rows
}

// digitOf returns the number that a cell has, and 0 where it has none.
func digitOf(cell string) int {
	n, _ := strconv.Atoi(cell)
	return n
}
