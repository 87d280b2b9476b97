package config

import (
	"fmt"
	"math/big"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/crypto/sha3"

	"slipway/internal/core/money"
	"slipway/internal/platform/secret"
)

var (
	tableID    = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hexAddress = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)
	hexKey     = regexp.MustCompile(`^(0x)?[0-9a-fA-F]{64}$`)
)

// checker collects what is wrong.
type checker struct{ problems []string }

func (k *checker) report(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// validate returns what is wrong in any mode. It looks at the values only.
func (c *Config) validate() []string {
	k := &checker{}
	k.listen("http.listen", c.HTTP.Listen, true)
	k.listen("telemetry.metrics_listen", c.Telemetry.MetricsListen, false)
	k.listen("dev.chain_listen", c.Dev.ChainListen, false)

	if c.Telemetry.MetricsListen != "" && c.Telemetry.MetricsListen == c.HTTP.Listen {
		k.report("telemetry.metrics_listen must differ from http.listen; leave it empty to have metrics on the API " +
			"in the sandbox")
	}

	k.baseURL(c.HTTP.BaseURL)
	k.securityText(c.HTTP.SecurityText)
	k.webAddress("telemetry.otlp_endpoint", c.Telemetry.OTLPEndpoint, false)

	if c.DataDir == "" {
		k.report("data_dir must not be empty")
	}

	k.database(c.Database.URL)
	k.signIn(c)
	k.signer(signerKey, c.Chain.Signer)

	for _, f := range c.FurtherSigners {
		k.furtherSigner(c, f)
	}

	k.idv(c.Mode, c.IDV)
	k.screening(c.Screening)
	k.bank(c.Bank)
	k.operator(c.Operator)
	k.bankAccounts(c.BankAccounts)
	k.prices(c)
	k.documents(c.Documents)
	k.witness(c.Witness)

	chains := map[uint64]string{}
	for _, n := range c.Networks {
		k.network(n)

		if other := chains[n.ChainID]; other != "" && n.ChainID != 0 {
			k.report("network.%s: chain_id %d is that of the network %s too", n.ID, n.ChainID, other)
		}

		chains[n.ChainID] = n.ID
	}

	return k.problems
}

func (k *checker) listen(key, s string, needed bool) {
	if s == "" && !needed {
		return
	}

	_, port, err := net.SplitHostPort(s)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}

	if err != nil {
		k.report("%s: %q is not an address and port such as 127.0.0.1:8080 or :8080", key, s)
	}
}

func (k *checker) webAddress(key, s string, needed bool) {
	if s == "" && !needed {
		return
	}

	u, err := url.Parse(s)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "":
		k.report("%s: %q is not an address such as https://pay.example.org", key, s)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		k.report("%s: an address here has no user, query or fragment", key)
	case strings.HasSuffix(s, "/"):
		k.report("%s: leave out the slash at the end", key)
	}
}

// baseURL checks the address of the deployment. It has a host of its own: browsers keep the pages of one host apart
// from those of others, and not the paths of one host (RFC 6454), so whatever else the host serves could act in the
// session of whoever is signed in here.
func (k *checker) baseURL(s string) {
	before := len(k.problems)
	k.webAddress("http.base_url", s, true)

	if u, err := url.Parse(s); len(k.problems) == before && err == nil && u.Path != "" {
		k.report("http.base_url: %s has the path %s; give the deployment a host name of its own, such as "+
			"https://pay.example.org, and let the proxy pass all of its paths", s, u.Path)
	}
}

func (k *checker) database(address secret.Text) {
	s := address.Reveal()

	switch {
	case s == "":

	case strings.HasPrefix(s, "sqlite:"):
		if strings.TrimPrefix(s, "sqlite:") == "" {
			k.report("database.url: sqlite: needs the path of a file")
		}

	case strings.HasPrefix(s, "postgres://"), strings.HasPrefix(s, "postgresql://"):
		if u, err := url.Parse(s); err != nil || strings.Trim(u.Path, "/") == "" && !u.Query().Has("dbname") {
			// without the text: it holds a password
			k.report("database.url: a PostgreSQL address is postgres://user:password@host/name")
		}

	default:
		k.report(`database.url: it starts with "sqlite:" or "postgres://"`)
	}
}

// signIn checks what sign-in needs: the keyring, the trusted proxies, and mail.
func (k *checker) signIn(c *Config) {
	if c.Security.Keyring != "" {
		if _, err := secret.ParseKeyring(c.Security.Keyring); err != nil {
			k.report("security.keyring: %v", err)
		}
	}

	if _, err := c.HTTP.Proxies(); err != nil {
		k.report("http.trusted_proxies: %v", err)
	}

	m := c.Mail
	if m.AppURL != "" {
		k.site("mail.app_url", m.AppURL, "https://app.example.org")
	}

	if m.Host != "" && m.From == "" {
		k.report("mail.from is needed with mail.host")
	}

	if m.From != "" {
		if _, err := mail.ParseAddress(m.From); err != nil {
			k.report("mail.from: %q is not an address such as Slipway <no-reply@pay.example.org>", m.From)
		}
	}

	if m.Helo != "" && !helo.MatchString(m.Helo) {
		k.report("mail.helo: %q is not a host name such as pay.example.org", m.Helo)
	}

	if (m.Username == "") != (m.Password == "") {
		k.report("mail.username and mail.password go together")
	}
}

// Proxies returns the trusted proxies as prefixes.
func (h HTTP) Proxies() ([]netip.Prefix, error) { return prefixes(h.TrustedProxies) }

// prefixes reads addresses and prefixes.
func prefixes(list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range list {
		p, err := netip.ParsePrefix(s)
		if a, aerr := netip.ParseAddr(s); aerr == nil {
			p = netip.PrefixFrom(a, a.BitLen())
			err = nil
		}

		if err != nil {
			return nil, fmt.Errorf("%q is no address or prefix such as 10.0.0.0/8", s)
		}

		out = append(out, p.Masked())
	}

	return out, nil
}

const signerKey = "chain.signer"

// furtherSigner checks a further key: it belongs to networks that exist, beside a first one.
func (k *checker) furtherSigner(c *Config, f FurtherSigner) {
	k.signer(f.section(), f.Signer())

	if c.Chain.Signer.Kind == "" {
		k.report("%s shares the load of chain.signer, which is not configured", f.section())
	}

	for _, id := range f.Networks {
		if !slices.ContainsFunc(c.Networks, func(n Network) bool { return n.ID == id }) {
			k.report("%s.networks names %s, and there is no such network", f.section(), id)
		}
	}
}

// signer checks how a key is reached; at is where it is configured.
func (k *checker) signer(at string, s Signer) {
	given := map[string]bool{
		"keystore_file": s.KeystoreFile != "",
		"password":      s.Password != "",
		"remote_url":    s.RemoteURL != "",
		"key":           s.Key != "",
	}
	needs := map[string][]string{
		"":         nil,
		"keystore": {"keystore_file", "password"},
		"remote":   {"remote_url"},
		"key":      {"key"},
	}

	kind := s.Kind
	if _, known := needs[kind]; !known {
		return // refused as a value already
	}

	for _, name := range needs[kind] {
		if !given[name] {
			k.report("%s.%s is needed with %s.kind %s", at, name, at, kind)
		}

		delete(given, name)
	}

	for _, name := range []string{"keystore_file", "password", "remote_url", "key"} {
		if given[name] {
			k.report("%s.%s is set, but %s.kind is %q", at, name, at, kind)
		}
	}

	if kind == "remote" && s.Address == "" {
		k.report("%s.address is needed with %s.kind remote", at, at)
	}

	if s.Key != "" && !hexKey.MatchString(s.Key.Reveal()) {
		k.report("%s.key is not 64 hexadecimal digits", at)
	}

	k.address(at+".address", s.Address)
}

func (k *checker) bankAccounts(b BankAccounts) {
	k.webAddress("bank_accounts.url", b.URL, b.Provider == "ibansuite")

	switch {
	case b.Provider == "ibansuite" && b.Key == "":
		k.report("bank_accounts.key is needed with bank_accounts.provider ibansuite")
	case b.Provider != "ibansuite" && b.Key != "":
		k.report("bank_accounts.key is set, but bank_accounts.provider is %q", b.Provider)
	}

	if b.UKSubstitutionsFile != "" && b.UKWeightsFile == "" {
		k.report("bank_accounts.uk_substitutions_file is of no use without uk_weights_file")
	}

	if (b.FedACHFile == "") != (b.FedwireFile == "") {
		k.report("bank_accounts.fedach_file and fedwire_file go together: with one alone, every number would be " +
			"taken to be out of the other's reach")
	}
}

func (k *checker) network(n Network) {
	key := "network." + n.ID
	if n.ChainID == 0 {
		k.report("%s: chain_id is needed", key)
	}

	if len(n.RPCURLs) == 0 {
		k.report("%s: rpc_urls needs at least one node", key)
	}

	for i, x := range n.RPCURLs {
		u, err := url.Parse(x.Reveal())
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
			k.report("%s: the %d. of rpc_urls is not an http or https address", key, i+1)
		}
	}

	k.address(key+".router", n.Router)
	k.address(key+".treasury", n.Treasury)

	if n.SanctionsOracle != NoOracle {
		k.address(key+".sanctions_oracle", n.SanctionsOracle)
	}

	if n.FinalityTag != "" && n.FinalityDepth != 0 {
		k.report("%s: give finality_tag or finality_depth, not both", key)
	}

	if _, err := parseGwei(n.MaxFeePerGasGwei); err != nil {
		k.report("%s.max_fee_per_gas_gwei: %v", key, err)
	}
}

// address checks a chain address and, where its letters are of both cases, its checksum (EIP-55).
func (k *checker) address(key, s string) {
	if s == "" {
		return
	}

	if !hexAddress.MatchString(s) {
		k.report("%s: %q is not an address of 0x and 40 hexadecimal digits", key, s)
		return
	}

	digits := s[2:]
	if digits != strings.ToLower(digits) && digits != strings.ToUpper(digits) && s != checksummed(s) {
		k.report("%s: the checksum of %s is wrong; a digit may be mistyped", key, s)
	}
}

// checksummed returns an address in the mixed case of EIP-55.
func checksummed(s string) string {
	lower := []byte(strings.ToLower(s[2:]))
	h := sha3.NewLegacyKeccak256()
	h.Write(lower)

	sum := h.Sum(nil)
	for i, c := range lower {
		if nibble := sum[i/2] >> (4 * (1 - i%2)) & 15; c >= 'a' && nibble >= 8 {
			lower[i] = c - 'a' + 'A'
		}
	}

	return "0x" + string(lower)
}

func parseGwei(s string) (*big.Int, error) {
	a, err := money.Parse(money.Asset{Code: "gwei", Decimals: 9}, s)
	if err != nil {
		return nil, err
	}

	return a.Units(), nil
}

// MaxFeePerGasWei returns max_fee_per_gas_gwei in wei.
func (n Network) MaxFeePerGasWei() *big.Int {
	wei, err := parseGwei(n.MaxFeePerGasGwei)
	if err != nil {
		return new(big.Int) // not of a loaded configuration: Load refuses it
	}

	return wei
}
