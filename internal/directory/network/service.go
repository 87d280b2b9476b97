package network

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB    *db.DB
	Guard *Guard
	// InUse reports whether transactions on the network are still open; nil: there are none.
	InUse func(ctx context.Context, q db.Querier, networkID string) (bool, error)
	// WalletStored reports whether an address is a stored wallet of anybody, on whatever network; nil: none is.
	WalletStored func(ctx context.Context, q db.Querier, address string) (bool, error)
	// Approvals is where a second operator decides; nil: what guards money does not change on a network in use.
	Approvals *approval.Service
	// Delay is how long such a change can only be rejected; 0: ChangeDelay.
	Delay time.Duration
	// Configured reports whether the deployment's configuration names a network, and with it the nodes that are called;
	// nil: it names none.
	Configured func(networkID string) bool
	// Contract reads a token's contract from two nodes of a network, or from the only one. ErrNoNode: it has none.
	Contract func(ctx context.Context, n Network, address string) (Contract, error)
	// Sending reports whether something that was signed in a token is on its way on a network; nil: nothing is.
	Sending func(ctx context.Context, q db.Querier, networkID, token string) (bool, error)
	// Withdraw refuses what is planned in a token and not signed, in the write that changes the token's decimals. nil:
	// nothing is planned.
	Withdraw func(ctx context.Context, tx *db.Tx, networkID, token string) error
	// Changed runs in the write that has changed a network or its tokens: what is recorded is compared with the chain
	// again. nil: nobody compares.
	Changed func(tx *db.Tx, networkID string)
}

// Service holds the use cases of networks.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service {
	if d.Guard == nil {
		d.Guard = &Guard{}
	}

	if d.Delay == 0 {
		d.Delay = ChangeDelay
	}

	s := &Service{d}
	s.handleApprovals()

	return s
}

type doneFunc = func(tx *db.Tx, n Network) error

// Create adds a network; a second call adds another. One of a known chain gets the chain's tokens, and must not
// contradict what is known of it.
func (s *Service) Create(ctx context.Context, n Network, done doneFunc) error {
	l := s.check(ctx, Network{}, n)
	n.checkFacts(&l)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		bad := l.Clone()
		if err := s.treasuryFree(ctx, tx, n, &bad); err != nil {
			return err
		}

		if err := bad.Err(); err != nil {
			return err
		}

		n := n
		n.ID = id.New("net", tx.Now)
		n.Version = 1
		n.CreatedAt = tx.Now
		n.UpdatedAt = tx.Now
		networkTable.Insert(tx, rowOf(n, tx.Now))

		facts, _ := FactsOf(n.ChainID)
		for _, t := range facts.Tokens {
			tx.Insert(insertTokenOnce, n.ID, t.Code, t.Address, int64(t.Decimals), "")
		}

		trail.Audit(ctx, tx, "", "network.create", n.ID, n.Name)

		return done(tx, n)
	})
}

// Change applies edit to a network. edit may run more than once. The addresses of nodes are looked up before the
// transaction. On a network in use a change of what guards money waits for a second operator: the network is as it
// was, and names the approval.
func (s *Service) Change(ctx context.Context, networkID string, edit func(*Network), done doneFunc) error {
	before, err := ByID(ctx, s.deps.DB, networkID)
	if err != nil {
		return err
	}

	preview := before
	edit(&preview)

	l := s.check(ctx, before, preview)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		n, err := ByID(ctx, tx, networkID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, n.Version); err != nil {
			return err
		}

		next := n
		edit(&next)

		if next.equal(n) {
			return done(tx, n)
		}

		bad := l.Clone()
		n.fixed(next, &bad)

		if s.deps.Configured != nil && s.deps.Configured(n.ID) {
			n.configured(next, &bad)
		}

		if err := s.treasuryFree(ctx, tx, next, &bad); err != nil {
			return err
		}

		if err := conflict(bad); err != nil {
			return err
		}

		if fields := n.guarded(next); len(fields) > 0 && !n.UsedAt.IsZero() {
			if n, err = s.propose(ctx, tx, n, proposal{Record: &next}, changesOf(n, next, fields)); err != nil {
				return err
			}

			return done(tx, n)
		}

		keepRouter(tx, n, next)
		next = update(tx, next)
		s.changed(tx, n.ID)
		trail.Audit(ctx, tx, "", "network.change", n.ID, n.Name)

		return done(tx, next)
	})
}

// conflict makes the refusal a 409 when all that is wrong is that the network is in use.
func conflict(l fault.List) error {
	err := l.Err()

	f, ok := fault.As(err)
	if ok && !slices.ContainsFunc(f.Fields, func(x fault.Field) bool { return x.Code != fault.NetworkFixed }) {
		f.Kind = fault.Conflict
		f.Code = fault.NetworkFixed
	}

	return err
}

// check notes everything that can be said without the database of what a network becomes.
func (s *Service) check(ctx context.Context, before, n Network) fault.List {
	l := caller.Faults(ctx)
	n.check(before, &l)
	s.deps.Guard.Check(ctx, "/rpcUrl", n.RPCURL, []string{"https"}, &l)
	s.deps.Guard.Check(ctx, "/internalRpcUrl", n.InternalRPCURL, []string{"https"}, &l)
	s.deps.Guard.Check(ctx, "/wsRpcUrl", n.WSRPCURL, []string{"wss"}, &l)
	s.deps.Guard.Check(ctx, "/blockExplorerUrl", n.Explorer, []string{"https"}, &l)

	return l
}

// Delete takes a network out of use; records that name it still show it. A second call finds none.
func (s *Service) Delete(ctx context.Context, networkID string, done doneFunc) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		n, err := ByID(ctx, tx, networkID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, n.Version); err != nil {
			return err
		}

		if s.deps.InUse != nil {
			open, err := s.deps.InUse(ctx, tx, networkID)
			if err != nil {
				return err
			}

			if open {
				return fault.New(fault.Conflict, fault.NetworkInUse, "The network still has open transactions.")
			}
		}

		n.Deleted = true
		n.ClientVisible = false
		n = update(tx, n)
		trail.Audit(ctx, tx, "", "network.delete", n.ID, n.Name)

		return done(tx, n)
	})
}
