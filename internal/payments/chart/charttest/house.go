package charttest

import (
	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

func openings() []Example {
	opened := chart.BookOpened{
		Of:      chart.Of{Organisation: org},
		Opening: "bop_1",
		Account: ledger.WalletAccount(network, wallet),
		Place:   network,
		Amount:  tokens(250_00),
	}

	valued := chart.Revalued{
		Of:     chart.Of{Organisation: org},
		Period: "2026-12",
		Number: 1,
		Parts:  []chart.RevaluedPart{{Account: ledger.WalletAccount(network, wallet), Amount: tokens(250_00)}},
	}

	return []Example{
		{
			Event: chart.WalletOpened{Network: network, Wallet: "0xdef", Amount: tokens(5_000_00)},
			When:  "the books see a wallet of the house for the first time",
		},
		{
			Event: opened,
			When:  "the book of an organisation begins, and its wallet has 250.00 USDC",
		},
		{
			Event: chart.BookOpeningWithdrawn{BookOpened: opened},
			When:  "an admin withdraws that opening balance",
			Undo:  opened,
		},
		{
			Event: valued,
			When: "a month is closed whose tokens are valued anew, and 250.00 USDC in a wallet are worth more than in " +
				"the book",
		},
		{
			Event: chart.RevaluationReversed{Revalued: valued},
			When:  "the next month begins",
			Undo:  valued,
		},
	}
}

func houses() []Example {
	return []Example{
		{
			Event: chart.OwnersMoved{Network: network, Hash: hash, Amounts: []money.Amount{tokens(-1_000_00)}},
			When:  "the owners took 1,000.00 USDC out of the treasury, and two operators say so",
		},
		{
			Event: chart.StockChanged{
				Reference: "trade-17",
				Exchanged: true,
				Received:  &chart.StockPart{Place: network, Amount: tokens(1_080_00)},
				Given:     &chart.StockPart{Place: eur.Code, Amount: euros(1_000_00)},
				Fees:      []chart.StockPart{{Place: eur.Code, Amount: euros(2_50)}},
			},
			When: "the stock was filled up by a purchase elsewhere",
		},
		{
			Event: stated(chart.ProviderFee, "LM-1", network, tokens(-10)),
			When:  "a provider charges 0.10 USDC for an order, by his statement",
		},
		{
			Event: stated(chart.ProviderSettled, "LM-2", eur.Code, euros(1_000_00)),
			When:  "a provider has paid 1,000.00 EUR of the position to the owners, and two operators say so",
		},
		{
			Event: stated(chart.ProviderReversed, "LM-3", network, tokens(107_90)),
			When:  "a provider has taken back an order, by his statement: what was promised for it is not open any more",
		},
		{
			Event: chart.OwedSettled{
				Of:    chart.Of{Organisation: org},
				By:    entry,
				From:  ledger.SuspenseAccount(eur.Code, org),
				Memo:  house + "/" + entry,
				Parts: []chart.OwedPart{{Receivable: "ent_2", Amount: euros(100_00)}},
			},
			When: "a deposit pays what the organisation owes",
			From: "receivable OPEN",
			To:   "receivable SETTLED",
		},
	}
}

// stated is a line of a provider's statement, about the order of the examples.
func stated(cause chart.ProviderCause, id, place string, amount money.Amount) chart.ProviderMoved {
	e := chart.ProviderMoved{
		Provider: "main",
		Movement: id,
		Place:    place,
		Cause:    cause,
		Amount:   amount,
	}
	if cause != chart.ProviderSettled {
		e.Order = effect.ConversionOf(txn, eur.Code).String()
	}

	if cause == chart.ProviderReversed {
		e.Open = ledger.OpenAccount(usdc.Code, eur.Code)
		e.Promised = tokens(108_00)
	}

	return e
}
