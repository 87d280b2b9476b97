//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/app/world"
	"slipway/internal/standards/safe"
)

// vault is a Safe of the story: two of its three owners sign.
type vault struct {
	at     common.Address
	owners []world.Account
	wallet string // identifier
}

// safeAnswer is what the owners of a Safe are asked to sign.
type safeAnswer struct {
	Hash          string   `json:"safeTxHash"`
	Purposes      []string `json:"purposes"`
	Threshold     int      `json:"threshold"`
	Confirmations int      `json:"confirmations"`
	Execution     *struct {
		To   string `json:"to"`
		Data string `json:"data"`
	} `json:"execution"`
}

// payFromSafe pays from a Safe: its owners prove it, confirm an approval, and one of them carries it out. Then its
// owners change, and it pays no more until it is proven again.
func (s *story) payFromSafe(ctx context.Context) error {
	s.t.heading("A Safe pays: two of three owners sign")

	v, err := s.openVault(ctx)
	if err != nil {
		return fmt.Errorf("make a Safe: %w", err)
	}

	if err := s.proveVault(ctx, &v); err != nil {
		return fmt.Errorf("prove the Safe: %w", err)
	}

	t, err := s.vaultDraft(ctx, v, "250.00")
	if err != nil {
		return err
	}

	if err := s.vaultApproves(ctx, v, t.ID); err != nil {
		return err
	}

	for _, step := range []string{"submit", "accept"} {
		if err := s.c.Call(ctx, "POST", "/transactions/"+t.ID+"/"+step, nil, &t); err != nil {
			return fmt.Errorf("%s: %w", step, err)
		}
	}

	if err := s.followOne(ctx, &t, "waiting for the chain"); err != nil {
		return err
	}

	return s.vaultChanges(ctx, v)
}

// openVault makes a Safe with 1,000 USDT.
func (s *story) openVault(ctx context.Context) (v vault, err error) {
	v.owners = s.World.Accounts[2:5]

	at, err := s.World.NewSafe(v.owners[0], world.SafeAccount{
		Owners:    []common.Address{v.owners[0].Address, v.owners[1].Address, v.owners[2].Address},
		Threshold: 2,
		Salt:      s.World.Clock.Now().UnixNano(),
	})
	if err != nil {
		return v, err
	}

	v.at = at

	err = s.until(ctx, 15*time.Second, func() (bool, error) {
		code, err := s.chain.CodeAt(ctx, at, nil)
		return len(code) > 0, err
	})
	if err != nil {
		return v, err
	}

	token := s.World.Token("USDT")
	if err := s.World.Mint(token, at, new(big.Int).Mul(big.NewInt(1_000), big.NewInt(1_000_000))); err != nil {
		return v, err
	}

	return v, s.until(ctx, 15*time.Second, func() (bool, error) {
		held, err := s.World.Balance(ctx, token, at)
		return err == nil && held.Sign() > 0, err
	})
}

// proveVault stores the Safe as a wallet and has two owners sign its text, as a SafeMessage.
func (s *story) proveVault(ctx context.Context, v *vault) error {
	var w walletAnswer
	if err := s.c.Call(ctx, "POST", "/wallets", object{
		"address":  v.at.Hex(),
		"network":  world.NetworkID,
		"type":     "MULTISIG",
		"receiver": s.self,
	}, &w); err != nil {
		return err
	}

	v.wallet = w.ID

	var account struct {
		Version   string `json:"safeVersion"`
		Ownership struct {
			Hash string `json:"safeMessageHash"`
		} `json:"ownershipMessage"`
	}
	if err := s.c.Call(ctx, "GET", "/wallets/"+w.ID+"/safe", nil, &account); err != nil {
		return err
	}

	domain, err := safe.DomainOf(account.Version, big.NewInt(world.ChainID), v.at)
	if err != nil {
		return err
	}

	hash := domain.MessageHash(accounts.TextHash([]byte(w.Ownership.Message)))
	if hash.Hex() != account.Ownership.Hash {
		return errors.New("the message to sign has another hash")
	}

	var all []safe.Confirmation

	for _, o := range v.owners[:2] {
		c, err := confirmation(o, hash)
		if err != nil {
			return err
		}

		all = append(all, c)
	}

	joined, err := safe.Join(all)
	if err != nil {
		return err
	}

	proof := object{"message": w.Ownership.Message, "signedMessage": fmt.Sprintf("0x%x", joined)}
	if err := s.c.Call(ctx, "POST", "/wallets/"+w.ID+"/verify-wallet", proof, &w); err != nil {
		return err
	}

	s.t.done("Safe %s, version %s: two owners have proven it", short(v.at), account.Version)

	return s.until(ctx, 10*time.Second, func() (bool, error) {
		err := s.c.Call(ctx, "GET", "/wallets/"+w.ID, nil, &w)
		return w.Analysis == "APPROVED", err
	})
}

func confirmation(by world.Account, hash common.Hash) (safe.Confirmation, error) {
	return safe.Sign(hash, func(hash []byte) ([]byte, error) { return crypto.Sign(hash, by.Key) })
}

// vaultDraft makes a transaction that the Safe pays to Alice.
func (s *story) vaultDraft(ctx context.Context, v vault, amount string) (t transactionAnswer, err error) {
	body := s.fromWallet("USDT", object{
		"type":     "CRYPTO",
		"receiver": s.aliceID,
		"wallet":   s.aliceWallet,
		"amount":   amount,
		"reason":   "From the vault",
	})
	body["walletAddress"] = v.at.Hex()

	if err := s.c.Call(ctx, "POST", "/transactions", body, &t); err != nil {
		return t, fmt.Errorf("create transaction: %w", err)
	}

	return t, nil
}

// vaultApproves has two owners confirm what check-allowance asks for, and one of them carry it out.
func (s *story) vaultApproves(ctx context.Context, v vault, id string) error {
	var asked struct {
		Sufficient bool        `json:"sufficient"`
		Safe       *safeAnswer `json:"safe"`
	}
	if err := s.c.Call(ctx, "POST", "/transactions/"+id+"/check-allowance", nil, &asked); err != nil {
		return err
	}

	if asked.Safe == nil {
		return errors.New("check-allowance asks the Safe's owners for nothing")
	}

	at := "/wallets/" + v.wallet + "/safe-transactions/" + asked.Safe.Hash + "/confirmations"
	now := *asked.Safe

	for _, o := range v.owners[1:] {
		c, err := confirmation(o, common.HexToHash(now.Hash))
		if err != nil {
			return err
		}

		if err := s.c.Call(ctx, "POST", at, object{"signature": fmt.Sprintf("0x%x", c.Bytes())}, &now); err != nil {
			return fmt.Errorf("confirm: %w", err)
		}

		s.t.done("%s confirms the approval: %d of %d", short(o.Address), now.Confirmations, now.Threshold)
	}

	if now.Execution == nil {
		return errors.New("enough owners have confirmed, and there is nothing to carry out")
	}

	data := common.FromHex(now.Execution.Data)
	if err := s.sendFromWallet(ctx, v.owners[2].Key, common.HexToAddress(now.Execution.To), data); err != nil {
		return fmt.Errorf("carry out the approval: %w", err)
	}

	return nil
}

// vaultChanges has the Safe take another owner. Its proof ends with that, and it pays no more.
func (s *story) vaultChanges(ctx context.Context, v vault) error {
	domain, err := safe.DomainOf(safe.V141, big.NewInt(world.ChainID), v.at)
	if err != nil {
		return err
	}

	tx := safe.Tx{To: v.at, Data: safe.Pack("addOwnerWithThreshold", s.payer.Address, big.NewInt(2)), Nonce: 1}

	var all []safe.Confirmation

	for _, o := range v.owners[:2] {
		c, err := confirmation(o, domain.TxHash(tx))
		if err != nil {
			return err
		}

		all = append(all, c)
	}

	joined, err := safe.Join(all)
	if err != nil {
		return err
	}

	if err := s.sendFromWallet(ctx, v.owners[0].Key, v.at, safe.Execute(tx, joined)); err != nil {
		return fmt.Errorf("add an owner: %w", err)
	}

	t, err := s.vaultDraft(ctx, v, "1.00")
	if err != nil {
		return err
	}

	problem, err := s.refused(ctx, "POST", "/transactions/"+t.ID+"/submit", nil)
	if err == nil && problem.Code != "WALLET_NOT_VERIFIED" {
		err = problem
	}

	if err != nil {
		return fmt.Errorf("a Safe with another owner should have to be proven again: %w", err)
	}

	s.t.done("the Safe has taken another owner: its proof has ended, and submit is refused: %s", problem.Code)

	return s.c.Call(ctx, "DELETE", "/transactions/"+t.ID, nil, nil)
}
