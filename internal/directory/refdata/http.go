package refdata

import (
	"context"
	"net/http"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// PaymentRailView is a PaymentRail of the interface.
type PaymentRailView struct {
	ID             string  `json:"_id"`
	Name           string  `json:"name"`
	Rail           string  `json:"rail" doc:"code"`
	Display        string  `json:"display"`
	RequiredFields []Field `json:"requiredFields" nullable:"false"`
	Priority       int     `json:"priority" doc:"lower is tried first"`
	IsEnabled      bool    `json:"isEnabled"`
}

// CountryView is a Country of the interface.
type CountryView struct {
	ID        string            `json:"_id"`
	Name      string            `json:"name"`
	Alpha2    string            `json:"isoCode3166"`
	Alpha3    string            `json:"isoCode3166_alpha3"`
	Continent string            `json:"continent"`
	Rails     []PaymentRailView `json:"allowedPaymentRails" nullable:"false"`
	IBAN      bool              `json:"iban"`
}

// CurrencyView is a Currency of the interface.
type CurrencyView struct {
	ID       string            `json:"_id"`
	Name     string            `json:"name"`
	Symbol   string            `json:"symbol"`
	Code     string            `json:"isoCode"`
	Decimals int               `json:"decimals"`
	IsHidden bool              `json:"isHidden"`
	Rails    []PaymentRailView `json:"allowedPaymentRails" nullable:"false"`
}

// Token is the same by itself and within another record.
type (
	TokenAddressView = record.TokenAddress
	TokenView        = record.Token
)

// TradingPairView is a TradingPair of the interface.
type TradingPairView struct {
	ID                 string          `json:"_id"`
	Token              TokenView       `json:"token"`
	Currency           record.Currency `json:"currency"`
	Pair               string          `json:"pair"`
	IsHidden           bool            `json:"isHidden"`
	LiquidityProviders []string        `json:"liquidityProviders" nullable:"false" doc:"who converts it; operators list them with GET /operations/liquidity-providers"`
}

// View returns the interface's form.
func (r Rail) View() PaymentRailView {
	return PaymentRailView{r.ID, r.Name, r.Code, r.Display, r.Fields, r.Priority, r.Enabled}
}

// RailViews returns the interface's form of several rails, never nil.
func RailViews(rails []Rail) []PaymentRailView {
	out := make([]PaymentRailView, len(rails))
	for i, r := range rails {
		out[i] = r.View()
	}

	return out
}

// View returns the interface's form.
func (c Country) View() CountryView {
	return CountryView{c.ID, c.Name, c.Alpha2, c.Alpha3, c.Continent, RailViews(c.Rails), c.IBAN}
}

// View returns the interface's form.
func (c Currency) View() CurrencyView {
	return CurrencyView{c.ID, c.Name, c.Symbol, c.Code, c.Decimals, c.Hidden, RailViews(c.Rails)}
}

// Ref names the rail.
func (r Rail) Ref() record.RailRef {
	return record.RailRef{ID: r.ID, Name: r.Name, Rail: r.Code, Display: r.Display}
}

// RailRefs names several rails, never nil.
func RailRefs(rails []Rail) []record.RailRef {
	out := make([]record.RailRef, len(rails))
	for i, r := range rails {
		out[i] = r.Ref()
	}

	return out
}

// Embedded returns the interface's form within another record.
func (c Country) Embedded() record.Country {
	return record.Country{
		ID:        c.ID,
		Name:      c.Name,
		Alpha2:    c.Alpha2,
		Alpha3:    c.Alpha3,
		Continent: c.Continent,
		Rails:     RailRefs(c.Rails),
		IBAN:      c.IBAN,
	}
}

// Ref names the country.
func (c Country) Ref() record.CountryRef {
	return record.CountryRef{ID: c.ID, Name: c.Name, Alpha2: c.Alpha2}
}

// Embedded returns the interface's form within another record.
func (c Currency) Embedded() record.Currency {
	return record.Currency{
		ID:       c.ID,
		Name:     c.Name,
		Symbol:   c.Symbol,
		Code:     c.Code,
		Decimals: c.Decimals,
		IsHidden: c.Hidden,
		Rails:    RailRefs(c.Rails),
	}
}

// Ref names the currency.
func (c Currency) Ref() record.Coded { return record.Coded{ID: c.ID, Name: c.Name, Code: c.Code} }

// View returns the interface's form, with the addresses that are given.
func (t Token) View(addresses []TokenAddressView) TokenView {
	if addresses == nil {
		addresses = []TokenAddressView{}
	}

	return TokenView{
		ID:             t.ID,
		Name:           t.Name,
		Code:           t.Code,
		Logo:           t.Logo,
		ERC20Address:   addresses,
		TradableInFiat: t.TradableInFiat,
		IsHidden:       t.Hidden,
		OnrampEligible: t.Onramp,
		Stable:         t.IsStable,
	}
}

// Ref names the token.
func (t Token) Ref() record.Coded { return record.Coded{ID: t.ID, Name: t.Name, Code: t.Code} }

// Deps is what the operations need from elsewhere. Addresses gives, by token code, where tokens are on the networks
// clients see.
type Deps struct {
	DB        *db.DB
	Addresses func(ctx context.Context, q db.Querier) (map[string][]TokenAddressView, error)
	// Liquidity returns the names of the providers that convert a currency; nil: nobody does.
	Liquidity func(currency string) []string
}

// Service answers the operations.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// Routes registers the reads. Countries, currencies, tokens, rails and pairs are additions to the interface: its
// records name them by identifier, so clients need to find the identifiers.
func (s *Service) Routes(api *web.API) {
	c := All()
	api.Mount("GET", "/assets/tokens/{file}", web.Public, http.HandlerFunc(c.logo))

	shows(
		api,
		"country",
		c.Country,
		func(context.Context) (func(Country) CountryView, error) { return Country.View, nil },
	)
	shows(
		api,
		"currency",
		c.Currency,
		func(context.Context) (func(Currency) CurrencyView, error) { return Currency.View, nil },
	)
	shows(api, "token", c.Token, s.tokenView)
	shows(api, "tradingPair", c.PairByID, s.pairView)

	list(
		api,
		"/countries",
		"listCountries",
		"List the countries of ISO 3166-1",
		c.Countries,
		func(x Country) (string, bool) {
			return x.ID, false
		},
		func(context.Context) (func(Country) CountryView, error) { return Country.View, nil },
	)

	list(api, "/currencies", "listCurrencies", "List fiat currencies", c.Currencies, func(x Currency) (string, bool) {
		return x.ID, x.Hidden
	},
		func(context.Context) (func(Currency) CurrencyView, error) { return Currency.View, nil })

	list(api, "/payment-rails", "listPaymentRails", "List payment rails", c.Rails, func(x Rail) (string, bool) {
		return x.ID, !x.Enabled
	},
		func(context.Context) (func(Rail) PaymentRailView, error) { return Rail.View, nil })

	list(api, "/tokens", "listTokens", "List tokens with their addresses", c.Tokens, func(x Token) (string, bool) {
		return x.ID, x.Hidden
	}, s.tokenView)
	list(api, "/trading-pairs", "listTradingPairs", "List which token can be exchanged for which currency", c.Pairs,
		func(x Pair) (string, bool) { return x.ID, x.Hidden }, s.pairView)
}

func (s *Service) tokenView(ctx context.Context) (func(Token) TokenView, error) {
	at, err := s.deps.Addresses(ctx, s.deps.DB)
	return func(t Token) TokenView { return t.View(at[t.Code]) }, err
}

func (s *Service) pairView(ctx context.Context) (func(Pair) TradingPairView, error) {
	at, err := s.deps.Addresses(ctx, s.deps.DB)

	return func(p Pair) TradingPairView {
		v := TradingPairView{
			ID:                 p.ID,
			Token:              p.Token.View(at[p.Token.Code]),
			Currency:           p.Currency.Embedded(),
			Pair:               p.Token.Code + "/" + p.Currency.Code,
			IsHidden:           p.Hidden,
			LiquidityProviders: []string{},
		}
		if s.deps.Liquidity != nil {
			v.LiquidityProviders = append(v.LiquidityProviders, s.deps.Liquidity(p.Currency.Code)...)
		}

		return v
	}, err
}

type listIn struct {
	web.Paging
	IsHidden *bool `query:"isHidden" doc:"true includes what is not offered"`
}

// shows tells how records of a kind are shown where a request refers to one.
func shows[T, V any](
	api *web.API,
	kind string,
	find func(idOrCode string) (T, bool),
	viewer func(context.Context) (func(T) V, error),
) {
	api.Shows(kind, func(ctx context.Context, id string) (any, error) {
		x, known := find(id)
		if !known {
			return nil, fault.Missing(kind)
		}

		view, err := viewer(ctx)
		if err != nil {
			return nil, err
		}

		return view(x), nil
	})
}

// list registers one read: key gives the identifier of a row and whether lists leave it out.
func list[T, V any](
	api *web.API,
	path, id, summary string,
	all []T,
	key func(T) (string, bool),
	viewer func(context.Context) (func(T) V, error),
) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "references",
		Access:  web.Bearer,
	},
		func(ctx context.Context, in *listIn) (*web.List[V], error) {
			w, err := in.Window()
			if err != nil {
				return nil, err
			}

			view, err := viewer(ctx)
			if err != nil {
				return nil, err
			}

			out, err := page(all, key, in.IsHidden != nil && *in.IsHidden, w, view)

			return &out, err
		})
}

func page[T, V any](
	all []T,
	key func(T) (string, bool),
	hidden bool,
	w caller.Window,
	view func(T) V,
) (web.List[V], error) {
	var rows []T
	start := w.Offset

	found := w.After == ""
	for _, x := range all {
		id, hide := key(x)
		if hide && !hidden {
			continue
		}

		rows = append(rows, x)
		if id == w.After {
			start = len(rows)
			found = true
		}
	}

	if !found {
		var l fault.List
		l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list.")
		return web.List[V]{}, l.Err()
	}

	start = min(start, len(rows))
	end := min(start+w.Limit, len(rows))
	views := make([]V, 0, end-start)
	next := ""

	for _, x := range rows[start:end] {
		views = append(views, view(x))
	}

	if end < len(rows) && end > start {
		next, _ = key(rows[end-1])
	}

	return web.NewList(views, int64(len(rows)), next), nil
}
