package approval_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/web"
)

// Callers: a token is organisation/user/staff. Ada and Ben are admins of org_a, Cleo has no role there.
const (
	ada    = "org_a/ada/"
	ben    = "org_a/ben/"
	cleo   = "org_a/cleo/"
	eve    = "org_b/eve/"
	olga   = "/olga/operator"
	otto   = "/otto/operator"
	nobody = ""
)

// office is the service over its handlers, with kinds whose decisions are noted.
type office struct {
	t         testing.TB
	db        *db.DB
	approvals *approval.Service
	api       *web.API

	refuse  error // what Decided and After return
	mu      sync.Mutex
	log     []string // what was committed: decisions, mails, jobs
	outside int      // how often Before was called
}

func each(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, newOffice(t, d)) })
}

func newOffice(t testing.TB, d *db.DB) *office {
	t.Helper()

	o := &office{t: t, db: d}
	o.approvals = approval.New(approval.Deps{
		DB: d,
		Is: func(_ context.Context, _ db.Querier, organisation, user string, _ []string) (bool, error) {
			return organisation == "org_a" && slices.Contains([]string{"ada", "ben"}, user), nil
		},
		Asked: func(_ context.Context, tx *db.Tx, a approval.Approval, roles []string) error {
			o.note(tx, "asked "+strings.Join(roles, ",")+" about "+a.Object)
			return nil
		},
		NewPayee: func(_ context.Context, tx *db.Tx, n approval.Notice) error {
			o.note(tx, "new payee "+n.Object)
			return nil
		},
		Schedule: func(tx *db.Tx, _ string) { o.note(tx, "job") },
	})

	now := approval.Handler{Roles: []string{"admin"}, Decided: o.decided}
	asking := now
	asking.Before = func(context.Context, approval.Approval) error {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.outside++

		return nil
	}
	later := approval.Handler{Roles: []string{"operator"}, Decided: o.decided, After: o.carryOut}

	o.approvals.Handle(approval.Wallet, now)
	o.approvals.Handle(approval.Policy, now)
	o.approvals.Handle(approval.Terms, asking)
	o.approvals.Handle(approval.Return, later)

	o.api = web.New(web.Config{
		Title:        "test",
		BaseURL:      "https://pay.example",
		Log:          slog.New(slog.DiscardHandler),
		DB:           d,
		Authenticate: authenticate,
	})
	o.approvals.Routes(o.api)

	return o
}

// run runs a part of the test under a name of its own.
func (o *office) run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		outer := o.t
		o.t = t

		defer func() { o.t = outer }()

		test(t)
	})
}

func authenticate(_ context.Context, token, _ string) (*caller.Principal, *limit.Meters, error) {
	p := strings.Split(token, "/")
	if len(p) != 3 {
		return nil, nil, fault.New(fault.Unauthenticated, fault.TokenInvalid, "no")
	}

	return &caller.Principal{Organisation: p[0], User: p[1], Staff: p[2], Credential: token}, nil, nil
}

func (o *office) decided(_ context.Context, tx *db.Tx, a approval.Approval) error {
	o.note(tx, string(a.Status)+" "+a.Object)
	return o.refuse
}

func (o *office) carryOut(ctx context.Context, a approval.Approval, done func(tx *db.Tx) error) error {
	if o.refuse != nil {
		return o.refuse
	}

	return o.db.Write(ctx, func(tx *db.Tx) error {
		o.note(tx, "carried out "+a.Object)
		return done(tx)
	})
}

// note remembers a line if the transaction commits.
func (o *office) note(tx *db.Tx, line string) {
	tx.OnCommit(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.log = append(o.log, line)
	})
}

// noted returns what was committed since the last call.
func (o *office) noted() []string {
	o.mu.Lock()
	defer o.mu.Unlock()

	out := o.log
	o.log = nil

	return out
}

// as returns a context in which somebody calls.
func (o *office) as(token string) context.Context {
	p := strings.Split(token, "/")
	if len(p) != 3 {
		return context.Background()
	}

	return caller.With(context.Background(), caller.Principal{Organisation: p[0], User: p[1], Staff: p[2]})
}

// ask makes a request and returns its identifier.
func (o *office) ask(token string, r approval.Request) string {
	o.t.Helper()

	var a approval.Approval

	require.NoError(o.t, o.db.Write(o.as(token), func(tx *db.Tx) (err error) {
		a, err = o.approvals.Ask(o.as(token), tx, r)
		return err
	}))

	return a.ID
}

// askWallet asks for org_a's approval of a wallet.
func (o *office) askWallet(token, wallet string) string {
	o.t.Helper()
	return o.ask(token, approval.Request{Organisation: "org_a", Kind: approval.Wallet, Object: wallet})
}

// answer is what came back.
type answer struct {
	t    testing.TB
	code int
	raw  string
	body map[string]any
}

func (o *office) do(token, method, path, body string) answer {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)

	rec := httptest.NewRecorder()
	o.api.Handler().ServeHTTP(rec, r)

	a := answer{t: o.t, code: rec.Code, raw: rec.Body.String()}
	_ = json.Unmarshal(rec.Body.Bytes(), &a.body)

	return a
}

// decide calls approve or reject.
func (o *office) decide(token, id, word string) answer {
	return o.do(token, "POST", "/approvals/"+id+"/"+word, `{"comment":"as agreed"}`)
}

// standIn calls the operators' decision.
func (o *office) standIn(token, id string, decision approval.Status) answer {
	body := `{"decision":"` + string(decision) + `","comment":"called back"}`
	return o.do(token, "POST", "/operations/approvals/"+id+"/decision", body)
}

// ok requires an answer without refusal.
func (a answer) ok() answer {
	a.t.Helper()
	require.Equal(a.t, 200, a.code, a.raw)

	return a
}

// refused requires a refusal.
func (a answer) refused(status int, code fault.Code) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.code, a.raw)
	require.Equal(a.t, string(code), a.body["code"], a.raw)

	return a
}

func (o *office) get(id string) approval.View {
	o.t.Helper()

	a := o.do(ada, "GET", "/approvals/"+id, "").ok()

	var v approval.View

	require.NoError(o.t, json.Unmarshal([]byte(a.raw), &v))

	return v
}
