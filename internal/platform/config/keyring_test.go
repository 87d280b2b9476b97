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
