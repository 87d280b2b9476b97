//go:build !nosandbox

package liquidity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/liquidity/liquiditysim"
)

const key = "transaction/txn_1/convert/EUR"

// market is the price the provider fills at.
type market struct{ price *big.Rat }

func (m *market) ask(context.Context, string, string) (*big.Rat, error) {
	if m.price == nil {
		return nil, errors.New("no price")
	}

	return m.price, nil
}

// world is a provider with a client of it.
type world struct {
	market   *market
	provider *liquiditysim.Server
	client   *liquidity.Client
	clock    *clock.Clock
	journal  string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		market:  &market{price: big.NewRat(9, 10)},
		clock:   clock.New(),
		journal: filepath.Join(t.TempDir(), "books", "orders.jsonl"),
	}
	w.open(t)

	return w
}

// open starts the provider on its journal, as after a restart.
func (w *world) open(t *testing.T) {
	t.Helper()

	var err error
	w.provider, err = liquiditysim.New(liquiditysim.Config{
		Journal: w.journal,
		KeyID:   "slipway",
		Secret:  "a shared secret",
		Clock:   w.clock,
		Price:   w.market.ask,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.provider.Close() })
	w.client = w.connect(t, w.provider.Transport(), "a shared secret")
}

func (w *world) connect(t *testing.T, transport http.RoundTripper, s secret.Text) *liquidity.Client {
	t.Helper()
	c, err := liquidity.NewClient(liquidity.ClientConfig{
		URL:       "http://provider.test",
		KeyID:     "slipway",
		Secret:    s,
		Clock:     w.clock,
		Transport: transport,
	})
	require.NoError(t, err)

	return c
}

func sell(usdc int64) liquidity.Order {
	return liquidity.Order{
		Key:          key,
		Sell:         "USDC",
		Buy:          "EUR",
		SellDecimals: 6,
		BuyDecimals:  2,
		SellUnits:    big.NewInt(usdc),
		Network:      "net_dev",
	}
}

func buy(cents int64) liquidity.Order {
	return liquidity.Order{
		Key:          key,
		Sell:         "USDC",
		Buy:          "EUR",
		SellDecimals: 6,
		BuyDecimals:  2,
		BuyUnits:     big.NewInt(cents),
		Network:      "net_dev",
	}
}

func TestEitherSideCanBeFixedAndTheOpenOneIsRoundedForTheProvider(t *testing.T) {
	for name, test := range map[string]struct {
		order        liquidity.Order
		price        *big.Rat
		sold, bought int64
	}{
		"sell fixed":               {sell(10_000_000), big.NewRat(9, 10), 10_000_000, 900},
		"sell fixed, rounded down": {sell(10_000_001), big.NewRat(9, 10), 10_000_001, 900},
		"buy fixed":                {buy(900), big.NewRat(9, 10), 10_000_000, 900},
		"buy fixed, rounded up":    {buy(100), big.NewRat(9, 10), 1_111_112, 100},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.market.price = test.price
			r, err := w.client.Place(t.Context(), test.order)
			require.NoError(t, err)
			require.Equal(t, liquidity.Filled, r.Status)
			require.Equal(t, []int64{test.sold, test.bought}, []int64{r.SoldUnits.Int64(), r.BoughtUnits.Int64()})
			require.Equal(t, "LP-00000001", r.Ref)
			require.Equal(t, w.clock.Now().Truncate(time.Minute), r.FilledAt.Truncate(time.Minute))
		})
	}
}

func TestTheSameKeyIsTheSameOrderForEver(t *testing.T) {
	w := newWorld(t)
	first, err := w.client.Place(t.Context(), buy(900))
	require.NoError(t, err)
	w.market.price = big.NewRat(1, 2)
	again, err := w.client.Place(t.Context(), buy(900))
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.NoError(t, w.provider.Close())
	w.open(t)

	for range 3 {
		again, err = w.client.Place(t.Context(), buy(900))
		require.NoError(t, err)
		require.Equal(t, first, again)
		again, err = w.client.Look(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, first, again)
	}

	_, err = w.client.Place(t.Context(), buy(901))
	require.ErrorIs(t, err, liquidity.ErrKeyTaken)
	require.Len(t, w.provider.Orders(), 1)
	require.Equal(t, "1000000010", w.provider.Balance("USDC").RatString())
	require.Equal(t, "999999991", w.provider.Balance("EUR").RatString())
}

// Many at once under one key have one effect.
func TestParallelOrdersUnderOneKeyAreOne(t *testing.T) {
	w := newWorld(t)

	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := w.client.Place(context.Background(), buy(900)); err != nil {
				t.Error(err)
			}
		})
	}

	wg.Wait()
	require.Len(t, w.provider.Orders(), 1)
	require.Equal(t, "999999991", w.provider.Balance("EUR").RatString())
}

// A lost answer is not a failure: the order was taken, and the same key finds it.
func TestWhatIsUnknownIsNotFailed(t *testing.T) {
	for _, how := range []liquiditysim.Behaviour{liquiditysim.Drop, liquiditysim.Slow} {
		t.Run(string(how), func(t *testing.T) {
			w := newWorld(t)

			synctest.Test(t, func(t *testing.T) {
				w.provider.Steer(how, 1)
				_, err := w.client.Place(t.Context(), buy(900))
				require.ErrorIs(t, err, liquidity.ErrUnknown)
				require.Len(t, w.provider.Orders(), 1, "it was taken")

				r, err := w.client.Place(t.Context(), buy(900))
				require.NoError(t, err)
				require.Equal(t, liquidity.Filled, r.Status)
				require.Len(t, w.provider.Orders(), 1)
			})
		})
	}
}

func TestAProviderThatIsDownTakesNothing(t *testing.T) {
	w := newWorld(t)
	w.provider.Steer(liquiditysim.Down, 0)
	_, err := w.client.Place(t.Context(), buy(900))
	require.ErrorIs(t, err, liquidity.ErrUnknown)

	_, err = w.client.Look(t.Context(), key)
	require.ErrorIs(t, err, liquidity.ErrUnknown)

	w.provider.Steer(liquiditysim.Normal, 0)
	_, err = w.client.Look(t.Context(), key)
	require.ErrorIs(t, err, liquidity.ErrNoOrder)

	w.market.price = nil
	_, err = w.client.Place(t.Context(), buy(900))
	require.ErrorIs(t, err, liquidity.ErrUnknown)
	require.Empty(t, w.provider.Orders(), "without a price nothing is recorded: the same key may be used later")
}

func TestARejectionIsFinal(t *testing.T) {
	w := newWorld(t)
	w.provider.Steer(liquiditysim.Reject, 1)
	r, err := w.client.Place(t.Context(), buy(900))
	require.NoError(t, err)

	require.Equal(t, liquidity.Result{
		Key:    key,
		Status: liquidity.Rejected,
		Ref:    "LP-00000001",
		Reason: liquidity.ReasonOther,
	}, r)

	again, err := w.client.Place(t.Context(), buy(900))
	require.NoError(t, err)
	require.Equal(t, r, again)
	require.Equal(t, "1000000000", w.provider.Balance("EUR").RatString())
}

func TestAnAcceptedOrderIsFilledLater(t *testing.T) {
	w := newWorld(t)
	w.provider.Steer(liquiditysim.Hold, 0)

	for range 2 {
		r, err := w.client.Place(t.Context(), buy(900))
		require.NoError(t, err)
		require.Equal(t, liquidity.Accepted, r.Status)
		require.Nil(t, r.SoldUnits)
	}

	require.NoError(t, w.provider.Close())
	w.open(t)
	r, err := w.client.Look(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, liquidity.Filled, r.Status)
	require.Equal(t, "999999991", w.provider.Balance("EUR").RatString())
}

func TestLimitsAndBalancesAreKept(t *testing.T) {
	for name, test := range map[string]struct {
		order  liquidity.Order
		limit  int64
		reason string
	}{
		"sells at most, kept":        {buy(900), 10_000_000, ""},
		"sells at most, not kept":    {buy(900), 9_999_999, liquidity.ReasonPrice},
		"buys at least, kept":        {sell(10_000_000), 900, ""},
		"buys at least, not kept":    {sell(10_000_000), 901, liquidity.ReasonPrice},
		"more than there is":         {buy(100_000_000_001), 0, liquidity.ReasonLiquidity},
		"all there is":               {buy(100_000_000_000), 0, ""},
		"too little to buy anything": {sell(1), 0, liquidity.ReasonLiquidity},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)

			if test.limit > 0 {
				test.order.LimitUnits = big.NewInt(test.limit)
			}

			r, err := w.client.Place(t.Context(), test.order)
			require.NoError(t, err)
			require.Equal(t, test.reason, r.Reason)
			require.Equal(t, test.reason == "", r.Status == liquidity.Filled)
		})
	}
}

func TestOnlySignedRequestsAreTaken(t *testing.T) {
	w := newWorld(t)
	_, err := w.connect(t, w.provider.Transport(), "another secret").Place(t.Context(), buy(900))
	require.ErrorIs(t, err, liquidity.ErrRefused)
	require.Empty(t, w.provider.Orders())

	secretText := []byte("a shared secret")
	now := w.clock.Now()
	request := func() *http.Request {
		r := httptest.NewRequest("POST", "/v1/orders?x=1", nil)
		stamp := strconv.FormatInt(now.Unix(), 10)
		r.Header.Set(liquidity.HeaderTimestamp, stamp)
		r.Header.Set(
			liquidity.HeaderSignature,
			liquidity.Sign(secretText, stamp, "POST", "/v1/orders?x=1", []byte("body")),
		)

		return r
	}
	require.NoError(t, liquidity.Verify(secretText, request(), []byte("body"), now.Add(liquidity.Window-time.Second)))

	for name, test := range map[string]func(r *http.Request) (body string, at time.Time){
		"body":     func(*http.Request) (string, time.Time) { return "bodY", now },
		"method":   func(r *http.Request) (string, time.Time) { r.Method = "PUT"; return "body", now },
		"query":    func(r *http.Request) (string, time.Time) { r.URL.RawQuery = "x=2"; return "body", now },
		"path":     func(r *http.Request) (string, time.Time) { r.URL.Path = "/v1/order"; return "body", now },
		"too late": func(*http.Request) (string, time.Time) { return "body", now.Add(liquidity.Window + time.Second) },
		"too early": func(*http.Request) (string, time.Time) {
			return "body", now.Add(-liquidity.Window - 2*time.Second)
		},
		"no time": func(r *http.Request) (string, time.Time) {
			r.Header.Del(liquidity.HeaderTimestamp)
			return "body", now
		},
		"other time": func(r *http.Request) (string, time.Time) {
			r.Header.Set(liquidity.HeaderTimestamp, strconv.FormatInt(now.Unix()+1, 10))
			return "body", now
		},
		"none": func(r *http.Request) (string, time.Time) {
			r.Header.Del(liquidity.HeaderSignature)
			return "body", now
		},
		"version": func(r *http.Request) (string, time.Time) {
			r.Header.Set(liquidity.HeaderSignature, strings.TrimPrefix(r.Header.Get(liquidity.HeaderSignature), "v1="))
			return "body", now
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := request()
			body, at := test(r)
			require.ErrorIs(t, liquidity.Verify(secretText, r, []byte(body), at), liquidity.ErrSignature)
		})
	}

	r := request()
	r.Header.Set(liquidity.HeaderSignature, "v1=00, "+r.Header.Get(liquidity.HeaderSignature))
	require.NoError(t, liquidity.Verify(secretText, r, []byte("body"), now), "while a secret is changed there are two")
}

// The signature's text is what the contract says: a vector that other implementations can be held against.
func TestSignatureVector(t *testing.T) {
	require.Equal(t, "v1=24fcbf112e769a2d2ab0636d24a0d15ab2acba806b5b6346a260516b8d7fde7d",
		liquidity.Sign([]byte("secret"), "1700000000", "POST", "/v1/orders", []byte(`{"key":"k"}`)))
}

// answers is a peer that says one thing.
type answers struct {
	status int
	body   string
	err    error
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}

	return &http.Response{
		StatusCode: a.status,
		Header:     http.Header{},
		Body:       io.NopCloser(strings.NewReader(a.body)),
		Request:    r,
	}, nil
}

func TestOnlyTheContractsOwnWordsAreBelieved(t *testing.T) {
	w := newWorld(t)
	filled := func(change func(s string) string) string {
		return change(
			`{"key":"` + key + `","network":"net_dev","sell":{"asset":"USDC","decimals":6},"buy":{"asset":"EUR","decimals":2,"units":"900"},"status":"FILLED","ref":"1","sold":"1","bought":"900"}`,
		)
	}
	same := func(s string) string { return s }

	replace := func(from, to string) func(string) string {
		return func(s string) string { return strings.Replace(s, from, to, 1) }
	}
	for name, test := range map[string]struct {
		peer        answers
		place, look error
	}{
		"as it should be":          {answers{200, filled(same), nil}, nil, nil},
		"no route":                 {answers{0, "", errors.New("no route")}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"a proxy's 404":            {answers{404, "<html>", nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"404 with another code":    {answers{404, `{"code":"X"}`, nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"NO_ORDER with 500":        {answers{500, `{"code":"NO_ORDER"}`, nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"NO_ORDER":                 {answers{404, `{"code":"NO_ORDER"}`, nil}, liquidity.ErrNoOrder, liquidity.ErrNoOrder},
		"KEY_TAKEN":                {answers{409, `{"code":"KEY_TAKEN"}`, nil}, liquidity.ErrKeyTaken, liquidity.ErrKeyTaken},
		"INVALID_ORDER":            {answers{422, `{"code":"INVALID_ORDER","detail":"no"}`, nil}, liquidity.ErrRefused, liquidity.ErrRefused},
		"too many requests":        {answers{429, `{"code":"INVALID_ORDER"}`, nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"moved":                    {answers{307, `{}`, nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"not JSON":                 {answers{200, "ok", nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"endless":                  {answers{200, strings.Repeat(" ", 1<<20), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"another key":              {answers{200, filled(replace("txn_1", "txn_2")), nil}, liquidity.ErrKeyTaken, liquidity.ErrUnknown},
		"another asset":            {answers{200, filled(replace("EUR\",\"d", "CHF\",\"d")), nil}, liquidity.ErrKeyTaken, nil},
		"another amount":           {answers{200, filled(replace(`"units":"900"`, `"units":"901"`)), nil}, liquidity.ErrKeyTaken, liquidity.ErrUnknown},
		"the fixed side not kept":  {answers{200, filled(replace(`"bought":"900"`, `"bought":"899"`)), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"filled without a number":  {answers{200, filled(replace(`"sold":"1",`, "")), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"filled with a minus":      {answers{200, filled(replace(`"sold":"1"`, `"sold":"-1"`)), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"filled with nothing":      {answers{200, filled(replace(`"sold":"1"`, `"sold":"0"`)), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"a status that is none":    {answers{200, filled(replace("FILLED", "FAILED")), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
		"a status that is missing": {answers{200, filled(replace(`"status":"FILLED",`, "")), nil}, liquidity.ErrUnknown, liquidity.ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.connect(t, test.peer, "s")
			_, err := c.Place(t.Context(), buy(900))
			require.ErrorIs(t, err, test.place)
			_, err = c.Look(t.Context(), key)
			require.ErrorIs(t, err, test.look)
		})
	}
}

func TestOrdersThatNobodyCouldUnderstandAreNotSent(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(o *liquidity.Order){
		"no key":       func(o *liquidity.Order) { o.Key = "" },
		"a long key":   func(o *liquidity.Order) { o.Key = strings.Repeat("k", 201) },
		"a line feed":  func(o *liquidity.Order) { o.Key = "a\nb" },
		"both sides":   func(o *liquidity.Order) { o.SellUnits = big.NewInt(1) },
		"neither side": func(o *liquidity.Order) { o.BuyUnits = nil },
		"below zero":   func(o *liquidity.Order) { o.BuyUnits = big.NewInt(-1) },
		"for itself":   func(o *liquidity.Order) { o.Buy = "USDC" },
		"no limit":     func(o *liquidity.Order) { o.LimitUnits = new(big.Int) },
	} {
		o := buy(900)
		change(&o)
		_, err := w.client.Place(t.Context(), o)
		require.ErrorIs(t, err, liquidity.ErrRefused, name)
	}

	require.Empty(t, w.provider.Orders())
}

// Two processes on one journal keep one set of books.
func TestBooksAreSharedByProcesses(t *testing.T) {
	w := newWorld(t)
	other := &world{market: w.market, clock: w.clock, journal: w.journal}
	other.open(t)
	first, err := w.client.Place(t.Context(), buy(900))
	require.NoError(t, err)

	again, err := other.client.Place(t.Context(), buy(900))
	require.NoError(t, err)
	require.Equal(t, first, again)

	o := buy(100)
	o.Key = "another"
	second, err := other.client.Place(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, "LP-00000002", second.Ref)

	seen, err := w.client.Look(t.Context(), o.Key)
	require.NoError(t, err)
	require.Equal(t, second, seen)
	require.Equal(t, "999999990", w.provider.Balance("EUR").RatString())
	require.Equal(t, w.provider.Orders(), other.provider.Orders())
}

// The same contract over a real connection: the signature covers what arrives.
func TestOverAConnection(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(w.provider)
	t.Cleanup(server.Close)

	c, err := liquidity.NewClient(liquidity.ClientConfig{
		URL:    server.URL,
		KeyID:  "slipway",
		Secret: "a shared secret",
		Clock:  w.clock,
	})

	require.NoError(t, err)

	r, err := c.Place(t.Context(), buy(900))
	require.NoError(t, err)
	require.Equal(t, liquidity.Filled, r.Status)

	again, err := c.Look(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, r, again)

	require.Equal(
		t,
		"409 KEY_TAKEN",
		w.raw(
			t,
			server.URL,
			`{"key":"`+key+`","network":"net_dev","sell":{"asset":"USDC","decimals":6},"buy":{"asset":"EUR","decimals":2,"units":"901"}}`,
		),
	)

	require.Equal(t, "422 INVALID_ORDER", w.raw(t, server.URL, `{"key":"`+key+`","surprise":1}`))

	w.provider.Steer(liquiditysim.Drop, 0)
	_, err = c.Look(t.Context(), key)
	require.ErrorIs(t, err, liquidity.ErrUnknown)
}

// raw places a body, signed, and gives the status and code of what is answered.
func (w *world) raw(t *testing.T, url, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", url+liquidity.PathOrders, strings.NewReader(body))
	require.NoError(t, err)
	stamp := strconv.FormatInt(w.clock.Now().Unix(), 10)
	req.Header.Set(liquidity.HeaderKeyID, "slipway")
	req.Header.Set(liquidity.HeaderIdempotency, key)
	req.Header.Set(liquidity.HeaderTimestamp, stamp)
	req.Header.Set(
		liquidity.HeaderSignature,
		liquidity.Sign([]byte("a shared secret"), stamp, "POST", liquidity.PathOrders, []byte(body)),
	)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)

	defer res.Body.Close()

	var f liquidity.WireFault
	require.NoError(t, json.NewDecoder(res.Body).Decode(&f))

	return fmt.Sprintf("%d %s", res.StatusCode, f.Code)
}

// A provider that was killed while it wrote a line begins again without it; one whose journal was damaged does not
// begin.
func TestAHalfLineIsCutOff(t *testing.T) {
	w := newWorld(t)
	_, err := w.client.Place(t.Context(), buy(900))
	require.NoError(t, err)
	require.NoError(t, w.provider.Close())

	raw, err := os.ReadFile(w.journal)
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(raw, []byte("\n")))
	require.NoError(t, os.WriteFile(w.journal, append(raw, bytes.Repeat(raw[:len(raw)-1], 9)...), 0o600))

	w.open(t)
	o := buy(100)
	o.Key = "another"
	_, err = w.client.Place(t.Context(), o)
	require.NoError(t, err)
	require.NoError(t, w.provider.Close())

	raw, err = os.ReadFile(w.journal)
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(raw, []byte("\n")), "nothing of the half line is left")

	w.open(t)
	require.Len(t, w.provider.Orders(), 2)
	require.NoError(t, w.provider.Close())
	require.NoError(t, os.WriteFile(w.journal, []byte("{\n"), 0o600))

	_, err = liquiditysim.New(liquiditysim.Config{Journal: w.journal})
	require.ErrorContains(t, err, "after byte 0")
}

// Invariants, after any sequence of orders, repetitions, lost answers and restarts:
//  1. the balances are those of the start and the filled orders, to the last unit;
//  2. an order that was FILLED or REJECTED once is so for ever, with the same numbers;
//  3. there are as many orders as distinct keys.
func TestBooksAddUpWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &world{
			market:  &market{price: big.NewRat(9, 10)},
			clock:   clock.New(),
			journal: filepath.Join(t.TempDir(), fmt.Sprintf("%d", time.Now().UnixNano())),
		}
		w.open(t)
		seen := map[string]liquidity.Result{}
		keys := map[string]bool{}

		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			o := buy(rapid.Int64Range(1, 1_000).Draw(rt, "cents"))

			o.Key = "k" + strconv.Itoa(rapid.IntRange(1, 6).Draw(rt, "key"))
			if was, ok := keysOf(w)[o.Key]; ok {
				o.BuyUnits, _ = new(big.Int).SetString(was.Buy.Units, 10)
			}

			w.market.price = big.NewRat(rapid.Int64Range(1, 3_000).Draw(rt, "price"), 1_000)
			w.provider.Steer(rapid.SampledFrom([]liquiditysim.Behaviour{
				liquiditysim.Normal, liquiditysim.Drop, liquiditysim.Reject, liquiditysim.Hold,
				liquiditysim.Down,
			}).Draw(rt, "how"), 1)

			r, err := w.client.Place(context.Background(), o)
			if err != nil && !errors.Is(err, liquidity.ErrUnknown) {
				rt.Fatal(err)
			}

			if was, ok := seen[o.Key]; ok && err == nil &&
				(was.Status != r.Status || was.SoldUnits != nil && was.SoldUnits.Cmp(r.SoldUnits) != 0) {
				rt.Fatalf("%+v became %+v", was, r)
			}

			if err == nil && r.Status != liquidity.Accepted {
				seen[o.Key] = r
			}

			if rapid.Bool().Draw(rt, "restart") {
				_ = w.provider.Close()
				w.open(t)
			}
		}

		sold := new(big.Rat)

		bought := new(big.Rat)
		for _, o := range w.provider.Orders() {
			keys[o.Key] = true
			if o.Status == liquidity.Filled {
				sold.Add(sold, whole(o.Sold, 1_000_000))
				bought.Add(bought, whole(o.Bought, 100))
			}
		}

		start := big.NewRat(liquiditysim.StartBalance, 1)
		if w.provider.Balance("USDC").Cmp(new(big.Rat).Add(start, sold)) != 0 ||
			w.provider.Balance("EUR").Cmp(new(big.Rat).Sub(start, bought)) != 0 {
			rt.Fatal("the balances are not what the orders moved")
		}

		if len(keys) != len(w.provider.Orders()) {
			rt.Fatal("a key stands twice")
		}
	})
}

func keysOf(w *world) map[string]liquidity.WireResult {
	out := map[string]liquidity.WireResult{}
	for _, o := range w.provider.Orders() {
		out[o.Key] = o
	}

	return out
}

func whole(units string, per int64) *big.Rat {
	n, _ := new(big.Int).SetString(units, 10)
	return new(big.Rat).SetFrac(n, big.NewInt(per))
}

// A statement has every side of every filled order, over as many pages as it takes, the provider's own lines, and the
// balances that they sum to. It is the same after a restart. From a later day on there are fewer lines and the same
// balances.
func TestStatementIsWhatTheProviderHasBooked(t *testing.T) {
	w := newWorld(t)

	for i := range 120 {
		o := sell(1_000_000)
		o.Key = fmt.Sprintf("transaction/txn_%d/convert/EUR", i)
		_, err := w.client.Place(t.Context(), o)
		require.NoError(t, err)
	}

	require.NoError(t, w.provider.Book(liquidity.Movement{Kind: liquidity.Fee, Asset: "EUR", Decimals: 2, Units: "-7"}))
	require.Error(t, w.provider.Book(liquidity.Movement{Kind: "GIFT", Asset: "EUR", Decimals: 2, Units: "-7"}))

	today := w.clock.Now()
	read, err := w.client.Statement(t.Context(), today)
	require.NoError(t, err)
	require.Len(t, read.Movements, 241)
	require.Equal(t, []liquidity.StatedBalance{
		{Asset: "EUR", Decimals: 2, Units: "10793"},
		{Network: "net_dev", Asset: "USDC", Decimals: 6, Units: "-120000000"},
	}, read.Balances)

	sold := read.Movements[0]
	require.Equal(t, []string{"-1000000", "net_dev", "transaction/txn_0/convert/EUR"},
		[]string{sold.Units, sold.Network, sold.Key})

	require.NoError(t, w.provider.Close())
	w.open(t)

	again, err := w.client.Statement(t.Context(), today)
	require.NoError(t, err)
	require.Equal(t, read, again)

	later, err := w.client.Statement(t.Context(), today.AddDate(0, 0, 1))
	require.NoError(t, err)
	require.Empty(t, later.Movements)
	require.Equal(t, read.Balances, later.Balances)
}

// An answer that contradicts itself, or never ends, is no statement. Only the contract's own code says that a provider
// writes none.
func TestBadStatementsAreUnknown(t *testing.T) {
	w := newWorld(t)

	const good = `{"id":"1","kind":"FEE","asset":"EUR","decimals":2,"units":"-5","day":"2026-11-21"}`

	for name, c := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"good":                {200, `{"movements":[` + good + `],"balances":[{"asset":"EUR","decimals":2,"units":"-5"}]}`, nil},
		"nothing":             {200, `{"movements":[]}`, nil},
		"none is written":     {404, `{"code":"NO_STATEMENT"}`, liquidity.ErrNoStatement},
		"no such path":        {404, `not found`, liquidity.ErrUnknown},
		"down":                {503, `{"code":"NO_STATEMENT"}`, liquidity.ErrUnknown},
		"no balance":          {200, `{"movements":[` + good + `]}`, liquidity.ErrUnknown},
		"a balance twice":     {200, `{"balances":[{"asset":"EUR","units":"1"},{"asset":"EUR","units":"2"}]}`, liquidity.ErrUnknown},
		"no amount":           {200, `{"movements":[` + strings.Replace(good, "-5", "0", 1) + `]}`, liquidity.ErrUnknown},
		"a sign of its own":   {200, `{"movements":[` + strings.Replace(good, "-5", "+5", 1) + `]}`, liquidity.ErrUnknown},
		"a fill of no order":  {200, `{"movements":[` + strings.Replace(good, "FEE", "FILL", 1) + `]}`, liquidity.ErrUnknown},
		"no kind of movement": {200, `{"movements":[` + strings.Replace(good, "FEE", "GIFT", 1) + `]}`, liquidity.ErrUnknown},
		"no day":              {200, `{"movements":[` + strings.Replace(good, "2026-11-21", "yesterday", 1) + `]}`, liquidity.ErrUnknown},
		"no end":              {200, `{"movements":[` + good + `],"next":"1"}`, liquidity.ErrUnknown},
		"an empty page":       {200, `{"movements":[],"next":"1"}`, liquidity.ErrUnknown},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
			out.WriteHeader(c.status)
			_, _ = io.WriteString(out, c.body)
		}))
		client, err := liquidity.NewClient(liquidity.ClientConfig{
			URL:    server.URL,
			KeyID:  "slipway",
			Secret: "a shared secret",
			Clock:  w.clock,
		})
		require.NoError(t, err)

		_, err = client.Statement(t.Context(), w.clock.Now())
		if c.want == nil {
			require.NoError(t, err, name)
		} else {
			require.ErrorIs(t, err, c.want, name)
		}

		server.Close()
	}
}
