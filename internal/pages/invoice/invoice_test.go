//go:build !nosandbox

package invoice_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/pages/invoice"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
)

func TestAnOutsidePartyHandsInItsInvoice(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		at := "/i/" + id
		g.until(address, id)
		due := time.Now().UTC().AddDate(0, 1, 0).Format("2006-01-02")
		g.sendFile(
			at+"/invoice",
			"bill 17.pdf",
			pdf(),
			"amount",
			"1'250,50",
			"reason",
			"Annual report, translated",
			"invoiceNumber",
			"2026-17",
			"dueDate",
			due,
		).on(200, at+"/check")

		page := g.get(at+"/check").on(200, at+"/check") // a reload shows it again
		for _, text := range []string{
			"CHF 1,250.50", "Annual report, translated", "2026-17", "bill 17.pdf", "CH93 0076 2011 6238 5295 7",
			"Keller Übersetzungen GmbH", "8002 Zürich, Switzerland", "anna@example.com",
		} {
			require.Contains(t, page.Body, text)
		}

		elsewhere := s.guest()
		elsewhere.send("/i/open", "code", address)
		other := elsewhere.send(at+"/invoice", "amount", "1", "reason", "x").on(200, at+"/check")
		require.Contains(t, other.Body, "ends in 2957",
			"whoever holds the link and has not entered the account sees its end alone (A-13)")
		require.NotContains(t, other.Body, "CH93")
		done := g.send(at+"/check").on(200, at+"/done")
		require.Contains(t, done.Body, "A mail to anna@example.com says so, too.")
		require.Contains(t, s.h.Do(s.h.App, "GET", "/sandbox/mails?recipient=anna@example.com", "", nil).OK(200).Raw,
			"that ends in 2957")
		require.NotContains(t, done.Body, "to sign")
		require.Contains(t, done.Body, id)
		require.Contains(t, done.Body, "CHF 1,250.50")
		g.send(at+"/check").on(200, at+"/done") // twice is once

		for _, step := range []string{"", "/you", "/way", "/bank" + inSwiss, "/wallet", "/invoice", "/check"} {
			g.get(at+step).on(200, at+"/done")
		}

		g.send(at+"/bank"+inSwiss, "iban", "CH56 0483 5012 3456 7800 9", "bicSwift", swissBIC).on(200, at+"/done")

		var p payable
		s.payable(id).Into(&p)
		require.Equal(t, "DRAFT FIAT LINK 1250.50 2026-17",
			strings.Join([]string{p.Status, p.Type, p.Origin, p.Amount, p.Number}, " "))
		require.Equal(t, "Annual report, translated", p.Reason)
		require.Equal(t, due, p.Expected[:10])
		require.NotNil(t, p.Document)
		require.Equal(t, "bill 17.pdf", p.Document.Name)
		require.EqualValues(t, len(pdf()), p.Document.Size)
		account := s.h.Do(s.h.App, "GET", "/bank-accounts/"+p.BankAccount, s.c.Token, nil).OK(200)
		require.Contains(t, account.Raw, "CH9300762011623852957")
		require.NotContains(t, account.Raw, "CH5604835012345678009",
			"what was handed in does not change afterwards (A-19)")
		taken := g.get(at+"/done").on(200, at+"/done") // its payable was made
		require.Contains(t, taken.Body, "Your invoice is being looked at")
		g.send(at+"/you", company()...).on(200, at+"/done") // nothing is handed in any more
	})
}

func TestAWalletIsPaidInATokenOfItsNetwork(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("dao@example.com"))
		g := s.guest()
		at := "/i/" + id
		to := s.h.Account("guest's").Address.Hex()
		g.send("/i/open", "code", address)
		g.send(
			at+"/you",
			"type",
			"INDIVIDUAL",
			"firstName",
			"Ana",
			"lastName",
			"Łukić",
			"legalName",
			"left over",
			"addressLine1",
			"Seestrasse 1",
			"countryIsoCode",
			"CH",
		)
		page := g.send(at+"/way", "way", "wallet").on(200, at+"/wallet")
		require.Contains(t, page.Body, "signed a short text with the wallet")
		network := regexp.MustCompile(`<option value="(net_[^"]+)"`).FindStringSubmatch(page.Body)
		require.NotNil(t, network, page.Body)
		page = g.send(at+"/wallet", "network", network[1], "address", "0x12", "type", "EOA").on(200, at+"/wallet")
		require.Contains(t, page.Body, `value="0x12"`, "what was typed stays")
		require.NotEmpty(t, page.wrong("address"))
		page = g.send(at+"/wallet", "network", network[1], "address", to, "type", "EOA").on(200, at+"/prove")
		require.Contains(t, page.Body, "Sign later")
		page = g.get(at+"/invoice").on(200, at+"/invoice")
		require.Contains(t, page.Body, `value="token:USDC"`)
		page = g.send(at+"/invoice", "amount", "10.5", "reason", "Audit").on(200, at+"/invoice")
		require.Equal(t, "Choose one.", page.wrong("unit"))
		page = g.send(at+"/invoice", "amount", "10.5", "unit", "token:USDC", "reason", "Audit").on(200, at+"/check")
		require.Contains(t, page.Body, "USDC 10.5")
		require.Contains(t, g.send(at+"/check").on(200, at+"/done").Body, "signed a short text with the wallet",
			"what follows is said, too")

		var p payable
		made := s.payable(id)
		made.Into(&p)
		require.Equal(t, "CRYPTO", p.Type)
		require.Contains(t, s.h.Do(s.h.App, "GET", "/wallets/"+p.Wallet, s.c.Token, nil).OK(200).Raw, to)
		require.NotContains(t, s.h.Do(s.h.App, "GET", "/receivers/"+p.Receiver, s.c.Token, nil).OK(200).Raw,
			"left over", "an answer that was not asked for does not count")
	})
}

// A receiver that is known is not asked who it is, learns nothing of what is kept of it, and need not give an account.
func TestWhoIsKnownIsNotAsked(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.known()
		g := s.guest()
		at := "/i/" + id
		page := g.send("/i/open", "code", address).on(200, at+"/way")
		require.NotContains(t, page.Body, "Hidden Street")
		require.NotContains(t, page.Body, "Secret Name", "a mail can be passed on (A-13)")
		require.Contains(t, page.Body, "Step 1 of 3")

		g.get(at+"/you").on(200, at+"/way")
		g.get(at+"/check").on(200, at+"/way")
		page = g.send(at+"/way", "way", "known").on(200, at+"/invoice")
		require.Contains(t, page.Body, `value="token:USDC"`)

		page = g.send(at+"/invoice", "amount", "99", "unit", "GBP", "reason", "Hosting").on(200, at+"/check")
		require.Contains(t, page.Body, "has paid you before")

		g.send(at+"/check").on(200, at+"/done")
	})
}

// A new account of somebody who is known is a proposal: the page says so, and the account is not the receiver's.
func TestANewAccountOfSomebodyKnownIsAProposal(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.known()
		g := s.guest()
		at := "/i/" + id
		g.send("/i/open", "code", address)
		page := g.send(at+"/way", "way", "bank", "bankCountry", "GB", "currency", "GBP").on(200, at+"/bank")
		require.Contains(t, page.Body, "Before it pays to a new account")
		require.Contains(t, page.Body, "Sort code")
		require.NotContains(t, page.Body, "IBAN<")

		g.send(at+"/bank?bankCountry=GB&currency=GBP", "sortCode", "20-00-00", "accountNumber", "55779911").on(200,
			at+"/invoice")

		g.send(at+"/invoice", "amount", "5", "reason", "x").on(200, at+"/check")
		g.send(at+"/check").on(200, at+"/done")
		require.Zero(t, s.h.Count("SELECT COUNT(*) FROM bank_accounts"))
	})
}

func TestWhatIsWrongStandsBesideItsFieldAndWhatWasTypedStays(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		at := "/i/" + id
		g.send("/i/open", "code", address)
		page := g.send(at+"/you", "type", "COMPANY", "city", `<b>"Zürich`).on(200, at+"/you")
		require.Equal(t, "Fill this in.", page.wrong("legalName"))
		require.Equal(t, "Fill this in.", page.wrong("addressLine1"))
		require.Equal(t, "Choose one.", page.wrong("countryIsoCode"))
		require.Contains(t, page.Body, `value="&lt;b&gt;&#34;Zürich"`)
		require.Regexp(t, `(?s)id="legalName"[^>]*autofocus`, page.Body)
		require.Equal(t, 1, strings.Count(page.Body, "autofocus"), "the first that is wrong has the focus")
		require.Contains(t, page.Body, "<title>Please correct:")
		require.Contains(t, page.Body, "3 answers need another look.")

		g.send(at+"/you", company()...)
		page = g.send(at+"/way", "way", "bank", "bankCountry", "", "currency", "").on(200, at+"/way")
		require.Equal(t, "Choose one.", page.wrong("bankCountry"))
		page = g.send(at+"/bank"+inSwiss, "iban", "CH93 0076 2011 6238 5295 8", "bicSwift", "nonsense").on(200,
			at+"/bank")
		require.NotEmpty(t, page.wrong("iban"))
		require.NotEmpty(t, page.wrong("bicSwift"))
		require.Contains(t, page.Body, `value="CH93 0076 2011 6238 5295 8"`)
		g.send(at+"/bank"+inSwiss, "iban", swissIBAN, "bicSwift", swissBIC).on(200, at+"/invoice")
		page = g.send(at+"/invoice", "amount", "1,250", "reason", "", "dueDate", "1999-01-01").on(200, at+"/invoice")
		require.Contains(t, page.wrong("amount"), "two ways")
		require.Equal(t, "Fill this in.", page.wrong("reason"))
		require.NotEmpty(t, page.wrong("dueDate"))
		require.Contains(t, page.Body, `value="1,250"`)
	})
}

func TestFilesThatAreNotTaken(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		at := "/i/" + id
		g.until(address, id)

		for name, test := range map[string]struct {
			content []byte
			says    string
		}{
			"page.pdf":    {[]byte("<html><script>alert(1)</script>"), ""},
			"bomb.png":    {huge(t), ""},
			"large.pdf":   {append(pdf(), bytes.Repeat([]byte(" "), 11<<20)...), "larger than 10 MB"},
			"larger.pdf":  {append(pdf(), bytes.Repeat([]byte(" "), 30<<20)...), "larger than 10 MB"},
			"picture.pdf": {picture(t), ""},
		} {
			t.Run(name, func(t *testing.T) {
				page := g.sendFile(
					at+"/invoice",
					name,
					test.content,
					"amount",
					"10",
					"reason",
					"kept as typed",
				).on(200, at+"/invoice")

				require.NotEmpty(t, page.wrong("file"))
				require.Contains(t, page.wrong("file"), test.says)
				require.Contains(t, page.Body, `value="kept as typed"`)
			})
		}

		// A file that is good is kept although something else is wrong, and can be left out again.
		page := g.sendFile(at+"/invoice", "good.png", picture(t), "amount", "10").on(200, at+"/invoice")
		require.Contains(t, page.Body, "good.png")
		page = g.send(at+"/invoice", "amount", "10", "reason", "r").on(200, at+"/check")
		require.Contains(t, page.Body, "good.png")
		page = g.send(at+"/invoice", "amount", "10", "reason", "r", "remove", "yes").on(200, at+"/check")
		require.NotContains(t, page.Body, "good.png")
		require.NotContains(t, g.get(at+"/invoice").Body, "good.png")
		g.send(at+"/check").on(200, at+"/done")

		var p payable
		s.payable(id).Into(&p)
		require.Nil(t, p.Document)
	})
}

// An unknown link, a withdrawn one and a used one get the same answer.
func TestUselessLinksLookAlike(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		never := s.guest().send("/i/open", "code", "il_"+strings.Repeat("A", 49)).on(410, "/i/open")
		require.Empty(t, never.Header.Values("Set-Cookie"))
		require.Equal(t, never.Body, s.guest().send("/i/open", "code", "x").on(410, "/i/open").Body)

		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		g.until(address, id)
		s.h.Do(s.h.App, "DELETE", "/payables/invoice-links/"+id, s.c.Token, nil).OK(200)
		require.Equal(t, never.Body, s.guest().send("/i/open", "code", code(address)).on(410, "/i/open").Body)
		g.get("/i/"+id+"/invoice").on(410, "/i/"+id+"/invoice")
		g.send("/i/"+id+"/you", company()...).on(410, "/i/"+id+"/you")
	})
}

func TestTwoLinksInOneBrowserDoNotMix(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		one, first := s.link(asked("anna@example.com"))
		two, second := s.link(asked("anna@example.com"))
		g := s.guest()
		g.until(one, first)
		g.send("/i/open", "code", two).on(200, "/i/"+second+"/you")
		g.send("/i/"+first+"/invoice", "amount", "10", "reason", "of the first").on(200, "/i/"+first+"/check")
		g.get("/i/"+second+"/invoice").on(200, "/i/"+second+"/you")
		g.send("/i/"+first+"/check").on(200, "/i/"+first+"/done")
		require.EqualValues(t, 1, s.h.Count("SELECT COUNT(*) FROM invoice_links WHERE status = 'SUBMITTED'"))

		// Somebody who writes another link's path has no cookie for it.
		h := s.guest()
		h.send("/i/open", "code", two)
		h.get("/i/"+first+"/done").on(410, "/i/"+first+"/done")
		r, err := http.NewRequest("GET", s.site+"/i/"+first+"/you", nil) // nor does another link's open it
		require.NoError(t, err)
		r.AddCookie(&http.Cookie{Name: "invoice-link", Value: code(two)})
		s.guest().do(r).on(410, "/i/"+first+"/you")
	})
}

// another site's page can neither send a form here nor open a link in somebody's browser.
func TestOtherSitesCannotSendForms(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		at := "/i/" + id
		g.until(address, id)
		g.send(at+"/invoice", "amount", "10", "reason", "r")

		for name, headers := range map[string]http.Header{
			"fetch metadata": {"Sec-Fetch-Site": {"cross-site"}},
			"a neighbour":    {"Sec-Fetch-Site": {"same-site"}},
			"origin alone":   {"Origin": {"https://evil.example"}},
			"no origin":      {"Origin": {"null"}},
		} {
			t.Run(name, func(t *testing.T) {
				for _, path := range []string{at + "/check", at + "/you", "/i/open"} {
					r, err := http.NewRequest("POST", s.site+path,
						strings.NewReader(url.Values{"code": {code(address)}}.Encode()))

					require.NoError(t, err)

					r.Header = headers.Clone()
					r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
					page := g.do(r).on(403, path)
					require.Empty(t, page.Header.Values("Set-Cookie"), name)
				}
			})
		}

		require.Zero(t, s.h.Count("SELECT COUNT(*) FROM invoice_links WHERE status = 'SUBMITTED'"))
	})
}

func TestPagesLoadNothingFromElsewhereAndKeepToThemselves(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		pages := []seen{g.get("/i").on(200, "/i")}
		require.Empty(t, pages[0].Header.Values("Set-Cookie"), "nothing is kept before a link was opened")
		g.until(address, id)

		for _, path := range []string{"/you", "/way", "/bank" + inSwiss, "/wallet", "/invoice"} {
			pages = append(pages, g.get("/i/"+id+path))
		}

		g.send("/i/"+id+"/invoice", "amount", "10", "reason", "r")

		pages = append(pages, g.get("/i/"+id+"/check"), g.send("/i/"+id+"/check"),
			g.get("/i/"+id+"/nothing").on(404, "/i/"+id+"/nothing"))
		for _, p := range pages {
			policy := p.Header.Get("Content-Security-Policy")
			require.Contains(t, policy, "default-src 'none'")
			require.Contains(t, policy, "frame-ancestors 'none'")
			require.Contains(t, policy, "form-action 'self'")
			runs := p.Path == "/i" || p.Path == "/i/"+id+"/invoice"
			require.Equal(t, runs, strings.Contains(policy, "script-src"),
				"only the page that opens a link and the one with a date run a script")
			require.Equal(t, "no-store", p.Header.Get("Cache-Control"))
			require.Equal(t, "same-origin", p.Header.Get("Referrer-Policy"))
			require.NotRegexp(t, `<script>|<style>|style="|onclick`, p.Body, "the policy would stop it")
			require.NotContains(t, p.Body, code(address))

			for _, m := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(p.Body, -1) {
				if m[1] != "data:," { // the icon, which is none
					require.Equal(t, 200, g.get(m[1]).Status, m[1])
				}
			}

			for _, m := range regexp.MustCompile(`(?:for|aria-describedby)="([^"]+)"`).FindAllStringSubmatch(p.Body, -1) {
				for _, name := range strings.Fields(m[1]) {
					require.Contains(t, p.Body, `id="`+name+`"`)
				}
			}
		}
	})
}

func TestCookiesAreOfOneLinkAndOutOfReach(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		keys, err := secret.ParseKeyring(secret.NewKey("test"))
		require.NoError(t, err)
		router := chi.NewMux()
		api := web.New(web.Config{BaseURL: "https://pay.example", Log: s.h.App.Log, DB: s.h.DB()})
		invoice.Routes(api, invoice.Deps{
			Links:   s.h.App.InvoiceLinks,
			DB:      s.h.DB(),
			Log:     s.h.App.Log,
			Keyring: keys,
			Secure:  true,
		})
		router.Mount("/", api.Handler())
		r := httptest.NewRequest("POST", "/i/open", strings.NewReader("code="+url.QueryEscape(address)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		rec := httptest.NewRecorder()
		router.ServeHTTP(rec, r)
		require.Equal(t, 303, rec.Code)
		require.Equal(t, "/i/"+id, rec.Header().Get("Location"))
		cookies := rec.Result().Cookies()
		require.Len(t, cookies, 3)

		for _, c := range cookies {
			require.True(
				t,
				c.HttpOnly && c.Secure && c.SameSite == http.SameSiteStrictMode && c.Path == "/i/"+id && c.Domain == "",
				c.String(),
			)
			require.True(t, strings.HasPrefix(c.Name, "__Secure-"))
			require.LessOrEqual(t, c.MaxAge, 0, "it ends with the browser")
		}

		require.Equal(t, code(address), cookies[0].Value)
	})
}

// The limits of a deployment let somebody through who makes many mistakes, and stop whoever tries codes.
func TestLimitsLeaveRoomForMistakes(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		address, id := s.link(asked("anna@example.com"))
		s.h.Tune(func(o *app.Outside) { o.NoLimits = false })
		limited := httptest.NewServer(s.h.Start().Handler)
		t.Cleanup(limited.Close)
		s.site = limited.URL
		g := s.guest()
		at := "/i/" + id
		g.send("/i/open", "code", address)

		for range 3 {
			g.send(at+"/you", "type", "COMPANY").on(200, at+"/you")
		}

		g.until(address, id)

		for range 3 {
			g.send(at+"/invoice", "amount", "1,250").on(200, at+"/invoice")
		}

		g.send(at+"/invoice", "amount", "10", "reason", "r").on(200, at+"/check")
		g.send(at+"/check").on(200, at+"/done")

		tried := 0
		for ; tried < 100; tried++ {
			if page := s.guest().send("/i/open", "code", fmt.Sprintf("il_%049d", tried)); page.Status == 429 {
				require.NotEmpty(t, page.Header.Get("Retry-After"))
				break
			}
		}

		require.Less(t, tried, 30)
	})
}
