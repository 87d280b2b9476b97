package config_test

import (
	"errors"
	"fmt"

	"slipway/internal/platform/config"
)

// Settings come from the environment, a file, and defaults, in this order. http.listen is
// SLIPWAY_HTTP__LISTEN in the environment.
func ExampleLoad() {
	c, err := config.Load(config.Source{Environ: []string{"SLIPWAY_HTTP__LISTEN=127.0.0.1:9000"}})
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(c.HTTP.Listen)
	fmt.Println(c.Mode)

	// Output:
	// 127.0.0.1:9000
	// sandbox
}

// Everything that is wrong is reported at once.
func ExampleInvalid() {
	_, err := config.Load(config.Source{Environ: []string{
		"SLIPWAY_HTTP__LISTN=127.0.0.1:9000",
		"SLIPWAY_MODE=production",
	}})

	var invalid *config.Invalid

	fmt.Println(errors.As(err, &invalid))

	for _, problem := range invalid.Problems {
		fmt.Println(problem)
	}

	// Output:
	// true
	// there is no setting SLIPWAY_HTTP__LISTN; SLIPWAY_HTTP__LISTEN is the nearest
	// SLIPWAY_MODE: "production" is not one of: sandbox, test, live
}
