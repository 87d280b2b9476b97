package qrbill

import "strings"

// Is reports whether a QR code's text claims to be a Swiss bill, by its first line.
func Is(text string) bool {
	rest, ok := strings.CutPrefix(text, header)
	return ok && rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}
