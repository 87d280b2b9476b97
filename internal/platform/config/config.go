// Package config holds every setting of Slipway in one struct. It reads them from defaults, a TOML file and the
// environment; the later source wins.
//
// It promises to refuse an unknown name with the nearest known one, and to report all errors at once. A secret may
// stand in a file of its own and never prints itself. CheckLive returns every reason why real money must not run on
// this configuration, and CheckTest why tests must not. Neither checks that the database is durable or that a node
// serves the right chain; only the running program can.
//
// Read in this order:
//
//   - The settings, whose tags are their documentation: config.go; those of a part with their checks in banking.go
//     (banks), prices.go (rates, liquidity, quotes and fees), idv.go, screening.go, documents.go, bucket.go (of S3),
//     qrbills.go, witness.go, backup.go, signon.go (providers of OpenID Connect), operator.go, keyring.go,
//     securitytext.go.
//   - Where values come from: setting.go (the list made from the tags), load.go (files and environment), parse.go
//     (values).
//   - What is refused: forms.go and validate.go, mode.go with simulators.go or simulators_none.go (whether this build
//     has simulators), chains.go (which have worth), live.go and test.go (what each mode refuses).
//   - print.go.
package config

import (
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"slipway/internal/platform/secret"
)

// Config is every setting. The tags name the key, the default and one sentence of help; Describe lists them.
type Config struct {
	Mode               Mode                `key:"mode" default:"sandbox" oneof:"sandbox test live" help:"What the deployment is for. sandbox: one developer's machine; every outside party is simulated. test: integration and staging; networks for tests, simulators for what is not configured, everything is marked TEST. live: real money; the start is refused with any setting that is for trials only."`
	DataDir            string              `key:"data_dir" default:"data" help:"Folder for documents, bank files and the SQLite file."`
	HTTP               HTTP                `key:"http"`
	Database           Database            `key:"database"`
	Log                Log                 `key:"log"`
	Telemetry          Telemetry           `key:"telemetry"`
	Shutdown           Shutdown            `key:"shutdown"`
	Outgoing           Outgoing            `key:"outgoing"`
	Chain              Chain               `key:"chain"`
	FurtherSigners     []FurtherSigner     `key:"further_signer"`
	Networks           []Network           `key:"network"`
	Screening          Screening           `key:"screening"`
	IDV                IDV                 `key:"idv"`
	BankAccounts       BankAccounts        `key:"bank_accounts"`
	Bank               Bank                `key:"bank"`
	HouseAccounts      []HouseAccount      `key:"house_account"`
	Rates              Rates               `key:"rates"`
	Liquidity          Liquidity           `key:"liquidity"`
	LiquidityProviders []LiquidityProvider `key:"liquidity_provider"`
	Stock              Stock               `key:"stock"`
	Fees               Fees                `key:"fees"`
	Quotes             Quotes              `key:"quotes"`
	Security           Security            `key:"security"`
	Limits             Limits              `key:"limits"`
	Mail               Mail                `key:"mail"`
	Webhooks           Webhooks            `key:"webhooks"`
	SignOn             SignOn              `key:"sign_on"`
	Operator           Operator            `key:"operator"`
	Documents          Documents           `key:"documents"`
	Witness            Witness             `key:"witness"`
	Backup             Backup              `key:"backup"`
	QRBills            QRBills             `key:"qr_bills"`
	Dev                Dev                 `key:"dev"`
	provenance         provenance          // where each given value came from
}

// HTTP is how clients reach the API.
type HTTP struct {
	Listen         string   `key:"listen" form:"listen" default:"127.0.0.1:8080" help:"Address and port the API and the pages listen on. TLS ends at the proxy in front."`
	BaseURL        string   `key:"base_url" form:"web" default:"http://localhost:8080" help:"Address under which clients reach the API: a host name of its own, without a path. Links in mails begin with it, and passkeys are bound to its host name."`
	MaxInFlight    int      `key:"max_in_flight" default:"4096" min:"1" max:"1000000" help:"Requests worked on at once. Further ones are answered 503; more than a quarter from one address are answered 429. A request whose body has not arrived does not count. Uploads and downloads take at most half of them, those of one organisation, person or address an eighth."`
	MaxConnections int      `key:"max_connections" default:"8192" min:"32" max:"1000000" help:"Client connections at once. One address that is no trusted proxy has at most a quarter of them. Fewer if the process may not open twice as many files. A few more are reserved for /healthz and /readyz."`
	MaxStreams     int      `key:"max_streams" default:"2000" min:"2" max:"1000000" help:"Streams of events and long polls open at once. Further ones are answered 503."`
	OwnStreams     int      `key:"max_streams_of_organisation" default:"200" min:"1" max:"1000000" help:"Streams of events and long polls that one organisation, and one person in all of his organisations, may have open at once; one address may have a quarter of all. None has more than are free for the others. Further ones are answered 429."`
	BodyMemoryMB   int      `key:"body_memory_mb" default:"128" min:"8" max:"1000000" help:"Memory in MB for request bodies above 16 KiB; a body counts four times. One organisation, one person and one address have at most a quarter each. A body that finds no memory within two seconds is answered 503 or 429."`
	TrustedProxies []string `key:"trusted_proxies" form:"prefix" help:"Addresses or prefixes of the proxies in front, whose X-Forwarded-For is trusted. Empty: none is, and limits count by the address of the connection."`
	SecurityText   string   `key:"security_txt" help:"Text of /.well-known/security.txt (RFC 9116), with a line Contact and a line Expires, which is a date-time. Empty: there is none."`
	AccessLog      bool     `key:"access_log" default:"true" help:"Whether each request is logged. Reads are logged at level debug only."`
}

// Database is the database to work on.
type Database struct {
	URL        secret.Text `key:"url" help:"sqlite:PATH or postgres://user:password@host/name. Empty: the file slipway.db in data_dir."`
	ListRows   int         `key:"list_rows" default:"5000000" min:"0" help:"Transactions that long lists may keep in memory, so that they answer as fast as short ones: about 400 bytes each. 0: none; the database counts and sorts for every list."`
	Readers    int         `key:"readers" default:"8" min:"1" max:"1000" help:"Connections for reading."`
	Writers    int         `key:"writers" default:"2" min:"1" max:"100" help:"Connections for writing on PostgreSQL. SQLite always has one."`
	GroupLimit int         `key:"group_limit" default:"256" min:"1" max:"10000" help:"Writes committed together at most."`
}

// Log is what goes to standard error.
type Log struct {
	Level  string `key:"level" default:"info" oneof:"debug info warn error" help:"Least important level that is logged."`
	Format string `key:"format" oneof:"text json" help:"text or json. Empty: text on a terminal, json otherwise."`
}

// Telemetry is metrics and traces.
type Telemetry struct {
	MetricsListen string `key:"metrics_listen" form:"listen" help:"Address and port of /metrics for Prometheus, apart from the API. Empty: served by the API in the sandbox, nowhere else."`
	OTLPEndpoint  string `key:"otlp_endpoint" form:"web" help:"Address of an OpenTelemetry collector (OTLP over HTTP), such as http://localhost:4318. Empty: no tracing."`
}

// Shutdown is how the process ends.
type Shutdown struct {
	Drain time.Duration `key:"drain" default:"5s" min:"0s" max:"10m" help:"How long after a signal (SIGTERM) everything goes on while /readyz is 503, so that whoever balances load sends requests elsewhere. A sandbox takes no time for it."`
	Grace time.Duration `key:"grace" default:"20s" min:"0s" max:"10m" help:"How long running requests and jobs may take to finish after that. The process ends within 15 seconds more; what starts it must wait for longer than all of it (TimeoutStopSec of systemd, terminationGracePeriodSeconds of Kubernetes)."`
}

// Outgoing is how requests leave for the parties outside.
type Outgoing struct {
	Proxy string `key:"proxy" default:"none" oneof:"none environment" help:"By which proxy requests over HTTP leave: to nodes, webhook endpoints, buckets, collectors of traces and every provider, from the service and from slipway doctor alike. none: all go directly, whatever the environment says. environment: those that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name go by a proxy. Mail, SFTP and the database always go directly."`
}

// Chain is what all networks share.
type Chain struct {
	Signer Signer `key:"signer"`
}

// Signer holds the operator's key, the one that sends to chains.
type Signer struct {
	Kind         string      `key:"kind" oneof:"keystore remote key" help:"keystore: an encrypted file. remote: a separate signer process. key: from chain.signer.key, never in live. Empty: the simulated chain's own key."`
	KeystoreFile string      `key:"keystore_file" help:"Encrypted key file (Ethereum keystore, version 3)."`
	Password     secret.Text `key:"password" help:"Password of the keystore file."`
	RemoteURL    string      `key:"remote_url" help:"Address of the remote signer: a Unix socket's path, or https://…"`
	Address      string      `key:"address" form:"address" help:"The operator's address. A remote signer needs it. With a keystore it must be the file's."`
	Key          secret.Text `key:"key" help:"Private key as 64 hexadecimal digits. Never in live."`
}

// FurtherSigner is a further operator's key, which shares the load of networks with the one of chain.signer; in TOML a
// [[further_signer]] table.
type FurtherSigner struct {
	ID           string      `key:"id" help:"Name in logs: lower-case letters, digits and dashes."`
	Kind         string      `key:"kind" default:"remote" oneof:"keystore remote key" help:"As chain.signer.kind."`
	KeystoreFile string      `key:"keystore_file" help:"As chain.signer.keystore_file."`
	Password     secret.Text `key:"password" help:"Password of the keystore file."`
	RemoteURL    string      `key:"remote_url" help:"Address of its signer process: each key has a process and a journal of its own."`
	Address      string      `key:"address" form:"address" help:"Its address, which the router's owner has made a further operator. It needs gas money of its own."`
	Key          secret.Text `key:"key" help:"Private key as 64 hexadecimal digits. Never in live."`
	Networks     []string    `key:"networks" help:"Networks that it sends on, by their ids. Empty: all."`
}

// Signer returns how the key is reached.
func (f FurtherSigner) Signer() Signer {
	return Signer{
		Kind:         f.Kind,
		KeystoreFile: f.KeystoreFile,
		Password:     f.Password,
		RemoteURL:    f.RemoteURL,
		Address:      f.Address,
		Key:          f.Key,
	}
}

// On reports whether the key sends on a network.
func (f FurtherSigner) On(network string) bool {
	return len(f.Networks) == 0 || slices.Contains(f.Networks, network)
}

// section is where the key is configured.
func (f FurtherSigner) section() string { return furtherSignerKey + "." + f.ID }

// Network is one chain that payments run on; in TOML a [[network]] table.
type Network struct {
	ID               string        `key:"id" help:"Name in the API and in logs: lower-case letters, digits and dashes."`
	Testnet          bool          `key:"testnet" default:"false" help:"Whether the tokens of this network are worth nothing. Only a chain that Slipway does not know needs it. Mode test runs on such networks alone, mode live on none of them."`
	ChainID          uint64        `key:"chain_id" help:"The chain's number (EIP-155). Every node must report the same."`
	Name             string        `key:"name" help:"Name for people. Empty: the id."`
	RPCURLs          []secret.Text `key:"rpc_urls" help:"Nodes, of different providers: a block is final once two of them agree. An address may hold an access key, so it is treated as a secret."`
	Router           string        `key:"router" form:"address" help:"Address of the deployed Slipway router."`
	Treasury         string        `key:"treasury" form:"address" help:"Address that receives the tokens which are converted to money in the bank."`
	FinalityTag      string        `key:"finality_tag" oneof:"finalized safe" help:"Block tag after which a payment is final. Empty and no depth: finalized."`
	FinalityDepth    uint64        `key:"finality_depth" max:"100000" help:"Blocks after which a payment is final, for chains without a tag."`
	MaxFeePerGasGwei string        `key:"max_fee_per_gas_gwei" form:"gwei" default:"500" help:"Highest price of one unit of gas, in gwei, with at most nine decimals."`
	StuckAfter       time.Duration `key:"stuck_after" default:"45s" min:"1s" max:"24h" help:"How long a transaction may wait before its fee is raised."`
	Poll             time.Duration `key:"poll" default:"1s" min:"100ms" max:"1m" help:"Interval at which the chain is polled."`
	SanctionsOracle  string        `key:"sanctions_oracle" help:"Contract whose isSanctioned(address) is called for every address. Empty: Chainalysis's, on the chains where it is published. none: no contract is called."`
	SafeServiceURL   string        `key:"safe_service_url" help:"Address of Safe's transaction service for this network, such as https://api.safe.global/tx-service/eth, where owners of Safes see what they are asked to sign. Every signature from there is verified against the chain. Empty: none is asked."`
	SafeServiceKey   secret.Text   `key:"safe_service_key" help:"API key of Safe's transaction service."`
	SafeDelegateKey  secret.Text   `key:"safe_delegate_key" help:"Private key, as 64 hexadecimal digits, whose address an owner of each Safe has added as a proposer in Safe's application: what its owners are asked to sign is shown there before the first of them has signed. It is no owner and moves nothing. Empty: it is shown when an owner has confirmed."`
	SkipProofBecause string        `key:"skip_proof_because" help:"Reason why blocks and receipts of this chain cannot be verified by their hashes. Any text switches the verification off; receipts on which two nodes agree are then trusted."`
}

// BankAccounts is how bank account numbers are validated beyond their check digits.
type BankAccounts struct {
	Provider            string        `key:"provider" default:"offline" oneof:"offline ibansuite simulator" help:"Service that validates IBANs whose check digits are right. offline: none. ibansuite: iban.com. simulator: never in live."`
	URL                 string        `key:"url" default:"https://api.iban.com/clients/api/v4/iban" help:"Address of the IBAN Suite's validation API, version 4, without a slash at the end."`
	Key                 secret.Text   `key:"key" help:"API key of the IBAN Suite."`
	Timeout             time.Duration `key:"timeout" default:"10s" min:"1s" max:"1m" help:"Time limit of one call. A call without an answer is retried."`
	UKWeightsFile       string        `key:"uk_weights_file" help:"Vocalink's modulus weight table (valacdos.txt). Empty: account numbers are not checked against their sort codes."`
	UKSubstitutionsFile string        `key:"uk_substitutions_file" help:"Vocalink's sort code substitution table (scsubtab.txt), to be used with the weights."`
	BanksFile           string        `key:"banks_file" help:"CSV file with the header country,bankCode,bicSwift,name: to which bank an IBAN belongs, by its bank code. The console and the pages of invoice links fill in the BIC of an IBAN that is in it. Outside of SEPA such an IBAN needs none. A BIC of another bank is refused."`
	EURBIC              string        `key:"eur_bic" default:"required" oneof:"required optional" help:"Whether accounts in EUR in SEPA need a bicSwift beside the IBAN. Banks there route by the IBAN alone."`
	FedACHFile          string        `key:"fedach_file" help:"The Federal Reserve's FedACH directory (FedACHdir.txt). Without both directories, every routing number counts as reachable by ACH and none by Fedwire."`
	FedwireFile         string        `key:"fedwire_file" help:"The Federal Reserve's Fedwire directory (fpddir.txt)."`
}

// Security is limits of authentication.
type Security struct {
	Keyring    secret.Text `key:"keyring" help:"Keys that encrypt secrets at rest (second factors, links in waiting mails), as id:base64. The first one encrypts; older ones follow it. Empty: the sandbox's own, which is public."`
	TokenCache int         `key:"token_cache" default:"65536" min:"0" max:"10000000" help:"Verified access tokens in the cache, so that a request verifies no signature and reads no row. 0: no cache."`
}

// Limits are requests a minute. A request over its limit is answered 429 with Retry-After.
type Limits struct {
	Reads   int `key:"reads" default:"600" min:"0" max:"10000000" help:"GET requests of one session or API client in a minute. A person has twice as many in all, an organisation ten times. 0: no limit."`
	Writes  int `key:"writes" default:"60" min:"0" max:"10000000" help:"Other requests of one session or API client in a minute. A person has twice as many in all, an organisation ten times. 0: no limit."`
	SignIns int `key:"sign_ins" default:"5" min:"1" max:"10000" help:"Sign-ins to one account from one address in a minute. One address may try six times as many in all."`
}

// Mail is how mail goes out.
type Mail struct {
	Host     string      `key:"host" help:"SMTP server. Empty: nothing is sent; mails stay in a mailbox at /sandbox/mailbox. Needed in live, and in test unless http.base_url is within a network of your own."`
	Port     int         `key:"port" default:"587" min:"1" max:"65535" help:"Its port: 587 with starttls, 465 with tls."`
	Helo     string      `key:"helo" form:"helo" help:"Name by which the server is greeted (HELO, EHLO): a whole host name, as many servers demand one. Empty: the host of http.base_url."`
	Security string      `key:"security" default:"starttls" oneof:"starttls tls none" help:"How the connection is encrypted. none is for a server on this machine only."`
	Username string      `key:"username" help:"User name. Empty: no sign-in."`
	Password secret.Text `key:"password" help:"Password of the user."`
	AppURL   string      `key:"app_url" form:"site" help:"Address of the program in which people look at transactions and decide, such as https://app.example.org. Mails lead to its pages /transactions/ID, /transactions, /payables, /payables/invoice-links/ID, /approvals/ID and /receivers. Empty: mails lead to the console."`
	From     string      `key:"from" form:"mail" help:"Address that mails come from, such as Slipway <no-reply@pay.example.org>."`
}

// Greeting returns the name by which the mail server is greeted. An address is written as a literal (RFC 5321, 4.1.3).
func (c *Config) Greeting() string {
	if c.Mail.Helo != "" {
		return c.Mail.Helo
	}

	u, err := url.Parse(c.HTTP.BaseURL)
	if err != nil {
		return ""
	}

	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Is6() {
			host = "IPv6:" + host
		}

		return "[" + host + "]"
	}

	return host
}

// Webhooks is where events may be sent to.
type Webhooks struct {
	PrivateTargets bool `key:"private_targets" default:"false" help:"Whether organisations may name http addresses, loopback and private networks as webhook endpoints. Everybody who may add an endpoint then reaches what this machine reaches, and reads the answers. Never in live. A sandbox that listens on loopback alone does not need it."`
}

// Dev is the development chain, where there is one.
type Dev struct {
	ChainListen string        `key:"chain_listen" form:"listen" help:"Address and port on which the development chain answers JSON-RPC. Empty: a free port on loopback."`
	BlockPeriod time.Duration `key:"block_period" default:"1s" min:"0s" max:"1m" help:"Time between blocks of the development chain. 0s: a block as soon as a transaction waits."`
}

// PrivateWebhooks reports whether webhook endpoints may be in private networks: where the configuration says so, and on
// a developer's own machine that nobody else reaches.
func (c *Config) PrivateWebhooks() bool {
	if c.Mode.RealMoney() {
		return false
	}

	host, _, err := net.SplitHostPort(c.HTTP.Listen)

	return c.Webhooks.PrivateTargets || c.Mode.Personal() && err == nil && onLoopback(host)
}

// DatabaseURL returns database.url, or the SQLite file in data_dir if there is none.
func (c *Config) DatabaseURL() string {
	if u := c.Database.URL.Reveal(); u != "" {
		return u
	}

	return "sqlite:" + filepath.Join(c.DataDir, DatabaseName)
}

// DatabaseName is the SQLite file in data_dir, for a deployment without a database.url.
const DatabaseName = "slipway.db"

// IgnoredProxies returns the variables of the environment that name a proxy which no request goes by, because the
// setting does not ask for it.
func (c *Config) IgnoredProxies() []string {
	if c.Outgoing.Proxy == "environment" {
		return nil
	}

	return c.provenance.proxies
}

// Given reports whether a setting has a value from the file or the environment, and not its default alone.
func (c *Config) Given(key string) bool { return c.provenance.from[key] != "" }
