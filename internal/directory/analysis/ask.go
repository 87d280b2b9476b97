package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
	"slipway/internal/rails/screening"
)

// Party is an address or a name that somebody is to be paid at or by.
type Party struct {
	Pointer          string // JSON pointer of the field it stands in, for the refusal
	Network, Address string
	Name             string
	Written          []string // the name as others will have it, such as the bank: it is screened as that, too
}

// Inquiry is a question about everybody whom a record names.
type Inquiry struct {
	Organisation string
	Object       string // the record
	// a hash over what Parties gives, so that a changed record is asked about anew; empty: nothing is remembered of
	// the whole
	Content string
	Purpose Purpose
	Parties func() ([]Party, error) // called only when nothing fresh is known
}

// Finding is a party that is not approved.
type Finding struct {
	Party
	Status  screening.Status
	Message string
	Case    string // the case in which people decide, of a name
	Down    bool   // nobody could be asked: asking again may help
}

// Outcome is what was found. Without findings everybody is approved.
type Outcome struct {
	Findings []Finding
	edition  string
	since    time.Time // of the oldest answer that was used
	hits     bool      // a name was like a listed one, cleared or not
}

// Clear reports whether everybody is approved.
func (o Outcome) Clear() bool { return len(o.Findings) == 0 }

// Rejected reports whether somebody must not be dealt with, as opposed to a question that is open.
func (o Outcome) Rejected() bool {
	for _, f := range o.Findings {
		if f.Status == screening.Rejected {
			return true
		}
	}

	return false
}

// Why is all findings in a sentence each.
func (o Outcome) Why() string {
	var out []string
	for _, f := range o.Findings {
		out = append(out, f.sentence())
	}

	const limit = 500
	text := []rune("Screening: " + strings.Join(out, " "))

	return string(text[:min(len(text), limit)])
}

func (f Finding) sentence() string {
	if f.Address != "" {
		return f.Address + ": " + f.Message
	}

	return f.Message
}

// Err is the refusal for whoever asked: 422 with every party that is not approved beside its field, or 503 when all
// that is wrong is that nobody could be asked. nil when everybody is approved.
func (o Outcome) Err() error {
	var l fault.List

	down := false
	for _, f := range o.Findings {
		code := fault.AddressNotScreened
		switch {
		case f.Down:
			down = true
			continue
		case f.Address != "" && f.Status == screening.Rejected:
			code = fault.ScreeningRejected
		case f.Name != "" && f.Status == screening.Rejected:
			code = fault.NameRejected
		case f.Name != "":
			code = fault.NameInReview
		}

		l.Add(f.Pointer, code, "%s", f.sentence())
	}

	if err := l.Err(); err != nil || !down {
		return err
	}

	return fault.New(
		fault.Unavailable,
		fault.UpstreamFailed,
		"Not everybody who is paid could be screened at the moment; nothing was changed.",
	)
}

// Ask returns what screening says of everybody whom a record names. Everything that is asked is on record when it
// returns; where a fresh answer is known, nothing is asked, read or written. It asks outside and so runs outside of
// every write. An error means that the answer could not be recorded, and so that there is none.
func (s *Service) Ask(ctx context.Context, in Inquiry) (Outcome, error) {
	edition := s.edition()

	now := s.DB.Now()
	if in.Content != "" {
		if since, found := s.cleared.Find(in.key(edition)); s.reusable(in, since, found, now) {
			return Outcome{edition: edition, since: since}, nil
		}
	}

	parties, err := in.Parties()
	if err != nil {
		return Outcome{}, err
	}

	q := asking{
		s:       s,
		in:      in,
		now:     now,
		found:   map[string]int{},
		outcome: Outcome{edition: edition, since: now},
	}
	for _, p := range parties {
		if err := q.ask(ctx, p); err != nil {
			return Outcome{}, err
		}
	}

	if err := q.keep(ctx); err != nil {
		return Outcome{}, fmt.Errorf("record the screening of %s: %w", in.Object, err)
	}

	s.Remember(in, q.outcome)

	return q.outcome, nil
}

// Remember lets what was just answered about everybody in an inquiry be used again under the content that the record
// has got since. Only an outcome without findings, cleared ones included, is remembered: about those people may
// change their minds.
func (s *Service) Remember(in Inquiry, o Outcome) {
	if in.Content != "" && o.Clear() && !o.hits && !o.since.IsZero() {
		s.cleared.Keep(in.key(o.edition), o.since)
	}
}

func addressKey(p Party, edition string) string {
	return p.Network + "/" + strings.ToLower(p.Address) + "/" + edition
}

// nameKey tells names apart that are read differently, however alike they are when folded.
func nameKey(p Party, edition string) string {
	key := "name/" + screening.Readings(p.Name)
	for _, form := range p.forms() {
		key += "/" + screening.Readings(form)
	}

	return key + "/" + edition
}

// forms returns what is compared besides the name: how it is written elsewhere, where that is read differently.
func (p Party) forms() []string {
	var out []string

	for _, form := range p.Written {
		if screening.Readings(form) != screening.Readings(p.Name) {
			out = append(out, form)
		}
	}

	return out
}

func (in Inquiry) key(edition string) string { return in.Object + "/" + in.Content + "/" + edition }

// reusable reports whether an approval that was found may stand for a new answer. At accept and before sending it may
// not where somebody outside is asked, an oracle: he may have another answer by now, and no edition tells of it.
func (s *Service) reusable(in Inquiry, since time.Time, found bool, now time.Time) bool {
	last := in.Purpose == ForAccept || in.Purpose == ForSending
	return s.fresh(since, found, now) && !(last && screening.AsksElsewhere(s.Addresses))
}

// fresh reports whether an answer that was found may be used at a time.
func (s *Service) fresh(since time.Time, found bool, now time.Time) bool {
	return found && now.Before(since.Add(s.Rules.Reuse))
}

// asking is one inquiry under way.
type asking struct {
	s       *Service
	in      Inquiry
	now     time.Time
	found   map[string]int // by key: the number of its finding, from 1; 0: approved
	records []Record
	cases   []Case
	pass    []string
	outcome Outcome
}

func (q *asking) ask(ctx context.Context, p Party) error {
	if p.Address != "" {
		if err := q.address(ctx, p); err != nil {
			return err
		}
	}

	if p.Name == "" || q.s.Names == nil {
		return nil
	}

	p.Network = ""
	p.Address = ""

	return q.name(ctx, p)
}

// once reports whether a key is asked about for the first time in this inquiry and there is no fresh answer. What was
// found of it before in this inquiry is told of each field in which it stands.
func (q *asking) once(key string, p Party, lasting bool) bool {
	if n, asked := q.found[key]; asked {
		if n > 0 {
			f := q.outcome.Findings[n-1]
			f.Party = p
			q.outcome.Findings = append(q.outcome.Findings, f)
		}

		return false
	}

	q.found[key] = 0

	since, found := q.s.passed.Find(key)
	if !found {
		return true
	}

	if lasting { // a name is compared with the same lists only once
		return false
	}

	if q.s.reusable(q.in, since, true, q.now) {
		if since.Before(q.outcome.since) {
			q.outcome.since = since
		}

		return false
	}

	return true
}

func (q *asking) finding(key string, f Finding) {
	q.outcome.Findings = append(q.outcome.Findings, f)
	q.found[key] = len(q.outcome.Findings)
}

func (q *asking) address(ctx context.Context, p Party) error {
	p.Name = ""

	key := addressKey(p, q.outcome.edition)
	if !q.once(key, p, false) {
		return nil
	}

	r := q.record(Address, p.Address)
	r.Network = p.Network
	result, err := q.s.Addresses.Screen(ctx, p.Network, p.Address)

	down := err != nil
	if down {
		q.s.Log.WarnContext(ctx, "screening failed", "object", q.in.Object, "network", p.Network, "error", err.Error())
		result = screening.Result{Status: screening.Error, Message: "The screening provider did not answer."}
	}

	result = Sound(result)
	r.Status = result.Status
	r.Message = result.Message
	r.Reference = result.Reference
	q.note(key, r)

	switch result.Status {
	case screening.Approved:
		q.pass = append(q.pass, key)
		return nil

	case screening.Review:
		q.outcome.hits = true

		approved, err := approvedByPeople(ctx, q.s.DB, r, q.now.Add(-DecisionLifetime))
		if err != nil || approved {
			return err
		}

	case screening.Rejected, screening.Error: // nobody decides these
	}

	q.finding(key, Finding{Party: p, Status: result.Status, Message: result.Message, Down: down})

	return nil
}

// note puts an answer on record. One that is given again and again, while a transaction waits, is so once for each
// quarter of an hour, or whatever the rules say.
func (q *asking) note(key string, r Record) {
	if r.Status != screening.Approved || len(r.Hits) > 0 {
		key = "said/" + q.in.Object + "/" + string(r.Status) + "/" + key
		if since, found := q.s.passed.Find(key); q.s.fresh(since, found, q.now) {
			return
		}

		q.pass = append(q.pass, key)
	}

	q.records = append(q.records, r)
}

// Sound returns a provider's answer as it counts: a status that is not one of the known is an error, since it must not
// count as approval.
func Sound(r screening.Result) screening.Result {
	switch r.Status {
	case screening.Approved:
		r.Message = ""
	case screening.Review, screening.Rejected, screening.Error:
	default:
		r.Message = fmt.Sprintf("The screening provider answered %q.", r.Status)
		r.Status = screening.Error
	}

	return r
}

func (q *asking) record(kind Kind, subject string) Record {
	return Record{
		ID:           NewID(q.now),
		Organisation: q.in.Organisation,
		Kind:         kind,
		Subject:      subject,
		Object:       q.in.Object,
		Purpose:      q.in.Purpose,
		AskedAt:      q.now,
	}
}

func (q *asking) name(ctx context.Context, p Party) error {
	folded := text.Fold(p.Name)

	key := nameKey(p, q.outcome.edition)
	if screening.Readings(p.Name) == "" || !q.once(key, p, true) {
		return nil
	}

	r := q.record(Name, p.Name)
	r.Reference = q.s.Names.Edition()

	hits, err := q.s.match(p)
	if err != nil {
		q.s.Log.WarnContext(ctx, "screening of a name failed", "object", q.in.Object, "error", err.Error())
		again := !errors.Is(err, screening.ErrLetters)
		r.Status = screening.Error

		r.Message = "The name could not be screened."
		if !again {
			r.Message = fmt.Sprintf("%q cannot be held against the sanctions lists; write it in Latin letters.", p.Name)
		}

		q.note(key, r)
		q.finding(key, Finding{Party: p, Status: r.Status, Message: r.Message, Down: again})

		return nil
	}

	if len(hits) == 0 {
		r.Status = screening.Approved
		q.note(key, r)
		q.pass = append(q.pass, key)

		return nil
	}

	q.outcome.hits = true
	r.Hits = hits

	found, err := q.applyDecisions(ctx, p, folded, hits)
	if err != nil {
		return err
	}

	r.Status = screening.Approved
	if found != nil {
		r.Status = found.Status
		r.Message = found.Message
		q.finding(key, *found)
	}

	q.note(key, r)

	return nil
}

// match returns the listed parties that a name is like, as it stands or as others will have it, best first.
func (s *Service) match(p Party) ([]screening.Hit, error) {
	hits, err := s.Names.Match(p.Name, s.Rules.Review)
	if err != nil {
		return nil, err
	}

	for _, form := range p.forms() {
		more, err := s.Names.Match(form, s.Rules.Review)
		if err != nil {
			return nil, err
		}

		for _, hit := range more {
			at := slices.IndexFunc(hits, func(h screening.Hit) bool { return h.Key == hit.Key })

			switch {
			case at < 0:
				hits = append(hits, hit)
			case hits[at].Score < hit.Score:
				hits[at] = hit
			}
		}
	}

	slices.SortStableFunc(hits, func(a, b screening.Hit) int { return b.Score - a.Score })

	return hits[:min(len(hits), screening.HitLimit)], nil
}

// casesAtOnce bounds the cases of one name that wait for people at a time. Further listed names that it is like come
// after them.
const casesAtOnce = 10

// applyDecisions compares hits with what people have decided about them. A hit without a decision opens a case. It
// returns the worst finding; nil when all hits were cleared and there can be no more.
func (q *asking) applyDecisions(ctx context.Context, p Party, folded string, hits []screening.Hit) (*Finding, error) {
	known, err := casesOf(ctx, q.s.DB, q.in.Organisation, folded)
	if err != nil {
		return nil, err
	}

	var worst *Finding

	blocking := 0
	for _, hit := range hits {
		c, exists := known[hit.Key]
		if !exists {
			if blocking >= casesAtOnce {
				continue
			}

			c = newCase(q.in, folded, p.Name, hit, q.now)
			q.cases = append(q.cases, c)
		}

		f := Finding{Party: p, Status: screening.Review, Case: c.ID}
		switch {
		case c.Status == CaseCleared:
			continue
		case c.Status == CaseConfirmed:
			f.Status = screening.Rejected
			f.Message = fmt.Sprintf("%q is a party on a sanctions list (case %s).", p.Name, c.ID)
		case hit.Score >= q.s.Rules.Reject && !hit.Weak:
			f.Status = screening.Rejected
			f.Message = fmt.Sprintf("%q stands on a sanctions list (case %s).", p.Name, c.ID)

		default:
			f.Message = fmt.Sprintf(
				"%q is like a name on a sanctions list; people look whether it is the same party (case %s).",
				p.Name,
				c.ID,
			)
		}

		blocking++

		if worst == nil || worst.Status != screening.Rejected && f.Status == screening.Rejected {
			worst = &f
		}
	}

	if worst == nil && len(hits) >= screening.HitLimit {
		worst = &Finding{
			Party:  p,
			Status: screening.Review,
			Message: fmt.Sprintf(
				"%q is like more names on sanctions lists than can be told apart; write the whole name.",
				p.Name,
			),
		}
	}

	return worst, nil
}

// keep puts on record what was asked, and remembers what was approved.
func (q *asking) keep(ctx context.Context) error {
	if len(q.records) == 0 && len(q.cases) == 0 {
		return nil
	}

	err := q.s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, r := range q.records {
			Insert(tx, r)
		}

		for _, c := range q.cases {
			insertNewCase(tx, c)
		}

		return nil
	})
	if err != nil {
		return err
	}

	for _, key := range q.pass {
		q.s.passed.Keep(key, q.now)
	}

	return nil
}
