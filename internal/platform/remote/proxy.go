package remote

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// proxyVariables are read by net/http and by the libraries that follow it (net/http.ProxyFromEnvironment).
var proxyVariables = []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"}

// IgnoreProxies makes all requests of this process go directly, whatever its environment says: it takes the variables
// that name proxies from the environment, which is where every adapter and library of ours looks for them. Call it
// before the first request, since they are read once. A second call does nothing.
func IgnoreProxies() error {
	for _, name := range proxyVariables {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}

	return nil
}

// NamedProxies returns the names of the variables of an environment ("NAME=value") that name a proxy. ALL_PROXY is read
// by other programs alone, but whoever sets it expects a proxy.
func NamedProxies(environ []string) (names []string) {
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if value != "" && slices.Contains([]string{"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"}, strings.ToUpper(name)) {
			names = append(names, name)
		}
	}

	return names
}

// Control judges an address directly before it is connected to, as net.Dialer.Control does.
type Control func(network, address string, c syscall.RawConn) error

// Guarded is a transport for addresses that strangers have named. make returns a transport over a dialer; control
// judges every address that it connects to.
//
// A request that goes by a proxy of the environment is connected to by the proxy, so every address that its name has
// here is judged before it is sent. The proxy looks the name up itself: that it refuses private networks is up to it.
func Guarded(control Control, dialer net.Dialer, make func(net.Dialer) *http.Transport) http.RoundTripper {
	proxied := make(dialer)
	proxied.Proxy = http.ProxyFromEnvironment

	dialer.Control = control

	return &guarded{
		control: control,
		direct:  make(dialer),
		proxied: proxied,
		lookUp:  net.DefaultResolver.LookupNetIP,
		proxy:   http.ProxyFromEnvironment,
	}
}

type guarded struct {
	control         Control // nil: every address is admitted
	direct, proxied http.RoundTripper

	lookUp func(ctx context.Context, network, host string) ([]netip.Addr, error)
	proxy  func(*http.Request) (*url.URL, error)
}

// RoundTrip sends a request.
func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	by, err := g.proxy(r)
	if err == nil && by == nil {
		return g.direct.RoundTrip(r)
	}

	if err == nil {
		err = g.judge(r.Context(), r.URL)
	}

	if err == nil {
		return g.proxied.RoundTrip(r)
	}

	if r.Body != nil {
		_ = r.Body.Close() // as every transport does
	}

	return nil, err
}

// judge looks a name up and judges each of its addresses.
func (g *guarded) judge(ctx context.Context, u *url.URL) error {
	if g.control == nil {
		return nil
	}

	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}

	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return err
	}

	addresses, err := g.lookUp(ctx, "ip", u.Hostname())
	if err != nil {
		return err
	}

	for _, a := range addresses {
		a = a.Unmap()

		network := "tcp6"
		if a.Is4() {
			network = "tcp4"
		}

		if err := g.control(network, netip.AddrPortFrom(a, uint16(number)).String(), nil); err != nil {
			return err
		}
	}

	return nil
}
