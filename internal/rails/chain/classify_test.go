package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chain"
)

// the texts of geth, Erigon, Nethermind and Besu, as they are written there. What is not in the list is
// unknown, never failed.
func TestEveryNodesTextHasOneMeaning(t *testing.T) {
	for _, c := range []struct {
		node string
		code int
		text string
		want chain.Outcome
	}{
		{"geth", -32000, "already known", chain.KnownAlready},
		{"erigon", -32000, "already known", chain.KnownAlready},
		{"erigon", -32000, "existing tx with same hash", chain.KnownAlready},
		{"nethermind", -32010, "AlreadyKnown", chain.KnownAlready},
		{"besu", -32000, "Known transaction", chain.KnownAlready},
		{"proxy", -32010, "Transaction with the same hash was already imported.", chain.KnownAlready},

		{"geth", -32000, "nonce too low: next nonce 5, tx nonce 3", chain.NonceTaken},
		{"geth", -32000, "nonce too low: address 0x71C7656EC7ab88b098defB751B7401B5f6d8976F, tx: 3 state: 5", chain.NonceTaken},
		{"erigon", -32000, "nonce too low", chain.NonceTaken},
		{"nethermind", -32010, "OldNonce, Current nonce: 5, nonce of rejected tx: 3", chain.NonceTaken},
		{"nethermind", -32010, "OwnNonceAlreadyUsed", chain.NonceTaken},
		{"besu", -32001, "Nonce too low", chain.NonceTaken},
		{"besu", -32000, "transaction nonce 3 below sender account nonce 5", chain.NonceTaken},

		{"geth", -32000, "replacement transaction underpriced", chain.Underpriced},
		{"geth", -32000, "replacement transaction underpriced: new tx gas fee cap 5 < 6 queued", chain.Underpriced},
		{"erigon", -32000, "could not replace existing tx", chain.Underpriced},
		{"erigon", -32000, "replacement transaction underpriced", chain.Underpriced},
		{"nethermind", -32010, "ReplacementNotAllowed", chain.Underpriced},
		{"besu", -32000, "Replacement transaction underpriced", chain.Underpriced},

		{"geth", -32000, "nonce too high: address 0x71C7656EC7ab88b098defB751B7401B5f6d8976F, tx: 9 state: 5", chain.NonceGap},
		{"erigon", -32000, "nonce gap", chain.NonceGap},
		{"nethermind", -32010, "NonceGap, Future nonce. Expected nonce: 5", chain.NonceGap},
		{"nethermind", -32010, "NonceTooFarInFuture", chain.NonceGap},
		{"besu", -32000, "Transaction nonce is too distant from current sender nonce", chain.NonceGap},
		{"besu", -32000, "An invalid transaction with a lower nonce exists", chain.NonceGap},

		{"geth", -32000, "insufficient funds for gas * price + value: balance 0, tx cost 21000, overshot 21000", chain.Unfunded},
		{"geth", -32000, "insufficient funds for transfer", chain.Unfunded},
		{"erigon", -32000, "insufficient funds", chain.Unfunded},
		{"nethermind", -32010, "InsufficientFunds, Balance is 0 less than sending value 1", chain.Unfunded},
		{"besu", -32004, "Upfront cost exceeds account balance", chain.Unfunded},
		{"besu", -32004, "transaction up-front cost 0x5 exceeds transaction sender account balance 0x0", chain.Unfunded},

		{"geth", -32000, "txpool is full", chain.PoolFull},
		{"geth", -32000, "in-flight transaction limit reached for delegated accounts", chain.PoolFull},
		{"erigon", -32000, "pending sub-pool is full", chain.PoolFull},
		{"erigon", -32000, "baseFee sub-pool is full", chain.PoolFull},

		{"geth", -32000, "max fee per gas less than block base fee: address " +
			"0x71C7656EC7ab88b098defB751B7401B5f6d8976F, maxFeePerGas: 1, baseFee: 7", chain.FeeTooLow},
		{"geth", -32000, "transaction underpriced: gas tip cap 0, minimum needed 1", chain.FeeTooLow},
		{"erigon", -32000, "underpriced", chain.FeeTooLow},
		{"erigon", -32000, "fee too low", chain.FeeTooLow},
		{"nethermind", -32010, "FeeTooLow, FeePerGas needs to be higher than 5 to be added to the TxPool.", chain.FeeTooLow},
		{"nethermind", -32010, "FeeTooLowToCompete", chain.FeeTooLow},
		{"besu", -32009, "Gas price below configured minimum gas price", chain.FeeTooLow},
		{"besu", -32009, "Gas price below current base fee", chain.FeeTooLow},

		{"geth", 3, "execution reverted", chain.Reverts},
		{"geth", 3, "execution reverted: ERC20: transfer amount exceeds balance", chain.Reverts},
		{"geth", -32000, "gas required exceeds allowance (60000000)", chain.Reverts},
		{"geth", -32000, "invalid opcode: INVALID", chain.Reverts},
		{"nethermind", -32015, "VM execution error.", chain.Reverts},
		{"besu", -32000, "Execution reverted", chain.Reverts},

		{"geth", -32000, "intrinsic gas too low: gas 100, minimum needed 21000", chain.Malformed},
		{"geth", -32000, "exceeds block gas limit", chain.Malformed},
		{"geth", -32000, "tx fee (1.50 ether) exceeds the configured cap (1.00 ether)", chain.Malformed},
		{"besu", -32003, "Intrinsic gas exceeds gas limit", chain.Malformed},

		{"geth", -32601, "the method eth_getBlockReceipts does not exist/is not available", chain.Unsupported},
		{"any", -32601, "Method not found", chain.Unsupported},

		{"any", -32005, "daily request count exceeded, request rate limited", chain.Unknown},
		{"any", -32603, "Internal error", chain.Unknown},
		{"geth", -32000, "transaction indexing is in progress", chain.Unknown},
		{"any", -32000, "", chain.Unknown},
	} {
		err := fmt.Errorf("around: %w", &chain.NodeError{Code: c.code, Message: c.text})
		require.Equal(t, c.want, chain.Classify(err), "%s: %s", c.node, c.text)
	}

	require.Equal(t, chain.Accepted, chain.Classify(nil))

	for _, err := range []error{
		context.DeadlineExceeded, errors.New("already known"), &json.SyntaxError{}, &chain.TransportError{
			Provider: "n",
			Reason:   "HTTP status 502",
		},
	} {
		require.Equal(t, chain.Unknown, chain.Classify(err), "%v: only a node's own answer has a meaning", err)
	}
}
