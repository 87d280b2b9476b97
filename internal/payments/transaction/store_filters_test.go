package transaction

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// eachParameter calls found with every query parameter of a list, and the field that takes it.
func eachParameter(in reflect.Value, found func(name string, field reflect.Value, tag reflect.StructTag)) {
	for i := range in.NumField() {
		field := in.Type().Field(i)

		switch name := field.Tag.Get("query"); {
		case field.Anonymous:
			eachParameter(in.Field(i), found)
		case name != "":
			found(name, in.Field(i), field.Tag)
		}
	}
}

// asked returns the filter of a list with one parameter.
func asked(t *testing.T, name, value string) Filter {
	t.Helper()

	in := listIn{}
	in.Limit = 250
	in.Direction = -1

	eachParameter(reflect.ValueOf(&in).Elem(), func(parameter string, field reflect.Value, _ reflect.StructTag) {
		if parameter != name {
			return
		}

		switch field.Interface().(type) {
		case string:
			field.SetString(value)
		case []string:
			field.Set(reflect.ValueOf([]string{value}))

		case int:
			n, err := strconv.Atoi(value)
			require.NoError(t, err)
			field.SetInt(int64(n))

		case *bool:
			is := value == "true"
			field.Set(reflect.ValueOf(&is))
		default:
			t.Fatalf("a parameter of type %s", field.Type())
		}
	})

	f, err := in.filter(listOrg)
	require.NoError(t, err)

	return f
}

// notFilters are the parameters that select nothing, and the one that selects everything or nothing.
var notFilters = []string{"limit", "offset", "page", "cursor", "sortBy", "direction", "organisations[]"}

// Each parameter of the list is a filter that is described once. What it selects, some transactions but not all, is the
// same with an index and without one. A parameter without a filter, a filter without its parameter, and one of which
// the test knows no value are found.
func TestEachFilterSelectsTheSameWithAnIndex(t *testing.T) {
	described := map[string]bool{}

	for _, x := range filters {
		require.Equal(t, x.of != nil, x.values != nil, x.parameters)
		require.Equal(t, x.of == nil, x.where != nil && x.query != nil, x.parameters)

		for _, p := range x.parameters {
			require.False(t, described[p], "%s is described twice", p)
			described[p] = true
		}
	}

	offered := map[string]bool{}

	eachParameter(reflect.ValueOf(listIn{}), func(name string, _ reflect.Value, _ reflect.StructTag) {
		offered[name] = true
	})

	for _, name := range notFilters {
		require.True(t, offered[name], name)
		delete(offered, name)
	}

	require.Equal(t, offered, described)

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newListWorld(t, d, 7)
		middle := w.fill()

		values := map[string]string{
			"status[]":       "COMPLETED",
			"columnId":       "open",
			"type[]":         "FIAT",
			"tokens[]":       "DAI",
			"partners[]":     "prt_1",
			"currencies[]":   "CHF",
			"commissionType": CommissionStandard,
			"isHidden":       "true",
			"paymentsFailed": "true",
			"from":           middle.Format(time.RFC3339Nano),
			"to":             middle.Format(time.RFC3339Nano),
			"selectedYear":   "2026",
			"searchTerm":     "rent",
		}
		all := len(w.wanted(asked(t, "", "")))

		for name := range described {
			require.NotEmpty(t, values[name], "%s: which value selects some of the transactions?", name)
			f := asked(t, name, values[name])

			found := len(w.wanted(f))
			require.Positive(t, found, name)
			require.Less(t, found, all, name)

			w.check(w.stored, f)
			w.check(w.s.list, f)
		}
	})
}

// Each order that the list offers is described once, and is the same with an index and without one.
func TestEachOrderIsTheSameWithAnIndex(t *testing.T) {
	var offered []string

	eachParameter(reflect.ValueOf(listIn{}), func(name string, _ reflect.Value, tag reflect.StructTag) {
		if name == "sortBy" {
			offered = append(strings.Split(tag.Get("enum"), ","), "")
		}
	})

	require.Len(t, sortings, len(offered))

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newListWorld(t, d, 8)
		w.fill()

		for _, by := range offered {
			require.Contains(t, sortings, by)

			f := asked(t, "sortBy", by)
			f.Limit = 7
			w.check(w.stored, f)
			w.check(w.s.list, f)
		}
	})
}

// fill makes transactions of two years and every kind, indexes them, and returns a moment in their middle.
func (w *listWorld) fill() time.Time {
	w.now = time.Date(2025, 12, 30, 9, 0, 0, 0, time.UTC)

	for range 20 {
		w.create()
	}

	w.now = w.now.AddDate(0, 0, 7)
	middle := w.now

	for range 60 {
		w.create()
		w.change()
	}

	ctx := context.Background()
	require.NoError(w, w.s.IndexList(ctx, listOrg))
	require.NotNil(w, w.s.listed.find(listOrg))

	for range 20 { // the index learns of these
		w.create()
		w.change()
	}

	return middle
}
