//go:build !nosandbox

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

const (
	qrReference = "202600000000000000000008718" // check digit by the recursive modulo 10 of the standard
	rfReference = "RF18539007547034"
	qrIBAN      = "CH5030999000020261121" // 30999 is the number of no bank
	otherQRIBAN = "CH9830999000020261130"
	plainIBAN   = "CH9300762011623852957"
)

// swissAccount stores an account in francs of the client's receiver.
func swissAccount(h *apptest.Harness, c *apptest.Client, iban string) string {
	h.T.Helper()

	id := c.Do("POST", "/bank-accounts", object{
		"receiver":    c.Receiver,
		"bankCountry": "CH",
		"currency":    "CHF",
		"iban":        iban,
		"bicSwift":    "SLWYCHZ0XXX",
	}).OK(201).ID()

	h.RunJobs()

	return id
}

// paymentFiles is what the bank has got, without white space.
func paymentFiles(t *testing.T, h *apptest.Harness) (all string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(h.World.BankFolder, "archive", "*"))
	require.NoError(t, err)

	for _, f := range found {
		raw, err := os.ReadFile(f)
		require.NoError(t, err)
		all += strings.Join(strings.Fields(string(raw)), "")
	}

	return all
}

// A creditor reference goes where its rail has a place for it, in place of the text; where there is none, before the
// text.
func TestCreditorReferencesReachTheBank(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		qr := swissAccount(h, c, qrIBAN)
		euro := c.NewBankAccount("EUR", "000")
		dirham := c.NewBankAccount("AED", "000")
		with := func(account, amount, reference string) object {
			p := c.FiatPayment(account, amount)
			p["reference"] = reference
			return p
		}
		id := c.FiatAccepted(
			"USDC",
			with(qr, "480.00", "20 26000 00000 00000 00000 08718"),
			with(euro, "90.00", "RF18 5390 0754 7034"),
			with(dirham, "70.00", rfReference),
			c.FiatPayment(euro, "91.00"),
		)
		h.SettleAll()
		require.Equal(t, "COMPLETED", string(c.Read(id).Status))

		var shown struct {
			Payments []struct {
				Reference string `json:"reference"`
			} `json:"payments"`
		}
		c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&shown)
		require.Equal(t, qrReference, shown.Payments[0].Reference)
		require.Equal(t, rfReference, shown.Payments[1].Reference)

		all := paymentFiles(t, h)
		require.Contains(
			t,
			all,
			"<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>"+qrReference+"</Ref></CdtrRefInf></Strd></RmtInf>",
		)
		require.Contains(
			t,
			all,
			"<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>"+rfReference+"</Ref></CdtrRefInf></Strd></RmtInf>",
		)
		require.Contains(
			t,
			all,
			"<RmtInf><Ustrd>"+rfReference+"Invoice2026-118</Ustrd></RmtInf>",
			"SWIFT has no place for one",
		)
		require.Contains(t, all, "<RmtInf><Ustrd>Invoice2026-118</Ustrd></RmtInf>")
		h.Oracle()
	})
}

func TestCreditorReferencesAreHeldAgainstTheAccount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		qr := swissAccount(h, c, qrIBAN)
		plain := swissAccount(h, c, plainIBAN)

		draft := func(account, reference string) apptest.Answer {
			p := c.FiatPayment(account, "90.00")
			p["reference"] = reference

			return c.Do("POST", "/transactions", object{
				"type":          "FIAT",
				"token":         "USDC",
				"walletAddress": c.Payer.Address.Hex(),
				"payments":      []object{p},
			})
		}

		for _, wrong := range []string{"RF19539007547034", qrReference[:26] + "9", "Invoice 7"} {
			draft(plain, wrong).Refused(
				422,
				"CREDITOR_REFERENCE_INVALID",
				"/payments/0/reference CREDITOR_REFERENCE_INVALID",
			)
		}

		for _, refused := range []struct{ account, reference, code string }{
			{qr, "", "BANK_ACCOUNT_UNREACHABLE"},
			{qr, rfReference, "BANK_ACCOUNT_UNREACHABLE"},
			{plain, qrReference, "CREDITOR_REFERENCE_INVALID"},
		} {
			c.Act(draft(refused.account, refused.reference).OK(201).ID(), "submit").Refused(
				422,
				refused.code,
				"/payments/0/reference "+refused.code,
			)
		}

		payment := c.Payment(h.Account("Bob").Address, "1.00")
		payment["reference"] = rfReference

		c.Do("POST", "/transactions", c.Body("USDC", payment)).Refused(
			422,
			"NOT_ALLOWED",
			"/payments/0/reference NOT_ALLOWED",
		)
	})
}

// D-09: a bill's reference stays with its payment from the payable on: when the price is made anew, when the bank
// sends the money back and it is paid again to the same account, and to another one. To an account that does not take
// it, it is not paid.
func TestCreditorReferenceStaysWithThePayment(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		operator := h.Operators()
		c := h.Client("Ada")
		operator.Do(
			"PUT",
			"/operations/organisations/"+c.Org+"/return-policy",
			object{"policy": settlement.PolicyResend},
		).OK(200)
		qr := swissAccount(h, c, qrIBAN)
		other := swissAccount(h, c, otherQRIBAN)
		plain := swissAccount(h, c, plainIBAN)
		bill := approved(c, with(fiatPayable(c, qr, "CHF", "480.00"), object{
			"reference": qrReference,
			"origin":    "QR_BILL",
		}))
		id := pay(c, bill).OK(201).ID()
		c.Act(id, "submit").OK(200)
		h.DB().Clock().Advance(5*time.Minute + time.Second)
		c.Act(id, "accept").Refused(409, "QUOTE_EXPIRED")
		c.Act(id, "accept").OK(200)
		h.SettleAll()
		statusIs(t, c, bill, "PAID", id)

		const structured = "<Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>" + qrReference + "</Ref>"
		require.Equal(t, 1, strings.Count(paymentFiles(t, h), structured))

		for i, to := range []string{"", other} {
			key, err := db.Value[string](
				t.Context(),
				h.DB(),
				"SELECT end_to_end_id FROM bank_payouts WHERE object = ? ORDER BY id DESC LIMIT 1",
				id,
			)

			require.NoError(t, err)

			h.Control(banksim.Control{Op: "late_return", EndToEndID: key, Reason: "AC04", Amount: "480.00"})
			h.BankUntil("it has come back", func() bool {
				return c.Read(id).Payments[0].Status == transaction.PaymentReturned
			})

			again := func(account string) apptest.Answer {
				return operator.Do("POST", "/operations/transactions/"+id+"/returns", object{
					"payment":     1,
					"action":      "RESEND",
					"bankAccount": account,
				})
			}

			again(plain).Refused(422, "CREDITOR_REFERENCE_INVALID")
			operator.Carried(again(to))
			h.BankUntil("paid again", func() bool {
				return c.Read(id).Payments[0].Status == transaction.PaymentCompleted
			})
			require.Equal(t, i+2, strings.Count(paymentFiles(t, h), structured))
		}

		require.Equal(
			t,
			[]int{2, 1},
			[]int{
				strings.Count(paymentFiles(t, h), "<IBAN>"+qrIBAN),
				strings.Count(paymentFiles(t, h), "<IBAN>"+otherQRIBAN),
			},
		)
		statusIs(t, c, bill, "PAID", id)
		h.Oracle()
	})
}
