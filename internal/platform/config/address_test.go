package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A path is refused at the start: links in mails would lead to pages that are not there.
func TestBaseURLHasAHostOfItsOwn(t *testing.T) {
	for base, refused := range map[string]string{
		"https://pay.example.org":       "",
		"https://pay.example.org:8443":  "",
		"http://[::1]:8080":             "",
		"https://host.example/pay":      "has the path /pay; give the deployment a host name of its own",
		"https://host.example/pay/here": "has the path /pay/here;",
		"https://host.example/":         "leave out the slash at the end",
	} {
		_, err := Load(Source{Environ: []string{"SLIPWAY_HTTP__BASE_URL=" + base}})
		if refused == "" {
			require.NoError(t, err, base)
			continue
		}

		require.ErrorContains(t, err, refused, base)
	}
}

// The mail server is greeted by the configured name, or else by the host that people know the deployment by. An address
// is a literal (RFC 5321, 4.1.3).
func TestMailServersAreGreetedByAWholeName(t *testing.T) {
	for base, want := range map[string]string{
		"https://pay.example.org":      "pay.example.org",
		"https://pay.example.org:8443": "pay.example.org",
		"http://192.0.2.7:8080":        "[192.0.2.7]",
		"http://[2001:db8::7]:8080":    "[IPv6:2001:db8::7]",
		"http://localhost:8080":        "localhost",
	} {
		c := &Config{HTTP: HTTP{BaseURL: base}}
		require.Equal(t, want, c.Greeting(), base)
		require.Regexp(t, helo, want)
	}

	c := &Config{HTTP: HTTP{BaseURL: "https://pay.example.org"}, Mail: Mail{Helo: "out.example.org"}}
	require.Equal(t, "out.example.org", c.Greeting())

	for _, name := range []string{"a b", "pay.example.org\r\nMAIL", "pay..example", "[", "ü.example"} {
		_, err := Load(Source{Environ: []string{"SLIPWAY_MAIL__HELO=" + name}})
		require.ErrorContains(t, err, "mail.helo", name)
	}
}
