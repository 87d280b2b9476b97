package safetx

import (
	"context"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/standards/eip191"
	"slipway/internal/standards/safe"
)

// AccountView is a Safe as it is on the chain now.
type AccountView struct {
	Safe      string       `json:"safe" doc:"address of the Safe, with its chain's short name where the network has one (EIP-3770)"`
	Version   string       `json:"safeVersion" doc:"of the Safe's contract"`
	Singleton string       `json:"singleton" doc:"the contract whose code the Safe runs"`
	Owners    []string     `json:"owners" nullable:"false" doc:"who may confirm now"`
	Threshold int          `json:"threshold" doc:"how many owners have to confirm"`
	Nonce     string       `json:"nonce" doc:"of the Safe's next transaction"`
	Domain    string       `json:"domainHash" doc:"a hardware wallet shows it"`
	Handler   string       `json:"fallbackHandler,omitempty" doc:"left out where there is none: then the Safe answers no question about signatures (EIP-1271)"`
	Guard     string       `json:"guard,omitempty" example:"0x1111111111111111111111111111111111111111" doc:"a contract that can refuse the Safe's transactions"`
	Modules   []string     `json:"modules" nullable:"false" example:"[\"0x1111111111111111111111111111111111111111\"]" doc:"contracts that move the Safe's tokens without its owners"`
	Ownership *MessageView `json:"ownershipMessage" doc:"what owners sign so that the wallet's ownership.message is proven; null while no text waits"`
}

// MessageView is a SafeMessage that owners sign off the chain.
type MessageView struct {
	Hash        string            `json:"safeMessageHash" doc:"what the owners sign; verify-wallet takes their signatures one after the other"`
	ContentHash string            `json:"messageHash" doc:"a hardware wallet shows it"`
	TypedData   safe.TypedMessage `json:"typedData" doc:"for eth_signTypedData_v4"`
	ConfirmedBy []string          `json:"confirmedBy" nullable:"false" example:"[\"0x1111111111111111111111111111111111111111\"]" doc:"owners whose signature verify-wallet has taken; it proves the wallet when they are as many as the threshold"`
}

func (s *Service) accountView(
	ctx context.Context,
	w wallet.Wallet,
	n network.Network,
	state safe.State,
) (*AccountView, error) {
	v := &AccountView{
		Safe:      safe.WithPrefix(n.MultisigPrefix, w.Address),
		Version:   state.Version,
		Singleton: state.Singleton.Hex(),
		Owners:    hexes(state.Owners),
		Threshold: state.Threshold,
		Nonce:     strconv.FormatUint(state.Nonce, 10),
		Domain:    state.Domain.Hex(),
		Handler:   known(state.Handler),
		Guard:     known(state.Guard),
		Modules:   hexes(state.Modules),
	}

	if w.Nonce == "" { // no text waits to be signed
		return v, nil
	}

	d, err := safe.DomainOf(state.Version, big.NewInt(n.ChainID), state.Address)
	if err != nil {
		return nil, err
	}

	asked := eip191.Hash([]byte(w.Message))
	hash := d.MessageHash(asked[:])

	confirmed, err := wallet.ConfirmedBy(ctx, s.deps.DB, w, hash)
	if err != nil {
		return nil, err
	}

	v.Ownership = &MessageView{
		Hash:        hash.Hex(),
		ContentHash: safe.ContentHash(asked[:]).Hex(),
		TypedData:   d.TypedMessage(asked[:]),
		ConfirmedBy: confirmed,
	}

	return v, nil
}

func hexes(all []common.Address) []string {
	out := make([]string, len(all))
	for i, a := range all {
		out[i] = a.Hex()
	}

	return out
}

// known writes an address, or nothing for the zero address.
func known(a common.Address) string {
	if a == (common.Address{}) {
		return ""
	}

	return a.Hex()
}
