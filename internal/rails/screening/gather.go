package screening

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/text"
	"slipway/internal/standards/sanctions"
)

// maxList limits a list file. The largest in use, SDN_ADVANCED.XML, has a little more than 100 MB.
const maxList = 1 << 30

// lookInto is how much of a file is inspected to detect its format.
const lookInto = 64 << 10

// gathering is the content of the files read so far.
type gathering struct {
	addresses map[string]string
	parties   map[string]*partyData // of published lists, by number: several files may describe one
	order     []string
	own       []ownName
	cut       int
}

// partyData is one party from all files together.
type partyData struct {
	sanctions.Party
	list string // the first file that contains it
}

type ownName struct{ text, list string }

// ownEntry replaces the number of an entry of a published list.
const ownEntry = "own"

// readLists reads all files as streams.
func readLists(paths []string) (*lists, error) {
	g := gathering{addresses: map[string]string{}, parties: map[string]*partyData{}}
	out := &lists{}

	all := sha256.New()
	for _, path := range paths {
		source, st, err := g.file(path)
		if err != nil {
			return nil, fmt.Errorf("screening list %s: %w", path, err)
		}

		fmt.Fprintln(all, source.Digest)
		out.sources = append(out.sources, source)
		out.files = append(out.files, st)
	}

	if err := g.join(); err != nil {
		return nil, fmt.Errorf("screening lists: %w", err)
	}

	out.addresses = g.addresses
	out.names = g.index()
	out.cut = g.cut
	out.edition = "lists:" + hex.EncodeToString(all.Sum(nil))[:16]

	return out, nil
}

func (g *gathering) file(path string) (s Source, st stamp, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, st, err
	}

	defer func() { err = errors.Join(err, f.Close()) }()

	info, err := f.Stat()
	if err != nil {
		return s, st, err
	}

	if info.Size() > maxList {
		return s, st, fmt.Errorf("is larger than %d bytes", maxList)
	}

	st = stamp{info.Size(), info.ModTime()}
	s = Source{Name: filepath.Base(path), Date: info.ModTime().UTC().Truncate(time.Second)}
	sum := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, maxList), sum), lookInto)

	records, err := g.read(&s, r)
	if err == nil && records == 0 {
		err = errors.New("it contains neither an address nor a name")
	}

	if err != nil {
		return s, st, err
	}

	if _, err := io.Copy(io.Discard, r); err != nil { // bytes after the end count for the digest too
		return s, st, err
	}

	s.Digest = hex.EncodeToString(sum.Sum(nil))[:16]

	return s, st, nil
}

// read reads a file in any format: JSON (a list of addresses), the XML and comma separated files of publishers, or one
// address or name per line. It returns the number of records.
func (g *gathering) read(s *Source, r *bufio.Reader) (records int, err error) {
	head, err := r.Peek(lookInto)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}

	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, _ = r.Discard(3) // skip the byte order mark
		head = head[3:]
	}

	take := func(p sanctions.Party) error {
		records++
		s.Names += len(p.Names)
		s.Addresses += len(p.Addresses)

		return g.party(p, s.Name)
	}
	switch head = bytes.TrimSpace(head); {
	case bytes.HasPrefix(head, []byte("[")):
		return g.readJSON(s, r)

	case bytes.HasPrefix(head, []byte("<")):
		published, err := sanctions.ReadXML(r, take)
		if !published.Date.IsZero() {
			s.Date = published.Date
		}

		return records, err

	case sanctions.LooksUK(head):
		published, err := sanctions.ReadUKCSV(r, take)
		s.Date = published.Date

		return records, err

	case commaSeparated(head):
		return records, sanctions.ReadCSV(r, take)
	}

	return g.readLines(s, r)
}

// commaSeparated reports whether a file begins with the number of a party, or the header of the Consolidated Screening
// List.
func commaSeparated(head []byte) bool {
	first, _, found := bytes.Cut(head, []byte(","))
	first = bytes.Trim(first, `" `)
	return found && (bytes.Equal(first, []byte("_id")) || len(first) > 0 && len(bytes.Trim(first, "0123456789")) == 0)
}

func (g *gathering) readJSON(s *Source, r io.Reader) (n int, err error) {
	d := jsontext.NewDecoder(r)
	if _, err := d.ReadToken(); err != nil {
		return 0, err
	}

	for d.PeekKind() != ']' {
		token, err := d.ReadToken()
		if err != nil {
			return n, err
		}

		n++
		if token.Kind() != '"' || !sanctions.Plausible(token.String()) {
			return n, fmt.Errorf("entry %d is not an address: %q", n, cut(token.String()))
		}

		g.addresses[normal(token.String())] = s.Name
		s.Addresses++
	}

	_, err = d.ReadToken()

	return n, err
}

// ownNameMark begins a line with a name in a list of lines.
const ownNameMark = "name:"

// readLines reads the address at the beginning of each line, or the name after "name:". Text after a # is a comment,
// and so is text after an address and a space or comma.
func (g *gathering) readLines(s *Source, r io.Reader) (records int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, lookInto)

	for n := 1; lines.Scan(); n++ {
		if !utf8.Valid(lines.Bytes()) {
			return records, fmt.Errorf("line %d is not in UTF-8: %q", n, cut(lines.Text()))
		}

		line, _, _ := strings.Cut(strings.TrimSpace(lines.Text()), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}

		records++
		if name, ok := strings.CutPrefix(line, ownNameMark); ok {
			if text.Fold(name) == "" {
				return records, fmt.Errorf("line %d has no name", n)
			}

			g.own = append(g.own, ownName{strings.TrimSpace(name), s.Name})
			s.Names++

			continue
		}

		a := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
		if len(a) == 0 || !sanctions.Plausible(a[0]) {
			return records, fmt.Errorf("line %d does not begin with an address: %q", n, cut(line))
		}

		g.addresses[normal(a[0])] = s.Name
		s.Addresses++
	}

	return records, lines.Err()
}

// party adds one record of a file to its party.
func (g *gathering) party(p sanctions.Party, list string) error {
	t := g.parties[p.UID]
	if t == nil {
		t = &partyData{list: list}
		t.UID = p.UID
		g.parties[p.UID] = t
		g.order = append(g.order, p.UID)
	}

	t.Type = cmp.Or(t.Type, p.Type)
	t.Cut += p.Cut
	t.More += p.More

	for _, n := range p.Names { // a row for each address repeats the names
		if !slices.Contains(t.Names, n) {
			t.Names = append(t.Names, n)
		}
	}

	t.Programs = append(t.Programs, p.Programs...)
	merge(&t.Countries, p.Countries)
	merge(&t.Births, p.Births)
	merge(&t.Places, p.Places)
	merge(&t.Numbers, p.Numbers)

	for _, a := range p.Addresses {
		g.addresses[normal(a.Text)] = list + ", entry " + p.UID
	}

	return nil
}

// merge adds the texts that are not there yet.
func merge(to *[]string, more []string) {
	for _, x := range more {
		if !slices.Contains(*to, x) {
			*to = append(*to, x)
		}
	}
}

// join reads remarks that begin in one file and continue in another.
func (g *gathering) join() error {
	for _, uid := range g.order {
		t := g.parties[uid]
		if t.Cut == "" {
			continue
		}

		if t.More == "" {
			if sanctions.HoldsAddress(t.Cut) {
				g.cut++
			}

			continue
		}

		addresses, aliases, rest, err := sanctions.Remarks(t.Cut + t.More)
		if err != nil {
			return fmt.Errorf("the remarks of entry %s: %w", uid, err)
		}

		if sanctions.HoldsAddress(rest) {
			g.cut++
		}

		t.Names = append(t.Names, aliases...)
		t.AddFacts(strings.TrimSuffix(t.Cut+t.More, rest))

		for _, a := range addresses {
			g.addresses[normal(a.Text)] = t.list + ", entry " + uid
		}
	}

	return nil
}

// index makes names searchable, except those of ships and aircraft: they are not paid.
func (g *gathering) index() *nameIndex {
	var (
		names   []listed
		compare [][]string
	)

	add := func(p *party, name string, weak bool) {
		if w := words(name); len(w) > 0 {
			names = append(names, listed{party: p, text: name, weak: weak})
			compare = append(compare, w[:min(len(w), maxWords)])
		}
	}
	for _, uid := range g.order {
		t := g.parties[uid]
		if t.Type == sanctions.Vessel || t.Type == sanctions.Aircraft {
			continue
		}

		slices.Sort(t.Programs)

		p := &party{
			list:      t.list,
			entry:     uid,
			programs:  slices.Compact(t.Programs),
			countries: t.Countries,
			births:    t.Births,
			places:    t.Places,
			numbers:   t.Numbers,
		}
		for _, n := range t.Names {
			add(p, n.Text, n.Weak)
		}
	}

	for _, n := range g.own {
		add(&party{list: n.list, entry: ownEntry}, n.text, false)
	}

	return newIndex(names, compare)
}

// normal returns the form in which addresses are compared. Hexadecimal and bech32 ones ignore case; base58 ones do not.
func normal(a string) string {
	lower := strings.ToLower(a)
	if strings.HasPrefix(lower, "0x") || strings.HasPrefix(lower, "bc1") {
		return lower
	}

	return a
}

func cut(s string) string { return s[:min(len(s), 40)] }
