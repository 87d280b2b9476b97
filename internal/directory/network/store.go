package network

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// maxNetworks bounds what is read at once; a deployment has a dozen.
const maxNetworks = 1000

var (
	networkTable     = db.NewTable("networks", (*row).columns)
	networkTableOnce = networkTable.OrIgnore("(id)")
	insertToken      = db.InsertInto("token_addresses", "network, token, address, decimals, symbol")
	insertTokenOnce  = insertToken.OrIgnore("(network, token)")
)

// row is a network as it is stored.
type row struct {
	Network

	features  string // joined by commas
	deletedAt time.Time
}

// columns lists every column once. A new field needs one line here.
func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("name", &r.Name)
	c.Text("type", &r.Type)

	c.Int64("chain_id", &r.ChainID)
	c.Text("rpc_url", &r.RPCURL)
	c.Text("internal_rpc_url", &r.InternalRPCURL)
	c.Text("ws_rpc_url", &r.WSRPCURL)
	c.Text("block_explorer_url", &r.Explorer)
	c.Bool("is_client_visible", &r.ClientVisible)
	c.Bool("is_testnet", &r.Testnet)

	c.JSON("contracts", (*map[string]string)(&r.Contracts))
	c.Text("native_token", &r.NativeToken)
	c.Text("features", &r.features)
	c.Text("min_transaction_fee", &r.MinTransactionFee)
	c.Text("aml_provider_name", &r.AMLProvider)
	c.Bool("screen_on_provider", &r.ScreenOnProvider)
	c.Text("multisig_chain_prefix", &r.MultisigPrefix)
	c.Text("wallet_address", &r.WalletAddress)

	c.Text("finality_tag", &r.Finality.Tag)
	c.Int("finality_depth", &r.Finality.Depth)
	c.Text("max_fee_per_gas_wei", &r.MaxFeePerGasWei)
	c.Duration("stuck_after_seconds", time.Second, &r.StuckAfter)
	c.Duration("block_time_ms", time.Millisecond, &r.BlockTime)

	c.Time("used_at", &r.UsedAt)
	c.Time("deleted_at", &r.deletedAt)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func rowOf(n Network, now time.Time) *row {
	r := &row{Network: n, features: strings.Join(n.Features, ",")}
	if n.Deleted {
		r.deletedAt = now
	}

	return r
}

func (r *row) network() Network {
	n := r.Network
	n.Deleted = !r.deletedAt.IsZero()

	if r.features != "" {
		n.Features = strings.Split(r.features, ",")
	}

	return n
}

// update writes every column of a network that was read at version n.Version, and returns it with its next version.
func update(tx *db.Tx, n Network) Network {
	before := n.Version
	n.Version++
	n.UpdatedAt = tx.Now
	networkTable.Update(tx, rowOf(n, tx.Now), before)

	return n
}

func query(ctx context.Context, q db.Querier, w db.Where) ([]Network, error) {
	rows, err := networkTable.Select(ctx, q, w.SQL()+" ORDER BY id LIMIT ?", append(w.Args, int64(maxNetworks))...)
	if err != nil {
		return nil, fmt.Errorf("read networks: %w", err)
	}

	out := make([]Network, len(rows))
	for i := range rows {
		out[i] = rows[i].network()
	}

	return out, nil
}

// ByID returns a network that is not deleted, or the refusal for an unknown one.
func ByID(ctx context.Context, q db.Querier, id string) (Network, error) {
	r, err := networkTable.One(ctx, q, "WHERE id = ? AND deleted_at = 0", id)
	switch {
	case errors.Is(err, db.ErrNone):
		return Network{}, fault.Missing("network")
	case err != nil:
		return Network{}, fmt.Errorf("read network %s: %w", id, err)
	}

	return r.network(), nil
}

// All returns every network that is not deleted, by identifier.
func All(ctx context.Context, q db.Querier) ([]Network, error) {
	var w db.Where
	w.And("deleted_at = 0")
	return query(ctx, q, w)
}

// ByIDs returns the networks with these identifiers, deleted ones too: records that name them are still shown.
func ByIDs(ctx context.Context, q db.Querier, ids []string) (map[string]Network, error) {
	out := map[string]Network{}
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "id", ids)

	all, err := query(ctx, q, w)
	for _, n := range all {
		out[n.ID] = n
	}

	return out, err
}

// MarkUsed notes that something which cannot be undone rests on the network. Only the first call writes.
func MarkUsed(tx *db.Tx, n Network) error {
	if !n.UsedAt.IsZero() {
		return nil
	}

	_, err := tx.Exec("UPDATE networks SET used_at = ? WHERE id = ? AND used_at = 0", db.Micros(tx.Now), n.ID)

	return err
}

// Upsert writes a network under its own identifier, as a deployment does at each start with those of its configuration:
// made when it is not there, else replaced, whatever it was. The record's times and version are its own, and what the
// configuration does not tell stays as operators have set it.
func Upsert(ctx context.Context, tx *db.Tx, n Network) error {
	var w db.Where
	w.And("id = ?", n.ID)

	have, err := query(ctx, tx, w)
	if err != nil {
		return err
	}

	if len(have) == 0 {
		n.Version = 1
		n.CreatedAt = tx.Now
		n.UpdatedAt = tx.Now
		networkTable.Insert(tx, rowOf(n, tx.Now))

		return nil
	}

	n.Version = have[0].Version
	n.CreatedAt = have[0].CreatedAt
	n.UsedAt = have[0].UsedAt
	n.RPCURL = cmp.Or(n.RPCURL, have[0].RPCURL)
	n.WSRPCURL = cmp.Or(n.WSRPCURL, have[0].WSRPCURL)
	n.MinTransactionFee = cmp.Or(n.MinTransactionFee, have[0].MinTransactionFee)
	n.AMLProvider = cmp.Or(n.AMLProvider, have[0].AMLProvider)
	keepRouter(tx, have[0], n)
	update(tx, n)

	return nil
}

// SetToken puts a token's contract on a network, in place of one that is there.
func SetToken(tx *db.Tx, networkID string, t Token) error {
	if _, err := tx.Exec("DELETE FROM token_addresses WHERE network = ? AND token = ?", networkID, t.Code); err != nil {
		return err
	}

	tx.Insert(insertToken, networkID, t.Code, t.Address, int64(t.Decimals), t.Symbol)

	return nil
}

// SetSymbol stores the symbol that a token's contract tells, unless one is stored or the token has moved.
func SetSymbol(tx *db.Tx, networkID string, t Token, symbol string) {
	tx.Change("UPDATE token_addresses SET symbol = ? WHERE network = ? AND token = ? AND address = ? AND symbol = ''",
		symbol, networkID, t.Code, t.Address)
}

// WithToken returns a network, and a token on it as TokenOn does.
func WithToken(ctx context.Context, q db.Querier, networkID, code string) (Network, Token, error) {
	n, err := ByID(ctx, q, networkID)
	if err != nil {
		return n, Token{}, fmt.Errorf("network %s: %w", networkID, err)
	}

	token, err := TokenOn(ctx, q, networkID, code)
	if err != nil {
		return n, token, fmt.Errorf("token %s on %s: %w", code, networkID, err)
	}

	return n, token, nil
}

// TokenOn returns a token on a network, or refuses: TOKEN_UNKNOWN for a code that is not offered, TOKEN_NOT_ON_NETWORK
// for one without a contract there. The coin of the chain has no contract and no answer here.
func TokenOn(ctx context.Context, q db.Querier, networkID, code string) (Token, error) {
	known, ok := refdata.All().Token(code)
	if !ok || known.Code != code {
		return Token{}, fault.New(fault.Invalid, fault.TokenUnknown, "The token %q is not one that is offered.", code)
	}

	got, err := db.One(ctx, q, (*placed).dest,
		"SELECT "+placedColumns+" FROM token_addresses WHERE network = ? AND token = ?", networkID, code)
	switch {
	case errors.Is(err, db.ErrNone):
		return Token{}, fault.New(fault.Invalid, fault.TokenNotOnNetwork, "%s does not exist on this network.", code)
	case err != nil:
		return Token{}, fmt.Errorf("read token %s on %s: %w", code, networkID, err)
	}

	return got.tokenAs(known.ID), nil
}

const placedColumns = "network, token, address, decimals, symbol"

// placed is where a token is, as it is stored.
type placed struct {
	network, token, address, symbol string
	decimals                        int64
}

func (p *placed) dest() []any { return []any{&p.network, &p.token, &p.address, &p.decimals, &p.symbol} }

func (p *placed) tokenAs(id string) Token {
	return Token{
		ID:       id,
		Code:     p.token,
		Address:  p.address,
		Decimals: int(p.decimals),
		Symbol:   p.symbol,
	}
}

// Tokens returns every token of a network, by code.
func Tokens(ctx context.Context, q db.Querier, networkID string) ([]Token, error) {
	rows, err := placedTokens(ctx, q, " WHERE network = ?", networkID)

	out := make([]Token, 0, len(rows))
	for _, r := range rows {
		known, _ := refdata.All().Token(r.token)
		out = append(out, r.tokenAs(known.ID))
	}

	return out, err
}

func placedTokens(ctx context.Context, q db.Querier, where string, args ...any) ([]placed, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*placed).dest,
		"SELECT "+placedColumns+" FROM token_addresses"+where+" ORDER BY network, token LIMIT 10000",
		args...)
	if err != nil {
		return nil, fmt.Errorf("read token addresses: %w", err)
	}

	return rows, nil
}

// Addresses gives, by token code, where tokens are on the networks clients see. It is what refdata shows.
func Addresses(ctx context.Context, q db.Querier) (map[string][]refdata.TokenAddressView, error) {
	all, err := All(ctx, q)
	if err != nil {
		return nil, err
	}

	chain := map[string]int64{}
	for _, n := range all {
		if n.ClientVisible {
			chain[n.ID] = n.ChainID
		}
	}

	rows, err := placedTokens(ctx, q, "")

	out := map[string][]refdata.TokenAddressView{}
	for _, r := range rows {
		if id, ok := chain[r.network]; ok {
			out[r.token] = append(out[r.token], refdata.TokenAddressView{
				Network:  r.network,
				ChainID:  id,
				Address:  r.address,
				Decimals: int(r.decimals),
			})
		}
	}

	return out, err
}
