//go:build noconsole

// Package console is left out of this build.
package console

import "slipway/internal/platform/web"

// Present reports whether this program has the console.
const Present = false

// Me is the page on which a forgotten password is set anew: there is no other one.
const Me = "/account/forgot"

// Build returns "": there is no bundle.
func Build() string { return "" }

// Routes mounts nothing.
func Routes(*web.API) {}
