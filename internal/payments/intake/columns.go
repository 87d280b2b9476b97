package intake

import (
	"regexp"
	"slices"
	"strings"

	"slipway/internal/core/text"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/sheet"
)

// Column is what a column says of its row. Names are those of the bodies of payees and payments, where these have one.
type Column string

// The columns.
const (
	Ignored       Column = "-"
	Name          Column = "name"
	Type          Column = "type"
	FirstName     Column = "firstName"
	LastName      Column = "lastName"
	Email         Column = "email"
	Street        Column = "addressLine1"
	PostCode      Column = "postCode"
	City          Column = "city"
	Country       Column = "countryIsoCode"
	IBAN          Column = "iban"
	BIC           Column = "bicSwift"
	AccountNumber Column = "accountNumber"
	SortCode      Column = "sortCode"
	RoutingNumber Column = "routingNumber"
	IFSC          Column = "ifscCode"
	AccountType   Column = "accountType"
	BankCountry   Column = "bankCountry"
	Currency      Column = "currency"
	Amount        Column = "amount"
	Reason        Column = "reason"
	Reference     Column = "reference"
	Key           Column = "key"
)

// words are what people call the columns, in English, German and French, folded (text.Fold) and without spaces.
var words = []struct {
	column Column
	names  []string
}{
	{Name, []string{
		"name", "payee", "company", "beneficiary", "creditor", "legalname", "recipient", "empfanger", "firma",
		"begunstigter", "zahlungsempfanger", "kontoinhaber", "nom", "beneficiaire", "societe", "raisonsociale",
	}},
	{Type, []string{"type", "kind", "art", "typ", "genre"}},
	{FirstName, []string{"firstname", "givenname", "vorname", "prenom"}},
	{LastName, []string{"lastname", "surname", "familyname", "nachname", "nomdefamille"}},
	{Email, []string{"email", "mail", "emailaddress", "emailadresse", "courriel", "adresseemail"}},
	{Street, []string{"street", "address", "addressline1", "streetandnumber", "strasse", "adresse", "rue"}},
	{PostCode, []string{"postcode", "zip", "zipcode", "postalcode", "plz", "postleitzahl", "codepostal", "npa"}},
	{City, []string{"city", "town", "place", "ort", "stadt", "ville", "localite"}},
	{Country, []string{"country", "countryisocode", "land", "pays"}},
	{IBAN, []string{"iban", "ibannumber", "konto", "compte", "kontoiban"}},
	{BIC, []string{"bic", "bicswift", "swift", "swiftcode"}},
	{AccountNumber, []string{"accountnumber", "account", "kontonummer", "numerodecompte"}},
	{SortCode, []string{"sortcode"}},
	{RoutingNumber, []string{"routingnumber", "aba", "routing"}},
	{IFSC, []string{"ifsc", "ifsccode"}},
	{AccountType, []string{"accounttype", "kontoart", "typedecompte"}},
	{BankCountry, []string{"bankcountry", "countryofthebank", "bankland", "landderbank", "paysdelabanque"}},
	{Currency, []string{"currency", "currencyisocode", "ccy", "wahrung", "devise", "monnaie"}},
	{Amount, []string{"amount", "betrag", "montant", "summe", "sum", "total"}},
	{Reason, []string{
		"reason", "purpose", "remittance", "message", "verwendungszweck", "zweck", "zahlungszweck",
		"mitteilung", "grund", "motif", "communication", "objet",
	}},
	{Reference, []string{"reference", "creditorreference", "referenz", "ref", "qrreference", "zahlungsreferenz"}},
	{Key, []string{"key", "paymentid", "endtoendid", "schlussel", "cle"}},
}

// longest is how many characters a column may have, as in the bodies of payees and payments; else mostOthers.
var longest = map[Column]int{
	Name:      140,
	FirstName: 70,
	LastName:  70,
	Email:     254,
	Street:    140,
	PostCode:  16,
	City:      70,
	Amount:    64,
	Reason:    500,
	Reference: 50,
	Key:       140,
}

const mostOthers = 64

// only are the words of columns that have no others.
var only = map[Column][]string{
	Type:        {"INDIVIDUAL", "COMPANY"},
	AccountType: {"CHECKING", "SAVINGS"},
}

// Columns returns the columns in the order of the template.
func Columns() (out []Column) {
	for _, w := range words {
		out = append(out, w.column)
	}

	return out
}

// recognised returns the columns that a row names, or nil if it names none.
func recognised(cells []string) (out []Column) {
	found := false

	for _, c := range cells {
		column := Ignored
		folded := strings.ReplaceAll(text.Fold(c), " ", "")

		for _, w := range words {
			if slices.Contains(w.names, folded) && !slices.Contains(out, w.column) {
				column = w.column
				found = true

				break
			}
		}

		out = append(out, column)
	}

	if !found {
		return nil
	}

	return out
}

var (
	isAmount   = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,8})?$`)
	isCurrency = regexp.MustCompile(`^[A-Z]{3}$`)
)

// guessed fills in the columns that no heading names and whose cells leave no doubt. Where there are headings, no other
// number is taken for an amount. Without them, the first column of other words is the payee and the next one is the
// reason, as in what is copied out of a list of payments.
func guessed(named []Column, rows []sheet.Row, width int) []Column {
	out := append([]Column{}, named...)
	for len(out) < width {
		out = append(out, Ignored)
	}

	looks := []struct {
		column Column
		like   func(cell string) bool
	}{
		{IBAN, func(c string) bool { _, err := iban.Parse(iban.Normalise(c)); return err == nil }},
		{Email, func(c string) bool { return strings.Contains(c, "@") && !strings.Contains(c, " ") }},
		{Currency, isCurrency.MatchString},
		{Amount, func(c string) bool { return isAmount.MatchString(plain(c)) }},
	}

	if named != nil {
		looks = looks[:2]
	}

	for i := range out {
		for _, look := range looks {
			if out[i] == Ignored && !slices.Contains(out, look.column) && all(rows, i, look.like) {
				out[i] = look.column
			}
		}
	}

	for _, column := range []Column{Name, Reason} {
		for i := range out {
			filled := all(rows, i, func(string) bool { return true })
			if named == nil && out[i] == Ignored && filled && !slices.Contains(out, column) {
				out[i] = column
			}
		}
	}

	return out
}

// all reports whether a column has a cell with something in it, and each of these is like something.
func all(rows []sheet.Row, column int, like func(cell string) bool) bool {
	any := false

	for _, r := range rows {
		if column >= len(r.Cells) || r.Cells[column] == "" {
			continue
		}

		if !like(r.Cells[column]) {
			return false
		}

		any = true
	}

	return any
}

// thousands and comma are how people group digits and write decimals.
var (
	thousands      = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)
	thousandPoints = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{3})+,[0-9]+$`)
	comma          = regexp.MustCompile(`^[0-9]+,[0-9]{1,2}$`)
)

// plain turns an amount as people write it into a decimal. What is not certain to be one stays as it is, and is
// refused. The console's forms have the same rule (money.ts).
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" '’_\u00a0\u202f", r) {
			return -1
		}

		return r
	}, s)

	switch {
	case thousands.MatchString(s):
		return strings.ReplaceAll(s, ",", "")
	case thousandPoints.MatchString(s):
		return strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
	case comma.MatchString(s):
		return strings.Replace(s, ",", ".", 1)
	}

	return s
}
