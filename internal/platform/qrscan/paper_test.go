package qrscan_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/skip2/go-qrcode"
	"github.com/stretchr/testify/require"
)

// payload is a bill of nobody, with characters of two bytes.
const payload = "SPC\n0200\n1\nCH7330999000000012345\nS\nWerft & Söhne " +
	"AG\nHafenstrasse\n7a\n8001\nZürich\nCH\n\n\n\n\n\n\n\n1949.75\nCHF\nS\nAnna Muster\nDorfweg\n3\n9490\n" +
	"Vaduz\nLI\nQRR\n000000000000000000001234565\nRechnung 7, Größe Ç\nEPD\n//S1/10/7/11/261101/40/0:30"

// modules gives a code without its border; true is dark. The middle is covered by the Swiss cross' field, as on a
// bill: 7 of 46 mm.
func modules(t testing.TB, text string) [][]bool {
	t.Helper()
	q, err := qrcode.New(text, qrcode.Medium)
	require.NoError(t, err)
	q.DisableBorder = true
	m := q.Bitmap()
	from := len(m)/2 - len(m)*7/92

	to := len(m)/2 + len(m)*7/92
	for y := from; y <= to; y++ {
		for x := from; x <= to; x++ {
			m[y][x] = (x-from)*(to-x) != 0 && (y-from)*(to-y) != 0 && !cross(x-from, y-from, to-from)
		}
	}

	return m
}

func cross(x, y, side int) bool {
	in := func(v, a, b int) bool { return v*32 >= side*a && v*32 <= side*b }
	return in(x, 13, 19) && in(y, 6, 26) || in(y, 13, 19) && in(x, 6, 26)
}

// a sheet's point in millimetres, and what is dark there.
type sheet func(x, y float64) (dark bool)

const (
	sheetWidth, sheetHeight = 210.0, 105.0 // the payment part of an A4 bill
	codeX                   = 67.0
	codeY                   = 17.0
	codeSide                = 46.0
)

// bill is a sheet with lines of text and a code where Swiss bills have it.
func bill(m [][]bool) sheet {
	n := float64(len(m))

	return func(x, y float64) bool {
		if x >= codeX && x < codeX+codeSide && y >= codeY && y < codeY+codeSide {
			return m[int((y-codeY)/codeSide*n)][int((x-codeX)/codeSide*n)]
		}

		if x > codeX-5 && x < codeX+codeSide+5 && y > codeY-5 && y < codeY+codeSide+5 {
			return false
		}

		// Strokes that look like words: also close to the code.
		return x > 20 && x < 190 && y > 5 && y < 100 && math.Mod(y, 5) < 2.2 && int(x*3)*2654435761>>7&3 == 0 &&
			math.Mod(x, 17) > 2
	}
}

// view is how a camera or scanner sees a sheet: turned, and with the upper side farther away.
type view struct {
	angle, away float64 // degrees; share of the distance by which the upper side is farther than the lower
	dpi         float64
	noise       int // of 255
	light       int // by which the right side is darker
	seed        uint64
}

func (v view) picture(s sheet) *image.Gray {
	scale := v.dpi / 25.4
	a := v.angle * math.Pi / 180
	sin := math.Sin(a)
	cos := math.Cos(a)
	w := int((sheetWidth*math.Abs(cos) + sheetHeight*math.Abs(sin) + 4) * scale)
	h := int((sheetWidth*math.Abs(sin) + sheetHeight*math.Abs(cos) + 4) * scale)
	out := image.NewGray(image.Rect(0, 0, w, h))

	r := rand.New(rand.NewPCG(v.seed, 7))
	for y := range h {
		for x := range w {
			dark := 0
			for _, d := range [][2]float64{{0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}} {
				cx := (float64(x)+d[0])/scale - float64(w)/scale/2
				cy := (float64(y)+d[1])/scale - float64(h)/scale/2
				px := cx*cos + cy*sin
				py := cy*cos - cx*sin

				far := 1 / (1 + v.away*py/sheetHeight)
				if s(px*far+sheetWidth/2, py*far+sheetHeight/2) {
					dark++
				}
			}

			grey := 245 - dark*55 - v.light*x/w
			if v.noise > 0 {
				grey += r.IntN(2*v.noise) - v.noise
			}

			out.Pix[y*out.Stride+x] = byte(min(255, max(0, grey)))
		}
	}

	return out
}

func pngOf(t testing.TB, p image.Image) []byte {
	t.Helper()

	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p))

	return b.Bytes()
}

func jpegOf(t testing.TB, p image.Image, quality int) []byte {
	t.Helper()

	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, p, &jpeg.Options{Quality: quality}))

	return b.Bytes()
}

// as copies a picture into another form.
func as(p image.Image, to interface {
	image.Image
	Set(x, y int, c color.Color)
},
) image.Image {
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			to.Set(x, y, p.At(x, y))
		}
	}

	return to
}

// page is the content of one page of a PDF file, and the pictures it draws by name (/I0, /I1 ...).
type page struct {
	content string
	packed  bool // the content is compressed
	images  []*image.Gray
}

// vector draws a code as rectangles at millimetres from the lower left corner, and a frame of text-like strokes.
func vector(m [][]bool, x, y float64) string {
	var b strings.Builder
	b.WriteString("q 2.834646 0 0 2.834646 0 0 cm 0 g\n")

	side := codeSide / float64(len(m))
	for i, row := range m {
		for j, dark := range row {
			if dark {
				fmt.Fprintf(&b, "%.4f %.4f %.4f %.4f re\n", x+float64(j)*side, y+codeSide-float64(i+1)*side, side, side)
			}
		}
	}

	b.WriteString("f Q\n")

	return b.String()
}

// pdf writes a file of A4 pages.
func pdf(t testing.TB, pages ...page) []byte {
	t.Helper()

	var (
		b       bytes.Buffer
		offsets []int
	)
	object := func(body string) int {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
		return len(offsets)
	}
	stream := func(dict, data string) int {
		return object(fmt.Sprintf("<<%s /Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
	}
	b.WriteString("%PDF-1.7\n")
	object("<</Type /Catalog /Pages 2 0 R>>")
	kids := make([]string, len(pages))
	root := len(offsets)
	offsets = append(offsets, 0)

	for i, p := range pages {
		var images strings.Builder
		for k, picture := range p.images {
			n := stream(
				fmt.Sprintf(
					"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent "+
						"8 /Filter /DCTDecode",
					picture.Rect.Dx(),
					picture.Rect.Dy(),
				),
				string(jpegOf(t, picture, 80)),
			)

			fmt.Fprintf(&images, "/I%d %d 0 R ", k, n)
		}

		content := 0
		if p.packed {
			content = stream("/Filter /FlateDecode", packed(t, p.content))
		} else {
			content = stream("", p.content)
		}

		kids[i] = fmt.Sprintf(
			"%d 0 R",
			object(
				fmt.Sprintf(
					"<</Type /Page /Parent 2 0 R /MediaBox [0 0 595.28 841.89] /Contents %d 0 R /Resources "+
						"<</XObject <<%s>>>>>>",
					content,
					images.String(),
				),
			),
		)
	}

	offsets[root] = b.Len()
	fmt.Fprintf(&b, "2 0 obj\n<</Type /Pages /Kids [%s] /Count %d>>\nendobj\n", strings.Join(kids, " "), len(pages))
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)

	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}

	fmt.Fprintf(&b, "trailer\n<</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)

	return b.Bytes()
}

// packed compresses the content of a stream.
func packed(t testing.TB, content string) string {
	t.Helper()

	var b bytes.Buffer

	w := zlib.NewWriter(&b)
	_, err := w.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, w.Close())

	return b.String()
}

// scanned is a page whose lower part is one picture.
func scanned(p *image.Gray) page {
	return page{content: "q 595.28 0 0 297.64 0 0 cm /I0 Do Q\n", images: []*image.Gray{p}}
}
