package web

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
)

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, newWorld(t, d)) })
}

// decisions 2.1: 50 parallel equal POSTs give one record and 50 identical bodies.
func TestParallelEqualRequestsHaveOneEffectAndOneAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		answers := make([]answer, 50)

		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i] = w.send("POST", "/orders", soundOrder, "Idempotency-Key: k-1") })
		}

		all.Wait()

		first := 0
		for _, a := range answers {
			require.Equal(t, 201, a.Code, "%s", a.Body)
			require.Equal(t, answers[0].Body.String(), a.Body.String())

			if a.Header().Get("Idempotent-Replayed") == "" {
				first++
			}
		}

		require.Equal(t, 1, first, "one answer is the first, the others say that they are repeated")
		require.EqualValues(t, 1, w.records("1 = 1"))
	})
}

// Requests that are repeated at the same time share statements. Each gets its own answer, also where another caller has
// used the same key, and beside one that was never sent.
func TestRequestsThatAreRepeatedAtOnceGetTheirOwnAnswers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const known = 40

		callers := []string{"alice", "bob"}
		send := func(caller string, i int) answer {
			return w.send("POST", "/orders", order(fmt.Sprintf(`"rate":%d`, i)),
				"Authorization: Bearer "+caller, fmt.Sprintf("Idempotency-Key: k-%d", i))
		}

		first := map[string][]answer{}
		for _, caller := range callers {
			for i := range known {
				first[caller] = append(first[caller], send(caller, i))
			}
		}

		var all sync.WaitGroup

		for _, caller := range callers {
			for i := range known + 1 {
				all.Go(func() {
					again := send(caller, i)
					assert.Equal(t, 201, again.Code, "%s", again.Body)

					if i < known {
						assert.Equal(t, first[caller][i].Body.String(), again.Body.String())
						assert.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
					} else {
						assert.Empty(t, again.Header().Get("Idempotent-Replayed"))
					}
				})
			}
		}

		all.Wait()
		require.EqualValues(t, len(callers)*(known+1), w.records("1 = 1"))
	})
}

// A key past its lifetime is free: another process may have used it for another body since this one saw it.
func TestAnAnswerToAnotherBodyIsNotTheRepeatedOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		require.Equal(t, 201, w.send("POST", "/orders", soundOrder, "Idempotency-Key: k").Code)
		require.NoError(t, w.db.Write(context.Background(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE idempotency SET fingerprint = 'of another body'")
			return err
		}))

		again := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
		require.Equal(t, 422, again.Code, "%s", again.Body)
		require.Equal(t, fault.IdempotencyKeyReused, again.problem().Code)
	})
}

func TestRequestsWithoutKeyEachHaveTheirEffect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 2 {
			require.Equal(t, 201, w.send("POST", "/orders", soundOrder).Code)
		}

		require.EqualValues(t, 2, w.records("1 = 1"))
	})
}

func TestKeyWithAnotherBodyIsRefusedWithoutEffect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
		for _, other := range []string{strings.Replace(soundOrder, "1.50", "1.5", 1), order(`"count":1`)} {
			a := w.send("POST", "/orders", other, "Idempotency-Key: k")
			require.Equal(t, 422, a.Code)
			require.Equal(t, fault.IdempotencyKeyReused, a.problem().Code)
			require.NotContains(t, a.Body.String(), first.Body.String()[8:20], "the first answer is not shown")
		}

		same := w.send("POST", "/orders", ` {"payments":[{"receiver":"rcv_1","amount":"1.5\u0030"}], "token":"USDC"}`,
			"Idempotency-Key: k")
		require.Equal(t, first.Body.String(), same.Body.String(), "order, spaces and escapes make no other body")
		require.EqualValues(t, 1, w.records("1 = 1"))
	})
}

// Two numbers that are the same float64 are still two numbers.
func TestKeyTellsLargeNumbersApart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		require.Equal(t, 201, w.send("POST", "/orders", order(`"rate":9007199254740992`), "Idempotency-Key: k").Code)
		require.Equal(t, 422, w.send("POST", "/orders", order(`"rate":9007199254740993`), "Idempotency-Key: k").Code)
	})
}

// A request that is repeated soon costs a read. A process that does not know its key runs it, and finds the answer
// then.
func TestARequestThatIsRepeatedSoonDoesNotRunAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
		require.Equal(t, 201, first.Code)

		for _, c := range []struct {
			forgotten bool
			runs      int64 // until then
		}{{false, 1}, {true, 2}, {false, 2}} {
			if c.forgotten {
				w.api.lately = newLately() // as in another process
			}

			again := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
			require.Equal(t, first.Body.String(), again.Body.String())
			require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
			require.Equal(t, c.runs, w.ran.Load())
		}

		require.EqualValues(t, 1, w.records("1 = 1"))
	})
}

// lost is a connection that breaks when the answer is written.
type lost struct{ http.ResponseWriter }

func (lost) Write([]byte) (int, error) { return 0, fmt.Errorf("connection reset by peer") }

// P-04: the answer is lost after the commit; the retry gives the body that the first request would have given.
func TestRetryAfterLostAnswerGivesTheFirstBody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := httptest.NewRequest("POST", "/orders", strings.NewReader(soundOrder))
		r.Header.Set("Authorization", "Bearer alice")
		r.Header.Set("Idempotency-Key", "k")
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(lost{rec}, r)
		require.Zero(t, rec.Body.Len())
		require.EqualValues(t, 1, w.records("1 = 1"))

		a := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
		require.Equal(t, 201, a.Code)
		require.Equal(t, "true", a.Header().Get("Idempotent-Replayed"))
		require.EqualValues(t, 1, w.records("id = ?", strings.Split(a.Body.String(), `"`)[3]),
			"the answer names the record that exists")
		require.EqualValues(t, 1, w.records("1 = 1"))
	})
}

// P-04: the caller gives up while the commit is under way.
func TestRetryAfterCancelledRequestHasNoSecondEffect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := httptest.NewRequest("POST", "/orders", strings.NewReader(soundOrder)).WithContext(ctx)
		r.Header.Set("Authorization", "Bearer alice")
		r.Header.Set("Idempotency-Key", "k")
		w.handler.ServeHTTP(httptest.NewRecorder(), r)
		require.Contains(t, w.log.String(), "request failed")
		require.Equal(t, 201, w.send("POST", "/orders", soundOrder, "Idempotency-Key: k").Code)
		require.EqualValues(t, 1, w.records("1 = 1"))
	})
}

// A retry finds the record already moved on, and still gets the first answer; so does one that has no body to give.
func TestRetryOfWhatCannotHappenTwiceGivesTheFirstAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.send("POST", "/orders", soundOrder)

		target := "/orders/" + strings.Split(made.Body.String(), `"`)[3]
		for i := range 2 {
			a := w.send("DELETE", target, "", "Idempotency-Key: gone")
			require.Equal(t, 204, a.Code, "%s", a.Body)
			require.Empty(t, a.Body.String())
			require.Equal(t, i == 1, a.Header().Get("Idempotent-Replayed") == "true")
		}

		require.Equal(t, 404, w.send("DELETE", target, "").Code, "without the key it is what it is")
		require.Equal(t, 404, w.send("DELETE", target, "", "Idempotency-Key: another").Code)
	})
}

func TestEqualKeysOfOthersAreSeparate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bodies := map[string]bool{}
		for _, who := range []string{"alice", "alice elsewhere", "alice's client", "alice's other client", "bob", "careful"} {
			a := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k", "Authorization: Bearer "+who)
			require.Equal(t, 201, a.Code)
			require.Empty(t, a.Header().Get("Idempotent-Replayed"), who)
			bodies[a.Body.String()] = true
		}

		require.Len(t, bodies, 6)
		a := w.send("DELETE", "/orders/none", "", "Idempotency-Key: k")
		require.Equal(t, 404, a.Code, "the same key at another operation is another key")
	})
}

// N-09: a key belongs to the person in the organisation. Another session of the same person gets the first answer.
func TestKeyOutlivesTheSession(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k", "Authorization: Bearer alice")
		require.Equal(t, 201, first.Code)

		again := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k", "Authorization: Bearer alice2")
		require.Equal(t, first.Body.String(), again.Body.String())
		require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
		require.EqualValues(t, 1, w.records("1 = 1"))
	})
}

// A user's first organisation becomes his default one: the request that made it still finds its key when it is
// repeated.
func TestKeyOutlivesTheFirstOrganisationOfItsUser(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	organisation := ""
	w.api.config.Authenticate = func(context.Context, string, string) (*caller.Principal, *limit.Meters, error) {
		return &caller.Principal{User: "usr_h", Credential: "ses_h", Organisation: organisation}, nil, nil
	}

	Register(w.api, Operation{
		Method: "POST",
		Path:   "/organisations",
		ID:     "organise",
		Access: Bearer,
		Status: 201,
	}, w.create)

	first := w.send("POST", "/organisations", soundOrder, "Idempotency-Key: k")
	require.Equal(t, 201, first.Code)

	organisation = "org_new"
	a := w.send("POST", "/organisations", soundOrder, "Idempotency-Key: k")
	require.Equal(t, first.Body.String(), a.Body.String())
	require.Equal(t, "true", a.Header().Get("Idempotent-Replayed"))

	a = w.send("POST", "/organisations", soundOrder, "Idempotency-Key: k", "Slipway-Organisation: org_other")
	require.Empty(t, a.Header().Get("Idempotent-Replayed"), "for another organisation it is another request")
}

func TestRefusedRequestMayBeRepeatedUnderItsKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.refuse.Store(true)
		require.Equal(t, 409, w.send("POST", "/orders", soundOrder, "Idempotency-Key: k").Code)
		require.Equal(t, 422, w.send("POST", "/orders", `{"token":"USDC"}`, "Idempotency-Key: k").Code)

		w.refuse.Store(false)
		a := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
		require.Equal(t, 201, a.Code)
		require.Empty(t, a.Header().Get("Idempotent-Replayed"))

		w.refuse.Store(true)

		require.Equal(t, 201, w.send("POST", "/orders", soundOrder, "Idempotency-Key: k").Code,
			"a success stays the answer")
	})
}

func TestKeyIsForgottenAfterSevenDays(t *testing.T) {
	for name, sweep := range map[string]bool{"swept": true, "not swept yet": false} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				first := w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
				w.db.Clock().Advance(KeyLifetime - time.Minute)
				w.forget(0)
				require.Equal(t, first.Body.String(),
					w.send("POST", "/orders", soundOrder, "Idempotency-Key: k").Body.String(), "a minute before")
				w.db.Clock().Advance(time.Minute)

				if sweep {
					w.forget(1)
				}

				for i := range 2 {
					a := w.send("POST", "/orders", strings.Replace(soundOrder, "1.50", "2", 1), "Idempotency-Key: k")
					require.Equal(t, 201, a.Code, "%s", a.Body)

					require.Equal(t, i == 1, a.Header().Get("Idempotent-Replayed") == "true",
						"the new answer is kept in place of the old one")
				}

				require.EqualValues(t, 2, w.records("1 = 1"))
			})
		})
	}
}

func (w *world) forget(want int64) {
	w.t.Helper()
	n, err := ForgetOldKeys(context.Background(), w.db, 100)
	require.NoError(w.t, err)
	require.Equal(w.t, want, n)
}

func TestParallelRequestsUnderAnExpiredKeyHaveOneNewEffect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.send("POST", "/orders", soundOrder, "Idempotency-Key: k")
		w.db.Clock().Advance(KeyLifetime + time.Minute)

		var all sync.WaitGroup

		codes := make([]int, 20)
		for i := range codes {
			all.Go(func() { codes[i] = w.send("POST", "/orders", soundOrder, "Idempotency-Key: k").Code })
		}

		all.Wait()

		for _, c := range codes {
			require.Equal(t, 201, c)
		}

		require.EqualValues(t, 2, w.records("1 = 1"))
	})
}

func TestHousekeepingForgetsAtMostWhatItIsAllowed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 3 {
			w.send("POST", "/orders", soundOrder, fmt.Sprintf("Idempotency-Key: %d", i))
		}

		w.db.Clock().Advance(KeyLifetime)
		n, err := ForgetOldKeys(context.Background(), w.db, 2)
		require.NoError(t, err)
		require.EqualValues(t, 2, n)
		w.forget(1)
	})
}

func TestKeyMustHaveItsForm(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	for name, headers := range map[string][]string{
		"empty":             {"Idempotency-Key: "},
		"too long":          {"Idempotency-Key: " + strings.Repeat("k", 256)},
		"not ASCII":         {"Idempotency-Key: clé"},
		"control character": {"Idempotency-Key: a\tb"},
		"given twice":       {"Idempotency-Key: a", "Idempotency-Key: b"},
	} {
		a := w.send("POST", "/orders", soundOrder, headers...)
		require.Equal(t, 400, a.Code, name)
		require.Equal(t, []string{"header Idempotency-Key IDEMPOTENCY_KEY_INVALID"}, a.faults(), name)
	}

	require.Zero(t, w.records("1 = 1"))
	require.Equal(t, 201, w.send("POST", "/orders", soundOrder, "Idempotency-Key: "+strings.Repeat("k", 255)).Code)
}

func TestOrganisationMayRequireKeysWhereMoneyMoves(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	a := w.send("POST", "/orders", soundOrder, "Authorization: Bearer careful")
	require.Equal(t, 400, a.Code)
	require.Equal(t, fault.IdempotencyKeyRequired, a.problem().Code)
	require.Zero(t, w.records("1 = 1"))

	require.Equal(t, 201,
		w.send("POST", "/orders", soundOrder, "Authorization: Bearer careful", "Idempotency-Key: k").Code)

	require.Equal(t, 200, w.send("POST", "/check", soundOrder, "Authorization: Bearer careful").Code,
		"only where money moves")
}

func TestUseCaseThatGivesNoResultIsAFailureAndLeavesNoKey(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))

	Register(w.api, Operation{
		Method: "POST",
		Path:   "/silent",
		ID:     "silent",
		Access: Tenant,
	}, func(ctx context.Context, _ *struct{}) (*orderView, error) {
		return Once(ctx, 200, func(v orderView) orderView {
			return v
		}, func(func(*db.Tx, orderView) error) error { return nil })
	})

	require.Equal(t, 500, w.send("POST", "/silent", "", "Idempotency-Key: k").Code)
	require.Equal(t, 500, w.send("POST", "/silent", "").Code)

	n, err := db.Value[int64](context.Background(), w.db, "SELECT count(*) FROM idempotency")
	require.NoError(t, err)
	require.Zero(t, n)
}

// B-10: the answer to the commit is lost. With the row of the key it is known what became of it, and the caller is
// told; without it, or while the row cannot be read, he is told that it is not known. The same key finds it out.
func TestTheSameKeyFindsOutWhatALostCommitHasDone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const key = "Idempotency-Key: k"
		lose := func(after func()) func(context.Context, *orderIn) error {
			return func(ctx context.Context, in *orderIn) error {
				w.lost = nil
				_, err := w.create(ctx, in)
				require.NoError(t, err)
				after()

				return fmt.Errorf("create order: %w", db.ErrUnknown)
			}
		}

		w.lost = func(context.Context, *orderIn) error { return db.ErrUnknown }
		a := w.send("POST", "/orders", soundOrder, key)
		require.Equal(t, fault.OutcomeUnknown, a.problem().Code)
		require.Zero(t, w.records("1 = 1"))

		w.lost = lose(func() {})
		a = w.send("POST", "/orders", soundOrder, key)
		require.Equal(t, 201, a.Code, "%s", a.Body)
		require.EqualValues(t, 1, w.records("1 = 1"))

		w.lost = lose(func() { require.NoError(t, w.db.Close()) })
		a = w.send("POST", "/orders", soundOrder, "Idempotency-Key: other")
		require.Equal(t, fault.OutcomeUnknown, a.problem().Code, "the row could not be read: that changes nothing")
	})
}

// Answers that are stored are read with the text that they were compressed against. So no byte of it changes.
func TestTheTextThatAnswersAreAlikeStays(t *testing.T) {
	const hash = "6856ed11d5337a8a4825c9c785d37d494807021a57d655857fd3cb0c8f8ed7f3"
	require.Equal(t, hash, fmt.Sprintf("%x", sha256.Sum256(typicalAnswer)))
}
