package network

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/standards/eip55"
)

// Settings are the optional fields of a network, in both bodies. A field that is left out stays as it is.
type Settings struct {
	ChainID          *int64     `json:"chainId,omitempty" minimum:"1" maximum:"9007199254740991" doc:"EIP-155 number; the node must give the same"`
	RPCURL           *string    `json:"rpcUrl,omitempty" maxLength:"2000" doc:"shown to everybody; put an address with a key into internalRpcUrl"`
	InternalRPCURL   *string    `json:"internalRpcUrl,omitempty" maxLength:"2000" doc:"node that the service asks first about this network's tokens; the configuration decides instead where it names the network, and this cannot be changed there; never returned"`
	WSRPCURL         *string    `json:"wsRpcUrl,omitempty" maxLength:"2000" doc:"WebSocket address of a node"`
	BlockExplorerURL *string    `json:"blockExplorerUrl,omitempty" maxLength:"2000" doc:"where people look at transactions"`
	IsClientVisible  *bool      `json:"isClientVisible,omitempty" doc:"offered to clients; needs a chainId and a node first"`
	IsTestnet        *bool      `json:"isTestnet,omitempty" doc:"its tokens have no worth"`
	Contracts        Contracts  `json:"contracts,omitempty" doc:"by name; router is the one wallets approve"`
	NativeCurrency   caller.Ref `json:"nativeCurrency,omitempty" record:"token" doc:"token identifier or code"`
	Features         []string   `json:"features,omitempty" enum:"LOANS,PAYABLES,ONRAMP,C2C,C2F,BATCH,SWEEP" maxItems:"7" doc:"what is offered on it"`
	MinTransaction   *Number    `json:"minTransactionFee,omitempty" nullable:"false" doc:"the least fee of a transaction"`
	AMLProviderName  *string    `json:"amlProviderName,omitempty" maxLength:"100" doc:"who screens addresses of this network"`
	ScreenOnProvider *bool      `json:"screenOnScreeningProvider,omitempty" doc:"whether addresses are screened there"`
	MultisigPrefix   *string    `json:"multisigChainPrefix,omitempty" maxLength:"32" pattern:"^[a-z0-9-]+$" doc:"short name of EIP-3770, such as eth"`
	WalletAddress    *string    `json:"walletAddress,omitempty" maxLength:"64" doc:"the treasury, which receives fees"`
	Finality         *Finality  `json:"finality,omitempty" nullable:"false"`
	MaxFeePerGasWei  *string    `json:"maxFeePerGasWei,omitempty" maxLength:"30" pattern:"^[0-9]+$" doc:"most that is paid for one unit of gas, in wei"`
	StuckAfter       *int64     `json:"stuckAfterSeconds,omitempty" minimum:"1" maximum:"86400" doc:"how long a send may wait before its fee is raised"`
	BlockTime        *int64     `json:"blockTime,omitempty" minimum:"1" maximum:"3600000" doc:"milliseconds between blocks"`
}

// CreateBody is the body of POST /networks.
type CreateBody struct {
	Name string `json:"name" maxLength:"100"`
	Type string `json:"type" maxLength:"20" doc:"evm; tron, solana, stellar and bitcoin are reserved"`
	Settings
}

// ChangeBody is the body of PATCH /networks/{id}.
type ChangeBody struct {
	Name *string `json:"name,omitempty" nullable:"false" minLength:"1" maxLength:"100"`
	Type *string `json:"type,omitempty" nullable:"false" maxLength:"20" doc:"evm"`
	Settings
}

func put[T any](into *T, from *T) {
	if from != nil {
		*into = *from
	}
}

// apply writes what was given.
func (b Settings) apply(n *Network) {
	put(&n.ChainID, b.ChainID)
	put(&n.RPCURL, b.RPCURL)
	put(&n.InternalRPCURL, b.InternalRPCURL)
	put(&n.WSRPCURL, b.WSRPCURL)
	put(&n.Explorer, b.BlockExplorerURL)
	put(&n.ClientVisible, b.IsClientVisible)
	put(&n.Testnet, b.IsTestnet)
	put(&n.AMLProvider, b.AMLProviderName)
	put(&n.ScreenOnProvider, b.ScreenOnProvider)
	put(&n.MultisigPrefix, b.MultisigPrefix)
	put(&n.Finality, b.Finality)
	put(&n.MaxFeePerGasWei, b.MaxFeePerGasWei)

	if b.Contracts != nil {
		n.Contracts = b.Contracts
	}

	if b.Features != nil {
		n.Features = slices.Compact(slices.Sorted(slices.Values(b.Features)))
	}

	if b.MinTransaction != nil {
		n.MinTransactionFee = string(*b.MinTransaction)
	}

	if b.NativeCurrency != "" {
		n.NativeToken = string(b.NativeCurrency)
		if t, ok := refdata.All().Token(n.NativeToken); ok {
			n.NativeToken = t.Code
		}
	}

	if b.WalletAddress != nil {
		n.WalletAddress = *b.WalletAddress
		if a, err := eip55.Read(n.WalletAddress); err == nil {
			n.WalletAddress = a.Hex()
		}
	}

	if b.StuckAfter != nil {
		n.StuckAfter = time.Duration(*b.StuckAfter) * time.Second
	}

	if b.BlockTime != nil {
		n.BlockTime = time.Duration(*b.BlockTime) * time.Millisecond
	}
}

type createIn struct{ Body CreateBody }

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type changeIn struct {
	byID
	Body ChangeBody
}

type tokenIn struct {
	byID
	Token string `path:"token" maxLength:"20" doc:"isoCode"`
	Body  struct {
		Address  string `json:"address" maxLength:"64" doc:"contract of the token"`
		Decimals int    `json:"decimals" minimum:"0" maximum:"36" doc:"of this contract: the same token differs from chain to chain"`
	}
}

type listIn struct {
	web.Paging
	Type          []string `query:"type[]" maxItems:"10" enum:"evm,tron,solana,stellar,bitcoin" doc:"networks of one of these types"`
	IsTestnet     *bool    `query:"isTestnet" doc:"true: only test networks; false: only others"`
	ClientVisible *bool    `query:"isClientVisible" doc:"true: only networks that are offered; false, for the platform's people: only others"`
	Features      []string `query:"features[]" maxItems:"7" enum:"LOANS,PAYABLES,ONRAMP,C2C,C2F,BATCH,SWEEP" doc:"networks that have all of them"`
	SortBy        string   `query:"sortBy" default:"name" enum:"name,chainId,createdAt" doc:"what the list is sorted by"`
	Direction     int      `query:"direction" default:"1" enum:"-1,1" doc:"1: ascending; -1: descending"`
}

// Routes registers the operations of networks.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary string, access web.Access) web.Operation {
		return web.Operation{
			Method:  method,
			Path:    path,
			ID:      id,
			Summary: summary,
			Tag:     "networks",
			Access:  access,
		}
	}

	web.Register(api, op("GET", "/networks", "listNetworks", "List networks", web.Bearer), s.list)

	create := op("POST", "/networks", "createNetwork", "Add a network", web.Operator)
	create.Codes = []fault.Code{fault.NetworkTypeUnsupp, fault.AddressInvalid, fault.TreasuryIsWallet}
	create.Status = 201
	create.Location = "/networks/{id}"
	create.Stages = true
	web.Register(api, create, s.create)

	visible := op("GET", "/networks/client-visible-evm", "listClientVisibleEvmNetworks", visibleSummary, web.Bearer)
	web.Register(api, visible, s.visible)

	web.Register(api, op("GET", "/networks/{id}", "readNetwork", "Read a network", web.Bearer), s.read)
	api.Shows("network", func(ctx context.Context, id string) (any, error) { return s.read(ctx, &byID{ID: id}) })

	change := op("PATCH", "/networks/{id}", "changeNetwork", "Change a network", web.Operator)
	change.Codes = []fault.Code{
		fault.NetworkTypeUnsupp,
		fault.NetworkFixed,
		fault.NetworkConfigured,
		fault.TreasuryIsWallet,
	}
	change.Description = changeDescription
	change.Stages = true
	web.Register(api, change, s.change)

	remove := op("DELETE", "/networks/{id}", "deleteNetwork", "Take a network out of use", web.Operator)
	remove.Codes = []fault.Code{fault.NetworkInUse}
	web.Register(api, remove, s.remove)

	place := op("PUT", "/networks/{id}/tokens/{token}", "placeToken", "Say where a token is on a network", web.Operator)
	place.Codes = []fault.Code{
		fault.NetworkFixed,
		fault.NetworkInUse,
		fault.NetworkNoNode,
		fault.AddressInvalid,
		fault.TokenNoContract,
		fault.TokenDecimals,
		fault.TokenSymbol,
		fault.UpstreamFailed,
	}
	place.Description = placeDescription
	web.Register(api, place, s.place)
}

const (
	visibleSummary    = "List the EVM networks that are offered"
	changeDescription = "On a network in use a change of the treasury, contracts, nodes, finality, fees or screening " +
		"waits a day, and then for a second operator: `pendingApproval` names the approval, and the network is as " +
		"it was. On a network that the deployment's configuration names, type, chainId, internalRpcUrl, finality, " +
		"maxFeePerGasWei and stuckAfterSeconds are changed there: 422 `NETWORK_FIELD_CONFIGURED`."
	placeDescription = "The contract's code, decimals and symbol are read from two nodes where the network has two. " +
		"What differs is refused. Then a second operator decides, on a network in use after a day: `pendingApproval` " +
		"names the approval. The chain is asked again before the token is recorded, and every hour from then on."
)

func (s *Service) create(ctx context.Context, in *createIn) (*View, error) {
	b := in.Body

	n := Network{
		Name:             strings.TrimSpace(b.Name),
		Type:             b.Type,
		NativeToken:      "ETH",
		Finality:         Finality{Tag: "finalized"},
		StuckAfter:       3 * time.Minute,
		BlockTime:        12 * time.Second,
		ScreenOnProvider: true,
	}
	b.Settings.apply(&n)

	if facts, known := FactsOf(n.ChainID); known {
		n = n.fillIn(facts)
		b.Settings.apply(&n) // what the body says stands; what contradicts is refused by name
	}

	return s.once(ctx, 201, func(done func(*db.Tx, Network) error) error { return s.Create(ctx, n, done) })
}

func (s *Service) change(ctx context.Context, in *changeIn) (*View, error) {
	b := in.Body
	edit := func(n *Network) {
		put(&n.Name, b.Name)
		put(&n.Type, b.Type)
		b.Settings.apply(n)
	}

	return s.once(ctx, 200, func(done func(*db.Tx, Network) error) error {
		return s.Change(ctx, in.ID, edit, done)
	})
}

func (s *Service) remove(ctx context.Context, in *byID) (*View, error) {
	return s.once(ctx, 200, func(done func(*db.Tx, Network) error) error {
		return s.Delete(ctx, in.ID, done)
	})
}

func (s *Service) place(ctx context.Context, in *tokenIn) (*View, error) {
	a, err := eip55.Read(in.Body.Address)
	if err != nil || eip55.Reserved(a) {
		var l fault.List
		l.Add("/address", fault.AddressInvalid, "is not the address of a contract with a right checksum.")
		return nil, l.Err()
	}

	t := Token{Code: in.Token, Address: a.Hex(), Decimals: in.Body.Decimals}
	same := func(v View) View { return v }

	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.PlaceToken(ctx, in.ID, t, func(tx *db.Tx, n Network) error {
			asked := tokenObject(n.ID, t.Code)

			waiting, err := approval.PendingOf(ctx, tx, approval.Token, []string{""}, []string{asked})
			if err != nil {
				return err
			}

			v := ViewOf(n)
			v.PendingApproval = waiting[asked]

			return done(tx, v)
		})
	})
}

// seesAll: the platform's people see networks that are not offered yet.
func seesAll(ctx context.Context) bool { return caller.Of(ctx).Staff != "" }

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	n, err := ByID(ctx, s.deps.DB, in.ID)
	if err == nil && !n.ClientVisible && !seesAll(ctx) {
		err = fault.Missing("network")
	}

	if err != nil {
		return nil, err
	}

	return web.Only(s.views(ctx, s.deps.DB, []Network{n}))
}

// views shows networks. Only the platform's people see what a network waits for.
func (s *Service) views(ctx context.Context, q db.Querier, all []Network) ([]View, error) {
	waiting := map[string]string{}

	if seesAll(ctx) {
		ids := make([]string, len(all))
		for i, n := range all {
			ids[i] = n.ID
		}

		var err error
		if waiting, err = pendingOf(ctx, q, ids); err != nil {
			return nil, err
		}
	}

	views := make([]View, len(all))
	for i, n := range all {
		views[i] = ViewOf(n)
		views[i].PendingApproval = waiting[n.ID]
	}

	return views, nil
}

// pendingOf returns the approvals that networks wait for: of a change of the network, or else of a token on it.
func pendingOf(ctx context.Context, q db.Querier, ids []string) (map[string]string, error) {
	out, err := approval.PendingOf(ctx, q, approval.Network, []string{""}, ids)
	if err != nil {
		return nil, err
	}

	var objects []string

	for _, id := range ids {
		for _, t := range refdata.All().Tokens {
			if !t.Native {
				objects = append(objects, tokenObject(id, t.Code))
			}
		}
	}

	tokens, err := approval.PendingOf(ctx, q, approval.Token, []string{""}, objects)

	for _, object := range objects {
		id, _, _ := strings.Cut(object, "/")
		if out[id] == "" {
			out[id] = tokens[object]
		}
	}

	return out, err
}

// once runs a use case that ends with a network and shows the network as of that transaction.
func (s *Service) once(
	ctx context.Context,
	status int,
	run func(done func(*db.Tx, Network) error) error,
) (*View, error) {
	same := func(v View) View { return v }

	return web.Once(ctx, status, same, func(done func(*db.Tx, View) error) error {
		return run(func(tx *db.Tx, n Network) error {
			views, err := s.views(ctx, tx, []Network{n})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}

func (s *Service) visible(ctx context.Context, _ *struct{}) (*[]View, error) {
	all, err := All(ctx, s.deps.DB)
	if err != nil {
		return nil, err
	}

	all = slices.DeleteFunc(all, func(n Network) bool { return !n.ClientVisible || n.Type != EVM })
	out, err := s.views(ctx, s.deps.DB, all)

	return &out, err
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	w, err := in.Window()
	if err != nil {
		return nil, err
	}

	all, err := All(ctx, s.deps.DB)
	if err != nil {
		return nil, err
	}

	rows := in.filter(all, seesAll(ctx))
	slices.SortFunc(rows, func(a, b Network) int {
		return in.Direction * strings.Compare(in.position(a), in.position(b))
	})

	start := w.Offset
	if w.After != "" {
		start = 0
		for start < len(rows) && in.Direction*strings.Compare(in.position(rows[start]), w.After) <= 0 {
			start++
		}
	}

	start = min(start, len(rows))
	end := min(start+w.Limit, len(rows))
	next := ""

	views, err := s.views(ctx, s.deps.DB, rows[start:end])
	if err != nil {
		return nil, err
	}

	if end < len(rows) {
		next = in.position(rows[end-1])
	}

	out := web.NewList(views, int64(len(rows)), next)

	return &out, nil
}

// filter keeps what was asked for. Networks are few: they are filtered and sorted here and not by the database.
func (in *listIn) filter(all []Network, staff bool) []Network {
	return slices.DeleteFunc(all, func(n Network) bool {
		for _, f := range in.Features {
			if !slices.Contains(n.Features, f) {
				return true
			}
		}

		return !staff && !n.ClientVisible || in.ClientVisible != nil && *in.ClientVisible != n.ClientVisible ||
			in.IsTestnet != nil && *in.IsTestnet != n.Testnet || len(in.Type) > 0 && !slices.Contains(in.Type, n.Type)
	})
}

// position is where a network stands in the order asked for; ties are broken by the identifier.
func (in *listIn) position(n Network) string {
	key := strings.ToLower(n.Name)
	switch in.SortBy {
	case "chainId":
		key = pad(n.ChainID)
	case "createdAt":
		key = pad(n.CreatedAt.UnixMicro())
	}

	return key + "\x01" + n.ID
}

func pad(n int64) string {
	s := strconv.FormatInt(n, 10)
	return strings.Repeat("0", 20-len(s)) + s
}

// Number is a JSON number that is kept as it was written.
type Number = web.Number
