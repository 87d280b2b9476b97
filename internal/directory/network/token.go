package network

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Where a token is decides what is paid: its contract is what moves, and its decimals say how much. One operator
// therefore only asks for it. The chain is asked whether the contract is that token, two nodes where the network has
// two, and asked again when a second operator has approved.

// ErrNoNode means that nobody can be asked about a network's contracts.
var ErrNoNode = errors.New("the network has no node that can be asked")

// Contract is what a chain shows of a token's contract.
type Contract struct {
	Code     bool
	Decimals int    // -1: it tells none
	Symbol   string // "": it tells none
}

// matches notes what a chain shows otherwise than the token is recorded.
func (t Token) matches(c Contract, l *fault.List) {
	switch {
	case !c.Code:
		l.Add("/address", fault.TokenNoContract, "has no contract on this network.")
	case c.Decimals < 0:
		l.Add("/address", fault.TokenDecimals, "is a contract that tells no decimals: it is no token.")
	case c.Decimals != t.Decimals:
		l.Add("/decimals", fault.TokenDecimals, "is %d; the contract tells %d.", t.Decimals, c.Decimals)
	}
}

// isCode notes if a chain shows another token than the one by whose code it is to be recorded. Tokens of known chains
// go by their address: issuers have renamed some.
func (t Token) isCode(chainID int64, c Contract, l *fault.List) {
	facts, _ := FactsOf(chainID)

	known := slices.ContainsFunc(facts.Tokens, func(k Token) bool {
		return k.Code == t.Code && strings.EqualFold(k.Address, t.Address)
	})
	if c.Code && !known && !strings.EqualFold(c.Symbol, t.Code) {
		l.Add("/address", fault.TokenSymbol, "is a contract that calls itself %q, not %s.", c.Symbol, t.Code)
	}
}

// Differs returns, in words, what a chain shows otherwise than the token is recorded, or "".
func (t Token) Differs(c Contract) string {
	var l fault.List

	t.matches(c, &l)

	if c.Code && t.Symbol != "" && c.Symbol != t.Symbol {
		l.Add("/symbol", fault.TokenSymbol, "is %q; the contract tells %q.", t.Symbol, c.Symbol)
	}

	if l.Empty() {
		return ""
	}

	out := make([]string, len(l.Fields()))
	for i, f := range l.Fields() {
		out[i] = strings.TrimPrefix(f.Pointer, "/") + " " + strings.TrimSuffix(f.Message, ".")
	}

	return fmt.Sprintf("%s at %s: %s", t.Code, t.Address, strings.Join(out, ", "))
}

// confirmed returns the token with the symbol that its contract tells, once the chain shows what is to be recorded.
func (s *Service) confirmed(ctx context.Context, n Network, t Token) (Token, error) {
	if s.deps.Contract == nil {
		return t, noNode()
	}

	c, err := s.deps.Contract(ctx, n, t.Address)

	switch {
	case errors.Is(err, ErrNoNode):
		return t, noNode()
	case err != nil:
		return t, errors.Join(fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The network's nodes do not answer about the contract, or do not agree; nothing was changed.",
		), err)
	}

	var l fault.List

	t.matches(c, &l)
	t.isCode(n.ChainID, c, &l)
	t.Symbol = c.Symbol

	return t, l.Err()
}

func noNode() error {
	return fault.New(
		fault.Conflict,
		fault.NetworkNoNode,
		"The network has no node that can be asked about the contract: give it one first.",
	)
}

// placeable refuses a token that cannot be where a request puts it, as far as the database can tell. On a network in
// use a contract can be added and not replaced: approvals were given to it. Its decimals can be put right while nothing
// that was signed is on its way.
func (s *Service) placeable(ctx context.Context, q db.Querier, n Network, t Token) error {
	if err := t.checkFacts(n.ChainID); err != nil {
		return err
	}

	if known, ok := refdata.All().Token(t.Code); ok && known.Native {
		return fault.New(fault.Invalid, fault.NotAllowed, "%s is the coin of a chain: it has no contract.", t.Code)
	}

	have, err := TokenOn(ctx, q, n.ID, t.Code)

	switch {
	case fault.Is(err, fault.TokenUnknown):
		return fault.Missing("token")
	case fault.Is(err, fault.TokenNotOnNetwork):
		return nil
	case err != nil:
		return err
	case !n.UsedAt.IsZero() && have.Address != t.Address:
		return fault.New(
			fault.Conflict,
			fault.NetworkFixed,
			"Wallets are stored on this network: its token contracts do not change.",
		)
	case have.Decimals == t.Decimals || s.deps.Sending == nil:
		return nil
	}

	sending, err := s.deps.Sending(ctx, q, n.ID, t.Code)
	if err == nil && sending {
		err = fault.New(
			fault.Conflict,
			fault.NetworkInUse,
			"Something is on its way in the token's present unit: wait until it is final.",
		)
	}

	return err
}

// PlaceToken asks a second operator to record where a token is on a network, once the chain shows that it is there. The
// network is returned as it is, with the approval that it waits for. A second call with the same does nothing when it
// is recorded, and asks anew otherwise.
func (s *Service) PlaceToken(ctx context.Context, networkID string, t Token, done doneFunc) error {
	n, err := ByID(ctx, s.deps.DB, networkID)
	if err != nil {
		return err
	}

	if err := s.placeable(ctx, s.deps.DB, n, t); err != nil {
		return err
	}

	if t, err = s.confirmed(ctx, n, t); err != nil {
		return err
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		n, err := ByID(ctx, tx, networkID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, n.Version); err != nil {
			return err
		}

		if err := s.placeable(ctx, tx, n, t); err != nil {
			return err
		}

		all, err := Tokens(ctx, tx, networkID)
		if err != nil {
			return err
		}

		if !slices.ContainsFunc(all, t.Same) {
			if err := s.askToken(ctx, tx, n, t); err != nil {
				return err
			}
		}

		return done(tx, n)
	})
}

// Same reports whether a token is recorded as t already. A symbol that was not asked for yet is no other.
func (t Token) Same(have Token) bool {
	return have.Code == t.Code && have.Address == t.Address && have.Decimals == t.Decimals &&
		(have.Symbol == "" || t.Symbol == "" || have.Symbol == t.Symbol)
}

// askToken writes the request for a second operator. On a network in use it can only be rejected for a day.
func (s *Service) askToken(ctx context.Context, tx *db.Tx, n Network, t Token) error {
	if s.deps.Approvals == nil {
		return fault.New(fault.Conflict, fault.NetworkFixed, "Nobody here can approve where a token is.")
	}

	raw, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("write down a token of network %s: %w", n.ID, err)
	}

	var delay time.Duration
	if !n.UsedAt.IsZero() {
		delay = s.deps.Delay
	}

	change := words.Phrase(
		"%[1]s is the contract %[2]s with %[3]s decimals",
		t.Code,
		t.Address,
		strconv.Itoa(t.Decimals),
	)

	_, err = s.deps.Approvals.Ask(ctx, tx, approval.Request{
		Kind:    approval.Token,
		Object:  tokenObject(n.ID, t.Code),
		Data:    string(raw),
		Summary: words.Phrase("Network %[1]s: %[2]s.", n.Name, change),
		Delay:   delay,
	})

	return err
}

// tokenObject names a token on a network in approvals.
func tokenObject(networkID, code string) string { return networkID + "/" + code }

// carryOutToken records where a token is, as a second operator has approved, if the chain still shows it.
func (s *Service) carryOutToken(ctx context.Context, a approval.Approval, done func(*db.Tx) error) error {
	var t Token
	if err := json.Unmarshal([]byte(a.Data), &t); err != nil {
		return fmt.Errorf("read the token that %s proposes: %w", a.ID, err)
	}

	networkID, _, _ := strings.Cut(a.Object, "/")

	n, err := ByID(ctx, s.deps.DB, networkID)
	if err != nil {
		return err
	}

	if t, err = s.confirmed(ctx, n, t); err != nil {
		return err
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		n, err := ByID(ctx, tx, networkID)
		if err != nil {
			return err
		}

		if err := s.placeable(ctx, tx, n, t); err != nil {
			return err
		}

		if err := s.withdraw(ctx, tx, n.ID, t); err != nil {
			return err
		}

		if err := SetToken(tx, n.ID, t); err != nil {
			return err
		}

		s.changed(tx, n.ID)
		trail.Audit(ctx, tx, "", "network.token", n.ID, t.Code+" "+t.Address)

		return done(tx)
	})
}

// withdraw takes back what is planned in a token whose decimals change: its amounts are in the unit of before.
func (s *Service) withdraw(ctx context.Context, tx *db.Tx, networkID string, t Token) error {
	have, err := TokenOn(ctx, tx, networkID, t.Code)

	switch {
	case fault.Is(err, fault.TokenNotOnNetwork):
		return nil
	case err != nil || have.Decimals == t.Decimals || s.deps.Withdraw == nil:
		return err
	}

	return s.deps.Withdraw(ctx, tx, networkID, t.Code)
}

// changed lets what is recorded be compared with the chain again.
func (s *Service) changed(tx *db.Tx, networkID string) {
	if s.deps.Changed != nil {
		s.deps.Changed(tx, networkID)
	}
}
