//go:build !nosandbox

package matrix

import (
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/skip2/go-qrcode"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/platform/db"
	"slipway/internal/platform/paper"
	"slipway/internal/platform/web"
	provider "slipway/internal/rails/idv"
)

//go:embed requests.txt
var requestsText string

// request is one line of requests.txt.
type request struct {
	route  string // "POST /wallets/{id}", as registered
	access web.Access
	method string
	path   string // with names in braces, and without the query
	query  string
	header string // "Name:value"; empty: none
	body   string
}

// ofDirectory reports whether a directory calls (SCIM), by a token that nobody of the cast has. Directories send members of
// their own, which are read over (RFC 7644, 3.3).
func (r request) ofDirectory() bool { return strings.HasPrefix(r.path, "/scim/") }

var braces = regexp.MustCompile(`\{([A-Za-z]+)\}`)

// requests reads the file and matches every line with its route. A route without a line and a line without a route
// fail.
func (s *stage) requests() []request {
	s.t.Helper()

	routes := map[string]web.Route{}
	for _, r := range s.app.API.Routes() {
		routes[r.Method+" "+r.Path] = r
	}

	var out []request
	for _, line := range lines(requestsText) {
		method, rest, _ := strings.Cut(line, " ")
		target, body, _ := strings.Cut(strings.TrimSpace(rest), " ")

		r := request{method: method, body: strings.TrimSpace(body)}
		if r.body != "" && !strings.HasPrefix(r.body, "{") {
			r.header, r.body, _ = strings.Cut(r.body, " ")
		}

		r.path, r.query, _ = strings.Cut(target, "?")
		r.route = matching(s.t, method, r.path, routes)
		r.access = routes[r.route].Access
		delete(routes, r.route)
		out = append(out, r)
	}

	for route := range routes {
		s.t.Errorf("requests.txt has no call of %s", route)
	}

	return out
}

// matching finds the route of a path: the one whose fixed words are the same and, of several, with the fewest
// parameters.
func matching(t testing.TB, method, path string, routes map[string]web.Route) string {
	t.Helper()
	best := ""
	fewest := 100

	have := strings.Split(path, "/")
	for name, r := range routes {
		want := strings.Split(r.Path, "/")
		if r.Method != method || len(want) != len(have) {
			continue
		}

		params := 0

		same := true
		for i, w := range want {
			if strings.HasPrefix(w, "{") || w == "*" {
				params++
			} else if w != have[i] {
				same = false
			}
		}

		if same && params < fewest {
			best = name
			fewest = params
		}
	}

	require.NotEmpty(t, best, "requests.txt calls %s %s, which is no route or stands twice", method, path)

	return best
}

// lines gives the lines of a table that are neither empty nor a comment.
func lines(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}

	return out
}

// values are the records and values of one call.
type values map[string]string

// record makes, or finds, what a name in braces stands for.
func (s *stage) record(o *tenant, caller *person, name string, v values) string {
	switch name {
	case "organisation":
		return o.id

	case "member":
		s.made++
		p := s.member(o, fmt.Sprintf("spare%d-", s.made), `"viewer"`, "")
		return s.memberOf(o, p.email)

	case "invitation":
		s.made++
		token := s.invitation(o, fmt.Sprintf("guest%d@example.org", s.made), `"viewer"`)

		return s.invitationOf(token)

	case "receiver":
		return s.receiver(o)
	case "payee":
		return o.receiver
	case "wallet":
		return o.payee
	case "bankAccount":
		return s.bankAccount(o)

	case "unproven", "review":
		a := s.newAccount()
		id, message := s.wallet(o, o.receiver, a)
		v["MESSAGE"] = quoted(message)
		v["SIGNATURE"] = signature(a, message)

		if name == "review" {
			s.exec("UPDATE wallets SET screening_status = 'REVIEW' WHERE id = ?", id)
		}

		return id

	case "proven":
		return s.proven(o, o.receiver, s.newAccount())
	case "vault":
		return s.vault(o, v)
	case "draft":
		return s.draft(o)
	case "waiting":
		return s.waiting(o)
	case "failed":
		id := s.waiting(o)
		s.exec("UPDATE transactions SET status = 'FAILED', version = version + 1 WHERE id = ?", id)
		return id

	case "deposit":
		return s.deposit(o)
	case "charged":
		return s.charged(o)
	case "approval":
		return s.approval(o)

	case "policyApproval":
		id := s.approval(o)
		s.exec("UPDATE approvals SET kind = 'POLICY', data = '{}' WHERE id = ?", id)
		return id

	case "applicant":
		return s.send(call{method: "POST", path: "/idv/companies", token: o.admin}).is(200).text("applicantId")
	case "screeningCase":
		return s.screeningCase(o)
	case "reviewCase":
		return s.reviewCase()
	case "receivable":
		return s.receivable(o)
	case "suspended":
		return s.suspended()
	case "bankFile":
		return s.bankFile()
	case "journal":
		return s.journal(o)
	case "network":
		return s.network()
	case "payable":
		return s.payable(o)
	case "schedule":
		return s.schedule(o)
	case "approvedPayable":
		return s.approvedPayable(o)
	case "invoiceLink":
		return s.invoiceLink(o, v)
	case "knownLink":
		return s.knownLink(o, v)
	case "webhookEndpoint":
		return s.webhookEndpoint(o, v)
	case "chatChannel":
		return s.chatChannel(o)
	case "billDocument":
		return s.billDocument(o)
	case "pdfDocument":
		return s.pdfDocument(o)
	}

	return s.value(o, caller, name, v)
}

// value makes a value that is no record.
func (s *stage) value(o *tenant, caller *person, name string, v values) string {
	switch name {
	case "PAYER":
		return o.payer.Address.Hex()
	case "ADDRESS":
		return s.newAccount().Address.Hex()
	case "USDC":
		return s.world.Token("USDC").Address.Hex()
	case "NAME":
		s.made++
		return fmt.Sprintf("n%d", s.made)
	case "LATER":
		return s.later()
	case "EMAIL":
		return s.cast["initiator"].email
	case "PASSWORD":
		return password
	case "FRESHPASSWORD":
		return password + " fresh"

	case "CONFIRMTOKEN",
		"RESETTOKEN",
		"COMPLETETOKEN",
		"TEMPTOKEN",
		"CODE",
		"CLIENT",
		"CLIENTSECRET",
		"SESSION",
		"PASSKEY",
		"PERSON",
		"PERSONID",
		"SECUREDID":
		return s.credential(caller, name, v)

	case "PICTURE":
		return onePixel
	case "STOPTOKEN":
		return s.stopToken()
	case "DOWNLOAD":
		return s.download(o)
	case "DELIVERY":
		s.webhookEndpoint(o, v) // it stands behind {webhookEndpoint}, which makes it
		return v[name]
	case "INVOICETOKEN", "SENDER", "PROPOSAL":
		s.invoiceLink(o, v) // PROPOSAL stands behind {knownLink}, which makes it
		return v[name]

	case "INVITATION":
		email := caller.email
		if email == "" {
			s.made++
			email = fmt.Sprintf("nobody%d@example.org", s.made)
		}

		return s.invitation(s.host, email, `"viewer"`)
	}

	s.t.Fatalf("requests.txt names {%s}, which nobody can make", name)

	return ""
}

// approval waits for a second person to decide about a receiver; somebody who is gone has asked for it.
func (s *stage) approval(o *tenant) string {
	receiver := s.receiver(o)
	id := id.New("apr", s.app.DB.Now())
	s.exec(
		`INSERT INTO approvals (id, organisation, kind, object, summary, authors, requested_by, status, version,
			created_at)
			SELECT ?, organisation, 'RECEIVER', id, ?, 'usr_gone', 'usr_gone', 'PENDING', 1, created_at
			FROM receivers WHERE id = ?`,
		id,
		o.mark,
		receiver,
	)
	s.exec("UPDATE receivers SET approval = ? WHERE id = ?", id, receiver)

	return id
}

// screeningCase is a name of the organisation's that is like a listed one.
func (s *stage) screeningCase(o *tenant) string {
	s.made++
	id := id.New("scc", s.app.DB.Now())
	name := fmt.Sprintf("Jane %d", s.made)
	s.exec(
		`INSERT INTO screening_cases (id, organisation, subject, name, hit, listed, object, status, proposal,
			proposed_by, decided_by, reason, version, created_at, updated_at)
			VALUES (?, ?, ?, ?, 'x', '{}', '', 'OPEN', '', '', '', '', 1, 1, 1)`,
		id,
		o.id,
		name,
		name,
	)

	return id
}

// reviewCase is a verification by hand that waits for two of the platform's people.
func (s *stage) reviewCase() string {
	s.made++

	r, err := s.app.Reviews.Create(s.t.Context(), provider.New{
		Kind:           provider.Organisation,
		ExternalUserID: fmt.Sprintf("org_reviewed%d", s.made),
		LevelName:      "company",
	})
	require.NoError(s.t, err)
	s.exec("UPDATE review_cases SET status = 'SUBMITTED', screening = 'CLEAR' WHERE id = ?", r.ApplicantID)

	return r.ApplicantID
}

// receivable is what an organisation owes for a deposit that was taken back.
func (s *stage) receivable(o *tenant) string {
	s.made++
	id := fmt.Sprintf("ent_owed%020d", s.made)

	reference, err := onramp.NewReference()
	require.NoError(s.t, err)

	s.exec(
		`INSERT INTO receivables (id, organisation, transaction_id, house, reference, currency, decimals, units, owed,
		state, created_at) VALUES (?, ?, '', 'eur', ?, 'EUR', 2, '250000', '250000', 'OPEN', 1)`,
		id,
		o.id,
		reference,
	)

	return id
}

// suspended is a deposit that pays nothing by itself.
func (s *stage) suspended() string {
	entry := id.New("ent", s.app.DB.Now())
	require.NoError(s.t, s.app.DB.Write(context.Background(), func(tx *db.Tx) error {
		return s.app.Settlement.Deposits.Credited(context.Background(), tx, []reconcile.Deposit{{
			Entry:         entry,
			House:         "hse_eur",
			Amount:        money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(1700)),
			Texts:         []string{"of nobody"},
			SenderName:    "Niemand Bekannt",
			SenderAccount: "DE89370400440532013000",
			BookedAt:      s.app.DB.Now(),
		}})
	}))

	return entry
}

// bankFile is a file that came from a bank, of which nothing could be used.
func (s *stage) bankFile() string {
	s.made++

	return s.send(call{
		method: "POST",
		path:   "/operations/bank-files",
		token:  s.operator,
		body: fmt.Sprintf(
			`{"fileBase64":"%s"}`,
			base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "no message %d", s.made)),
		),
	}).is(200).text("file")
}

// journal is one that books a cent of an organisation's.
func (s *stage) journal(o *tenant) string {
	s.made++

	key := fmt.Sprintf("test/%d", s.made)
	cent := money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(1))

	require.NoError(s.t, s.app.DB.Write(context.Background(), func(tx *db.Tx) error {
		return ledger.Post(tx, ledger.Journal{
			Key:          key,
			Kind:         "test",
			Organisation: o.id,
			Postings: []ledger.Posting{
				{Account: ledger.SenderAccount("EUR"), Amount: cent.Neg()},
				{Account: ledger.SuspenseAccount("EUR", o.id), Amount: cent},
			},
		})
	}))

	journal, err := db.Value[string](context.Background(), s.app.DB, "SELECT id FROM journals WHERE key = ?", key)
	require.NoError(s.t, err)

	return journal
}

// network is a fresh one that clients see.
func (s *stage) network() string {
	s.made++
	id := s.send(call{
		method: "POST",
		path:   "/networks",
		token:  s.operator,
		body: fmt.Sprintf(`{"name":"Chain %d","type":"evm","chainId":%d,"rpcUrl":"http://127.0.0.1:1/",`+
			`"internalRpcUrl":"http://127.0.0.1:1/%s","isClientVisible":true}`, s.made, 1_000_000+s.made, nodeKey),
	}).is(201).text("_id")

	return id
}

// download is the last part of a link to a statement.
func (s *stage) download(o *tenant) string {
	link := s.send(call{
		method: "POST",
		path:   "/transactions/" + s.draft(o) + "/statement",
		token:  o.admin,
	}).is(200).text("url")

	return link[strings.LastIndex(link, "/")+1:]
}

// billDocument is a stored picture with the QR code of a bill.
func (s *stage) billDocument(o *tenant) string {
	picture, err := qrcode.Encode(
		"SPC\n0200\n1\nCH9300762011623852957\nS\n"+o.mark+"\n\n\n8001\nZürich\nCH\n\n\n\n\n\n\n\n1.25\nCHF\n\n\n\n\n\n\n\nNON\n\n\nEPD",
		qrcode.Medium,
		400,
	)
	require.NoError(s.t, err)

	return s.send(call{
		method: "POST",
		path:   "/payables/upload",
		token:  o.admin,
		body:   `{"fileBase64":"` + base64.StdEncoding.EncodeToString(picture) + `"}`,
	}).is(201).text("documentStorageKey")
}

// pdfDocument is a stored PDF file of one page.
func (s *stage) pdfDocument(o *tenant) string {
	sheet := paper.New(paper.Info{Title: "Invoice"})
	sheet.Title("Invoice", o.mark)
	content, err := sheet.Bytes()
	require.NoError(s.t, err)

	return s.send(call{
		method: "POST",
		path:   "/payables/upload",
		token:  o.admin,
		body:   `{"fileBase64":"` + base64.StdEncoding.EncodeToString(content) + `"}`,
	}).is(201).text("documentStorageKey")
}

// onePixel is a PNG in base64.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

// nodeKey stands in the internal addresses of nodes; no answer and no log may show it.
const nodeKey = "canarynodekey"

// fill makes everything that a request names, as records of o.
func (s *stage) fill(r request, o *tenant, caller *person) values {
	v := values{}
	for _, text := range []string{r.path, r.query, r.header, r.body} {
		for _, m := range braces.FindAllStringSubmatch(text, -1) {
			if _, made := v[m[1]]; !made {
				v[m[1]] = s.record(o, caller, m[1], v)
			}
		}
	}

	return v
}

// call writes a request out.
func (r request) call(v values, caller *person) call {
	put := func(text string) string {
		return braces.ReplaceAllStringFunc(text, func(m string) string { return v[m[1:len(m)-1]] })
	}

	c := call{
		method: r.method,
		path:   put(r.path),
		query:  put(r.query),
		body:   put(r.body),
		token:  caller.token,
		wish:   caller.wish,
	}
	if name, value, has := strings.Cut(put(r.header), ":"); has {
		c.header = map[string]string{name: value}
	}

	return c
}
