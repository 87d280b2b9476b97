package app

import (
	"strings"

	"slipway/internal/pages/invoice"
	"slipway/internal/platform/web"
)

// invoicePages mounts the pages behind the links of invoiceLinks.
func (a *App) invoicePages(api *web.API) {
	invoice.Routes(api, invoice.Deps{
		Links:   a.InvoiceLinks,
		DB:      a.DB,
		Log:     a.Log,
		Keyring: a.Keys,
		Secure:  strings.HasPrefix(a.Config.HTTP.BaseURL, "https://"),
	})
}
