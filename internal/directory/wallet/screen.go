package wallet

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/screening"
)

// Screen asks the provider about a wallet's address and records the answer: the job that JobScreen names. A second
// call asks again only when there is something to find out; one that comes while another asks takes over, and the
// other's answer is dropped. The error of a provider is recorded and given back, so that the job is tried again.
func (s *Service) Screen(ctx context.Context, walletID string) error {
	began := s.deps.DB.Now()
	run := analysis.NewID(began)

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

		return s.record(ctx, tx, w, result, began)
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

		case AnalysisPending, AnalysisInProgress, AnalysisError: // one in progress was begun by a run that is gone
		}

		if err := w.analyse(AnalysisInProgress); err != nil {
			return err
		}

		begun = true
		w.AnalysisID = run
		w.AnalysisErr = ""
		w, err = update(tx, w)

		return err
	})

	return w, begun, err
}

// record writes the provider's answer to the question w.AnalysisID, and puts it on record.
func (s *Service) record(ctx context.Context, tx *db.Tx, w Wallet, r screening.Result, asked time.Time) error {
	r = analysis.Sound(r)
	if err := w.analyse(Analysis(r.Status)); err != nil {
		return err
	}

	w.ScreenedAt = tx.Now

	w.AnalysisErr = r.Message
	analysis.Insert(tx, w.answered(r, asked))

	w, err := update(tx, w)
	if err != nil {
		return err
	}

	trail.Audit(ctx, tx, w.Organisation, "wallet.screen", w.ID, string(w.Analysis)+" "+r.Reference)

	return nil
}

// Decide records what one of the platform's people says of a wallet in REVIEW; any other wallet returns
// WALLET_NOT_IN_REVIEW.
//
// The first word is kept and leaves the wallet in REVIEW; a second person who says the same decides. Who says
// something else proposes that anew. The same person's second word returns SCREENING_SECOND_PERSON, and whoever got his
// role just now cannot be the second one (OPERATOR_TOO_NEW). done is called at the end of the write.
func (s *Service) Decide(
	ctx context.Context,
	walletID string,
	verdict Analysis,
	reason string,
	done func(tx *db.Tx, v ReviewedView) error,
) error {
	run := analysis.NewID(s.deps.DB.Now())

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, walletID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, w.Version); err != nil {
			return err
		}

		if err := w.inReview(); err != nil {
			return err
		}

		notSecond, err := user.CallerAsSecond(ctx, tx, user.Staff, tx.Now)
		if err != nil {
			return err
		}

		said, err := w.Review.Say(caller.Of(ctx).User, notSecond, verdict, reason)
		if err != nil {
			return err
		}

		audited := "wallet.screen.propose"
		if said.Decided() {
			audited = "wallet.screen.decide"

			if w, err = w.reviewed(tx, run, verdict); err != nil {
				return err
			}
		}

		w.Review = said
		w.ReviewedAt = tx.Now

		if w, err = update(tx, w); err != nil {
			return err
		}

		trail.Audit(ctx, tx, w.Organisation, audited, w.ID, string(verdict)+": "+reason)

		return s.finish(ctx, tx, w, func(tx *db.Tx, v View) error {
			reviews, err := reviewViews(ctx, tx, []Wallet{w})
			if err != nil {
				return err
			}

			return done(tx, ReviewedView{View: v, Review: reviews[0]})
		})
	})
}

// inReview refuses a wallet that waits for no decision.
func (w Wallet) inReview() error {
	if w.Analysis == AnalysisReview {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.WalletNotInReview,
		"The wallet's screening is %s; only REVIEW waits for a decision.",
		w.Analysis,
	)
}

// sayable refuses a verdict that a person cannot give now. notSecond is as in analysis.Proposal.Say.
func (w Wallet) sayable(who string, notSecond error, verdict Analysis) error {
	if err := w.inReview(); err != nil {
		return err
	}

	_, err := w.Review.Say(who, notSecond, verdict, "")

	return err
}

// reviewed returns a wallet whose REVIEW two people have ended, and puts their answer on record under the identifier
// run.
func (w Wallet) reviewed(tx *db.Tx, run string, verdict Analysis) (Wallet, error) {
	if err := w.analyse(verdict); err != nil {
		return w, err
	}

	w.ScreenedAt = tx.Now
	w.AnalysisID = run

	w.AnalysisErr = ""
	if verdict == AnalysisRejected {
		w.AnalysisErr = "A review rejected the address."
	}

	answer := screening.Result{Status: screening.Status(verdict), Message: w.AnalysisErr, Reference: analysis.ByPeople}

	analysis.Insert(tx, w.answered(answer, tx.Now))

	return w, nil
}

// RenewScreenings screens wallets again whose approval ends within the hour, at most limit of them, the oldest first.
// A new approval takes the place of the old one, and nobody notices; a rejection counts at once; any other answer is
// left for when the old one has ended. It returns how many were renewed; the housekeeping job calls it before
// ExpireScreenings.
func (s *Service) RenewScreenings(ctx context.Context, limit int) (int, error) {
	var where db.Where
	now := s.deps.DB.Now()
	where.And("screening_status = ?", string(AnalysisApproved))
	where.And("screened_at <= ?", db.Micros(now.Add(renewBefore-ScreeningLifetime)))
	where.And("screened_at > ?", db.Micros(now.Add(-ScreeningLifetime)))
	where.And("NOT soft_deleted")

	args := append(where.Args, int64(limit))

	rows, err := walletTable.Select(ctx, s.deps.DB, where.SQL()+" ORDER BY screened_at, id LIMIT ?", args...)
	if err != nil {
		return 0, err
	}

	renewed := 0
	for _, w := range rows {
		r, err := s.deps.Screening.Screen(ctx, w.Network, w.Address)
		if err != nil {
			continue // it is asked again at the next look
		}

		switch r.Status {
		case screening.Rejected:
			err = s.relist(ctx, w, r)
		case screening.Approved:
			err = s.renew(ctx, w, r, now)
			renewed++

		case screening.Review, screening.Error: // the old approval counts until it ends
		}

		if err != nil {
			return renewed, err
		}
	}

	return renewed, nil
}

// renew writes a new approval of a wallet that has not changed since it was seen.
func (s *Service) renew(ctx context.Context, seen Wallet, r screening.Result, asked time.Time) error {
	run := analysis.NewID(asked)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, seen.ID)
		if fault.Is(err, fault.NotFoundCode) || err == nil && w.Version != seen.Version {
			return nil
		}

		if err != nil {
			return err
		}

		w.AnalysisID = run
		w.ScreenedAt = tx.Now

		w.Review = analysis.Proposal[Analysis]{} // this approval is the provider's

		w.ReviewedAt = time.Time{}
		analysis.Insert(tx, w.answered(r, asked))

		_, err = update(tx, w)

		return err
	})
}

// answered is the record of an answer to the question w.AnalysisID.
func (w Wallet) answered(r screening.Result, asked time.Time) analysis.Record {
	return analysis.Record{
		ID:           w.AnalysisID,
		Organisation: w.Organisation,
		Kind:         analysis.Address,
		Subject:      w.Address,
		Network:      w.Network,
		Object:       w.ID,
		Purpose:      analysis.ForWallet,
		Status:       r.Status,
		Message:      r.Message,
		Reference:    r.Reference,
		AskedAt:      asked,
	}
}

// ExpireScreenings notes approvals that are a day old and has those wallets screened again, at most limit of them,
// the oldest first. It returns their number; the housekeeping job calls it until that is less than limit.
func (s *Service) ExpireScreenings(ctx context.Context, limit int) (int, error) {
	n := 0
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		var where db.Where
		where.And("screening_status = ?", string(AnalysisApproved))
		where.And("screened_at <= ?", db.Micros(tx.Now.Add(-ScreeningLifetime)))
		where.And("NOT soft_deleted")

		rows, err := walletTable.Select(
			ctx,
			tx,
			where.SQL()+" ORDER BY screened_at, id LIMIT ?",
			append(where.Args, int64(limit))...)
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

// rescreenPage is how many wallets are held against newer lists at once.
const rescreenPage = 500

// Rescreen holds every stored wallet against the lists in use, after newer ones were read: one that they name is
// REJECTED at once, one that they no longer name is screened anew. What people have decided stands. Nobody outside is
// asked, so it takes a moment even for many wallets. A second call finds nothing to do.
func (s *Service) Rescreen(ctx context.Context, lists screening.Provider) error {
	for after := ""; ; {
		var where db.Where
		where.And("id > ?", after)
		where.And("screening_status IN ('APPROVED', 'REJECTED')")
		where.And("review_decided_by = ''")
		where.And("NOT soft_deleted")

		rows, err := walletTable.Select(
			ctx,
			s.deps.DB,
			where.SQL()+" ORDER BY id LIMIT ?",
			append(where.Args, int64(rescreenPage))...)
		if err != nil || len(rows) == 0 {
			return err
		}

		after = rows[len(rows)-1].ID
		for _, w := range rows {
			r, err := lists.Screen(ctx, w.Network, w.Address)
			if err != nil {
				return err
			}

			if (r.Status == screening.Rejected) != (w.Analysis == AnalysisRejected) {
				if err := s.relist(ctx, w, r); err != nil {
					return err
				}
			}
		}
	}
}

// relist moves a wallet whose address was put on a list or taken off, unless it has moved otherwise since.
func (s *Service) relist(ctx context.Context, seen Wallet, r screening.Result) error {
	run := analysis.NewID(s.deps.DB.Now())

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, seen.ID)
		if fault.Is(err, fault.NotFoundCode) || err == nil && w.Version != seen.Version {
			return nil
		}

		if err != nil {
			return err
		}

		if r.Status == screening.Rejected {
			w.AnalysisID = run
			return s.record(ctx, tx, w, r, tx.Now)
		}

		if err := w.analyse(AnalysisPending); err != nil { // the lists say nothing against it any more; whom else may
			return err
		}

		w.AnalysisErr = ""
		if w, err = update(tx, w); err != nil {
			return err
		}

		s.enqueueScreening(tx, w)
		trail.Audit(ctx, tx, w.Organisation, "wallet.screen", w.ID, string(w.Analysis)+" "+r.Reference)

		return nil
	})
}
