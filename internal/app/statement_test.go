//go:build !nosandbox

package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/statement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/standards/qrbill"
)

var asPDF = apptest.Header{Name: "Accept", Value: "application/pdf"}

// linked is the answer of statement and invoice.
type linked struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
	SHA256    string    `json:"sha256"`
	FileName  string    `json:"fileName"`
}

// path is what of a link's address leads to this service.
func (l linked) path(t *testing.T) string {
	u, err := url.Parse(l.URL)
	require.NoError(t, err)
	return u.Path
}

// sums is what a stored content adds up.
type sums struct {
	Number   string   `json:"number"`
	Totals   []sum    `json:"totals"`
	Booked   []sum    `json:"booked"`
	Lines    []charge `json:"lines"`
	Total    charge   `json:"total"`
	Corrects struct {
		Number string `json:"number"`
	} `json:"corrects"`
	Home struct {
		VAT   string `json:"vat"`
		Total string `json:"total"`
		Taxes []struct {
			Percent string `json:"percent"`
		} `json:"taxes"`
	} `json:"home"`
	Payments []struct {
		Receiver string `json:"receiver"`
		Status   string `json:"status"`
		Tokens   *asset `json:"tokens"`
	} `json:"payments"`
}

type (
	asset struct {
		Value string `json:"value"`
		Asset string `json:"asset"`
	}
	charge struct {
		Label  string `json:"label"`
		Amount asset  `json:"amount"`
	}
	sum struct {
		Label  string `json:"label"`
		Amount asset  `json:"amount"`
		Total  bool   `json:"total"`
	}
)

func rat(t *testing.T, a asset) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(a.Value)
	require.True(t, ok, a)

	return r
}

// contentOf reads what was stored behind the newest link of a transaction.
func contentOf(t *testing.T, h *apptest.Harness, table, transaction string) sums {
	t.Helper()
	return contentWhere(t, h, table, "transaction_id = ?", transaction)
}

// contentWhere reads what the newest document of a table says.
func contentWhere(t *testing.T, h *apptest.Harness, table, where string, args ...any) (out sums) {
	t.Helper()
	id, err := db.Value[string](
		t.Context(),
		h.DB(),
		"SELECT id FROM "+table+" WHERE "+where+" ORDER BY id DESC LIMIT 1",
		args...,
	)
	require.NoError(t, err)

	for _, c := range statement.Sealed() {
		if c.Name() == table+".sealed" {
			apptest.Answer{T: t, Raw: dbtest.Opened(t, h.DB(), c)[id]}.Into(&out)
		}
	}

	return out
}

// add requires that what a statement lists sums to what it says: the price to its total, and what is booked to
// nothing for each asset.
func (s sums) add(t *testing.T) {
	t.Helper()

	price := new(big.Rat)
	for i, x := range s.Totals {
		if x.Total {
			require.Zero(t, price.Cmp(rat(t, x.Amount)), "the price %v", s.Totals)
		} else {
			require.NotEqual(t, len(s.Totals)-1, i, "what is listed is summed: %v", s.Totals)
			price.Add(price, rat(t, x.Amount))
		}
	}

	books := map[string]*big.Rat{}
	for _, x := range s.Booked {
		if x.Total {
			require.Equal(t, "0.00", x.Amount.Value)
			require.Zero(t, books[x.Amount.Asset].Sign(), "the books %v", s.Booked)
			continue
		}

		if books[x.Amount.Asset] == nil {
			books[x.Amount.Asset] = new(big.Rat)
		}

		books[x.Amount.Asset].Add(books[x.Amount.Asset], rat(t, x.Amount))
	}
}

// sum requires that the lines of an invoice sum to its total, and returns it.
func (s sums) sum(t *testing.T) *big.Rat {
	t.Helper()

	sum := new(big.Rat)
	for _, l := range s.Lines {
		sum.Add(sum, rat(t, l.Amount))
	}

	require.Zero(t, sum.Cmp(rat(t, s.Total.Amount)))

	return sum
}

// kept writes a document into the folder of artifacts, if a run asks for it.
func kept(t *testing.T, name string, file string) {
	t.Helper()

	if dir := os.Getenv("SLIPWAY_TEST_ARTIFACTS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".pdf"), []byte(file), 0o600))
	}
}

// A statement comes as a file, or as a link that is good for ten minutes for whoever holds it and opens nothing when
// a character of it is changed; to another organisation the transaction does not exist.
func TestStatementAsAFileAndByLink(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		id := c.Draft("USDC", "12.50", "1000.00")
		file := c.Do("POST", "/transactions/"+id+"/statement", nil, asPDF).OK(200)
		kept(t, "crypto-draft", file.Raw)
		require.Equal(t, "application/pdf", file.Header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="statement-`+id+`.pdf"`, file.Header.Get("Content-Disposition"))
		require.Equal(t, "nosniff", file.Header.Get("X-Content-Type-Options"))
		require.True(t, strings.HasPrefix(file.Raw, "%PDF-"))
		require.EqualValues(t, 0, h.Count("SELECT count(*) FROM statements"), "a file leaves nothing behind")

		var l, again linked
		c.Do("POST", "/transactions/"+id+"/statement", nil).OK(200).Into(&l)
		require.NotContains(t, l.URL, strings.TrimPrefix(id, "txn_"), "the link names no record of the tenant")
		require.WithinDuration(t, h.DB().Now().Add(10*time.Minute), l.ExpiresAt, time.Second)
		got := h.Do(h.App, "GET", l.path(t), "", nil).OK(200)
		digest := sha256.Sum256([]byte(got.Raw))
		require.Equal(t, l.SHA256, hex.EncodeToString(digest[:]))
		require.Contains(t, got.Header.Get("Content-Security-Policy"), "sandbox")
		c.Do("POST", "/transactions/"+id+"/statement", nil).OK(200).Into(&again)
		require.Equal(t, l.SHA256, again.SHA256, "nothing has changed: the same document")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM statements"))
		contentOf(t, h, "statements", id).add(t)

		other.Do("POST", "/transactions/"+id+"/statement", nil).Refused(404, "NOT_FOUND")
		other.Do("POST", "/transactions/"+id+"/invoice", nil).Refused(404, "NOT_FOUND")
		other.Do("POST", "/transactions/"+id+"/credit-note", nil).Refused(404, "NOT_FOUND")
		c.Do("POST", "/transactions/"+id+"/invoice", nil).Refused(409, "INVOICE_TOO_EARLY")
		c.Do("POST", "/transactions/"+id+"/credit-note", nil).Refused(409, "INVOICE_TOO_EARLY")

		path := l.path(t)
		for i := len("/downloads/"); i < len(path); i++ {
			changed := path[:i] + string(rune('a'+(path[i]+1)%26)) + path[i+1:]
			if changed != path {
				require.Equal(t, "DOWNLOAD_LINK_INVALID", h.Do(h.App, "GET", changed, "", nil).Code(), changed)
			}
		}

		h.DB().Clock().Advance(10 * time.Minute)
		h.Do(h.App, "GET", path, "", nil).Refused(410, "DOWNLOAD_LINK_EXPIRED")
		h.DB().Clock().Advance(time.Hour)
		require.NoError(t, h.App.Statements.Forget(t.Context(), 100))
		require.Zero(t, h.Count("SELECT count(*) FROM statements"))

		c.Login() // the hour was longer than the token
		id = c.Accepted("USDC", "12.50", "1000.00")
		h.Settle()
		kept(t, "crypto-completed", c.Do("POST", "/transactions/"+id+"/statement", nil, asPDF).OK(200).Raw)
		c.Do("POST", "/transactions/"+id+"/statement", nil).OK(200)
		content := contentOf(t, h, "statements", id)
		content.add(t)
		require.NotEmpty(t, content.Booked)
		c.Do("POST", "/transactions/"+id+"/credit-note", nil).Refused(409, "NOTHING_GIVEN_BACK")
		require.Zero(t, h.Count("SELECT count(*) FROM invoices"), "and no number is used")
		kept(t, "crypto-invoice", c.Do("POST", "/transactions/"+id+"/invoice", nil, asPDF).OK(200).Raw)
	})
}

// Statements and invoices have the organisation's logo. One that was issued keeps it when the brand has none by now.
func TestDocumentsHaveTheLogoThatTheyWereMadeWith(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "900.00"))
		h.SettleAll()

		const picture = "/Subtype /Image"

		plain := c.Do("POST", "/transactions/"+id+"/statement", nil, asPDF).OK(200).Raw
		require.NotContains(t, plain, picture)

		var drawn bytes.Buffer
		require.NoError(t, png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 80, 20))))

		logo := "/organisations/" + c.Org + "/brand/logo"
		c.Do("PUT", logo, apptest.Object{
			"fileBase64":  base64.StdEncoding.EncodeToString(drawn.Bytes()),
			"fileName":    "logo.png",
			"contentType": "image/png",
		}).OK(200)

		require.Contains(t, c.Do("POST", "/transactions/"+id+"/statement", nil, asPDF).OK(200).Raw, picture)

		issued := c.Do("POST", "/transactions/"+id+"/invoice", nil, asPDF).OK(200).Raw
		require.Contains(t, issued, picture)

		c.Do("DELETE", logo, nil).OK(200)
		require.Equal(t, issued, c.Do("POST", "/transactions/"+id+"/invoice", nil, asPDF).OK(200).Raw)
		require.NotContains(t, c.Do("POST", "/transactions/"+id+"/statement", nil, asPDF).OK(200).Raw, picture)
	})
}

// What a FIAT transaction with a failed payment says adds up, on the statement and on the invoice; invoices have
// numbers without gaps, one for each transaction, however many ask at once.
func TestStatementAndInvoiceOfFiat(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		good := c.NewBankAccount("EUR", "000")
		gone := c.NewBankAccount("EUR", "002")
		gbp := c.NewBankAccount("GBP", "000")

		var ids []string
		for range 2 {
			ids = append(
				ids,
				c.FiatAccepted(
					"USDC",
					c.FiatPayment(good, "900.00"),
					c.FiatPayment(gone, "90.00"),
					c.FiatPayment(gbp, "80.00"),
				),
			)
		}

		kept(t, "fiat-processing", c.Do("POST", "/transactions/"+ids[0]+"/statement", nil, asPDF).OK(200).Raw)
		c.Do("POST", "/transactions/"+ids[0]+"/invoice", nil).Refused(409, "INVOICE_TOO_EARLY")
		h.SettleAll()
		kept(t, "fiat-mixed", c.Do("POST", "/transactions/"+ids[0]+"/statement", nil, asPDF).OK(200).Raw)
		c.Do("POST", "/transactions/"+ids[0]+"/statement", nil).OK(200)
		content := contentOf(t, h, "statements", ids[0])
		content.add(t)
		require.Len(t, content.Payments, 3)
		require.NotEqual(t, content.Payments[0].Status, content.Payments[1].Status, "one has failed")

		var (
			answers [8]linked
			wg      sync.WaitGroup
		)
		for i := range answers {
			wg.Go(func() { c.Do("POST", "/transactions/"+ids[i%2]+"/invoice", nil).OK(200).Into(&answers[i]) })
		}

		wg.Wait()
		year := h.DB().Now().UTC().Year()
		require.ElementsMatch(
			t,
			[]string{fmt.Sprintf("invoice-%d-000001.pdf", year), fmt.Sprintf("invoice-%d-000002.pdf", year)},
			[]string{answers[0].FileName, answers[1].FileName},
		)

		for i := range answers {
			require.Equal(t, answers[i%2].SHA256, answers[i].SHA256)
		}

		kept(t, "fiat-invoice", h.Do(h.App, "GET", answers[0].path(t), "", nil).OK(200).Raw)
		bill := contentOf(t, h, "invoices", ids[0])
		charged := bill.sum(t)

		var credit linked
		c.Do("POST", "/transactions/"+ids[0]+"/credit-note", nil).OK(200).Into(&credit)
		require.Equal(t, fmt.Sprintf("credit-note-%d-000003.pdf", year), credit.FileName)
		kept(t, "fiat-credit-note", h.Do(h.App, "GET", credit.path(t), "", nil).OK(200).Raw)

		note := contentOf(t, h, "invoices", ids[0])
		require.Equal(t, bill.Number, note.Corrects.Number)

		back := note.sum(t)
		require.Positive(t, back.Sign(), "the failed payment's fees were given back")

		fees := new(big.Rat)
		for _, x := range content.Booked {
			if strings.HasPrefix(x.Label, "Fees: ") {
				fees.Add(fees, rat(t, x.Amount))
			}
		}

		require.Zero(
			t,
			fees.Cmp(charged.Sub(charged, back)),
			"the invoice less its credit note is what the ledger has earned: %v",
			content.Booked,
		)
		h.Oracle()
	})
}

// An ONRAMP transaction that waits for its deposit shows how to pay, with a code that a scanner reads back from the
// page: the EPC's for euro, a Swiss QR-bill for francs. When the deposit is there, nothing asks for it any more.
func TestStatementOfOnrampCanBePaidFrom(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		scan := qrscan.New(qrscan.Settings{CacheDir: platformtest.PDFCache()})
		t.Cleanup(func() { require.NoError(t, scan.Close(t.Context())) })
		c := h.Client("Ada")
		read := func(id string) []qrscan.Code {
			file := c.Do("POST", "/transactions/"+id+"/statement", nil, asPDF).OK(200).Raw
			kept(t, "onramp-"+string(c.Read(id).Status)+"-"+id[len(id)-4:], file)
			found, err := scan.Read(t.Context(), []byte(file), qrscan.MostMemory)
			require.NoError(t, err)

			return found
		}
		id, _ := c.OnrampSubmitted("USDC", "EUR", "2000.00")
		codes := read(id)
		require.Len(t, codes, 1)
		lines := strings.Split(codes[0].Text, "\n")
		require.Equal(t, []string{"BCD", "002", "1", "SCT"}, lines[:4])
		require.Equal(t, "EUR2000.00", lines[7])
		require.True(t, strings.HasPrefix(lines[9], "RF"), lines[9])

		francs, reference := c.OnrampSubmitted("USDC", "CHF", "3000.00")
		codes = read(francs)
		require.Len(t, codes, 1)
		bill, err := qrbill.Parse(codes[0].Text)
		require.NoError(t, err)
		require.Equal(t, "3000.00", bill.Amount)
		require.Equal(t, "CHF", bill.Currency)
		require.Contains(t, bill.Reference, strings.ReplaceAll(reference, "-", ""))
		require.Equal(t, "Zürich", bill.Creditor.Town)

		h.Deposit(banksim.Deposit{
			Account:   "chf",
			Reference: reference,
			Amount:    "3000.00",
			Currency:  "CHF",
			Sender:    c.Name(),
		})
		h.BankUntil("the tokens are delivered", func() bool {
			return c.Read(francs).Status == transaction.StatusCompleted
		})
		require.Empty(t, read(francs))
		c.Do("POST", "/transactions/"+francs+"/statement", nil).OK(200)
		contentOf(t, h, "statements", francs).add(t)
		invoice := c.Do("POST", "/transactions/"+francs+"/invoice", nil, asPDF).OK(200)
		require.True(t, bytes.HasPrefix([]byte(invoice.Raw), []byte("%PDF-")))
		kept(t, "onramp-invoice", invoice.Raw)
	})
}
