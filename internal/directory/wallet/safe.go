package wallet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/go-json-experiment/json"

	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/eip191"
	"slipway/internal/standards/safe"
)

// safeAccount is a wallet that is a Safe, as it was when it was proven. A Safe stays at its address while others come
// to own it; so what decides who can move its tokens is compared before money moves.
type safeAccount struct {
	Wallet, Organisation string
	Facts                string // hash
	Account              string // safe.State, as JSON
	ReadAt               time.Time

	state safe.State
}

var safeTable = db.NewTable("wallet_safes", (*safeAccount).columns)

func (a *safeAccount) columns(c *db.Columns) {
	c.Text("wallet", &a.Wallet)
	c.Text("organisation", &a.Organisation)
	c.Text("facts", &a.Facts)
	c.Text("account", &a.Account)
	c.Time("read_at", &a.ReadAt)
}

// ownersSay reports whether a Safe's owners stand behind a text although its contract does not say so: a Safe without a
// fallback handler answers no question of EIP-1271, and one of many signatures may come in another order than the
// contract wants. It has the account's own rules: as many distinct owners as its threshold, or the account itself by
// signMessage on the chain.
func (s *Service) ownersSay(ctx context.Context, w Wallet, message string, signature []byte) (bool, error) {
	address := common.HexToAddress(w.Address)

	account, ok, err := s.deps.Chain.SafeAt(ctx, w.Network, address)
	if err != nil {
		return false, s.noAnswer(ctx, w, err)
	}

	if !ok {
		return false, nil
	}

	asked := eip191.Hash([]byte(message))
	hash := account.MessageHash(asked[:])

	if len(signature) == 0 {
		word, err := s.deps.Chain.SafeSays(ctx, w.Network, address, safe.Pack("signedMessages", hash))
		if err != nil {
			return false, s.noAnswer(ctx, w, err)
		}

		return word != common.Hash{}, nil
	}

	all, err := safe.Split(hash, signature)
	if err != nil {
		return false, nil //nolint:nilerr // whatever cannot be read is no signature
	}

	if account.Enough(all) {
		return true, nil
	}

	sorted, err := safe.Join(all)
	if err != nil || bytes.Equal(sorted, signature) {
		return false, nil //nolint:nilerr // one owner twice is no second signature
	}

	good, err := s.deps.Chain.IsValidSignature(ctx, w.Network, address, asked, sorted)
	if err != nil {
		return false, s.noAnswer(ctx, w, err)
	}

	return good, nil
}

// safeOf reads the account of a wallet that was just proven; nil if it is no Safe.
func (s *Service) safeOf(ctx context.Context, w Wallet) (*safeAccount, error) {
	if w.Type != Multisig || s.deps.Chain == nil {
		return nil, nil //nolint:nilnil // no Safe, and no error
	}

	account, ok, err := s.deps.Chain.SafeAt(ctx, w.Network, common.HexToAddress(w.Address))
	if err != nil {
		return nil, s.noAnswer(ctx, w, err)
	}

	if !ok {
		return nil, nil //nolint:nilnil // no Safe, and no error
	}

	return &safeAccount{state: account}, nil
}

// provenSafe returns the account that a wallet's proof was given by; ok is false if it was no Safe.
func provenSafe(ctx context.Context, q db.Querier, w Wallet) (safe.State, bool, error) {
	a, err := safeTable.One(ctx, q, "WHERE wallet = ? AND organisation = ?", w.ID, w.Organisation)
	if errors.Is(err, db.ErrNone) {
		return safe.State{}, false, nil
	}

	if err != nil {
		return safe.State{}, false, fmt.Errorf("read the Safe of wallet %s: %w", w.ID, err)
	}

	var out safe.State
	if err := json.Unmarshal([]byte(a.Account), &out); err != nil {
		return safe.State{}, false, fmt.Errorf("the Safe of wallet %s: %w", w.ID, err)
	}

	return out, true, nil
}

// safeUnchanged compares a Safe with what it was when it was proven (E-11). Another owner, threshold, singleton,
// fallback handler or guard ends the proof. A new module is told, and held where the organisation's rules want a second
// person.
func (s *Service) safeUnchanged(ctx context.Context, w Wallet) error {
	before, ok, err := provenSafe(ctx, s.deps.DB, w)
	if err != nil || !ok {
		return err
	}

	now, ok, err := s.deps.Chain.SafeAt(ctx, w.Network, common.HexToAddress(w.Address))
	if err != nil {
		return s.noAnswer(ctx, w, err)
	}

	if !ok {
		return s.endProof(ctx, w, "there is no Safe of published code at its address any more")
	}

	if now.Facts() != before.Facts() {
		return s.endProof(ctx, w, "its Safe has changed since it was proven: "+now.Difference(before))
	}

	if len(now.NewModules(before)) == 0 {
		return w.Mark.Usable("wallet")
	}

	return s.tellModules(ctx, w, now)
}

// tellModules records that a Safe has modules that nobody was told of, and asks for a second person's approval where
// the organisation's rules want one. A second call finds them recorded.
func (s *Service) tellModules(ctx context.Context, was Wallet, now safe.State) error {
	held := was

	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, was.ID)
		if err != nil {
			return err
		}

		held = w

		before, ok, err := provenSafe(ctx, tx, w)
		if err != nil || !ok {
			return err
		}

		var names []string
		for _, m := range now.NewModules(before) {
			names = append(names, m.Hex())
		}

		if len(names) == 0 {
			return nil
		}

		_, err = s.deps.Payees.Changed(ctx, tx, &w.Mark, approval.Change{
			Organisation: w.Organisation,
			Kind:         approval.Wallet,
			Object:       w.ID,
			Summary: "Safe " + w.Address + " on " + w.Network + " has a new module, which moves its tokens without its " +
				"owners: " + strings.Join(
				names,
				", ",
			),
		})
		if err != nil {
			return err
		}

		if w, err = update(tx, w); err != nil {
			return err
		}

		held = w
		trail.Audit(ctx, tx, w.Organisation, "wallet.safe.module", w.ID, strings.Join(names, ", "))

		return recordSafe(tx, w, &safeAccount{state: now})
	})
	if err != nil {
		return err
	}

	return held.Mark.Usable("wallet")
}
