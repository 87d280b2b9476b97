package wallet

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/screening"
	"slipway/internal/standards/eip55"
	"slipway/internal/standards/safe"
)

// JobScreen is the kind of the job that screens a wallet; its payload is the wallet's identifier, and its handler
// calls Screen.
const JobScreen = "wallet.screen"

// Site is what stands in the text to sign: who asks, and where.
type Site struct {
	Host    string // authority, as people know the service
	BaseURL string // without a slash at the end
}

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB   *db.DB
	Log  *slog.Logger // nil: the default one
	Site Site
	// OrgName returns the name that stands in the text to sign.
	OrgName   func(ctx context.Context, q db.Querier, organisation string) (string, error)
	Chain     Chain
	Screening screening.Provider
	// Demand adds a job in the transaction; one job lives for each key, and one that is running runs once more
	// afterwards.
	Demand func(tx *db.Tx, kind, key, payload string)
	// Payees are the organisations' rules about payees; nil: none has any.
	Payees *approval.Payees
}

// Service holds the use cases of wallets.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.Default()
	}

	return &Service{d}
}

type doneFunc = func(tx *db.Tx, v View) error

// Wish is how a caller wants a wallet to be. Receiver and Network are identifiers.
type Wish struct {
	Receiver, Network, Address string
	Type                       Type
	Note                       string
}

// Create adds a wallet with a text to sign, and has it screened. A second call with the same address, network and
// receiver is refused.
func (s *Service) Create(ctx context.Context, organisation string, wish Wish, done doneFunc) error {
	l := caller.Faults(ctx)
	prefix, plain := safe.CutPrefix(wish.Address)
	address := readAddress(plain, &l)
	checkNote(wish.Note, &l)
	nonce := newNonce()
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		bad := l.Clone()

		w, err := s.add(ctx, tx, Wallet{
			Organisation: organisation,
			Receiver:     wish.Receiver,
			Network:      wish.Network,
			Address:      address,
			Type:         wish.Type,
			Note:         wish.Note,
			chainPrefix:  prefix,
		}, Proof{}, nonce, &bad)
		if err != nil {
			return err
		}

		return s.finish(ctx, tx, w, done)
	})

	return Refusal(err)
}

// Refusal returns the error of a write to the caller: WALLET_DUPLICATE if another write has stored the same wallet
// first, and err otherwise.
func Refusal(err error) error {
	if db.IsUnique(err, "wallets") {
		return duplicate()
	}

	return err
}

// NewID makes an identifier, for use cases that name a wallet before it is added.
func NewID(now time.Time) string { return id.New("wlt", now) }

// Add adds a wallet in the caller's transaction, with a text to sign, and has it screened; nothing is paid to it for
// cool. One whose owner has signed already, by NewProof and Prove, is VERIFIED. An identifier that NewID gave before is
// kept. The caller hands the error of its write to Refusal.
func (s *Service) Add(ctx context.Context, tx *db.Tx, w Wallet, p Proof, cool time.Duration) (Wallet, error) {
	var l fault.List

	w.Address = readAddress(w.Address, &l)
	if cool > 0 {
		w.PayableFrom = tx.Now.Add(cool)
	}

	return s.add(ctx, tx, w, p, newNonce(), &l)
}

// add writes a new wallet if nothing is wrong with it.
func (s *Service) add(
	ctx context.Context,
	tx *db.Tx,
	w Wallet,
	p Proof,
	nonce string,
	bad *fault.List,
) (Wallet, error) {
	if w.ID == "" {
		w.ID = NewID(tx.Now)
	}

	n, err := s.admit(ctx, tx, w, bad)
	if err != nil {
		return w, err
	}

	if err := w.analyse(AnalysisPending); err != nil {
		return w, err
	}

	if err := s.newText(ctx, tx, &w, n, nonce); err != nil {
		return w, err
	}

	if err := w.prove(p); err != nil {
		return w, err
	}

	if err := network.MarkUsed(tx, n); err != nil {
		return w, err
	}

	from, err := s.deps.Payees.Changed(ctx, tx, &w.Mark, w.change(isNew))
	if err != nil {
		return w, err
	}

	if from.After(w.PayableFrom) {
		w.PayableFrom = from
	}

	if w, err = insert(tx, w); err != nil {
		return w, err
	}

	s.enqueueScreening(tx, w)
	trail.Audit(ctx, tx, w.Organisation, "wallet.create", w.ID, w.Network+" "+w.Address)

	return w, nil
}

// admit notes everything that keeps the wallet from being stored: its receiver, network and address, and a wallet with
// the same ones. It returns the wallet's network.
func (s *Service) admit(ctx context.Context, tx *db.Tx, w Wallet, l *fault.List) (network.Network, error) {
	if _, err := receiver.ByID(ctx, tx, w.Organisation, w.Receiver); fault.Is(err, fault.NotFoundCode) {
		l.Add("/receiver", fault.ReceiverUnknown, "is not a receiver of your organisation.")
	} else if err != nil {
		return network.Network{}, err
	}

	n, err := network.ByID(ctx, tx, w.Network)
	if err != nil && !fault.Is(err, fault.NotFoundCode) {
		return n, err
	}

	if err != nil || !n.Ready() {
		l.Add("/network", fault.NetworkUnknown, "is not a network that is offered.")
	} else if w.chainPrefix != "" && w.chainPrefix != n.MultisigPrefix {
		l.Add(
			"/address",
			fault.AddressOtherChain,
			"begins with the short name of another chain (EIP-3770) than the network's, which is %q.",
			n.MultisigPrefix,
		)
	} else if w.Address != "" {
		if err := forbidden(ctx, tx, n, w.Address, l); err != nil {
			return n, err
		}
	}

	if err := l.Err(); err != nil {
		return n, err
	}

	if yes, err := exists(ctx, tx, w); err != nil || yes {
		if yes {
			err = duplicate()
		}

		return n, err
	}

	return n, nil
}

// forbidden notes an address where tokens would be lost, or would come back to us without an owner.
func forbidden(ctx context.Context, q db.Querier, n network.Network, address string, l *fault.List) error {
	tokens, err := network.Tokens(ctx, q, n.ID)
	if err != nil {
		return err
	}

	bad := eip55.Reserved(common.HexToAddress(address)) || n.Owns(address)
	for _, t := range tokens {
		bad = bad || t.Address == address
	}

	if bad {
		l.Add(
			"/address",
			fault.AddressForbidden,
			"is the zero address, a precompile, a token, or a contract or wallet of the platform.",
		)
	}

	return nil
}

// ForbiddenAddress is the same rule for an inline destination of a payment: it notes at pointer what is wrong with
// the address on the network, and returns its checksummed form.
func ForbiddenAddress(
	ctx context.Context,
	q db.Querier,
	n network.Network,
	pointer, address string,
	l *fault.List,
) (string, error) {
	a, err := eip55.Read(address)
	if err != nil {
		f, _ := fault.As(addressFault(pointer, err))
		l.Append(f.Fields...)
		return "", nil
	}

	var own fault.List

	err = forbidden(ctx, q, n, a.Hex(), &own)
	for _, f := range own.Fields() {
		f.Pointer = pointer
		l.Append(f)
	}

	return a.Hex(), err
}

func readAddress(s string, l *fault.List) string {
	a, err := eip55.Read(s)
	if err != nil {
		f, _ := fault.As(addressFault("/address", err))
		l.Append(f.Fields...)
		return ""
	}

	return a.Hex()
}

func addressFault(pointer string, err error) error {
	var l fault.List
	if errors.Is(err, eip55.ErrChecksum) {
		l.Add(
			pointer,
			fault.AddressChecksum,
			"mixes upper and lower case in another way than its checksum (EIP-55): a letter is mistyped.",
		)
	} else {
		l.Add(pointer, fault.AddressInvalid, "is not 0x and 40 hexadecimal digits.")
	}

	return l.Err()
}

func duplicate() error {
	f := fault.New(fault.Conflict, fault.WalletDuplicate, "The receiver already has this address on this network.")
	f.Fields = []fault.Field{{
		Pointer: "/address",
		Code:    fault.WalletDuplicate,
		Message: "The receiver already has this address on this network.",
	}}

	return f
}

func (s *Service) newText(ctx context.Context, tx *db.Tx, w *Wallet, n network.Network, nonce string) error {
	name, err := s.deps.OrgName(ctx, tx, w.Organisation)
	if err != nil {
		return err
	}

	return w.challenge(s.deps.Site, name, n, nonce, tx.Now)
}

func (s *Service) enqueueScreening(tx *db.Tx, w Wallet) {
	s.deps.Demand(tx, JobScreen, "wallet/"+w.ID+"/screen", w.ID)
}

// finish passes the answer to done, at the end of a write body.
func (s *Service) finish(ctx context.Context, tx *db.Tx, w Wallet, done doneFunc) error {
	v, err := s.Views(ctx, tx, w.Organisation, []Wallet{w}, tx.Now)
	if err != nil {
		return err
	}

	return done(tx, v[0])
}

// Challenge replaces the text to sign. A wallet that is proven already returns WALLET_VERIFIED.
func (s *Service) Challenge(ctx context.Context, organisation, walletID string, done doneFunc) error {
	nonce := newNonce()

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := ByID(ctx, tx, organisation, walletID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, w.Version); err != nil {
			return err
		}

		if err := w.provable(); err != nil {
			return err
		}

		n, err := network.ByID(ctx, tx, w.Network)
		if err != nil || !n.Ready() {
			return fault.New(fault.Conflict, fault.NetworkUnknown, "The wallet's network is not offered any more.")
		}

		if err := s.newText(ctx, tx, &w, n, nonce); err != nil {
			return err
		}

		if w, err = update(tx, w); err != nil {
			return err
		}

		return s.finish(ctx, tx, w, done)
	})
}

// Delete takes a wallet out of use. Transactions that name it go on with their own copy. A second call returns
// NOT_FOUND.
func (s *Service) Delete(ctx context.Context, organisation, walletID string, done doneFunc) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := ByID(ctx, tx, organisation, walletID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, w.Version); err != nil {
			return err
		}

		if w, err = s.delete(ctx, tx, w); err != nil {
			return err
		}

		return s.finish(ctx, tx, w, done)
	})
}

// DeleteOf takes all wallets of a receiver out of use, in the write that deletes it. A second call finds none.
func (s *Service) DeleteOf(ctx context.Context, tx *db.Tx, organisation, receiverID string) error {
	all, err := OfReceiver(ctx, tx, organisation, receiverID)
	for _, w := range all {
		if _, err := s.delete(ctx, tx, w); err != nil {
			return err
		}
	}

	return err
}

func (s *Service) delete(ctx context.Context, tx *db.Tx, w Wallet) (Wallet, error) {
	if err := s.deps.Payees.Removed(ctx, tx, w.change("was deleted.")); err != nil {
		return w, err
	}

	w.Deleted = true

	w, err := update(tx, w)
	if err == nil {
		trail.Audit(ctx, tx, w.Organisation, "wallet.delete", w.ID, w.Network+" "+w.Address)
	}

	return w, err
}

// Revoke ends the proof of a wallet of any organisation. Staff call it when the owners of a contract wallet have
// changed. The client then asks for a new text. A wallet that is not VERIFIED returns WALLET_NOT_VERIFIED.
func (s *Service) Revoke(ctx context.Context, walletID, reason string, done doneFunc) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, walletID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, w.Version); err != nil {
			return err
		}

		if err := w.revocable(); err != nil {
			return err
		}

		if w, err = revoke(ctx, tx, w, reason); err != nil {
			return err
		}

		return s.finish(ctx, tx, w, done)
	})
}

// gone refuses what was deleted: nothing finds it any more.
func (w Wallet) gone() error {
	if w.Deleted {
		return fault.Missing("wallet")
	}

	return nil
}

// provable refuses to prove what is proven.
func (w Wallet) provable() error {
	if w.Ownership != OwnershipVerified {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.WalletVerified,
		"The wallet's ownership is proven already; there is nothing to sign.",
	)
}

// revocable refuses to end a proof that there is not.
func (w Wallet) revocable() error {
	if w.Ownership == OwnershipVerified {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.WalletNotVerified,
		"The wallet's ownership is %s; only VERIFIED can be revoked.",
		w.Ownership,
	)
}

// revoke ends a proof and removes its text and signature.
func revoke(ctx context.Context, tx *db.Tx, w Wallet, reason string) (Wallet, error) {
	if err := w.own(OwnershipRevoked); err != nil {
		return w, err
	}

	w.ApprovedAt = db.Time(0)
	w.Signature = ""
	w.Message = ""

	w, err := update(tx, w)
	if err == nil {
		trail.Audit(ctx, tx, w.Organisation, "wallet.revoke", w.ID, reason)
	}

	return w, err
}
