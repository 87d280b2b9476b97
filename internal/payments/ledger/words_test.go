package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/ledger"
)

func TestAccountsHaveNamesForPeople(t *testing.T) {
	called := map[string]string{"net_base": "Base", "org_1": "Example Ltd", "rcv_1": "Ada Lovelace"}
	name := func(word string) string {
		if n, ok := called[word]; ok {
			return n
		}

		return word
	}

	for account, want := range map[ledger.Account]string{
		ledger.WalletAccount("net_base", "0xAB"):       "wallet 0xab, Base",
		ledger.HoldAccount("net_base", "org_1"):        "reserved for Example Ltd, Base",
		ledger.ClearingAccount("net_base"):             "on the way on Base",
		ledger.ConvertClearing("EUR"):                  "received and not yet converted, EUR",
		ledger.BankClearing("SEPA"):                    "on the way to the payee by SEPA",
		ledger.ReturnClearing("EUR"):                   "came back and is undecided, EUR",
		ledger.ReceiverAccount("net_base", "rcv_1"):    "paid to receiver Ada Lovelace, Base",
		ledger.PayeeAccount("rcv_1"):                   "paid to the bank account of Ada Lovelace",
		ledger.SenderAccount("EUR"):                    "senders of deposits in EUR",
		ledger.SuspenseAccount("EUR", ""):              "deposits in suspense, EUR",
		ledger.SuspenseAccount("EUR", "org_1"):         "deposits in suspense, Example Ltd, EUR",
		ledger.FxAccount("USDC", "EUR"):                "conversion USDC-EUR",
		ledger.IncomeAccount("COMMISSION", "net_base"): "earned commission, Base",
		ledger.ReturnDifference("net_base"):            "gain or loss of returned payments, Base",
		ledger.HeldAccount("EUR", "org_1"):             "kept for Example Ltd, EUR",
		ledger.ReceivableAccount("org_1"):              "owed by Example Ltd",
		ledger.ClosedAccount("EUR"):                    "claims given up in EUR",
		ledger.TreasuryAccount("net_base"):             "our treasury on Base",
		ledger.BankAccount("eur"):                      "our bank account eur",
		ledger.PositionAccount("net_base"):             "position of the house, Base",
		ledger.EquityAccount("net_base"):               "brought in by the owners on Base",
		ledger.GasAccount("net_base"):                  "our money for gas on Base",
		ledger.GasExpense("net_base"):                  "cost of gas on Base",
		"quite/new":                                    "quite/new",
	} {
		require.Equal(t, want, account.Words(name), string(account))
	}
}
