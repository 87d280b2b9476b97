// Package charttest has an example of each event of the chart, and tells by a journal which event it records.
package charttest

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

// Example is an event with figures.
type Example struct {
	Event chart.Event
	When  string      // what has happened, in words
	From  string      // where it stands before, and afterwards; "" where it has no state
	To    string      // "" stays as it is
	Undo  chart.Event // the event that it takes back, if it is one's exact opposite
}

// Folder returns the folder whose scenarios must post the event.
func (e Example) Folder() string {
	switch e.Event.(type) {
	case chart.OwedSettled:
		return "internal/payments/receivable"
	case chart.Unwound, chart.SendStopped, chart.SendKept, chart.SendRetried, chart.PaidAgainRefused, chart.Returned,
		chart.ReturnKept, chart.DepositOwned, chart.DepositDisowned, chart.DepositAssigned, chart.DepositWithdrawn,
		chart.DebitBooked, chart.DepositReversed, chart.SendBackRefused:
		return "internal/payments/settlement"
	}

	return "internal/app"
}

// Name returns the name of the example's event.
func (e Example) Name() string { return reflect.TypeOf(e.Event).Name() }

const (
	network = "base"
	txn     = "txn_1"
	org     = "org_1"
	wallet  = "0xabc"
	house   = "hse_eur"
	entry   = "ent_1"
	hash    = "0x5e4d"
	payment = "txn_1-1"
	payee   = "rcv_1"
)

var (
	usdc = money.Asset{Code: "USDC", Decimals: 6}
	eur  = money.Asset{Code: "EUR", Decimals: 2}
	eth  = money.Asset{Code: "ETH", Decimals: 18}
)

func tokens(units int64) money.Amount { return money.FromUnits(usdc, big.NewInt(units*10_000)) } // hundredths
func euros(cents int64) money.Amount  { return money.FromUnits(eur, big.NewInt(cents)) }

// Examples returns an example of each event, in the order of the package.
func Examples() []Example {
	return slices.Concat(payer(), conversions(), sends(), payouts(), returns(), deposits(), sentBack(), houses())
}

func payer() []Example {
	of := chart.Of{Organisation: org, Transaction: txn}
	debit := chart.Debit{
		Of:      of,
		Network: network,
		Wallet:  wallet,
		Amount:  tokens(110_50),
	}

	return []Example{
		{
			Event: chart.Accepted{Debit: debit},
			When:  "a person accepts a transaction that takes 110.50 USDC",
			From:  "WAITING",
			To:    "PROCESSING",
		},
		{
			Event: chart.Released{Debit: debit},
			When:  "it is failed or refused before anything was sent",
			From:  "PROCESSING",
			To:    "FAILED",
			Undo:  chart.Accepted{Debit: debit},
		},
		{
			Event: chart.Sent{Debit: debit},
			When:  "its batch is planned, and may be on the wire from now on",
			From:  "PROCESSING",
		},
		{
			Event: chart.GivenBack{Debit: debit},
			When:  "the batch moved nothing, and the router's number says that none ever did",
			From:  "PROCESSING, UNCERTAIN",
			To:    "FAILED",
		},
		{
			Event: chart.Settled{
				Debit: debit,
				Legs: []chart.Leg{
					{Receiver: payee, Payment: payment, Amount: tokens(100_00)},
					{
						Receiver: "rcv_2",
						Payment:  "txn_1-2",
						Amount:   tokens(10_50),
						Failed:   true,
					},
				},
			},
			When: "the batch is final: one payee has 100.00 USDC, the token refused to move the other 10.50",
			From: "RELEASED",
			To:   "COMPLETED",
		},
		{
			Event: chart.Pulled{Debit: debit, Hash: hash},
			When:  "the batch of a payment to bank accounts is final: the treasury has the debit",
			From:  "PROCESSING",
			To:    "PROCESSING, FUNDS_RECEIVED",
		},
		{
			Event: chart.GasPaid{
				Of:      of,
				Network: network,
				Send:    effect.BatchOf(txn).String(),
				Hash:    hash,
				Cost:    money.FromUnits(eth, big.NewInt(21_000_000_000_000)),
			},
			When: "a send is final, whatever it did",
		},
	}
}

func trade() chart.Trade {
	return chart.Trade{
		Of:      chart.Of{Organisation: org, Transaction: txn},
		Network: network,
		Token:   usdc.Code,
		Stock:   []string{eur.Code},
		Tax:     "DE-S-19",
	}
}

func conversions() []Example {
	sale := chart.Sale{
		Payment: payment,
		Rail:    "SEPA",
		Tokens:  tokens(108_00),
		Fiat:    euros(100_00),
	}
	fees := []chart.Fee{
		{Kind: "COMMISSION", Amount: tokens(2_00), Tax: tokens(32)},
		{Kind: "BANKING", Amount: tokens(50), Tax: tokens(8)},
	}
	refused := chart.PayoutRefused{
		Trade:  trade(),
		Sale:   sale,
		Payout: effect.PayoutOf(txn, 0),
		Fees:   fees,
	}
	bought := chart.DepositConverted{
		Trade:   trade(),
		Deposit: euros(100_00),
		Credit:  tokens(106_00),
		Fees:    fees[:1],
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
			Event: chart.Converted{Trade: elsewhere, Sales: []chart.Sale{sale}, Fees: fees},
			When:  "108.00 USDC were sold for 100.00 EUR, 2.50 are fees with 0.40 of VAT in them; what the provider has exchanged is not open any more",
			From:  "PROCESSING, FUNDS_RECEIVED",
			To:    "PROCESSING, CONVERTED",
		},
		{
			Event: chart.Converted{Trade: trade(), Sales: []chart.Sale{sale}, Fees: fees},
			When:  "the same, and the house's own stock has served it",
			From:  "PROCESSING, FUNDS_RECEIVED",
			To:    "PROCESSING, CONVERTED",
		},
		{
			Event: refused,
			When:  "the bank refuses the payout: its tokens and fees are to be refunded",
			From:  "RELEASED",
		},
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

func deposits() []Example {
	of := chart.Of{Organisation: org, Transaction: txn}
	deposit := chart.Deposit{Entry: entry, House: house, Amount: euros(100_00)}
	debit := chart.Deposit{Entry: "ent_2", House: house, Amount: euros(100_00)}
	owned := chart.DepositOwned{Of: chart.Of{Organisation: org}, Deposit: deposit, Number: 2}
	charge := chart.Deposit{Entry: "ent_3", House: house, Amount: euros(2_00)}

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
				Of:         of,
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

func houses() []Example {
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
		Parts:  []chart.RevaluedPart{{Account: ledger.SuspenseAccount(eur.Code, org), Amount: euros(100_00)}},
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
			When:  "a month is closed, and 100.00 EUR in suspense are worth more than in the book",
		},
		{
			Event: chart.RevaluationReversed{Revalued: valued},
			When:  "the next month begins",
			Undo:  valued,
		},
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

// Shape tells which event a journal records: by its kind, by what its key is of, and by the kinds of accounts that it
// always has.
func Shape(j ledger.Journal) string {
	var kinds []string

	for _, p := range j.Postings {
		parts := strings.Split(string(p.Account), "/")
		switch parts[0] {
		case "clearing":
			kinds = append(kinds, "clearing "+strings.Join(parts[1:len(parts)-1], " "))
		case "hold", "wallet", "receiver", "sender", "gas", "equity", "capital", "receivable", "payee":
			kinds = append(kinds, parts[0])
		}
	}

	slices.Sort(kinds)

	return fmt.Sprint(j.Kind, " ", subject(j.Key), " ", slices.Compact(kinds), " ", j.Transaction != "")
}

// subject returns what a journal's key is of, without identifiers.
func subject(key string) string {
	for at := len(key); at > 0; at = strings.LastIndexByte(key[:at], '/') {
		switch k, ok := effect.Parse(key[:at]); {
		case ok && k.ByTreasury():
			return "treasury"
		case ok:
			return fmt.Sprint(k.Word, " ", k.Later())
		}
	}

	first, _, _ := strings.Cut(key, "/")

	return first
}
