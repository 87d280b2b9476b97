package safetx

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/safe"
)

type doneFunc = func(tx *db.Tx, v View) error

// Confirm verifies an owner's confirmation of a SafeTx against the chain and keeps it. A second call with one of the
// same owner changes nothing. Who sends it does not matter: only an owner can have made it.
func (s *Service) Confirm(ctx context.Context, organisation, walletID, hash, signature string, done doneFunc) error {
	w, n, t, err := s.find(ctx, organisation, walletID, hash)
	if err != nil {
		return err
	}

	raw, err := hexutil.Decode(signature)
	if err != nil {
		return signatureFault(safe.ErrForm)
	}

	state, err := s.account(ctx, w)
	if err != nil {
		return err
	}

	confirmed, err := s.judge(ctx, n, t, state, raw)
	if err != nil {
		return err
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.record(ctx, tx, t, confirmed, FromAPI); err != nil {
			return err
		}

		v, err := s.view(ctx, tx, n, t, state)
		if err != nil {
			return err
		}

		return done(tx, *v)
	})
}

// find reads a SafeTx of an organisation's wallet, and the network it is on.
func (s *Service) find(
	ctx context.Context,
	organisation, walletID, hash string,
) (wallet.Wallet, network.Network, Transaction, error) {
	w, n, err := s.wallet(ctx, organisation, walletID)
	if err != nil {
		return w, n, Transaction{}, err
	}

	t, err := byHash(ctx, s.deps.DB, w, hash)

	return w, n, t, err
}

func (s *Service) wallet(ctx context.Context, organisation, id string) (wallet.Wallet, network.Network, error) {
	w, err := wallet.ByID(ctx, s.deps.DB, organisation, id)
	if err != nil {
		return w, network.Network{}, err
	}

	n, err := network.ByID(ctx, s.deps.DB, w.Network)

	return w, n, err
}

// record writes a confirmation, unless the owner's is there already.
func (s *Service) record(
	ctx context.Context,
	tx *db.Tx,
	t Transaction,
	c safe.Confirmation,
	source Source,
) error {
	owner := c.Owner.Hex()

	known, err := isConfirmed(ctx, tx, t, owner)
	if err != nil || known {
		return err
	}

	confirmationTable.Insert(tx, &Confirmation{
		Wallet:       t.Wallet,
		Hash:         t.Hash,
		Organisation: t.Organisation,
		Owner:        owner,
		Kind:         string(c.Kind),
		Signature:    hexutil.Encode(c.Bytes()),
		Source:       source,
		CreatedAt:    tx.Now,
	})
	trail.Audit(ctx, tx, t.Organisation, "safe.confirm", t.Wallet, t.Hash+" "+owner)

	return nil
}

// judge reads a confirmation of a SafeTx and verifies it: its owner is one now, and made it. It asks the chain about
// hashes that owners have approved there, and about owners that are contracts.
func (s *Service) judge(
	ctx context.Context,
	n network.Network,
	t Transaction,
	state safe.State,
	raw []byte,
) (safe.Confirmation, error) {
	d, err := t.domain(n)
	if err != nil {
		return safe.Confirmation{}, err
	}

	x := t.tx()
	if d.Hash() != state.Domain || state.Version != t.Version || d.TxHash(x).Hex() != t.Hash {
		return safe.Confirmation{}, fault.New(
			fault.Conflict,
			fault.SafeUnknown,
			"The Safe has another version than when its owners were asked. Check the allowance again.",
		)
	}

	if x.Nonce < state.Nonce {
		return safe.Confirmation{}, fault.New(
			fault.Conflict,
			fault.SafeNonceUsed,
			"The Safe has used nonce %d. Check the allowance again.",
			x.Nonce,
		)
	}

	c, err := safe.Parse(d.TxHash(x), raw)
	if err != nil {
		return c, signatureFault(err)
	}

	if !state.Owns(c.Owner) {
		var l fault.List
		l.Add(
			"/signature",
			fault.SafeNotOwner,
			"is of %s over this hash, who is no owner of the Safe now.",
			c.Owner.Hex(),
		)

		return c, l.Err()
	}

	good, err := s.confirms(ctx, t, d, c)
	if err != nil {
		return c, s.noAnswer(ctx, wallet.Wallet{ID: t.Wallet, Network: t.Network}, err)
	}

	if !good {
		return c, signatureFault(errors.New("the owner has not approved this hash on the chain"))
	}

	return c, nil
}

// confirms asks the chain whether an owner stands behind a confirmation. A signature by a key needs no question.
func (s *Service) confirms(ctx context.Context, t Transaction, d safe.Domain, c safe.Confirmation) (bool, error) {
	x := t.tx()
	hash := d.TxHash(x)

	switch c.Kind {
	case safe.ByKey, safe.ByEthSign:
		return true, nil // Parse has recovered the owner from it

	case safe.ByApproval:
		word, err := s.deps.Chain.SafeSays(
			ctx,
			t.Network,
			common.HexToAddress(t.Account),
			safe.Pack("approvedHashes", c.Owner, hash),
		)

		return word != common.Hash{}, err

	case safe.ByContract:
		return s.deps.Chain.OwnerConfirms(ctx, t.Network, t.Version, c.Owner, d.Encode(x), hash, c.Data)
	}

	return false, nil
}

func signatureFault(err error) error {
	var l fault.List
	l.Add("/signature", fault.SafeSignature, "%s.", err.Error())

	return l.Err()
}
