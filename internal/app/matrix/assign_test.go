//go:build !nosandbox

package matrix

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/web"
)

// interfaceFields are fields of the interface's resource tables that no body of this service takes and no answer may
// show yet.
const interfaceFields = "password passwordHash twoFactorSecret kycOnboardingInfo kybOnboardingInfo " +
	"organisationRole twoFactorRequired isAccountSetup isActive features " +
	"comments owner organisation bankingPartnerId bankingPartnerLinkedClientId isSelf wallets bankAccounts members " +
	"risk onboardingStatus transactionValueLimit " +
	"minUSDPaymentAmount cumulativeAmount isOnChainOrganisation complexStructure customCommissions senders " +
	"documents defaultWallet defaultToken userType levelName " +
	"applicantId ownership walletAnalysisStatus screeningAnalysisId screeningErrMessage softDeleted " +
	"ibanSuiteValidation sepaSupport wireSupport paymentRails status " +
	"settlementStatus statusInfo loanAmount borrowTokenAmount borrowTokenAmountInUSD collateralAmount " +
	"collateralAmountInUSD collateralToken acceptedBy acceptedAt " +
	"createdBy createdAt updatedAt version contentHash number debit staff emailKey usedAt _id id __proto__ " +
	"constructor $set organiſationRole ſtatus STATUS Status"

// maxUnknown stays below the number of faults that one refusal lists.
const maxUnknown = 200

// caller gives someone who may use a route, acting for A.
func (s *stage) caller(r request) *person {
	a := s.cast["admin"].home
	switch r.access {
	case web.Operator, web.Staff:
		return &person{token: s.operator}
	case web.Public:
		return &person{email: s.cast["initiator"].email}
	}

	return &person{token: a.admin, home: a}
}

// TestNoBodySetsWhatIsNoInput adds every field of every resource that is not input, and other spellings of those that
// are, to each object of each body: all are refused by name, and nothing changes (Z-04).
func TestNoBodySetsWhatIsNoInput(t *testing.T) {
	t.Parallel()
	s := newStage(t, sqliteFile(t))
	doc := s.document()
	fields := doc.everyField()
	require.Greater(t, len(fields), 150, "fields of resources")

	bodies := 0
	for _, r := range s.requests() {
		if !strings.HasPrefix(r.body, "{") || r.ofDirectory() { // none, or a page's form
			continue
		}

		bodies++
		caller := s.caller(r)
		v := s.fill(r, s.cast["admin"].home, caller)
		valid := r.call(v, caller)
		s.unchanged(r.route, func() {
			for _, place := range doc.objectsOf(doc.input(r.route), valid.body) {
				s.refusesUnknown(r, valid, place, fields)
				s.refusesRenamed(r, valid, place)
			}
		})
	}

	require.Greater(t, bodies, 20, "bodies")
}

// place is one object within a body: where it is, and which names it takes.
type place struct {
	pointer string
	known   []string
}

// objectsOf finds the objects of a body that are described field by field.
func (d document) objectsOf(schema object, body string) []place {
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		panic(err) // the bodies are our own
	}

	return d.objects(schema, v, "")
}

func (d document) objects(schema object, v any, pointer string) []place {
	schema = d.resolve(schema)
	for _, alternative := range alternatives(schema) {
		if hasType(alternative["type"], v) {
			schema = alternative
		}
	}

	if schema["additionalProperties"] == true { // another standard describes it: what a browser's authenticator says
		return nil
	}

	var out []place
	switch x := v.(type) {
	case object:
		properties, _ := schema["properties"].(object)

		out = append(out, place{pointer, slices.Sorted(maps.Keys(properties))})
		for name, inner := range x {
			p, _ := properties[name].(object)
			out = append(out, d.objects(p, inner, pointer+"/"+name)...)
		}

	case []any:
		items, _ := schema["items"].(object)
		for i, inner := range x {
			out = append(out, d.objects(items, inner, fmt.Sprintf("%s/%d", pointer, i))...)
		}
	}

	return out
}

// alternatives of a schema: some fields are taken as a text or as an object.
func alternatives(schema object) []object {
	var out []object

	list, _ := schema["oneOf"].([]any)
	for _, x := range list {
		out = append(out, x.(object))
	}

	return out
}

// everyField is every name in the document's schemas and in the interface's tables.
func (d document) everyField() []string {
	seen := map[string]bool{}
	for _, name := range strings.Fields(interfaceFields) {
		seen[name] = true
	}

	schemas, _ := at(d.root, "components", "schemas").(object)
	for _, s := range schemas {
		properties, _ := at(s, "properties").(object)
		for name := range properties {
			seen[name] = true
		}
	}

	return slices.Sorted(maps.Keys(seen))
}

// spellings are names that look like one that is taken.
func spellings(name string) []string {
	out := []string{
		strings.ToUpper(name),
		strings.ToUpper(name[:1]) + name[1:],
		name + " ",
		name + "\u200b",
		name + "[]",
		name + ".x",
		"_" + name,
	}
	// long s, the sign of kelvin, Cyrillic a
	for from, to := range map[string]string{"s": "ſ", "k": "\u212a", "a": "а"} {
		if strings.Contains(name, from) {
			out = append(out, strings.Replace(name, from, to, 1))
		}
	}

	return out
}

func (s *stage) refusesUnknown(r request, valid call, p place, fields []string) {
	s.t.Helper()

	var add []string
	for _, f := range fields {
		if !slices.Contains(p.known, f) {
			add = append(add, f)
		}
	}

	for _, f := range p.known {
		for _, spelling := range spellings(f) {
			if !slices.Contains(p.known, spelling) && !slices.Contains(add, spelling) {
				add = append(add, spelling)
			}
		}
	}

	for names := range slices.Chunk(add, maxUnknown) {
		c := valid
		c.body = withFields(valid.body, p.pointer, names)
		a := s.do(c)
		require.Equal(s.t, 422, a.status, "%s %s: %.300s", r.route, c.body, a.raw)

		want := make([]string, len(names))
		for i, n := range names {
			want[i] = p.pointer + "/" + strings.ReplaceAll(
				strings.ReplaceAll(n, "~", "~0"),
				"/",
				"~1",
			) + " UNKNOWN_FIELD"
		}

		got := a.faults()
		for i := range got { // what the record shows and this operation does not change
			got[i] = strings.Replace(got[i], " READ_ONLY", " UNKNOWN_FIELD", 1)
		}

		slices.Sort(want)
		slices.Sort(got)

		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || want[i] != got[i] {
				s.t.Fatalf(
					"%s at %q: %d names were sent and %d refused, from %q on",
					r.route,
					p.pointer,
					len(want),
					len(got),
					append(want, "")[i],
				)
			}
		}
	}
}

// refusesRenamed sends each member of an object under a name that a lenient reader takes for the same, and nothing
// else wrong.
func (s *stage) refusesRenamed(r request, valid call, p place) {
	s.t.Helper()

	for _, name := range p.known {
		for _, spelling := range spellings(name) {
			c := valid

			c.body = edited(valid.body, p.pointer, func(at object) {
				if v, there := at[name]; there {
					delete(at, name)
					at[spelling] = v
				}
			})
			if !strings.Contains(c.body, quoted(spelling)+":") {
				continue
			}

			require.Contains(
				s.t,
				s.do(c).faults(),
				p.pointer+"/"+spelling+" UNKNOWN_FIELD",
				"%s took %q for %q",
				r.route,
				spelling,
				name,
			)
		}
	}
}

// withFields adds members to the object at a pointer.
func withFields(body, pointer string, names []string) string {
	return edited(body, pointer, func(at object) {
		for _, n := range names {
			at[n] = "what no record holds"
		}
	})
}

// edited changes the object at a pointer.
func edited(body, pointer string, change func(at object)) string {
	var root any
	if err := json.Unmarshal([]byte(body), &root); err != nil {
		panic(err) // the bodies are our own
	}

	v := root
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch x := v.(type) {
		case object:
			v = x[step]
		case []any:
			var i int
			_, _ = fmt.Sscan(step, &i)
			v = x[i]
		}
	}

	change(v.(object))

	out, err := json.Marshal(root)
	if err != nil {
		panic(err) // it was JSON before
	}

	return string(out)
}

// TestBodiesAreReadStrictly sends each body in forms that lenient readers take (I-03): all are refused, and nothing
// changes.
func TestBodiesAreReadStrictly(t *testing.T) {
	t.Parallel()

	s := newStage(t, sqliteFile(t))
	for _, r := range s.requests() {
		if !strings.HasPrefix(r.body, "{") || r.ofDirectory() { // none, or a page's form
			continue
		}

		caller := s.caller(r)
		valid := r.call(s.fill(r, s.cast["admin"].home, caller), caller)
		s.unchanged(r.route, func() {
			for name, body := range lenient(valid.body) {
				c := valid
				c.body = body
				a := s.do(c)
				require.Contains(t, []int{400, 413}, a.status, "%s, %s: %.200s", r.route, name, a.raw)
			}

			c := valid
			c.header = map[string]string{"Content-Type": "text/plain"}
			maps.Copy(c.header, valid.header)
			require.Equal(t, "CONTENT_TYPE_UNSUPPORTED", s.do(c).is(415).code())
		})
	}
}

// lenient gives forms of a body that are not JSON, or that two readers understand differently.
func lenient(body string) map[string]string {
	first := body[:strings.Index(body, ":")] // {"name"

	large := 2 << 20
	if strings.Contains(body, "fileBase64") {
		large = 20 << 20
	}

	return map[string]string{
		"doubled name":        first + `:"other",` + body[1:],
		"escaped double":      `{"\u` + fmt.Sprintf("%04x", first[2]) + first[3:] + `:"other",` + body[1:],
		"second value":        body + "{}",
		"text after the end":  body + "x",
		"list":                "[" + body + "]",
		"null":                "null",
		"text":                `"` + "x" + `"`,
		"no value":            first + ":}",
		"NaN":                 first + ":NaN}",
		"too large a number":  first + ":1e400}",
		"deep":                first + ":" + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + "}",
		"broken UTF-8":        first + ":\"\xff\"}",
		"half a surrogate":    first + `:"\ud800"}`,
		"byte order mark":     "\ufeff" + body,
		"comment":             "/* */" + body,
		"trailing comma":      body[:len(body)-1] + ",}",
		"single quotes":       "{'a':1}",
		"unfinished":          body[:len(body)-1],
		"control in a string": first + ":\"a\nb\"}",
		"larger than allowed": first + `:"` + strings.Repeat("x", large) + `"}`,
	}
}
