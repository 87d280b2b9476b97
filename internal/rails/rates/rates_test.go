package rates_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/rates"
	"slipway/internal/standards/ecb"
)

// table is a source of fixed rates; a pair may have an error instead.
type table map[string]any

func (s table) Rate(_ context.Context, base, quote string) (rates.Rate, error) {
	switch v := s[base+"/"+quote].(type) {
	case string:
		r, _ := new(big.Rat).SetString(v)

		return rates.Rate{
			Base:   base,
			Quote:  quote,
			Value:  r,
			AsOf:   time.Unix(int64(len(v)), 0),
			Source: "table " + base + quote,
		}, nil

	case error:
		return rates.Rate{}, v
	}

	return rates.Rate{}, fmt.Errorf("table: %w", rates.ErrUnknownPair)
}

func value(t *testing.T, s rates.Source, base, quote string) string {
	t.Helper()
	r, err := s.Rate(t.Context(), base, quote)
	require.NoError(t, err)
	require.Equal(t, base+quote, r.Base+r.Quote)

	return r.Value.RatString()
}

func TestCrossesAreExactAndAsOldAsTheirOldestPart(t *testing.T) {
	s := rates.Cross(table{
		"USDC/USD": "0.9998",
		"EUR/USD":  "1.12520",
		"EUR/INR":  "96.0750",
		"EUR/CHF":  "0.9353",
		"USD/XYZ":  "2",
	}, "USD", "EUR")
	for _, test := range []struct{ base, quote, want string }{
		{"EUR", "USD", "2813/2500"},
		{"USD", "EUR", "2500/2813"},
		{"USDC", "EUR", "4999/5626"},
		{"EUR", "USDC", "5626/4999"},
		{"USD", "USD", "1"},
		{"INR", "CHF", "9353/960750"},
		{"XYZ", "USDC", "2500/4999"},
	} {
		want, _ := new(big.Rat).SetString(test.want)
		require.Equal(t, want.RatString(), value(t, s, test.base, test.quote), "%s/%s", test.base, test.quote)
	}

	r, err := s.Rate(t.Context(), "USDC", "INR") // 0.9998 ÷ 1.1252 × 96.075
	require.NoError(t, err)
	want := big.NewRat(9998, 10000)
	want.Quo(want, big.NewRat(11252, 10000)).Mul(want, big.NewRat(96075, 1000))
	require.Zero(t, want.Cmp(r.Value))
	require.Equal(t, time.Unix(6, 0), r.AsOf)
	require.Equal(t, "table USDCUSD × table EURUSD × table EURINR", r.Source)
	_, err = s.Rate(t.Context(), "USDC", "BTC")
	require.ErrorIs(t, err, rates.ErrUnknownPair)
}

// A chain with a stale part is not walked around silently into another number unless a fresh chain exists.
func TestAStalePartMakesTheCrossStale(t *testing.T) {
	old := &rates.Stale{Base: "EUR", Quote: "USD", Source: "x", Limit: "1h"}
	s := rates.Cross(table{"USDC/USD": "1", "EUR/USD": old}, "USD", "EUR")
	_, err := s.Rate(t.Context(), "USDC", "EUR")
	require.ErrorIs(t, err, rates.ErrStale)
	require.NotErrorIs(t, err, rates.ErrUnknownPair)
}

func TestFirstPassesOverWhatMayNotBeUsed(t *testing.T) {
	old := &rates.Stale{Source: "x"}
	down := fmt.Errorf("y: %w", rates.ErrUnavailable)

	require.Equal(
		t,
		"2",
		value(
			t,
			rates.First(table{"A/B": old}, table{}, table{"A/B": down}, table{"A/B": "2"}, table{"A/B": "3"}),
			"A",
			"B",
		),
	)

	_, err := rates.First(table{"A/B": old}, table{"A/B": down}).Rate(t.Context(), "A", "B")
	require.ErrorIs(t, err, rates.ErrStale)
	require.ErrorIs(t, err, rates.ErrUnavailable)

	_, err = rates.First(table{}).Rate(t.Context(), "A", "B")
	require.ErrorIs(t, err, rates.ErrUnknownPair)
}

func TestACallerWhoWentAwayIsNotToldThatAPairDoesNotExist(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := rates.First(table{}, table{"A/B": "1"}).Rate(gone, "A", "B")
	require.ErrorIs(t, err, rates.ErrUnavailable)
	require.NotErrorIs(t, err, rates.ErrUnknownPair)
}

func TestCheckedBelievesNeitherOfTwoThatDisagree(t *testing.T) {
	s := rates.Checked(table{
		"A/B": "103",
		"A/C": "103.1",
		"A/D": "97",
		"A/E": "96.9",
		"A/F": "5",
	}, table{
		"A/B": "100",
		"A/C": "100",
		"A/D": "100",
		"A/E": "100",
		"A/G": "1",
	}, big.NewRat(3, 100))
	require.Equal(t, "103", value(t, s, "A", "B"))
	require.Equal(t, "97", value(t, s, "A", "D"))
	require.Equal(t, "5", value(t, s, "A", "F"), "nothing to compare with")

	for _, quote := range []string{"C", "E"} {
		_, err := s.Rate(t.Context(), "A", quote)
		require.ErrorIs(t, err, rates.ErrUnavailable)
	}

	_, err := s.Rate(t.Context(), "A", "G")
	require.ErrorIs(t, err, rates.ErrUnknownPair)
}

func TestNoChainLeadsPastADispute(t *testing.T) {
	feeds := table{"USDC/USD": "1", "GBP/USD": "2", "EUR/USD": "1.1"}

	reference := table{
		"USD/GBP": "0.8",
		"GBP/USD": "1.25",
		"USD/EUR": "0.91",
		"EUR/USD": "1.1",
		"EUR/GBP": "0.88",
	}

	s := rates.Cross(
		rates.Checked(rates.First(rates.Cross(feeds), reference), reference, big.NewRat(3, 100)),
		"USD",
		"EUR",
	)

	_, err := s.Rate(t.Context(), "USDC", "GBP")
	require.ErrorIs(t, err, rates.ErrUnavailable)
	require.Equal(t, "10/11", value(t, s, "USDC", "EUR"), "what is not in dispute goes on")
}

// bank plays the central bank's server.
type bank struct {
	mu         sync.Mutex
	date, rate string
	fails      error
	status     int
	body       string // instead of a file
	asked      int
	unchanged  int
}

func (b *bank) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	b.asked++
	if b.fails != nil {
		return nil, b.fails
	}

	w := httptest.NewRecorder()

	tag := `"` + b.date + b.rate + `"`
	switch {
	case b.status != 0:
		w.WriteHeader(b.status)
	case r.Header.Get("If-None-Match") == tag && r.Header.Get("If-Modified-Since") == "then":
		b.unchanged++
		w.WriteHeader(http.StatusNotModified)

	default:
		w.Header().Set("ETag", tag)
		w.Header().Set("Last-Modified", "then")

		body := b.body
		if body == "" {
			body = `<g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time='` + b.date +
				`'><Cube currency='USD' rate='` + b.rate + `'/><Cube currency='CHF' rate='0.93'/></Cube></Cube></g:Envelope>`
		}

		_, _ = io.WriteString(w, body)
	}

	res := w.Result()
	res.Request = r

	return res, nil
}

// at moves a bubble's clock, which begins on 1 January 2000, to a time.
func at(t *testing.T, c *clock.Clock, s string) {
	t.Helper()
	when, err := time.Parse(time.DateTime, s)
	require.NoError(t, err)
	c.Advance(when.Sub(c.Now()))
}

func TestReferenceRatesAreAskedForWhenANewerSetOughtToBeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		b := &bank{date: "2026-11-19", rate: "1.10"}
		e := rates.NewECB(rates.ECBConfig{Clock: c, MaxMissed: 1, Transport: b})
		at(t, c, "2026-11-20 09:00:00") // a Friday
		require.Equal(t, "11/10", value(t, e, "EUR", "USD"))
		require.Equal(t, "93/110", value(t, e, "USD", "CHF"))
		require.Equal(t, 1, b.asked, "what is fresh is not asked for again")

		at(t, c, "2026-11-20 15:31:00") // today's set ought to be out, and is not
		require.Equal(t, "11/10", value(t, e, "EUR", "USD"))
		require.Equal(t, "11/10", value(t, e, "EUR", "USD"))
		require.Equal(t, 2, b.asked)
		require.Equal(t, 1, b.unchanged, "conditional requests")
		b.date = "2026-11-20"
		b.rate = "1.20"
		c.Advance(11 * time.Minute)
		require.Equal(t, "6/5", value(t, e, "EUR", "USD"))

		at(t, c, "2026-11-23 15:00:00") // Monday, before the next set: Friday's is the latest there is
		r, err := e.Rate(t.Context(), "EUR", "USD")
		require.NoError(t, err)
		require.Equal(t, "2026-11-20T15:00:00Z", r.AsOf.Format(time.RFC3339))

		b.date = "2026-11-19"
		b.rate = "1.10" // a cache on the way is behind
		at(t, c, "2026-11-23 18:00:00")
		require.Equal(t, "6/5", value(t, e, "EUR", "USD"))

		b.fails = errors.New("no route")
		at(t, c, "2026-11-24 15:00:00")
		require.Equal(t, "6/5", value(t, e, "EUR", "USD"), "a failed look changes nothing while the rates are fresh")
		at(t, c, "2026-11-24 15:31:00") // two publications are missing
		_, err = e.Rate(t.Context(), "EUR", "USD")
		require.ErrorIs(t, err, rates.ErrStale)

		var stale *rates.Stale
		require.ErrorAs(t, err, &stale)
		require.Equal(t, "ECB", stale.Source)

		b.fails = nil
		b.date = "2026-11-24"
		b.rate = "1.30"
		c.Advance(11 * time.Minute)
		require.Equal(t, "13/10", value(t, e, "EUR", "USD"))
		_, err = e.Rate(t.Context(), "EUR", "RUB")
		require.ErrorIs(t, err, rates.ErrUnknownPair)
	})
}

func TestReferenceRatesThatCannotBeReadAreNotUsed(t *testing.T) {
	for name, b := range map[string]*bank{
		"no answer":     {fails: errors.New("no route")},
		"an error page": {status: 503},
		"moved":         {status: 302},
		"HTML":          {body: "<html></html>"},
		"decimal comma": {date: "2026-11-20", rate: "1,10"},
		"to come":       {date: "2026-12-20", rate: "1.10"},
		"endless":       {body: strings.Repeat(" ", 1<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := clock.New()
				e := rates.NewECB(rates.ECBConfig{Clock: c, Transport: b})
				at(t, c, "2026-11-20 16:00:00")

				for range 3 {
					_, err := e.Rate(t.Context(), "EUR", "USD")
					require.ErrorIs(t, err, rates.ErrUnavailable)
				}

				require.Equal(t, 1, b.asked, "a failed look is not repeated at once")
				c.Advance(2 * time.Minute)
				_, err := e.Rate(t.Context(), "EUR", "USD")
				require.ErrorIs(t, err, rates.ErrUnavailable)
				require.Equal(t, 2, b.asked)
			})
		})
	}
}

func TestACallerWhoGoesAwayLeavesTheSourceAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		b := &bank{date: "2026-11-20", rate: "1.10"}
		e := rates.NewECB(rates.ECBConfig{Clock: c, Transport: b})
		at(t, c, "2026-11-20 16:00:00")
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		b.fails = context.Canceled
		_, err := e.Rate(gone, "EUR", "USD")
		require.ErrorIs(t, err, rates.ErrUnavailable)

		b.fails = nil
		require.Equal(t, "11/10", value(t, e, "EUR", "USD"))
	})
}

func TestPublishedFileThroughTheAdapter(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(fixtures(t), "ecb", "eurofxref-daily_2025-05-09.xml"))
	require.NoError(t, err)

	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		e := rates.NewECB(rates.ECBConfig{Clock: c, Transport: &bank{body: string(raw)}})
		at(t, c, "2025-05-10 12:00:00")
		require.Equal(t, "2813/2500", value(t, e, "EUR", "USD"))
	})
}

func fixtures(t *testing.T) string {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	if _, err := os.Stat(filepath.Join(dir, "ecb")); err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	return dir
}

// aggregator is a feed as its contract answers.
type aggregator struct {
	description          string
	decimals             int64
	answer               *big.Int
	startedAt, updatedAt time.Time
	revert               error
	raw                  []byte // instead of latestRoundData
	asked                int
}

func (a *aggregator) call(data []byte) ([]byte, error) {
	if a.revert != nil {
		return nil, a.revert
	}

	switch hexutil.Encode(data) {
	case "0x313ce567":
		return words(big.NewInt(a.decimals)), nil
	case "0x7284e416":
		out := append(words(big.NewInt(32), big.NewInt(int64(len(a.description)))), a.description...)
		return append(out, make([]byte, 31)...), nil

	case "0xfeaf968c":
		a.asked++
		if a.raw != nil {
			return a.raw, nil
		}

		id := new(big.Int).Lsh(big.NewInt(7), 64)

		return words(id, a.answer, unix(a.startedAt), unix(a.updatedAt), id), nil
	}

	return nil, errors.New("no such function")
}

func unix(t time.Time) *big.Int {
	if t.IsZero() {
		return new(big.Int)
	}

	return big.NewInt(t.Unix())
}

// words encodes numbers as the ABI does; negative ones in two's complement.
func words(ns ...*big.Int) []byte {
	var out []byte
	for _, n := range ns {
		if n.Sign() < 0 {
			n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), 256))
		}

		out = append(out, common.LeftPadBytes(n.Bytes(), 32)...)
	}

	return out
}

// contracts are those of one network.
type contracts map[common.Address]*aggregator

func (c contracts) Call(_ context.Context, network string, to common.Address, data []byte) ([]byte, error) {
	a, ok := c[to]
	if !ok || network != "net_l2" {
		return nil, nil // there is no code: a call returns nothing
	}

	return a.call(data)
}

var (
	euroAt      = common.HexToAddress("0x01")
	sequencerAt = common.HexToAddress("0x02")
)

// feedWorld is a rollup with one feed and its sequencer's.
func feedWorld(t *testing.T, c *clock.Clock) (*rates.Chainlink, *aggregator, *aggregator) {
	t.Helper()
	euro := &aggregator{
		description: "EUR / USD",
		decimals:    8,
		answer:      big.NewInt(112_520_000),
		updatedAt:   c.Now(),
		startedAt:   c.Now(),
	}
	up := &aggregator{answer: new(big.Int), startedAt: c.Now().Add(-2 * time.Hour), updatedAt: c.Now()}
	source, err := rates.NewChainlink(contracts{euroAt: euro, sequencerAt: up}, c, []rates.Feed{{
		Base:      "EUR",
		Quote:     "USD",
		Network:   "net_l2",
		Address:   euroAt,
		Heartbeat: time.Hour,
	}},
		[]rates.Sequencer{{Network: "net_l2", Address: sequencerAt, Grace: time.Hour}})
	require.NoError(t, err)

	return source, euro, up
}

func TestAFeedIsReadExactlyWithItsOwnDecimals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		source, euro, _ := feedWorld(t, c)
		r, err := source.Rate(t.Context(), "EUR", "USD")
		require.NoError(t, err)
		require.Equal(t, rates.Rate{
			Base:   "EUR",
			Quote:  "USD",
			Value:  big.NewRat(2813, 2500),
			AsOf:   c.Now().Truncate(time.Second),
			Source: "Chainlink net_l2",
		}, r)
		require.Equal(t, "2813/2500", value(t, source, "EUR", "USD"))
		require.Equal(t, 1, euro.asked, "an answer is used again for a moment")
		c.Advance(10 * time.Second)
		euro.answer = big.NewInt(100_000_000)
		require.Equal(t, "1", value(t, source, "EUR", "USD"))
		_, err = source.Rate(t.Context(), "USD", "EUR")
		require.ErrorIs(t, err, rates.ErrUnknownPair, "the inverse is Cross's business")

		eighteen := &aggregator{
			description: "USDC / USD",
			decimals:    18,
			answer:      big.NewInt(999_900_000_000_000_000),
			updatedAt:   c.Now(),
			startedAt:   c.Now(),
		}
		wide, err := rates.NewChainlink(contracts{euroAt: eighteen}, c, []rates.Feed{{
			Base:      "USDC",
			Quote:     "USD",
			Network:   "net_l2",
			Address:   euroAt,
			Heartbeat: time.Hour,
		}}, nil)
		require.NoError(t, err)
		require.Equal(t, "9999/10000", value(t, wide, "USDC", "USD"))
	})
}

func TestAFeedIsNotBelieved(t *testing.T) {
	zero := make([]byte, 5*32)
	binary.BigEndian.PutUint64(zero[2*32-8:], 5)

	for name, test := range map[string]struct {
		break_ func(c *clock.Clock, euro, up *aggregator)
		want   error
	}{
		"answer zero": {func(_ *clock.Clock, e, _ *aggregator) {
			e.answer = new(big.Int)
		}, rates.ErrUnavailable},
		"answer below zero": {func(_ *clock.Clock, e, _ *aggregator) {
			e.answer = big.NewInt(-1)
		}, rates.ErrUnavailable},
		"no round":           {func(_ *clock.Clock, e, _ *aggregator) { e.raw = zero }, rates.ErrUnavailable},
		"past its heartbeat": {func(c *clock.Clock, _, _ *aggregator) { c.Advance(67 * time.Minute) }, rates.ErrStale},
		"from the future": {func(c *clock.Clock, e, _ *aggregator) {
			e.updatedAt = c.Now().Add(time.Hour)
		}, rates.ErrUnavailable},
		"times that are none": {func(_ *clock.Clock, e, _ *aggregator) {
			e.raw = words(big.NewInt(1), big.NewInt(1), big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 200), big.NewInt(1))
		}, rates.ErrUnavailable},
		"short answer": {func(_ *clock.Clock, e, _ *aggregator) {
			e.raw = zero[:100]
		}, rates.ErrUnavailable},
		"nothing at the address": {func(_ *clock.Clock, e, _ *aggregator) { e.raw = []byte{} }, rates.ErrUnavailable},
		"reverts": {func(_ *clock.Clock, e, _ *aggregator) {
			e.revert = errors.New("execution reverted")
		}, rates.ErrUnavailable},
		"another pair's feed": {func(_ *clock.Clock, e, _ *aggregator) {
			e.description = "GBP / USD"
		}, rates.ErrUnavailable},
		"absurd decimals": {func(_ *clock.Clock, e, _ *aggregator) { e.decimals = 255 }, rates.ErrUnavailable},
		"sequencer down": {func(_ *clock.Clock, _, up *aggregator) {
			up.answer = big.NewInt(1)
		}, rates.ErrUnavailable},
		"sequencer just back": {func(c *clock.Clock, _, up *aggregator) {
			up.startedAt = c.Now().Add(-time.Hour)
		}, rates.ErrUnavailable},
		"sequencer without round": {func(_ *clock.Clock, _, up *aggregator) {
			up.startedAt = time.Time{}
		}, rates.ErrUnavailable},
		"sequencer silent": {func(_ *clock.Clock, _, up *aggregator) {
			up.revert = errors.New("x")
		}, rates.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := clock.New()
				source, euro, up := feedWorld(t, c)
				test.break_(c, euro, up)
				_, err := source.Rate(t.Context(), "EUR", "USD")
				require.ErrorIs(t, err, test.want)
			})
		})
	}
}

func TestAFeedIsGoodUntilAndAgainAfterItsLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		source, euro, up := feedWorld(t, c)
		c.Advance(66 * time.Minute) // the heartbeat and a tenth
		require.Equal(t, "2813/2500", value(t, source, "EUR", "USD"))

		c.Advance(time.Second)
		_, err := source.Rate(t.Context(), "EUR", "USD")
		require.ErrorIs(t, err, rates.ErrStale, "not even from the cache")

		euro.updatedAt = c.Now()
		require.Equal(t, "2813/2500", value(t, source, "EUR", "USD"))

		up.startedAt = c.Now()
		c.Advance(time.Hour + time.Second)
		require.Equal(t, "2813/2500", value(t, source, "EUR", "USD"), "grace is over")
	})
}

func TestFeedsAreConfiguredOnce(t *testing.T) {
	c := clock.New()

	f := rates.Feed{
		Base:      "A",
		Quote:     "B",
		Network:   "n",
		Address:   euroAt,
		Heartbeat: time.Hour,
	}

	_, err := rates.NewChainlink(nil, c, []rates.Feed{f, f}, nil)
	require.Error(t, err)

	_, err = rates.NewChainlink(nil, c, []rates.Feed{{Base: "A", Quote: "B", Heartbeat: time.Hour}}, nil)
	require.Error(t, err)

	_, err = rates.NewChainlink(nil, c, nil, []rates.Sequencer{{Network: "n"}})
	require.Error(t, err)
}

// node is a chain's JSON-RPC with one feed.
func node(t *testing.T, feed *aggregator) *chain.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     int
			Method string
			Params []json.RawMessage
		}
		if json.NewDecoder(r.Body).Decode(&q) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}

		answer := "0x1"
		if q.Method == "eth_call" {
			var call struct {
				To    common.Address
				Input hexutil.Bytes
			}
			_ = json.Unmarshal(q.Params[0], &call)

			out, err := contracts{euroAt: feed}.Call(r.Context(), "net_l2", call.To, call.Input)
			if err != nil {
				_, _ = fmt.Fprintf(
					w,
					`{"jsonrpc":"2.0","id":%d,"error":{"code":3,"message":"execution reverted"}}`,
					q.ID,
				)

				return
			}

			answer = hexutil.Encode(out)
		}

		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"result":%q}`, q.ID, answer)
	}))
	t.Cleanup(server.Close)
	c, err := chain.NewClient(chain.ClientConfig{ChainID: big.NewInt(1), URLs: []string{server.URL}})
	require.NoError(t, err)
	t.Cleanup(c.Close)

	return c
}

type byClient struct{ *chain.Client }

func (c byClient) Call(ctx context.Context, _ string, to common.Address, data []byte) ([]byte, error) {
	return c.Client.Call(ctx, chain.CallMsg{To: to, Data: data})
}

func TestAFeedOverJSONRPC(t *testing.T) {
	c := clock.New()

	feed := &aggregator{
		description: "EUR / USD",
		decimals:    8,
		answer:      big.NewInt(110_000_000),
		updatedAt:   c.Now(),
		startedAt:   c.Now(),
	}

	source, err := rates.NewChainlink(byClient{node(t, feed)}, c, []rates.Feed{{
		Base:      "EUR",
		Quote:     "USD",
		Network:   "n",
		Address:   euroAt,
		Heartbeat: 24 * time.Hour,
	}}, nil)

	require.NoError(t, err)
	require.Equal(t, "11/10", value(t, source, "EUR", "USD"))
}

// The published addresses of feeds can all be configured: addresses with checksums, one for each pair of a chain,
// pairs that crosses need.
func TestPublishedFeedsCanBeConfigured(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(fixtures(t), "chain_refdata", "chainlink_feeds.json"))
	require.NoError(t, err)

	var all []struct {
		Chain, Pair, Address string
	}
	require.NoError(t, json.Unmarshal(raw, &all))
	feeds := map[string][]rates.Feed{}

	sequencers := map[string][]rates.Sequencer{}
	for _, f := range all {
		address := common.HexToAddress(f.Address)
		require.Equal(t, address.Hex(), f.Address)

		if strings.HasPrefix(f.Pair, "L2_Sequencer") {
			sequencers[f.Chain] = append(sequencers[f.Chain], rates.Sequencer{
				Network: f.Chain,
				Address: address,
				Grace:   time.Hour,
			})

			continue
		}

		base, quote, ok := strings.Cut(f.Pair, "/")
		require.True(t, ok, f.Pair)
		feeds[f.Chain] = append(feeds[f.Chain], rates.Feed{
			Base:      base,
			Quote:     quote,
			Network:   f.Chain,
			Address:   address,
			Heartbeat: 24 * time.Hour,
		})
	}

	require.Greater(t, len(feeds), 5)

	for name, list := range feeds {
		t.Run(name, func(t *testing.T) {
			_, err := rates.NewChainlink(contracts{}, clock.New(), list, sequencers[name])
			require.NoError(t, err)
		})
	}

	require.NotEmpty(t, sequencers["optimism"])
}

// The reference rates of the bank and the day arithmetic agree on what is fresh.
func TestFreshnessFollowsTheCalendarOfTARGET(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New()
		at(t, c, "2026-04-02 16:00:00") // before Good Friday
		b := &bank{date: "2026-04-02", rate: "1.10"}
		e := rates.NewECB(rates.ECBConfig{Clock: c, Transport: b}) // none may be missing

		fresh := 0
		for range 24 * 8 {
			_, err := e.Rate(t.Context(), "EUR", "USD")
			if err == nil {
				fresh++
			}

			require.Equal(
				t,
				ecb.Missed(time.Date(2026, 4, 2, 0, 0, 0, 0, time.UTC), c.Now()) > 0,
				errors.Is(err, rates.ErrStale),
			)
			c.Advance(time.Hour)
		}

		require.Equal(t, 5*24, fresh, "until Tuesday after Easter, 15:30 UTC")
	})
}
