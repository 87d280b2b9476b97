package liquidity

import (
	"context"
	"fmt"
)

// Named is a provider under the name that the configuration gives it. A name stands for one provider for ever: orders
// are stored with it.
type Named struct {
	Name       string
	Provider   Provider
	Currencies []string // which it serves; the first of Providers serves all others
	Own        bool     // it is the house's own stock, which has its own accounts
}

// Providers are a deployment's providers by name, and which of them serves a currency. Safe for concurrent use.
type Providers struct {
	first  string
	byName map[string]Provider
	serves map[string]string // name, by currency
	own    map[string]bool
}

// NewProviders returns the providers of a deployment. The first one serves every currency that no other one names. One
// without currencies gets no new orders, but answers for those that it holds.
func NewProviders(first Named, others ...Named) (*Providers, error) {
	p := &Providers{
		first:  first.Name,
		byName: map[string]Provider{},
		serves: map[string]string{},
		own:    map[string]bool{},
	}

	for _, n := range append([]Named{first}, others...) {
		if _, twice := p.byName[n.Name]; twice || n.Name == "" {
			return nil, fmt.Errorf("two providers of liquidity have the name %q, or one has none", n.Name)
		}

		p.byName[n.Name] = n.Provider
		p.own[n.Name] = n.Own

		for _, currency := range n.Currencies {
			if other := p.serves[currency]; other != "" {
				return nil, fmt.Errorf("both %s and %s serve %s", other, n.Name, currency)
			}

			p.serves[currency] = n.Name
		}
	}

	return p, nil
}

// For returns the name of the provider that gets new orders of a currency.
func (p *Providers) For(currency string) string {
	if name, ok := p.serves[currency]; ok {
		return name
	}

	return p.first
}

// IsStock reports whether a provider is the house's own stock.
func (p *Providers) IsStock(name string) bool { return p.own[name] }

// By returns the provider of a name. One that is not configured any more answers ErrUnknown to everything, since it may
// hold the order.
func (p *Providers) By(name string) Provider {
	if provider, ok := p.byName[name]; ok {
		return provider
	}

	return missing(name)
}

// Bookkeepers returns the providers that write a statement, by name. The house's own stock writes none.
func (p *Providers) Bookkeepers() map[string]Bookkeeper {
	out := map[string]Bookkeeper{}

	for name, provider := range p.byName {
		if b, ok := provider.(Bookkeeper); ok && !p.own[name] {
			out[name] = b
		}
	}

	return out
}

// missing is a provider that is not configured.
type missing string

// Place returns ErrUnknown.
func (m missing) Place(context.Context, Order) (Result, error) { return Result{}, m.unknown() }

// Look returns ErrUnknown.
func (m missing) Look(context.Context, string) (Result, error) { return Result{}, m.unknown() }

func (m missing) unknown() error {
	return fmt.Errorf("the liquidity provider %s is not configured: %w", string(m), ErrUnknown)
}
