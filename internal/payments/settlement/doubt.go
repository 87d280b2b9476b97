package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// doubtKind is the kind of the job that finds out what the refusal of a whole batch means.
const doubtKind = "settle-doubt"

// doubt handles a batch that the router refused or reverted as a whole. This send moved nothing. But a number is used
// only once, so the refusal can also mean that an earlier send, unknown to this database (a restored backup), has
// carried the batch out. A write cannot ask the chain, so the transaction is UNCERTAIN until Resolve has asked.
func (s *Service) doubt(ctx context.Context, tx *db.Tx, t transaction.Transaction, why string) error {
	s.Jobs.Demand(tx, doubtKind, doubtKind+"/"+t.ID, t.ID)
	return s.hold(ctx, tx, t, why)
}

// Resolve asks the router whether a doubtful transaction's number was used. If not, nothing of the transaction has
// moved, and nothing will, because its only send is over: the amount goes back and the transaction is FAILED. If it was
// used, a person must check. A second call finds the doubt resolved, or asks again.
func (s *Service) Resolve(ctx context.Context, transactionID string) error {
	t, err := transaction.ByID(ctx, s.DB, transactionID)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil || t.Settlement != transaction.SettlementUncertain {
		return err
	}

	n, _, err := s.networkAndToken(ctx, s.DB, t)
	if err != nil {
		return err
	}

	client, err := s.client(ctx, t.Network)
	if err != nil {
		return err
	}

	used, err := usedNumber(ctx, client, common.HexToAddress(n.Router()), t.Number)
	if err != nil {
		return err // unknown is not failed: the job asks again
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := transaction.ByID(ctx, tx, transactionID)
		if err != nil || now.Settlement != transaction.SettlementUncertain {
			return err
		}

		if used {
			return s.hold(ctx, tx, now, usedBefore)
		}

		over, err := s.sendOver(ctx, tx, effect.BatchOf(now.ID).String())
		if err != nil || !over {
			return err
		}

		if err := releaseClearing(tx, now); err != nil {
			return err
		}

		return s.end(ctx, tx, now, now.StatusInfo)
	})
}

// sendOver reports whether a send can have no effect any more: it was refused, or it is final and reverted.
func (s *Service) sendOver(ctx context.Context, q db.Querier, key string) (bool, error) {
	status, err := s.Rail.Status(ctx, q, key)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return status.State == chain.StateRefused || status.State == chain.StateFinal && !status.OK, err
}

// releaseClearing posts the amount under way back to the wallet.
func releaseClearing(tx *db.Tx, t transaction.Transaction) error {
	return chart.Post(tx, chart.GivenBack{Debit: t.DebitEvent()})
}

// usedNumber asks the router whether it has carried out a batch with a number. Where a network has two nodes, both must
// answer: a wrong "no" from one would give back what was paid.
func usedNumber(ctx context.Context, client *chain.Client, router common.Address, number int64) (bool, error) {
	out, err := client.Call(ctx, executedCall(router, number))
	if err != nil {
		return false, fmt.Errorf("ask the router for number %d: %w", number, err)
	}

	used, err := chain.Word(out)
	if err != nil {
		return false, fmt.Errorf("ask the router for number %d: %w", number, err)
	}

	return used.Sign() != 0, nil
}

// executedCall returns the call of the router's executed(number).
func executedCall(router common.Address, number int64) chain.CallMsg {
	return chain.CallMsg{To: router, Data: contract.Router().PackExecuted(big.NewInt(number))}
}

// explainRefusal turns a node's refusal into a sentence. It decodes the revert data at its end, if there is any.
func explainRefusal(reason string) string {
	at := strings.LastIndex(reason, "0x")
	if at < 0 {
		return reason
	}

	data, err := hexutil.Decode(strings.TrimRight(reason[at:], "\" "))
	if err != nil {
		return reason
	}

	return contract.ExplainReason(data)
}
