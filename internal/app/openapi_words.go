package app

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/app/guides"
	"slipway/internal/platform/web"
)

//go:embed openapi_glossary.txt
var glossaryText string

//go:embed openapi_examples.json
var examplesText []byte

// documentIntroduction is what every client must know.
const documentIntroduction = `Moves value between crypto wallets and bank accounts, exactly once.

**Authentication.** Send ` + "`Authorization: Bearer <access_token>`" + `. Programs get one from POST /auth/token, people from
POST /auth/login. Who belongs to several organisations names one in ` + "`Slipway-Organisation`" + `.

**Requests.** JSON in UTF-8. Names are compared exactly; an unknown field is refused with 422. ` + "`null`" + ` clears an
optional field in PATCH, and equals leaving it out elsewhere. A body may have at most 1 MiB, 64 KiB without credentials.

**Answers.** Every documented field is there; without a value it is ` + "`null`" + `, a list ` + "`[]`" + `. Fields may be added at
any time: ignore those you do not know. Times are RFC 3339 in UTC with milliseconds. Amounts are texts, never numbers.

**Repeating.** Send an ` + "`Idempotency-Key`" + ` with every POST, PUT, PATCH and DELETE. The same request with the same key has
one effect and one answer, for 7 days. A time-out says nothing about the outcome: repeat it with the same key.

**Refusals** are problem documents (RFC 9457) with a stable ` + "`code`" + `; ` + "`errors`" + ` has every wrong field at once.

**Tables.** Every list answers ` + "`Accept: text/csv`" + ` with all rows that match its filters, as CSV (RFC 4180).

**Limits.** A page has 20 results and at most 250. A credential may send 600 reads and 60 writes a minute, an address 5
sign-ins a minute; ` + "`RateLimit-*`" + ` says what is left, ` + "`Retry-After`" + ` how long to wait after 429 or 503.`

// documentTags are the groups of operations, in the order in which a client meets them.
var documentTags = []web.Tag{
	{Name: "accounts", Description: "Sign in, second factor, sessions, passwords and API clients."},
	{Name: "users", Description: "The person who has signed in, and accounts that are prepared for others."},
	{Name: "organisations", Description: "Organisations, members, invitations, approval policy and audit log."},
	{Name: "verifications", Description: "Verification of people and organisations by the identity provider."},
	{Name: "references", Description: "Countries, currencies, tokens and rails, which requests name."},
	{Name: "networks", Description: "Blockchains and the tokens on them."},
	{Name: "receivers", Description: "Who is paid."},
	{Name: "bank-accounts", Description: "Where FIAT payments go."},
	{Name: "wallets", Description: "Where tokens are and go, with the proof of who controls them."},
	{Name: "transactions", Description: "Payments: create, validate, submit, accept, follow."},
	{Name: "payables", Description: "Invoices to pay, and links by which others hand them in."},
	{Name: "imports", Description: "Tables of payees and payments, as spreadsheets have them."},
	{Name: "events", Description: "What has changed, as a feed that is polled or streamed."},
	{Name: "documents", Description: "Files that belong to payments and invoices."},
	{Name: "books", Description: "What a company's bookkeeping takes over."},
	{Name: "approvals", Description: "What waits for a second person."},
	{Name: "emails", Description: "Which mails a person receives."},
	{Name: "operations", Description: "For the platform's own people."},
	{Name: "simulators", Description: "Sandbox only: the outside world as a tester wants it."},
}

// glossary reads the words that describe fields: name, form, example and description in each line, with bars between
// them. A name is that of a field, or Schema.field.
func glossary() map[string]web.Term {
	out := map[string]web.Term{}

	for number, line := range strings.Split(glossaryText, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}

		parts := strings.SplitN(line, "|", 4)
		if len(parts) != 4 {
			panic(fmt.Sprintf("openapi_glossary.txt: line %d has not four columns", number+1))
		}

		for i, p := range parts {
			parts[i] = strings.TrimSpace(p)
		}

		if _, twice := out[parts[0]]; twice {
			panic("openapi_glossary.txt: " + parts[0] + " stands twice")
		}

		out[parts[0]] = web.Term{Form: parts[1], Example: parts[2], Description: parts[3]}
	}

	return out
}

// reference is what the OpenAPI document and its pages say besides what operations say of themselves.
func reference() web.Reference {
	return web.Reference{Guides: guides.All(), Glossary: glossary(), Recorded: recorded()}
}

// recorded are the bodies that a test has sent and got, for the examples of the document.
func recorded() (out map[string]web.Recorded) {
	if err := json.Unmarshal(examplesText, &out); err != nil {
		panic(fmt.Sprintf("openapi_examples.json: %v", err)) // a test writes it
	}

	return out
}
