package screening

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json"
)

// maxList bounds a list file; the full list of the US Treasury has about 5 MB.
const maxList = 64 << 20

// marker begins an address in the remarks of the US Treasury's list (SDN.CSV, consolidated.csv).
const marker = "Digital Currency Address - "

// cutRemarks: the Treasury cuts remarks at 1,000 characters, in the middle of an address if need be, and continues them in another file
// (SDN_COMMENTS.CSV). Such a part of an address is no entry; Cut counts them.
const cutRemarks = 900

// ListProvider rejects the addresses that stand on the operator's lists and approves all others. Safe for concurrent use.
type ListProvider struct {
	paths []string
	list  atomic.Pointer[addressList]
}

type addressList struct {
	entries   map[string]string // normal form of the address → where it stands
	reference string
	cut       int
}

// NewListProvider reads the files. It fails when there is none, or one cannot be read, or one holds no address: a list that is empty by
// mistake would let everybody pass.
func NewListProvider(paths ...string) (*ListProvider, error) {
	if len(paths) == 0 {
		return nil, errors.New("screening: no list file is configured")
	}
	p := &ListProvider{paths: append([]string(nil), paths...)}
	return p, p.Reload()
}

// Reload reads the files again. If one is wrong, the lists read before stay in use and the error says which file and line.
func (p *ListProvider) Reload() error {
	l := &addressList{entries: map[string]string{}}
	sum := sha256.New()
	for _, path := range p.paths {
		raw, err := readFile(path)
		if err != nil {
			return fmt.Errorf("screening list: %w", err)
		}
		sum.Write(raw)
		if err := l.add(path, raw); err != nil {
			return fmt.Errorf("screening list %s: %w", path, err)
		}
	}
	l.reference = "list:sha256:" + hex.EncodeToString(sum.Sum(nil))[:16]
	p.list.Store(l)
	return nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxList+1))
	if err == nil && len(raw) > maxList {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxList)
	}
	return raw, err
}

// Len is the number of addresses listed.
func (p *ListProvider) Len() int { return len(p.list.Load().entries) }

// Cut is the number of addresses that could not be taken because their file breaks off in the middle of them. When it is not 0, the
// operator should add a list that holds them whole.
func (p *ListProvider) Cut() int { return p.list.Load().cut }

// Screen answers from memory. The network makes no difference: an address is the same key on every chain.
func (p *ListProvider) Screen(_ context.Context, _, address string) (Result, error) {
	l := p.list.Load()
	if where, ok := l.entries[normal(address)]; ok {
		return Result{Status: Rejected, Reference: l.reference, Message: "The address stands on a sanctions list (" + where + ")."}, nil
	}
	return Result{Status: Approved, Reference: l.reference}, nil
}

// normal makes addresses comparable. Hexadecimal and bech32 ones have no letter case; base58 ones do.
func normal(a string) string {
	lower := strings.ToLower(a)
	if strings.HasPrefix(lower, "0x") || strings.HasPrefix(lower, "bc1") {
		return lower
	}
	return a
}

// add reads one file in whichever of the three forms it has: a JSON list of texts, the Treasury's CSV, or an address a line.
func (l *addressList) add(path string, raw []byte) error {
	whole := l.entries
	l.entries = map[string]string{}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	name := path[strings.LastIndexByte(path, '/')+1:]
	var err error
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")):
		err = l.addJSON(name, raw)
	case bytes.Contains(raw, []byte(marker)):
		err = l.addRemarks(name, raw)
	default:
		err = l.addLines(name, raw)
	}
	if err == nil && len(l.entries) == 0 {
		err = errors.New("it holds no address")
	}
	maps.Copy(whole, l.entries)
	l.entries = whole
	return err
}

func (l *addressList) addJSON(name string, raw []byte) error {
	var all []string
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	for i, a := range all {
		if !plausible(a) {
			return fmt.Errorf("entry %d is not an address: %q", i+1, cut(a))
		}
		l.entries[normal(a)] = name
	}
	return nil
}

// addLines takes an address at the beginning of each line; what follows a space, comma or # is a comment.
func (l *addressList) addLines(name string, raw []byte) error {
	for i, line := range strings.Split(string(raw), "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		a := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
		if len(a) == 0 || !plausible(a[0]) {
			return fmt.Errorf("line %d does not begin with an address: %q", i+1, cut(line))
		}
		l.entries[normal(a[0])] = name
	}
	return nil
}

// addRemarks takes the addresses out of a CSV's remarks: "Digital Currency Address - ETH 0x…; alt. Digital Currency Address - XBT …;".
func (l *addressList) addRemarks(name string, raw []byte) error {
	r := csv.NewReader(bytes.NewReader(bytes.TrimRight(raw, "\x1a\r\n"))) // the Treasury ends its files with a control-Z
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, field := range record {
			for _, part := range strings.Split(field, marker)[1:] {
				part, _, ended := strings.Cut(part, ";")
				words := strings.Fields(part)
				if !ended && len(field) >= cutRemarks && (len(words) < 2 || !strings.HasSuffix(part, ".")) {
					l.cut++
					continue
				}
				if len(words) < 2 || !plausible(strings.TrimRight(words[1], ".,")) {
					line, _ := r.FieldPos(0)
					return fmt.Errorf("line %d has a digital currency address that cannot be read: %q", line, cut(part))
				}
				l.entries[normal(strings.TrimRight(words[1], ".,"))] = name + ", entry " + record[0]
			}
		}
	}
}

// plausible says whether s can be an address of some chain: 20 to 128 letters and digits.
func plausible(s string) bool {
	if len(s) < 20 || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == ':' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

func cut(s string) string { return s[:min(len(s), 40)] }
