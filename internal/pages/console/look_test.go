//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// token is a colour of look.css, in light and in dark.
var token = regexp.MustCompile(
	`(?m)^  --([a-z-]+): (?:light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)|(#[0-9a-f]{3,6}));`,
)

// TestColoursCanBeRead computes the contrast of each pair of colours that the console puts on each other, from its
// style sheet: 4.5:1 for texts, 3:1 for the edges of controls and for the focus (WCAG 2.2, 1.4.3 and 1.4.11).
func TestColoursCanBeRead(t *testing.T) {
	sheet, err := os.ReadFile("../../../console/src/look.css")
	require.NoError(t, err)

	colours := map[string][2]string{"white": {"#fff", "#fff"}}
	for _, m := range token.FindAllStringSubmatch(string(sheet), -1) {
		colours[m[1]] = [2]string{m[2] + m[4], m[3] + m[4]}
	}

	require.Greater(t, len(colours), 20)

	check := func(least float64, over string, inks ...string) {
		for _, ink := range inks {
			require.Contains(t, colours, ink)
			require.Contains(t, colours, over)

			for scheme, name := range []string{"light", "dark"} {
				got := contrast(t, colours[ink][scheme], colours[over][scheme])
				require.GreaterOrEqual(t, got, least, "%s on %s in %s: %.2f", ink, over, name, got)
			}
		}
	}

	const text, edge = 4.5, 3.0

	states := []string{"waits", "moving", "good", "wrong", "person"}
	for _, ground := range []string{"paper", "ground", "soft"} {
		check(text, ground, append([]string{"ink", "quiet", "accent"}, states...)...)
		check(edge, ground, "line", "accent")
	}

	for _, state := range states {
		check(text, state+"-soft", state, "ink", "quiet", "accent")
	}

	check(text, "side", "side-ink", "side-quiet", "white")
	check(text, "side-on", "side-ink", "white")
	check(text, "button", "white")
}

// contrast returns the contrast of two colours, from 1 to 21 (WCAG 2.2, relative luminance).
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x := luminance(t, a)
	y := luminance(t, b)

	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()

	digits := colour[1:]
	if len(digits) == 3 {
		digits = fmt.Sprintf("%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", digits[0], digits[1], digits[2])
	}

	rgb, err := strconv.ParseUint(digits, 16, 32)
	require.NoError(t, err)

	part := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}

		return math.Pow((c+0.055)/1.055, 2.4)
	}

	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
