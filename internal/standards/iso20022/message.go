package iso20022

import (
	"strings"
)

// Message identifies the message in a file.
type Message struct {
	Name      string // camt.053
	Version   string // 08; empty if the file has no namespace
	Namespace string
	Root      string // BkToCstmrStmt
}

// official is how the namespace of every ISO 20022 message begins; name, variant and version follow: camt.053.001.08.
const official = "urn:iso:std:iso:20022:tech:xsd:"

// austrian encloses a message's name in the namespaces of Austrian banks: ISO:camt.053.001.02:APC:STUZZA:payments:003.
const (
	austrianBefore = "ISO:"
	austrianBehind = ":APC:STUZZA:"
)

// dialects are namespaces of national bodies for the same messages.
var dialects = map[string]string{
	"http://www.six-interbank-clearing.com/de/pain.002.001.03.ch.02.xsd": "pain.002.001.03",
}

// Accept lists what a reader accepts: by message name its root element and the first and last version.
type Accept map[string]struct {
	Root        string
	First, Last string
}

// firstVersion is the one whose root elements still end with it: BkToCstmrStmtV01.
const firstVersion = "01"

// Lists names the elements that may be repeated in their parent, as parent/child, as far as a reader reads them:
// Stmt/Ntry.
type Lists map[string]bool

// Open reads up to the message's root element (the one inside Document), whose children Child then returns. It skips
// envelopes around the Document; a business header in them must name the same message. lists are the elements that may
// be repeated.
func (s *Scanner) Open(accept Accept, lists Lists) (Message, bool) {
	if s.err != nil || !s.begin() {
		return Message{}, false
	}

	header, ok := s.toDocument()
	if !ok {
		return Message{}, false
	}

	document := s.open[s.depth-1]

	m := Message{Namespace: s.spaces[document.ns]}
	if !s.version(&m) {
		return Message{}, false
	}

	s.strict = true
	s.docNS = document.ns

	s.lists = lists
	if !s.Child() {
		s.fail(CodeStructure, "a Document without a message")
		return Message{}, false
	}

	if !s.accepts(accept, &m) {
		s.fail(CodeMessage, "not a message or version that is read here")
		return Message{}, false
	}

	if header != "" && m.Version != "" && !strings.HasPrefix(header, m.Name+".") {
		s.fail(CodeStructure, "the business header names another message")
		return Message{}, false
	}

	return m, true
}

// accepts reports whether the current element is the root of an accepted message, and completes m.
func (s *Scanner) accepts(accept Accept, m *Message) bool {
	root := string(s.Name())
	if m.Version == firstVersion {
		root = strings.TrimSuffix(root, "V"+firstVersion)
	}

	for name, a := range accept {
		if a.Root != root || m.Namespace != "" && m.Name != name {
			continue
		}

		m.Name = name
		m.Root = root

		return m.Version == "" || m.Version >= a.First && m.Version <= a.Last
	}

	return false
}

// toDocument moves to the Document element and returns the message name in a business header before it (MsgDefIdr).
func (s *Scanner) toDocument() (header string, ok bool) {
	for s.descend() {
		switch string(s.Name()) {
		case "Document":
			return header, true
		case "MsgDefIdr":
			header = s.Value()
		}
	}

	s.fail(CodeMessage, "no Document in the file")

	return "", false
}

// descend moves to the next start tag at any depth. It returns false at the end of the outermost element.
func (s *Scanner) descend() bool {
	started := s.depth > 0

	for {
		if s.closed {
			s.closed = false
			s.pop()
		}

		if started && s.depth == 0 {
			return false
		}

		if started {
			if !s.skipText() {
				return false
			}
		} else if !s.blanks() {
			return false
		}

		var ok bool

		switch s.buf[s.pos+1] {
		case '/':
			ok = s.endTag()

		case '!', '?':
			if ok = started && s.asideOrCDATA() || !started && s.aside(); ok {
				s.scratch = s.scratch[:0]
			}

		default:
			return s.startTag()
		}

		if !ok {
			return false
		}
	}
}

// version reads name and version from the namespace.
func (s *Scanner) version(m *Message) bool {
	if m.Namespace == "" {
		return s.lim.NoNamespace || s.fail(CodeNoNamespace, "the Document has no namespace")
	}

	full, ok := strings.CutPrefix(m.Namespace, official)
	if !ok {
		full, ok = dialects[m.Namespace]
	}

	if !ok {
		full, _, ok = strings.Cut(strings.TrimPrefix(m.Namespace, austrianBefore), austrianBehind)
	}

	// name 8, dot, variant 3, dot, version 2: camt.053.001.08
	if !ok || len(full) != 15 || full[4] != '.' || full[8] != '.' || full[12] != '.' ||
		!digits(full[5:8]+full[9:12]+full[13:]) {
		return s.fail(CodeNamespace, "the Document's namespace is not that of an ISO 20022 message")
	}

	m.Name = full[:8]
	m.Version = full[13:]

	return true
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}

	return true
}

// Close reads the rest after the root element: the ends of Document and envelopes, and nothing else.
func (s *Scanner) Close() error {
	if s.err == nil && s.Child() {
		s.fail(CodeStructure, "a second message in one Document")
	}

	s.strict = false
	for s.err == nil && s.depth > 0 && s.descend() {
		if string(s.Name()) == "Document" {
			s.fail(CodeStructure, "a second Document in one file")
		}
	}

	for s.err == nil {
		s.blanksAhead()

		if s.pos == len(s.buf) {
			break
		}

		if s.buf[s.pos] != '<' || !s.have(2) || s.buf[s.pos+1] != '!' && s.buf[s.pos+1] != '?' {
			s.fail(CodeTrailing, "something follows the end of the message")
			break
		}

		s.aside()
	}

	return s.err
}
