package transaction

import (
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/record"
	"slipway/internal/directory/refdata"
)

// SnapshotView shows a payment's copy of its receiver: the stored JSON with what a Receiver of the interface has
// besides, and a payment keeps no copy of.
type SnapshotView string

// ReceiverCopy is what SnapshotView writes.
type ReceiverCopy struct {
	ReceiverSnapshot
	CountryRecord *record.CountryRef `json:"country" doc:"FIAT"`
	TaxID         *string            `json:"taxId" doc:"null: a payment keeps no copy of it"`
	PhoneNumber   *string            `json:"phoneNumber" doc:"null: a payment keeps no copy of it"`
	DateOfBirth   *string            `json:"dateOfBirth" format:"date-time" doc:"null: a payment keeps no copy of it"`
	Owner         *record.Ref        `json:"owner" doc:"null: a payment keeps no copy of it"`
	BankAccounts  record.Many        `json:"bankAccounts" doc:"null within another record: GET /receivers/{id} has them"`
	Wallets       record.Many        `json:"wallets" doc:"null within another record: GET /receivers/{id} has them"`
	Organisation  *record.Ref        `json:"organisation" doc:"null: it is the transaction's"`
	IsHidden      *bool              `json:"isHidden" doc:"null: a payment keeps no copy of it"`
	PartnerID     *string            `json:"bankingPartnerId" doc:"null: no banking partner keeps receivers of its own"`
	PartnerClient *string            `json:"bankingPartnerLinkedClientId" doc:"null, as bankingPartnerId"`
}

// notKept are the members of a ReceiverCopy that follow its country.
const notKept = `,"taxId":null,"phoneNumber":null,"dateOfBirth":null,"owner":null,"bankAccounts":null,"wallets":null` +
	`,"organisation":null,"isHidden":null,"bankingPartnerId":null,"bankingPartnerLinkedClientId":null}`

var errNoSnapshot = errors.New("a payment has no snapshot of its receiver")

// MarshalJSONTo writes what AppendJSON appends.
func (v SnapshotView) MarshalJSONTo(enc *jsontext.Encoder) error {
	text, err := v.AppendJSON(nil)
	if err != nil {
		return err
	}

	return enc.WriteValue(text)
}

// AppendJSON appends the stored JSON without parsing it again: ReceiverSnapshot.text has made it.
func (v SnapshotView) AppendJSON(dst []byte) ([]byte, error) {
	kept, ok := strings.CutSuffix(string(v), "}")
	if !ok || kept == "{" {
		return dst, errNoSnapshot
	}

	dst = append(dst, kept...)
	dst = append(dst, `,"country":`...)

	c, known := refdata.All().Country(snapshotText(kept, countryField))
	if !known {
		dst = append(dst, "null"...)
		return append(dst, notKept...), nil
	}

	var err error
	for _, member := range []struct{ name, text string }{
		{`{"_id":`, c.ID},
		{`,"name":`, c.Name},
		{`,"isoCode3166":`, c.Alpha2},
	} {
		if dst, err = jsontext.AppendQuote(append(dst, member.name...), member.text); err != nil {
			return dst, err
		}
	}

	return append(append(dst, '}'), notKept...), nil
}

// countryField is what a snapshot's country stands behind: see snapshotText.
const countryField = `"countryIsoCode":"`

// ShownAs returns the type that is written.
func (SnapshotView) ShownAs() reflect.Type { return reflect.TypeFor[ReceiverCopy]() }

// Schema returns the schema of a receiver's copy.
func (SnapshotView) Schema(reg huma.Registry) *huma.Schema {
	return reg.Schema(reflect.TypeFor[ReceiverCopy](), true, "ReceiverCopy")
}
