package feed

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/platform/db"
)

// recordKey is a record. Its identifier alone is not one, since nothing keeps two organisations from having the same.
type recordKey struct{ object, organisation string }

// newest is the last event of a record.
type newest struct {
	event, data string
	stored      string // the event that the row of the record names; empty: it has no row
}

// compare notes with each event what its record's members were before, and returns the newest event of each record. The
// events stand in the order of their numbers.
func compare(ctx context.Context, q db.Querier, events []Event) (map[recordKey]newest, error) {
	objects := make([]string, 0, len(events))
	for _, e := range events {
		objects = append(objects, e.Object)
	}

	known, err := readRecords(ctx, q, objects)
	if err != nil {
		return nil, fmt.Errorf("read the events before: %w", err)
	}

	records := map[recordKey]newest{}

	for i := range events {
		e := &events[i]
		k := recordKey{e.Object, e.Organisation}

		before, again := records[k]
		if !again {
			before = known[k]
		}

		e.Previous = changed(before.data, e.Data)
		records[k] = newest{event: e.ID, data: e.Data, stored: before.stored}
	}

	return records, nil
}

// changed returns a JSON object with the members of one that differ in another, as they were; null for a member that is
// new. It returns "" if none differs, or if one of the two is no object: there is no event before, or it shows nothing.
func changed(before, after string) string {
	old := membersOf(before)
	now := membersOf(after)

	if old == nil || now == nil {
		return ""
	}

	var out []byte

	add := func(name string, value []byte) {
		out = append(out, ',')
		out, _ = jsontext.AppendQuote(out, name) // a name that was read is valid text
		out = append(out, ':')
		out = append(out, value...)
	}

	for _, m := range old {
		if value, _ := find(now, m.name); !bytes.Equal(value, m.value) {
			add(m.name, m.value)
		}
	}

	for _, m := range now {
		if _, had := find(old, m.name); !had && string(m.value) != "null" {
			add(m.name, []byte("null"))
		}
	}

	if out == nil {
		return ""
	}

	out[0] = '{'

	return string(append(out, '}'))
}

// member is a member of a JSON object, with the bytes of its value.
type member struct {
	name  string
	value []byte
}

// find returns the value of a member. One that is missing is null.
func find(all []member, name string) (value []byte, has bool) {
	for _, m := range all {
		if m.name == name {
			return m.value, true
		}
	}

	return []byte("null"), false
}

// membersOf returns the members of a JSON object in their order, or nil if the text is none.
func membersOf(text string) []member {
	d := jsontext.NewDecoder(bytes.NewReader([]byte(text)))
	if d.PeekKind() != '{' {
		return nil
	}

	out := []member{}
	_, err := d.ReadToken()

	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			return nil
		}

		m := member{name: name.String()}

		var value jsontext.Value
		value, err = d.ReadValue()
		m.value = bytes.Clone(value)
		out = append(out, m)
	}

	if err != nil {
		return nil
	}

	return out
}
