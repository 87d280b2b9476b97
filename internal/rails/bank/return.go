package bank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// A credit that carries a payout's identification is its return only if the bank shows that it is one: everyone who was
// paid knows the identification. It must also be in time, at most the amount not yet returned, and not much less. Any
// other credit is an unmatched deposit that claims to be a return; two persons check it. A claim does not reduce what
// the true return may return later.

// Evidence is what shows that a credit is the return of a payout.
type Evidence string

// The kinds of evidence. A house account lists those that its bank gives.
const (
	ByReason   Evidence = "reason"   // the entry gives the reason of a return (RtrInf)
	ByReversal Evidence = "reversal" // the entry reverses an earlier booking (RvslInd)
	ByNotice   Evidence = "notice"   // a pacs.004 announced a return of this amount
	ByCode     Evidence = "code"     // the bank transaction code means a return
	BySender   Evidence = "sender"   // it comes from the account that was paid
	ByPeople   Evidence = "people"   // two persons decided so; no account lists it
)

// usualEvidence is what counts if a house account lists nothing. It excludes the sender: whoever was paid can send
// money of his own.
var usualEvidence = []Evidence{ByReason, ByReversal, ByNotice, ByCode}

// Evidences returns the kinds that a house account may list.
func Evidences() []string {
	return []string{string(ByReason), string(ByReversal), string(ByNotice), string(ByCode), string(BySender)}
}

const (
	// returnWithin is the default of Config.ReturnWithin: 13 months, as long as payers may claim their money back.
	returnWithin = 396 * 24 * time.Hour
	// returnFee is what banks may deduct from a return, unless the account configures it or returnFeePercent of the
	// payout is more.
	returnFee        = "50"
	returnFeePercent = 5
)

// ErrNotReturn means that two persons cannot declare a credit the return of a payout: the payout was not executed, or
// less of it is still to be returned.
var ErrNotReturn = errors.New("it cannot be a return of this payout")

// returnTotal is what was returned of a payout.
type returnTotal struct {
	units   *big.Int
	waiting []string // movements that came before the payout's debit was booked
}

// readReturns reads the returns of the payouts that a write may concern.
func (s *settling) readReturns(ctx context.Context) error {
	if len(s.before) == 0 {
		return nil
	}

	ids := make([]string, 0, len(s.before))
	for id := range s.before {
		ids = append(ids, id)
	}

	return s.readReturnsOf(ctx, ids)
}

func (s *settling) readReturnsOf(ctx context.Context, payoutIDs []string) error {
	rows, err := returnsOf(ctx, s.tx, payoutIDs)
	if err != nil {
		return fmt.Errorf("returns of payouts: %w", err)
	}

	for _, r := range rows {
		n, ok := new(big.Int).SetString(r.units, 10)
		if !ok {
			return fmt.Errorf("return %s of payout %s: %q is not a number", r.movement, r.payout, r.units)
		}

		s.note(r.payout, n, r.movement, r.settled)
	}

	return nil
}

// note adds a return to the total of a payout.
func (s *settling) note(payoutID string, units *big.Int, movement string, settled bool) {
	b := s.returns[payoutID]
	if b == nil {
		b = &returnTotal{units: new(big.Int)}
		s.returns[payoutID] = b
	}

	b.units.Add(b.units, units)

	if !settled {
		b.waiting = append(b.waiting, movement)
	}
}

// outstanding returns the part of a payout that was not returned.
func (s *settling) outstanding(p *payoutRow) money.Amount {
	paid := amount(p.Currency, p.Units)
	if b := s.returns[p.ID]; b != nil {
		return paid.Sub(money.FromUnits(paid.Asset(), b.units))
	}

	return paid
}

// settleReturn decides whether a credit that carries a payout's identification is its return. Otherwise it is an
// unmatched deposit that claims to be one.
func (s *settling) settleReturn(ctx context.Context, p *payoutRow, m Entry) error {
	evidence, err := s.evidenceOf(ctx, p, m)
	if err != nil {
		return err
	}

	if why := s.whyNotReturn(p, m, evidence); why != "" {
		s.contradict(p, fmt.Sprintf("entry %s claims to return it, %s", m.ID, why))
		m.Claims = Claim{Payout: p.Key, Why: why}
		s.unmatched(m)

		return nil
	}

	booked := p.State == Booked || p.State == Returned
	s.matched++
	s.insertReturn(p, m, evidence, booked)

	if !booked {
		return nil // it waits for the debit
	}

	return s.notifyReturn(ctx, p, m)
}

func (s *settling) insertReturn(p *payoutRow, m Entry, evidence Evidence, settled bool) {
	s.tx.Insert(insertReturn, m.ID, p.ID, m.Amount.Units().String(), string(evidence), settled, db.Micros(s.tx.Now))
	s.note(p.ID, m.Amount.Units(), m.ID, settled)
}

// whyNotReturn returns why a credit is not accepted as a return without a decision; "" if it is.
func (s *settling) whyNotReturn(p *payoutRow, m Entry, evidence Evidence) string {
	out := s.outstanding(p)
	missing := out.Sub(m.Amount)
	within := cmp.Or(s.r.c.ReturnWithin, returnWithin)

	switch {
	case evidence == "":
		return "but the bank does not show that it is a return"
	case p.State == Rejected:
		return "but it was rejected"
	case missing.Sign() < 0:
		return fmt.Sprintf("but only %s of it is outstanding", out)
	case missing.Cmp(s.r.accounts[p.House].returnFeeLimit(p)) > 0:
		return fmt.Sprintf("but %s of the outstanding %s is missing", missing, out)
	case m.BookedAt.After(db.Time(cmp.Or(p.HandedAt, p.CreatedAt)).Add(within)):
		return "but too late for a return"
	}

	return ""
}

// returnFeeLimit returns how much of a payout the banks may deduct from its return.
func (a HouseAccount) returnFeeLimit(p *payoutRow) money.Amount {
	fixed, err := money.Parse(Asset(p.Currency), cmp.Or(a.ReturnFee, returnFee))
	if err != nil {
		fixed = money.Zero(Asset(p.Currency)) // Check refused it
	}

	share := money.Scale(amount(p.Currency, p.Units).Units(), big.NewRat(returnFeePercent, 100), money.Down)
	if fixed.Units().Cmp(share) >= 0 {
		return fixed
	}

	return money.FromUnits(fixed.Asset(), share)
}

// evidenceOf returns what shows that a credit is the return of a payout, among the evidence that the account's bank
// gives; "" for nothing.
func (s *settling) evidenceOf(ctx context.Context, p *payoutRow, m Entry) (Evidence, error) {
	house := s.r.accounts[m.Account]
	for _, e := range house.evidence() {
		shown := false
		switch e {
		case ByReason:
			shown = m.ReturnCode != "" || m.ReturnText != ""
		case ByReversal:
			shown = m.Reversal
		case ByCode:
			shown = house.isReturnCode(m.Code)
		case BySender:
			shown = sameAccount(m.CounterpartyAccount, p.Creditor.Account)

		case ByNotice:
			var err error
			if shown, err = announced(ctx, s.tx, p.ID, m.Amount); err != nil {
				return "", err
			}

		case ByPeople: // a decision shows it, not the entry
		}

		if shown {
			return e, nil
		}
	}

	return "", nil
}

func (a HouseAccount) evidence() []Evidence {
	if len(a.ReturnEvidence) == 0 {
		return usualEvidence
	}

	out := make([]Evidence, len(a.ReturnEvidence))
	for i, e := range a.ReturnEvidence {
		out[i] = Evidence(e)
	}

	return out
}

// isReturnCode reports whether a bank transaction code means a return: an ISO 20022 sub-family of payments (RRTN, a
// return; RPCR, a cancellation), or one of the bank's own that the account lists.
func (a HouseAccount) isReturnCode(code string) bool {
	if slices.Contains(a.ReturnCodes, code) {
		return code != ""
	}

	return strings.HasPrefix(code, "PMNT/") && (strings.HasSuffix(code, "/RRTN") || strings.HasSuffix(code, "/RPCR"))
}

// codeOf returns the bank transaction code of a movement. Among the codes of its transaction and its booking, ISO and
// proprietary, it prefers the first that means a return, otherwise the booking's.
func (a HouseAccount) codeOf(e *camt.Entry, d *camt.Detail) string {
	codes := []string{e.Code.String(), e.Code.Proprietary}
	if d != nil {
		codes = append(codes, d.Code.String(), d.Code.Proprietary)
	}

	for _, c := range codes {
		if a.isReturnCode(c) {
			return c
		}
	}

	return codes[0]
}

// sameAccount reports whether a number that a bank states is that of an account. A number of a few digits never
// matches.
func sameAccount(number string, a AccountIDs) bool {
	const least = 6

	n := fold(number)
	if len(n) < least {
		return false
	}

	return n == fold(a.IBAN) || n == fold(a.AccountNumber) || n == fold(a.SortCode+a.AccountNumber) ||
		n == fold(a.RoutingNumber+a.AccountNumber)
}

// settleWaitingReturns records returns that came before the debit was booked.
func (s *settling) settleWaitingReturns(ctx context.Context, p *payoutRow) error {
	b := s.returns[p.ID]
	if b == nil || len(b.waiting) == 0 {
		return nil
	}

	waiting := b.waiting
	b.waiting = nil
	noteReturnsSettled(s.tx, p.ID)

	for _, movement := range waiting {
		m, err := movementByID(ctx, s.tx, movement)
		if err != nil {
			return fmt.Errorf("return %s of payout %s: %w", movement, p.ID, err)
		}

		if err := s.notifyReturn(ctx, p, m); err != nil {
			return err
		}
	}

	return nil
}

// movementByID reads one movement of a booking.
func movementByID(ctx context.Context, q db.Querier, id string) (Entry, error) {
	booking, _, _ := strings.Cut(id, "/")

	moves, err := movements(ctx, q, booking)
	if err != nil {
		return Entry{}, err
	}

	for _, m := range moves {
		if m.ID == id {
			return m, nil
		}
	}

	return Entry{}, db.ErrNone
}

// notifyReturn notifies the observer that a booked payout was returned, completely or in part. The bank's reason is in
// the entry, or came before in a pacs.004.
func (s *settling) notifyReturn(ctx context.Context, p *payoutRow, m Entry) error {
	r, err := s.returnOf(ctx, p, m)
	if err != nil {
		return err
	}

	s.touched[p.ID] = true

	return s.r.c.Observer.Returned(ctx, s.tx, p.public(), r)
}

// returnOf builds a Return for observers. The payout becomes RETURNED with the first one.
func (s *settling) returnOf(ctx context.Context, p *payoutRow, m Entry) (Return, error) {
	if p.State != Returned {
		if err := p.advance(Returned); err != nil {
			return Return{}, err
		}
	}

	why := Reason{Code: m.ReturnCode, Text: m.ReturnText}
	if why.Code == "" {
		notice, err := noticeOf(ctx, s.tx, p.ID)
		if err != nil {
			return Return{}, err
		}

		if notice.Code != "" {
			why = notice
		}
	}

	p.ReasonCode = why.Code
	p.Reason = why.Text

	missing := s.outstanding(p)

	return Return{
		Entry:    m,
		Reason:   why,
		Amount:   m.Amount,
		Deducted: missing,
		Complete: missing.Cmp(s.r.accounts[p.House].returnFeeLimit(p)) <= 0,
		Reversal: m.Reversal,
	}, nil
}

// RecordReturn records, in the caller's write, that two persons declared a credit a return of a payout, or of a part of
// it, although the bank does not show it. It does not notify the Observer: the caller does what follows. It returns
// ErrNotReturn for a payout that was not executed from this account, or of which less is outstanding. A second call for
// the same credit makes the write fail with db.Unique of bank_returns.
func (r *Rail) RecordReturn(ctx context.Context, tx *db.Tx, key, movement string) (Payout, Return, error) {
	p, err := payoutByKey(ctx, tx, key)
	if errors.Is(err, db.ErrNone) {
		return Payout{}, Return{}, ErrNotReturn
	}

	if err != nil {
		return Payout{}, Return{}, fmt.Errorf("payout %s: %w", key, err)
	}

	m, err := movementByID(ctx, tx, movement)
	if err != nil {
		return Payout{}, Return{}, fmt.Errorf("entry %s: %w", movement, err)
	}

	s := &settling{r: r, tx: tx, returns: map[string]*returnTotal{}}
	if err := s.readReturnsOf(ctx, []string{p.ID}); err != nil {
		return Payout{}, Return{}, err
	}

	was := p.State
	switch {
	case was != Booked && was != Returned, p.House != m.Account, !m.Credit:
		return Payout{}, Return{}, ErrNotReturn
	case m.Amount.Cmp(s.outstanding(&p)) > 0:
		return Payout{}, Return{}, ErrNotReturn
	}

	s.insertReturn(&p, m, ByPeople, true)

	back, err := s.returnOf(ctx, &p, m)
	if err != nil {
		return Payout{}, Return{}, err
	}

	p.Conflict = ""
	notePayout(tx, was, p)

	return p.public(), back, nil
}
