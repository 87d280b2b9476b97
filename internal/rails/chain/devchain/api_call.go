//go:build !nosandbox

package devchain

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/eth/gasestimator"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// Limits of a call that is no transaction, as go-ethereum has them.
const (
	callGas  = 50_000_000
	callTime = 5 * time.Second
	// estimateSlack is how far an estimate may lie above the least gas that suffices.
	estimateSlack = 0.015
)

// callArgs is a transaction that nobody has signed.
type callArgs struct {
	From                 common.Address               `json:"from"`
	To                   *common.Address              `json:"to"`
	Gas                  *hexutil.Uint64              `json:"gas"`
	GasPrice             *hexutil.Big                 `json:"gasPrice"`
	MaxFeePerGas         *hexutil.Big                 `json:"maxFeePerGas"`
	MaxPriorityFeePerGas *hexutil.Big                 `json:"maxPriorityFeePerGas"`
	Value                *hexutil.Big                 `json:"value"`
	Data                 *hexutil.Bytes               `json:"data"`
	Input                *hexutil.Bytes               `json:"input"`
	AccessList           types.AccessList             `json:"accessList"`
	AuthorizationList    []types.SetCodeAuthorization `json:"authorizationList"`
}

// message returns what the machine executes. A nonce is not looked at, and the sender may be a contract.
func (a callArgs) message(gas uint64, baseFee *big.Int) (*core.Message, error) {
	if a.GasPrice != nil && (a.MaxFeePerGas != nil || a.MaxPriorityFeePerGas != nil) {
		return nil, errors.New("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified")
	}

	m := &core.Message{
		From:                  a.From,
		To:                    a.To,
		Value:                 number(a.Value),
		GasLimit:              gas,
		GasFeeCap:             number(a.MaxFeePerGas),
		GasTipCap:             number(a.MaxPriorityFeePerGas),
		AccessList:            a.AccessList,
		SetCodeAuthorizations: a.AuthorizationList,
	}

	switch {
	case a.Input != nil:
		m.Data = *a.Input
	case a.Data != nil:
		m.Data = *a.Data
	}

	m.GasPrice = new(uint256.Int)

	switch {
	case a.GasPrice != nil:
		m.GasPrice = number(a.GasPrice)
		m.GasFeeCap = m.GasPrice
		m.GasTipCap = m.GasPrice
	case !m.GasFeeCap.IsZero():
		m.GasPrice.Add(m.GasTipCap, uint256.MustFromBig(baseFee))

		if m.GasPrice.Gt(m.GasFeeCap) {
			m.GasPrice = m.GasFeeCap
		}
	}

	return m.SkipNonceCheck().SkipEOACheck().SkipGasLimitCapCheck(), nil
}

// number returns a number of at most 256 bits, 0 for none.
func number(n *hexutil.Big) *uint256.Int {
	if n == nil {
		return new(uint256.Int)
	}

	out, _ := n.ToUint256()

	return out
}

// Call executes a call on the state after a block and returns what it returned. Nothing of it is kept.
func (a *ethAPI) Call(ctx context.Context, args callArgs, at *rpc.BlockNumberOrHash) (hexutil.Bytes, error) {
	s, header, err := a.c.stateAt(at)
	if err != nil {
		return nil, err
	}

	gas := uint64(callGas)
	if args.Gas != nil {
		gas = min(gas, uint64(*args.Gas))
	}

	m, err := args.message(gas, header.BaseFee)
	if err != nil {
		return nil, err
	}

	block := core.NewEVMBlockContext(header, a.c.chain, nil)
	if m.GasPrice.IsZero() {
		block.BaseFee = new(big.Int) // who offers nothing for gas pays nothing
	}

	evm := vm.NewEVM(block, s, a.c.chain.Config(), vm.Config{NoBaseFee: true})
	defer evm.Release()

	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	defer context.AfterFunc(ctx, evm.Cancel)()

	result, err := core.ApplyMessage(evm, m.SkipExecutionGasCapCheck(), core.NewGasPool(callGas))

	switch {
	case s.Error() != nil:
		return nil, s.Error()
	case evm.Cancelled():
		return nil, fmt.Errorf("execution aborted (timeout = %s)", callTime)
	case err != nil:
		return nil, fmt.Errorf("err: %w (supplied gas %d)", err, m.GasLimit)
	case errors.Is(result.Err, vm.ErrExecutionReverted):
		return nil, newRevert(result.Revert())
	}

	return result.Return(), result.Err
}

// EstimateGas returns the gas with which a transaction succeeds on the state after a block, a hundredth more at most.
func (a *ethAPI) EstimateGas(ctx context.Context, args callArgs, at *rpc.BlockNumberOrHash) (hexutil.Uint64, error) {
	s, header, err := a.c.stateAt(at)
	if err != nil {
		return 0, err
	}

	var gas uint64
	if args.Gas != nil {
		gas = uint64(*args.Gas)
	}

	m, err := args.message(gas, header.BaseFee)
	if err != nil {
		return 0, err
	}

	estimate, revert, err := gasestimator.Estimate(ctx, m, &gasestimator.Options{
		Config:     a.c.chain.Config(),
		Chain:      a.c.chain,
		Header:     header,
		State:      s,
		ErrorRatio: estimateSlack,
	}, callGas)
	if errors.Is(err, vm.ErrExecutionReverted) {
		return 0, newRevert(revert)
	}

	return hexutil.Uint64(estimate), err
}

// SendRawTransaction puts a signed transaction into the pool and returns its hash. It is sorted in soon afterwards.
func (a *ethAPI) SendRawTransaction(raw hexutil.Bytes) (common.Hash, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return common.Hash{}, err
	}

	if !tx.Protected() {
		return common.Hash{}, errors.New("only replay-protected (EIP-155) transactions allowed over RPC")
	}

	if err := a.c.pool.Add([]*types.Transaction{tx}, false)[0]; err != nil {
		return common.Hash{}, err
	}

	return tx.Hash(), nil
}

// revert is the error of a call that the contract refused.
type revert struct {
	error
	data []byte
}

// newRevert reads the contract's reason where it has the usual form.
func newRevert(data []byte) *revert {
	err := vm.ErrExecutionReverted
	if reason, unreadable := abi.UnpackRevert(data); unreadable == nil {
		err = fmt.Errorf("%w: %s", err, reason)
	}

	return &revert{error: err, data: data}
}

// ErrorCode returns the code by which clients recognise a revert.
func (*revert) ErrorCode() int { return 3 }

// ErrorData returns what the contract said.
func (r *revert) ErrorData() any { return hexutil.Encode(r.data) }
