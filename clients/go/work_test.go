package slipway_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slipway-client"
	"strings"
	"testing"
)

// Where the service asks for a proof of work the client brings it, and the caller notices nothing but the time.
func TestAClientProvesItsWork(t *testing.T) {
	const challenge = "1.12.1795855800.abc.k1.mac"

	var proofs []string

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proof := r.Header.Get("Proof-Of-Work")
		proofs = append(proofs, proof)

		number, proven := strings.CutPrefix(proof, challenge+".")
		seed := sha256.Sum256([]byte(challenge))
		hash := sha256.Sum256(append(seed[:], number...))

		if !proven || hash[0] != 0 || hash[1]>>4 != 0 {
			w.WriteHeader(http.StatusTooManyRequests)
			_ = json.NewEncoder(w).Encode(map[string]string{"code": "PROOF_OF_WORK_REQUIRED", "challenge": challenge})

			return
		}

		_, _ = w.Write([]byte(`{"message":"done"}`))
	}))
	defer server.Close()

	c, err := slipway.New(slipway.Config{Address: server.URL})
	check(t, err)

	done, err := c.Register(t.Context(), slipway.RegisterRequest{Email: "ada@example.org"})
	check(t, err)

	if done.Message != "done" || len(proofs) != 2 || proofs[0] != "" {
		t.Fatal(done, proofs)
	}
}

// What nobody can prove in a reasonable time is refused, and a call that has ended proves nothing.
func TestAClientDoesNotWorkWithoutEnd(t *testing.T) {
	challenge := "1.60.1795855800.abc.k1.mac"

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		_ = json.NewEncoder(w).Encode(map[string]string{"code": "PROOF_OF_WORK_REQUIRED", "challenge": challenge})
	}))
	defer server.Close()

	c, err := slipway.New(slipway.Config{Address: server.URL})
	check(t, err)

	_, err = c.Register(t.Context(), slipway.RegisterRequest{})
	if err == nil || !strings.Contains(err.Error(), "60 bits") {
		t.Fatal(err)
	}

	challenge = "1.26.1795855800.abc.k1.mac"
	ctx, cancel := context.WithCancel(t.Context())
	c, err = slipway.New(slipway.Config{Address: server.URL, HTTP: &http.Client{Transport: readThenCancel{cancel}}})
	check(t, err)

	_, err = c.Register(ctx, slipway.RegisterRequest{})

	var sent *url.Error // of a call, which the work would end in
	if !errors.Is(err, context.Canceled) || errors.As(err, &sent) {
		t.Fatal(err)
	}
}

// readThenCancel ends the caller's context when an answer was read.
type readThenCancel struct{ cancel context.CancelFunc }

// RoundTrip sends a request.
func (r readThenCancel) RoundTrip(q *http.Request) (*http.Response, error) {
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		return nil, err
	}

	body, err := io.ReadAll(a.Body)
	_ = a.Body.Close()
	a.Body = io.NopCloser(bytes.NewReader(body))

	r.cancel()

	return a, err
}
