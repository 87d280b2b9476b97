//go:build !nosandbox

package invoicelink_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/document"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
)

func TestInvoiceOfANewReceiverBecomesAPayable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.post(directorytest.A, "/payables/generate-invoice-link", object{
			"isExistingReceiver": false,
			"email":              sender,
			"amount":             "1250.00",
			"currencyIsoCode":    "EUR",
			"reason":             "Logo",
		}).Status(201)
		id := made.Text("tokenId")
		_, token, _ := strings.Cut(made.Text("link"), "/i#")
		asked := w.told()
		require.Len(t, asked, 1)
		require.Equal(t, mail.InvoiceRequest, asked[0].Kind)
		require.Equal(t, made.Text("link"), asked[0].Data["link"])
		require.Equal(t, "Müller & Söhne AG", asked[0].Data["organisation"])

		info := w.Do("", "GET", "/payables/get-invoice-token-info?token="+token, "").Status(200)
		require.Equal(t, object{"name": "Müller & Söhne AG", "logo": nil}, info.Get("organisation"))
		require.Equal(t, object{"amount": "1250.00", "currencyIsoCode": "EUR", "reason": "Logo"}, info.Get("requested"))
		require.Equal(t, object{
			"receiver":    false,
			"bankAccount": false,
			"wallet":      false,
			"invoice":     false,
		}, info.Get("steps"))
		require.Equal(
			t,
			true,
			w.post("", "/payables/validate-invoice-token", object{"token": token}).Status(200).Get("valid"),
		)

		who := w.post("", "/payables/create-invoice-receiver", person(token)).Status(200).Text("receiverId")
		given := w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
		require.Equal(t, "3000", given.Text("ending"))
		require.Equal(t, "KEPT", given.Text("status"))
		require.NotContains(t, given.Raw, ibanOne)
		receipt := w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		require.Equal(t, id, receipt.Text("reference"))
		require.Zero(
			t,
			w.count("SELECT COUNT(*) FROM receivers WHERE NOT is_self"),
			"nothing comes into being before a member says so",
		)
		require.Zero(t, w.count("SELECT COUNT(*) FROM bank_accounts"))
		require.Equal(
			t,
			"SUBMITTED",
			w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200).Text("status"),
		)

		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
		require.Equal(t, "DRAFT", p.Text("status"))
		require.Equal(t, "LINK", p.Text("origin"))
		require.Equal(t, id, p.Text("invoiceLink"))
		require.Equal(t, "1250.00", p.Text("amount"))
		require.Equal(t, "Invoice 2026-17", p.Text("name"))
		require.Equal(t, who, p.Text("receiver"))
		require.Equal(t, given.Text("_id"), p.Text("bankAccount"))
		stored := w.Do(directorytest.A, "GET", "/bank-accounts/"+given.Text("_id"), "").Status(200)
		require.Equal(t, ibanOne, stored.Text("iban"))
		require.Equal(t, who, stored.Text("receiver._id"))
		link := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200)
		require.Equal(t, "USED", link.Text("status"))
		require.Equal(t, p.Text("_id"), link.Text("payableId"))
		w.post("", "/payables/submit-invoice", invoice(token)).Refused(410, fault.LinkInvalid, "")
	})
}

func TestInvoiceInTokensIsPaidToTheWalletThatWasGiven(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, address := w.Key()
		token, id := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)

		w.post("", "/payables/create-invoice-wallet", object{
			"token":   token,
			"network": "net_ethereum",
			"address": strings.ToLower(address),
			"type":    "EOA",
		}).Status(200)

		in := object{"token": token, "amount": "10.5", "tokenIsoCode": "USDC", "reason": "Audit"}
		in["amount"] = "0.0000001"
		w.post("", "/payables/submit-invoice", in).Refused(422, fault.AmountPrecision, "/amount")
		in["amount"] = "10.5"
		w.post("", "/payables/submit-invoice", in).Status(200)
		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
		require.Equal(t, "CRYPTO", p.Text("type"))

		stored := w.Do(directorytest.A, "GET", "/wallets/"+p.Text("wallet"), "").Status(200)
		require.Equal(t, address, stored.Text("address"))
		require.Equal(t, "PENDING", stored.Text("ownership.status"), "a link proves nobody's keys")
	})
}

func TestEverythingWrongIsToldAtOnceBesideItsField(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, _ := w.link(directorytest.A)

		w.post("", "/payables/create-invoice-receiver", object{
			"token":          token,
			"type":           "INDIVIDUAL",
			"email":          "else@example.com",
			"countryIsoCode": "ZZ",
		}).
			Refused(
				422,
				fault.InvoiceLinkEmail,
				"/email",
			).Refused(422, fault.CountryUnknown, "/countryIsoCode").Refused(422, fault.Required, "/firstName").
			Refused(422, fault.Required, "/lastName").Refused(422, fault.Required, "/address")

		w.post("", "/payables/create-invoice-receiver", object{
			"token":    token,
			"type":     "COMPANY",
			"email":    sender,
			"isHidden": true,
		}).
			Refused(422, fault.UnknownField, "/isHidden")

		w.post("", "/payables/create-invoice-bank-account", object{
			"token":       token,
			"bankCountry": "DE",
			"currency":    "EUR",
		}).
			Refused(422, fault.Required, "/iban")

		w.post("", "/payables/create-invoice-bank-account", account(token, "DE89370400440532013001")).Refused(
			422,
			fault.BankAccountNotValidated,
			"/iban",
		)

		w.post("", "/payables/create-invoice-bank-account", object{
			"token":       token,
			"bankCountry": "CH",
			"currency":    "CHF",
			"iban":        "CH4431999123000889012",
			"bicSwift":    "POFICHBEXXX",
		}).
			Refused(422, fault.BankAccountUnreachable, "/iban") // a QR-IBAN

		w.post("", "/payables/create-invoice-wallet", object{
			"token":   token,
			"network": "net_none",
			"address": "0x0000000000000000000000000000000000000000",
			"type":    "EOA",
		}).
			Refused(422, fault.NetworkUnknown, "/network").Refused(422, fault.AddressForbidden, "/address")

		w.post("", "/payables/submit-invoice", object{
			"token":              token,
			"amount":             "1,5",
			"currencyIsoCode":    "EUR",
			"reason":             "x",
			"dueDate":            "2031-01-01T00:00:00Z",
			"documentStorageKey": "doc_of_somebody",
		}).Refused(422, fault.AmountForm, "/amount").Refused(422, fault.OutOfRange, "/dueDate").
			Refused(
				422,
				fault.DocumentUnknown,
				"/documentStorageKey",
			).Refused(422, fault.InvoiceLinkIncomplete, "/receiver").Refused(422, fault.InvoiceLinkIncomplete, "/bankAccount")
	})
}

// A browser that sends a form twice, or goes back, must do no harm.
func TestStepsCanBeRepeatedUntilTheInvoiceIsThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		first := w.post("", "/payables/create-invoice-receiver", person(token)).Status(200).Text("receiverId")
		a := w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200).Text("_id")
		version := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Get("version")
		require.Equal(
			t,
			first,
			w.post("", "/payables/create-invoice-receiver", person(token)).Status(200).Text("receiverId"),
		)
		require.Equal(
			t,
			a,
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200).Text("_id"),
		)
		require.Equal(
			t,
			version,
			w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Get("version"),
			"nothing was written",
		)

		other := person(token)
		other["legalName"] = "Studio Ana"
		require.Equal(t, first, w.post("", "/payables/create-invoice-receiver", other).Status(200).Text("receiverId"))
		b := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200).Text("_id")
		require.NotEqual(t, a, b, "another content has another name")
		pounds := invoice(token)
		pounds["currencyIsoCode"] = "GBP"
		w.post("", "/payables/submit-invoice", pounds).Refused(422, fault.CurrencyMismatch, "/currencyIsoCode")
		receipt := w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		w.Advance(time.Hour)
		require.Equal(t, receipt.Raw, w.post("", "/payables/submit-invoice", invoice(token)).Status(200).Raw)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)

		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Refused(
			409,
			fault.InvoiceLinkFixed,
			"",
		)
		w.post("", "/payables/create-invoice-receiver", person(token)).Refused(409, fault.InvoiceLinkFixed, "")
		more := invoice(token)
		more["amount"] = "9250.00"
		w.post("", "/payables/submit-invoice", more).Refused(409, fault.InvoiceLinkFixed, "")
	})
}

func TestMembersWordGoesBeforeTheOutsidePartys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.handedIn(token)

		w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId": id,
			"type":    "CRYPTO",
		}).Refused(422, fault.Required, "/wallet")

		require.Zero(t, w.count("SELECT COUNT(*) FROM receivers WHERE NOT is_self"), "all or nothing")

		// 1250.00 were EUR
		w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":         id,
			"currencyIsoCode": "GBP",
		}).Refused(422, fault.AmountForm, "/amount")

		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId": id,
			"name":    "Branding",
			"amount":  "1200.00",
		}).Status(201)

		require.Equal(t, "Branding", p.Text("name"))
		require.Equal(t, "1200.00", p.Text("amount"))
		require.Equal(t, "Logo and letterhead", p.Text("reason"))
	})
}

func TestLinkWithoutAReceiverMakesNoPayable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)

		w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":         id,
			"name":            "n",
			"amount":          "1",
			"reason":          "r",
			"currencyIsoCode": "EUR",
			"type":            "FIAT",
		}).
			Refused(409, fault.InvoiceLinkIncomplete, "")

		w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)

		// The interface's own flow states the invoice by the member, without submit-invoice.
		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":         id,
			"name":            "n",
			"amount":          "1",
			"reason":          "r",
			"currencyIsoCode": "EUR",
			"type":            "FIAT",
		}).Status(201)

		require.NotEmpty(t, p.Text("bankAccount"))
	})
}

func TestLinksAreTheirOrganisationsAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.handedIn(token)
		path := "/payables/invoice-links/" + id
		w.Do(directorytest.B, "GET", path, "").Refused(404, fault.NotFoundCode, "")
		w.Do(directorytest.B, "DELETE", path, "").Refused(404, fault.NotFoundCode, "")
		w.post(directorytest.B, path+"/confirm", object{"proposal": "bac_x"}).Refused(404, fault.NotFoundCode, "")
		w.post(directorytest.B, "/payables/create-invoice-payable", object{"tokenId": id}).Refused(
			404,
			fault.NotFoundCode,
			"",
		)
		require.Empty(t, w.Do(directorytest.B, "GET", "/payables/invoice-links", "").Status(200).List("results"))
		require.Len(
			t,
			w.Do(directorytest.A, "GET", "/payables/invoice-links?status[]=SUBMITTED", "").Status(200).List("results"),
			1,
		)
		require.Empty(
			t,
			w.Do(
				directorytest.A,
				"GET",
				"/payables/invoice-links?status[]=OPEN&status[]=EXPIRED",
				"",
			).Status(200).List("results"),
		)

		for _, path := range []string{"/payables/generate-invoice-link", "/payables/create-invoice-payable"} {
			w.post(directorytest.Viewer, path, object{
				"isExistingReceiver": false,
				"email":              sender,
				"tokenId":            id,
			}).Refused(403, fault.RoleRequired, "")
		}

		w.post(directorytest.Pending, "/payables/generate-invoice-link", object{
			"isExistingReceiver": false,
			"email":              sender,
		}).Refused(403, fault.OrgNotApproved, "")
	})
}

func TestRevokedAndExpiredLinksForgetWhatWasHandedIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		revoked, id := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(revoked)).Status(200)
		v := w.Do(directorytest.A, "DELETE", "/payables/invoice-links/"+id, "").Status(200)
		require.Equal(t, "REVOKED", v.Text("status"))
		require.Nil(t, v.Get("submitted.receiver"))
		require.Equal(
			t,
			v.Raw,
			w.Do(directorytest.A, "DELETE", "/payables/invoice-links/"+id, "").Status(200).Raw,
			"a second call changes nothing",
		)

		open, waiting := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(open)).Status(200)
		submitted, kept := w.link(directorytest.A)
		w.handedIn(submitted)
		w.Advance(invoicelink.Lifetime)
		require.Equal(
			t,
			"EXPIRED",
			w.Do(directorytest.A, "GET", "/payables/invoice-links/"+waiting, "").Text("status"),
			"before anybody notes it",
		)
		n, err := w.links.Expire(context.Background(), 10)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Nil(t, w.Do(directorytest.A, "GET", "/payables/invoice-links/"+waiting, "").Get("submitted.receiver"))
		w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": waiting}).Refused(
			409,
			fault.InvoiceLinkClosed,
			"",
		)
		w.post("", "/payables/submit-invoice", invoice(submitted)).Refused(410, fault.LinkInvalid, "")
		// it came in time
		w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": kept}).Status(201)

		ended, err := db.Select(t.Context(), w.DB, func(id *string) []any {
			return []any{id}
		}, "SELECT id FROM invoice_links WHERE status IN ('REVOKED', 'EXPIRED')")
		require.NoError(t, err)

		given := dbtest.Opened(t, w.DB, invoicelink.Sealed()[0])
		for _, id := range ended {
			require.NotContains(t, given[id], "Ana")
		}
	})
}

func TestFilesComeByTheLink(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
		upload := object{"fileBase64": "JVBERi0=", "fileName": "bill.pdf", "contentType": "application/pdf"}

		w.Do(
			"",
			"POST",
			"/payables/upload-invoice",
			body(t, upload),
			"Slipway-Invoice-Token",
			"il_none",
			"Content-Type",
			"application/json",
		).Refused(410, fault.LinkInvalid, "")

		up := w.Do(
			"",
			"POST",
			"/payables/upload-invoice",
			body(t, upload),
			"Slipway-Invoice-Token",
			token,
			"Content-Type",
			"application/json",
		).Status(201)

		in := invoice(token)
		in["documentStorageKey"] = up.Text("documentStorageKey")
		w.post("", "/payables/submit-invoice", in).Status(200)
		v := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200)
		require.Len(t, v.List("submitted.documents"), 1)
		require.Equal(t, up.Text("documentStorageKey"), v.Text("submitted.invoice.documentStorageKey"))

		w.Do(
			"",
			"POST",
			"/payables/upload-invoice",
			body(t, upload),
			"Slipway-Invoice-Token",
			token,
			"Content-Type",
			"application/json",
		).Refused(409, fault.InvoiceLinkFixed, "")
	})
}

// A-13, race: a file that is still coming when the invoice is handed in, or the link revoked, is not kept.
func TestFileThatComesTooLateIsNotKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, end := range []string{"submit", "revoke"} {
			token, id := w.link(directorytest.A)
			w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)

			w.coming = func() {
				if end == "submit" {
					w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
				} else {
					w.Do(directorytest.A, "DELETE", "/payables/invoice-links/"+id, "").Status(200)
				}
			}

			_, err := w.links.GiveDocument(context.Background(), token, document.New{})

			require.True(t, fault.Is(err, map[string]fault.Code{
				"submit": fault.InvoiceLinkFixed,
				"revoke": fault.LinkInvalid,
			}[end]), "%v", err)

			require.Empty(
				t,
				w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200).List("submitted.documents"),
			)

			w.coming = nil
		}
	})
}

func TestStatesOfALink(t *testing.T) {
	table := invoicelink.States()

	allowed := map[string]bool{
		"OPEN SUBMITTED":    true,
		"OPEN USED":         true,
		"SUBMITTED USED":    true,
		"OPEN REVOKED":      true,
		"SUBMITTED REVOKED": true,
		"OPEN EXPIRED":      true,
		"EXPIRED OPEN":      true,
	}
	for _, from := range table.States() {
		for _, to := range table.States() {
			require.Equal(t, allowed[string(from)+" "+string(to)], table.Allows(from, to), "%s to %s", from, to)
		}
	}
}

// That the mail of a link was refused is told while the link waits. Once it was used, the mail has come or was not
// needed.
func TestLinkSaysWhyItsMailWasNotDelivered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		refused := func(organisation, id string) {
			require.NoError(t, w.DB.Write(t.Context(), func(tx *db.Tx) error {
				return w.links.Undelivered(t.Context(), tx, mail.Failure{
					Organisation: organisation,
					Record:       id,
					Problem:      mail.MailboxFull,
				})
			}))
		}
		events := func() int64 {
			return w.count("SELECT count(*) FROM events WHERE type = 'invoice_link.undelivered'")
		}

		token, used := w.link(directorytest.A)
		w.handedIn(token)

		_, open := w.link(directorytest.A)
		refused("org_a", used)
		refused("org_b", open)
		require.Zero(t, events())

		refused("org_a", open)
		require.EqualValues(t, 1, events())

		v := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+open, "").Status(200)
		require.Equal(t, "MAILBOX_FULL", v.Text("mailProblem"))
		require.Equal(t, "OPEN", v.Text("status"))
		require.Nil(t, w.Do(directorytest.A, "GET", "/payables/invoice-links/"+used, "").Get("mailProblem"))
	})
}
