// Package record holds records of the interface as other records show them. The rule is one for all: a record within
// another one has all of its own fields, null where it has no value; records within that one are references; and what
// belongs to it and has no bound (its accounts, wallets, members, comments) is null there. So no answer depends on how
// many siblings its rows have.
//
// What nouns of several levels show stands here: the lower ones may not import the nouns that these are of. The others
// are in their nouns' packages, each called Embedded.
//
// Read in this order: record.go (references), shown.go (records).
package record

// Ref names a record.
type Ref struct {
	ID string `json:"_id"`
}

// RefTo returns the reference to a record, or nil for none.
func RefTo(id string) *Ref {
	if id == "" {
		return nil
	}

	return &Ref{id}
}

// Named names a record that has a name.
type Named struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// Coded names a currency or a token.
type Coded struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
	Code string `json:"isoCode"`
}

// CountryRef names a country.
type CountryRef struct {
	ID     string `json:"_id"`
	Name   string `json:"name"`
	Alpha2 string `json:"isoCode3166"`
}

// RailRef names a payment rail.
type RailRef struct {
	ID      string `json:"_id"`
	Name    string `json:"name"`
	Rail    string `json:"rail" doc:"code"`
	Display string `json:"display"`
}

// Many is what belongs to a record and has no bound. Within another record it is null.
type Many = *[]Ref
