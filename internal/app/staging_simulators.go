//go:build !nosandbox

package app

import (
	"slipway/internal/app/world"
	"slipway/internal/platform/config"
	"slipway/internal/platform/web"
)

// Simulators returns the simulators of a world as outside parties, with the controls of those that a deployment uses.
// There is no control of the clock: what is live beside them keeps the time of the wall.
func Simulators(w *world.World, used config.Simulated) Outside {
	out := SandboxAt(w.Places)
	out.Sandbox = func(a *App, api *web.API) {
		for _, x := range []struct {
			used     bool
			register func()
		}{
			{used.Mail, func() { a.mailboxRoutes(api) }},
			{used.Chain, func() { chainRoutes(w, api) }},
			{used.Bank, func() { bankRoutes(w.Bank, api) }},
			{used.Rates || used.Liquidity, func() { marketRoutes(a, api) }},
			{used.Verification, func() { a.Organisation.SandboxRoutes(api) }},
			{used.Verification, func() { idvRoutes(w, a, api) }},
		} {
			if x.used {
				x.register()
			}
		}
	}

	return out
}
