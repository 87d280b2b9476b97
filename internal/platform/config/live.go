package config

import (
	"encoding/json"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// minPassword is the shortest password that a live keystore may have.
const minPassword = 12

// commonPasswords are those every attacker tries first, in lower case.
const commonPasswords = " postgres password passw0rd secret slipway slipway-dev changeme change-me admin root test " +
	"testing dev example 12345678 123456789012 passwordpassword "

// CheckLive returns every reason why c must not run with real money. It reads the files that c names and opens no
// connection. Only the running program can check that the database is durable, that its role is no superuser, and that
// a node's chain id is right.
func CheckLive(c *Config) []string {
	k := &checker{}
	k.when(!c.Mode.RealMoney(), "mode is %q; real money needs mode live", c.Mode)

	k.liveAddress(c.HTTP.BaseURL)
	k.liveFolders(c)
	k.liveDatabase(c.Database.URL.Reveal())
	k.liveSigner(signerKey, c.Chain.Signer)

	for _, f := range c.FurtherSigners {
		k.liveSigner(f.section(), f.Signer())
	}

	k.liveScreening(c.Screening)
	k.liveIDV(c.IDV)
	k.liveBank(c)
	k.liveSignIn(c)
	k.liveBankAccounts(c.BankAccounts)
	k.livePrices(c)
	k.liveQRBills(c.QRBills)
	k.liveDocuments(c.Documents)
	k.liveWitness(c.Witness)
	k.ownWitness(c)
	k.liveBackup(c.Backup)

	k.when(c.Webhooks.PrivateTargets,
		"webhooks.private_targets is true: customers could reach, and read, what stands in your own network")

	k.when(len(c.Networks) == 0, "there is no network")

	for _, n := range c.Networks {
		k.checkWorth(c.Mode, n)
		k.liveNetwork(n)
	}

	for _, key := range []string{"dev.chain_listen", "dev.block_period"} {
		k.when(c.Given(key), "%s is for the sandbox only", named(key, c.provenance.from[key]))
	}

	k.liveFile(c)

	return k.problems
}

func (k *checker) liveAddress(base string) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Scheme != "https":
		k.report("http.base_url %s is not https: tokens would travel in clear text", base)
	case loopback(u.Hostname()) || strings.HasSuffix(u.Hostname(), ".local") || strings.HasSuffix(u.Hostname(), ".test"):
		k.report("http.base_url %s is not what clients can reach: links in mails are made from it", base)
	}
}

func (k *checker) liveFolders(c *Config) {
	switch {
	case temporary(c.DataDir):
		k.report("data_dir %s is emptied by the system at times", c.DataDir)
	case !filepath.IsAbs(c.DataDir):
		k.report("data_dir %s is no full path: started from elsewhere, the service would find nothing of its own",
			c.DataDir)
	}
}

func (k *checker) liveDatabase(address string) {
	if address == "" {
		return // in data_dir, which is checked
	}

	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		path, query, _ := strings.Cut(strings.TrimPrefix(path, "//"), "?")
		switch {
		case strings.Contains(path, ":memory:") || strings.Contains(query, "mode=memory"):
			k.report("database.url keeps everything in memory only")
		case temporary(path):
			k.report("database.url is an SQLite file in %s, which is emptied by the system at times",
				filepath.Dir(path))

		case !filepath.IsAbs(path):
			k.report("database.url is an SQLite file without its full path: started from elsewhere, the service " +
				"would find an empty database")
		}

		return
	}

	u, err := url.Parse(address)
	if err != nil {
		k.report("database.url cannot be read")
		return
	}

	if password, given := u.User.Password(); given && common(password, u.User.Username()) {
		k.report("database.url has a password that everybody tries first")
	}

	host := u.Query().Get("host")
	if host == "" {
		host = u.Hostname()
	}

	mode := u.Query().Get("sslmode")
	k.when(!local(host) && !slices.Contains([]string{"require", "verify-ca", "verify-full"}, mode),
		"database.url goes over the network without sslmode=verify-full (or verify-ca, require)")
}

func (k *checker) liveSigner(at string, s Signer) {
	switch s.Kind {
	case "":
		k.report("%s.kind is empty: the sandbox's own key would sign", at)
	case "key":
		k.report("%s.kind key keeps the private key in plain text; use keystore or remote", at)
	case "keystore":
		k.liveKeystore(at, s)

	case "remote":
		if u, err := url.Parse(s.RemoteURL); err != nil || !secureRemote(u) {
			k.report("%s.remote_url %s is neither https, a Unix socket nor on this machine", at, s.RemoteURL)
		}
	}

	k.when(s.Key != "" && s.Kind != "key", "%s.key is set: a private key has no place in a live configuration", at)

	k.notKnown(at+".address", s.Address)
}

func secureRemote(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "unix" || u.Scheme == "" && filepath.IsAbs(u.Path) ||
		loopback(u.Hostname())
}

func (k *checker) liveKeystore(at string, s Signer) {
	k.when(common(s.Password.Reveal(), "") || len(s.Password) < minPassword,
		"%s.password is a well-known one or shorter than %d characters", at, minPassword)

	info, err := os.Stat(s.KeystoreFile)
	if err != nil {
		k.report("%s.keystore_file %s cannot be read", at, s.KeystoreFile)
		return
	}

	mounted := strings.HasPrefix(s.KeystoreFile, "/run/") // a container's secrets: only it sees them
	if info.Mode().Perm()&0o007 != 0 && !mounted {
		k.report("%s.keystore_file %s may be read by everybody on this machine (mode %04o)", at, s.KeystoreFile,
			info.Mode().Perm())
	}

	k.when(temporary(s.KeystoreFile) && !mounted,
		"%s.keystore_file %s stands in a folder that is emptied by the system at times", at, s.KeystoreFile)

	var file struct {
		Address string `json:"address"`
		Version int    `json:"version"`
	}

	raw, err := os.ReadFile(s.KeystoreFile)
	if err != nil || json.Unmarshal(raw, &file) != nil || file.Version != 3 {
		k.report("%s.keystore_file %s is no Ethereum keystore of version 3", at, s.KeystoreFile)
		return
	}

	found := "0x" + strings.TrimPrefix(strings.ToLower(file.Address), "0x")
	k.notKnown("the address of "+at+".keystore_file", found)

	k.when(s.Address != "" && file.Address != "" && !strings.EqualFold(s.Address, found),
		"%s.address is %s, but the keystore file is that of %s", at, s.Address, found)
}

func (k *checker) liveBankAccounts(b BankAccounts) {
	k.when(b.Provider == "simulator", "bank_accounts.provider simulator makes its answers up")

	if u, err := url.Parse(b.URL); b.Provider == "ibansuite" && (err != nil || u.Scheme != "https") {
		k.report("bank_accounts.url %s is not https: IBANs and the key would travel in clear text", b.URL)
	}
}

// liveSignIn reports secrets encrypted with a public key, and a deployment in which nobody could reset a password.
func (k *checker) liveSignIn(c *Config) {
	k.checkKeyring(c.Security.Keyring)

	m := c.Mail
	switch {
	case m.Host == "":
		k.report("mail.host is empty: nobody could confirm an address or set a new password")
	case m.Security == "none" && !loopback(m.Host):
		k.report("mail.security none would send links that open accounts in clear text to %s", m.Host)
	}
}

func (k *checker) liveNetwork(n Network) {
	key := "network." + n.ID
	k.liveContract(key+".router", n.Router)
	k.liveContract(key+".treasury", n.Treasury)

	hosts := map[string]bool{}
	for i, x := range n.RPCURLs {
		u, err := url.Parse(x.Reveal())
		if err != nil {
			continue // refused by Load
		}

		hosts[u.Host] = true
		k.when(u.Scheme == "http" && !private(u.Hostname()),
			"%s: the %d. of rpc_urls goes over the network in clear text", key, i+1)
	}

	k.when(len(hosts) < 2,
		"%s: rpc_urls needs nodes on at least two hosts, since one node alone is not believed about finality", key)
}

func (k *checker) liveContract(key, address string) {
	if k.contract(key, address) {
		k.notKnown(key, address)
	}
}

// contract reports an address that is not set, and returns whether it is.
func (k *checker) contract(key, address string) bool {
	set := strings.Trim(address, "0x") != ""
	k.when(!set, "%s is not set", key)

	return set
}

// liveFile reports a configuration file that holds secrets and can be read by everybody.
func (k *checker) liveFile(c *Config) {
	if c.provenance.file == "" {
		return
	}

	info, err := os.Stat(c.provenance.file)
	if err != nil || info.Mode().Perm()&0o007 == 0 {
		return
	}

	var keys []string
	for _, s := range Describe() {
		if s.Secret {
			keys = append(keys, s.Key)
		}
	}

	for _, n := range c.Networks {
		keys = append(keys, networkKey+"."+n.ID+".rpc_urls")
	}

	for _, key := range keys {
		if c.provenance.from[key] == c.provenance.file {
			k.report("%s stands in %s, which everybody on this machine may read (mode %04o)", key, c.provenance.file,
				info.Mode().Perm())
		}
	}
}

// notKnown reports an address whose private key is public.
func (k *checker) notKnown(key, address string) {
	k.when(strings.Contains(developmentAccounts, strings.ToLower(address)) && hexAddress.MatchString(address),
		"%s %s is one of the well-known development accounts: everybody has its key", key, address)
}

func common(password, user string) bool {
	return password == "" || strings.EqualFold(password, user) ||
		strings.Contains(commonPasswords, " "+strings.ToLower(password)+" ")
}

// temporary reports whether a path lies where the system removes files by itself.
func temporary(path string) bool {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}

	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/run"} {
		if path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}

	return false
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && (a.IsLoopback() || a.IsUnspecified())
}

// onLoopback reports whether a listener of this host is reached from this machine alone. An empty or unspecified one
// listens on all addresses.
func onLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// local reports whether a database host is this machine: nothing, loopback, or the folder of a Unix socket.
func local(host string) bool { return host == "" || strings.HasPrefix(host, "/") || loopback(host) }

// private reports whether a host is within the operator's own network, by its address or because its name has no dot.
func private(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsPrivate() || ip.IsLoopback()
	}

	return loopback(host) || !strings.Contains(host, ".")
}

// developmentAccounts are addresses whose private keys are public: the 20 accounts of the mnemonic that anvil and
// Hardhat start with, and the faucet of our own development chain. The test beside this derives them.
const developmentAccounts = `0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc
	0x90f79bf6eb2c4f870365e785982e1f101e93b906 0x15d34aaf54267db7d7c367839aaf71a00a2c6a65 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc
	0x976ea74026e726554db657fa54763abd0c3a0aa9 0x14dc79964da2c08b23698b3d3cc7ca32193d9955 0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f
	0xa0ee7a142d267c1f36714e4a8f75612f20a79720 0xbcd4042de499d14e55001ccbb24a551f3b954096 0x71be63f3384f5fb98995898a86b02fb2426c5788
	0xfabb0ac9d68b0b445fb7357272ff202c5651694a 0x1cbd3b2770909d4e10f157cabc84c7264073c9ec 0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097
	0xcd3b766ccdd6ae721141f452c550ca635964ce71 0x2546bcd3c84621e976d8185a91a922ae77ecec30 0xbda5747bfd65f08deb54cb465eb87d40e51b197e
	0xdd2fd4581271e230360230f9337d5c0430bf44c0 0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199 0x2dabb0155a51a6ca0c1b9604bd78642f0e0aed4f`
