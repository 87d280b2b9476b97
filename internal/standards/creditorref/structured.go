package creditorref

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// RF returns an ISO 11649 reference of 1 to 21 letters and digits: RF18539007547034.
func RF(body string) (string, error) {
	body = strings.ToUpper(body)
	if len(body) < 1 || len(body) > maxRF-4 || !alnum(body) {
		return "", errors.New("a creditor reference has 1 to 21 letters and digits")
	}

	check := 98 - mod97(body+"RF00")

	return "RF" + strconv.Itoa(check/10) + strconv.Itoa(check%10) + body, nil
}

const (
	minRF  = 5
	maxRF  = 25
	digits = 27 // of a QR reference
)

// ValidRF returns the reference in its electronic form (upper case, no blanks) if its checksum is right.
func ValidRF(text string) (string, bool) {
	if len(text) > 4*maxRF {
		return "", false
	}

	s := strings.ToUpper(strings.Join(strings.Fields(text), ""))
	if len(s) < minRF || len(s) > maxRF || s[:2] != "RF" || !alnum(s) || !isDigit(s[2]) || !isDigit(s[3]) {
		return "", false
	}

	// 00, 01 and 99 can satisfy the sum but are never generated
	return s, s[2:4] >= "02" && s[2:4] <= "98" && mod97(s[4:]+s[:4]) == 1
}

// FindRF returns the body (the part after RF and its two check digits) of every ISO 11649 reference in a text, each
// once. If words follow without a separator, every possible end with a right checksum is returned.
func FindRF(text string) (out []string) {
	text = text[:min(len(text), maxText)]
	if !holdsRF(text) { // as in most texts
		return nil
	}

	text = strings.ToUpper(text)
	for from := 0; ; {
		i := strings.Index(text[from:], "RF")
		if i < 0 || len(out) >= maxFound {
			return out
		}

		from += i + 1
		for _, body := range rfAt(text[from-1:]) {
			if !slices.Contains(out, body) {
				out = append(out, body)
			}
		}
	}
}

// holdsRF reports whether a text contains the letters RF, in any case.
func holdsRF(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i]|0x20 == 'f' && text[i-1]|0x20 == 'r' {
			return true
		}
	}

	return false
}

// rfAt returns the bodies of the references at the beginning of a text.
func rfAt(text string) (out []string) {
	var b []byte
	for i := 0; i < len(text) && len(b) < maxRF; i++ {
		switch c := text[i]; {
		case isAlnum(c):
			b = append(b, c)
			if i+1 < len(text) && isAlnum(text[i+1]) && len(b) < maxRF {
				continue
			}

			if ref, ok := ValidRF(string(b)); ok {
				out = append(out, ref[4:])
			}

		case c != ' ' && c != '\n' && c != '\r' && c != '\t':
			return out
		}
	}

	return out
}

// QRR returns a Swiss QR reference of 27 digits from up to 26, with leading zeros.
func QRR(body string) (string, error) {
	if len(body) == 0 || len(body) > digits-1 || strings.Trim(body, "0123456789") != "" ||
		strings.Trim(body, "0") == "" {
		return "", errors.New("a QR reference has 1 to 26 digits, not all of them zero")
	}

	body = strings.Repeat("0", digits-1-len(body)) + body

	return body + string('0'+mod10(body)), nil
}

// ValidQRR returns the 27 digits if the checksum is right. Blanks are ignored.
func ValidQRR(text string) (string, bool) {
	if len(text) > 4*digits {
		return "", false
	}

	s := strings.Join(strings.Fields(text), "")
	if len(s) != digits || strings.Trim(s, "0123456789") != "" || strings.Trim(s, "0") == "" {
		return "", false
	}

	return s, mod10(s[:digits-1]) == s[digits-1]-'0'
}

// FindQRR returns every QR reference in a text, each once: 27 digits between word boundaries.
func FindQRR(text string) (out []string) {
	text = text[:min(len(text), maxText)]
	for i := range len(text) {
		if !isDigit(text[i]) || i > 0 && isAlnum(text[i-1]) {
			continue
		}

		var b []byte

		j := i
		for ; j < len(text) && len(b) < digits && (isDigit(text[j]) || unicode.IsSpace(rune(text[j]))); j++ {
			if isDigit(text[j]) {
				b = append(b, text[j])
			}
		}

		if len(b) < digits || j < len(text) && isAlnum(text[j]) {
			continue
		}

		if ref, ok := ValidQRR(string(b)); ok && len(out) < maxFound && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}

	return out
}

// ours begins the QR references that contain a deposit reference: 15 digits, then its 35 bits in 11.
const ours = "100000000000000"

// QRRFor returns the QR reference that contains a deposit reference, always the same one.
func QRRFor(deposit string) (string, error) {
	ref, ok := ParseDeposit(deposit)
	if !ok {
		return "", errors.New("not a deposit reference")
	}

	var bits uint64
	for _, c := range ref[:data] {
		bits = bits<<5 | uint64(value(c))
	}

	s := strconv.FormatUint(bits, 10)

	return QRR(ours + strings.Repeat("0", digits-1-len(ours)-len(s)) + s)
}

// DepositOfQRR returns the deposit reference inside one of our QR references.
func DepositOfQRR(qrr string) (string, bool) {
	s, ok := ValidQRR(qrr)
	if !ok || s[:len(ours)] != ours {
		return "", false
	}

	bits, err := strconv.ParseUint(s[len(ours):digits-1], 10, 64)
	if err != nil || bits >= 1<<35 {
		return "", false
	}

	return encode(bits), true
}

// mod97 returns the remainder of a text in which letters count from A = 10 (ISO 7064, MOD 97-10).
func mod97(s string) int {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			n = (n*10 + int(s[i]-'0')) % 97
		} else {
			n = (n*100 + int(s[i]-'A') + 10) % 97
		}
	}

	return n
}

// mod10 returns the recursive checksum of Swiss references: the carry of each digit selects the next.
func mod10(s string) byte {
	next := [10]byte{0, 9, 4, 6, 8, 2, 7, 1, 3, 5}

	var carry byte
	for i := range len(s) {
		carry = next[(carry+s[i]-'0')%10]
	}

	return (10 - carry) % 10
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

func alnum(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) {
			return false
		}
	}

	return true
}

// Structured returns a reference of either kind, ISO 11649 or Swiss QR, in its electronic form, if its checksum is
// right.
func Structured(text string) (string, bool) {
	if rf, ok := ValidRF(text); ok {
		return rf, true
	}

	return ValidQRR(text)
}
