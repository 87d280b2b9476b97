package document

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// streamOf is a stream with its data as they are; its dictionary tells nothing.
func streamOf(data string) string {
	return fmt.Sprintf("<< /N 1 /First 4 /Length %d >>\nstream\n%s\nendstream", len(data), data)
}

func inHex(s string) string { return hex.EncodeToString([]byte(s)) + ">" }

func in85(s string) string {
	var b bytes.Buffer
	w := ascii85.NewEncoder(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()

	return b.String() + "~>"
}

// inRuns packs so that no name stays whole.
func inRuns(s string) (out string) {
	for len(s) > 0 {
		n := min(3, len(s))
		out += string([]byte{byte(n - 1)}) + s[:n]
		s = s[n:]
	}

	return out + "\x80"
}

// inLZW packs with codes of nine bits, which all readers read alike.
func inLZW(s string) string {
	var (
		b          bytes.Buffer
		bits, have uint
	)

	put := func(code uint) {
		bits = bits<<9 | code

		have = have + 9
		for have >= 8 {
			have -= 8
			b.WriteByte(byte(bits >> have))
		}
	}
	for i := range len(s) {
		if i%100 == 0 {
			put(lzwClear)
		}

		put(uint(s[i]))
	}

	put(lzwEnd)
	b.WriteByte(byte(bits << (8 - have)))

	return b.String()
}

// behindRows is data behind PNG's predictor, in rows that hide a name.
func behindRows(s string, kind byte) string {
	const width = 8

	var out []byte

	above := make([]byte, width)
	for row := []byte(s); len(row) > 0; {
		n := min(width, len(row))

		out = append(out, kind)

		before := byte(0)
		for i, c := range row[:n] {
			switch kind {
			case 1:
				out = append(out, c-before)
			case 2:
				out = append(out, c-above[i])
			default:
				out = append(out, c)
			}

			before = c
		}

		copy(above, row[:n])
		row = row[n:]
	}

	return string(out)
}

// L-01: what runs or sends is found behind every filter, however it is written.
func TestActivePDFsAreRefused(t *testing.T) {
	const script = "1 0 <</S/JavaScript/JS(app.alert(1))>>"
	cutOff := packed("1 0 <</A/B>>" + script)

	cutOff = cutOff[:len(cutOff)-6]
	for name, c := range map[string]struct {
		object string
		want   fault.Code
	}{
		"a form that is sent":         {"<< /S /SubmitForm /F (https://example.org) >>", fault.DocumentActive},
		"data that are fetched":       {"<< /S /ImportData /F (x.fdf) >>", fault.DocumentActive},
		"another file":                {"<< /S /GoToR /F (//host/share/x.pdf) >>", fault.DocumentActive},
		"an attached file":            {"<< /S /GoToE /T << /R /C >> >>", fault.DocumentActive},
		"a player":                    {"<< /S /Rendition /JS (app.alert(1)) >>", fault.DocumentActive},
		"a name with escapes":         {"<< /S /Submi#74Form >>", fault.DocumentActive},
		"a name of escapes":           {"<< /S /#53#75#62#6d#69#74#46#6f#72#6d >>", fault.DocumentActive},
		"an address that is a script": {"<< /S /URI /URI (javascript:alert(1)) >>", fault.DocumentActive},
		"the same in other letters":   {"<< /S /URI /URI ( JavaScript:alert(1)) >>", fault.DocumentActive},
		"the same with white space":   {"<< /S /URI /URI (java\nscr\\ript\\t:alert(1)) >>", fault.DocumentActive},
		"the same in octal":           {`<< /S /URI /URI (\152\141\166\141\163\143\162\151\160\164\72x) >>`, fault.DocumentActive},
		"the same in hex":             {"<< /S /URI /URI <6A617661 7363726970743A78> >>", fault.DocumentActive},
		"the same in UTF-16": {"<< /S /URI /URI " +
			"(\xfe\xff\x00j\x00a\x00v\x00a\x00s\x00c\x00r\x00i\x00p\x00t\x00:) >>", fault.DocumentActive},
		"the same as an object":              {"(javascript:x)", fault.DocumentActive},
		"objects in hex":                     {streamOf(inHex(script)), fault.DocumentActive},
		"objects in hex with white space":    {streamOf(strings.ReplaceAll(inHex(script), "3", "\n3 ")), fault.DocumentActive},
		"objects in base 85":                 {streamOf(in85(script)), fault.DocumentActive},
		"objects in base 85, marked":         {streamOf("<~" + in85(script)), fault.DocumentActive},
		"objects in runs":                    {streamOf(inRuns(script)), fault.DocumentActive},
		"objects in LZW":                     {streamOf(inLZW(script)), fault.DocumentActive},
		"objects packed, in hex":             {streamOf(inHex(packed(script))), fault.DocumentActive},
		"objects packed, in base 85":         {streamOf(in85(packed(script))), fault.DocumentActive},
		"objects packed twice":               {streamOf(packed(packed(script))), fault.DocumentActive},
		"objects in runs, packed":            {streamOf(packed(inRuns(script))), fault.DocumentActive},
		"objects in LZW, packed":             {streamOf(packed(inLZW(script))), fault.DocumentActive},
		"objects in hex, packed":             {streamOf(packed(inHex(script))), fault.DocumentActive},
		"objects in hex, in base 85, in hex": {streamOf(inHex(in85(inHex(script)))), fault.DocumentActive},
		"objects in LZW, in base 85":         {streamOf(in85(inLZW(script))), fault.DocumentActive},
		"objects behind a comment":           {objectStream("%x\n" + script), fault.DocumentActive},
		"objects behind a predictor":         {streamOf(packed(behindRows(script, 2))), fault.DocumentActive},
		"objects behind another predictor":   {streamOf(packed(behindRows(script, 1))), fault.DocumentActive},
		"objects whose data hold the end":    {streamOf(inHex("1 0 <</A/B")[:20] + " endstream " + inHex("/S/JavaScript>>")), fault.DocumentAmbiguous},
		"packed objects that do not end":     {streamOf(cutOff), fault.DocumentAmbiguous},
		"far in objects in base 85":          {streamOf(in85("1 0 <</A(" + strings.Repeat("x", 9000) + ")/S/Launch>>")), fault.DocumentActive},
		"more than is unpacked":              {streamOf(inHex(packed("1 0 <<" + strings.Repeat(" ", 5<<20)))), fault.DocumentTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			content := pdfOf(c.object)

			for way, r := range map[string]io.Reader{
				"at once":      strings.NewReader(content),
				"byte by byte": iotest.OneByteReader(strings.NewReader(content)),
			} {
				_, err := inspect(r)
				require.True(t, fault.Is(err, c.want), "%s, %s: %v", name, way, err)
			}
		})
	}
}

// L-01: documents that only look like it are taken.
func TestHarmlessPDFsAreTaken(t *testing.T) {
	page := "q\n1 0 0 1 72.5 720 cm\n/F1 11 Tf BT (Invoice 4711) Tj ET\nQ"

	for name, object := range map[string]string{
		"an address":                   "<< /S /URI /URI (https://example.org/javascript:1) >>",
		"words in a title":             "<< /Title (On JavaScript, GoToR and SubmitForm) >>",
		"names that begin alike":       "<< /GoTo 1 /SubmitForms 2 /GoToRemote 3 /Renditions 4 >>",
		"a page":                       streamOf(page),
		"a page, packed":               streamOf(packed(page)),
		"a page in base 85, packed":    streamOf(in85(packed(page))),
		"a page in hex":                streamOf(inHex(page)),
		"a page in LZW":                streamOf(inLZW(page)),
		"numbers":                      streamOf(packed("0 0 612 792 re f")),
		"objects in base 85":           streamOf(in85("1 0 <</Type/Page>>")),
		"objects packed, in base 85":   streamOf(in85(packed("1 0 <</Type/Page>>"))),
		"a picture behind a predictor": streamOf(packed(behindRows(strings.Repeat("\x10\x20\x30\x40", 100), 2))),
		"hex that does not end":        streamOf("616263"),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := inspect(strings.NewReader(pdfOf(object)))
			require.NoError(t, err)
			require.Equal(t, PDF, f.contentType)
		})
	}
}

// What the standard library packs with LZW is unpacked the same, with codes of all widths.
func TestLZWOfAllWidths(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "%d %x ", i, i*i)
	}

	var b bytes.Buffer
	w := lzw.NewWriter(&b, lzw.MSB, 8)
	_, _ = io.WriteString(w, text.String())
	require.NoError(t, w.Close())
	out, complete := unpackLZWLate(b.Bytes(), 1<<20)
	require.True(t, complete)
	require.Equal(t, text.String(), string(out))
}
