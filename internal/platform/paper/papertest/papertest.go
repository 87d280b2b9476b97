// Package papertest reads PDF files that package paper has made: what they are built of and what is written on each
// page. It reads the files of the library behind that package and no others.
package papertest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// File is one that was read.
type File struct {
	Objects   int
	Names     []string   // every name of its dictionaries (/Type, /Font …), each once, sorted
	Operators []string   // every operator of its pages, each once, sorted
	Pages     [][]string // texts in the order in which they were drawn
}

var (
	object = regexp.MustCompile(`(?s)(\d+) 0 obj\n(.*?)endobj`)
	stream = regexp.MustCompile(`(?s)stream\n(.*)\nendstream`)
	name   = regexp.MustCompile(`/[A-Za-z0-9]+`)
	font   = regexp.MustCompile(`/F[0-9a-f]{40}`) // the library names fonts by what is in them
	xref   = regexp.MustCompile(`(?s)startxref\n(\d+)\n%%EOF\n?$`)
)

// Read takes a file apart. A file that is not built as it should be fails the test.
func Read(t testing.TB, pdf []byte) File {
	t.Helper()
	f, err := read(pdf)
	require.NoError(t, err)

	return f
}

func read(pdf []byte) (File, error) {
	var f File
	if !bytes.HasPrefix(pdf, []byte("%PDF-1.")) || !xref.Match(pdf) {
		return f, fmt.Errorf("not a PDF file from its first byte to its last")
	}

	names := map[string]bool{}

	operators := map[string]bool{}
	for _, m := range object.FindAllSubmatch(pdf, -1) {
		f.Objects++
		body := m[2]

		data := stream.FindSubmatch(body)
		for _, n := range name.FindAll(stream.ReplaceAll(body, nil), -1) {
			names[string(font.ReplaceAll(n, []byte("/Font…")))] = true
		}

		if data == nil || !bytes.Contains(body, []byte("FlateDecode")) {
			continue
		}

		z, err := zlib.NewReader(bytes.NewReader(data[1]))
		if err != nil {
			return f, err
		}

		plain, err := io.ReadAll(z)
		if err != nil {
			return f, err
		}

		// neither a font nor its map
		if !bytes.Contains(body, []byte("/Length1")) && !bytes.ContainsRune(plain[:min(len(plain), 64)], 0) {
			texts, err := content(plain, operators)
			if err != nil {
				return f, err
			}

			f.Pages = append(f.Pages, texts)
		}
	}

	f.Names = sorted(names)
	f.Operators = sorted(operators)

	return f, nil
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}

	slices.Sort(out)

	return out
}

// content reads a page's drawing: texts in parentheses (ISO 32000-1, 7.3.4.2), and operators, which are words of
// letters.
func content(plain []byte, operators map[string]bool) (texts []string, err error) {
	for i := 0; i < len(plain); {
		switch c := plain[i]; {
		case c == '(':
			text, next, err := literal(plain, i+1)
			if err != nil {
				return nil, err
			}

			texts = append(texts, text)
			i = next

		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '*' || c == '\'' || c == '"':
			end := i
			for end < len(plain) && plain[end] > ' ' {
				end++
			}

			operators[string(plain[i:end])] = true
			i = end

		case c == '/': // the name of a font
			for i < len(plain) && plain[i] > ' ' {
				i++
			}

		case strings.IndexByte(" \n\r0123456789.-[]", c) >= 0:
			i++
		default:
			return nil, fmt.Errorf("a page holds %q at %d", c, i)
		}
	}

	return texts, nil
}

func literal(plain []byte, from int) (text string, next int, err error) {
	var raw []byte
	for i := from; i < len(plain); i++ {
		switch plain[i] {
		case '\\':
			if i++; i == len(plain) {
				break
			}

			c := plain[i]
			if c == 'r' {
				c = '\r'
			}

			raw = append(raw, c)

		case '(':
			return "", 0, fmt.Errorf("a parenthesis that is not escaped")

		case ')':
			units := make([]uint16, len(raw)/2)
			for k := range units {
				units[k] = uint16(raw[2*k])<<8 | uint16(raw[2*k+1])
			}

			return string(utf16.Decode(units)), i + 1, nil

		default:
			raw = append(raw, plain[i])
		}
	}

	return "", 0, fmt.Errorf("a text without an end")
}
