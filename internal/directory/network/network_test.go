//go:build !nosandbox

package network_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/network"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

func each(t *testing.T, test func(t *testing.T, w *dt.World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, dt.New(t, d)) })
}

const fresh = `{"name":"Gnosis","type":"evm","chainId":250,"rpcUrl":"https://rpc.example.org","internalRpcUrl":"https://node.example.org/key-123","isClientVisible":true,` +
	`"features":["LOANS","C2C"],"minTransactionFee":0.25,"nativeCurrency":"tok_eth","contracts":{"router":"0x52908400098527886e0f7030069857d2e4169ee7"},` +
	`"walletAddress":"0x8617e340b3d01fa5f11f306f4090fd50e238070d","finality":{"depth":20},"maxFeePerGasWei":"50000000000","stuckAfterSeconds":90,"blockTime":5000}`

func TestNetworkComesBackWithoutItsInternalAddress(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(dt.Operator, "POST", "/networks", fresh).Status(201)
		for path, want := range map[string]any{
			"name":                   "Gnosis",
			"type":                   "evm",
			"chainId":                250.0,
			"rpcUrl":                 "https://rpc.example.org",
			"isClientVisible":        true,
			"isTestnet":              false,
			"contracts.router":       "0x52908400098527886E0F7030069857D2E4169EE7",
			"walletAddress":          "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
			"nativeCurrency.isoCode": "ETH",
			"minTransactionFee":      0.25,
			"finality.depth":         20.0,
			"maxFeePerGasWei":        "50000000000",
			"stuckAfterSeconds":      90.0,
			"blockTime":              5000.0,
		} {
			t.Run(path, func(t *testing.T) {
				require.Equal(t, want, a.Get(path))
			})
		}

		require.Contains(t, a.Raw, `"minTransactionFee":0.25`, "as it was written")
		require.Contains(t, a.Raw, `"tag":null`)

		id := a.Text("_id")
		for token, path := range map[string]string{
			dt.Operator: "/networks/" + id,
			dt.A:        "/networks/" + id,
			dt.Staff:    "/networks",
			dt.B:        "/networks/client-visible-evm",
		} {
			r := w.Do(token, "GET", path, "").Status(200)
			require.NotContains(t, r.Raw, "key-123", path)
			require.NotContains(t, r.Raw, "internalRpcUrl", path)
			require.Contains(t, r.Raw, id)
		}

		n, err := network.ByID(context.Background(), w.DB, id)
		require.NoError(t, err)
		require.Equal(t, []string{"https://node.example.org/key-123", "https://rpc.example.org"}, n.NodeURLs())
		require.Equal(t, "0x52908400098527886E0F7030069857D2E4169EE7", n.Router())
	})
}

func TestOnlyOperatorsWrite(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for _, token := range []string{dt.A, dt.Staff, dt.Homeless} {
			w.Do(token, "POST", "/networks", fresh).Refused(403, fault.RoleRequired, "")
			w.Do(token, "PATCH", "/networks/net_ethereum", `{"name":"x"}`).Refused(403, fault.RoleRequired, "")
			w.Do(token, "DELETE", "/networks/net_ethereum", "").Refused(403, fault.RoleRequired, "")

			w.Do(
				token,
				"PUT",
				"/networks/net_ethereum/tokens/USDC",
				`{"address":"0x52908400098527886e0f7030069857d2e4169ee7","decimals":6}`,
			).Refused(403, fault.RoleRequired, "")
		}

		w.Do("", "GET", "/networks", "").Refused(401, fault.TokenMissing, "")
	})
}

func TestWhatIsNotOfferedIsSeenByStaffOnly(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		hidden := w.Do(dt.A, "GET", "/networks/net_polygon", "").Refused(404, fault.NotFoundCode, "")
		unknown := w.Do(dt.A, "GET", "/networks/net_nowhere", "").Refused(404, fault.NotFoundCode, "")
		require.Equal(t, unknown.Raw, strings.ReplaceAll(hidden.Raw, "net_polygon", "net_nowhere"))
		w.Do(dt.Staff, "GET", "/networks/net_polygon", "").Status(200)
		require.EqualValues(t, 2, w.Do(dt.A, "GET", "/networks", "").Get("total"))
		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/networks?isClientVisible=false", "").Get("total"))
		require.EqualValues(t, 12, w.Do(dt.Staff, "GET", "/networks?isClientVisible=false", "").Get("total"))
	})
}

func TestListFiltersSortsAndPages(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		names := func(query string) (out []string) {
			for _, x := range w.Do(dt.Staff, "GET", "/networks?"+query, "").Status(200).List("results") {
				out = append(out, x.(map[string]any)["name"].(string))
			}

			return out
		}
		require.Equal(
			t,
			[]string{
				"Arbitrum One",
				"Arbitrum Sepolia",
				"Base",
				"Base Sepolia",
				"BNB Smart Chain",
				"BNB Smart Chain Testnet",
				"Ethereum",
				"Gnosis",
				"Gnosis Chiado",
				"OP Mainnet",
				"OP Sepolia",
				"Polygon",
				"Polygon Amoy",
				"Sepolia",
			},
			names(""),
		)
		require.Equal(t, []string{"Sepolia", "Polygon Amoy"}, names("direction=-1&limit=2"))
		require.Equal(t, []string{"Ethereum", "OP Mainnet", "BNB Smart Chain"}, names("sortBy=chainId&limit=3"))
		require.Equal(
			t,
			[]string{
				"Arbitrum Sepolia",
				"Base Sepolia",
				"BNB Smart Chain Testnet",
				"Gnosis Chiado",
				"OP Sepolia",
				"Polygon Amoy",
				"Sepolia",
			},
			names("isTestnet=true"),
		)
		require.Equal(t, []string{"Base", "Base Sepolia"}, names("limit=2&offset=2"))
		require.Equal(t, []string{"Base", "Base Sepolia"}, names("limit=2&page=2"))
		require.Empty(t, names("features[]=LOANS"))
		require.Len(t, names("features=C2C,ONRAMP&type=evm"), 14)
		require.Empty(t, names("type[]=tron"))
		first := w.Do(dt.Staff, "GET", "/networks?limit=3&sortBy=chainId", "").Status(200)
		require.Equal(
			t,
			[]string{"BNB Smart Chain Testnet", "Gnosis", "Polygon"},
			names("limit=3&sortBy=chainId&cursor="+first.Text("nextCursor")),
		)

		for query, code := range map[string]fault.Code{
			"?limit=0":       fault.OutOfRange,
			"?limit=251":     fault.OutOfRange,
			"?direction=2":   fault.NotInEnum,
			"?sortBy=rpcUrl": fault.NotInEnum,
			"?type=doge":     fault.NotInEnum,
		} {
			at, _, _ := strings.Cut(query, "=")
			if at == "?type" {
				at = "?type[]"
			}

			w.Do(dt.A, "GET", "/networks"+query, "").Refused(422, code, at)
		}
	})
}

func TestRulesOfANetwork(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		post := func(body string) *dt.Answer { return w.Do(dt.Operator, "POST", "/networks", body) }
		post(`{}`).Refused(422, fault.Required, "/name").Refused(422, fault.Required, "/type")
		post(`{"name":"T","type":"tron"}`).Refused(422, fault.NetworkTypeUnsupp, "/type")
		post(`{"name":"T","type":"doge"}`).Refused(422, fault.NotInEnum, "/type")
		post(`{"name":"T","type":"evm","isClientVisible":true}`).Refused(422, fault.NotAllowed, "/isClientVisible")

		post(`{"name":"T","type":"evm","finality":{"tag":"finalized","depth":3}}`).Refused(
			422,
			fault.FormatInvalid,
			"/finality",
		)

		post(`{"name":"T","type":"evm","walletAddress":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"}`).Refused(
			422,
			fault.AddressInvalid,
			"/walletAddress",
		)

		post(`{"name":"T","type":"evm","contracts":{"router":"0x12"}}`).Refused(
			422,
			fault.AddressInvalid,
			"/contracts/router",
		)

		post(`{"name":"T","type":"evm","contracts":{"a/b":"0x52908400098527886e0f7030069857d2e4169ee7"}}`).Refused(
			422,
			fault.UnknownField,
			"/contracts/a~1b",
		)

		post(`{"name":"T","type":"evm","nativeCurrency":"tok_usdc"}`).Refused(
			422,
			fault.TokenUnknown,
			"/nativeCurrency",
		)

		post(`{"name":"T","type":"evm","features":["FLY"]}`).Refused(422, fault.NotInEnum, "/features/0")
		post(`{"name":"T","type":"evm","minTransactionFee":-1}`).Refused(400, fault.TypeMismatch, "/minTransactionFee")
		post(`{"name":"T","type":"evm","usedAt":1}`).Refused(422, fault.UnknownField, "/usedAt")
		w.InUse = true
		w.Do(dt.Operator, "DELETE", "/networks/net_base", "").Refused(409, fault.NetworkInUse, "")
		w.InUse = false
		w.Do(dt.Operator, "DELETE", "/networks/net_base", "").Status(200)
		w.Do(dt.Operator, "GET", "/networks/net_base", "").Refused(404, fault.NotFoundCode, "")
		require.NoError(t, network.Seed(context.Background(), w.DB))

		w.Do(dt.Operator, "GET", "/networks/net_base", "").Refused(404, fault.NotFoundCode, "")
	})
}

func TestTokensAreFoundByNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		usdc, err := network.TokenOn(ctx, w.DB, "net_bnb", "USDC")
		require.NoError(t, err)

		require.Equal(t, network.Token{
			ID:       "tok_usdc",
			Code:     "USDC",
			Address:  "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
			Decimals: 18,
		}, usdc)

		_, err = network.TokenOn(ctx, w.DB, "net_sepolia", "DAI")
		require.True(t, fault.Is(err, fault.TokenNotOnNetwork))

		_, err = network.TokenOn(ctx, w.DB, "net_sepolia", "DOGE")
		require.True(t, fault.Is(err, fault.TokenUnknown))

		w.Do(dt.Operator, "PATCH", "/networks/net_sepolia", `{"rpcUrl":"http://127.0.0.1:8545"}`).Status(200)
		w.Chain.TokenAt(dai, network.Contract{Code: true, Decimals: 18, Symbol: "DAI"})

		pending := w.Do(
			dt.Operator,
			"PUT",
			"/networks/net_sepolia/tokens/DAI",
			`{"address":"0x52908400098527886e0f7030069857d2e4169ee7","decimals":18}`,
		).Status(200).Text("pendingApproval")
		approve(w, dt.Second, pending).Status(200)
		require.NoError(t, w.Approvals.CarryOut(ctx, pending))

		placed, err := network.TokenOn(ctx, w.DB, "net_sepolia", "DAI")
		require.NoError(t, err)
		require.Equal(t, "0x52908400098527886E0F7030069857D2E4169EE7", placed.Address)

		w.Do(
			dt.Operator,
			"PUT",
			"/networks/net_sepolia/tokens/DOGE",
			`{"address":"0x52908400098527886e0f7030069857d2e4169ee7","decimals":18}`,
		).Refused(404, fault.NotFoundCode, "")

		w.Do(
			dt.Operator,
			"PUT",
			"/networks/net_sepolia/tokens/DAI",
			`{"address":"0x0000000000000000000000000000000000000000","decimals":18}`,
		).Refused(422, fault.AddressInvalid, "/address")

		a := w.Do(dt.A, "GET", "/tokens", "").Status(200)
		require.NotContains(t, a.Raw, "net_sepolia", "only networks that are offered")
		require.Contains(t, a.Raw, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
	})
}

func TestUpsertKeepsOneNetworkUnderItsIdentifier(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		n := network.Network{
			ID:            "net_dev",
			Name:          "Dev",
			Type:          network.EVM,
			ChainID:       1337,
			RPCURL:        "http://127.0.0.1:1",
			ClientVisible: true,
			NativeToken:   "ETH",
			Finality:      network.Finality{Depth: 1},
		}
		for _, url := range []string{"http://127.0.0.1:1", "http://127.0.0.1:2"} {
			n.RPCURL = url

			require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
				if err := network.Upsert(context.Background(), tx, n); err != nil {
					return err
				}

				return network.SetToken(tx, "net_dev", network.Token{
					Code:     "USDC",
					Address:  "0x52908400098527886E0F7030069857D2E4169EE7",
					Decimals: 6,
				})
			}))
		}

		got, err := network.ByID(context.Background(), w.DB, "net_dev")
		require.NoError(t, err)
		require.Equal(t, "http://127.0.0.1:2", got.RPCURL)
		require.True(t, got.Ready())

		// What the configuration does not tell stays as operators have set it.
		w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_dev",
			`{"wsRpcUrl":"ws://127.0.0.1:3","minTransactionFee":0.5,"amlProviderName":"lists"}`,
		).Status(200)

		n.RPCURL = ""
		require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			return network.Upsert(context.Background(), tx, n)
		}))

		kept, err := network.ByID(context.Background(), w.DB, "net_dev")
		require.NoError(t, err)
		require.Equal(t, "http://127.0.0.1:2", kept.RPCURL)
		require.Equal(t, "ws://127.0.0.1:3", kept.WSRPCURL)
		require.Equal(t, "0.5", kept.MinTransactionFee)
		require.Equal(t, "lists", kept.AMLProvider)
	})
}

// The seeds are facts: they are compared with the registries' own files.
func TestSeedsAgreeWithTheRegistries(t *testing.T) {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	raw, err := os.ReadFile(filepath.Join(dir, "chain_refdata", "stablecoins.json"))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	var coins []struct {
		ChainID  int64
		Symbol   string
		Address  string
		Decimals int
	}
	require.NoError(t, json.Unmarshal(raw, &coins))
	raw, err = os.ReadFile(filepath.Join(dir, "chain_refdata", "chains.json"))
	require.NoError(t, err)

	var chains []struct {
		ChainID        int64
		SafeShortName  string
		NativeCurrency struct{ Symbol string }
	}
	require.NoError(t, json.Unmarshal(raw, &chains))
	d := dbtest.SQLite(t)
	require.NoError(t, network.Seed(context.Background(), d))
	all, err := network.All(context.Background(), d)
	require.NoError(t, err)
	require.Len(t, all, 14)

	for _, n := range all {
		require.False(t, n.ClientVisible)
		tokens, err := network.Tokens(context.Background(), d, n.ID)
		require.NoError(t, err)

		found := 0
		for _, c := range coins {
			for _, x := range tokens {
				if c.ChainID == n.ChainID && c.Symbol == x.Code {
					require.Equal(t, c.Address, x.Address, "%s on %s", x.Code, n.Name)
					require.Equal(t, c.Decimals, x.Decimals, "%s on %s", x.Code, n.Name)
					found++
				}
			}
		}

		require.Equal(t, len(tokens), found, n.Name)

		for _, c := range chains {
			if c.ChainID == n.ChainID {
				require.Equal(t, c.SafeShortName, n.MultisigPrefix, n.Name)
				require.Equal(t, c.NativeCurrency.Symbol, n.NativeToken, n.Name)
			}
		}
	}
}
