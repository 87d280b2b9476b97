package chat

import (
	"errors"
	"net/url"
	"strings"
)

// What CheckAddress finds.
var (
	ErrRetired = errors.New("is that of an Office 365 connector, which Microsoft has retired: make a workflow instead")
	ErrNoPath  = errors.New("must be the whole address of the webhook, with what stands behind the host")
)

// CheckAddress returns what is wrong with an address of a kind, beside what a webhook.Guard finds.
func CheckAddress(k Kind, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return ErrNoPath
	}

	host := strings.ToLower(u.Hostname())

	switch {
	case k == Teams && (host == "outlook.office.com" || strings.HasSuffix(host, ".webhook.office.com")):
		return ErrRetired
	case strings.Trim(u.Path, "/") == "" && u.RawQuery == "":
		return ErrNoPath
	}

	return nil
}

// shownEnd is how many characters at the end of an address are shown.
const shownEnd = 4

// Shown returns what is shown of an address: its host, and its last characters. The rest is what lets people write.
func Shown(address string) string {
	if address == "" {
		return ""
	}

	u, err := url.Parse(address)
	if err != nil || len(u.Path)+len(u.RawQuery) < 4*shownEnd {
		return hostOf(u) + "/…"
	}

	return hostOf(u) + "/…" + address[len(address)-shownEnd:]
}

func hostOf(u *url.URL) string {
	if u == nil {
		return ""
	}

	return u.Host
}
