package charttest

import (
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

func deposits() []Example {
	of := chart.Of{Organisation: org, Transaction: txn}
	deposit := chart.Deposit{Entry: entry, House: house, Amount: euros(100_00)}
	owned := chart.DepositOwned{Of: chart.Of{Organisation: org}, Deposit: deposit, Number: 2}

	return []Example{
		{
			Event: chart.DepositMatched{Of: of, Deposit: deposit},
			When:  "a deposit has the reference and the amount of a transaction that waits for it",
			From:  "deposit NEW",
			To:    "deposit MATCHED",
		},
		{
			Event: chart.DepositsSuspended{Deposits: []chart.Deposit{deposit}},
			When:  "a deposit matches nothing, and it is not known whose it is",
			From:  "deposit NEW",
			To:    "deposit SUSPENSE",
		},
		{
			Event: chart.DepositsSuspended{Of: owned.Of, Deposits: []chart.Deposit{deposit}},
			When:  "a deposit of the organisation's has its reference, and is not what is waited for",
			From:  "deposit NEW",
			To:    "deposit SUSPENSE",
		},
		{
			Event: owned,
			When:  "it is found out whose a deposit in suspense is: it enters the owner's book",
			From:  "deposit SUSPENSE, HELD, ASSIGNED",
		},
		{
			Event: chart.DepositDisowned{DepositOwned: owned},
			When:  "and leaves the book in which it has stood",
			From:  "deposit SUSPENSE, HELD, ASSIGNED",
			Undo:  owned,
		},
		{
			Event: chart.DepositAssigned{Of: of, Deposit: deposit},
			When:  "two people assign it to a transaction",
			From:  "deposit SUSPENSE",
			To:    "deposit MATCHED",
		},
		{
			Event: chart.DepositWithdrawn{Of: owned.Of, Deposit: deposit},
			When:  "its bank reports the booking anew, and had read it wrong before",
			From:  "deposit SUSPENSE",
			To:    "deposit WITHDRAWN",
			Undo:  chart.DepositsSuspended{Of: owned.Of, Deposits: []chart.Deposit{deposit}},
		},
	}
}

func debits() []Example {
	deposit := chart.Deposit{Entry: entry, House: house, Amount: euros(100_00)}
	debit := chart.Deposit{Entry: "ent_2", House: house, Amount: euros(100_00)}
	charge := chart.Deposit{Entry: "ent_3", House: house, Amount: euros(2_00)}

	return []Example{
		{
			Event: chart.DebitBooked{Deposit: charge},
			When:  "the bank books a charge",
		},
		{
			Event: chart.DebitBooked{Deposit: debit, Reversal: true},
			When:  "the bank takes back a deposit, and does not say which",
		},
		{
			Event: chart.DebitWithdrawn{Deposit: charge},
			When:  "the bank reports the charge anew",
			Undo:  chart.DebitBooked{Deposit: charge},
		},
		{
			Event: chart.DepositReversed{
				Of:         chart.Of{Organisation: org, Transaction: txn},
				Deposit:    debit,
				Original:   deposit,
				From:       ledger.ReceivableAccount(org),
				Receivable: debit.Entry,
			},
			When: "the bank takes back a deposit after its tokens went out: the organisation owes it",
			From: "deposit MATCHED",
			To:   "deposit REVERSED",
		},
	}
}

func sentBack() []Example {
	back := chart.SentBack{
		Of:      chart.Of{Organisation: org},
		Deposit: chart.Deposit{Entry: entry, House: house, Amount: euros(100_00)},
		Key:     effect.SendBackOf(entry, 1),
		Rail:    "SEPA",
	}

	return []Example{
		{
			Event: chart.SendBackBegun{SentBack: back, From: ledger.SuspenseAccount(eur.Code, org)},
			When:  "two people send a deposit back to where it came from",
			From:  "deposit SUSPENSE",
			To:    "deposit REFUNDING",
		},
		{
			Event: chart.SendBackBooked{
				SentBack: back,
				Booked:   chart.Booking{House: house, Amount: euros(100_00), Memo: "E2E2"},
			},
			When: "the bank has debited it",
			From: "deposit REFUNDING",
			To:   "deposit REFUNDED",
		},
		{
			Event: chart.SendBackRefused{SentBack: back},
			When:  "the bank refuses to send it",
			From:  "deposit REFUNDING",
			To:    "deposit SUSPENSE",
			Undo:  chart.SendBackBegun{SentBack: back, From: ledger.SuspenseAccount(eur.Code, org)},
		},
	}
}
