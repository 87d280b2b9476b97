package app

import (
	"strings"

	"slipway/internal/pages/invoice"
	"slipway/internal/platform/web"
)

// invoicePages mounts the pages behind the links of invoiceLinks. Identity has read the keyring before.
func (a *App) invoicePages(api *web.API) {
	keys, err := a.keyring()
	if err != nil {
		panic("app: the keyring was good before: " + err.Error())
	}
	invoice.Routes(api, invoice.Deps{Links: a.InvoiceLinks, DB: a.DB, Log: a.Log, Keyring: keys, Secure: strings.HasPrefix(a.Config.HTTP.BaseURL, "https://")})
}
