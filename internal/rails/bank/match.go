package bank

import (
	"context"
	"fmt"
	"strings"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// The kinds of evidence in bank_matches.
const (
	evidenceBooked   = "BOOKED"
	evidenceReturned = "RETURNED"
)

// settling is one write that gives movements their meaning: it knows the payouts they may belong to and gathers what changes.
type settling struct {
	r       *Rail
	tx      *db.Tx
	byEnd   map[string]*payoutRow // by end-to-end identification
	byUETR  map[string]*payoutRow
	was     map[string]State // of payouts, by id, as they were read
	blocks  map[string][]*payoutRow
	touched map[string]bool
	waiting map[string]string // by payout: the return that came before its debit
	files   []string          // that are proven to have arrived
	matched int64

	credited, debited []Entry
}

// begin reads the payouts that some movements may belong to, in few questions.
func (r *Rail) begin(ctx context.Context, tx *db.Tx, moves []Entry) (*settling, error) {
	s := &settling{r: r, tx: tx, byEnd: map[string]*payoutRow{}, byUETR: map[string]*payoutRow{}, was: map[string]State{}, blocks: map[string][]*payoutRow{},
		touched: map[string]bool{}, waiting: map[string]string{}, credited: make([]Entry, 0, len(moves))}
	var ends, uetrs []string
	blocks := map[string]bool{}
	for _, m := range moves {
		switch _, _, block := ofBlock(m.PaymentInfoID); {
		case mayBeOurs(m.EndToEndID):
			ends = append(ends, m.EndToEndID)
		case mayBeOurUETR(m.UETR):
			uetrs = append(uetrs, m.UETR)
		case block && !m.Credit:
			blocks[m.PaymentInfoID] = true
		}
	}
	for _, q := range []struct {
		column string
		values []string
	}{{"end_to_end_id", ends}, {"uetr", uetrs}} {
		if len(q.values) == 0 {
			continue
		}
		var w db.Where
		db.In(&w, q.column, q.values)
		rows, err := payouts(ctx, tx, strings.TrimPrefix(w.SQL(), " "), w.Args...)
		if err != nil {
			return nil, err
		}
		s.add(rows)
	}
	for b := range blocks {
		if err := s.readBlock(ctx, b); err != nil {
			return nil, err
		}
	}
	return s, s.readWaiting(ctx)
}

// readWaiting reads which of the payouts have a return that waits for their debit.
func (s *settling) readWaiting(ctx context.Context) error {
	if len(s.was) == 0 {
		return nil
	}
	ids := make([]string, 0, len(s.was))
	for id := range s.was {
		ids = append(ids, id)
	}
	var w db.Where
	w.And("kind = ? AND NOT settled", evidenceReturned)
	db.In(&w, "payout_id", ids)
	type match struct{ payout, movement string }
	rows, err := db.Select(ctx, s.tx, func(m *match) []any { return []any{&m.payout, &m.movement} }, "SELECT payout_id, movement FROM bank_matches"+w.SQL(), w.Args...)
	for _, m := range rows {
		s.waiting[m.payout] = m.movement
	}
	return err
}

func (s *settling) add(rows []payoutRow) []*payoutRow {
	out := make([]*payoutRow, len(rows))
	for i := range rows {
		p := &rows[i]
		if known := s.byEnd[p.EndToEndID]; known != nil {
			p = known
		} else {
			s.byEnd[p.EndToEndID], s.byUETR[p.UETR], s.was[p.ID] = p, p, p.State
		}
		out[i] = p
	}
	return out
}

// readBlock reads the payouts of a PmtInfId of ours.
func (s *settling) readBlock(ctx context.Context, paymentInfo string) error {
	message, charges, _ := ofBlock(paymentInfo)
	files, err := filesByMessage(ctx, s.tx, []string{message})
	if err != nil || len(files) == 0 {
		return err
	}
	rows, err := payouts(ctx, s.tx, inFile+" AND charges = ? ORDER BY id", files[0].ID, charges)
	s.blocks[paymentInfo] = s.add(rows)
	return err
}

// settle gives one movement its meaning.
func (s *settling) settle(ctx context.Context, m Entry) error {
	p := s.byEnd[m.EndToEndID]
	if p == nil || m.EndToEndID == "" {
		p = s.byUETR[m.UETR]
	}
	if p == nil || m.UETR == "" && m.EndToEndID == "" {
		if rows := s.blocks[m.PaymentInfoID]; len(rows) > 0 && !m.Credit && !m.Reversal {
			return s.settleBlock(ctx, rows, m)
		}
		s.stranger(m)
		return nil
	}
	if p.House != m.Account { // from one account of ours to another: there it is a deposit
		s.stranger(m)
		return nil
	}
	if m.Credit {
		return s.settleReturn(ctx, p, m)
	}
	if why := s.cannotBook(p, m); why != "" {
		s.contradict(p, why)
		s.stranger(m)
		return nil
	}
	return s.book(ctx, p, m)
}

// settleAll gives movements their meaning and writes what follows.
func (s *settling) settleAll(ctx context.Context, moves []Entry) error {
	for _, m := range moves {
		if err := s.settle(ctx, m); err != nil {
			return err
		}
	}
	return s.end(ctx)
}

// stranger is a movement that is no payout of ours, or contradicts what we know of one.
func (s *settling) stranger(m Entry) {
	if m.Credit {
		s.credited = append(s.credited, m)
		return
	}
	s.debited = append(s.debited, m)
}

// contradict notes on a payout what does not fit, for a person.
func (s *settling) contradict(p *payoutRow, what string) {
	p.Conflict = what
	s.touched[p.ID] = true
	s.r.log.Warn("the bank contradicts what is known of a payout", "payout", p.ID, "key", p.Key, "state", string(p.State), "what", what)
}

// cannotBook says why a debit does not show that a payout was executed.
func (s *settling) cannotBook(p *payoutRow, m Entry) string {
	switch {
	case m.Reversal:
		return fmt.Sprintf("entry %s takes back a return of it", m.ID)
	case p.State == Booked || p.State == Returned:
		return fmt.Sprintf("entry %s debits it once more", m.ID)
	case p.State == Rejected:
		return fmt.Sprintf("entry %s debits it although it was rejected", m.ID)
	case m.Amount.Cmp(amount(p.Currency, p.Units)) != 0:
		return fmt.Sprintf("entry %s debits %s instead of %s %s", m.ID, m.Amount, amount(p.Currency, p.Units), p.Currency)
	}
	return ""
}

// book records the debit of a payout: it is executed. A report of the bank that was lost is made up for.
func (s *settling) book(ctx context.Context, p *payoutRow, m Entry) error {
	if (p.State == Filed || p.State == Held) && p.FileID != "" {
		s.files = append(s.files, p.FileID)
	}
	if err := s.r.arrive(ctx, s.tx, p); err != nil {
		return err
	}
	if err := p.advance(Booked); err != nil {
		return err
	}
	p.ReasonCode, p.Reason = "", ""
	s.touched[p.ID] = true
	s.matched++
	s.tx.Insert(insertMatch, p.ID, evidenceBooked, m.ID, m.Amount.Units().String(), true, db.Micros(s.tx.Now))
	if err := s.r.c.Observer.Booked(ctx, s.tx, p.public(), m); err != nil {
		return err
	}
	return s.waitingReturn(ctx, p)
}

// settleReturn records money of a payout that came back. One whose debit is not booked yet waits for it.
func (s *settling) settleReturn(ctx context.Context, p *payoutRow, m Entry) error {
	why := ""
	switch {
	case m.Amount.Cmp(amount(p.Currency, p.Units)) > 0:
		why = fmt.Sprintf("entry %s returns more than was paid", m.ID)
	case p.State == Rejected:
		why = fmt.Sprintf("entry %s returns it although it was rejected", m.ID)
	case p.State == Returned:
		why = fmt.Sprintf("entry %s returns it once more", m.ID)
	}
	if why == "" && p.State != Booked && s.waiting[p.ID] != "" {
		why = fmt.Sprintf("entry %s returns it once more", m.ID)
	}
	if why != "" {
		s.contradict(p, why)
		s.stranger(m)
		return nil
	}
	s.matched++
	s.tx.Insert(insertMatch, p.ID, evidenceReturned, m.ID, m.Amount.Units().String(), p.State == Booked, db.Micros(s.tx.Now))
	if p.State != Booked {
		s.waiting[p.ID] = m.ID
		return nil
	}
	return s.giveBack(ctx, p, m)
}

// waitingReturn gives back what came back before the debit was booked.
func (s *settling) waitingReturn(ctx context.Context, p *payoutRow) error {
	movement := s.waiting[p.ID]
	if movement == "" {
		return nil
	}
	delete(s.waiting, p.ID)
	booking, _, _ := strings.Cut(movement, "/")
	moves, err := movements(ctx, s.tx, booking)
	if err != nil {
		return fmt.Errorf("return %s: %w", movement, err)
	}
	for _, m := range moves {
		if m.ID == movement {
			s.tx.Change("UPDATE bank_matches SET settled = TRUE WHERE payout_id = ? AND kind = ? AND NOT settled", p.ID, evidenceReturned)
			return s.giveBack(ctx, p, m)
		}
	}
	return fmt.Errorf("return %s of payout %s is not stored", movement, p.ID)
}

// giveBack tells that a booked payout came back. The bank's reason stands in the entry, or came before in a pacs.004.
func (s *settling) giveBack(ctx context.Context, p *payoutRow, m Entry) error {
	if err := p.advance(Returned); err != nil {
		return err
	}
	why := Reason{Code: m.ReturnCode, Text: m.ReturnText}
	if why.Code == "" {
		notice, err := noticeOf(ctx, s.tx, p.ID)
		if err != nil {
			return err
		}
		if notice.Code != "" {
			why = notice
		}
	}
	p.ReasonCode, p.Reason = why.Code, why.Text
	s.touched[p.ID] = true
	return s.r.c.Observer.Returned(ctx, s.tx, p.public(), Return{Entry: m, Reason: why, Amount: m.Amount, Deducted: amount(p.Currency, p.Units).Sub(m.Amount),
		Reversal: m.Reversal})
}

// end writes what changed and hands on what belongs to nobody here.
func (s *settling) end(ctx context.Context) error {
	if err := s.writePayouts(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, id := range s.files {
		if seen[id] {
			continue
		}
		seen[id] = true
		f, err := fileByID(ctx, s.tx, id)
		if err != nil {
			return fmt.Errorf("file %s: %w", id, err)
		}
		fileArrived(s.tx, f)
	}
	if len(s.credited) > 0 {
		if err := s.r.c.Observer.Credited(ctx, s.tx, s.credited); err != nil {
			return err
		}
	}
	if len(s.debited) > 0 {
		return s.r.c.Observer.Debited(ctx, s.tx, s.debited)
	}
	return nil
}

// writePayouts writes what became of payouts: the many that were only booked in one statement for each state they come from.
func (s *settling) writePayouts() error {
	plain := map[State][]string{}
	for _, p := range s.byEnd {
		was := s.was[p.ID]
		switch {
		case !s.touched[p.ID]:
		case p.State == Booked && (was == HandedOver || was == Accepted) && p.Conflict == "":
			plain[was] = append(plain[was], p.ID)
		default:
			notePayout(s.tx, was, *p)
		}
	}
	for was, ids := range plain {
		if err := noteBooked(s.tx, was, ids); err != nil {
			return err
		}
	}
	return nil
}

// counts says whether a booking moves money here and now.
func (b *booking) counts() bool { return b.status == camt.Booked }
