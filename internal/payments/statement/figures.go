package statement

import (
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/money"
)

// figures is how many decimals are shown of each asset: as many as the longest amount of the document needs, so that
// decimal points align.
type figures map[string]int

// see takes amounts into account.
func (f figures) see(amounts ...Amount) {
	for _, a := range amounts {
		_, frac, _ := strings.Cut(a.Value, ".")
		f[a.Asset] = max(f[a.Asset], len(frac))
	}
}

// show returns an amount with thousands separators: −1,234.50. It never rounds.
func (f figures) show(a Amount) string {
	value, negative := strings.CutPrefix(a.Value, "-")

	whole, frac, _ := strings.Cut(value, ".")
	if whole == "" {
		return ""
	}

	frac += strings.Repeat("0", max(0, f[a.Asset]-len(frac)))

	text := money.Grouped(whole)
	if frac != "" {
		text += "." + frac
	}

	if negative {
		text = "−" + text
	}

	return text
}

// with returns an amount with its asset.
func (f figures) with(a Amount) string { return f.show(a) + " " + a.Asset }

func amount(a money.Amount) Amount { return Amount{a.String(), a.Asset().Code} }

func units(u *big.Int, of money.Asset) Amount {
	if u == nil {
		u = new(big.Int)
	}

	return Amount{money.Format(u, of.Decimals), of.Code}
}

// when returns a time as text, or "" for the zero time.
func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}

	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}

	return t.UTC().Format(time.DateOnly)
}
