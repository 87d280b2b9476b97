package bankcode

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
)

// Verdict is the result of the modulus check of an account in the United Kingdom.
type Verdict int

// The verdicts. Unchecked is no error: no rule exists for the sort code, or the account's digits follow no rule.
const (
	Unchecked Verdict = iota
	Passes
	Fails
)

// ModulusTable is Vocalink's table of weights (valacdos.txt) with its table of substitutions (scsubtab.txt). Pay.UK
// publishes both and changes them several times a year. They may not be redistributed, so the operator supplies the
// files. A nil table checks nothing. It does not change after it was read.
type ModulusTable struct {
	rules       []rule // sorted by from; rules of one range in the order of the file
	substitutes map[SortCode]SortCode
}

// rule is a line of the table: the weights of the fourteen digits of a sort code and account number.
type rule struct {
	from, to  SortCode
	method    string // MOD10, MOD11 or DBLAL
	weights   [14]int
	exception int
}

// ReadModulusTable reads the two files; substitutes may be nil. An error names the line. Weights are between -999 and
// 999.
func ReadModulusTable(weights, substitutes io.Reader) (*ModulusTable, error) {
	t := &ModulusTable{substitutes: map[SortCode]SortCode{}}

	err := eachLine("modulus weights", weights, func(f []string) bool {
		r, ok := ruleOf(f)
		t.rules = append(t.rules, r)
		return ok
	})
	if err == nil && substitutes != nil {
		err = eachLine("sort code substitutions", substitutes, func(f []string) bool {
			if len(f) != 2 || !digits(f[0], 6) || !digits(f[1], 6) {
				return false
			}

			t.substitutes[SortCode(f[0])] = SortCode(f[1])

			return true
		})
	}

	sort.SliceStable(t.rules, func(i, j int) bool { return t.rules[i].from < t.rules[j].from })

	return t, err
}

// eachLine passes the words of each line; each reports whether they are a record.
func eachLine(what string, r io.Reader, each func(words []string) bool) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, maxLine), maxLine)

	for i := 1; in.Scan(); i++ {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}

		if i > maxRecords || !each(words) {
			return fmt.Errorf("%s: line %d is not a record of this file", what, i)
		}
	}

	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}

	return nil
}

func ruleOf(f []string) (rule, bool) {
	if len(f) != 17 && len(f) != 18 || !digits(f[0], 6) || !digits(f[1], 6) || f[1] < f[0] {
		return rule{}, false
	}

	r := rule{from: SortCode(f[0]), to: SortCode(f[1]), method: f[2]}
	if r.method != "MOD10" && r.method != "MOD11" && r.method != "DBLAL" {
		return r, false
	}

	for i := range r.weights {
		n, err := strconv.Atoi(f[3+i])
		if err != nil || n < -999 || n > 999 {
			return r, false
		}

		r.weights[i] = n
	}

	if len(f) == 18 {
		n, err := strconv.Atoi(f[17])
		if err != nil || n < 1 || n > 14 {
			return r, false
		}

		r.exception = n
	}

	return r, true
}

// Size returns the number of rules.
func (t *ModulusTable) Size() int {
	if t == nil {
		return 0
	}

	return len(t.rules)
}

// Check reports whether an account number of eight digits matches its sort code (Vocalink, Validating Account Numbers).
// A sort code has at most two rules; both must be satisfied, unless their exceptions require only one.
func (t *ModulusTable) Check(code SortCode, account string) Verdict {
	if t == nil || !digits(string(code), 6) || !digits(account, 8) {
		return Unchecked
	}

	rules := t.rulesFor(code)
	if len(rules) == 0 {
		return Unchecked
	}

	first := t.apply(rules[0], code, account)
	if len(rules) == 1 || first == Unchecked {
		return first
	}

	second := rules[1]
	if second.exception == 3 && (account[2] == '6' || account[2] == '9') {
		return first
	}

	if oneIsEnough(rules[0].exception, second.exception) {
		if first == Passes {
			return Passes
		}

		return t.apply(second, code, account)
	}

	if first == Fails {
		return Fails
	}

	return t.apply(second, code, account)
}

func (t *ModulusTable) rulesFor(code SortCode) []rule {
	var out []rule
	for _, r := range t.rules[:sort.Search(len(t.rules), func(i int) bool { return t.rules[i].from > code })] {
		if code <= r.to && len(out) < 2 {
			out = append(out, r)
		}
	}

	return out
}

// oneIsEnough reports whether one check must pass: exceptions 2 with 9, 10 with 11, and 12 with 13.
func oneIsEnough(first, second int) bool {
	return first == 2 && second == 9 || first == 10 && second == 11 || first == 12 && second == 13
}

// Sort codes that exceptions 8 and 9 substitute for the account's own, and the weights of exception 2.
const (
	codeOfException8 = "090126"
	codeOfException9 = "309634"
)

var (
	weightsOfException2       = [14]int{0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1}
	weightsOfException2With9g = [14]int{0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1}
)

// Positions of the account number's digits a to h among the fourteen.
const (
	placeB = 7
	placeG = 12
	placeH = 13
)

// apply runs one check with the changes of its exception.
func (t *ModulusTable) apply(r rule, code SortCode, account string) Verdict {
	a := account[0]
	g := account[6]

	h := account[7]
	switch r.exception {
	case 2:
		if a != '0' && g != '9' {
			r.weights = weightsOfException2
		} else if a != '0' {
			r.weights = weightsOfException2With9g
		}
	case 5:
		if other, ok := t.substitutes[code]; ok {
			code = other
		}

	case 6: // accounts in foreign currency
		if a >= '4' && a <= '8' && g == h {
			return Unchecked
		}
	case 7:
		if g == '9' {
			clear(r.weights[:placeB+1])
		}
	case 8:
		code = codeOfException8
	case 9:
		code = codeOfException9
	case 10:
		if ab := account[:2]; (ab == "09" || ab == "99") && g == '9' {
			clear(r.weights[:placeB+1])
		}
	}

	if r.satisfied(string(code)+account) ||
		r.exception == 14 && (h == '0' || h == '1' || h == '9') && r.satisfied(string(code)+"0"+account[:7]) {
		return Passes
	}

	return Fails
}

// satisfied weights the fourteen digits and compares the remainder with the one that the exception requires, otherwise
// with zero.
func (r rule) satisfied(s string) bool {
	rest := r.total(s)
	g := int(s[placeG] - '0')

	h := int(s[placeH] - '0')
	switch {
	case r.method == "MOD11":
		rest = mod(rest, 11)
		switch r.exception {
		case 4:
			return rest == g*10+h
		case 5:
			return rest == 0 && g == 0 || rest > 1 && 11-rest == g
		}

		return rest == 0

	case r.method == "DBLAL" && r.exception == 5:
		rest = mod(rest, 10)
		return rest == 0 && h == 0 || rest > 0 && 10-rest == h
	}

	return mod(rest, 10) == 0
}

// total adds the products of digits and weights, or with DBLAL the digits of the products.
func (r rule) total(s string) int {
	sum := 0
	for i, w := range r.weights {
		p := w * int(s[i]-'0')
		if r.method == "DBLAL" {
			p = p/1000 + p/100%10 + p/10%10 + p%10
		}

		sum += p
	}

	if r.exception == 1 {
		sum += 27
	}

	return sum
}

// mod is never negative.
func mod(n, m int) int { return (n%m + m) % m }
