package paper

import (
	"encoding/binary"
	"maps"
	"slices"
)

// subset returns a TrueType file with only the glyphs that some characters need. The PDF library makes its own subset
// of any font, but first it reads all of it, which takes 10 ms for 6,000 glyphs, and it writes into the font, so two
// documents could not share one.
//
// The subset has no hinting: PDF viewers do not need it, and it is the largest part of a font.
func (f *face) subset(used map[rune]bool) []byte {
	characters := slices.Sorted(maps.Keys(used))
	glyphs := make([]int, 1, len(characters)+16) // by their new number; 0 is drawn for a missing character

	numbers := map[int]int{0: 0}
	for _, r := range characters {
		numbers[int(f.glyphs[r])] = len(glyphs)
		glyphs = append(glyphs, int(f.glyphs[r]))
	}

	var glyf, loca, hmtx []byte
	for i := 0; i < len(glyphs); i++ { // grows while parts of glyphs are found
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))

		hmtx = append(hmtx, f.metric(glyphs[i])...)

		glyf = append(glyf, f.outline(glyphs[i], func(part int) int {
			n, ok := numbers[part]
			if !ok {
				n = len(glyphs)
				numbers[part] = n
				glyphs = append(glyphs, part)
			}

			return n
		})...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}

	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	changed := func(table string, at, value int) []byte {
		out := slices.Clone(f.table(table))
		binary.BigEndian.PutUint16(out[at:], uint16(value))
		return out
	}

	const longOffsets, withoutNames = 1, 3

	return fontFile(map[string][]byte{
		"cmap": characterMap(characters),
		"glyf": glyf,
		"loca": loca,
		"hmtx": hmtx,
		"head": changed("head", 50, longOffsets),
		"hhea": changed("hhea", 34, len(glyphs)),
		"maxp": changed("maxp", 4, len(glyphs)),
		"post": changed("post", 0, withoutNames)[:32],
		"OS/2": f.table("OS/2"),
		"name": {0, 0, 0, 0, 0, 6},
	})
}

// metric returns a glyph's advance width and left side bearing.
func (f *face) metric(glyph int) []byte {
	hmtx := f.table("hmtx")

	metrics := f.u16(f.tables["hhea"][0] + 34)
	if glyph < metrics {
		return hmtx[4*glyph : 4*glyph+4]
	}

	at := 4*metrics + 2*(glyph-metrics)

	return append(slices.Clone(hmtx[4*metrics-4:4*metrics-2]), hmtx[at:at+2]...)
}

// Flags of the parts of a composite glyph (OpenType 1.9, glyf).
const (
	argumentsAreWords = 1 << 0
	haveScale         = 1 << 3
	morePartsFollow   = 1 << 5
	haveTwoScales     = 1 << 6
	haveMatrix        = 1 << 7
	haveInstructions  = 1 << 8
)

// outline returns a glyph's outline without hinting. part returns the new number of a component glyph.
func (f *face) outline(glyph int, part func(int) int) []byte {
	data := slices.Clone(f.glyph(glyph))
	if len(data) == 0 {
		return nil
	}

	const header = 10
	if contours := int(int16(binary.BigEndian.Uint16(data))); contours >= 0 {
		at := header + 2*contours
		hints := int(binary.BigEndian.Uint16(data[at:]))
		data[at] = 0
		data[at+1] = 0

		return slices.Delete(data, at+2, at+2+hints)
	}

	for at := header; ; {
		flags := binary.BigEndian.Uint16(data[at:])
		binary.BigEndian.PutUint16(data[at:], flags&^haveInstructions)
		binary.BigEndian.PutUint16(data[at+2:], uint16(part(int(binary.BigEndian.Uint16(data[at+2:])))))

		at += 6
		if flags&argumentsAreWords != 0 {
			at += 2
		}

		switch {
		case flags&haveScale != 0:
			at += 2
		case flags&haveTwoScales != 0:
			at += 4
		case flags&haveMatrix != 0:
			at += 8
		}

		if flags&morePartsFollow == 0 {
			return data[:at]
		}
	}
}

// glyph returns a glyph's data, which is empty for a space.
func (f *face) glyph(glyph int) []byte {
	loca := f.tables["loca"][0]

	glyf := f.table("glyf")
	if f.u16(f.tables["head"][0]+50) == 0 {
		return glyf[2*f.u16(loca+2*glyph) : 2*f.u16(loca+2*glyph+2)]
	}

	return glyf[f.u32(loca+4*glyph):f.u32(loca+4*glyph+4)]
}

// characterMap returns the table cmap for characters whose glyphs are numbered from 1 in their order: one subtable of
// format 4, with a segment for each range of consecutive characters.
func characterMap(characters []rune) []byte {
	type segment struct{ first, last, glyph int }

	var segments []segment
	for i, r := range characters {
		if n := len(segments); n > 0 && segments[n-1].last == int(r)-1 {
			segments[n-1].last = int(r)
		} else {
			segments = append(segments, segment{int(r), int(r), i + 1})
		}
	}

	segments = append(segments, segment{0xffff, 0xffff, 0})
	n := len(segments)
	search := 2

	selector := 0
	for search <= n {
		search = search * 2
		selector++
	}

	out := []int{
		0,
		1,
		windowsPlatform,
		basicPlane,
		0,
		12,
		segmentsFormat,
		16 + 8*n,
		0,
		2 * n,
		search,
		selector,
		2*n - search,
	}
	for _, s := range segments {
		out = append(out, s.last)
	}

	out = append(out, 0)
	for _, s := range segments {
		out = append(out, s.first)
	}

	for _, s := range segments {
		out = append(out, s.glyph-s.first)
	}

	out = append(out, make([]int, n)...)

	var b []byte
	for _, v := range out {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}

	return b
}

// fontFile returns a font file of some tables. Checksums are zero: only the PDF library reads this file, and it
// computes them again.
func fontFile(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	out = binary.BigEndian.AppendUint16(out, uint16(len(names)))
	out = append(out, make([]byte, 6)...)

	at := len(out) + 16*len(names)
	for _, name := range names {
		out = append(out, name...)
		out = append(out, 0, 0, 0, 0)
		out = binary.BigEndian.AppendUint32(out, uint32(at))
		out = binary.BigEndian.AppendUint32(out, uint32(len(tables[name])))
		at += (len(tables[name]) + 3) &^ 3
	}

	for _, name := range names {
		out = append(out, tables[name]...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}

	return out
}
