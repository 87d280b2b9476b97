package db

import (
	"slices"
	"time"
)

// session is one transaction being built from one or several bodies.
type session struct {
	d      *DB
	w      writer
	now    time.Time
	bodies []*request
	begun  bool
	aside  bool  // takes no turn
	turn   bool  // holds DB.turn
	failed error // of a statement; on PostgreSQL nothing more can be done in this transaction

	wrote     bool // a row was written: a commit of nothing waits for nobody, and proves nothing
	confirmed bool // a commit that wrote something is durable
	lost      bool // the database has given it up, or may have
}

// fail records the first error of a statement.
func (s *session) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

// run adds a body to the transaction.
func (s *session) run(r *request) {
	r.running.Lock()
	defer r.running.Unlock()

	s.bodies = append(s.bodies, r)
	r.reset()

	if r.left {
		r.err = errLeft
		return
	}

	r.begun = true
	r.err = (&Tx{Now: s.now, d: s.d, s: s, r: r}).run(r.body)
}

// begin opens a transaction that reads. Those of one process take turns: two that read and write at the same time would
// only make PostgreSQL undo one of them, again and again if there are many. Transactions that only write do not wait,
// nor does a large one (WriteLarge), since all would wait for it.
func (s *session) begin() error {
	if s.begun {
		return nil
	}

	if !s.turn && !s.aside {
		s.d.turn.Lock()
		s.turn = true
	}

	s.d.commits.begun(s, s.d.clock.Elapsed())

	if err := s.w.begin(); err != nil {
		s.fail(err)
		return err
	}

	s.begun = true

	return nil
}

// leave lets the next transaction that reads begin, and notes how this one has ended.
func (s *session) leave() {
	s.d.commits.ended(s, s.d.clock.Elapsed())

	if s.turn {
		s.turn = false
		s.d.turn.Unlock()
	}
}

// take moves what the bodies have asked to write into one insert for each table, and the changes in their order.
func (s *session) take() (inserts []*pendingInsert, changes []pendingChange) {
	for _, r := range s.bodies {
		r.sent = r.sent || len(r.inserts) > 0 || len(r.changes) > 0
		for _, row := range r.inserts {
			inserts = addRow(inserts, row)
		}

		for i, c := range r.changes {
			c.free = r.part > 0 || len(r.changes) == 1
			if i > 0 && r.changes[i-1].part == c.part {
				c.round = changes[len(changes)-1].round + 1
			}

			changes = append(changes, c)
		}

		r.inserts = nil
		r.changes = nil
	}

	return inserts, changes
}

// addRow finds the insert by a linear search, because a group has only a few tables.
func addRow(inserts []*pendingInsert, row insertRow) []*pendingInsert {
	for _, p := range inserts {
		if p.into == row.into {
			p.rows = append(p.rows, row.args)
			return inserts
		}
	}

	return append(inserts, &pendingInsert{into: row.into, rows: [][]any{row.args}})
}

// flush sends what the bodies so far have asked to write.
func (s *session) flush() error {
	inserts, changes := s.take()
	s.wrote = s.wrote || writeRows(inserts, changes)

	return s.send(inserts, changes)
}

// writeRows reports whether these certainly write a row.
func writeRows(inserts []*pendingInsert, changes []pendingChange) bool {
	return len(changes) > 0 || slices.ContainsFunc(inserts, func(p *pendingInsert) bool { return p.into.suffix == "" })
}

func (s *session) send(inserts []*pendingInsert, changes []pendingChange) error {
	if len(inserts) == 0 && len(changes) == 0 {
		return nil
	}

	if err := s.begin(); err != nil {
		return err
	}

	err := s.w.flush(inserts, changes)
	s.fail(err)

	return err
}

// commit sends what waits and commits. A transaction that has read nothing is sent in one piece.
func (s *session) commit() error {
	inserts, changes := s.take()
	s.wrote = s.wrote || writeRows(inserts, changes)

	if !s.begun {
		if len(inserts) == 0 && len(changes) == 0 {
			return nil
		}

		s.d.commits.begun(s, s.d.clock.Elapsed())

		return s.noteCommit(s.w.flushAndCommit(inserts, changes))
	}

	if err := s.send(inserts, changes); err != nil {
		s.rollback()
		return s.noteCommit(err)
	}

	return s.noteCommit(s.w.commit())
}

// noteCommit notes how a commit has ended.
func (s *session) noteCommit(err error) error {
	s.confirmed = err == nil && s.wrote
	s.lost = lostIn(err)

	return err
}

func (s *session) rollback() {
	if s.begun {
		s.w.rollback()
		s.begun = false
	}
}
