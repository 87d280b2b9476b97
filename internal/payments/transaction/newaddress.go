package transaction

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/standards/safe"
)

// What is said of an address that is no stored wallet.
const (
	addressNew = "Nothing was paid to this address for this payee before. Compare every digit with what the payee has " +
		"told you by a way that you knew before."
	addressContract = "There is a contract at the address, and the payment says that it has a key (EOA). Ask the payee " +
		"whether the contract can move tokens that it is paid."
	addressNoContract = "There is no contract at the address on this network, and the payment says that there is one " +
		"(MULTISIG). A wallet may have its address on another network alone."
)

// lookNew returns a warning for each payment to an address that is no stored wallet: if nothing was paid to it before,
// and if it is another sort of address than the payment says. A node that does not answer says nothing, and is not
// asked for the next one.
func (s *Service) lookNew(ctx context.Context, t Transaction) ([]IssueView, error) {
	out := []IssueView{}
	if t.Type != TypeCrypto {
		return out, nil
	}

	silent := false

	for _, p := range t.Payments {
		if p.Wallet != "" || p.Address == "" {
			continue
		}

		warn := func(code fault.Code, message string) {
			at := PaymentAt(p.Position) + "/walletAddress"
			out = append(out, IssueView{at, code, message, "WARNING", []string{}})
		}

		before, err := paidBefore(ctx, s.DB, t, p)
		if err != nil {
			return nil, err
		}

		if !before {
			warn(fault.AddressNew, addressNew)
		}

		if silent {
			continue
		}

		code, err := s.Chain.CodeAt(ctx, t.Network, common.HexToAddress(p.Address))
		isContract := len(code) > 0 && !safe.Delegated(code)
		silent = err != nil

		switch {
		case silent:
		case isContract && p.WalletType == "EOA":
			warn(fault.AddressContract, addressContract)
		case !isContract && p.WalletType == "MULTISIG":
			warn(fault.AddressContract, addressNoContract)
		}
	}

	return out, nil
}
