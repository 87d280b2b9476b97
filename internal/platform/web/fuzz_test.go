package web

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// FuzzDecodeBody holds the two ways of reading a body against each other, over random bytes:
//  1. neither panics;
//  2. where the fast way has no doubt, the walk finds no fault;
//  3. where the walk finds no fault, the fast way could decode the body, and doubted nothing but what was left out;
//  4. every pointer the walk gives resolves in the body, or names a required field that is not there.
func FuzzDecodeBody(f *testing.F) {
	for _, s := range []string{
		soundOrder, order(`"count":0`), order(`"count":-0`), order(`"note":null`), order(`"home":{}`), order(`"due":"2026-11-21T09:30:00.5+02:00"`),
		order(`"others":[{"_id":"x","_id":"y"}]`), order(`"rate":1e400`), order(`"token":"x"`), `null`, `{"token":"\u0000"}`,
		`{"payments":[null,{}]}`, `{"count":9007199254740993}`, `{"organiſationRole":1}`, `{"place":{"line":" "}}`, "{\"a\":\"\xff\"}", `[[[[`, `{"count":1E0}`,
	} {
		f.Add([]byte(s), false)
	}

	f.Add([]byte(`{"count":0,"urgent":false,"tags":[],"inner":{},"street":{"line":"x"}}`), true)
	f.Fuzz(func(t *testing.T, raw []byte, strict bool) {
		typ := reflect.TypeFor[orderBody]()
		if strict {
			typ = reflect.TypeFor[strictBody]()
		}

		agree(t, typ, raw)
	})
}

func agree(t *testing.T, typ reflect.Type, raw []byte) {
	p := planOf(typ)
	into := reflect.New(typ)
	err := decodeBody(p, boundsOf(p), raw, into.Elem(), false)

	fast := reflect.New(typ)
	ferr := json.Unmarshal(raw, fast.Interface(), json.RejectUnknownMembers(true))

	var s screening
	if ferr == nil {
		p.screen(fast.Elem(), &s)
	}

	d := newDiagnosis(raw)
	serr := d.document(p)
	clean := serr == nil && d.l.Empty()

	if ferr == nil && s.clean(raw) {
		require.True(t, clean, "the walk refuses what was decoded: %v %v\n%s", serr, d.l.Fields(), raw)
	}

	if clean {
		require.NoError(t, ferr, "the walk lets pass what cannot be decoded\n%s", raw)
		require.True(t, s.broken.Empty(), "the walk does not see what the rules see\n%s", raw)
	}

	require.Equal(t, clean, err == nil, "%v\n%s", err, raw)

	if serr != nil {
		return
	}

	for _, x := range d.l.Fields() {
		if x.Code != fault.Required && x.Code != fault.DuplicateField {
			require.True(t, found(raw, x.Pointer), "%s %s\n%s", x.Pointer, x.Code, raw)
		}
	}
}

// found follows a pointer in a body that may have doubled names: it tries each of them.
func found(raw []byte, pointer string) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))

	for {
		if _, err := dec.ReadToken(); err != nil {
			return false
		}

		if string(dec.StackPointer()) == pointer {
			return true
		}
	}
}

// largeBody is a transaction of 30 payments, the most that one may have.
func largeBody() []byte {
	var b strings.Builder
	b.WriteString(`{"token":"USDC","payments":[`)

	for i := range 30 {
		if i > 0 {
			b.WriteByte(',')
		}

		fmt.Fprintf(
			&b,
			`{"amount":"1250.%02d","receiver":"rcv_01jc3v0000000000000000%04d","reason":"Invoice 2026-%04d, thank you","position":%d}`,
			i,
			i,
			i,
			i+1,
		)
	}

	return []byte(b.String() + `]}`)
}

// BenchmarkDecodeBody compares strict reading and checking with plain decoding of the same body.
func BenchmarkDecodeBody(b *testing.B) {
	raw := largeBody()
	wrong := bytes.Replace(largeBody(), []byte(`"amount":"1250.29"`), []byte(`"amount":1250.29`), 1)
	p := planOf(reflect.TypeFor[orderBody]())
	most := boundsOf(p)
	run := func(name string, raw []byte, decode func(raw []byte) error, refused bool) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))

			for b.Loop() {
				if err := decode(raw); (err != nil) != refused {
					b.Fatal(err)
				}
			}
		})
	}
	strict := func(raw []byte) error { return decodeBody(p, most, raw, reflect.ValueOf(new(orderBody)).Elem(), false) }
	run("strict", raw, strict, false)
	run("strict-refused", wrong, strict, true)
	run("strict-null", bytes.Replace(raw, []byte(`"token"`), []byte(`"note":null,"token"`), 1), strict, false)
	run("json-v2-plain", raw, func(raw []byte) error { return json.Unmarshal(raw, new(orderBody)) }, false)

	type payment struct {
		Amount, Receiver, Reason string
		Position                 int
	}
	run("encoding-json-plain", raw, func(raw []byte) error {
		return stdjson.Unmarshal(raw, new(struct {
			Token    string
			Payments []payment
		}))
	}, false)
}
