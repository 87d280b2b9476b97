package transaction

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
)

// lookUp reads the records that an input names. An unknown record is left out of the result, or marked in it; build
// notes it at its field.
func (s *Service) lookUp(ctx context.Context, q db.Querier, org string, in *Input, fresh bool) (*known, error) {
	k := &known{forbidden: s.Forbidden, snapshots: map[string]string{}}

	var err error
	if k.payer, k.payerErr, err = s.payer(ctx, q, org, in.WalletAddress, in.Network, fresh); err != nil {
		return k, err
	}

	if k.payerErr == nil {
		if k.network, k.token, k.tokenErr, err = s.networkAndToken(
			ctx,
			q,
			k.payer.Network,
			in.Token,
			fresh,
		); err != nil {
			return k, err
		}
	}

	var receivers, wallets []string
	for i := range in.Payments {
		receivers = append(receivers, string(in.Payments[i].Receiver))
		if w := string(in.Payments[i].Wallet); w != "" {
			wallets = append(wallets, w)
		}
	}

	if k.receivers, err = gather(ctx, s.receivers, q, org, receivers, fresh, receiver.ByIDs); err != nil {
		return k, err
	}

	k.wallets, err = gather(ctx, s.wallets, q, org, wallets, fresh, wallet.ByIDs)

	return k, err
}

// payer finds the paying wallet. refusal is the reason why the address cannot be used; err means that the question
// could not be answered.
func (s *Service) payer(
	ctx context.Context,
	q db.Querier,
	org, address, networkID string,
	fresh bool,
) (w wallet.Wallet, refusal, err error) {
	if address == "" {
		return w, fault.New(fault.Invalid, fault.Required, "is required."), nil
	}

	key := org + "/" + networkID + "/" + address
	if w, ok := s.payers.Find(key); ok && !fresh {
		return w, nil, nil
	}

	if w, err = wallet.Payer(ctx, q, org, address, networkID); err != nil {
		return w, asRefusal(err), notRefusal(err)
	}

	s.payers.Keep(key, w)

	return w, nil, nil
}

func (s *Service) networkAndToken(
	ctx context.Context,
	q db.Querier,
	networkID, code string,
	fresh bool,
) (n network.Network, t network.Token, refusal, err error) {
	n, known := s.networks.Find(networkID)
	if !known || fresh {
		if n, err = network.ByID(ctx, q, networkID); err != nil {
			return n, t, asRefusal(err), notRefusal(err)
		}

		s.networks.Keep(networkID, n)
	}

	if code == "" {
		return n, t, fault.New(fault.Invalid, fault.Required, "is required."), nil
	}

	key := networkID + "/" + code
	if t, known = s.tokens.Find(key); known && !fresh {
		return n, t, nil, nil
	}

	if t, err = network.TokenOn(ctx, q, networkID, code); err != nil {
		return n, t, asRefusal(err), notRefusal(err)
	}

	s.tokens.Keep(key, t)

	return n, t, nil, nil
}

func asRefusal(err error) error {
	if f, ok := fault.As(err); ok {
		return f
	}

	return nil
}

func notRefusal(err error) error {
	if _, ok := fault.As(err); ok {
		return nil
	}

	return err
}

// gather reads records by id: those in the cache from there, all others in one statement.
func gather[V any](ctx context.Context, c *cache.Cache[V], q db.Querier, org string, ids []string, fresh bool,
	read func(context.Context, db.Querier, string, []string) (map[string]V, error),
) (map[string]V, error) {
	out := make(map[string]V, len(ids))

	var missing []string
	for _, x := range ids {
		if _, have := out[x]; have || x == "" {
			continue
		}

		if v, ok := c.Find(org + "/" + x); ok && !fresh {
			out[x] = v
		} else {
			missing = append(missing, x)
		}
	}

	if len(missing) == 0 {
		return out, nil
	}

	found, err := read(ctx, q, org, missing)
	for x, v := range found {
		out[x] = v
		c.Keep(org+"/"+x, v)
	}

	return out, err
}

// fundsAge is how old a reading of the chain may be at accept. Settlement reads again before it signs, and the token
// contract decides in the end. This check exists only to warn the person early.
const fundsAge = 2 * time.Second

type fundsAnswer struct{ balance, allowance *big.Int }

// fundsOf returns balance and allowance of a transaction's wallet. fresh skips the cache.
func (s *Service) fundsOf(ctx context.Context, t Transaction, token network.Token, fresh bool) (fundsAnswer, error) {
	key := t.Network + "/" + token.Code + "/" + t.WalletAddress
	if f, ok := s.funds.Find(key); ok && !fresh {
		return f, nil
	}

	balance, allowance, err := s.Chain.Funds(
		ctx,
		t.Network,
		common.HexToAddress(token.Address),
		common.HexToAddress(t.WalletAddress),
	)
	if err != nil {
		return fundsAnswer{}, fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The network's node does not answer at the moment; nothing was changed.",
		)
	}

	f := fundsAnswer{balance, allowance}
	s.funds.Keep(key, f)

	return f, nil
}
