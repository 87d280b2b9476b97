package iso20022

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestAttributesOfOneTagStayWithIt reads tags whose attributes were read before, in other words, and not at all: what
// is remembered of one tag is never given for another.
func TestAttributesOfOneTagStayWithIt(t *testing.T) {
	for name, tags := range map[string][][2]string{
		"repeated": {
			{`<A Ccy="EUR">`, "EUR"},
			{`<A Ccy="EUR">`, "EUR"},
			{`<A Ccy="USD">`, "USD"},
			{`<A Ccy="EUR">`, "EUR"},
		},
		"none after some": {{`<A Ccy="EUR">`, "EUR"}, {`<A>`, ""}, {`<A >`, ""}, {`<A Ccy="EUR">`, "EUR"}},
		"one more": {
			{`<A Ccy="EUR">`, "EUR"},
			{`<A Ccy="EUR" B="1">`, "EUR"},
			{`<A B="1" Ccy="EUR">`, "EUR"},
			{`<A B="1">`, ""},
		},
		"other blanks":      {{`<A Ccy="EUR">`, "EUR"}, {"<A\n\tCcy = 'EUR' >", "EUR"}, {`<A Ccy="EUR">`, "EUR"}},
		"entities":          {{`<A Ccy="&#69;UR">`, "EUR"}, {`<A Ccy="&#69;UR">`, "EUR"}, {`<A Ccy="&amp;">`, "&"}},
		"an end in a value": {{`<A Ccy="E>R">`, "E>R"}, {`<A Ccy="E>R">`, "E>R"}, {`<A Ccy="E">`, "E"}},
		"long": {
			{`<A Ccy="` + strings.Repeat("E", 100) + `">`, strings.Repeat("E", 100)},
			{`<A Ccy="EUR">`, "EUR"},
		},
		"a namespace": {
			{`<A xmlns="` + namespace + `">`, ""},
			{`<A xmlns="` + namespace + `">`, ""},
			{`<A Ccy="EUR">`, "EUR"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := head
			for _, tag := range tags {
				file += tag[0] + "1</A>"
			}

			readTags(t, strings.NewReader(file+tail), tags)
			readTags(t, iotest.OneByteReader(strings.NewReader(file+tail)), tags)
		})
	}
}

// readTags reads a message of tags that hold 1, each with the currency that stands behind it.
func readTags(t *testing.T, file io.Reader, tags [][2]string) {
	t.Helper()

	s := NewScanner(file, Limits{})
	if _, ok := s.Open(accept, lists); !ok {
		t.Fatal(s.Err())
	}

	for i, tag := range tags {
		if !s.Child() || string(s.Attr("Ccy")) != tag[1] {
			t.Fatalf("tag %d, %s: %q, %v", i, tag[0], s.Attr("Ccy"), s.Err())
		}

		if value := s.Value(); value != "1" {
			t.Fatalf("tag %d, %s: the value is %q", i, tag[0], value)
		}
	}

	if s.Child() || s.Close() != nil {
		t.Fatal(s.Err())
	}
}

// TestNamespacesOfATagAreBoundEachTime reads the same declaration in two tags, the second inside an element of
// another namespace.
func TestNamespacesOfATagAreBoundEachTime(t *testing.T) {
	other := `<A xmlns="u">`

	if _, err := all(
		strings.NewReader(head+`<SplmtryData><Envlp>`+other+`1</A><C xmlns="u">1</C></Envlp></SplmtryData>`+tail),
		Limits{},
	); err != nil {
		t.Error(err)
	}

	if _, err := all(
		strings.NewReader(head+`<SplmtryData><Envlp>`+other+`1</A></Envlp></SplmtryData>`+other+`1</A>`+tail),
		Limits{},
	); err == nil {
		t.Error("an element of another namespace was read")
	}
}

// TestEndTagsCloseTheirOwnElement compares names of every length with others that differ in one place, or by a prefix.
func TestEndTagsCloseTheirOwnElement(t *testing.T) {
	const letters = "Abcdefghijklmnopqrst"

	for n := 1; n <= len(letters); n++ {
		name := letters[:n]

		names := []string{name + "x", "x:" + name, name[:n-1]}
		for i := range n {
			names = append(names, name[:i]+"X"+name[i+1:])
		}

		for _, rest := range []string{"", "</B>" + tail + strings.Repeat(" ", 32)} {
			if got, err := all(strings.NewReader(head+"<"+name+">1</"+name+">"+tail), Limits{}); err != nil ||
				got != name+"=1;" {
				t.Errorf("%s: %q, %v", name, got, err)
			}

			for _, other := range names {
				if got, err := all(strings.NewReader(head+"<"+name+">1</"+other+">"+rest), Limits{}); err == nil {
					t.Errorf("</%s> closed %s: %q", other, name, got)
				}

				if got, err := all(strings.NewReader(head+"<"+name+"><B/></"+other+">"+rest), Limits{}); err == nil {
					t.Errorf("</%s> closed %s: %q", other, name, got)
				}
			}
		}
	}
}
