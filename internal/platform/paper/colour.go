package paper

import (
	"bytes"
	"encoding/binary"
	"math"
)

// colourProfile returns an ICC profile (ICC.1:2001-04, version 2.1) of the colour space sRGB (IEC 61966-2-1): what the
// red, green and blue of a document mean. It has what a profile of a display needs: the white point, the primaries
// adapted to the profile's illuminant D50, and the curve of each channel.
func colourProfile() []byte {
	const header = 128

	type tag struct {
		name string
		data []byte
	}

	curve := curveTag()

	tags := []tag{
		{"desc", descriptionTag("sRGB")},
		{"cprt", append([]byte("text\x00\x00\x00\x00"), "No copyright: it is computed.\x00"...)},
		{"wtpt", xyzTag(0.9505, 1, 1.0891)},
		{"rXYZ", xyzTag(0.43607, 0.22249, 0.01392)},
		{"gXYZ", xyzTag(0.38515, 0.71687, 0.09708)},
		{"bXYZ", xyzTag(0.14307, 0.06061, 0.71410)},
		{"rTRC", curve},
		{"gTRC", curve},
		{"bTRC", curve},
	}

	var table, data bytes.Buffer

	at := header + 4 + 12*len(tags)
	curveAt := 0

	for _, t := range tags {
		begin := at + data.Len()

		if bytes.Equal(t.data, curve) && curveAt > 0 {
			begin = curveAt // the channels share their curve
		} else {
			if bytes.Equal(t.data, curve) {
				curveAt = begin
			}

			data.Write(t.data)

			for data.Len()%4 != 0 {
				data.WriteByte(0)
			}
		}

		table.WriteString(t.name)
		table.Write(binary.BigEndian.AppendUint32(nil, uint32(begin)))
		table.Write(binary.BigEndian.AppendUint32(nil, uint32(len(t.data))))
	}

	out := make([]byte, header, at+data.Len())
	binary.BigEndian.PutUint32(out[0:], uint32(at+data.Len()))
	binary.BigEndian.PutUint32(out[8:], 0x02100000) // version 2.1
	copy(out[12:], "mntrRGB XYZ ")                  // a display's profile, from RGB to XYZ
	binary.BigEndian.PutUint16(out[24:], 2026)      // its date, year, month and day
	binary.BigEndian.PutUint16(out[26:], 1)
	binary.BigEndian.PutUint16(out[28:], 1)
	copy(out[36:], "acsp")
	copy(out[68:], xyzTag(0.9642, 1, 0.8249)[8:]) // illuminant D50

	out = binary.BigEndian.AppendUint32(out, uint32(len(tags)))
	out = append(out, table.Bytes()...)

	return append(out, data.Bytes()...)
}

// xyzTag returns a colour as numbers with 16 binary places.
func xyzTag(x, y, z float64) []byte {
	out := []byte("XYZ \x00\x00\x00\x00")
	for _, v := range []float64{x, y, z} {
		out = binary.BigEndian.AppendUint32(out, uint32(math.Round(v*65536)))
	}

	return out
}

// curveTag returns sRGB's transfer function by 1,024 of its values.
func curveTag() []byte {
	const points = 1024

	out := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), points)

	for i := range points {
		v := float64(i) / (points - 1)
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}

		out = binary.BigEndian.AppendUint16(out, uint16(math.Round(v*65535)))
	}

	return out
}

// descriptionTag returns a name in the three forms of version 2, of which the last two are empty.
func descriptionTag(s string) []byte {
	out := binary.BigEndian.AppendUint32([]byte("desc\x00\x00\x00\x00"), uint32(len(s)+1))
	out = append(append(out, s...), 0)

	return append(out, make([]byte, 4+4+2+1+67)...)
}
