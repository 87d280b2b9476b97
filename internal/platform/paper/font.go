package paper

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// The fonts, compressed: DejaVu Sans for nearly everything, Droid Sans Fallback for Chinese, Japanese and Korean, Noto
// Sans for Devanagari and for Thai. Their licences lie beside them.
var (
	//go:embed fonts/DejaVuSans.ttf.gz
	regularFile []byte
	//go:embed fonts/DejaVuSans-Bold.ttf.gz
	boldFile []byte
	//go:embed fonts/DroidSansFallback.ttf.gz
	fallbackFile []byte
	//go:embed fonts/NotoSansDevanagari.ttf.gz
	devanagariFile []byte
	//go:embed fonts/NotoSansThai.ttf.gz
	thaiFile []byte
)

// face is one font: its file, its characters and their widths. It never changes.
type face struct {
	family string // the PDF's name for it
	file   []byte
	tables map[string][2]int // begin and end of each table
	widths [1 << 16]uint16   // by character, in thousandths of the size; absent: the font lacks it
	glyphs [1 << 16]uint16   // by character
}

// absent marks a character without a glyph. A width of zero is valid: an accent is drawn over its letter.
const absent = 0xffff

// The faces. Each is unpacked when it is first needed.
var (
	regular    = sync.OnceValue(func() *face { return unpack("regular", regularFile) })
	bold       = sync.OnceValue(func() *face { return unpack("bold", boldFile) })
	fallback   = sync.OnceValue(func() *face { return unpack("fallback", fallbackFile) })
	devanagari = sync.OnceValue(func() *face { return unpack("devanagari", devanagariFile) })
	thai       = sync.OnceValue(func() *face { return unpack("thai", thaiFile) })
)

// families are the fonts in the order in which documents have them.
const families = "regular bold fallback devanagari thai"

// unpack reads an embedded font. It panics if the file cannot be read, because that is a broken build.
func unpack(family string, packed []byte) *face {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Sprintf("paper: font %s: %v", family, err))
	}

	f := &face{family: family}
	if f.file, err = io.ReadAll(z); err == nil {
		err = f.measure()
	}

	if err != nil {
		panic(fmt.Sprintf("paper: font %s: %v", family, err))
	}

	return f
}

// has reports whether the font has a glyph for a character.
func (f *face) has(r rune) bool { return r < 1<<16 && f.widths[r] != absent }

// Platform, encoding and format of the character map that is read (OpenType 1.9, cmap).
const (
	windowsPlatform = 3
	basicPlane      = 1
	segmentsFormat  = 4
)

func (f *face) u16(at int) int           { return int(binary.BigEndian.Uint16(f.file[at:])) }
func (f *face) u32(at int) int           { return int(binary.BigEndian.Uint32(f.file[at:])) }
func (f *face) table(name string) []byte { return f.file[f.tables[name][0]:f.tables[name][1]] }

// measure fills glyphs and widths from the tables of a TrueType file. It reads the character map of format 4 for
// Unicode's basic plane, which all fonts have.
func (f *face) measure() error {
	for i := range f.widths {
		f.widths[i] = absent
	}

	f.tables = map[string][2]int{}
	for i := range f.u16(4) {
		at := 12 + 16*i
		f.tables[string(f.file[at:at+4])] = [2]int{f.u32(at + 8), f.u32(at+8) + f.u32(at+12)}
	}

	unitsPerEm := f.u16(f.tables["head"][0] + 18)
	sub := 0

	cmap := f.tables["cmap"][0]
	for i := range f.u16(cmap + 2) {
		if at := cmap + 4 + 8*i; f.u16(at) == windowsPlatform && f.u16(at+2) == basicPlane {
			sub = cmap + f.u32(at+4)
		}
	}

	if sub == 0 || f.u16(sub) != segmentsFormat {
		return fmt.Errorf("there is no character map of format 4")
	}

	n := f.u16(sub+6) / 2
	ends := sub + 14
	starts := sub + 16 + 2*n
	deltas := sub + 16 + 4*n

	offsets := sub + 16 + 6*n
	for i := range n {
		for c := f.u16(starts + 2*i); c <= f.u16(ends+2*i) && c < absent; c++ {
			glyph := c
			if offset := f.u16(offsets + 2*i); offset != 0 {
				if glyph = f.u16(offsets + 2*i + offset + 2*(c-f.u16(starts+2*i))); glyph == 0 {
					continue
				}
			}

			if glyph = (glyph + f.u16(deltas+2*i)) & 0xffff; glyph != 0 {
				f.glyphs[c] = uint16(glyph)
				f.widths[c] = uint16((int(binary.BigEndian.Uint16(f.metric(glyph)))*1000 + unitsPerEm/2) / unitsPerEm)
			}
		}
	}

	return nil
}
