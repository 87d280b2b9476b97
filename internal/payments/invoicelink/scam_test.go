//go:build !nosandbox

package invoicelink_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/document"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
	"slipway/internal/standards/iban"
)

// What follows are ways in which somebody who has got hold of a link, or of the supplier's mailbox, tries to be paid
// in its place: what the member is told who decides, and what the supplier is.

// warnings are what a member is told of a link.
func (w *world) warnings(id string) []any {
	w.T.Helper()
	return w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200).List("warnings")
}

// he has a link for a "new" receiver that has the address or the name of one that is known, so that nobody has
// to confirm an account.
func TestLookalikeOfAKnownReceiverWaitsADayAndIsFlagged(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.handedIn(token)
		require.Empty(t, w.warnings(id))
		first := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
		require.Empty(t, w.warnings(id), "it is not like itself")
		require.Empty(
			t,
			w.Do(directorytest.A, "GET", "/bank-accounts/"+first.Text("bankAccount"), "").Text("payableFrom"),
		)

		for want, link := range map[string]object{
			"SAME_EMAIL": {"isExistingReceiver": false, "email": sender},
			"SAME_NAME":  {"isExistingReceiver": false, "email": "mallory@example.com"},
		} {
			token, id := w.made(directorytest.A, link)
			him := person(token)

			him["email"] = link["email"]
			if want == "SAME_EMAIL" {
				him["legalName"] = "Other Ltd"
			}

			w.post("", "/payables/create-invoice-receiver", him).Status(200)
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)
			w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
			require.Equal(t, want, w.warnings(id)[0])
			p := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
			require.Contains(t, w.warnings(id), any(want), "whoever approves the payable is told, too")
			require.NotEmpty(
				t,
				w.Do(directorytest.A, "GET", "/bank-accounts/"+p.Text("bankAccount"), "").Text("payableFrom"),
				want,
			)
		}
	})
}

// He writes the name of one that is known so that only a machine tells them apart.
func TestDisguisedNameOfAKnownReceiverIsFlagged(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Do(
			directorytest.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"a@example.com","legalName":"Bärenstark Öl AG","address":"Gasse 1","countryIsoCode":"CH"}`,
		).Status(201)

		for name, want := range map[string][]any{
			"Bärenstark Öl AG":                {"SAME_NAME"},
			"Ba\u0308renstark O\u0308l AG":    {"SAME_NAME"},
			"BÄRENSTARK ÖL AG":                {"SAME_NAME"},
			"Bärenstark  Öl AG":               {"SAME_NAME"},
			"Bären\u200bstark Öl AG":          {"SAME_NAME"},
			"Bären-stark Öl A.G.":             {"SAME_NAME"},
			"B\u00e4renst\u0430rk \u00d6l AG": {"SAME_NAME", "NAME_MIXED"},
			"Stark Bären Öl AG":               {},
			"B\u043ese AG":                    {"NAME_MIXED"},
		} {
			token, id := w.made(directorytest.A, object{"isExistingReceiver": false, "email": "mallory@example.com"})

			him := person(token)
			him["email"] = "mallory@example.com"
			him["legalName"] = name
			w.post("", "/payables/create-invoice-receiver", him).Status(200)
			require.Equal(t, want, w.warnings(id), "%+q", name)
		}
	})
}

// Whatever the name is written like: his account waits for a day.
func TestDisguisedNameOfAKnownReceiverWaitsADay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Do(
			directorytest.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"a@example.com","legalName":"Bärenstark Öl AG","address":"Gasse 1","countryIsoCode":"CH"}`,
		).Status(201)

		payableFrom := func(i int, name string) string {
			email := fmt.Sprintf("mallory-%d@example.com", i)
			token, id := w.made(directorytest.A, object{"isExistingReceiver": false, "email": email})
			him := person(token)
			him["email"] = email
			him["legalName"] = name
			w.post("", "/payables/create-invoice-receiver", him).Status(200)

			bban := fmt.Sprintf("37040044%010d", i)
			number := "DE" + iban.CheckDigits("DE", bban) + bban
			w.post("", "/payables/create-invoice-bank-account", account(token, number)).Status(200)
			w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
			p := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)

			return w.Do(directorytest.A, "GET", "/bank-accounts/"+p.Text("bankAccount"), "").Text("payableFrom")
		}

		require.Empty(t, payableFrom(0, "Harmlos AG"))

		for i, name := range []string{
			"Bärenstark Öl AG",
			"Ba\u0308renstark O\u0308l AG",
			"BÄRENSTARK ÖL AG",
			"Bärenstark  Öl AG",
		} {
			require.NotEmpty(t, payableFrom(i+1, name), "%+q", name)
		}
	})
}

// A link goes to an address of another alphabet, its guest may write it in either form, and a receiver with the same
// address is known by it.
func TestLinksGoToAddressesOfOtherAlphabets(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, refused := range []string{"jörg@example.org", "x@[127.0.0.1]", "x@ex_ample.org"} {
			link := object{"isExistingReceiver": false, "email": refused}
			w.post(directorytest.A, "/payables/generate-invoice-link", link).
				Refused(422, fault.FormatInvalid, "/email")
		}

		w.Do(
			directorytest.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"buch@müller.example","legalName":"Müller AG","address":"Gasse 1","countryIsoCode":"CH"}`,
		).Status(201)

		for _, written := range []string{"buch@müller.example", "BUCH@xn--mller-kva.example"} {
			token, id := w.made(directorytest.A, object{"isExistingReceiver": false, "email": "buch@MÜLLER.example"})
			require.Equal(
				t,
				"buch@müller.example",
				w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200).Text("email"),
			)

			him := person(token)
			him["email"] = written
			w.post("", "/payables/create-invoice-receiver", him).Status(200)
			require.Contains(t, w.warnings(id), any("SAME_EMAIL"), written)

			w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)
			w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
			w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
		}

		kept, err := db.Value[int64](t.Context(), w.DB,
			"SELECT count(*) FROM receivers WHERE lower(email) = 'buch@xn--mller-kva.example'")
		require.NoError(t, err)
		require.EqualValues(t, 3, kept)
	})
}

// Somebody with one name hands in an invoice.
func TestAGuestMayHaveOneName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, _ := w.made(directorytest.A, object{"isExistingReceiver": false, "email": sender})
		him := person(token)
		him["type"] = "INDIVIDUAL"
		delete(him, "legalName")

		him["firstName"] = "Suharto"
		w.post("", "/payables/create-invoice-receiver", him).Refused(422, fault.Required, "/lastName")
		him["lastName"] = ""
		w.post("", "/payables/create-invoice-receiver", him).Status(200)
		him["firstName"] = " "
		w.post("", "/payables/create-invoice-receiver", him).Refused(422, fault.Required, "/firstName")
	})
}

// he has the mailbox that the supplier has given up, and a link that went there before. The link's maker alone
// lets nothing in any more.
func TestAddressThatWasGivenUpNeedsASecondPerson(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who, _, token, id := w.known()
		given := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200).Text("_id")
		require.Equal(t, false, w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Get("otherAddress"))

		w.Do(directorytest.A, "PATCH", "/receivers/"+who, `{"email":"new@roth.example"}`).Status(200)
		require.Equal(t, true, w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Get("otherAddress"))

		w.post(directorytest.A, "/payables/invoice-links/"+id+"/confirm", object{"proposal": given}).Refused(
			403,
			fault.SecondPersonRequired,
			"",
		)

		w.told()
		w.post(second, "/payables/invoice-links/"+id+"/confirm", object{"proposal": given}).Status(200)
		require.Equal(t, "new@roth.example", w.told()[0].To)
	})
}

// he has the link, but not the mailbox, and puts his account in place of the supplier's before the invoice is
// handed in. The member is told that it was replaced, and the supplier what was handed in.
func TestReplacedAccountIsFlaggedAndTheSupplierIsTold(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
		require.Empty(t, w.warnings(id))
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)
		w.told()
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		require.Equal(t, []any{"REPLACED"}, w.warnings(id))

		var receipts []mail.Message
		for _, m := range w.told() {
			if m.Kind == mail.InvoiceReceipt {
				receipts = append(receipts, m)
			}
		}

		require.Len(t, receipts, 1, "once")
		require.Equal(t, sender, receipts[0].To)
		where := words.Phrase("a bank account that ends in %s", ibanTwo[len(ibanTwo)-4:])
		require.Equal(t, where, receipts[0].Data["where"])
		require.Equal(t, id, receipts[0].Data["reference"])
		require.NotContains(t, receipts[0].Data, "reason", "he cannot have a text of his own sent there")
		require.Equal(t, mail.Security, receipts[0].Kind.Category(), "nobody can switch it off")
	})
}

// he gives his own account the look of another one. How a bank is called he does not say.
func TestNobodyNamesTheBankOfAnAccountByALink(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, _, token, id := w.known()
		for _, field := range []string{"bankName", "intermediaryRoutingCode", "intermediaryBankName", "bankAddress"} {
			in := account(token, ibanTwo)
			in[field] = "Commerzbank"
			w.post("", "/payables/create-invoice-bank-account", in).Refused(422, fault.UnknownField, "/"+field)
		}

		_, err := w.links.GiveBankAccount(context.Background(), token, bankaccount.Account{
			Country:  "DE",
			Currency: "EUR",
			IBAN:     ibanTwo,
			BIC:      "COBADEFFXXX",
			Bank:     bankaccount.Bank{Name: "Commerzbank", IntermediaryBankName: "Commerzbank"},
		})
		require.NoError(t, err)
		require.NotContains(
			t,
			w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200).Raw,
			"Commerzbank",
		)
	})
}

// his account is in another country, or one that he is paid to under another name already; he asks for more
// than he was asked for.
func TestMemberIsToldWhatIsUnlikeTheReceiver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mule := w.Receiver(directorytest.A, "Mule Ltd")
		w.account(directorytest.A, mule, ibanTwo)
		token, id := w.made(directorytest.A, object{
			"isExistingReceiver": false,
			"email":              sender,
			"amount":             "1250",
			"currencyIsoCode":    "EUR",
		})
		him := person(token)
		him["countryIsoCode"] = "FR"
		w.post("", "/payables/create-invoice-receiver", him).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)
		require.Equal(t, []any{"OTHER_COUNTRY", "OTHER_RECEIVERS_ACCOUNT"}, w.warnings(id))
		more := invoice(token)
		more["amount"] = "9250.00"
		w.post("", "/payables/submit-invoice", more).Status(200)
		require.Contains(t, w.warnings(id), any("OTHER_AMOUNT"))

		first := id
		token, id = w.made(directorytest.A, object{
			"isExistingReceiver": false,
			"email":              "fair@example.com",
			"amount":             "1250",
			"currencyIsoCode":    "EUR",
		})
		fair := person(token)
		fair["email"] = "fair@example.com"
		w.post("", "/payables/create-invoice-receiver", fair).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		require.Empty(t, w.warnings(id), "1250.00 is 1250")

		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": first}).Status(201)
		told := []any{"OTHER_COUNTRY", "OTHER_RECEIVERS_ACCOUNT", "OTHER_AMOUNT"}
		require.Equal(t, told, codes(p))
		read := w.Do(directorytest.A, "GET", "/payables/"+p.Text("_id"), "").Status(200)
		require.Equal(t, told, codes(read), "whoever approves it is told, too")
	})
}

// codes returns the codes of a payable's warnings.
func codes(p *directorytest.Answer) (out []any) {
	for _, w := range p.List("warnings") {
		out = append(out, w.(map[string]any)["code"])
	}

	return out
}

// A wallet that came by a link is nobody's before its keys have signed.
func TestWalletByALinkIsUnproven(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, address := w.Key()
		token, id := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)

		w.post("", "/payables/create-invoice-wallet", object{
			"token":   token,
			"network": "net_ethereum",
			"address": address,
			"type":    "EOA",
		}).Status(200)

		require.Equal(t, []any{"WALLET_UNPROVEN"}, w.warnings(id))

		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":      id,
			"name":         "n",
			"amount":       "1",
			"reason":       "r",
			"tokenIsoCode": "USDC",
		}).Status(201)

		require.Equal(t, []any{"WALLET_UNPROVEN"}, w.warnings(id), "until it is proven")
		require.Equal(t, []any{"WALLET_UNPROVEN"}, codes(p))

		require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			tx.Change("UPDATE wallets SET ownership_status = 'VERIFIED' WHERE id = ?", p.Text("wallet"))
			return nil
		}))

		require.Empty(t, w.warnings(id))
		require.Empty(t, codes(w.Do(directorytest.A, "GET", "/payables/"+p.Text("_id"), "").Status(200)))
	})
}

// What was uploaded goes with the link that it came by; of a link that was used, what its payable does not name.
func TestFilesGoWithTheirLink(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, end := range []string{"revoke", "expire", "use"} {
			token, id := w.link(directorytest.A)
			w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
			file, err := w.links.GiveDocument(context.Background(), token, document.New{})
			require.NoError(t, err)

			w.dropped = nil
			switch end {
			case "revoke":
				w.Do(directorytest.A, "DELETE", "/payables/invoice-links/"+id, "").Status(200)

			case "expire":
				w.Advance(invoicelink.Lifetime)
				n, err := w.links.Expire(context.Background(), 10)
				require.NoError(t, err)
				require.Equal(t, 1, n)

			case "use":
				w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
				w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
			}

			require.Equal(t, []string{file.Key}, w.dropped, end)
			require.Empty(
				t,
				w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200).List("submitted.documents"),
				end,
			)
		}
	})
}

// A-13, flood: files that never end keep nobody else's out. They take the places of the link that they come by, and
// not all that the organisation has.
func TestSlowFilesByOneLinkKeepNobodyElseOut(t *testing.T) {
	eachWith(t, invoicelink.Limits{AtOnce: 1}, func(t *testing.T, w *world) {
		slow, _ := w.link(directorytest.A)
		other, _ := w.link(directorytest.A)
		tried := false

		w.coming = func() {
			w.coming = nil
			tried = true // while the first is coming
			_, err := w.links.GiveDocument(context.Background(), slow, document.New{})
			require.True(t, fault.Is(err, fault.TooManyAttempts), "%v", err)
			_, err = w.links.GiveDocument(context.Background(), other, document.New{})
			require.NoError(t, err)
		}

		_, err := w.links.GiveDocument(context.Background(), slow, document.New{})
		require.NoError(t, err)
		require.True(t, tried)

		_, err = w.links.GiveDocument(context.Background(), slow, document.New{})
		require.NoError(t, err, "its place is free again")
	})
}

// how much an organisation keeps and uploads is no business of whoever has its link.
func TestRefusedFileTellsNothingOfTheOrganisation(t *testing.T) {
	eachWith(t, invoicelink.Limits{Upload: limit.Rate{
		Events: 20,
		Per:    10 * time.Minute,
	}}, func(t *testing.T, w *world) {
		token, _ := w.link(directorytest.A)

		for _, refusal := range []*fault.Fault{fault.New(fault.TooMany, fault.RateLimited, "600 files"), fault.New(fault.TooLarge, fault.DocumentQuota, "600 bytes")} {
			w.full = refusal
			_, err := w.links.GiveDocument(context.Background(), token, document.New{})
			f, refused := fault.As(err)
			require.True(t, refused)
			require.Equal(t, refusal.Code, f.Code)
			require.NotContains(t, f.Detail, "600")
			require.Empty(t, f.Fields)
		}
	})
}
