package transaction

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/state"
)

// Pair is where a transaction stands.
type Pair struct {
	Status     Status
	Settlement SettlementStatus
}

// Way is a move of a transaction as a whole, of one or both of its statuses.
type Way struct {
	Cause string
	By    state.Actor
	To    Pair
}

// isOf reports whether an actor can make the way happen. Of what a sender does the bank tells.
func (w Way) isOf(by state.Actor) bool {
	if by == state.Sender {
		by = state.Bank
	}

	return w.By == by
}

// begunBy reports whether an action of a person makes the way happen, or is a step to it: several people may accept
// together.
func (w Way) begunBy(action string) bool {
	return action == w.Cause || action == "agree" && w.Cause == "accept"
}

// Ways returns what may happen to a transaction of a type that stands somewhere. It follows from the two tables: a
// cause that both name moves both together, and a cause that one names moves that one alone. The usual way comes first.
func Ways(kind Type, at Pair) []Way {
	statuses := TableOf(kind)
	settlements := SettlementTableOf(kind)

	var out []Way

	for _, m := range settlements.Moves(at.Settlement) {
		for _, cause := range m.Causes() {
			for _, to := range together(statuses, at.Status, cause) {
				out = append(out, Way{Cause: cause, By: settlements.Actor(cause), To: Pair{to, m.To}})
			}
		}
	}

	for _, m := range statuses.Moves(at.Status) {
		for _, cause := range m.Causes() {
			if !settlements.Names(cause) {
				out = append(out, Way{Cause: cause, By: statuses.Actor(cause), To: Pair{m.To, at.Settlement}})
			}
		}
	}

	return slices.DeleteFunc(out, func(w Way) bool { return !slices.Contains(fits[w.To.Status], w.To.Settlement) })
}

// together returns where a cause of the settlement status moves the status: along the moves that it causes, or nowhere
// if it causes none. A status that it moves only from elsewhere cannot be left, or stayed in, for that cause.
func together(statuses *state.Table[Status], from Status, cause string) []Status {
	if !statuses.Names(cause) {
		if statuses.Allows(from, from) {
			return []Status{from}
		}

		return nil
	}

	var out []Status

	for _, m := range statuses.Moves(from) {
		if slices.Contains(m.Causes(), cause) {
			out = append(out, m.To)
		}
	}

	return out
}

// Pairs returns everywhere that transactions of a type can stand, in the order in which they are reached.
func Pairs(kind Type) []Pair {
	var out []Pair

	next := []Pair{{}}
	for len(next) > 0 {
		for _, w := range Ways(kind, next[0]) {
			if !slices.Contains(out, w.To) {
				out = append(out, w.To)
				next = append(next, w.To)
			}
		}

		next = next[1:]
	}

	return out
}

// WaitsFor returns whom a transaction waits for: the settlement status says it, or else, and where those whom it names
// can do nothing yet, the status. What cannot move any more waits for nobody.
func WaitsFor(kind Type, at Pair) state.Actor {
	if len(TableOf(kind).Moves(at.Status)) == 0 {
		return state.Nobody
	}

	by := SettlementTableOf(kind).Note(at.Settlement).Waits
	if by == state.Nobody || slices.ContainsFunc(Ways(kind, at), func(w Way) bool { return w.isOf(by) }) {
		return by
	}

	return TableOf(kind).Note(at.Status).Waits
}

// Meaning returns what the two statuses mean together.
func Meaning(kind Type, at Pair) string {
	return TableOf(kind).Note(at.Status).Meaning + " " + SettlementTableOf(kind).Note(at.Settlement).Meaning
}

// ExplainView says what a transaction waits for. All of it follows from the tables of states and from what is stored.
type ExplainView struct {
	ID               string         `json:"_id"`
	Type             Type           `json:"type"`
	Status           Status         `json:"status"`
	SettlementStatus string         `json:"settlementStatus"`
	Meaning          string         `json:"meaning" doc:"where it stands, in two sentences" example:"It was decided. It was accepted, and the batch is being prepared."`
	StatusInfo       string         `json:"statusInfo,omitempty"`
	WaitsFor         WaitsView      `json:"waitsFor" doc:"who acts next"`
	Next             []WayView      `json:"next" nullable:"false" doc:"what may happen by itself, the usual first"`
	Decisions        []WayView      `json:"decisions" nullable:"false" doc:"what people may decide, the usual first; others than you, as a rule: yours are allowedActions of waitsFor"`
	Evidence         []EvidenceView `json:"evidence" nullable:"false" doc:"what is known so far, the oldest first; what has no time of its own stands last"`
	Version          int64          `json:"version"`
}

// WaitsView is whom a transaction waits for.
type WaitsView struct {
	Actor          string     `json:"actor" enum:"NOBODY,MEMBER,SENDER,PLATFORM,SLIPWAY,LIQUIDITY_PROVIDER,CHAIN,BANK" doc:"NOBODY: it is at its end"`
	For            []string   `json:"for" nullable:"false" doc:"what of theirs would move it" example:"[\"accept\"]"`
	You            bool       `json:"you" doc:"whether you can do it"`
	AllowedActions []string   `json:"allowedActions" nullable:"false"`
	Until          *time.Time `json:"until" doc:"until when; null: for as long as it takes"`
	Then           string     `json:"then,omitempty" doc:"what happens after that" example:"deposit missing"`
}

// WayView is one move that the tables allow.
type WayView struct {
	Cause            string `json:"cause" doc:"what has to happen for it" example:"final on the chain"`
	By               string `json:"by" enum:"MEMBER,SENDER,PLATFORM,SLIPWAY,LIQUIDITY_PROVIDER,CHAIN,BANK" doc:"who causes it"`
	Status           Status `json:"status" doc:"where it leads"`
	SettlementStatus string `json:"settlementStatus"`
}

// EvidenceView is something that is known about a transaction.
type EvidenceView struct {
	Kind      string     `json:"kind" enum:"STATUS,QUOTE,CHAIN,BANK,RETURN" doc:"STATUS: it was moved; QUOTE: a price was locked; CHAIN: a send of ours; BANK: an instruction or a deposit; RETURN: money came back"`
	Status    string     `json:"status,omitempty" doc:"of the move, the send, the instruction or the return"`
	Reference string     `json:"reference,omitempty" doc:"a hash on the chain, an end-to-end identification, a quote or a person" example:"0x8f3c"`
	Info      string     `json:"info,omitempty"`
	At        *time.Time `json:"at" doc:"null: it has no time of its own"`
}

// Explain says of the caller's transaction where it stands, what it waits for, and what happens next.
func (s *Service) Explain(ctx context.Context, id string) (*ExplainView, error) {
	t, shown, err := s.Show(ctx, id)
	if err != nil {
		return nil, err
	}

	at := Pair{t.Status, t.Settlement}

	v := &ExplainView{
		ID:               t.ID,
		Type:             t.Type,
		Status:           t.Status,
		SettlementStatus: string(t.Settlement),
		Meaning:          Meaning(t.Type, at),
		StatusInfo:       shown.StatusInfo,
		Next:             []WayView{},
		Decisions:        []WayView{},
		Evidence:         evidenceOf(shown),
		Version:          t.Version,
	}

	v.WaitsFor = waitsView(t, at, shown, caller.Of(ctx).Organisation == t.Organisation)
	if slices.ContainsFunc(t.Payments, Payment.WaitsAtBank) {
		v.WaitsFor.Actor = string(state.Platform)
		v.WaitsFor.For = []string{"decision at the bank"}
	}

	if shown.Stopped != nil {
		v.WaitsFor.Actor = string(state.Platform)
		v.WaitsFor.For = []string{"network goes on"}
	}

	for _, w := range Ways(t.Type, at) {
		switch {
		case w.By.Person():
			v.Decisions = append(v.Decisions, wayView(w))
		case w.To != at:
			v.Next = append(v.Next, wayView(w))
		}
	}

	return v, nil
}

func wayView(w Way) WayView {
	return WayView{
		Cause:            w.Cause,
		By:               string(w.By),
		Status:           w.To.Status,
		SettlementStatus: string(w.To.Settlement),
	}
}

// waitsView returns whom a transaction waits for, and until when.
func waitsView(t Transaction, at Pair, shown View, own bool) WaitsView {
	by := WaitsFor(t.Type, at)
	v := WaitsView{Actor: string(by), For: []string{}, AllowedActions: shown.AllowedActions}

	for _, w := range Ways(t.Type, at) {
		if w.isOf(by) && (by.Person() || w.To != at) && !slices.Contains(v.For, w.Cause) {
			v.For = append(v.For, w.Cause)
		}

		if by == state.Member && own && slices.ContainsFunc(shown.AllowedActions, w.begunBy) {
			v.You = true
		}
	}

	if t.Status != StatusWaiting {
		return v
	}

	switch {
	case !t.ExpiresAt.IsZero():
		v.Until = &t.ExpiresAt
		v.Then = "deposit missing"
	case shown.Quote != nil && shown.Quote.ExpiresAt != nil:
		v.Until = shown.Quote.ExpiresAt
		v.Then = "quoted anew"
	}

	return v
}

// evidenceOf collects what a view of a transaction knows, the oldest first.
func evidenceOf(v View) []EvidenceView {
	out := []EvidenceView{}

	for _, x := range v.Timeline {
		at := x.At
		out = append(out, EvidenceView{
			Kind:      "STATUS",
			Status:    x.Status + " " + x.SettlementStatus,
			Reference: x.Actor,
			Info:      x.Info,
			At:        &at,
		})
	}

	if v.Quote != nil {
		out = append(out, EvidenceView{Kind: "QUOTE", Reference: v.Quote.ID, At: v.Quote.LockedAt})
	}

	if v.Return != nil {
		at := v.Return.ReceivedAt
		out = append(out, EvidenceView{
			Kind:      "RETURN",
			Status:    v.Return.ReasonCode,
			Reference: v.Return.OriginalEndToEndID,
			Info:      v.Return.Amount + " " + v.Return.CurrencyIsoCode + " came back: " + v.Return.Reason,
			At:        &at,
		})
	}

	slices.SortStableFunc(out, func(a, b EvidenceView) int { return compareTimes(a.At, b.At) })

	for _, x := range v.Chain {
		out = append(out, EvidenceView{Kind: "CHAIN", Status: x.Status, Reference: x.TxHash, Info: x.Info})
	}

	for _, x := range v.Bank {
		info := strings.TrimSpace(x.Rail + " " + x.Info)
		out = append(out, EvidenceView{Kind: "BANK", Status: x.Status, Reference: x.EndToEndID, Info: info})
	}

	return out
}

// compareTimes compares two times; none is later than any.
func compareTimes(a, b *time.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}

	return a.Compare(*b)
}
