//go:build !nosandbox

package world_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/safecode"
	"slipway/internal/standards/safe"
)

// start runs a chain with the world's contracts, and returns a client of it.
func start(t *testing.T) (*world.World, *chain.Client) {
	t.Helper()

	w, err := world.Start(t.Context(), world.Config{
		Mode:    devchain.Manual,
		Without: world.Parts{Bank: true, Identity: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })

	c, err := chain.NewClient(chain.ClientConfig{ChainID: big.NewInt(world.ChainID), URLs: []string{w.URL}})
	require.NoError(t, err)
	t.Cleanup(c.Close)

	return w, c
}

// owners returns the addresses of some of the world's people.
func owners(w *world.World, n int) []common.Address {
	out := make([]common.Address, n)
	for i := range out {
		out[i] = w.Accounts[i].Address
	}

	return out
}

// published is where Safe's contracts are on public chains, and what their code hashes to, as Safe publishes it.
var published = []struct{ version, name, address, code string }{
	{
		"1.3.0",
		"Safe",
		"0x69f4D1788e39c87893C980c06EdF4b7f686e2938",
		"0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e",
	},
	{
		"1.3.0",
		"SafeL2",
		"0xfb1bffC9d739B8D520DaF37dF666da4C687191EA",
		"0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f",
	},
	{
		"1.3.0",
		"ProxyFactory",
		"0xC22834581EbC8527d974F8a1c97E1bEA4EF910BC",
		"0x337d7f54be11b6ed55fef7b667ea5488db53db8320a05d1146aa4bd169a39a9b",
	},
	{
		"1.3.0",
		"FallbackHandler",
		"0x017062a1dE2FE6b99BE3d9d37841FeD19F573804",
		"0x03e69f7ce809e81687c69b19a7d7cca45b6d551ffdec73d9bb87178476de1abf",
	},
	{
		"1.3.0",
		"MultiSend",
		"0x998739BFdAAdde7C933B942a68053933098f9EDa",
		"0x81db0e4afdf5178583537b58c5ad403bd47a4ac7f9bde2442ef3e341d433126a",
	},
	{
		"1.3.0",
		"MultiSendCallOnly",
		"0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B",
		"0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad",
	},
	{
		"1.4.1",
		"Safe",
		"0x41675C099F32341bf84BFc5382aF534df5C7461a",
		"0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4",
	},
	{
		"1.4.1",
		"SafeL2",
		"0x29fcB43b46531BcA003ddC8FCB67FFE91900C762",
		"0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff",
	},
	{
		"1.4.1",
		"ProxyFactory",
		"0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67",
		"0x50c3cdc4074750a7a974204a716c999edd37482f907608d960b2b025ee0b3317",
	},
	{
		"1.4.1",
		"FallbackHandler",
		"0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99",
		"0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9",
	},
	{
		"1.4.1",
		"MultiSend",
		"0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526",
		"0x0e4f7fc66550a322d1e7688e181b75e217e662a4f3f4d6a29b22bc61217c4b77",
	},
	{
		"1.4.1",
		"MultiSendCallOnly",
		"0x9641d764fc13c8B624c04430C7356C1C7C8102e2",
		"0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939",
	},
	{
		"1.4.1",
		"SignMessageLib",
		"0xd53cd0aB83D845Ac265BE939c57F53AD838012c9",
		"0x525c754a46b79e05543a59bb61e8de3c9eee0d955a59352409cbe67ea1077528",
	},
	{
		"1.5.0",
		"Safe",
		"0xFf51A5898e281Db6DfC7855790607438dF2ca44b",
		"0xdda019cbd7c867a533a2a86e5c53434fdc50b13122b5a5ddb4a8df61b31c20f2",
	},
	{
		"1.5.0",
		"SafeL2",
		"0xEdd160fEBBD92E350D4D398fb636302fccd67C7e",
		"0x180193227186ccb85316c94db1f0d156ed932b14712cfaac78901899178572dc",
	},
	{
		"1.5.0",
		"ProxyFactory",
		"0x14F2982D601c9458F93bd70B218933A6f8165e7b",
		"0x967dae4cda22b0c9ef7f31b010bdc1ceb0af9904b0c3dc060b5302e4c18a4529",
	},
	{
		"1.5.0",
		"FallbackHandler",
		"0x3EfCBb83A4A7AfcB4F68D501E2c2203a38be77f4",
		"0x3c6a85bcf7b563daa624b884b4e9a1b9fa5371edde7be945d998071a48f28bbc",
	},
	{
		"1.5.0",
		"MultiSend",
		"0x218543288004CD07832472D464648173c77D7eB7",
		"0xca1147a12963172a93910c5cb2bfa5ad0e941c7f03fc7eb017dd06a8ea4e5604",
	},
	{
		"1.5.0",
		"MultiSendCallOnly",
		"0xA83c336B20401Af773B6219BA5027174338D1836",
		"0xcdbdcec38d2f1c7d961b0029ff8416b7e86e9974d6f0e9c9580c7d17fcfb6663",
	},
	{
		"1.5.0",
		"SignMessageLib",
		"0x4FfeF8222648872B3dE295Ba1e49110E61f5b5aa",
		"0xd61840855da008da59a00fc03fb71455b4f70bdca1f56f9504f072ed8d90c50e",
	},
}

// The contracts on the development chain are those of the public chains: the same addresses, and the same code.
func TestSafeContractsHaveTheirPublishedAddresses(t *testing.T) {
	_, c := start(t)

	for _, p := range published {
		code, err := c.CodeAt(t.Context(), common.HexToAddress(p.address))
		require.NoError(t, err)
		require.Equal(t, p.code, crypto.Keccak256Hash(code).Hex(), "%s %s", p.version, p.name)
		require.Equal(t, p.address, safecode.Of(p.version).At(p.name).Hex())
	}
}

// What we hash is what the contract itself hashes, with the domain of its version: before 1.3.0 without the chain.
func TestSafeHashesAreTheContractsOwn(t *testing.T) {
	w, c := start(t)
	ctx := t.Context()
	tx := safe.Tx{To: w.Router, Data: []byte("some calldata"), Operation: safe.DelegateCall, Nonce: 7}

	for i, version := range []string{safe.V111, safe.V130, safe.V141} {
		at, err := w.NewSafe(w.Accounts[0], world.SafeAccount{
			Version:   version,
			Owners:    owners(w, 3),
			Threshold: 2,
			Salt:      int64(i),
		})
		require.NoError(t, err)
		w.Chain.Mine(1)

		s, ok, err := c.SafeAt(ctx, at)
		require.NoError(t, err)
		require.True(t, ok, version)
		require.Equal(t, version, s.Version)
		require.Equal(t, 2, s.Threshold)
		require.Len(t, s.Owners, 3)
		require.Zero(t, s.Nonce)
		require.Empty(t, s.Modules)

		d, err := safe.DomainOf(version, c.ChainID(), at)
		require.NoError(t, err)
		require.Equal(t, s.Domain, d.Hash())
		require.Equal(t, version == safe.V111, d.Chain == nil)

		zero := new(big.Int)
		none := common.Address{}
		nonce := new(big.Int).SetUint64(tx.Nonce)
		ask := safe.Pack(
			"getTransactionHash",
			tx.To,
			zero,
			tx.Data,
			uint8(tx.Operation),
			zero,
			zero,
			zero,
			none,
			none,
			nonce,
		)
		theirs, err := c.SafeSays(ctx, at, ask)
		require.NoError(t, err)
		require.Equal(t, theirs, d.TxHash(tx))
	}
}

// A contract that is no Safe, an account with a key, and a contract that only says it is a Safe are not recognised.
func TestOnlyPublishedCodeIsASafe(t *testing.T) {
	w, c := start(t)

	for _, at := range []common.Address{w.Router, w.Accounts[0].Address, safecode.Of(safe.V141).At(safecode.Singleton)} {
		_, ok, err := c.SafeAt(t.Context(), at)
		require.NoError(t, err)
		require.False(t, ok, "%s", at)
	}

	require.True(t, safe.Delegated(hexutil.MustDecode("0xef0100"+"00000000000000000000000000000000000000aa")))
	require.False(t, safe.Delegated([]byte{0xef, 0x01, 0x00}))
}

// A world that is started again on its folder finds the contracts, and deploys nothing twice.
func TestSafeContractsAreDeployedOnce(t *testing.T) {
	dir := t.TempDir()
	c := world.Config{Mode: devchain.Manual, Dir: dir, Without: world.Parts{Bank: true, Identity: true}}
	w, err := world.Start(context.Background(), c)
	require.NoError(t, err)
	head := w.Chain.Head().Number.Uint64()
	require.NoError(t, w.Close())

	again, err := world.Start(context.Background(), c)
	require.NoError(t, err)
	require.LessOrEqual(t, again.Chain.Head().Number.Uint64(), head)
	require.NoError(t, again.Close())
}
