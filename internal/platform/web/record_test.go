package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// boatView is a record with everything that a record of the interface has: own fields, fields that are only shown, a
// list of objects that have both.
type boatView struct {
	ID        string     `json:"_id"`
	Name      string     `json:"name"`
	Nickname  string     `json:"nickname,omitempty"`
	Length    int        `json:"length"`
	Launched  *time.Time `json:"launched"`
	Harbour   harbour    `json:"harbour"`
	Flags     []string   `json:"flags" nullable:"false"`
	Crew      []sailor   `json:"crew" nullable:"false"`
	Version   int64      `json:"version"`
	UpdatedAt time.Time  `json:"updatedAt"`
}

func (v boatView) Record() (id string, version int64) { return v.ID, v.Version }

type harbour struct {
	ID   string `json:"_id"`
	City string `json:"city"`
}

type sailor struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
	Rank string `json:"rank"`
}

type boatChange struct {
	Name     *string     `json:"name,omitempty" maxLength:"9" nullable:"false"`
	Nickname *string     `json:"nickname,omitempty" maxLength:"9"`
	Length   *int        `json:"length,omitempty" minimum:"1"`
	Launched *time.Time  `json:"launched,omitempty"`
	Harbour  *caller.Ref `json:"harbour,omitempty" record:"harbour" nullable:"false"`
	Flags    []string    `json:"flags,omitempty" maxItems:"3"`
}

type boatPut struct {
	Name string      `json:"name" maxLength:"9"`
	Crew []sailorPut `json:"crew" maxItems:"3"`
}

type sailorPut struct {
	Name string `json:"name" maxLength:"9"`
}

// yard is an API with one record, that of every path.
type yard struct {
	*world
	mu   sync.Mutex
	boat boatView
	sent boatChange // what the last PATCH was
	put  boatPut
}

func newYard(t *testing.T, d *db.DB) *yard {
	w := &world{t: t, db: d, log: &logged{}}
	launched := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	y := &yard{world: w, boat: boatView{
		ID:        "boat_1",
		Name:      "Anna",
		Nickname:  "A",
		Length:    9,
		Launched:  &launched,
		Harbour:   harbour{"hrb_1", "Basel"},
		Flags:     []string{"CH"},
		Crew:      []sailor{{"s1", "Ada", "mate"}, {"s2", "Bo", "cook"}},
		Version:   3,
		UpdatedAt: launched,
	}}
	w.api = New(Config{Log: discarding(), Authenticate: people, DB: d})
	y.operations()
	w.handler = w.api.Handler()

	return y
}

func (y *yard) operations() {
	op := func(method, path, id string) Operation {
		return Operation{Method: method, Path: path, ID: id, Access: Tenant}
	}

	y.api.Shows("harbour", func(context.Context, string) (any, error) { return y.boat.Harbour, nil })

	type byID struct {
		ID string `path:"id" maxLength:"40"`
	}

	read := func(_ context.Context, in *byID) (*boatView, error) {
		if in.ID == "none" {
			return nil, fault.Missing("boat")
		}

		y.mu.Lock()
		defer y.mu.Unlock()

		v := y.boat

		return &v, nil
	}
	Register(y.api, op("GET", "/boats/{id}", "readBoat"), read)
	Register(y.api, op("GET", "/boats", "listBoats"), func(context.Context, *struct{}) (*List[boatView], error) {
		l := NewList([]boatView{y.boat}, 1, "")
		return &l, nil
	})
	Register(y.api, op("GET", "/weather", "weather"), func(context.Context, *struct{}) (*streetOpt, error) {
		return &streetOpt{}, nil
	})

	change := op("PATCH", "/boats/{id}", "changeBoat")
	change.Stages = true
	Register(y.api, change, func(ctx context.Context, in *struct {
		byID
		Body boatChange
	},
	) (*boatView, error) {
		return y.once(ctx, 200, func() error {
			l := caller.Faults(ctx)
			if in.Body.Name != nil && *in.Body.Name == "Titanic" {
				l.Add("/name", fault.NotAllowed, "sinks.")
			}

			if in.Body.Nickname != nil && *in.Body.Nickname == "reckless" {
				return nil // the use case does not look at what was noted
			}

			y.sent = in.Body

			return l.Err()
		})
	})
	Register(y.api, op("PUT", "/boats/{id}", "putBoat"), func(ctx context.Context, in *struct {
		byID
		Body boatPut
	},
	) (*boatView, error) {
		return y.once(ctx, 200, func() error { y.put = in.Body; return nil })
	})

	create := op("POST", "/boats", "createBoat")
	create.Status = 201
	create.Location = "/boats/{id}"
	Register(y.api, create, func(ctx context.Context, in *struct{ Body boatPut }) (*boatView, error) {
		return y.once(ctx, 201, func() error { return nil })
	})

	Register(y.api, op("POST", "/boats/{id}/forget", "forget"), func(ctx context.Context, in *byID) (*boatView, error) {
		return y.once(ctx, 200, nil)
	})

	Register(
		y.api,
		op("POST", "/boats/{id}/look", "look"),
		func(context.Context, *byID) (*Empty, error) { return &Empty{}, nil },
	)
}

// once writes the boat with its next version. A nil check is a use case that forgets to compare the version.
func (y *yard) once(ctx context.Context, status int, check func() error) (*boatView, error) {
	y.ran.Add(1)

	view := func(v boatView) boatView { return v }

	return Once(ctx, status, view, func(done func(*db.Tx, boatView) error) error {
		return y.db.Write(ctx, func(tx *db.Tx) error {
			y.mu.Lock()
			defer y.mu.Unlock()

			if check != nil {
				if err := caller.Unchanged(ctx, y.boat.Version); err != nil && status == 200 {
					return err
				}

				if err := check(); err != nil {
					return err
				}
			}

			next := y.boat
			next.Version++

			tx.OnCommit(func() { y.boat = next })

			return done(tx, next)
		})
	})
}

func onYard(t *testing.T, run func(t *testing.T, y *yard)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) { run(t, newYard(t, d)) })
}

func (y *yard) read() (body, tag string) {
	y.t.Helper()
	a := y.send("GET", "/boats/boat_1", "")
	require.Equal(y.t, 200, a.Code, a.Body)

	return a.Body.String(), a.Header().Get("ETag")
}

func TestEveryAnswerAboutOneThingHasAnETag(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		body, tag := y.read()
		require.Regexp(t, `^"3-[0-9a-f]{1,16}"$`, tag)

		for value, status := range map[string]int{
			tag:                       304,
			"W/" + tag:                304,
			`"1-a", ` + tag:           304,
			"*":                       304,
			`"3"`:                     200,
			strings.Trim(tag, `"`):    200,
			strings.ToUpper(tag)[1:4]: 200,
		} {
			a := y.send("GET", "/boats/boat_1", "", "If-None-Match: "+value)
			require.Equal(t, status, a.Code, value)
			require.Equal(t, tag, a.Header().Get("ETag"))

			if status == 304 {
				require.Empty(t, a.Body.String())
				require.Empty(t, a.Header().Get("Content-Type"))
			} else {
				require.Equal(t, body, a.Body.String())
			}
		}

		y.boat.Harbour.City = "Bern" // another record's
		_, other := y.read()
		require.NotEqual(t, tag, other)
		require.True(t, strings.HasPrefix(other, `"3-`))

		require.Regexp(t, `^"h[0-9a-f]{1,16}"$`, y.send("GET", "/weather", "").Header().Get("ETag"))
		require.Empty(t, y.send("GET", "/boats", "").Header().Get("ETag"), "a list has none")
		require.Empty(t, y.send("GET", "/boats/none", "").Header().Get("ETag"))
		require.Equal(t, 404, y.send("GET", "/boats/none", "", "If-None-Match: *").Code)
	})
}

func TestAChangeComparesTheVersionThatWasSeen(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		_, tag := y.read()

		a := y.send("PATCH", "/boats/boat_1", `{"nickname":"B"}`, `If-Match: "2-ff"`)
		require.Equal(t, 412, a.Code)
		require.Equal(t, fault.VersionMismatch, a.problem().Code)
		require.EqualValues(t, 3, y.boat.Version)

		a = y.send("PATCH", "/boats/boat_1", `{"nickname":"B"}`, "If-Match: "+tag)
		require.Equal(t, 200, a.Code, a.Body)

		body, next := y.read()
		require.Equal(t, next, a.Header().Get("ETag"), "of the record as GET shows it")
		require.Equal(t, body, a.Body.String())

		require.Equal(t, 412, y.send("PATCH", "/boats/boat_1", `{"nickname":"B"}`, "If-Match: "+tag).Code)

		for _, value := range []string{"4", `W/` + next, "*", `"1-a",` + next} {
			y.boat.Version = 4
			require.Equal(t, 200, y.send("PATCH", "/boats/boat_1", `{"nickname":"B"}`, "If-Match: "+value).Code, value)
		}

		a = y.send("PATCH", "/boats/boat_1", `{}`, "If-Match: yes")
		require.Equal(t, []string{"header If-Match FORMAT_INVALID"}, a.faults())
		require.Equal(t, 422, a.Code)
	})
}

// What is sent as a condition is never ignored.
func TestAConditionThatNobodyComparesIsRefused(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		for _, path := range []string{"/boats", "/boats/boat_1/look"} {
			a := y.send("POST", path, `{"name":"x","crew":[]}`, "If-Match: *")
			require.Equal(t, 412, a.Code, path)
		}

		require.Zero(t, y.ran.Load())
		require.Equal(t, 500, y.send("POST", "/boats/boat_1/forget", "", `If-Match: "3-0"`).Code, "an error of ours")
		require.EqualValues(t, 3, y.boat.Version, "and nothing was stored")
		require.Equal(t, 200, y.send("POST", "/boats/boat_1/forget", "").Code)
	})
}

func TestWhatWasMadeIsNamed(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		for range 2 { // the second is replayed
			a := y.send("POST", "/boats", `{"name":"x","crew":[]}`, "Idempotency-Key: k")
			require.Equal(t, 201, a.Code, a.Body)
			require.Equal(t, "/boats/boat_1", a.Header().Get("Location"))
			require.True(t, strings.HasPrefix(a.Header().Get("ETag"), `"4-`), a.Header())
		}

		require.EqualValues(t, 4, y.boat.Version)
		require.Empty(t, y.send("PATCH", "/boats/boat_1", `{"nickname":"x"}`).Header().Get("Location"))
	})
}

// Whoever has read a record may send it back.
func TestWhatGETGaveIsAcceptedUnchanged(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		body, tag := y.read()

		a := y.send("PATCH", "/boats/boat_1", body, "If-Match: "+tag)
		require.Equal(t, 200, a.Code, a.Body)
		require.Equal(t, boatChange{}, y.sent, "what the record holds is no change")

		y.boat.Version = 3
		a = y.send("PUT", "/boats/boat_1", body)
		require.Equal(t, 200, a.Code, a.Body)
		require.Equal(t, boatPut{Name: "Anna", Crew: []sailorPut{{"Ada"}, {"Bo"}}}, y.put)

		y.boat.Version = 3
		a = y.send("PATCH", "/boats/boat_1", strings.Replace(body, `"name":"Anna"`, `"name":"Berta"`, 1))
		require.Equal(t, 200, a.Code, a.Body)
		require.Equal(t, "Berta", *y.sent.Name)
		require.Nil(t, y.sent.Nickname)

		// An item is compared with the one that has its _id, wherever it stands now.
		y.boat.Version = 3
		a = y.send("PUT", "/boats/boat_1",
			`{"version":3,"name":"Anna","crew":[{"_id":"s2","name":"Cy","rank":"cook"},{"name":"New"}]}`)
		require.Equal(t, 200, a.Code, a.Body)
		require.Equal(t, []sailorPut{{"Cy"}, {"New"}}, y.put.Crew)

		// Times and numbers may be written in another way.
		y.boat.Version = 3
		a = y.send("PUT", "/boats/boat_1", `{"version":3.0,"length":9e0,"name":"Anna","crew":[]}`)
		require.Equal(t, 200, a.Code, a.Body)
	})
}

func TestReadOnlyMembersAreRefusedWithTheirNames(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		body, _ := y.read()
		body = strings.NewReplacer(`"version":3`, `"version":2`, `"_id":"boat_1"`, `"_id":"boat_2"`).Replace(body)
		require.Equal(
			t,
			[]string{"/_id READ_ONLY", "/version READ_ONLY"},
			y.send("PATCH", "/boats/boat_1", body).faults(),
		)

		a := y.send("PUT", "/boats/boat_1",
			`{"_id":"boat_1","name":"much too long","typo":1,"crew":[{"_id":"s2","name":"Bo","rank":"mate"}]}`)
		require.Equal(t, 422, a.Code)
		require.ElementsMatch(
			t,
			[]string{"/crew/0/rank READ_ONLY", "/name TOO_LONG", "/typo UNKNOWN_FIELD"},
			a.faults(),
		)
		require.Zero(t, y.put)

		require.Equal(t, []string{"/typo UNKNOWN_FIELD"}, y.send("PATCH", "/boats/boat_1", `{"typo":1}`).faults())
		require.Equal(
			t,
			[]string{"/_id UNKNOWN_FIELD"},
			y.send("POST", "/boats", `{"_id":"x","name":"x","crew":[]}`).faults(),
			"what is not there yet cannot be sent back",
		)
		require.Equal(t, 404, y.send("PATCH", "/boats/none", `{"_id":"none"}`).Code)
	})
}

// A repeated request finds its first answer, although what it sends back has changed by then.
func TestWhatWasSentBackIsReplayed(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		body, _ := y.read()
		body = strings.Replace(body, `"nickname":"A"`, `"nickname":"C"`, 1)

		first := y.send("PATCH", "/boats/boat_1", body, "Idempotency-Key: k")
		require.Equal(t, 200, first.Code, first.Body)

		second := y.send("PATCH", "/boats/boat_1", body, "Idempotency-Key: k")
		require.Equal(t, 200, second.Code, second.Body)
		require.Equal(t, first.Body.String(), second.Body.String())
		require.Equal(t, first.Header().Get("ETag"), second.Header().Get("ETag"))
		require.Equal(t, "true", second.Header().Get("Idempotent-Replayed"))
		require.EqualValues(t, 4, y.boat.Version)
	})
}

// null clears a member of a PATCH, or is refused with its name. It is never ignored.
func TestNullClearsOrIsRefused(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		a := y.send("PATCH", "/boats/boat_1", `{"nickname":null,"launched":null,"flags":null}`)
		require.Equal(t, 200, a.Code, a.Body)
		require.Equal(t, "", *y.sent.Nickname)
		require.True(t, y.sent.Launched.IsZero())
		require.NotNil(t, y.sent.Flags)
		require.Empty(t, y.sent.Flags)
		require.Nil(t, y.sent.Name)

		a = y.send("PATCH", "/boats/boat_1", `{"nickname":"x","name":null,"length":null,"harbour":null}`)
		require.Equal(t, 422, a.Code)
		require.Equal(t, []string{"/name REQUIRED", "/length REQUIRED", "/harbour REQUIRED"}, a.faults())
	})
}

// The rules of the use case are checked for what is sound of a body, and its faults come with those of the form.
func TestStagesAreRefusedTogether(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		a := y.send("PATCH", "/boats/boat_1", `{"name":"Titanic","length":0,"flags":[1,"CH"],"nickname":"x"}`)
		require.Equal(t, 400, a.Code, "one value has the wrong type")
		require.Equal(t, []string{"/length OUT_OF_RANGE", "/flags/0 TYPE_MISMATCH", "/name NOT_ALLOWED"}, a.faults())

		a = y.send("PATCH", "/boats/boat_1", `{"name":"Titanic","nickname":"far too long"}`)
		require.Equal(t, 422, a.Code)
		require.Equal(t, []string{"/nickname TOO_LONG", "/name NOT_ALLOWED"}, a.faults(),
			"nothing more is said of a value that was refused")

		require.EqualValues(t, 3, y.boat.Version)
		require.Equal(t, []string{"/length OUT_OF_RANGE"},
			y.send("PATCH", "/boats/boat_1", `{"length":0,"nickname":"reckless"}`).faults())
		require.EqualValues(t, 3, y.boat.Version, "nothing is stored of a request that was refused")

		require.Equal(t, fault.BodyMalformed, y.send("PATCH", "/boats/boat_1", `{"length":0`).problem().Code)
		require.Equal(t, []string{"path id TOO_LONG", "/length OUT_OF_RANGE"},
			y.send("PATCH", "/boats/"+strings.Repeat("x", 41), `{"name":"Titanic","length":0}`).faults(),
			"without a record there are no rules")
	})
}

func TestAnOperationWithoutABodyRefusesOne(t *testing.T) {
	onYard(t, func(t *testing.T, y *yard) {
		for body, want := range map[string]string{
			"":               "204",
			"{}":             "204",
			" { }\n":         "204",
			`{"reason":"x"}`: "422 /reason UNKNOWN_FIELD",
			`null`:           "400  TYPE_MISMATCH",
			`[]`:             "400  TYPE_MISMATCH",
			`{`:              "400 BODY_MALFORMED",
		} {
			a := y.send("POST", "/boats/boat_1/look", body)

			got := fmt.Sprint(a.Code)
			if a.Code != http.StatusNoContent {
				got += " " + strings.Join(a.faults(), ";")
				if len(a.problem().Errors) == 0 {
					got = fmt.Sprintf("%d %s", a.Code, a.problem().Code)
				}
			}

			require.Equal(t, want, got, body)
		}

		a := y.send("POST", "/boats/boat_1/look", "a=b", "Content-Type: application/x-www-form-urlencoded")
		require.Equal(t, 415, a.Code)
		require.Equal(t, 422, y.send("GET", "/boats/boat_1", `{"a":1}`).Code)
	})
}

// Where a value stands is either a pointer into the body, or the name of a parameter.
func TestThePlaceOfAFaultHasOneForm(t *testing.T) {
	w := newWorld(t, nil)
	a := w.send("POST", "/orders?z=1", `{"token":"USDC"}`, "partnerId: 123456789")

	var p struct {
		Errors []map[string]any `json:"errors"`
	}
	require.NoError(t, json.Unmarshal(a.Body.Bytes(), &p))

	for _, e := range p.Errors {
		delete(e, "message")
	}

	require.Equal(t, []map[string]any{
		{"in": "query", "name": "z", "code": "UNKNOWN_PARAMETER"},
		{"in": "header", "name": "partnerId", "code": "TOO_LONG"},
		{"pointer": "/payments", "code": "REQUIRED"},
	}, p.Errors)
}
