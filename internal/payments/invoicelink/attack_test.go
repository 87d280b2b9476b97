//go:build !nosandbox

package invoicelink_test

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/directorytest"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

// calls are one of each that a token opens.
func calls(token string) map[string]object {
	return map[string]object{
		"/payables/create-invoice-receiver":     person(token),
		"/payables/create-invoice-bank-account": account(token, ibanOne),
		"/payables/create-invoice-wallet": {
			"token":   token,
			"network": "net_ethereum",
			"address": "0x52908400098527886E0F7030069857D2E4169EE7",
			"type":    "EOA",
		},
		"/payables/submit-invoice": invoice(token),
	}
}

// followed begins the names of tokens that hand in nothing any more and still read what became of the invoice.
const followed = "followed: "

// dead gives a token of each sort by which nothing can be handed in.
func dead(w *world) map[string]string {
	out := map[string]string{
		"never one":         secret.Token("il_"),
		"of something else": secret.Token("lk_"),
		"empty of sense":    "il_" + strings.Repeat("x", 43),
	}
	used, id := w.link(directorytest.A)
	w.handedIn(used)
	w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
	revoked, id := w.link(directorytest.A)
	w.handedIn(revoked)
	w.Do(directorytest.A, "DELETE", "/payables/invoice-links/"+id, "").Status(200)
	expired, _ := w.link(directorytest.A)
	submitted, _ := w.link(directorytest.B)
	w.handedIn(submitted)
	w.Advance(invoicelink.Lifetime)
	noted, _ := w.link(directorytest.B)
	w.Advance(invoicelink.Lifetime)
	_, err := w.links.Expire(context.Background(), 10)
	require.NoError(w.T, err)
	out[followed+"used"] = used
	out["revoked"] = revoked
	out["expired"] = expired
	out[followed+"submitted and expired"] = submitted
	out["expired and noted"] = noted

	return out
}

// A-13, reuse and enumeration: whatever makes a token useless, the answer is the same, byte for byte, and so is the
// work: nobody learns that a link exists, nor what became of it.
func TestEveryTokenThatIsNotGoodIsAnsweredAlike(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := dead(w)
		answers := map[string]string{}

		work := map[string]string{}
		for name, token := range tokens {
			var (
				mu         sync.Mutex
				statements []string
			)
			w.DB.Watch(func(query string, _ []any) {
				mu.Lock()
				defer mu.Unlock()

				statements = append(statements, query)
			})

			var got []string
			for _, path := range slices.Sorted(maps.Keys(calls(token))) {
				a := w.post("", path, calls(token)[path]).Refused(410, fault.LinkInvalid, "")
				got = append(got, a.Raw, fmt.Sprint(a.Head))
			}

			got = append(got, w.post("", "/payables/validate-invoice-token", object{"token": token}).Status(200).Raw)

			if !strings.HasPrefix(name, followed) {
				info := w.Do("", "GET", "/payables/get-invoice-token-info?token="+token, "")
				got = append(got, info.Refused(410, fault.LinkInvalid, "").Raw)
			}

			w.DB.Watch(nil)
			answers[name] = strings.Join(got, "\n")
			// what could not be one is not looked up; everybody can tell that without us
			if secret.TokenForm("il_", token) {
				work[name] = strings.Join(statements, "\n")
			}
		}

		for name := range answers {
			t.Run(name, func(t *testing.T) {
				like := "never one"
				if strings.HasPrefix(name, followed) {
					require.Contains(t, answers[like], answers[name])
					require.Contains(t, work[like], work[name])

					return
				}

				require.Equal(t, answers[like], answers[name])

				if work[name] != "" {
					require.Equal(t, work[like], work[name])
				}
			})
		}

		require.Contains(t, answers["never one"], `"valid":false`)
	})
}

// the token stands in no table; whoever reads the database opens nothing with it.
func TestTokenIsKeptNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, _ := w.link(directorytest.A)
		require.GreaterOrEqual(t, len(token), len("il_")+43, "256 random bits in base 62")
		w.handedIn(token)

		for _, table := range []struct{ name, columns string }{
			{"invoice_links", "id || token_hash || requested"},
			{"events", "object || data"},
			{"audit_log", "object || detail"},
		} {
			texts, err := db.Select(context.Background(), w.DB, func(s *string) []any {
				return []any{s}
			}, "SELECT "+table.columns+" FROM "+table.name)
			require.NoError(t, err)
			require.NotEmpty(t, texts)
			require.NotContains(t, strings.Join(texts, " "), token[3:20], table.name)
		}

		for _, given := range dbtest.Opened(t, w.DB, invoicelink.Sealed()[0]) {
			require.NotContains(t, given, token[3:20])
		}

		sealed, err := db.Select(context.Background(), w.DB, func(b *[]byte) []any {
			return []any{b}
		}, "SELECT payload FROM mails")
		require.NoError(t, err)
		require.NotContains(t, string(slices.Concat(sealed...)), token)
	})
}

// A-13, forwarding: a link that was passed on shows its new holder who asks, and ends of numbers, and takes nobody
// but whom it was sent to.
func TestForwardedLinkShowsAndTakesNobodyElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, _ := w.link(directorytest.A)
		stranger := person(token)
		stranger["email"] = "mallory@example.com"
		w.post("", "/payables/create-invoice-receiver", stranger).Refused(422, fault.InvoiceLinkEmail, "/email")
		mine := person(token)
		mine["dateOfBirth"] = "1980-02-03T00:00:00Z"
		mine["taxId"] = "DE123456789"
		mine["email"] = strings.ToUpper(sender) // the same address, as mail has it
		w.post("", "/payables/create-invoice-receiver", mine).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)

		info := w.Do("", "GET", "/payables/get-invoice-token-info?token="+token, "").Status(200)
		for _, secret := range []string{ibanOne, "37040044", "1980", "DE123456789", "Hauptstr", "org_a", "usr_a", token} {
			require.NotContains(t, info.Raw, secret)
		}

		o, err := w.links.Open(context.Background(), token)
		require.NoError(t, err)
		require.NotContains(
			t,
			fmt.Sprintf("%+v %+v", o, *o.Given.Account),
			"37040044",
			"nor does the page get to know it",
		)
		require.Equal(t, "Hauptstr. 5", o.Given.Receiver.AddressLine1)
		require.Zero(t, o.Given.Receiver.BirthDate)
		require.Empty(t, o.Given.Receiver.TaxID)
	})
}

// A-13, race: of two different invoices one is taken, and the other is told so.
func TestTwoInvoicesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)

		var taken, fixed atomic.Int64
		amounts := sync.Map{}
		together(8, func(i int) {
			in := invoice(token)

			in["amount"] = fmt.Sprintf("%d.00", 100+i%4)
			switch rec := w.at("192.0.2.1", "POST", "/payables/submit-invoice", in); {
			case rec.Code == 200:
				taken.Add(1)
				amounts.Store(in["amount"], true)
			case rec.Code == 409 && strings.Contains(rec.Body.String(), string(fault.InvoiceLinkFixed)):
				fixed.Add(1)
			default:
				t.Errorf("%d %s", rec.Code, rec.Body)
			}
		})
		require.Equal(t, int64(2), taken.Load(), "the one that was first, and the one that says the same")
		require.Equal(t, int64(6), fixed.Load())
		stored := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Text("submitted.invoice.amount")
		_, is := amounts.Load(stored)
		require.True(t, is)
		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM events WHERE type = 'invoice_link.submitted'"))
	})
}

// A-13, race: a link that is revoked while its invoice comes in is revoked, and holds nothing.
func TestRevokeAgainstSubmit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 5 {
			token, id := w.link(directorytest.A)
			w.post("", "/payables/create-invoice-receiver", person(token)).Status(200)
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)

			together(2, func(i int) {
				if i == 0 {
					w.Do(directorytest.A, "DELETE", "/payables/invoice-links/"+id, "").Status(200)
				} else if rec := w.at("192.0.2.1", "POST", "/payables/submit-invoice", invoice(token)); rec.Code != 200 && rec.Code != 410 {
					t.Errorf("%d %s", rec.Code, rec.Body)
				}
			})

			v := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200)
			require.Equal(t, "REVOKED", v.Text("status"))
			require.Nil(t, v.Get("submitted.invoice"))

			w.post("", "/payables/submit-invoice", invoice(token)).Refused(410, fault.LinkInvalid, "")
		}
	})
}

// A-13, race: one link makes one payable and one receiver, whoever asks how often at once.
func TestPayableIsMadeOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		token, id := w.link(directorytest.A)
		w.handedIn(token)

		var made atomic.Int64
		together(20, func(int) {
			a := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id})
			if a.Code == 201 {
				made.Add(1)
				return
			}

			a.Refused(409, fault.InvoiceLinkClosed, "")
			require.NotEmpty(t, a.Text("payable"), "and names it")
		})
		require.Equal(t, int64(1), made.Load())
		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM payables"))
		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM receivers WHERE NOT is_self"))
		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM bank_accounts"))
	})
}

// A-13, flood: a link takes so many changes; members send so many mails; an address that guesses is not listened to
// for a while.
func TestFloodsEnd(t *testing.T) {
	t.Run("changes by one link", func(t *testing.T) {
		each(t, func(t *testing.T, w *world) {
			token, _ := w.link(directorytest.A)
			for i := range 10 {
				r := person(token)
				r["legalName"] = fmt.Sprintf("Studio %d", i)
				w.post("", "/payables/create-invoice-receiver", r).Status(200)

				w.post(
					"",
					"/payables/create-invoice-bank-account",
					account(token, []string{ibanOne, ibanTwo}[i%2]),
				).Status(200)
			}

			w.post("", "/payables/create-invoice-receiver", person(token)).Refused(429, fault.InvoiceLinkLimit, "")
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Refused(
				429,
				fault.InvoiceLinkLimit,
				"",
			)
			w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200) // as it was

			up := func() int {
				return w.Do(
					"",
					"POST",
					"/payables/upload-invoice",
					`{"fileBase64":"JVBERi0=","fileName":"a.pdf"}`,
					"Slipway-Invoice-Token",
					token,
					"Content-Type",
					"application/json",
				).Code
			}
			for range 10 {
				require.Equal(t, 201, up())
			}

			require.Equal(t, 429, up())
		})
	})

	t.Run("mails to one address", func(t *testing.T) {
		eachWith(t, invoicelink.Limits{ADay: 6, ToAddress: 5}, func(t *testing.T, w *world) {
			for range 5 {
				w.link(directorytest.A)
			}

			again := object{"isExistingReceiver": false, "email": strings.ToUpper(sender)}
			w.post(directorytest.A, "/payables/generate-invoice-link", again).Refused(429, fault.InvoiceLinkLimit, "")
			w.link(directorytest.B)
			other := object{"isExistingReceiver": false, "email": "other@example.com"}
			w.post(directorytest.A, "/payables/generate-invoice-link", other).Status(201)
			w.post(directorytest.A, "/payables/generate-invoice-link", other).Refused(429, fault.InvoiceLinkLimit, "")
			require.Len(t, w.told(), 7)
			w.Advance(24 * time.Hour)
			w.post(directorytest.A, "/payables/generate-invoice-link", again).Status(201)
		})
	})

	t.Run("guesses from one address", func(t *testing.T) {
		limits := invoicelink.Limits{Wrong: limit.Rate{Events: 3, Per: time.Minute}}

		eachWith(t, limits, func(t *testing.T, w *world) {
			token, _ := w.link(directorytest.A)

			ask := func(source, token string) *httptest.ResponseRecorder {
				return w.at(source, "POST", "/payables/create-invoice-receiver", person(token))
			}
			for range 3 {
				require.Equal(t, 410, ask("198.51.100.7", secret.Token("il_")).Code)
			}

			refused := ask("198.51.100.7", secret.Token("il_"))
			require.Equal(t, 429, refused.Code)
			require.Equal(t, 429, ask("198.51.100.7", token).Code, "whether a guess was right is not told either")
			require.Equal(
				t,
				429,
				w.at("198.51.100.7", "POST", "/payables/validate-invoice-token", object{"token": token}).Code,
			)
			require.NotEmpty(t, refused.Header().Get("Retry-After"))
			require.Equal(t, 200, ask("203.0.113.9", token).Code, "others go on")
			w.Advance(time.Minute)
			require.Equal(t, 200, ask("198.51.100.7", token).Code)
		})
	})

	t.Run("calls with one token, and from one address", func(t *testing.T) {
		limits := invoicelink.Limits{
			Link:   limit.Rate{Events: 4, Per: time.Minute},
			Source: limit.Rate{Events: 3, Per: time.Minute},
		}

		eachWith(t, limits, func(t *testing.T, w *world) {
			token, _ := w.link(directorytest.A)
			ask := func(source string) int {
				return w.at(source, "POST", "/payables/validate-invoice-token", object{"token": token}).Code
			}

			require.Equal(
				t,
				[]int{200, 200, 200, 429},
				[]int{ask("192.0.2.1"), ask("192.0.2.1"), ask("192.0.2.1"), ask("192.0.2.1")},
			)

			require.Equal(t, []int{200, 429}, []int{ask("192.0.2.2"), ask("192.0.2.3")})
		})
	})
}

// A-19, foreign receiver: a link is for a receiver of its own organisation, and whoever holds it names none at all.
func TestForeignReceiverIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		theirs := w.Receiver(directorytest.B, "Theirs Ltd")
		make := func(receiver string) *directorytest.Answer {
			return w.post(directorytest.A, "/payables/generate-invoice-link", object{
				"isExistingReceiver": true,
				"email":              sender,
				"receiverId":         receiver,
			})
		}
		foreign := make(theirs).Refused(422, fault.ReceiverUnknown, "/receiverId")
		require.Equal(t, foreign.Raw, make("rcv_01ARZ3NDEKTSV4RRFFQ69G5FAV").Raw, "as one that there is not")
		make(w.Self(directorytest.A)).Refused(422, fault.ReceiverUnknown, "/receiverId")
		w.post(directorytest.A, "/payables/generate-invoice-link", object{
			"isExistingReceiver": false,
			"email":              sender,
			"receiverId":         theirs,
		}).Refused(422, fault.NotAllowed, "/receiverId")
		require.Empty(t, w.told(), "and no mail goes out")

		token, id := w.link(directorytest.A)
		for path, b := range calls(token) {
			b["receiver"] = theirs
			b["receiverId"] = theirs
			w.post("", path, b).Refused(422, fault.UnknownField, "/receiver")
		}

		w.handedIn(token)
		own := w.Receiver(directorytest.A, "Another Ltd")
		w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":     id,
			"bankAccount": w.account(directorytest.A, own, ibanTwo),
		}).
			Refused(422, fault.BankAccountUnknown, "/bankAccount")
		require.Zero(t, w.count("SELECT COUNT(*) FROM receivers WHERE legal_name LIKE 'Studio%'"))
	})
}

// account adds an account by a member.
func (w *world) account(caller, receiver, iban string) string {
	w.T.Helper()

	return w.post(caller, "/bank-accounts", object{
		"bankCountry": "DE",
		"currency":    "EUR",
		"receiver":    receiver,
		"iban":        iban,
		"bicSwift":    "COBADEFFXXX",
	}).Status(201).Text("_id")
}

// known is a receiver with an account, as its organisation has it, and a link that went to it.
func (w *world) known() (receiver, account, token, id string) {
	w.T.Helper()
	receiver = w.Receiver(directorytest.A, "Druckerei Roth")
	account = w.account(directorytest.A, receiver, ibanOne)
	token, id = w.made(directorytest.A, object{"isExistingReceiver": true, "email": "p@example.com"})

	return receiver, account, token, id
}

// an account for a receiver that is known already is a proposal. It is nothing to pay to before a member has
// confirmed it, and then stands beside the one that was there, which is as it was; for a day nothing is paid to it,
// and the receiver is told where it is known.
func TestAccountForAKnownReceiverIsAProposal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who, old, token, id := w.known()
		before := w.Do(directorytest.A, "GET", "/bank-accounts/"+old, "").Status(200).Body
		info := w.Do("", "GET", "/payables/get-invoice-token-info?token="+token, "").Status(200)
		require.Equal(t, true, info.Get("isExistingReceiver"))

		for _, theirs := range []string{"Roth", who, old, "3000", "Street 1"} {
			require.NotContains(t, info.Raw, theirs)
		}

		w.post("", "/payables/create-invoice-receiver", person(token)).Refused(409, fault.InvoiceLinkReceiverKnown, "")
		given := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)
		require.Equal(t, "PROPOSED", given.Text("status"))
		same := w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
		require.Equal(t, "PROPOSED", same.Text("status"), "whether the receiver has it already is not told")
		given = w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200)
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)

		w.Do(directorytest.A, "GET", "/bank-accounts/"+given.Text("_id"), "").Refused(404, fault.NotFoundCode, "")
		w.post(directorytest.A, "/payables", object{
			"name":            "n",
			"amount":          "1",
			"reason":          "r",
			"receiver":        who,
			"type":            "FIAT",
			"status":          "DRAFT",
			"currencyIsoCode": "EUR",
			"bankAccount":     given.Text("_id"),
		}).Refused(422, fault.BankAccountUnknown, "/bankAccount")
		w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Refused(
			409,
			fault.ProposalOpen,
			"",
		)
		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM bank_accounts"))

		w.told()
		confirm := object{"proposal": given.Text("_id")}
		v := w.post(second, "/payables/invoice-links/"+id+"/confirm", confirm).Status(200)
		require.Equal(t, "CONFIRMED", v.Text("submitted.bankAccount.proposal"))
		require.Equal(
			t,
			v.Raw,
			w.post(second, "/payables/invoice-links/"+id+"/confirm", confirm).Status(200).Raw,
			"once",
		)

		after := w.Do(directorytest.A, "GET", "/bank-accounts/"+old, "").Status(200).Body
		delete(before, "receiver") // which has one account more now
		delete(after, "receiver")
		require.Equal(t, before, after, "the old account is as it was")

		added := w.Do(directorytest.A, "GET", "/bank-accounts/"+given.Text("_id"), "").Status(200)
		require.Equal(t, ibanTwo, added.Text("iban"))
		require.NotEmpty(t, added.Text("payableFrom"), "nothing is paid to it for a day")
		mails := w.told()
		require.Len(t, mails, 1)
		require.Equal(t, mail.PayeeDetailsAdded, mails[0].Kind)
		require.Equal(t, "p@example.com", mails[0].To)
		require.Equal(t, ibanTwo[len(ibanTwo)-4:], mails[0].Data["ending"])
		require.Equal(
			t,
			given.Text("_id"),
			w.post(
				directorytest.A,
				"/payables/create-invoice-payable",
				object{"tokenId": id},
			).Status(201).Text("bankAccount"),
		)
	})
}

// what was handed in and was refused, or that nobody decided about, is not paid to.
func TestRefusedProposalIsNotPaidTo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, old, token, id := w.known()
		given := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200).Text("_id")
		decide := func(what, proposal string) *directorytest.Answer {
			return w.post(second, "/payables/invoice-links/"+id+"/"+what, object{"proposal": proposal})
		}
		require.Equal(t, "REFUSED", decide("refuse", given).Status(200).Text("submitted.bankAccount.proposal"))

		decide("confirm", given).Refused(409, fault.ProposalDecided, "")
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)

		w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Refused(
			422,
			fault.Required,
			"/bankAccount",
		)

		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":     id,
			"bankAccount": old,
		}).Status(201)

		require.Equal(t, old, p.Text("bankAccount"))
		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM bank_accounts"))
	})
}

// what is confirmed is what was looked at. Another account that comes meanwhile is another proposal.
func TestSwappedProposalIsNotConfirmed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, _, token, id := w.known()
		looked := w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200).Text("_id")
		swapped := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200).Text("_id")
		confirm := func(proposal string) *directorytest.Answer {
			return w.post(second, "/payables/invoice-links/"+id+"/confirm", object{"proposal": proposal})
		}
		confirm(looked).Refused(409, fault.ProposalChanged, "")
		confirm(swapped).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Refused(
			409,
			fault.InvoiceLinkFixed,
			"",
		)

		// of a new receiver: nothing to confirm, and the payable names what was looked at
		fresh, other := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(fresh)).Status(200)
		first := w.post("", "/payables/create-invoice-bank-account", account(fresh, ibanOne)).Status(200).Text("_id")
		w.post("", "/payables/create-invoice-bank-account", account(fresh, ibanTwo)).Status(200)
		w.post("", "/payables/submit-invoice", invoice(fresh)).Status(200)
		w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":     other,
			"bankAccount": first,
		}).Refused(422, fault.BankAccountUnknown, "/bankAccount")
	})
}

// A-19, swapped account after approval: nothing that a holder of a link does moves what was approved. The link of the
// payable is dead, and a newer one proposes beside it.
func TestAccountIsNotSwappedAfterApproval(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who, old, token, id := w.known()
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		p := w.post(directorytest.A, "/payables/create-invoice-payable", object{
			"tokenId":     id,
			"bankAccount": old,
		}).Status(201).Text("_id")
		w.approve(p)

		for path, b := range calls(token) {
			w.post("", path, b).Refused(410, fault.LinkInvalid, "")
		}

		newer, next := w.made(directorytest.A, object{
			"isExistingReceiver": true,
			"email":              "p@example.com",
			"receiverId":         who,
		})
		given := w.post("", "/payables/create-invoice-bank-account", account(newer, ibanTwo)).Status(200).Text("_id")
		w.post(second, "/payables/invoice-links/"+next+"/confirm", object{"proposal": given}).Status(200)
		now := w.Do(directorytest.A, "GET", "/payables/"+p, "").Status(200)
		require.Equal(t, "APPROVED", now.Text("status"))
		require.Equal(t, old, now.Text("bankAccount"))
		require.Equal(t, ibanOne, w.Do(directorytest.A, "GET", "/bank-accounts/"+old, "").Text("iban"))
	})
}

// approve has a second person approve a payable.
func (w *world) approve(payable string) {
	w.T.Helper()
	w.Do(approver, "POST", "/payables/"+payable+"/approve", "{}").Status(200)
}

// under four eyes whoever made the link confirms nothing of it, and neither does he, whatever the policy, when
// the link went to an address that the receiver is not known by.
func TestMakerOfALinkNeedsASecondPerson(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who, _, token, id := w.known()
		given := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200).Text("_id")
		actions := func(as, of string) any {
			return w.Do(as, "GET", "/payables/invoice-links/"+of, "").Get("allowedActions")
		}

		require.Contains(t, actions(directorytest.A, id), "confirm")

		w.fourEyes = true
		require.NotContains(t, actions(directorytest.A, id), "confirm")
		require.Contains(t, actions(directorytest.A, id), "refuse")
		require.Contains(t, actions(approver, id), "confirm")

		w.post(directorytest.A, "/payables/invoice-links/"+id+"/confirm", object{"proposal": given}).Refused(
			403,
			fault.SecondPersonRequired,
			"",
		)

		w.post(directorytest.Viewer, "/payables/invoice-links/"+id+"/confirm", object{"proposal": given}).Refused(
			403,
			fault.RoleRequired,
			"",
		)

		w.fourEyes = false

		own, other := w.made(directorytest.A, object{
			"isExistingReceiver": true,
			"email":              "insider@example.com",
			"receiverId":         who,
		})

		require.Equal(t, true, w.Do(directorytest.A, "GET", "/payables/invoice-links/"+other, "").Get("otherAddress"))

		mine := w.post("", "/payables/create-invoice-bank-account", account(own, ibanTwo)).Status(200).Text("_id")
		require.NotContains(t, actions(directorytest.A, other), "confirm", "only its maker knows who answers there")

		w.post(directorytest.A, "/payables/invoice-links/"+other+"/confirm", object{"proposal": mine}).Refused(
			403,
			fault.SecondPersonRequired,
			"",
		)

		require.Equal(t, int64(1), w.count("SELECT COUNT(*) FROM bank_accounts"))

		w.told()
		w.post(approver, "/payables/invoice-links/"+other+"/confirm", object{"proposal": mine}).Status(200)
		mails := w.told()
		require.Len(t, mails, 1)
		require.Equal(t, "p@example.com", mails[0].To, "where it is known, and not where the link went")
		require.Equal(t, "insider@example.com", mails[0].Data["email"])
	})
}

// a wallet for a known receiver is a proposal too; one that the receiver has is refused to the member, and to
// nobody else.
func TestWalletForAKnownReceiverIsAProposal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who, _, token, id := w.known()
		_, has := w.Key()

		w.post(directorytest.A, "/wallets", object{
			"address":  has,
			"network":  "net_ethereum",
			"receiver": who,
		}).Status(201)

		hand := func(address string) string {
			a := w.post("", "/payables/create-invoice-wallet", object{
				"token":   token,
				"network": "net_ethereum",
				"address": address,
				"type":    "EOA",
			}).Status(200)
			require.Equal(t, "PROPOSED", a.Text("status"))

			return a.Text("_id")
		}

		confirm := func(proposal string) *directorytest.Answer {
			return w.post(second, "/payables/invoice-links/"+id+"/confirm", object{"proposal": proposal})
		}
		known := hand(has)
		confirm(known).Refused(409, fault.WalletDuplicate, "")
		_, fresh := w.Key()
		added := hand(fresh)
		require.NotEqual(t, known, added, "another content has another name")

		confirm(known).Refused(409, fault.ProposalChanged, "")
		confirm(added).Status(200)
		v := w.Do(directorytest.A, "GET", "/wallets/"+added, "").Status(200)
		require.Equal(t, fresh, v.Text("address"))
		require.NotEmpty(t, v.Text("payableFrom"))
		require.Equal(t, int64(2), w.count("SELECT count(*) FROM wallets WHERE receiver = ?", who))
	})
}

// A-19, race: a proposal is confirmed once and in the content that was named, however often it is swapped meanwhile.
func TestConfirmAgainstSwap(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, _, token, id := w.known()
		given := w.post("", "/payables/create-invoice-bank-account", account(token, ibanTwo)).Status(200).Text("_id")
		together(6, func(i int) {
			if i%2 == 0 {
				w.at("192.0.2.1", "POST", "/payables/create-invoice-bank-account", account(token, ibanOne))
				return
			}

			w.post(second, "/payables/invoice-links/"+id+"/confirm", object{"proposal": given})
		})
		added, there := dbtest.Opened(t, w.DB, bankaccount.Sealed()[0])[given]

		state := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200)
		if !there {
			require.Equal(t, "PROPOSED", state.Text("submitted.bankAccount.proposal"), "the swap was first: it waits")
		} else {
			require.Equal(t, ibanTwo, strings.TrimSpace(added))
			require.Equal(t, given, state.Text("submitted.bankAccount._id"))
		}

		require.LessOrEqual(t, w.count("SELECT COUNT(*) FROM bank_accounts"), int64(2))
	})
}

// The mail says who asks and where it leads, and nothing that a name could add to it.
func TestMailOfALink(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.made(directorytest.A, object{
			"isExistingReceiver": false,
			"email":              sender,
			"reason":             "Click http://evil.example",
		})

		m := w.told()[0]
		require.Equal(t, sender, m.To)
		require.Regexp(t, regexp.MustCompile(`^https://pay\.example/i#il_[0-9A-Za-z]{49}$`), m.Data["link"])
		require.Equal(t, mail.Security, m.Kind.Category(), "nobody can switch it off, since nobody has asked for it")
	})
}
