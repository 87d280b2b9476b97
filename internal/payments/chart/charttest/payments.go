package charttest

import (
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

func trade() chart.Trade {
	return chart.Trade{
		Of:      chart.Of{Organisation: org, Transaction: txn},
		Network: network,
		Token:   usdc.Code,
		Stock:   []string{eur.Code},
		Tax:     "DE-S-19",
	}
}

// sold is the sale of the examples.
func sold() chart.Sale {
	return chart.Sale{
		Payment: payment,
		Rail:    "SEPA",
		Tokens:  tokens(108_00),
		Fiat:    euros(100_00),
	}
}

// charged are the fees of the examples, with their tax.
func charged() []chart.Fee {
	return []chart.Fee{
		{Kind: "COMMISSION", Amount: tokens(2_00), Tax: tokens(32)},
		{Kind: "BANKING", Amount: tokens(50), Tax: tokens(8)},
	}
}

func conversions() []Example {
	refused := chart.PayoutRefused{
		Trade:  trade(),
		Sale:   sold(),
		Payout: effect.PayoutOf(txn, 0),
		Fees:   charged(),
	}

	elsewhere := trade()
	elsewhere.Stock = nil

	return []Example{
		{
			Event: chart.Traded{
				Key:      effect.ConversionOf(txn, eur.Code),
				Provider: "main",
				Sell:     chart.Swapped{Place: network, Promised: tokens(108_00), Got: tokens(107_90)},
				Buy:      chart.Swapped{Place: eur.Code, Promised: euros(100_00), Got: euros(100_00)},
			},
			When: "a provider has sold 107.90 USDC for 100.00 EUR, for which 108.00 were promised to the customer",
			From: "order WANTED",
			To:   "order FINAL",
		},
		{
			Event: chart.Converted{Trade: elsewhere, Sales: []chart.Sale{sold()}, Fees: charged()},
			When:  "108.00 USDC were sold for 100.00 EUR, 2.50 are fees with 0.40 of VAT in them; what the provider has exchanged is not open any more",
			From:  "PROCESSING, FUNDS_RECEIVED",
			To:    "PROCESSING, CONVERTED",
		},
		{
			Event: chart.Converted{Trade: trade(), Sales: []chart.Sale{sold()}, Fees: charged()},
			When:  "the same, and the house's own stock has served it",
			From:  "PROCESSING, FUNDS_RECEIVED",
			To:    "PROCESSING, CONVERTED",
		},
		{
			Event: refused,
			When:  "the bank refuses the payout: its tokens and fees are to be refunded",
			From:  "RELEASED",
		},
	}
}

func purchases() []Example {
	bought := chart.DepositConverted{
		Trade:   trade(),
		Deposit: euros(100_00),
		Credit:  tokens(106_00),
		Fees:    charged()[:1],
	}

	return []Example{
		{
			Event: bought,
			When:  "a deposit of 100.00 EUR has bought 108.00 USDC, 2.00 of them fees with 0.32 of VAT",
			From:  "PROCESSING, FUNDS_RECEIVED",
			To:    "PROCESSING, CONVERTED",
		},
		{
			Event: chart.Unwound{DepositConverted: bought},
			When:  "the deposit is taken back before its tokens were sent",
			From:  "PROCESSING, CONVERTED",
			To:    "FAILED",
			Undo:  bought,
		},
		{
			Event: chart.Recredited{
				Trade:   trade(),
				Payout:  effect.PayoutOf(txn, 0).String(),
				Return:  entry,
				Payment: payment,
				From:    chart.ReturnAccount(org, eur.Code, false),
				Fiat:    euros(100_00),
				Then:    tokens(108_00),
				Now:     tokens(107_00),
			},
			When: "a payment came back; its 100.00 EUR are worth 107.00 USDC now, and were 108.00",
			From: "return RECEIVED",
			To:   "return GIVEN_BACK",
		},
	}
}

func sends() []Example {
	send := chart.Send{
		Of:      chart.Of{Organisation: org, Transaction: txn},
		Key:     effect.RefundOf(txn, 0),
		Network: network,
		Amount:  tokens(110_50),
	}
	kept := chart.SendKept{Send: send, Round: 1}

	return []Example{
		{
			Event: chart.SendBegun{Send: send},
			When:  "the first attempt of a refund, a delivery or a return's worth is planned",
			From:  "send WANTED",
			To:    "send PLANNED",
		},
		{
			Event: chart.SendStopped{Send: send},
			When:  "its cause was undone while nothing of it can move",
			From:  "send WANTED",
			To:    "send FAILED",
			Undo:  chart.SendBegun{Send: send},
		},
		{
			Event: chart.SendSettled{
				Send:   send,
				Wallet: wallet,
				Hash:   hash,
			},
			When: "it is final in the wallet",
			From: "send PLANNED",
			To:   "send FINAL",
		},
		{
			Event: kept,
			When:  "the wallet refuses tokens that the treasury has",
			From:  "send REFUSED",
			To:    "send KEPT",
		},
		{
			Event: chart.SendRetried{SendKept: kept},
			When:  "two operators have it sent again",
			From:  "send KEPT",
			To:    "send WANTED",
			Undo:  kept,
		},
	}
}

func payouts() []Example {
	payout := chart.Payout{
		Of:      chart.Of{Organisation: org, Transaction: txn},
		Key:     effect.PayoutOf(txn, 0),
		Rail:    "SEPA",
		Payment: payment,
		Amount:  euros(100_00),
	}
	again := payout
	again.Key = payout.Key.Nth(2)

	return []Example{
		{
			Event: chart.PayoutBooked{
				Payout:   payout,
				Receiver: payee,
				Booked:   chart.Booking{House: house, Amount: euros(100_00), Memo: "E2E1"},
			},
			When: "the bank's statement has the debit",
			From: "payment SENT",
			To:   "payment COMPLETED",
		},
		{
			Event: chart.PaidAgain{Payout: again},
			When:  "a returned payment that is kept as fiat is paid again",
			From:  "return HELD",
			To:    "return RESENT",
		},
		{
			Event: chart.PaidAgainRefused{Payout: again},
			When:  "the bank refuses that second payout",
			From:  "return RESENT",
			To:    "return HELD",
			Undo:  chart.PaidAgain{Payout: again},
		},
	}
}

func returns() []Example {
	returned := chart.Returned{
		Of:       chart.Of{Organisation: org, Transaction: txn},
		Payout:   effect.PayoutOf(txn, 0).String(),
		Return:   entry,
		Payment:  payment,
		Receiver: payee,
		Amount:   euros(100_00),
		Booked:   &chart.Booking{House: house, Amount: euros(100_00), Memo: "E2E1"},
	}
	short := returned
	short.Amount = euros(95_00)
	short.Charges = euros(5_00)
	short.Booked = &chart.Booking{House: house, Amount: euros(95_00), Memo: "E2E1"}
	found := returned
	found.Booked = nil
	found.Deposit = &chart.ReturnDeposit{
		Deposit: chart.Deposit{Entry: entry, House: house, Amount: euros(100_00)},
		Account: ledger.SuspenseAccount(eur.Code, org),
	}

	return []Example{
		{
			Event: returned,
			When:  "the money of a paid payment comes back",
			From:  "payment COMPLETED",
			To:    "payment RETURNED",
		},
		{
			Event: short,
			When:  "it comes back without what the banks have kept of it",
			From:  "payment COMPLETED",
			To:    "payment RETURNED",
		},
		{
			Event: found,
			When:  "people have found out that a deposit in suspense is such money",
			From:  "deposit SUSPENSE",
			To:    "deposit RETURN",
		},
		{
			Event: chart.ReturnKept{
				Of:     returned.Of,
				Payout: returned.Payout,
				Return: entry,
				Amount: euros(100_00),
			},
			When: "it cannot be given back in tokens",
			From: "return RECEIVED",
			To:   "return HELD",
		},
	}
}
