//go:build !nosandbox && !noconsole

package console_test

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/platform/browsertest"
)

// changes are the operations with which the console changes a record by a form of several fields.
var changes = []string{
	"PUT /transactions/{id}",
	"PATCH /payables/{id}",
	"PUT /organisations/{id}/approval-policy",
	"PATCH /organisations/{id}",
	"PATCH /webhook-endpoints/{id}",
	"PUT /organisations/{id}/brand",
	"PUT /bookkeeping/settings",
	"PUT /bookkeeping/accounts",
}

// single are those with which it changes what one control or a few fields show, with the members that the service
// knows. Of a PATCH everything else stays; a new member of the others wants a place in a form.
var single = map[string]string{
	"PUT /organisations/{id}/sign-on": "admitsOthers claim clientId clientSecret defaultRoles emergencyUsers isEnabled isRequired " +
		"issuer rules secondFactorValues vouchesForAddresses",
	"PATCH /operations/organisations/{id}/terms":     "cumulativeAmount customCommissions minUSDPaymentAmount transactionValueLimit",
	"PUT /operations/reviews/{id}/checklist/{point}": "done",
	"PATCH /organisations/{id}/members/{memberId}":   "isActive roles standsIn userType",
	"PATCH /email/preferences":                       "categories transactionMails",
	"PATCH /chat-channels/{id}":                      "address isEnabled language name news",
	"PATCH /auth/passkeys/{id}":                      "name",
	"PUT /organisations/{id}/brand/logo":             "",
	"PATCH /users/me":                                "address citizenship country dateOfBirth firstName lastName messagingHandle phoneNumber",
	"PATCH /receivers/{id}": "address countryIsoCode dateOfBirth email firstName isHidden lastName legalName middleName " +
		"phoneNumber taxId type",
	"PATCH /bank-accounts/{id}": "accountNumber accountType achSupport bankAddress bankAddress2 bankCity bankCode " +
		"bankCountry bankName bankState bankZip bicSwift branchCode branchName channel currency fedSupport iban ifscCode " +
		"intermediaryBankName intermediaryRoutingCode receiver routingNumber sortCode",
}

// document is what a test reads of the OpenAPI document.
type document struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	RequestBody struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type schema struct {
	Ref        string            `json:"$ref"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
}

func (d document) resolved(s schema) schema {
	if s.Ref == "" {
		return s
	}

	return d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
}

// fields returns the members that an operation takes; those of the items of a list stand behind the list's name.
func (d document) fields(call string) []string {
	method, path, _ := strings.Cut(call, " ")

	var out []string

	for name, member := range d.resolved(d.Paths[path][strings.ToLower(method)].RequestBody.Content["application/json"].Schema).Properties {
		inner := schema{}
		if member.Items != nil {
			inner = d.resolved(*member.Items)
		}

		if len(inner.Properties) == 0 {
			out = append(out, name)
		}

		for item := range inner.Properties {
			out = append(out, name+"/"+item)
		}
	}

	slices.Sort(out)

	return out
}

// written returns the members that a body has, in the same form.
func written(body object) (out []string) {
	for name, value := range body {
		items, isList := value.([]any)
		if !isList {
			out = append(out, name)
			continue
		}

		for _, item := range items {
			record, isRecord := item.(object)
			if !isRecord {
				out = append(out, name)
				continue
			}

			for member := range record {
				out = append(out, name+"/"+member)
			}
		}
	}

	slices.Sort(out)

	return slices.Compact(out)
}

// edited is a record with a value in every member that can be written, and what a person changes of it in a browser.
type edited struct {
	call    string
	read    string // path of the GET
	body    object // what was written
	edit    func(p *browsertest.Page)
	changed string // the member whose new value shows that the form was saved, as written names it
}

// TestFormsKeepWhatTheyDoNotChange writes every member that a form's operation takes, changes one of them in the
// browser, and compares: all others are as they were. A member that the service learns later must be written here, and
// so cannot be lost by a form that does not know it.
func TestFormsKeepWhatTheyDoNotChange(t *testing.T) {
	s := newStage(t)
	s.c.StaySignedIn()
	s.c.Colleague("Berta", "authorized", "admin")
	b := browsertest.Start(t)

	raw, err := s.h.App.API.OpenAPI()
	require.NoError(t, err)

	var d document
	require.NoError(t, json.Unmarshal(raw, &d))

	covered := map[string][]string{}

	for _, record := range slices.Concat(s.editedPayments(t), s.editedSettings(t)) {
		before := s.shown(record.read)
		p := b.Page(t, browsertest.Look{})
		record.edit(p)
		s.h.Until(record.call+" was saved", func() bool {
			return !equal(part(before, record.changed), part(s.shown(record.read), record.changed))
		})
		require.Empty(t, slices.DeleteFunc(p.Complaints(), func(text string) bool {
			return strings.Contains(text, "/validate") // a draft is checked, too, and this payee's address is refused
		}))
		p.Close()

		after := s.shown(record.read)
		for _, name := range written(record.body) {
			if name != record.changed {
				require.Equal(t, part(before, name), part(after, name), "%s loses %s", record.call, name)
				require.NotEmpty(t, part(after, name), "%s: %s has a value", record.call, name)
			}
		}

		covered[record.call] = append(covered[record.call], written(record.body)...)
	}

	for _, call := range changes {
		for _, field := range d.fields(call) {
			require.Contains(
				t,
				covered[call],
				field,
				"%s takes this member, and nothing shows that its form keeps it",
				call,
			)
		}
	}

	for _, call := range sentByTheConsole(t) {
		members, known := single[call]
		require.True(
			t,
			known || slices.Contains(changes, call),
			"the console sends %s, of which this test knows nothing",
			call,
		)

		if members != "" {
			require.Equal(t, members, strings.Join(d.topFields(call), " "), call)
		}
	}
}

// topFields returns the members of an operation's body.
func (d document) topFields(call string) []string {
	method, path, _ := strings.Cut(call, " ")
	body := d.resolved(d.Paths[path][strings.ToLower(method)].RequestBody.Content["application/json"].Schema)

	return slices.Sorted(maps.Keys(body.Properties))
}

var change = regexp.MustCompile(`api\.(PUT|PATCH)\("([^"]+)"`)

// sentByTheConsole returns the operations with which the console's sources change records.
func sentByTheConsole(t *testing.T) (out []string) {
	t.Helper()

	root := filepath.Join("..", "..", "..", "console", "src")
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		source, err := os.ReadFile(path)
		for _, found := range change.FindAllStringSubmatch(string(source), -1) {
			out = append(out, found[1]+" "+found[2])
		}

		return err
	}))
	require.NotEmpty(t, out)
	slices.Sort(out)

	return slices.Compact(out)
}

// shown returns a record as it is.
func (s *stage) shown(path string) (record object) {
	s.c.Do("GET", path, nil).OK(200).Into(&record)
	return record
}

// part returns a member of a record, or that member of each item of its list.
func part(record object, name string) any {
	list, member, inside := strings.Cut(name, "/")
	if !inside {
		return record[name]
	}

	var out []any

	items, _ := record[list].([]any)
	for _, item := range items {
		out = append(out, item.(object)[member])
	}

	return out
}

func equal(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)

	return string(x) == string(y)
}

func with(o, members object) object {
	out := maps.Clone(o)
	maps.Copy(out, members)

	return out
}

// uploaded stores a document.
func (s *stage) uploaded(t *testing.T) string {
	t.Helper()

	content, err := os.ReadFile(invoices(t, "CH9300762011623852957")[0])
	require.NoError(t, err)

	var made struct {
		Key string `json:"documentStorageKey"`
	}
	s.c.Do("POST", "/payables/upload", object{
		"fileBase64": base64.StdEncoding.EncodeToString(content),
		"fileName":   "bill.pdf",
	}).OK(201).Into(&made)

	return made.Key
}

// editedPayments are drafts of each type, and a payable.
func (s *stage) editedPayments(t *testing.T) []edited {
	t.Helper()

	account := s.c.NewBankAccount("EUR", "000")
	wallet := s.c.ProveWallet(s.c.Receiver, s.h.Account("Alice's wallet"))
	document := s.uploaded(t)
	usdc := s.h.World.Token("USDC")
	bad := s.h.Account("bad").Address
	s.h.Admin(usdc, "blacklist(address)", bad)

	failed := s.c.Do("POST", "/transactions", s.c.Body("USDC", s.c.Payment(bad, "2.00"))).OK(201).ID()
	s.c.Act(failed, "submit").OK(200)
	s.c.Act(failed, "accept").OK(200)
	s.h.Settle()
	s.c.Ends(failed, "FAILED", "FAILED")

	onPage := func(id string) func(p *browsertest.Page) {
		return func(p *browsertest.Page) {
			const amount = "input[name='/payments/0/amount']"
			p.Open(s.home() + "/transactions/" + id + "/edit")
			p.Await(amount)
			p.TabTo(amount)
			p.Control("a")
			p.Paste("1064.25") // at once: a saved draft follows the form, and half of an amount may be refused
		}
	}

	common := object{
		"amount":             "12.50",
		"reason":             "Invoice 2026-118",
		"instructions":       "Call before it is paid",
		"documentStorageKey": document,
	}
	payer := object{"token": "USDC", "walletAddress": s.c.Payer.Address.Hex(), "network": world.NetworkID}

	bodies := []object{
		with(payer, object{"type": "FIAT", "payments": []any{with(common, object{
			"type":              "FIAT",
			"receiver":          s.c.Receiver,
			"bankAccount":       account,
			"currencyIsoCode":   "EUR",
			"estimatedRate":     "0.92",
			"bankingFeesOption": "OUR",
			"reference":         "RF18539007547034",
		})}}),
		with(payer, object{"type": "CRYPTO", "payments": []any{
			with(common, object{
				"type":         "CRYPTO",
				"receiver":     s.c.Receiver,
				"wallet":       wallet,
				"tokenIsoCode": "USDC",
			}),
			with(common, object{
				"type":          "CRYPTO",
				"receiver":      s.c.Receiver,
				"walletAddress": bad.Hex(),
				"walletType":    "EOA",
				"network":       world.NetworkID,
				"tokenIsoCode":  "USDC",
				"again":         s.shown("/transactions/" + failed)["payments"].([]any)[0].(object)["_id"],
			}),
		}}),
		with(payer, object{"type": "ONRAMP", "amountCurrency": "EUR", "payments": []any{with(common, object{
			"type":                 "ONRAMP",
			"receiver":             s.shown("/receivers/self")["_id"],
			"amount":               "1200.00",
			"expectedTransferDate": "2026-12-24T10:30:00Z",
		})}}),
	}

	var out []edited

	for _, body := range bodies {
		id := s.c.Do("POST", "/transactions", body).OK(201).ID()
		out = append(out, edited{
			call:    "PUT /transactions/{id}",
			read:    "/transactions/" + id,
			body:    body,
			edit:    onPage(id),
			changed: "payments/amount",
		})
	}

	fiat := object{
		"type":                "FIAT",
		"name":                "Rent",
		"amount":              "1200.00",
		"reason":              "December",
		"receiver":            s.c.Receiver,
		"bankAccount":         account,
		"currencyIsoCode":     "EUR",
		"documentStorageKey":  document,
		"expectedPaymentDate": "2026-12-24",
		"instructions":        "Call before it is paid",
		"invoiceNumber":       "4711",
		"reference":           "RF18539007547034",
	}
	tokens := object{
		"type":         "CRYPTO",
		"name":         "Advice",
		"amount":       "20.00",
		"reason":       "December",
		"receiver":     s.c.Receiver,
		"wallet":       wallet,
		"tokenIsoCode": "USDC",
		"instructions": "Call before it is paid",
	}

	for _, body := range []object{fiat, tokens} {
		id := s.c.Do("POST", "/payables", with(body, object{"status": "DRAFT"})).OK(201).ID()
		out = append(out, edited{
			call: "PATCH /payables/{id}",
			read: "/payables/" + id,
			body: body,
			edit: func(p *browsertest.Page) {
				p.Open(s.home() + "/payables/" + id)
				p.Await(".doc .row .button, dl ~ .row .button")
				p.Holds(`[...document.querySelectorAll("button")].find(b => b.innerText === "Change").click(), true`)
				p.Await("form input[name='/name']")
				p.Fill("form input[name='/name']", "Rent of the hall")
				press(t, p, "form .button.primary")
			},
			changed: "name",
		})
	}

	return out
}

// editedSettings are what an organisation's admins set.
func (s *stage) editedSettings(t *testing.T) []edited {
	t.Helper()

	hook := newHook(t)
	own := s.c.Do("GET", "/organisations/"+s.c.Org, nil).OK(200)

	var organisation object
	own.Into(&organisation)

	settings := object{
		"name":                  organisation["name"],
		"defaultToken":          "USDC",
		"defaultWallet":         s.wallets()[0],
		"homeCurrency":          "CHF",
		"payablesEmail":         "bills@example.org",
		"quoteHeadroomPercent":  "1.5",
		"timeZone":              "Asia/Tokyo",
		"requireIdempotencyKey": true,
		"taxId":                 "DE123",
		"vatId":                 "DE123456789",
	}
	endpoint := object{
		"url":         hook.url,
		"description": "Ledger",
		"types":       []any{"transaction.completed"},
		"body":        "THIN",
	}
	brand := object{"name": "Northwind", "colour": "#7a1fa2"}
	policy := object{
		"fourEyes": true,
		"fourEyesLimits": []any{
			object{"amount": "100.00", "currency": "EUR"},
			object{"amount": "110.00", "currency": "USD"},
		},
		"payeeApproval":   true,
		"payeeDelayHours": 2,
		"signedIntents":   true,
		"dailyCaps": []any{
			object{"amount": "500.00", "token": "DAI"},
			object{"amount": "600.00", "token": "USDC"},
		},
		"acceptRules": []any{
			object{"people": 2, "type": "FIAT", "currency": "EUR", "above": "5000.00"},
			object{"people": 2, "currency": "USDC", "above": "6000.00"},
		},
	}
	values := object{
		"costMethod":        "AVERAGE",
		"feesInCost":        true,
		"revalueTokens":     true,
		"revalueCurrencies": true,
	}
	accounts := object{"accounts": []any{
		object{
			"kind":         "payee",
			"number":       "1611",
			"name":         "Suppliers",
			"asset":        "USDC",
			"place":        world.NetworkID,
			"receiverType": "COMPANY",
			"taxCode":      "9",
			"costCentre":   "4711",
		},
	}}
	delete(settings, "name")

	s.c.Do("PATCH", "/organisations/"+s.c.Org, settings).OK(200)
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/brand", brand).OK(200)
	made := s.c.Do("POST", "/webhook-endpoints", endpoint).OK(201).ID()
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", policy).OK(200)
	s.c.Do("PUT", "/bookkeeping/settings", values).OK(200)
	s.c.Do("PUT", "/bookkeeping/accounts", accounts).OK(200)

	fill := func(page, selector, text string) func(p *browsertest.Page) {
		return func(p *browsertest.Page) {
			p.Open(s.home() + page)
			p.Await(selector)
			p.Fill(selector, text)
			p.Press(browsertest.Enter)
		}
	}

	return []edited{
		{
			call:    "PATCH /organisations/{id}",
			read:    "/organisations/" + s.c.Org,
			body:    with(settings, object{"name": ""}),
			edit:    fill("/organisation", "input[name='/taxId']", "DE456"),
			changed: "taxId",
		},
		{
			call:    "PUT /organisations/{id}/brand",
			read:    "/organisations/" + s.c.Org + "/brand",
			body:    brand,
			edit:    fill("/organisation", "#brand input[name='/name']", "Northwind Ltd"),
			changed: "name",
		},
		{
			call:    "PATCH /webhook-endpoints/{id}",
			read:    "/webhook-endpoints/" + made,
			body:    with(endpoint, object{"isEnabled": true}),
			edit:    fill("/webhooks/"+made, "input[name='/description']", "Books"),
			changed: "description",
		},
		{
			call:    "PUT /organisations/{id}/approval-policy",
			read:    "/organisations/" + s.c.Org + "/approval-policy",
			body:    policy,
			edit:    fill("/people", "input[name='/payeeDelayHours']", "24"),
			changed: "payeeDelayHours",
		},
		{
			call: "PUT /bookkeeping/settings",
			read: "/bookkeeping/settings",
			body: values,
			edit: func(p *browsertest.Page) {
				p.Open(s.home() + "/books")
				p.Await("select[name='/costMethod']")
				p.TabTo("select[name='/costMethod']")
				p.Type("first")
				press(t, p, "section[aria-label='How the book values what it has'] button.button")
			},
			changed: "costMethod",
		},
		{
			call: "PUT /bookkeeping/accounts",
			read: "/bookkeeping/accounts",
			body: accounts,
			edit: func(p *browsertest.Page) {
				const form = "form[aria-label='An account']"

				p.Open(s.home() + "/books")
				p.Await("section[aria-label='Accounts'] tr:has(.code) button")
				press(t, p, "section[aria-label='Accounts'] tr:has(.code) button")
				p.Await(form)
				p.Fill(form+" .field:nth-child(2) input", "Creditors")
				p.Press(browsertest.Enter)
			},
			changed: "accounts/name",
		},
	}
}

// wallets are the identifiers of the organisation's own wallets.
func (s *stage) wallets() (out []string) {
	var list struct {
		Results []struct {
			ID       string `json:"_id"`
			Receiver struct {
				Self bool `json:"isSelf"`
			} `json:"receiver"`
		} `json:"results"`
	}
	s.c.Do("GET", "/wallets/me", nil).OK(200).Into(&list)

	for _, w := range list.Results {
		if w.Receiver.Self {
			out = append(out, w.ID)
		}
	}

	return out
}

// TestACopyHasWhatItsOriginalHas makes a copy of a payment in the form. It has all that the original has, also what the
// form does not ask for at first.
func TestACopyHasWhatItsOriginalHas(t *testing.T) {
	s := newStage(t)
	original := s.editedPayments(t)[0]
	p := browsertest.Start(t).Page(t, browsertest.Phone())

	p.Open(s.home() + "/transactions/new?like=" + strings.TrimPrefix(original.read, "/transactions/"))
	p.Await("input[name='/payments/0/reference']")
	p.Shot("copy")
	sound(t, p)
	press(t, p, ".actions .primary")
	p.Await(".payee")

	id := regexp.MustCompile(`txn_\w+`).FindString(p.Address())
	require.NotEmpty(t, id)
	require.NotContains(t, original.read, id)

	before, after := s.shown(original.read), s.shown("/transactions/"+id)
	for _, name := range written(original.body) {
		require.Equal(t, part(before, name), part(after, name), name)
	}
}
