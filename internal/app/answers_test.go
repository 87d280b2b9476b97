//go:build !nosandbox

package app_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/identity/passkey"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/web"
)

// valuesOfAnswer is how many random values of each answer are compared.
const valuesOfAnswer = 300

// millis has the library write times with milliseconds, or refuse them as it does itself.
var millis = json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, at time.Time) error {
	if _, err := at.MarshalText(); err != nil {
		return err
	}

	return enc.WriteToken(jsontext.String(at.Format("2006-01-02T15:04:05.000Z07:00")))
}))

// Every answer of every operation, live and of the sandbox, says what the library would say of it: of random values
// with what is hard to write in them, the two are the same, or both are refused.
func TestAnswersAreWrittenAsTheLibraryWritesThem(t *testing.T) {
	h := apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t))
	seen := map[reflect.Type]bool{
		reflect.TypeFor[web.Empty]():       true,
		reflect.TypeFor[web.Raw]():         true,
		reflect.TypeFor[web.Stream]():      true,
		reflect.TypeFor[web.EventStream](): true,
	}

	refused := 0
	for _, route := range h.App.API.Routes() {
		if route.Answer == nil || seen[route.Answer] {
			continue
		}

		seen[route.Answer] = true
		for seed := range uint64(valuesOfAnswer) {
			r := filler{rand.New(rand.NewPCG(seed, 7)), seed%10 == 0}
			v := reflect.New(route.Answer)
			r.fill(v.Elem(), 0)
			want, werr := json.Marshal(v.Interface(), json.Deterministic(true), millis)
			got, err := jsonout.Marshal(v.Interface())
			require.Equal(t, werr == nil, err == nil, "%s, seed %d: %v, not %v", route.ID, seed, err, werr)

			if werr != nil {
				refused++
				continue
			}

			platformtest.SameAnswer(t, want, got, "%s, seed %d", route.ID, seed)
		}
	}

	require.Greater(t, len(seen), 70)
	require.Less(t, refused, len(seen)*valuesOfAnswer/10, "too few of the values can be written at all")
	require.Positive(t, refused, "no value has a text or a time that must be refused")
}

// filler makes values; only some of them may have what cannot be written, or hardly any could be.
type filler struct {
	*rand.Rand
	bad bool
}

var (
	goodTexts = []string{
		"",
		"",
		"plain",
		"with \"quotes\" and \\",
		"\x00\x1f\n\t",
		"größer",
		"日本語",
		"😀",
		"a\u2028b\u2029",
		"<a href='&'>",
		"\x7f",
		`""`,
		"{}",
		"null",
		strings.Repeat("long ", 400) + "é",
	}
	badTexts = []string{"\xff", "12345678\xed\xa0\x80", "cut \xf0\x9f"}
	raws     = map[reflect.Type][]string{
		reflect.TypeFor[transaction.SnapshotView](): {
			`{"_id":"rcv_1","isSelf":false}`,
			`{"firstName":"\"ä\""}`,
			`{}`,
			``,
		},
		reflect.TypeFor[passkey.Options](): {`{}`, `{"challenge":"x"}`, `{"a":[1]}`, ``},
		reflect.TypeFor[feed.Object]():     {`{}`, `{"a":[1,2]}`, `{"ä":"\"x\""}`, ``},
		reflect.TypeFor[web.Number]():      {"", "0", "12.50", "999999999999999999"},
	}
)

func (r filler) fill(v reflect.Value, depth int) {
	switch choices, ok := raws[v.Type()]; {
	case ok:
		if !r.bad {
			choices = choices[:3]
		}

		v.SetString(choices[r.IntN(len(choices))])

		return

	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(r.time()))
		return
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		v.SetBytes([]byte([]string{`null`, `{"a": [1 , 2]}`, `"x"`, `{}`}[r.IntN(4)]))
		return
	}

	switch v.Kind() {
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64() >> r.IntN(64)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(r.NormFloat64())

	case reflect.Pointer:
		if r.IntN(3) > 0 && depth < 12 {
			v.Set(reflect.New(v.Type().Elem()))
			r.fill(v.Elem(), depth+1)
		}

	case reflect.Interface:
		if v.NumMethod() == 0 {
			choices := []any{nil, "", "x", 1.5, true, []any{nil, "y"}, map[string]any{"b": 1, "a": []int{}}}
			if x := choices[r.IntN(len(choices))]; x != nil {
				v.Set(reflect.ValueOf(x))
			}
		}

	case reflect.Slice:
		if r.IntN(4) > 0 && depth < 12 {
			n := r.IntN(3)
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}

		fallthrough

	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i), depth+1)
		}

	case reflect.Map:
		r.fillMap(v, depth)

	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				r.fill(v.Field(i), depth+1)
			}
		}

	default:
		panic("no random value of " + v.Type().String())
	}
}

func (r filler) fillMap(v reflect.Value, depth int) {
	if r.IntN(4) == 0 {
		return
	}

	v.Set(reflect.MakeMap(v.Type()))

	for range r.IntN(4) {
		key := reflect.New(v.Type().Key()).Elem()
		value := reflect.New(v.Type().Elem()).Elem()
		r.fill(key, depth+1)
		r.fill(value, depth+1)
		v.SetMapIndex(key, value)
	}
}

func (r filler) text() string {
	if r.bad && r.IntN(30) == 0 {
		return badTexts[r.IntN(len(badTexts))]
	}

	return goodTexts[r.IntN(len(goodTexts))]
}

func (r filler) time() time.Time {
	out := []time.Time{
		{},
		time.Unix(r.Int64N(1<<32), r.Int64N(1e9)).UTC(), time.UnixMilli(r.Int64N(1 << 40)).UTC(),
		time.Unix(0, 0).In(time.FixedZone("", r.IntN(86_000)-43_000)),
	}
	if r.bad && r.IntN(30) == 0 {
		out = slices.Concat(
			out,
			[]time.Time{time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(0, 0).In(time.FixedZone("", 90_000))},
		)

		return out[4+r.IntN(2)]
	}

	return out[r.IntN(4)]
}
