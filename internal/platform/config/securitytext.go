package config

import (
	"strings"

	"slipway/internal/core/day"
)

// securityText reports what http.security_txt lacks: each such text names a contact, and when it is no longer true (RFC
// 9116, 2.5.3 and 2.5.5). A text whose time is over is served all the same: its reader sees that it is old.
func (k *checker) securityText(text string) {
	if text == "" {
		return
	}

	var contact, expires bool

	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")

		switch strings.ToLower(strings.TrimSpace(name)) {
		case "contact":
			contact = contact || strings.Contains(value, ":")
		case "expires":
			_, err := day.ParseTime(value)
			expires = expires || err == nil
		}
	}

	k.when(!contact, "http.security_txt has no line such as Contact: mailto:security@example.org")

	k.when(!expires, "http.security_txt has no line such as Expires: 2027-11-01T00:00:00Z")
}
