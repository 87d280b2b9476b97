//go:build !nosandbox && !noconsole

package console_test

import (
	"bytes"
	"encoding/base32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/pages/pagestest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/paper"
	"slipway/internal/platform/web"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/otp"
	"slipway/internal/standards/qrbill"
)

// saved keeps the file that a page saves, so that a test can look at it.
const saved = `
	const real = URL.createObjectURL;
	URL.createObjectURL = content => { window.saved = content; return real.call(URL, content); };`

// savedText waits until the page has saved a file, and returns it byte by byte.
func (s *stage) savedText(p *browsertest.Page) string {
	s.h.Until("a file was saved", func() bool { return p.Holds("!!window.saved") })
	p.Holds(`saved.arrayBuffer().then(bytes => {
		const out = document.createElement('pre');
		out.id = 'saved';
		out.textContent = new TextDecoder('latin1').decode(bytes);
		document.body.append(out);
	}), true`)
	p.Await("#saved")

	text := p.Text("#saved")
	p.Holds("document.querySelector('#saved').remove(), true")

	return text
}

// as lets the next pages be another member's.
func (s *stage) as(member *apptest.Client) { s.member = member }

// billOf returns the text of a QR bill in euro that pays an account.
func billOf(t *testing.T, account, amount, message string) string {
	t.Helper()
	number, err := iban.Parse(account)
	require.NoError(t, err)

	payload, err := qrbill.Bill{
		Account:       number,
		Amount:        amount,
		Currency:      "EUR",
		ReferenceType: qrbill.SCOR,
		Reference:     "RF18539007547034",
		Message:       message,
		Creditor: qrbill.Address{
			Type:     qrbill.Structured,
			Name:     "Alice Keller",
			Street:   "Seestrasse",
			Number:   "1",
			PostCode: "8002",
			Town:     "Zürich",
			Country:  "CH",
		},
	}.Payload()
	require.NoError(t, err)

	return payload
}

// invoices writes three invoices as suppliers send them: a PDF, a photo of a sheet, and a picture of the code alone.
func invoices(t *testing.T, account string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	keep := func(name string, content []byte) {
		files = append(files, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}

	sheet := paper.New(paper.Info{Title: "Invoice", Footer: "Alice Keller"})
	sheet.Title("Invoice 4711", "Alice Keller", "Seestrasse 1", "8002 Zürich")
	sheet.Heading("Please pay within 30 days")
	symbol := paper.Symbol{Payload: billOf(t, account, "480.00", "Letterheads"), Caption: "Swiss QR bill", Cross: true}
	require.NoError(t, sheet.FactsBeside(symbol, []paper.Fact{{Label: "To pay", Value: "EUR 480.00"}}))
	pdf, err := sheet.Bytes()
	require.NoError(t, err)
	keep("letterheads.pdf", pdf)

	code := func(amount, message string) []byte {
		picture, err := paper.Symbol{Payload: billOf(t, account, amount, message), Cross: true}.PNG()
		require.NoError(t, err)

		return picture
	}
	keep("photo.jpg", photo(t, code("125.40", "Repair of the press")))
	keep("code.png", code("99.95", "Ink"))

	return files
}

// photo lays a picture on a grey table, in the light of a window, and takes it as a telephone does.
func photo(t *testing.T, picture []byte) []byte {
	t.Helper()
	on, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)

	table := image.NewRGBA(image.Rect(0, 0, on.Bounds().Dx()+260, on.Bounds().Dy()+420))
	for y := range table.Bounds().Dy() {
		for x := range table.Bounds().Dx() {
			shade := uint8(150 + x*60/table.Bounds().Dx() + (x*31+y*17)%9)
			table.Set(x, y, color.RGBA{shade, shade - 12, shade - 24, 255})
		}
	}

	at := image.Rectangle{Max: on.Bounds().Size()}.Add(image.Pt(120, 200))
	draw.Draw(table, at, on, on.Bounds().Min, draw.Src)

	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, table, &jpeg.Options{Quality: 60}))

	return out.Bytes()
}

// secondFactor sets up a member's second factor, and returns what an authenticator shows.
func (s *stage) secondFactor(t *testing.T, member *apptest.Client) (code func() string) {
	t.Helper()

	var made struct {
		Secret string `json:"secret"`
	}
	member.Do("POST", "/auth/2fa/generate", object{"password": apptest.Password}).OK(200).Into(&made)
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made.Secret)
	require.NoError(t, err)

	key := otp.Usual(secret)
	code = func() string {
		s.h.World.Clock.Advance(time.Minute) // a code works once
		return key.Code(key.Step(s.h.DB().Now()))
	}
	member.Do("POST", "/auth/2fa/verify", object{"code": code()}).OK(200)
	s.h.World.Clock.Advance(web.StepUpLifetime) // and what it has proven does not last

	return code
}

// acceptWithCode accepts on the review page. The service wants a code of the second factor first; the form stays.
func (s *stage) acceptWithCode(t *testing.T, p *browsertest.Page, code func() string) {
	t.Helper()
	press(t, p, "form .button.primary")
	p.Await("input[autocomplete=one-time-code]")
	p.Complained("403")
	p.Fill("input[autocomplete=one-time-code]", code())
	p.Press(browsertest.Enter)
	p.Await("h1 .status.moving")
	sound(t, p)
}

// TestThreeInvoicesArePaid drops three invoices, mends what was read, has another member approve them, pays them in one
// batch out of a browser's wallet, and has a third member accept. Each of them signs in by the form, with her second
// factor; the third is asked for it once more. The steps move by themselves.
func TestThreeInvoicesArePaid(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	s.alive(t)
	finance := s.c.Colleague("Ada", "authorized", "initiator")
	financeCode := s.secondFactor(t, finance)
	approver := s.c.Colleague("Berta", "authorized", "approver")
	approverCode := s.secondFactor(t, approver)
	accepter := s.c.Colleague("Cleo", "authorized", "approver", "admin")
	accepterCode := s.secondFactor(t, accepter)
	account := s.c.NewBankAccount("EUR", "000")
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
		"fourEyes": true, "payeeApproval": false, "payeeDelayHours": 0,
	}).OK(200)

	for _, token := range s.h.World.Tokens {
		s.h.Approve(token, s.c.Payer, common.Big0)
	}

	var kept struct {
		IBAN string `json:"iban"`
	}
	s.c.Do("GET", "/bank-accounts/"+account, nil).OK(200).Into(&kept)

	p := b.Page(t, browsertest.Look{})
	own := walletOf(s.h, s.c.Payer)
	pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": own}, saved)
	s.signIn(p, finance, financeCode, s.path("/payables"))
	s.takeIn(t, p, invoices(t, kept.IBAN))

	second := b.Page(t, browsertest.Look{Dark: true})
	s.signIn(second, approver, approverCode, s.path("/payables"))

	for _, n := range []string{"1", "2", "3"} {
		press(t, second, ".item:nth-of-type("+n+") input[type=checkbox]")
		second.Press(browsertest.Space)
	}

	second.Await(".head > .row > .button.primary")
	second.Shot("chosen")
	sound(t, second)
	press(t, second, ".head > .row > .button.primary")
	second.Await(".note.outcome")
	require.Contains(t, second.Text(".note.outcome"), "3 approved.")

	third := b.Page(t, browsertest.Phone())
	s.signIn(third, accepter, accepterCode, s.path("/decide"))
	third.Await("main h1")
	s.h.World.Clock.Advance(web.StepUpLifetime) // what she proved when she signed in does not last

	id := s.payInOneBatch(t, p, own)
	third.Open(s.home() + "/transactions/" + id + "/review")
	third.Await("form .button.primary")
	third.Shot("accept")
	sound(t, third)
	s.acceptWithCode(t, third, accepterCode)

	p.Open(s.home() + "/transactions/" + id)
	p.Await("li.now")
	s.h.SettleAll()
	p.Await("h1 .status.good")
	p.Shot("completed")
	sound(t, p)
	s.c.Ends(id, "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED")

	press(t, p, ".head button.button")
	require.Equal(t, "%PDF-", s.savedText(p)[:5])
}

// takeIn drops files onto the payables, looks at what was read beside each picture, mends one field, and saves.
func (s *stage) takeIn(t *testing.T, p *browsertest.Page, files []string) {
	t.Helper()
	p.Await(".card .empty, .card.empty")
	p.Drop("main", files...)
	p.Await(".file:nth-of-type(3)")
	p.Await(".stack:not(:has(.file .status.moving)) .file")
	p.Shot("dropped")

	for left := len(files); left > 0; left-- {
		p.TabTo(".file")
		p.Press(browsertest.Enter)
		p.Await(".doc form .button.primary")
		require.Contains(t, p.Text(".doc"), "read from the QR code")

		if left == 2 {
			p.Fill(".doc form input:not(.amount, [type=date])", "Repair of the big press")
		}

		p.Shot("read")
		press(t, p, ".doc form .button.primary")
		p.Await(".doc dl")
	}

	p.Await(".item:nth-of-type(3)")
	require.Contains(t, s.c.Do("GET", "/payables/me", nil).OK(200).Raw, `"Repair of the big press"`)
	withoutPages(p)
	require.Empty(t, p.Complaints())
}

// withoutPages forgets that documents were asked for a page that they do not have: their number is not known before.
func withoutPages(p *browsertest.Page) {
	for _, one := range p.Complaints() {
		if strings.Contains(one, "/documents/") && strings.Contains(one, "/pages/") {
			p.Complained(one)
		}
	}
}

// payInOneBatch chooses the approved payables, approves the tokens with the wallet, and submits. It returns the
// transaction.
func (s *stage) payInOneBatch(t *testing.T, p *browsertest.Page, own *pagestest.Wallet) (id string) {
	t.Helper()
	p.Open(s.home() + "/payables?status=APPROVED")

	for _, n := range []string{"1", "2", "3"} {
		p.Await(".item:nth-of-type(" + n + ") input[type=checkbox]")
		p.TabTo(".item:nth-of-type(" + n + ") input[type=checkbox]")
		p.Press(browsertest.Space)
	}

	press(t, p, ".head > .row > .button.primary")
	p.Await(approveButton)
	require.Contains(t, p.Text("main"), "480.00")
	p.Shot("review")
	sound(t, p)
	press(t, p, "main "+approveButton)
	p.Await("header .status.good")
	require.Equal(t, 1, own.Sends())
	p.Shot("approved")
	press(t, p, ".actions .button.primary")
	p.Await("h1 .status.waits")
	p.Shot("submitted")
	sound(t, p)

	var all struct {
		Results []struct {
			ID string `json:"_id"`
		} `json:"results"`
	}
	s.c.Do("GET", "/transactions", nil).OK(200).Into(&all)
	require.Len(t, all.Results, 1)

	return all.Results[0].ID
}
