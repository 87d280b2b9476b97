//go:build !nosandbox

package invoice_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

// scene is a listening service, an organisation in it, and the mails that it sends.
type scene struct {
	t    testing.TB
	h    *apptest.Harness
	c    *apptest.Client
	site string
}

// each runs a test on both databases.
func each(t *testing.T, test func(t *testing.T, s *scene)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) { test(t, newScene(t, h)) })
}

func newScene(t testing.TB, h *apptest.Harness) *scene {
	t.Helper()
	server := httptest.NewServer(h.App.Handler)
	t.Cleanup(server.Close)

	return &scene{t, h, h.Client("Northwind Trading"), server.URL}
}

// asked is what a member asks for.
func asked(to string) apptest.Object { return apptest.Object{"isExistingReceiver": false, "email": to} }

var inMail = regexp.MustCompile(`https?://[^/\s]+(/i#\S+)`)

// link makes a link and returns its address on this site, as it stands in the mail, with the link's identifier.
func (s *scene) link(wish apptest.Object) (address, id string) {
	s.t.Helper()

	var made struct {
		ID string `json:"tokenId"`
	}
	s.h.Do(s.h.App, "POST", "/payables/generate-invoice-link", s.c.Token, wish).OK(201).Into(&made)

	asking := s.mailTo(wish["email"].(string))
	found := inMail.FindStringSubmatch(asking.Text)
	require.NotNil(s.t, found, asking.Text)

	return s.site + found[1], made.ID
}

// mailTo is the newest mail to an address.
func (s *scene) mailTo(address string) mail.Shown {
	s.t.Helper()

	var mails struct {
		Results []mail.Shown `json:"results"`
	}
	s.h.Do(s.h.App, "GET", "/sandbox/mails?recipient="+url.QueryEscape(address), "", nil).OK(200).Into(&mails)
	require.NotEmpty(s.t, mails.Results)

	return mails.Results[0]
}

// known makes a link for a receiver that the organisation has already.
func (s *scene) known() (address, id string) {
	s.t.Helper()
	receiver := s.h.Do(s.h.App, "POST", "/receivers", s.c.Token, apptest.Object{
		"type":           "COMPANY",
		"email":          "known@example.com",
		"legalName":      "Secret Name Ltd",
		"address":        apptest.Object{"addressLine1": "Hidden Street 9", "postCode": "1", "city": "London"},
		"countryIsoCode": "GB",
	}).OK(201).ID()

	return s.link(apptest.Object{"isExistingReceiver": true, "email": "known@example.com", "receiverId": receiver})
}

// code is what stands behind a link's #.
func code(address string) string { return address[strings.IndexByte(address, '#')+1:] }

// payable is what a member makes of a link.
type payable struct {
	Type        string `json:"type"`
	Status      string `json:"status"`
	Amount      string `json:"amount"`
	Reason      string `json:"reason"`
	Origin      string `json:"origin"`
	Number      string `json:"invoiceNumber"`
	Receiver    string `json:"receiver"`
	BankAccount string `json:"bankAccount"`
	Wallet      string `json:"wallet"`
	Expected    string `json:"expectedPaymentDate"`
	Document    *struct {
		Name string `json:"fileName"`
		Size int64  `json:"size"`
	} `json:"document"`
}

// payable makes the payable of a link that was handed in.
func (s *scene) payable(id string) apptest.Answer {
	s.t.Helper()
	return s.h.Do(s.h.App, "POST", "/payables/create-invoice-payable", s.c.Token, apptest.Object{"tokenId": id}).OK(201)
}

// approve has another member approve a payable.
func (s *scene) approve(approver, payable string) {
	s.t.Helper()
	other := s.c.Colleague(approver, "authorized", "approver")
	s.h.Do(s.h.App, "POST", "/payables/"+payable+"/approve", other.Token, apptest.Object{}).OK(200)
}

// paid notes that a payable was paid, as settlement does: how money moves is shown elsewhere.
func (s *scene) paid(payable string) {
	s.t.Helper()
	require.NoError(s.t, s.h.DB().Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE payables SET status = 'PAID', paid_at = ? WHERE id = ?", db.Micros(tx.Now), payable)
		return err
	}))
}

// guest is an outside party's browser without a screen: it keeps cookies and follows redirects.
type guest struct {
	t    testing.TB
	site string
	http *http.Client
}

// seen is a page as it came.
type seen struct {
	t      testing.TB
	Status int
	Path   string
	Header http.Header
	Body   string
}

func (s *scene) guest() *guest {
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	return &guest{s.t, s.site, &http.Client{Jar: jar}}
}

func (g *guest) do(r *http.Request) seen {
	g.t.Helper()
	a, err := g.http.Do(r)
	require.NoError(g.t, err)

	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	require.NoError(g.t, err)

	return seen{g.t, a.StatusCode, a.Request.URL.Path, a.Header, string(body)}
}

func (g *guest) get(path string) seen {
	g.t.Helper()
	r, err := http.NewRequest("GET", g.site+path, nil)
	require.NoError(g.t, err)

	return g.do(r)
}

// send sends a form as a page of the site does. pairs are names and answers by turns.
func (g *guest) send(path string, pairs ...string) seen {
	g.t.Helper()

	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}

	r, err := http.NewRequest("POST", g.site+path, strings.NewReader(v.Encode()))
	require.NoError(g.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")

	return g.do(r)
}

// sendFile sends a form with a file.
func (g *guest) sendFile(path, name string, content []byte, pairs ...string) seen {
	g.t.Helper()

	var b bytes.Buffer

	w := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(g.t, w.WriteField(pairs[i], pairs[i+1]))
	}

	part, err := w.CreateFormFile("file", name)
	require.NoError(g.t, err)
	_, err = part.Write(content)
	require.NoError(g.t, err)
	require.NoError(g.t, w.Close())
	r, err := http.NewRequest("POST", g.site+path, &b)
	require.NoError(g.t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())

	return g.do(r)
}

// on requires a status and the path of a step.
func (p seen) on(status int, path string) seen {
	p.t.Helper()
	require.Equal(p.t, status, p.Status, p.Body)
	require.Equal(p.t, path, p.Path)

	return p
}

// wrong returns what a page shows beside a field.
func (p seen) wrong(field string) string {
	p.t.Helper()

	m := regexp.MustCompile(`id="wrong-` + field + `">([^<]*)<`).FindStringSubmatch(p.Body)
	if m == nil {
		return ""
	}

	return m[1]
}

// company is what the guests of these tests say of themselves.
func company() []string {
	return []string{
		"type",
		"COMPANY",
		"legalName",
		"Keller Übersetzungen GmbH",
		"addressLine1",
		"Seestrasse 14",
		"postCode",
		"8002",
		"city",
		"Zürich",
		"countryIsoCode",
		"CH",
	}
}

// A good Swiss account.
const (
	swissIBAN = "CH93 0076 2011 6238 5295 7"
	swissBIC  = "KBZUCHZZ80A"
	inSwiss   = "?bankCountry=CH&currency=CHF"
)

// until leads a guest through the steps before the invoice.
func (g *guest) until(address, id string) {
	g.t.Helper()
	g.send("/i/open", "code", address).on(200, "/i/"+id+"/you")
	g.send("/i/"+id+"/you", company()...).on(200, "/i/"+id+"/way")
	g.send("/i/"+id+"/way", "way", "bank", "bankCountry", "CH", "currency", "CHF").on(200, "/i/"+id+"/bank")
	g.send("/i/"+id+"/bank"+inSwiss, "iban", swissIBAN, "bicSwift", swissBIC).on(200, "/i/"+id+"/invoice")
}

// picture is a small PNG.
func picture(t testing.TB) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 40, 40))
	img.Set(3, 3, color.White)

	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))

	return b.Bytes()
}

// huge is the header of a PNG with more pixels than allowed.
func huge(t testing.TB) []byte {
	t.Helper()
	p := picture(t)
	binary.BigEndian.PutUint32(p[16:], 30_000)
	binary.BigEndian.PutUint32(p[20:], 30_000)
	binary.BigEndian.PutUint32(p[29:], crc32.ChecksumIEEE(p[12:29]))

	return p
}

// pdf is a document of one empty page.
func pdf() []byte {
	var b bytes.Buffer
	at := []int{}
	b.WriteString("%PDF-1.4\n")

	for i, o := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}

	table := b.Len()
	b.WriteString("xref\n0 4\n0000000000 65535 f \n")

	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}

	fmt.Fprintf(&b, "trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table)

	return b.Bytes()
}
