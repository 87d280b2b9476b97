//go:build !nosandbox

package app_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// watched is a record whose answers, list items and events are compared with what GET shows right after.
type watched struct {
	h    *apptest.Harness
	c    *apptest.Client
	path string // of the record
	list string // of the list that holds it; "": there is none
}

// shown returns what GET shows of the record.
func (w watched) shown() object {
	w.h.T.Helper()

	var v object
	w.c.Do("GET", w.path, nil).OK(200).Into(&v)

	return v
}

// does calls an operation on the record, and compares its answer with GET.
func (w watched) does(method, action string, body any, status int) {
	w.h.T.Helper()

	var answer object
	w.c.Do(method, w.path+action, body).OK(status).Into(&answer)
	w.same(method+" "+action, answer)
}

// same compares an answer, the item of the list and the last event with what GET shows.
func (w watched) same(what string, answer object) {
	w.h.T.Helper()

	get := w.shown()
	if answer != nil {
		require.Equal(w.h.T, get, answer, "the answer of %s, and GET %s", what, w.path)
	}

	var (
		item, event object
		kind        string
	)

	for range 10 { // a job may change the record between two reads
		get = w.shown()
		item = w.item(get["_id"])
		event, kind = w.event(get["_id"].(string))

		if reflect.DeepEqual(get, w.shown()) {
			break
		}
	}

	if w.list != "" {
		require.Equal(w.h.T, get, item, "the item of %s after %s, and GET", w.list, what)
	}

	for _, name := range []string{"version", "updatedAt"} {
		if value, ok := event[name]; ok && value != get[name] { // not every change is an event
			return
		}
	}

	w.within(kind+" after "+what, event, get)
}

// item returns the record's item of its list.
func (w watched) item(id any) object {
	w.h.T.Helper()

	if w.list == "" {
		return nil
	}

	var page struct {
		Results []object `json:"results"`
	}
	w.c.Do("GET", w.list, nil).OK(200).Into(&page)

	for _, x := range page.Results {
		if x["_id"] == id {
			return x
		}
	}

	require.Fail(w.h.T, "not in the list", "%s of %s", id, w.list)

	return nil
}

// event returns the data of the record's last event.
func (w watched) event(id string) (data object, kind string) {
	w.h.T.Helper()

	type row struct{ kind, data string }
	rows, err := db.Select(w.h.T.Context(), w.h.DB(), func(r *row) []any { return []any{&r.kind, &r.data} },
		"SELECT type, data FROM events WHERE object = ? ORDER BY sequence DESC, id DESC LIMIT 1", id)
	require.NoError(w.h.T, err)

	if len(rows) == 0 {
		return nil, ""
	}

	require.NoError(w.h.T, json.Unmarshal([]byte(rows[0].data), &data))

	return data, rows[0].kind
}

// within requires that every member of an event has the value that GET shows. Only what was before has no place there.
func (w watched) within(what string, event, get map[string]any) {
	w.h.T.Helper()

	for name, value := range event {
		if strings.HasPrefix(name, "previous") {
			continue
		}

		inner, ok := value.(map[string]any)
		if !ok {
			require.Equal(w.h.T, get[name], value, "%s of %s, and GET %s", name, what, w.path)
			continue
		}

		require.IsType(w.h.T, map[string]any{}, get[name], "%s of %s, and GET %s", name, what, w.path)
		w.within(what+"."+name, inner, get[name].(map[string]any))
	}
}

// watch creates a record and compares the answer.
func watch(h *apptest.Harness, c *apptest.Client, collection, list string, body any) watched {
	h.T.Helper()

	var made object
	c.Do("POST", collection, body).OK(201).Into(&made)

	w := watched{h, c, collection + "/" + made["_id"].(string), list}
	w.same("POST "+collection, made)

	return w
}

const allTransactions = "/transactions?columnId=all&limit=250"

// One view of a transaction: create, PUT, submit, accept, the list and the events have what GET shows, at each step and
// for each type.
func TestAnswersListsAndEventsAreWhatGetShows(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		eur := account(h, c, "EUR")

		fiat := watch(h, c, "/transactions", allTransactions, fiatBody(c, payout(c, eur, "90.00", "EUR")))
		require.NotEmpty(t, fiat.shown()["fees"], "they are part of the debit of a draft, too")
		fiat.does("PUT", "", fiatBody(c, payout(c, eur, "95.00", "EUR"), payout(c, eur, "5.00", "EUR")), 200)
		fiat.does("POST", "/submit", nil, 200)
		require.NotNil(t, fiat.shown()["quote"])
		require.NotEmpty(t, fiat.shown()["fees"])
		c.Do("POST", fiat.path+"/comments", object{"comment": "For November."}).OK(201)
		fiat.same("a comment", nil)
		fiat.does("POST", "/accept", nil, 200)

		onramp := watch(h, c, "/transactions", allTransactions, onrampBody(c, "2000.00", "EUR"))
		onramp.does("PUT", "", onrampBody(c, "2500.00", "EUR"), 200)
		onramp.does("POST", "/submit", nil, 200)

		crypto := watch(h, c, "/transactions", allTransactions, c.Body("USDC", c.Payment(c.Payee, "3.00")))
		crypto.does("PUT", "", c.Body("USDC", c.Payment(c.Payee, "3.00"), c.Payment(c.Payee, "4.00")), 200)
		crypto.does("POST", "/submit", nil, 200)
		c.Do("POST", crypto.path+"/comments", object{"comment": "Two invoices."}).OK(201)
		crypto.does("POST", "/accept", nil, 200)
		require.Len(t, crypto.shown()["timeline"], 3)
		require.Len(t, crypto.shown()["comments"], 1)

		all := []watched{fiat, onramp, crypto}
		for range 4 {
			h.BankRound()
			h.World.Chain.Mine(1)

			for _, w := range all {
				w.same("a step of settlement", nil)
			}
		}

		h.Deposit(banksim.Deposit{
			Reference: depositReference(c, onramp.path),
			Amount:    "2500.00",
			Currency:  "EUR",
			Sender:    c.Name(),
		})
		h.BankUntil("the deposit is matched", func() bool { return onramp.shown()["status"] != "WAITING_ACCEPTANCE" })
		h.SettleAll()

		for _, w := range all {
			require.Equal(t, "COMPLETED", w.shown()["status"], w.path)
			require.NotEmpty(t, w.shown()["chain"], w.path)
			w.same("its end", nil)
		}

		gone := watch(h, c, "/transactions", allTransactions, c.Body("USDC", c.Payment(c.Payee, "3.00")))
		c.Do("DELETE", gone.path, nil).OK(200)
		c.Do("GET", gone.path, nil).Refused(404, "NOT_FOUND")
		h.Oracle()
	})
}

func depositReference(c *apptest.Client, transaction string) string {
	var d details
	c.Do("GET", transaction+"/bank-details", nil).OK(200).Into(&d)

	return d.Reference
}

// One view of every other record.
func TestRecordsAreShownInOneWay(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		watchPayees(t, h, c)
		watchPayables(t, h, c)
		watchOrganisation(t, h, c)

		staff := h.Client("Olga")
		staff.Staff("operator")
		network := watch(h, staff, "/networks", "/networks?limit=250", object{"name": "Testing", "type": "evm"})
		network.does("PATCH", "", object{"isTestnet": true}, 200)
	})
}

func watchPayees(t *testing.T, h *apptest.Harness, c *apptest.Client) {
	t.Helper()

	receiver := watch(h, c, "/receivers", "/receivers/me?limit=250", object{
		"type":           "COMPANY",
		"legalName":      "Hosting AG",
		"email":          "hosting@example.org",
		"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	})
	id := receiver.shown()["_id"]

	account := watch(h, c, "/bank-accounts", "/bank-accounts/me?limit=250",
		with(bankAccounts["EUR"], object{"receiver": id}))
	h.RunJobs() // validated
	account.same("validation", nil)
	account.does("PATCH", "", object{"bankName": "Commerzbank"}, 200)

	wallet := watch(h, c, "/wallets", "/wallets/me?limit=250", object{
		"address":  h.Account("Hosting").Address.Hex(),
		"network":  world.NetworkID,
		"receiver": id,
	})
	h.RunJobs() // screened
	wallet.same("screening", nil)
	wallet.does("POST", "/challenge", nil, 200)

	receiver.does("PATCH", "", object{"phoneNumber": "+41441234567"}, 200)
	require.Len(t, receiver.shown()["bankAccounts"], 1)
	require.Len(t, receiver.shown()["wallets"], 1)

	for _, w := range []watched{account, wallet} {
		within := w.shown()["receiver"].(map[string]any)

		for name, value := range receiver.shown() {
			switch name {
			case "bankAccounts", "wallets":
				require.Nil(t, within[name], "what belongs to the receiver of %s stands there", w.path)
			case "owner", "country", "organisation":
				require.Equal(t, value.(map[string]any)["_id"], within[name].(map[string]any)["_id"], name)
			case "allowedActions":
				require.NotContains(t, within, name)
			default:
				require.Equal(t, value, within[name], "%s of the receiver of %s", name, w.path)
			}
		}
	}
}

func watchPayables(t *testing.T, h *apptest.Harness, c *apptest.Client) {
	t.Helper()

	const list = "/payables/me?limit=250"
	p := newPayee(h, c, "Beat")

	payable := watch(h, c, "/payables", list, p.crypto("7.00"))
	payable.does("PATCH", "", object{"instructions": "Before noon"}, 200)
	c.Do("POST", payable.path+"/comments", object{"comment": "Looks right."}).OK(201)
	payable.does("POST", "/approve", nil, 200)
	payable.does("POST", "/reopen", nil, 200)
	payable.does("POST", "/approve", nil, 200)
	require.Len(t, payable.shown()["comments"], 1)

	rejected := watch(h, c, "/payables", list, with(p.crypto("8.00"), object{"name": "Other"}))
	rejected.does("POST", "/reject", object{"reason": "Not ours"}, 200)

	var made object
	pay(c, payable.shown()["_id"].(string)).OK(201).Into(&made)
	batch := watched{h, c, "/transactions/" + made["_id"].(string), allTransactions}
	batch.same("POST /transactions/payables", made)
	payable.same("POST /transactions/payables", nil)
	batch.does("POST", "/submit", nil, 200)
	batch.does("POST", "/accept", nil, 200)
	h.Settle()
	batch.same("its end", nil)
	payable.same("its payment", nil)
	require.Equal(t, "PAID", payable.shown()["status"])
}

func watchOrganisation(t *testing.T, h *apptest.Harness, c *apptest.Client) {
	t.Helper()

	organisation := watched{h, c, "/organisations/" + c.Org, "/organisations/me?limit=250"}
	organisation.does("PATCH", "", object{"payablesEmail": "invoices@example.org"}, 200)
	require.NotEmpty(t, organisation.shown()["wallets"], "the wallets of its own receiver")
	require.Empty(t, organisation.shown()["senders"])

	sender := c.Do("POST", "/bank-accounts", with(bankAccounts["EUR"], object{"receiver": c.Self})).OK(201).ID()
	key := c.Do("POST", "/payables/upload", object{
		"fileBase64": pixel,
		"fileName":   "register.png",
	}).OK(201)

	var document struct {
		Key string `json:"documentStorageKey"`
	}
	key.Into(&document)
	c.Do("POST", organisation.path+"/comments", object{
		"comment":   "Extract of the register.",
		"documents": []string{document.Key},
	}).OK(201)
	organisation.same("a comment", nil)

	v := organisation.shown()
	require.Equal(t, []any{document.Key}, v["documents"])
	require.Equal(t, []any{document.Key}, v["comments"].([]any)[0].(map[string]any)["documents"])
	require.Equal(t, sender, v["senders"].([]any)[0].(map[string]any)["_id"])

	var info object
	c.Do("GET", organisation.path+"/senders-info", nil).OK(200).Into(&info)
	require.Equal(t, v["senders"], info["senders"])
	c.Do("DELETE", "/documents/"+document.Key, nil).Refused(409, "DOCUMENT_IN_USE")

	c.Colleague("Bea", "viewer", "viewer")

	var members struct {
		Results []any `json:"results"`
	}
	c.Do("GET", organisation.path+"/members", nil).OK(200).Into(&members)
	require.Len(t, members.Results, 2)
	require.Equal(t, organisation.shown()["members"], members.Results)
	organisation.same("a member", nil)
}
