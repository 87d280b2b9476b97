// Package ofac reads the sanctions lists that the US Treasury's Office of Foreign Assets Control publishes, in the
// forms in which it publishes them: the comma separated files (SDN.CSV with ALT.CSV, ADD.CSV and SDN_COMMENTS.CSV,
// and the same of the consolidated list), SDN.XML, and SDN_ADVANCED.XML. It reads the Consolidated Screening List of
// the International Trade Administration (consolidated.csv) besides.
//
// What it promises: a file is read as a stream, so that one of a hundred megabytes needs the memory of its largest
// entry; a record longer than maxRecord, a document type definition and everything that is not well formed end the
// reading with an error. What it does not promise: that a comma separated file is whole, which nothing in it tells.
//
// Read in this order: ofac.go (what an entry is), remarks.go (what stands in remarks), csv.go, xml.go, advanced.go.
package ofac

import (
	"errors"
	"io"
	"time"
)

// maxRecord bounds one record of a file. The longest of 2024 has some 60 KB.
const maxRecord = 4 << 20

// The types of what is listed, as SDN_Type has them, in lower case. A type that is empty in the comma separated files
// is an entity.
const (
	Individual = "individual"
	Entity     = "entity"
	Vessel     = "vessel"
	Aircraft   = "aircraft"
)

// Party is one listed party, or a part of one: of the comma separated files each tells another part, under the same
// UID.
type Party struct {
	UID       string // the Treasury's number
	Type      string // empty in a part that does not say it
	Names     []Name
	Programs  []string // such as CYBER2
	Countries []string // of its addresses, in English
	Addresses []Address
	// Cut is the end of remarks that break off at 1,000 characters, More what another file says follows: together
	// they are read by Remarks.
	Cut, More string
}

// Name is one name of a party.
type Name struct {
	Text string // of a person usually "FAMILY NAME, Given names"
	// Weak: a broad or generic alias, which the Treasury lists without expecting a match by itself.
	Weak bool
}

// Address is one digital currency address.
type Address struct {
	Currency string // such as ETH, XBT, USDT
	Text     string
}

// Published is what a file says of itself.
type Published struct {
	Date time.Time // zero when it does not say
}

// errLong is a record longer than maxRecord.
var errLong = errors.New("a record is longer than 4 MiB")

// fence lets a reader read no more than maxRecord between two calls of open.
type fence struct {
	from io.Reader
	left int
}

func (f *fence) open() { f.left = maxRecord }

// Read reads as far as the fence.
func (f *fence) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, errLong
	}

	n, err := f.from.Read(p[:min(len(p), f.left)])
	f.left -= n

	return n, err
}
