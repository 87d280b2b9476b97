package web

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

const soundOrder = `{"token":"USDC","payments":[{"amount":"1.50","receiver":"rcv_1"}]}`

// order is the sound body with one more member, or with payments replaced.
func order(member string) string { return strings.TrimSuffix(soundOrder, "}") + "," + member + "}" }

func TestBodyIsAcceptedInEveryFormItMayHave(t *testing.T) {
	w := newWorld(t, nil)

	for _, body := range []string{
		soundOrder,
		" \n" + soundOrder + "\n ",
		order(`"note":null`), order(`"note":"12345"`), order(`"organisationRole":null`), order(`"count":null`),
		order(`"urgent":false`), order(`"tags":[]`), order(`"tags":["a","b"]`),
		order(`"due":"2026-11-21T09:30:00Z"`), order(`"rate":1.50`), order(`"rate":null`),
		order(`"partner":{"_id":"p","name":"Ada"}`), order(`"others":["a",{"_id":"b"}]`),
		order(`"organisationRole":"\u0041BC"`),
		`{"token":"USDC","payments":[{"amount":"1","receiver":{"_id":"rcv_1"},"place":null,"reason":"null and nothing"}]}`,
	} {
		a := w.send("POST", "/check", body)
		require.Equal(t, 200, a.Code, "%s\n%s", body, a.Body)
	}
}

// Every text of a body is cleaned before it is checked, in whatever it stands, whether the body is walked again or not;
// but one that says that it stays as it was written.
func TestTextsOfBodiesAreCleaned(t *testing.T) {
	type inner struct {
		Name string `json:"name" maxLength:"4"`
	}

	type texts struct {
		Name     string   `json:"name" maxLength:"4"`
		Alias    *string  `json:"alias,omitempty" pattern:"^[a-z]+$"`
		Tags     []string `json:"tags,omitempty" enum:"a,b" maxItems:"2"`
		Items    []inner  `json:"items,omitempty" maxItems:"2"`
		Password string   `json:"password,omitempty" verbatim:"true"`
		Other    *string  `json:"other,omitempty" verbatim:"true"`
		Last     string   `json:"last,omitempty"`
	}

	p := planOf(reflect.TypeFor[texts]())
	body := `{"name":"Acm\u200be","alias":"a\u00adb","tags":["a\ufeff"],"items":[{"name":"Zu\u0308ri"}],` +
		`"password":"a  \u200b","other":"b\u200b"`

	for _, end := range []string{`}`, `,"last":null}`} {
		var got texts
		require.NoError(t, decodeBody(p, boundsOf(p), []byte(body+end), reflect.ValueOf(&got).Elem(), false))
		require.Equal(t, "Acme", got.Name)
		require.Equal(t, "ab", *got.Alias)
		require.Equal(t, []string{"a"}, got.Tags)
		require.Equal(t, "Züri", got.Items[0].Name)
		require.Equal(t, "a  \u200b", got.Password)
		require.Equal(t, "b\u200b", *got.Other)
	}

	var got texts

	err := decodeBody(p, boundsOf(p), []byte(`{"name":" \u200b"}`), reflect.ValueOf(&got).Elem(), false)
	require.Equal(t, "/name REQUIRED", fieldsOf(err))
}

func fieldsOf(err error) string {
	f, _ := fault.As(err)

	var out []string
	for _, x := range f.Fields {
		out = append(out, x.Pointer+" "+string(x.Code))
	}

	return strings.Join(out, ", ")
}

// I-03, B-08: everything that another decoder would let pass.
func TestBodyFaultsAreNamedExactly(t *testing.T) {
	w := newWorld(t, nil)

	for _, c := range []struct {
		name, body string
		status     int
		faults     []string
	}{
		{"unknown field", order(`"x":1`), 422, []string{"/x UNKNOWN_FIELD"}},
		{"unknown field in an item", `{"token":"USDC","payments":[{"amount":"1","receiver":"r","fee":{"a":[]}}]}`, 422, []string{"/payments/0/fee UNKNOWN_FIELD"}},
		{"pointer characters are escaped", order(`"a/b~c":1`), 422, []string{"/a~1b~0c UNKNOWN_FIELD"}},
		{"another letter case", `{"Token":"USDC","payments":[{"amount":"1","receiver":"r"}]}`, 422, []string{"/Token UNKNOWN_FIELD", "/token REQUIRED"}},
		{"folds to the same in Unicode (U+017F)", order(`"organiſationRole":"ADMIN"`), 422, []string{"/organiſationRole UNKNOWN_FIELD"}},
		{"folds to the same in Unicode (U+212A)", `{"toKen":"USDC","token":"USDC","payments":[{"amount":"1","receiver":"r"}]}`, 422, []string{"/toKen UNKNOWN_FIELD"}},
		{"doubled field", order(`"token":"USDT"`), 400, []string{"/token DUPLICATE_FIELD"}},
		{"doubled by an escape", order(`"tok\u0065n":"USDT"`), 400, []string{"/token DUPLICATE_FIELD"}},
		{"doubled after null", `{"token":null,"token":"USDC","payments":[{"amount":"1","receiver":"r"}]}`, 400, []string{"/token REQUIRED", "/token DUPLICATE_FIELD"}},
		{"doubled after an empty text", `{"token":"","token":"USDC","payments":[{"amount":"1","receiver":"r"}]}`, 400, []string{"/token REQUIRED", "/token DUPLICATE_FIELD"}},
		{"number for a text", `{"token":"USDC","payments":[{"amount":1.5,"receiver":"r"}]}`, 400, []string{"/payments/0/amount TYPE_MISMATCH"}},
		{"number too large for any type, for a text", `{"token":"USDC","payments":[{"amount":1e400,"receiver":"r"}]}`, 400, []string{"/payments/0/amount TYPE_MISMATCH"}},
		{"number too large, for a whole number", order(`"count":1e400`), 400, []string{"/count TYPE_MISMATCH"}},
		{"number too large, for an amount", order(`"rate":1e400`), 400, []string{"/rate TYPE_MISMATCH"}},
		{"fraction for a whole number", order(`"count":1.0`), 400, []string{"/count TYPE_MISMATCH"}},
		{"text for a whole number", order(`"count":"1"`), 400, []string{"/count TYPE_MISMATCH"}},
		{"text for a truth value", order(`"urgent":"true"`), 400, []string{"/urgent TYPE_MISMATCH"}},
		{"object for a list", order(`"tags":{}`), 400, []string{"/tags TYPE_MISMATCH"}},
		{"list for an object", `{"token":"USDC","payments":[[]]}`, 400, []string{"/payments/0 TYPE_MISMATCH"}},
		{"null for an item", `{"token":"USDC","payments":[null]}`, 400, []string{"/payments/0 TYPE_MISMATCH"}},
		{"null for a reference in a list", order(`"others":[null]`), 400, []string{"/others/0 TYPE_MISMATCH"}},
		{"null for a text in a list", order(`"tags":["a",null]`), 400, []string{"/tags/1 TYPE_MISMATCH"}},
		{"not a date", order(`"due":"tomorrow"`), 400, []string{"/due TYPE_MISMATCH"}},
		{"number for a reference", order(`"others":["a",7]`), 400, []string{"/others/1 TYPE_MISMATCH"}},
		{"null for a required field", `{"token":null,"payments":[{"amount":"1","receiver":null}]}`, 422, []string{"/token REQUIRED", "/payments/0/receiver REQUIRED"}},
		{"null for a required list", `{"token":"USDC","payments":null}`, 422, []string{"/payments REQUIRED"}},
		{"reference without an id", `{"token":"USDC","payments":[{"amount":"1","receiver":{}}]}`, 422, []string{"/payments/0/receiver/_id REQUIRED"}},
		{"only spaces", `{"token":"USDC","payments":[{"amount":" \t ","receiver":"r"}]}`, 422, []string{"/payments/0/amount REQUIRED"}},
		{"no items", `{"token":"USDC","payments":[]}`, 422, []string{"/payments TOO_FEW"}},
		{"too many items", order(`"tags":["a","a","a","a"]`), 422, []string{"/tags TOO_MANY_ITEMS"}},
		{"not one of the words, in a list", order(`"tags":["a","A"]`), 422, []string{"/tags/1 NOT_IN_ENUM"}},
		{"not one of the words", `{"token":"usdc","payments":[{"amount":"1","receiver":"r"}]}`, 422, []string{"/token NOT_IN_ENUM"}},
		{"too short, and of the wrong form", order(`"organisationRole":"ab"`), 422, []string{"/organisationRole TOO_SHORT", "/organisationRole FORMAT_INVALID"}},
		{"too long counts characters", order(`"note":"ééééé"`), 200, nil},
		{"too long through a pointer", order(`"note":"123456"`), 422, []string{"/note TOO_LONG"}},
		{"too long reference", order(`"partner":"` + strings.Repeat("p", 31) + `"`), 422, []string{"/partner TOO_LONG"}},
		{"out of range", order(`"count":10`), 422, []string{"/count OUT_OF_RANGE"}},
		{"inside of an optional object", `{"token":"USDC","payments":[{"amount":"1","receiver":"r","place":{}}]}`, 422, []string{"/payments/0/place/line REQUIRED"}},
		{"inside of an optional object that is empty", order(`"home":{}`), 422, []string{"/home/line REQUIRED"}},
		{"0 below the least, where it may be left out", order(`"count":0`), 422, []string{"/count OUT_OF_RANGE"}},
		{"0 below the least, its name in another spelling", order(`"co\u0075nt":0`), 422, []string{"/count OUT_OF_RANGE"}},
		{"U+0000, which PostgreSQL cannot store", order(`"organisationRole":"A\u0000B"`), 422, []string{"/organisationRole FORMAT_INVALID"}},
		{
			"U+0001, with which phrases begin",
			order(`"note":"\u0001[]"`),
			422,
			[]string{"/note FORMAT_INVALID"},
		},
		{"the same behind a space, which is cut off", order(`"note":" \u0001[]"`), 422, []string{"/note FORMAT_INVALID"}},
		{"control characters elsewhere", order(`"note":"a\u0001\n"`), 200, nil},
		{"U+0000 in a reference", order(`"partner":"a\u0000"`), 422, []string{"/partner FORMAT_INVALID"}},
		{"null instead of an object", `null`, 400, []string{" TYPE_MISMATCH"}},
		{"list instead of an object", `[]`, 400, []string{" TYPE_MISMATCH"}},
		{"text instead of an object", `"USDC"`, 400, []string{" TYPE_MISMATCH"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.send("POST", "/check", c.body)
			require.Equal(t, c.status, a.Code, "%s", a.Body)

			if c.status != 200 {
				require.Equal(t, c.faults, a.faults())
			}
		})
	}
}

// I-03: what is no JSON at all is 400 with one code, and says where.
func TestBodyThatIsNotJSONIsMalformed(t *testing.T) {
	w := newWorld(t, nil)

	for name, c := range map[string]struct{ body, says string }{
		"empty":                       {"", "missing"},
		"trailing value":              {soundOrder + soundOrder, "follows the end"},
		"trailing value after faults": {order(`"x":1`) + " 7", "follows the end"},
		"trailing text":               {soundOrder + "x", "at byte 66"},
		"cut off":                     {soundOrder[:30], "too early"},
		"NaN":                         {order(`"count":NaN`), "at byte"},
		"Infinity":                    {order(`"count":-Infinity`), "at byte"},
		"leading zero":                {order(`"count":01`), "at byte"},
		"single quotes":               {`{'token':'USDC'}`, "at byte"},
		"comment":                     {"{} // nothing", "at byte"},
		"byte order mark":             {"\ufeff" + soundOrder, "at byte"},
		"broken UTF-8":                {order("\"note\":\"\xff\""), "UTF-8"},
		"half a surrogate pair":       {order(`"note":"\ud800"`), "at byte"},
		"raw control character":       {order("\"note\":\"a\nb\""), "at byte"},
		"depth bomb":                  {strings.Repeat("[", 100_00) + strings.Repeat("]", 100_00), ""},
		"depth bomb of objects":       {strings.Repeat(`{"payments":[`, 2000), ""},
		"depth bomb of skipped lists": {order(`"x":` + strings.Repeat("[", 20_000)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.send("POST", "/check", c.body)
			if name == "depth bomb" { // lists where an object belongs: refused by its type before its depth matters
				require.Equal(t, 400, a.Code)
				return
			}

			p := a.problem()
			require.Equal(t, 400, a.Code)
			require.Equal(t, fault.BodyMalformed, p.Code, "%s", a.Body)
			require.Contains(t, p.Detail, c.says)
			require.Empty(t, p.Errors)
			require.NotContains(t, p.Detail, "jsontext")
		})
	}
}

func TestRequiredZerosMustBeSentButAreValues(t *testing.T) {
	w := newWorld(t, nil)
	sound := `{"count":0,"urgent":false,"tags":[],"inner":{},"street":{"line":"x"}}`
	require.Equal(t, 204, w.send("POST", "/strict", sound).Code)

	require.Equal(
		t,
		[]string{"/count REQUIRED", "/urgent REQUIRED", "/tags REQUIRED", "/inner REQUIRED", "/street REQUIRED"},
		w.send("POST", "/strict", `{}`).faults(),
	)

	require.Equal(t, []string{"/street/line REQUIRED"},
		w.send("POST", "/strict", strings.Replace(sound, `"line":"x"`, "", 1)).faults())

	require.Equal(t, []string{"/count REQUIRED"},
		w.send("POST", "/strict", strings.Replace(sound, `"count":0`, `"count":null`, 1)).faults())

	a := w.send("POST", "/strict", strings.Replace(sound, `"count":0`, `"count":2147483648`, 1))
	require.Equal(t, []string{"/count TYPE_MISMATCH"}, a.faults(), "more than the field's 32 bits")
}

// decisions 2.1: a body with 5 faults returns 5 entries, each pointer resolves in the sent JSON.
func TestAllFaultsOfABodyComeAtOnceAndTheirPointersResolve(t *testing.T) {
	w := newWorld(t, nil)
	body := `{"token":"EUR","count":99,"x/y":{"a":1},"payments":[{"amount":"1","receiver":"r"},{"amount":7,"receiver":"r"}],"tags":["a","c"]}`
	a := w.send("POST", "/check?z=1", body, "partnerId: x")
	require.Equal(t, 400, a.Code, "one value has the wrong type")
	require.Equal(
		t,
		[]string{
			"?z UNKNOWN_PARAMETER",
			"/token NOT_IN_ENUM",
			"/count OUT_OF_RANGE",
			"/x~1y UNKNOWN_FIELD",
			"/payments/1/amount TYPE_MISMATCH",
			"/tags/1 NOT_IN_ENUM",
		},
		a.faults(),
	)
	p := a.problem()
	require.Equal(t, fault.Validation, p.Code)
	require.Contains(t, p.Detail, "6 things")

	for _, f := range p.Errors[1:] {
		require.True(t, resolves(t, body, *f.Pointer), *f.Pointer)
	}

	require.False(t, resolves(t, body, "/payments/2/amount"), "the helper itself can say no")
}

func TestSingleFaultIsTheCodeAndTheDetailOfTheWhole(t *testing.T) {
	w := newWorld(t, nil)
	p := w.send("POST", "/check", `{"token":"USDC"}`).problem()
	require.Equal(t, fault.Required, p.Code)
	require.Equal(t, "/payments: is required.", p.Detail)
}

func TestFaultsOfOneBodyAreBounded(t *testing.T) {
	w := newWorld(t, nil)

	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, `,"x%d":1`, i)
	}

	a := w.send("POST", "/check", strings.TrimSuffix(soundOrder, "}")+b.String()+"}")
	require.Len(t, a.faults(), fault.MaxFields)
}

func TestContentTypeAndSizeAreChecked(t *testing.T) {
	w := newWorld(t, nil)
	for header, status := range map[string]int{
		"application/json":                  200,
		"application/json; charset=utf-8":   200,
		"APPLICATION/JSON":                  200,
		"application/merge-patch+json":      200,
		"text/plain":                        415,
		"application/x-www-form-urlencoded": 415,
		"multipart/form-data; boundary=x":   415,
		"application/json, text/plain":      415,
		"json":                              415,
	} {
		a := w.send("POST", "/check", soundOrder, "Content-Type: "+header)
		require.Equal(t, status, a.Code, header)

		if status == 415 {
			require.Equal(t, fault.ContentTypeUnknown, a.problem().Code)
		}
	}

	require.Equal(t, 200, w.send("POST", "/check", soundOrder).Code, "no content type: taken as JSON")
	a := w.send("POST", "/orders", order(`"organisationRole":"`+strings.Repeat("A", 64<<10)+`"`))
	require.Equal(t, 413, a.Code)
	require.Equal(t, fault.BodyTooLarge, a.problem().Code)
	require.NotEqual(
		t,
		413,
		w.send("POST", "/check", order(`"organisationRole":"`+strings.Repeat("A", 64<<10)+`"`)).Code,
		"the limit is the operation's own",
	)
}

func TestOptionalBodyMayBeEmptyButNotWrong(t *testing.T) {
	w := newWorld(t, nil)
	require.Equal(t, 204, w.send("POST", "/maybe", "").Code)
	require.Equal(t, 204, w.send("POST", "/maybe", "{}").Code)

	require.Equal(t, 400, w.send("POST", "/maybe", "null").Code,
		"null is no object, even where every field may be left out")

	require.Equal(t, []string{"/x UNKNOWN_FIELD"}, w.send("POST", "/maybe", `{"x":1}`).faults())
}

// resolves follows an RFC 6901 pointer.
func resolves(t *testing.T, body, pointer string) bool {
	t.Helper()

	var at any
	require.NoError(t, json.Unmarshal([]byte(body), &at))

	for _, name := range strings.Split(pointer, "/")[1:] {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")

		switch v := at.(type) {
		case map[string]any:
			inner, ok := v[name]
			if !ok {
				return false
			}

			at = inner

		case []any:
			i := -1
			if _, err := fmt.Sscan(name, &i); err != nil || i < 0 || i >= len(v) {
				return false
			}

			at = v[i]

		default:
			return false
		}
	}

	return true
}
