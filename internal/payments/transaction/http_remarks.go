package transaction

import (
	"context"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/web"
)

// RemarksView is what is worth a look before a transaction is submitted or accepted. Nothing in it stops it.
type RemarksView struct {
	Issues []IssueView `json:"issues" nullable:"false"`
}

func remarksOperation() web.Operation {
	const summary = "Say what is worth a look before a transaction is submitted or accepted"

	o := read("/transactions/{id}/remarks", "readTransactionRemarks", summary)
	o.Description = "Whether an address looks like that of a known wallet, whether nothing was paid to it before, whether " +
		"it is a contract, and whether the same may be paid twice: the same receiver and amount, creditor reference or " +
		"document as in another transaction that is open or was made within 90 days, or in an open payable. Nothing of it stops the transaction; validate answers the same for a draft."

	return o
}

func (s *Service) httpRemarks(ctx context.Context, in *idIn) (*RemarksView, error) {
	t, err := s.Find(ctx, s.DB, in.ID)
	if err != nil {
		return nil, err
	}

	issues, err := s.remarks(ctx, t)

	return &RemarksView{Issues: issues}, err
}

// remarks returns what is worth a look before a transaction is submitted or accepted.
func (s *Service) remarks(ctx context.Context, t Transaction) ([]IssueView, error) {
	addresses, err := s.lookAlikes(ctx, t)
	if err != nil {
		return nil, err
	}

	unknown, err := s.lookNew(ctx, t)
	if err != nil {
		return nil, err
	}

	twice, err := s.lookTwice(ctx, t)

	return slices.Concat([]IssueView{}, addresses, unknown, twice), err
}

// lookAlikes returns a warning for each payment to an address that people may mistake for that of a wallet they know.
func (s *Service) lookAlikes(ctx context.Context, t Transaction) ([]IssueView, error) {
	var addresses []string
	for _, p := range t.Payments {
		addresses = append(addresses, p.Address)
	}

	alike, err := wallet.Alike(ctx, s.DB, t.Organisation, addresses)

	out := []IssueView{}
	for _, p := range t.Payments {
		if len(alike[p.Address]) == 0 {
			continue
		}

		at := PaymentAt(p.Position) + "/walletAddress"
		if p.Wallet != "" {
			at = PaymentAt(p.Position) + "/wallet"
		}

		out = append(out, IssueView{at, fault.AddressLooksAlike, wallet.LooksAlike, "WARNING", []string{}})
	}

	return out, err
}
