package mail

import (
	"bytes"
	"encoding/base64"
	htmltemplate "html/template"
	"image/png"
	"strings"
)

// logoID names the part of a mail that holds the logo (RFC 2392). A part is shown without asking anybody: most mail
// programs load pictures from elsewhere only when their reader lets them, since such a picture reports who reads.
const logoID = "logo@slipway"

// The largest size at which a mail shows a logo, in CSS pixels. Some mail programs go by nothing but the attributes.
const (
	logoWidth  = 220
	logoHeight = 48
)

// head is the head of a mail's HTML. The zero head is the service's own.
type head struct {
	Name          string
	Colour        htmltemplate.CSS
	Image         htmltemplate.URL // empty: the name stands in its place
	Width, Height int
	logo          []byte
}

func newHead(l Letterhead) head {
	h := head{
		Name:   unlinked(l.Name),
		Colour: htmltemplate.CSS(l.Colour), //nolint:gosec // package brand has checked its form
	}

	size, err := png.DecodeConfig(bytes.NewReader(l.Logo))
	if err != nil || size.Width == 0 || size.Height == 0 { // none, or none that is shown
		return h
	}

	h.logo = l.Logo
	h.Image = "cid:" + logoID
	h.Width = min(size.Width, logoWidth)
	h.Height = max(1, size.Height*h.Width/size.Width)

	if h.Height > logoHeight {
		h.Width = max(1, h.Width*logoHeight/h.Height)
		h.Height = logoHeight
	}

	return h
}

// standalone returns the HTML with the logo inside, for a page that has no other parts.
func (l Letter) standalone() string {
	if len(l.Logo) == 0 {
		return l.HTML
	}

	data := "data:image/png;base64," + base64.StdEncoding.EncodeToString(l.Logo)

	return strings.Replace(l.HTML, `src="cid:`+logoID+`"`, `src="`+data+`"`, 1)
}
