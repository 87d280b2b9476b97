// Package sanctions reads published sanctions lists: those of the US Treasury's Office of Foreign Assets Control
// (SDN.CSV with ALT.CSV, ADD.CSV and SDN_COMMENTS.CSV, SDN.XML, SDN_ADVANCED.XML, SDN_ENHANCED.XML, and the same files
// of its consolidated list), the Consolidated Screening List of the International Trade Administration
// (consolidated.csv), the European Union's list of financial sanctions (xmlFullSanctionsList_1_1), the United Nations
// Security Council's consolidated list, the UK Sanctions List (CSV and XML), and the complete list of the Swiss State
// Secretariat for Economic Affairs (SECO).
//
// What it promises: a file is read as a stream, so that a hundred megabytes need the memory of the largest entry (of
// the Swiss list, of all targets: their places follow them). A record longer than maxRecord, a document type
// definition, or anything not well formed is an error. Who is no longer listed is left out, also where the file still
// names him. What it does not promise: that a comma separated file is complete, since nothing in it shows that.
//
// Read in this order: sanctions.go (parties), csv.go and remarks.go, uk.go, xml.go, advanced.go, enhanced.go, eu.go,
// un.go, seco.go.
package sanctions

import (
	"errors"
	"io"
	"time"
)

// maxRecord limits one record of a file. The longest of 2024 has about 60 KB.
const maxRecord = 4 << 20

// The types of listed parties, as in SDN_Type, in lower case. An empty type in the comma separated files means an
// entity.
const (
	Individual = "individual"
	Entity     = "entity"
	Vessel     = "vessel"
	Aircraft   = "aircraft"
)

// Party is one listed party, or a part of one: each of the comma separated files contains another part, with the same
// UID.
type Party struct {
	// UID is the publisher's number: of the Treasury digits, of the others with what tells them apart
	UID       string
	Type      string // empty in a part without it
	Names     []Name
	Programs  []string // such as CYBER2; of the United Kingdom the regime and the measures, such as Asset freeze
	Countries []string // of its addresses, in English
	Addresses []Address
	Births    []string // dates, or as much of one as is known, such as 1962-03-04, 1961, about 1961, 1958 to 1960
	Places    []string // of birth
	Numbers   []string // of passports, registers and the like, with their kind
	// Cut is the end of remarks that are truncated at 1,000 characters. More is the continuation in another file:
	// Remarks reads them together.
	Cut, More string
}

// Name is one name of a party.
type Name struct {
	Text string // of a person usually "FAMILY NAME, Given names"
	// Weak marks a broad or generic alias, which the Treasury lists without expecting matches by it alone.
	Weak bool
}

// Address is one digital currency address.
type Address struct {
	Currency string // such as ETH, XBT, USDT
	Text     string
}

// Published is a file's information about itself.
type Published struct {
	Date time.Time // zero if the file has none
}

// errLong means that a record is longer than maxRecord.
var errLong = errors.New("a record is longer than 4 MiB")

// fence limits a reader to maxRecord between two calls of open.
type fence struct {
	from io.Reader
	left int
}

func (f *fence) open() { f.left = maxRecord }

// Read reads up to the fence.
func (f *fence) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, errLong
	}

	n, err := f.from.Read(p[:min(len(p), f.left)])
	f.left -= n

	return n, err
}
