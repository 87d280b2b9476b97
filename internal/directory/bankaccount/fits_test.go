//go:build !nosandbox

package bankaccount_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/platform/db"
	"slipway/internal/standards/bankcode"
)

// IBAN, BIC and country are of one place, but for territories and others whose banks are numbered together.
func TestNumbersThatContradictEachOtherAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for fields, at := range map[string]string{
			`"bankCountry":"FR","currency":"EUR","iban":"DE89370400440532013000","bicSwift":"PSSTFRPP"`:     "/iban",
			`"bankCountry":"DE","currency":"USD","iban":"TR330006100519786457841326","bicSwift":"COBADEFF"`: "/iban",
			`"bankCountry":"DE","currency":"EUR","iban":"DE89370400440532013000","bicSwift":"POFICHBE"`:     "/bicSwift",
			`"bankCountry":"AE","currency":"AED","accountNumber":"01234567","bicSwift":"COBADEFF"`:          "/bicSwift",
			us + `,"bicSwift":"COBADEFF"`: "/bicSwift",
		} {
			a := add(w, fields).Refused(422, fault.BankDetailsMismatch, at)
			require.Len(t, a.List("errors"), 1, a.Raw)
		}

		for _, fields := range []string{
			`"bankCountry":"RE","currency":"EUR","iban":"FR1420041010050500013M02606","bicSwift":"PSSTFRPP"`,
			`"bankCountry":"GB","currency":"EUR","iban":"GB29NWBK60161331926819","bicSwift":"NWBKJESH"`,
			`"bankCountry":"GG","currency":"EUR","iban":"GB29NWBK60161331926819","bicSwift":"NWBKGB2L"`,
			`"bankCountry":"MC","currency":"EUR","iban":"MC5811222000010123456789030","bicSwift":"PSSTFRPP"`,
			`"bankCountry":"PR","currency":"USD","accountNumber":"12345","routingNumber":"021000021","accountType":"SAVINGS","bicSwift":"CHASUS33"`,
		} {
			add(w, fields).Status(201)
		}

		// an IBAN that is wrong in itself is stored with its verdict, whatever it would not fit
		a := add(
			w,
			`"bankCountry":"FR","currency":"EUR","iban":"DE89370400440532013001","bicSwift":"PSSTFRPP"`,
		).Status(
			201,
		)
		require.Equal(t, false, a.Get("ibanSuiteValidation.verified"))
	})
}

// A bank of one member state of the European Economic Area may serve accounts of another: its BIC is a remark beside an
// account that is good. Outside of it, or without an IBAN, it is a contradiction.
func TestABICOfAnotherMemberStateIsARemark(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for fields, says := range map[string]string{
			`"bankCountry":"ES","currency":"EUR","iban":"ES0715830001170000000000","bicSwift":"REVOLT21"`:    "a bank in LT, and the IBAN is of ES",
			`"bankCountry":"RE","currency":"EUR","iban":"FR1420041010050500013M02606","bicSwift":"REVOLT21"`: "a bank in LT, and the IBAN is of FR",
			`"bankCountry":"ES","currency":"EUR","iban":"ES0715830001170000000000","bicSwift":"CAIXESBB"`:    "",
		} {
			a := add(w, fields).Status(201)
			require.Equal(t, true, a.Get("ibanSuiteValidation.verified"), a.Raw)
			require.Nil(t, a.Get("ibanSuiteValidation.errorCode"))

			if says == "" {
				require.Nil(t, a.Get("ibanSuiteValidation.errorMessage"))
			} else {
				require.Contains(t, a.Text("ibanSuiteValidation.errorMessage"), says)
			}
		}

		for _, fields := range []string{
			`"bankCountry":"ES","currency":"EUR","iban":"ES0715830001170000000000","bicSwift":"POFICHBE"`,
			`"bankCountry":"CH","currency":"EUR","iban":"CH9300762011623852957","bicSwift":"REVOLT21"`,
			`"bankCountry":"GB","currency":"EUR","iban":"GB29NWBK60161331926819","bicSwift":"REVOLT21"`,
		} {
			add(w, fields).Refused(422, fault.BankDetailsMismatch, "/bicSwift")
		}
	})
}

// An account number of nine digits names another branch's account unless the bank is Santander.
func TestNineDigitsAreNotRewrittenForOtherBanks(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		british := func(sortCode string) *dt.Answer {
			return add(w, `"bankCountry":"GB","currency":"GBP","accountNumber":"131926819","sortCode":"`+sortCode+`"`)
		}

		for _, sortCode := range []string{"601613", "406301"} {
			a := british(sortCode).Refused(422, fault.FormatInvalid, "/accountNumber")
			require.Contains(t, a.Raw, "give the eight digits")
		}

		a := british("090126").Status(201)
		require.Equal(t, []string{"090121", "31926819"}, []string{a.Text("sortCode"), a.Text("accountNumber")})
	})
}

// Accounts in EUR need a BIC, also where the deployment knows the bank: whoever asks for the account fills it in from
// there. An account from before can be changed without one. A setting lifts the rule.
func TestAccountsInEURNeedABIC(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		const sepa = `"bankCountry":"DE","currency":"EUR","iban":"DE89370400440532013000"`
		add(w, sepa).Refused(422, fault.Required, "/bicSwift")
		add(w, sepa+`,"bicSwift":"COBADEFF"`).Status(201)

		deps := withBanks(t, w)
		account := bankaccount.Account{
			Organisation: "org_a",
			Receiver:     w.Receiver(dt.A, "Payee"),
			Country:      "DE",
			Currency:     "EUR",
			IBAN:         "DE89370400440532013000",
		}

		var stored bankaccount.View

		done := func(_ *db.Tx, v bankaccount.View) error {
			stored = v
			return nil
		}

		lifted := bankaccount.New(deps)
		require.NoError(t, lifted.Create(t.Context(), account, done))

		deps.BICOptional = false
		strict := bankaccount.New(deps)
		require.Equal(t, []string{"iban", "bicSwift"}, strict.Asks("DE", "EUR"))
		require.True(t, fault.Is(strict.Create(t.Context(), account, done), fault.Required))

		bank, known := strict.BankOf("de89 3704 0044 0532 0130 00")
		require.True(t, known)
		require.Equal(t, "COBADEFFXXX", string(bank.BIC))

		rename := func(a *bankaccount.Account) { a.Bank.Name = "House bank" }
		require.NoError(t, strict.Change(t.Context(), "org_a", stored.ID, rename, done), "it was added without one")

		move := func(a *bankaccount.Account) { a.IBAN = "DE02120300000000202051" }
		require.True(t, fault.Is(strict.Change(t.Context(), "org_a", stored.ID, move, done), fault.Required))

		w.Do(dt.A, "POST", "/bank-accounts/find-bank", `{"iban":"DE89370400440532013000"}`).Status(200)

		for _, asked := range []struct {
			service        *bankaccount.Service
			iban, currency string
			needed         bool
		}{
			{strict, "DE89 3704 0044 0532 0130 00", "EUR", true}, // the interface wants it, known or not
			{lifted, "DE89 3704 0044 0532 0130 00", "EUR", false},
			{lifted, "DE00", "EUR", false},
			{lifted, "CH9300762011623852957", "EUR", false},
			{lifted, "CH9300762011623852957", "CHF", false}, // its bank is known
			{lifted, "CH5604835012345678009", "CHF", true},
			{lifted, "", "CHF", true},
		} {
			needed := asked.service.NeedsBIC(asked.iban, asked.currency)
			require.Equal(t, asked.needed, needed, asked.iban+" "+asked.currency)
		}
	})
}

// A table of banks makes BICs unnecessary where they are not required, and finds those of another bank.
func TestTableOfBanks(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		service := bankaccount.New(withBanks(t, w))
		store := func(a bankaccount.Account) (v bankaccount.View, err error) {
			a.Organisation = "org_a"
			a.Receiver = w.Receiver(dt.A, "Payee")
			err = service.Create(t.Context(), a, func(_ *db.Tx, stored bankaccount.View) error {
				v = stored
				return nil
			})

			return v, err
		}

		sepa := bankaccount.Account{Country: "DE", Currency: "EUR", IBAN: "DE89370400440532013000"}
		v, err := store(sepa)
		require.NoError(t, err)
		require.Equal(t, "COBADEFFXXX", v.BIC)
		require.Equal(t, "Commerzbank", v.BankName)

		kept, err := bankaccount.ByID(t.Context(), w.DB, "org_a", v.ID)
		require.NoError(t, err)

		locked, err := bankaccount.FromSnapshot(kept.Snapshot())
		require.NoError(t, err)
		require.Equal(t, "COBADEFFXXX", locked.BankBIC(), "payments carry it")

		swiss := bankaccount.Account{Country: "CH", Currency: "CHF", IBAN: "CH9300762011623852957"}
		v, err = store(swiss)
		require.NoError(t, err, "elsewhere than in SEPA, too")
		require.Equal(t, "BLKBCH22XXX", v.BIC)

		sepa.BIC = "COBADEFF" // another BIC of the same bank
		_, err = store(sepa)
		require.NoError(t, err)

		sepa.BIC = "INGDDEFF"
		_, err = store(sepa)
		f, _ := fault.As(err)
		require.NotNil(t, f, "%v", err)
		require.Equal(t, fault.BankDetailsMismatch, f.Fields[0].Code)
		require.Equal(t, "/bicSwift", f.Fields[0].Pointer)

		unknown := bankaccount.Account{Country: "CH", Currency: "CHF", IBAN: "CH5604835012345678009"}
		_, err = store(unknown)
		f, _ = fault.As(err)
		require.NotNil(t, f, "%v", err)
		require.Equal(t, fault.Required, f.Fields[0].Code)
	})
}

func withBanks(t *testing.T, w *dt.World) bankaccount.Deps {
	t.Helper()

	file, err := os.Open("../../standards/bankcode/testdata/banks.csv")
	require.NoError(t, err)

	defer func() { require.NoError(t, file.Close()) }()

	deps := w.BankAccountDeps()
	deps.BICOptional = true
	deps.Tables.Banks, err = bankcode.ReadBanks(file)
	require.NoError(t, err)

	return deps
}

// What GET shows of a bank that was found can be sent back: it is no change of where the money goes. Another BIC is.
func TestFoundBICSentBackChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		service := bankaccount.New(withBanks(t, w))

		var v bankaccount.View

		done := func(_ *db.Tx, stored bankaccount.View) error {
			v = stored
			return nil
		}
		account := bankaccount.Account{
			Organisation: "org_a",
			Receiver:     w.Receiver(dt.A, "Payee"),
			Country:      "DE",
			Currency:     "EUR",
			IBAN:         "DE89370400440532013000",
		}
		require.NoError(t, service.Create(t.Context(), account, done))

		change := func(bic string) {
			edit := func(a *bankaccount.Account) { a.BIC = bic }
			require.NoError(t, service.Change(t.Context(), "org_a", v.ID, edit, done))
		}

		made := v.Version
		change(v.BIC)
		require.Equal(t, made, v.Version)
		require.Nil(t, v.PayableFrom)

		change("COBADEFF")
		require.Greater(t, v.Version, int64(1))
		require.NotNil(t, v.PayableFrom)
	})
}
