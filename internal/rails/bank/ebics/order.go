package ebics

import (
	"fmt"
	"regexp"
	"strings"
)

// Order names what is sent or fetched.
//
// Version 3.0 names business orders by a service (BTF, ch. 13): Type is BTU or BTD. Version 2.5 names them by three
// letters, or by FUL and FDL with a file format. Administrative orders have three letters in both.
type Order struct {
	Type     string
	Service  Service // of BTU and BTD
	Format   string  // file format of FUL and FDL, such as camt.xxx.cfonb120.stm
	Country  string  // of Format, ISO 3166 alpha-2; may be empty
	FileName string  // of BTU; may be empty
	// From and To limit a download to days, such as 2026-11-01. Both or neither.
	From, To string
}

// Service is a business transaction format, each field as the bank's list writes it.
type Service struct {
	Name      string // ServiceName, such as SCT, EOP, PSR
	Scope     string // such as DE, CH; may be empty
	Option    string // ServiceOption; may be empty
	Container string // ZIP, XML or SVC; may be empty
	Message   string // MsgName, such as pain.001, camt.053
	Variant   string // of the message, such as 001; may be empty
	Version   string // of the message, such as 09; may be empty
	Format    string // of the message, such as XML; may be empty
}

// serviceFields are the words of an order's text, in the order of the schema (ebics_types: ServiceType), with the form
// of each value.
func (s *Service) fields() []serviceField {
	return []serviceField{
		{"service", &s.Name, regexp.MustCompile(`^[A-Z0-9]{3}$`)},
		{"scope", &s.Scope, regexp.MustCompile(`^[A-Z0-9]{2,3}$`)},
		{"option", &s.Option, regexp.MustCompile(`^[A-Z0-9]{3,10}$`)},
		{"container", &s.Container, regexp.MustCompile(`^(SVC|XML|ZIP)$`)},
		{"message", &s.Message, regexp.MustCompile(`^[a-z.0-9]{1,10}$`)},
		{"variant", &s.Variant, regexp.MustCompile(`^[0-9]{2,3}$`)},
		{"version", &s.Version, regexp.MustCompile(`^[0-9]{2,3}$`)},
		{"format", &s.Format, regexp.MustCompile(`^[A-Z0-9]{1,4}$`)},
	}
}

type serviceField struct {
	word  string
	value *string
	form  *regexp.Regexp
}

// letters is the form of an order type of version 2.5, and of administrative orders.
var letters = regexp.MustCompile(`^[A-Z0-9]{3}$`)

// ParseOrder reads an order as people write it in the configuration. upload tells BTU from BTD:
//
//	service=EOP scope=CH container=ZIP message=camt.053 version=08   a service of version 3.0
//	C53                                                              an order type of version 2.5
//	FDL camt.xxx.cfonb120.stm FR                                     a file format of version 2.5
//
// The error names the word that is wrong.
func ParseOrder(text string, upload bool) (Order, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Order{}, fmt.Errorf("order %q: it is empty", text)
	}

	if !strings.Contains(text, "=") {
		return parseLetters(text, words)
	}

	o := Order{Type: "BTD"}
	if upload {
		o.Type = "BTU"
	}

	seen := map[string]bool{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")

		found := false
		for _, f := range o.Service.fields() {
			if f.word != key {
				continue
			}

			if seen[key] || !f.form.MatchString(value) {
				return Order{}, fmt.Errorf("order %q: %q is not %s in the form %s, once", text, w, key, f.form)
			}

			*f.value = value
			seen[key] = true
			found = true
		}

		if !found {
			return Order{}, fmt.Errorf(
				"order %q: %q is not one of service, scope, option, container, message, variant, "+
					"version, format",
				text,
				w,
			)
		}
	}

	if o.Service.Name == "" || o.Service.Message == "" {
		return Order{}, fmt.Errorf("order %q: service and message are needed", text)
	}

	return o, nil
}

func parseLetters(text string, words []string) (Order, error) {
	o := Order{Type: words[0]}
	byFormat := o.Type == "FUL" || o.Type == "FDL"

	switch {
	case !letters.MatchString(o.Type):
		return Order{}, fmt.Errorf("order %q: %q is no order type of three capital letters or digits", text, o.Type)
	case byFormat && len(words) >= 2 && len(words) <= 3:
		o.Format = words[1]
		if len(words) == 3 {
			o.Country = words[2]
		}
	case byFormat:
		return Order{}, fmt.Errorf("order %q: FUL and FDL need a file format, and may have a country", text)
	case len(words) > 1:
		return Order{}, fmt.Errorf("order %q: nothing may follow %s", text, o.Type)
	}

	return o, nil
}

// String returns the order as ParseOrder reads it.
func (o Order) String() string {
	if o.Service.Name == "" {
		return strings.TrimSpace(strings.Join([]string{o.Type, o.Format, o.Country}, " "))
	}

	var words []string
	for _, f := range o.Service.fields() {
		if *f.value != "" {
			words = append(words, f.word+"="+*f.value)
		}
	}

	return strings.Join(words, " ")
}

// Version returns the only version in which the order can be expressed, or "" if both have it.
func (o Order) Version() Version {
	switch {
	case o.Service.Name != "":
		return H005
	case administrative[o.Type]:
		return ""
	}

	return H004
}

// administrative are the orders that exist in both versions (ch. 13).
var administrative = map[string]bool{
	"INI": true,
	"HIA": true,
	"HPB": true,
	"HTD": true,
	"HKD": true,
	"HAC": true,
	"PTK": true,
	"SPR": true,
	"HAA": true,
	"HPD": true,
}
