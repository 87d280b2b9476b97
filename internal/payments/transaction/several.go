package transaction

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// This file lets several people accept a transaction together, where the organisation's policy wants it
// (organisation.AcceptRule). All but one agree, and the last one accepts: nothing is held or sent before that. Each is
// one who could accept alone if no rule stood, so whoever has had a part does not count where four eyes are wanted. A
// member and his stand-in are one. What was agreed to is who is paid, where and how much: an agreement counts no more
// once that is changed, or once its author may not accept any more.

// AcceptanceView is how many people accept a transaction together, and who has agreed so far.
type AcceptanceView struct {
	People int             `json:"people" doc:"how many accept it together, by the organisation's policy" example:"3"`
	Agreed []AgreementView `json:"agreed" nullable:"false" doc:"who has agreed and still counts, the earliest first"`
}

// AgreementView is one who agrees.
type AgreementView struct {
	By  string    `json:"by" doc:"identifier of the person" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	For string    `json:"for,omitempty" doc:"identifier of the person for whom he stands in" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	At  time.Time `json:"at"`
}

// agreement is a row of the table agreements.
type agreement struct {
	transaction, user, forUser, hash string
	at                               time.Time
}

// power is whose right to accept it makes use of.
func (a agreement) power() string {
	if a.forUser != "" {
		return a.forUser
	}

	return a.user
}

// Agree records that the caller agrees to pay the transaction, where a policy wants several people to accept it. It
// moves nothing. A second call of the same person changes nothing but the time; the refusals are those of accept.
func (s *Service) Agree(ctx context.Context, transactionID string, done Done) error {
	t, err := s.stillWaits(ctx, transactionID)
	if err != nil {
		return err
	}

	if err := caller.Unchanged(ctx, t.Version); err != nil {
		return err
	}

	policy, err := organisation.PolicyOf(ctx, s.DB, t.Organisation)
	if err != nil {
		return err
	}

	if s.accepters(policy, t) == 1 {
		return fault.New(
			fault.Conflict,
			fault.AgreementNotNeeded,
			"One person is enough for this transaction: accept it.",
		)
	}

	p := caller.Of(ctx)
	by := organisation.Judged{
		FourEyes:    policy.Version,
		Payer:       organisation.AnyPolicy,
		Several:     policy.Version,
		StandsInFor: p.StandsInFor,
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		next := t
		next.Version++
		next.UpdatedAt = tx.Now

		args := organisation.GateArgs(t.Organisation, p.User, by, tx.Now)
		storeMove(tx, t, next, " AND "+organisation.AcceptGate, args...)

		if err := storeAgreement(tx, agreement{t.ID, p.User, p.StandsInFor, t.PaymentsHash(), tx.Now}); err != nil {
			return err
		}

		s.recalled.dropSubmitted(tx, t.ID)

		if err := s.record(ctx, tx, next, "agreed"); err != nil {
			return err
		}

		if p.StandsInFor != "" {
			trail.Audit(ctx, tx, t.Organisation, "transaction.agreed_for", t.ID, p.StandsInFor)
		}

		return done(tx, next)
	})
	if overtaken(err) {
		if _, err = s.stillWaits(ctx, t.ID); err == nil {
			err = changedMeanwhile()
		}
	}

	return err
}

// accepters returns how many people the policy wants for a transaction. One that nobody accepts needs none.
func (s *Service) accepters(p organisation.Policy, t Transaction) int {
	if s.Kinds[t.Type].Traits().Accepted == "" {
		return 1
	}

	return p.Accepters(string(t.Type), t.sums(), t.DebitAmount())
}

// EnoughAccept returns the version of a policy by which enough people accept the transaction with the caller, or the refusal.
// Ask it inside of the write that accepts: a member who was shut out before counts no more. It reads the database only
// where the policy has rules about that. If the caller's token is older than the policy, accept's statement refuses.
func (s *Service) EnoughAccept(ctx context.Context, tx *db.Tx, t Transaction) (int64, error) {
	if !caller.Of(ctx).SeveralAccept {
		return 0, nil
	}

	return s.enoughVersion(ctx, tx, t)
}

func (s *Service) enoughVersion(ctx context.Context, q db.Querier, t Transaction) (int64, error) {
	policy, err := organisation.PolicyOf(ctx, q, t.Organisation)
	if err != nil {
		return 0, err
	}

	people := s.accepters(policy, t)
	if people == 1 {
		return policy.Version, nil
	}

	all, err := s.agreed(ctx, q, policy, t)
	if err != nil {
		return 0, err
	}

	if others := countOthers(all[t.ID], caller.Of(ctx)); others+1 < people {
		return 0, fault.New(
			fault.Forbidden,
			fault.MorePeopleRequired,
			"Your organisation wants %d people to accept such a transaction together; %d besides you have agreed to this "+
				"one so far. All but the last one agree.",
			people,
			others,
		)
	}

	return policy.Version, nil
}

// countOthers counts those who have agreed besides the caller, and besides the member for whom he stands in.
func countOthers(all []agreement, p caller.Principal) int {
	own := agreement{user: p.User, forUser: p.StandsInFor}

	var powers []string

	for _, a := range all {
		if a.user != p.User && a.power() != own.power() && !slices.Contains(powers, a.power()) {
			powers = append(powers, a.power())
		}
	}

	return len(powers)
}

// agreed returns the agreements to transactions of one organisation that still count, by transaction, the earliest first.
// It reads each person once.
func (s *Service) agreed(
	ctx context.Context,
	q db.Querier,
	policy organisation.Policy,
	all ...Transaction,
) (map[string][]agreement, error) {
	out := map[string][]agreement{}
	known := map[[2]string]bool{}

	stored, err := agreementsTo(ctx, q, all)
	if err != nil {
		return nil, err
	}

	for _, t := range all {
		hash := ""

		for _, a := range stored[t.ID] {
			who := [2]string{a.user, a.forUser}

			may, asked := known[who]
			if !asked {
				if may, err = s.mayAcceptNow(ctx, q, t.Organisation, a); err != nil {
					return nil, err
				}

				known[who] = may
			}

			if hash == "" {
				hash = t.PaymentsHash()
			}

			if may && a.hash == hash && !a.excluded(policy, t) {
				out[t.ID] = append(out[t.ID], a)
			}
		}
	}

	return out, nil
}

// excluded reports whether the policy wants another one than the author of an agreement, who has had a part.
func (a agreement) excluded(policy organisation.Policy, t Transaction) bool {
	touched := t.touchedBy(caller.Principal{User: a.user, StandsInFor: a.forUser})

	return touched && !policy.OnePersonPays(t.sums(), t.DebitAmount())
}

// mayAcceptNow reports whether the author of an agreement is one who accepts.
func (s *Service) mayAcceptNow(ctx context.Context, q db.Querier, organisationID string, a agreement) (bool, error) {
	m, err := organisation.MemberOf(ctx, q, organisationID, a.user)
	if err == nil {
		err = organisation.MayAccept(ctx, q, m, a.forUser, s.DB.Now())
	}

	if _, refused := fault.As(err); refused {
		return false, nil
	}

	return err == nil, err
}

// addAgreed adds to each view that waits for acceptance who has agreed, and changes accept into agree where more people
// are needed first. It reads nothing where the policy has no rules about that.
func (s *Service) addAgreed(ctx context.Context, q db.Querier, views []View, all []Transaction) error {
	p := caller.Of(ctx)
	if !p.SeveralAccept {
		return nil
	}

	policy, err := organisation.PolicyOf(ctx, q, p.Organisation)
	if err != nil {
		return err
	}

	var waiting []Transaction

	for _, t := range all {
		if t.Status == StatusWaiting && t.Organisation == p.Organisation && s.accepters(policy, t) > 1 {
			waiting = append(waiting, t)
		}
	}

	agreed, err := s.agreed(ctx, q, policy, waiting...)
	if err != nil {
		return err
	}

	for i, t := range all {
		if slices.ContainsFunc(waiting, func(w Transaction) bool { return w.ID == t.ID }) {
			views[i].showAgreed(s.accepters(policy, t), agreed[t.ID], p)
		}
	}

	return nil
}

// showAgreed shows who has agreed. The caller accepts where enough others have, and else agrees, once.
func (v *View) showAgreed(people int, agreed []agreement, p caller.Principal) {
	v.Acceptance = &AcceptanceView{People: people, Agreed: []AgreementView{}}
	mine := false

	for _, a := range agreed {
		v.Acceptance.Agreed = append(v.Acceptance.Agreed, AgreementView{By: a.user, For: a.forUser, At: shown(a.at)})
		mine = mine || a.user == p.User
	}

	at := slices.Index(v.AllowedActions, "accept")
	if at < 0 || countOthers(agreed, p)+1 >= people {
		return
	}

	v.AllowedActions = slices.Delete(v.AllowedActions, at, at+1)
	if !mine {
		v.AllowedActions = append(v.AllowedActions, "agree")
	}
}
