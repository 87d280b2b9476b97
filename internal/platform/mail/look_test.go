package mail_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// emblem is a logo: a disc beside a bar, on nothing.
func emblem(t *testing.T) []byte {
	t.Helper()

	p := image.NewNRGBA(image.Rect(0, 0, 480, 120))
	for x := range 480 {
		for y := range 120 {
			if dx, dy := x-60, y-60; dx*dx+dy*dy < 50*50 || x > 140 && y > 40 && y < 80 {
				p.Set(x, y, color.NRGBA{R: 0x7a, G: 0x1f, B: 0xa2, A: 0xff})
			}
		}
	}

	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, p))

	return out.Bytes()
}

// pictured are mails as people get them, with texts of the length that they have.
func pictured() []mail.Message {
	when := words.When(time.Date(2026, 11, 26, 9, 5, 0, 0, time.UTC))
	sum := words.Sum("1234567.50", "USDC")
	refused := words.Phrase("the bank refused it: %s", "AC04 Closed account number")
	why := words.Phrase("%[1]s of %[2]s payments failed: %[3]s.", "2", "30",
		words.Phrase("payment %[1]s: %[2]s", "7", refused))
	facts := map[string]string{
		"name":         "Änne",
		"organisation": "Donaudampfschifffahrtsgesellschaft Northwind Trading AG",
		"what":         words.Phrase("%s payments to bank accounts", "30"),
		"amount":       sum,
		"receivers":    "Alice Keller, Société Générale de Surveillance SA",
		"reference":    "txn_06f2k8s0m4x3v7q9t1b5n8c2d4",
		"when":         when,
		"headline":     words.Phrase("Paid"),
		"lead":         words.Phrase("The transaction is completed."),
		"why":          why,
		"creator":      "Grace Hopper",
		"count":        "12",
		"more":         words.Phrase("And %s more.", "2"),
		"asker":        "Grace Hopper",
		"link":         "https://pay.example.org/i#ivl_06f2k8s0m4x3v7q9t1b5n8c2d4e6f8g0h2j4k6m8n0",
		"reason":       "Rent, November",
	}

	items := make([]mail.Item, 10)
	for i := range items {
		items[i] = mail.Item{
			Title: words.Phrase("%[1]s: %[2]s", words.Phrase("Waits for your approval"), sum),
			Text:  "Société Générale de Surveillance SA (pay_06f2k8s0m4x3v7q9t1b5n8c2d4)",
		}
	}

	var out []mail.Message
	for _, kind := range []mail.Kind{
		mail.TransactionNews,
		mail.ApprovalNeeded,
		mail.PayableSummary,
		mail.InvoiceRequest,
	} {
		out = append(out, mail.Message{
			Kind:         kind,
			To:           string(kind) + "@example.com",
			User:         "usr_1",
			Organisation: "org_1",
			Record:       facts["reference"],
			Data:         facts,
			Items:        items,
		})
	}

	return out
}

// Mails are drawn as pictures for people to look at, in every language, on a desk, on a telephone and in the dark. None
// of them is wider than its window, and each shows its logo.
func TestMailsPlease(t *testing.T) {
	browser := browsertest.Start(t)
	b := newBox(t, dbtest.SQLite(t), mail.Kept{}, true)
	logo := emblem(t)
	b.config.Console = "https://pay.example.org/console"
	b.config.Letterheads = func(context.Context, string) (mail.Letterhead, error) {
		return mail.Letterhead{Name: "Northwind", Colour: "#7a1fa2", Logo: logo}, nil
	}
	b.app("")

	var pages []mail.Shown

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || i >= len(pages) {
			w.WriteHeader(http.StatusNoContent) // the browser asks for an icon
			return
		}

		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pages[i].HTML))
	}))
	defer server.Close()

	require.NoError(t, b.db.Write(context.Background(), func(tx *db.Tx) error {
		for _, m := range pictured() {
			b.Queue(tx, m)
		}

		return nil
	}))

	dark := browsertest.Phone()
	dark.Dark = true

	for language, look := range map[string]browsertest.Look{"en": {}, "de": browsertest.Phone(), "fr": dark} {
		b.language = language

		var err error

		pages, err = b.Mailbox(context.Background(), "")
		require.NoError(t, err)

		p := browser.Page(t, look)

		for i, m := range pages {
			p.Open(fmt.Sprintf("%s/%d", server.URL, i))
			require.True(t, p.Holds("document.querySelector('img.logo').naturalWidth === 480"))
			require.Equal(t, language, p.Attribute("html", "lang"))
			p.Shot(m.Kind + "-" + language)
		}

		require.Empty(t, p.Complaints())
	}
}
