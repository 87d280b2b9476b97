package config

import (
	"fmt"
	"maps"
	"math/big"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/platform/secret"
)

// checker collects what is wrong.
type checker struct{ problems []string }

func (k *checker) report(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// when reports what is wrong if it is.
func (k *checker) when(wrong bool, format string, args ...any) {
	if wrong {
		k.report(format, args...)
	}
}

// entry reports what is wrong with a setting, if anything is.
func (k *checker) entry(key string, err error) { k.when(err != nil, "%s: %v", key, err) }

// validate returns what is wrong in any mode. It looks at the values only.
func (c *Config) validate() []string {
	k := &checker{}
	k.forms(c)
	k.when(c.Telemetry.MetricsListen != "" && c.Telemetry.MetricsListen == c.HTTP.Listen,
		"telemetry.metrics_listen must differ from http.listen; leave it empty to have metrics on the API in the "+
			"sandbox")

	k.baseURL(c.HTTP.BaseURL)
	k.securityText(c.HTTP.SecurityText)
	k.when(c.DataDir == "", "data_dir must not be empty")

	k.database(c.Database.URL)
	k.signIn(c)
	k.signOn(c.Mode, c.SignOn)
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
	k.backup(c)

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

// baseURL checks that the deployment has a host of its own: browsers keep the pages of one host apart from those of
// others, and not the paths of one host (RFC 6454), so whatever else the host serves could act in the session of
// whoever is signed in here.
func (k *checker) baseURL(s string) {
	u, err := url.Parse(s)
	if err != nil || webAddress(s) != nil {
		return // reported as no address
	}

	k.when(u.Path != "", "http.base_url: %s has the path %s; give the deployment a host name of its own, such as "+
		"https://pay.example.org, and let the proxy pass all of its paths", s, u.Path)
}

func (k *checker) database(address secret.Text) {
	s := address.Reveal()

	switch {
	case s == "":

	case strings.HasPrefix(s, "sqlite:"):
		k.when(strings.TrimPrefix(s, "sqlite:") == "", "database.url: sqlite: needs the path of a file")

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
		_, err := secret.ParseKeyring(c.Security.Keyring)
		k.entry("security.keyring", err)
	}

	m := c.Mail
	k.when(m.Host != "" && m.From == "", "mail.from is needed with mail.host")
	k.when((m.Username == "") != (m.Password == ""), "mail.username and mail.password go together")
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

	k.when(c.Chain.Signer.Kind == "", "%s shares the load of chain.signer, which is not configured", f.section())

	for _, id := range f.Networks {
		k.when(!slices.ContainsFunc(c.Networks, func(n Network) bool { return n.ID == id }),
			"%s.networks names %s, and there is no such network", f.section(), id)
	}
}

// parts reports the settings of a section that are missing, or given and of no use, where another setting has a value.
func (k *checker) parts(section, key, value string, given, needed map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		k.when(needed[name] && !given[name], "%s.%s is needed with %s %s", section, name, key, value)
		k.when(given[name] && !needed[name], "%s.%s is set, but %s is %q", section, name, key, value)
	}
}

// signer checks how a key is reached; at is where it is configured.
func (k *checker) signer(at string, s Signer) {
	k.parts(at, at+".kind", s.Kind, map[string]bool{
		"keystore_file": s.KeystoreFile != "",
		"password":      s.Password != "",
		"remote_url":    s.RemoteURL != "",
		"key":           s.Key != "",
	}, map[string]bool{
		"keystore_file": s.Kind == "keystore",
		"password":      s.Kind == "keystore",
		"remote_url":    s.Kind == "remote",
		"key":           s.Kind == "key",
	})

	k.when(s.Kind == "remote" && s.Address == "", "%s.address is needed with %s.kind remote", at, at)

	k.when(s.Key != "" && !hexKey.MatchString(s.Key.Reveal()), "%s.key is not 64 hexadecimal digits", at)
}

func (k *checker) bankAccounts(b BankAccounts) {
	if b.URL != "" || b.Provider == "ibansuite" {
		k.entry("bank_accounts.url", webAddress(b.URL))
	}

	k.parts("bank_accounts", "bank_accounts.provider", b.Provider,
		map[string]bool{"key": b.Key != ""}, map[string]bool{"key": b.Provider == "ibansuite"})

	k.when(b.UKSubstitutionsFile != "" && b.UKWeightsFile == "",
		"bank_accounts.uk_substitutions_file is of no use without uk_weights_file")

	k.when((b.FedACHFile == "") != (b.FedwireFile == ""),
		"bank_accounts.fedach_file and fedwire_file go together: with one alone, every number would be taken to be "+
			"out of the other's reach")
}

func (k *checker) network(n Network) {
	key := "network." + n.ID
	k.when(n.ChainID == 0, "%s: chain_id is needed", key)

	k.when(len(n.RPCURLs) == 0, "%s: rpc_urls needs at least one node", key)

	for i, x := range n.RPCURLs {
		u, err := url.Parse(x.Reveal())
		k.when(err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "",
			"%s: the %d. of rpc_urls is not an http or https address", key, i+1)
	}

	if n.SanctionsOracle != NoOracle && n.SanctionsOracle != "" {
		k.entry(key+".sanctions_oracle", chainAddress(n.SanctionsOracle))
	}

	k.when(n.FinalityTag != "" && n.FinalityDepth != 0, "%s: give finality_tag or finality_depth, not both", key)
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
