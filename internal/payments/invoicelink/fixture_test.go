//go:build !nosandbox

package invoicelink_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/document"
	"slipway/internal/identity/preference"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

// Callers of organisation A besides directorytest's: an approver, and a second admin.
const (
	approver = "org_a/usr_c//approver"
	second   = "org_a/usr_d//admin"
)

// sender is who the links of these tests go to.
const sender = "studio@example.com"

// world is invoice links over their real handlers, with the nouns they are built on.
type world struct {
	*directorytest.World
	links    *invoicelink.Service
	fourEyes bool
	coming   func() // runs while a file comes
	full     error  // why no file is taken

	mu      sync.Mutex
	mails   []mail.Message
	dropped []string // files
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	eachWith(t, invoicelink.Limits{}, test)
}

func eachWith(t *testing.T, limits invoicelink.Limits, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, newWorld(t, d, limits)) })
}

func newWorld(t *testing.T, d *db.DB, limits invoicelink.Limits) *world {
	t.Helper()
	w := &world{World: directorytest.New(t, d)}
	keys, err := secret.ParseKeyring(secret.NewKey("test"))
	require.NoError(t, err)
	outbox, err := mail.New(mail.Config{
		DB:          d,
		Sender:      mail.Kept{},
		From:        "no-reply@pay.example",
		Site:        "https://pay.example",
		Keep:        true,
		Preferences: preference.New(preference.Config{DB: d, Keyring: keys, BaseURL: "https://pay.example"}),
	})
	require.NoError(t, err)
	send := func(tx *db.Tx, m mail.Message) {
		outbox.Queue(tx, m) // renders it: a value that the template lacks is found here
		tx.OnCommit(func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.mails = append(w.mails, m)
		})
	}
	payables := payable.New(payable.Deps{DB: d})
	accounts := w.BankAccountDeps()
	w.links = invoicelink.New(invoicelink.Deps{
		DB:          d,
		BaseURL:     "https://pay.example",
		Limits:      limits,
		OrgApproved: accounts.OrgApproved,
		OrgName:     accounts.OrgName,
		Recipients: func(_ context.Context, _ db.Querier, _, maker string) ([]string, error) {
			return []string{maker}, nil
		},
		FourEyes:      func(context.Context, db.Querier, string) (bool, error) { return w.fourEyes, nil },
		BankAccounts:  w.BankAccounts,
		Wallets:       w.Wallets,
		StoreDocument: w.keep,
		DropDocuments: w.drop,
		Payables:      payables,
		Mail:          send,
	})
	payables.Routes(w.API)
	w.links.Routes(w.API)

	return w
}

// keep takes files without looking at them: what documents are is the document noun's to test.
func (w *world) keep(ctx context.Context, f document.New, then func(tx *db.Tx, d document.Stored) error) error {
	if w.coming != nil {
		w.coming()
	}

	if w.full != nil {
		return w.full
	}

	key := id.New("doc", w.DB.Now())

	return w.DB.Write(ctx, func(tx *db.Tx) error {
		return then(tx, document.Stored{Document: document.Document{
			Key:          key,
			Organisation: f.Organisation,
			Link:         f.Link,
			Name:         "bill.pdf",
			ContentType:  document.PDF,
			Size:         3,
		}})
	})
}

// drop notes what is taken away; nothing refers to any file.
func (w *world) drop(_ context.Context, tx *db.Tx, _ string, keys []string) ([]string, error) {
	tx.OnCommit(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.dropped = append(w.dropped, keys...)
	})

	return nil, nil
}

// told gives the mails that were queued since the last call.
func (w *world) told() []mail.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.mails
	w.mails = nil

	return out
}

type object = map[string]any

func body(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)

	return string(raw)
}

// post sends a body; an empty caller is an outside party.
func (w *world) post(caller, path string, b object) *directorytest.Answer {
	w.T.Helper()
	return w.Do(caller, "POST", path, body(w.T, b))
}

// link makes a link for a new receiver and gives its token and identifier.
func (w *world) link(caller string) (token, id string) {
	w.T.Helper()
	return w.made(caller, object{"isExistingReceiver": false, "email": sender})
}

// made makes a link.
func (w *world) made(caller string, b object) (token, id string) {
	w.T.Helper()
	a := w.post(caller, "/payables/generate-invoice-link", b).Status(201)
	_, token, found := strings.Cut(a.Text("link"), "/i#")
	require.True(w.T, found, a.Raw)

	return token, a.Text("tokenId")
}

func person(token string) object {
	return object{
		"token":          token,
		"type":           "COMPANY",
		"email":          sender,
		"legalName":      "Studio Ana Łukić",
		"address":        object{"addressLine1": "Hauptstr. 5", "postCode": "10115", "city": "Berlin"},
		"countryIsoCode": "DE",
	}
}

// Two good accounts in Germany.
const (
	ibanOne = "DE89370400440532013000"
	ibanTwo = "DE12500105170648489890"
)

func account(token, iban string) object {
	return object{
		"token":       token,
		"bankCountry": "DE",
		"currency":    "EUR",
		"iban":        iban,
		"bicSwift":    "COBADEFFXXX",
	}
}

func invoice(token string) object {
	return object{
		"token":           token,
		"amount":          "1250.00",
		"currencyIsoCode": "EUR",
		"invoiceNumber":   "2026-17",
		"reason":          "Logo and letterhead",
	}
}

// handedIn leads an outside party through all steps of a link for a new receiver.
func (w *world) handedIn(token string) {
	w.T.Helper()
	w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
	w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
	w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
}

// count reads one number.
func (w *world) count(query string, args ...any) int64 {
	w.T.Helper()
	n, err := db.Value[int64](context.Background(), w.DB, query, args...)
	require.NoError(w.T, err)

	return n
}

// at sends a request of an outside party from an address.
func (w *world) at(source, method, path string, b object) *httptest.ResponseRecorder {
	w.T.Helper()
	r := httptest.NewRequest(method, path, bytes.NewBufferString(body(w.T, b)))
	r.RemoteAddr = source + ":4711"
	rec := httptest.NewRecorder()
	w.API.Handler().ServeHTTP(rec, r)

	return rec
}

// together runs a function several times at once.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}

	all.Wait()
}
