// Package network holds the blockchains that Slipway pays on: how to reach a node, which contracts are ours, when a
// block is final, and where each token is.
//
// Networks belong to the platform and not to a tenant: only operators write them, and everybody reads those that are
// offered. A network keeps its chain and its contracts for ever once a wallet was stored on it; otherwise a signature
// or an approval given for one contract could come to be used with another.
//
// Read in this order:
//
//   - What it is: network.go (with its rules), values.go (contracts as requests write them), facts.go (what is known of
//     a chain by its number), seed.go (the chains every deployment knows), guard.go (which addresses of nodes may be
//     called).
//   - The use cases: service.go, guarded.go and token.go (what two operators decide).
//   - All SQL: store.go, store_permits.go (how tokens take signatures), store_routers.go (former routers).
//   - view.go and http.go.
package network

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/standards/eip55"
)

// EVM is the one type that has a driver.
const EVM = "evm"

// types are the words the interface reserves; all but EVM wait for a driver.
const types = "evm,tron,solana,stellar,bitcoin"

// Network is one blockchain as Slipway uses it.
type Network struct {
	ID, Name, Type                             string
	ChainID                                    int64  // 0: not given yet
	RPCURL, InternalRPCURL, WSRPCURL, Explorer string // InternalRPCURL is preferred and never shown
	ClientVisible, Testnet                     bool
	Contracts                                  Contracts
	NativeToken                                string // code
	Features                                   []string
	MinTransactionFee                          string
	AMLProvider                                string
	ScreenOnProvider                           bool
	MultisigPrefix                             string // EIP-3770 short name
	WalletAddress                              string // the treasury
	Finality                                   Finality
	MaxFeePerGasWei                            string        // decimal digits; empty: the sender's own limit
	StuckAfter, BlockTime                      time.Duration `json:",format:nano"`
	UsedAt, CreatedAt, UpdatedAt               time.Time
	Deleted                                    bool
	Version                                    int64
}

// Finality says when a block counts: by the node's tag ("finalized" or "safe"), or when Depth blocks stand on it.
type Finality struct {
	Tag   string `json:"tag,omitempty" enum:"finalized,safe" doc:"the node's own word for it"`
	Depth int    `json:"depth,omitzero" minimum:"1" maximum:"100000" doc:"blocks on top, where the chain has no tag"`
}

// Token is where a token is on one network.
type Token struct {
	ID, Code string
	Address  string // EIP-55; empty for the coin of the chain
	Decimals int
	Symbol   string // that its contract told when it was first asked; empty: it was not asked yet
}

// equal reports whether two states of a network are the same.
func (n Network) equal(other Network) bool {
	if len(n.Features) == 0 && len(other.Features) == 0 { // none, read or cleared
		n.Features = other.Features
	}

	if len(n.Contracts) == 0 && len(other.Contracts) == 0 {
		n.Contracts = other.Contracts
	}

	return reflect.DeepEqual(n, other)
}

// Router is the contract that wallets approve; empty when none is deployed.
func (n Network) Router() string { return n.Contracts["router"] }

// NodeURLs are the addresses of the nodes that the service calls about a network that the configuration does not name:
// the internal one first. Where it names a network, the nodes that stand there are called, and these are not.
func (n Network) NodeURLs() []string {
	var out []string

	for _, url := range []string{n.InternalRPCURL, n.RPCURL} {
		if url != "" && !slices.Contains(out, url) {
			out = append(out, url)
		}
	}

	return out
}

// Ready reports whether wallets can be stored: the chain is known and clients are offered it.
func (n Network) Ready() bool { return !n.Deleted && n.ClientVisible && n.Type == EVM && n.ChainID > 0 }

// Owns reports whether an address is the platform's own here: the treasury or one of its contracts.
func (n Network) Owns(address string) bool { return slices.Contains(n.Own(), address) }

// Own is the platform's own addresses here, in their checksummed form.
func (n Network) Own() []string {
	out := slices.Collect(maps.Values(n.Contracts))
	if n.WalletAddress != "" {
		out = append(out, n.WalletAddress)
	}

	return out
}

// check notes every rule the record breaks. before is what it was; of a new one nothing was.
func (n Network) check(before Network, l *fault.List) {
	switch {
	case !slices.Contains(strings.Split(types, ","), n.Type):
		l.Add("/type", fault.NotInEnum, "must be one of %s.", types)
	case n.Type != EVM:
		l.Add("/type", fault.NetworkTypeUnsupp, "has no driver; `evm` has.")
	}

	switch reachable := len(n.NodeURLs()) > 0 && n.ChainID != 0; {
	case !n.ClientVisible || reachable:
	case before.ClientVisible && before.RPCURL != n.RPCURL:
		l.Add("/rpcUrl", fault.NotAllowed, "is needed while the network is offered to clients.")
	case before.ClientVisible && len(n.NodeURLs()) == 0:
		l.Add("/internalRpcUrl", fault.NotAllowed, "is needed while the network is offered to clients.")
	default:
		l.Add("/isClientVisible", fault.NotAllowed, "needs a chainId and the address of a node first.")
	}

	if n.WalletAddress != "" && !checksummed(n.WalletAddress) {
		l.Add("/walletAddress", fault.AddressInvalid, "is not an address with its checksum.")
	}

	if n.Finality.Tag != "" && n.Finality.Depth != 0 || n.Finality == (Finality{}) {
		l.Add("/finality", fault.FormatInvalid, "must have either `tag` or `depth`.")
	}

	if t, ok := refdata.All().Token(n.NativeToken); !ok || !t.Native {
		l.Add("/nativeCurrency", fault.TokenUnknown, "must be the coin of a chain.")
	}

	if len(n.MaxFeePerGasWei) > 30 || !digits(n.MaxFeePerGasWei) {
		l.Add("/maxFeePerGasWei", fault.FormatInvalid, "must be a number of wei, in digits.")
	}
}

// fixed notes every change that a network in use refuses. Contracts may be added, not changed.
func (n Network) fixed(next Network, l *fault.List) {
	if n.UsedAt.IsZero() {
		return
	}

	if n.ChainID != next.ChainID {
		l.Add("/chainId", fault.NetworkFixed, "cannot change: wallets are stored on this network.")
	}

	if n.Type != next.Type {
		l.Add("/type", fault.NetworkFixed, "cannot change: wallets are stored on this network.")
	}

	for name, address := range n.Contracts {
		if next.Contracts[name] != address {
			l.Add("/contracts/"+name, fault.NetworkFixed, "cannot change: wallets are stored on this network.")
		}
	}
}

// configured notes every change of what the deployment's configuration decides on a network that it names: the service
// calls and believes what stands there.
func (n Network) configured(next Network, l *fault.List) {
	for _, field := range []struct {
		name    string
		differs bool
	}{
		{"type", n.Type != next.Type},
		{"chainId", n.ChainID != next.ChainID},
		{"internalRpcUrl", n.InternalRPCURL != next.InternalRPCURL},
		{"finality", n.Finality != next.Finality},
		{"maxFeePerGasWei", n.MaxFeePerGasWei != next.MaxFeePerGasWei},
		{"stuckAfterSeconds", n.StuckAfter != next.StuckAfter},
	} {
		if field.differs {
			l.Add("/"+field.name, fault.NetworkConfigured, "is decided by the configuration of this deployment.")
		}
	}
}

func checksummed(s string) bool {
	a, err := eip55.Parse(s)
	return err == nil && a.Hex() == s
}

func digits(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c < '0' || c > '9' })
}
