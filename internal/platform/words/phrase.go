package words

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A phrase is a text that is stored before its reader, and so its language, is known: what a mail says, and why a
// transaction stands where it does. It is text itself: phraseSign and a value in JSON. The sign is a control character;
// package web refuses texts of people that begin with it. Said turns it into words, and English into those that the
// interface shows.
const phraseSign = "\x01"

// Phrase returns a value that says a text of the catalogue, with its arguments. An argument is a text of people, or a
// value of this file.
func Phrase(key string, args ...string) string {
	parts := []any{key}
	for _, a := range args {
		parts = append(parts, part(a))
	}

	return phrase(parts)
}

// Sum returns a value that says an amount of a currency or token, as Amount does.
func Sum(amount, unit string) string {
	return phrase(map[string]string{"amount": amount, "unit": unit})
}

// When returns a value that says a time, to the minute.
func When(t time.Time) string {
	return phrase(map[string]time.Time{"when": t.UTC().Truncate(time.Second)})
}

// OnDay returns a value that says a day.
func OnDay(t time.Time) string { return phrase(map[string]time.Time{"day": t.UTC()}) }

// Count returns a value that says a text of the catalogue that depends on a number: "1 hour", "24 hours".
func Count(key string, n int64) string {
	return phrase(map[string]any{"key": key, "count": n})
}

// Detailed returns a value that says a text in English, in the words of the case. In other languages it says the
// catalogue's text of a key, which has no arguments: what a chain, a screening or a file format has against something
// is known in English only.
func Detailed(key, english string) string { return InEnglish(english, Phrase(key)) }

// InEnglish returns a value that says a text in English, as the interface shows it, and another value in other
// languages: an amount that English leaves as it was written has the marks of the reader's language in the others.
func InEnglish(english, otherwise string) string {
	return phrase(map[string]any{"english": english, "otherwise": part(otherwise)})
}

// Separator is what stands between the items of a List: a text of the catalogue with two arguments.
type Separator string

// The separators.
const (
	Spaces     Separator = "%[1]s %[2]s"
	Commas     Separator = "%[1]s, %[2]s"
	Semicolons Separator = "%[1]s; %[2]s"
)

// List returns a value that says values one after the other, with the separator as the language writes it. Those that
// are empty are left out; without any it returns "".
func List(by Separator, values ...string) (out string) {
	for _, v := range values {
		if out != "" && v != "" {
			v = Phrase(string(by), out, v)
		}

		out = cmp.Or(v, out)
	}

	return out
}

func phrase(v any) string {
	raw, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic("words: " + err.Error()) // texts and times always encode
	}

	return phraseSign + string(raw)
}

// part returns a value as a part of a phrase.
func part(value string) any {
	text, ok := strings.CutPrefix(value, phraseSign)
	if raw := jsontext.Value(text); ok && raw.IsValid() {
		return raw
	}

	return value
}

// English returns a value in English, as records show it. A text that is no phrase comes back as it is.
func English(value string) string {
	if !strings.HasPrefix(value, phraseSign) {
		return value
	}

	return Must().all[0].Said(value, func(s string) string { return s })
}

// Said returns a value in the language. plain is called with each text of people in it, and with a value that is none
// of this file's.
func (w *Words) Said(value string, plain func(string) string) string {
	text, ok := strings.CutPrefix(value, phraseSign)
	if !ok {
		return plain(value)
	}

	return w.part(jsontext.Value(text), plain)
}

// part says a part of a phrase, whose kind its form shows.
func (w *Words) part(raw jsontext.Value, plain func(string) string) string {
	switch raw.Kind() {
	case '[':
		return w.sentence(raw, plain)
	case '{':
		return w.figure(raw, plain)
	}

	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}

	return plain(text)
}

func (w *Words) sentence(raw jsontext.Value, plain func(string) string) string {
	var (
		parts []jsontext.Value
		key   string
	)

	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 || json.Unmarshal(parts[0], &key) != nil {
		return plain(string(raw))
	}

	args := make([]any, len(parts)-1)
	for i, p := range parts[1:] {
		args[i] = w.part(p, plain)
	}

	return w.Say(key, args...)
}

func (w *Words) figure(raw jsontext.Value, plain func(string) string) string {
	var x struct {
		Amount    string         `json:"amount"`
		Unit      string         `json:"unit"`
		When      time.Time      `json:"when"`
		Day       time.Time      `json:"day"`
		Key       string         `json:"key"`
		Count     int64          `json:"count"`
		English   string         `json:"english"`
		Otherwise jsontext.Value `json:"otherwise"`
	}

	switch err := json.Unmarshal(raw, &x); {
	case err != nil:
		return plain(string(raw))
	case x.Amount != "":
		return w.Amount(x.Amount, plain(x.Unit))
	case !x.When.IsZero():
		return w.Moment(x.When)
	case !x.Day.IsZero():
		return w.Day(x.Day)
	case x.Key != "":
		return w.Say(x.Key, x.Count)
	case w.code == "en":
		return plain(x.English)
	}

	return w.part(x.Otherwise, plain)
}
