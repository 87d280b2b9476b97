//go:build !nosandbox

package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// linkView is an invoice link as a member reads it: the fields that tests look at.
type linkView struct {
	Status    string `json:"status"`
	Receiver  string `json:"receiverId"`
	Payable   string `json:"payableId"`
	Submitted struct {
		BankAccount *struct {
			ID       string `json:"_id"`
			Proposal string `json:"proposal"`
			IBAN     string `json:"iban"`
		} `json:"bankAccount"`
	} `json:"submitted"`
}

// link makes an invoice link and gives its token and identifier.
func link(c *apptest.Client, body object) (token, id string) {
	var made struct {
		Link    string `json:"link"`
		TokenID string `json:"tokenId"`
	}
	c.Do("POST", "/payables/generate-invoice-link", body).OK(201).Into(&made)
	_, token, _ = strings.Cut(made.Link, "/i#")

	return token, made.TokenID
}

func readLink(c *apptest.Client, id string) (v linkView) {
	c.Do("GET", "/payables/invoice-links/"+id, nil).OK(200).Into(&v)
	return v
}

// pixel is the smallest of pictures.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// outside sends a request as somebody without an account.
func outside(h *apptest.Harness, path string, body object, headers ...apptest.Header) apptest.Answer {
	return h.Do(h.App, "POST", path, "", body, headers...)
}

// TestInvoiceByLinkIsPaid: from the mail to the money. The outside party has no account, its file is the payable's
// document, and its bank account is paid.
func TestInvoiceByLinkIsPaid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		token, id := link(c, object{"isExistingReceiver": false, "email": "studio@example.org"})
		require.Contains(
			t,
			h.Do(h.App, "GET", "/sandbox/mails?recipient=studio@example.org", "", nil).OK(200).Raw,
			"/i#"+token,
		)
		outside(h, "/payables/create-invoice-receiver", object{
			"token":          token,
			"type":           "COMPANY",
			"email":          "studio@example.org",
			"legalName":      "Studio Ana",
			"address":        "Seestrasse 1",
			"countryIsoCode": "CH",
		}).OK(200)
		outside(h, "/payables/create-invoice-bank-account", object{
			"token":         token,
			"bankCountry":   "GB",
			"currency":      "GBP",
			"accountNumber": "31926100",
			"sortCode":      "601613",
		}).OK(200)
		file := object{"fileBase64": pixel, "fileName": "invoice.png"}
		outside(h, "/payables/upload-invoice", file, apptest.Header{
			Name:  "Slipway-Invoice-Token",
			Value: "il_" + strings.Repeat("a", 49),
		}).Refused(410, "LINK_INVALID")
		require.Zero(t, h.Count("SELECT count(*) FROM documents"))

		var stored, other struct {
			Key string `json:"documentStorageKey"`
		}
		outside(h, "/payables/upload-invoice", file, apptest.Header{
			Name:  "Slipway-Invoice-Token",
			Value: token,
		}).OK(201).Into(&stored)
		outside(h, "/payables/submit-invoice", object{
			"token":              token,
			"amount":             "120.00",
			"currencyIsoCode":    "GBP",
			"reason":             "Logo",
			"invoiceNumber":      "17",
			"documentStorageKey": stored.Key,
		}).OK(200)
		require.Contains(t, h.Do(h.App, "GET", "/sandbox/mails", "", nil).OK(200).Raw, "An invoice has come")

		deleted, gone := link(c, object{
			"isExistingReceiver": true,
			"receiverId":         c.Receiver,
			"email":              "studio@example.org",
		})
		outside(h, "/payables/upload-invoice", file, apptest.Header{
			Name:  "Slipway-Invoice-Token",
			Value: deleted,
		}).OK(201).Into(&other)
		outside(h, "/payables/submit-invoice", object{
			"token":              deleted,
			"amount":             "1.00",
			"currencyIsoCode":    "GBP",
			"reason":             "Logo",
			"documentStorageKey": other.Key,
		}).OK(200)
		c.Do("DELETE", "/documents/"+other.Key, nil).OK(200)
		without := c.Do("POST", "/payables/create-invoice-payable", object{
			"tokenId":     gone,
			"bankAccount": c.NewBankAccount("GBP", "100"),
		}).OK(201)
		require.NotContains(t, without.Raw, other.Key, "a file that a member has deleted is left out")

		p := c.Do("POST", "/payables/create-invoice-payable", object{"tokenId": id}).OK(201)
		require.Contains(t, p.Raw, `"origin":"LINK"`)
		require.Contains(t, p.Raw, `"fileName":"invoice.png"`)
		h.RunJobs()
		c.Do("POST", "/payables/"+p.ID()+"/approve", nil).OK(200)
		batch := pay(c, p.ID()).OK(201).ID()
		c.Act(batch, "submit").OK(200)
		c.Act(batch, "accept").OK(200)
		h.SettleAll()
		statusIs(t, c, p.ID(), "PAID", batch)
		require.Equal(t, "USED", readLink(c, id).Status)
		h.Oracle()
	})
}

// TestConfirmedAccountKeepsToTheRulesOfPayees: an account that came by a link waits for a second person where
// the policy wants one, besides its day, and moves no payable that was approved before it.
func TestConfirmedAccountKeepsToTheRulesOfPayees(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		x.ada.StaySignedIn()
		x.ben.StaySignedIn()
		before := approved(x.ada, fiatPayable(x.ada, x.ada.NewBankAccount("GBP", "100"), "GBP", "10.00"))
		policy(x.ada, object{"payeeApproval": true, "fourEyes": true})

		token, id := link(x.ada, object{
			"isExistingReceiver": true,
			"receiverId":         x.ada.Receiver,
			"email":              "else@example.org",
		})

		outside(h, "/payables/create-invoice-bank-account", object{
			"token":       token,
			"bankCountry": "DE",
			"currency":    "EUR",
			"iban":        "DE89370400440532013000",
			"bicSwift":    "COBADEFFXXX",
		}).OK(200)

		proposed := readLink(x.ada, id).Submitted.BankAccount
		require.Equal(t, "PROPOSED", proposed.Proposal)

		confirm := func(c *apptest.Client) apptest.Answer {
			return c.Do("POST", "/payables/invoice-links/"+id+"/confirm", object{"proposal": proposed.ID})
		}
		confirm(x.ada).Refused(403, "SECOND_PERSON_REQUIRED")
		require.Empty(t, approvals(x.ada, "&object="+proposed.ID))

		confirm(x.ben).OK(200)
		require.Len(t, approvals(x.ada, "&object="+proposed.ID), 1, "the policy's second person is asked")

		statusIs(t, x.ada, before, "APPROVED", "")
		account := x.ada.Do("GET", "/bank-accounts/"+proposed.ID, nil).OK(200)
		require.Contains(t, account.Raw, `"payableFrom"`)
		require.Contains(t, account.Raw, `"approval":"apr_`)
	})
}

// TestFilesOfALinkGoWithIt: of a link that came to nothing nothing stays, but for a file that a member has used
// elsewhere.
func TestFilesOfALinkGoWithIt(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		token, id := link(c, object{"isExistingReceiver": false, "email": "studio@example.org"})

		upload := func() string {
			var stored struct {
				Key string `json:"documentStorageKey"`
			}
			outside(h, "/payables/upload-invoice", object{
				"fileBase64": pixel,
				"fileName":   "invoice.png",
			}, apptest.Header{Name: "Slipway-Invoice-Token", Value: token}).OK(201).Into(&stored)

			return stored.Key
		}

		used := upload()
		left := upload()
		deleted := upload()
		c.Do("DELETE", "/documents/"+deleted, nil).OK(200)
		body := fiatPayable(c, c.NewBankAccount("GBP", "100"), "GBP", "10.00")
		body["documentStorageKey"] = used
		c.Do("POST", "/payables", body).OK(201)
		c.Do("DELETE", "/payables/invoice-links/"+id, nil).OK(200)
		c.Do("GET", "/documents/"+left, nil).Refused(404, "NOT_FOUND")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM documents WHERE status = 'STORED' AND id = '"+used+"'"))
		require.EqualValues(t, 2, h.Count("SELECT count(*) FROM documents WHERE status = 'DELETED' AND sweep_at > 0"))
	})
}

// TestWhoHasLeftIsNotToldOfInvoices: where the maker of a link does not belong to the organisation any more, its
// admins are told.
func TestWhoHasLeftIsNotToldOfInvoices(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		x.ada.StaySignedIn()
		x.cleo.StaySignedIn()

		token, _ := link(x.cleo, object{
			"isExistingReceiver": true,
			"receiverId":         x.ada.Receiver,
			"email":              "else@example.org",
		})

		x.ada.Do("PATCH", "/organisations/"+x.ada.Org+"/members/"+x.cleo.Member, object{"isActive": false}).OK(200)

		outside(h, "/payables/submit-invoice", object{
			"token":           token,
			"amount":          "1.00",
			"currencyIsoCode": "GBP",
			"reason":          "Logo",
		}).OK(200)

		told := func(c *apptest.Client) bool {
			return strings.Contains(
				h.Do(h.App, "GET", "/sandbox/mails?recipient="+c.Email, "", nil).OK(200).Raw,
				"An invoice has come",
			)
		}

		require.True(t, told(x.ada))
		require.False(t, told(x.cleo))
	})
}
