package remote

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// carrier is a transport that notes where a request was sent.
type carrier struct{ sent []string }

// RoundTrip notes the request.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	c.sent = append(c.sent, r.URL.Host)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

// A stranger's address that goes by a proxy is judged by every address that its name has; one that goes directly is
// judged by the dialer.
func TestWhatGoesByAProxyIsJudgedBeforeItIsSent(t *testing.T) {
	refused := errors.New("private")
	names := map[string][]netip.Addr{
		"public.example":  {netip.MustParseAddr("203.0.113.7")},
		"mapped.example":  {netip.MustParseAddr("::ffff:203.0.113.7")},
		"mixed.example":   {netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("::ffff:10.0.0.1")},
		"private.example": {netip.MustParseAddr("fd00::1")},
	}

	var direct, proxied carrier

	g := &guarded{
		direct:  &direct,
		proxied: &proxied,
		control: func(network, address string, _ syscall.RawConn) error {
			switch network + " " + address {
			case "tcp4 203.0.113.7:443", "tcp4 203.0.113.7:8443":
				return nil
			}

			return refused
		},
		lookUp: func(_ context.Context, _, host string) ([]netip.Addr, error) {
			if found := names[host]; found != nil {
				return found, nil
			}

			return nil, errors.New("no such host")
		},
		proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Hostname() == "near.example" {
				return nil, nil
			}

			return &url.URL{Scheme: "http", Host: "proxy:3128"}, nil
		},
	}

	ask := func(address string) error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, http.NoBody)
		require.NoError(t, err)

		answer, err := g.RoundTrip(r)
		if err == nil {
			require.NoError(t, answer.Body.Close())
		}

		return err
	}

	require.NoError(t, ask("https://public.example/a"))
	require.NoError(t, ask("https://public.example:8443/a"))
	require.NoError(t, ask("https://mapped.example/a"))
	require.ErrorIs(t, ask("https://mixed.example/a"), refused)
	require.ErrorIs(t, ask("https://private.example/a"), refused)
	require.ErrorContains(t, ask("https://nowhere.example/a"), "no such host")
	require.NoError(t, ask("https://near.example/a"))

	require.Equal(t, []string{"public.example", "public.example:8443", "mapped.example"}, proxied.sent)
	require.Equal(t, []string{"near.example"}, direct.sent)

	g.control = nil
	require.NoError(t, ask("https://private.example/a"))
}

func TestNamedProxies(t *testing.T) {
	require.Equal(t, []string{"HTTPS_PROXY", "http_proxy"}, NamedProxies([]string{
		"HTTPS_PROXY=http://proxy:3128",
		"http_proxy=proxy:3128",
		"HTTP_PROXY=",
		"NO_PROXY=.internal",
		"SLIPWAY_OUTGOING__PROXY=none",
		"PATH=/bin",
	}))
}
