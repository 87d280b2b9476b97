package config

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/crypto/sha3"

	"slipway/internal/core/money"
)

var (
	tableID      = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hexAddress   = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)
	hexKey       = regexp.MustCompile(`^(0x)?[0-9a-fA-F]{64}$`)
	assetCode    = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,15}$`)
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	countryCode  = regexp.MustCompile(`^[A-Z]{2}$`)
	railCode     = regexp.MustCompile(`^[A-Z][A-Z_]+$`)
	vatPercent   = regexp.MustCompile(`^[1-9][0-9]?(\.[0-9]{1,2})?$`)

	// helo matches a name with which a server may be greeted: a host name or an address literal (RFC 5321, 4.1.1.1).
	helo = regexp.MustCompile(`^([A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*|\[[A-Za-z0-9.:]+\])$`)
)

// forms are what the text of a setting, or each text of its list, must be, by the tag form. Where there is no default,
// it may be empty.
func forms() map[string]func(string) error {
	return map[string]func(string) error{
		"address":  chainAddress,
		"amount":   func(s string) error { _, err := ParseStockAmounts([]string{s}); return err },
		"banking":  func(s string) error { _, err := Fees{Banking: []string{s}}.ParseBanking(); return err },
		"country":  matching(countryCode, "%q is no code of ISO 3166 such as CH"),
		"currency": matching(currencyCode, "%q is no code of ISO 4217 such as EUR"),
		"dollars":  dollars,
		"gwei":     func(s string) error { _, err := parseGwei(s); return err },
		"helo":     matching(helo, "%q is not a host name such as pay.example.org"),
		"listen":   listen,
		"mail":     mailAddress,
		"minimum":  func(s string) error { _, err := Quotes{OnrampMinimum: []string{s}}.ParseOnrampMinimum(); return err },
		"name":     matching(tableID, "%q is not a name of lower-case letters, digits and dashes"),
		"pair":     func(s string) error { _, err := Fees{PairCommissions: []string{s}}.ParsePairs(); return err },
		"percent":  func(s string) error { _, err := ParsePercent(s); return err },
		"prefix":   func(s string) error { _, err := prefixes([]string{s}); return err },
		"site":     site,
		"vat":      matching(vatPercent, "%q is no rate of VAT such as 19 or 8.1"),
		"web":      webAddress,
	}
}

// forms reports the texts that are not of their form.
func (k *checker) forms(c *Config) {
	known := forms()

	c.each(func(s Setting, key string, v reflect.Value) {
		if s.form == "" {
			return
		}

		for _, text := range textsOf(v) {
			if text != "" || s.Default != "" {
				k.entry(key, known[s.form](text))
			}
		}
	})
}

// textsOf returns the text of a setting, or those of its list.
func textsOf(v reflect.Value) []string {
	if v.Kind() != reflect.Slice {
		return []string{v.String()}
	}

	out := make([]string, v.Len())
	for i := range out {
		out[i] = v.Index(i).String()
	}

	return out
}

func matching(form *regexp.Regexp, refusal string) func(string) error {
	return func(s string) error {
		if !form.MatchString(s) {
			return fmt.Errorf(refusal, s)
		}

		return nil
	}
}

func listen(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}

	if err != nil {
		return fmt.Errorf("%q is not an address and port such as 127.0.0.1:8080 or :8080", s)
	}

	return nil
}

// site accepts an address of the web.
func site(s string) error {
	if u, err := url.Parse(s); err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" {
		return fmt.Errorf("%q is not an address such as https://pay.example.org", s)
	}

	return nil
}

// webAddress accepts an address of the web to which paths are appended.
func webAddress(s string) error {
	if err := site(s); err != nil {
		return err
	}

	u, err := url.Parse(s)
	switch {
	case err != nil, u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("an address here has no user, query or fragment")
	case strings.HasSuffix(s, "/"):
		return errors.New("leave out the slash at the end")
	}

	return nil
}

func mailAddress(s string) error {
	if _, err := mail.ParseAddress(s); err != nil {
		return fmt.Errorf("%q is not an address such as Slipway <no-reply@pay.example.org>", s)
	}

	return nil
}

func dollars(s string) error {
	if _, err := money.ParseOrZero(money.Asset{Code: "USD", Decimals: 2}, s); err != nil {
		return fmt.Errorf("%q is not an amount of US dollars", s)
	}

	return nil
}

// chainAddress accepts an address of a chain and, where its letters are of both cases, its checksum (EIP-55) alone.
func chainAddress(s string) error {
	if !hexAddress.MatchString(s) {
		return fmt.Errorf("%q is not an address of 0x and 40 hexadecimal digits", s)
	}

	digits := s[2:]
	if digits != strings.ToLower(digits) && digits != strings.ToUpper(digits) && s != checksummed(s) {
		return fmt.Errorf("the checksum of %s is wrong; a digit may be mistyped", s)
	}

	return nil
}

// checksummed returns an address in the mixed case of EIP-55.
func checksummed(s string) string {
	lower := []byte(strings.ToLower(s[2:]))
	h := sha3.NewLegacyKeccak256()
	h.Write(lower)

	sum := h.Sum(nil)
	for i, c := range lower {
		if nibble := sum[i/2] >> (4 * (1 - i%2)) & 15; c >= 'a' && nibble >= 8 {
			lower[i] = c - 'a' + 'A'
		}
	}

	return "0x" + string(lower)
}
