// Package evidence reads what a chain proves of a batch, whoever's it is: its outcome, its gas, whether its number was
// used, and whether its payer has the funds. It decides nothing and records nothing but the gas.
//
// Read in this order: evidence.go (receipts and numbers), funds.go, texts.go.
package evidence

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// gasAsset is what gas is paid in on every EVM chain: 18 decimals, whatever the coin is called.
var gasAsset = money.Asset{Code: "ETH", Decimals: 18}

// Outcome returns what a receipt proves about a batch. Its error is for Contradicts.
func Outcome(n network.Network, b contract.Batch, sent chain.Sent) (contract.Outcome, error) {
	receipt := &types.Receipt{Status: types.ReceiptStatusFailed, TxHash: sent.Hash, Logs: sent.Logs}
	if sent.OK {
		receipt.Status = types.ReceiptStatusSuccessful
	}

	return contract.ParseReceipt(common.HexToAddress(n.Router()), b, receipt)
}

// PostGas books the gas that the operator's key has paid for a send. It is known only now, at the price in the block.
func PostGas(tx *db.Tx, of chart.Of, sent chain.Sent) error {
	if sent.GasPrice == nil {
		return nil
	}

	cost := new(big.Int).Mul(sent.GasPrice, new(big.Int).SetUint64(sent.GasUsed))
	if cost.Sign() == 0 {
		return nil
	}

	return chart.PostOn(tx, ledger.OfBlock(sent.MinedAt), chart.GasPaid{
		Of:      of,
		Network: sent.Network,
		Send:    sent.Key,
		Hash:    sent.Hash.Hex(),
		Cost:    money.FromUnits(gasAsset, cost),
	})
}

// Used asks the router whether it has carried out a batch with a number. Where a network has two nodes, both must
// answer: a wrong "no" from one would give back what was paid.
func Used(ctx context.Context, client *chain.Client, router common.Address, number int64) (bool, error) {
	out, err := client.Call(ctx, UsedCall(router, number))
	if err != nil {
		return false, fmt.Errorf("ask the router for number %d: %w", number, err)
	}

	used, err := chain.Word(out)
	if err != nil {
		return false, fmt.Errorf("ask the router for number %d: %w", number, err)
	}

	return used.Sign() != 0, nil
}

// UsedCall returns the call of the router that Used makes.
func UsedCall(router common.Address, number int64) chain.CallMsg {
	return chain.CallMsg{To: router, Data: contract.Router().PackExecuted(big.NewInt(number))}
}

// Over reports whether a send can have no effect any more: it was refused, or it is final and reverted.
func Over(ctx context.Context, rail *chain.Rail, q db.Querier, key string) (bool, error) {
	status, err := rail.Status(ctx, q, key)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return status.State == chain.StateRefused || status.State == chain.StateFinal && !status.OK, err
}
