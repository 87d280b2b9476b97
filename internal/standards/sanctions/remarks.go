package sanctions

import (
	"fmt"
	"strings"
)

// marker begins an address in remarks and in the types of features and identifications.
const marker = "Digital Currency Address - "

// cutRemarks is the length at which remarks are truncated, even inside an address; they continue in SDN_COMMENTS.CSV.
// Complete remarks end with a full stop, since June 2012.
const cutRemarks = 900

// Remarks reads the addresses and weak aliases (a.k.a. 'NAME') in remarks: items separated by semicolons. cut is the
// last item of truncated remarks.
func Remarks(text string) (addresses []Address, aliases []Name, cut string, err error) {
	items := strings.Split(text, ";")
	for i, item := range items {
		if last := i == len(items)-1; last && len(text) >= cutRemarks &&
			!strings.HasSuffix(strings.TrimSpace(item), ".") {
			return addresses, aliases, item, nil
		}

		if _, rest, ok := strings.Cut(item, marker); ok {
			a, err := readAddress(rest)
			if err != nil {
				return nil, nil, "", err
			}

			addresses = append(addresses, a)
		} else if name, ok := quotedAlias(item); ok {
			aliases = append(aliases, Name{Text: name, Weak: true})
		}
	}

	return addresses, aliases, "", nil
}

// HoldsAddress reports whether a piece of remarks contains the beginning of an address.
func HoldsAddress(s string) bool { return strings.Contains(s, strings.TrimSpace(marker)) }

// readAddress reads "ETH 0x…" and the punctuation after it.
func readAddress(s string) (Address, error) {
	words := strings.Fields(s)
	if len(words) < 2 {
		return Address{}, fmt.Errorf("a digital currency address cannot be read: %q", short(s))
	}

	text := strings.TrimRight(words[1], ".,")
	if !Plausible(text) {
		return Address{}, fmt.Errorf("a digital currency address cannot be read: %q", short(s))
	}

	return Address{Currency: words[0], Text: text}, nil
}

// quotedAlias reads "a.k.a. 'NAME'".
func quotedAlias(item string) (string, bool) {
	item = strings.TrimPrefix(strings.TrimSpace(item), "alt. ")
	for _, word := range []string{"a.k.a. '", "f.k.a. '", "n.k.a. '"} {
		if rest, ok := strings.CutPrefix(item, word); ok {
			end := strings.LastIndexByte(rest, '\'')
			if end <= 0 {
				return "", false
			}

			return rest[:end], true
		}
	}

	return "", false
}

// Plausible reports whether s can be an address of some chain: 20 to 128 letters and digits.
func Plausible(s string) bool {
	if len(s) < 20 || len(s) > 128 {
		return false
	}

	for i := range len(s) {
		c := s[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == ':' || c == '-' || c == '_') {
			return false
		}
	}

	return true
}

func short(s string) string { return s[:min(len(s), 40)] }
