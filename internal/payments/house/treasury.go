package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
	"slipway/internal/platform/db"
)

// errUnderWay is a wallet that cannot be opened yet.
var errUnderWay = errors.New("the first reading waits until nothing is under way")

// treasury is what one check at a network is about.
type treasury struct {
	network network.Network
	tokens  []network.Token
	wallets map[string][]string // by token: every wallet that was ever the treasury, the present one last
	open    []opening           // wallets that the books know

	point   Point
	found   map[string]*big.Int // by token: what its wallets hold together
	sums    ledger.Sums
	exposed map[string]outbound.Exposure
}

// checkTreasury compares the treasury of a network. The chain is asked first: what it had at a final block is then
// found in the books, posted or under way.
func (s *Service) checkTreasury(ctx context.Context, networkID string) error {
	t, err := s.treasuryOf(ctx, networkID)
	if err != nil || len(t.tokens) == 0 {
		return err
	}

	asked := s.readBalances(ctx, &t)
	if asked == nil {
		asked = s.DB.Snapshot(ctx, func(q db.Querier) (err error) {
			if t.sums, err = ledger.HouseBalances(ctx, q, s.Keys, s.DB.Now()); err != nil {
				return err
			}

			t.exposed, err = s.Chain.Exposures(ctx, q, networkID, t.point.Number)

			return err
		})
	}

	err = s.DB.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error { return s.recordTreasury(ctx, tx, t, asked) })
	if errors.Is(err, db.ErrStale) || db.IsUnique(err, "house_checks") || db.IsUnique(err, "treasury_openings") {
		return nil // another process has checked at the same time
	}

	return err
}

// treasuryOf reads what is to be checked. A network without a treasury has no tokens to check.
func (s *Service) treasuryOf(ctx context.Context, networkID string) (treasury, error) {
	t := treasury{wallets: map[string][]string{}}

	err := s.DB.Snapshot(ctx, func(q db.Querier) (err error) {
		if t.network, err = network.ByID(ctx, q, networkID); err != nil || t.network.WalletAddress == "" {
			return err
		}

		if t.tokens, err = network.Tokens(ctx, q, networkID); err != nil {
			return err
		}

		t.open, err = openingsOf(ctx, q, networkID)

		return err
	})

	if _, gone := fault.As(err); gone {
		return t, nil // the network was deleted
	}

	t.tokens = slices.DeleteFunc(t.tokens, func(x network.Token) bool { return x.Address == "" })

	for _, o := range t.open {
		t.wallets[o.token] = append(t.wallets[o.token], o.address)
	}

	for _, x := range t.tokens {
		if !slices.Contains(t.wallets[x.Code], t.network.WalletAddress) {
			t.wallets[x.Code] = append(t.wallets[x.Code], t.network.WalletAddress)
		}
	}

	return t, err
}

// readBalances reads every wallet's balance of every token at one block.
func (s *Service) readBalances(ctx context.Context, t *treasury) error {
	var places []Place

	var of []string

	for _, x := range t.tokens {
		for _, wallet := range t.wallets[x.Code] {
			places = append(places, Place{Token: x.Address, Wallet: wallet})
			of = append(of, x.Code)
		}
	}

	point, balances, err := s.Chain.Balances(ctx, t.network.ID, places)
	if err != nil {
		return err
	}

	t.point = point
	t.found = map[string]*big.Int{}

	for i, units := range balances {
		if t.found[of[i]] == nil {
			t.found[of[i]] = new(big.Int)
		}

		t.found[of[i]].Add(t.found[of[i]], units)
	}

	return nil
}

// recordTreasury writes what a check at a network has found. asked is why nothing is known.
func (s *Service) recordTreasury(ctx context.Context, tx *db.Tx, t treasury, asked error) error {
	for _, x := range t.tokens {
		asset := money.Asset{Code: x.Code, Decimals: x.Decimals}
		l := reading{err: asked}

		if asked == nil {
			opened, err := s.openWallets(tx, t, asset)
			if err != nil && !errors.Is(err, errUnderWay) {
				return err
			}

			l = t.reading(x.Code, opened)
			l.err = err
		}

		subject := "treasury/" + t.network.ID + "/" + x.Code
		if err := s.record(ctx, tx, subject, s.NetworkHalt(t.network.ID), asset, l); err != nil {
			return err
		}
	}

	return nil
}

// books is what the ledger had of a token at the block.
func (t treasury) books(token string) *big.Int {
	units := t.sums.Of(ledger.TreasuryAccount(t.network.ID), token)
	if x, ok := t.exposed[token]; ok {
		units.Sub(units, x.Later)
	}

	return units
}

// reading returns what was found of a token. opened is what this check has added to the books.
func (t treasury) reading(token string, opened *big.Int) reading {
	books := t.books(token)
	books.Add(books, opened)

	f := Figures{
		Books:   books,
		Outside: t.found[token],
		Low:     new(big.Int).Set(books),
		High:    new(big.Int).Set(books),
	}

	if x, ok := t.exposed[token]; ok {
		f.Low.Sub(f.Low, x.Out)
		f.High.Add(f.High, x.In)
	}

	return reading{
		figures: f,
		point:   fmt.Sprintf("block %d of %s", t.point.Number, cmp.Or(t.network.Name, t.network.ID)),
		height:  int64(t.point.Number),
	}
}

// openWallets posts what a wallet has that the books see for the first time: it is the house's own. It returns how much
// that was. While something is under way the two could not be told apart: errUnderWay.
func (s *Service) openWallets(tx *db.Tx, t treasury, asset money.Asset) (*big.Int, error) {
	sum := new(big.Int)

	for _, wallet := range t.wallets[asset.Code] {
		if slices.ContainsFunc(t.open, func(o opening) bool { return o.token == asset.Code && o.address == wallet }) {
			continue
		}

		if x, ok := t.exposed[asset.Code]; ok && x.In.Sign()+x.Out.Sign() != 0 {
			return sum, errUnderWay
		}

		brought := new(big.Int).Sub(t.found[asset.Code], t.books(asset.Code))
		brought.Sub(brought, sum)

		if brought.Sign() < 0 {
			brought.SetInt64(0) // it is short, and the check says so
		}

		if err := s.postOpening(tx, t, wallet, money.FromUnits(asset, brought)); err != nil {
			return sum, err
		}

		sum.Add(sum, brought)
	}

	return sum, nil
}

func (s *Service) postOpening(tx *db.Tx, t treasury, wallet string, brought money.Amount) error {
	token := brought.Asset().Code
	tx.Insert(
		insertOpening,
		t.network.ID,
		token,
		wallet,
		brought.Units().String(),
		int64(t.point.Number),
		db.Micros(tx.Now),
	)
	tx.OnCommit(func() {
		s.Log.Info("opening entry of a house wallet", "network", t.network.ID, "wallet", wallet,
			"opening", brought.String()+" "+token, "block", t.point.Number)
	})

	if brought.Sign() == 0 {
		return nil
	}

	return chart.Post(tx, chart.WalletOpened{Network: t.network.ID, Wallet: wallet, Amount: brought})
}
