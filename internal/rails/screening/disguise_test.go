package screening_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/text"
	"slipway/internal/rails/screening"
	"slipway/internal/standards/lookalike"
)

// limit is from where on a name waits for people, where the operator says nothing else.
const limit = 85

// unseen are characters that show nothing where they stand.
var unseen = []rune{
	0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202c,
	0x202e, 0x2060, 0x2061, 0x2063, 0x2066, 0x2069, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1bca0,
	0x1d173, 0xe0001, 0xe0061, 0xe0100, 0xe01ef,
	0x335, 0x300, 0x20dd, '.', '\'', '’', 0x2b9, 0x2bc, // seen, and no letters
}

// gaps are what a word may be split by.
var gaps = []string{
	" ",
	"  ",
	"-",
	"_",
	"/",
	",",
	"\u00a0",
	"\u2003",
	"\u2009",
	"\u202f",
	"\u2800",
	"\u3000",
	"·",
	"–",
	"\t",
	"•",
}

// disguises returns ways to write a name so that it reads the same, by their kind: at one place, and everywhere.
func disguises(name string, at int) map[string]string {
	runes := []rune(norm.NFD.String(name))
	at %= len(runes)

	out := map[string]string{}
	put := func(kind string, change func(i int, r rune) string) {
		everywhere := ""
		for i, r := range runes {
			everywhere += change(i, r)
		}

		once := string(runes[:at]) + change(at, runes[at]) + string(runes[at+1:])
		out[kind+" once"] = once
		out[kind+" everywhere"] = everywhere
	}

	for _, r := range unseen {
		put(fmt.Sprintf("%U", r), func(i int, x rune) string {
			if i == 0 || !unicode.IsLetter(x) {
				return string(x)
			}

			return string(r) + string(x)
		})
	}

	for _, gap := range gaps {
		put(fmt.Sprintf("split by %+q", gap), func(i int, x rune) string {
			if i == 0 || !unicode.IsLetter(x) || !unicode.IsLetter(runes[i-1]) {
				return string(x)
			}

			return gap + string(x)
		})
	}

	for n := range 8 {
		put(fmt.Sprintf("lookalike %d", n), func(_ int, x rune) string {
			all := like()[unicode.ToLower(x)]
			if len(all) == 0 {
				return string(x)
			}

			return string(all[(n*7+at)%len(all)])
		})
	}

	for kind, pairs := range map[string][]string{
		"ones":   {"l", "1", "L", "1", "i", "1", "I", "1"},
		"small":  {"I", "l", "i", "l"},
		"bars":   {"I", "|", "l", "|"},
		"nulls":  {"o", "0", "O", "0"},
		"double": {"m", "rn", "M", "rn", "w", "vv", "W", "vv"},
	} {
		out[kind] = strings.NewReplacer(pairs...).Replace(string(runes))
	}

	out["several"] = strings.NewReplacer("a", "\u0430", "e", "\u0435\u200b", "o", "0", "i", "1", "A", "\u0391", "E",
		"\u0395\u00ad", "O", "\u041e", "I", "|", "N", "\u2060N", "R", " R", "V", "V.").Replace(string(runes))

	put("fullwidth", func(_ int, x rune) string {
		if x > ' ' && x < 0x7f {
			return string(x + 0xfee0)
		}

		return string(x)
	})
	put("mathematical", func(_ int, x rune) string {
		if x >= 'A' && x <= 'Z' {
			return string(x - 'A' + 0x1d5d4)
		}

		return string(x)
	})
	put("boxed", func(_ int, x rune) string {
		if x >= 'A' && x <= 'Z' {
			return string(x - 'A' + 0x1f170)
		}

		return string(x)
	})

	return out
}

// like is what looks like each Latin letter, and is one character.
var like = sync.OnceValue(func() map[rune][]rune {
	out := map[rune][]rune{}
	for r := rune(0x80); r < 0x1ffff; r++ {
		if s, ok := lookalike.Latin(r); ok && len(s) == 1 && !unicode.IsMark(r) {
			out[rune(s[0])] = append(out[rune(s[0])], r)
		}
	}

	return out
})

// Who is listed is found however his name is disguised: with characters that nobody sees, with letters that look like
// others, or in pieces; and so is what is left of such a name where it enters.
func TestListedNamesAreFoundInEveryDisguise(t *testing.T) {
	names := []string{
		"BOROVKIN, Dmitriy Yuryevich", "ZELENOGRAD MACHINE WORKS JSC", "ZELENOGRAD PRECISION TRADING COMPANY",
		"MÜLLER-ŠIMIĆ, José Łukasz", "AL-RASHID, Khalid bin Omar", "OMAR MILLIM", "IVAN ILLICH", "BLUE WILLOW LLC",
		"IRIS MAKRAN", "MINIMUM WORLDWIDE GENERAL TRADING LTD", "HAJI KHAN", "Abd al-Hamid al-Masri", "Боровкин Роман",
	}
	holdDisguises(t, names, "", 1)
}

// Words without the blanks between them are found as well, as long as they can be told apart.
func TestListedNamesAreFoundInOneWord(t *testing.T) {
	p := published(t)
	for name, entry := range map[string]string{
		"DmitriyBorovkin":             "101",
		"BorovkinDmitriy Yuryevich":   "101",
		"ZelenogradMachineWorksJSC":   "102",
		"ZelenogradMachine Works":     "102",
		"Zelenograd-PrecisionTrading": "102",
		"\u0417elenogradMachineWorks": "102",
		"Jose Lukasz MullerSimic":     "104",
	} {
		hit, found := best(t, p, name)
		require.True(t, found, name)
		require.Equal(t, entry, hit.Entry, name)
	}

	for _, name := range []string{"Dmitriyborov", "MachineWorks Bern AG", "DmitriyPetrov", "PrecisionTradingCompany"} {
		hit, found := best(t, p, name)
		require.False(t, found, "%s: %s", name, hit.Why)
	}
}

// The same holds for as many names as published lists have, which share their words and parts of them.
func TestListedNamesAreFoundAmongMany(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	parts := strings.Fields(
		"al ben bor dar el gor hal iv jan kar lim mal nor ol pet rad sam tor ul vor wal yus zim an ov in ir ar ek",
	)

	var names []string
	for range 1500 {
		var words []string
		for range 2 + random.IntN(3) {
			w := ""
			for range 1 + random.IntN(3) {
				w += parts[random.IntN(len(parts))]
			}

			words = append(words, w)
		}

		names = append(names, strings.ToUpper(strings.Join(words, " ")))
	}

	holdDisguises(t, names, "", 40)
}

// The same holds for the names of published lists.
func TestPublishedNamesAreFoundInEveryDisguise(t *testing.T) {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	path := filepath.Join(dir, "chain_refdata", "ofac", "watchman_sdn.csv")

	f, err := os.Open(path)
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	defer func() { require.NoError(t, f.Close()) }()

	var names []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		cells := strings.Split(lines.Text(), `"`)
		if len(cells) > 3 && !strings.Contains(cells[3], "vessel") && !strings.Contains(cells[3], "aircraft") {
			names = append(names, cells[1])
		}
	}

	require.NotEmpty(t, names)
	holdDisguises(t, names, path, max(1, len(names)/40))
}

// holdDisguises disguises each nth name of a list; without a path they are the list.
func holdDisguises(t *testing.T, names []string, path string, nth int) {
	t.Helper()

	if path == "" {
		path = file(t, "own.txt", "name: "+strings.Join(names, "\nname: ")+"\n")
	}

	lists, err := screening.NewLists(path)
	require.NoError(t, err)

	for n := 0; n < len(names); n += nth {
		name := names[n]

		key := ""
		if known, err := lists.Match(name, limit); err == nil && len(known) > 0 {
			key = known[0].Key
		}

		for kind, disguised := range disguises(name, 1+n*5) {
			for _, as := range []string{disguised, text.Clean(disguised)} {
				hits, err := lists.Match(as, limit)
				if err != nil ||
					!slices.ContainsFunc(hits, func(h screening.Hit) bool { return h.Name == name || h.Key == key }) {
					t.Errorf("%s, %s: %+q has %d hits, none of them this: %v", name, kind, as, len(hits), err)
				}
			}
		}
	}
}
