package wallet

import (
	"context"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/screening"
)

// Screen asks the provider about a wallet's address and records the answer: the job that JobScreen names. A second call asks again only
// when there is something to find out; one that comes while another asks takes over, and the other's answer is dropped. The error of a
// provider is recorded and given back, so that the job is tried again.
func (s *Service) Screen(ctx context.Context, walletID string) error {
	run := id.New("scr", s.deps.DB.Now())
	w, begun, err := s.beginScreening(ctx, walletID, run)
	if err != nil || !begun {
		return err
	}
	result, asked := s.deps.Screening.Screen(ctx, w.Network, w.Address)
	if asked != nil {
		s.deps.Log.WarnContext(ctx, "screening failed", "wallet", w.ID, "error", asked.Error())
		result = screening.Result{Status: screening.Error, Message: "The screening provider did not answer."}
	}
	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, walletID)
		if fault.Is(err, fault.NotFoundCode) {
			return nil
		}
		if err != nil || w.AnalysisID != run || w.Analysis != AnalysisInProgress {
			return err
		}
		return s.record(ctx, tx, w, result)
	})
	if err != nil {
		return err
	}
	return asked
}

// beginScreening notes that the provider is being asked, under an identifier that its answer must bring back.
func (s *Service) beginScreening(ctx context.Context, walletID, run string) (w Wallet, begun bool, err error) {
	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		begun = false
		w, err = anyone(ctx, tx, walletID)
		if fault.Is(err, fault.NotFoundCode) {
			return nil // deleted in the meantime: nothing to do
		}
		if err != nil {
			return err
		}
		switch w.AnalysisAt(tx.Now) {
		case AnalysisApproved, AnalysisReview, AnalysisRejected:
			return nil
		case AnalysisExpired:
			if w.Analysis == AnalysisApproved {
				if err := w.analyse(AnalysisExpired); err != nil {
					return err
				}
			}
		}
		if err := w.analyse(AnalysisInProgress); err != nil {
			return err
		}
		begun, w.AnalysisID, w.AnalysisErr = true, run, ""
		w, err = update(tx, w)
		return err
	})
	return w, begun, err
}

// record writes the provider's answer. A status that is not one of the known is an error: it must not count as approval.
func (s *Service) record(ctx context.Context, tx *db.Tx, w Wallet, r screening.Result) error {
	to := Analysis(r.Status)
	switch r.Status {
	case screening.Approved, screening.Review, screening.Rejected, screening.Error:
	default:
		to, r.Message = AnalysisError, fmt.Sprintf("The screening provider answered %q.", r.Status)
	}
	if err := w.analyse(to); err != nil {
		return err
	}
	w.ScreenedAt, w.AnalysisErr = tx.Now, ""
	if to != AnalysisApproved {
		w.AnalysisErr = r.Message
	}
	w, err := update(tx, w)
	if err != nil {
		return err
	}
	trail.Audit(ctx, tx, w.Organisation, "wallet.screen", w.ID, string(to)+" "+r.Reference)
	return nil
}

// Decide ends a REVIEW by a person's decision; only a wallet in REVIEW waits for one.
func (s *Service) Decide(ctx context.Context, walletID string, approve bool, reason string, done doneFunc) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, walletID)
		if err != nil {
			return err
		}
		if w.Analysis != AnalysisReview {
			return fault.New(fault.Conflict, fault.WalletNotInReview, "The wallet's screening is %s; only REVIEW waits for a decision.", w.AnalysisAt(tx.Now))
		}
		to := AnalysisRejected
		if approve {
			to = AnalysisApproved
		}
		if err := w.analyse(to); err != nil {
			return err
		}
		w.ScreenedAt, w.AnalysisErr = tx.Now, ""
		if !approve {
			w.AnalysisErr = "A review rejected the address."
		}
		if w, err = update(tx, w); err != nil {
			return err
		}
		trail.Audit(ctx, tx, w.Organisation, "wallet.screen.decide", w.ID, string(to)+": "+reason)
		return s.finish(ctx, tx, w, done)
	})
}

// ExpireScreenings notes approvals that are a day old and has those wallets screened again, at most limit of them, the oldest first. It
// gives their number; the housekeeping job calls it until that is less than limit.
func (s *Service) ExpireScreenings(ctx context.Context, limit int) (int, error) {
	n := 0
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		var where db.Where
		where.And("screening_status = ?", string(AnalysisApproved))
		where.And("screened_at <= ?", db.Micros(tx.Now.Add(-ScreeningLifetime)))
		where.And("NOT soft_deleted")
		rows, err := all(ctx, tx, where, " ORDER BY screened_at, id LIMIT ?", int64(limit))
		if err != nil {
			return err
		}
		for _, w := range rows {
			if err := w.analyse(AnalysisExpired); err != nil {
				return err
			}
			if _, err := update(tx, w); err != nil {
				return err
			}
			s.enqueueScreening(tx, w)
		}
		n = len(rows)
		return nil
	})
	return n, err
}
