package caller

import (
	"bytes"
	"encoding/json"
)

// Ref is a reference to another record in a request: its identifier as a text, or an object with `_id`. Of such an
// object only `_id` is read, so a client may send back what it received.
type Ref string

// JSONKind returns the expected form of a Ref, for refusals.
func (Ref) JSONKind() string { return "an identifier, or an object with _id" }

// UnmarshalJSON reads either form. null means empty.
func (r *Ref) UnmarshalJSON(raw []byte) error {
	if raw[0] == '{' {
		var record map[string]json.RawMessage // decoding into a struct would accept _ID too
		if err := json.Unmarshal(raw, &record); err != nil {
			return err
		}

		*r = ""

		raw = record["_id"]
		if raw == nil {
			return nil
		}
	}

	if raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 { // an identifier, as nearly always
		*r = Ref(raw[1 : len(raw)-1])
		return nil
	}

	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}

	*r = Ref(s)

	return nil
}
