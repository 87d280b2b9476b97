package settlement

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// The treasury is the house's own wallet on a network: it has approved the router, and pays by batches as every other
// wallet does. What it sends is a refund of what could not be paid, or the delivery of an on-ramp.

// want writes down that the treasury is to send tokens, in the write that decides on it. The money stands on
// ConvertClearing by then.
func (s *Service) want(
	tx *db.Tx,
	t transaction.Transaction,
	key string,
	position int,
	to string,
	units *big.Int,
) error {
	if units.Sign() <= 0 {
		return fmt.Errorf("sending %s of %s units", key, units)
	}

	return insertSend(tx, TreasurySend{
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
}

// planSend takes a sending that waits for this service one step further, and reports whether another step is due now.
//
// A refused one is judged first. A wanted one gets its number and is planned, unless the router knows the number
// already: then this database is older than the chain, the tokens may have been sent, and a person must look. It
// stays wanted while screening keeps it back, and while the treasury is short: the sweep tries again, so it goes on
// by itself.
func (s *Service) planSend(ctx context.Context, t transaction.Transaction, wanted TreasurySend) (more bool, err error) {
	from, err := s.treasuryOf(ctx, t)
	if err != nil {
		return false, err
	}

	if wanted.State == SendRefused {
		return s.judgeRefusal(ctx, from, wanted)
	}

	if may, err := s.sendable(ctx, t, wanted); err != nil || !may {
		return false, err
	}

	if wanted.Number == 0 {
		wanted.Number = numberOf(t, wanted.Key, wanted.Round)
	}

	taken, err := usedNumber(ctx, from.client, from.router(), wanted.Number)
	if err != nil {
		return false, fmt.Errorf("sending %s: %w", wanted.Key, err) // not knowing is not failing: the job asks again
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
			return err // somebody else was first
		}

		x.Number = wanted.Number
		if taken {
			return s.usedBefore(ctx, tx, x)
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
		return false, fmt.Errorf("sending %s: %w: %s", wanted.Key, errShort, short)
	}

	return planned, passed(err)
}

// usedBefore holds a sending whose number the router has carried out although nothing here did.
func (s *Service) usedBefore(ctx context.Context, tx *db.Tx, x TreasurySend) error {
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
		if err := ledger.Post(tx, clearingJournal(x, x.Key+"/send", "send", x.amount())); err != nil {
			return err
		}
	}

	x.Info = ""
	moveSend(tx, x, SendPlanned)

	err = s.Rail.Plan(tx, chain.Send{
		Key:     x.railKey(),
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

// clearingJournal moves a sending's amount from what is to be sent to what is under way; a negative amount moves it
// back.
func clearingJournal(x TreasurySend, key, kind string, amount money.Amount) ledger.Journal {
	return ledger.Journal{
		Key:          key,
		Kind:         kind,
		Organisation: x.Organisation,
		Transaction:  x.Transaction,
		Postings: []ledger.Posting{
			{Account: ledger.ConvertClearing(x.Network), Amount: amount.Neg()},
			{Account: ledger.ClearingAccount(x.Network), Amount: amount},
		},
	}
}

// numberOf is the router's number of a sending in a round. It follows from what the sending is for, so that a
// database that was restored from a backup makes the same one and the router refuses what was sent after the backup.
// A delivery takes its transaction's in the first round, which was fixed when the draft was made and is used for no
// pull. Every other one takes 63 bits of its key's hash: that two are the same is less likely than one in 10,000
// after ten million of them, and the second would be refused and looked at.
func numberOf(t transaction.Transaction, key string, round int64) int64 {
	if round > 1 {
		key = fmt.Sprintf("%s/round/%d", key, round)
	} else if isDelivery(key) {
		return t.Number
	}

	sum := sha256.Sum256([]byte("slipway/number/" + key))

	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// onTheWay tells the transaction that its sending is on the way.
func (s *Service) onTheWay(ctx context.Context, tx *db.Tx, x TreasurySend) error {
	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil || t.Type != transaction.TypeFiat {
		return err
	}

	return s.progress(ctx, tx, t)
}

// passed is nil for a write that another run was quicker with: what it wanted stands there.
func passed(err error) error {
	if errors.Is(err, db.ErrStale) || db.IsUnique(err, "journals") || db.IsUnique(err, "transaction_history") ||
		db.IsUnique(err, "treasury_sends") ||
		db.IsUnique(err, "bank_payouts") {
		return nil
	}

	return err
}

// treasuryBatch is a sending as the router reads it: the treasury that submit locked for the transaction pays.
func treasuryBatch(x TreasurySend, t transaction.Transaction, token network.Token) contract.Batch {
	b := contract.Batch{
		Payer:  common.HexToAddress(t.Treasury),
		Token:  common.HexToAddress(token.Address),
		Number: big.NewInt(x.Number),
	}
	for _, l := range x.Legs {
		units, _ := new(big.Int).SetString(l.Units, 10)
		b.Legs = append(b.Legs, contract.Leg{To: common.HexToAddress(l.To), Amount: units})
	}

	return b
}

// treasuryFinal records that a sending can no longer be undone.
func (s *Service) treasuryFinal(ctx context.Context, tx *db.Tx, sent chain.Sent) error {
	x, t, err := s.sending(ctx, tx, sent.Key)
	if err != nil {
		return err
	}

	n, token, err := s.where(ctx, tx, t)
	if err != nil {
		return err
	}

	if err := postGas(tx, t, sent); err != nil {
		return err
	}

	outcome, err := outcomeOf(n, treasuryBatch(x, t, token), sent)
	switch {
	case err != nil:
		return s.treasuryDoubt(ctx, tx, x, t, contradicts+err.Error(), false)
	case outcome.Reverted:
		return s.treasuryDoubt(ctx, tx, x, t, "The batch was reverted as a whole.", true)
	}

	paid, failed, unclear, why := summary(outcome.Legs)
	if unclear > 0 || paid > 0 && failed > 0 {
		return s.treasuryDoubt(ctx, tx, x, t, why, false)
	}

	if failed > 0 {
		return s.sendRefused(ctx, tx, x, t, why)
	}

	lines := append(ledger.OnTreasury(t.Network, x.amount().Neg(), sent.Hash.Hex()), ledger.Posting{
		Account: ledger.ClearingAccount(t.Network),
		Amount:  x.amount().Neg(),
	})
	for _, l := range x.Legs {
		units, _ := new(big.Int).SetString(l.Units, 10)
		lines = append(lines, ledger.Posting{
			Account: ledger.WalletAccount(t.Network, l.To),
			Amount:  money.FromUnits(x.amount().Asset(), units),
		})
	}

	if err := ledger.Post(tx, ledger.Journal{
		Key:          x.Key + "/final",
		Kind:         "sent",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings:     lines,
	}); err != nil {
		return err
	}

	x.Info = ""
	moveSend(tx, x, SendFinal)

	if isDelivery(x.Key) {
		return s.delivered(ctx, tx, t)
	}

	return s.refunded(ctx, tx, t, x)
}

// treasuryDoubt is taken when a sending was refused as a whole. By this attempt nothing moved; whether an earlier
// one, or one of a database that is no more, did, only the router can say: its number is used or not. ask is false
// where a person must look.
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
	s.alarm(tx, "a sending of the treasury was refused", "sending", x.Key, "why", why)

	if ask {
		return nil // the sweep has the router asked, at its own pace
	}

	_, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: holdable(t),
		Info:       why,
		What:       "uncertain",
	})

	return err
}

// holdable is UNCERTAIN where the transaction's table has a way to it, else as it is: a COMPLETED one stays what it is.
func holdable(t transaction.Transaction) transaction.SettlementStatus {
	if transaction.SettlementTableOf(t.Type).Allows(t.Settlement, transaction.SettlementUncertain) {
		return transaction.SettlementUncertain
	}

	return t.Settlement
}

// resolveSend asks the router whether a doubtful sending's number was used. If it was not, and the last attempt is
// over, a further attempt with the same number is made: of all of them one at most can pay. If it was, a person must
// look.
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
		return nil // a person has been told
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := sendByKey(ctx, tx, x.Key)
		if err != nil || now.State != SendDoubtful || now.Version != x.Version {
			return err
		}

		over, err := s.sendOver(ctx, tx, now.railKey())
		if err != nil || !over {
			return err
		}

		now.Attempt++
		moveSend(tx, now, SendWanted)
		s.askLater(tx, now.Transaction)

		return nil
	})

	return passed(err)
}

// sending finds what the rail's key is about.
func (s *Service) sending(ctx context.Context, tx *db.Tx, key string) (TreasurySend, transaction.Transaction, error) {
	x, err := sendByKey(ctx, tx, sendKeyOf(key))
	if err != nil {
		return x, transaction.Transaction{}, err
	}

	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return x, t, fmt.Errorf("transaction of sending %s: %w", key, err)
	}

	if x.railKey() != key {
		return x, t, fmt.Errorf("sending %s is at another attempt than %s", x.Key, key)
	}

	return x, t, nil
}

// The last words of the keys of what the treasury sends.
const (
	deliveryWord = "tokens" // transaction/<id>/tokens
	refundWord   = "refund" // transaction/<id>/refund/<position>, or /all
	returnWord   = "return" // transaction/<id>/return/<entry>
)

// keyParts takes a key of an effect apart: transaction/<id>/<word>[/<item>[/<attempt>]].
func keyParts(key string) (id, word, item string, ok bool) {
	p := strings.Split(key, "/")
	if len(p) < 3 || p[0] != "transaction" {
		return "", "", "", false
	}

	if len(p) > 3 {
		item = p[3]
	}

	return p[1], p[2], item, true
}

// sendKeyOf is a rail's key without its attempt.
func sendKeyOf(key string) string {
	id, word, item, ok := keyParts(key)
	switch {
	case !ok:
		return key
	case word == deliveryWord:
		return "transaction/" + id + "/" + word
	}

	return "transaction/" + id + "/" + word + "/" + item
}

func isDelivery(key string) bool {
	_, word, _, _ := keyParts(key)
	return word == deliveryWord
}

// ofTreasury says whether a rail's key is of something that the treasury sends.
func ofTreasury(key string) bool {
	_, word, _, ok := keyParts(key)
	return ok && (word == deliveryWord || word == refundWord || word == returnWord)
}

// alarm says something to the people who watch the service, once it is written.
func (s *Service) alarm(tx *db.Tx, what string, args ...any) {
	tx.OnCommit(func() { s.Log.Error(what, args...) })
}
