//go:build !nosandbox

package app_test

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/chain/contract"
)

// contractWallet puts a contract wallet of the client's payer on the chain, with tokens and an approval, and proves it.
func contractWallet(h *apptest.Harness, c *apptest.Client, token world.Token) (walletID string, at common.Address) {
	h.T.Helper()
	ctx := h.T.Context()
	wallet := contract.SampleOf("TestWallet1271")
	nonce, err := h.Eth.PendingNonceAt(ctx, c.Payer.Address)
	require.NoError(h.T, err)
	id := h.World.Chain.ChainID()
	tx, err := types.SignNewTx(c.Payer.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		Data:      append(wallet.Code, wallet.Pack("", c.Payer.Address)...),
		Gas:       1_000_000,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(100_000_000_000),
	})
	require.NoError(h.T, err)
	require.NoError(h.T, h.Eth.SendTransaction(ctx, tx))
	at = crypto.CreateAddress(c.Payer.Address, nonce)
	require.NoError(h.T, h.World.Mint(token, at, apptest.Units(token, 1_000)))
	h.World.Chain.Mine(1)
	approve := contract.Token().PackApprove(h.World.Router, apptest.Units(token, 1_000))
	h.Send(c.Payer, at, wallet.Pack("execute", token.Address, approve))

	walletID = c.Do("POST", "/wallets", apptest.Object{
		"address": at.Hex(), "network": world.NetworkID, "type": "MULTISIG", "receiver": c.Self,
	}).OK(201).ID()
	proveContract(h, c, walletID)

	return walletID, at
}

// proveContract signs the text of a wallet with the payer's key and has the wallet screened.
func proveContract(h *apptest.Harness, c *apptest.Client, walletID string) {
	h.T.Helper()

	var w struct {
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}
	c.Do("GET", "/wallets/"+walletID, nil).OK(200).Into(&w)
	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), c.Payer.Key)
	require.NoError(h.T, err)
	signature[64] += 27
	c.Do("POST", "/wallets/"+walletID+"/verify-wallet", apptest.Object{
		"message": w.Ownership.Message, "signedMessage": "0x" + hex.EncodeToString(signature),
	}).OK(200)
	h.RunJobs()
}

// E-11: between submit and accept a contract wallet stops standing behind its proof. Accept asks it again, refuses, and
// the wallet needs a new proof; with one the same transaction is accepted and carried out.
func TestAcceptAsksAContractWalletAgain(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		walletID, at := contractWallet(h, c, token)
		body := c.Body("USDC", c.Payment(c.Payee, "10.00"))
		body["walletAddress"] = at.Hex()
		id := c.Do("POST", "/transactions", body).OK(201).ID()
		c.Act(id, "submit").OK(200)

		h.Proxy.Edit(func(method string, params []json.RawMessage, truth json.RawMessage) json.RawMessage {
			if method == "eth_call" && strings.Contains(string(params[0]), `"0x1626ba7e`) {
				return json.RawMessage(`"0xffffffff` + strings.Repeat("0", 56) + `"`)
			}

			return truth
		})
		c.Act(id, "accept").Refused(422, "WALLET_NOT_VERIFIED")
		c.Act(id, "accept").Refused(422, "WALLET_NOT_VERIFIED")
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM wallets WHERE id = ? AND ownership_status = 'REVOKED'", walletID),
		)
		require.Equal(t, transaction.StatusWaiting, c.Read(id).Status)

		h.Proxy.Clear()
		c.Do("POST", "/wallets/"+walletID+"/challenge", nil).OK(200)
		proveContract(h, c, walletID)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		h.Oracle()
	})
}
