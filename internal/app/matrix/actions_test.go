//go:build !nosandbox

package matrix

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kind is a kind of record, the ways it can stand, and what may be done with it.
type kind struct {
	list   string              // the list that shows it; its records have an identifier
	id     string              // the member of the list's records that identifies them; empty: _id
	states map[string]standing // by name
	acts   map[string]deed     // by the word of allowedActions
}

// standing is one way a record can stand: the name that makes it in requests.txt, and what is changed then.
type standing struct{ made, then string }

// deed is the call behind a word: its line in requests.txt, and its body where that line has another one.
type deed struct{ route, body string }

var kinds = map[string]kind{
	"receiver": {
		list:   "/receivers/me",
		states: map[string]standing{"known": {made: "receiver"}, "own": {made: "OWN"}},
		acts: map[string]deed{
			"update": {route: "PATCH /receivers/{id}"},
			"delete": {route: "DELETE /receivers/{id}"},
		},
	},
	"bank account": {
		list:   "/bank-accounts/me",
		states: map[string]standing{"known": {made: "bankAccount"}},
		acts: map[string]deed{
			"update": {route: "PATCH /bank-accounts/{id}"},
			"delete": {route: "DELETE /bank-accounts/{id}"},
		},
	},
	"wallet": {
		list: "/wallets/me",
		states: map[string]standing{
			"unproven": {made: "unproven"},
			"proven":   {made: "proven"},
			"revoked":  {made: "proven", then: "UPDATE wallets SET ownership_status = 'REVOKED' WHERE id = ?"},
		},
		acts: map[string]deed{
			"update":    {route: "PATCH /wallets/{id}"},
			"challenge": {route: "POST /wallets/{id}/challenge"},
			"delete":    {route: "DELETE /wallets/{id}"},
		},
	},
	"wallet in review": {
		list: "/operations/wallet-reviews",
		states: map[string]standing{
			"open": {made: "review"},
			"proposed": {
				made: "review",
				then: "UPDATE wallets SET review_verdict = 'APPROVED', review_proposed_by = 'usr_gone' WHERE id = ?",
			},
			"proposed by himself": {
				made: "review",
				then: "UPDATE wallets SET review_verdict = 'APPROVED', review_proposed_by = 'CALLER' WHERE id = ?",
			},
		},
		acts: map[string]deed{
			"approve-screening": {route: "POST /wallets/{id}/screening-decision"},
			"reject-screening": {
				route: "POST /wallets/{id}/screening-decision",
				body:  `{"decision":"REJECTED","reason":"Looked at"}`,
			},
			"revoke": {route: "POST /wallets/{id}/revoke"},
		},
	},
	"document": {
		list: "/documents",
		id:   "documentStorageKey",
		states: map[string]standing{
			"free": {made: "billDocument"},
			"used": {made: "billDocument", then: "UPDATE payables SET document = ?"},
		},
		acts: map[string]deed{"delete": {route: "DELETE /documents/{key}"}},
	},
	"chat": {
		list: "/chat-channels",
		states: map[string]standing{
			"on":  {made: "chatChannel"},
			"off": {made: "chatChannel", then: "UPDATE chat_channels SET enabled = FALSE WHERE id = ?"},
		},
		acts: map[string]deed{
			"update": {route: "PATCH /chat-channels/{id}"},
			"test":   {route: "POST /chat-channels/{id}/test"},
			"delete": {route: "DELETE /chat-channels/{id}"},
		},
	},
	"endpoint": {
		list: "/webhook-endpoints",
		states: map[string]standing{
			"on":  {made: "webhookEndpoint"},
			"off": {made: "webhookEndpoint", then: "UPDATE webhook_endpoints SET enabled = FALSE WHERE id = ?"},
		},
		acts: map[string]deed{
			"update":        {route: "PATCH /webhook-endpoints/{id}"},
			"test":          {route: "POST /webhook-endpoints/{id}/test"},
			"rotate-secret": {route: "POST /webhook-endpoints/{id}/rotate-secret"},
			"delete":        {route: "DELETE /webhook-endpoints/{id}"},
		},
	},
	"member": {
		list:   "/organisations/{organisation}/members",
		states: map[string]standing{"known": {made: "member"}},
		acts:   map[string]deed{"update": {route: "PATCH /organisations/{id}/members/{memberId}"}},
	},
	"organisation": {
		list:   "/organisations/me",
		states: map[string]standing{"known": {made: "organisation"}},
		acts: map[string]deed{
			"update":          {route: "PATCH /organisations/{id}"},
			"invitations":     {route: "POST /organisations/{id}/invitations"},
			"approval-policy": {route: "PUT /organisations/{id}/approval-policy"},
		},
	},
	"approval": {
		list: "/approvals",
		states: map[string]standing{
			"pending": {made: "approval"},
			"early":   {made: "approval", then: "UPDATE approvals SET not_before = 9000000000000000 WHERE id = ?"},
			"his own": {made: "approval", then: "UPDATE approvals SET authors = 'CALLER' WHERE id = ?"},
			"decided": {made: "approval", then: "UPDATE approvals SET status = 'REJECTED' WHERE id = ?"},
		},
		acts: map[string]deed{
			"approve": {route: "POST /approvals/{id}/approve"},
			"reject":  {route: "POST /approvals/{id}/reject"},
		},
	},
	"approval of the platform": {
		list: "/operations/approvals",
		states: map[string]standing{
			"pending": {made: "policyApproval", then: "UPDATE approvals SET organisation = '' WHERE id = ?"},
			"his own": {
				made: "policyApproval",
				then: "UPDATE approvals SET organisation = '', authors = 'CALLER' WHERE id = ?",
			},
			"decided": {
				made: "policyApproval",
				then: "UPDATE approvals SET organisation = '', status = 'REJECTED' WHERE id = ?",
			},
		},
		acts: map[string]deed{"reject": {route: "POST /operations/approvals/{id}/decision"}},
	},
	"screening case": {
		list: "/operations/screening-cases",
		states: map[string]standing{
			"open": {made: "screeningCase"},
			"proposed by himself": {
				made: "screeningCase",
				then: "UPDATE screening_cases SET status = 'PROPOSED', proposal = 'CLEARED', proposed_by = 'CALLER' " +
					"WHERE id = ?",
			},
			"cleared": {
				made: "screeningCase",
				then: "UPDATE screening_cases SET status = 'CLEARED', proposal = 'CLEARED', proposed_by = 'usr_a', " +
					"decided_by = 'usr_b' WHERE id = ?",
			},
		},
		acts: map[string]deed{
			"clear": {route: "POST /operations/screening-cases/{id}/decision"},
			"confirm": {
				route: "POST /operations/screening-cases/{id}/decision",
				body:  `{"decision":"CONFIRMED","reason":"Looked at"}`,
			},
		},
	},
	"deposit": {
		list: "/operations/deposits",
		states: map[string]standing{
			"suspense": {made: "suspended"},
			"held":     {made: "suspended", then: "UPDATE deposits SET state = 'HELD' WHERE entry = ?"},
			"proposed by himself": {
				made: "suspended",
				then: "INSERT INTO approvals (id, organisation, kind, object, summary, data, authors, requested_by, status, " +
					"version, created_at) SELECT 'apr_' || entry, '', 'DEPOSIT', entry, '', '{\"action\":\"HOLD\"}', 'CALLER', " +
					"'CALLER', 'PENDING', 1, created_at FROM deposits WHERE entry = ?",
			},
			"back": {made: "suspended", then: "UPDATE deposits SET state = 'REFUNDED' WHERE entry = ?"},
		},
		acts: map[string]deed{
			"hold": {route: "POST /operations/deposits/{id}/decision"},
			"assign": {
				route: "POST /operations/deposits/{id}/decision",
				body:  `{"action":"ASSIGN","transaction":"txn_none"}`,
			},
		},
	},
	"receivable": {
		list: "/operations/receivables",
		states: map[string]standing{
			"open":    {made: "receivable"},
			"settled": {made: "receivable", then: "UPDATE receivables SET state = 'SETTLED', owed = '0' WHERE id = ?"},
		},
		acts: map[string]deed{
			"writeOff": {route: "POST /operations/receivables/{id}/decision"},
		},
	},
	"verification": {
		list: "/operations/reviews",
		states: map[string]standing{
			"submitted": {made: "reviewCase"},
			"open":      {made: "reviewCase", then: "UPDATE review_cases SET status = 'OPEN' WHERE id = ?"},
			"proposed by himself": {
				made: "reviewCase",
				then: "UPDATE review_cases SET proposal = 'REJECT_RETRY', proposed_by = 'CALLER', proposed_basis = basis " +
					"WHERE id = ?",
			},
		},
		acts: map[string]deed{
			"checklist":    {route: "PUT /operations/reviews/{id}/checklist/{point}"},
			"comments":     {route: "POST /operations/reviews/{id}/comments"},
			"reject-retry": {route: "POST /operations/reviews/{id}/decision"},
			"approve": {
				route: "POST /operations/reviews/{id}/decision",
				body:  `{"decision":"APPROVE","basis":1}`,
			},
		},
	},
	"invoice link": {
		list: "/payables/invoice-links",
		states: map[string]standing{
			"open":     {made: "invoiceLink"},
			"proposes": {made: "knownLink"},
			"expired":  {made: "invoiceLink", then: "UPDATE invoice_links SET status = 'EXPIRED' WHERE id = ?"},
		},
		acts: map[string]deed{
			"confirm": {route: "POST /payables/invoice-links/{tokenId}/confirm"},
			"refuse":  {route: "POST /payables/invoice-links/{tokenId}/refuse"},
			"revoke":  {route: "DELETE /payables/invoice-links/{tokenId}"},

			"sendAgain": {route: "POST /payables/invoice-links/{tokenId}/send-again"},
			"createPayable": {
				route: "POST /payables/create-invoice-payable",
				body:  `{"tokenId":"<record>","name":"Rent","amount":"1.25","reason":"Rent","currencyIsoCode":"EUR"}`,
			},
		},
	},
	"schedule": {
		list: "/schedules",
		states: map[string]standing{
			"waiting": {made: "schedule"},
			"active":  {made: "schedule", then: "UPDATE schedules SET state = 'ACTIVE' WHERE id = ?"},
			"stopped": {made: "schedule", then: "UPDATE schedules SET state = 'STOPPED' WHERE id = ?"},
			"ended":   {made: "schedule", then: "UPDATE schedules SET state = 'ENDED' WHERE id = ?"},
		},
		acts: map[string]deed{
			"accept": {route: "POST /schedules/{id}/accept"},
			"stop":   {route: "POST /schedules/{id}/stop"},
		},
	},
	"payable": {
		list: "/payables/me",
		states: map[string]standing{
			"draft":    {made: "payable"},
			"approved": {made: "approvedPayable"},
			"rejected": {made: "payable", then: "UPDATE payables SET status = 'REJECTED' WHERE id = ?"},
		},
		acts: map[string]deed{
			"update":    {route: "PATCH /payables/{id}"},
			"approve":   {route: "POST /payables/{id}/approve"},
			"reject":    {route: "POST /payables/{id}/reject"},
			"reopen":    {route: "POST /payables/{id}/reopen"},
			"duplicate": {route: "POST /payables/{id}/duplicate"},
		},
	},
	"transaction": {
		list: "/transactions",
		states: map[string]standing{
			"draft":     {made: "draft"},
			"waiting":   {made: "waiting"},
			"completed": {made: "waiting", then: "UPDATE transactions SET status = 'COMPLETED' WHERE id = ?"},
		},
		acts: map[string]deed{
			"update": {route: "PUT /transactions/{id}"},
			"submit": {route: "POST /transactions/{id}/submit"},
			"accept": {route: "POST /transactions/{id}/accept"},
			"delete": {route: "DELETE /transactions/{id}"},
		},
	},
}

// TestAllowedActionsAreWhatIsNotRefused makes a record of every kind in every state, reads as each of the people what
// allowedActions lists, and does it. What is listed is not refused for right or state; what is not listed is refused.
func TestAllowedActionsAreWhatIsNotRefused(t *testing.T) {
	t.Parallel()

	s := newStage(t, sqliteFile(t))

	byRoute := map[string]request{}
	for _, r := range s.requests() {
		byRoute[r.route] = r
	}

	for name, k := range kinds {
		for state := range k.states {
			for _, who := range k.readers() {
				for word, d := range k.acts {
					s.actionIsTrue(name, state, who, word, byRoute[d.route])
				}
			}
		}
	}
}

// readers returns the people of the cast who see the list.
func (k kind) readers() []string {
	if strings.HasPrefix(k.list, "/operations/") {
		return []string{"staff", "operator"}
	}

	return []string{"viewer", "initiator", "approver", "authorized", "admin"}
}

// actionIsTrue compares whether a word is listed of a fresh record with whether its call is refused.
func (s *stage) actionIsTrue(name, state, who, word string, r request) {
	s.t.Helper()

	k := kinds[name]
	require.NotEmpty(s.t, r.route, "%s: %s is no route", name, k.acts[word].route)

	p := s.cast[who]
	o := s.cast["admin"].home

	r.body = max(r.body, "")
	if body := k.acts[word].body; body != "" {
		r.body = body
	}

	v := s.fill(r, o, p)
	id := s.stands(o, p, k.states[state], v)

	record, seen := s.listed(k, o, p, id)
	if !seen {
		return // whoever cannot read it is told nothing of it
	}

	actions, has := record["allowedActions"].([]any)
	require.True(s.t, has, "%s has no allowedActions", name)

	r.body = strings.ReplaceAll(r.body, "<record>", id) // of an operation that names it in its body
	if names := braces.FindAllStringSubmatch(r.path, -1); len(names) > 0 {
		v[names[len(names)-1][1]] = id
	}

	a := s.do(r.call(v, p))
	refused := slices.Contains([]int{403, 404, 409}, a.status)

	assert.Equal(s.t, slices.Contains(actions, any(word)), !refused,
		"%s, %s: the %s is offered %v; %s answers %d %s", name, state, who, actions, r.route, a.status, a.raw)
}

// stands makes a record and puts it into a state.
func (s *stage) stands(o *tenant, p *person, to standing, v values) string {
	id := o.self
	if to.made != "OWN" {
		id = s.record(o, p, to.made, v)
	}

	if to.then == "" {
		return id
	}

	then := strings.ReplaceAll(to.then, "CALLER", s.idOf(p.email))
	if !strings.Contains(to.then, "WHERE") {
		s.exec(then+" WHERE id = ?", id, s.payable(o))
		return id
	}

	s.exec(then, id)

	return id
}

// listed returns the record of a list; seen is false if the person does not see it there.
func (s *stage) listed(k kind, o *tenant, p *person, id string) (record map[string]any, seen bool) {
	path := strings.ReplaceAll(k.list, "{organisation}", o.id)

	a := s.do(call{method: "GET", path: path, query: "limit=250&direction=-1", token: p.token})
	if a.status == 422 {
		a = s.do(call{method: "GET", path: path, query: "limit=250", token: p.token})
	}

	if a.status != 200 {
		return nil, false
	}

	key := "_id"
	if k.id != "" {
		key = k.id
	}

	for _, x := range a.body["results"].([]any) {
		if r := x.(map[string]any); r[key] == id {
			return r, true
		}
	}

	return nil, false
}
