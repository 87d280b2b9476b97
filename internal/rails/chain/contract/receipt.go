package contract

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// A LegStatus is what a receipt proves about one leg.
type LegStatus string

// The three things that a receipt can prove.
const (
	LegPaid    LegStatus = "PAID"    // the router reports it paid and the token logged exactly this transfer
	LegFailed  LegStatus = "FAILED"  // the router reports it unpaid and the token logged no such transfer
	LegUnclear LegStatus = "UNCLEAR" // router and token contradict each other: a person decides, nothing is retried
)

// A LegOutcome is the result of the leg at the same position of the batch.
type LegOutcome struct {
	Leg      Leg
	Status   LegStatus
	Reason   string // a sentence for LegFailed and LegUnclear, otherwise empty
	Raw      []byte // the token's own answer, at most 128 bytes
	LogIndex uint   // the transfer's log within the block, for LegPaid
}

// An Outcome is what one receipt proves about one batch.
type Outcome struct {
	// Reverted: the transaction had no effect. This proves nothing about other transactions with the same batch; only
	// the router's `executed` does.
	Reverted bool
	Legs     []LegOutcome // empty if Reverted
}

var (
	transferTopic      = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	batchExecutedTopic = crypto.Keccak256Hash([]byte("BatchExecuted(uint256,address,address,uint256)"))
	ownExecutedTopic   = crypto.Keccak256Hash([]byte("OwnBatchExecuted(uint256,address,address,uint256,bytes32)"))
	legFailedTopic     = crypto.Keccak256Hash([]byte("LegFailed(uint256,uint256,bytes)"))
)

// ParseReceipt reads the results of batch b from the receipt of a transaction that carried it. It does not trust the
// router alone: a paid leg needs the token's Transfer log with exactly its payer, payee and amount, and a failed leg
// must not have one. An error means that the receipt is not about this batch or contradicts itself; it proves neither
// payment nor failure.
//
// Where the batch was pulled, the transfers to payees come from the router, and the token must have logged that exactly
// the sum went there and that what was not paid came back.
func ParseReceipt(router common.Address, b Batch, receipt *types.Receipt) (Outcome, error) {
	return parseBatch(router, b, receipt, batchExecutedTopic)
}

// OwnTopics returns the topics of the log that shows a batch as paid by its payer itself: see ParseOwnReceipt.
func OwnTopics(b Batch) []common.Hash {
	return []common.Hash{ownExecutedTopic, common.BigToHash(b.Number), addressTopic(b.Payer)}
}

// ParseOwnReceipt reads the results of batch b from the receipt of a transaction in which its payer paid it itself. The
// router's log has the hash of the legs besides: what the payer executed is exactly this batch.
func ParseOwnReceipt(router common.Address, b Batch, receipt *types.Receipt) (Outcome, error) {
	return parseBatch(router, b, receipt, ownExecutedTopic)
}

func parseBatch(router common.Address, b Batch, receipt *types.Receipt, end common.Hash) (Outcome, error) {
	if _, err := b.check(); err != nil {
		return Outcome{}, err
	}

	if receipt.Status != types.ReceiptStatusSuccessful {
		if len(receipt.Logs) != 0 {
			return Outcome{}, errors.New("a reverted transaction cannot have logs")
		}

		return Outcome{Reverted: true}, nil
	}

	logs, err := logsOfBatch(router, b, receipt.Logs, end)
	if err != nil {
		return Outcome{}, fmt.Errorf("batch %s in transaction %s: %w", b.Number, receipt.TxHash, err)
	}

	return Outcome{Legs: judge(b, logs)}, nil
}

// batchLogs holds the logs of one batch from a receipt.
type batchLogs struct {
	failed    []byte         // the bitmap
	reasons   map[int][]byte // by leg
	transfers []*types.Log   // of the token, from the payer or the router
}

func newBatchLogs() *batchLogs { return &batchLogs{reasons: map[int][]byte{}} }

// logsOfBatch finds the batch's logs. The router cannot be re-entered, so all logs between the end of one batch and the
// end of the next belong to the next one.
func logsOfBatch(router common.Address, b Batch, all []*types.Log, end common.Hash) (*batchLogs, error) {
	number := common.BigToHash(b.Number)

	var found *batchLogs

	current := newBatchLogs()
	for _, log := range all {
		if log.Removed {
			return nil, errors.New("a log was removed by a reorganisation")
		}

		if isTransfer(log, b, router) {
			current.transfers = append(current.transfers, log)
		}

		if log.Address != router || len(log.Topics) < 2 {
			continue
		}

		ends := log.Topics[0] == batchExecutedTopic || log.Topics[0] == ownExecutedTopic

		ours := log.Topics[1] == number
		switch {
		case log.Topics[0] == legFailedTopic && ours:
			if err := current.explain(b, log); err != nil {
				return nil, err
			}

		case log.Topics[0] == end && ours && (end != ownExecutedTopic || isOwnOf(log, b)):
			if found != nil {
				return nil, errors.New("the batch is reported twice")
			}

			if err := current.close(b, log, router); err != nil {
				return nil, err
			}

			found = current
			current = newBatchLogs()

		case ends:
			current = newBatchLogs()
		}
	}

	if found == nil {
		return nil, errors.New("the router does not report this batch")
	}

	return found, nil
}

// isOwnOf reports whether an event of payOwn is about the batch's payer: numbers of other payers are others.
func isOwnOf(log *types.Log, b Batch) bool {
	return len(log.Topics) == 4 && log.Topics[2] == addressTopic(b.Payer)
}

// close compares the batch's last event with the request and the other logs.
func (l *batchLogs) close(b Batch, log *types.Log, router common.Address) error {
	words, own := 1, log.Topics[0] == ownExecutedTopic
	if own {
		words = 2
	}

	if len(log.Topics) != 4 || len(log.Data) != 32*words {
		return errors.New("the event of the batch is malformed")
	}

	if log.Topics[2] != addressTopic(b.Payer) || log.Topics[3] != addressTopic(b.Token) {
		return errors.New("the number was used for another payer or token")
	}

	if own {
		packed, err := PackLegs(b.Legs)
		if err != nil || common.BytesToHash(log.Data[32:]) != crypto.Keccak256Hash(packed) {
			return errors.New("the payer executed other legs under this number")
		}
	}

	l.failed = log.Data[:32]
	if new(big.Int).SetBytes(l.failed).BitLen() > len(b.Legs) {
		return errors.New("a leg is reported that the batch does not have")
	}

	for i := range b.Legs {
		if _, explained := l.reasons[i]; explained != bitSet(l.failed, i) {
			return fmt.Errorf("leg %d: LegFailed and BatchExecuted contradict each other", i)
		}
	}

	return l.settlePull(b, router, own)
}

// explain stores a LegFailed event of the batch.
func (l *batchLogs) explain(b Batch, log *types.Log) error {
	event, err := router().UnpackLegFailedEvent(log)
	if err != nil {
		return fmt.Errorf("decode LegFailed: %w", err)
	}

	if event.Index == nil { // the binding accepts an event without data
		return errors.New("decode LegFailed: the event has no data")
	}

	if !event.Index.IsUint64() || event.Index.Uint64() >= uint64(len(b.Legs)) {
		return fmt.Errorf("leg %s is reported that the batch does not have", event.Index)
	}

	index := int(event.Index.Uint64())
	if _, twice := l.reasons[index]; twice {
		return fmt.Errorf("leg %d is reported twice", index)
	}

	l.reasons[index] = event.Reason

	return nil
}

func isTransfer(log *types.Log, b Batch, router common.Address) bool {
	return log.Address == b.Token && len(log.Topics) == 3 && log.Topics[0] == transferTopic && len(log.Data) == 32 &&
		(log.Topics[1] == addressTopic(b.Payer) || log.Topics[1] == addressTopic(router))
}

// settlePull keeps the transfers that can be payments. A leg cannot pay the router, so a transfer from payer to router
// is a pull: it must be of the sum, and then the payments are the router's transfers, but for the last one to the
// payer, which gives back what was not paid. In a transaction of its own the payer may move more than the batch.
func (l *batchLogs) settlePull(b Batch, router common.Address, own bool) error {
	var fromPayer, fromRouter, pulls []*types.Log

	for _, log := range l.transfers {
		switch {
		case log.Topics[1] == addressTopic(router):
			fromRouter = append(fromRouter, log)
		case log.Topics[2] == addressTopic(router):
			pulls = append(pulls, log)
		default:
			fromPayer = append(fromPayer, log)
		}
	}

	l.transfers = fromPayer

	if len(pulls) == 0 {
		return nil
	}

	if len(pulls) > 1 || amountOf(pulls[0]).Cmp(b.Sum()) != 0 || (len(fromPayer) > 0 && !own) {
		return errors.New("what the router pulled is not the sum of the batch")
	}

	l.transfers = fromRouter

	unpaid := new(big.Int)
	for i, leg := range b.Legs {
		if bitSet(l.failed, i) {
			unpaid.Add(unpaid, leg.Amount)
		}
	}

	if unpaid.Sign() == 0 {
		return nil
	}

	last := len(fromRouter) - 1
	if last < 0 || fromRouter[last].Topics[2] != addressTopic(b.Payer) || amountOf(fromRouter[last]).Cmp(unpaid) != 0 {
		return errors.New("what was not paid did not go back to the payer")
	}

	l.transfers = fromRouter[:last]

	return nil
}

func amountOf(log *types.Log) *big.Int { return new(big.Int).SetBytes(log.Data) }

// judge compares the router's events with the token's logs. Paid legs choose their transfers first: of two equal legs,
// the failed one must not claim the paid one's log.
func judge(b Batch, logs *batchLogs) []LegOutcome {
	out := make([]LegOutcome, len(b.Legs))
	for i, leg := range b.Legs {
		out[i].Leg = leg
		if bitSet(logs.failed, i) {
			continue
		}

		log := logs.take(leg)
		if log == nil {
			out[i].Status = LegUnclear
			out[i].Reason = "the token reported success but logged no transfer of exactly this amount"
			continue
		}

		out[i].Status = LegPaid
		out[i].LogIndex = log.Index
	}

	for i, leg := range b.Legs {
		if !bitSet(logs.failed, i) {
			continue
		}

		out[i].Raw = logs.reasons[i]

		out[i].Status = LegFailed

		out[i].Reason = ExplainReason(out[i].Raw)
		if logs.take(leg) != nil {
			out[i].Status = LegUnclear
			out[i].Reason = "the token reported failure but logged the transfer: " + out[i].Reason
		}
	}

	return out
}

// take removes and returns the first transfer that is exactly this leg, or returns nil.
func (l *batchLogs) take(leg Leg) *types.Log {
	for i, log := range l.transfers {
		if log != nil && log.Topics[2] == addressTopic(leg.To) && amountOf(log).Cmp(leg.Amount) == 0 {
			l.transfers[i] = nil
			return log
		}
	}

	return nil
}

func addressTopic(a common.Address) common.Hash { return common.BytesToHash(a[:]) }
