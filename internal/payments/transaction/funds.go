package transaction

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain/contract"
)

// Funds is what the chain reports of a paying wallet, in base units of one token.
type Funds struct {
	Balance, Allowance *big.Int
	ReadAt             time.Time
}

const (
	// fundsAge is how old a reading of the chain may be at accept. Settlement reads again before it signs, and the
	// token contract decides in the end. This check exists only to warn the person early.
	fundsAge = 2 * time.Second
	// proofAge is how long the service remembers that a wallet was proven by its own key. Another proof of the same
	// wallet needs a change of the wallet first, which the gate in accept's statement detects at once.
	proofAge = time.Minute
	// intentAge is how old the answer may be whether a wallet requires signed intents.
	intentAge = 30 * time.Second
)

// payerReader asks the chain about paying wallets, and caches what it reports.
type payerReader struct {
	chain Chain
	db    *db.DB
	funds *cache.Cache[Funds]
	byKey *cache.Cache[bool] // wallets that were proven by their own key

	intents *cache.Cache[bool] // by network and address: whether the wallet requires signed intents

	holdings *cache.Cache[reading] // of all tokens of a wallet
}

func newPayerReader(chain Chain, d *db.DB) *payerReader {
	c := d.Clock()

	return &payerReader{
		chain: chain,
		db:    d,
		funds: cache.New[Funds](c, fundsAge, 10_000),
		byKey: cache.New[bool](c, proofAge, 50_000),

		intents: cache.New[bool](c, intentAge, 50_000),

		holdings: cache.New[reading](c, fundsAge, 10_000),
	}
}

func fundsKey(t Transaction) string { return t.Network + "/" + t.Token + "/" + t.WalletAddress }

// recentFunds returns the funds of a transaction's wallet, at most fundsAge old.
func (r *payerReader) recentFunds(ctx context.Context, t Transaction, token network.Token) (Funds, error) {
	if f, ok := r.funds.Find(fundsKey(t)); ok {
		return f, nil
	}

	return r.readFunds(ctx, t, token)
}

func (r *payerReader) readFunds(ctx context.Context, t Transaction, token network.Token) (Funds, error) {
	var err error

	f := Funds{ReadAt: r.db.Now()}

	f.Balance, f.Allowance, err = r.chain.Funds(
		ctx,
		t.Network,
		common.HexToAddress(token.Address),
		common.HexToAddress(t.WalletAddress),
	)
	if err != nil {
		return Funds{}, fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The network's node does not answer at the moment; nothing was changed.",
		)
	}

	r.funds.Keep(fundsKey(t), f)

	return f, nil
}

// rememberProof caches that a wallet's proof need not be checked again.
func (r *payerReader) rememberProof(w wallet.Wallet) {
	if !r.provenByKey(w.ID) && w.ProvenByKey() {
		r.byKey.Keep(w.ID, true)
	}
}

func (r *payerReader) provenByKey(walletID string) bool {
	_, ok := r.byKey.Find(walletID)
	return ok
}

// ReadFunds asks the chain for the funds of a transaction's wallet.
func (s *Service) ReadFunds(ctx context.Context, t Transaction, token network.Token) (Funds, error) {
	return s.payers.readFunds(ctx, t, token)
}

// ReserveFunds reserves the transaction's debit. It refuses unless everything reserved from the wallet fits into its
// allowance and balance (E-10).
func ReserveFunds(ctx context.Context, tx *db.Tx, t Transaction, funds Funds) error {
	held, err := reservedElsewhere(ctx, tx, t, funds.ReadAt)
	if err != nil {
		return err
	}

	if err := held.admits(t); err != nil {
		return err
	}

	if err := enough(t, funds, held); err != nil {
		return err
	}

	reserve(tx, t)

	return nil
}

// CheckFunds refuses early what would make the payment fail later: state, content, and what the chain reports about the
// wallet.
func (s *Service) CheckFunds(ctx context.Context, t Transaction) error {
	if t.Status != StatusWaiting {
		return t.NotWaiting()
	}

	if err := t.CheckContent(); err != nil {
		return err
	}

	_, token, err := s.directory.usable(ctx, s.DB, t.Network, t.Token, false)
	if err != nil {
		return err
	}

	funds, err := s.payers.recentFunds(ctx, t, token)
	if err != nil {
		return err
	}

	none := reserved{approved: new(big.Int), signed: new(big.Int)}
	if enough(t, funds, none) == nil {
		return nil
	}

	if funds, err = s.ReadFunds(ctx, t, token); err != nil { // a two-second-old reading may be out of date
		return err
	}

	return enough(t, funds, none)
}

// checkProof asks a paying contract wallet whether it still confirms its proof. It calls the chain. A wallet that was
// proven by its own key, as submit remembers, needs no call.
func (s *Service) checkProof(ctx context.Context, t Transaction) error {
	if s.ProofHolds == nil || s.payers.provenByKey(t.Wallet) {
		return nil
	}

	w, err := s.payingWallet(ctx, t)
	if err != nil {
		return err
	}

	s.payers.rememberProof(w)

	return s.ProofHolds(ctx, w)
}

// PayerHolds asks once more, before anything is sent, whether the contract wallet that pays is still the one that was
// proven. ended is why it is not; held is what a second person has to approve first. A wallet that was deleted since
// has no part any more in what was accepted.
func (s *Service) PayerHolds(ctx context.Context, t Transaction) (ended, held string, err error) {
	if s.ProofHolds == nil || t.Wallet == "" || s.payers.provenByKey(t.Wallet) {
		return "", "", nil
	}

	w, err := wallet.ByID(ctx, s.DB, t.Organisation, t.Wallet)

	switch {
	case fault.Is(err, fault.NotFoundCode):
		return "", "", nil
	case err != nil:
		return "", "", err
	case w.Type == wallet.Multisig && w.Ownership != wallet.OwnershipVerified:
		return words.Phrase("The paying wallet's proof was revoked before anything was sent."), "", nil
	}

	s.payers.rememberProof(w)
	err = s.ProofHolds(ctx, w)

	refusal, ok := fault.As(err)
	switch {
	case ok && refusal.Code == fault.WalletNotVerified:
		return words.Detailed("The paying wallet is not proven any more.", refusal.Detail), "", nil
	case ok && refusal.Code == fault.PayeeNotApproved:
		return "", words.Detailed("A second person has to approve the paying wallet first.", refusal.Detail), nil
	}

	return "", "", err
}

// enough refuses a transaction that the wallet's allowance or balance does not cover besides what is reserved.
func enough(t Transaction, funds Funds, held reserved) error {
	var l fault.List

	for _, x := range []struct {
		have, reserved *big.Int
		code           fault.Code
		what           string
	}{
		{funds.Allowance, held.approved, fault.AllowanceShort, "has approved"},
		{funds.Balance, held.sum(), fault.BalanceShort, "holds"},
	} {
		if x.code == fault.AllowanceShort && !t.needsApproval() {
			continue // the signature is the approval
		}

		if x.have.Cmp(new(big.Int).Add(x.reserved, t.Debit)) >= 0 {
			continue
		}

		code := x.code

		others := ""
		if x.have.Cmp(t.Debit) >= 0 {
			code = fault.ReservationShort
			others = fmt.Sprintf(
				", of which other submitted transactions have reserved %s",
				money.Format(x.reserved, t.Decimals),
			)
		}

		l.Add(
			"/walletAddress",
			code,
			"The wallet %s %s %s%s; this transaction needs %s.",
			x.what,
			money.Format(x.have, t.Decimals),
			t.Token,
			others,
			t.DebitAmount(),
		)
	}

	return l.Err()
}

// needsApproval reports whether the transaction rests on what the wallet has approved to the router.
func (t Transaction) needsApproval() bool { return t.Manner == "" || t.Manner == contract.ByIntent }

// admits refuses a transaction that would take the approval from under others, or whose own approval the permit of
// another will replace.
func (r reserved) admits(t Transaction) error {
	switch {
	case t.Manner == contract.ByPermit:
		return r.permitConflict()
	case t.needsApproval() && r.permit:
		var l fault.List
		l.Add("/walletAddress", fault.PermitConflict,
			"Another submitted transaction of the wallet brings a permit, which replaces its approval: end that first.")

		return l.Err()
	}

	return nil
}
