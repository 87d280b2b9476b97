package chain

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// A rollup of the OP stack takes a fee for a transaction's data on Ethereum besides the gas, from the sender's balance.
// No field of the transaction limits it, so it is asked for before a nonce is taken, and counts into what a send may
// cost. (On Arbitrum it is part of the estimated gas.)

// dataFeeBound is the function of the contract GasPriceOracle that returns the most for a transaction of so many bytes
// without its signature (OP stack, Fjord).
const dataFeeBound = "getL1FeeUpperBound(uint256)"

// envelope is more than what surrounds the calldata of a transaction without its signature.
const envelope = 128

// dataFees returns what the rollup may take for the data of each send: twice the present bound, since Ethereum's price
// may double until it is mined. It returns zeros where there is no such fee.
func (l *lane) dataFees(ctx context.Context, v view, sends []sendRow) ([]*big.Int, error) {
	out := make([]*big.Int, len(sends))
	for i := range out {
		out[i] = new(big.Int)
	}

	if l.net.DataFeeOracle == (common.Address{}) || len(sends) == 0 {
		return out, nil
	}

	selector := crypto.Keccak256([]byte(dataFeeBound))[:4]
	calls := make([]call, len(sends))

	for i, s := range sends {
		size := big.NewInt(int64(len(s.Data) + envelope))
		data := slices.Concat(selector, common.BigToHash(size).Bytes())
		m := CallMsg{To: l.net.DataFeeOracle, Data: data}
		calls[i] = call{"eth_call", []any{m.wire(), "latest"}}
	}

	answers, err := l.client.askOne(ctx, v.primary, calls)
	if err != nil {
		return nil, fmt.Errorf("fee for data: %w", err)
	}

	for i, a := range answers {
		var word hexutil.Bytes
		if err := a.into(&word); err != nil {
			return nil, fmt.Errorf("fee for data: %w", err)
		}

		if len(word) != common.HashLength {
			return nil, fmt.Errorf("fee for data: %s is no oracle of it", l.net.DataFeeOracle)
		}

		out[i].Lsh(new(big.Int).SetBytes(word), 1)
	}

	return out, nil
}
