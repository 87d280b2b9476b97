//go:build !nosandbox

package app_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/notice"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

// post is what came to one address about transactions, oldest first.
func post(h *apptest.Harness, email string) []mail.Shown {
	h.T.Helper()
	h.DB().Clock().Advance(notice.Settle + time.Minute)
	require.NoError(h.T, h.DB().Write(context.Background(), func(tx *db.Tx) error { // as the runner's schedule does
		h.App.Jobs.Enqueue(tx, notice.Job, "every/"+notice.Job, "")
		return nil
	}))
	h.RunJobs()
	h.RunJobs()

	var list struct {
		Results []mail.Shown `json:"results"`
	}
	h.Do(h.App, "GET", "/sandbox/mails?recipient="+url.QueryEscape(email), "", nil).OK(200).Into(&list)

	var out []mail.Shown
	for _, m := range list.Results {
		if m.Category == string(mail.Transaction) {
			out = append([]mail.Shown{m}, out...)
		}
	}

	return out
}

func kinds(all []mail.Shown) string {
	out := make([]string, len(all))
	for i, m := range all {
		out[i] = m.Kind + "/" + m.State
	}

	return strings.Join(out, " ")
}

// colleague joins the client's organisation.
func colleague(h *apptest.Harness, c *apptest.Client, name, userType string, roles ...string) *apptest.Client {
	h.T.Helper()
	p := h.Person(name)

	var in struct {
		Token string `json:"token"`
	}
	h.Do(h.App, "POST", "/organisations/"+c.Org+"/invitations", c.Token, apptest.Object{
		"email": p.Email,
		"roles": roles,
	}).OK(201).Into(&in)
	h.Do(h.App, "POST", "/organisations/join", p.Token, apptest.Object{"invitationToken": in.Token}).OK(200)

	var members struct {
		Results []struct {
			ID   string `json:"_id"`
			User struct {
				Email string `json:"email"`
			} `json:"user"`
		} `json:"results"`
	}
	h.Do(h.App, "GET", "/organisations/"+c.Org+"/members", c.Token, nil).OK(200).Into(&members)

	for _, m := range members.Results {
		if m.User.Email == p.Email && userType != "" {
			h.Do(
				h.App,
				"POST",
				"/sandbox/organisations/"+c.Org+"/members/"+m.ID,
				c.Token,
				apptest.Object{"userType": userType},
			).OK(200)
		}
	}

	return p
}

// Who may accept is asked by mail, and who has drawn up a payment is told what became of it; nobody is told what he
// did himself.
func TestPeopleAreToldWhatBecameOfTheirPayments(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		grace := colleague(h, c, "Grace", "authorized", "approver")
		grace.StaySignedIn()
		colleague(h, c, "Vera", "", "viewer")
		stranger := h.Client("Eve")
		id := c.Submitted("USDC", "1250.50")

		asked := post(h, grace.Email)
		require.Equal(t, "approval_needed/SENT", kinds(asked))

		for _, text := range []string{asked[0].Text, asked[0].HTML} {
			for _, part := range []string{"1,250.50", "USDC", "Ada Muster", "Ada AG", "Alice", id, asked[0].Stop} {
				require.Contains(t, strings.ReplaceAll(text, "&amp;", "&"), part)
			}
		}

		require.Contains(t, asked[0].Text, "/console/o/"+c.Org+"/transactions/"+id, "where it is decided")
		require.Empty(t, post(h, c.Email), "the creator is not asked for a second pair of eyes")

		h.Do(h.App, "POST", "/transactions/"+id+"/accept", grace.Token, nil, apptest.Header{
			Name:  "Slipway-Organisation",
			Value: c.Org,
		}).OK(200)
		require.Equal(t, "transaction_news/SENT", kinds(post(h, c.Email)))
		require.Equal(t, "Accepted: USDC 1,250.50, Ada AG", post(h, c.Email)[0].Subject)
		require.Len(t, post(h, grace.Email), 1, "she knows")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
		told := post(h, c.Email)
		require.Equal(t, "Paid: USDC 1,250.50, Ada AG", told[1].Subject)
		require.Len(t, told, 2)
		require.Len(t, post(h, grace.Email), 2)
		require.Empty(t, post(h, "vera@example.org"))
		require.Empty(t, post(h, stranger.Email))
		require.Len(t, post(h, c.Email), 2, "once")
	})
}

// A person who has switched them off, by the link of a mail, gets no more; mails about the account come as ever.
func TestTheLinkOfAMailEndsMailsOfItsKind(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		grace := colleague(h, c, "Grace", "authorized", "approver")
		c.Submitted("USDC", "1.00")
		stop := post(h, grace.Email)[0].Stop
		u, err := url.Parse(stop)
		require.NoError(t, err)

		h.Do(h.App, "GET", u.RequestURI(), "", nil).OK(200)
		c.Submitted("USDC", "2.00")

		require.Equal(
			t,
			"approval_needed/SENT approval_needed/SENT",
			kinds(post(h, grace.Email)),
			"the link was only opened",
		)

		h.Do(h.App, "POST", u.RequestURI(), "", nil).OK(200)
		c.Submitted("USDC", "3.00")

		require.Equal(
			t,
			"approval_needed/SENT approval_needed/SENT approval_needed/UNWANTED",
			kinds(post(h, grace.Email)),
		)

		h.Do(h.App, "POST", "/auth/forgot-password", "", apptest.Object{"email": grace.Email}).OK(200)
		h.RunJobs()
		h.RunJobs()

		require.EqualValues(
			t,
			1,
			h.Count(
				"SELECT count(*) FROM mails WHERE recipient = ? AND kind = 'reset' AND state = 'SENT'",
				grace.Email,
			),
		)
	})
}

// A payee with one name is greeted by it alone, and named by it alone, in each mail that goes to it or names it,
// whichever of the two fields has the name.
func TestMailsNameAPersonByItsOneName(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		for _, c := range []*apptest.Client{x.ada, x.ben, x.cleo} {
			c.StaySignedIn()
		}

		policy(x.ada, object{"payeeDelayHours": 3})

		for name, names := range map[string]object{
			"Suharto": {"firstName": "", "lastName": "Suharto"},
			"Sukarno": {"firstName": "Sukarno", "lastName": ""},
		} {
			email := strings.ToLower(name) + "@example.org"
			c := *x.cleo
			c.Receiver = c.Do("POST", "/receivers", with(names, object{
				"type":           "INDIVIDUAL",
				"email":          email,
				"address":        "Jalan 1",
				"countryIsoCode": "ID",
			})).OK(201).ID()
			changed := c.NewBankAccount("EUR", "100")
			c.Do("PATCH", "/bank-accounts/"+changed, object{"iban": "CH9300762011623852957"}).OK(200)
			givesAnotherAccount(h, x, c.Receiver, email)
			account := c.NewBankAccount("EUR", "000")
			h.DB().Clock().Advance(3*time.Hour + time.Second) // the new one may be paid
			h.RunJobs()
			id := c.FiatSubmitted("USDC", c.FiatPayment(account, "50.00"))
			asked := post(h, x.ben.Email)
			x.ben.Act(id, "accept").OK(200)
			h.SettleAll()
			told := post(h, x.cleo.Email)

			require.Equal(t, []string{
				"bank_account_changed",
				"invoice_receipt",
				"invoice_request",
				"payee_details_added",
			}, kindsOf(h, email, func(m mail.Shown) {
				if toWhoeverHasIt := strings.HasPrefix(m.Kind, "invoice_"); !toWhoeverHasIt { // the link
					require.Contains(t, m.Text, "Hello "+name+",\n")
					require.Contains(t, m.HTML, "Hello "+name+",<")
				}

				require.NotContains(t, m.Subject+m.Text, "  ")
			}))

			for _, m := range []mail.Shown{asked[len(asked)-1], told[len(told)-1]} {
				require.Contains(t, m.Text, "To: "+name+"\n", m.Kind)
				require.Regexp(t, `>\s*`+name+`\s*<`, m.HTML, m.Kind)
			}
		}
	})
}

// givesAnotherAccount has a known payee hand an account in by a link, which a member then confirms.
func givesAnotherAccount(h *apptest.Harness, x team, receiver, email string) {
	token, id := link(x.cleo, object{"isExistingReceiver": true, "receiverId": receiver, "email": email})
	outside(h, "/payables/create-invoice-bank-account", object{
		"token":         token,
		"bankCountry":   "GB",
		"currency":      "GBP",
		"accountNumber": "31926100",
		"sortCode":      "601613",
	}).OK(200)
	outside(h, "/payables/submit-invoice", object{
		"token":           token,
		"amount":          "120.00",
		"currencyIsoCode": "GBP",
		"reason":          "Batik",
	}).OK(200)

	proposed := readLink(x.cleo, id).Submitted.BankAccount
	require.NotNil(h.T, proposed)
	x.ada.Do("POST", "/payables/invoice-links/"+id+"/confirm", object{"proposal": proposed.ID}).OK(200)
	h.RunJobs()
	h.RunJobs()
}

// kindsOf returns the kinds of the mails to an address, in order and each once, and has each mail looked at.
func kindsOf(h *apptest.Harness, email string, look func(m mail.Shown)) (all []string) {
	h.T.Helper()

	var list struct {
		Results []mail.Shown `json:"results"`
	}
	h.Do(h.App, "GET", "/sandbox/mails?recipient="+url.QueryEscape(email), "", nil).OK(200).Into(&list)

	for _, m := range list.Results {
		require.Equal(h.T, email, m.To)
		look(m)
		all = append(all, m.Kind)
	}

	slices.Sort(all)

	return slices.Compact(all)
}
