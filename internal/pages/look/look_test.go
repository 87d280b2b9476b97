package look

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	palette  = regexp.MustCompile(`:root \{[^}]*\}`)
	variable = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{3,6})`)
)

// Text has a contrast of 4.5 to 1 and edges of what one operates 3 to 1, light, dark and on paper (WCAG 2.2, 1.4.3 and
// 1.4.11).
func TestColoursCanBeTold(t *testing.T) {
	found := palette.FindAllString(string(CSS), -1)
	require.Len(t, found, 3)

	for name, text := range map[string]string{"light": found[0], "dark": found[1], "paper": found[0] + found[2]} {
		colour := map[string]string{"white": "#ffffff"}
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			colour[m[1]] = m[2]
		}

		for _, test := range []struct {
			on, at string
			least  float64
		}{
			{"ink", "paper", 4.5},
			{"ink", "soft", 4.5},
			{"ink", "ground", 4.5},
			{"ink", "wrong-soft", 4.5},
			{"quiet", "paper", 4.5},
			{"quiet", "ground", 4.5},
			{"quiet", "soft", 4.5},
			{"accent", "paper", 4.5},
			{"accent", "ground", 4.5},
			{"accent", "soft", 4.5},
			{"wrong", "paper", 4.5},
			{"good", "paper", 4.5},
			{"white", "button", 4.5},
			{"line", "paper", 3},
			{"wrong", "wrong-soft", 3},
			{"accent", "edge", 3},
		} {
			require.NotEmpty(t, colour[test.on], test.on)
			require.NotEmpty(t, colour[test.at], test.at)

			require.GreaterOrEqual(t, contrast(t, colour[test.on], colour[test.at]), test.least, "%s: %s on %s", name,
				test.on, test.at)
		}
	}
}

// contrast is that of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x := luminance(t, a)
	y := luminance(t, b)

	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()

	if len(colour) == 4 {
		colour = "#" + string([]byte{colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]})
	}

	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		require.NoError(t, err)

		part := float64(n) / 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}

		sum += weight * part
	}

	return sum
}
