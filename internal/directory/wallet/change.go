package wallet

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/safe"
)

// Change replaces a wallet's address, network, type or receiver. It then has to be proven anew, and screened anew when
// its address or network is another. Empty fields of the wish stay as they are; a nil note stays as it is. A change
// that changes nothing does nothing.
func (s *Service) Change(
	ctx context.Context,
	organisation, walletID string,
	wish Wish,
	note *string,
	done doneFunc,
) error {
	l := caller.Faults(ctx)

	prefix, plain := safe.CutPrefix(wish.Address)
	if wish.Address != "" {
		wish.Address = readAddress(plain, &l)
	}

	if note != nil {
		checkNote(*note, &l)
	}

	nonce := newNonce()
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := ByID(ctx, tx, organisation, walletID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, w.Version); err != nil {
			return err
		}

		bad := l.Clone()

		next := w.with(wish)
		next.chainPrefix = prefix

		if note != nil {
			next.Note = *note
		}

		if next, err = s.replace(ctx, tx, w, next, nonce, &bad); err != nil {
			return err
		}

		return s.finish(ctx, tx, next, done)
	})

	return Refusal(err)
}

// replace writes a changed wallet in place of the one that was read. If they do not differ it writes nothing.
func (s *Service) replace(
	ctx context.Context,
	tx *db.Tx,
	before, next Wallet,
	nonce string,
	bad *fault.List,
) (Wallet, error) {
	moved := next.Address != before.Address || next.Network != before.Network
	reset := moved || next.Type != before.Type || next.Receiver != before.Receiver

	switch {
	case !reset && next.Note == before.Note:
		return before, bad.Err()

	case !reset && before.Ownership == OwnershipVerified:
		return before, fault.New(
			fault.Conflict,
			fault.WalletVerified,
			"The wallet's ownership is proven already; there is no text to sign.",
		)
	}

	n, err := s.admit(ctx, tx, next, bad)
	if err != nil {
		return before, err
	}

	if reset {
		from, err := s.deps.Payees.Changed(ctx, tx, &next.Mark, next.change("was changed."))
		if err != nil {
			return before, err
		}

		if from.After(next.PayableFrom) {
			next.PayableFrom = from
		}

		next.changed = true
	}

	if next, err = s.reset(ctx, tx, next, n, nonce, moved); err != nil {
		return before, err
	}

	trail.Audit(ctx, tx, before.Organisation, "wallet.change", before.ID, next.Network+" "+next.Address)

	return next, nil
}

// with returns the wallet with the fields of the wish that are given.
func (w Wallet) with(wish Wish) Wallet {
	for _, f := range []struct {
		into *string
		from string
	}{
		{&w.Address, wish.Address},
		{&w.Network, wish.Network},
		{(*string)(&w.Type), string(wish.Type)},
		{&w.Receiver, wish.Receiver},
	} {
		if f.from != "" {
			*f.into = f.from
		}
	}

	return w
}

// reset starts the proof anew, and the screening too if the address or network has changed.
func (s *Service) reset(
	ctx context.Context,
	tx *db.Tx,
	w Wallet,
	n network.Network,
	nonce string,
	moved bool,
) (Wallet, error) {
	if w.Ownership == OwnershipVerified {
		if err := w.own(OwnershipRevoked); err != nil {
			return w, err
		}
	}

	if err := s.newText(ctx, tx, &w, n, nonce); err != nil {
		return w, err
	}

	if err := network.MarkUsed(tx, n); err != nil {
		return w, err
	}

	if moved {
		if err := w.analyse(AnalysisPending); err != nil {
			return w, err
		}

		w.AnalysisID = ""
		w.AnalysisErr = ""
		w.ScreenedAt = db.Time(0)
		s.enqueueScreening(tx, w)
	}

	return update(tx, w)
}

// isNew describes a wallet that was added just now.
const isNew = "is new."

// change describes a wallet to a second person: where money would go.
func (w Wallet) change(what string) approval.Change {
	return approval.Change{
		Organisation: w.Organisation,
		Kind:         approval.Wallet,
		Object:       w.ID,
		Destination:  true,
		New:          what == isNew,
		Summary:      "Wallet " + w.Address + " on " + w.Network + " of receiver " + w.Receiver + " " + what,
	}
}

// Decided carries out a second person's decision about a wallet, for approval.Handler.
func Decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	w, err := ByID(ctx, tx, a.Organisation, a.Object)
	if fault.Is(err, fault.NotFoundCode) {
		return nil // deleted in the meantime
	}

	if err == nil && w.Mark.Decided(a) {
		_, err = update(tx, w)
	}

	return err
}
