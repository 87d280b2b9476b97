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
	"slipway/internal/rails/chain/faultrpc"
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

// What the treasury has is said, and whether the router may send it: a treasury that has approved nothing delivers no
// on-ramp and no refund.
func TestDoctorLooksAtTheTreasury(t *testing.T) {
	w, err := world.Start(t.Context(), world.Config{
		Mode:    devchain.OnDemand,
		Without: world.Parts{Bank: true, Identity: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })

	usdc := w.Token("USDC")

	look := func(treasury string) Finding {
		d := doctorOf(t)
		d.placed["dev"] = []network.Token{{Code: "USDC", Address: usdc.Address.Hex(), Decimals: 6}}
		d.config.Networks = []config.Network{{
			ID:       "dev",
			ChainID:  world.ChainID,
			RPCURLs:  []secret.Text{secret.Text(w.URL)},
			Router:   w.Router.Hex(),
			Treasury: treasury,
		}}
		d.networks(t.Context())

		return part(t, d, "network dev, treasury, USDC")
	}

	sound := look(w.Treasury.Address.Hex())
	require.Equal(t, Fine, sound.State, sound.Found)
	require.Contains(t, sound.Found, "which the router may send")

	bare := look("0x00000000000000000000000000000000000000aa")
	require.Equal(t, Watch, bare.State)
	require.Equal(t, "it has 0.00, and has not approved the router: deliveries and refunds wait", bare.Found)
	require.Contains(t, bare.Do, "slipway router approve dev "+usdc.Address.Hex())
}

// What each node takes in one request is said, and when it is little.
func TestDoctorSaysWhatEachNodeBears(t *testing.T) {
	chain, err := devchain.Start(devchain.Config{Mode: devchain.Manual})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chain.Close()) })
	chain.Mine(40)

	look := func(prepare func(*faultrpc.Proxy)) Finding {
		p, err := faultrpc.New(chain.URL())
		require.NoError(t, err)
		t.Cleanup(p.Close)
		prepare(p)

		d := doctorOf(t)
		d.config.Networks = []config.Network{
			{ID: "dev", ChainID: chain.ChainID().Uint64(), RPCURLs: []secret.Text{secret.Text(p.URL())}},
		}
		d.networks(t.Context())

		return part(t, d, "network dev, node 1, limits")
	}

	logs := func(code int, text string) func(*faultrpc.Proxy) {
		return func(p *faultrpc.Proxy) {
			p.Add(faultrpc.Fault{
				Kind:   faultrpc.Refuse,
				Method: "eth_getLogs",
				Code:   code,
				Text:   text,
				Match:  faultrpc.LongerThan(10),
			})
		}
	}

	sound := look(func(*faultrpc.Proxy) {})
	require.Equal(t, Fine, sound.State, sound.Found)
	require.Equal(t, "100 calls in one request, logs of 10000 blocks, which is all that is ever asked for", sound.Found)

	drpc := look(func(p *faultrpc.Proxy) {
		p.LimitBatches(faultrpc.Batches{
			Most: 3,
			Body: `{"jsonrpc":"2.0","id":null,"error":{"code":31,"message":"Batch of more than 3 requests are not allowed"}}`,
		})
	})
	require.Equal(t, Watch, drpc.State)
	require.Contains(t, drpc.Found, "3 calls in one request")

	alchemy := look(logs(-32600, "you can make eth_getLogs requests with up to a 10 block range"))
	require.Equal(t, Watch, alchemy.State)
	require.Regexp(t, "logs of ([5-9]|10) blocks", alchemy.Found)

	none := look(func(p *faultrpc.Proxy) {
		p.Add(faultrpc.Fault{
			Kind:   faultrpc.Refuse,
			Method: "eth_getLogs",
			Code:   -32601,
			Text:   "the method eth_getLogs does not exist/is not available",
		})
	})
	require.Equal(t, Watch, none.State)
	require.Contains(t, none.Found, "eth_getLogs does not exist")
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

// quiet is a session at a mail server in which nothing is sent. It refuses each sender with refusal, unless that is
// nil.
type quiet struct {
	smtp.Session
	refusal error
}

// Mail takes a sender.
func (q quiet) Mail(string, *smtp.MailOptions) error { return q.refusal }

// Rcpt takes a recipient.
func (quiet) Rcpt(string, *smtp.RcptOptions) error { return nil }

// Logout ends the connection.
func (quiet) Logout() error { return nil }

// Reset forgets nothing.
func (quiet) Reset() {}

// The mail server is asked with the configured encryption whether it would accept a mail.
func TestDoctorAsksTheMailServer(t *testing.T) {
	var (
		refusal error
		greeted string
	)

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	s := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		greeted = c.Hostname()
		return quiet{refusal: refusal}, nil
	}))
	s.Domain = "localhost"

	go func() { _ = s.Serve(l) }()

	t.Cleanup(func() { _ = s.Close() })

	d := doctorOf(t)
	d.mail(t.Context())
	require.Equal(t, Watch, part(t, d, "mail").State, "nobody is mailed")

	look := func(security string) Finding {
		d := doctorOf(t)
		d.config.HTTP.BaseURL = "https://pay.example.org"
		d.config.Mail.Host = "127.0.0.1"
		d.config.Mail.Port = l.Addr().(*net.TCPAddr).Port
		d.config.Mail.Security = security
		d.config.Mail.From = "Slipway <no-reply@pay.example.org>"
		d.mail(t.Context())

		return part(t, d, "mail")
	}

	require.Equal(t, Fine, look("none").State)
	require.Equal(t, "pay.example.org", greeted)
	require.Equal(t, Wrong, look("starttls").State)

	refusal = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "sender not verified"}
	require.Equal(t, Wrong, look("none").State)
	require.Contains(t, look("none").Found, "MAIL: 550 5.7.1 sender not verified")
}
