package organisation

import (
	"context"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// longestStandIn is how long one member may stand in for another at a time: a long leave, and not for ever.
const longestStandIn = 93 * 24 * time.Hour

// StandIn lets a member accept transactions for another one for a time. It passes on what the other one may do himself
// and no more: nothing that either of the two has had a part in, as the policy says it, and nobody passes on what was
// passed on to him. It is a person's, and not that of his API clients. The zero value is none.
type StandIn struct {
	For   string    `json:"for"` // the other member
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// runsAt reports whether it holds at a time.
func (s StandIn) runsAt(now time.Time) bool {
	return s.For != "" && !now.Before(s.From) && now.Before(s.Until)
}

// line describes it for the audit log.
func (s StandIn) line() string {
	if s.For == "" {
		return "for nobody"
	}

	return "for " + s.For + " from " + s.From.UTC().Format(
		time.RFC3339,
	) + " until " + s.Until.UTC().Format(
		time.RFC3339,
	)
}

// equal reports whether two are the same.
func (s StandIn) equal(other StandIn) bool {
	return s.For == other.For && s.From.Equal(other.From) && s.Until.Equal(other.Until)
}

// StandInView is for whom a member accepts, in answers and in requests.
type StandInView struct {
	Member string `json:"member" maxLength:"64" doc:"identifier of the member for whom he accepts" example:"mem_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	From   string `json:"from" maxLength:"40" doc:"from this date-time on" example:"2026-12-20T00:00:00.000Z"`
	Until  string `json:"until" maxLength:"40" doc:"until this date-time, at most 93 days after from" example:"2027-01-06T00:00:00.000Z"`
}

// standIn returns what a request asks for; null asks for none.
func (v *StandInView) standIn(l *fault.List) *StandIn {
	if v == nil {
		return nil
	}

	if *v == (StandInView{}) {
		return &StandIn{}
	}

	moment := func(name, s string) time.Time {
		at, err := day.ParseTime(s)
		if err != nil {
			l.Add("/standsIn/"+name, fault.FormatInvalid, "must be a date-time such as 2026-12-20T00:00:00Z.")
		}

		return at.UTC()
	}

	return &StandIn{For: v.Member, From: moment("from", v.From), Until: moment("until", v.Until)}
}

// standInView shows for whom a member accepts now or later, or nil.
func standInView(s StandIn, now time.Time) *StandInView {
	if s.For == "" || !now.Before(s.Until) {
		return nil
	}

	at := func(t time.Time) string { return user.Shown(t).UTC().Format("2006-01-02T15:04:05.000Z07:00") }

	return &StandInView{Member: s.For, From: at(s.From), Until: at(s.Until)}
}

// checkStandIn refuses a stand-in that could not accept anything, that is too long, or that the member asks for
// himself. One that nobody changes is left alone.
func checkStandIn(ctx context.Context, q db.Querier, before, m Member, self bool, now time.Time) error {
	s := m.StandsIn
	if s.For == "" || s.equal(before.StandsIn) && m.UserType == before.UserType {
		return nil
	}

	var l fault.List

	switch {
	case self:
		l.Add("/standsIn", fault.NotAllowed, "cannot be set by the member himself; another admin does it.")
	case m.UserType == Authorized:
		l.Add("/standsIn", fault.NotAllowed, "is for a member who does not accept himself: this one does.")
	}

	switch {
	case !s.From.Before(s.Until):
		l.Add("/standsIn/until", fault.OutOfRange, "must be after from.")
	case !now.Before(s.Until):
		l.Add("/standsIn/until", fault.OutOfRange, "must be in the future.")
	case s.Until.Sub(s.From) > longestStandIn:
		l.Add(
			"/standsIn/until",
			fault.OutOfRange,
			"must be at most %d days after from.",
			int(longestStandIn.Hours()/24),
		)
	}

	other, err := memberByID(ctx, q, m.Organisation, s.For)
	if err != nil && !fault.Is(err, fault.NotFoundCode) {
		return err
	}

	if err != nil || other.MayAccept() != nil {
		l.Add("/standsIn/member", fault.NotAllowed, "must be a member who accepts transactions himself.")
	}

	return l.Err()
}

// MayAccept returns nil if a member may accept transactions now, himself or for another member, else the refusal.
// standsInFor is the user for whom the request was judged to stand in, or "".
func MayAccept(ctx context.Context, q db.Querier, m Member, standsInFor string, now time.Time) error {
	refusal := m.MayAccept()
	if refusal == nil || standsInFor == "" || !m.IsActive || !m.StandsIn.runsAt(now) {
		return refusal
	}

	other, err := memberByID(ctx, q, m.Organisation, m.StandsIn.For)
	if err != nil || other.User != standsInFor || other.MayAccept() != nil {
		return refusal
	}

	u, err := user.ByID(ctx, q, other.User)
	if err == nil && !u.IsActive {
		err = refusal
	}

	return err
}

// standInChange describes a change of a stand-in as a value of words.Phrase, or "" for none. What is over is none.
func standInChange(before, next Member, name string) string {
	switch {
	case before.StandsIn.equal(next.StandsIn):
		return ""
	case next.StandsIn.For == "":
		return words.Phrase("accepts for nobody else any more")
	}

	return words.Phrase("accepts for %[1]s from %[2]s until %[3]s", name,
		words.When(next.StandsIn.From), words.When(next.StandsIn.Until))
}

// standInText is the sentence about a stand-in, for people.
func standInText(s StandIn, name string, now time.Time) string {
	if standInView(s, now) == nil {
		return ""
	}

	const at = "2 January 2006 15:04 UTC"

	return "Accepts for " + name + " from " + s.From.UTC().Format(at) + " until " + s.Until.UTC().Format(at) +
		". While payments need a second person, not what either of the two has had a part in."
}
