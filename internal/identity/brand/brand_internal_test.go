package brand

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

func TestColoursAreRefusedThatWhiteTextCannotBeReadOn(t *testing.T) {
	for colour, want := range map[string]string{
		"":           "",
		"#0B5CAD":    "",
		"#767676":    "", // 4.54
		"#777777":    "#767676",
		"#ffcc00":    "#",
		"#ffffff":    "#",
		"red":        "must be a colour",
		"#fff":       "must be a colour",
		"#0b5cad;x:": "must be a colour",
	} {
		var l fault.List

		check(&l, "", colour)

		if want == "" {
			require.NoError(t, l.Err(), colour)
			continue
		}

		require.ErrorContains(t, l.Err(), want, colour)
	}

	for _, colour := range []string{"#ffcc00", "#ffffff", "#00ff00", "#777777"} {
		require.GreaterOrEqual(t, contrastWithWhite(darker(colour)), contrast, colour)
	}

	require.InDelta(t, 21, contrastWithWhite("#000000"), 0.001)
	require.InDelta(t, 1, contrastWithWhite("#ffffff"), 0.001)
}
