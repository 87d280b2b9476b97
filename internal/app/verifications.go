package app

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
)

// jobProve is the job that proves the book. It has a runner of its own: a long book takes longer than other jobs may.
const jobProve = "ledger-verification"

const (
	proveLimit = 2 * time.Hour   // how long a proof of the book may take
	provePoll  = 5 * time.Second // another process has asked for one
)

// proofView is a verification of the book as operators see it.
type proofView struct {
	ID       string                   `json:"_id" example:"lvf_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	State    ledger.VerificationState `json:"state" enum:"RUNNING,SOUND,UNSOUND" doc:"RUNNING: a job reads the book. SOUND: no fault was found. UNSOUND: people find out what happened"`
	AskedBy  string                   `json:"askedBy" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"who has asked for it"`
	Name     string                   `json:"askedByName,omitempty" example:"Olga Keller" doc:"what that person is called"`
	Read     int                      `json:"journalsRead" example:"1500" doc:"journals that were read so far"`
	Journals int                      `json:"journals" example:"1842" doc:"journals of the book; 0 before reading begins"`
	Postings int                      `json:"postings" example:"7311" doc:"known at the end, like what follows"`
	Links    int                      `json:"links" example:"1842" doc:"in the chain of hashes"`
	Unlinked int                      `json:"unlinked" example:"0" doc:"journals that are too new for a link"`
	Assets   []string                 `json:"assets" nullable:"false" example:"[\"EUR\",\"USDC\"]" doc:"that the book has"`
	Open     []postingView            `json:"open" nullable:"false" doc:"what is under way: no fault. At most 200"`
	Faults   []string                 `json:"faults" nullable:"false" example:"[\"link 17 does not follow from the one before it\"]" doc:"the first 50"`
	HeadAt   *time.Time               `json:"headAt,omitempty" doc:"when the head was kept outside of the database that the book was compared with; null: none was, so what was cut off cannot be seen"`

	CreatedAt time.Time  `json:"createdAt" doc:"when it was asked for"`
	EndedAt   *time.Time `json:"endedAt,omitempty" doc:"when it ended; null: it runs"`
}

type proofsIn struct{ web.Paging }

// buildProofs builds the runner that proves the book when operators ask for it.
func (a *App) buildProofs() {
	a.Proofs = jobs.New(a.DB, a.Log, jobs.Config{
		Replica: a.Replica,
		Only:    []string{jobProve},
		Workers: 1,
		Poll:    provePoll,
		Lease:   proveLimit,
	})
	a.Proofs.Handle(jobProve, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.book().Carry(ctx, j.Payload)
	})
}

func (a *App) verificationRoutes(
	api *web.API,
	op func(method, path, id, summary, description string, codes ...fault.Code) web.Operation,
) {
	web.Register(api, op(
		"GET",
		"/verifications",
		"listLedgerVerifications",
		"List the proofs of the book that were asked for, and what they found",
		"The newest come first. `slipway ledger verify` does the same and leaves no record.",
	), a.listProofs)

	ask := op(
		"POST",
		"/verifications",
		"verifyLedger",
		"Prove the book",
		"A job reads the whole book at one moment: every journal sums to zero and is as it was written, by this "+
			"service; the chain of hashes is complete and has the head that was kept outside of the database; no account "+
			"is below its floor. While one runs, it is the answer.",
	)
	ask.Status = 202
	web.Register(api, ask, a.askProof)
}

func (a *App) listProofs(ctx context.Context, in *proofsIn) (*web.List[proofView], error) {
	return web.ListOf(ctx, a.DB, in.Paging,
		func(q db.Querier, page caller.Window) ([]ledger.Verification, int64, error) {
			return ledger.Verifications(ctx, q, page)
		},
		func(v ledger.Verification) string { return v.ID },
		func(q db.Querier, rows []ledger.Verification) ([]proofView, error) { return proofViews(ctx, q, rows) },
	)
}

func (a *App) askProof(ctx context.Context, _ *struct{}) (*proofView, error) {
	view := func(v proofView) proofView { return v }

	return web.Once(ctx, 202, view, func(done func(*db.Tx, proofView) error) error {
		return a.DB.Write(ctx, func(tx *db.Tx) error {
			v, fresh, err := ledger.AskVerification(ctx, tx, caller.Of(ctx).User)
			if err != nil {
				return err
			}

			if fresh {
				a.Proofs.Enqueue(tx, jobProve, v.ID, v.ID)
				trail.Audit(ctx, tx, "", "ledger.verify", v.ID, "")
			}

			views, err := proofViews(ctx, tx, []ledger.Verification{v})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}

// proofViews shows verifications with the names of who asked, and amounts in whole units.
func proofViews(ctx context.Context, q db.Querier, rows []ledger.Verification) ([]proofView, error) {
	var askers []string

	var open []ledger.Line

	for _, v := range rows {
		askers = append(askers, v.AskedBy)
		for _, x := range v.Found.Open {
			open = append(open, ledger.Line{Account: x.Account, Asset: x.Asset, Units: x.Units})
		}
	}

	names, err := user.NamesOf(ctx, q, askers...)
	if err != nil {
		return nil, err
	}

	lines, err := postingViews(ctx, q, "", open)
	if err != nil {
		return nil, err
	}

	out := make([]proofView, len(rows))
	for i, v := range rows {
		out[i] = proofViewOf(v)
		out[i].Name = names(v.AskedBy)
		out[i].Open = lines[:len(v.Found.Open):len(v.Found.Open)]
		lines = lines[len(v.Found.Open):]
	}

	return out, nil
}

// proofViewOf shows a verification without names and amounts.
func proofViewOf(v ledger.Verification) proofView {
	return proofView{
		ID:        v.ID,
		State:     v.State,
		AskedBy:   v.AskedBy,
		Read:      v.Read,
		Journals:  v.Journals,
		Postings:  v.Postings,
		Links:     v.Links,
		Unlinked:  v.Unlinked,
		Assets:    append([]string{}, v.Found.Assets...),
		Faults:    append([]string{}, v.Found.Faults...),
		HeadAt:    momentOrNil(v.HeadAt),
		CreatedAt: v.CreatedAt.Truncate(time.Millisecond),
		EndedAt:   momentOrNil(v.EndedAt),
	}
}

// momentOrNil returns a time as the interface shows it; nil for none.
func momentOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}

	t = t.Truncate(time.Millisecond)

	return &t
}
