package bank

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// evidenceBooked is the kind of the evidence in bank_matches.
const evidenceBooked = "BOOKED"

// settling matches movements with payouts within one write. It holds the payouts that they may belong to and collects
// the changes.
type settling struct {
	r      *Rail
	tx     *db.Tx
	byEnd  map[string]*payoutRow // by end-to-end identification
	byUETR map[string]*payoutRow
	before map[string]State // of payouts, by id, before this write
	blocks map[string][]*payoutRow
	// identifications of the files of blocks
	blockFile map[string]string
	touched   map[string]bool
	returns   map[string]*returnTotal // by payout id: what was returned
	files     []string                // ids of files proven to have arrived
	matched   int64

	credited, debited []Entry
}

// begin reads the payouts that some movements may belong to, in few queries.
func (r *Rail) begin(ctx context.Context, tx *db.Tx, moves []Entry) (*settling, error) {
	s := &settling{
		r:         r,
		tx:        tx,
		byEnd:     map[string]*payoutRow{},
		byUETR:    map[string]*payoutRow{},
		before:    map[string]State{},
		blocks:    map[string][]*payoutRow{},
		blockFile: map[string]string{},
		touched:   map[string]bool{},
		returns:   map[string]*returnTotal{},
		credited:  make([]Entry, 0, len(moves)),
	}

	var ends, uetrs []string

	blocks := map[string]bool{}
	for _, m := range moves {
		switch block := m.block(); {
		case mayBeOurs(m.EndToEndID):
			ends = append(ends, m.EndToEndID)
		case mayBeOurUETR(m.UETR):
			uetrs = append(uetrs, m.UETR)
		case block != "" && !m.Credit:
			blocks[block] = true

			ends = append(ends, m.mentions...)
		default:
			ends = append(ends, m.mentions...)
		}
	}

	for _, q := range []struct {
		column string
		values []string
	}{{"end_to_end_id", ends}, {"uetr", uetrs}} {
		for some := range slices.Chunk(q.values, idsPerQuery) {
			var w db.Where
			db.In(&w, q.column, some)

			rows, err := payouts(ctx, tx, strings.TrimPrefix(w.SQL(), " "), w.Args...)
			if err != nil {
				return nil, err
			}

			s.add(rows)
		}
	}

	for b := range blocks {
		if err := s.readBlock(ctx, b); err != nil {
			return nil, err
		}
	}

	return s, s.readReturns(ctx)
}

func (s *settling) add(rows []payoutRow) []*payoutRow {
	out := make([]*payoutRow, len(rows))
	for i := range rows {
		p := &rows[i]
		if known := s.byEnd[p.EndToEndID]; known != nil {
			p = known
		} else {
			s.byEnd[p.EndToEndID] = p
			s.byUETR[p.UETR] = p
			s.before[p.ID] = p.State
		}

		out[i] = p
	}

	return out
}

// readBlock reads the payouts of a block of ours.
func (s *settling) readBlock(ctx context.Context, block string) error {
	message, _ := messageOfBlock(block)

	files, err := filesBeginning(ctx, s.tx, message)
	if err != nil || len(files) != 1 {
		return err // of two files nobody can tell which
	}

	rows, err := payouts(ctx, s.tx, inFile+" ORDER BY id", files[0].ID)
	f := formatNamed(files[0].Format)

	rows = slices.DeleteFunc(rows, func(p payoutRow) bool { return f.Block(files[0].MessageID, p.payment()) != block })
	s.blocks[block] = s.add(rows)
	s.blockFile[block] = files[0].MessageID

	return err
}

// settle matches one movement.
func (s *settling) settle(ctx context.Context, m Entry) error {
	p := s.byEnd[m.EndToEndID]
	if p == nil || m.EndToEndID == "" {
		p = s.byUETR[m.UETR]
	}

	if p == nil || m.UETR == "" && m.EndToEndID == "" {
		if rows := s.blocks[m.block()]; len(rows) > 0 && !m.Credit && !m.Reversal {
			return s.settleBlock(ctx, rows, m)
		}

		var err error
		if p, err = s.ofMention(ctx, m); err != nil {
			return err
		}

		if p == nil {
			s.unmatched(m)
			return s.strange(ctx, m)
		}

		m.EndToEndID = p.EndToEndID
	}

	if p.House != m.Account { // between two of our accounts: there it is a deposit
		s.unmatched(m)
		return nil
	}

	if m.Credit {
		return s.settleReturn(ctx, p, m)
	}

	if why := s.cannotBook(p, m); why != "" {
		s.contradict(p, why)
		s.unmatched(m)
		return nil
	}

	return s.book(ctx, p, m)
}

// settleAll matches movements and writes the changes.
func (s *settling) settleAll(ctx context.Context, moves []Entry) error {
	for _, m := range moves {
		if err := s.settle(ctx, m); err != nil {
			return err
		}
	}

	return s.end(ctx)
}

// unmatched adds a movement that is no payout of ours, or that contradicts what we know of one.
func (s *settling) unmatched(m Entry) {
	if m.Credit {
		s.credited = append(s.credited, m)
		return
	}

	s.debited = append(s.debited, m)
}

// contradict records on a payout what does not match, for a person.
func (s *settling) contradict(p *payoutRow, what string) {
	p.Conflict = what
	s.touched[p.ID] = true

	s.r.log.Warn(
		"the bank's report contradicts a payout's state",
		"payout",
		p.ID,
		"key",
		p.Key,
		"state",
		string(p.State),
		"what",
		what,
	)
}

// cannotBook returns why a debit does not prove that a payout was executed; "" if it does.
func (s *settling) cannotBook(p *payoutRow, m Entry) string {
	switch {
	case m.Reversal:
		return fmt.Sprintf("entry %s reverses a return of it", m.ID)
	case p.State == Booked || p.State == Returned:
		return fmt.Sprintf("entry %s debits it once more", m.ID)
	case p.State == Rejected:
		return fmt.Sprintf("entry %s debits it although it was rejected", m.ID)

	case m.Amount.Cmp(amount(p.Currency, p.Units)) != 0:
		return fmt.Sprintf(
			"entry %s debits %s instead of %s %s",
			m.ID,
			m.Amount,
			amount(p.Currency, p.Units),
			p.Currency,
		)
	}

	return ""
}

// book records the debit of a payout: it was executed. It catches up on a report of the bank that was lost.
func (s *settling) book(ctx context.Context, p *payoutRow, m Entry) error {
	if (p.State == Filed || p.State == Held) && p.FileID != "" {
		s.files = append(s.files, p.FileID)
	}

	if err := s.r.handOver(ctx, s.tx, p); err != nil {
		return err
	}

	if err := p.advance(Booked); err != nil {
		return err
	}

	p.ReasonCode = ""
	p.Reason = ""
	s.touched[p.ID] = true
	s.matched++
	s.tx.Insert(insertMatch, p.ID, evidenceBooked, m.ID, m.Amount.Units().String(), true, db.Micros(s.tx.Now))

	if err := s.r.c.Observer.Booked(ctx, s.tx, p.public(), m); err != nil {
		return err
	}

	return s.settleWaitingReturns(ctx, p)
}

// end writes the changes and passes unmatched movements to the observer.
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

// writePayouts writes the changed payouts. Payouts that were only booked take one statement per previous state.
func (s *settling) writePayouts() error {
	plain := map[State][]string{}
	for _, p := range s.byEnd {
		was := s.before[p.ID]

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

// counts reports whether a booking moves money.
func (b *booking) counts() bool { return b.status == camt.Booked }
