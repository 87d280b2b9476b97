package liquidity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/liquidity"
)

// The currencies that a provider names are its own; the first provider serves all others; one that names none gets no
// new order.
func TestProvidersServeTheirCurrencies(t *testing.T) {
	p, err := liquidity.NewProviders(
		liquidity.Named{Name: "main", Currencies: []string{"EUR"}},
		liquidity.Named{Name: "sterling", Currencies: []string{"GBP"}},
		liquidity.Named{Name: "retired"},
	)
	require.NoError(t, err)

	for currency, want := range map[string]string{"EUR": "main", "GBP": "sterling", "JPY": "main"} {
		t.Run(currency, func(t *testing.T) { require.Equal(t, want, p.For(currency)) })
	}
}

// Whoever is not configured any more may hold an order: nothing is known of it.
func TestMissingProviderLeavesTheOutcomeUnknown(t *testing.T) {
	p, err := liquidity.NewProviders(liquidity.Named{Name: "main"})
	require.NoError(t, err)

	_, err = p.By("gone").Look(t.Context(), "k")
	require.ErrorIs(t, err, liquidity.ErrUnknown)
	require.NotErrorIs(t, err, liquidity.ErrNoOrder)

	_, err = p.By("gone").Place(t.Context(), liquidity.Order{Key: "k"})
	require.ErrorIs(t, err, liquidity.ErrUnknown)
	require.ErrorContains(t, err, "gone")
}

func TestProvidersThatContradictEachOtherAreRefused(t *testing.T) {
	for name, others := range map[string][]liquidity.Named{
		"one name twice":     {{Name: "main"}},
		"no name":            {{Currencies: []string{"GBP"}}},
		"one currency twice": {{Name: "a", Currencies: []string{"GBP"}}, {Name: "b", Currencies: []string{"GBP"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := liquidity.NewProviders(liquidity.Named{Name: "main"}, others...)
			require.Error(t, err)
		})
	}
}
