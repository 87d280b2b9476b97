package transaction

import (
	"bytes"
	"context"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
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

// delegation begins the code of an address that has a key and a delegate (EIP-7702): it is no contract.
var delegation = []byte{0xef, 0x01, 0x00}

// lookNew returns a warning for each payment to an address that is no stored wallet: if nothing was paid to it before,
// and if it is another sort of address than the payment says. A node that does not answer says nothing.
func (s *Service) lookNew(ctx context.Context, t Transaction) ([]IssueView, error) {
	out := []IssueView{}
	if t.Type != TypeCrypto {
		return out, nil
	}

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

		code, err := s.Chain.CodeAt(ctx, t.Network, common.HexToAddress(p.Address))
		isContract := len(code) > 0 && !bytes.HasPrefix(code, delegation)

		switch {
		case err != nil:
		case isContract && p.WalletType == "EOA":
			warn(fault.AddressContract, addressContract)
		case !isContract && p.WalletType == "MULTISIG":
			warn(fault.AddressContract, addressNoContract)
		}
	}

	return out, nil
}
