package bankcode

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"slipway/internal/core/text"
)

// RoutingNumber is a routing transit number of the American Bankers Association: nine digits.
type RoutingNumber string

// Reasons why a text is not a routing number.
var (
	ErrRoutingForm     = errors.New("a routing number has nine digits")
	ErrRoutingDistrict = errors.New("the first two digits of a routing number are 00 to 12, 21 to 32, 61 to 72 or 80")
	ErrRoutingCheck    = errors.New(
		"the routing number's check digit does not fit the other digits: one of them is mistyped",
	)
)

// ParseRoutingNumber parses a routing number as people write it (text.Compact). The checksum weights the digits 3,
// 7, 1 repeatedly; nine zeros satisfy it and are refused.
func ParseRoutingNumber(s string) (RoutingNumber, error) {
	s = text.Compact(s)
	if !digits(s, 9) {
		return "", ErrRoutingForm
	}

	switch d := s[:2]; {
	case d <= "12", d >= "21" && d <= "32", d >= "61" && d <= "72", d == "80":
	default:
		return "", ErrRoutingDistrict
	}

	sum := 0
	for i, weight := range [9]int{3, 7, 1, 3, 7, 1, 3, 7, 1} {
		sum += weight * int(s[i]-'0')
	}

	if sum == 0 || sum%10 != 0 {
		return "", ErrRoutingCheck
	}

	return RoutingNumber(s), nil
}

// Reach is what the Federal Reserve's directories contain about a routing number.
type Reach struct {
	ACH, Fed bool
	NewACH   RoutingNumber // the number to use for ACH payments instead; empty: none
	Name     string
}

// Directory is the Federal Reserve's list of routing numbers. The operator supplies it: it may not be redistributed. A
// nil Directory is empty. It does not change after it was read.
type Directory struct{ reach map[RoutingNumber]Reach }

// Limits of the files: a line of FedACHdir has 155 columns, of fpddir 101, and there are under 20,000 of each.
const (
	maxLine    = 1_000
	maxRecords = 200_000
)

// ReadDirectory reads the fixed-column files FedACHdir.txt and fpddir.txt; either may be nil. An error names the line.
func ReadDirectory(ach, wire io.Reader) (*Directory, error) {
	d := &Directory{reach: map[RoutingNumber]Reach{}}
	if ach != nil {
		if err := d.read("FedACH directory", ach, 71, d.achLine); err != nil {
			return nil, err
		}
	}

	if wire != nil {
		if err := d.read("Fedwire directory", wire, 91, d.wireLine); err != nil {
			return nil, err
		}
	}

	return d, nil
}

func (d *Directory) read(what string, r io.Reader, columns int, line func(n RoutingNumber, s string)) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, maxLine), maxLine)

	for i := 1; in.Scan(); i++ {
		s := strings.TrimRight(in.Text(), "\r")
		if strings.TrimSpace(s) == "" {
			continue
		}

		if i > maxRecords {
			return fmt.Errorf("%s: more than %d lines", what, maxRecords)
		}

		if len(s) < columns || !digits(s[:9], 9) {
			return fmt.Errorf("%s: line %d is not a record of this file", what, i)
		}

		line(RoutingNumber(s[:9]), s)
	}

	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}

	return nil
}

// achLine reads a record of FedACHdir: number 1-9, record type 20 (2: send to the new number), new number 27-35, name
// 36-71.
func (d *Directory) achLine(n RoutingNumber, s string) {
	x := d.reach[n]
	x.ACH = true

	x.Name = strings.TrimSpace(s[35:71])
	if to := s[26:35]; s[19] == '2' && digits(to, 9) && to != "000000000" {
		x.NewACH = RoutingNumber(to)
	}

	d.reach[n] = x
}

// wireLine reads a record of fpddir: number 1-9, name 28-63, funds transfer status 91 (Y: accepts transfers).
func (d *Directory) wireLine(n RoutingNumber, s string) {
	x := d.reach[n]

	x.Fed = s[90] == 'Y'
	if x.Name == "" {
		x.Name = strings.TrimSpace(s[27:63])
	}

	d.reach[n] = x
}

// Lookup returns how a routing number is reached; known is false if it is in neither list.
func (d *Directory) Lookup(n RoutingNumber) (reach Reach, known bool) {
	if d == nil {
		return Reach{}, false
	}

	reach, known = d.reach[n]

	return reach, known
}

// Size returns the number of routing numbers.
func (d *Directory) Size() int {
	if d == nil {
		return 0
	}

	return len(d.reach)
}
