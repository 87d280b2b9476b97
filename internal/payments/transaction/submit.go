package transaction

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/network"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

// recheck compares a stored transaction with the directory and the market as they are now: deleted wallets, networks
// that were switched off, missing ownership and screening, changed rates. It returns the draft with fresh snapshots.
func (s *Service) recheck(ctx context.Context, q db.Querier, t Transaction) (draft, *known, error) {
	if err := s.offers(t); err != nil {
		return draft{}, nil, err
	}

	var l fault.List
	kind := kindOf(t.Type)
	in := kind.again(t)

	k, err := kind.lookUp(ctx, s, q, t.Organisation, &in, true)
	if err != nil {
		return draft{}, k, err
	}

	d := kind.build(&in, k, &l)
	kind.usable(k, d, s.DB.Now(), &l)
	receiversUsable(k, d, &l)

	if err := s.inlineAllowed(ctx, q, t, d.payments, &l); err != nil {
		return d, k, err
	}

	if err := l.Err(); err != nil || kind.price == nil {
		return d, k, err
	}

	return d, k, kind.price(ctx, s, t.Organisation, t.Partner, &d, k, true)
}

// cryptoUsable notes wallets that are not proven or not screened.
func cryptoUsable(k *known, d draft, now time.Time, l *fault.List) {
	payerUsable(k, now, l)

	for i, p := range d.payments {
		if w, ok := k.wallets[p.Wallet]; ok && p.Wallet != "" {
			if err := w.PayableTo(now); err != nil {
				noteAt(l, paymentAt(i)+"/wallet", err)
			}
		}
	}
}

// receiversUsable notes receivers that no second person has approved.
func receiversUsable(k *known, d draft, l *fault.List) {
	for i, p := range d.payments {
		if err := k.receivers[p.Receiver].Mark.Usable("receiver"); err != nil {
			noteAt(l, paymentAt(i)+"/receiver", err)
		}
	}
}

func payerUsable(k *known, now time.Time, l *fault.List) {
	if k.payerErr == nil {
		if err := k.payer.Usable(now); err != nil {
			noteAt(l, "/walletAddress", err)
		}
	}
}

// cryptoInput returns the stored transaction as an Input, as a client would write it.
func (t Transaction) cryptoInput() Input {
	in := Input{Type: string(t.Type), Token: t.Token, WalletAddress: t.WalletAddress, Network: t.Network}
	for _, p := range t.Payments {
		x := t.paymentInput(p)
		x.Amount = t.Amount(p).String()

		x.Wallet = refOf(p.Wallet)
		if p.Wallet == "" {
			x.WalletAddress = p.Address
			x.WalletType = p.WalletType
			x.Network = p.Network
		}

		in.Payments = append(in.Payments, x)
	}

	return in
}

// paymentInput returns the fields that a payment of any type has.
func (t Transaction) paymentInput(p Payment) PaymentInput {
	return PaymentInput{
		Type:               string(t.Type),
		Receiver:           refOf(p.Receiver),
		Reason:             p.Reason,
		Instructions:       p.Instructions,
		DocumentStorageKey: p.Document,
	}
}

// Validate returns every reason why the transaction could not be submitted, except for allowance and balance. It also
// returns the transaction with amounts at the present rates, which it does not store, and their quote; the quote is nil
// if nothing is converted.
func (s *Service) Validate(ctx context.Context, transactionID string) (Transaction, *quote.Quote, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return t, nil, err
	}

	if t.Status != StatusDraft {
		return t, nil, fault.New(
			fault.Conflict,
			fault.TxNotDraft,
			"The transaction is %s; only a DRAFT is validated.",
			t.Status,
		)
	}

	d, _, err := s.recheck(ctx, s.DB, t)
	if err != nil {
		return t, nil, err
	}

	t.Debit = d.debit
	t.Payments = d.payments
	_, err = s.screened(ctx, t, analysis.ForSubmit)

	return t, d.quote, err
}

// Allowance is the answer of check-allowance. Amounts are written in the token's unit.
type Allowance struct {
	Sufficient     bool           `json:"sufficient"`
	Token          string         `json:"token"`
	TokenAddress   string         `json:"tokenAddress"`
	Spender        string         `json:"spender" doc:"the router: the only contract to approve"`
	Owner          string         `json:"owner"`
	Allowance      string         `json:"allowance"`
	Required       string         `json:"required" doc:"this transaction's debit and what other submitted ones have reserved"`
	Missing        string         `json:"missing"`
	Balance        string         `json:"balance"`
	BalanceMissing string         `json:"balanceMissing"`
	WalletType     string         `json:"walletType"`
	ApprovalCalls  []ApprovalCall `json:"approvalCalls" nullable:"false" doc:"calls to sign and send from the wallet, in this order; empty when the allowance suffices"`
}

// ApprovalCall is a call ready to be signed by the paying wallet.
type ApprovalCall struct {
	To      string `json:"to"`
	Data    string `json:"data"`
	Value   string `json:"value"`
	Purpose string `json:"purpose" enum:"RESET_TO_ZERO,APPROVE"`
}

// CheckAllowance reads the chain and reports whether the wallet has approved enough. If not, it returns the calls that
// would.
func (s *Service) CheckAllowance(ctx context.Context, transactionID string) (Allowance, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return Allowance{}, err
	}

	if err := s.offers(t); err != nil {
		return Allowance{}, err
	}

	if costs := kindOf(t.Type).costs; costs != nil {
		if t, err = costs(ctx, s, t); err != nil {
			return Allowance{}, err
		}
	}

	n, token, refusal, err := s.networkAndToken(ctx, s.DB, t.Network, t.Token, true)
	if err != nil {
		return Allowance{}, err
	}

	if refusal != nil {
		return Allowance{}, refusal
	}

	read := s.DB.Now()

	funds, err := s.fundsOf(ctx, t, token, true)
	if err != nil {
		return Allowance{}, err
	}

	reserved, err := reservedElsewhere(ctx, s.DB, t, read)
	if err != nil {
		return Allowance{}, err
	}

	w, err := s.payingWallet(ctx, t)
	if err != nil {
		return Allowance{}, err
	}

	required := new(big.Int).Add(reserved, t.Debit)
	a := allowanceOf(t, n, token, funds, required)

	a.WalletType = string(w.Type)
	if a.Sufficient {
		return a, nil
	}

	a.ApprovalCalls, err = s.approvalCalls(ctx, t, n, token, funds.allowance, required)

	return a, err
}

func allowanceOf(t Transaction, n network.Network, token network.Token, f fundsAnswer, required *big.Int) Allowance {
	say := func(units *big.Int) string { return money.Format(units, t.Decimals) }

	return Allowance{
		Sufficient:     f.allowance.Cmp(required) >= 0,
		Token:          t.Token,
		TokenAddress:   token.Address,
		Spender:        n.Router(),
		Owner:          t.WalletAddress,
		Allowance:      say(f.allowance),
		Required:       say(required),
		Missing:        say(short(required, f.allowance)),
		Balance:        say(f.balance),
		BalanceMissing: say(short(required, f.balance)),
		ApprovalCalls:  []ApprovalCall{},
	}
}

// short returns by how much have falls short of want, at least zero.
func short(want, have *big.Int) *big.Int {
	d := new(big.Int).Sub(want, have)
	if d.Sign() < 0 {
		d.SetInt64(0)
	}

	return d
}

// approvalCalls returns calls that approve the exact amount and no more, because attackers of routers use unlimited
// approvals. Whether the token requires its allowance to be set to zero first is simulated on the chain, not looked up
// by name.
func (s *Service) approvalCalls(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
	allowance, required *big.Int,
) ([]ApprovalCall, error) {
	var calls []ApprovalCall
	address := common.HexToAddress(token.Address)

	owner := common.HexToAddress(t.WalletAddress)
	if allowance.Sign() > 0 {
		reverts, err := s.Chain.ApproveWouldRevert(ctx, t.Network, address, owner, required)
		if err != nil {
			return nil, fault.New(
				fault.Unavailable,
				fault.UpstreamFailed,
				"The network's node does not answer at the moment.",
			)
		}

		if reverts {
			calls = append(
				calls,
				ApprovalCall{
					token.Address,
					hexutil.Encode(approveCall(n.Router(), new(big.Int))),
					"0",
					"RESET_TO_ZERO",
				},
			)
		}
	}

	return append(
		calls,
		ApprovalCall{token.Address, hexutil.Encode(approveCall(n.Router(), required)), "0", "APPROVE"},
	), nil
}

// approveCall encodes approve(address,uint256).
func approveCall(spender string, units *big.Int) []byte {
	return contract.Token().PackApprove(common.HexToAddress(spender), units)
}

// Submit locks a draft. It repeats all checks, compares the wallet's allowance and balance with what all submitted
// transactions have reserved, and stores the hash of the content. sender is who will send the deposit of an ONRAMP
// transaction. A second call is refused: the transaction is no longer DRAFT.
func (s *Service) Submit(ctx context.Context, transactionID, sender string, done Done) (err error) {
	for range maxReferences {
		if err = s.submit(ctx, transactionID, sender, done); !db.IsUnique(err, "transaction_terms") {
			return err
		}
	}

	return err
}

// maxReferences limits the search for an unused reference. With 35 random bits a collision is very rare.
const maxReferences = 3

func (s *Service) submit(ctx context.Context, transactionID, sender string, done Done) error {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	if err := editable(t, 0); err != nil {
		return err
	}

	kind := kindOf(t.Type)
	if sender != "" && !kind.takesSender {
		var l fault.List
		l.Add("/sender", fault.NotAllowed, "belongs to ONRAMP transactions.")
		return l.Err()
	}

	if kind.gate != nil {
		if err := kind.gate(ctx, s, s.DB, t.Organisation); err != nil {
			return err
		}
	}

	d, k, err := s.recheck(ctx, s.DB, t)
	if err != nil {
		return err
	}

	asked := t
	asked.Payments = d.payments
	asked.Sender = sender

	outcome, err := s.screened(ctx, asked, analysis.ForSubmit)
	if err != nil {
		return err
	}

	p, err := kind.prepare(ctx, s, t, d, k)
	if err != nil {
		return err
	}

	p.sender = sender
	s.rememberProof(k.payer)

	return s.write(ctx, func(tx *db.Tx) error {
		now, err := s.Find(ctx, tx, transactionID)
		if err != nil {
			return err
		}

		if now.Version != t.Version {
			if err := editable(now, 0); err != nil {
				return err
			}

			return fault.New(
				fault.Conflict,
				fault.TxChanged,
				"The transaction was changed while it was being submitted. Look at it again.",
			)
		}

		now.Payments = d.payments

		now.Authors = now.authors(k, d.payments)
		if now.OfPayables {
			if err := s.Payables.Lock(ctx, tx, now); err != nil {
				return err
			}
		}

		now, settlement, err := kind.lock(ctx, s, tx, now, p)
		if err != nil {
			return err
		}

		now.ContentHash = now.contentHash()
		// so that accept need not ask again
		tx.OnCommit(func() { s.Screening.Remember(Inquiry(now, analysis.ForSubmit), outcome) })

		now.Payments = setSnapshots(tx, now)
		if now, err = s.advance(ctx, tx, now, Step{
			Status:     StatusWaiting,
			Settlement: settlement,
			What:       "submitted",
		}); err != nil {
			return err
		}

		s.lock(tx, now)

		return done(tx, now)
	})
}

// reserveFunds refuses unless everything reserved from the wallet fits into its allowance and balance (E-10).
func (s *Service) reserveFunds(ctx context.Context, tx *db.Tx, t Transaction, funds fundsAnswer, read time.Time) error {
	reserved, err := reservedElsewhere(ctx, tx, t, read)
	if err != nil {
		return err
	}

	if err := enough(t, funds, reserved); err != nil {
		return err
	}

	reserve(tx, t)

	return nil
}

func enough(t Transaction, funds fundsAnswer, reserved *big.Int) error {
	var l fault.List

	want := new(big.Int).Add(reserved, t.Debit)
	for _, x := range []struct {
		have *big.Int
		code fault.Code
		what string
	}{{funds.allowance, fault.AllowanceShort, "has approved"}, {funds.balance, fault.BalanceShort, "holds"}} {
		if x.have.Cmp(want) >= 0 {
			continue
		}

		code := x.code

		others := ""
		if x.have.Cmp(t.Debit) >= 0 {
			code = fault.ReservationShort
			others = fmt.Sprintf(
				", of which other submitted transactions have reserved %s",
				money.Format(reserved, t.Decimals),
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

// contentHash returns a hash of what will be paid. Comparing it with the calldata proves that nothing changed after
// submit.
func (t Transaction) contentHash() string {
	h := sha256.New()

	put := func(s string) { fmt.Fprintf(h, "%d:%s", len(s), s) }
	for _, s := range []string{t.ID, t.Organisation, strconv.FormatInt(t.Number, 10), string(t.Type), t.Network, strings.ToLower(t.WalletAddress), t.Token, t.Debit.String()} {
		put(s)
	}

	if hash := kindOf(t.Type).hash; hash != nil {
		hash(t, put)
		return hex.EncodeToString(h.Sum(nil))
	}

	for _, p := range t.Payments {
		put(strings.ToLower(p.Address))
		put(p.Units.String())
		put(p.Receiver)
	}

	return hex.EncodeToString(h.Sum(nil))
}

// ContentUnchanged reports whether the stored content is still what submit locked (I8).
func (t Transaction) ContentUnchanged() bool {
	return t.ContentHash != "" && t.contentHash() == t.ContentHash
}

func refOf(id string) caller.Ref { return caller.Ref(id) }
