package settlement

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// The treasury is the house's own wallet on a network. It has approved the router and pays by batches, like every other
// wallet. It sends refunds of what could not be paid, and the deliveries of on-ramps.

// SendState is the state of a treasury sending.
type SendState string

// The states of a treasury sending, and who acts next.
const (
	SendWanted   SendState = "WANTED"   // decided; its job assigns a number and plans it
	SendPlanned  SendState = "PLANNED"  // the rail has it
	SendDoubtful SendState = "DOUBTFUL" // refused as a whole: the router is asked, or a person checks
	// carried out, but the token moved nothing: its job finds out whether the treasury or the wallet is the cause
	SendRefused SendState = "REFUSED"
	SendFinal   SendState = "FINAL" // arrived
	// the wallet refuses the tokens, which are kept; or given up before it was planned
	SendFailed SendState = "FAILED"
)

// leg is one receiver of a sending, as it is stored.
type leg struct {
	To    string `json:"to"`
	Units string `json:"units"`
}

// amount returns the leg's base units. They were checked when the sending was read.
func (l leg) amount() *big.Int {
	units, _ := new(big.Int).SetString(l.Units, 10)
	return units
}

// TreasurySend is a sending of tokens by the treasury: a refund or a delivery.
type TreasurySend struct {
	Key                          effect.Key
	Transaction                  string
	Position                     int // of the payment, or wholeTransaction
	Organisation, Network, Token string
	Decimals                     int
	Legs                         []leg
	Units                        *big.Int
	Number                       int64 // the router's number; 0: not assigned yet
	// rises when a number was used and moved nothing; the next round has another number
	Round   int64
	Attempt int64 // the rail's attempt; rises when the previous one is over
	State   SendState
	Info    string
	Version int64
}

// wholeTransaction is the position of a sending that belongs to the transaction as a whole.
const wholeTransaction = -1

func (s TreasurySend) amount() money.Amount {
	return money.FromUnits(money.Asset{Code: s.Token, Decimals: s.Decimals}, s.Units)
}

// railKey returns the key of the send at the rail. A further attempt has another key and the same router number, so at
// most one of all attempts can take effect.
func (s TreasurySend) railKey() effect.Key { return s.Key.Nth(s.Attempt) }

// event returns what the sending is for the book.
func (s TreasurySend) event() chart.Send {
	return chart.Send{
		Of:      chart.Of{Organisation: s.Organisation, Transaction: s.Transaction},
		Key:     s.Key,
		Network: s.Network,
		Amount:  s.amount(),
	}
}

// requestSend stores that the treasury is to send tokens, in the write that decides so. By then the money is on
// ConvertClearing.
func (s *Service) requestSend(
	tx *db.Tx,
	t transaction.Transaction,
	key effect.Key,
	position int,
	to string,
	units *big.Int,
) error {
	if units.Sign() <= 0 {
		return fmt.Errorf("sending %s of %s units", key, units)
	}

	insertSend(tx, TreasurySend{
		Key:          key,
		Transaction:  t.ID,
		Position:     position,
		Organisation: t.Organisation,
		Network:      t.Network,
		Token:        t.Token,
		Decimals:     t.Decimals,
		Legs:         []leg{{To: to, Units: units.String()}},
		Units:        units,
	})

	return nil
}

// planSend advances a sending that waits for this service by one step, and reports whether another step is due now.
//
// For a refused sending it first finds out the cause. A wanted one gets its number and is planned. But if the router
// already knows the number, this database is older than the chain and the tokens may have been sent, so a person must
// check. A sending stays wanted while screening holds it back, and while the treasury is short. The sweep retries, so
// it continues by itself.
func (s *Service) planSend(ctx context.Context, t transaction.Transaction, wanted TreasurySend) (more bool, err error) {
	from, err := s.treasuryOf(ctx, t)
	if err != nil {
		return false, err
	}

	if wanted.State == SendRefused {
		return s.resolveRefusal(ctx, from, wanted)
	}

	if may, err := s.sendable(ctx, t, wanted); err != nil || !may {
		return false, err
	}

	if wanted.Number == 0 {
		wanted.Number = numberOf(t, wanted.Key, wanted.Round)
	}

	taken, err := usedNumber(ctx, from.client, from.router(), wanted.Number)
	if err != nil {
		return false, fmt.Errorf("sending %s: %w", wanted.Key, err) // unknown is not failed: the job asks again
	}

	funds, err := from.funds(ctx)
	if err != nil {
		return false, fmt.Errorf("sending %s: %w", wanted.Key, err)
	}

	planned := false
	short := ""
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		planned = false
		short = ""

		x, err := sendByKey(ctx, tx, wanted.Key)
		if err != nil || x.State != SendWanted || x.Version != wanted.Version {
			return err // another run was first
		}

		x.Number = wanted.Number
		if taken {
			return s.holdUsed(ctx, tx, x)
		}

		if short, err = s.shortage(ctx, tx, x, funds); err != nil {
			return err
		}

		if short != "" {
			s.waitForFunds(tx, x, short)
			return nil
		}

		planned = true

		return s.writeSend(ctx, tx, t, from, x)
	})
	failpoint.Hit("treasury.planned")

	if err == nil && short != "" {
		return false, fmt.Errorf("sending %s: %w: %s", wanted.Key, errTreasuryShort, short)
	}

	return planned, ignoreStale(err)
}

// holdUsed holds a sending whose number the router has carried out although nothing here sent it.
func (s *Service) holdUsed(ctx context.Context, tx *db.Tx, x TreasurySend) error {
	now, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return err
	}

	return s.treasuryDoubt(ctx, tx, x, now, usedBefore, false)
}

// writeSend plans a sending with the rail. The first attempt moves its amount to clearing, where it stays until an
// attempt is final.
func (s *Service) writeSend(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	from treasury,
	x TreasurySend,
) error {
	data, err := contract.EncodePay(treasuryBatch(x, t, from.token))
	if err != nil {
		return fmt.Errorf("encode %s: %w", x.Key, err)
	}

	if x.Attempt == 1 {
		if err := chart.Post(tx, chart.SendBegun{Send: x.event()}); err != nil {
			return err
		}
	}

	x.Info = ""
	moveSend(tx, x, SendPlanned)

	err = s.Rail.Plan(tx, chain.Send{
		Key:     x.railKey().String(),
		Network: t.Network,
		To:      from.router(),
		Data:    data,
		Object:  t.ID,
	})
	if err != nil {
		return err
	}

	return s.onTheWay(ctx, tx, x)
}

// numberOf returns the router's number of a sending in a round. It follows from the sending's purpose. So a database
// restored from a backup makes the same number, and the router refuses what was already sent after that backup.
//
// The first round of a delivery uses its transaction's number, which was fixed with the draft and is used for no pull.
// Every other sending uses 63 bits of its key's hash. A collision is less likely than one in 10,000 after ten million
// of them; the second sending would be refused and a person would check.
func numberOf(t transaction.Transaction, key effect.Key, round int64) int64 {
	name := key.String()
	if round > 1 {
		name = fmt.Sprintf("%s/round/%d", name, round)
	} else if key.Word == effect.Delivery {
		return t.Number
	}

	sum := sha256.Sum256([]byte("slipway/number/" + name))

	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// onTheWay records in the transaction that its sending is on the way.
func (s *Service) onTheWay(ctx context.Context, tx *db.Tx, x TreasurySend) error {
	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil || t.Type != transaction.TypeFiat {
		return err
	}

	return s.progress(ctx, tx, t)
}

// ignoreStale returns nil if another run wrote the same first; its result is stored already.
func ignoreStale(err error) error {
	if errors.Is(err, db.ErrStale) || db.IsUnique(err, "journals") || db.IsUnique(err, "transaction_history") ||
		db.IsUnique(err, "treasury_sends") ||
		db.IsUnique(err, "bank_payouts") {
		return nil
	}

	return err
}

// treasuryBatch returns a sending as a batch for the router. The payer is the treasury that submit locked for the
// transaction.
func treasuryBatch(x TreasurySend, t transaction.Transaction, token network.Token) contract.Batch {
	b := contract.Batch{
		Payer:  common.HexToAddress(t.Treasury),
		Token:  common.HexToAddress(token.Address),
		Number: big.NewInt(x.Number),
	}
	for _, l := range x.Legs {
		b.Legs = append(b.Legs, contract.Leg{To: common.HexToAddress(l.To), Amount: l.amount()})
	}

	return b
}

// treasuryFinal records that a sending can no longer be undone.
func (s *Service) treasuryFinal(ctx context.Context, tx *db.Tx, key effect.Key, sent chain.Sent) error {
	x, t, err := s.sending(ctx, tx, key)
	if err != nil {
		return err
	}

	n, token, err := s.networkAndToken(ctx, tx, t)
	if err != nil {
		return err
	}

	if err := postGas(tx, t, sent); err != nil {
		return err
	}

	outcome, err := outcomeOf(n, treasuryBatch(x, t, token), sent)
	switch {
	case err != nil:
		return s.treasuryDoubt(ctx, tx, x, t, contradicts(err), false)
	case outcome.Reverted:
		return s.treasuryDoubt(ctx, tx, x, t, words.Phrase(reverted), true)
	}

	paid, failed, unclear, why := summary(outcome.Legs)
	if unclear > 0 || paid > 0 && failed > 0 {
		return s.treasuryDoubt(ctx, tx, x, t, why, false)
	}

	if failed > 0 {
		return s.sendRefused(ctx, tx, x, t, why)
	}

	e := chart.SendSettled{Send: x.event(), Hash: sent.Hash.Hex()}
	for _, l := range x.Legs {
		e.Legs = append(e.Legs, chart.SendLeg{
			Wallet: l.To,
			Amount: money.FromUnits(x.amount().Asset(), l.amount()),
		})
	}

	if err := chart.Post(tx, e); err != nil {
		return err
	}

	x.Info = ""
	moveSend(tx, x, SendFinal)

	if x.Key.Word == effect.Delivery {
		return s.delivered(ctx, tx, t)
	}

	return s.refunded(ctx, tx, t, x)
}

// treasuryDoubt handles a sending that was refused as a whole. This attempt moved nothing. Whether an earlier attempt
// did, or one of a lost database, only the router can answer: its number is used or not. ask is false if a person must
// check.
func (s *Service) treasuryDoubt(
	ctx context.Context,
	tx *db.Tx,
	x TreasurySend,
	t transaction.Transaction,
	why string,
	ask bool,
) error {
	x.Info = why
	moveSend(tx, x, SendDoubtful)
	s.alarm(tx, "treasury send refused", "sending", x.Key, "why", why)

	if ask {
		return nil // the sweep has the router asked at its own interval
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: holdable(t),
		Info:       why,
		What:       "uncertain",
	})
}

// holdable returns UNCERTAIN if the transaction's table allows that move, or else the present status: a COMPLETED
// transaction keeps it.
func holdable(t transaction.Transaction) transaction.SettlementStatus {
	if transaction.SettlementTableOf(t.Type).Allows(t.Settlement, transaction.SettlementUncertain) {
		return transaction.SettlementUncertain
	}

	return t.Settlement
}

// resolveSend asks the router whether a doubtful sending's number was used. If not, and the last attempt is over, it
// makes a further attempt with the same number, so at most one of them can pay. If it was used, a person must check.
func (s *Service) resolveSend(ctx context.Context, x TreasurySend) error {
	n, err := network.ByID(ctx, s.DB, x.Network)
	if err != nil {
		return fmt.Errorf("network of %s: %w", x.Key, err)
	}

	client, err := s.client(ctx, x.Network)
	if err != nil {
		return err
	}

	taken, err := usedNumber(ctx, client, common.HexToAddress(n.Router()), x.Number)
	if err != nil {
		return fmt.Errorf("sending %s: %w", x.Key, err)
	}

	if taken {
		return nil // a person has been notified
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := sendByKey(ctx, tx, x.Key)
		if err != nil || now.State != SendDoubtful || now.Version != x.Version {
			return err
		}

		over, err := s.sendOver(ctx, tx, now.railKey().String())
		if err != nil || !over {
			return err
		}

		now.Attempt++
		moveSend(tx, now, SendWanted)
		s.enqueueStep(tx, now.Transaction)

		return nil
	})

	return ignoreStale(err)
}

// sending returns what the rail's key belongs to.
func (s *Service) sending(
	ctx context.Context,
	tx *db.Tx,
	key effect.Key,
) (TreasurySend, transaction.Transaction, error) {
	x, err := sendByKey(ctx, tx, key.First())
	if err != nil {
		return x, transaction.Transaction{}, err
	}

	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return x, t, fmt.Errorf("transaction of sending %s: %w", key, err)
	}

	if x.railKey().String() != key.String() {
		return x, t, fmt.Errorf("sending %s is at another attempt than %s", x.Key, key)
	}

	return x, t, nil
}

// alarm logs an error for operators once the write is committed.
func (s *Service) alarm(tx *db.Tx, what string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = words.English(text)
		}
	}

	tx.OnCommit(func() { s.Log.Error(what, args...) })
}
