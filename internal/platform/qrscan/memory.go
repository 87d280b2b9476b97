package qrscan

import "slipway/internal/platform/qrscan/pdfium"

// What reading a document takes, as measured with the worst that were found. Of a PDF file it is its sandbox and what
// lies beside that; of a picture, its pixels as they are decoded, the grey ones, and what lies beside these.
const (
	// LightMemory is what nearly every document is read in: an invoice of many pages, a sheet scanned at 600 dots per
	// inch, a photograph of 20 million pixels.
	LightMemory = lightSandbox + besideSandbox
	// MostMemory is the most that one document takes.
	MostMemory = pdfium.MemoryLimit + besideSandbox

	lightSandbox  = 64 << 20
	besideSandbox = 64 << 20 // the file, the picture of a page, what is searched in it, and what waits to be collected
	besidePicture = 32 << 20 // the file and the smaller copies that are searched
)

// Cost returns the bytes of memory that a document may take if it is not read in LightMemory: those of a picture, and
// the most of a PDF file, which nobody knows before it is drawn. A document that cannot be read takes none.
func Cost(document []byte) int {
	switch kind(document) {
	case kindPDF:
		return MostMemory

	case kindPNG, kindJPEG:
		cost, err := pictureCost(document)
		if err == nil {
			return cost
		}

	case kindUnknown:
	}

	return 0
}

// Room is how memory is shared out to documents that are read at once.
type Room struct {
	AtOnce int   // documents read at once, each in LightMemory
	Extra  int64 // bytes that larger ones may have beyond that, together
}

// RoomFor returns the room that so many bytes make, or as many as are needed if memory is 0. It reads fewer than atOnce
// documents at once rather than none of the largest; but two, of which one leaves a turn to others, if it can.
func RoomFor(atOnce int, memory int64) Room {
	const light, extra = int64(LightMemory), int64(MostMemory - LightMemory)

	if memory == 0 {
		return Room{AtOnce: atOnce, Extra: int64(atOnce) * extra}
	}

	most := max(memory/light, 1)
	if most > 2 {
		most = max((memory-extra)/light, 2)
	}

	r := Room{AtOnce: min(atOnce, int(most))}
	r.Extra = max(memory-int64(r.AtOnce)*light, 0)

	return r
}

// Most returns the bytes that one document can have.
func (r Room) Most() int { return LightMemory + int(min(r.Extra, MostMemory-LightMemory)) }

// Sandboxes returns the bytes that PDF files can take outside of Go's heap, all together. One place is never a large
// one's, unless it is the only one.
func (r Room) Sandboxes() int64 {
	large := int64(max(r.AtOnce-1, 1))
	return int64(r.AtOnce)*lightSandbox + min(r.Extra, large*(MostMemory-LightMemory))
}
