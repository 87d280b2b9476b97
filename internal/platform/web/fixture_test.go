package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
)

// orderBody has every sort of field that a request of the interface has.
type orderBody struct {
	Token    string        `json:"token" enum:"USDC,USDT"`
	Payments []paymentBody `json:"payments" minItems:"1" maxItems:"30"`
	Role     string        `json:"organisationRole,omitempty" minLength:"3" maxLength:"20" pattern:"^[A-Z ]+$" patternDescription:"must be capital letters"`
	Count    int           `json:"count,omitempty" minimum:"1" maximum:"9"`
	Urgent   bool          `json:"urgent,omitempty"`
	Tags     []string      `json:"tags,omitempty" enum:"a,b" maxItems:"3"`
	Note     *string       `json:"note" maxLength:"5"`
	Due      time.Time     `json:"due,omitzero"`
	Partner  caller.Ref    `json:"partner,omitempty" record:"partner" maxLength:"30"`
	Others   []caller.Ref  `json:"others,omitempty" record:"partner" maxItems:"9"`
	Rate     Number        `json:"rate,omitempty"`
	Home     streetBody    `json:"home,omitzero"`
}

type paymentBody struct {
	Amount   string      `json:"amount" maxLength:"40"`
	Receiver caller.Ref  `json:"receiver" record:"receiver"`
	Reason   string      `json:"reason,omitempty" maxLength:"140"`
	Position int         `json:"position,omitempty"`
	Place    *streetBody `json:"place,omitempty"`
}

type streetBody struct {
	Line string `json:"line"`
}

// strictBody has required fields whose zero is a value.
type strictBody struct {
	Count  int32      `json:"count"`
	Urgent bool       `json:"urgent"`
	Tags   []string   `json:"tags" maxItems:"3"`
	Inner  streetOpt  `json:"inner"`
	Street streetBody `json:"street"`
}

type streetOpt struct {
	Line string `json:"line,omitempty"`
}

type orderView struct {
	ID    string `json:"_id"`
	Token string `json:"token"`
}

type orderIn struct {
	Partner string `header:"partnerId" maxLength:"8"`
	Body    orderBody
}

type listIn struct {
	Paging
	Status []string  `query:"status[]" enum:"A,B"`
	Sizes  []int     `query:"sizes[]" minimum:"1" maximum:"5"`
	From   time.Time `query:"from"`
	Hidden *bool     `query:"isHidden"`
	Name   string    `query:"name" maxLength:"5"`
	SortBy string    `query:"sortBy" enum:"createdAt,_id" default:"createdAt"`
	Column string    `query:"columnId" required:"true"`
}

type listView struct {
	Status []string `json:"status" nullable:"false"`
	Sizes  []int    `json:"sizes" nullable:"false"`
	Hidden *bool    `json:"isHidden"`
	SortBy string   `json:"sortBy"`
	Limit  int      `json:"limit"`
	Offset int      `json:"offset"`
	After  string   `json:"after"`
}

var insertRecord = db.InsertInto("audit_log", "id, organisation, actor, action, object, request_id, source, created_at")

// world is an API with a few operations on a database.
type world struct {
	t       *testing.T
	db      *db.DB
	api     *API
	handler http.Handler
	log     *logged
	ran     atomic.Int64                                 // times a use case was begun
	lost    func(ctx context.Context, in *orderIn) error // what comes of creating an order; nil: it is created
	refuse  atomic.Bool                                  // the use case refuses
	block   chan struct{}
	entered chan struct{}
}

type logged struct {
	sync.Mutex
	bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

func (l *logged) text() string {
	l.Lock()
	defer l.Unlock()
	return l.String()
}

// people are the tokens that the test's authenticator knows.
func people(_ context.Context, token, _ string) (*caller.Principal, *limit.Meters, error) {
	switch token {
	case "alice":
		return &caller.Principal{User: "usr_a", Organisation: "org_a", Credential: "ses_a"}, nil, nil
	case "alice2":
		return &caller.Principal{User: "usr_a", Organisation: "org_a", Credential: "ses_a2"}, nil, nil
	case "alice elsewhere":
		return &caller.Principal{User: "usr_a", Organisation: "org_b", Credential: "ses_a"}, nil, nil
	case "alice's client":
		return &caller.Principal{User: "usr_a", Organisation: "org_a", Credential: "cli_1", Client: true}, nil, nil
	case "alice's other client":
		return &caller.Principal{User: "usr_a", Organisation: "org_a", Credential: "cli_2", Client: true}, nil, nil
	case "bob":
		return &caller.Principal{User: "usr_b", Organisation: "org_b", Credential: "ses_a"}, nil, nil
	case "careful":
		return &caller.Principal{User: "usr_c", Organisation: "org_c", Credential: "ses_c", RequireKey: true}, nil, nil
	case "approver":
		return &caller.Principal{
			User:         "usr_p",
			Organisation: "org_a",
			Credential:   "ses_p",
			Roles:        []string{"approver"},
		}, nil, nil

	case "admin":
		return &caller.Principal{
			User:         "usr_m",
			Organisation: "org_a",
			Credential:   "ses_m",
			Roles:        []string{"viewer", "admin"},
		}, nil, nil

	case "homeless":
		return &caller.Principal{User: "usr_h", Credential: "ses_h"}, nil, nil
	case "staff":
		return &caller.Principal{User: "usr_s", Credential: "ses_s", Staff: "staff"}, nil, nil
	case "operator":
		return &caller.Principal{User: "usr_o", Credential: "ses_o", Staff: "operator"}, nil, nil
	case "broken":
		return nil, nil, errors.New("canary-authenticator")
	}

	return nil, nil, fault.New(fault.Unauthenticated, fault.TokenInvalid, "The token is unknown.")
}

func newWorld(t *testing.T, d *db.DB) *world {
	w := &world{
		t:       t,
		db:      d,
		log:     &logged{},
		block:   make(chan struct{}),
		entered: make(chan struct{}, 8),
	}

	w.api = New(Config{
		Title:        "Test",
		Version:      "1.0.0",
		BaseURL:      "https://api.example",
		DB:           d,
		Authenticate: people,
		MaxInFlight:  2,
		Log:          slog.New(slog.NewJSONHandler(w.log, nil)),
	})
	if d != nil {
		w.api.config.MaxInFlight = 100
	}

	w.operations()
	w.handler = w.api.Handler()

	return w
}

// partnerView is a record that orders refer to.
type partnerView struct {
	ID      string     `json:"_id"`
	Name    string     `json:"name"`
	IBAN    string     `json:"iban"`
	Country streetOf   `json:"country"`
	Older   *string    `json:"older"`
	Places  []streetOf `json:"places"`
	Active  bool       `json:"active"`
	Limit   int        `json:"limit"`
}

type streetOf struct {
	ID   string `json:"_id"`
	Code string `json:"isoCode"`
}

func (w *world) operations() {
	for _, kind := range []string{"partner", "receiver"} {
		w.api.Shows(kind, func(_ context.Context, id string) (any, error) {
			if id == "none" {
				return nil, fault.Missing(kind)
			}

			return partnerView{
				ID:      id,
				Name:    "Ada",
				IBAN:    "CH9300762011623852957",
				Country: streetOf{"ctr_ch", "CH"},
				Places:  []streetOf{{"a", "A"}, {"b", "B"}},
				Active:  true,
				Limit:   9,
			}, nil
		})
	}

	post := func(path, name string) Operation {
		return Operation{
			Method:  "POST",
			Path:    path,
			ID:      name,
			Summary: name,
			Tag:     "orders",
			Access:  Tenant,
		}
	}
	create := post("/orders", "createOrder")
	create.Status = 201
	create.MovesMoney = true
	create.MaxBody = 64 << 10
	create.Codes = []fault.Code{fault.TxNotDraft}
	create.Description = "Moves `<b>` & no <i>, **once**"
	Register(w.api, create, w.create)
	Register(w.api, Operation{
		Method: "DELETE",
		Path:   "/orders/{id}",
		ID:     "deleteOrder",
		Tag:    "orders",
		Access: Tenant,
	}, w.remove)
	Register(
		w.api,
		post("/check", "checkOrder"),
		func(_ context.Context, in *struct{ Body orderBody }) (*orderView, error) {
			return &orderView{Token: in.Body.Token}, nil
		},
	)
	Register(w.api, post("/strict", "strict"), func(_ context.Context, in *struct{ Body strictBody }) (*Empty, error) {
		return &Empty{}, nil
	})
	maybe := post("/maybe", "maybe")
	maybe.OptionalBody = true
	Register(w.api, maybe, func(_ context.Context, in *struct {
		Body struct {
			Sender string `json:"sender,omitempty"`
		}
	},
	) (*Empty, error) {
		return &Empty{}, nil
	})
	Register(w.api, Operation{
		Method: "GET",
		Path:   "/orders",
		ID:     "listOrders",
		Tag:    "orders",
		Access: Tenant,
	}, w.list)
	Register(w.api, Operation{
		Method: "GET",
		Path:   "/orders/{id}",
		ID:     "getOrder",
		Tag:    "orders",
		Access: Tenant,
	},
		func(_ context.Context, in *struct {
			ID string `path:"id" maxLength:"40"`
		},
		) (*orderView, error) {
			w.ran.Add(1)

			if in.ID == "none" {
				return nil, fault.Missing("order")
			}

			return &orderView{ID: in.ID}, nil
		})

	for _, access := range []Access{Public, Bearer, Tenant, Staff, Operator} {
		Register(w.api, Operation{
			Method: "GET",
			Path:   "/for/" + string(access),
			ID:     string(access),
			Access: access,
		}, w.whoami)
	}

	Register(w.api, Operation{Method: "GET", Path: "/fail/{how}", ID: "fail", Access: Public}, w.fail)
}

func (w *world) whoami(ctx context.Context, _ *struct{}) (*orderView, error) {
	return &orderView{ID: caller.Of(ctx).User, Token: caller.TokenOf(ctx)}, nil
}

func (w *world) create(ctx context.Context, in *orderIn) (*orderView, error) {
	w.ran.Add(1)

	if w.refuse.Load() {
		return nil, fault.New(fault.Conflict, fault.TxNotDraft, "Not now.")
	}

	if w.lost != nil {
		return nil, w.lost(ctx, in)
	}

	return Once(ctx, 201, func(v orderView) orderView { return v }, func(done func(*db.Tx, orderView) error) error {
		return w.db.Write(ctx, func(tx *db.Tx) error {
			v := orderView{ID: id.New("ord", tx.Now), Token: in.Body.Token}
			tx.Insert(insertRecord, v.ID, caller.Of(ctx).Organisation, "", "order", "", "", "", db.Micros(tx.Now))
			return done(tx, v)
		})
	})
}

func (w *world) remove(ctx context.Context, in *struct {
	ID string `path:"id"`
},
) (*Empty, error) {
	return Once(ctx, 204, func(Empty) Empty { return Empty{} }, func(done func(*db.Tx, Empty) error) error {
		return w.db.Write(ctx, func(tx *db.Tx) error {
			n, err := tx.Exec("DELETE FROM audit_log WHERE id = ?", in.ID)
			if err != nil {
				return err
			}

			if n == 0 {
				return fault.Missing("order")
			}

			return done(tx, Empty{})
		})
	})
}

func (w *world) list(_ context.Context, in *listIn) (*listView, error) {
	win, err := in.Window()
	if err != nil {
		return nil, err
	}

	return &listView{
		Status: in.Status,
		Sizes:  in.Sizes,
		Hidden: in.Hidden,
		SortBy: in.SortBy,
		Limit:  win.Limit,
		Offset: win.Offset,
		After:  win.After,
	}, nil
}

func (w *world) fail(ctx context.Context, in *struct {
	How string `path:"how"`
},
) (*Empty, error) {
	switch in.How {
	case "panic":
		panic("canary-panic")
	case "internal":
		return nil, errors.New("canary-internal")
	case "kindless":
		return nil, &fault.Fault{Code: fault.Validation, Detail: "canary-kindless"}
	case "busy":
		return nil, db.ErrBusy
	case "retry":
		return nil, fmt.Errorf("move it: %w", db.ErrRetry)
	case "away":
		return nil, fmt.Errorf("read it: %w", db.ErrUnavailable)
	case "unknown":
		return nil, fmt.Errorf("write it: %w", db.ErrUnknown)
	case "late":
		return nil, context.DeadlineExceeded
	case "gone":
		return nil, context.Canceled
	case "upstream":
		return nil, fault.New(fault.Unavailable, fault.UpstreamFailed, "The node is away.")
	case "extra":
		return nil, fault.New(fault.Conflict, fault.TxChanged, "Changed.").With("previousRate", "1.02").With("a", 1)
	case "wait":
		w.entered <- struct{}{}
		<-w.block
	}

	return &Empty{}, nil
}

// answer is a response that was read.
type answer struct {
	*httptest.ResponseRecorder
	t *testing.T
}

// send makes one request; headers are "Name: value". "Authorization: " leaves the token out.
func (w *world) send(method, target, body string, headers ...string) answer {
	w.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer alice")

	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if strings.EqualFold(name, "Authorization") {
			r.Header.Del(name)

			if value == "" {
				continue
			}
		}

		r.Header.Add(name, value)
	}

	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)

	return answer{rec, w.t}
}

func (a answer) problem() Problem {
	a.t.Helper()
	require.Equal(a.t, "application/problem+json", a.Header().Get("Content-Type"), "%d %s", a.Code, a.Body)

	var p Problem
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &p), "%s", a.Body)
	require.Equal(a.t, a.Code, p.Status)

	return p
}

// faults gives "pointer CODE" of every entry; "?name CODE" of a parameter, and "header name CODE".
func (a answer) faults() []string {
	a.t.Helper()

	var out []string
	for _, f := range a.problem().Errors {
		out = append(out, placeOf(f)+" "+string(f.Code))
	}

	return out
}

func placeOf(f FieldProblem) string {
	switch {
	case f.Pointer != nil:
		return *f.Pointer
	case f.In == "query":
		return "?" + f.Name
	default:
		return f.In + " " + f.Name
	}
}

func (w *world) records(where string, args ...any) int64 {
	w.t.Helper()
	n, err := db.Value[int64](context.Background(), w.db, "SELECT count(*) FROM audit_log WHERE "+where, args...)
	require.NoError(w.t, err)

	return n
}

func discarding() *slog.Logger { return slog.New(slog.DiscardHandler) }
