package signin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNextIsAPageOfTheConsole(t *testing.T) {
	for next, want := range map[string]string{
		"/console/o/org_1/payables?status=DRAFT&x=%20": "/console/o/org_1/payables?status=DRAFT&x=%20",
		"/console/ops":                  "/console/ops",
		"/console/ops#part":             "/console/ops",
		"/console/a%20b":                "/console/a%20b",
		"/console/session/back":         "/console/session/back",
		"/console":                      "/console",
		"":                              "/console",
		"/":                             "/console",
		"/docs":                         "/console",
		"/consolex":                     "/console",
		"console/ops":                   "/console/ops",
		"//evil.example/console/":       "/console",
		"///evil.example/console/x":     "/console",
		"https://evil.example/console/": "/console",
		"https:/console/ops":            "/console",
		"javascript:alert(1)":           "/console",
		`/\evil.example`:                "/console",
		`/console/\evil.example`:        "/console",
		"/console/../docs":              "/console",
		"/console/%2e%2e/docs":          "/console",
		"/console/..%2fdocs":            "/console",
		"/console/session":              "/console",
		"/console/session/end":          "/console",
		"/console/x\r\nSet-Cookie: a=b": "/console",
		"/console/%0d%0aSet-Cookie:a":   "/console/%0D%0ASet-Cookie:a",
	} {
		require.Equal(t, want, localPage(next), next)
	}
}

// Whatever is asked for, the browser stays on this host and in the console.
func FuzzNext(f *testing.F) {
	f.Add("/console/ops?x=1")
	f.Add("//evil.example")
	f.Add(`/console/\..\x`)

	f.Fuzz(func(t *testing.T, next string) {
		got := localPage(next)
		require.True(t, got == "/console" || strings.HasPrefix(got, "/console/"), got)
		require.NotContains(t, got, `\`)
		require.NotContains(t, got, "\n")

		u, err := url.Parse("https://pay.example" + got)
		require.NoError(t, err)
		require.Equal(t, "pay.example", u.Host)
		require.NotContains(t, "/"+u.Path+"/", "/../")
	})
}
