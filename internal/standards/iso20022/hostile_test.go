package iso20022

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

var accept = Accept{"camt.053": {Root: "BkToCstmrStmt", First: "01", Last: "14"}}

// lists lets the tests' own elements stand more than once where a test is about something else.
var lists = Lists{"BkToCstmrStmt/A": true, "BkToCstmrStmt/B": true, "B/A": true}

const (
	namespace = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"
	head      = `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="` + namespace + `"><BkToCstmrStmt>`
	tail      = `</BkToCstmrStmt></Document>`
)

// all reads a message and gives the values of its leaves as name=value; every direct child of the root counts as a
// record.
func all(r io.Reader, l Limits) (string, error) {
	s := NewScanner(r, l)
	if _, ok := s.Open(accept, lists); !ok {
		return "", s.Err()
	}

	var (
		b    strings.Builder
		walk func(depth int)
	)
	walk = func(depth int) {
		for s.Child() {
			name := string(s.Name())
			if name == "Skip" {
				s.Skip()
				continue
			}

			if s.Leaf() {
				if b.Len() < 1<<16 {
					fmt.Fprintf(&b, "%s=%s;", name, s.Text())
				} else {
					s.Text()
				}
			} else {
				walk(depth + 1)
			}

			if depth == 0 {
				s.Record()
			}
		}
	}
	walk(0)
	err := s.Close()

	return b.String(), err
}

func codeOf(err error) Code {
	if e := new(Error); errors.As(err, &e) {
		return e.Code
	}

	return Code(fmt.Sprint(err))
}

// F-12: encodings, namespaces and what XML lets stand between elements.
func TestWhatXMLAllowsIsRead(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"plain", head + "<A>1</A><B><C> x </C></B>" + tail, "A=1;C=x;"},
		{"empty elements", head + "<A/><B></B><C />" + tail, "A=;B=;C=;"},
		{"entities", head + "<A>a &amp; b &lt;&gt;&quot;&apos;&#65;&#x20AC;</A>" + tail, `A=a & b <>"'A€;`},
		{"CDATA", head + "<A>a<![CDATA[<b>]] &amp;]]>c</A>" + tail, "A=a<b>]] &amp;c;"},
		{"comments behind a value", head + "<!-- <x> --><A>1<!-- - -->2</A><?pi x?>" + tail + "<!-- end -->\n", "A=12;"},
		{"line ends of Windows", head + "<A>a\r\nb\rc</A>" + tail, "A=a\nb\nc;"},
		{"attributes", head + `<A x="1" y='>"'>1</A ><Skip a="/"><D/>text &amp; more<E>1</E></Skip>` + tail, "A=1;"},
		{"byte order mark", "\xef\xbb\xbf" + head + "<A>é</A>" + tail, "A=é;"},
		{"no declaration", strings.TrimPrefix(head, `<?xml version="1.0" encoding="UTF-8"?>`) + "<A>1</A>" + tail, "A=1;"},
		{"ISO-8859-1", strings.Replace(head, "UTF-8", "ISO-8859-1", 1) + "<A>M\xfcller \xa3</A>" + tail, "A=Müller £;"},
		{"ISO-8859-15", strings.Replace(head, "UTF-8", "ISO-8859-15", 1) + "<A>M\xfcller \xa4</A>" + tail, "A=Müller €;"},
		{"windows-1252", strings.Replace(head, "UTF-8", "Windows-1252", 1) + "<A>M\xfcller \x80</A>" + tail, "A=Müller €;"},
		{"ISO-8859-2", strings.Replace(head, "UTF-8", "ISO-8859-2", 1) + "<A>\xb9</A>" + tail, "A=š;"},
		{"ISO-8859-7", strings.Replace(head, "UTF-8", "ISO-8859-7", 1) + "<A>\xc1</A>" + tail, "A=Α;"},
		{"windows-1250", strings.Replace(head, "UTF-8", "windows-1250", 1) + "<A>\xe8</A>" + tail, "A=č;"},
		{"CP850", strings.Replace(head, "UTF-8", "IBM850", 1) + "<A>M\x81ller</A>" + tail, "A=Müller;"},
		{"CP852", strings.Replace(head, "UTF-8", "cp852", 1) + "<A>\xa0tutal\xa0s</A>" + tail, "A=átutalás;"},
		{"said UTF-8, is Latin-9", head + "<A>M\xfcller \xa4 \x84x\x93 caf\xe9</A><C>\xc0\xaf</C>" + tail, "A=Müller € „x“ café;C=À¯;"},
		{"UTF-16", string(utf16le("\ufeff" + strings.Replace(head, "UTF-8", "UTF-16", 1) + "<A>Müller € 😀</A>" + tail)), "A=Müller € 😀;"},
		{"UTF-16, no mark", string(utf16le(strings.Replace(head, "UTF-8", "UTF-16LE", 1) + "<A>é</A>" + tail)), "A=é;"},
		{"UTF-16, the other way", string(swapped(utf16le("\ufeff" + strings.Replace(head, "UTF-8", "utf-16", 1) + "<A>é😀</A>" + tail))), "A=é😀;"},
		{"a blank line before the declaration", "\r\n\n" + head + "<A>1</A>" + tail, "A=1;"},
		{"a blank line behind the mark", "\xef\xbb\xbf\n" + head + "<A>1</A>" + tail, "A=1;"},
		{"a mark behind a blank line", "\n\xef\xbb\xbf" + head + "<A>1</A>" + tail, "A=1;"},
		{"comments before a value", head + "<A><!-- - --> <?pi?>1</A><B> <!----><C>1</C></B><A> <!-- --> </A>" + tail, "A=1;C=1;A=;"},
		{"CDATA that is a value", head + "<A> <![CDATA[<1>]]></A>" + tail, "A=<1>;"},
		{"CDATA that is blank", head + "<B><C>1</C><![CDATA[ ]]></B>" + tail, "C=1;"},
		{"an element twice that is skipped", head + "<Skip>1</Skip><C>1</C><Skip><C/><C/></Skip>" + tail, "C=1;"},
		{"the same element in two", head + "<B><C>1</C></B><B><C>2</C></B>" + tail, "C=1;C=2;"},
		{"an Austrian namespace", strings.Replace(head, namespace, "ISO:camt.053.001.02:APC:STUZZA:payments:003", 1) + "<A>1</A>" + tail, "A=1;"},
		{"the first version", strings.NewReplacer(namespace, "urn:iso:std:iso:20022:tech:xsd:camt.053.001.01", "Stmt>", "StmtV01>").Replace(head + "<C>1</C>" + tail), "C=1;"},
		{"a prefix", `<n:Document xmlns:n="` + namespace + `"><n:BkToCstmrStmt><n:A>1</n:A></n:BkToCstmrStmt></n:Document>`, "A=1;"},
		{"an envelope", `<E xmlns="urn:x"><H>` + namespace + "</H>" + strings.TrimPrefix(head, `<?xml version="1.0" encoding="UTF-8"?>`) + "<A>1</A>" + tail + "<T/></E>", "A=1;"},
		{"a business header", `<E><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><MsgDefIdr>camt.053.001.08</MsgDefIdr></AppHdr>` +
			`<Document xmlns="` + namespace + `"><BkToCstmrStmt><A>1</A>` + tail + "</E>", "A=1;"},
		{"anything in a supplement", head + `<S><Envlp><x xmlns="urn:any"><y>1</y></x></Envlp></S>` + tail, "y=1;"},
		{"schema location", strings.Replace(head, "><Bk", ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"><Bk`, 1) + tail, ""},
	} {
		for _, slow := range []bool{false, true} {
			r := io.Reader(strings.NewReader(c.file))
			if slow {
				r = iotest.OneByteReader(r)
			}

			if got, err := all(r, Limits{}); err != nil || got != c.want {
				t.Errorf("%s (byte by byte: %v): %q %v, want %q", c.name, slow, got, err, c.want)
			}
		}
	}
}

// D-10, F-12: what is hostile, damaged or not ours is refused with a code.
func TestHostileFilesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       Code
	}{
		{"nothing", "", CodeEmpty},
		{"blanks", " \n\t ", CodeEmpty},
		{"a document type", `<!DOCTYPE Document [<!ENTITY a "b">]>` + head + tail, CodeDTD},
		{"a document type behind the declaration", `<?xml version="1.0"?><!DOCTYPE d SYSTEM "http://example.org/x.dtd"><d/>`, CodeDTD},
		{"billion laughs", `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]><lolz>&lol2;</lolz>`, CodeDTD},
		{"an external entity", `<!DOCTYPE foo [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>` + head + "<A>&xxe;</A>" + tail, CodeDTD},
		{"an entity without a type", head + "<A>&xxe;</A>" + tail, CodeEntity},
		{"an entity in what is skipped", head + "<Skip>&xxe;</Skip>" + tail, CodeEntity},
		{"an entity for a control character", head + "<A>&#0;</A>" + tail, CodeEntity},
		{"an entity for half a character", head + "<A>&#xD800;</A>" + tail, CodeEntity},
		{"an ampersand", head + "<A>a & b</A>" + tail, CodeSyntax},
		{"no namespace", "<Document><BkToCstmrStmt></BkToCstmrStmt></Document>", CodeNoNamespace},
		{"a foreign namespace", `<Document xmlns="urn:example:camt.053.001.08"><BkToCstmrStmt/></Document>`, CodeNamespace},
		{"a namespace of another version's form", `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053"><BkToCstmrStmt/></Document>`, CodeNamespace},
		{"another message", `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn/></Document>`, CodeMessage},
		{"another message's namespace", `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrStmt/></Document>`, CodeMessage},
		{"another message's root", `<Document xmlns="` + namespace + `"><BkToCstmrDbtCdtNtfctn/></Document>`, CodeMessage},
		{"a version that is not read", `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.99"><BkToCstmrStmt/></Document>`, CodeMessage},
		{"a header of another message", `<E><MsgDefIdr>pain.001.001.09</MsgDefIdr><Document xmlns="` + namespace + `"><BkToCstmrStmt/></Document></E>`, CodeStructure},
		{"an element of another namespace", head + `<A xmlns="urn:x">1</A>` + tail, CodeNamespace},
		{"an element without namespace", head + `<A xmlns="">1</A>` + tail, CodeNamespace},
		{"a prefix for nothing", head + "<x:A>1</x:A>" + tail, CodeSyntax},
		{"an attribute's prefix for nothing", head + `<A x:y="1">1</A>` + tail, CodeSyntax},
		{"an attribute twice", head + `<A x="1" x="2">1</A>` + tail, CodeSyntax},
		{"attributes without a blank", head + `<A x="1"y="2">1</A>` + tail, CodeSyntax},
		{"a value without quotes", head + `<A x=1>1</A>` + tail, CodeSyntax},
		{"cut off in a value", head + "<A>1", CodeTruncated},
		{"cut off in a tag", head + "<A", CodeTruncated},
		{"cut off before the end", head + "<A>1</A>", CodeTruncated},
		{"cut off in the last tag", head + tail[:len(tail)-1], CodeTruncated},
		{"cut off in a character", head + "<A>\xc3", CodeEncoding},
		{"garbage behind", head + tail + "x", CodeTrailing},
		{"a NUL behind", head + tail + "\x00", CodeEncoding},
		{"a second document behind", head + tail + head + tail, CodeSyntax},
		{"a second element behind", head + tail + "<x/>", CodeTrailing},
		{"a second message inside", head + "</BkToCstmrStmt><BkToCstmrStmt/></Document>", CodeStructure},
		{"a second document in the envelope", `<E><Document xmlns="` + namespace + `"><BkToCstmrStmt/></Document><Document/></E>`, CodeStructure},
		{"tags that cross", head + "<A><B></A></B>" + tail, CodeSyntax},
		{"an end tag that goes on", head + "<A>1</AB>" + tail, CodeSyntax},
		{"text between elements", head + "<A>1</A>garbage" + tail, CodeStructure},
		{"CDATA between elements", head + "<B><![CDATA[x]]><C/></B>" + tail, CodeStructure},
		{"an element in a value", head + "<A>1<B/></A>" + tail, CodeStructure},
		{"no text at all", "hello", CodeStructure},
		{"JSON", `{"a":1}`, CodeStructure},
		{"no Document", "<a><b/></a>", CodeMessage},
		{"an empty Document", `<Document xmlns="` + namespace + `"/>`, CodeStructure},
		{"a control character", head + "<A>\x01</A>" + tail, CodeEncoding},
		{"no UTF-8 behind some", head + "<A>Ä</A><A>M\xfcller</A>" + tail, CodeEncoding},
		{"no UTF-8 before some", head + "<A>M\xfcller</A><A>Ä</A>" + tail, CodeEncoding},
		{"no UTF-8 behind its mark", "\xef\xbb\xbf" + head + "<A>M\xfcller</A>" + tail, CodeEncoding},
		{"a byte of no encoding", head + "<A>M\x81ller</A>" + tail, CodeEncoding},
		{"UTF-16", string(utf16le("\ufeff" + head + tail)), CodeEncoding},
		{"UTF-16 without a mark", string(utf16le(head + tail)), CodeEncoding},
		{"UTF-16, cut off", "\xfe\xff\x00<", CodeTruncated},
		{"UTF-16, cut off in a character", "\xfe\xff\x00<\x00", CodeEncoding},
		{"UTF-16 with half a character", string(utf16le("\ufeff<a>")) + "\x00\xd8a\x00", CodeEncoding},
		{"UTF-16 declared and not meant", strings.Replace(head, "UTF-8", "UTF-16", 1) + tail, CodeEncoding},
		{"UTF-32", "\xff\xfe\x00\x00<\x00\x00\x00", CodeEncoding},
		{"UTF-7 declared", strings.Replace(head, "UTF-8", "UTF-7", 1) + tail, CodeEncoding},
		{"UTF-7", "+ADw-Document+AD4-", CodeEncoding},
		{"a byte that windows-1252 does not have", strings.Replace(head, "UTF-8", "windows-1252", 1) + "<A>\x81</A>" + tail, CodeEncoding},
		{"windows-1251", strings.Replace(head, "UTF-8", "windows-1251", 1) + tail, CodeEncoding},
		{"ISO-8859-1 with a mark of UTF-8", "\xef\xbb\xbf" + strings.Replace(head, "UTF-8", "ISO-8859-1", 1) + tail, CodeEncoding},
		{"EBCDIC", "\x4c\x6f\xa7\x94\x93", CodeEncoding},
		{"gzip", string(zipped(strings.NewReader(head + tail))), CodeCompressed},
		{"zip", "PK\x03\x04 and so on", CodeCompressed},
		{"a declaration too late", "<!-- -->" + head + tail, CodeSyntax},
		{"XML 1.1", strings.Replace(head, `"1.0"`, `"1.1"`, 1) + tail, CodeSyntax},
		{"an element twice", head + "<C>1</C><C>2</C>" + tail, CodeStructure},
		{"an element twice, not at once", head + "<C>1</C><A>1</A><C>1</C>" + tail, CodeStructure},
		{"an element twice that has parts", head + "<C><D>1</D></C><C><D>1</D></C>" + tail, CodeStructure},
		{"an empty element twice", head + "<C/><C/>" + tail, CodeStructure},
		{"an element twice by its prefix", head + `<C>1</C><n:C xmlns:n="` + namespace + `">2</n:C>` + tail, CodeStructure},
		{"very many elements in one", head + manyElements(1000) + tail, CodeStructure},
		{"a long name", head + "<" + strings.Repeat("a", 1<<20), CodeTooLong},
		{"a long value", head + "<A>" + strings.Repeat("a", 1<<20), CodeTooLong},
		{"a long value in pieces", head + "<A>" + strings.Repeat("a<!---->", 1<<17), CodeTooLong},
		{"a long attribute", head + `<A x="` + strings.Repeat("a", 1<<20), CodeTooLong},
		{"a long comment", head + "<!--" + strings.Repeat("a", 1<<20), CodeTooLong},
		{"many attributes", head + "<A" + manyAttributes(100) + ">1</A>" + tail, CodeSyntax},
		{"many namespaces", head + manyNamespaces(100) + tail, CodeSyntax},
	} {
		for _, slow := range []bool{false, true} {
			if slow && len(c.file) > 1<<16 {
				continue
			}

			r := io.Reader(strings.NewReader(c.file))
			if slow {
				r = iotest.OneByteReader(r)
			}

			if _, err := all(r, Limits{}); codeOf(err) != c.want {
				t.Errorf("%s (byte by byte: %v): %v, want %s", c.name, slow, err, c.want)
			}
		}
	}
}

// D-10: each of the endless ones ends within the limits, in little memory, and soon. The second that the catalogue
// allows is not measured here, for a busy machine's sake, but what was read and what was held is.
func TestEndlessFilesEnd(t *testing.T) {
	for _, c := range []struct {
		name, unit string
		want       Code
		most       int64 // bytes read
	}{
		{"a million levels", "<a>", CodeTooDeep, 1 << 20},
		{"2 GB of one value", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", CodeStructure, 1 << 20}, // between elements
		{"2 GB of blanks", " \n", CodeNoRecord, 10 << 20},
		{"2 GB of comments", "<!-- nothing -->", CodeNoRecord, 10 << 20},
		{"2 GB of instructions", "<?nothing at all?>", CodeNoRecord, 10 << 20},
		{"2 GB of elements inside one", "<A>1</A>", CodeNoRecord, 10 << 20},
		{"2 GB of entries", "</B><B>", CodeTooLarge, 65 << 20},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		source := &endless{first: head + "<B><C/>", unit: c.unit, size: 2 << 30}
		_, err := all(source, Limits{Bytes: 64 << 20})
		runtime.ReadMemStats(&after)

		if codeOf(err) != c.want || source.given > c.most {
			t.Errorf("%s: %v after %d bytes, want %s", c.name, err, source.given, c.want)
		}

		if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 32<<20 {
			t.Errorf("%s: %d bytes of memory", c.name, grown)
		}
	}

	// A size that the source knows is looked at first.
	if _, err := all(sized{}, Limits{}); codeOf(err) != CodeTooLarge {
		t.Errorf("a file known to be too large: %v", err)
	}
}

// endless gives a beginning and then the same again, up to a size.
type endless struct {
	first, unit string
	size, given int64
	at          int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.given >= e.size {
		return 0, io.EOF
	}

	n := copy(p, e.first)

	e.first = e.first[n:]
	for n < len(p) {
		c := copy(p[n:], e.unit[e.at:])
		n += c
		e.at = (e.at + c) % len(e.unit)
	}

	e.given += int64(n)

	return n, nil
}

// sized says that it is large and cannot be read.
type sized struct{}

func (sized) Len() int                 { return 2 << 30 }
func (sized) Read([]byte) (int, error) { panic("read") }

func TestPlaceOfAFault(t *testing.T) {
	file := strings.Replace(head, "UTF-8", "ISO-8859-1", 1) + "\n<A>\xe4\xf6\xfc</A>\n<B><C>&x;</C></B>" + tail
	_, err := all(strings.NewReader(file), Limits{})

	e := new(Error)
	if !errors.As(err, &e) || e.Line != 3 || e.Offset != int64(strings.Index(file, "&x;")) ||
		e.Path != "Document/BkToCstmrStmt/B/C" {
		t.Errorf("%+v", e)
	}
}

// A source that fails is no bad file: it may be tried again.
func TestAFailingSourceIsNoRefusal(t *testing.T) {
	broken := errors.New("connection lost")

	_, err := all(io.MultiReader(strings.NewReader(head+"<A>1"), iotest.ErrReader(broken)), Limits{})
	if codeOf(err) != CodeRead || !errors.Is(err, broken) || IsRefusal(err) {
		t.Errorf("%v", err)
	}

	if _, err = all(iotest.ErrReader(broken), Limits{}); codeOf(err) != CodeRead {
		t.Errorf("%v", err)
	}

	if _, err = all(never{}, Limits{}); codeOf(err) != CodeRead || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("%v", err)
	}
}

type never struct{}

func (never) Read([]byte) (int, error) { return 0, nil }

func utf16le(s string) (b []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}

	return b
}

func swapped(b []byte) []byte {
	for i := 0; i < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}

	return b
}

func zipped(r io.Reader) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.Copy(w, r) // a buffer takes everything
	_ = w.Close()

	return b.Bytes()
}

func manyAttributes(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf(` a%d="1"`, i)
	}

	return s
}

func manyElements(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf("<E%d/>", i)
	}

	return s
}

func manyNamespaces(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf(`<A xmlns:a%d="urn:%d"/>`, i, i)
	}

	return s
}

func FuzzScanner(f *testing.F) {
	f.Add(head + "<A>a &amp; b</A><B x='1'><C/></B>" + tail)
	f.Add(
		"<?xml version='1.0' encoding='ISO-8859-1'?><Document xmlns='" + namespace + "'><BkToCstmrStmt><A>\xfc<![CDATA[x]]></A>" + tail,
	)
	f.Add("<E><MsgDefIdr/>" + head)

	f.Fuzz(func(t *testing.T, file string) {
		l := Limits{NoNamespace: true, Token: 1000}

		once, err := all(strings.NewReader(file), l)
		if err != nil && !IsRefusal(err) {
			t.Fatalf("no refusal: %v", err)
		}

		again, err2 := all(iotest.OneByteReader(strings.NewReader(file)), l)
		if (err == nil) != (err2 == nil) || err == nil && once != again {
			t.Errorf("read at once %q %v, byte by byte %q %v", once, err, again, err2)
		}
	})
}
