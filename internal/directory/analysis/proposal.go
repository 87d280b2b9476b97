package analysis

import "slipway/internal/core/fault"

// Proposal is what the platform's people have said of a question that two of them decide. The zero value is a
// question of which nobody has said anything.
type Proposal[Verdict ~string] struct {
	Verdict    Verdict // what the first person says; empty: nobody has said anything
	ProposedBy string  // user
	DecidedBy  string  // the user who agreed; empty: a second person decides next
	Reason     string  // of the latest word
}

// Decided reports whether two people have said the same.
func (p Proposal[Verdict]) Decided() bool { return p.DecidedBy != "" }

// Say returns the proposal after one person's word. The first word proposes, and a second person who says the same
// decides. Any other word proposes anew, also of what was decided. The same word of the same person returns
// SCREENING_SECOND_PERSON and changes nothing. notSecond is returned to a person who would decide and cannot be the
// second one now (user.CallerAsSecond); nil: he can.
func (p Proposal[Verdict]) Say(
	who string, notSecond error, verdict Verdict, reason string,
) (Proposal[Verdict], error) {
	if p.Decided() || p.Verdict != verdict {
		return Proposal[Verdict]{Verdict: verdict, ProposedBy: who, Reason: reason}, nil
	}

	if p.ProposedBy == who {
		return p, fault.New(fault.Conflict, fault.ScreeningSecondPerson,
			"You have proposed %s yourself; another person has to say so too.", verdict)
	}

	if notSecond != nil {
		return p, notSecond
	}

	p.DecidedBy = who
	p.Reason = reason

	return p, nil
}
