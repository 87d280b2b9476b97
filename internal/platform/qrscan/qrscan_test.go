package qrscan_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan"
	"slipway/internal/platform/qrscan/pdfium"
	"slipway/internal/standards/qrbill"
)

// reader is shared: compiling the PDF library takes seconds.
var reader = sync.OnceValue(func() *qrscan.Reader {
	return qrscan.New(qrscan.Settings{Wanted: qrbill.Is, CacheDir: platformtest.PDFCache()})
})

func read(t testing.TB, document []byte) []qrscan.Code {
	t.Helper()
	codes, err := reader().Read(context.Background(), document, qrscan.MostMemory)
	require.NoError(t, err)

	return codes
}

var one = []qrscan.Code{{Page: 1, Text: payload}}

func TestEveryKindOfDocumentIsRead(t *testing.T) {
	m := modules(t, payload)
	picture := view{dpi: 150}.picture(bill(m))

	transparent := image.NewNRGBA(picture.Rect) // what is not dark is see-through black, as some programs write it
	for i, v := range picture.Pix {
		transparent.Pix[4*i+3] = 255 - v
	}

	for name, document := range map[string][]byte{
		"grey PNG":        pngOf(t, picture),
		"PNG of 16 bits":  pngOf(t, as(picture, image.NewGray16(picture.Rect))),
		"transparent PNG": pngOf(t, transparent),
		"coloured PNG":    pngOf(t, as(picture, image.NewRGBA(picture.Rect))),
		"PNG of 64 bits":  pngOf(t, as(picture, image.NewNRGBA64(picture.Rect))),
		"two colours":     pngOf(t, as(picture, image.NewPaletted(picture.Rect, color.Palette{color.Black, color.White}))),
		"grey JPEG":       jpegOf(t, picture, 60),
		"coloured JPEG":   jpegOf(t, as(picture, image.NewRGBA(picture.Rect)), 40),
		"vector PDF":      pdf(t, page{content: vector(m, 67, 42)}),
		"scanned PDF":     pdf(t, scanned(picture)),
		"turned PDF":      pdf(t, page{content: "q 0.966 0.259 -0.259 0.966 150 -60 cm\n" + vector(m, 67, 60) + "Q\n"}),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, one, read(t, document))
		})
	}
}

func TestTurnedSkewedAndNoisyPicturesAreRead(t *testing.T) {
	m := modules(t, payload)

	for i, v := range []view{
		{angle: 7},
		{angle: 33},
		{angle: 45},
		{angle: 90},
		{angle: 121},
		{angle: 180},
		{angle: 270},
		{angle: 2, noise: 60},
		{angle: -4, light: 120},
		{away: 0.12},
		{away: -0.15, angle: 5},
		{away: 0.1, angle: 184, noise: 25, light: 60},
		{dpi: 100},
		{dpi: 300, angle: 3},
	} {
		if v.dpi == 0 {
			v.dpi = 170
		}

		v.seed = uint64(i)
		require.Equal(t, one, read(t, jpegOf(t, v.picture(bill(m)), 70)), "%+v", v)
	}
}

func TestCodesOfSeveralPages(t *testing.T) {
	m := modules(t, payload)
	link := "https://example.org/app?customer=7"
	other := strings.Replace(payload, "1949.75", "1949.76", 1)
	document := pdf(
		t,
		page{content: vector(modules(t, link), 20, 200)},
		page{content: ""},
		page{content: vector(m, 67, 42) + vector(modules(t, link), 140, 42)},
		scanned(view{dpi: 200}.picture(bill(modules(t, other)))),
	)
	codes := read(t, document)
	require.ElementsMatch(t, []qrscan.Code{
		{Page: 1, Text: link},
		{Page: 3, Text: payload},
		{Page: 3, Text: link},
		{Page: 4, Text: other},
	}, codes)

	require.Empty(t, read(t, pdf(t, page{content: ""})), "no code is no error")
	many := make([]page, qrscan.MaxPages+1)
	many[qrscan.MaxPages] = page{content: vector(m, 67, 42)}
	require.Empty(t, read(t, pdf(t, many...)), "pages behind the limit are not looked at")
}

// However a code is damaged, it says what it said or nothing.
func TestDamagedCodesSayNothingRatherThanSomethingElse(t *testing.T) {
	m := modules(t, payload)
	r := rand.New(rand.NewPCG(1, 2))
	right := 0
	nothing := 0

	whole := view{dpi: 120, noise: 10}.picture(bill(m))
	for round := range 60 {
		p := &image.Gray{Pix: bytes.Clone(whole.Pix), Stride: whole.Stride, Rect: whole.Rect}
		damage(p, r, round%12)

		codes := read(t, pngOf(t, p))
		if len(codes) == 0 {
			nothing++
			continue
		}

		require.Equal(t, one, codes, "round %d", round)
		right++
	}

	require.Positive(t, right, "damage that a code repairs")
	require.Positive(t, nothing, "damage that it does not")
}

// The same of files whose bytes are damaged: they are refused, or say nothing, or what they said.
func TestDamagedFilesSayNothingRatherThanSomethingElse(t *testing.T) {
	m := modules(t, payload)
	picture := view{dpi: 100}.picture(bill(m))
	r := rand.New(rand.NewPCG(3, 4))

	right := 0
	for _, whole := range [][]byte{jpegOf(t, picture, 70), pngOf(t, picture), pdf(t, page{content: vector(m, 67, 42)}), pdf(t, scanned(picture))} {
		for range 12 {
			document := bytes.Clone(whole)
			for range 1 + r.IntN(6) {
				document[16+r.IntN(len(document)-16)] ^= byte(1 << r.IntN(8))
			}

			codes, err := reader().Read(context.Background(), document, qrscan.MostMemory)
			if err != nil {
				require.True(t, errors.Is(err, qrscan.ErrNotReadable) || errors.Is(err, qrscan.ErrTooLarge), err)
				continue
			}

			if len(codes) > 0 {
				require.Equal(t, one, codes)
				right++
			}
		}
	}

	require.Positive(t, right)
}

// damage puts grey, black or white blots over the code, the more the higher the level.
func damage(p *image.Gray, r *rand.Rand, level int) {
	scale := 120 / 25.4
	x0 := int((codeX + 2) * scale)
	y0 := int((codeY + 2) * scale)

	side := int(codeSide * scale)
	for range level * 3 {
		x := x0 + r.IntN(side)
		y := y0 + r.IntN(side)
		size := 2 + r.IntN(8)

		v := byte(r.IntN(3) * 127)
		for i := range size * size {
			p.SetGray(x+i%size, y+i/size, color.Gray{Y: v})
		}
	}
}

// L-01, L-02: what is no document, claims to be another, or stands for gigabytes is refused before it is decoded.
func TestHostileDocumentsAreRefused(t *testing.T) {
	small := pngOf(t, image.NewGray(image.Rect(0, 0, 50, 50)))

	whole := pdf(t, page{content: vector(modules(t, payload), 67, 42)})
	for name, c := range map[string]struct {
		document []byte
		want     error
	}{
		"nothing":                {nil, qrscan.ErrUnknownType},
		"a web page":             {[]byte("<html><script>alert(1)</script>"), qrscan.ErrUnknownType},
		"a drawing":              {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), qrscan.ErrUnknownType},
		"GIF":                    {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), qrscan.ErrUnknownType},
		"PDF behind something":   {append([]byte("<html>\n"), whole...), qrscan.ErrUnknownType},
		"too many bytes":         {append(bytes.Clone(small), make([]byte, qrscan.MaxBytes)...), qrscan.ErrTooLarge},
		"PNG of 10^10 pixels":    {pngHeader(100_000, 100_000, 8, 2, 0), qrscan.ErrTooLarge},
		"PNG as long as can be":  {pngHeader(1<<31-1, 1, 8, 0, 0), qrscan.ErrTooLarge},
		"PNG of 64 bits":         {pngHeader(6300, 6300, 16, 6, 0), qrscan.ErrTooLarge},
		"interlaced PNG":         {pngHeader(6300, 6300, 8, 6, 1), qrscan.ErrTooLarge},
		"JPEG of 2^32 pixels":    {jpegHeader(65535, 65535, 0xc0), qrscan.ErrTooLarge},
		"progressive JPEG":       {jpegHeader(5000, 5000, 0xc2), qrscan.ErrTooLarge},
		"PNG that breaks off":    {small[:len(small)-20], qrscan.ErrNotReadable},
		"PNG without a picture":  {pngHeader(10, 10, 8, 0, 0), qrscan.ErrNotReadable},
		"JPEG without a picture": {jpegHeader(10, 10, 0xc0), qrscan.ErrNotReadable},
		"PDF in name only":       {[]byte("%PDF-1.7\n<html></html>"), qrscan.ErrNotReadable},
		"PDF of noise":           {append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte{0, 1, 2, 255, '<', '<'}, 5000)...), qrscan.ErrNotReadable},
		"protected PDF":          {bytes.Replace(whole, []byte("/Root 1 0 R"), []byte("/Root 1 0 R /Encrypt <</Filter /Standard /V 1 /R 2 /P -44 /O <"+strings.Repeat("00", 32)+"> /U <"+strings.Repeat("11", 32)+">>> /ID [<00><00>]"), 1), qrscan.ErrNotReadable},
	} {
		t.Run(name, func(t *testing.T) {
			codes, err := reader().Read(context.Background(), c.document, qrscan.MostMemory)
			require.ErrorIs(t, err, c.want)
			require.Empty(t, codes)
		})
	}

	huge := bytes.Replace(whole, []byte("[0 0 595.28 841.89]"), []byte("[0 0 99999. 99999.]"), 1)
	require.Empty(t, read(t, huge), "a page of 35 by 35 metres is drawn small")
	require.Equal(t, one, read(t, whole[:len(whole)-20]), "a file that is cut off behind its pages still has them")
}

// pngHeader is a PNG file that ends where its picture should begin.
func pngHeader(w, h uint32, depth, kind, interlaced byte) []byte {
	body := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)...)
	body = append(body, depth, kind, 0, 0, interlaced)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)

	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

// jpegHeader is the same for JPEG: three components in a frame of the given kind.
func jpegHeader(w, h uint16, frame byte) []byte {
	out := []byte{0xff, 0xd8, 0xff, frame, 0, 17, 8}
	out = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(out, h), w)
	return append(out, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0)
}

// L-02: a few hundred bytes that draw 10^12 rectangles end with their context.
func TestReadingEndsWithItsContext(t *testing.T) {
	read(t, pdf(t, page{content: ""})) // compiled before the clock runs

	var b bytes.Buffer
	b.WriteString(
		"%PDF-1.7\n1 0 obj\n<</Type /Catalog /Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type /Pages /Kids [3 0 R] /Count " +
			"1>>\nendobj\n" +
			"3 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources <</XObject " +
			"<</F 5 0 R>>>>>>\nendobj\n" +
			"4 0 obj\n<</Length 5>>\nstream\n/F Do\nendstream\nendobj\n",
	)

	for i := 5; i < 11; i++ {
		content := strings.Repeat("/F Do\n", 100)
		if i == 10 {
			content = strings.Repeat("0 0 500 800 re f\n", 100)
		}

		fmt.Fprintf(
			&b,
			"%d 0 obj\n<</Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources <</XObject <</F %d 0 R>>>> "+
				"/Length %d>>\nstream\n%s\nendstream\nendobj\n",
			i,
			i+1,
			len(content),
			content,
		)
	}

	b.WriteString("trailer\n<</Root 1 0 R>>\n%%EOF\n")

	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := reader().Read(ctx, b.Bytes(), qrscan.MostMemory)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	ended, end := context.WithCancel(context.Background())
	end()

	for _, document := range [][]byte{pdf(t, page{content: ""}), pngOf(t, image.NewGray(image.Rect(0, 0, 500, 500)))} {
		_, err = reader().Read(ended, document, qrscan.MostMemory)
		require.ErrorIs(t, err, context.Canceled)
	}

	require.Equal(t, one, read(t, pdf(t, page{content: vector(modules(t, payload), 67, 42)})),
		"the next document is read")
}

// A picture full of corners of codes costs a bounded number of tries.
func TestPicturesFullOfCorners(t *testing.T) {
	p := image.NewGray(image.Rect(0, 0, 1400, 1400))
	for y := range 1400 {
		for x := range 1400 {
			i := x / 2 % 9
			j := y / 2 % 9

			ring := max(max(i-4, 4-i), max(j-4, 4-j))
			if ring != 2 && ring != 4 {
				continue
			}

			p.Pix[y*p.Stride+x] = 255
		}
	}

	require.Empty(t, read(t, pngOf(t, p)))
}

// scan is a whole A4 sheet as a scanner gives it: 8.7 million pixels with the payment part at the lower end.
func scan(t testing.TB) *image.Gray {
	part := view{dpi: 300, noise: 10}.picture(bill(modules(t, payload)))

	p := image.NewGray(image.Rect(0, 0, 2480, 3508))
	for i := range p.Pix {
		p.Pix[i] = 245
	}

	for y := range min(part.Rect.Dy(), 1240) {
		copy(p.Pix[(3508-1240+y)*p.Stride:][:2480], part.Pix[y*part.Stride:][:min(2480, part.Rect.Dx())])
	}

	return p
}

func sheetOf(p *image.Gray) page {
	return page{content: "q 595.28 0 0 841.89 0 0 cm /I0 Do Q\n", images: []*image.Gray{p}}
}

func BenchmarkVectorPage(b *testing.B) {
	benchmark(b, pdf(b, page{content: vector(modules(b, payload), 67, 42)}))
}
func BenchmarkScannedPage(b *testing.B) { benchmark(b, pdf(b, sheetOf(scan(b)))) }
func BenchmarkPicture(b *testing.B)     { benchmark(b, jpegOf(b, scan(b), 80)) }

func benchmark(b *testing.B, document []byte) {
	require.Equal(b, one, read(b, document))
	b.ReportAllocs()

	for b.Loop() {
		read(b, document)
	}
}

// What the parts of reading cost by themselves.
func BenchmarkBareRender(b *testing.B) {
	ctx := context.Background()

	renderer := pdfium.New(platformtest.PDFCache())
	defer func() { require.NoError(b, renderer.Close(ctx)) }()

	for name, document := range map[string][]byte{
		"vector":  pdf(b, page{content: vector(modules(b, payload), 67, 42)}),
		"scanned": pdf(b, sheetOf(scan(b))),
	} {
		b.Run(name, func(b *testing.B) {
			d, err := renderer.Open(ctx, document, pdfium.MemoryLimit) // the library is compiled
			require.NoError(b, err)
			require.NoError(b, d.Close(ctx))

			for b.Loop() {
				d, err := renderer.Open(ctx, document, pdfium.MemoryLimit)
				require.NoError(b, err)
				_, err = d.Page(ctx, 0, 200, true)
				require.NoError(b, err)
				require.NoError(b, d.Close(ctx))
			}
		})
	}
}

func BenchmarkBareJPEG(b *testing.B) {
	document := jpegOf(b, scan(b), 80)
	for b.Loop() {
		_, err := jpeg.Decode(bytes.NewReader(document))
		require.NoError(b, err)
	}
}

func BenchmarkBareDecode(b *testing.B) {
	ctx := context.Background()

	renderer := pdfium.New(platformtest.PDFCache())
	defer func() { require.NoError(b, renderer.Close(ctx)) }()
	d, err := renderer.Open(ctx, pdf(b, page{content: vector(modules(b, payload), 67, 42)}), pdfium.MemoryLimit)
	require.NoError(b, err)
	picture, err := d.Page(ctx, 0, 200, true)
	require.NoError(b, err)

	for b.Loop() {
		bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
		require.NoError(b, err)
		_, err = qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{
			gozxing.DecodeHintType_CHARACTER_SET: "UTF-8",
			gozxing.DecodeHintType_TRY_HARDER:    true,
		})
		require.NoError(b, err)
	}
}
