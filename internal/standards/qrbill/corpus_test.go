package qrbill_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/qrbill"
)

func corpus(t *testing.T, name string, into any) string {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = "../../../../shared/fixtures"
	}

	dir = filepath.Join(dir, "swiss_qr_bill")

	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	require.NoError(t, json.Unmarshal(raw, into))

	return dir
}

// expected is what an independent parser read.
type expected struct {
	Valid  bool
	Parsed struct {
		Version, Account, Currency, ReferenceType string
		QRIban                                    bool `json:"qrIban"`
		Creditor, Debtor                          *party
		Amount, Reference                         *string
		UnstructuredMessage, BillingInformation   *string
		AlternativeSchemes                        []string
	}
}

type party struct{ Type, Name, Country, Street, BuildingNumber, PostCode, Town, Line1, Line2 string }

func (p *party) same(t *testing.T, got *qrbill.Address, name string) {
	if p == nil || got == nil {
		require.True(t, p == nil && got == nil, name)
		return
	}

	require.Equal(t, qrbill.Address{
		Type:     qrbill.AddressType(p.Type),
		Name:     p.Name,
		Country:  p.Country,
		Street:   p.Street,
		Number:   p.BuildingNumber,
		PostCode: p.PostCode,
		Town:     p.Town,
		Line1:    p.Line1,
		Line2:    p.Line2,
	}, *got, name)
}

func text(s *string) string {
	if s == nil {
		return ""
	}

	return *s
}

func (e expected) same(t *testing.T, payload, name string) {
	got, err := qrbill.Parse(payload)
	require.Equal(t, e.Valid, err == nil, "%s: %v", name, err)

	if !e.Valid {
		return
	}

	p := e.Parsed
	p.Creditor.same(t, &got.Creditor, name)
	p.Debtor.same(t, got.Debtor, name)
	require.Equal(t, []string{
		p.Version,
		p.Account,
		p.Currency,
		p.ReferenceType,
		text(p.Amount),
		text(p.Reference),
		text(p.UnstructuredMessage),
		text(p.BillingInformation),
	}, []string{
		got.Version,
		string(got.Account),
		got.Currency,
		string(got.ReferenceType),
		got.Amount,
		got.Reference,
		got.Message,
		got.Billing,
	}, name)
	require.Equal(t, p.QRIban, got.Account.QR(), name)
	require.ElementsMatch(t, p.AlternativeSchemes, got.Schemes, name)
}

func TestCorpusPayloads(t *testing.T) {
	var all map[string][]expected
	dir := corpus(t, "expected_parsed.json", &all)

	var decoded map[string]struct{ Codes []struct{ Text string } }
	corpus(t, "decoded_texts.json", &decoded)

	looked := 0
	for name, want := range all {
		var payloads []string
		if codes, ok := decoded[name]; ok {
			for _, c := range codes.Codes {
				payloads = append(payloads, c.Text)
			}
		} else if filepath.Ext(name) == ".txt" {
			raw, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)

			payloads = append(payloads, string(raw))
		}

		require.Len(t, payloads, len(want), name)

		for i, payload := range payloads {
			want[i].same(t, payload, name)
			looked++
		}
	}

	require.Greater(t, looked, 80)
	t.Logf("%d payloads", looked)
}

// Each vector is a good payload with one rule broken.
func TestCorpusBrokenRules(t *testing.T) {
	var vectors []struct {
		Name, Payload string
		Valid         bool
	}
	corpus(t, "derived_rule_vectors.json", &vectors)
	codes := map[string]qrbill.Code{
		"iban_checksum":             qrbill.BadIBAN,
		"qr_iban_with_non":          qrbill.NeedsQRR,
		"qrr_check_digit":           qrbill.BadReference,
		"qrr_26_digits":             qrbill.BadReference,
		"qrr_missing":               qrbill.BadReference,
		"scor_check_digits":         qrbill.BadReference,
		"currency_usd":              qrbill.BadCurrency,
		"amount_three_decimals":     qrbill.BadAmount,
		"amount_thousands_mark":     qrbill.BadAmount,
		"country_lower_case":        qrbill.BadCountry,
		"structured_without_town":   qrbill.Missing,
		"three_alternative_schemes": qrbill.SchemeCount,
		"alt_scheme_101":            qrbill.FieldTooLong,
		"over_997":                  qrbill.TooLong,
	}
	require.GreaterOrEqual(t, len(vectors), len(codes))

	for _, v := range vectors {
		_, err := qrbill.Parse(v.Payload)
		require.Equal(t, v.Valid, err == nil, "%s: %v", v.Name, err)

		if want, known := codes[v.Name]; known && err != nil {
			var e *qrbill.Error
			require.ErrorAs(t, err, &e, "%s", v.Name)
			require.True(t, e.Has(want), "%s: %v", v.Name, err)
		}
	}
}
