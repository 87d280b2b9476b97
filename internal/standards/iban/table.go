package iban

import (
	"strconv"
	"strings"
	"sync"
)

// Registry is where the formats of IBANs are from, and RegistryCompared the day on which they were last compared with
// it.
const (
	Registry         = "IBAN Registry of SWIFT, the registration authority of ISO 13616, release 102 of June 2026"
	RegistryCompared = "2026-11-28"
)

// registry lists every country of the registry: its code, the structure of its BBAN (n digits, a letters, c either,
// each with its number), and the positions of the bank's and the branch's codes.
//
// Countries that other lists call IBAN countries and SWIFT does not (AO, DZ, IR, SN, CI, CM, CV, MA …) are omitted on
// purpose: they have domestic numbers that look similar.
const registry = `
AD n8c12 1-4 5-8; AE n19 1-3; AL n8c16 1-3 4-8; AT n16 1-5; AZ a4c20 1-4;
BA n16 1-3 4-6; BE n12 1-3; BG a4n6c8 1-4 5-8; BH a4c14 1-4; BI n23 1-5 6-10;
BR n23a1c1 1-8 9-13; BY c4n4c16 1-4; CH n5c12 1-5; CR n18 1-4; CY n8c16 1-3 4-8;
CZ n20 1-4; DE n18 1-8; DJ n23 1-5 6-10; DK n14 1-4; DO c4n20 1-4;
EE n16 1-2; EG n25 1-4 5-8; ES n20 1-4 5-8; FI n14 1-3; FK a2n12 1-2;
FO n14 1-4; FR n10c11n2 1-5 6-10; GB a4n14 1-4 5-10; GE a2n16 1-2; GI a4c15 1-4;
GL n14 1-4; GR n7c16 1-3 4-7; GT c24 1-4; HN a4n20 1-4; HR n17 1-7;
HU n24 1-3 4-7; IE a4n14 1-4 5-10; IL n19 1-3 4-6; IQ a4n15 1-4 5-7; IS n22 1-2 3-4;
IT a1n10c12 2-6 7-11; JO a4n4c18 1-4 5-8; KW a4c22 1-4; KZ n3c13 1-3; LB n4c20 1-4;
LC a4c24 1-4; LI n5c12 1-5; LT n16 1-5; LU n3c13 1-3; LV a4c13 1-4;
LY n21 1-3 4-6; MC n10c11n2 1-5 6-10; MD c20 1-2; ME n18 1-3; MK n3c10n2 1-3;
MN n16 1-4; MR n23 1-5 6-10; MT a4n5c18 1-4 5-9; MU a4n19a3 1-6 7-8; NI a4n20 1-4;
NL a4n10 1-4; NO n11 1-4; OM n3c16 1-3; PK a4c16 1-4; PL n24 1-8;
PS a4c21 1-4; PT n21 1-4 5-8; QA a4c21 1-4; RO a4c16 1-4; RS n18 1-3;
RU n14c15 1-9 10-14; SA n2c18 1-2; SC a4n20a3 1-6 7-8; SD n14 1-2; SE n20 1-3;
SI n15 1-5; SK n20 1-4; SM a1n10c12 2-6 7-11; SO n19 1-4 5-7; ST n21 1-4 5-8;
SV a4n20 1-4; TL n19 1-3; TN n20 1-2 3-5; TR n6c16 1-5; UA n6c19 1-6;
VA n18 1-3; VG a4n16 1-4; XK n16 1-2 3-4; YE a4n4c18 1-4 5-8;`

// territories use the IBAN of the country that they belong to.
const territories = "AX:FI GF:FR GP:FR MQ:FR RE:FR PF:FR TF:FR YT:FR NC:FR BL:FR MF:FR PM:FR WF:FR GG:GB IM:GB JE:GB"

// span is a part of a BBAN, from its first character (0) to the one after its last.
type span struct{ from, to int }

// format is the registry's entry of one country.
type format struct {
	length       int    // of the complete IBAN
	classes      string // one of n, a, c for each character of the BBAN
	bank, branch span
}

// formats returns the registry, parsed once.
var formats = sync.OnceValue(func() map[string]format {
	out := map[string]format{}
	for _, line := range strings.Split(registry, ";") {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}

		x := format{classes: classes(f[1]), bank: spanOf(f[2])}
		if len(f) > 3 {
			x.branch = spanOf(f[3])
		}

		x.length = 4 + len(x.classes)
		out[f[0]] = x
	}

	return out
})

// parents maps a territory to the country whose IBAN it uses.
var parents = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, pair := range strings.Fields(territories) {
		territory, parent, _ := strings.Cut(pair, ":")
		out[territory] = parent
	}

	return out
})

// classes expands "n4c12" to four n and twelve c.
func classes(s string) string {
	var b strings.Builder
	for s != "" {
		end := 1
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}

		n, err := strconv.Atoi(s[1:end])
		if err != nil {
			panic("iban: the table has " + s)
		}

		b.WriteString(strings.Repeat(s[:1], n))
		s = s[end:]
	}

	return b.String()
}

// spanOf parses "1-4", as the registry counts.
func spanOf(s string) span {
	from, to, _ := strings.Cut(s, "-")
	a, err := strconv.Atoi(from)

	b, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		panic("iban: the table has " + s)
	}

	return span{a - 1, b}
}

// Uses reports whether bank accounts of a country (ISO 3166-1 alpha-2, or XK) have an IBAN, its own or that of the
// country it belongs to.
func Uses(country string) bool { return Prefix(country) != "" }

// Prefix returns the code with which IBANs of a country begin: "FR" for Réunion. Empty if there are none.
func Prefix(country string) string {
	if p, ok := parents()[country]; ok {
		return p
	}

	if _, ok := formats()[country]; ok {
		return country
	}

	return ""
}

// BankLength returns how many characters the bank's code has in an IBAN that begins with a code, or 0 if none does.
func BankLength(prefix string) int {
	bank := formats()[prefix].bank
	return bank.to - bank.from
}
