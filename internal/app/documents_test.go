//go:build !nosandbox

package app_test

import (
	"context"
	"encoding/base64"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// bill is a small PDF.
const bill = "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 2 " +
	"/Root 1 0 R >>\nstartxref\n44\n%%EOF\n"

// upload stores a document and gives its key.
func upload(c *apptest.Client, content string) string {
	var v struct {
		Key string `json:"documentStorageKey"`
	}
	c.Do("POST", "/payables/upload", object{
		"fileBase64": base64.StdEncoding.EncodeToString([]byte(content)),
		"fileName":   "bill.pdf",
	}).OK(201).Into(&v)

	return v.Key
}

func TestPaymentNamesADocumentOfItsOwnOrganisationAlone(t *testing.T) { // L-04, Z-02
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		a := h.Client("alice")
		b := h.Client("bob")
		own := upload(a, bill)
		foreign := upload(b, bill)
		spare := upload(a, bill)
		to := common.HexToAddress("0x00000000000000000000000000000000000b0b01")
		pay := func(keys ...string) object {
			var payments []apptest.Object
			for _, k := range keys {
				p := a.Payment(to, "1.00")
				p["documentStorageKey"] = k
				payments = append(payments, p)
			}

			return a.Body("USDC", payments...)
		}
		a.Do("POST", "/transactions", pay(own, foreign, "", "doc_x", "../../etc/passwd")).
			Refused(
				422,
				"VALIDATION",
				"/payments/1/documentStorageKey DOCUMENT_UNKNOWN",
				"/payments/3/documentStorageKey DOCUMENT_UNKNOWN",
				"/payments/4/documentStorageKey DOCUMENT_UNKNOWN",
			)
		draft := a.Do("POST", "/transactions", pay(own, "")).OK(201).ID()
		a.Do("PUT", "/transactions/"+draft, pay(foreign)).Refused(
			422,
			"DOCUMENT_UNKNOWN",
			"/payments/0/documentStorageKey DOCUMENT_UNKNOWN",
		)
		require.Equal(t, 200, a.Do("GET", "/documents/"+own, nil).Status)
		require.Equal(t, 404, a.Do("GET", "/documents/"+foreign, nil).Status)

		a.Do("DELETE", "/documents/"+own, nil).Refused(409, "DOCUMENT_IN_USE")
		a.Do("DELETE", "/documents/"+spare, nil).OK(200)
		a.Do("POST", "/transactions", pay(spare)).Refused(
			422,
			"DOCUMENT_UNKNOWN",
			"/payments/0/documentStorageKey DOCUMENT_UNKNOWN",
		)
		mine, err := transaction.Referred(context.Background(), h.DB(), b.Org, []string{own})
		require.NoError(t, err)
		require.Empty(t, mine)
	})
}

// A document that is deleted while a transaction that names it is being checked is not named in it.
func TestDocumentDeletedMeanwhileIsNotNamed(t *testing.T) { // N-04
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("alice")
		to := common.HexToAddress("0x00000000000000000000000000000000000b0b01")
		body := func(key string) object {
			p := c.Payment(to, "1.00")
			p["documentStorageKey"] = key
			return c.Body("USDC", p)
		}
		draft := c.Draft("USDC", "1.00")
		forbidden := h.App.Transactions.Forbidden
		meanwhile := func() {}
		// it is asked between the look at the document and the write
		h.App.Transactions.Forbidden = func(network string, a common.Address) bool {
			do := meanwhile
			meanwhile = func() {}
			do()

			return forbidden(network, a)
		}

		for _, x := range [][2]string{{"POST", "/transactions"}, {"PUT", "/transactions/" + draft}} {
			key := upload(c, bill)
			meanwhile = func() { c.Do("DELETE", "/documents/"+key, nil).OK(200) }

			c.Do(x[0], x[1], body(key)).Refused(
				422,
				"DOCUMENT_UNKNOWN",
				"/payments/0/documentStorageKey DOCUMENT_UNKNOWN",
			)
		}
	})
}
