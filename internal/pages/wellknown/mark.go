package wellknown

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
)

// The mark of the console, in an eighteenth of its edge: a square with round corners, of which the light part lies
// above the diagonal.
const (
	edge     = 18
	corner   = 5
	diagonal = 13
)

// Pixels of the picture, and points of each pixel, in one direction.
const (
	pixels = 36
	points = 4
)

// icon returns the mark as an ICO file of one PNG, which every browser reads.
func icon() []byte {
	var picture bytes.Buffer
	_ = png.Encode(&picture, mark()) // a buffer takes everything

	le := binary.LittleEndian
	file := le.AppendUint16(nil, 0)
	file = le.AppendUint16(file, 1)           // it is an icon
	file = le.AppendUint16(file, 1)           // of one picture
	file = append(file, pixels, pixels, 0, 0) // without a palette
	file = le.AppendUint16(file, 1)           // colour planes
	file = le.AppendUint16(file, 32)          // bits of a pixel
	file = le.AppendUint32(file, uint32(picture.Len()))
	file = le.AppendUint32(file, uint32(len(file)+4)) // where it begins: here

	return append(file, picture.Bytes()...)
}

// mark draws the mark. Edges are smooth: a pixel is the mean of its points.
func mark() image.Image {
	dark := color.NRGBA{0x0b, 0x5c, 0xad, 0xff}
	light := color.NRGBA{0x5a, 0xa9, 0xf3, 0xff}
	out := image.NewNRGBA(image.Rect(0, 0, pixels, pixels))

	for y := range pixels {
		for x := range pixels {
			var inside, above int

			for i := range points * points {
				px := (x*points + i%points) * edge
				py := (y*points + i/points) * edge

				if !within(px, py) {
					continue
				}

				inside++

				if px+py < diagonal*pixels*points {
					above++
				}
			}

			if inside == 0 {
				continue
			}

			mix := func(a, b uint8) uint8 { return uint8((int(a)*above + int(b)*(inside-above)) / inside) }
			out.SetNRGBA(x, y, color.NRGBA{
				R: mix(light.R, dark.R),
				G: mix(light.G, dark.G),
				B: mix(light.B, dark.B),
				A: uint8(inside * 0xff / (points * points)),
			})
		}
	}

	return out
}

// within reports whether a point, in edge times pixels times points, is inside of the square with round corners.
func within(x, y int) bool {
	const (
		whole  = edge * pixels * points
		radius = corner * pixels * points
	)

	// the distance to the square of the corners' centres
	dx := max(radius-x, x-(whole-radius), 0)
	dy := max(radius-y, y-(whole-radius), 0)

	return dx*dx+dy*dy <= radius*radius
}
