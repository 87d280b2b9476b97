//go:build !nosandbox

package contract

import (
	"context"
	"crypto/ecdsa"
	"encoding/binary"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chain/devchain"
)

// A chain is one in-process chain with a mined block per transaction.
type chain struct {
	t      *testing.T
	sim    *devchain.Chain
	client *ethclient.Client
	id     *big.Int

	deployGas uint64 // what a deployment may take
}

// An account is a key of the test's own, funded at genesis.
type account struct {
	key     *ecdsa.PrivateKey
	address common.Address
}

// The people of every test. The keys are small fixed numbers, so that addresses and gas never vary.
var (
	deployer = newAccount(1)
	owner    = newAccount(2)
	operator = newAccount(3)
	guardian = newAccount(4)
	payer    = newAccount(5)
	stranger = newAccount(6)
)

// chainID is a part of what is signed, and so of what signatures cost.
const chainID = 1337

// plentyOfGas is below the cap that EIP-7825 puts on one transaction.
const plentyOfGas = 16_000_000

func newAccount(n uint64) account {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[24:], n)

	key, err := crypto.ToECDSA(crypto.Keccak256(seed[:]))
	if err != nil {
		panic(err)
	}

	return account{key, crypto.PubkeyToAddress(key.PublicKey)}
}

// osaka is what Ethereum runs: the library's development rules also switch on a fork that no public chain has.
func osaka(c *params.ChainConfig) { c.BogotaTime = nil }

// amsterdam is the next rule set, with state growth priced apart.
func amsterdam(c *params.ChainConfig) {
	c.BogotaTime = nil
	zero := uint64(0)
	c.AmsterdamTime = &zero
}

func newChain(t *testing.T, rules func(*params.ChainConfig)) *chain {
	t.Helper()
	rich := new(big.Int).Lsh(big.NewInt(1), 100)

	alloc := map[common.Address]*big.Int{}
	for _, a := range []account{deployer, owner, operator, guardian, payer, stranger} {
		alloc[a.address] = rich
	}

	deployGas := uint64(plentyOfGas)
	sim, err := devchain.Start(devchain.Config{
		ChainID: chainID,
		Mode:    devchain.Manual,
		Alloc:   alloc,
		Code:    map[common.Address][]byte{Permit2: SampleOf("TestPermit2").Runtime},
		Rules: func(config *params.ChainConfig) {
			rules(config)

			if config.AmsterdamTime != nil { // code is state, whose gas is metered beside the cap
				deployGas = 50_000_000
			}
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sim.Close()) })

	return &chain{
		t:         t,
		sim:       sim,
		client:    sim.Client(),
		id:        sim.ChainID(),
		deployGas: deployGas,
	}
}

// send mines one transaction and returns its receipt, whatever its status.
func (c *chain) send(from account, to *common.Address, data []byte, gas uint64) *types.Receipt {
	c.t.Helper()
	return c.sendTx(from, &types.DynamicFeeTx{To: to, Data: data, Gas: gas})
}

func (c *chain) sendTx(from account, body *types.DynamicFeeTx) *types.Receipt {
	c.t.Helper()
	ctx := context.Background()
	nonce, err := c.client.PendingNonceAt(ctx, from.address)
	require.NoError(c.t, err)
	head, err := c.client.HeaderByNumber(ctx, nil)
	require.NoError(c.t, err)
	body.ChainID = c.id
	body.Nonce = nonce
	body.GasTipCap = big.NewInt(params.GWei)
	body.GasFeeCap = new(big.Int).Add(body.GasTipCap, new(big.Int).Mul(head.BaseFee, big.NewInt(2)))
	tx, err := types.SignNewTx(from.key, types.LatestSignerForChainID(c.id), body)
	require.NoError(c.t, err)
	require.NoError(c.t, c.client.SendTransaction(ctx, tx))
	c.sim.Mine(1)

	return c.receipt(tx.Hash())
}

func (c *chain) receipt(hash common.Hash) *types.Receipt {
	c.t.Helper()
	receipt, err := c.client.TransactionReceipt(context.Background(), hash)
	require.NoError(c.t, err)

	return receipt
}

// must sends a transaction that has to succeed.
func (c *chain) must(from account, to common.Address, data []byte) *types.Receipt {
	c.t.Helper()

	r := c.send(from, &to, data, plentyOfGas)
	if r.Status != types.ReceiptStatusSuccessful {
		_, err := c.call(from, to, data)
		c.t.Fatalf("transaction failed: %s", explainCallError(err))
	}

	return r
}

// refused sends a transaction that has to fail, proves that it left no log, and returns why, as a sentence.
func (c *chain) refused(from account, to common.Address, data []byte) string {
	c.t.Helper()
	_, err := c.call(from, to, data)
	require.Error(c.t, err)
	r := c.send(from, &to, data, plentyOfGas)
	require.Equal(c.t, types.ReceiptStatusFailed, r.Status)
	require.Empty(c.t, r.Logs)

	return explainCallError(err)
}

func (c *chain) call(from account, to common.Address, data []byte) ([]byte, error) {
	return c.client.CallContract(context.Background(), ethereum.CallMsg{
		From: from.address,
		To:   &to,
		Data: data,
		Gas:  plentyOfGas,
	}, nil)
}

func explainCallError(err error) string {
	var withData rpc.DataError
	if errors.As(err, &withData) {
		if text, ok := withData.ErrorData().(string); ok {
			return ExplainReason(common.FromHex(text))
		}
	}

	if err == nil {
		return ""
	}

	return err.Error()
}

func (c *chain) deploy(from account, creationCode []byte) common.Address {
	c.t.Helper()
	r := c.send(from, nil, creationCode, c.deployGas)
	require.Equal(c.t, types.ReceiptStatusSuccessful, r.Status)

	return r.ContractAddress
}

// pass moves the chain's clock.
func (c *chain) pass(d time.Duration) {
	c.t.Helper()
	require.NoError(c.t, c.sim.AdjustTime(d))
}

func (c *chain) now() time.Time {
	c.t.Helper()
	head, err := c.client.HeaderByNumber(context.Background(), nil)
	require.NoError(c.t, err)

	return time.Unix(int64(head.Time), 0)
}
