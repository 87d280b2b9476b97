package app

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/directory/network"
	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// Live returns the outside parties of a production deployment from its configuration. It returns everything that
// config.CheckLive finds in one error.
func Live(c *config.Config) (Outside, error) {
	if reasons := config.CheckLive(c); len(reasons) > 0 {
		list := strings.Join(reasons, "\n  - ")
		return Outside{}, fmt.Errorf("this configuration is not for real money:\n  - %s", list)
	}

	signer, err := signerOf(c.Chain.Signer)
	if err != nil {
		return Outside{}, fmt.Errorf("chain.signer: %w", err)
	}

	out := Outside{Signer: signer}
	if out.Screening, err = screeningOf(c); err != nil {
		return Outside{}, err
	}

	if out.Networks, err = networksOf(c); err != nil {
		return Outside{}, err
	}

	if out.SafeBoards, err = safeBoardsOf(c); err != nil {
		return Outside{}, err
	}

	if out.Banking, err = bankOf(c); err != nil {
		return Outside{}, err
	}

	return out, nil
}

// signerOf opens the key that signs what is sent on chains.
func signerOf(s config.Signer) (chain.Signer, error) {
	switch s.Kind {
	case "keystore":
		k, err := chain.OpenKeystore(s.KeystoreFile, s.Password.Reveal())
		if err != nil {
			return nil, err
		}

		if s.Address != "" && k.Address() != common.HexToAddress(s.Address) {
			return nil, fmt.Errorf("the keystore holds %s, not chain.signer.address %s", k.Address().Hex(), s.Address)
		}

		return k, nil

	case "remote":
		return chain.NewRemoteSigner(s.RemoteURL, common.HexToAddress(s.Address))

	case "key": // refused where money is real
		k, err := crypto.HexToECDSA(strings.TrimPrefix(s.Key.Reveal(), "0x"))
		if err != nil {
			return nil, errors.New("chain.signer.key is no private key") // without the cause: it may hold some of it
		}

		return chain.NewKeySigner(k), nil
	}

	return nil, errors.New("chain.signer.kind is empty: nobody would sign")
}

// networksOf returns the configured chains, each with the further keys that send on it.
func networksOf(c *config.Config) ([]Network, error) {
	signers := make([]chain.Signer, len(c.FurtherSigners))

	for i, f := range c.FurtherSigners {
		s, err := signerOf(f.Signer())
		if err != nil {
			return nil, fmt.Errorf("further_signer.%s: %w", f.ID, err)
		}

		signers[i] = s
	}

	out := make([]Network, len(c.Networks))

	for i, n := range c.Networks {
		out[i] = networkOf(n)

		for k, f := range c.FurtherSigners {
			if f.On(n.ID) {
				out[i].Rail.Further = append(out[i].Rail.Further, signers[k])
			}
		}
	}

	return out, nil
}

// networkOf returns a configured chain as the directory and the rail take it. A network of the directory's own list
// keeps its identifier.
func networkOf(n config.Network) Network {
	name := n.Name
	if name == "" {
		name = n.ID
	}

	f := chain.Finality{Tag: n.FinalityTag, Depth: n.FinalityDepth}
	if f == (chain.Finality{}) {
		f.Tag = "finalized"
	}

	id := NetworkID(n.ID)
	urls := secret.RevealAll(n.RPCURLs)

	r := network.Network{
		ID:              id,
		Name:            name,
		Type:            network.EVM,
		ChainID:         int64(n.ChainID),
		InternalRPCURL:  urls[0],
		ClientVisible:   true,
		Testnet:         n.IsTestnet(),
		NativeToken:     "ETH", // of a known chain: its own, below
		Contracts:       network.Contracts{"router": common.HexToAddress(n.Router).Hex()},
		Features:        []string{"C2C", "BATCH"},
		Finality:        network.Finality{Tag: f.Tag, Depth: int(f.Depth)},
		MaxFeePerGasWei: n.MaxFeePerGasWei().String(),
		StuckAfter:      n.StuckAfter,
	}
	if n.Treasury != "" {
		r.WalletAddress = common.HexToAddress(n.Treasury).Hex()
	}

	rail := chain.Network{
		ID:              id,
		ChainID:         new(big.Int).SetUint64(n.ChainID),
		URLs:            urls,
		Router:          common.HexToAddress(n.Router),
		Finality:        f,
		MaxFeePerGasWei: n.MaxFeePerGasWei(),
		GasHeadroom:     contract.GasHeadroom(contract.DefaultLegGas),
		StuckAfter:      n.StuckAfter,
		Poll:            n.Poll,
		SkipProof:       n.SkipProofBecause != "",
	}

	if facts, known := network.FactsOf(r.ChainID); known {
		r.NativeToken = facts.Coin
		r.Explorer = facts.Explorer
		r.MultisigPrefix = facts.Prefix
		r.BlockTime = facts.BlockTime

		if facts.LeastTipWei > 0 {
			rail.LeastTipWei = big.NewInt(facts.LeastTipWei)
		}

		if facts.Data == network.DataByOracle {
			rail.DataFeeOracle = common.HexToAddress(network.GasPriceOracle)
		}
	}

	return Network{Record: r, Rail: rail}
}
