package qrscan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// bitWriter makes the data of a code.
type bitWriter struct {
	data []byte
	n    int
}

func (b *bitWriter) put(value, width int) *bitWriter {
	for i := width - 1; i >= 0; i-- {
		if b.n%8 == 0 {
			b.data = append(b.data, 0)
		}

		b.data[b.n/8] |= byte(value >> i & 1 << (7 - b.n%8))
		b.n++
	}

	return b
}

func (b *bitWriter) bytes(s string, width int) *bitWriter {
	b.put(modeByte, 4).put(len(s), width)

	for i := range len(s) {
		b.put(int(s[i]), 8)
	}

	return b
}

func TestSegmentsAreReadByTheStandard(t *testing.T) {
	for name, c := range map[string]struct {
		bits    *bitWriter
		version int
		want    string
		ok      bool
	}{
		"nothing":           {new(bitWriter), 1, "", true},
		"bytes":             {new(bitWriter).bytes("Zürich €", 8).put(modeEnd, 4), 9, "Zürich €", true},
		"bytes, larger":     {new(bitWriter).bytes("Zürich", 16).put(modeEnd, 4), 10, "Zürich", true},
		"full to the end":   {new(bitWriter).bytes("abc", 8), 1, "abc", true},
		"filling behind":    {new(bitWriter).bytes("abc", 8).put(modeEnd, 4).put(0xec, 8).put(0x11, 8), 1, "abc", true},
		"numerals":          {new(bitWriter).put(modeNumeric, 4).put(8, 10).put(12, 10).put(345, 10).put(67, 7).put(modeEnd, 4), 1, "01234567", true},
		"a numeral":         {new(bitWriter).put(modeNumeric, 4).put(4, 14).put(7, 10).put(9, 4), 40, "0079", true},
		"capitals":          {new(bitWriter).put(modeAlphanumeric, 4).put(5, 11).put(12*45+25, 11).put(36*45+44, 11).put(41, 6), 12, "CP :-", true},
		"mixed":             {new(bitWriter).bytes("a\n", 8).put(modeNumeric, 4).put(3, 10).put(210, 10).bytes("ü", 8), 1, "a\n210ü", true},
		"UTF-8 declared":    {new(bitWriter).put(modeECI, 4).put(26, 8).bytes("ü", 8), 1, "ü", true},
		"another declared":  {new(bitWriter).put(modeECI, 4).put(3, 8).bytes("ü", 8), 1, "ü", true},
		"long declaration":  {new(bitWriter).put(modeECI, 4).put(0x80, 8).put(26, 8).bytes("ü", 8), 1, "ü", true},
		"ISO-8859-1":        {new(bitWriter).bytes("Z\xfcrich", 8), 1, "", false},
		"ISO-8859-1 too":    {new(bitWriter).put(modeECI, 4).put(3, 8).bytes("Z\xfcrich", 8), 1, "", false},
		"part of a text":    {new(bitWriter).put(3, 4).put(0x01, 8).put(0, 8).bytes("abc", 8), 1, "", false},
		"Kanji":             {new(bitWriter).put(8, 4).put(1, 8).put(0x935, 13), 1, "", false},
		"for products":      {new(bitWriter).put(5, 4).bytes("abc", 8), 1, "", false},
		"breaks off":        {new(bitWriter).put(modeByte, 4).put(200, 8).put('a', 8), 1, "", false},
		"breaks off sooner": {new(bitWriter).put(modeByte, 4), 1, "", false},
		"no numeral":        {new(bitWriter).put(modeNumeric, 4).put(3, 10).put(1000, 10), 1, "", false},
		"no capital":        {new(bitWriter).put(modeAlphanumeric, 4).put(2, 9).put(2047, 11), 1, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := text(c.bits.data, c.version)
			require.Equal(t, c.ok, ok)

			if ok {
				require.Equal(t, c.want, got)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add(new(bitWriter).bytes("Zürich", 8).data, 1)
	f.Add(new(bitWriter).put(modeNumeric, 4).put(8, 10).put(12, 10).put(345, 10).put(67, 7).data, 27)

	f.Fuzz(func(t *testing.T, data []byte, version int) {
		if len(data) > 3000 {
			return
		}

		if s, ok := text(data, version); ok && len(s) > 4*len(data) {
			t.Fatalf("%d bytes of %d", len(s), len(data))
		}
	})
}
