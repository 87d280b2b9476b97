//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	qrmaker "github.com/skip2/go-qrcode"

	"slipway/internal/payments/billscan"
	"slipway/internal/platform/paper"
	"slipway/internal/platform/qrscan"
	"slipway/internal/platform/qrscan/pdfium"
)

const (
	scanRoute   = "/payables/extract-qr-bill-info"
	scanClients = 8 // more than are read at once: the others wait
	scansEach   = 3
	scanDPI     = 200 // at which a page is drawn first, by the service too
	sheetDPI    = 300 // of the scanned sheet
)

// bill is a payload of nobody's bill, whose code the library finds by itself: not every one is.
const bill = "SPC\n0200\n1\nCH7730000001250094239\nS\nWerft & Söhne " +
	"AG\nHafenstrasse\n7a\n8001\nZürich\nCH\n\n\n\n\n\n\n\n1949.75\nCHF\nS\nAnna Muster\nDorfweg\n3\n9490\n" +
	"Vaduz\nLI\nQRR\n000000000000000000001234565\nRechnung 8, Größe Ç\nEPD\n//S1/10/R-7/11/261101/20/K " +
	"9/30/106017086/40/2:10;0:30"

// documents measures what comes in and goes out as files: QR bills that are read, statements that are written, uploads.
func (b *bench) documents(ctx context.Context) error {
	say("documents")

	vector, err := vectorPage()
	if err != nil {
		return err
	}

	scanned, err := scannedPage()
	if err != nil {
		return err
	}

	pages := []struct {
		name string
		file []byte
	}{{"vector", vector}, {"scanned at 300 dpi", scanned}}

	cache, err := os.MkdirTemp(b.dir, "pdfium-")
	if err != nil {
		return err
	}

	reader := qrscan.New(qrscan.Settings{CacheDir: cache, Wanted: billscan.IsBill})

	bare := pdfium.New(cache)
	defer func() { _ = errors.Join(reader.Close(ctx), bare.Close(ctx)) }()

	for _, p := range pages {
		if err := b.reading(ctx, reader, bare, p.name, p.file); err != nil {
			return fmt.Errorf("read a QR bill, %s: %w", p.name, err)
		}
	}

	if err := b.statements(); err != nil {
		return fmt.Errorf("statements: %w", err)
	}

	address, err := b.fresh(ctx, "sqlite")
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	c, err := b.startChild(ctx, address, b.Profile, true)
	if err != nil {
		return err
	}

	if err = b.uploading(ctx, c); err == nil { // first: what reading leaves behind would hide what uploads take
		err = b.overTheRoute(ctx, c, vector, scanned)
	}

	return errors.Join(err, c.stop())
}

// reading holds a document's reading against the bare cost of its parts: the page drawn by PDFium, and the picture's
// code decoded by the library, which is told that there is one.
func (b *bench) reading(
	ctx context.Context,
	reader *qrscan.Reader,
	bare *pdfium.Renderer,
	name string,
	file []byte,
) error {
	ours := func() error {
		codes, err := reader.Read(ctx, file, qrscan.MostMemory)
		if err == nil && (len(codes) != 1 || codes[0].Text != bill) {
			err = fmt.Errorf("%d codes were read", len(codes))
		}

		return err
	}

	parts := func() error { return bareReading(ctx, bare, file) }
	if err := errors.Join(ours(), parts()); err != nil { // compiled
		return err
	}

	f := figure{
		name:     "QR bill read from a PDF page, " + name + ", after the first",
		must:     1.5,
		goal:     1.1,
		below:    true,
		unit:     "ms",
		yardName: "draw and decode, ms",
	}

	for range b.Rounds {
		f.load = max(f.load, loadAverage())

		theirs, err := b.milliseconds(parts)
		if err != nil {
			return err
		}

		own, err := b.milliseconds(ours)
		if err != nil {
			return err
		}

		f.yard = append(f.yard, theirs)
		f.ours = append(f.ours, own)
		f.ratios = append(f.ratios, own/theirs)
	}

	b.report.add(f)

	return nil
}

// milliseconds is what one call takes, as the mean of as many as fit into a round.
func (b *bench) milliseconds(do func() error) (float64, error) {
	begin := time.Now()
	n := 0

	for n == 0 || time.Since(begin) < b.Long {
		if err := do(); err != nil {
			return 0, err
		}

		n++
	}

	return time.Since(begin).Seconds() * 1000 / float64(n), nil
}

func bareReading(ctx context.Context, r *pdfium.Renderer, file []byte) error {
	d, err := r.Open(ctx, file, pdfium.MemoryLimit)
	if err != nil {
		return err
	}

	page, err := d.Page(ctx, 0, scanDPI, true)
	if err = errors.Join(err, d.Close(ctx)); err != nil {
		return err
	}

	bitmap, err := gozxing.NewBinaryBitmapFromImage(page)
	if err != nil {
		return err
	}

	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_CHARACTER_SET: "UTF-8"}
	_, err = qrcode.NewQRCodeReader().Decode(bitmap, hints)

	return err
}

// overTheRoute measures what a client waits for, and the memory of a service that reads as many documents at once as
// it does.
func (b *bench) overTheRoute(ctx context.Context, c *child, vector, scanned []byte) error {
	t, err := b.signUp(ctx, c.address, 0, false)
	if err != nil {
		return err
	}

	if err := b.routeTime(c, t, vector); err != nil {
		return err
	}

	return b.routeMemory(ctx, c, t, scanned)
}

// routeTime measures how long a client waits for one document.
func (b *bench) routeTime(c *child, t tenant, vector []byte) error {
	one, err := dial(c.address)
	if err != nil {
		return err
	}
	defer one.close()

	body := inJSON(vector)
	ask := func() error {
		answer, err := one.expect(200, request(nil, "POST", scanRoute, t.token, "", body))
		if err == nil && !bytes.Contains(answer, []byte(`"amount":"1949.75"`)) {
			err = fmt.Errorf("read %.200s", answer)
		}

		return err
	}

	begin := time.Now()
	before := c.memory("VmRSS")

	if err := ask(); err != nil {
		return err
	}

	f := figure{
		name:     "QR bill of a PDF page over HTTP, after the first",
		must:     300,
		goal:     100,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
		note: fmt.Sprintf(
			"the first one took %.1f s: the PDF library is compiled then, unless an earlier process has left it; the "+
				"service holds %.0f MB more afterwards.",
			time.Since(begin).Seconds(),
			c.memory("VmRSS")-before,
		),
	}

	for range b.Rounds {
		ms, err := b.milliseconds(ask)
		if err != nil {
			return err
		}

		f.ours = append(f.ours, ms)
		f.ratios = append(f.ratios, ms)
	}

	b.report.add(f)

	return nil
}

// routeMemory measures the memory of a service that has more documents to read than it reads at once. Each
// organisation stays within what it may have under way; all of them together do not.
func (b *bench) routeMemory(ctx context.Context, c *child, t tenant, scanned []byte) error {
	if err := c.forgetPeak(); err != nil {
		return err
	}

	idle := c.memory("VmRSS")
	m := figure{
		name:     fmt.Sprintf("memory over idle at most, %d scanned sheets wait and are read", scanClients),
		must:     256,
		goal:     128,
		below:    true,
		unit:     "MB",
		yardName: "-",
		load:     loadAverage(),
	}

	tenants := []tenant{t}
	for n := 1; n < (scanClients+3)/4; n++ {
		other, err := b.signUp(ctx, c.address, n, false)
		if err != nil {
			return err
		}

		tenants = append(tenants, other)
	}

	body := inJSON(scanned)

	_, err := drive(ctx, scanClients, time.Minute, func(i int) (worker, error) {
		n := 0

		return httpWorker(c.address, 200, func(buffer []byte) ([]byte, error) {
			if n++; n > scansEach {
				return nil, errEnough
			}

			return request(buffer, "POST", scanRoute, tenants[i/4].token, "", body), nil
		})
	})
	if err != nil {
		return err
	}

	m.ratios = []float64{c.memory("VmHWM") - idle}
	m.ours = m.ratios
	b.report.add(m)

	return nil
}

func inJSON(file []byte) []byte {
	return []byte(`{"fileBase64":"` + base64.StdEncoding.EncodeToString(file) + `"}`)
}

// forgetPeak lets the service's VmHWM begin anew.
func (c *child) forgetPeak() error {
	return os.WriteFile("/proc/"+strconv.Itoa(c.cmd.Process.Pid)+"/clear_refs", []byte("5"), 0)
}

// vectorPage is a bill as programs write it: its code drawn by rectangles.
func vectorPage() ([]byte, error) {
	s := paper.New(paper.Info{Title: "Bill", Footer: "bench", Made: time.Unix(0, 0)})
	s.Title("Bill", "Werft & Söhne AG")

	err := s.FactsBeside(paper.Symbol{Payload: bill, Caption: "Scan to pay", Cross: true},
		[]paper.Fact{{Label: "Account", Value: "CH77 3000 0001 2500 9423 9"}, {Label: "Amount", Value: "CHF 1 949.75"}})
	if err != nil {
		return nil, err
	}

	return s.Bytes()
}

// scannedPage is a bill as a scanner gives it: a grey A4 sheet with noise, as JPEG.
func scannedPage() ([]byte, error) {
	const width, height, side = sheetDPI * 210 * 10 / 254, sheetDPI * 297 * 10 / 254, sheetDPI * 46 * 10 / 254
	sheet := image.NewGray(image.Rect(0, 0, width, height))

	r := rand.New(rand.NewPCG(1, 2))
	for i := range sheet.Pix {
		sheet.Pix[i] = byte(235 + r.IntN(20))
	}

	code, err := qrmaker.New(bill, qrmaker.Medium)
	if err != nil {
		return nil, err
	}

	code.DisableBorder = true
	at := image.Rect(800, 2500, 800+side, 2500+side)
	draw.Draw(sheet, at, code.Image(side), image.Point{}, draw.Src)

	for y := 200; y < 2300; y += 60 { // lines of writing
		for x := 250; x < 2200; x += 9 {
			if r.IntN(3) > 0 {
				mark := image.Rect(x, y, x+5, y+28)
				draw.Draw(sheet, mark, image.NewUniform(color.Gray{Y: 40}), image.Point{}, draw.Src)
			}
		}
	}

	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, sheet, &jpeg.Options{Quality: 80}); err != nil {
		return nil, err
	}

	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.AddPage()
	pdf.RegisterImageOptionsReader("scan", fpdf.ImageOptions{ImageType: "JPG"}, &picture)
	pdf.ImageOptions("scan", 0, 0, 210, 297, false, fpdf.ImageOptions{ImageType: "JPG"}, 0, "")

	var out bytes.Buffer
	err = pdf.Output(&out)

	return out.Bytes(), err
}
