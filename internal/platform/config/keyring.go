package config

import (
	"fmt"
	"strings"

	"slipway/internal/platform/secret"
)

// sandboxKey is the id of the key that every sandbox seals with.
const sandboxKey = "sandbox"

// sandboxKeyring is the key of a sandbox that has none configured. It is public, like the test keys beside it; every
// other deployment refuses it by its name.
const sandboxKeyring secret.Text = sandboxKey + ":c2xpcHdheSBzYW5kYm94IHNlYWxpbmcga2V5IDAwMDE="

// PublicKeyring reports whether the deployment seals with the sandbox's own key.
func (c *Config) PublicKeyring() bool { return c.Security.Keyring == "" && c.Mode.Personal() }

// SealingKeys returns the configured keyring. A sandbox that has none gets a public one.
func (c *Config) SealingKeys() (*secret.Keyring, error) {
	ring := c.Security.Keyring
	if c.PublicKeyring() {
		ring = sandboxKeyring
	}

	keys, err := secret.ParseKeyring(ring)
	if err != nil {
		return nil, fmt.Errorf("security.keyring: %w", err)
	}

	return keys, nil
}

// checkKeyring reports secrets that would be encrypted with a public key.
func (k *checker) checkKeyring(keyring secret.Text) {
	ring := keyring.Reveal()

	switch {
	case ring == "":
		k.report("security.keyring is empty: secrets at rest would be sealed with a key that everybody knows " +
			"(slipway key seal makes one)")
	case strings.Contains(","+strings.NewReplacer("\n", ",", " ", ",").Replace(ring), ","+sandboxKey+":"):
		k.report("security.keyring holds the sandbox's key, which everybody knows")
	}
}
