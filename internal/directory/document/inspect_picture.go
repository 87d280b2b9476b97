package document

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"slipway/internal/core/fault"
)

var pngSignature = []byte("\x89PNG\r\n\x1a\n")

// inspectPNG walks the chunks of a PNG (ISO/IEC 15948) to IEND, which must be the file's end. Nothing is unpacked.
func inspectPNG(r *bufio.Reader) (facts, error) {
	f := facts{contentType: PNG}
	if _, err := r.Discard(len(pngSignature)); err != nil {
		return f, err
	}

	buffer := make([]byte, 4<<10)
	for n, pixels := 0, false; ; n++ {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return f, err
		}

		length := int64(binary.BigEndian.Uint32(head[:]))

		kind := string(head[4:])
		if (kind == "IHDR") != (n == 0) || kind == "IHDR" && length != 13 || length > MaxSize ||
			kind == "IEND" && (length != 0 || !pixels) {
			return f, damaged("PNG")
		}

		pixels = pixels || kind == "IDAT"
		sum := crc32.NewIEEE()

		_, _ = sum.Write(head[4:]) // a hash takes everything
		if kind == "IHDR" {
			var size [13]byte
			if _, err := io.ReadFull(r, size[:]); err != nil {
				return f, err
			}

			_, _ = sum.Write(size[:])
			f.width = int64(binary.BigEndian.Uint32(size[:]))

			f.height = int64(binary.BigEndian.Uint32(size[4:]))
			if f.width == 0 || f.height == 0 || f.width >= 1<<31 || f.height >= 1<<31 {
				return f, damaged("PNG")
			}
		} else if got, err := io.CopyBuffer(sum, io.LimitReader(r, length), buffer); err != nil || got < length {
			return f, cmp.Or(err, io.ErrUnexpectedEOF)
		}

		var want [4]byte
		if _, err := io.ReadFull(r, want[:]); err != nil {
			return f, err
		}

		if binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
			return f, damaged("PNG")
		}

		if kind == "IEND" {
			return f, atEnd(r, "PNG")
		}
	}
}

func damaged(format string) *fault.Fault {
	return refused(fault.DocumentDamaged, "The file is not a %s that is whole and right.", format)
}

// atEnd refuses what follows the end of a format.
func atEnd(r *bufio.Reader, format string) error {
	switch _, err := r.ReadByte(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}

	return refused(fault.DocumentAmbiguous, "Something else follows the end of the %s.", format)
}

// Markers of JPEG (ITU-T T.81, table B.1).
const (
	tem  = 0x01
	sof0 = 0xc0 // to 0xcf: frames, but for the three below
	dht  = 0xc4
	jpg  = 0xc8
	dac  = 0xcc
	rst0 = 0xd0 // to 0xd7
	soi  = 0xd8
	eoi  = 0xd9
	sos  = 0xda
)

// Bounds of a JPEG: scans cost a pass over all pixels each, and further pictures are small versions of the first.
const (
	maxScans    = 100
	maxPictures = 8
)

// inspectJPEG walks the segments of a JPEG to its end. Further JPEGs may follow the first: cameras store a second
// exposure or a map of brightness that way (CIPA DC-007, Multi-Picture Format); and zeros, with which they fill up.
func inspectJPEG(r *bufio.Reader) (facts, error) {
	f := facts{contentType: JPEG}

	for n := 0; ; n++ {
		width, height, err := picture(r)
		if err != nil {
			return f, err
		}

		if f.width*f.height < width*height {
			f.width = width
			f.height = height
		}

		more, err := another(r)
		if err != nil || !more {
			return f, err
		}

		if n+1 == maxPictures {
			return f, refused(fault.DocumentDamaged, "The file holds more than %d pictures.", maxPictures)
		}
	}
}

// another passes zeros and says whether a further picture begins; anything else that follows is refused.
func another(r *bufio.Reader) (bool, error) {
	for {
		next, err := r.Peek(1)
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		case next[0] == 0xff:
			return true, nil
		case next[0] != 0:
			return false, atEnd(r, "JPEG")
		}

		if _, err := r.Discard(1); err != nil {
			return false, err
		}
	}
}

// picture walks one picture from SOI to EOI and returns its size in pixels.
func picture(r *bufio.Reader) (width, height int64, err error) {
	if m, err := marker(r); err != nil || m != soi {
		return 0, 0, orDamaged(err)
	}

	for scans, after := 0, byte(0); ; {
		m := after

		err := error(nil)
		if after = 0; m == 0 {
			m, err = marker(r)
		}

		switch {
		case err != nil:
			return 0, 0, err
		case m == eoi && scans > 0:
			return width, height, nil
		case m == eoi, m == soi, m >= rst0 && m < soi:
			return 0, 0, damaged("JPEG")
		case m == tem:
			continue

		case isFrame(m):
			if width, height, err = frame(r); err != nil || width == 0 || height == 0 {
				return 0, 0, orDamaged(err)
			}

			continue
		}

		if err := skipSegment(r); err != nil {
			return 0, 0, err
		}

		if m == sos {
			if scans++; scans > maxScans || width == 0 {
				return 0, 0, damaged("JPEG")
			}

			if after, err = skipScan(r); err != nil {
				return 0, 0, err
			}
		}
	}
}

func orDamaged(err error) error {
	if err == nil {
		err = damaged("JPEG")
	}

	return err
}

func isFrame(m byte) bool { return m >= sof0 && m <= 0xcf && m != dht && m != jpg && m != dac }

// marker reads a marker; any number of 0xff may stand before it (T.81, B.1.1.2).
func marker(r *bufio.Reader) (byte, error) {
	c, err := r.ReadByte()
	if err == nil && c != 0xff {
		return 0, damaged("JPEG")
	}

	for err == nil && c == 0xff {
		c, err = r.ReadByte()
	}

	if err == nil && c == 0 {
		return 0, damaged("JPEG")
	}

	return c, err
}

// segmentLength reads the length of a segment and returns what is left of it.
func segmentLength(r *bufio.Reader) (int, error) {
	var raw [2]byte
	if _, err := io.ReadFull(r, raw[:]); err != nil {
		return 0, err
	}

	n := int(binary.BigEndian.Uint16(raw[:]))
	if n < 2 {
		return 0, damaged("JPEG")
	}

	return n - 2, nil
}

func skipSegment(r *bufio.Reader) error {
	n, err := segmentLength(r)
	if err == nil {
		_, err = r.Discard(n)
	}

	return err
}

// frame reads a frame header (T.81, B.2.2): precision, height, width.
func frame(r *bufio.Reader) (width, height int64, err error) {
	n, err := segmentLength(r)
	if err != nil {
		return 0, 0, err
	}

	var head [5]byte
	if n < len(head) {
		return 0, 0, damaged("JPEG")
	}

	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, err
	}

	_, err = r.Discard(n - len(head))

	return int64(binary.BigEndian.Uint16(head[3:])), int64(binary.BigEndian.Uint16(head[1:])), err
}

// skipScan passes entropy-coded data and returns the marker that ends it: in the data, 0xff is followed by 0 or a
// restart marker.
func skipScan(r *bufio.Reader) (byte, error) {
	for {
		if _, err := r.ReadSlice(0xff); errors.Is(err, bufio.ErrBufferFull) {
			continue
		} else if err != nil {
			return 0, err
		}

		m := byte(0xff)
		for m == 0xff {
			var err error
			if m, err = r.ReadByte(); err != nil {
				return 0, err
			}
		}

		if m != 0 && (m < rst0 || m >= soi) {
			return m, nil
		}
	}
}
