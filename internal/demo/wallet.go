//go:build !nosandbox

package demo

import (
	"context"
	"crypto/ecdsa"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/app/world"
)

// proveWallet stores a receiver's wallet, signs for it, waits until its address is screened, and returns its
// identifier.
func (s *story) proveWallet(ctx context.Context, receiver string, a world.Account) (string, error) {
	var w walletAnswer
	if err := s.c.Call(ctx, "POST", "/wallets", object{
		"address":  a.Address.Hex(),
		"network":  world.NetworkID,
		"type":     "EOA",
		"receiver": receiver,
	}, &w); err != nil {
		return "", fmt.Errorf("store wallet: %w", err)
	}

	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), a.Key)
	if err != nil {
		return "", err
	}

	signature[64] += 27

	proof := object{"message": w.Ownership.Message, "signedMessage": "0x" + hex.EncodeToString(signature)}
	if err := s.c.Call(ctx, "POST", "/wallets/"+w.ID+"/verify-wallet", proof, &w); err != nil {
		return "", fmt.Errorf("verify wallet: %w", err)
	}

	s.t.doing("wallet is screened")
	defer s.t.still()

	return w.ID, s.until(ctx, 10*time.Second, func() (bool, error) {
		err := s.c.Call(ctx, "GET", "/wallets/"+w.ID, nil, &w)
		return w.Ownership.Status == "VERIFIED" && w.Analysis == "APPROVED", err
	})
}

// sendFromWallet signs a call, sends it, and waits until it is in a block, as a wallet does.
func (s *story) sendFromWallet(ctx context.Context, key *ecdsa.PrivateKey, to common.Address, data []byte) error {
	from := crypto.PubkeyToAddress(key.PublicKey)

	nonce, err := s.chain.PendingNonceAt(ctx, from)
	if err != nil {
		return err
	}

	gas, err := s.chain.EstimateGas(ctx, ethereum.CallMsg{From: from, To: &to, Data: data})
	if err != nil {
		return err
	}

	id := big.NewInt(world.ChainID)

	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		To:        &to,
		Data:      data,
		Gas:       gas * 5 / 4,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(20_000_000_000),
	})
	if err != nil {
		return err
	}

	if err := s.chain.SendTransaction(ctx, tx); err != nil {
		return err
	}

	return s.until(ctx, 15*time.Second, func() (bool, error) {
		r, err := s.chain.TransactionReceipt(ctx, tx.Hash())
		if errors.Is(err, ethereum.NotFound) {
			return false, nil
		}

		return err == nil && r.Status == types.ReceiptStatusSuccessful, nil
	})
}

func short(a common.Address) string { return a.Hex()[:8] + "…" + a.Hex()[38:] }
