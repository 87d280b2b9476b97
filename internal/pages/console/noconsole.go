//go:build noconsole

// Package console is left out of this build.
package console

import "slipway/internal/platform/web"

// Present reports whether this program has the console.
const Present = false

// Build returns "": there is no bundle.
func Build() string { return "" }

// Routes mounts nothing.
func Routes(*web.API) {}
