package house

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// What the house's owners move themselves, into a treasury or out of it, is recorded by the transaction on the chain
// that did it. Which tokens it moved, and how much, the chain says; that it was theirs, two operators say.

// ErrNoEvidence is a transaction that moved nothing as far as the chain's final blocks tell.
var ErrNoEvidence = errors.New("the transaction is in no final block")

// movement is what a transaction on a chain has moved into a treasury, or out of it, as it waits for a second operator.
type movement struct {
	Network string    `json:"network"`
	Hash    string    `json:"hash"`
	Block   uint64    `json:"block"`
	At      time.Time `json:"at"` // of the block
	Amounts []amount  `json:"amounts"`
}

// amount is signed base units of a token: below zero they left.
type amount struct {
	Token    string `json:"token"`
	Decimals int    `json:"decimals"`
	Units    string `json:"units"`
}

func (a amount) money() (money.Amount, error) {
	return money.Stored{Code: a.Token, Decimals: int64(a.Decimals), Units: a.Units}.Amount()
}

// key is that of the movement's journal.
func (m movement) key() string { return chart.OwnersMovedKey(m.Network, m.Hash) }

// summary says what is approved, as a value of words.Phrase.
func (m movement) summary(name, why string) (string, error) {
	parts := make([]string, len(m.Amounts))

	for i, a := range m.Amounts {
		moved, err := a.money()
		if err != nil {
			return "", err
		}

		if moved.Sign() < 0 {
			parts[i] = words.Phrase("%s out of the treasury", approval.Sum(moved.Neg()))
		} else {
			parts[i] = words.Phrase("%s into the treasury", approval.Sum(moved))
		}
	}

	return words.Phrase(
		"%[1]s: %[2]s, by transaction %[3]s in block %[4]s. %[5]s",
		name,
		words.List(words.Commas, parts...),
		m.Hash,
		strconv.FormatUint(m.Block, 10),
		why,
	), nil
}

// AskMovement asks a second operator to record what a transaction of the house's owners has moved. The chain is asked
// first.
func (s *Service) AskMovement(ctx context.Context, networkID, hash, why string, done approval.Done) error {
	if !slices.Contains(s.Networks, networkID) {
		return fault.Missing("network")
	}

	why, err := approval.Reason("/reason", why)
	if err != nil {
		return err
	}

	t, err := s.treasuryOf(ctx, networkID)
	if err != nil {
		return err
	}

	point, transfers, err := s.Chain.Transfers(ctx, networkID, hash)
	if errors.Is(err, ErrNoEvidence) {
		return fault.New(
			fault.Conflict,
			fault.MovementUnproven,
			"No such transaction that succeeded is in a final block of the network.",
		)
	}

	if err != nil {
		s.Log.Warn("read evidence of a movement", "network", networkID, "transaction", hash, "error", err.Error())

		return fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The network's nodes do not answer, or do not agree; nothing was changed.",
		)
	}

	m := movement{
		Network: networkID,
		Hash:    hash,
		Block:   point.Number,
		At:      point.At,
		Amounts: t.moved(transfers, point),
	}
	if len(m.Amounts) == 0 {
		return fault.New(
			fault.Conflict,
			fault.MovementUnproven,
			"The transaction moves nothing of the treasury that its books have not seen from the beginning.",
		)
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error { return s.propose(ctx, tx, m, t.network, why, done) })
}

// moved sums what transfers have moved of each token, into the treasury's wallets or out of them. What was moved
// before a wallet's opening entry is in that.
func (t treasury) moved(transfers []Transfer, at Point) []amount {
	var out []amount

	for _, x := range t.tokens {
		sum := new(big.Int)

		for _, wallet := range t.wallets[x.Code] {
			known := slices.ContainsFunc(t.open, func(o opening) bool {
				return o.token == x.Code && o.address == wallet && int64(at.Number) > o.block
			})

			for _, moved := range transfers {
				switch {
				case !known || moved.Token != x.Address:
				case moved.To == wallet && moved.From != wallet:
					sum.Add(sum, moved.Units)
				case moved.From == wallet && moved.To != wallet:
					sum.Sub(sum, moved.Units)
				}
			}
		}

		if sum.Sign() != 0 {
			out = append(out, amount{Token: x.Code, Decimals: x.Decimals, Units: sum.String()})
		}
	}

	return out
}

func (s *Service) propose(
	ctx context.Context,
	tx *db.Tx,
	m movement,
	n network.Network,
	why string,
	done approval.Done,
) error {
	if err := s.checkUnrecorded(ctx, tx, m); err != nil {
		return err
	}

	raw, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode movement %s: %w", m.Hash, err)
	}

	summary, err := m.summary(n.Name, why)
	if err != nil {
		return err
	}

	a, err := s.Approvals.Ask(ctx, tx, approval.Request{
		Kind:    approval.Movement,
		Object:  strings.TrimPrefix(m.Hash, "0x"),
		Data:    string(raw),
		Summary: summary,
	})
	if err != nil {
		return err
	}

	return done(tx, a)
}

// checkUnrecorded refuses a movement that is in the books already: recorded before, or one of the service's own sends.
func (s *Service) checkUnrecorded(ctx context.Context, q db.Querier, m movement) error {
	posted, err := ledger.Posted(ctx, q, m.key())
	if err != nil {
		return err
	}

	ours, err := s.Chain.Ours(ctx, q, m.Hash)
	if err != nil {
		return err
	}

	if posted || ours {
		return fault.New(fault.Conflict, fault.MovementRecorded, "The transaction is in the books already.")
	}

	return nil
}

// movementDecided posts an approved movement, on the day of its block.
func (s *Service) movementDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	if strings.HasPrefix(a.Object, providerObject) {
		return s.providerDecided(ctx, tx, a)
	}

	var m movement
	if err := json.Unmarshal([]byte(a.Data), &m); err != nil {
		return fmt.Errorf("decode the movement of %s: %w", a.ID, err)
	}

	if err := s.checkUnrecorded(ctx, tx, m); err != nil {
		return err
	}

	e := chart.OwnersMoved{Network: m.Network, Hash: m.Hash}

	for _, x := range m.Amounts {
		moved, err := x.money()
		if err != nil {
			return fmt.Errorf("movement of %s: %w", a.ID, err)
		}

		e.Amounts = append(e.Amounts, moved)
	}

	trail.Audit(ctx, tx, "", "house.movement", m.Network, words.English(a.Summary))

	return errors.Join(chart.PostOn(tx, ledger.OfBlock(m.At), e), s.checkSoon(tx))
}

// checkSoon has the figures compared at once.
func (s *Service) checkSoon(tx *db.Tx) error { return s.Jobs.Wake(tx, "every/"+JobKind) }

// handleApprovals says who decides with a first operator, and what a decision does.
func (s *Service) handleApprovals() {
	roles := []string{"operator"}
	s.Approvals.Handle(approval.Movement, approval.Handler{Roles: roles, Decided: s.movementDecided})
	s.Approvals.Handle(approval.Release, approval.Handler{Roles: roles, Decided: s.releaseDecided})
}
