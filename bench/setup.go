//go:build !nosandbox

package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/app/apiclient"
	"slipway/internal/app/world"
	"slipway/internal/rails/chain/contract"
)

// tenant is an approved organisation with a proven paying wallet and receivers, signed in.
type tenant struct {
	token, organisation string
	receivers           []string
	wallet              string // of the first receiver, stored and proven
}

type object = apiclient.Object

type named struct {
	ID string `json:"_id"`
}

// password is everybody's.
const password = "kept-ferry-lamp-otter"

// email returns the address of the member of the n-th organisation.
func email(n int) string { return fmt.Sprintf("ada%d@example.org", n) }

// signUp creates the n-th organisation. If stored is true, its first receiver has a stored wallet.
func (b *bench) signUp(ctx context.Context, address string, n int, stored bool) (tenant, error) {
	// what is measured is sent over conn; this client only sets up
	c := &apiclient.Client{Base: "http://" + address, HTTP: http.DefaultClient}

	person := apiclient.Person{
		FirstName: "Ada",
		LastName:  "Muster",
		Email:     email(n),
		Password:  password,
	}
	if err := c.Register(ctx, person); err != nil {
		return tenant{}, err
	}

	if _, err := c.SignIn(ctx, person.Email, person.Password); err != nil {
		return tenant{}, err
	}

	organisation, err := approvedOrganisation(ctx, c, fmt.Sprintf("Muster %d AG", n))
	if err != nil {
		return tenant{}, err
	}

	t := tenant{token: c.Token, organisation: organisation}
	if t.receivers, err = fiveReceivers(ctx, c); err != nil {
		return tenant{}, err
	}

	var self named
	if err := c.Call(ctx, "GET", "/receivers/self", nil, &self); err != nil {
		return tenant{}, err
	}

	if _, err := proveWallet(ctx, c, self.ID, b.world.Accounts[0]); err != nil {
		return tenant{}, err
	}

	if stored {
		t.wallet, err = proveWallet(ctx, c, t.receivers[0], b.world.Accounts[1])
	}

	return t, err
}

// approvedOrganisation creates an organisation, has the sandbox approve it, and returns its identifier.
func approvedOrganisation(ctx context.Context, c *apiclient.Client, name string) (string, error) {
	var org named
	if err := c.Call(ctx, "POST", "/organisations/create", object{
		"organisationType": "Organisation",
		"name":             name,
	}, &org); err != nil {
		return "", err
	}

	onboarding := "/sandbox/organisations/" + org.ID + "/onboarding"

	return org.ID, c.Call(ctx, "POST", onboarding, object{"status": "APPROVED"}, nil)
}

// fiveReceivers creates the receivers that drafts pay, and returns their identifiers.
func fiveReceivers(ctx context.Context, c *apiclient.Client) ([]string, error) {
	var ids []string

	for i := range 5 {
		var r named
		if err := c.Call(ctx, "POST", "/receivers", object{
			"type":           "INDIVIDUAL",
			"email":          "alice@example.org",
			"firstName":      "Alice",
			"lastName":       fmt.Sprint("Keller ", i),
			"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
			"countryIsoCode": "CH",
		}, &r); err != nil {
			return nil, err
		}

		ids = append(ids, r.ID)
	}

	return ids, nil
}

// proveWallet stores a wallet, signs for it, waits until its address is screened, and returns its identifier.
func proveWallet(ctx context.Context, c *apiclient.Client, receiver string, a world.Account) (string, error) {
	var w struct {
		ID        string `json:"_id"`
		Analysis  string `json:"walletAnalysisStatus"`
		Ownership struct {
			Message string `json:"message"`
			Status  string `json:"status"`
		} `json:"ownership"`
	}
	if err := c.Call(ctx, "POST", "/wallets", object{
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
	if err := c.Call(ctx, "POST", "/wallets/"+w.ID+"/verify-wallet", proof, &w); err != nil {
		return "", err
	}

	for range 500 {
		if w.Ownership.Status == "VERIFIED" && w.Analysis == "APPROVED" {
			return w.ID, nil
		}

		time.Sleep(20 * time.Millisecond)

		if err := c.Call(ctx, "GET", "/wallets/"+w.ID, nil, &w); err != nil {
			return "", err
		}
	}

	return "", errors.New("a wallet was not screened in time")
}

// approveRouter lets the router take any amount from the paying wallet, which is the wallet of every organisation here.
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

	unlimited := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	chain := big.NewInt(world.ChainID)

	tx, err := types.SignNewTx(payer.Key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID:   chain,
		Nonce:     nonce,
		To:        &token,
		Gas:       200_000,
		Data:      contract.Token().PackApprove(b.world.Router, unlimited),
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

// draftBody returns a request with so many payments of 0.01 USDC each. Every second payment goes to the stored wallet,
// if there is one, the others to addresses of their own. fresh returns an address that nobody has used; nil: the
// addresses repeat with each draft.
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
