package invoice

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"

	"slipway/internal/identity/brand"
)

// dress is how a page shows the organisation that asks: its name or logo above everything, and its colour.
type dress struct {
	Name string
	// Style is the colour, as the text of a style element. The policy of the page names the text's hash, since pages
	// allow no other style than the sheet's.
	Style template.CSS
	Logo  template.URL
}

// dressOf returns the dress of a brand. verified is the organisation's name, which stands on every page besides.
func dressOf(b brand.Brand, verified string) dress {
	d := dress{Name: verified}
	if b.Name != "" {
		d.Name = b.Name
	}

	if b.Colour != "" {
		d.Style = template.CSS(":root { --own: " + b.Colour + " }") //nolint:gosec // package brand has checked its form
	}

	if len(b.Logo) > 0 {
		//nolint:gosec // package brand has written the picture
		d.Logo = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Logo))
	}

	return d
}

// allow returns a policy that lets the page show the dress.
func (d dress) allow(policy string) string {
	if d.Style != "" {
		sum := sha256.Sum256([]byte(d.Style))
		hash := " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		policy = strings.Replace(policy, "style-src 'self'", "style-src 'self'"+hash, 1)
	}

	return policy
}
