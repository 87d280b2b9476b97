package network

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// maxNetworks bounds what is read at once; a deployment has a dozen.
const maxNetworks = 1000

const columns = "id, name, type, chain_id, rpc_url, internal_rpc_url, ws_rpc_url, block_explorer_url, " +
	"is_client_visible, is_testnet, contracts, " +
	"native_token, features, min_transaction_fee, aml_provider_name, screen_on_provider, multisig_chain_prefix, " +
	"wallet_address, finality_tag, " +
	"finality_depth, max_fee_per_gas_wei, stuck_after_seconds, block_time_ms, used_at, deleted_at, version, " +
	"created_at, updated_at"

var (
	insertNetwork     = db.InsertInto("networks", columns)
	insertNetworkOnce = insertNetwork.OrIgnore("(id)")
	insertToken       = db.InsertInto("token_addresses", "network, token, address, decimals")
	insertTokenOnce   = insertToken.OrIgnore("(network, token)")
)

// row is a network as it is stored.
type row struct {
	n                                                Network
	contracts, features                              string
	depth, stuck, block, used, gone, created, change int64
}

func (r *row) dest() []any {
	n := &r.n

	return []any{
		&n.ID,
		&n.Name,
		&n.Type,
		&n.ChainID,
		&n.RPCURL,
		&n.InternalRPCURL,
		&n.WSRPCURL,
		&n.Explorer,
		&n.ClientVisible,
		&n.Testnet,
		&r.contracts,
		&n.NativeToken,
		&r.features,
		&n.MinTransactionFee,
		&n.AMLProvider,
		&n.ScreenOnProvider,
		&n.MultisigPrefix,
		&n.WalletAddress,
		&n.Finality.Tag,
		&r.depth,
		&n.MaxFeePerGasWei,
		&r.stuck,
		&r.block,
		&r.used,
		&r.gone,
		&n.Version,
		&r.created,
		&r.change,
	}
}

func (r *row) network() (Network, error) {
	n := r.n
	if r.contracts != "" {
		if err := json.Unmarshal([]byte(r.contracts), (*map[string]string)(&n.Contracts)); err != nil {
			return n, fmt.Errorf("contracts of network %s: %w", n.ID, err)
		}
	}

	if r.features != "" {
		n.Features = strings.Split(r.features, ",")
	}

	n.Finality.Depth = int(r.depth)
	n.StuckAfter = time.Duration(r.stuck) * time.Second
	n.BlockTime = time.Duration(r.block) * time.Millisecond
	n.UsedAt = db.Time(r.used)
	n.CreatedAt = db.Time(r.created)
	n.UpdatedAt = db.Time(r.change)
	n.Deleted = r.gone != 0

	return n, nil
}

func (n Network) values(now time.Time) ([]any, error) {
	contracts, err := json.Marshal(map[string]string(n.Contracts), json.Deterministic(true))

	gone := int64(0)
	if n.Deleted {
		gone = db.Micros(now)
	}

	return []any{
		n.ID,
		n.Name,
		n.Type,
		n.ChainID,
		n.RPCURL,
		n.InternalRPCURL,
		n.WSRPCURL,
		n.Explorer,
		n.ClientVisible,
		n.Testnet,
		string(contracts),
		n.NativeToken,
		strings.Join(n.Features, ","),
		n.MinTransactionFee,
		n.AMLProvider,
		n.ScreenOnProvider,
		n.MultisigPrefix,
		n.WalletAddress,
		n.Finality.Tag,
		int64(n.Finality.Depth),
		n.MaxFeePerGasWei,
		int64(n.StuckAfter / time.Second),
		n.BlockTime.Milliseconds(),
		db.Micros(n.UsedAt),
		gone,
		n.Version,
		db.Micros(n.CreatedAt),
		db.Micros(n.UpdatedAt),
	}, err
}

// insert adds the network; with once, an id that is there already stays as it is.
func insert(tx *db.Tx, n Network, once bool) error {
	v, err := n.values(tx.Now)
	if err != nil {
		return err
	}

	into := insertNetwork
	if once {
		into = insertNetworkOnce
	}

	tx.Insert(into, v...)

	return nil
}

// update writes every column of a network that was read at version n.Version, and gives it with its next one.
func update(tx *db.Tx, n Network) (Network, error) {
	was := n.Version
	n.Version = n.Version + 1
	n.UpdatedAt = tx.Now

	v, err := n.values(tx.Now)
	if err != nil {
		return n, err
	}

	names := strings.Split(columns, ", ")[1:]
	tx.Change(
		"UPDATE networks SET "+strings.Join(names, " = ?, ")+" = ? WHERE id = ? AND version = ?",
		append(v[1:], n.ID, was)...)

	return n, nil
}

func query(ctx context.Context, q db.Querier, w db.Where) ([]Network, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM networks"+w.SQL()+" ORDER BY id LIMIT ?",
		append(w.Args, int64(maxNetworks))...)
	if err != nil {
		return nil, fmt.Errorf("read networks: %w", err)
	}

	return db.Values(rows, (*row).network)
}

// ByID gives a network that is not deleted, or the refusal for an unknown one.
func ByID(ctx context.Context, q db.Querier, id string) (Network, error) {
	r, err := db.One(ctx, q, (*row).dest, "SELECT "+columns+" FROM networks WHERE id = ? AND deleted_at = 0", id)
	switch {
	case errors.Is(err, db.ErrNone):
		return Network{}, fault.Missing("network")
	case err != nil:
		return Network{}, fmt.Errorf("read network %s: %w", id, err)
	}

	return r.network()
}

// All gives every network that is not deleted, by identifier.
func All(ctx context.Context, q db.Querier) ([]Network, error) {
	var w db.Where
	w.And("deleted_at = 0")
	return query(ctx, q, w)
}

// ByIDs gives the networks with these identifiers, deleted ones too: records that name them are still shown.
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

// Upsert writes a network under its own identifier, as the sandbox does with the chain it runs itself: made when it
// is not there, else replaced, whatever it was. The record's times and version are its own.
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

		return insert(tx, n, false)
	}

	n.Version = have[0].Version
	n.CreatedAt = have[0].CreatedAt
	n.UsedAt = have[0].UsedAt
	_, err = update(tx, n)

	return err
}

// SetToken puts a token's contract on a network, in place of one that is there.
func SetToken(tx *db.Tx, networkID string, t Token) error {
	if _, err := tx.Exec("DELETE FROM token_addresses WHERE network = ? AND token = ?", networkID, t.Code); err != nil {
		return err
	}

	tx.Insert(insertToken, networkID, t.Code, t.Address, int64(t.Decimals))

	return nil
}

// TokenOn gives a token on a network, or refuses: TOKEN_UNKNOWN for a code that is not offered, TOKEN_NOT_ON_NETWORK
// for one without a contract there. The coin of the chain has no contract and no answer here.
func TokenOn(ctx context.Context, q db.Querier, networkID, code string) (Token, error) {
	known, ok := refdata.All().Token(code)
	if !ok || known.Code != code {
		return Token{}, fault.New(fault.Invalid, fault.TokenUnknown, "The token %q is not one that is offered.", code)
	}

	type at struct {
		address  string
		decimals int64
	}

	got, err := db.One(ctx, q, func(v *at) []any { return []any{&v.address, &v.decimals} },
		"SELECT address, decimals FROM token_addresses WHERE network = ? AND token = ?", networkID, code)
	switch {
	case errors.Is(err, db.ErrNone):
		return Token{}, fault.New(fault.Invalid, fault.TokenNotOnNetwork, "%s does not exist on this network.", code)
	case err != nil:
		return Token{}, fmt.Errorf("read token %s on %s: %w", code, networkID, err)
	}

	return Token{ID: known.ID, Code: code, Address: got.address, Decimals: int(got.decimals)}, nil
}

type placed struct {
	network, token, address string
	decimals                int64
}

// Tokens gives every token of a network, by code.
func Tokens(ctx context.Context, q db.Querier, networkID string) ([]Token, error) {
	rows, err := placedTokens(ctx, q, " WHERE network = ?", networkID)

	out := make([]Token, 0, len(rows))
	for _, r := range rows {
		known, _ := refdata.All().Token(r.token)
		out = append(out, Token{ID: known.ID, Code: r.token, Address: r.address, Decimals: int(r.decimals)})
	}

	return out, err
}

func placedTokens(ctx context.Context, q db.Querier, where string, args ...any) ([]placed, error) {
	rows, err := db.Select(
		ctx,
		q,
		func(v *placed) []any {
			return []any{&v.network, &v.token, &v.address, &v.decimals}
		},
		"SELECT network, token, address, decimals FROM token_addresses"+where+" ORDER BY network, token LIMIT 10000",
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
