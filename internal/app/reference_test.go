//go:build !nosandbox

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

const (
	qrReference = "202600000000000000000008718" // check digit by the recursive modulo 10 of the standard
	rfReference = "RF18539007547034"
	qrIBAN      = "CH5030999000020261121" // 30999 is the number of no bank
	plainIBAN   = "CH9300762011623852957"
)

// A creditor reference goes where its rail has a place for it, in place of the text; where there is none, before the text.
func TestCreditorReferencesReachTheBank(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		swiss := func(iban string) string {
			id := c.Do("POST", "/bank-accounts", object{"receiver": c.Receiver, "bankCountry": "CH", "currency": "CHF", "iban": iban, "bicSwift": "SLWYCHZ0XXX"}).OK(201).ID()
			h.RunJobs()
			return id
		}
		qr, euro, dirham := swiss(qrIBAN), c.NewBankAccount("EUR", "000"), c.NewBankAccount("AED", "000")
		with := func(account, amount, reference string) object {
			p := c.FiatPayment(account, amount)
			p["reference"] = reference
			return p
		}
		id := c.FiatAccepted("USDC", with(qr, "480.00", "20 26000 00000 00000 00000 08718"), with(euro, "90.00", "RF18 5390 0754 7034"), with(dirham, "70.00", rfReference),
			c.FiatPayment(euro, "91.00"))
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

		found, err := filepath.Glob(filepath.Join(h.World.BankFolder, "archive", "*"))
		require.NoError(t, err)
		var all string
		for _, f := range found {
			raw, err := os.ReadFile(f)
			require.NoError(t, err)
			all += strings.Join(strings.Fields(string(raw)), "")
		}
		require.Contains(t, all, "<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>"+qrReference+"</Ref></CdtrRefInf></Strd></RmtInf>")
		require.Contains(t, all, "<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>"+rfReference+"</Ref></CdtrRefInf></Strd></RmtInf>")
		require.Contains(t, all, "<RmtInf><Ustrd>"+rfReference+"Invoice2026-118</Ustrd></RmtInf>", "SWIFT has no place for one")
		require.Contains(t, all, "<RmtInf><Ustrd>Invoice2026-118</Ustrd></RmtInf>")
		h.Oracle()
	})
}

func TestCreditorReferencesAreHeldAgainstTheAccount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		account := func(iban string) string {
			id := c.Do("POST", "/bank-accounts", object{"receiver": c.Receiver, "bankCountry": "CH", "currency": "CHF", "iban": iban, "bicSwift": "SLWYCHZ0XXX"}).OK(201).ID()
			h.RunJobs()
			return id
		}
		qr, plain := account(qrIBAN), account(plainIBAN)
		draft := func(account, reference string) apptest.Answer {
			p := c.FiatPayment(account, "90.00")
			p["reference"] = reference
			return c.Do("POST", "/transactions", object{"type": "FIAT", "token": "USDC", "walletAddress": c.Payer.Address.Hex(), "payments": []object{p}})
		}
		for _, wrong := range []string{"RF19539007547034", qrReference[:26] + "9", "Invoice 7"} {
			draft(plain, wrong).Refused(422, "CREDITOR_REFERENCE_INVALID", "/payments/0/reference CREDITOR_REFERENCE_INVALID")
		}
		for _, refused := range []struct{ account, reference, code string }{{qr, "", "BANK_ACCOUNT_UNREACHABLE"}, {qr, rfReference, "BANK_ACCOUNT_UNREACHABLE"},
			{plain, qrReference, "CREDITOR_REFERENCE_INVALID"}} {
			c.Act(draft(refused.account, refused.reference).OK(201).ID(), "submit").Refused(422, refused.code, "/payments/0/reference "+refused.code)
		}
		payment := c.Payment(h.Account("Bob").Address, "1.00")
		payment["reference"] = rfReference
		c.Do("POST", "/transactions", c.Body("USDC", payment)).Refused(422, "NOT_ALLOWED", "/payments/0/reference NOT_ALLOWED")
	})
}
