//go:build !nosandbox

package billscan_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/skip2/go-qrcode"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/payments/billscan"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan"
)

// reader is shared: compiling the PDF library takes seconds.
var reader = sync.OnceValue(func() *qrscan.Reader {
	return qrscan.New(qrscan.Settings{Wanted: billscan.IsBill, CacheDir: platformtest.PDFCache()})
})

// real is a world in which documents are truly read.
func real(t *testing.T) *dt.World {
	d := dbtest.SQLite(t)
	w := dt.New(t, d)
	s := settings
	s.Deadline = 5 * time.Minute // the machine may be busy; that a deadline holds is shown elsewhere
	billscan.New(billscan.Deps{
		DB:       d,
		Scan:     reader().Read,
		Ready:    reader().Ready,
		Stored:   stored,
		Stage:    stage(t, t.TempDir()),
		Settings: s,
	}).Routes(w.API)

	return w
}

// fixture reads a file of the shared corpus; the test is skipped on a machine without it.
func fixture(t *testing.T, name string) []byte {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = "../../../../shared/fixtures"
	}

	raw, err := os.ReadFile(filepath.Join(dir, "swiss_qr_bill", name))
	if os.IsNotExist(err) && strings.HasSuffix(name, ".json") {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	if os.IsNotExist(err) {
		return nil // of the part that is not here
	}

	require.NoError(t, err)

	return raw
}

// expected is what an independent parser has read.
type expected struct {
	Valid  bool `json:"valid"`
	Parsed struct {
		Version       string   `json:"version"`
		Account       string   `json:"account"`
		QRIBAN        bool     `json:"qrIban"`
		Creditor      *party   `json:"creditor"`
		Debtor        *party   `json:"debtor"`
		Amount        *string  `json:"amount"`
		Currency      string   `json:"currency"`
		ReferenceType string   `json:"referenceType"`
		Reference     *string  `json:"reference"`
		Message       *string  `json:"unstructuredMessage"`
		Billing       *string  `json:"billingInformation"`
		Schemes       []string `json:"alternativeSchemes"`
	} `json:"parsed"`
}

type party struct {
	Type           string `json:"type"`
	Name           string `json:"name"`
	Country        string `json:"country"`
	Street         string `json:"street"`
	BuildingNumber string `json:"buildingNumber"`
	PostCode       string `json:"postCode"`
	Town           string `json:"town"`
	Line1          string `json:"line1"`
	Line2          string `json:"line2"`
}

func corpus(t *testing.T) map[string][]expected {
	t.Helper()

	var out map[string][]expected
	require.NoError(t, json.Unmarshal(fixture(t, "expected_parsed.json"), &out))

	return out
}

func plain(s *string) any {
	if s == nil {
		return ""
	}

	return *s
}

// same holds an answer against what the independent parser has read, value by value.
func (e expected) same(t *testing.T, a *dt.Answer, name string) {
	t.Helper()
	p := e.Parsed

	var amount any
	if p.Amount != nil && *p.Amount != "" {
		amount = *p.Amount
	}

	require.Equal(
		t,
		[]any{
			"SWISS_QR",
			p.Version,
			p.Account,
			p.QRIBAN,
			amount,
			p.Currency,
			p.ReferenceType,
			plain(p.Reference),
			plain(p.Message),
			plain(p.Billing),
		},
		values(
			a,
			"source",
			"version",
			"iban",
			"isQrIban",
			"amount",
			"currency",
			"referenceType",
			"reference",
			"message",
			"billInformation",
		),
		name,
	)
	p.Creditor.same(t, a, "creditor", name)
	p.Debtor.same(t, a, "ultimateDebtor", name)

	schemes := []any{}
	for _, s := range p.Schemes {
		schemes = append(schemes, s)
	}

	require.Equal(t, schemes, a.List("alternativeSchemes"), name)

	if prefill := a.Get("prefill"); prefill != nil {
		require.Equal(t, []any{amount, p.Currency}, values(a, "prefill.amount", "prefill.currencyIsoCode"), name)
	}
}

func (p *party) same(t *testing.T, a *dt.Answer, at, name string) {
	t.Helper()

	if p == nil {
		require.Nil(t, a.Get(at), "%s of %s", at, name)
		return
	}

	require.Equal(
		t,
		[]string{p.Type, p.Name, p.Country, p.Street, p.BuildingNumber, p.PostCode, p.Town, p.Line1, p.Line2},
		[]string{
			a.Text(at + ".addressType"),
			a.Text(at + ".name"),
			a.Text(at + ".countryIsoCode"),
			a.Text(at + ".street"),
			a.Text(at + ".buildingNumber"),
			a.Text(at + ".postCode"),
			a.Text(at + ".city"),
			a.Text(at + ".addressLine1"),
			a.Text(at + ".addressLine2"),
		},
		"%s of %s",
		at,
		name,
	)
}

// Every document of the corpus is answered as other people's parsers read it, value by value; one without a code is
// refused.
func TestCorpusDocumentsThroughTheRoute(t *testing.T) {
	all := corpus(t)
	w := real(t)

	looked := 0
	for name, want := range all {
		document := fixture(t, name)
		if document == nil || filepath.Ext(name) == ".txt" || filepath.Ext(name) == ".svg" {
			continue
		}

		looked++

		a := send(w, looked, document)
		switch {
		case len(want) == 0:
			a.Refused(422, fault.QRNotFound, "")
		case len(want) > 1:
			a.Refused(422, fault.QRSeveralBills, "")
		default:
			want[0].same(t, a.Status(200), name)
		}
	}

	require.Greater(t, looked, 60)
	t.Logf("%d documents", looked)
}

// The corpus' payloads, drawn as pictures: good ones are answered, and of those that break a rule none is.
func TestCorpusPayloadsThroughTheRoute(t *testing.T) {
	all := corpus(t)
	w := real(t)
	good := 0

	bad := 0
	for name, want := range all {
		if filepath.Ext(name) != ".txt" {
			continue
		}

		a := send(w, good, picture(t, string(fixture(t, name))))
		if want[0].Valid {
			want[0].same(t, a.Status(200), name)
			good++
			continue
		}

		a.Status(422)
		require.NotContains(t, a.Body, "iban", name)
		bad++
	}

	var vectors []struct {
		Name    string `json:"name"`
		Payload string `json:"payload"`
		Valid   bool   `json:"valid"`
	}
	require.NoError(t, json.Unmarshal(fixture(t, "derived_rule_vectors.json"), &vectors))

	for _, v := range vectors {
		a := send(w, good, picture(t, v.Payload))
		require.Equal(t, v.Valid, a.Code == 200, "%s: %s", v.Name, a.Raw)
		require.True(t, v.Valid || a.Code == 422, "%s: %s", v.Name, a.Raw)
		bad++
	}

	require.Greater(t, good, 5)
	require.Greater(t, bad, 15)
	t.Logf("%d good payloads, %d that break a rule", good, bad)
}

// Pictures of the corpus with blots over their code: the same answer or none, never another one.
func TestDamagedBillsMayBeMissingButNeverWrong(t *testing.T) {
	all := corpus(t)
	w := real(t)
	r := rand.New(rand.NewPCG(5, 7))
	right := 0

	missing := 0
	for name, want := range all {
		if filepath.Ext(name) != ".png" || len(want) != 1 || right+missing >= 60 {
			continue
		}

		whole, err := png.Decode(bytes.NewReader(fixture(t, name)))
		require.NoError(t, err)

		for _, blots := range []int{100, 400, 1200} {
			a := send(w, right, pngOf(t, blotted(whole, r, blots)))
			if a.Code == 200 {
				want[0].same(t, a, name)
				right++
				continue
			}

			a.Refused(422, fault.QRNotFound, "")
			missing++
		}
	}

	require.Positive(t, right)
	require.Positive(t, missing)
	t.Logf("%d damaged pictures right, %d without an answer", right, missing)
}

// blotted puts grey, black and white squares on a copy of a picture.
func blotted(p image.Image, r *rand.Rand, blots int) image.Image {
	b := p.Bounds()
	out := image.NewGray(b)
	draw.Draw(out, b, image.White, image.Point{}, draw.Src)
	draw.Draw(out, b, p, b.Min, draw.Over)

	side := max(b.Dx()/120, 2)
	for range blots {
		x := b.Min.X + r.IntN(b.Dx())
		y := b.Min.Y + r.IntN(b.Dy())
		v := color.Gray{Y: byte(r.IntN(3) * 127)}

		draw.Draw(
			out,
			image.Rect(x, y, x+1+r.IntN(side), y+1+r.IntN(side)),
			image.NewUniform(v),
			image.Point{},
			draw.Src,
		)
	}

	return out
}

// picture is a PNG file of a sheet with these codes side by side.
func picture(t testing.TB, texts ...string) []byte {
	t.Helper()

	const side = 700
	sheet := image.NewGray(image.Rect(0, 0, side*len(texts), side))
	draw.Draw(sheet, sheet.Rect, image.White, image.Point{}, draw.Src)

	for i, text := range texts {
		q, err := qrcode.New(text, qrcode.Medium)
		require.NoError(t, err)
		draw.Draw(sheet, image.Rect(i*side, 0, (i+1)*side, side), q.Image(side), image.Point{}, draw.Src)
	}

	return pngOf(t, sheet)
}

func pngOf(t testing.TB, p image.Image) []byte {
	t.Helper()

	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p))

	return b.Bytes()
}

// L-03: what a hostile code says never becomes a value. It is refused by the rule that it breaks, or is nobody's bill
// at all.
func TestHostileCodesThroughTheRoute(t *testing.T) {
	w := real(t)
	lines := strings.Split(open, "\n")
	with := func(n int, s string) string {
		out := append([]string{}, lines...)
		out[n-1] = s
		return strings.Join(out, "\n")
	}
	send(w, 0, picture(t, open)).Status(200)

	for name, c := range map[string]struct {
		texts []string
		want  fault.Code
	}{
		"more than 997 characters":  {[]string{with(30, strings.Repeat("A", 1000))}, fault.QRTooLong},
		"2,000 characters":          {[]string{"SPC\n" + strings.Repeat("A", 2000)}, fault.QRTooLong},
		"too few lines":             {[]string{strings.Join(lines[:29], "\n")}, fault.QRLineCount},
		"too many lines":            {[]string{open + "\n\nAV1\nAV2\nAV3"}, fault.QRTooManySchemes},
		"a foreign IBAN":            {[]string{with(4, "DE89370400440532013000")}, fault.QRForeignIBAN},
		"a mistyped IBAN":           {[]string{with(4, "CH9300762011623852958")}, fault.QRBadIBAN},
		"an IBAN in small letters":  {[]string{with(4, "ch9300762011623852957")}, fault.QRBadIBAN},
		"an escape sequence":        {[]string{with(6, "Werft\x1b[2J")}, fault.QRBadCharacter},
		"a null character":          {[]string{with(6, "Werft\x00")}, fault.QRBadCharacter},
		"text that turns around":    {[]string{with(6, "Werft \u202eGA")}, fault.QRBadCharacter},
		"zero width":                {[]string{with(6, "Werft\u200bAG")}, fault.QRBadCharacter},
		"Cyrillic that looks alike": {[]string{with(6, "W\u0435rft AG")}, fault.QRBadCharacter},
		"a negative amount":         {[]string{with(19, "-1.00")}, fault.QRBadAmount},
		"an exponent":               {[]string{with(19, "1e9")}, fault.QRBadAmount},
		"an amount in other digits": {[]string{with(19, "١.00")}, fault.QRBadAmount},
		"ultimate creditor":         {[]string{with(13, "Somebody else")}, fault.QRNotAllowed},
		"a QR-IBAN without QRR":     {[]string{with(4, "CH7730000001250094239")}, fault.QRNeedsQRR},
		"a second bill":             {[]string{open, strings.Replace(open, "Werft", "Wertf", 1)}, fault.QRSeveralBills},
		"a second, faulty bill":     {[]string{open, with(4, "CH9300762011623852958")}, fault.QRSeveralBills},
		"a bill and a transfer":     {[]string{open, epc}, fault.QRSeveralBills},
		"a link":                    {[]string{"https://pay.example/?iban=CH9300762011623852957"}, fault.QRNotFound},
		"JSON":                      {[]string{`{"iban":"CH9300762011623852957","amount":"1.00"}`}, fault.QRNotFound},
		"not at its beginning":      {[]string{"\n" + open}, fault.QRNotFound},
		"a byte order mark":         {[]string{"\ufeff" + open}, fault.QRNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			a := send(w, 1, picture(t, c.texts...))
			a.Refused(422, c.want, "/file")
			require.NotContains(t, a.Raw, "prefill")
		})
	}

	require.Equal(
		t,
		"CH9300762011623852957",
		send(w, 0, picture(t, "https://pay.example", open)).Status(200).Text("iban"),
		"a code of something else beside the bill changes nothing",
	)
	require.Equal(
		t,
		"CH9300762011623852957",
		send(w, 0, picture(t, open, open)).Status(200).Text("iban"),
		"the same bill twice is one",
	)
}

// L-01, L-02 through the route: what is no document, or stands for gigabytes, is refused.
func TestHostileDocumentsThroughTheRoute(t *testing.T) {
	w := real(t)
	whole := picture(t, open)
	bomb := bytes.Clone(whole)
	// 100,000 by 100,000 pixels, and a header whose checksum is wrong by that
	copy(bomb[16:24], []byte{0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0})

	for name, c := range map[string]struct {
		document []byte
		want     fault.Code
	}{
		"a web page":                       {[]byte("<html><script>alert(1)</script>"), fault.DocumentTypeUnknown},
		"text":                             {[]byte(open), fault.DocumentTypeUnknown},
		"a zip file":                       {[]byte("PK\x03\x04"), fault.DocumentTypeUnknown},
		"one byte":                         {[]byte{0}, fault.DocumentTypeUnknown},
		"PDF in name only":                 {[]byte("%PDF-1.7\n<html></html>"), fault.DocumentDamaged},
		"PNG that breaks off":              {whole[:len(whole)-50], fault.DocumentDamaged},
		"PNG of another size than it says": {bomb, fault.DocumentDamaged},
	} {
		send(w, len(name), c.document).Refused(422, c.want, "")
	}
}

// send sends a document in one of the two forms in which the route takes it.
func send(w *dt.World, form int, document []byte) *dt.Answer {
	w.T.Helper()

	if form%2 == 0 {
		return w.Do(dt.A, "POST", route, inJSON(string(document)))
	}

	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	part, err := m.CreateFormFile("file", "bill")
	require.NoError(w.T, err)
	_, err = part.Write(document)
	require.NoError(w.T, errors.Join(err, m.Close()))

	return w.Do(dt.A, "POST", route, body.String(), "Content-Type", m.FormDataContentType())
}
