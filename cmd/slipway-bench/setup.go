//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/app/world"
	"slipway/internal/rails/chain/contract"
)

// tenant is an approved organisation with a proven paying wallet and receivers, signed in.
type tenant struct {
	token, organisation string
	receivers           []string
	wallet              string // of the first receiver, stored and proven
}

type object map[string]any

// client is for the setting up; what is measured goes over conn.
type client struct{ address, token string }

func (c client) call(ctx context.Context, method, path string, body, out any) error {
	var send io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}

		send = bytes.NewReader(raw)
	}

	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.address+path, send)
	if err != nil {
		return err
	}

	req.Header.Set("Content-Type", "application/json")

	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}

	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()

	raw, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return err
	}

	if res.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %d %.500s", method, path, res.StatusCode, raw)
	}

	if out == nil {
		return nil
	}

	return json.Unmarshal(raw, out)
}

type named struct {
	ID string `json:"_id"`
}

// signUp makes the n-th organisation. stored says that its first receiver gets a stored wallet.
func (b *bench) signUp(ctx context.Context, address string, n int, stored bool) (tenant, error) {
	c := client{address: address}

	person := object{
		"firstName": "Ada",
		"lastName":  "Muster",
		"email":     fmt.Sprintf("ada%d@example.org", n),
		"password":  "kept-ferry-lamp-otter",
	}
	if err := c.call(ctx, "POST", "/auth/register", person, nil); err != nil {
		return tenant{}, err
	}

	var in struct {
		Access string `json:"access_token"`
	}
	if err := c.call(ctx, "POST", "/auth/login", object{
		"email":    person["email"],
		"password": person["password"],
	}, &in); err != nil {
		return tenant{}, err
	}

	c.token = in.Access

	var org, self named
	if err := c.call(ctx, "POST", "/organisations/create", object{
		"organisationType": "Organisation",
		"name":             fmt.Sprintf("Muster %d AG", n),
	}, &org); err != nil {
		return tenant{}, err
	}

	if err := c.call(
		ctx,
		"POST",
		"/sandbox/organisations/"+org.ID+"/onboarding",
		object{"status": "APPROVED"},
		nil,
	); err != nil {
		return tenant{}, err
	}

	if err := c.call(ctx, "GET", "/receivers/self", nil, &self); err != nil {
		return tenant{}, err
	}

	t := tenant{token: in.Access, organisation: org.ID}
	for i := range 5 {
		var r named
		if err := c.call(ctx, "POST", "/receivers", object{
			"type":           "INDIVIDUAL",
			"email":          "alice@example.org",
			"firstName":      "Alice",
			"lastName":       fmt.Sprint("Keller ", i),
			"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
			"countryIsoCode": "CH",
		}, &r); err != nil {
			return tenant{}, err
		}

		t.receivers = append(t.receivers, r.ID)
	}

	if _, err := proveWallet(ctx, c, self.ID, b.world.Accounts[0]); err != nil {
		return tenant{}, err
	}

	var err error
	if stored {
		t.wallet, err = proveWallet(ctx, c, t.receivers[0], b.world.Accounts[1])
	}

	return t, err
}

// proveWallet stores a wallet, signs its text, and waits until it is screened.
func proveWallet(ctx context.Context, c client, receiver string, a world.Account) (string, error) {
	var w struct {
		ID        string `json:"_id"`
		Analysis  string `json:"walletAnalysisStatus"`
		Ownership struct {
			Message string `json:"message"`
			Status  string `json:"status"`
		} `json:"ownership"`
	}
	if err := c.call(ctx, "POST", "/wallets", object{
		"address":  a.Address.Hex(),
		"network":  world.NetworkID,
		"type":     "EOA",
		"receiver": receiver,
	}, &w); err != nil {
		return "", err
	}

	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), a.Key)
	if err != nil {
		return "", err
	}

	signature[64] += 27

	proof := object{"message": w.Ownership.Message, "signedMessage": "0x" + hex.EncodeToString(signature)}
	if err := c.call(ctx, "POST", "/wallets/"+w.ID+"/verify-wallet", proof, &w); err != nil {
		return "", err
	}

	for range 500 {
		if w.Ownership.Status == "VERIFIED" && w.Analysis == "APPROVED" {
			return w.ID, nil
		}

		time.Sleep(20 * time.Millisecond)

		if err := c.call(ctx, "GET", "/wallets/"+w.ID, nil, &w); err != nil {
			return "", err
		}
	}

	return "", errors.New("a wallet was not screened in time")
}

// approveRouter lets the router take any amount from the paying wallet: the wallet of every organisation here.
func (b *bench) approveRouter(ctx context.Context) error {
	c, err := ethclient.DialContext(ctx, b.world.URL)
	if err != nil {
		return err
	}
	defer c.Close()
	payer := b.world.Accounts[0]
	token := b.world.Token("USDC").Address

	nonce, err := c.PendingNonceAt(ctx, payer.Address)
	if err != nil {
		return err
	}

	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

	chain := big.NewInt(world.ChainID)

	tx, err := types.SignNewTx(payer.Key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID:   chain,
		Nonce:     nonce,
		To:        &token,
		Gas:       200_000,
		Data:      contract.Token().PackApprove(b.world.Router, most),
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(50_000_000_000),
	})
	if err != nil {
		return err
	}

	if err := c.SendTransaction(ctx, tx); err != nil {
		return err
	}

	for range 500 {
		r, err := c.TransactionReceipt(ctx, tx.Hash())
		if err == nil && r.Status == types.ReceiptStatusSuccessful {
			return nil
		}

		if err != nil && !errors.Is(err, ethereum.NotFound) {
			return err
		}

		time.Sleep(20 * time.Millisecond)
	}

	return errors.New("the approval was not mined in time")
}

// draftBody is a request to pay so many receivers 0.01 USDC each. Every second payment goes to the stored wallet,
// where there is one, the others to an address of their own; fresh makes that address one that nobody has used.
func (b *bench) draftBody(t tenant, payments int, fresh func() common.Address) []byte {
	items := make([]object, payments)
	for i := range items {
		p := object{
			"type":     "CRYPTO",
			"receiver": t.receivers[i%len(t.receivers)],
			"amount":   "0.01",
			"reason":   fmt.Sprintf("Invoice 2026-%03d", i),
		}
		if t.wallet != "" && i%2 == 0 && fresh == nil {
			p["receiver"] = t.receivers[0]
			p["wallet"] = t.wallet
		} else {
			at := crypto.CreateAddress(b.world.Accounts[2].Address, uint64(i))
			if fresh != nil {
				at = fresh()
			}

			p["walletAddress"] = at.Hex()
			p["walletType"] = "EOA"
			p["network"] = world.NetworkID
		}

		items[i] = p
	}

	raw, err := json.Marshal(object{
		"type":          "CRYPTO",
		"token":         "USDC",
		"walletAddress": b.world.Accounts[0].Address.Hex(),
		"payments":      items,
	})
	if err != nil {
		panic(err) // texts always encode
	}

	return raw
}
