package ledger

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// VerificationState is how far a verification is.
type VerificationState string

// The states of verifications.
const (
	Running VerificationState = "RUNNING" // the job reads the book
	Sound   VerificationState = "SOUND"   // it found no fault
	Unsound VerificationState = "UNSOUND" // people find out what happened
)

// Verification is a proof of the book that somebody has asked for, and its result. Only one runs at a time.
type Verification struct {
	ID, AskedBy               string
	State                     VerificationState
	Read                      int // journals so far
	Journals, Postings, Links int
	Unlinked                  int // journals that are too new for a link
	Found                     Found
	HeadAt                    time.Time // of the head that was kept outside of the database; zero: none was
	CreatedAt, EndedAt        time.Time
	Version                   int64
}

// Found is what a verification found.
type Found struct {
	Faults []string  `json:"faults"` // the first of them
	Assets []string  `json:"assets"`
	Open   []Transit `json:"open"` // the first of them
}

// Transit is what an account in transit has: a payment is under way.
type Transit struct {
	Account string `json:"account"`
	Asset   string `json:"asset"`
	Units   string `json:"units"`
}

const (
	verificationPrefix = "lvf"

	maxOpen = 200 // accounts in transit that a result lists
	steps   = 20  // that a verification's progress is written in
)

// AskVerification asks for a proof of the book and reports whether it is a new one: while one runs, there is no other.
// The caller starts the job that calls Carry.
func AskVerification(ctx context.Context, tx *db.Tx, user string) (v Verification, fresh bool, err error) {
	v, err = verifications.One(ctx, tx, "WHERE state = ?", string(Running))
	if !errors.Is(err, db.ErrNone) {
		return v, false, err
	}

	v = Verification{
		ID:        id.New(verificationPrefix, tx.Now),
		AskedBy:   user,
		State:     Running,
		CreatedAt: tx.Now,
		Version:   1,
	}
	verifications.Insert(tx, &v)

	return v, true, nil
}

// Verifications returns a page of them, newest first, and how many there are.
func Verifications(ctx context.Context, q db.Querier, page caller.Window) ([]Verification, int64, error) {
	if page.After != "" && !id.Valid(verificationPrefix, page.After) {
		return nil, 0, badCursor()
	}

	return verifications.Page(ctx, q, db.Page{Window: page})
}

// Carry carries out a verification and records what it found. It does nothing about one that has ended. After an error
// it can be called again, and begins anew.
func (w Witness) Carry(ctx context.Context, verification string) error {
	v, err := verifications.One(ctx, w.DB, "WHERE id = ?", verification)
	if errors.Is(err, db.ErrNone) || err == nil && v.State != Running {
		return nil
	}

	if err != nil {
		return err
	}

	r, err := w.Verify(ctx, func(read, all int) {
		if (read-v.Read)*steps < all && read < all {
			return
		}

		v.Read = read

		v.Journals = all
		if err := w.record(ctx, &v); err != nil {
			w.Log.Warn("progress of a verification", "verification", v.ID, "error", err.Error())
		}
	})
	if err != nil {
		return err
	}

	v.end(r, w.DB.Now())

	if v.State == Unsound {
		w.Log.Error("the books are not sound", "verification", v.ID, "faults", len(r.Faults), "first", r.Faults[0])
	}

	return w.record(ctx, &v)
}

// record writes v over the version that it was read at.
func (w Witness) record(ctx context.Context, v *Verification) error {
	next := *v
	next.Version++

	err := w.DB.Write(ctx, func(tx *db.Tx) error {
		verifications.Update(tx, &next, v.Version)
		return nil
	})
	if err == nil {
		*v = next
	}

	return err
}

func (v *Verification) end(r Report, now time.Time) {
	v.State = Sound
	if len(r.Faults) > 0 {
		v.State = Unsound
	}

	v.Read = r.Journals
	v.Journals = r.Journals
	v.Postings = r.Postings
	v.Links = r.Sealed
	v.Unlinked = r.Unsealed
	v.HeadAt = r.HeadAt
	v.EndedAt = now
	v.Found = Found{Faults: r.Faults, Assets: r.Assets}

	for _, b := range r.Open[:min(len(r.Open), maxOpen)] {
		v.Found.Open = append(v.Found.Open, Transit{string(b.Account), b.Asset, b.Units.String()})
	}
}
