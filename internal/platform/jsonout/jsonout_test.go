package jsonout_test

import (
	"bytes"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/platformtest"
)

type word string

type raw string

func (r raw) AppendJSON(dst []byte) ([]byte, error) {
	if r == "" {
		return dst, fmt.Errorf("nothing there")
	}

	return append(dst, r...), nil
}

func (r raw) MarshalJSONTo(enc *jsontext.Encoder) error { return enc.WriteValue(jsontext.Value(r)) }

type viaPointer struct{ N int }

func (p *viaPointer) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", p.N), nil }

type ownZero struct{ N int }

func (z ownZero) IsZero() bool { return z.N == 7 }

type named byte

type inner struct {
	A string `json:"a"`
	B *inner `json:"b,omitempty"`
}

type embedded struct {
	inner `json:"-"`
	Shown
	Last int `json:"last"`
}

type Shown struct {
	X string `json:"x,omitempty"`
	Y int    `json:"y"`
}

type shadowed struct {
	Shown
	X string `json:"x"`
}

type circle struct {
	Next *circle `json:"next"`
}

type unexported struct {
	A int `json:"a"`
	b int
}

type hidden struct{ a int }

func pointerTo[T any](v T) *T { return &v }

// Each line is one meaning of the library: what is written says the same, and where it refuses, so does Append.
func TestValuesAreWrittenAsTheLibraryWritesThem(t *testing.T) {
	zone := func(seconds int) *time.Location { return time.FixedZone("", seconds) }
	loop := &circle{}
	loop.Next = loop
	number := reflect.TypeFor[int]() // go vet refuses to see this one written out

	twice := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: number, Tag: `json:"a"`},
		{Name: "B", Type: number, Tag: `json:"a"`},
	})
	for name, v := range map[string]any{
		"nil":                        nil,
		"true":                       true,
		"false":                      false,
		"text":                       "x",
		"named text":                 word("ä\"\\\x01\u2028<&>"),
		"bad text":                   "a\xffb",
		"bad bytes after plain ones": "12345678\xc0",
		"int":                        math.MinInt64,
		"int8":                       int8(-128),
		"uint64":                     uint64(math.MaxUint64),
		"uintptr":                    uintptr(9),
		"float":                      1e21,
		"float32":                    float32(0.1),
		"NaN":                        math.NaN(),
		"nil slice":                  []string(nil),
		"slice":                      []word{"a", "b"},
		"bytes":                      []byte("\x00\xff?"),
		"nil bytes":                  []byte(nil),
		"named bytes":                []named{1, 2},
		"array":                      [2]int{1, 2},
		"byte array":                 [2]byte{1, 2},
		"map":                        map[string]int{"b": 1, "a": 2, "ä": 3},
		"nil map":                    map[string]any(nil),
		"map of ints":                map[int]string{2: "b", 1: "a"},
		"nil pointer":                (*int)(nil),
		"pointer":                    pointerTo(pointerTo(3)),
		"pointer to nil":             pointerTo((*int)(nil)),
		"anys":                       []any{nil, 1, "x", []any{}, map[string]any{}},
		"time":                       time.Date(2026, 11, 22, 1, 2, 3, 4, time.UTC),
		"last milliseconds":          time.Date(1999, 12, 31, 23, 59, 58, 987_999_999, time.UTC),
		"zero time":                  time.Time{},
		"local time":                 time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, zone(-3600)),
		"year 10000":                 time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		"year -1":                    time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		"zone of a day":              time.Date(2026, 1, 1, 0, 0, 0, 0, zone(86400)),
		"duration":                   time.Second,
		"text marshaler":             netip.MustParseAddr("::1"),
		"raw":                        raw(`{"a":[1,2]}`),
		"raw empty":                  raw(""),
		"nil raw":                    (*raw)(nil),
		"raws":                       []raw{"1", `"x"`},
		"value":                      jsontext.Value(` {"a" : 1}`),
		"bad value":                  jsontext.Value(`{"a":1,"a":2}`),
		"by pointer":                 viaPointer{3},
		"pointer to by pointer":      &viaPointer{3},
		"by pointers":                []viaPointer{{1}, {2}},
		"nested":                     inner{"x", &inner{"y", nil}},
		"embedded": embedded{
			Shown: Shown{"x", 1},
			Last:  2,
		},
		"embedded empty":   embedded{},
		"shadowed":         shadowed{Shown{"inner", 1}, "outer"},
		"circle":           loop,
		"no circle":        circle{&circle{}},
		"unexported":       unexported{1, 2},
		"nothing exported": hidden{1},
		"empty struct":     struct{}{},
		"func":             func() {},
		"chan":             make(chan int),
		"complex":          complex(1, 2),
		"all left out": struct {
			A string `json:"a,omitempty"`
		}{},
		"anonymous fields without tags": struct{ Name, Größe string }{"x", "y"},
		"unknown option": struct {
			A int `json:"a,whatever"` //nolint:staticcheck // what is tested
		}{1},
		"string": struct {
			A int64 `json:"a,string"`
		}{1},
		"format": struct {
			A time.Duration `json:"a,format:nano"`
		}{1},
		"inline": struct {
			A int               `json:"a"`
			M map[string]string `json:",inline"`
		}{1, map[string]string{"x": "y"}},
		"dash": struct {
			A int `json:"-"`
			B int `json:"b"`
		}{1, 2},
		"dash as a name": struct {
			A int `json:"'-'"`
		}{1},
		"dash with a comma": struct {
			A int `json:"-,"` //nolint:staticcheck // what is tested
		}{1},
		"quoted name": struct {
			A int `json:"'a,b'"`
		}{1},
		"same name": reflect.New(twice).Interface(),
		"wrong option": struct {
			A int `json:"a,omitEmpty"` //nolint:staticcheck // what is tested
		}{1},
		"name for html": struct {
			A int `json:"<a>"`
		}{1},
		"embedded pointer": struct{ *Shown }{&Shown{"x", 1}},
		"embedded nil":     struct{ *Shown }{},
		"embedded time":    struct{ time.Time }{},
		"embedded marshalers": struct {
			time.Time
			netip.Addr
		}{},
		"embedded with a name": struct {
			Shown `json:"shown"`
		}{Shown{"x", 1}},
		"embedded with an option": struct {
			Shown `json:",omitempty"`
		}{Shown{"x", 1}},
		"embedded text": struct{ word }{"x"},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, name, v)
		})
	}
}

// omitted has every kind of value with both ways of leaving it out.
type omitted struct {
	EString  string            `json:"e_string,omitempty"`
	EWord    word              `json:"e_word,omitempty"`
	EInt     int               `json:"e_int,omitempty"`
	EBool    bool              `json:"e_bool,omitempty"`
	EPointer *string           `json:"e_pointer,omitempty"`
	ESlice   []string          `json:"e_slice,omitempty"`
	EBytes   []byte            `json:"e_bytes,omitempty"`
	EMap     map[string]string `json:"e_map,omitempty"`
	EStruct  Shown             `json:"e_struct,omitempty"`
	EInner   struct {
		X string `json:"x,omitempty"`
	} `json:"e_inner,omitempty"`
	EAny    any            `json:"e_any,omitempty"`
	ETime   time.Time      `json:"e_time,omitempty"`
	ERaw    raw            `json:"e_raw,omitempty"`
	EText   netip.Addr     `json:"e_text,omitempty"`
	EValue  jsontext.Value `json:"e_value,omitempty"`
	EFloat  float64        `json:"e_float,omitempty"`
	ZString string         `json:"z_string,omitzero"`
	ZInt    int            `json:"z_int,omitzero"`
	ZBool   bool           `json:"z_bool,omitzero"`
	ZSlice  []string       `json:"z_slice,omitzero"`
	ZStruct Shown          `json:"z_struct,omitzero"`
	ZTime   time.Time      `json:"z_time,omitzero"`
	ZPtr    *Shown         `json:"z_pointer,omitzero"`
	ZAny    any            `json:"z_any,omitzero"`
}

func TestLeavingOutMeansWhatItMeansToTheLibrary(t *testing.T) {
	same(t, "nothing set", omitted{ERaw: "1"})
	same(t, "empty, not zero", omitted{
		EPointer: pointerTo(""),
		ESlice:   []string{},
		EBytes:   []byte{},
		EMap:     map[string]string{},
		EAny:     "",
		ERaw:     "{}",
		EValue:   jsontext.Value("[]"),
		ZSlice:   []string{},
		ZPtr:     &Shown{},
		ZAny:     "",
		ZTime:    time.Time{}.In(time.FixedZone("", 3600)),
		EInt:     0,
	})
	same(t, "looks empty at its end", omitted{
		EString:  `""`,
		EWord:    `{}`,
		EPointer: pointerTo(`a""`),
		ESlice:   []string{""},
		EMap:     map[string]string{"": ""},
		ERaw:     `[{}]`,
		EAny:     []any{[]any{}},
	})
	same(t, "all set", omitted{
		"a", "b", 1, true, pointerTo("x"),
		[]string{"y"},
		[]byte{1},
		map[string]string{"k": "v"},
		Shown{"x", 1},
		struct {
			X string `json:"x,omitempty"`
		}{"x"},
		5, time.Unix(1, 2), `{"r":1}`, netip.MustParseAddr("1.2.3.4"), jsontext.Value("3"), 1.5, "z", 2, true,
		[]string{""},
		Shown{Y: 1},
		time.Unix(3, 0), &Shown{}, 0,
	})

	type own struct {
		Value ownZero   `json:"value,omitzero"`
		Slice []ownZero `json:"slice,omitzero"`
	}
	same(t, "own zero", own{Value: ownZero{7}})
	same(t, "not its own zero", own{Value: ownZero{0}, Slice: []ownZero{{7}}})

	type pointers struct {
		Pointer *time.Time `json:"pointer,omitzero"`
	}
	same(t, "pointer to zero", pointers{&time.Time{}})
	same(t, "pointer to more", pointers{pointerTo(time.Unix(1, 0))})
}

// millis has the library write times as this package does, or refuse them as it does itself.
var millis = json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, at time.Time) error {
	if _, err := at.MarshalText(); err != nil {
		return err
	}

	return enc.WriteToken(jsontext.String(at.Format("2006-01-02T15:04:05.000Z07:00")))
}))

// Nothing that an answer can have is left out of it: null stands, or [] for a list. A time has milliseconds.
func TestAbsentMembersAreWritten(t *testing.T) {
	type answer struct {
		Name  string     `json:"name,omitempty"`
		Tags  []string   `json:"tags,omitempty"`
		Home  *Shown     `json:"home,omitempty"`
		Due   time.Time  `json:"due,omitzero"`
		Count int        `json:"count,omitzero"`
		Made  time.Time  `json:"made"`
		Ended *time.Time `json:"ended"`
	}

	got, err := jsonout.Marshal(answer{Made: time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(
		t,
		`{"name":null,"tags":[],"home":null,"due":null,"count":null,"made":"2026-11-23T01:02:03.000Z","ended":null}`,
		string(got),
	)

	// The library writes what this package leaves to it in the same form.
	got, err = jsonout.Marshal(map[string]time.Time{"at": time.Unix(1, 234_567_000).UTC()})
	require.NoError(t, err)
	require.Equal(t, `{"at":"1970-01-01T00:00:01.234Z"}`, string(got))
}

// same compares a value by itself, through a pointer, and in a list, where everything can be addressed.
func same(t *testing.T, name string, v any) {
	t.Helper()

	forms := []any{v}
	if v != nil {
		list := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 2, 2)
		list.Index(0).Set(reflect.ValueOf(v))
		list.Index(1).Set(reflect.ValueOf(v))
		forms = append(forms, list.Index(0).Addr().Interface(), list.Interface())
	}

	for _, x := range forms {
		want, refused := json.Marshal(x, json.Deterministic(true), millis)
		got, err := jsonout.Append([]byte("before"), x)
		require.Equal(t, refused == nil, err == nil, "%s: %v, not %v", name, err, refused)

		if refused == nil {
			rest, ok := bytes.CutPrefix(got, []byte("before"))
			require.True(t, ok, name)
			platformtest.SameAnswer(t, want, rest, name)
		}
	}
}

func TestAnUndecidedRefusalIsLeftToTheLibrary(t *testing.T) {
	_, err := jsonout.Marshal(struct {
		Text string `json:"text"`
	}{"\xff"})
	require.ErrorContains(t, err, "invalid UTF-8")
	called := false
	require.Error(t, jsonout.Lend("\xff", func([]byte) { called = true }))
	require.False(t, called)
}

func TestMarshalGivesItsOwnBytes(t *testing.T) {
	first, err := jsonout.Marshal([]string{"first"})
	require.NoError(t, err)

	for range 10 {
		_, err = jsonout.Marshal([]string{"other"})
		require.NoError(t, err)
	}

	require.Equal(t, `["first"]`, string(first))
}

// Every byte is put at every place of a text, so that each lane of a word and the bytes after the last whole word are
// seen.
func TestTextsAreEscapedAtEveryPlace(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for c := range 256 {
				s := strings.Repeat("a", at) + string([]byte{byte(c)}) + strings.Repeat("b", length-at-1)
				want, refused := jsontext.AppendQuote(nil, s)

				got, err := jsonout.Append(nil, s)
				if refused != nil {
					require.Error(t, err)
				} else if string(want) != string(got) {
					t.Fatalf("%q: %s, not %s", s, got, want)
				}
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "12345678", "1234567\x00", "a\u2028b", "😀", "\xed\xa0\x80", "\x7f\x80", "\"\\/\b\f\n\r\t",
		"!!!!!!!!\"#", "  \x1f\x20",
	} {
		f.Add(s)
	}

	f.Fuzz(func(t *testing.T, s string) {
		want, refused := json.Marshal(s)
		got, err := jsonout.Append(nil, s)
		require.Equal(t, refused == nil, err == nil)

		if err == nil {
			require.Equal(t, string(want), string(got))
		}

		n := 0
		for n < len(s) && s[n] >= ' ' && s[n] < 0x80 && s[n] != '"' && s[n] != '\\' {
			n++
		}

		require.Equal(t, n, jsonout.PlainPrefix([]byte(s)))
	})
}
