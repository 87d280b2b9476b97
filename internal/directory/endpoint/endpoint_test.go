package endpoint_test

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"slipway/internal/directory/endpoint"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/webhook"
)

// world is an organisation with an address that takes its events.
type world struct {
	*identitytest.World
	feed    *feed.Feed
	service *endpoint.Service
	admin   string
	org     string

	mu       sync.Mutex
	server   *httptest.Server
	received []message
	answer   func(m message, w http.ResponseWriter) // nil: 200
	prove    func(challenge string) string          // the answer to a verification, which is not among received
}

// message is what the address got.
type message struct{ id, timestamp, signature, body, object string }

const adminMail = "ada@example.com"

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, newWorld(t, d)) })
}

func newWorld(t *testing.T, d *db.DB) *world {
	t.Helper()

	w := &world{prove: func(challenge string) string { return challenge }}
	w.World = identitytest.NewWith(t, d, func(*auth.Config) {}, func(i *identitytest.World) {
		guard := webhook.Guard{AllowPrivate: true}
		w.feed = feed.New(d, slog.New(slog.DiscardHandler))
		w.service = endpoint.New(endpoint.Deps{
			DB:     d,
			Jobs:   i.Jobs,
			Steady: i.Jobs,
			Sender: webhook.New(guard),
			Guard:  guard,
			Mail:   i.Outbox.Queue,
		})
		w.feed.With(w.service.OnSeal)
		w.service.Routes(i.API)
	})
	w.admin = w.Someone(adminMail).Access
	w.org = w.Organisation(w.admin)
	w.server = httptest.NewServer(http.HandlerFunc(w.take))
	t.Cleanup(w.server.Close)
	w.sealed()

	return w
}

// take is the address: it notes what comes and answers.
func (w *world) take(out http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)

	var e struct {
		Object, Type string
		Data         struct{ Object struct{ Challenge string } }
	}

	_ = json.Unmarshal(raw, &e)

	w.mu.Lock()
	prove := w.prove
	w.mu.Unlock()

	if e.Type == endpoint.VerificationType && prove != nil {
		_, _ = io.WriteString(out, prove(e.Data.Object.Challenge))
		return
	}

	m := message{
		id:        r.Header.Get("Webhook-Id"),
		timestamp: r.Header.Get("Webhook-Timestamp"),
		signature: r.Header.Get("Webhook-Signature"),
		body:      string(raw),
		object:    e.Object,
	}

	w.mu.Lock()
	w.received = append(w.received, m)
	answer := w.answer
	w.mu.Unlock()

	if answer != nil {
		answer(m, out)
	}
}

func (w *world) answers(f func(m message, out http.ResponseWriter)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = f
}

func status(code int) func(message, http.ResponseWriter) {
	return func(_ message, out http.ResponseWriter) { out.WriteHeader(code) }
}

// got returns and forgets what the address got.
func (w *world) got() []message {
	w.mu.Lock()
	defer w.mu.Unlock()

	out := w.received
	w.received = nil

	return out
}

func objects(all []message) (out []string) {
	for _, m := range all {
		out = append(out, m.object)
	}

	return out
}

// event writes events of records, and seals them.
func (w *world) event(kind string, objects ...string) {
	w.T.Helper()

	for i, o := range objects {
		require.NoError(w.T, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			return trail.Event(tx, kind, w.org, o, int64(i+1), map[string]string{"_id": o, "status": "OPEN"})
		}))
	}

	w.sealed()
}

func (w *world) sealed() {
	w.T.Helper()

	for {
		n, err := w.feed.Seal(context.Background())
		require.NoError(w.T, err)

		if n == 0 {
			return
		}
	}
}

// proves sets what answers a verification; nil: it is a message as any other.
func (w *world) proves(f func(challenge string) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.prove = f
}

// endpoint adds an endpoint that proves itself, and returns its path and its key.
func (w *world) endpoint(more string) (path, secret string) {
	w.T.Helper()

	a := w.Do("POST", "/webhook-endpoints", w.admin, `{"url":"`+w.server.URL+`/hook"`+more+`}`).OK(201)
	w.RunJobs()

	return "/webhook-endpoints/" + a.Text("_id"), a.Text("secret")
}

func (w *world) advance(d time.Duration) {
	w.DB.Clock().Advance(d)
	w.admin = w.Login(adminMail).Access // tokens live for minutes
	w.RunJobs()
}

// verify is written from the text of Standard Webhooks, and shares no code with the service.
func verify(t *testing.T, m message, secret string) bool {
	t.Helper()

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	require.NoError(t, err)

	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", m.id, m.timestamp, m.body)

	return slices.Contains(strings.Split(m.signature, " "), "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// verifyPublic is verify for a public key.
func verifyPublic(t *testing.T, m message, public string) bool {
	t.Helper()

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(public, "whpk_"))
	require.NoError(t, err)

	for signature := range strings.SplitSeq(m.signature, " ") {
		text, asymmetric := strings.CutPrefix(signature, "v1a,")
		raw, err := base64.StdEncoding.DecodeString(text)

		if asymmetric && err == nil &&
			ed25519.Verify(key, fmt.Appendf(nil, "%s.%s.%s", m.id, m.timestamp, m.body), raw) {
			return true
		}
	}

	return false
}

// publicKeys returns the public keys that an endpoint shows, the newest first.
func (w *world) publicKeys(path string) (out []string) {
	w.T.Helper()

	for _, k := range w.Do("GET", path, w.admin, "").OK(200).Body["keys"].([]any) {
		out = append(out, k.(map[string]any)["publicKey"].(string))
	}

	return out
}

// theirs reports whether the library of Standard Webhooks takes a message.
func theirs(t *testing.T, m message, secret string) bool {
	t.Helper()

	v, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)

	h := http.Header{}
	h.Set("Webhook-Id", m.id)
	h.Set("Webhook-Timestamp", m.timestamp)
	h.Set("Webhook-Signature", m.signature)

	return v.VerifyIgnoringTimestamp([]byte(m.body), h) == nil // the test's time is not the library's
}

func TestAnEventArrivesSignedAndIsNotSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, secret := w.endpoint(`,"types":["transaction.*"]`)
		w.event("payable.paid", "pbl_1")
		w.event("transaction.created", "txn_1")
		w.RunJobs()

		all := w.got()
		require.Len(t, all, 1)
		require.True(t, verify(t, all[0], secret))

		var e struct {
			ID, Type, APIVersion, Object string
			Sequence                     int
			Data                         struct{ Object map[string]string }
		}

		require.NoError(t, json.Unmarshal([]byte(all[0].body), &e))
		require.Equal(t, all[0].id, e.ID)
		require.Equal(t, "transaction.created", e.Type)
		require.Equal(t, 1, e.Sequence)
		require.Equal(t, map[string]string{"_id": "txn_1", "status": "OPEN"}, e.Data.Object)

		w.advance(48 * time.Hour)
		require.Empty(t, w.got())

		list := w.Do("GET", path+"/deliveries", w.admin, "").OK(200).Results()
		require.Len(t, list, 2)
		require.Equal(t, "DELIVERED", list[0]["status"])
		require.Equal(t, endpoint.VerificationType, list[1]["type"])

		one := w.Do("GET", path+"/deliveries/"+list[0]["_id"].(string), w.admin, "").OK(200)
		require.Equal(t, all[0].body, one.Text("body"))
		require.Len(t, one.Body["tries"], 1)

		shown := w.Do("GET", path, w.admin, "").OK(200)
		require.NotContains(t, shown.Raw, secret, "a key is shown once")
	})
}

// An address that does not answer the challenge is told of nothing. When it does, what has waited arrives. What answers
// 2xx to everything, or repeats what it gets, has proven nothing.
func TestAnAddressProvesItselfBeforeItIsToldOfAnything(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var asked []string

		answer := func(f func(challenge string) string) {
			w.proves(func(challenge string) string {
				asked = append(asked, challenge)
				return f(challenge)
			})
		}

		answer(func(string) string { return "ok" })

		path, _ := w.endpoint(`,"body":"THIN"`)
		w.event("transaction.created", "txn_1")
		w.RunJobs()
		require.Len(t, asked, 1)
		require.Empty(t, w.got())
		require.Equal(t, false, w.Do("GET", path, w.admin, "").OK(200).Body["isVerified"])

		one := w.Do("GET", path+"/deliveries?status[]=PENDING", w.admin, "").OK(200).Results()
		require.Len(t, one, 2)
		tries := w.Do("GET", path+"/deliveries/"+one[1]["_id"].(string), w.admin, "").OK(200).Body["tries"].([]any)
		require.Contains(t, tries[0].(map[string]any)["problem"], "not the challenge")

		for _, wrong := range []func(challenge string) string{
			func(string) string { return "" },
			func(string) string { return `{"challenge":""}` },
			func(challenge string) string { return `{"data":{"object":{"challenge":"` + challenge + `"}}}` },
			func(challenge string) string { return challenge + " " + challenge },
		} {
			answer(wrong)
			w.Do("POST", path+"/test", w.admin, "").OK(202)
			w.RunJobs()

			tests := w.got()
			require.Len(t, tests, 1, "a test shows no record, and is sent")
			require.Contains(t, tests[0].body, endpoint.TestType)
		}

		require.Len(t, asked, 5, "each test asks again")

		answer(func(challenge string) string { return `{"challenge":"` + challenge + `"}` })
		w.Do("POST", path+"/test", w.admin, "").OK(202)
		w.RunJobs()

		rest := objects(w.got())
		require.Contains(t, rest, "txn_1")
		require.Equal(t, true, w.Do("GET", path, w.admin, "").OK(200).Body["isVerified"])
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM audit_log WHERE action = 'webhook_endpoint.verified'"))
		require.Equal(t, asked[0], asked[5], "it is the same question")
	})
}

// A new address proves itself anew, by another answer: what was read of the old one is of no use.
func TestANewAddressProvesItselfAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var asked []string

		w.proves(func(challenge string) string {
			asked = append(asked, challenge)
			return challenge
		})

		path, _ := w.endpoint("")
		require.Len(t, asked, 1)

		w.Do("PATCH", path, w.admin, `{"description":"books","url":"`+w.server.URL+`/hook"}`).OK(200)
		w.RunJobs()
		require.Len(t, asked, 1, "the address is the same")

		w.proves(func(string) string { return asked[0] })
		w.Do("PATCH", path, w.admin, `{"url":"`+w.server.URL+`/other"}`).OK(200)
		w.event("transaction.created", "txn_1")
		w.RunJobs()
		require.Empty(t, w.got())
		require.Equal(t, false, w.Do("GET", path, w.admin, "").OK(200).Body["isVerified"])

		w.proves(nil) // it is answered as everything else
		w.answers(status(410))
		w.advance(10 * time.Minute)
		require.Equal(t, "GONE", w.Do("GET", path, w.admin, "").OK(200).Text("offReason"))
		w.got()

		w.answers(nil)
		w.proves(func(challenge string) string { return challenge })
		w.Do("PATCH", path, w.admin, `{"isEnabled":true}`).OK(200)
		w.RunJobs()
		require.Contains(t, objects(w.got()), "txn_1")
	})
}

func TestAThinMessageHasTheIdentifierAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.endpoint(`,"body":"THIN"`)
		w.event("transaction.created", "txn_1")
		w.RunJobs()

		all := w.got()
		require.Len(t, all, 1)
		require.Contains(t, all[0].body, `"data":{"object":{"_id":"txn_1"},"previous":null}`)
	})
}

// A FULL message says what the record was before, in the same bytes on each try and in a replay. A THIN one does not.
func TestAMessageSaysWhatItsRecordWasBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint("")
		w.shown("txn_1", "OPEN")
		w.shown("txn_1", "PAID")
		w.RunJobs()

		first := w.got()
		require.Len(t, first, 2)
		require.Contains(t, first[0].body, `"data":{"object":{"_id":"txn_1","status":"OPEN"},"previous":null}`)
		require.Contains(t, first[1].body,
			`"data":{"object":{"_id":"txn_1","status":"PAID"},"previous":{"status":"OPEN"}}`)

		w.shown("txn_1", "CLOSED")
		w.RunJobs()
		w.got()

		last := w.Count("SELECT max(number) FROM feed")
		w.Do("POST", path+"/replay", w.admin, fmt.Sprintf(`{"from":"%d","to":"%d"}`, last-2, last)).OK(202)
		w.RunJobs()

		again := w.got()
		require.Len(t, again, 3)
		require.Equal(t, first, []message{
			{first[0].id, first[0].timestamp, first[0].signature, again[0].body, again[0].object},
			{first[1].id, first[1].timestamp, first[1].signature, again[1].body, again[1].object},
		})

		w.Do("PATCH", path, w.admin, `{"body":"THIN"}`).OK(200)
		w.shown("txn_1", "OPEN")
		w.RunJobs()

		thin := w.got()
		require.Len(t, thin, 1)
		require.Contains(t, thin[0].body, `"data":{"object":{"_id":"txn_1"},"previous":null}`)
	})
}

// shown writes and seals an event of a record that has a status now.
func (w *world) shown(object, status string) {
	w.T.Helper()
	require.NoError(w.T, w.DB.Write(context.Background(), func(tx *db.Tx) error {
		return trail.Event(tx, "x.y", w.org, object, 1, map[string]string{"_id": object, "status": status})
	}))
	w.sealed()
}

// The version of an endpoint's messages is that of when it was made, whatever the service writes since.
func TestTheVersionOfMessagesIsFixedWithTheEndpoint(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint("")
		require.Equal(t, feed.APIVersion, w.Do("GET", path, w.admin, "").OK(200).Text("apiVersion"))

		w.Exec("UPDATE webhook_endpoints SET api_version = '2025-01-01'") // made by an older build
		w.Do("PATCH", path, w.admin, `{"description":"old"}`).OK(200)
		w.endpoint("")
		w.event("transaction.created", "txn_1")
		w.RunJobs()

		var versions []string

		for _, m := range w.got() {
			var e struct{ APIVersion string }

			require.NoError(t, json.Unmarshal([]byte(m.body), &e))

			versions = append(versions, e.APIVersion)
		}

		require.ElementsMatch(t, []string{"2025-01-01", feed.APIVersion}, versions)
	})
}

// A message is repeated after the pauses of the schedule, with the same bytes and id; the pause that the address asks
// for counts if it is longer.
func TestAFailedMessageIsRepeatedWithTheSameBytes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.endpoint("")
		w.answers(func(_ message, out http.ResponseWriter) {
			out.Header().Set("Retry-After", "60")
			out.WriteHeader(http.StatusServiceUnavailable)
		})
		w.event("transaction.created", "txn_1")
		w.RunJobs()
		w.advance(59 * time.Second)
		require.Len(t, w.got(), 1)

		w.answers(status(500))
		w.advance(2 * time.Second)

		second := w.got()
		require.Len(t, second, 1)

		w.advance(4*time.Minute - time.Second) // a fifth less than five minutes
		require.Empty(t, w.got())

		w.answers(nil)
		w.advance(2*time.Minute + 2*time.Second)

		third := w.got()
		require.Len(t, third, 1)
		require.Equal(t, second[0].body, third[0].body)
		require.Equal(t, second[0].id, third[0].id)
		require.NotEqual(t, second[0].timestamp, third[0].timestamp)
	})
}

func TestMessagesOfOneRecordKeepTheirOrderAndOthersGoOn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.endpoint("")
		w.answers(func(m message, out http.ResponseWriter) {
			if m.object == "txn_bad" {
				out.WriteHeader(500)
			}
		})
		w.event("transaction.created", "txn_bad")
		w.event("transaction.submitted", "txn_bad", "txn_good")
		w.event("transaction.accepted", "txn_good")
		w.RunJobs()

		all := objects(w.got())
		slices.Sort(all)
		require.Equal(t, []string{"txn_bad", "txn_good", "txn_good"}, all, "the second of the bad one waits")

		w.answers(nil)
		w.advance(time.Minute)

		rest := w.got()
		require.Len(t, rest, 2)
		require.Contains(t, rest[0].body, "transaction.created")
		require.Contains(t, rest[1].body, "transaction.submitted")
	})
}

// Nobody knows whether a message has arrived if the service ends before it has stored that. It is sent again, with the
// same id.
func TestAMessageIsSentAgainIfItsOutcomeWasNotStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.endpoint("")

		first := true
		w.answers(func(message, http.ResponseWriter) {
			if first { // as if another process had taken it over meanwhile
				first = false
				w.Exec("UPDATE webhook_deliveries SET version = version + 1")
			}
		})
		w.event("transaction.created", "txn_1")
		w.RunJobs()

		all := w.got()
		require.Len(t, all, 2)
		require.Equal(t, all[0].id, all[1].id)
		require.Equal(t, all[0].body, all[1].body)
	})
}

func TestAnAddressThatIsGoneIsSwitchedOffAtOnceAndLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint("")
		w.answers(status(410))
		w.event("transaction.created", "txn_1")
		w.RunJobs()

		off := w.Do("GET", path, w.admin, "").OK(200)
		require.Equal(t, false, off.Body["isEnabled"])
		require.Equal(t, "GONE", off.Text("offReason"))

		mails := w.Mails(adminMail)
		require.Equal(t, "webhook_off", mails[0].Kind)
		require.Contains(t, mails[0].Text, "410")

		w.answers(nil)
		w.event("transaction.created", "txn_2")
		w.advance(10 * 24 * time.Hour)
		require.Len(t, w.got(), 1, "nothing is sent while it is off")

		on := w.Do("PATCH", path, w.admin, `{"isEnabled":true}`).OK(200)
		require.Nil(t, on.Body["offReason"])
		w.RunJobs()

		all := objects(w.got())
		slices.Sort(all)
		require.Len(t, all, 3)
		require.Equal(t, []string{"txn_1", "txn_2"}, all[:2], "and the event that it was switched off")
	})
}

// Six days in which nothing arrives: after five the endpoint is off and the admins know. When it is on again everything
// arrives, in order.
func TestSixDaysOfOutage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint(`,"types":["transaction.*"]`)
		w.answers(status(502))

		var want []string

		for day := range 6 {
			object := fmt.Sprint("txn_", day)
			w.event("transaction.created", object)
			w.event("transaction.accepted", object)
			want = append(want, object, object)

			for range 8 {
				w.advance(3 * time.Hour)
			}

			if day < 4 {
				require.Empty(t, offMails(w), "day %d", day)
			}
		}

		w.advance(24 * time.Hour)

		told := offMails(w)
		require.Len(t, told, 1)
		require.Contains(t, told[0], "It has taken no event for five days.")
		require.Contains(t, told[0], strings.TrimPrefix(w.server.URL, "http://")+"/hook")
		require.Equal(t, "FAILING", w.Do("GET", path, w.admin, "").OK(200).Text("offReason"))
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM events WHERE type = 'webhook_endpoint.disabled'"))
		require.Zero(t, w.Count("SELECT count(*) FROM webhook_deliveries WHERE status <> 'PENDING' AND number > 0"))

		w.got()
		w.answers(nil)
		w.Do("PATCH", path, w.admin, `{"isEnabled":true}`).OK(200)
		w.RunJobs()

		all := w.got()
		require.ElementsMatch(t, want, objects(all))

		seen := map[string]string{}

		for _, m := range all {
			if strings.Contains(m.body, "transaction.accepted") {
				require.Contains(t, seen[m.object], "created", "the earlier one came first")
			}

			seen[m.object] = m.body
		}
	})
}

// What monitoring is told: how many deliveries wait and since when the oldest does, and how the endpoints stand. One
// that is off, or deleted, holds up nothing.
func TestDeliveriesThatWaitAreCountedForEndpointsThatAreOn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		waiting := func(want int, since time.Time, states map[string]int64) {
			t.Helper()

			n, oldest, err := endpoint.Waiting(t.Context(), w.DB)
			require.NoError(t, err)
			require.EqualValues(t, want, n)
			require.Equal(t, since, oldest)

			found, err := endpoint.States(t.Context(), w.DB)
			require.NoError(t, err)
			require.Equal(t, states, found)
		}

		state := func(name string) map[string]int64 {
			all := map[string]int64{"working": 0, "failing": 0, "unverified": 0, "off": 0}
			if name != "" {
				all[name] = 1
			}

			return all
		}

		working := state("working")
		failing := state("failing")
		off := state("off")

		path, _ := w.endpoint(`,"types":["transaction.*"]`)
		w.answers(status(500))
		waiting(0, time.Time{}, working)

		w.event("transaction.created", "txn_1")
		first := db.Time(w.Count("SELECT min(created_at) FROM webhook_deliveries WHERE status = 'PENDING'"))
		waiting(1, first, working)

		w.advance(time.Hour)
		w.event("transaction.created", "txn_2")
		w.RunJobs()
		waiting(2, first, failing)

		w.Do("PATCH", path, w.admin, `{"isEnabled":false}`).OK(200)
		waiting(0, time.Time{}, off)

		w.answers(nil)
		w.Do("PATCH", path, w.admin, `{"isEnabled":true}`).OK(200)
		waiting(2, first, working)
		w.RunJobs()
		waiting(0, time.Time{}, working)

		w.proves(func(string) string { return "ok" })
		w.Do("PATCH", path, w.admin, `{"url":"`+w.server.URL+`/other"}`).OK(200)
		w.RunJobs()
		w.event("transaction.created", "txn_3")
		waiting(0, time.Time{}, state("unverified"))

		w.Do("DELETE", path, w.admin, "").OK(200)
		waiting(0, time.Time{}, state(""))
	})
}

// offMails returns the texts of the mails which say that an endpoint was switched off.
func offMails(w *world) (texts []string) {
	for _, m := range w.Mails(adminMail) {
		if m.Kind == "webhook_off" {
			texts = append(texts, m.Text)
		}
	}

	return texts
}

func TestAMessageThatIsNeverTakenIsGivenUpAndOthersAreNot(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint("")
		w.answers(func(m message, out http.ResponseWriter) {
			if m.object == "txn_bad" {
				out.WriteHeader(400)
			}
		})
		w.event("transaction.created", "txn_bad")

		for day := range 14 {
			w.event("transaction.created", fmt.Sprint("txn_", day))

			for range 4 {
				w.advance(6 * time.Hour)
			}
		}

		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM webhook_deliveries WHERE status = 'FAILED'"))
		require.Equal(t, true, w.Do("GET", path, w.admin, "").OK(200).Body["isEnabled"])

		preview := w.Do(
			"POST",
			path+"/replay",
			w.admin,
			`{"from":"1","to":"40","onlyFailed":true,"preview":true}`,
		).OK(
			202,
		)
		require.EqualValues(t, 1, preview.Body["count"])
		require.Nil(t, preview.Body["_id"])

		w.got()
		w.answers(nil)
		w.Do("POST", path+"/replay", w.admin, `{"from":"1","to":"40","onlyFailed":true}`).OK(202)
		w.RunJobs()
		require.Equal(t, []string{"txn_bad"}, objects(w.got()))
	})
}

// While keys are replaced, whoever has the old one and whoever has the new one takes each message, with the library of
// Standard Webhooks and with a verifier that is written from the standard's text.
func TestDuringARotationBothKeysSign(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, old := w.endpoint("")
		oldPublic := w.publicKeys(path)[0]

		fresh := w.Do("POST", path+"/rotate-secret", w.admin, `{"overlapHours":2}`).OK(200).Text("secret")
		require.NotEqual(t, old, fresh)

		freshPublic := w.publicKeys(path)[0]
		require.Equal(t, []string{freshPublic, oldPublic}, w.publicKeys(path))
		require.NotEqual(t, oldPublic, freshPublic)

		w.event("transaction.created", "txn_1")
		w.RunJobs()

		both := w.got()[0]
		for _, key := range []string{old, fresh} {
			require.True(t, verify(t, both, key))
			require.True(t, theirs(t, both, key))
		}

		require.True(t, verifyPublic(t, both, oldPublic))
		require.True(t, verifyPublic(t, both, freshPublic))

		w.advance(2*time.Hour + time.Second)
		w.event("transaction.created", "txn_2")
		w.RunJobs()

		alone := w.got()[0]
		require.False(t, verify(t, alone, old))
		require.False(t, theirs(t, alone, old))
		require.False(t, verifyPublic(t, alone, oldPublic))
		require.True(t, verify(t, alone, fresh))
		require.True(t, theirs(t, alone, fresh))
		require.True(t, verifyPublic(t, alone, freshPublic))

		alone.body += " "
		require.False(t, theirs(t, alone, fresh))
		require.False(t, verifyPublic(t, alone, freshPublic))
	})
}

// Receivers verify with a public key, and none of what signs is shown again or lies in the database as it is.
func TestThePublicKeyVerifiesAndThePrivateOneIsNotShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, secret := w.endpoint("")
		public := w.publicKeys(path)
		require.Len(t, public, 1)
		require.True(t, strings.HasPrefix(public[0], "whpk_"), public[0])

		w.event("transaction.created", "txn_1")
		w.RunJobs()

		all := w.got()
		require.Len(t, all, 1)
		require.True(t, verifyPublic(t, all[0], public[0]))
		require.True(t, verify(t, all[0], secret), "v1 stands beside v1a")

		all[0].timestamp += "0"
		require.False(t, verifyPublic(t, all[0], public[0]))

		shown := w.Do("GET", path, w.admin, "").OK(200)
		require.NotContains(t, shown.Raw, "whsk_")
		require.NotContains(t, w.Do("POST", path+"/rotate-secret", w.admin, `{}`).OK(200).Raw, "whsk_")
		require.Zero(t, w.Count("SELECT count(*) FROM webhook_endpoints WHERE keys LIKE '%whsk_%'"))
	})
}

func TestARangeIsDeliveredAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint(`,"types":["transaction.*"]`)
		w.event("transaction.created", "txn_1", "txn_2", "txn_3")
		w.RunJobs()

		first := w.got()
		require.Len(t, first, 3)

		number := w.Count("SELECT max(number) FROM feed")
		from := fmt.Sprint(number - 1)
		body := `{"from":"` + from + `","to":"` + fmt.Sprint(number+100) + `"`

		require.EqualValues(t, 2, w.Do("POST", path+"/replay", w.admin, body+`,"preview":true}`).OK(202).Body["count"])
		w.RunJobs()
		require.Empty(t, w.got(), "a preview sends nothing")

		w.Do("POST", path+"/replay", w.admin, body+`}`).OK(202)
		w.Do("POST", path+"/replay", w.admin, body+`}`).Refused(409, "WEBHOOK_REPLAY_OPEN")
		w.RunJobs()

		again := objects(w.got())
		slices.Sort(again)
		require.Equal(t, []string{"txn_2", "txn_3"}, again)

		w.Do("POST", path+"/replay", w.admin, `{"from":"9","to":"1"}`).Refused(422, "OUT_OF_RANGE", "/to OUT_OF_RANGE")
	})
}

func TestATestAndASecondSending(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path, secret := w.endpoint(`,"types":["nothing.else"]`)
		sent := w.Do("POST", path+"/test", w.admin, "").OK(202)
		w.RunJobs()

		first := w.got()
		require.Len(t, first, 1)
		require.True(t, verify(t, first[0], secret))
		require.Contains(t, first[0].body, endpoint.TestType)

		w.Do("POST", path+"/deliveries/"+sent.Text("_id")+"/resend", w.admin, "").OK(202)
		w.RunJobs()

		second := w.got()
		require.Len(t, second, 1)
		require.Equal(t, first[0].body, second[0].body)
		require.Equal(t, first[0].id, second[0].id)
	})
}

func TestEndpointsBelongToTheirOrganisation(t *testing.T) { // Z-02
	each(t, func(t *testing.T, w *world) {
		path, _ := w.endpoint("")
		sent := w.Do("POST", path+"/test", w.admin, "").OK(202).Text("_id")

		other := w.Someone("eve@example.com").Access
		w.Organisation(other)

		for _, r := range [][2]string{
			{"GET", path},
			{"PATCH", path},
			{"DELETE", path},
			{"POST", path + "/rotate-secret"},
			{"POST", path + "/test"},
			{"GET", path + "/deliveries"},
			{"GET", path + "/deliveries/" + sent},
			{"POST", path + "/deliveries/" + sent + "/resend"},
		} {
			body := ""
			if r[0] == "PATCH" || strings.HasSuffix(r[1], "secret") {
				body = "{}"
			}

			w.Do(r[0], r[1], other, body).Refused(404, "NOT_FOUND")
		}

		require.Empty(t, w.Do("GET", "/webhook-endpoints", other, "").OK(200).Results())

		w.got()
		w.Do("DELETE", path, w.admin, "").OK(200)
		w.event("transaction.created", "txn_1")
		w.RunJobs()
		require.Empty(t, w.got(), "nothing is sent to what is deleted")
		w.Do("GET", path, w.admin, "").Refused(404, "NOT_FOUND")
	})
}

func TestAddressesAreCheckedAndCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Do("POST", "/webhook-endpoints", w.admin, `{"url":"ftp://example.org"}`).
			Refused(422, "WEBHOOK_URL_INVALID", "/url WEBHOOK_URL_INVALID")

		for range 20 {
			w.endpoint("")
		}

		w.Do("POST", "/webhook-endpoints", w.admin, `{"url":"https://example.org"}`).
			Refused(409, "WEBHOOK_ENDPOINT_LIMIT")
	})
}

// L-05: endpoints that hang, however many organisations of one person they are spread over, leave workers to those of
// others. The others of the same person wait, and get theirs when one has ended.
func TestOnePersonsEndpointsLeaveWorkersToOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		waiting := make(chan struct{})
		release := sync.OnceFunc(func() { close(waiting) })
		t.Cleanup(release)

		hung := make(chan struct{}, 10)

		runner := jobs.New(w.DB, slog.New(slog.DiscardHandler), jobs.Config{Only: []string{endpoint.Job}})
		guard := webhook.Guard{AllowPrivate: true}
		endpoint.New(endpoint.Deps{
			DB:     w.DB,
			Jobs:   runner,
			Steady: w.Jobs,
			Sender: webhook.New(guard),
			Guard:  guard,
			Mail:   w.Outbox.Queue,
			Rota:   limit.NewRota(w.DB.Clock(), 4), // one for each person
		})

		w.answers(func(m message, _ http.ResponseWriter) {
			if m.object == "txn_hangs" {
				hung <- struct{}{}
				<-waiting
			}
		})

		w.endpoint("")

		first, admin := w.org, w.admin
		w.org = w.Organisation(admin)
		second := w.org
		w.admin = w.Login(adminMail).Access
		w.Do("POST", "/webhook-endpoints", w.admin, `{"url":"`+w.server.URL+`/hook"}`,
			identitytest.Header{Name: "Slipway-Organisation", Value: second}).OK(201)

		w.admin = w.Someone("bob@example.com").Access
		others := w.Organisation(w.admin)
		w.endpoint("")
		w.sealed()
		w.RunJobs()
		w.got()

		w.org = first
		w.event("transaction.created", "txn_hangs")

		ended := make(chan error)

		go func() {
			_, err := runner.RunDue(context.Background(), 100)
			ended <- err
		}()

		<-hung

		w.org = second
		w.event("transaction.created", "txn_hers")
		w.org = others
		w.event("transaction.created", "txn_his")

		_, err := runner.RunDue(t.Context(), 100)
		require.NoError(t, err)
		require.Equal(t, []string{"txn_hangs", "txn_his"}, objects(w.got()))

		release()
		require.NoError(t, <-ended)
		w.DB.Clock().Advance(time.Minute)

		_, err = runner.RunDue(t.Context(), 100)
		require.NoError(t, err)
		require.Equal(t, []string{"txn_hers"}, objects(w.got()))
	})
}

// An address that does not answer has four messages at once and no more, and the others get theirs meanwhile.
func TestAnAddressThatHangsHoldsUpNobodyElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		release := make(chan struct{})
		hung := make(chan struct{}, 100)
		slow := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			if _, rest, asked := strings.Cut(string(raw), `"challenge":"`); asked {
				challenge, _, _ := strings.Cut(rest, `"`)
				_, _ = io.WriteString(out, challenge)

				return
			}

			hung <- struct{}{}
			<-release
		}))

		defer slow.Close()

		w.Do("POST", "/webhook-endpoints", w.admin, `{"url":"`+slow.URL+`"}`).OK(201)
		w.endpoint("")

		good := make(chan struct{}, 100)
		w.answers(func(message, http.ResponseWriter) { good <- struct{}{} })

		runner := jobs.New(w.DB, slog.New(slog.DiscardHandler), jobs.Config{Only: []string{endpoint.Job}})
		guard := webhook.Guard{AllowPrivate: true}
		endpoint.New(endpoint.Deps{
			DB:     w.DB,
			Jobs:   runner,
			Steady: w.Jobs,
			Sender: webhook.New(guard),
			Guard:  guard,
			Mail:   w.Outbox.Queue,
		})

		var all []string
		for i := range 10 {
			all = append(all, fmt.Sprint("txn_", i))
		}

		w.event("transaction.created", all...)

		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)

		go func() { ended <- runner.Run(ctx) }()

		for range 10 {
			<-good
		}

		for range 4 {
			<-hung
		}

		require.Empty(t, hung)
		cancel()
		close(release)
		require.NoError(t, <-ended)
	})
}
