package refdata

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The tables of this package: a line a row, its cells parted by tabs. Lines that begin with # are remarks, one of which
// says as of when the table is true.
//
//go:embed countries.tsv
var countriesFile string

//go:embed currencies.tsv
var currenciesFile string

// asOf is the remark that dates a table.
const asOf = "# as of "

// AsOf returns the days as of which the tables of countries and of currencies are true. A test fails when one is older
// than a year.
func AsOf() (countries, currencies time.Time, err error) {
	if countries, err = dateOf(countriesFile); err != nil {
		return countries, currencies, fmt.Errorf("countries.tsv: %w", err)
	}

	if currencies, err = dateOf(currenciesFile); err != nil {
		return countries, currencies, fmt.Errorf("currencies.tsv: %w", err)
	}

	return countries, currencies, nil
}

func dateOf(file string) (time.Time, error) {
	for line := range strings.Lines(file) {
		if day, ok := strings.CutPrefix(strings.TrimSpace(line), asOf); ok {
			return time.Parse(time.DateOnly, day)
		}
	}

	return time.Time{}, fmt.Errorf("no line begins with %q", asOf)
}

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
