//go:build !nosandbox

package apptest

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/rails/chain/contract"
)

var ether = big.NewInt(1_000_000_000_000_000_000)

// Units is a whole number of a token in base units.
func Units(t world.Token, n int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Decimals)), nil))
}

// Fund gives an account gas money and a million of each token, in one block.
func (h *Harness) Fund(a world.Account) {
	h.T.Helper()
	require.NoError(h.T, h.World.Chain.Fund(a.Address, ether))

	for _, t := range h.World.Tokens {
		require.NoError(h.T, h.World.Mint(t, a.Address, Units(t, 1_000_000)))
	}

	h.World.Chain.Mine(1)
}

// Send signs a call from an account and puts it into a block; it must succeed. The service has read how many
// transactions its own key has before the key is used: whoever thaws the signer afterwards thaws what was seen.
func (h *Harness) Send(from world.Account, to common.Address, data []byte) *types.Receipt {
	h.T.Helper()

	if from.Address == h.World.Operator.Address {
		h.Await("the operator's transactions are counted", func() bool {
			return h.Count(
				"SELECT count(*) FROM chain_signers WHERE address = ? AND next_nonce >= 0",
				from.Address.Hex(),
			) == 1
		})
	}

	ctx := context.Background()
	nonce, err := h.Eth.PendingNonceAt(ctx, from.Address)
	require.NoError(h.T, err)
	id := h.World.Chain.ChainID()
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		To:        &to,
		Data:      data,
		Gas:       300_000,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(100_000_000_000),
	})
	require.NoError(h.T, err)
	require.NoError(h.T, h.Eth.SendTransaction(ctx, tx))
	h.World.Chain.Mine(1)
	r := h.receipt(tx.Hash())
	require.EqualValues(h.T, types.ReceiptStatusSuccessful, r.Status, "the call of %s to %s", from.Name, to)

	return r
}

// receipt asks until the node's index has the transaction: it lags a moment behind the block.
func (h *Harness) receipt(hash common.Hash) (out *types.Receipt) {
	h.T.Helper()
	h.wait("receipt of "+hash.Hex(), func() bool {
		r, err := h.Eth.TransactionReceipt(context.Background(), hash)
		out = r
		return err == nil
	}, func() {})

	return out
}

// Calldata is a call with address and number arguments, 32 bytes each.
func Calldata(signature string, args ...any) []byte {
	out := crypto.Keccak256([]byte(signature))[:4]
	for _, a := range args {
		switch v := a.(type) {
		case common.Address:
			out = append(out, common.LeftPadBytes(v[:], 32)...)
		case *big.Int:
			out = append(out, common.LeftPadBytes(v.Bytes(), 32)...)
		}
	}

	return out
}

// Approve sets what the router may take of an account's token; some tokens want zero in between.
func (h *Harness) Approve(t world.Token, from world.Account, units *big.Int) {
	h.T.Helper()

	if h.Allowance(t, from.Address).Sign() > 0 && units.Sign() > 0 {
		h.Send(from, t.Address, contract.Token().PackApprove(h.World.Router, new(big.Int)))
	}

	h.Send(from, t.Address, contract.Token().PackApprove(h.World.Router, units))
}

// Admin has the tokens' owner call a token, and mines it.
func (h *Harness) Admin(t world.Token, signature string, args ...any) {
	h.T.Helper()
	require.NoError(h.T, h.World.Admin(t, Calldata(signature, args...)))
	h.World.Chain.Mine(1)
}

// Allowance is what the router may take of an owner's token.
func (h *Harness) Allowance(t world.Token, owner common.Address) *big.Int {
	h.T.Helper()
	return h.read(t.Address, contract.Token().PackAllowance(owner, h.World.Router))
}

// Balance is what an address holds of a token.
func (h *Harness) Balance(t world.Token, of common.Address) *big.Int {
	h.T.Helper()
	return h.read(t.Address, contract.Token().PackBalanceOf(of))
}

func (h *Harness) read(to common.Address, data []byte) *big.Int {
	h.T.Helper()
	out, err := h.Eth.CallContract(context.Background(), ethereum.CallMsg{To: &to, Data: data}, nil)
	require.NoError(h.T, err)

	return new(big.Int).SetBytes(out)
}

// Moved is one transfer that the router made, as the chain has it.
type Moved struct {
	Batch           string // number of the batch
	Token           string
	From, To, Units string
}

var (
	transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	batchTopic    = crypto.Keccak256Hash([]byte("BatchExecuted(uint256,address,address,uint256)"))
	ownTopic      = crypto.Keccak256Hash([]byte("OwnBatchExecuted(uint256,address,address,uint256,bytes32)"))
)

// Ground reads the truth from the chain's own blocks: every transfer made by a call of the router, and every
// transaction of the operator by nonce. It believes no table of the service.
func (h *Harness) Ground() (moved []Moved, operator map[uint64]common.Hash) {
	h.T.Helper()
	operator = map[uint64]common.Hash{}

	signer := types.LatestSignerForChainID(h.World.Chain.ChainID())
	for n := uint64(1); n <= h.World.Chain.Head().Number.Uint64(); n++ {
		for _, tx := range h.World.Chain.Block(n).Transactions() {
			from, err := types.Sender(signer, tx)
			require.NoError(h.T, err)

			if from == h.World.Operator.Address {
				require.NotContains(h.T, operator, tx.Nonce())
				operator[tx.Nonce()] = tx.Hash()
			}

			if tx.To() == nil || *tx.To() != h.World.Router {
				continue
			}

			moved = append(moved, h.transfers(h.receipt(tx.Hash()))...)
		}
	}

	return moved, operator
}

func (h *Harness) transfers(r *types.Receipt) []Moved {
	h.T.Helper()
	batch := ""

	var out []Moved
	for _, l := range r.Logs {
		switch {
		case l.Address == h.World.Router && (l.Topics[0] == batchTopic || l.Topics[0] == ownTopic):
			require.Empty(h.T, batch, "one call carries one batch")
			batch = l.Topics[1].Big().String()

		case l.Topics[0] == transferTopic && len(l.Topics) == 3:
			out = append(out, Moved{
				Token: h.code(l.Address),
				From:  common.BytesToAddress(l.Topics[1][:]).Hex(),
				To:    common.BytesToAddress(l.Topics[2][:]).Hex(),
				Units: new(big.Int).SetBytes(l.Data).String(),
			})
		}
	}

	out = passedOn(out, h.World.Router.Hex())
	for i := range out {
		out[i].Batch = batch
	}

	return out
}

// passedOn names the payer in the transfers that the router made out of what it had pulled, and leaves out the pull
// itself and what went back.
func passedOn(all []Moved, router string) []Moved {
	payer := ""

	for _, m := range all {
		if m.To == router {
			payer = m.From
		}
	}

	if payer == "" {
		return all
	}

	var out []Moved

	for _, m := range all {
		if m.From == router && m.To != payer {
			m.From = payer
			out = append(out, m)
		}
	}

	return out
}

func (h *Harness) code(token common.Address) string {
	for _, t := range h.World.Tokens {
		if t.Address == token {
			return t.Code
		}
	}

	return token.Hex()
}
