package app

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/crypto"
	"slipway/internal/payments/transaction/fiat"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/standards/eip55"
)

// buildTransactions builds transactions. Settlement is built after them, since it moves them on: they ask for it by
// its job (Settle), and through carries.
func (a *App) buildTransactions() {
	a.Transactions = transaction.New(transaction.Deps{
		DB:         a.DB,
		Chain:      a.chains,
		Screening:  a.Screenings,
		Signatures: a.chains,
		ProofHolds: a.Wallets.ProofHolds,
		Safe:       a.Safes.Propose,
		Settle:     settlement.Enqueue(a.Jobs),
		Forbidden:  a.forbidden(),
		Effects:    a.chains.effects,
		Payables:   payable.Hooks(),
		Quotes:     a.Quotes,
		Headroom:   headroomOf(a.Config),
		Bank:       settlement.AtBank(a.Bank),
		Known:      []knownByWord{chain.ObjectsByHash, bank.ObjectsByReference},
		Lists:      transaction.ListLimits{Rows: a.Config.Database.ListRows},
		Kinds: map[transaction.Type]transaction.Kind{
			transaction.TypeCrypto: crypto.Kind{},
			transaction.TypeFiat:   fiat.Kind{Quotes: a.Quotes, PayoutRails: a.payoutRails, Carries: a.carries},
			transaction.TypeOnramp: a.onramp(),
		},
	})

	if a.Quotes != nil {
		a.Jobs.Every("overdue-deposits", 10*time.Minute, func(ctx context.Context) error {
			_, err := onramp.Expire(ctx, a.Transactions, 1_000)
			return err
		})
	}
}

// knownByWord returns the records that a part of the service knows by a word of a search.
type knownByWord = func(ctx context.Context, q db.Querier, word string) ([]string, error)

// onramp returns the type of transactions that take deposits. Without rates there is none.
func (a *App) onramp() onramp.Kind {
	var deposits []transaction.DepositAccount
	if a.Quotes != nil {
		deposits = depositAccounts(a.outside.Banking.House)
	}

	return onramp.Kind{
		Quotes:          a.Quotes,
		DepositAccounts: func() []transaction.DepositAccount { return deposits },
	}
}

// carries returns what the bank's files cannot carry of a payment, as a message for each field.
func (a *App) carries(p transaction.Payment, rail string) map[string]string {
	if a.Bank == nil {
		return nil
	}

	return a.Settlement.Carries(p, rail)
}

// payoutRails returns the rails on which the house has an account to pay a currency from.
func (a *App) payoutRails(currency string) []string {
	var out []string

	for _, h := range a.outside.Banking.House {
		if h.Currency == currency {
			out = append(out, h.Rails...)
		}
	}

	return out
}

// depositAccounts returns the house's accounts that deposits go to, as depositors see them: the first of each currency.
func depositAccounts(house []bank.HouseAccount) []transaction.DepositAccount {
	var out []transaction.DepositAccount
	listed := map[string]bool{}

	for _, h := range house {
		if listed[h.Currency] {
			continue
		}

		listed[h.Currency] = true
		out = append(out, depositAccount(h))
	}

	return out
}

// depositAccount returns an account of the house as depositors see it.
func depositAccount(h bank.HouseAccount) transaction.DepositAccount {
	rail := ""
	if len(h.Rails) > 0 {
		rail = h.Rails[0]
	}

	return transaction.DepositAccount{
		ID:            h.ID,
		Currency:      h.Currency,
		Country:       h.Country,
		Holder:        h.Holder,
		Street:        h.HolderStreet,
		PostCode:      h.HolderPostCode,
		Town:          h.HolderTown,
		BankName:      h.BankName,
		BankAddress:   h.BankAddress,
		IBAN:          h.IBAN,
		BIC:           h.BIC,
		AccountNumber: h.AccountNumber,
		SortCode:      h.SortCode,
		RoutingNumber: h.RoutingNumber,
		IFSC:          h.IFSC,
		Rail:          rail,
	}
}

// depositDetails returns how an amount is paid to one of the house's accounts under a reference, or nil if there is no
// such account any more.
func (a *App) depositDetails(
	house, reference string, amount money.Amount,
) (*transaction.BankDetailsView, error) {
	for _, h := range a.outside.Banking.House {
		if h.ID == house {
			return onramp.Details(depositAccount(h), amount, reference)
		}
	}

	return nil, nil
}

// forbidden returns the rule that reports whether an address must never be paid on a network: the zero address, a
// precompile, a token, one of our own. Addresses are compared as bytes: to write one with its checksum costs a hash,
// and a transaction has up to thirty payments.
func (a *App) forbidden() func(networkID string, at common.Address) bool {
	never := map[string]map[common.Address]bool{}

	for _, n := range a.outside.Networks {
		reserved := map[common.Address]bool{}
		if a.outside.Signer != nil { // a command line tool has no key
			for _, operator := range n.operators(a.outside.Signer) {
				reserved[operator] = true
			}
		}

		for _, own := range n.Record.Own() {
			reserved[common.HexToAddress(own)] = true
		}

		for _, t := range n.Tokens {
			reserved[common.HexToAddress(t.Address)] = true
		}

		never[n.Record.ID] = reserved
	}

	return func(networkID string, at common.Address) bool { return eip55.Reserved(at) || never[networkID][at] }
}
