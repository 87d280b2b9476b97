//go:build !nosandbox

package bankaccount_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
	"slipway/internal/standards/bankcode"
)

func each(t *testing.T, test func(t *testing.T, w *dt.World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, dt.New(t, d)) })
}

// What each region asks for.
const (
	sepa  = `"bankCountry":"cty_de","currency":"cur_eur","iban":"de89 3704 0044 0532 0130 00","bicSwift":"cobadeffxxx"`
	uk    = `"bankCountry":"GB","currency":"GBP","accountNumber":"1234567","sortCode":"12-34-56"`
	us    = `"bankCountry":"US","currency":"USD","accountNumber":"000-123456789","routingNumber":"021000021","accountType":"CHECKING"`
	india = `"bankCountry":{"_id":"cty_in"},"currency":{"_id":"cur_inr"},"accountNumber":"00112233445566","ifscCode":"hdfc0002854"`
	other = `"bankCountry":"AE","currency":"AED","accountNumber":"0123 4567","bicSwift":"EBILAEAD"`
)

// add adds an account of a new receiver.
func add(w *dt.World, fields string) *dt.Answer {
	w.T.Helper()
	return w.Do(dt.A, "POST", "/bank-accounts", `{"receiver":"`+w.Receiver(dt.A, "Payee")+`",`+fields+`}`)
}

func rails(a *dt.Answer) string {
	var out []string
	for _, r := range a.List("paymentRails") {
		out = append(out, r.(map[string]any)["rail"].(string))
	}

	return strings.Join(out, " ")
}

func TestAccountsOfEveryRegion(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for _, c := range []struct {
			fields string
			want   map[string]any
			rails  string
		}{
			{sepa, map[string]any{
				"iban":                    "DE89370400440532013000",
				"bicSwift":                "COBADEFFXXX",
				"bankCountry.isoCode3166": "DE",
				"currency.isoCode":        "EUR",
				"sepaSupport.sct":         "YES",
				"sepaSupport.sci":         "YES",
				"sepaSupport.sdd":         nil,
				"wireSupport.ach":         nil,
				"bankCode":                "37040044",
				"accountNumber":           nil,
			}, "SEPA_INSTANT SEPA SWIFT"},
			{uk, map[string]any{
				"accountNumber":   "01234567",
				"sortCode":        "123456",
				"sepaSupport.sct": "NO",
			}, "FASTER_PAYMENTS CHAPS"},
			{us, map[string]any{
				"accountNumber":   "000123456789",
				"routingNumber":   "021000021",
				"accountType":     "CHECKING",
				"wireSupport.ach": "YES",
				"wireSupport.fed": "NO",
			}, "ACH"},
			{india, map[string]any{"accountNumber": "00112233445566", "ifscCode": "HDFC0002854"}, "IMPS NEFT"},
			{other, map[string]any{"accountNumber": "01234567", "bicSwift": "EBILAEAD"}, "SWIFT"},
		} {
			a := add(w, c.fields).Status(201)
			for path, want := range c.want {
				require.Equal(t, want, a.Get(path), "%s of %s", path, c.fields)
			}

			require.Equal(t, c.rails, rails(a))
			require.Equal(t, true, a.Get("ibanSuiteValidation.verified"))
			require.NotEmpty(t, a.Get("ibanSuiteValidation.verifiedAt"))
			require.Nil(t, a.Get("ibanSuiteValidation.errorCode"))
			require.Equal(t, false, a.Get("softDeleted"))
			require.Equal(t, "Payee", a.Text("receiver.legalName"))
			require.JSONEq(t, a.Raw, w.Do(dt.A, "GET", "/bank-accounts/"+a.Text("_id"), "").Status(200).Raw)
			x, err := bankaccount.ByID(context.Background(), w.DB, "org_a", a.Text("_id"))
			require.NoError(t, err)
			require.NoError(t, x.Usable(w.DB.Now()))
			require.Equal(t, c.rails, strings.Join(x.Rails(), " "))
		}

		require.Empty(t, w.Jobs(), "without a provider nobody is asked")
	})
}

func TestEveryMissingFieldOfTheRegionIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for place, fields := range map[string][]string{
			`"bankCountry":"DE","currency":"EUR"`: {"iban", "bicSwift"},
			`"bankCountry":"GB","currency":"EUR"`: {"iban", "bicSwift"},
			`"bankCountry":"GB","currency":"GBP"`: {"accountNumber", "sortCode"},
			`"bankCountry":"JE","currency":"GBP"`: {"accountNumber", "sortCode"},
			`"bankCountry":"US","currency":"USD"`: {"accountNumber", "routingNumber", "accountType"},
			`"bankCountry":"IN","currency":"INR"`: {"accountNumber", "ifscCode"},
			`"bankCountry":"AE","currency":"AED"`: {"accountNumber", "bicSwift"},
			`"bankCountry":"US","currency":"EUR"`: {"accountNumber", "bicSwift"},
			`"bankCountry":"DE","currency":"USD"`: {"accountNumber", "bicSwift"},
			`"bankCountry":"IN","currency":"USD"`: {"accountNumber", "bicSwift"},
		} {
			t.Run(place, func(t *testing.T) {
				a := add(w, place).Status(422)
				for _, f := range fields {
					a.Refused(422, fault.Required, "/"+f)
				}

				require.Len(t, a.List("errors"), len(fields), a.Raw)
				require.Len(
					t,
					add(w, place+`,"accountNumber":"12345678"`).Status(422).List("errors"),
					len(fields)-strings.Count(strings.Join(fields, " "), "accountNumber"),
				)
			})
		}

		w.Do(dt.A, "POST", "/bank-accounts", `{}`).Refused(422, fault.Required, "/bankCountry").Refused(
			422,
			fault.Required,
			"/currency",
		).Refused(422, fault.Required, "/receiver")
	})
}

func TestEveryWrongFieldIsNamedAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(
			dt.A,
			"POST",
			"/bank-accounts",
			`{"receiver":"`+w.Self(
				dt.B,
			)+`","bankCountry":"US","currency":"USD","accountNumber":"12","routingNumber":"021000022","bicSwift":"CHASUK33",`+
				`"sortCode":"1","ifscCode":"HDFC1","bankName":"A\u0007"}`,
		)

		a.Refused(422, fault.ReceiverUnknown, "/receiver").Refused(422, fault.FormatInvalid, "/accountNumber").Refused(
			422,
			fault.CheckDigitWrong,
			"/routingNumber",
		).
			Refused(
				422,
				fault.BankCodeInvalid,
				"/bicSwift",
			).Refused(422, fault.BankCodeInvalid, "/sortCode").Refused(422, fault.BankCodeInvalid, "/ifscCode").
			Refused(422, fault.FormatInvalid, "/bankName").Refused(422, fault.Required, "/accountType")

		add(w, `"bankCountry":"XX","currency":"ABC","iban":"x"`).Refused(
			422,
			fault.CountryUnknown,
			"/bankCountry",
		).Refused(422, fault.CurrencyUnknown, "/currency")

		add(w, strings.Replace(uk, "1234567", "1234567890", 1)).Refused(422, fault.FormatInvalid, "/accountNumber")
		add(w, strings.Replace(us, "CHECKING", "checking", 1)).Refused(422, fault.NotInEnum, "/accountType")
		add(w, strings.Replace(us, "021000021", "990000009", 1)).Refused(422, fault.BankCodeInvalid, "/routingNumber")
		add(w, strings.Replace(other, "0123 4567", "12_34", 1)).Refused(422, fault.FormatInvalid, "/accountNumber")
		add(w, strings.Replace(sepa, "de89", "de89\\u202e", 1)).Refused(422, fault.FormatInvalid, "/iban")
		add(w, us+`,"achSupport":"maybe"`).Refused(400, fault.TypeMismatch, "/achSupport")

		add(w, `"bankCountry":"IR","currency":"IRR","accountNumber":"123456","bicSwift":"BMJIIRTH"`).Refused(
			422,
			fault.BankAccountUnreachable,
			"/bankCountry",
		)

		add(w, us+`,"achSupport":false,"fedSupport":"NO"`).Refused(422, fault.BankAccountUnreachable, "/routingNumber")
		foreign := w.Do(dt.A, "POST", "/bank-accounts", `{"receiver":"`+w.Self(dt.B)+`",`+sepa+`}`)
		unknown := w.Do(dt.A, "POST", "/bank-accounts", `{"receiver":"rcv_none",`+sepa+`}`)
		require.Equal(t, unknown.Raw, foreign.Raw, "another tenant's receiver is as unknown as none")
	})
}

// An IBAN that is wrong is a verdict, in the numbers of the IBAN Suite; the account stays there to be corrected and
// is not paid to.
func TestOfflineVerdictsHaveTheProvidersNumbers(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		table, err := bankcode.ReadModulusTable(
			strings.NewReader("123456 123456 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1 1"),
			nil,
		)
		require.NoError(t, err)
		deps := w.BankAccountDeps()
		deps.Tables = bankaccount.Tables{UK: table}
		service := bankaccount.New(deps)
		create := func(a bankaccount.Account) string {
			a.Organisation = "org_a"
			a.Receiver = w.Self(dt.A)

			var id string
			require.NoError(t, service.Create(context.Background(), a, func(_ *db.Tx, v bankaccount.View) error {
				id = v.ID
				return nil
			}))

			return id
		}
		euro := func(number string) bankaccount.Account {
			return bankaccount.Account{Country: "DE", Currency: "EUR", IBAN: number, BIC: "COBADEFF"}
		}

		pound := func(number string) bankaccount.Account {
			return bankaccount.Account{Country: "GB", Currency: "GBP", AccountNumber: number, SortCode: "123456"}
		}
		for _, c := range []struct {
			account bankaccount.Account
			code    float64
		}{
			{euro("DE88370400440532013000"), 202},
			{euro("DE00370400440532013000"), 202},
			{euro("DE8937040044053201300"), 203},
			{euro("DE89370400440532O13000"), 205},
			{euro("DE89_370400440532013000"), 206},
			{euro("US64SVBKUS6S3300958879"), 207},
			{pound("12340001"), 201},
			{pound("12340000"), 0},
		} {
			id := create(c.account)
			a := w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Status(200)
			require.Equal(t, c.code == 0, a.Get("ibanSuiteValidation.verified"), c.account)
			x, err := bankaccount.ByID(context.Background(), w.DB, "org_a", id)
			require.NoError(t, err)

			if c.code == 0 {
				require.NoError(t, x.Usable(w.DB.Now()))
				continue
			}

			require.Equal(t, c.code, a.Get("ibanSuiteValidation.errorCode"), c.account)
			require.NotEmpty(t, a.Text("ibanSuiteValidation.errorMessage"))
			require.Empty(t, rails(a))
			require.True(t, fault.Is(x.Usable(w.DB.Now()), fault.BankAccountNotValidated))
		}

		id := create(euro("DE88370400440532013000"))
		a := w.Do(dt.A, "PATCH", "/bank-accounts/"+id, `{"iban":"DE89370400440532013000"}`).Status(200)
		require.Equal(t, true, a.Get("ibanSuiteValidation.verified"), "the corrected one is good")
		require.Nil(t, a.Get("ibanSuiteValidation.errorCode"))
		require.Nil(t, a.Get("payableFrom"), "nothing was ever paid to it: nothing could be diverted")
	})
}

func TestRailsFollowCountryCurrencyAndNumbers(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for fields, want := range map[string]string{
			`"bankCountry":"CH","currency":"CHF","iban":"CH9300762011623852957","bicSwift":"POFICHBE"`:               "SIC SWIFT",
			`"bankCountry":"CH","currency":"CHF","accountNumber":"CH93 0076 2011 6238 5295 7","bicSwift":"POFICHBE"`: "SIC SWIFT",
			`"bankCountry":"CH","currency":"CHF","accountNumber":"12-345-6","bicSwift":"POFICHBE"`:                   "SWIFT",
			// a QR-IBAN
			`"bankCountry":"CH","currency":"CHF","iban":"CH4431999123000889012","bicSwift":"POFICHBE"`:        "SIC",
			`"bankCountry":"CH","currency":"EUR","iban":"CH9300762011623852957","bicSwift":"POFICHBE"`:        "SEPA SWIFT",
			`"bankCountry":"GB","currency":"EUR","iban":"GB29NWBK60161331926819","bicSwift":"NWBKGB2L"`:       "SEPA SWIFT",
			`"bankCountry":"TR","currency":"EUR","iban":"TR330006100519786457841326","bicSwift":"TCZBTR2A"`:   "SWIFT",
			`"bankCountry":"DE","currency":"EUR","iban":"DE89370400440532013000","bicSwift":"COBADEFF"`:       "SEPA_INSTANT SEPA SWIFT",
			`"bankCountry":"PL","currency":"PLN","iban":"PL61109010140000071219812874","bicSwift":"WBKPPLPP"`: "SWIFT",
			`"bankCountry":"JE","currency":"GBP","accountNumber":"12345678","sortCode":"123456"`:              "FASTER_PAYMENTS CHAPS",
			us + `,"fedSupport":true`:                       "FEDWIRE",
			us + `,"achSupport":"NO"`:                       "FEDWIRE",
			us + `,"achSupport":true,"fedSupport":"YES"`:    "ACH FEDWIRE",
			us + `,"achSupport":true,"bicSwift":"CHASUS33"`: "ACH SWIFT",
			`"bankCountry":"US","currency":"USD","accountNumber":"123456","routingNumber":"021000021","accountType":"SAVINGS","achSupport":null`: "ACH",
			// Territories have their mother country's IBAN; some are outside of SEPA.
			`"bankCountry":"RE","currency":"EUR","iban":"FR1420041010050500013M02606","bicSwift":"PSSTFRPP"`:                      "SEPA_INSTANT SEPA SWIFT",
			`"bankCountry":"PF","currency":"EUR","iban":"FR1420041010050500013M02606","accountNumber":"05","bicSwift":"PSSTFRPP"`: "SWIFT",
		} {
			t.Run(fields, func(t *testing.T) {
				a := add(w, fields).Status(201)
				require.Equal(t, want, rails(a))

				if strings.Contains(fields, `"PF"`) {
					require.Equal(t, "NO", a.Text("sepaSupport.sct"))
				}
			})
		}

		d, err := bankcode.ReadDirectory(
			strings.NewReader("021000021O0210000211010101000000000EXAMPLE BANK"+strings.Repeat(" ", 50)),
			nil,
		)
		require.NoError(t, err)
		tables := bankaccount.Tables{Fed: d}
		deps := w.BankAccountDeps()

		deps.Tables = tables
		for number, want := range map[string]string{"021000021": "ACH", "011000015": ""} {
			a := bankaccount.Account{
				Organisation:  "org_a",
				Receiver:      w.Self(dt.A),
				Country:       "US",
				Currency:      "USD",
				AccountNumber: "12345",
				RoutingNumber: number,
				AccountType:   "CHECKING",
			}

			err := bankaccount.New(deps).Create(context.Background(), a, func(_ *db.Tx, v bankaccount.View) error {
				require.Equal(t, "ACH", v.PaymentRails[0].Rail)
				require.Equal(t, "EXAMPLE BANK", v.BankName)
				return nil
			})

			require.Equal(t, want == "", fault.Is(err, fault.BankAccountUnreachable), "%s: %v", number, err)
		}
	})
}

// F-09: whoever changes the account behind a known name waits, and cannot get round it by making the account wrong
// first.
func TestChangedAccountIsNotPaidToForADay(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := add(w, sepa).Status(201).Text("_id")

		usable := func() error {
			x, err := bankaccount.ByID(context.Background(), w.DB, "org_a", id)
			require.NoError(t, err)
			return x.Usable(w.DB.Now())
		}

		change := func(body string) *dt.Answer { return w.Do(dt.A, "PATCH", "/bank-accounts/"+id, body).Status(200) }
		require.NoError(t, usable(), "a new account is paid to at once")

		before := change(`{"bankName":"Commerzbank","bankCity":"Köln"}`)
		require.NoError(t, usable(), "its bank's name is not where the money goes")

		a := change(`{"iban":"DE12500105170648489890","bicSwift":"INGDDEFFXXX"}`)
		require.Greater(t, a.Get("version"), before.Get("version"))
		require.True(t, fault.Is(usable(), fault.BankAccountCoolingDown))

		require.Equal(
			t,
			w.DB.Now().Add(bankaccount.CoolDown).Truncate(time.Hour).Format("2006-01-02T15"),
			a.Text("payableFrom")[:13],
		)

		w.Advance(bankaccount.CoolDown - time.Second)
		require.True(t, fault.Is(usable(), fault.BankAccountCoolingDown))

		w.Advance(time.Second)
		require.NoError(t, usable())
		require.Nil(t, w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Get("payableFrom"))

		change(`{"iban":"FR0020041010050500013M02606"}`)
		require.True(t, fault.Is(usable(), fault.BankAccountNotValidated))

		w.Advance(2 * bankaccount.CoolDown)
		change(`{"iban":"DE89370400440532013000"}`)
		require.True(t, fault.Is(usable(), fault.BankAccountCoolingDown), "made wrong first, it waits all the same")

		w.Advance(bankaccount.CoolDown)
		change(`{"receiver":"` + w.Receiver(dt.A, "Other") + `"}`)
		require.True(t, fault.Is(usable(), fault.BankAccountCoolingDown), "another receiver's money would go there")

		events := events(t, w, id)
		require.Contains(t, events, "bank_account.changed")
		require.Equal(t, 4, strings.Count(events, "bank_account.changed"))
		require.Equal(t, 5, strings.Count(events, "bank_account.validated"))
		require.NotContains(t, w.Do(dt.A, "GET", "/bank-accounts/me", "").Raw, "achSaid")
	})
}

// TestDeleteAndAddIsAChange: an account that takes the place of one that was good waits as a changed one does; the
// same account again does not, unless it had to wait.
func TestDeleteAndAddIsAChange(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		payee := w.Receiver(dt.A, "Payee")
		add := func(w *dt.World, fields string) *dt.Answer {
			return w.Do(dt.A, "POST", "/bank-accounts", `{"receiver":"`+payee+`",`+fields+`}`)
		}
		first := add(w, sepa).Status(201)
		w.Do(dt.A, "DELETE", "/bank-accounts/"+first.Text("_id"), "").Status(200)

		same := add(w, sepa).Status(201)
		require.Nil(t, same.Get("payableFrom"), "nothing goes anywhere else")
		w.Do(dt.A, "DELETE", "/bank-accounts/"+same.Text("_id"), "").Status(200)

		other := strings.Replace(sepa, "de89 3704 0044 0532 0130 00", "DE75512108001245126199", 1)
		require.NotEqual(t, sepa, other)

		moved := add(w, other).Status(201)
		require.NotNil(t, moved.Get("payableFrom"))
		w.Do(dt.A, "DELETE", "/bank-accounts/"+moved.Text("_id"), "").Status(200)
		require.Equal(
			t,
			moved.Get("payableFrom"),
			add(w, other).Status(201).Get("payableFrom"),
			"to do it twice ends nothing sooner",
		)

		w.Advance(bankaccount.CoolDown)
		require.Nil(
			t,
			w.Do(dt.A, "GET", "/bank-accounts/me", "").Status(200).Get("results").([]any)[0].(map[string]any)["payableFrom"],
		)
	})
}

// The receiver hears of it where it can say so in time: at its own address, and without the numbers.
func TestReceiverIsToldOfAChange(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := add(w, sepa).Status(201)
		change := func(body string) { w.Do(dt.A, "PATCH", "/bank-accounts/"+a.Text("_id"), body).Status(200) }
		change(`{"bankName":"X"}`)
		require.Empty(t, w.Mails(), "that is not where the money goes")

		other := w.Do(
			dt.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"other@example.com","legalName":"Other","address":"Street 1","countryIsoCode":"DE"}`,
		).Status(201)

		until := func() any { return words.When(w.DB.Now().Add(bankaccount.CoolDown)) }
		before := until()

		change(`{"iban":"DE12500105170648489890","bicSwift":"INGDDEFFXXX","receiver":"` + other.Text("_id") + `"}`)
		mails := w.Mails()
		require.Len(t, mails, 1)
		require.Equal(t, mail.BankAccountChanged, mails[0].Kind)
		require.Equal(t, "p@example.com", mails[0].To, "whose account it was")
		require.Equal(t, "9890", mails[0].Data["ending"])
		require.Equal(t, "the BIC, the IBAN, the payee", words.English(mails[0].Data["what"]))
		require.Contains(t, []any{before, until()}, mails[0].Data["until"], "in the second of the change")
		require.NotContains(t, fmt.Sprint(mails[0].Data), "0170648")

		bad := add(w, strings.Replace(sepa, "de89", "de88", 1)).Status(201)
		w.Do(dt.A, "PATCH", "/bank-accounts/"+bad.Text("_id"), `{"iban":"DE89370400440532013000"}`).Status(200)
		require.Empty(t, w.Mails(), "nothing was ever paid to it")
	})
}

// events returns the kinds of an account's events, and requires that their sequence rises strictly.
func events(t *testing.T, w *dt.World, id string) string {
	t.Helper()

	type row struct {
		kind, data string
		sequence   int64
	}
	rows, err := db.Select(context.Background(), w.DB, func(r *row) []any {
		return []any{&r.kind, &r.data, &r.sequence}
	},
		"SELECT type, data, sequence FROM events WHERE object = ? ORDER BY sequence, type", id)
	require.NoError(t, err)

	var out []string
	for i, r := range rows {
		out = append(out, r.kind)
		require.True(t, i == 0 || r.sequence > rows[i-1].sequence)
		require.NotContains(t, r.data, "37040044", "an event holds no numbers")
	}

	return strings.Join(out, " ")
}

func TestChangeThatChangesNothingKeepsEverything(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := add(w, sepa+`,"bankName":"X","branchName":"Y","channel":"Z"`).Status(201)
		id := a.Text("_id")
		require.Equal(t, "Y", a.Text("bankBranch"))

		for _, body := range []string{`{}`, `{"iban":"DE89370400440532013000","currency":"EUR","bankCountry":"cty_de"}`, `{"bankName":" X "}`, `{"receiver":{"_id":"` + a.Text("receiver._id") + `"}}`} {
			require.JSONEq(t, a.Raw, w.Do(dt.A, "PATCH", "/bank-accounts/"+id, body).Status(200).Raw, body)
		}

		w.Do(dt.A, "PATCH", "/bank-accounts/"+id, `{"iban":""}`).Refused(422, fault.Required, "/iban")
		w.Do(dt.A, "PATCH", "/bank-accounts/"+id, `{"currency":"GBP","bankCountry":"GB"}`).Refused(
			422,
			fault.Required,
			"/sortCode",
		).Refused(422, fault.Required, "/accountNumber")
		w.Do(dt.A, "PATCH", "/bank-accounts/"+id, `{"receiver":"`+w.Self(dt.B)+`"}`).Refused(
			422,
			fault.ReceiverUnknown,
			"/receiver",
		)
		require.JSONEq(t, a.Raw, w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Raw)
		b := w.Do(
			dt.A,
			"PATCH",
			"/bank-accounts/"+id,
			`{"currency":"GBP","bankCountry":"GB","sortCode":"123456","accountNumber":"12345678","iban":"","bicSwift":""}`,
		).Status(200)
		require.Equal(t, "FASTER_PAYMENTS CHAPS", rails(b))
		require.Nil(t, b.Get("iban"))
	})
}

const both = `{"type":"INDIVIDUAL","email":"ada@example.com","firstName":"Ada","lastName":"Lovelace","dateOfBirth":"1990-12-10T00:00:00Z",` +
	`"address":{"city":"London","postCode":"SW1Y 4LB","addressLine1":"St James's Square 12"},"countryIsoCode":"GB",`

func TestReceiverAndAccountInOneStep(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(dt.A, "POST", "/bank-accounts/receiver", both+uk+`}`).Status(201)
		require.Equal(t, "Ada", a.Text("receiver.firstName"))
		require.Equal(t, "01234567", a.Text("accountNumber"))

		r := w.Do(dt.A, "GET", "/receivers/"+a.Text("receiver._id"), "").Status(200)
		require.Len(t, r.List("bankAccounts"), 1)
		require.Equal(t, a.Text("_id"), r.List("bankAccounts")[0].(map[string]any)["_id"])

		count := func() any { return w.Do(dt.A, "GET", "/receivers/me", "").Get("total") }
		before := count()

		w.Do(
			dt.A,
			"POST",
			"/bank-accounts/receiver",
			`{"type":"COMPANY","email":"x","countryIsoCode":"GB",`+`"currency":"EUR","bankCountry":"DE","bicSwift":"1"}`,
		).
			Refused(
				422,
				fault.Required,
				"/legalName",
			).Refused(422, fault.FormatInvalid, "/email").Refused(422, fault.Required, "/address").
			Refused(422, fault.Required, "/iban").Refused(422, fault.BankCodeInvalid, "/bicSwift")

		w.Do(
			dt.A,
			"POST",
			"/bank-accounts/receiver",
			both+`"bankCountry":"IR","currency":"IRR","accountNumber":"123456","bicSwift":"BMJIIRTH"}`,
		).Refused(422, fault.BankAccountUnreachable, "/bankCountry")

		require.Equal(t, before, count(), "both or neither")

		w.Do(dt.Pending, "POST", "/bank-accounts/receiver", both+uk+`}`).Refused(403, fault.OrgNotApproved, "")
	})
}

func TestOrganisationMustBeApprovedAndMemberMayWrite(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		w.Do(dt.Pending, "POST", "/bank-accounts", `{"receiver":"`+w.Self(dt.Pending)+`",`+sepa+`}`).Refused(
			403,
			fault.OrgNotApproved,
			"",
		)

		id := add(w, sepa).Status(201).Text("_id")

		w.Do(dt.Viewer, "POST", "/bank-accounts", `{"receiver":"`+w.Self(dt.A)+`",`+sepa+`}`).Refused(
			403,
			fault.RoleRequired,
			"",
		)

		w.Do(dt.Viewer, "PATCH", "/bank-accounts/"+id, `{}`).Refused(403, fault.RoleRequired, "")
		w.Do(dt.Viewer, "DELETE", "/bank-accounts/"+id, "").Refused(403, fault.RoleRequired, "")
		w.Do(dt.Viewer, "GET", "/bank-accounts/"+id, "").Status(200)
		w.Do(dt.Homeless, "GET", "/bank-accounts/me", "").Refused(403, fault.NoOrganisation, "")
		w.Do("", "GET", "/bank-accounts/me", "").Refused(401, fault.TokenMissing, "")
	})
}

// Z-02: another tenant's identifier is answered as an unknown one is, byte for byte.
func TestAnotherTenantsAccountIsUnknown(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := w.Do(dt.B, "POST", "/bank-accounts", `{"receiver":"`+w.Self(dt.B)+`",`+sepa+`}`).Status(201).Text("_id")

		none := "bac_" + strings.Repeat("0", len(id)-4)
		for _, r := range [][2]string{{"GET", ""}, {"PATCH", `{"bankName":"x"}`}, {"DELETE", ""}} {
			foreign := w.Do(dt.A, r[0], "/bank-accounts/"+id, r[1]).Refused(404, fault.NotFoundCode, "")
			unknown := w.Do(dt.A, r[0], "/bank-accounts/"+none, r[1]).Refused(404, fault.NotFoundCode, "")
			require.Equal(t, strings.ReplaceAll(unknown.Raw, none, "ID"), strings.ReplaceAll(foreign.Raw, id, "ID"))
		}

		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/bank-accounts/me", "").Status(200).Get("total"))
		require.EqualValues(
			t,
			0,
			w.Do(dt.A, "GET", "/bank-accounts/me?receiver="+w.Self(dt.B), "").Status(200).Get("total"),
		)
		found, err := bankaccount.ByIDs(context.Background(), w.DB, "org_a", []string{id})
		require.NoError(t, err)
		require.Empty(t, found)
		found, err = bankaccount.ByIDs(context.Background(), w.DB, "org_b", []string{id, none})
		require.NoError(t, err)
		require.Len(t, found, 1)
	})
}

// Z-04: no field of the record besides those of the request can be set, in any spelling.
func TestRequestsCannotSetWhatIsDecidedHere(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := add(w, sepa).Status(201)
		for _, field := range []string{"ibanSuiteValidation", "softDeleted", "sepaSupport", "wireSupport", "paymentRails", "organisation", "_id", "IBAN", "bankPhone", "version", "payableFrom", "validation", "ſortCode"} {
			for _, value := range []string{`true`, `{"verified":true}`, `"YES"`} {
				w.Do(dt.A, "PATCH", "/bank-accounts/"+a.Text("_id"), `{"`+field+`":`+value+`}`).NotTaken("/" + field)

				add(w, sepa+`,"`+field+`":`+value).Refused(422, fault.UnknownField, "/"+field)
			}
		}

		require.Equal(t, a.Raw, w.Do(dt.A, "GET", "/bank-accounts/"+a.Text("_id"), "").Raw)
	})
}

func TestDeletedAccountIsFoundByNothingAndItsSnapshotLives(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		a := add(w, us+`,"bankName":"First Example"`).Status(201)
		id := a.Text("_id")
		rcv := a.Text("receiver._id")
		x, err := bankaccount.ByID(ctx, w.DB, "org_a", id)
		require.NoError(t, err)
		kept := x.Snapshot()
		require.Equal(t, true, w.Do(dt.A, "DELETE", "/bank-accounts/"+id, "").Status(200).Get("softDeleted"))

		for _, method := range []string{"GET", "DELETE"} {
			w.Do(dt.A, method, "/bank-accounts/"+id, "").Refused(404, fault.NotFoundCode, "")
		}

		w.Do(dt.A, "PATCH", "/bank-accounts/"+id, `{}`).Refused(404, fault.NotFoundCode, "")
		require.Empty(t, w.Do(dt.A, "GET", "/receivers/"+rcv, "").Status(200).List("bankAccounts"))
		back, err := bankaccount.FromSnapshot(kept)
		require.NoError(t, err)
		require.Equal(t, x.RoutingNumber, back.RoutingNumber)
		require.Equal(t, x.AccountNumber, back.AccountNumber)
		require.Equal(t, x.Rails(), back.Rails())
		require.Equal(t, "First Example", back.BankName())
		require.Equal(t, x.Version, back.Version)
		_, err = bankaccount.FromSnapshot("{")
		require.Error(t, err)
	})
}

func TestListFiltersAndPages(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		var ids []string
		for _, f := range []string{sepa, uk, us, india, other} {
			ids = append(ids, add(w, f).Status(201).Text("_id"))
		}

		get := func(query string) *dt.Answer { return w.Do(dt.A, "GET", "/bank-accounts/me"+query, "") }
		for query, total := range map[string]int{
			"":                             5,
			"?currency=cur_eur":            1,
			"?currency=EUR":                1,
			"?currency=JPY":                0,
			"?currency=nonsense":           0,
			"?bankCountry=cty_us":          1,
			"?bankCountry=XX":              0,
			"?currency=GBP&bankCountry=GB": 1,
			"?currency=GBP&bankCountry=US": 0,
			"?receiver=rcv_none":           0,
			"?alike=" + ids[0]:             0,
			"?alike=bka_none":              0,
		} {
			t.Run(query, func(t *testing.T) {
				require.EqualValues(t, total, get(query).Status(200).Get("total"))
			})
		}

		receiver := w.Do(dt.A, "GET", "/bank-accounts/"+ids[0], "").Text("receiver._id")
		require.EqualValues(t, 1, get("?receiver="+receiver).Get("total"))

		var seen []string
		for page := 1; page <= 3; page++ {
			a := get(fmt.Sprintf("?page=%d&limit=2", page)).Status(200)
			require.EqualValues(t, 5, a.Get("total"))
			require.EqualValues(t, len(a.List("results")), a.Get("page_total"))

			for _, r := range a.List("results") {
				seen = append(seen, r.(map[string]any)["_id"].(string))
			}
		}

		require.Len(t, seen, 5)
		require.Equal(t, ids[4], seen[0], "newest first")
		first := get("?limit=2&direction=1").Status(200)
		require.Equal(t, ids[0], first.List("results")[0].(map[string]any)["_id"])
		second := get("?limit=2&direction=1&cursor=" + first.Text("nextCursor")).Status(200)
		require.Equal(t, ids[2], second.List("results")[0].(map[string]any)["_id"])
		get("?limit=251").Refused(422, fault.OutOfRange, "?limit")
		get("?bank=1").Refused(422, fault.UnknownParameter, "?bank")
	})
}

// The receiver's filter FIAT means: has an account that could be paid to now.
func TestReceiversWithAUsableAccount(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		total := func() any { return w.Do(dt.A, "GET", "/receivers/me?paymentType=FIAT", "").Status(200).Get("total") }
		w.Receiver(dt.A, "Without")
		require.EqualValues(t, 0, total())

		id := add(w, sepa).Status(201).Text("_id")
		add(w, strings.Replace(sepa, "de89", "de88", 1)).Status(201)
		require.EqualValues(t, 1, total(), "the wrong one does not count")

		w.Do(dt.A, "PATCH", "/bank-accounts/"+id, `{"bicSwift":"COBADEFF500"}`).Status(200)
		require.EqualValues(t, 0, total(), "it waits")

		w.Advance(bankaccount.CoolDown)
		require.EqualValues(t, 1, total())

		w.Do(dt.A, "DELETE", "/bank-accounts/"+id, "").Status(200)
		require.EqualValues(t, 0, total())
	})
}

// N-08: changes at once happen one after the other, each on what the one before left.
func TestChangesAtOnceAllHappen(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := add(w, sepa).Status(201).Text("_id")

		var wg sync.WaitGroup

		codes := make([]int, 20)
		for i := range codes {
			wg.Go(func() {
				codes[i] = w.Do(dt.A, "PATCH", "/bank-accounts/"+id, fmt.Sprintf(`{"bankName":"Bank %d"}`, i)).Code
			})
		}

		wg.Wait()

		for _, code := range codes {
			require.Equal(t, 200, code)
		}

		require.EqualValues(t, 2+len(codes), w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Get("version"),
			"it was made, validated, and changed")
	})
}

func TestSameKeyAddsOneAccount(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		body := `{"receiver":"` + w.Self(dt.A) + `",` + sepa + `}`
		a := w.Do(dt.A, "POST", "/bank-accounts", body, "Idempotency-Key", "k1").Status(201)
		b := w.Do(dt.A, "POST", "/bank-accounts", body, "Idempotency-Key", "k1").Status(201)
		require.Equal(t, a.Raw, b.Raw)
		require.EqualValues(t, 1, w.Do(dt.A, "GET", "/bank-accounts/me", "").Get("total"))
	})
}

// What a row of a list shows does not grow with what its receiver has besides.
func TestRowsDoNotGrowWithSiblings(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		payee := w.Receiver(dt.A, "Payee")
		another := func(number string) string {
			return w.Do(dt.A, "POST", "/bank-accounts", `{"receiver":"`+payee+`",`+
				`"bankCountry":"AE","currency":"AED","accountNumber":"`+number+`","bicSwift":"EBILAEAD"}`).Status(201).Text("_id")
		}
		first := another("10000000")
		alone := len(w.Do(dt.A, "GET", "/bank-accounts/"+first, "").Status(200).Raw)
		page := len(w.Do(dt.A, "GET", "/bank-accounts/me?limit=1", "").Status(200).Raw)

		for i := range 5 {
			another("2000000" + string(rune('0'+i)))
		}

		require.Len(t, w.Do(dt.A, "GET", "/bank-accounts/"+first, "").Status(200).Raw, alone)

		grown := w.Do(dt.A, "GET", "/bank-accounts/me?limit=1", "").Status(200)
		grown.Raw = strings.Replace(grown.Raw, `"`+grown.Text("nextCursor")+`"`, "null", 1)
		require.Len(t, grown.Raw, page)

		require.Len(t, w.Do(dt.A, "GET", "/receivers/"+payee, "").Status(200).List("bankAccounts"), 6, "its own")
	})
}

// A receiver shows the newest of its accounts, each receiver its own, however many others have.
func TestReceiverShowsItsNewestAccounts(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		add := func(to string, n int) string {
			w.Advance(time.Millisecond) // identifiers are in the order of time

			return w.Do(
				dt.A,
				"POST",
				"/bank-accounts",
				fmt.Sprintf(`{"receiver":%q,"bankCountry":"AE","currency":"AED",`+
					`"accountNumber":"%08d","bicSwift":"EBILAEAD"}`, to, n),
			).Status(
				201,
			).Text(
				"_id",
			)
		}
		shown := func(of string) []any {
			return w.Do(dt.A, "GET", "/receivers/"+of, "").Status(200).List("bankAccounts")
		}

		few, many := w.Receiver(dt.A, "Few"), w.Receiver(dt.A, "Many")
		one := add(few, 1)
		first := add(many, 2)

		var last string
		for n := range receiver.Shown {
			last = add(many, 3+n)
		}

		all := shown(many)
		require.Len(t, all, receiver.Shown)
		require.Equal(t, last, all[receiver.Shown-1].(map[string]any)["_id"])
		require.NotContains(t, fmt.Sprint(all), first)
		require.Equal(t, one, shown(few)[0].(map[string]any)["_id"])
	})
}
