// Package brand keeps how organisations show themselves to outsiders: the name, the colour and the logo on the pages
// behind their invoice links, on their statements and invoices, and in mails.
//
// It promises:
//   - White text on the colour, and the colour on white paper, can be read: the contrast is at least 4.5 to 1
//     (WCAG 2.2, 1.4.3).
//   - A logo is a picture that this service has decoded and written anew: nothing else of the file is kept.
//   - A document that names a logo by its hash finds it for as long as it is among the organisation's last maxLogos.
//
// It does not promise that the name is the organisation's own. Pages show the verified name beside it.
//
// Read in this order: brand.go (rules), service.go, store.go, http.go.
package brand

import (
	"bytes"
	"image"
	_ "image/jpeg" // a form of logo
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"slipway/internal/core/fault"
)

// Limits of a brand.
const (
	// MaxFile is how many bytes a logo may have as it is sent.
	MaxFile  = 1 << 20
	maxLogo  = 300 << 10 // bytes, as it is kept
	maxLogos = 20        // of an organisation, past ones included
	maxSide  = 1024      // pixels
	maxName  = 60        // characters
	contrast = 4.5
)

// Brand is how one organisation shows itself. Zero fields mean what the service shows without them.
type Brand struct {
	Organisation string
	Name         string
	Colour       string // #rrggbb
	Logo         []byte // PNG
	LogoSHA256   string // of Logo, in hexadecimal digits
	Version      int64  // 0: never set
	UpdatedAt    time.Time

	drawn bool // the logo is not stored yet
}

// form of a colour.
var form = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// check adds to l what is wrong with name and colour, and returns them in the form in which they are stored.
func check(l *fault.List, name, colour string) (string, string) {
	name = strings.TrimSpace(name)
	if utf8.RuneCountInString(name) > maxName {
		l.Add("/name", fault.TooLong, "may have at most %d characters.", maxName)
	}

	colour = strings.ToLower(strings.TrimSpace(colour))

	switch {
	case colour == "":
	case !form.MatchString(colour):
		l.Add("/colour", fault.FormatInvalid, "must be a colour such as #0b5cad.")
	case contrastWithWhite(colour) < contrast:
		l.Add("/colour", fault.ColourContrast,
			"is too light: white text on it has a contrast of %.1f to 1, and needs 4.5. %s is the nearest that does.",
			math.Floor(contrastWithWhite(colour)*10)/10, darker(colour))
	}

	return name, colour
}

// contrastWithWhite returns the contrast of a colour with white (WCAG 2.2, definition of contrast ratio).
func contrastWithWhite(colour string) float64 {
	const white, flare = 1, 0.05

	return (white + flare) / (luminance(colour) + flare)
}

// luminance returns the relative luminance of a colour (WCAG 2.2).
func luminance(colour string) float64 {
	r, g, b := Channels(colour)
	linear := func(c int) float64 {
		v := float64(c) / 255
		if v <= 0.04045 {
			return v / 12.92
		}

		return math.Pow((v+0.055)/1.055, 2.4)
	}

	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Channels returns red, green and blue of a stored colour, each from 0 to 255.
func Channels(colour string) (red, green, blue int) {
	n, _ := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32) // check has seen its form

	return int(n >> 16 & 0xff), int(n >> 8 & 0xff), int(n & 0xff)
}

// darker returns the lightest shade of a colour that has the contrast.
func darker(colour string) string {
	r, g, b := Channels(colour)

	for share := 254; share > 0; share-- {
		shade := write(r*share/255, g*share/255, b*share/255)
		if contrastWithWhite(shade) >= contrast {
			return shade
		}
	}

	return "#000000"
}

func write(r, g, b int) string {
	const hex = "0123456789abcdef"

	out := []byte{'#'}
	for _, c := range []int{r, g, b} {
		out = append(out, hex[c>>4], hex[c&15])
	}

	return string(out)
}

// isSVG reports whether a file that is no picture of ours is an SVG document.
func isSVG(raw []byte) bool {
	begin := bytes.ToLower(raw[:min(len(raw), 1_000)])
	return bytes.Contains(begin, []byte("<svg"))
}

// readLogo decodes a file and writes the picture anew.
func readLogo(file io.Reader) ([]byte, error) {
	var l fault.List

	raw, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return nil, err
	}

	c, kind, err := image.DecodeConfig(bytes.NewReader(raw))

	switch {
	case len(raw) == 0:
		l.Add("/file", fault.Required, "is required.")
	case err != nil && isSVG(raw):
		l.Add("/file", fault.LogoInvalid, "is SVG, which can hold scripts and links: send it as PNG or JPEG.")
	case err != nil || kind != "png" && kind != "jpeg":
		l.Add("/file", fault.LogoInvalid, "must be a PNG or JPEG picture.")
	case c.Width > maxSide || c.Height > maxSide || c.Width == 0 || c.Height == 0:
		l.Add("/file", fault.LogoInvalid, "may be at most %d pixels wide and high; it is %d by %d.",
			maxSide, c.Width, c.Height)
	}

	if err := l.Err(); err != nil {
		return nil, err
	}

	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		l.Add("/file", fault.LogoInvalid, "is damaged.")
		return nil, l.Err()
	}

	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		return nil, err
	}

	if out.Len() > maxLogo {
		l.Add("/file", fault.LogoInvalid, "has too much detail for a logo: as PNG it needs %d kB, and may have %d.",
			out.Len()>>10, maxLogo>>10)
	}

	return out.Bytes(), l.Err()
}
