//go:build !nosandbox

package chatchannel_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/chatchannel"
	"slipway/internal/payments/paymentstest"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/mail"
	"slipway/internal/rails/webhook"
)

type object = paymentstest.Object

// office is an organisation with a maker, somebody who accepts, a payee, and a server of chats.
type office struct {
	*paymentstest.World
	feed            *feed.Feed
	chats           *chatchannel.Service
	maker, accepter *paymentstest.Member
	payee, wallet   string
	server          *server
}

func each(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		guard := webhook.Guard{AllowPrivate: true}
		o := &office{World: w, feed: feed.New(w.DB, slog.New(slog.DiscardHandler)), server: newServer(t)}
		o.chats = chatchannel.New(chatchannel.Deps{
			DB:     w.DB,
			Jobs:   w.Jobs,
			Sender: webhook.New(guard),
			Guard:  guard,
			Mail:   w.Outbox.Queue,
			LinkTo: func(p mail.Place, organisation, record string) string {
				return "https://pay.example.org/console/o/" + organisation + strings.ReplaceAll(
					p.Console,
					"{id}",
					record,
				)
			},
		})
		o.feed.With(o.chats.OnSeal)
		o.chats.Routes(w.API)
		w.Handler = w.API.Handler()

		o.maker = w.Founder("Ada")
		o.accepter = o.maker.Colleague("Grace", "authorized", "admin")
		o.payee = o.maker.Receiver("Alice")
		o.wallet, _ = o.maker.Wallet(o.payee)
		o.sealed()
		w.RunJobs()
		test(t, o)
	})
}

// channel adds a channel of a kind at the server, and returns its path.
func (o *office) channel(kind string, members object) string {
	o.T.Helper()

	made := o.maker.Do("POST", "/chat-channels", object{
		"name":    "Finance",
		"kind":    kind,
		"address": o.server.URL + "/services/T024/B024/canaryToken" + kind,
	}.With(members)).OK(201)

	return "/chat-channels/" + made.Text("_id")
}

// submitted is a transaction to the payee that waits for its approval.
func (o *office) submitted(amount string) string {
	o.T.Helper()

	id := o.maker.Do("POST", "/transactions", object{
		"type":          "CRYPTO",
		"token":         "USDC",
		"walletAddress": o.maker.Payer,
		"payments": []object{{
			"type":     "CRYPTO",
			"receiver": o.payee,
			"wallet":   o.wallet,
			"amount":   amount,
			"reason":   "Rent",
		}},
	}).OK(201).Text("_id")
	o.maker.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)

	return id
}

func (o *office) sealed() {
	o.T.Helper()

	for {
		n, err := o.feed.Seal(context.Background())
		require.NoError(o.T, err)

		if n == 0 {
			return
		}
	}
}

// told has everything sent that is due, and returns and forgets what the server has taken or refused.
func (o *office) told() []string {
	o.T.Helper()
	o.sealed()
	o.RunJobs()

	return o.server.got()
}

// later lets time pass.
func (o *office) later(d time.Duration) {
	o.T.Helper()
	o.DB.Clock().Advance(d)
	o.maker.Token = o.Login(o.maker.Email).Access
	o.accepter.Token = o.Login(o.accepter.Email).Access
}

func (o *office) state(state string) int64 {
	o.T.Helper()
	return o.Count("SELECT count(*) FROM chat_messages WHERE state = ?", state)
}

// server answers as the servers of Slack, of workflows of Teams and of matrix-hookshot do: it takes POST of JSON alone,
// and reads it as they do.
type server struct {
	*httptest.Server

	mu     sync.Mutex
	bodies []string
	paths  []string
	answer func(w http.ResponseWriter) bool // before it looks at the message; true: it has answered
}

func newServer(t *testing.T) *server {
	t.Helper()

	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.take))
	t.Cleanup(s.Close)

	return s
}

// answers sets what is answered instead; nil: what the product answers.
func (s *server) answers(f func(w http.ResponseWriter) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// status answers with a status and a body.
func status(code int, body string) func(http.ResponseWriter) bool {
	return func(w http.ResponseWriter) bool {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)

		return true
	}
}

func (s *server) got() []string {
	s.mu.Lock()
	defer s.mu.Unlock()

	out := s.bodies
	s.bodies = nil
	s.paths = nil

	return out
}

func (s *server) take(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)

	s.mu.Lock()
	s.bodies = append(s.bodies, string(raw))
	s.paths = append(s.paths, r.URL.Path)
	answer := s.answer
	s.mu.Unlock()

	if answer != nil && answer(w) {
		return
	}

	var m struct {
		Text        string            `json:"text"`
		HTML        string            `json:"html"`
		Blocks      []json.RawMessage `json:"blocks"`
		Attachments []struct {
			ContentType string `json:"contentType"`
		} `json:"attachments"`
	}

	bad := json.Unmarshal(raw, &m) != nil || r.Header.Get("Content-Type") != "application/json" || r.Method != "POST"

	switch {
	case strings.HasSuffix(r.URL.Path, "SLACK") && (bad || m.Text == "" || len(m.Blocks) == 0):
		status(400, "invalid_payload")(w)
	case strings.HasSuffix(r.URL.Path, "SLACK"):
		_, _ = io.WriteString(w, "ok")
	case strings.HasSuffix(r.URL.Path, "TEAMS") && (bad || len(m.Attachments) != 1 ||
		m.Attachments[0].ContentType != "application/vnd.microsoft.card.adaptive"):
		status(400, `{"error":{"code":"TriggerInputSchemaMismatch"}}`)(w)
	case strings.HasSuffix(r.URL.Path, "TEAMS"):
		w.WriteHeader(202)
	case strings.HasSuffix(r.URL.Path, "MATRIX") && !bad && m.Text != "" && m.HTML != "":
		_, _ = io.WriteString(w, `{"ok":true}`)
	default:
		status(404, `{"ok":false,"error":"Webhook not found"}`)(w)
	}
}
