package app

import (
	"fmt"

	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
)

// sandboxKeyring is the key of a sandbox that has none configured. It is public, like the test keys beside it; every
// other deployment refuses it by its name.
const sandboxKeyring secret.Text = "sandbox:c2xpcHdheSBzYW5kYm94IHNlYWxpbmcga2V5IDAwMDE="

// Keyring returns the configured keyring. A sandbox that has none gets a public one.
func Keyring(c *config.Config) (*secret.Keyring, error) {
	ring := c.Security.Keyring
	if ring == "" && c.Mode.Personal() {
		ring = sandboxKeyring
	}

	keys, err := secret.ParseKeyring(ring)
	if err != nil {
		return nil, fmt.Errorf("security.keyring: %w", err)
	}

	return keys, nil
}
