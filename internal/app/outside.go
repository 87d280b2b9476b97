package app

import (
	"io"
	"time"

	"slipway/internal/rails/dns"

	"github.com/alexedwards/argon2id"
	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/identity/idv"
	"slipway/internal/pages/signin"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/web"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/chain"
	provider "slipway/internal/rails/idv"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/safeservice"
	"slipway/internal/rails/screening"
)

// Outside holds the parties beyond this process, and what tests change. Live, Test, Sandbox and NewTool make one.
type Outside struct {
	Networks     []Network
	Signer       chain.Signer // nil in a command line tool: it sends nothing
	Screening    Screening
	Banking      Banking
	Verification Verification
	// SafeBoards are Safe's transaction services, by network.
	SafeBoards map[string]*safeservice.Client

	// Clock is the service's time. nil: a wall clock of its own.
	Clock *clock.Clock
	// Sandbox registers the operations that steer the simulators. nil in a live deployment.
	Sandbox func(a *App, api *web.API)
	// Standing returns the user of a sandbox, whom the page for signing in shows. nil: there is none.
	Standing func() signin.Person
	// DNS reads what domains say of their owners. nil: the resolver of the machine.
	DNS dns.Resolver
	// PrivateNodes lets operators name nodes on loopback and in private networks.
	PrivateNodes bool
	// LogDropped counts the lines of the log that its reader did not take. nil: whoever logs waits for the reader.
	LogDropped func() int64
	// MemoryLimit is how many bytes of memory the process may have. 0: there is no limit.
	MemoryLimit int64
	// Tool is set for a command that works on the service's database and lets nothing leave.
	Tool bool

	// Passwords are the costs of a password's hash. nil: auth's own. Tests take a cheap one.
	Passwords *argon2id.Params
	// NoLimits switches rate limits off, for tests.
	NoLimits bool
	// RunTwice runs every write body twice, for tests: it proves that bodies have no outside effect.
	RunTwice bool
	// Shared lets several Apps work on one SQLite file, for tests.
	Shared bool
	// AnyDurability accepts a database that may lose what it has acknowledged, for tests.
	AnyDurability bool
}

// Network is a chain that this deployment pays on: its record in the directory, and how the rail reaches it.
type Network struct {
	Record network.Network
	Tokens []network.Token
	Rail   chain.Network
}

// operators returns the addresses that send on a network. first is the deployment's own signer.
func (n Network) operators(first chain.Signer) []common.Address {
	out := []common.Address{first.Address()}
	for _, s := range n.Rail.Further {
		out = append(out, s.Address())
	}

	return out
}

// Screening holds the providers that decide whether a party may be dealt with.
type Screening struct {
	Addresses screening.Provider
	Names     screening.Names   // nil: names are not screened
	Lists     *screening.Lists  // the files among them, which are read again when they change; nil: there are none
	Oracles   map[string]string // contracts that are asked besides, by network
}

// Banking holds what a deployment needs to turn tokens into fiat and fiat into tokens. Without rates it carries out
// CRYPTO transactions alone.
type Banking struct {
	// Rates returns the source of exchange rates. nil: the configured market, if there is one.
	Rates func(*clock.Clock) rates.Source
	// House lists our accounts at banks: payouts leave from them, deposits arrive on them.
	House []bank.HouseAccount
	// Channel carries files to and from the bank. nil: files are only imported by hand.
	Channel bank.Channel
	// EBICS is the contract at a bank's EBICS server. Its keys are in the database, so the channel is built with it.
	EBICS *EBICS
	// Archive is the folder that keeps every file that came from the bank.
	Archive string
	// Look is the interval at which the bank's files are looked for. 0: a minute.
	Look time.Duration
	// Gather is how long a payout waits for others to share its file. 0: not at all.
	Gather time.Duration
	// Liquidity opens a provider of liquidity for which no address is configured: a simulator, which trades at the
	// given prices. nil: nobody swaps tokens and fiat.
	Liquidity OpenLiquidity
}

// EBICS is a contract at a bank's EBICS server, and the orders that carry our files.
type EBICS struct {
	Contract ebics.ContractConfig // without its database
	Channel  ebics.ChannelConfig
}

// OpenLiquidity opens the provider of liquidity of a name. It also returns what to close with the App.
type OpenLiquidity func(name string, c *clock.Clock, prices rates.Source) (liquidity.Provider, io.Closer, error)

// Verification is the identity provider of a deployment. Without a URL there is none, and requests that need one are
// answered 503.
type Verification struct {
	Client   provider.ClientConfig // its clock is set to the service's
	Levels   idv.Levels
	Webhook  idv.Webhook
	Lifetime time.Duration // of widget tokens; 0: idv's own
}
