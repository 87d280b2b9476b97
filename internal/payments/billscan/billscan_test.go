//go:build !nosandbox

package billscan_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/payments/billscan"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan"
	"slipway/internal/standards/qrbill"
)

const route = "/payables/extract-qr-bill-info"

// The bills of nobody that these tests read.
const (
	qrr = "SPC\n0200\n1\nCH7730000001250094239\nS\nWerft & Söhne " +
		"AG\nHafenstrasse\n7a\n8001\nZürich\nCH\n\n\n\n\n\n\n\n1949.75\nCHF\nS\nAnna Muster\nDorfweg\n3\n9490\n" +
		"Vaduz\nLI\nQRR\n000000000000000000001234565\nRechnung 7, Größe Ç\nEPD\n//S1/10/R-7/11/261101/20/K " +
		"9/30/106017086/31/261001261031/32/8.1:1803.65/40/2:10;0:30\n" +
		"UV;UltraPay005;12345\nXY;XYService;54321"
	scor = "SPC\r\n0200\r\n1\r\nCH9300762011623852957\r\nK\r\nWerft & Söhne AG\r\nHafenstrasse 7a\r\n8001 " +
		"Zürich\r\n\r\n\r\nCH\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n0.05\r\nEUR\r\n\r\n\r\n" +
		"\r\n\r\n\r\n\r\n\r\nSCOR\r\nRF18539007547034\r\n\r\nEPD\r\n"
	open = "SPC\n0200\n1\nCH9300762011623852957\nS\nWerft & Söhne " +
		"AG\n\n\n8001\nZürich\nCH\n\n\n\n\n\n\n\n\nCHF\n\n\n\n\n\n\n\nNON\n\n\nEPD"
	epc = "BCD\n002\n1\nSCT\nCOBADEFFXXX\nWerft & Söhne GmbH\nDE89370400440532013000\nEUR12.3\nSUPP\n\nRechnung " +
		"8\nThank you"
)

// codesOf is a document whose QR codes say these texts, a page each.
func codesOf(texts ...string) string { return strings.Join(texts, "\x1e") }

// scan reads such a document.
func scan(_ context.Context, document []byte, _ int) (out []qrscan.Code, _ error) {
	for i, text := range strings.Split(string(document), "\x1e") {
		if text != "" {
			out = append(out, qrscan.Code{Page: i + 1, Text: text})
		}
	}

	return out, nil
}

// stored is the one document that organisation A keeps.
func stored(_ context.Context, organisation, key string) (io.ReadCloser, error) {
	if organisation != "org_a" || key != "doc_a" {
		return nil, fault.Missing("document")
	}

	return io.NopCloser(strings.NewReader(codesOf(qrr))), nil
}

var settings = billscan.Settings{Room: qrscan.RoomFor(1, 0), Deadline: 15 * time.Second}

func stage(t testing.TB, folder string) *blob.Stage {
	t.Helper()
	s, err := blob.NewStage(folder)
	require.NoError(t, err)

	return s
}

func each(t *testing.T, test func(t *testing.T, w *dt.World)) {
	t.Helper()

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := dt.New(t, d)
		folder := t.TempDir()

		billscan.New(billscan.Deps{
			DB:       d,
			Scan:     scan,
			Stored:   stored,
			Stage:    stage(t, folder),
			Settings: settings,
		}).Routes(w.API)

		test(t, w)
		left, err := filepath.Glob(folder + "/*/*")
		require.NoError(t, err)
		require.Empty(t, left, "no document is left behind")
	})
}

// extract sends a document as JSON.
func extract(w *dt.World, token, document string) *dt.Answer {
	w.T.Helper()
	return w.Do(token, "POST", route, inJSON(document))
}

func inJSON(document string) string {
	return `{"fileBase64":"` + base64.StdEncoding.EncodeToString([]byte(document)) + `"}`
}

func TestASwissBillIsReadToTheLetter(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		platformtest.SameAnswer(
			t,
			[]byte(`{"source":"SWISS_QR","version":"0200","iban":"CH7730000001250094239","isQrIban":true,
			"creditor":{"name":"Werft & Söhne AG","addressType":"S","street":"Hafenstrasse","buildingNumber":"7a","postCode":"8001","city":"Zürich","countryIsoCode":"CH"},
			"amount":"1949.75","currency":"CHF","referenceType":"QRR","reference":"000000000000000000001234565","message":"Rechnung 7, Größe Ç",
			"billInformation":"//S1/10/R-7/11/261101/20/K 9/30/106017086/31/261001261031/32/8.1:1803.65/40/2:10;0:30",
			"invoice":{"number":"R-7","date":"2026-11-01","dueDate":"2026-12-01","customerReference":"K 9","vatNumber":"106017086","supplyFrom":"2026-10-01","supplyTo":"2026-10-31",
				"vat":[{"percent":"8.1","amount":"1803.65"}],"importVat":[],"conditions":[{"percent":"2","days":10},{"percent":"0","days":30}]},
			"alternativeSchemes":["UV;UltraPay005;12345","XY;XYService;54321"],
			"ultimateDebtor":{"name":"Anna Muster","addressType":"S","street":"Dorfweg","buildingNumber":"3","postCode":"9490","city":"Vaduz","countryIsoCode":"LI"},
			"page":2,"confidence":1,
			"prefill":{"type":"FIAT","name":"Werft & Söhne AG","amount":"1949.75","currencyIsoCode":"CHF","reason":"Rechnung 7, Größe Ç","reference":"000000000000000000001234565",
				"invoiceNumber":"R-7","expectedPaymentDate":"2026-12-01","origin":"QR_BILL"},
			"payee":{"legalName":"Werft & Söhne AG","address":{"addressLine1":"Hafenstrasse 7a","postCode":"8001","city":"Zürich"},"countryIsoCode":"CH",
				"bankCountry":"CH","currency":"CHF","iban":"CH7730000001250094239"},
			"warnings":[{"code":"PAYEE_UNKNOWN","field":"iban","message":"no receiver of the organisation has this account: compare it with what the creditor is known by before it is added"}]}`),
			[]byte(extract(w, dt.A, codesOf("https://example.org", qrr, qrr)).Status(200).Raw),
		)

		a := extract(w, dt.A, codesOf(scor)).Status(200)
		platformtest.SameAnswer(
			t,
			[]byte(
				`{"name":"Werft & Söhne AG","addressType":"K","addressLine1":"Hafenstrasse 7a","addressLine2":"8001 Zürich","countryIsoCode":"CH"}`,
			),
			[]byte(text(a.Get("creditor"))),
		)
		require.Equal(
			t,
			[]any{"SCOR", "RF18539007547034", "0.05", "EUR", nil, false},
			values(a, "referenceType", "reference", "amount", "currency",
				"ultimateDebtor", "isQrIban"),
		)
		require.Equal(
			t,
			"RF18539007547034",
			a.Text("prefill.reason"),
			"there is neither a message nor an invoice's number",
		)
		require.Equal(t, []string{"QR_COMBINED_ADDRESS", "PAYEE_UNKNOWN"}, warned(a))

		a = extract(w, dt.A, codesOf(open)).Status(200)
		require.Equal(
			t,
			[]any{"NON", "", nil, "CHF", nil, nil, nil},
			values(a, "referenceType", "reference", "amount", "currency", "prefill.amount",
				"prefill.reason", "prefill.reference"),
		)
		require.Equal(t, []string{"QR_NO_AMOUNT", "PAYEE_UNKNOWN"}, warned(a))
	})
}

// TestANewPayeeIsMadeOfWhatTheBillSays sends the payee of each kind of code on, with what no code has. Whoever has the
// account already is no new payee.
func TestANewPayeeIsMadeOfWhatTheBillSays(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		payee := func(payload string) map[string]any {
			body, _ := extract(w, dt.A, codesOf(payload)).Status(200).Get("payee").(map[string]any)
			return body
		}

		require.Equal(t, map[string]any{
			"legalName":      "Werft & Söhne AG",
			"address":        map[string]any{"addressLine1": "Hafenstrasse 7a", "postCode": "8001", "city": "Zürich"},
			"countryIsoCode": "CH",
			"bankCountry":    "CH",
			"currency":       "EUR",
			"iban":           "CH9300762011623852957",
			"bicSwift":       nil,
		}, payee(scor), "a combined address")
		require.Equal(
			t,
			map[string]any{"addressLine1": nil, "postCode": "8001", "city": "Zürich"},
			payee(open)["address"],
			"no street",
		)

		abroad := strings.Replace(scor, "8001 Zürich", "London SW1A 2AA", 1)
		require.Equal(
			t,
			map[string]any{"addressLine1": "Hafenstrasse 7a", "postCode": nil, "city": "London SW1A 2AA"},
			payee(abroad)["address"],
			"what cannot be told apart is not",
		)
		require.Nil(t, payee(strings.Replace(qrr, "1949.75", "0.00", 1)), "it must not be paid")

		made := payee(epc)
		require.Nil(t, made["address"])
		require.Equal(t, "COBADEFFXXX", made["bicSwift"])
		made["type"] = "COMPANY"
		made["email"] = "bills@werft.example"
		made["address"] = "Hafenstrasse 7a"
		made["countryIsoCode"] = "DE"
		body, err := json.Marshal(made)
		require.NoError(t, err)
		stored := w.Do(dt.A, "POST", "/bank-accounts/receiver", string(body)).Status(201)

		a := extract(w, dt.A, codesOf(epc)).Status(200)
		require.Equal(t, []any{stored.Text("receiver._id"), stored.Text("_id"), nil},
			values(a, "prefill.receiver", "prefill.bankAccount", "payee"))

		other := w.Receiver(dt.A, "Another")
		w.Do(dt.A, "POST", "/bank-accounts", `{"receiver":"`+other+`","bankCountry":"DE","currency":"EUR",`+
			`"iban":"DE89370400440532013000","bicSwift":"COBADEFFXXX"}`).Status(201)
		require.Nil(t, payee(epc), "which of both is meant, a person says")
	})
}

func TestACodeOfTheEuroAreaIsRead(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := extract(w, dt.A, codesOf(epc)).Status(200)

		require.Equal(
			t,
			[]any{
				"EPC",
				"002",
				"DE89370400440532013000",
				"COBADEFFXXX",
				"12.30",
				"EUR",
				"NON",
				"Rechnung 8",
				"Thank you",
				"SUPP",
				"EPC_QR",
				"Rechnung 8",
				nil,
			},
			values(
				a,
				"source",
				"version",
				"iban",
				"bicSwift",
				"amount",
				"currency",
				"referenceType",
				"message",
				"information",
				"purpose",
				"prefill.origin",
				"prefill.reason",
				"prefill.reference",
			),
		)

		a = extract(w, dt.A, codesOf(strings.Replace(epc, "\n\nRechnung 8", "\nRF18539007547034\n", 1))).Status(200)
		require.Equal(t, []any{"SCOR", "RF18539007547034"}, values(a, "referenceType", "prefill.reference"))

		a = extract(w, dt.A, codesOf(strings.Replace(epc, "\n\nRechnung 8", "\n+++090/9337/55493+++\n", 1))).Status(200)

		require.Equal(
			t,
			[]any{"OTHER", "+++090/9337/55493+++", nil, "+++090/9337/55493+++"},
			values(a, "referenceType", "reference", "prefill.reference",
				"prefill.reason"),
		)
	})
}

func TestABillThatOnlyInformsFillsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for _, payload := range []string{strings.Replace(qrr, "1949.75", "0.00", 1), strings.Replace(qrr, "Rechnung 7, Größe Ç", "NICHT ZUR ZAHLUNG VERWENDEN", 1)} {
			a := extract(w, dt.A, codesOf(payload)).Status(200)
			require.Contains(t, a.Body, "prefill")
			require.Nil(t, a.Get("prefill"))
			require.Contains(t, warned(a), "QR_NOT_FOR_PAYMENT")
		}
	})
}

func TestAPayeeIsNamedOnlyWithoutDoubt(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		account := func(token, receiver, fields string) string {
			return w.Do(token, "POST", "/bank-accounts", `{"receiver":"`+receiver+`",`+fields+`}`).Status(201).Text(
				"_id",
			)
		}

		const euro = `"bankCountry":"DE","currency":"EUR","iban":"DE89370400440532013000","bicSwift":"COBADEFFXXX"`
		payees := func() []any {
			a := extract(w, dt.A, codesOf(epc)).Status(200)

			var codes []string
			for _, c := range warned(a) {
				if c != "" {
					codes = append(codes, c)
				}
			}

			return []any{a.Text("prefill.receiver"), a.Text("prefill.bankAccount"), strings.Join(codes, " ")}
		}
		account(dt.B, w.Receiver(dt.B, "Werft & Söhne GmbH"), euro)
		require.Equal(t, []any{"", "", "PAYEE_UNKNOWN"}, payees(), "what another organisation knows is not told")

		werft := w.Receiver(dt.A, "WERFT&SOHNE  G.m.b.H.")
		own := account(dt.A, werft, euro)
		require.Equal(t, []any{werft, own, ""}, payees())

		a := extract(w, dt.A, codesOf(strings.Replace(epc, "Werft & Söhne GmbH", "Reederei GmbH", 1)))
		require.Equal(t, []string{"PAYEE_NAME_DIFFERS"}, warned(a), "the account counts, and a person is told")
		require.Equal(t, own, a.Text("prefill.bankAccount"))

		mark := func(approval string) {
			require.NoError(t, w.DB.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE receivers SET approval = ? WHERE id = ?", approval, werft)
				return err
			}))
		}
		mark("apr_1")
		require.Equal(t, []any{werft, own, "PAYEE_NOT_PAYABLE"}, payees(), "the receiver waits for a second person")
		mark("")

		twin := account(dt.A, werft, euro)
		require.Equal(t, []any{werft, "", "PAYEE_AMBIGUOUS"}, payees(), "the receiver, but which account?")
		w.Do(dt.A, "DELETE", "/bank-accounts/"+twin, "").Status(200)
		require.Equal(t, []any{werft, own, ""}, payees())

		other := w.Receiver(dt.A, "Another")
		account(dt.A, other, euro)
		require.Equal(t, []any{"", "", "PAYEE_AMBIGUOUS"}, payees())
		w.Do(dt.A, "DELETE", "/receivers/"+other, "").Status(200)
		require.Equal(t, []any{werft, own, ""}, payees())

		w.Do(dt.A, "PATCH", "/bank-accounts/"+own, `{"bicSwift":"DEUTDEFFXXX"}`).Status(200)
		require.Equal(
			t,
			[]any{werft, own, "PAYEE_NOT_PAYABLE"},
			payees(),
			"changed a moment ago: named, and a person is told",
		)
	})
}

func TestAccountsOfAnotherCurrencyAndQRIBANs(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		werft := w.Receiver(dt.A, "Werft & Söhne AG")
		swiss := func(currency, iban string) string {
			return w.Do(
				dt.A,
				"POST",
				"/bank-accounts",
				`{"receiver":"`+werft+`","bankCountry":"CH","currency":"`+currency+`","iban":"`+iban+`","bicSwift":"UBSWCHZH80A"}`,
			).Status(201).Text("_id")
		}
		franc := swiss("CHF", "CH9300762011623852957")
		a := extract(w, dt.A, codesOf(scor)).Status(200)
		require.Equal(t, []any{werft, nil}, values(a, "prefill.receiver", "prefill.bankAccount"))
		require.Contains(t, warned(a), "PAYEE_CURRENCY_DIFFERS")
		a = extract(w, dt.A, codesOf(open)).Status(200)
		require.Equal(t, []any{werft, franc}, values(a, "prefill.receiver", "prefill.bankAccount"))

		number := swiss("CHF", "CH7730000001250094239") // a QR-IBAN, with the reference that it asks for
		a = extract(w, dt.A, codesOf(qrr)).Status(200)
		require.Equal(
			t,
			[]any{werft, number, "000000000000000000001234565"},
			values(a, "prefill.receiver", "prefill.bankAccount", "prefill.reference"),
		)
		require.Empty(t, warned(a))
	})
}

func TestSeveralBillsAreForAPersonToChooseFrom(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		broken := strings.Replace(open, "CH9300762011623852957", "CH9300762011623852958", 1)
		document := codesOf(qrr, "", broken, qrr, epc)
		a := extract(w, dt.A, document).Status(422).Refused(422, fault.QRSeveralBills, "/fileBase64")

		platformtest.SameAnswer(
			t,
			[]byte(
				`[{"bill":1,"page":1,"source":"SWISS_QR","iban":"CH7730000001250094239","creditor":"Werft & Söhne AG","amount":"1949.75","currency":"CHF",
			"reference":"000000000000000000001234565","faulty":false},{"bill":2,"page":3,"faulty":true},
			{"bill":3,"page":5,"source":"EPC","iban":"DE89370400440532013000","creditor":"Werft & Söhne GmbH","amount":"12.30","currency":"EUR","faulty":false}]`,
			),
			[]byte(text(a.Get("bills"))),
		)

		a = w.Do(dt.A, "POST", route+"?bill=3", inJSON(document)).Status(200)
		require.Equal(t, []any{"EPC", 5.0}, values(a, "source", "page"))
		require.Contains(t, warned(a), "QR_OTHER_BILLS")

		w.Do(dt.A, "POST", route+"?bill=2", inJSON(document)).Refused(422, fault.QRBadIBAN, "/fileBase64")
		w.Do(dt.A, "POST", route+"?bill=4", inJSON(document)).Refused(422, fault.QRBillNumberWrong, "?bill")
		w.Do(dt.A, "POST", route+"?bill=0", inJSON(document)).Refused(422, fault.OutOfRange, "?bill")

		require.NotContains(
			t,
			warned(w.Do(dt.A, "POST", route+"?bill=1", inJSON(codesOf(qrr))).Status(200)),
			"QR_OTHER_BILLS",
		)
	})
}

// What is put aside for its turn tells nothing to whoever finds it, and storage that fails is told apart from a
// document that does.
func TestDocumentsWaitSealedAndStorageMayFail(t *testing.T) { // P-08
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := dt.New(t, d)
		folder := t.TempDir()
		kept := io.Reader(strings.NewReader(codesOf(qrr)))
		aside := ""

		billscan.New(billscan.Deps{
			DB:       d,
			Stage:    stage(t, folder),
			Settings: settings,
			Stored:   func(context.Context, string, string) (io.ReadCloser, error) { return io.NopCloser(kept), nil },
			Scan: func(ctx context.Context, document []byte, _ int) ([]qrscan.Code, error) {
				found, err := filepath.Glob(folder + "/*/*")
				for _, f := range found {
					raw, rerr := os.ReadFile(f)
					aside = aside + string(raw)
					err = errors.Join(err, rerr)
				}

				require.NoError(t, err)

				return scan(ctx, document, 0)
			},
		}).Routes(w.API)

		require.Equal(t, "SWISS_QR", extract(w, dt.A, codesOf(qrr)).Status(200).Text("source"))

		require.Equal(
			t,
			"SWISS_QR",
			w.Do(dt.A, "POST", route, `{"documentStorageKey":"doc_a"}`).Status(200).Text("source"),
		)

		require.Greater(t, len(aside), 2*len(qrr))
		require.NotContains(t, aside, "Werft")

		kept = iotest.ErrReader(errors.New("the bucket is gone"))
		w.Do(dt.A, "POST", route, `{"documentStorageKey":"doc_a"}`).Refused(503, fault.UpstreamFailed, "")
		require.NoError(t, os.RemoveAll(folder))

		extract(w, dt.A, codesOf(qrr)).Refused(503, fault.UpstreamFailed, "")
	})
}

func TestStoredDocumentsAreReadForTheirOrganisationAlone(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(dt.A, "POST", route, `{"documentStorageKey":"doc_a"}`).Status(200)
		require.Equal(t, "doc_a", a.Text("prefill.documentStorageKey"))

		w.Do(dt.A, "POST", route, `{"documentStorageKey":"doc_a","fileBase64":"eA=="}`).Refused(
			422,
			fault.NotAllowed,
			"/documentStorageKey",
		)

		w.Do(dt.A, "POST", route, `{}`).Refused(422, fault.Required, "/fileBase64")
		w.Do(dt.Viewer, "POST", route, `{"documentStorageKey":"doc_a"}`).Refused(403, fault.RoleRequired, "")
		unknown := w.Do(dt.A, "POST", route, `{"documentStorageKey":"doc_x"}`).Status(404)
		require.Equal(t, unknown.Raw, w.Do(dt.B, "POST", route, `{"documentStorageKey":"doc_a"}`).Status(404).Raw)
	})
}

// Every rule of the grammar has a refusal's code that explains itself.
func TestEveryBrokenRuleHasItsCode(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		lines := strings.Split(qrr, "\n")

		with := func(n int, s string) string {
			out := append([]string{}, lines...)
			out[n-1] = s
			return strings.Join(out, "\n")
		}
		for want, payload := range map[fault.Code]string{
			fault.QRTooLong:        with(29, strings.Repeat("x", 800)),
			fault.QRBadSeparator:   strings.Replace(qrr, "SPC\n0200", "SPC\n0200\r", 1),
			fault.QRBadCharacter:   with(6, "A\x07"),
			fault.QRLineCount:      strings.Join(lines[:30], "\n"),
			fault.QRBadVersion:     with(2, "0300"),
			fault.QRBadCoding:      with(3, "2"),
			fault.QRBadIBAN:        with(4, "CH7730000001250094238"),
			fault.QRForeignIBAN:    with(4, "DE89370400440532013000"),
			fault.QRBadAddressType: with(5, "X"),
			fault.QRMissing:        with(6, ""),
			fault.QRNotAllowed:     with(12, "S"),
			fault.QRFieldTooLong: with(6,
				strings.Repeat("x", 71)),
			fault.QRBadCountry:     with(11, "ch"),
			fault.QRBadAmount:      with(19, "1'949.75"),
			fault.QRBadCurrency:    with(20, "USD"),
			fault.QRBadRefType:     with(28, "QR"),
			fault.QRNeedsQRR:       strings.Replace(with(28, "NON"), "000000000000000000001234565", "", 1),
			fault.QRRefNeedsQRIBAN: with(4, "CH9300762011623852957"),
			fault.QRBadReference:   with(29, "000000000000000000001234566"),
			fault.QRBadTrailer:     with(31, "EDP"),
			fault.QRTooManySchemes: qrr + "\nmore",
			fault.QRBadService:     strings.Replace(epc, "SCT", "SDD", 1),
			fault.QRBadBIC:         strings.Replace(epc, "COBADEFFXXX", "COBA", 1),
			fault.QRBadPurpose:     strings.Replace(epc, "SUPP", "SUPPL", 1),
		} {
			a := extract(w, dt.A, codesOf("", payload)).Refused(422, want, "/fileBase64")
			require.Contains(t, a.Raw, "Page 2", "%s", want)
			_, explained := fault.Explain(want)
			require.True(t, explained)
		}

		a := extract(w, dt.A, codesOf(strings.Replace(with(4, "CH7730000001250094238"), "CHF", "USD", 1))).Status(422)
		require.Len(t, a.List("errors"), 2, "all at once: %s", a.Raw)
		require.Contains(t, a.Raw, "line 4 of the code (account)")
		require.Contains(t, a.Raw, "line 20 of the code (currency)")

		extract(w, dt.A, codesOf("https://example.org")).Refused(422, fault.QRNotFound, "/fileBase64")
		extract(w, dt.A, codesOf("")).Refused(422, fault.QRNotFound, "/fileBase64")
	})
}

// What cannot be read is refused with the reason, what has failed is not.
func TestDocumentsThatCannotBeReadAreRefused(t *testing.T) {
	d := dbtest.SQLite(t)
	for _, c := range []struct {
		err  error
		want fault.Code
	}{
		{qrscan.ErrUnknownType, fault.DocumentTypeUnknown},
		{qrscan.ErrTooLarge, fault.DocumentTooLarge},
		{qrscan.ErrNotReadable, fault.DocumentDamaged},
		{fmt.Errorf("%w: %w", qrscan.ErrNotReadable, qrscan.ErrProtected), fault.DocumentProtected},
	} {
		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    stage(t, t.TempDir()),
			Settings: settings,
			Scan: func(context.Context, []byte, int) ([]qrscan.Code,
				error,
			) {
				return nil, c.err
			},
		})

		_, err := s.Read(t.Context(), "org_a", billscan.Document{File: strings.NewReader("x")})
		require.True(t, fault.Is(err, c.want), "%v", err)
	}

	s := billscan.New(billscan.Deps{
		DB:       d,
		Stage:    stage(t, t.TempDir()),
		Settings: settings,
		Scan: func(context.Context, []byte, int) ([]qrscan.Code,
			error,
		) {
			return nil, io.ErrClosedPipe
		},
	})
	_, err := s.Read(t.Context(), "org_a", billscan.Document{File: strings.NewReader("x")})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	_, refusal := fault.As(err)
	require.False(t, refusal)

	broken := fault.New(fault.TooLarge, fault.BodyTooLarge, "no")
	_, err = s.Read(
		t.Context(),
		"org_a",
		billscan.Document{File: io.MultiReader(strings.NewReader("x"), failing{broken})},
	)
	require.ErrorIs(t, err, broken, "what the sender does wrong is told as it is")
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// L-02: a document that takes its reader's time ends with its deadline; one that waits too long for its turn is asked
// to come back.
func TestReadingAndWaitingEnd(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	synctest.Test(t, func(t *testing.T) {
		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    dir,
			Settings: settings,
			Scan: func(ctx context.Context, _ []byte, _ int) ([]qrscan.Code, error) {
				<-ctx.Done()
				time.Sleep(time.Millisecond) // it takes a moment to stop, so that no two things happen at once

				return nil, ctx.Err()
			},
		})

		var answers []chan error
		begin := time.Now()

		for i := range 5 { // a second apart, each of another organisation
			answer := make(chan error, 1)

			answers = append(answers, answer)
			go func() {
				time.Sleep(time.Duration(i) * time.Second)

				_, err := s.Read(t.Context(), fmt.Sprint("org_", i), billscan.Document{File: strings.NewReader("x")})
				answer <- err
			}()
			synctest.Wait()
		}

		require.True(t, fault.Is(<-answers[4], fault.Overloaded))
		require.Equal(t, 70*time.Second+5*time.Millisecond, time.Since(begin),
			"it was read for 2 s and has waited for 60; the reader would be free after 70, and another's is next")

		for _, answer := range answers[:4] {
			require.True(t, fault.Is(<-answer, fault.QRReadingTooLong))
		}

		require.Equal(t, 70*time.Second+9*time.Millisecond, time.Since(begin))

		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		_, err := s.Read(ctx, "org_a", billscan.Document{File: strings.NewReader("x")})
		require.ErrorIs(t, err, context.Canceled, "a client that is gone is no refusal")
	})
}

// L-05: one organisation has few places, so that the others find some.
func TestOneOrganisationCannotTakeAllPlaces(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    dir,
			Settings: settings,
			Scan: func(context.Context, []byte, int) ([]qrscan.Code, error) {
				<-goOn
				return nil, nil
			},
		})
		read := func(organisation string) error {
			_, err := s.Read(t.Context(), organisation, billscan.Document{File: strings.NewReader("x")})
			return err
		}

		var waiting []chan error

		start := func(organisation string) {
			c := make(chan error, 1)

			waiting = append(waiting, c)
			go func() { c <- read(organisation) }()
			synctest.Wait()
		}
		for range 4 {
			start("org_a")
		}

		require.True(t, fault.Is(read("org_a"), fault.RateLimited))

		for i := range 60 {
			start(fmt.Sprint("org_", i))
		}

		require.True(t, fault.Is(read("org_z"), fault.Overloaded), "64 in all")
		close(goOn)

		for _, c := range waiting {
			require.True(t, fault.Is(<-c, fault.QRNotFound))
		}

		require.True(t, fault.Is(read("org_a"), fault.QRNotFound), "the places are free again")
	})
}

// L-05: four organisations whose documents take all the time that they may, and that send as many as they may, do not
// keep a fifth from having its document read, even where there is one place only: it waits for the first brief reading
// of each, and not for those behind. Later it may wait for one that takes long, and for brief readings of the others.
func TestFifthOrganisationReadsBesideFourThatHogTheReader(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	synctest.Test(t, func(t *testing.T) {
		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    dir,
			Settings: settings,
			Scan: func(ctx context.Context, document []byte, _ int) ([]qrscan.Code, error) {
				if string(document) == "good" {
					return scan(ctx, []byte(codesOf(qrr)), 0)
				}

				<-ctx.Done()

				return nil, ctx.Err()
			},
		})
		for i := range 16 {
			go func() {
				for t.Context().Err() == nil { // as soon as one is answered, the next is sent
					_, _ = s.Read(
						t.Context(),
						fmt.Sprint("org_", i/4),
						billscan.Document{File: strings.NewReader("slow")},
					)
				}
			}()

			synctest.Wait()
		}

		begin := time.Now()
		time.Sleep(5 * time.Second)
		_, err := s.Read(t.Context(), "org_e", billscan.Document{File: strings.NewReader("good")})
		require.NoError(t, err)
		require.Equal(t, 4*2*time.Second, time.Since(begin))

		for range 5 {
			begin := time.Now()
			_, err := s.Read(t.Context(), "org_e", billscan.Document{File: strings.NewReader("good")})
			require.NoError(t, err)
			require.LessOrEqual(t, time.Since(begin), 2*settings.Deadline)
			time.Sleep(7 * time.Second)
		}
	})
}

// L-05: where several documents are read at once, heavy ones leave a turn to the others, whosesoever they are: an
// ordinary document waits for no heavy one to end.
func TestAnOrdinaryDocumentWaitsForNoHeavyOne(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	synctest.Test(t, func(t *testing.T) {
		var heavy atomic.Int64

		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    dir,
			Settings: billscan.Settings{Room: qrscan.RoomFor(2, 0), Deadline: 15 * time.Second},
			Scan: func(ctx context.Context, document []byte, _ int) ([]qrscan.Code, error) {
				if string(document) == "good" {
					return scan(ctx, []byte(codesOf(qrr)), 0)
				}

				heavy.Add(1)

				select {
				case <-time.After(12 * time.Second): // heavy, and read within its time
					return scan(ctx, []byte(codesOf(qrr)), 0)
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			},
		})

		begin := time.Now()
		_, err := s.Read(t.Context(), "org_a", billscan.Document{File: strings.NewReader("heavy")})
		require.NoError(t, err)
		require.Equal(t, 14*time.Second, time.Since(begin), "it begins anew after two seconds")
		require.EqualValues(t, 2, heavy.Load())

		for i := range 16 {
			go func() {
				for t.Context().Err() == nil {
					_, _ = s.Read(
						t.Context(),
						fmt.Sprint("org_", i/4),
						billscan.Document{File: strings.NewReader("heavy")},
					)
				}
			}()

			synctest.Wait()
		}

		for range 5 {
			time.Sleep(7 * time.Second)

			begin := time.Now()
			_, err := s.Read(t.Context(), "org_e", billscan.Document{File: strings.NewReader("good")})
			require.NoError(t, err)
			require.LessOrEqual(t, time.Since(begin), 2*time.Second)
		}
	})
}

// L-05: a person has the places of one organisation, however many are his.
func TestOnePersonCannotTakeAllPlaces(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    dir,
			Settings: settings,
			Scan: func(context.Context, []byte, int) ([]qrscan.Code, error) {
				<-goOn
				return nil, nil
			},
		})

		read := func(person, organisation string) error {
			p := &caller.Principal{User: person, Organisation: organisation}
			ctx := caller.WithCall(t.Context(), &caller.Call{Principal: p})
			_, err := s.Read(ctx, organisation, billscan.Document{File: strings.NewReader("x")})

			return err
		}

		answers := make(chan error, 5)
		for i := range 4 {
			go func() { answers <- read("usr_1", fmt.Sprint("org_", i)) }()
			synctest.Wait()
		}

		require.True(t, fault.Is(read("usr_1", "org_9"), fault.RateLimited))

		go func() { answers <- read("usr_2", "org_9") }()
		synctest.Wait()
		close(goOn)

		for range 5 {
			require.True(t, fault.Is(<-answers, fault.QRNotFound))
		}
	})
}

// Only a PDF file waits for the PDF library, and its time begins when that is ready.
func TestTimeBeginsWhenTheLibraryIsReady(t *testing.T) {
	d := dbtest.SQLite(t)
	dir := stage(t, t.TempDir())

	synctest.Test(t, func(t *testing.T) {
		asked := 0

		s := billscan.New(billscan.Deps{
			DB:       d,
			Stage:    dir,
			Settings: settings,
			Scan: func(ctx context.Context, _ []byte, _ int) ([]qrscan.Code,
				error,
			) {
				return nil, ctx.Err()
			},
			Ready: func(context.Context) error {
				asked++
				time.Sleep(time.Minute)
				return nil
			},
		})
		for _, document := range []string{"%PDF-1.7", "\x89PNG"} {
			_, err := s.Read(t.Context(), "org_a", billscan.Document{File: strings.NewReader(document)})
			require.True(t, fault.Is(err, fault.QRNotFound), "%v", err)
		}

		require.Equal(t, 1, asked)
		s.Ready = func(context.Context) error { return errors.New("no memory") }
		_, err := s.Read(t.Context(), "org_a", billscan.Document{File: strings.NewReader("%PDF-1.7")})
		require.ErrorContains(t, err, "no memory")
	})
}

func TestEveryCodeOfTheParsersIsARefusalsCode(t *testing.T) {
	for _, c := range []qrbill.Code{
		qrbill.NotUTF8, qrbill.TooLong, qrbill.BadSeparator, qrbill.BadCharacter, qrbill.LineCount, qrbill.NotSwiss, qrbill.BadVersion,
		qrbill.BadCoding, qrbill.BadIBAN, qrbill.ForeignIBAN, qrbill.BadAddressType, qrbill.Missing, qrbill.NotAllowed, qrbill.FieldTooLong, qrbill.BadCountry,
		qrbill.BadAmount, qrbill.BadCurrency, qrbill.BadRefType, qrbill.NeedsQRR, qrbill.QRRNeedsQRIBAN, qrbill.BadReference, qrbill.BadTrailer, qrbill.SchemeCount,
	} {
		_, ok := fault.Explain(fault.Code(c))
		require.True(t, ok, c)
	}
}

func warned(a *dt.Answer) (out []string) {
	for _, w := range a.List("warnings") {
		out = append(out, w.(map[string]any)["code"].(string))
	}

	return out
}

func values(a *dt.Answer, paths ...string) (out []any) {
	for _, p := range paths {
		out = append(out, a.Get(p))
	}

	return out
}

// text writes a value as JSON.
func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}

	return string(raw)
}
