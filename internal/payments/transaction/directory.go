package transaction

import (
	"cmp"
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
)

// Request is an input with every record that it names. They are read beforehand, so that checks are pure functions.
type Request struct {
	Organisation, Partner string
	Transaction           string // the stored draft that is checked again; empty: a new input

	Input     *Input
	Fresh     bool // a stored draft is checked again: no record comes from a cache
	Payer     wallet.Wallet
	PayerErr  error // the refusal that explains why walletAddress cannot be used
	Network   network.Network
	Token     network.Token
	TokenErr  error
	Receivers map[string]receiver.Receiver
	Wallets   map[string]wallet.Wallet
	Accounts  map[string]bankaccount.Account // FIAT

	snapshots map[string]string // of receivers, encoded once for each request
	forbidden func(networkID string, a common.Address) bool
}

// Asset returns the token of the request.
func (r *Request) Asset() money.Asset {
	return money.Asset{Code: r.Token.Code, Decimals: r.Token.Decimals}
}

// Forbidden reports whether an address must never be paid on the request's network.
func (r *Request) Forbidden(a common.Address) bool { return r.forbidden(r.Network.ID, a) }

// NotePayer notes why the paying wallet or the token cannot be used. The input's shape has noted those that are
// missing.
func (r *Request) NotePayer(l *fault.List) {
	if r.PayerErr != nil && r.Input.WalletAddress != "" && l.Sound("/network") {
		NoteAt(l, "/walletAddress", r.PayerErr)
	}

	if r.TokenErr != nil && r.Input.Token != "" {
		NoteAt(l, "/token", r.TokenErr)
	}
}

// NotePayerUsable notes a paying wallet that is not proven or not screened.
func (r *Request) NotePayerUsable(now time.Time, l *fault.List) {
	if r.PayerErr != nil {
		return
	}

	if err := r.Payer.Usable(now); err != nil {
		NoteAt(l, "/walletAddress", err)
	}
}

// noteReceiversUsable notes receivers that no second person has approved.
func (r *Request) noteReceiversUsable(payments []Payment, l *fault.List) {
	for i, p := range payments {
		if err := r.Receivers[p.Receiver].Mark.Usable("receiver"); err != nil {
			NoteAt(l, PaymentAt(i)+"/receiver", err)
		}
	}
}

// NoteNoReceiver notes a payment to a receiver that is not there. That of a stored draft was there when it was made.
func (r *Request) NoteNoReceiver(position int, l *fault.List) {
	message := "There is no such receiver."
	if r.Transaction != "" {
		message = deletedReceiver
	}

	l.Add(PaymentAt(position)+"/receiver", fault.ReceiverUnknown, "%s", message)
}

// deletedReceiver is said of drafts whose receiver was deleted, together with its accounts and wallets.
const deletedReceiver = "The receiver was deleted: name another one."

// Snapshot returns the encoded snapshot of a payment's receiver, or notes that there is none. It is kept for the
// request, because many payments go to few receivers.
func (r *Request) Snapshot(position int, l *fault.List) string {
	x, ok := r.Receivers[string(r.Input.Payments[position].Receiver)]
	if !ok {
		r.NoteNoReceiver(position, l)
		return ""
	}

	s, ok := r.snapshots[x.ID]
	if !ok {
		s = snapshotOf(x).text()
		r.snapshots[x.ID] = s
	}

	return s
}

// directoryAge is how old a cached receiver or wallet may be when a draft is made from it. Submit reads it fresh.
const directoryAge = 3 * time.Second

// directoryReader reads the records of the directory that requests name, and caches them for directoryAge.
type directoryReader struct {
	receivers *cache.Cache[receiver.Receiver]
	wallets   *cache.Cache[wallet.Wallet]
	payers    *cache.Cache[wallet.Wallet]
	networks  *cache.Cache[network.Network]
	tokens    *cache.Cache[network.Token]
}

func newDirectoryReader(c *clock.Clock) *directoryReader {
	return &directoryReader{
		receivers: cache.New[receiver.Receiver](c, directoryAge, 50_000),
		wallets:   cache.New[wallet.Wallet](c, directoryAge, 50_000),
		payers:    cache.New[wallet.Wallet](c, directoryAge, 20_000),
		networks:  cache.New[network.Network](c, directoryAge, 200),
		tokens:    cache.New[network.Token](c, directoryAge, 1_000),
	}
}

// read fills in the records that the request's input names. An unknown record is left out, or marked; the check notes
// it at its field.
func (d *directoryReader) read(ctx context.Context, q db.Querier, r *Request) (err error) {
	if err = d.readPayer(ctx, q, r); err != nil {
		return err
	}

	if r.PayerErr == nil {
		r.Network, r.Token, r.TokenErr, err = d.networkAndToken(ctx, q, r.Payer.Network, r.Input.Token, r.Fresh)
		if err != nil {
			return err
		}
	}

	var receivers, wallets []string
	for i := range r.Input.Payments {
		receivers = append(receivers, string(r.Input.Payments[i].Receiver))
		if w := string(r.Input.Payments[i].Wallet); w != "" {
			wallets = append(wallets, w)
		}
	}

	if r.Receivers, err = gather(ctx, d.receivers, q, r, receivers, receiver.ByIDs); err != nil {
		return err
	}

	r.Wallets, err = gather(ctx, d.wallets, q, r, wallets, wallet.ByIDs)

	return err
}

// readPayer finds the paying wallet. Its error means that the question could not be answered.
func (d *directoryReader) readPayer(ctx context.Context, q db.Querier, r *Request) error {
	in := r.Input
	if in.WalletAddress == "" {
		r.PayerErr = fault.New(fault.Invalid, fault.Required, "is required.")
		return nil
	}

	key := r.Organisation + "/" + in.Network + "/" + in.WalletAddress

	var cached bool
	if r.Payer, cached = d.payers.Find(key); cached && !r.Fresh {
		return nil
	}

	var err error
	if r.Payer, err = wallet.Payer(ctx, q, r.Organisation, in.WalletAddress, in.Network); err != nil {
		r.PayerErr = asRefusal(err)
		return notRefusal(err)
	}

	d.payers.Keep(key, r.Payer)

	return nil
}

// networkAndToken reads a network and its token with a code. refusal is the reason why they cannot be used; err means
// that the question could not be answered.
func (d *directoryReader) networkAndToken(
	ctx context.Context,
	q db.Querier,
	networkID, code string,
	fresh bool,
) (n network.Network, t network.Token, refusal, err error) {
	n, cached := d.networks.Find(networkID)
	if !cached || fresh {
		if n, err = network.ByID(ctx, q, networkID); err != nil {
			return n, t, asRefusal(err), notRefusal(err)
		}

		d.networks.Keep(networkID, n)
	}

	if code == "" {
		return n, t, fault.New(fault.Invalid, fault.Required, "is required."), nil
	}

	key := networkID + "/" + code
	if t, cached = d.tokens.Find(key); cached && !fresh {
		return n, t, nil, nil
	}

	if t, err = network.TokenOn(ctx, q, networkID, code); err != nil {
		return n, t, asRefusal(err), notRefusal(err)
	}

	d.tokens.Keep(key, t)

	return n, t, nil, nil
}

// usable is networkAndToken for callers to whom a refusal is an error like another.
func (d *directoryReader) usable(
	ctx context.Context,
	q db.Querier,
	networkID, code string,
	fresh bool,
) (network.Network, network.Token, error) {
	n, t, refusal, err := d.networkAndToken(ctx, q, networkID, code, fresh)
	return n, t, cmp.Or(err, refusal)
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

// gather reads the records of a request by id: those in the cache from there, all others in one statement.
func gather[V any](ctx context.Context, c *cache.Cache[V], q db.Querier, r *Request, ids []string,
	read func(context.Context, db.Querier, string, []string) (map[string]V, error),
) (map[string]V, error) {
	out := make(map[string]V, len(ids))

	var missing []string
	for _, id := range ids {
		if _, have := out[id]; have || id == "" {
			continue
		}

		if v, cached := c.Find(r.Organisation + "/" + id); cached && !r.Fresh {
			out[id] = v
		} else {
			missing = append(missing, id)
		}
	}

	if len(missing) == 0 {
		return out, nil
	}

	records, err := read(ctx, q, r.Organisation, missing)
	for id, v := range records {
		out[id] = v
		c.Keep(r.Organisation+"/"+id, v)
	}

	return out, err
}
