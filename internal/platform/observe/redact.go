package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Redacted is written in place of a secret.
const Redacted = "[redacted]"

// secretWords make a name secret wherever they stand in it; personal ones are there because logs live longer than
// consent.
const secretWords = `password|passwd|passphrase|secret|authori[sz]ation|cookie|signature|mnemonic|credential|` +
	`api[_-]?key|private[_ -]?key|one[_-]?time|totp|otpauth`

var (
	secretName = regexp.MustCompile(`(?i)` + secretWords)
	// keyName and tokenName are also words of the business (the key of a job, the token USDC), so the value decides
	// too.
	keyName      = regexp.MustCompile(`(^k|[^a-z]k|[a-z]K|^K)(ey|EY)s?$|(?i:^keys?[^a-z])|^key[A-Z]|KEY`)
	tokenName    = regexp.MustCompile(`(?i)token`)
	personalName = regexp.MustCompile(
		`(?i)^(e_?mail(address)?|phone(number)?|iban|date_?of_?birth|first_?name|last_?name)$`,
	)
	// plainKey is the key of a job, an effect or a setting: lower-case words and ids parted by slashes or dots, none
	// of them long.
	plainKey = regexp.MustCompile(`^[a-z][a-z_-]{0,30}([/.:][a-z0-9_-]{1,40})*$`)
	// plainToken is the code or the address of a token on a chain.
	plainToken = regexp.MustCompile(`^([A-Z][A-Za-z0-9.]{1,11}|0x[0-9a-fA-F]{40})$`)
)

// What is replaced within texts, except each pattern's first group.
var (
	ourTokens = regexp.MustCompile(
		`\b((?:at|rt|tt|it|sk_live|sk_test|whsec)_)[0-9A-Za-z]{8,}|\b([a-z]{2,8}(?:_[a-z]{2,8})?_)[0-9A-Za-z]{32,}\b`,
	)
	webTokens   = regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`)
	bearers     = regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{6,}`)
	userinfo    = regexp.MustCompile(`(://[^\s:/@]*:)[^\s@]+@`)
	assignments = regexp.MustCompile(
		`(?i)([a-z0-9_-]*(?:` + secretWords + `|token|\bkey)["']?\s*(?:=|":|':|:)\s*(?:["'\[]*)(?:(?:basic|digest|bearer)\s+)?)([^\s"',;&}\]]+)`,
	)
	mails = regexp.MustCompile(`[A-Za-z0-9._%+-]{1,64}(@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)`)
)

// Redact replaces what looks like a secret in a text: our tokens, JSON web tokens, bearer values, passwords in
// addresses, values after names of secrets, and the name in an e-mail address. It also replaces characters that fake
// another line or order. The result is safe to log and still shows the place.
func Redact(s string) string {
	if strings.ContainsFunc(s, misleads) {
		s = strings.Map(func(r rune) rune {
			if misleads(r) {
				return utf8.RuneError
			}

			return r
		}, s)
	}

	if len(s) < 6 {
		return s
	}

	if strings.IndexByte(s, '_') >= 0 {
		s = ourTokens.ReplaceAllString(s, "${1}${2}"+Redacted)
	}

	if strings.Contains(s, "eyJ") {
		s = webTokens.ReplaceAllString(s, Redacted)
	}

	if strings.Contains(s, "://") {
		s = userinfo.ReplaceAllString(s, "${1}"+Redacted+"@")
	}

	if strings.ContainsAny(s, "=:") {
		s = assignments.ReplaceAllStringFunc(s, redactAssignment)
	}

	if strings.Contains(s, "earer") || strings.Contains(s, "EARER") {
		s = bearers.ReplaceAllString(s, "${1}"+Redacted)
	}

	if strings.IndexByte(s, '@') >= 0 {
		s = mails.ReplaceAllString(s, "…${1}")
	}

	return s
}

// misleads reports whether a character could show people another line or order than is there; those below U+0080 are
// escaped by slog.
func misleads(r rune) bool {
	return r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// redactAssignment keeps "invalid token: unexpected end" readable: after a colon and a blank, a plain short word is
// no secret unless the name says so beyond doubt.
func redactAssignment(match string) string {
	parts := assignments.FindStringSubmatch(match)
	name := parts[1]
	value := parts[2]
	prose := strings.HasSuffix(name, ": ") && !strings.ContainsAny(name, `"'`)

	doubtful := !secretName.MatchString(name)
	if prose && doubtful && len(value) < 20 && !strings.ContainsAny(value, "0123456789") {
		return match
	}

	isKey := keyName.MatchString(strings.TrimRight(name, `"'=: [`)) && plainKey.MatchString(value)
	if doubtful && (isKey || plainToken.MatchString(value)) {
		return match
	}

	return name + Redacted
}

// redactAttr is called by slog for every attribute that is no group, with the names of the groups around it.
func redactAttr(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) && a.Value.Kind() != slog.KindString {
		return a
	}

	for _, g := range groups {
		if secretName.MatchString(g) {
			return slog.String(a.Key, Redacted)
		}
	}

	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, redactNamed(a.Key, a.Value.String()))
	case slog.KindAny:
		return slog.Attr{Key: a.Key, Value: redactAny(a.Key, a.Value.Any())}

	default: // numbers, times and truth values
		if secretName.MatchString(a.Key) {
			return slog.String(a.Key, Redacted)
		}

		return a
	}
}

// redactNamed decides by name and value.
func redactNamed(name, value string) string {
	switch {
	case value == "":
		return ""
	case secretName.MatchString(name), personalName.MatchString(name),
		tokenName.MatchString(name) && !plainToken.MatchString(value),
		keyName.MatchString(name) && !plainKey.MatchString(value):
		return Redacted
	}

	return Redact(value)
}

// redactAny turns a value of any type into one whose every text was looked at, by way of its JSON form.
func redactAny(name string, v any) slog.Value {
	switch x := v.(type) {
	case nil:
		return slog.AnyValue(nil)
	case error:
		return slog.StringValue(redactNamed(name, x.Error()))
	case fmt.Stringer:
		return slog.StringValue(redactNamed(name, x.String()))

	case []byte:
		if utf8.Valid(x) {
			return slog.StringValue(redactNamed(name, string(x)))
		}

		return slog.StringValue(fmt.Sprintf("%d bytes", len(x)))
	}

	raw, err := json.Marshal(v)
	if err != nil {
		return slog.StringValue(redactNamed(name, fmt.Sprintf("%+v", v)))
	}

	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()

	var tree any
	if err := d.Decode(&tree); err != nil {
		return slog.StringValue(redactNamed(name, string(raw)))
	}

	return slog.AnyValue(redactTree(name, tree))
}

func redactTree(name string, v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k, item := range x {
			inner := k
			if secretName.MatchString(name) {
				inner = name
			}

			x[k] = redactTree(inner, item)
		}

		return x

	case []any:
		for i, item := range x {
			x[i] = redactTree(name, item)
		}

		return x

	case string:
		return redactNamed(name, x)

	case json.Number:
		if secretName.MatchString(name) {
			return Redacted
		}
	}

	return v
}
