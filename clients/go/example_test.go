package slipway_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slipway-client"
	"time"
)

// pretend answers like a service, as far as the examples go.
func pretend() *httptest.Server {
	mux := http.NewServeMux()

	for pattern, body := range map[string]string{
		"POST /auth/token":   `{"access_token": "at_1", "refresh_token": "rt_1"}`,
		"POST /transactions": `{"_id": "txn_1", "status": "DRAFT"}`,
		"GET /receivers/me":  `{"results": [{"_id": "rcv_1", "firstName": "Alice"}, {"_id": "rcv_2", "firstName": "Bob"}]}`,
		"PATCH /wallets/":    `{"_id": "wlt_1", "version": 8}`,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, body) })
	}

	mux.HandleFunc("POST /transactions/txn_1/accept", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 409, `{"code": "TX_NOT_WAITING", "detail": "The transaction does not wait to be accepted."}`)
	})

	return httptest.NewServer(mux)
}

// connect returns a client of a service that the examples pretend.
func connect() (*slipway.Client, func()) {
	service := pretend()

	c, err := slipway.New(slipway.Config{
		Address: service.URL,
		Auth:    slipway.APIClient{ID: "ak_01m8275qnefp9hvb75tz7qsatk", Secret: "sk_test_…"},
	})
	if err != nil {
		panic(err)
	}

	return c, service.Close
}

// A payment under the number of an order: however often this runs, there is one.
func Example() {
	c, end := connect()
	defer end()

	t, err := c.CreateTransaction(context.Background(), slipway.TransactionInput{
		Type:          "CRYPTO",
		Token:         "USDC",
		WalletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
		Payments: []slipway.TransactionPaymentInput{{
			Type:     "CRYPTO",
			Receiver: "rcv_1",
			Wallet:   "wlt_1",
			Amount:   "250.00",
			Reason:   "Invoice 2026-117",
		}},
	}, slipway.Key("order-4711"))
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(t.ID, t.Status)
	// Output: txn_1 DRAFT
}

func ExampleClient_AllReceivers() {
	c, end := connect()
	defer end()

	for r, err := range c.AllReceivers(context.Background(), slipway.ListReceiversParams{Limit: 100}) {
		if err != nil {
			fmt.Println(err)
			return
		}

		fmt.Println(r.ID, r.FirstName)
	}
	// Output:
	// rcv_1 Alice
	// rcv_2 Bob
}

func ExampleProblem() {
	c, end := connect()
	defer end()

	_, err := c.AcceptTransaction(context.Background(), "txn_1", slipway.TransactionAcceptBody{}, slipway.IfVersion(3))

	var p *slipway.Problem

	switch {
	case err == nil:
		fmt.Println("accepted")
	case slipway.OutcomeUnknown(err):
		fmt.Println("send it again, with the same key")
	case errors.As(err, &p) && p.Code == "TX_NOT_WAITING":
		fmt.Println("somebody was first:", p.Detail)
	default:
		fmt.Println(err)
	}
	// Output: somebody was first: The transaction does not wait to be accepted.
}

func ExampleNull() {
	c, end := connect()
	defer end()

	w, err := c.ChangeWallet(context.Background(), "wlt_1", slipway.ChangeWalletRequest{
		OwnershipMessage: slipway.Null[string](), // removed; what is left out stays
	}, slipway.IfVersion(7))
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(w.ID, w.Version)
	// Output: wlt_1 8
}

func ExampleVerifier() {
	v, err := slipway.NewVerifier("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		panic(err)
	}

	v.Now = func() time.Time { return vectorTime } // leave it out: it is for this example

	hook := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil || v.Verify(r.Header, body) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}

		fmt.Println("take", r.Header.Get("Webhook-Id"), "once")
	})

	service := httptest.NewServer(hook)
	defer service.Close()

	send(service.URL)
	// Output: take msg_p5jXN8AQM9LWM0D4loKWxJek once
}

func ExampleDecimal() {
	total := slipway.Decimal("0.10").Rat()
	total.Add(total, slipway.Decimal("0.20").Rat())
	fmt.Println(total.FloatString(2), slipway.Decimal("0.30").Cmp("0.3"))
	// Output: 0.30 0
}
