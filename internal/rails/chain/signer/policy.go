// Package signer is the process that holds the operator's key, so that the one that faces the internet holds none. It
// listens on a Unix socket, signs what its own policy allows, and writes down what it has signed before a signature
// leaves it.
//
// What it promises. It signs batches for the routers it was given and nothing else, at most so many and so much an
// hour and a day, whoever asks and however often it is restarted. It signs a nonce for one batch only; what fills the
// nonce instead moves nothing.
//
// What it does not promise: that a batch was asked for by somebody who may. Whom a wallet pays is bounded by the
// router and by the wallet's own allowance.
//
// Read in this order: policy.go (what may be signed), signer.go (what was signed), server.go (how it is asked).
package signer

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/rails/chain/contract"
)

// Policy is what may be signed.
type Policy struct {
	Routers         map[uint64]common.Address // by chain id
	MaxGas          uint64
	MaxFeePerGasWei *big.Int
	PerHour, PerDay int   // batches, and what fills nonces; 0: no limit
	Caps            []Cap // of tokens; on a chain that has one, a token without one is refused
}

// Cap bounds what all batches together move of one token.
type Cap struct {
	ChainID   uint64
	Token     common.Address
	Hour, Day *big.Int // base units
}

// request is what a transaction is about, apart from its fees.
type request struct {
	chain   uint64
	nonce   uint64
	filler  bool // it moves nothing, from the signer to itself
	token   common.Address
	units   *big.Int
	content common.Hash
}

// read finds out what a transaction is about, and refuses what the policy does not allow whatever was signed before.
func (p Policy) read(from common.Address, tx *types.Transaction) (request, error) {
	id := tx.ChainId()
	if tx.Type() != types.DynamicFeeTxType || !id.IsUint64() || tx.To() == nil || len(tx.AccessList()) > 0 {
		return request{}, refused("it is no transaction of the kind that the service sends")
	}

	r := request{chain: id.Uint64(), nonce: tx.Nonce(), units: new(big.Int), content: contentOf(tx)}

	router, known := p.Routers[r.chain]
	switch {
	case !known:
		return r, refused("chain %d is none of its chains", r.chain)
	case tx.Gas() > p.MaxGas:
		return r, refused("it asks for %d gas, and %d are allowed", tx.Gas(), p.MaxGas)
	case tx.GasFeeCap().Cmp(p.MaxFeePerGasWei) > 0 || tx.GasTipCap().Cmp(tx.GasFeeCap()) > 0:
		return r, refused("it offers %s wei for gas, and %s are allowed", tx.GasFeeCap(), p.MaxFeePerGasWei)
	case tx.Value().Sign() != 0:
		return r, refused("it moves the chain's own coin")
	case *tx.To() == from && len(tx.Data()) == 0:
		r.filler = true
		return r, nil
	case *tx.To() != router:
		return r, refused("%s is not the router of chain %d", tx.To(), r.chain)
	}

	call, err := contract.DecodeCall(tx.Data())
	if err != nil {
		return r, refused("%v", err)
	}

	r.token = call.Token
	for _, l := range call.Legs {
		r.units.Add(r.units, l.Amount)
	}

	return r, nil
}

// cap returns the bound of a token. ok is false where the chain has bounds and the token has none.
func (p Policy) cap(chain uint64, token common.Address) (c *Cap, ok bool) {
	ok = true
	for i := range p.Caps {
		if p.Caps[i].ChainID != chain {
			continue
		}

		if p.Caps[i].Token == token {
			return &p.Caps[i], true
		}

		ok = false
	}

	return nil, ok
}

// refused is an answer that stays the same however often it is asked for.
func refused(format string, args ...any) error {
	return &Error{Code: codeRefused, Message: fmt.Sprintf(format, args...)}
}
