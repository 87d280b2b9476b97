package iso20022

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestDecimals(t *testing.T) {
	for in, want := range map[string]string{
		"1":                  "1",
		"01.00":              "1.00",
		"+5":                 "5",
		".4":                 "0.4",
		"4.":                 "4",
		"0":                  "0",
		"000":                "0",
		"0.10":               "0.10",
		"007.5":              "7.5",
		"100.0000000000005":  "100.0000000000005",
		"123456789012345678": "123456789012345678",
	} {
		t.Run(in, func(t *testing.T) {
			if got, ok := Decimal([]byte(in)); !ok || string(got) != want {
				t.Errorf("%q: %q %v, want %q", in, got, ok, want)
			}
		})
	}

	for _, bad := range []string{"", "+", "-", ".", "-1", "1e3", "1,00", "1.2.3", " 1", "1 000", "١", "NaN", "0x1", "1234567890123456789", "++1"} {
		if got, ok := Decimal([]byte(bad)); ok {
			t.Errorf("%q passes as %q", bad, got)
		}
	}
}

// The invariants of a sum: 1. it is exact, whatever the sizes and decimals; 2. taking away what was added gives zero;
// 3. a sum of sums is the sum of all.
func TestSumsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		var all, left, right Sum
		exact := new(big.Rat)

		var values []string
		for range r.IntN(40) {
			value := strconv.FormatUint(r.Uint64()>>(5+r.IntN(59)), 10)
			if value = value[:min(len(value), 18)]; r.IntN(2) == 0 {
				at := r.IntN(len(value)) + 1
				value = strings.TrimSuffix(value[:at]+"."+value[at:], ".")
			}

			values = append(values, value)
			n, _ := new(big.Rat).SetString(value)

			part := &left
			if r.IntN(2) == 0 {
				part = &right
			}

			if r.IntN(3) == 0 {
				exact.Sub(exact, n)
				all.Sub(value)
				part.Sub(value)
			} else {
				exact.Add(exact, n)
				all.Add(value)
				part.Add(value)
			}
		}

		got, ok := new(big.Rat).SetString(all.String())
		if !ok || got.Cmp(exact) != 0 || all.Sign() != exact.Sign() || !all.Equal(all.String()) {
			t.Fatalf("%v: %s, want %s", values, all.String(), exact.FloatString(18))
		}

		left.AddSum(&right)

		if left.Cmp(&all) != 0 {
			t.Fatalf("%v: the parts make %s, all %s", values, left.String(), all.String())
		}

		left.SubSum(&all)

		if left.Sign() != 0 || left.String() != "0.00" {
			t.Fatalf("%v: %s is left", values, left.String())
		}
	}

	var s Sum
	for _, bad := range []string{"", "-1", "1e3", ".5", "x"} {
		if s.Add(bad) || s.Sign() != 0 {
			t.Errorf("%q is added", bad)
		}
	}
}

func TestReasonsInTheWordsOfTheInterface(t *testing.T) {
	for _, c := range []struct {
		code           string
		back, answered Reason
	}{
		{"AC01", ReasonAccountUnknown, ReasonAccountUnknown},
		{"AC04", ReasonAccountClosed, ReasonAccountClosed},
		{"AC06", ReasonAccountBlocked, ReasonAccountBlocked},
		{"AC16", ReasonAccountBlocked, ReasonAccountUnknown}, // sequestration; the number of a card
		{"AG01", ReasonAccountBlocked, ReasonAccountBlocked},
		{"BE01", ReasonNameMismatch, ReasonNameMismatch},
		{"BE04", ReasonRegulatory, ReasonRegulatory},
		{"CNOR", ReasonAccountUnknown, ReasonAccountUnknown},
		{"ED05", ReasonTechnical, ReasonTechnical},
		{"MD07", ReasonAccountBlocked, ReasonAccountBlocked},
		{"MS02", ReasonRefused, ReasonRefused},
		{"MS03", ReasonNotSpecified, ReasonNotSpecified},
		{"RR04", ReasonRegulatory, ReasonRegulatory},
		{"TECH", ReasonTechnical, ReasonTechnical},
		{"FOCR", ReasonNotSpecified, ReasonNotSpecified},
		{"AM05", ReasonDuplicate, ReasonDuplicate},
		{"DU01", ReasonNotSpecified, ReasonDuplicate},
		{"AB05", ReasonNotSpecified, ReasonTechnical},
		{"FRAD", ReasonFraud, ReasonFraud},
		{"R02", ReasonAccountClosed, ReasonAccountClosed},
		{"R03", ReasonAccountUnknown, ReasonAccountUnknown},
		{"R16", ReasonAccountBlocked, ReasonAccountBlocked},
		{"R23", ReasonRefused, ReasonRefused},
		{"", ReasonNotSpecified, ReasonNotSpecified},
		{"ZZZZ", ReasonNotSpecified, ReasonNotSpecified},
	} {
		if back, answered := ReturnReason(c.code), StatusReason(c.code); back != c.back || answered != c.answered {
			t.Errorf("%s: %s and %s, want %s and %s", c.code, back, answered, c.back, c.answered)
		}
	}
}
