package paper

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"

	"codeberg.org/go-pdf/fpdf"
)

// The largest size of a logo.
const (
	logoWidth  MM = 60
	logoHeight MM = 14
)

// Picture is a picture that documents show. It has no transparency: paper is white. So it needs nothing of a PDF file
// that PDF/A restricts (ISO 19005-3, 6.2.10).
type Picture struct {
	png           []byte
	width, height int // pixels
}

// NewPicture reads a PNG file, whose size the caller has limited.
func NewPicture(file []byte) (*Picture, error) {
	from, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}

	size := from.Bounds().Size()
	flat := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(flat, flat.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, from, from.Bounds().Min, draw.Over)

	var out bytes.Buffer
	if err := png.Encode(&out, flat); err != nil {
		return nil, fmt.Errorf("write the picture: %w", err)
	}

	return &Picture{out.Bytes(), size.X, size.Y}, nil
}

// within returns the largest size of the picture that fits, at no less than 150 pixels an inch: a small one is not
// blown up.
func (p *Picture) within(width, height MM) (w, h MM) {
	const pixel = 25.4 / 150

	scale := min(width/MM(p.width), height/MM(p.height), pixel)

	return MM(p.width) * scale, MM(p.height) * scale
}

// logo draws a picture above the title.
func (s *Sheet) logo(p *Picture) {
	w, h := p.within(logoWidth, logoHeight)
	y := s.y

	s.draw(func(f *fpdf.Fpdf) {
		const name = "logo"

		as := fpdf.ImageOptions{ImageType: "png"}
		f.RegisterImageOptionsReader(name, as, bytes.NewReader(p.png))
		f.ImageOptions(name, float64(left), float64(y), float64(w), float64(h), false, as, 0, "")
	})

	s.y += h + 3
}
