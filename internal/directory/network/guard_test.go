package network_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
)

func check(g *network.Guard, url string) string {
	var l fault.List
	g.Check(context.Background(), "/rpcUrl", url, []string{"https"}, &l)

	if l.Empty() {
		return ""
	}

	return string(l.Fields()[0].Code)
}

// I-07: every spelling of an address inside is refused.
func TestAddressesInsideAreRefused(t *testing.T) {
	g := &network.Guard{Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
		answers := map[string]string{
			"good.example":             "93.184.215.14",
			"six.example":              "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
			"inside.example":           "10.1.2.3",
			"mapped.example":           "::ffff:127.0.0.1",
			"metadata.google.internal": "169.254.169.254",
			"localhost":                "127.0.0.1",
		}

		a, ok := answers[strings.TrimSuffix(host, ".")]
		if !ok {
			return nil, errors.New("no such host")
		}

		out := []netip.Addr{netip.MustParseAddr(a)}
		if host == "six.example" {
			out = append(out, netip.MustParseAddr("93.184.215.14"))
		}

		return out, nil
	}}
	for _, url := range []string{"https://good.example", "https://good.example:8443/v3/key", "https://six.example/", "https://93.184.215.14", "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443/"} {
		require.Empty(t, check(g, url), url)
	}

	for _, host := range []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "0", "0.0.0.0", "localhost", "localhost.",
		"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "169.254.0.1", "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.0.192",
		"192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16", "192.88.99.1",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:93.184.215.14]", "[::127.0.0.1]", "[fe80::1]", "[fe80::1%25eth0]", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]",
		"[ff02::1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001::1]", "[2001:db8::1]", "[100::1]", "[3fff::1]",
		"inside.example", "mapped.example", "metadata.google.internal", "unknown.example", "127.0.0.1.", "1.2.3.4.5", "０x7f.1", "127。0。0。1",
	} {
		require.NotEmpty(t, check(g, "https://"+host+"/"), host)
	}

	for _, url := range []string{
		"http://good.example", "ws://good.example", "ftp://good.example", "file:///etc/passwd", "gopher://good.example", "javascript:alert(1)", "//good.example", "good.example",
		"https://", "https:good.example", "https://user:pw@good.example", "https://good.example@127.0.0.1/", "https://good.example#@x", "https://good.example:22", "https://good.example:80", "https://\n", " https://good.example",
	} {
		require.NotEmpty(t, check(g, url), url)
	}

	require.Empty(t, check(&network.Guard{AllowPrivate: true}, "http://127.0.0.1:8545"))
	require.NotEmpty(t, check(&network.Guard{AllowPrivate: true}, "file:///etc/passwd"))
}

// I-07: a name that resolved to a public address when it was stored and to a private one when it is called is refused
// then, and redirects are not followed.
func TestAddressIsCheckedAgainWhenDialled(t *testing.T) {
	hits := 0

	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits++
		http.Redirect(w, r, "/again", http.StatusFound)
	}))
	defer inside.Close()
	_, err := (&network.Guard{}).Client(time.Second).Get(inside.URL)
	require.Error(t, err)
	require.Zero(t, hits)
	res, err := (&network.Guard{AllowPrivate: true}).Client(time.Second).Get(inside.URL)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusFound, res.StatusCode)
	require.Equal(t, 1, hits)
	require.Error(t, (&network.Guard{}).Control("tcp", net.JoinHostPort("::ffff:10.0.0.1", "443"), nil))
	require.NoError(t, (&network.Guard{}).Control("tcp", "93.184.215.14:443", nil))
}
