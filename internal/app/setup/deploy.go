package setup

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// sendTimeout is how long a transaction of the set-up is waited for. It may still be mined afterwards.
const sendTimeout = 10 * time.Minute

// Chain is a configured network, on which the set-up sends a transaction by a key at hand.
type Chain struct {
	network config.Network
	client  *ethclient.Client
}

// ChainOf connects to the first node of a configured network, and verifies that it serves the network's chain.
func ChainOf(ctx context.Context, c *config.Config, id string) (*Chain, error) {
	for _, n := range c.Networks {
		if n.ID != id {
			continue
		}

		url := secret.RevealAll(n.RPCURLs)[0]
		if _, err := node(ctx, url, n.ChainID); err != nil {
			return nil, fmt.Errorf("network.%s: %w", id, err)
		}

		client, err := ethclient.DialContext(ctx, url)

		return &Chain{n, client}, err
	}

	return nil, fmt.Errorf("there is no network %s in the configuration", id)
}

// Close ends the connection.
func (c *Chain) Close() { c.client.Close() }

// Network returns the network's configuration.
func (c *Chain) Network() config.Network { return c.network }

// HasCode reports whether there is a contract at an address.
func (c *Chain) HasCode(ctx context.Context, at common.Address) (bool, error) {
	code, err := c.client.CodeAt(ctx, at, nil)
	return len(code) > 0, err
}

// Decimals reads the power of ten between a token's whole and its base unit.
func (c *Chain) Decimals(ctx context.Context, token common.Address) (int, error) {
	answer, err := c.client.CallContract(ctx, ethereum.CallMsg{To: &token, Data: contract.Token().PackDecimals()}, nil)
	if err != nil {
		return 0, fmt.Errorf("decimals of %s: %w", token.Hex(), err)
	}

	decimals, err := contract.Token().UnpackDecimals(answer)
	if err != nil {
		return 0, fmt.Errorf("%s is no token", token.Hex())
	}

	return int(decimals), nil
}

// Estimate returns the gas that a transaction would take, and the price of a unit of gas now, without sending it. An
// error means that it would fail.
func (c *Chain) Estimate(
	ctx context.Context,
	from common.Address,
	to *common.Address,
	data []byte,
) (gas uint64, priceWei *big.Int, err error) {
	if gas, err = c.client.EstimateGas(ctx, ethereum.CallMsg{From: from, To: to, Data: data}); err != nil {
		return 0, nil, fmt.Errorf("the transaction would fail: %w", err)
	}

	priceWei, err = c.client.SuggestGasPrice(ctx)

	return gas, priceWei, err
}

// Send signs a transaction, sends it, and waits until it is in a block. to is nil for the deployment of a contract. An
// error after the transaction was sent names its hash: look for it before you send again.
func (c *Chain) Send(
	ctx context.Context,
	key chain.Signer,
	to *common.Address,
	data []byte,
) (*types.Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()

	tx, err := c.sign(ctx, key, to, data)
	if err != nil {
		return nil, err
	}

	if err := c.client.SendTransaction(ctx, tx); err != nil {
		return nil, fmt.Errorf("send %s: %w", tx.Hash().Hex(), err)
	}

	for {
		r, err := c.client.TransactionReceipt(ctx, tx.Hash())

		switch {
		case err == nil && r.Status != types.ReceiptStatusSuccessful:
			return r, fmt.Errorf("transaction %s has reverted", tx.Hash().Hex())
		case err == nil:
			return r, nil
		case !errors.Is(err, ethereum.NotFound):
			return nil, fmt.Errorf("transaction %s was sent, and its outcome is not known: %w", tx.Hash().Hex(), err)
		}

		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("transaction %s was sent and is in no block yet: %w", tx.Hash().Hex(), ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// sign makes a transaction at the node's suggested fees, at most the configured ones.
func (c *Chain) sign(
	ctx context.Context,
	key chain.Signer,
	to *common.Address,
	data []byte,
) (*types.Transaction, error) {
	nonce, err := c.client.PendingNonceAt(ctx, key.Address())
	if err != nil {
		return nil, fmt.Errorf("nonce of %s: %w", key.Address().Hex(), err)
	}

	tip, err := c.client.SuggestGasTipCap(ctx)
	if err != nil {
		return nil, fmt.Errorf("fee: %w", err)
	}

	head, err := c.client.HeaderByNumber(ctx, nil)
	if err != nil || head.BaseFee == nil {
		return nil, errors.Join(errors.New("the node gives no base fee"), err)
	}

	fee := new(big.Int).Add(tip, new(big.Int).Lsh(head.BaseFee, 1))
	if ceiling := c.network.MaxFeePerGasWei(); fee.Cmp(ceiling) > 0 {
		return nil, fmt.Errorf("gas costs %s wei now, above max_fee_per_gas_gwei: try again later", fee)
	}

	gas, err := c.client.EstimateGas(ctx, ethereum.CallMsg{From: key.Address(), To: to, Data: data})
	if err != nil {
		return nil, fmt.Errorf("the transaction would fail (does %s have gas money?): %w", key.Address().Hex(), err)
	}

	id := new(big.Int).SetUint64(c.network.ChainID)

	return key.SignTx(ctx, types.NewTx(&types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		GasTipCap: tip,
		GasFeeCap: fee,
		Gas:       gas + gas/5,
		To:        to,
		Data:      data,
	}), id)
}

// WriteRouter adds the address of a network's router to a configuration file that has none.
func WriteRouter(path, network string, router common.Address) error {
	f, err := OpenFile(path)
	if err != nil {
		return err
	}

	f.AddTo("network", network, "router", router.Hex())

	return f.Save()
}
