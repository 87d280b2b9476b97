package chain

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/rails/chain/contract"
)

var (
	magic1271           = [4]byte{0x16, 0x26, 0xba, 0x7e} // the positive answer of isValidSignature (ERC-1271)
	errNotAToken        = errors.New("the address does not answer as a token")
	errTooLongSignature = errors.New("the signature is longer than 4,096 bytes")
)

// Limits of calls to contracts that are not ours.
const (
	gas1271          = 1_000_000
	maxSignature1271 = 4096
	gasTokenFacts    = 1_000_000
)

// CallMsg is a call to simulate.
type CallMsg struct {
	From  common.Address
	To    common.Address
	Data  []byte
	Value *big.Int
	Gas   uint64 // 0: the node's own limit
}

func (m CallMsg) wire() map[string]any {
	out := map[string]any{"from": m.From, "to": m.To, "input": hexutil.Bytes(m.Data)}
	if m.Value != nil && m.Value.Sign() > 0 {
		out["value"] = (*hexutil.Big)(m.Value)
	}

	if m.Gas > 0 {
		out["gas"] = hexutil.Uint64(m.Gas)
	}

	return out
}

// EstimateGas returns the gas that a call would take now. Classify tells whether an error means that it would revert.
func (c *Client) EstimateGas(ctx context.Context, m CallMsg) (uint64, error) {
	var out hexutil.Uint64
	err := c.one(ctx, &out, "eth_estimateGas", m.wire())
	return uint64(out), err
}

// now returns the call at the newest block.
func (m CallMsg) now() call { return call{"eth_call", []any{m.wire(), latest}} }

// BalanceOf returns the call that reads a token balance: see Calls and Word.
func BalanceOf(token, owner common.Address) CallMsg {
	return CallMsg{To: token, Data: contract.Token().PackBalanceOf(owner)}
}

// AllowanceOf returns the call that reads how much of owner's token the spender may move: see Calls and Word.
func AllowanceOf(token, owner, spender common.Address) CallMsg {
	return CallMsg{To: token, Data: contract.Token().PackAllowance(owner, spender)}
}

// Word decodes the single 32-byte word that a token's read returns.
func Word(result []byte) (*big.Int, error) {
	if len(result) != 32 {
		return nil, errNotAToken
	}

	return new(big.Int).SetBytes(result), nil
}

// word decodes an answer of one word.
func (a answer) word() (*big.Int, error) {
	var out hexutil.Bytes
	if err := a.into(&out); err != nil {
		return nil, err
	}

	return Word(out)
}

// Allowance returns how much of owner's token the spender may move.
func (c *Client) Allowance(ctx context.Context, token, owner, spender common.Address) (*big.Int, error) {
	answers, err := c.ask(ctx, AllowanceOf(token, owner, spender).now())
	if err != nil {
		return nil, err
	}

	return answers[0].word()
}

// Balances reads a token balance and an allowance in one request, from one node: enough to refuse a request or to wait.
// Decisions that end a transaction use Calls.
func (c *Client) Balances(
	ctx context.Context,
	token, owner, spender common.Address,
) (balance, allowance *big.Int, err error) {
	answers, err := c.ask(ctx, BalanceOf(token, owner).now(), AllowanceOf(token, owner, spender).now())
	if err != nil {
		return nil, nil, err
	}

	if balance, err = answers[0].word(); err != nil {
		return nil, nil, err
	}

	allowance, err = answers[1].word()

	return balance, allowance, err
}

// TokenFacts is what a chain shows of a token's contract.
type TokenFacts struct {
	Code     bool   // there is a contract
	Decimals int    // -1: it tells none
	Symbol   string // "": it tells none
}

// TokenFacts reads a token's code, decimals and symbol at one block on which two nodes agree, or which the only node
// has. Old tokens tell their symbol in 32 bytes. An error means that nothing is known: retry later.
func (c *Client) TokenFacts(ctx context.Context, token common.Address) (TokenFacts, error) {
	answers, err := c.agree(ctx, func(ref string) []call {
		read := func(data []byte) call {
			return call{"eth_call", []any{CallMsg{To: token, Data: data, Gas: gasTokenFacts}.wire(), ref}}
		}

		return []call{
			{"eth_getCode", []any{token, ref}},
			read(contract.Token().PackDecimals()),
			read(contract.Selector("symbol()")),
		}
	})
	if err != nil {
		return TokenFacts{}, err
	}

	f := TokenFacts{Decimals: -1}

	var code hexutil.Bytes
	if err := answers[0].into(&code); err != nil {
		return f, err
	}

	f.Code = len(code) > 0

	decimals, err := answers[1].returned()
	if err != nil {
		return f, err
	}

	if n, err := Word(decimals); err == nil && n.BitLen() <= 8 {
		f.Decimals = int(n.Int64())
	}

	symbol, err := answers[2].returned()
	f.Symbol = contract.ShortText(symbol)

	return f, err
}

// returned decodes what a simulated call returned; nothing if it reverts.
func (a answer) returned() ([]byte, error) {
	var out hexutil.Bytes

	err := a.into(&out)
	if err != nil && Classify(err) == Reverts {
		return nil, nil
	}

	return out, err
}

// NativeBalance returns an account's balance in wei.
func (c *Client) NativeBalance(ctx context.Context, a common.Address) (*big.Int, error) {
	var out hexutil.Big
	err := c.one(ctx, &out, "eth_getBalance", a, latest)
	return out.ToInt(), err
}

// CodeAt returns the code of a contract on which two nodes agree, or that of the only node; empty for an account
// without code.
func (c *Client) CodeAt(ctx context.Context, a common.Address) ([]byte, error) {
	answers, err := c.agree(ctx, func(ref string) []call { return []call{{"eth_getCode", []any{a, ref}}} })
	if err != nil {
		return nil, err
	}

	var out hexutil.Bytes
	err = answers[0].into(&out)

	return out, err
}

// IsValidSignature1271 asks a wallet contract whether it accepts a signature (ERC-1271). The call is only simulated,
// with limited gas. It returns true only for the magic value in exactly the form of the standard's ABI: 32 bytes,
// padded with zeros on the right. A revert, an empty or another answer is false; an error means that nobody answered.
func (c *Client) IsValidSignature1271(
	ctx context.Context,
	wallet common.Address,
	hash common.Hash,
	signature []byte,
) (bool, error) {
	if len(signature) > maxSignature1271 {
		return false, errTooLongSignature
	}

	data := contract.Wallet().PackIsValidSignature(hash, signature)
	out, err := c.Call(ctx, CallMsg{To: wallet, Data: data, Gas: gas1271})

	var n *NodeError
	if errors.As(err, &n) {
		if o := Classify(n); o == Reverts {
			return false, nil
		}

		return false, err
	}

	if err != nil {
		return false, err
	}

	want := common.RightPadBytes(magic1271[:], 32)

	return len(out) == 32 && common.BytesToHash(out) == common.BytesToHash(want), nil
}

// tip decodes a suggested tip; for a node without that method it is one gwei.
func (a answer) tip() (*big.Int, error) {
	var t hexutil.Big
	if err := a.into(&t); err != nil {
		if Classify(err) == Unsupported {
			return big.NewInt(1_000_000_000), nil
		}

		return nil, err
	}

	return t.ToInt(), nil
}

// Nonce returns the number of an account's transactions: "latest" counts blocks, "pending" also the pool.
func (c *Client) Nonce(ctx context.Context, a common.Address, ref string) (uint64, error) {
	answers, err := c.ask(ctx, nonceCall(a, ref))
	if err != nil {
		return 0, err
	}

	return answers[0].count()
}

func nonceCall(a common.Address, ref string) call {
	return call{"eth_getTransactionCount", []any{a, ref}}
}

func (a answer) count() (uint64, error) {
	var n hexutil.Uint64
	err := a.into(&n)
	return uint64(n), err
}

func (a answer) quantity() (*big.Int, error) {
	var n hexutil.Big
	if err := a.into(&n); err != nil {
		return nil, err
	}

	return n.ToInt(), nil
}
