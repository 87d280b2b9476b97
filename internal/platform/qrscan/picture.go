package qrscan

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
)

type fileKind int

const (
	kindUnknown fileKind = iota
	kindPDF
	kindPNG
	kindJPEG
)

// kind returns a file's type by its first bytes. A PDF file may have other bytes before its header (ISO 32000, annex
// H). They are not accepted, because that is how one file is made to have two types.
func kind(document []byte) fileKind {
	for k, magic := range map[fileKind]string{
		kindPDF:  "%PDF-",
		kindPNG:  "\x89PNG\r\n\x1a\n",
		kindJPEG: "\xff\xd8\xff",
	} {
		if bytes.HasPrefix(document, []byte(magic)) {
			return k
		}
	}

	return kindUnknown
}

// Limits of pictures. A sheet of A4 at 600 dots per inch has 35 million pixels, a telephone's photograph 12 to 50.
const (
	maxPixels  = 40_000_000
	maxDecoded = 256 << 20 // bytes that the decoder may take
	working    = 8_000_000 // pixels of the largest copy that is searched
	first      = 3_500_000 // pixels of the copy that is searched first: A4 at 190 dots per inch
	least      = 1_000_000 // pixels below which a picture is enlarged
	smallest   = 21        // modules of the smallest code: fewer pixels hold none
)

// decode returns a grey picture of a PNG or JPEG file. It checks the size before it decodes any pixel: 300 kB of PNG
// can decode to gigabytes.
func decode(file []byte, memory int) (*image.Gray, error) {
	cost, err := pictureCost(file)
	if err != nil {
		return nil, err
	}

	if cost > memory {
		return nil, fmt.Errorf("%w: %d bytes", ErrMemory, cost)
	}

	decode := png.Decode
	if kind(file) == kindJPEG {
		decode = jpeg.Decode
	}

	picture, err := decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotReadable, err)
	}

	return grey(picture), nil
}

// pictureCost returns the bytes of memory that reading a PNG or JPEG file takes, by its header.
func pictureCost(file []byte) (int, error) {
	config := png.DecodeConfig
	perPixel := pngBytes

	if kind(file) == kindJPEG {
		config = jpeg.DecodeConfig
		perPixel = jpegBytes
	}

	c, err := config(bytes.NewReader(file))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNotReadable, err)
	}

	if c.Width < 1 || c.Height < 1 || c.Width > maxPixels/c.Height || c.Width*c.Height*perPixel(file, c) > maxDecoded {
		return 0, fmt.Errorf("%w: %d by %d pixels", ErrTooLarge, c.Width, c.Height)
	}

	const greyCopy = 1 // byte of each pixel

	return c.Width*c.Height*(perPixel(file, c)+greyCopy) + besidePicture, nil
}

// interlaced is the offset of the byte in a PNG file that is set if its rows come in seven passes, each decoded by
// itself.
const interlaced = 28

// pngBytes returns how many bytes the decoder takes for a pixel.
func pngBytes(file []byte, c image.Config) int {
	n := 4
	switch c.ColorModel {
	case color.GrayModel:
		n = 1
	case color.Gray16Model:
		n = 2
	case color.RGBA64Model, color.NRGBA64Model:
		n = 8

	default:
		if _, palette := c.ColorModel.(color.Palette); palette {
			n = 1
		}
	}

	if len(file) > interlaced && file[interlaced] != 0 {
		n *= 2
	}

	return n
}

// jpegBytes returns the same for JPEG. A progressive file's coefficients, four bytes each, stay in memory until its
// end.
func jpegBytes(file []byte, c image.Config) int {
	n := 3

	switch c.ColorModel {
	case color.GrayModel:
		n = 1
	case color.CMYKModel:
		n = 4
	}

	if progressive(file) {
		n *= 5
	}

	return n
}

// progressive reports whether a JPEG file has a progressive frame among its segments (ITU-T T.81, annex B).
func progressive(file []byte) bool {
	const startOfScan, progressiveFrame = 0xda, 0xc2
	for i := 2; i+3 < len(file) && file[i] == 0xff; {
		switch file[i+1] {
		case progressiveFrame:
			return true
		case startOfScan:
			return false
		case 0xff:
			i++ // filling
		default:
			i += 2 + int(file[i+2])<<8 + int(file[i+3])
		}
	}

	return true // its segments cannot be followed: assume the worst
}

// grey returns the luminance of a picture on white paper, which transparent pixels show.
func grey(picture image.Image) *image.Gray {
	if p, ok := picture.(*image.Gray); ok {
		return p
	}

	b := picture.Bounds()

	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	switch p := picture.(type) {
	case *image.YCbCr: // its first plane is luminance
		for y := range b.Dy() {
			copy(out.Pix[y*out.Stride:][:b.Dx()], p.Y[y*p.YStride:])
		}
	case *image.Paletted:
		var luminance [256]byte
		for i, c := range p.Palette {
			luminance[i&255] = onPaper(color.RGBA64Model.Convert(c).(color.RGBA64))
		}

		for y := range b.Dy() {
			for x, index := range p.Pix[y*p.Stride:][:b.Dx()] {
				out.Pix[y*out.Stride+x] = luminance[index]
			}
		}

	case *image.RGBA: // opaque
		four(out, p.Pix, p.Stride)
	case *image.NRGBA:
		four(out, p.Pix, p.Stride)
	case image.RGBA64Image: // all others; a color.Color of each pixel would take more memory than the picture
		for y := range b.Dy() {
			for x := range b.Dx() {
				out.Pix[y*out.Stride+x] = onPaper(p.RGBA64At(b.Min.X+x, b.Min.Y+y))
			}
		}
	}

	return out
}

// four converts pixels of red, green, blue and opacity.
func four(out *image.Gray, pix []byte, stride int) {
	w := out.Rect.Dx()

	for y := range out.Rect.Dy() {
		row := pix[y*stride:][:4*w]

		to := out.Pix[y*out.Stride:][:w]
		for x := range to {
			p := row[4*x:][:4]
			light := (299*uint32(p[0]) + 587*uint32(p[1]) + 114*uint32(p[2])) / 1000
			opacity := uint32(p[3])
			to[x] = byte((light*opacity + 255*(255-opacity)) / 255)
		}
	}
}

// onPaper returns the luminance of a colour that is already multiplied with its opacity.
func onPaper(c color.RGBA64) byte {
	return byte((299*uint32(c.R)+587*uint32(c.G)+114*uint32(c.B))/1000>>8 + (0xffff-uint32(c.A))>>8)
}

// sizes returns the copies of a picture to search, each made when it is called.
func sizes(p *image.Gray) []func() *image.Gray {
	w := p.Rect.Dx()

	h := p.Rect.Dy()
	if w < smallest || h < smallest {
		return nil
	}

	pixels := w * h
	at := func(target int) func() *image.Gray {
		return func() *image.Gray { return scaled(p, math.Sqrt(float64(target)/float64(pixels))) }
	}

	same := func() *image.Gray { return p }
	switch {
	case pixels > working:
		return []func() *image.Gray{at(first), at(working), at(first / 3)}
	case pixels > first:
		return []func() *image.Gray{at(first), same, at(first / 3)}
	case pixels > least:
		return []func() *image.Gray{same, at(2 * pixels), at(pixels / 3)}
	}

	return []func() *image.Gray{same, at(4 * pixels), at(pixels / 3)}
}

// scaled returns a copy of another size. A smaller one averages the pixels, a larger one interpolates between them.
func scaled(p *image.Gray, factor float64) *image.Gray {
	w := p.Rect.Dx()
	h := p.Rect.Dy()

	out := image.NewGray(image.Rect(0, 0, max(1, int(float64(w)*factor)), max(1, int(float64(h)*factor))))
	if factor < 1 {
		shrink(out, p)
	} else {
		enlarge(out, p)
	}

	return out
}

func shrink(out, p *image.Gray) {
	w := p.Rect.Dx()
	h := p.Rect.Dy()
	ow := out.Rect.Dx()

	oh := out.Rect.Dy()
	for oy := range oh {
		y0 := oy * h / oh

		y1 := max(oy*h/oh+1, (oy+1)*h/oh)
		for ox := range ow {
			x0 := ox * w / ow
			x1 := max(ox*w/ow+1, (ox+1)*w/ow)

			sum := 0
			for y := y0; y < y1; y++ {
				for _, v := range p.Pix[y*p.Stride+x0 : y*p.Stride+x1] {
					sum += int(v)
				}
			}

			out.Pix[oy*out.Stride+ox] = byte(sum / ((y1 - y0) * (x1 - x0)))
		}
	}
}

func enlarge(out, p *image.Gray) {
	w := p.Rect.Dx()
	h := p.Rect.Dy()
	ow := out.Rect.Dx()
	oh := out.Rect.Dy()

	const one = 256 // of a pixel
	for oy := range oh {
		fy := max(0, (oy*one+one/2)*h/oh-one/2)
		y := fy / one
		dy := fy % one

		below := min(y+1, h-1)
		for ox := range ow {
			fx := max(0, (ox*one+one/2)*w/ow-one/2)
			x := fx / one
			dx := fx % one
			right := min(x+1, w-1)
			top := int(p.Pix[y*p.Stride+x])*(one-dx) + int(p.Pix[y*p.Stride+right])*dx
			bottom := int(p.Pix[below*p.Stride+x])*(one-dx) + int(p.Pix[below*p.Stride+right])*dx
			out.Pix[oy*out.Stride+ox] = byte((top*(one-dy) + bottom*dy) / (one * one))
		}
	}
}
