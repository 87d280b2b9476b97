// Package safe knows the accounts of Safe (formerly Gnosis Safe), contracts that several owners sign for: which code is
// one, what its owners sign, and how signatures are read, ordered and handed to the contract. It asks nobody: what only
// a node knows is in State, which a caller has read.
//
// Read in this order: safe.go (which code is a Safe), hash.go (what is signed), call.go (calldata), signature.go,
// typed.go (what a wallet shows), address.go (EIP-3770). Sources: the contracts of versions 1.1.1 to 1.5.0 (older ones
// cannot list their modules), and their published deployments.
package safe

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Versions of the contracts that are recognised.
const (
	V111 = "1.1.1"
	V120 = "1.2.0"
	V130 = "1.3.0"
	V141 = "1.4.1"
	V150 = "1.5.0"
)

// singletons is the version of each published singleton, by the hash of its code. The address does not count: the
// published factories put the same code at several.
var singletons = map[common.Hash]string{
	common.HexToHash("0x56b8be58b5ad629a621593a2e5e5e8e9a28408dc06e95597497b303902772e45"): V111,
	common.HexToHash("0x2ae2d1231f0d754a7fa4f5e5d0e5554085e1b500d8e09f95aaaaa3f49c0db922"): V120,
	common.HexToHash("0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e"): V130,
	common.HexToHash("0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f"): V130, // L2
	common.HexToHash("0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4"): V141,
	common.HexToHash("0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff"): V141, // L2
	common.HexToHash("0xdda019cbd7c867a533a2a86e5c53434fdc50b13122b5a5ddb4a8df61b31c20f2"): V150,
	common.HexToHash("0x180193227186ccb85316c94db1f0d156ed932b14712cfaac78901899178572dc"): V150, // L2
}

// proxies are the hashes of the code that published factories give an account: it delegates every call to the address
// in its first word of storage.
var proxies = map[common.Hash]bool{
	common.HexToHash("0xaea7d4252f6245f301e540cfbee27d3a88de543af8e49c5c62405d5499fab7e5"): true, // 1.1.1
	common.HexToHash("0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000"): true, // 1.3.0
	common.HexToHash("0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c"): true, // 1.4.1
	common.HexToHash("0x4e381985ca68b3e5d27b4425fa581c19cf33146d3f887a3cfca96f55528ea46f"): true, // 1.5.0
}

// Contract is a published contract: where it may be, and what its code hashes to.
type Contract struct {
	Address common.Address
	Code    common.Hash
}

// Batchers are the published MultiSendCallOnly contracts, in the order in which they are tried. A plain MultiSend is
// not among them: it also carries out delegate calls, with which a batch can replace the account's code.
var Batchers = []Contract{
	{
		common.HexToAddress("0x9641d764fc13c8B624c04430C7356C1C7C8102e2"), // 1.4.1
		common.HexToHash("0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939"),
	},
	{
		common.HexToAddress("0x40A2aCCbd92BCA938b02010E17A5b8929b49130D"), // 1.3.0, canonical
		common.HexToHash("0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad"),
	},
	{
		common.HexToAddress("0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B"), // 1.3.0, by the singleton factory
		common.HexToHash("0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad"),
	},
	{
		common.HexToAddress("0xA83c336B20401Af773B6219BA5027174338D1836"), // 1.5.0
		common.HexToHash("0xcdbdcec38d2f1c7d961b0029ff8416b7e86e9974d6f0e9c9580c7d17fcfb6663"),
	},
}

// Slots of an account's storage that no function shows in every version.
var (
	SlotSingleton       = common.Hash{}
	SlotFallbackHandler = crypto.Keccak256Hash([]byte("fallback_manager.handler.address"))
	SlotGuard           = crypto.Keccak256Hash([]byte("guard_manager.guard.address"))
	SlotModuleGuard     = crypto.Keccak256Hash([]byte("module_manager.module_guard.address"))
)

// Limits of what is read of an account.
const (
	MaxOwners  = 60
	MaxModules = 50
)

// State is a Safe as a node showed it.
type State struct {
	Address     common.Address   `json:"address"`
	Version     string           `json:"version"`
	Singleton   common.Address   `json:"singleton"`
	Owners      []common.Address `json:"owners"` // in ascending order
	Threshold   int              `json:"threshold"`
	Handler     common.Address   `json:"handler"`
	Guard       common.Address   `json:"guard"`
	ModuleGuard common.Address   `json:"moduleGuard"`
	Modules     []common.Address `json:"modules"` // in ascending order
	Nonce       uint64           `json:"-"`
	Domain      common.Hash      `json:"-"` // what the contract itself calls its domain separator
}

// Recognise returns the version of a Safe by the code at its address and that of its singleton; ok is false for
// any other contract, and for a Safe whose code nobody has published.
func Recognise(proxyCode, singletonCode []byte) (version string, ok bool) {
	if !proxies[crypto.Keccak256Hash(proxyCode)] {
		return "", false
	}

	version, ok = singletons[crypto.Keccak256Hash(singletonCode)]

	return version, ok
}

// IsProxy reports whether code is that of a proxy which a published factory makes.
func IsProxy(code []byte) bool { return proxies[crypto.Keccak256Hash(code)] }

// IsBatcher reports whether code is that of a published MultiSendCallOnly.
func IsBatcher(code []byte) bool {
	hash := crypto.Keccak256Hash(code)
	return slices.ContainsFunc(Batchers, func(c Contract) bool { return c.Code == hash })
}

// delegated is how code begins that an account with a key has taken on (EIP-7702): 0xef0100 and an address.
var delegated = []byte{0xef, 0x01, 0x00}

// Delegated reports whether code at an address only names a delegate (EIP-7702). Such an account still has a key, which
// can do everything without the delegate.
func Delegated(code []byte) bool {
	return len(code) == len(delegated)+common.AddressLength && bytes.HasPrefix(code, delegated)
}

// Sort brings owners and modules into ascending order: contracts list them by when they came.
func (s *State) Sort() {
	slices.SortFunc(s.Owners, common.Address.Cmp)
	slices.SortFunc(s.Modules, common.Address.Cmp)
}

// Owns reports whether an address is an owner.
func (s State) Owns(a common.Address) bool { return slices.Contains(s.Owners, a) }

// Facts is everything that decides who can move what the account holds, as one hash: its version, singleton, owners,
// threshold, fallback handler and guards. Modules are compared on their own, see NewModules.
func (s State) Facts() common.Hash {
	parts := [][]byte{
		[]byte(s.Version),
		s.Singleton[:],
		s.Handler[:],
		s.Guard[:],
		s.ModuleGuard[:],
		common.LeftPadBytes(big.NewInt(int64(s.Threshold)).Bytes(), 32),
	}
	for _, o := range s.Owners {
		parts = append(parts, o[:])
	}

	return crypto.Keccak256Hash(parts...)
}

// Difference says in words what is another than before; "" if nothing of Facts is.
func (s State) Difference(before State) string {
	var out []string
	for _, x := range []struct {
		what string
		same bool
	}{
		{"version", s.Version == before.Version},
		{"singleton", s.Singleton == before.Singleton},
		{"owners", slices.Equal(s.Owners, before.Owners)},
		{"threshold", s.Threshold == before.Threshold},
		{"fallback handler", s.Handler == before.Handler},
		{"guard", s.Guard == before.Guard},
		{"module guard", s.ModuleGuard == before.ModuleGuard},
	} {
		if !x.same {
			out = append(out, x.what)
		}
	}

	return strings.Join(out, ", ")
}

// NewModules returns the modules that were not there before. A module moves what the account holds without any owner's
// signature.
func (s State) NewModules(before State) []common.Address {
	var out []common.Address
	for _, m := range s.Modules {
		if !slices.Contains(before.Modules, m) {
			out = append(out, m)
		}
	}

	return out
}
