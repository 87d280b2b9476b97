package web

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// libraryForm is the canonical form as the library makes it: what fingerprint stands for.
func libraryForm(raw []byte) ([]byte, error) {
	text := jsontext.Value(bytes.Clone(raw))
	err := text.Canonicalize(jsontext.CanonicalizeRawInts(false))
	return text, err
}

// holdsAgainstLibrary checks one body:
//  1. what is written is what the library writes, byte for byte;
//  2. what the library refuses is not written, and has no fingerprint.
func holdsAgainstLibrary(t *testing.T, raw []byte) (written bool) {
	t.Helper()

	var c canonical
	written = c.write(raw)

	want, refused := libraryForm(raw)
	if written && len(raw) > 0 {
		require.NoError(t, refused, "%q", raw)
		require.Equal(t, string(want), string(c.out), "%q", raw)
	}

	_, err := fingerprint(raw)
	require.Equal(t, refused != nil && len(raw) > 0, err != nil, "%q", raw)

	return written
}

var fingerprintSeeds = []string{
	``,
	` `,
	`null`,
	`true `,
	`[ ]`,
	`{ }`,
	`{"b":1,"a":2}`,
	`{"a":1,"ab":2,"A":3,"":4}`,
	`{"a":1,"a":1}`,
	`{"b":1,"a":2,"b":3}`,
	`{"a":{"d":[1,{"z":1,"y":2}],"c":0},"":null}`,
	`[1,]`,
	`{"a":1,}`,
	`{,}`,
	`[1 2]`,
	`{"a" 1}`,
	`01`,
	`-`,
	`-0`,
	`--1`,
	`1-1`,
	`+1`,
	`1.0`,
	`1e2`,
	`1E+2`,
	`0.1e-7`,
	`1.`,
	`9007199254740993`,
	`9007199254740993.0`,
	`1e400`,
	`-1`,
	`-01`,
	`"\u0041"`,
	`"\u00e4"`,
	"\"\u00e4\"",
	`"\ud83d\ude00"`,
	`"\ud800"`,
	`"\/"`,
	`"\x"`,
	`"a`,
	`"\`,
	"\"\xff\"",
	"\"\x01\"",
	"\"a\u2028\"",
	`{"\u0061":1,"a":2}`,
	`{"ä":1,"z":2}`,
	`tru`,
	`nulls`,
	"{\"a\":1}\x00",
	"\ufeff{}",
	`{"a":"\"","b":"\\"}`,
	strings.Repeat("[", 40) + strings.Repeat("]", 40),
	soundOrder,
}

func FuzzFingerprint(f *testing.F) {
	for _, s := range fingerprintSeeds {
		f.Add([]byte(s))
	}

	f.Fuzz(func(t *testing.T, raw []byte) { holdsAgainstLibrary(t, raw) })
}

// A body that a client sends is written without the library's help; so the property below is one of this code.
func TestOrdinaryBodiesAreFingerprintedWithoutTheLibrary(t *testing.T) {
	for _, raw := range [][]byte{[]byte(soundOrder), largeBody(), nil, []byte(`{"note":"Größe \u00e4 \n","amount":1.50}`)} {
		require.True(t, holdsAgainstLibrary(t, raw), "%s", raw)
	}
}

// Bodies that mean the same have one fingerprint, however they are written; a body with one thing changed has another.
func TestFingerprintGoesByMeaning(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		doc := randomVariant(r, 4)
		first := []byte(doc.write(r))
		again := []byte(doc.write(r))
		holdsAgainstLibrary(t, first)
		a, err := fingerprint(first)
		require.NoError(t, err)
		b, err := fingerprint(again)
		require.NoError(t, err)
		require.Equal(t, a, b, "seed %d:\n%s\n%s", seed, first, again)

		first[r.IntN(len(first))] = `{}[],:" \a01-.e`[r.IntN(15)]
		holdsAgainstLibrary(t, first)

		if c, err := fingerprint(first); err == nil {
			before, _ := libraryForm(again)
			after, _ := libraryForm(first)
			require.Equal(t, bytes.Equal(before, after), a == c, "seed %d:\n%s\n%s", seed, first, again)
		}
	}
}

// variant is a JSON value that can be written in many ways.
type variant struct {
	text     string // of a string, or the value itself
	isText   bool
	names    []string
	elements []variant
	brackets string
}

func randomVariant(r *rand.Rand, depth int) variant {
	switch kind := r.IntN(6); {
	case kind == 0 && depth > 0, depth == 4:
		d := variant{brackets: "{}"}
		for i := range r.IntN(6) {
			name := fmt.Sprint(strings.Repeat("n", r.IntN(3)), i)
			if r.IntN(20) == 0 {
				name += []string{"ä", "😀", "\ufffd", `"`}[r.IntN(4)]
			}

			d.names = append(d.names, name)
			d.elements = append(d.elements, randomVariant(r, depth-1))
		}

		return d

	case kind == 1 && depth > 0:
		d := variant{brackets: "[]"}
		for range r.IntN(5) {
			d.elements = append(d.elements, randomVariant(r, depth-1))
		}

		return d

	case kind == 2:
		return variant{text: []string{"true", "false", "null"}[r.IntN(3)]}

	case kind == 3:
		return variant{
			text: []string{"0", "-0", "-7", "9007199254740993", "1.50", "2e3", "1E-9", "123456789012345678901234567890"}[r.IntN(8)],
		}

	default:
		return variant{
			isText: true,
			text: strings.Repeat(
				"plain ",
				r.IntN(4),
			) + []string{"", "ä", "\n", `"\`, "😀", "\u2028", "</>", "\x7f"}[r.IntN(8)],
		}
	}
}

func (d variant) write(r *rand.Rand) string {
	space := func() string { return []string{"", "", " ", "\n\t", "\r "}[r.IntN(5)] }
	if d.brackets == "" {
		text := d.text
		if d.isText {
			text = quoted(r, d.text)
		}

		return space() + text + space()
	}

	parts := make([]string, len(d.elements))
	for i, at := range r.Perm(len(parts)) {
		if d.names == nil {
			at = i // the order of a list means something
		}

		parts[i] = d.elements[at].write(r)
		if d.names != nil {
			parts[i] = space() + quoted(r, d.names[at]) + space() + ":" + parts[i]
		}
	}

	return space() + d.brackets[:1] + space() + strings.Join(parts, ",") + d.brackets[1:] + space()
}

// quoted escapes what has to be, and sometimes what need not be.
func quoted(r *rand.Rand, s string) string {
	var b strings.Builder

	always := r.IntN(4) == 0
	for _, c := range s {
		switch {
		case c > 0xffff && always:
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+(c-0x10000)>>10, 0xdc00+(c-0x10000)&0x3ff)
		case c < ' ' || c == '"' || c == '\\' || c <= 0xffff && always && r.IntN(3) == 0:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}

	return `"` + b.String() + `"`
}

func BenchmarkFingerprint(b *testing.B) {
	body := largeBody()

	b.Run("pass", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))

		for b.Loop() {
			if _, err := fingerprint(body); err != nil {
				b.Fatal(err)
			}
		}
	})

	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))

		for b.Loop() {
			text, err := libraryForm(body)
			if err != nil {
				b.Fatal(err)
			}

			_ = sum(text)
		}
	})
}
