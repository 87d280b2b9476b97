//go:build !nosandbox

package setup

import (
	"math/big"
	"net"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/directory/network"
	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
)

// Each node is asked for its chain, and the router whether whoever signs is its operator.
func TestDoctorLooksAtNodesAndRouter(t *testing.T) {
	w, err := world.Start(t.Context(), world.Config{
		Mode:    devchain.OnDemand,
		Without: world.Parts{Bank: true, Identity: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })

	at := w.Router.Hex()
	stranger := w.Accounts[0].Address.Hex()

	look := func(router, signs string, further ...config.FurtherSigner) *doctor {
		d := doctorOf(t)
		d.config.Chain.Signer = config.Signer{Kind: "remote", RemoteURL: "http://127.0.0.1:1", Address: signs}
		d.config.FurtherSigners = further
		d.config.Networks = []config.Network{
			{ID: "dev", ChainID: world.ChainID, RPCURLs: []secret.Text{secret.Text(w.URL)}, Router: router},
			{ID: "other", ChainID: world.ChainID + 1, RPCURLs: []secret.Text{secret.Text(w.URL)}},
		}
		d.keys(t.Context())
		d.networks(t.Context())

		return d
	}

	sound := look(at, w.Operator.Address.Hex())
	require.NotEqual(t, Wrong, part(t, sound, "network dev, node 1").State)
	require.Contains(t, part(t, sound, "network dev, node 1").Found, "chain 31337")
	require.Equal(t, Fine, part(t, sound, "network dev, router").State)
	require.Equal(t, Watch, part(t, sound, "network dev").State, "one node is not believed about finality")
	require.Contains(t, part(t, sound, "network other, node 1").Found, "serves chain 31337")

	further := config.FurtherSigner{ID: "b", Kind: "remote", RemoteURL: "http://127.0.0.1:1", Address: stranger}

	scarce := deployed(t, w, network.NextForkLegGas-1)
	enough := look(deployed(t, w, network.NextForkLegGas), w.Operator.Address.Hex())
	require.Equal(t, Fine, part(t, enough, "network dev, router").State)

	for _, c := range []struct {
		d    *doctor
		want string
	}{
		{look(scarce, w.Operator.Address.Hex()), "a leg has 159999 gas; under the rules of Amsterdam"},
		{look(at, stranger), stranger + " signs"},
		{look(at, w.Operator.Address.Hex(), further), stranger + " signs"},
		{look(stranger, w.Operator.Address.Hex()), "is no router"},
		{look("", w.Operator.Address.Hex()), "not configured"},
	} {
		require.Equal(t, Wrong, part(t, c.d, "network dev, router").State, c.want)
		require.Contains(t, part(t, c.d, "network dev, router").Found, c.want)
	}
}

// deployed deploys a router whose legs have so much gas, and returns its address.
func deployed(t *testing.T, w *world.World, legGas uint64) string {
	t.Helper()

	client, err := ethclient.DialContext(t.Context(), w.URL)
	require.NoError(t, err)
	t.Cleanup(client.Close)

	from := w.Operator.Address
	nonce, err := client.PendingNonceAt(t.Context(), from)
	require.NoError(t, err)

	id := big.NewInt(world.ChainID)
	tx := types.MustSignNewTx(w.Operator.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		Gas:       5_000_000,
		Data:      contract.RouterCreationCode(from, from, from, legGas),
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(10_000_000_000),
	})
	require.NoError(t, client.SendTransaction(t.Context(), tx))

	receipt, err := bind.WaitMined(t.Context(), client, tx.Hash())
	require.NoError(t, err)
	require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)

	return receipt.ContractAddress.Hex()
}

// quiet is a session at a mail server in which nothing is sent.
type quiet struct{ smtp.Session }

// Logout ends the connection.
func (quiet) Logout() error { return nil }

// Reset forgets nothing.
func (quiet) Reset() {}

// The mail server is greeted with the configured encryption.
func TestDoctorGreetsTheMailServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return quiet{}, nil }))
	s.Domain = "localhost"

	go func() { _ = s.Serve(l) }()

	t.Cleanup(func() { _ = s.Close() })

	d := doctorOf(t)
	d.mail(t.Context())
	require.Equal(t, Watch, part(t, d, "mail").State, "nobody is mailed")

	for security, want := range map[string]State{"none": Fine, "starttls": Wrong} {
		d := doctorOf(t)
		d.config.Mail.Host = "127.0.0.1"
		d.config.Mail.Port = l.Addr().(*net.TCPAddr).Port
		d.config.Mail.Security = security
		d.mail(t.Context())
		require.Equal(t, want, part(t, d, "mail").State, security)
	}
}
