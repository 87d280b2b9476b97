package stock

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// What the owners assign to the stock or take out of it, and what is bought and sold elsewhere to fill it up, two
// operators record. A reference names each change for ever, so that none is recorded twice.

// ChangeKind is what a change of the stock is.
type ChangeKind string

// The kinds.
const (
	CapitalIn  ChangeKind = "CAPITAL_IN"  // the owners assign something to the stock
	CapitalOut ChangeKind = "CAPITAL_OUT" // the owners take something out of it
	Exchanged  ChangeKind = "EXCHANGED"   // something was bought elsewhere for something else
)

// Part is an amount of a change as operators write it.
type Part struct {
	Asset   string `json:"asset" minLength:"2" maxLength:"16" doc:"code of the token or currency"`
	Network string `json:"network,omitempty" maxLength:"64" doc:"of a token: id of the network; left out for a currency"`
	Amount  string `json:"amount" maxLength:"40" doc:"more than zero"`
}

// Change is a change of the stock as operators write it.
type Change struct {
	Kind      ChangeKind `json:"kind" enum:"CAPITAL_IN,CAPITAL_OUT,EXCHANGED" doc:"CAPITAL_IN and CAPITAL_OUT: what the owners assign to the stock, or take out of it. EXCHANGED: what was bought elsewhere, and sold for it"`
	Received  *Part      `json:"received,omitempty" doc:"what came into the stock; not with CAPITAL_OUT"`
	Given     *Part      `json:"given,omitempty" doc:"what left it, without fees; not with CAPITAL_IN"`
	Fees      []Part     `json:"fees,omitempty" maxItems:"4" doc:"of EXCHANGED: what it cost, out of the stock"`
	Reference string     `json:"reference" pattern:"^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$" patternDescription:"must be 1 to 64 letters, digits, dots, dashes, slashes and underscores" doc:"names the change for ever: the trade's number at the counterparty, the bank's reference. One is recorded once"`
	Reason    string     `json:"reason" minLength:"1" maxLength:"500" doc:"for the second operator"`
}

// key is the key of the change's journal.
func (c Change) key() string { return chart.StockChangedKey(c.Reference) }

// parts are a change's amounts with their assets.
type parts struct {
	received, given *Leg
	fees            []Leg
}

// AskChange asks a second operator to record a change of the stock. It refuses one that the stock does not cover, and
// one whose reference is recorded.
func (s *Service) AskChange(ctx context.Context, c Change, done approval.Done) error {
	reason, err := approval.Reason("/reason", c.Reason)
	if err != nil {
		return err
	}

	c.Reason = reason

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		p, err := s.check(ctx, tx, c)
		if err != nil {
			return err
		}

		raw, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("encode change %s of the stock: %w", c.Reference, err)
		}

		a, err := s.approvals.Ask(ctx, tx, approval.Request{
			Kind:    approval.Stock,
			Object:  c.Reference,
			Data:    string(raw),
			Summary: c.summary(p),
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// decided records an approved change, unless the stock does not cover it any more.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var c Change
	if err := json.Unmarshal([]byte(a.Data), &c); err != nil {
		return fmt.Errorf("decode the change of %s: %w", a.ID, err)
	}

	p, err := s.check(ctx, tx, c)
	if f, ok := fault.As(err); ok && f.Kind != fault.Unavailable {
		return fault.New(
			fault.Conflict,
			fault.ApprovalOvertaken,
			"It is not possible any more: %s Ask again.",
			f.Detail,
		)
	}

	if err != nil {
		return err
	}

	trail.Audit(ctx, tx, "", "stock.changed", c.Reference, words.English(a.Summary))

	return chart.Post(tx, c.event(p))
}

// check reads a change and refuses what is wrong with it, or not covered, at the write's moment.
func (s *Service) check(ctx context.Context, tx *db.Tx, c Change) (parts, error) {
	p, err := c.read(ctx, tx)
	if err != nil {
		return p, err
	}

	posted, err := ledger.Posted(ctx, tx, c.key())
	if err != nil {
		return p, err
	}

	if posted {
		return p, fault.New(
			fault.Conflict,
			fault.StockChangeRecorded,
			"A change of the stock with the reference %s is recorded already.",
			c.Reference,
		)
	}

	b, err := s.book(ctx, tx)
	if err != nil {
		return p, fmt.Errorf("positions of the stock: %w", err)
	}

	return p, p.covered(b)
}

// read returns a change's amounts, or every fault of its fields.
func (c Change) read(ctx context.Context, q db.Querier) (parts, error) {
	var (
		l fault.List
		p parts
	)

	var errs []error

	leg := func(at string, x *Part, wanted bool) *Leg {
		switch {
		case x == nil && wanted:
			l.Add(at, fault.Required, "is needed with %s.", c.Kind)
		case x != nil && !wanted:
			l.Add(at, fault.NotAllowed, "does not belong to %s.", c.Kind)
		}

		if x == nil || !wanted {
			return nil
		}

		out, err := x.leg(ctx, q, at, &l)
		errs = append(errs, err)

		return &out
	}

	p.received = leg("/received", c.Received, c.Kind != CapitalOut)
	p.given = leg("/given", c.Given, c.Kind != CapitalIn)

	for i := range c.Fees {
		at := fmt.Sprintf("/fees/%d", i)
		if fee := leg(at, &c.Fees[i], c.Kind == Exchanged); fee != nil {
			p.fees = append(p.fees, *fee)
		}
	}

	if err := errors.Join(errs...); err != nil {
		return p, err
	}

	if err := l.Err(); err != nil {
		return p, err
	}

	if p.received != nil && p.given != nil && at(*p.received) == at(*p.given) {
		l.Add("/given/asset", fault.NotAllowed, "is what was received.")
	}

	return p, l.Err()
}

// leg reads one amount, and adds what is wrong with it to l.
func (x Part) leg(ctx context.Context, q db.Querier, pointer string, l *fault.List) (Leg, error) {
	out := Leg{Place: x.Network}
	asset := money.Asset{Code: x.Asset}

	switch {
	case x.Network != "":
		t, err := network.TokenOn(ctx, q, x.Network, x.Asset)
		if refusal, ok := fault.As(err); ok {
			l.Add(pointer+"/asset", refusal.Code, "%s", refusal.Detail)
			return out, nil
		}

		if err != nil {
			return out, err
		}

		asset.Decimals = t.Decimals

	default:
		currency, ok := refdata.All().Currency(x.Asset)
		if !ok || currency.Code != x.Asset {
			l.Add(pointer+"/asset", fault.CurrencyUnknown, "is no currency; a token needs its network.")
			return out, nil
		}

		out.Place = x.Asset
		asset.Decimals = currency.Decimals
	}

	amount, err := money.Parse(asset, x.Amount)
	if err != nil {
		l.Add(
			pointer+"/amount",
			fault.AmountForm,
			"must be an amount above zero with at most %d decimals.",
			asset.Decimals,
		)
	}

	out.Amount = amount

	return out, nil
}

// covered refuses a change that takes more than is free, or brings tokens that the treasury does not have.
func (p parts) covered(b book) error {
	leaves := p.fees
	if p.given != nil {
		leaves = append([]Leg{*p.given}, p.fees...)
	}

	for _, x := range leaves {
		plus(b.promised, at(x), x.Amount.Units())

		if p.received != nil && at(*p.received) == at(x) {
			continue // a fee is taken from what came in
		}

		if b.free(x, nil).Sign() < 0 {
			return fault.New(
				fault.Conflict,
				fault.StockNotCovered,
				"The stock has not %s %s that are not promised to customers.",
				x.Amount,
				x.asset().Code,
			)
		}
	}

	if p.received == nil || p.received.Place == p.received.asset().Code {
		return nil
	}

	in := *p.received
	treasury := b.sums.Of(ledger.TreasuryAccount(in.Place), in.asset().Code)

	if after := b.held(in).Add(in.Amount); after.Units().Cmp(treasury) > 0 {
		return fault.New(
			fault.Conflict,
			fault.StockNotCovered,
			"The stock would be %s %s, and the books have %s in the treasury. Record first how they came there.",
			after,
			in.asset().Code,
			money.FromUnits(in.asset(), treasury),
		)
	}

	return nil
}

// event returns what a change is for the book.
func (c Change) event(p parts) chart.StockChanged {
	e := chart.StockChanged{
		Reference: c.Reference,
		Exchanged: c.Kind == Exchanged,
		Received:  p.received.part(),
		Given:     p.given.part(),
	}

	for _, fee := range p.fees {
		e.Fees = append(e.Fees, *fee.part())
	}

	return e
}

// part returns what a leg is for the book; nil is none.
func (l *Leg) part() *chart.StockPart {
	if l == nil {
		return nil
	}

	return &chart.StockPart{Place: l.Place, Amount: l.Amount}
}

// summary says what is approved, as a value of words.Phrase.
func (c Change) summary(p parts) string {
	var said []string

	switch c.Kind {
	case CapitalIn:
		said = append(said, words.Phrase("the owners bring in %s", p.received.inWords()))
	case CapitalOut:
		said = append(said, words.Phrase("the owners take out %s", p.given.inWords()))
	case Exchanged:
		said = append(
			said,
			words.Phrase("bought %s", p.received.inWords()),
			words.Phrase("sold %s", p.given.inWords()),
		)
	}

	for _, fee := range p.fees {
		said = append(said, words.Phrase("fee %s", fee.inWords()))
	}

	return words.Phrase(
		"The house's stock: %[1]s. Reference %[2]s. %[3]s",
		words.List(words.Commas, said...),
		c.Reference,
		c.Reason,
	)
}

// inWords returns an amount, and of a token where it is, as a value of words.Phrase.
func (l Leg) inWords() string {
	if l.Place == l.asset().Code {
		return approval.Sum(l.Amount)
	}

	return words.Phrase("%[1]s on %[2]s", approval.Sum(l.Amount), l.Place)
}
