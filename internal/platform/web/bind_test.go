package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/platform/jsonout"
)

func (a answer) list() listView {
	a.t.Helper()
	require.Equal(a.t, 200, a.Code, "%s", a.Body)

	var v listView
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &v))

	return v
}

func TestListsInTheQueryAreReadInAllThreeStyles(t *testing.T) {
	w := newWorld(t, nil)
	for _, q := range []string{"status[]=A&status[]=B", "status%5B%5D=A&status%5b%5d=B", "status=A&status=B", "status=A,B", "status[]=A,B", "status[]=A&status=B", "status=A,,B,"} {
		require.Equal(t, []string{"A", "B"}, w.send("GET", "/orders?columnId=x&"+q, "").list().Status, q)
	}

	require.Empty(t, w.send("GET", "/orders?columnId=x&status[]=", "").list().Status)
	require.Equal(t, []int{5, 1}, w.send("GET", "/orders?columnId=x&sizes=5,1", "").list().Sizes)
}

func TestQueryDefaultsAndOptionalValues(t *testing.T) {
	w := newWorld(t, nil)
	v := w.send("GET", "/orders?columnId=x", "").list()
	require.Equal(t, listView{Status: []string{}, Sizes: []int{}, SortBy: "createdAt", Limit: 20}, v)
	v = w.send("GET", "/orders?columnId=x&isHidden=false&sortBy=_id&limit=250", "").list()
	require.False(t, *v.Hidden)
	require.Equal(t, "_id", v.SortBy)
	require.Equal(t, 250, v.Limit)
}

// Moments are read as clients write them, with a plus sign that was not escaped, too.
func TestMomentsInTheQuery(t *testing.T) {
	w := newWorld(t, nil)

	for _, written := range []string{
		"2026-11-21T09:30:00Z", "2026-11-21T10:30:00+01:00", "2026-11-21T10:30:00%2B01:00", "2026-11-21+10:30+0100",
	} {
		require.Equal(t, 200, w.send("GET", "/orders?columnId=x&from="+written, "").Code, written)
	}
}

func TestQueryFaultsAreNamedAllAtOnce(t *testing.T) {
	w := newWorld(t, nil)
	for q, want := range map[string][]string{
		"":                                               {"?columnId REQUIRED"},
		"columnId=":                                      {"?columnId REQUIRED"},
		"columnId=x&ColumnId=x":                          {"?ColumnId UNKNOWN_PARAMETER"},
		"columnId=x&name[]=a":                            {"?name[] UNKNOWN_PARAMETER"},
		"columnId=x&columnId=y":                          {"?columnId FORMAT_INVALID"},
		"columnId=x&status[]=A,C,c":                      {"?status[] NOT_IN_ENUM", "?status[] NOT_IN_ENUM"},
		"columnId=x&sizes=1,two":                         {"?sizes[] FORMAT_INVALID"},
		"columnId=x&sizes=6":                             {"?sizes[] OUT_OF_RANGE"},
		"columnId=x&from=2026-01-01":                     {"?from FORMAT_INVALID"},
		"columnId=x&isHidden=1":                          {"?isHidden FORMAT_INVALID"},
		"columnId=x&name=123456":                         {"?name TOO_LONG"},
		"columnId=x&name=%00":                            {"?name FORMAT_INVALID"},
		"columnId=x&name=%ff":                            {"?name FORMAT_INVALID"},
		"columnId=x&sortBy=amount":                       {"?sortBy NOT_IN_ENUM"},
		"columnId=x&limit=0":                             {"?limit OUT_OF_RANGE"},
		"columnId=x&limit=251":                           {"?limit OUT_OF_RANGE"},
		"columnId=x&limit=1e2":                           {"?limit FORMAT_INVALID"},
		"columnId=x&limit=9999999999999999999":           {"?limit FORMAT_INVALID"},
		"columnId=x&offset=-1":                           {"?offset OUT_OF_RANGE"},
		"b=1&a=1&limit=x":                                {"?a UNKNOWN_PARAMETER", "?b UNKNOWN_PARAMETER", "?limit FORMAT_INVALID", "?columnId REQUIRED"},
		"columnId=x&status=" + strings.Repeat("A,", 251): {"?status[] TOO_MANY_ITEMS"},
	} {
		a := w.send("GET", "/orders?"+q, "")
		require.Equal(t, 422, a.Code, "%s: %s", q, a.Body)
		require.Equal(t, want, a.faults(), q)
	}

	for _, q := range []string{"columnId=%zz", "columnId=x;limit=2"} {
		a := w.send("GET", "/orders?"+q, "")
		require.Equal(t, 400, a.Code, q)
		require.Equal(t, fault.FormatInvalid, a.problem().Code)
	}

	require.Equal(t, []string{"?\ufffd UNKNOWN_PARAMETER"}, w.send("GET", "/orders?columnId=x&%ff=1", "").faults(),
		"any bytes in a name are answered in valid JSON")
}

func TestBothPagingStylesAndTheCursorAreRead(t *testing.T) {
	w := newWorld(t, nil)
	get := func(q string) listView { t.Helper(); return w.send("GET", "/orders?columnId=x&"+q, "").list() }
	require.Equal(t, 40, get("limit=10&offset=40").Offset)
	require.Equal(t, 40, get("limit=10&page=5").Offset)
	require.Equal(t, 0, get("page=1").Offset)
	require.Equal(t, "pos-1", get("cursor="+CursorOf("pos-1")).After)

	for q, at := range map[string]string{
		"page=2&offset=40":                 "?page",
		"page=1&offset=0":                  "?page",
		"page=1&cursor=" + CursorOf("a"):   "?page",
		"offset=0&cursor=" + CursorOf("a"): "?cursor",
	} {
		a := w.send("GET", "/orders?columnId=x&"+q, "")
		require.Equal(t, 422, a.Code)
		require.Equal(t, []string{at + " PAGING_CONFLICT"}, a.faults(), q)
	}

	for _, bad := range []string{"x", "!!", url.QueryEscape("v1:a"), CursorOf("")[:4], CursorOf(""), CursorOf("a\x00"), CursorOf("\xff"), "djI6YQ"} {
		a := w.send("GET", "/orders?columnId=x&cursor="+bad, "")
		require.Equal(t, 422, a.Code, bad)
		require.Equal(t, []string{"?cursor CURSOR_INVALID"}, a.faults(), bad)
	}
}

func TestPagingStylesExcludeEachOtherOutsideOfHTTPToo(t *testing.T) {
	for _, p := range []Paging{
		{Limit: 1, Page: 2, Offset: 1},
		{Limit: 1, Page: 1, Cursor: "a"},
		{Limit: 1, Offset: 1, Cursor: "a"},
	} {
		_, err := p.Window()
		require.True(t, fault.Is(err, fault.PagingConflict), "%+v", p)
	}
}

func TestListEnvelopeNeverHoldsNull(t *testing.T) {
	raw, err := jsonout.Marshal(NewList[orderView](nil, 7, ""))
	require.NoError(t, err)
	require.JSONEq(t, `{"results":[],"page_total":0,"total":7,"nextCursor":null}`, string(raw))

	l := NewList([]orderView{{}, {}}, 9, "pos")
	require.Equal(t, 2, l.PageTotal)

	w, err := Paging{Limit: 2, Cursor: *l.NextCursor}.Window()
	require.NoError(t, err)
	require.Equal(t, "pos", w.After)
}

func TestHeaderAndPathParametersAreChecked(t *testing.T) {
	w := newWorld(t, nil)
	a := w.send("POST", "/orders", `{"token":"USDC"}`, "PARTNERID: 123456789")

	require.Equal(t, []string{"header partnerId TOO_LONG", "/payments REQUIRED"}, a.faults(),
		"header names have no case; header and body faults come together")

	require.Equal(t, []string{"path id TOO_LONG"}, w.send("GET", "/orders/"+strings.Repeat("x", 41), "").faults())
	require.Equal(t, []string{"path id FORMAT_INVALID"}, w.send("GET", "/orders/a\xffb", "").faults())
}
