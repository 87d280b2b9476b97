package paper

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"github.com/skip2/go-qrcode"
)

// Symbol is a QR code with a caption below it. It has error correction M, which both the Swiss QR-bill and the EPC's QR
// code require.
type Symbol struct {
	Payload string
	Caption string
	Cross   bool // the Swiss cross in the middle, the mark of a Swiss QR-bill
}

const (
	symbolSize MM = 46 // edge of a Swiss QR code (Implementation Guidelines QR-bill 2.3, 5.4.2); banking apps read any
	quietZone  MM = 4
	crossSize  MM = 7 // edge of the recognition symbol with its white border (5.4.3)
)

// FactsBeside draws facts with a symbol at their right.
func (s *Sheet) FactsBeside(symbol Symbol, facts []Fact) error {
	code, err := qrcode.New(symbol.Payload, qrcode.Medium)
	if err != nil {
		return fmt.Errorf("a QR code of %d bytes: %w", len(symbol.Payload), err)
	}

	code.DisableBorder = true
	caption := smallInk.wrap(symbol.Caption, float64(symbolSize))
	width := Width - symbolSize - 2*columnGap
	column, height := layFacts(facts, width)
	height = max(height, symbolSize+2*quietZone+MM(len(caption))*smallInk.height())
	s.begin(height)
	x := left + Width - symbolSize
	y := s.y
	s.modules(code.Bitmap(), x, y)

	if symbol.Cross {
		s.cross(x+(symbolSize-crossSize)/2, y+(symbolSize-crossSize)/2)
	}

	for i, l := range caption {
		s.text(smallInk, x, y+symbolSize+quietZone/2+MM(i)*smallInk.height(), l)
	}

	s.facts(column, left)
	s.y = y + height

	return nil
}

// modules draws the dark modules; neighbours in a row are one rectangle.
func (s *Sheet) modules(bitmap [][]bool, x, y MM) {
	edge := symbolSize / MM(len(bitmap))

	for row, line := range bitmap {
		for from := 0; from < len(line); from++ {
			if !line[from] {
				continue
			}

			to := from
			for to < len(line) && line[to] {
				to++
			}

			s.fill(x+MM(from)*edge, y+MM(row)*edge, MM(to-from)*edge, edge, 0, 0, 0)
			from = to
		}
	}
}

// cross draws the Swiss cross, in the proportions of the flag: arms of 6 by 20 on a square of 32.
func (s *Sheet) cross(x, y MM) {
	rect := func(width, height MM, grey int) {
		s.fill(x+(crossSize-width)/2, y+(crossSize-height)/2, width, height, grey, grey, grey)
	}

	const black = crossSize - 1
	rect(crossSize, crossSize, 255)
	rect(black, black, 0)
	rect(black*6/32, black*20/32, 255)
	rect(black*20/32, black*6/32, 255)
}

// Pixels of a picture: of one module's edge, and of the empty border around the code.
const (
	modulePixels = 8
	quietModules = 4
)

// PNG returns the symbol as a picture for screens, without its caption.
func (symbol Symbol) PNG() ([]byte, error) {
	code, err := qrcode.New(symbol.Payload, qrcode.Medium)
	if err != nil {
		return nil, fmt.Errorf("a QR code of %d bytes: %w", len(symbol.Payload), err)
	}

	code.DisableBorder = true
	modules := code.Bitmap()
	edge := len(modules) * modulePixels
	border := quietModules * modulePixels
	picture := image.NewPaletted(
		image.Rect(-border, -border, edge+border, edge+border),
		color.Palette{color.White, color.Black},
	)

	for y, line := range modules {
		for x, dark := range line {
			if dark {
				paint(picture, image.Rect(x, y, x+1, y+1), modulePixels, color.Black)
			}
		}
	}

	if symbol.Cross {
		crossOn(picture, edge)
	}

	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("encode a QR code: %w", err)
	}

	return out.Bytes(), nil
}

// crossOn draws the Swiss cross into the middle of a code of so many pixels.
func crossOn(picture draw.Image, edge int) {
	middle := image.Pt(edge/2, edge/2)
	rect := func(width, height MM, c color.Color) {
		w := int(width / symbolSize * MM(edge) / 2)
		h := int(height / symbolSize * MM(edge) / 2)
		paint(picture, image.Rect(-w, -h, w, h).Add(middle), 1, c)
	}

	const black = crossSize - 1
	rect(crossSize, crossSize, color.White)
	rect(black, black, color.Black)
	rect(black*6/32, black*20/32, color.White)
	rect(black*20/32, black*6/32, color.White)
}

// paint fills a rectangle whose unit is so many pixels.
func paint(picture draw.Image, r image.Rectangle, unit int, c color.Color) {
	r = image.Rect(r.Min.X*unit, r.Min.Y*unit, r.Max.X*unit, r.Max.Y*unit)
	draw.Draw(picture, r, image.NewUniform(c), image.Point{}, draw.Src)
}
