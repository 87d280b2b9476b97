package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIdentityProviderIsNeverHalfConfigured(t *testing.T) {
	whole := map[string]string{
		"IDV__BASE_URL":        "https://api.sumsub.com",
		"IDV__APP_TOKEN":       "sbx:a1",
		"IDV__SECRET":          "six patient lanterns",
		"IDV__WEBHOOK_SECRETS": "seven loud chairs",
	}

	for name, test := range map[string]struct {
		change map[string]string
		reason string // empty: it may be so
	}{
		"whole":                 {nil, ""},
		"two event secrets":     {map[string]string{"IDV__WEBHOOK_SECRETS": "seven loud chairs,eight quiet doors"}, ""},
		"SHA-1":                 {map[string]string{"IDV__WEBHOOK_ALGORITHMS": "HMAC_SHA1_HEX"}, ""},
		"sources":               {map[string]string{"IDV__WEBHOOK_SOURCES": "192.0.2.7,2001:db8::/32"}, ""},
		"in earnest":            {map[string]string{"IDV__APP_TOKEN": "prd:a1"}, "not of the provider's sandbox"},
		"no token":              {map[string]string{"IDV__APP_TOKEN": ""}, "are needed with idv.base_url"},
		"no secret":             {map[string]string{"IDV__SECRET": ""}, "are needed with idv.base_url"},
		"no event secret":       {map[string]string{"IDV__WEBHOOK_SECRETS": ""}, "are needed with idv.base_url"},
		"no address":            {map[string]string{"IDV__BASE_URL": ""}, "but idv.base_url is empty"},
		"one secret for both":   {map[string]string{"IDV__WEBHOOK_SECRETS": "six patient lanterns"}, "a secret of its own"},
		"MD5":                   {map[string]string{"IDV__WEBHOOK_ALGORITHMS": "HMAC_MD5_HEX"}, `"HMAC_MD5_HEX" is none of`},
		"source that is none":   {map[string]string{"IDV__WEBHOOK_SOURCES": "sumsub.com"}, "is no address or prefix"},
		"one level for two":     {map[string]string{"IDV__COMPANY_LEVEL": "basic-kyc-level"}, "a level of people, too"},
		"one level, other word": {map[string]string{"IDV__PRIVATE_LEVEL": "basic-kyb-level"}, "a level of people, too"},
		"query in the address":  {map[string]string{"IDV__BASE_URL": "https://api.sumsub.com?x=1"}, "no user, query or fragment"},
	} {
		t.Run(name, func(t *testing.T) {
			m := merge(whole)
			for k, v := range test.change {
				m[k] = v
			}

			_, err := Load(Source{Environ: environ(m)})
			if test.reason == "" {
				require.NoError(t, err)
				return
			}

			require.ErrorContains(t, err, test.reason)
			require.False(t, strings.Contains(err.Error(), "patient") || strings.Contains(err.Error(), "chairs"),
				"a secret is told: %v", err)
		})
	}
}
