//go:build !nosandbox

package setup

import (
	"net"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
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

	for _, c := range []struct {
		d    *doctor
		want string
	}{
		{look(at, stranger), stranger + " signs"},
		{look(at, w.Operator.Address.Hex(), further), stranger + " signs"},
		{look(stranger, w.Operator.Address.Hex()), "is no router"},
		{look("", w.Operator.Address.Hex()), "not configured"},
	} {
		require.Equal(t, Wrong, part(t, c.d, "network dev, router").State, c.want)
		require.Contains(t, part(t, c.d, "network dev, router").Found, c.want)
	}
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
