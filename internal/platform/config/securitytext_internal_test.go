package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecurityTextNamesAContactAndItsEnd(t *testing.T) {
	for text, problems := range map[string]int{
		"": 0,
		"Contact: mailto:security@example.org\nExpires: 2027-11-01T00:00:00Z":                 0,
		"# old\r\nexpires: 2020-01-01T00:00:00z\r\nCONTACT: https://example.org/security\r\n": 0,
		"Contact: security\nExpires: 2027-11-01T00:00:00Z":                                    1,
		"Contact: mailto:security@example.org\nExpires: next year":                            1,
		"Write to security@example.org":                                                       2,
	} {
		k := &checker{}
		k.securityText(text)
		require.Len(t, k.problems, problems, text)
	}
}
