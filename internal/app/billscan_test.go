//go:build !nosandbox

package app_test

import (
	"encoding/base64"
	"maps"
	"testing"

	"github.com/skip2/go-qrcode"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

const billOfNobody = "SPC\n0200\n1\nCH9300762011623852957\nS\nAlice " +
	"Keller\n\n\n8002\nZürich\nCH\n\n\n\n\n\n\n\n199.95\nCHF\n\n\n\n\n\n\n\nSCOR\nRF18539007547034\n" +
	"Rechnung 7\nEPD\n//S1/10/R-7/11/261101/40/0:30"

// A bill's picture is uploaded, read, and what it states is a body of POST /payables as it stands.
func TestABillFillsAPayable(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		account := c.Do("POST", "/bank-accounts", object{
			"receiver":    c.Receiver,
			"bankCountry": "CH",
			"currency":    "CHF",
			"iban":        "CH9300762011623852957",
			"bicSwift":    "UBSWCHZH80A",
		}).OK(201).ID()
		picture, err := qrcode.Encode(billOfNobody, qrcode.Medium, 500)
		require.NoError(t, err)

		var stored struct {
			Key string `json:"documentStorageKey"`
		}
		upload := object{
			"fileBase64":  base64.StdEncoding.EncodeToString(picture),
			"fileName":    "bill.png",
			"contentType": "image/png",
		}
		c.Do("POST", "/payables/upload", upload).OK(201).Into(&stored)

		read := func(body object) (prefill object) {
			var bill struct {
				Prefill  object   `json:"prefill"`
				Warnings []object `json:"warnings"`
			}
			c.Do("POST", "/payables/extract-qr-bill-info", body).OK(200).Into(&bill)
			require.Empty(t, bill.Warnings)

			return bill.Prefill
		}
		want := object{
			"type":                "FIAT",
			"name":                "Alice Keller",
			"amount":              "199.95",
			"currencyIsoCode":     "CHF",
			"reason":              "Rechnung 7",
			"reference":           "RF18539007547034",
			"invoiceNumber":       "R-7",
			"expectedPaymentDate": "2026-12-01",
			"receiver":            c.Receiver,
			"bankAccount":         account,
			"origin":              "QR_BILL",
			"documentStorageKey":  nil,
		}
		require.Equal(t, want, read(upload))
		prefill := read(object{"documentStorageKey": stored.Key})
		want["documentStorageKey"] = stored.Key
		require.Equal(t, want, prefill)

		var made object
		c.Do("POST", "/payables", prefill).OK(201).Into(&made)
		require.Equal(t, "DRAFT", made["status"])

		for name, value := range prefill {
			require.Equal(t, value, made[name], name)
		}

		b := h.Client("Berta")
		require.Equal(
			t,
			b.Do("POST", "/payables/extract-qr-bill-info", object{"documentStorageKey": "doc_unknown"}).OK(404).Code(),
			b.Do("POST", "/payables/extract-qr-bill-info", object{"documentStorageKey": stored.Key}).OK(404).Code(),
			"another organisation's (L-04)",
		)

		var others object
		other := maps.Clone(upload)
		b.Do("POST", "/payables/extract-qr-bill-info", other).OK(200).Into(&others)
		require.Nil(t, others["prefill"].(map[string]any)["receiver"], "what another organisation knows is not told")
	})
}
