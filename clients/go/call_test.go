package slipway_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"slipway-client"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// transport answers requests within the process.
type transport func(r *http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// serve returns a client of a handler.
func serve(t *testing.T, auth slipway.Auth, h http.HandlerFunc) *slipway.Client {
	t.Helper()

	return client(t, auth, func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h(w, r)

		return w.Result(), nil
	})
}

func client(t *testing.T, auth slipway.Auth, f transport) *slipway.Client {
	t.Helper()

	c, err := slipway.New(slipway.Config{
		Address: "http://slipway.example",
		Auth:    auth,
		HTTP:    &http.Client{Transport: f},
	})
	check(t, err)

	return c
}

func check(t *testing.T, err error) {
	t.Helper()

	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, want, got T) {
	t.Helper()

	if want != got {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func answer(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func TestACallSendsWhatTheOperationTakes(t *testing.T) {
	c := serve(t, slipway.Bearer("secret"), func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		equal(t, `{"amount":"1250.00"}`, strings.TrimSpace(string(body)))
		equal(t, "POST /transactions/txn%2F1/x", r.Method+" "+r.URL.EscapedPath())
		equal(t, "Bearer secret", r.Header.Get("Authorization"))
		equal(t, "application/json", r.Header.Get("Content-Type"))
		equal(t, "once", r.Header.Get("Idempotency-Key"))
		equal(t, "7", r.Header.Get("If-Match"))
		equal(t, "123456", r.Header.Get("X-2FA-Code"))
		equal(t, "org_2", r.Header.Get("Slipway-Organisation"))
		w.Header().Set("ETag", `"8"`)
		answer(w, 201, `{"_id": "rcv_1"}`)
	})

	var (
		made struct {
			ID string `json:"_id"`
		}
		seen slipway.Answer
	)

	check(
		t,
		c.Call(
			t.Context(),
			"POST",
			"/transactions/txn%2F1/x",
			map[string]any{"amount": slipway.Decimal("1250.00")},
			&made,
			slipway.Key(
				"once",
			),
			slipway.IfVersion(7),
			slipway.Code("123456"),
			slipway.For("org_2"),
			slipway.Into(&seen),
		),
	)
	equal(t, "rcv_1", made.ID)
	equal(t, `201 "8"`, strconv.Itoa(seen.Status)+" "+seen.Header.Get("ETag"))
}

func TestParametersOfAListAreSent(t *testing.T) {
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		equal(t, "limit=2&status%5B%5D=DRAFT&status%5B%5D=FAILED", r.URL.RawQuery)
		answer(w, 200, `{"results": []}`)
	})
	_, err := c.ListTransactions(t.Context(), slipway.ListTransactionsParams{
		Limit:  2,
		Status: []slipway.ListTransactionsParamsStatus{"DRAFT", "FAILED"},
	})
	check(t, err)

	c = serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		equal(t, "/receivers/a%2Fb%3Fc", r.URL.EscapedPath())
		answer(w, 200, `{}`)
	})
	_, err = c.ReadReceiver(t.Context(), "a/b?c")
	check(t, err)
}

func TestARefusalIsAProblem(t *testing.T) {
	calls := 0
	c := serve(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		calls++

		w.Header().Set("X-Request-Id", "req_1")
		answer(w, 422, `{"status": 422, "code": "VALIDATION", "detail": "One field.",
			"errors": [{"pointer": "/email", "code": "REQUIRED", "message": "is required."},
				{"in": "query", "name": "limit", "code": "OUT_OF_RANGE"}]}`)
	})

	_, err := c.CreateReceiver(t.Context(), slipway.ReceiverCreateBody{})

	var p *slipway.Problem
	if !errors.As(err, &p) {
		t.Fatal(err)
	}

	equal(t, "422 VALIDATION: One field. [/email REQUIRED] [?limit OUT_OF_RANGE]", err.Error())
	equal(t, "req_1", p.RequestID)
	equal(t, "VALIDATION", slipway.CodeOf(err))
	equal(t, false, slipway.OutcomeUnknown(err))
	equal(t, 1, calls)
}

// A proxy in between answers with a page of its own: its status is all there is.
func TestAnAnswerOfSomebodyElseHasItsStatus(t *testing.T) {
	c := serve(t, nil, func(w http.ResponseWriter, _ *http.Request) { answer(w, 404, "<html>") })

	_, err := c.GetMe(t.Context())
	equal(t, "HTTP_404", slipway.CodeOf(err))
}

// A call whose answer was lost, or that was put off, is sent again: the same bytes under the same key.
func TestACallIsRepeatedUnderItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			keys, bodies []string
			waited       []time.Duration
		)

		last := time.Now()
		c := client(t, nil, func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			keys = append(keys, r.Header.Get("Idempotency-Key"))
			bodies = append(bodies, string(body))
			waited = append(waited, time.Since(last))
			last = time.Now()

			w := httptest.NewRecorder()

			switch len(keys) {
			case 1:
				return nil, io.ErrUnexpectedEOF
			case 2:
				w.Header().Set("Retry-After", "7")
				answer(w, 503, `{"code": "OUTCOME_UNKNOWN"}`)
			case 3:
				w.Header().Set("Retry-After", "1")
				answer(w, 429, `{"code": "RATE_LIMITED"}`)
			default:
				answer(w, 201, `{"_id": "txn_1"}`)
			}

			return w.Result(), nil
		})

		made, err := c.CreateTransaction(t.Context(), slipway.TransactionInput{Type: "CRYPTO"})
		check(t, err)
		equal(t, "txn_1", made.ID)
		equal(t, 4, len(keys))
		equal(t, 1, len(slices.Compact(keys)))
		equal(t, 1, len(slices.Compact(bodies)))

		if len(keys[0]) < 20 || waited[2] < 7*time.Second || waited[2] > 8*time.Second || waited[3] < time.Second {
			t.Fatal(keys[0], waited)
		}
	})
}

// Without a key nobody knows what a second call would do.
func TestACallWithoutAKeyIsNotRepeated(t *testing.T) {
	calls := 0
	c := client(t, nil, func(*http.Request) (*http.Response, error) {
		calls++
		return nil, io.ErrUnexpectedEOF
	})

	err := c.Call(t.Context(), "POST", "/sandbox/clock", nil, nil)
	equal(t, 1, calls)
	equal(t, true, slipway.OutcomeUnknown(err))
}

func TestALostCallSaysItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		c := client(t, nil, func(*http.Request) (*http.Response, error) {
			calls++
			return nil, io.ErrUnexpectedEOF
		})

		_, err := c.AcceptTransaction(t.Context(), "txn_1", slipway.TransactionAcceptBody{}, slipway.Key("order 7"))

		var lost *slipway.LostError
		if !errors.As(err, &lost) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}

		equal(t, "order 7", lost.Key)
		equal(t, true, slipway.OutcomeUnknown(err))
		equal(t, 5, calls)
	})
}

// A pause of an hour is the caller's to decide about, and a context ends every other one.
func TestPausesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		after := "3600"
		calls := 0
		c := serve(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			calls++

			w.Header().Set("Retry-After", after)
			answer(w, 429, `{"code": "RATE_LIMITED"}`)
		})

		_, err := c.GetMe(t.Context())

		var p *slipway.Problem
		if !errors.As(err, &p) {
			t.Fatal(err)
		}

		equal(t, time.Hour, p.RetryAfter)
		equal(t, 1, calls)

		after = "30"
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)

		defer cancel()

		_, err = c.GetMe(ctx)
		equal(t, "RATE_LIMITED", slipway.CodeOf(err))
		equal(t, time.Second, time.Since(begun))
	})
}

// Many calls whose token has expired: one replaces it, and a refresh token is sent once.
func TestATokenIsReplacedOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex

		asked := map[string]int{}
		good := "at_1"
		c := serve(t, slipway.APIClient{ID: "ak_1", Secret: "sk_1"}, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(10 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()

			asked[r.URL.Path]++

			switch {
			case r.URL.Path == "/auth/token":
				body, _ := io.ReadAll(r.Body)
				equal(t, `{"clientId":"ak_1","secret":"sk_1"}`, strings.TrimSpace(string(body)))
				equal(t, "", r.Header.Get("Authorization"))
				answer(w, 200, `{"access_token": "at_1", "refresh_token": "rt_1"}`)
			case r.URL.Path == "/auth/refresh":
				equal(t, "Bearer rt_1", r.Header.Get("Authorization"))
				answer(w, 200, `{"access_token": "at_2", "refresh_token": "rt_2"}`)
			case r.Header.Get("Authorization") == "Bearer "+good:
				answer(w, 200, `{}`)
			default:
				answer(w, 401, `{"code": "TOKEN_INVALID"}`)
			}
		})

		all := func() {
			var running sync.WaitGroup

			for range 20 {
				running.Go(func() {
					if _, err := c.GetMe(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}

			running.Wait()
		}

		all()
		mu.Lock()
		good = "at_2"
		mu.Unlock()
		all()
		equal(t, 1, asked["/auth/token"])
		equal(t, 1, asked["/auth/refresh"])
	})
}

// A refresh token that is over leads to a new sign-in, and the call that met the 401 keeps its key.
func TestASessionThatHasEndedIsOpenedAnew(t *testing.T) {
	var keys []string

	signedIn := 0
	c := serve(t, slipway.APIClient{}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/auth/token":
			signedIn++
			answer(w, 200, `{"access_token": "at_`+strconv.Itoa(signedIn)+`", "refresh_token": "rt"}`)
		case "/auth/refresh":
			answer(w, 401, `{"code": "REFRESH_TOKEN_REUSED"}`)
		default:
			keys = append(keys, r.Header.Get("Idempotency-Key"))
			if r.Header.Get("Authorization") != "Bearer at_2" {
				answer(w, 401, `{"code": "TOKEN_INVALID"}`)
				return
			}

			answer(w, 200, `{}`)
		}
	})

	_, err := c.SubmitTransaction(t.Context(), "txn_1", slipway.TransactionSubmitBody{})
	check(t, err)
	equal(t, 2, len(keys))
	equal(t, keys[0], keys[1])
}

func TestAPersonSignsInWithASecondFactor(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/auth/login":
			answer(w, 200, `{"requires_2fa": true, "tempToken": "half"}`)
		case "/auth/2fa/login":
			var in map[string]string
			check(t, json.NewDecoder(r.Body).Decode(&in))
			equal(t, "half 123456", in["tempToken"]+" "+in["code"])
			answer(w, 200, `{"access_token": "whole"}`)
		default:
			equal(t, "Bearer whole", r.Header.Get("Authorization"))
			answer(w, 200, `{}`)
		}
	}
	person := slipway.Person{Email: "ada@example.org", Password: "password"}

	_, err := serve(t, person, handler).GetMe(t.Context())
	equal(t, true, errors.Is(err, slipway.ErrSecondFactor))

	person.Code = func(context.Context) (string, error) { return "123456", nil }
	_, err = serve(t, person, handler).GetMe(t.Context())
	check(t, err)
}

func TestAFileIsSentAsAForm(t *testing.T) {
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		check(t, err)

		body, _ := io.ReadAll(file)
		equal(t, "bill.pdf: %PDF-", header.Filename+": "+string(body))
		answer(w, 201, `{"documentStorageKey": "doc_1"}`)
	})

	stored, err := c.UploadDocument(t.Context(), slipway.File{Name: "bill.pdf", Content: []byte("%PDF-")})
	check(t, err)
	equal(t, "doc_1", stored.DocumentStorageKey)
}

func TestAllPagesAreReadAsTheyAreNeeded(t *testing.T) {
	var asked []string

	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		cursor := r.URL.Query().Get("cursor")
		asked = append(asked, cursor)

		switch cursor {
		case "":
			answer(w, 200, `{"results": [{"_id": "1"}, {"_id": "2"}], "nextCursor": "b"}`)
		case "b":
			answer(w, 200, `{"results": [{"_id": "3"}], "nextCursor": "c"}`)
		default:
			answer(w, 410, `{"code": "CURSOR_INVALID"}`)
		}
	})

	var got []string

	for r, err := range c.AllReceivers(t.Context(), slipway.ListReceiversParams{}) {
		got = append(got, r.ID+slipway.CodeOf(err))
	}

	equal(t, "1 2 3 CURSOR_INVALID", strings.Join(got, " "))

	asked = nil
	for range c.AllReceivers(t.Context(), slipway.ListReceiversParams{}) {
		break
	}

	equal(t, 1, len(asked))
}

func TestEventsGoOnWhereTheLastPageEnded(t *testing.T) {
	var asked []string

	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RawQuery)

		switch len(asked) {
		case 1:
			answer(w, 200, `{"results": [{"number": "8"}], "next": "9"}`)
		case 2:
			answer(w, 200, `{"results": [], "next": "9"}`)
		default:
			answer(w, 200, `{"results": [{"number": "12"}], "next": "12"}`)
		}
	})

	var got []string

	for e, err := range c.Events(t.Context(), "7", "transaction.*") {
		check(t, err)

		if got = append(got, e.Number); len(got) == 2 {
			break
		}
	}

	equal(t, "8 12", strings.Join(got, " "))
	equal(t, "after=7&types%5B%5D=transaction.%2A&wait=30", asked[0])
	equal(t, "after=9&types%5B%5D=transaction.%2A&wait=30", asked[2])
}

func TestAnAnswerIsBounded(t *testing.T) {
	c := client(t, nil, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(endless{})}, nil
	})
	_, err := c.Send(t.Context(), "GET", "/users/me", nil)
	equal(t, true, slipway.OutcomeUnknown(err))
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestAnAddressMustBeOne(t *testing.T) {
	for _, bad := range []string{"", "pay.example.org", "ftp://pay.example.org", "https://"} {
		if _, err := slipway.New(slipway.Config{Address: bad}); err == nil {
			t.Error(bad)
		}
	}
}
