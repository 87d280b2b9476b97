//go:build !nosandbox

package matrix

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/directory/network"
	"slipway/internal/directory/safetx"
	"slipway/internal/directory/wallet"
	"slipway/internal/standards/safe"
)

// vault stores a Safe with one owner as a wallet of the tenant, with something that its owner is asked to sign.
func (s *stage) vault(o *tenant, v values) string {
	ctx := context.Background()
	owner := s.newAccount()
	s.made++

	at, err := s.world.NewSafe(s.world.Accounts[0], world.SafeAccount{
		Owners:    []common.Address{owner.Address},
		Threshold: 1,
		Salt:      int64(s.made),
	})
	require.NoError(s.t, err)
	s.world.Chain.Mine(1)

	id := s.send(call{
		method: "POST",
		path:   "/wallets",
		token:  o.admin,
		body: `{"address":"` + at.Hex() + `","network":"` + world.NetworkID + `","type":"MULTISIG","receiver":"` +
			o.receiver + `"}`,
	}).is(201).text("_id")

	w, err := wallet.ByID(ctx, s.app.DB, o.id, id)
	require.NoError(s.t, err)
	n, err := network.ByID(ctx, s.app.DB, w.Network)
	require.NoError(s.t, err)

	asked, err := s.app.Safes.Propose(ctx, safetx.Need{
		Wallet:  w,
		Network: n,
		Payment: "txn_vault",
		Steps: []safetx.Step{{
			To:      s.world.Token("USDC").Address,
			Data:    safe.Pack("approveHash", [32]byte(common.BigToHash(big.NewInt(1)))),
			Purpose: "APPROVE",
		}},
	})
	require.NoError(s.t, err)

	c, err := safe.Sign(common.HexToHash(asked.Hash), func(hash []byte) ([]byte, error) {
		return crypto.Sign(hash, owner.Key)
	})
	require.NoError(s.t, err)

	v["SAFETXHASH"] = asked.Hash
	v["CONFIRMATION"] = hexutil.Encode(c.Bytes())

	return id
}
