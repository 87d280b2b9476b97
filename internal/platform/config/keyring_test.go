package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// C-06: what every sandbox seals with is refused where money is real.
func TestTheSandboxKeyIsRefusedForRealMoney(t *testing.T) {
	c := &Config{Mode: Sandbox}
	_, err := c.SealingKeys()
	require.NoError(t, err)
	require.True(t, c.PublicKeyring())

	c.Mode = Live
	_, err = c.SealingKeys()
	require.Error(t, err, "no key in a live deployment")
	require.False(t, c.PublicKeyring())

	c.Security.Keyring = sandboxKeyring
	require.Contains(t, strings.Join(CheckLive(c), "\n"), "security.keyring holds the sandbox's key")
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
