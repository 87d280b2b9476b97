//go:build !nosandbox

package chain_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
)

// constant is the code of a contract that answers every call with one number.
func constant(n *big.Int) []byte {
	return append(append([]byte{0x7f}, common.BigToHash(n).Bytes()...), 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3)
}

// rollup is a world whose chain takes a fee for data on Ethereum, and whose signer holds as much.
func rollup(t *testing.T, d *db.DB, fee, holds *big.Int) (*world, chain.Network) {
	t.Helper()

	key := keyOf(1)
	from := crypto.PubkeyToAddress(key.PublicKey)
	oracle := common.HexToAddress("0x420000000000000000000000000000000000000F")

	ch, err := devchain.Start(devchain.Config{
		Mode:  devchain.Manual,
		Alloc: map[common.Address]*big.Int{from: holds},
		Code:  map[common.Address][]byte{oracle: constant(fee)},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ch.Close()) })
	ch.Mine(2)

	w := &world{
		t:    t,
		d:    d,
		ch:   ch,
		key:  key,
		from: from,
	}
	n := w.network()
	n.DataFeeOracle = oracle

	return w, n
}

// A rollup takes a fee for data from the signer's balance besides the gas. It counts: into what the signer must hold
// before anything is signed, and into the ceiling of a send's price.
func TestTheFeeForDataCountsIntoTheCeiling(t *testing.T) {
	cases := map[string]struct{ fee, holds, note string }{
		"small":                    {"1000000000", "1000000000000000000", ""},
		"more than the signer has": {"900000000000000", "1000000000000000", "out of gas money"},
		"above the ceiling":        {"50000000000000000", "1000000000000000000", "fee for data on Ethereum is above"},
	}

	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				fee, _ := new(big.Int).SetString(c.fee, 10)
				holds, _ := new(big.Int).SetString(c.holds, 10)
				w, n := rollup(t, d, fee, holds)
				r := w.rail(n)
				r.plan(transfer(0))

				if c.note == "" {
					r.allFinal(1)
					return
				}

				w.until("it waits", func() bool { return strings.Contains(r.status(0).Note, c.note) })
				require.Equal(t, chain.StatePlanned, r.status(0).State, "nothing was signed")
			})
		})
	}
}

// Where a chain's nodes take no smaller tip than some, less is not offered, whatever a node suggests.
func TestNoLessThanTheLeastTipIsOffered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i, least := range []*big.Int{nil, big.NewInt(7 * gwei)} {
			w := newWorld(t, d)
			n := w.network()
			n.LeastTipWei = least
			r := w.rail(n)
			r.plan(transfer(i))
			w.until("signed", func() bool { return len(r.status(i).Attempts) == 1 })

			tip := w.storedRaw(r.status(i).Hash).GasTipCap()
			if least == nil {
				require.Negative(t, tip.Cmp(big.NewInt(7*gwei)), "a node suggests less")
			} else {
				require.Equal(t, least, tip)
			}

			r.stop()
		}
	})
}
