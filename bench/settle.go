//go:build !nosandbox

package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

const (
	blockGas     = 60_000_000
	batchSize    = 30
	settleBlocks = 13 // what the backlog fills
	settleLimit  = 90 * time.Second
	paymentUnits = 10_000 // 0.01 USDC
)

// finality is the figure of payments settled to finality.
type finality struct {
	*bench
	child   *child
	db      *db.DB
	t       tenant
	fresh   func() common.Address
	address string
}

// settle accepts a backlog and watches it being paid, then asks chain and books whether everything was paid once.
func (b *bench) settle(ctx context.Context) (err error) {
	engine := "postgres"
	if b.Postgres == "" || !wanted(b.On, engine) {
		engine = "sqlite"
	}

	say("settle on %s", engine)

	s := &finality{bench: b, fresh: addresses()}

	if s.address, err = b.fresh(ctx, engine); err != nil {
		return err
	}

	defer b.drop(ctx, s.address)

	if s.child, err = b.startChild(ctx, s.address, b.Profile, true); err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.child.stop()) }()

	if s.db, err = db.Open(ctx, db.Config{URL: s.address}); err != nil {
		return err
	}

	defer s.db.Close()

	if s.t, err = b.signUp(ctx, s.child.address, 0, false); err != nil {
		return err
	}

	if err := s.batches(ctx, 1); err != nil { // one first: it shows the gas, and pays for the first storage
		return err
	}

	if err := s.batches(ctx, 1); err != nil {
		return err
	}

	gas, err := db.Value[int64](ctx, s.db, newestGas)
	if err != nil {
		return err
	}

	fitting := blockGas / gas

	before, err := b.world.Balance(ctx, b.world.Token("USDC"), b.world.Accounts[0].Address)
	if err != nil {
		return err
	}

	count := int(fitting) * settleBlocks
	begin := time.Now()

	if err := s.batches(ctx, count); err != nil {
		return err
	}

	if err := s.judge(ctx, count, before); err != nil {
		return err
	}

	return s.figures(ctx, gas, count, time.Since(begin))
}

// batches makes, submits and accepts transactions, and waits until they are completed.
func (s *finality) batches(ctx context.Context, count int) error {
	bodies := make([][]byte, count)
	for i := range bodies {
		bodies[i] = s.draftBody(s.t, batchSize, s.fresh)
	}

	all, err := createMany(ctx, s.child.address, []tenant{s.t}, count, func(i int) []byte { return bodies[i] })
	if err != nil {
		return err
	}

	none := func() string { return "" }
	if _, err := each(ctx, s.child.address, all, "/submit", none); err != nil {
		return err
	}

	done, err := s.completed(ctx)
	if err != nil {
		return err
	}

	if _, err := each(ctx, s.child.address, all, "/accept", none); err != nil {
		return err
	}

	for begin := time.Now(); time.Since(begin) < settleLimit; time.Sleep(100 * time.Millisecond) {
		n, err := s.completed(ctx)
		if err != nil {
			return err
		}

		if n-done == int64(count) {
			return nil
		}
	}

	n, err := s.completed(ctx)

	return errors.Join(err, fmt.Errorf("after %s, %d of %d batches are completed", settleLimit, n-done, count))
}

func (s *finality) completed(ctx context.Context) (int64, error) {
	return db.Value[int64](ctx, s.db, countCompleted)
}

// judge is the oracle: the wallet paid exactly the sum, each address holds exactly its amount, every send has one
// receipt, and the books are whole and closed.
func (s *finality) judge(ctx context.Context, count int, before *big.Int) error {
	token := s.world.Token("USDC")

	after, err := s.world.Balance(ctx, token, s.world.Accounts[0].Address)
	if err != nil {
		return err
	}

	if paid, want := new(big.Int).Sub(before, after), big.NewInt(int64(count)*batchSize*paymentUnits); paid.Cmp(
		want,
	) != 0 {
		return fmt.Errorf("%w: the wallet paid %s base units, not %s", errDoubled, paid, want)
	}

	all := addresses()

	for i := range (count + 2) * batchSize {
		at := all()

		if i%17 != 0 { // a sample: the sum above is exact already
			continue
		}

		holds, err := s.world.Balance(ctx, token, at)
		if err != nil {
			return err
		}

		if holds.Cmp(big.NewInt(paymentUnits)) != 0 {
			return fmt.Errorf("%w: %s holds %s base units, not %d", errDoubled, at, holds, paymentUnits)
		}
	}

	receipts, err := db.Value[int64](ctx, s.db, countReceipts)
	if err != nil {
		return err
	}

	if receipts != int64(count)+2 {
		return fmt.Errorf("%w: %d receipts of %d batches", errDoubled, receipts, count+2)
	}

	if _, err := ledger.Seal(ctx, s.db, nil); err != nil {
		return err
	}

	r, err := ledger.Verify(ctx, s.db, ledger.Proof{})
	if err == nil && (len(r.Faults) > 0 || len(r.Open) > 0) {
		err = fmt.Errorf("%w: ledger verify: faults %v, open %v", errDoubled, r.Faults, r.Open)
	}

	return err
}

// moment is how much happened at a time, or in a block.
type moment struct{ at, n int64 }

// sustained is what happened each second after the first moment, up to the last: what the first moment brought began
// before it.
func sustained(all []moment) float64 {
	n := int64(0)
	for _, m := range all[1:] {
		n += m.n
	}

	return float64(n) / (float64(all[len(all)-1].at-all[0].at) / 1e6)
}

// inBlocks says how many batches the blocks held: the least and the most, the first and last block left out.
func inBlocks(all []moment) string {
	if len(all) < 3 {
		return "a few"
	}

	least := all[1].n
	most := all[1].n

	for _, m := range all[1 : len(all)-1] {
		least = min(least, m.n)
		most = max(most, m.n)
	}

	return fmt.Sprintf("%d to %d", least, most)
}

// figures reads from the database when what was completed, and how full the blocks were.
func (s *finality) figures(ctx context.Context, gas int64, count int, took time.Duration) error {
	completed, err := db.Select(
		ctx,
		s.db,
		func(m *moment) []any { return []any{&m.at, &m.n} },
		completedAt,
		int64(count),
	)
	if err != nil {
		return err
	}

	blocks, err := db.Select(
		ctx,
		s.db,
		func(m *moment) []any { return []any{&m.at, &m.n} },
		receiptsIn,
		int64(count),
	)
	if err != nil {
		return err
	}

	limit := float64(blockGas) / float64(gas) * batchSize
	rate := sustained(completed)

	s.report.figures = append(s.report.figures, figure{
		name:     "payments settled to finality each second, batches of 30",
		must:     0.5,
		goal:     0.95,
		unit:     "payments/s",
		yardName: "block gas",
		yard:     []float64{limit},
		ours:     []float64{rate * batchSize},
		ratios:   []float64{rate * batchSize / limit},
		load:     loadAverage(),
		note: fmt.Sprintf(
			"%d batches of 30 payments, %d gas each (%d of them fit into a block), lay in %d blocks, %s in each "+
				"between the first and the last. "+
				"From the first draft to the last COMPLETED it took %s. The wallet paid exactly the sum, every "+
				"sampled address holds exactly its amount, every batch has one receipt, "+
				"and `ledger verify` finds nothing: 0 lost, 0 doubled.",
			count,
			gas,
			blockGas/gas,
			len(blocks),
			inBlocks(blocks),
			took.Round(100*time.Millisecond),
		),
	},
		figure{
			name:     "gas for each payment of 30, token like USDC, payee held nothing",
			must:     31_168,
			goal:     30_103,
			below:    true,
			unit:     "gas",
			yardName: "-",
			ratios:   []float64{float64(gas) / batchSize},
			ours:     []float64{float64(gas) / batchSize},
		})

	say("  settled %.0f payments/s of %.0f; %d gas a batch", rate*batchSize, limit, gas)

	return nil
}
