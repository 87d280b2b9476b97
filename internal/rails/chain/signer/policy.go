// Package signer is the process that holds the operator's key, so that the process facing the internet holds none. It
// listens on a Unix socket, signs what its own policy allows, and records what it signs before a signature leaves.
//
// What it promises: it signs only batches for the configured routers, within limits per hour and day, whoever asks and
// however often it is restarted. It signs a nonce for one batch only; a filler of that nonce moves nothing.
//
// What it does not promise: that an authorised person requested a batch. The router and the wallet's own allowance
// limit whom a wallet pays.
//
// Read in this order: policy.go (what may be signed), signer.go (what was signed), server.go (the protocol).
package signer

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/rails/chain/contract"
)

// Policy lists what may be signed.
type Policy struct {
	Routers         map[uint64]common.Address // by chain id
	MaxGas          uint64
	MaxFeePerGasWei *big.Int
	PerHour, PerDay int   // batches and fillers; 0: no limit
	Caps            []Cap // per token; on a chain that has one, tokens without one are refused
}

// Cap limits what all batches together move of one token.
type Cap struct {
	ChainID   uint64
	Token     common.Address
	Hour, Day *big.Int // base units
}

// request is the content of a transaction, without its fees.
type request struct {
	chain   uint64
	nonce   uint64
	filler  bool // a transfer of nothing from the signer to itself
	token   common.Address
	units   *big.Int
	content common.Hash
}

// read decodes a transaction, and refuses what the policy never allows.
func (p Policy) read(from common.Address, tx *types.Transaction) (request, error) {
	id := tx.ChainId()
	if tx.Type() != types.DynamicFeeTxType || !id.IsUint64() || tx.To() == nil || len(tx.AccessList()) > 0 {
		return request{}, refused("it is not a transaction of the kind that the service sends")
	}

	r := request{chain: id.Uint64(), nonce: tx.Nonce(), units: new(big.Int), content: contentOf(tx)}

	router, known := p.Routers[r.chain]
	switch {
	case !known:
		return r, refused("chain %d is not configured", r.chain)
	case tx.Gas() > p.MaxGas:
		return r, refused("it asks for %d gas; at most %d are allowed", tx.Gas(), p.MaxGas)
	case tx.GasFeeCap().Cmp(p.MaxFeePerGasWei) > 0 || tx.GasTipCap().Cmp(tx.GasFeeCap()) > 0:
		return r, refused("it offers %s wei per gas; at most %s are allowed", tx.GasFeeCap(), p.MaxFeePerGasWei)
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

// cap returns the limit of a token. ok is false if the chain has limits and the token has none.
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

// refused is a refusal that does not change when the request is repeated.
func refused(format string, args ...any) error {
	return &Error{Code: codeRefused, Message: fmt.Sprintf(format, args...)}
}
