package chain

import (
	"context"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// silent is an observer that records nothing.
type silent struct{}

func (silent) Seen(context.Context, *db.Tx, Sent) error              { return nil }
func (silent) Lost(context.Context, *db.Tx, Sent) error              { return nil }
func (silent) Final(context.Context, *db.Tx, Sent) error             { return nil }
func (silent) Refused(context.Context, *db.Tx, string, string) error { return nil }

// sink is a node that takes every transaction, and lists them.
type sink struct {
	mu  sync.Mutex
	got []string
}

// ServeHTTP answers with the chain id or a hash.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	type request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params []string        `json:"params"`
	}

	type response struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  string          `json:"result"`
	}

	var asked []request

	body, _ := io.ReadAll(r.Body)
	single := len(body) > 0 && body[0] == '{'

	if single {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}

	if json.Unmarshal(body, &asked) != nil {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	var out []response
	for _, q := range asked {
		a := response{Version: "2.0", ID: q.ID, Result: "0x7a69"} // 31337

		if q.Method == "eth_sendRawTransaction" {
			s.got = append(s.got, q.Params[0])
			a.Result = common.Hash{}.Hex()
		}

		out = append(out, a)
	}

	if single {
		_ = json.NewEncoder(w).Encode(out[0])
	} else {
		_ = json.NewEncoder(w).Encode(out)
	}
}

func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// succession is one database and one network before and after its signer was replaced.
type succession struct {
	t      *testing.T
	d      *db.DB
	node   *sink
	router common.Address
	url    string
}

func newSuccession(t *testing.T, d *db.DB) *succession {
	t.Helper()
	s := &succession{t: t, d: d, node: &sink{}, router: common.HexToAddress("0x5a1e")}
	server := httptest.NewServer(s.node)
	t.Cleanup(server.Close)
	s.url = server.URL

	return s
}

// rail is a process with one signer.
func (s *succession) rail(signer Signer) *Rail {
	s.t.Helper()

	r := New(Config{DB: s.d, Observer: silent{}, LeaseFor: time.Minute})
	require.NoError(s.t, r.AddNetwork(s.t.Context(), Network{
		ID:              "n",
		ChainID:         big.NewInt(31337),
		URLs:            []string{s.url},
		Signer:          signer,
		Router:          s.router,
		MaxFeePerGasWei: big.NewInt(100),
	}))

	return r
}

// plan plans a send through the router.
func (s *succession) plan(r *Rail, key string) {
	s.t.Helper()
	require.NoError(s.t, s.d.Write(s.t.Context(), func(tx *db.Tx) error {
		return r.Plan(tx, Send{Key: key, Network: "n", To: s.router, Data: []byte{1}, GasLimit: 50_000})
	}))
}

// holding lets a lane hold its lease, from nonce 0 on.
func (s *succession) holding(l *lane) *lane {
	s.t.Helper()
	held, err := l.acquireLease(s.t.Context())
	require.NoError(s.t, err)
	require.True(s.t, held)

	if l.row.next < 0 {
		require.NoError(s.t, l.startFrom(s.t.Context(), 0))
	}

	return l
}

// nonced takes nonces for what is planned.
func (s *succession) nonced(l *lane) []sendRow {
	s.t.Helper()
	rows, err := l.inState(s.t.Context(), 10, StatePlanned)
	require.NoError(s.t, err)

	for i := range rows {
		rows[i].GasLimit = 50_000
	}

	require.NoError(s.t, l.takeNonces(s.t.Context(), rows))

	return rows
}

func (s *succession) stateOf(key string) sendRow {
	s.t.Helper()
	row, err := sendByKey(s.t.Context(), s.d, key)
	require.NoError(s.t, err)

	return row
}

// deposed has the chain have said that the earlier signer is no operator any more.
func (s *succession) deposed(l *lane) {
	s.t.Helper()
	require.NoError(s.t, s.d.Write(s.t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE chain_signers SET final_nonce = 0, deposed = TRUE WHERE address = ?", l.address)
		return err
	}))
}

func newSigner(t *testing.T) *KeySigner {
	t.Helper()
	key, err := crypto.GenerateKey()
	require.NoError(t, err)

	return NewKeySigner(key)
}

// What took effect counts before what failed. A failure from before a send was sent anew counts only while nothing else
// can: it says nothing about a new attempt whose receipt nobody has shown yet.
func TestTheReceiptThatCounts(t *testing.T) {
	done := &types.Receipt{Status: types.ReceiptStatusSuccessful}
	failed := &types.Receipt{Status: types.ReceiptStatusFailed}
	before := []attemptRow{{Number: 1}}
	both := []attemptRow{{Number: 1}, {Number: 2}}

	for name, c := range map[string]struct {
		state    State
		all      []attemptRow
		receipts []*types.Receipt
		want     *types.Receipt
	}{
		"nothing is known":             {StateSent, both, []*types.Receipt{nil, nil}, nil},
		"planned, and it took effect":  {StatePlanned, before, []*types.Receipt{done}, done},
		"planned, and it failed":       {StatePlanned, before, []*types.Receipt{failed}, failed},
		"sent, and the old one failed": {StateSent, both, []*types.Receipt{failed, nil}, nil},
		"on hold, and it failed":       {StateHold, both, []*types.Receipt{failed, nil}, nil},
		"the old one took effect":      {StateSent, both, []*types.Receipt{done, failed}, done},
		"the new one took effect":      {StateSent, both, []*types.Receipt{failed, done}, done},
		"the new one failed":           {StateSent, both, []*types.Receipt{nil, failed}, failed},
	} {
		t.Run(name, func(t *testing.T) {
			require.Same(t, c.want, sendRow{State: c.state, Released: 1}.counting(c.all, c.receipts))
		})
	}
}

// K-07: what the chain has to say before a person can decide about a send of an earlier signer.
func TestWhenAnEarlierSignersSendCanBeDecidedAbout(t *testing.T) {
	router := common.HexToAddress("0x5a1e")
	elsewhere := common.HexToAddress("0xe15e")

	send := func(to common.Address, state State, nonce, finalNonce int64, deposed bool) heldSend {
		return heldSend{
			signer:     "earlier",
			successor:  "present",
			to:         to.Hex(),
			state:      state,
			nonce:      nonce,
			refused:    -1,
			finalNonce: finalNonce,
			deposed:    deposed,
		}
	}
	refused := func(to common.Address, finalNonce int64, deposed bool) heldSend {
		h := send(to, StateHold, -1, finalNonce, deposed)
		h.refused = 3

		return h
	}

	for name, c := range map[string]struct {
		h             heldSend
		anew, givenUp error
	}{
		"nothing was read":                  {send(router, StateHold, 3, -1, false), ErrNotRead, ErrNotRead},
		"left, and still an operator":       {send(router, StateSent, 3, 3, false), ErrStillOperator, nil},
		"left, and no operator":             {send(router, StateSent, 3, 3, true), nil, nil},
		"left, and its nonce is used":       {send(router, StateSent, 3, 4, true), ErrNotRead, nil},
		"without signature":                 {send(router, StateNonced, 3, 4, true), nil, nil},
		"on hold, and still an operator":    {send(router, StateHold, 3, 4, false), ErrStillOperator, nil},
		"on hold, and no operator":          {send(router, StateHold, 3, 4, true), nil, nil},
		"refused, and still an operator":    {refused(router, 3, false), ErrStillOperator, ErrStillOperator},
		"refused, and no operator":          {refused(router, 3, true), nil, nil},
		"plain, left, its nonce open":       {send(elsewhere, StateSent, 3, 3, true), ErrNonceOpen, nil},
		"plain, left, its nonce used":       {send(elsewhere, StateSent, 3, 4, true), ErrNotRead, nil},
		"plain, without signature, open":    {send(elsewhere, StateNonced, 3, 3, true), ErrNonceOpen, nil},
		"plain, without signature, used":    {send(elsewhere, StateNonced, 3, 4, true), nil, nil},
		"plain, on hold":                    {send(elsewhere, StateHold, 3, 4, false), nil, nil},
		"plain, refused, its nonce open":    {refused(elsewhere, 3, true), ErrNonceOpen, ErrNonceOpen},
		"plain, refused, its nonce is used": {refused(elsewhere, 4, false), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, c.h.dead(router, false), c.anew)

			if c.h.state == StateHold { // nothing else is given up
				require.ErrorIs(t, c.h.dead(router, true), c.givenUp)
			}
		})
	}
}

// K-07: a lane that has read a send before it was released does not broadcast it, nor raise its fee.
func TestWhatWasReadBeforeAReleaseIsNotBroadcast(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		s := newSuccession(t, d)
		one := s.rail(newSigner(t))
		s.plan(one, "a")
		s.plan(one, "b")

		old := s.holding(one.lanes["n"])
		require.NoError(t, old.signAndSend(ctx, s.nonced(old), big.NewInt(1), big.NewInt(2)))
		require.Equal(t, 2, s.node.count())

		two := s.rail(newSigner(t))
		s.deposed(old)

		read, err := old.between(ctx, 10, 0, 10, StateSent)
		require.NoError(t, err)
		require.Len(t, read, 2)

		signed, err := attempts(ctx, d, read)
		require.NoError(t, err)
		require.NoError(t, two.Release(ctx, "a"))

		var out []outgoing
		for _, row := range read {
			out = append(out, stored(row, signed[row.ID][0]))
		}

		require.NoError(t, old.broadcast(ctx, view{}, out, ""))
		require.Equal(t, 3, s.node.count(), "the other one is repeated")
		require.EqualValues(t, 2, broadcasts(t, d, "b"))
		require.EqualValues(t, 1, broadcasts(t, d, "a"))

		for i, row := range read {
			out[i], err = old.raise(ctx, row, signed[row.ID][0], big.NewInt(3), big.NewInt(4))
			require.NoError(t, err)
		}

		require.ErrorIs(t, old.sendRaised(ctx, view{}, out), db.ErrStale)
		require.Equal(t, 3, s.node.count())
		require.Equal(t, StatePlanned, s.stateOf("a").State)
	})
}

// broadcasts returns how often the latest attempt of a send was broadcast.
func broadcasts(t *testing.T, d *db.DB, key string) int64 {
	t.Helper()
	n, err := db.Value[int64](t.Context(), d, `SELECT a.broadcasts FROM chain_attempts a
		JOIN chain_sends s ON s.id = a.send_id WHERE s.key = ? ORDER BY a.number DESC LIMIT 1`, key)
	require.NoError(t, err)

	return n
}

// K-07: a process that goes on with the earlier signer, and signs only now what has gone to the next one, stores and
// sends nothing of it.
func TestWhatWasReleasedIsNotSignedByTheEarlierSigner(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		s := newSuccession(t, d)
		one := s.rail(newSigner(t))
		s.plan(one, "a")

		old := s.holding(one.lanes["n"])
		unsigned := s.nonced(old)

		two := s.rail(newSigner(t))
		s.deposed(old)
		require.NoError(t, two.Release(ctx, "a"))
		s.nonced(s.holding(two.lanes["n"]))

		require.ErrorIs(t, old.signAndSend(ctx, unsigned, big.NewInt(1), big.NewInt(2)), db.ErrStale)
		require.Zero(t, s.node.count())

		row := s.stateOf("a")
		require.Equal(t, StateNonced, row.State)
		require.Equal(t, two.lanes["n"].address, row.Signer)
	})
}

// A round that has read the chain's count before a person thawed the signer does not freeze it for that count again.
func TestAThawedSignerIsNotFrozenForWhatWasReadBefore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		s := newSuccession(t, d)
		l := s.holding(s.rail(newSigner(t)).lanes["n"])
		frozen := func() string {
			row, err := db.One(ctx, d, (*signerRow).dest, readSigner, "n", l.address)
			require.NoError(t, err)

			return row.frozen
		}

		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error { return l.noteThawed(tx, thawed{mined: 2}) }))
		require.NoError(t, l.freeze(ctx, "the chain counts 2 transactions, our next nonce is 0"))
		require.Empty(t, frozen())

		s.holding(l)
		require.NoError(t, l.freeze(ctx, "the chain counts 3 transactions, our next nonce is 2"))
		require.NotEmpty(t, frozen())
	})
}

// K-07: what was read of a signer while it was an earlier one does not count any more when it has come back.
func TestASignerThatComesBackIsReadAnew(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newSuccession(t, d)
		key := newSigner(t)
		one := s.rail(key)
		s.plan(one, "a")
		old := s.holding(one.lanes["n"])
		s.nonced(old)
		s.deposed(old)
		s.rail(key)

		err := s.rail(newSigner(t)).Endable(t.Context(), d, "a", false)
		require.ErrorIs(t, err, ErrNotRead)
		require.ErrorIs(t, err, ErrNotDead)
	})
}
