package invoice

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/words"
)

func TestAmountsAsPeopleWriteThem(t *testing.T) {
	for typed, want := range map[string]string{
		"1250":          "1250",
		"1250.5":        "1250.5",
		"1250,50":       "1250.50",
		"1'250.50":      "1250.50",
		"1’250":         "1250",
		"1 250,50":      "1250.50",
		"1\u00a0250.50": "1250.50",
		"1,250.50":      "1250.50",
		"1.250,50":      "1250.50",
		"1,250,000":     "1250000",
		"1.250.000":     "1250000",
		"1,250,000.01":  "1250000.01",
		"0,5":           "0.5",
		"007":           "7",
		"0":             "0",
		"0.10":          "0.10",
		"1.250":         "1.250", // tokens have more places; of a currency it is refused where it is checked
		"1,250":         "",
		"12,345":        "",
		"":              "",
		"-5":            "",
		"1e3":           "",
		"CHF 5":         "",
		".5":            "",
		"5.":            "",
		"5,":            "",
		"1,25,000":      "",
		"1,2500.00":     "",
		"1.2.3":         "",
		"1,250.50,1":    "",
		"1.250,50.1":    "",
		"５":             "",
		"+5":            "",
		"0x10":          "",
		"1,,250":        "",
		",":             "",
		".":             "",
		"'":             "",
	} {
		t.Run(typed, func(t *testing.T) {
			var l fault.List
			require.Equal(t, want, readAmount(typed, &l), "%q", typed)
			require.Equal(t, want == "", !l.Empty(), "%q", typed)
		})
	}

	for amount, want := range map[string]string{
		"1":           "CHF 1",
		"999.99":      "CHF 999.99",
		"1000":        "CHF 1,000",
		"1234567.891": "CHF 1,234,567.891",
	} {
		t.Run(amount, func(t *testing.T) {
			require.Equal(t, want, words.Must().Wished("").Amount(amount, "CHF"))
		})
	}
}

// There is a question for every number that any account has.
func TestEveryNumberOfAnAccountHasItsQuestion(t *testing.T) {
	known := numbers()
	accounts := bankaccount.New(bankaccount.Deps{})

	for _, country := range refdata.All().Countries {
		for _, currency := range refdata.All().Currencies {
			for _, name := range accounts.Asks(country.Alpha2, currency.Code) {
				require.Equal(t, name, known[name].Name, "%s in %s", currency.Code, country.Alpha2)
			}
		}
	}
}

func TestADraftComesBackFromItsCookieOrNotAtAll(t *testing.T) {
	d := draft{
		Way:      wayBank,
		Amount:   "1250.50",
		Currency: "CHF",
		Number:   "№ 7",
		Reason:   "Übersetzung \"A\"",
		Due:      "2026-12-01",
		Document: "doc_1",
	}
	text, ok := d.text()
	require.True(t, ok)
	require.Equal(t, d, readDraft(text))

	for _, other := range []string{"", "%", text[1:], text + "x"} {
		require.Equal(t, draft{}, readDraft(other))
	}

	d.Reason = strings.Repeat("界", 500)
	d.Number = strings.Repeat("界", 70) // as long as they may be
	_, ok = d.text()
	require.True(t, ok)
	d.Reason = strings.Repeat("界", 2000)
	_, ok = d.text()
	require.False(t, ok)
}

// What a refusal is about is said as it is: a full organisation is no large file.
func TestRefusedFileIsSaidAsItIs(t *testing.T) {
	says := func(err error) fault.Field {
		f, refused := fault.As(aboutFile(err))
		require.True(t, refused)
		require.Len(t, f.Fields, 1)

		return f.Fields[0]
	}

	require.Contains(t, says(fault.New(fault.TooLarge, fault.BodyTooLarge, "x")).Message, "larger than 10 MB")

	require.Equal(t, fault.Field{
		Pointer: "/file",
		Code:    fault.DocumentQuota,
		Message: "No more files.",
	}, says(fault.New(fault.TooLarge, fault.DocumentQuota, "No more files.")))

	require.Equal(t, "/file", says(fault.New(fault.TooMany, fault.RateLimited, "Later.")).Pointer)

	gone := fault.New(fault.Gone, fault.LinkInvalid, "gone")
	require.Equal(t, error(gone), aboutFile(gone))
}
