//go:build !nosandbox

package world

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/rails/chain/safecode"
	"slipway/internal/standards/safe"
)

// SafePrefix is the short name of the development chain in addresses of accounts (EIP-3770).
const SafePrefix = "dev"

// safeReleases are the versions whose contracts are on the development chain.
var safeReleases = []string{safe.V111, safe.V130, safe.V141, safe.V150}

// openSafe puts the contracts of Safe accounts on the chain, once, as they come to any chain: the singleton factory by
// its own signed transaction, and through it every contract to its published address.
func (w *World) openSafe(ctx context.Context, _ Config) error {
	f := safecode.Factory()

	last := safecode.Of(safe.V150).At(safecode.SignMessageLib)
	if code, err := w.client.CodeAt(ctx, last, nil); err != nil || len(code) > 0 {
		return err
	}

	if err := w.Chain.Fund(f.Signer, ether(1)); err != nil {
		return err
	}

	if err := w.Chain.Fund(w.minter.Address, ether(100)); err != nil {
		return err
	}

	w.Chain.Mine(1)

	deploy, err := f.Signed()
	if err != nil {
		return err
	}

	if err := w.Chain.Submit(deploy); err != nil {
		return fmt.Errorf("singleton factory: %w", err)
	}

	w.Chain.Mine(1)

	for _, version := range safeReleases {
		release := safecode.Of(version)
		for _, name := range release.Deployed() {
			if _, err := w.Deploy(w.minter, release.Creation(name)); err != nil {
				return fmt.Errorf("%s %s: %w", version, name, err)
			}
		}
	}

	w.Chain.Mine(3)

	if code, err := w.client.CodeAt(ctx, last, nil); err != nil || len(code) == 0 {
		return errors.Join(err, errors.New("the contracts of Safe accounts were not deployed"))
	}

	return nil
}

// safeGas is the gas limit of whatever is done with accounts here.
const safeGas = 8_000_000

// Deploy puts a contract on the chain through the singleton factory, paid for by somebody, and returns its address: it
// is there with the next block.
func (w *World) Deploy(by Account, creation []byte) (common.Address, error) {
	factory := safecode.Factory().Address
	at := crypto.CreateAddress2(factory, [32]byte{}, crypto.Keccak256(creation))

	return at, w.sendWith(by, &factory, append(make([]byte, 32), creation...), nil, safeGas)
}

// SafeAccount describes an account to make.
type SafeAccount struct {
	Version   string // "": 1.4.1
	Owners    []common.Address
	Threshold int
	Salt      int64
	NoHandler bool // it answers no question about signatures (EIP-1271)
}

// NewSafe makes an account, paid for by somebody, and returns its address: it is there with the next block. Another one
// of the same owners needs another salt.
func (w *World) NewSafe(by Account, a SafeAccount) (common.Address, error) {
	if a.Version == "" {
		a.Version = safe.V141
	}

	release := safecode.Of(a.Version)
	factory := release.At(safecode.ProxyFactory)
	singleton := release.At(safecode.Singleton)

	handler := common.Address{}
	if !a.NoHandler && a.Version != safe.V111 {
		handler = release.At(safecode.FallbackHandler)
	}

	setup := safecode.Setup(a.Owners, a.Threshold, handler)
	if err := w.sendWith(by, &factory, safecode.Create(singleton, setup, a.Salt), nil, safeGas); err != nil {
		return common.Address{}, err
	}

	return safeAddress(release, singleton, setup, a.Salt), nil
}

// safeAddress is where a proxy factory puts an account (createProxyWithNonce).
func safeAddress(r safecode.Release, singleton common.Address, setup []byte, salt int64) common.Address {
	word := common.LeftPadBytes(big.NewInt(salt).Bytes(), 32)
	init := append(r.ProxyCreation(), common.LeftPadBytes(singleton[:], 32)...)

	return crypto.CreateAddress2(
		r.At(safecode.ProxyFactory),
		crypto.Keccak256Hash(crypto.Keccak256(setup), word),
		crypto.Keccak256(init),
	)
}
