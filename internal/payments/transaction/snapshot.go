package transaction

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/jsonout"
	"slipway/internal/standards/mailbox"
)

// ReceiverSnapshot is the copy of a receiver that a payment keeps. It shows who was paid, whatever happens to the
// record later. A payment through a bank also keeps what the bank's message needs of a creditor.
type ReceiverSnapshot struct {
	ID         string                `json:"_id"`
	Type       string                `json:"type"`
	FirstName  string                `json:"firstName,omitempty"`
	MiddleName string                `json:"middleName,omitempty"`
	LastName   string                `json:"lastName,omitempty"`
	LegalName  string                `json:"legalName,omitempty"`
	Email      string                `json:"email,omitempty"`
	IsSelf     bool                  `json:"isSelf"`
	Country    string                `json:"countryIsoCode,omitempty" doc:"FIAT"`
	Address    *receiver.AddressView `json:"address,omitempty" doc:"FIAT"` // the last: see cutAddress
}

// Self is the kind of payee that the organisation itself is: to bookkeepers, no third party.
const Self = "SELF"

// ReceiverKinds returns the kinds of payees: a receiver's types, and the organisation itself, whatever type it is of.
func ReceiverKinds() []string {
	return []string{string(receiver.Individual), string(receiver.Company), Self}
}

// receiverKind returns of which of ReceiverKinds the payee is, or "" where the payment has no copy of one.
func (p Payment) receiverKind() string {
	if strings.Contains(p.Snapshot, `"isSelf":true`) {
		return Self
	}

	return snapshotText(p.Snapshot, `"type":"`)
}

// addressField is what a snapshot's address stands behind. In no text of it does a quotation mark stand unescaped, so
// it is there once.
const addressField = `,"address":`

// cutAddress takes the address out of a snapshot; it is empty where there is none.
func cutAddress(snapshot string) (named, address string) {
	named, address, ok := strings.Cut(snapshot, addressField)
	if !ok || address == "null}" {
		return snapshot, ""
	}

	return named + "}", strings.TrimSuffix(address, "}")
}

// withAddress puts back what cutAddress took out.
func withAddress(snapshot, address string) string {
	if address == "" || strings.Contains(snapshot, addressField) {
		return snapshot
	}

	return strings.TrimSuffix(snapshot, "}") + addressField + address + "}"
}

func snapshotOf(r receiver.Receiver) ReceiverSnapshot {
	return ReceiverSnapshot{
		ID:        r.ID,
		Type:      string(r.Type),
		FirstName: r.FirstName,
		LastName:  r.LastName,
		LegalName: r.LegalName,
		Email:     r.Email,
		IsSelf:    r.Self,
	}
}

func (s ReceiverSnapshot) text() string {
	b, err := jsonout.Marshal(s)
	if err != nil {
		panic(err) // strings and a bool always encode
	}

	return string(b)
}

// snapshotText returns the text behind a field of a snapshot, or "" where it has none. The field is written as it
// stands there, `"lastName":"`: as with addressField, it is there once. Every create asks for the names of all its
// payments, and decoding the whole snapshot for each cost a twentieth of its time.
func snapshotText(snapshot, field string) string {
	_, rest, _ := strings.Cut(snapshot, field)

	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++ // what is escaped ends nothing
		case '"':
			if strings.IndexByte(rest[:i], '\\') < 0 {
				return rest[:i]
			}

			text, _ := jsontext.AppendUnquote(nil, `"`+rest[:i+1]) // text() has written it

			return string(text)
		}
	}

	return ""
}

// CreditorSnapshot encodes the copy of a receiver that a payment through a bank keeps.
func CreditorSnapshot(r receiver.Receiver) string {
	s := snapshotOf(r)
	address := receiver.AddressView(r.Address)
	s.MiddleName = r.MiddleName
	s.Address = &address
	s.Country = r.Country

	return s.text()
}

// Creditor returns the receiver of a payment through a bank as submit locked it (F-09). It returns an error when the
// stored copy cannot be decoded.
func (p Payment) Creditor() (receiver.Receiver, error) {
	var c ReceiverSnapshot
	if err := json.Unmarshal([]byte(p.Snapshot), &c); err != nil {
		return receiver.Receiver{}, fmt.Errorf("read the receiver that payment %d was locked with: %w", p.Position, err)
	}

	r := receiver.Receiver{
		ID:         c.ID,
		Type:       receiver.Type(c.Type),
		FirstName:  c.FirstName,
		MiddleName: c.MiddleName,
		LastName:   c.LastName,
		LegalName:  c.LegalName,
		Email:      mailbox.Show(c.Email),
		Self:       c.IsSelf,
		Country:    c.Country,
	}
	if c.Address != nil {
		r.Address = receiver.Address(*c.Address)
	}

	return r, nil
}

// Account returns the bank account that a payment goes to as submit locked it (F-09).
func (p Payment) Account() (bankaccount.Account, error) {
	return bankaccount.FromSnapshot(p.BankSnapshot)
}
