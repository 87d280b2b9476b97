// Package charttest has an example of each event of the chart, and tells by a journal which event it records.
//
// Read in this order: charttest.go (what an example is, and the payer's), payments.go, deposits.go, house.go.
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
	return slices.Concat(
		payer(),
		conversions(), purchases(), sends(), payouts(), returns(),
		deposits(), debits(), sentBack(),
		openings(), houses(),
	)
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
