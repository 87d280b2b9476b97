package fault_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// constants reads the package's source and gives every constant of type Code with its value.
func constants(t *testing.T) map[string]string {
	t.Helper()
	files, err := os.ReadDir(".")
	require.NoError(t, err)

	out := map[string]string{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}

		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}

			if typ, ok := v.Type.(*ast.Ident); !ok || typ.Name != "Code" {
				return true
			}

			require.Len(t, v.Values, 1, "%s", v.Names)
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			out[v.Names[0].Name] = s

			return true
		})
	}

	return out
}

func TestEveryCodeInSourceIsRegisteredOnceWithASentence(t *testing.T) {
	found := constants(t)
	require.Greater(t, len(found), 50)

	names := map[string]string{}
	for name, code := range found {
		require.Empty(t, names[code], "%s and %s are the same code %s", name, names[code], code)
		names[code] = name
		require.Regexp(t, `^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`, code)
		text, ok := fault.Explain(fault.Code(code))
		require.True(t, ok, "%s (%s) is not registered", name, code)
		require.Regexp(t, `^[A-Z`+"`"+`].{15,}\.$`, text, "%s needs a sentence", code)
		require.Zero(t, strings.Count(text, "`")%2, "%s: an open backtick", code)
	}

	codes := fault.Codes()
	require.True(t, slices.IsSorted(codes))
	require.Len(t, slices.Compact(slices.Clone(codes)), len(codes), "a code stands in two registries")

	for _, c := range codes {
		require.NotEmpty(t, names[string(c)], "%s is registered without a constant", c)
	}
}

func TestExplainKnowsNoOtherCode(t *testing.T) {
	for _, c := range []fault.Code{"", "required", "NOPE"} {
		_, ok := fault.Explain(c)
		require.False(t, ok)
	}
}

func TestListGivesOneRefusalWithEveryProblem(t *testing.T) {
	var l fault.List
	require.True(t, l.Empty())
	require.NoError(t, l.Err())

	l.Add("/a", fault.TooLong, "may have at most %d characters.", 5)
	f, ok := fault.As(l.Err())
	require.True(t, ok)
	require.Equal(t, &fault.Fault{
		Kind:   fault.Invalid,
		Code:   fault.TooLong,
		Detail: "/a: may have at most 5 characters.",
		Fields: []fault.Field{{Pointer: "/a", Code: fault.TooLong, Message: "may have at most 5 characters."}},
	}, f)

	l.Append(fault.Field{Pointer: "/b", Code: fault.Required, Message: "100% wrong"})
	f, _ = fault.As(l.Err())
	require.Equal(t, fault.Validation, f.Code)
	require.Equal(t, "2 things in the request need to be corrected.", f.Detail)
	require.Equal(t, "100% wrong", f.Fields[1].Message)
	require.Equal(t, l.Fields(), f.Fields)
	require.Equal(
		t,
		"VALIDATION: 2 things in the request need to be corrected.; /a TOO_LONG: may have at most 5 characters.; "+
			"/b REQUIRED: 100% wrong",
		f.Error(),
	)
}

func TestListIsBounded(t *testing.T) {
	var l fault.List
	for i := range fault.MaxFields - 1 {
		l.Add(fmt.Sprintf("/x/%d", i), fault.TooLong, "is too long.")
	}

	l.Append(fault.Field{Pointer: "/a"}, fault.Field{Pointer: "/b"}, fault.Field{Pointer: "/c"})
	l.Add("/y", fault.Required, "is required.")
	require.Len(t, l.Fields(), fault.MaxFields)
}

func placesOf(l fault.List) (out []string) {
	for _, f := range l.Fields() {
		out = append(out, f.Where()+" "+string(f.Code))
	}

	return out
}

func TestAValueThatIsWrongIsNotMissingToo(t *testing.T) {
	var l fault.List
	l.Add("/email", fault.FormatInvalid, "is no address.")
	l.Add("/email", fault.Required, "is required.")
	l.Add("/email", fault.TooLong, "is too long.")
	l.Add("/email", fault.TooLong, "is much too long.")
	l.AddParameter("query", "email", fault.Required, "is required.")
	require.Equal(t, []string{"/email FORMAT_INVALID", "/email TOO_LONG", "query email REQUIRED"}, placesOf(l))
}

// A later stage adds what it finds about other values than those that an earlier stage has refused.
func TestALaterStageIsSilentAboutRefusedValues(t *testing.T) {
	var first fault.List
	first.Add("/payments/1", fault.TypeMismatch, "must be an object.")
	first.Add("/network", fault.TooLong, "is too long.")

	l := fault.Continue(first.Fields())
	require.False(t, l.Sound("/network"))
	require.False(t, l.Sound("/payments/1/amount"), "it is inside of a refused value")
	require.False(t, l.Sound("/payments"), "a part of it was refused")
	require.True(t, l.Sound("/payments/0", "/payments/10", "/walletAddress"))

	l.Add("/payments/1/amount", fault.Required, "is required.")
	l.Add("/payments/10/amount", fault.Required, "is required.")
	l.Add("/network", fault.NetworkUnknown, "is unknown.")
	l.Add("/walletAddress", fault.AddressInvalid, "is no address.")
	require.Equal(t, []string{
		"/payments/1 TYPE_MISMATCH",
		"/network TOO_LONG",
		"/payments/10/amount REQUIRED",
		"/walletAddress ADDRESS_INVALID",
	}, placesOf(l))
	require.Len(t, first.Fields(), 2, "the earlier list is as it was")
}

func TestARefusalIsNotedAtItsOwnPlaces(t *testing.T) {
	var own, l fault.List
	own.Add("/network", fault.NetworkAmbiguous, "Name one.")

	require.NoError(t, l.Note("/walletAddress", own.Err()))
	require.NoError(t, l.Note("/token", fault.New(fault.Invalid, fault.TokenUnknown, "is unknown.")))
	require.NoError(t, l.Note("/token", nil))

	gone := fault.Missing("receiver")
	require.ErrorIs(t, l.Note("/receiver", gone), gone, "that is no value which could be corrected")
	require.Equal(t, []string{"/network NETWORK_AMBIGUOUS", "/token TOKEN_UNKNOWN"}, placesOf(l))
	require.Equal(t, "Name one.", l.Fields()[0].Message, "without the pointer that the detail has")
}

func TestRefusalsAreFoundByCodeInsideOfOtherErrors(t *testing.T) {
	wrapped := fmt.Errorf("accept: %w", fault.Missing("wallet"))
	require.True(t, fault.Is(wrapped, fault.NotFoundCode))
	require.False(t, fault.Is(wrapped, fault.Required))
	require.False(t, fault.Is(errors.New("NOT_FOUND"), fault.NotFoundCode))
	require.False(t, fault.Is(nil, fault.NotFoundCode))

	f, _ := fault.As(wrapped)
	require.Equal(t, fault.NotFound, f.Kind)
	require.Equal(t, "There is no such wallet.", f.Detail)

	require.Equal(t, map[string]any{
		"a": 1,
		"b": 2,
	}, fault.New(fault.Conflict, fault.TxChanged, "100%").With("a", 1).With("b", 2).Extra)

	require.Equal(t, "100%", fault.New(fault.Conflict, fault.TxChanged, "100%").Detail,
		"a sentence without values is not a format")
}
