package pain_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/standards/iso20022/pain"
)

// rent is a file with one SEPA payment.
func rent() pain.Initiation {
	return pain.Initiation{
		MsgID:           "FILE-1",
		CreatedAt:       time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC),
		InitiatingParty: pain.Party{Name: "Slipway AG"},
		Blocks: []pain.Block{{
			PmtInfID:      "FILE-1-1",
			Debtor:        pain.Party{Name: "Slipway AG"},
			DebtorAccount: pain.Account{IBAN: "DE91100000000123456789", Currency: "EUR"},
			Service:       pain.SEPA,
			ExecutionDate: "2026-01-06",
			Charges:       pain.SHA,
			Transfers: []pain.Transfer{{
				EndToEndID:      "PAY-1",
				Amount:          "1250.50",
				Currency:        "EUR",
				Creditor:        pain.Party{Name: "Ana Łukić"},
				CreditorAccount: pain.Account{IBAN: "DE89370400440532013000"},
				Remittance:      "Rent for January",
			}},
		}},
	}
}

// The same orders give the same bytes for ever. What a rail cannot carry is mapped, and reported.
func ExampleRender() {
	file, changes, err := pain.Render(rent())
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(strings.Contains(string(file), `<InstdAmt Ccy="EUR">1250.50</InstdAmt>`))

	for _, c := range changes {
		fmt.Printf("%s: %s instead of %s\n", c.Path, c.To, c.From)
	}

	// Output:
	// true
	// /blocks/0/transfers/0/creditor/name: Ana Lukic instead of Ana Łukić
}

// A file with anything wrong in it is not written, and every fault is named.
func ExampleRefused() {
	orders := rent()
	orders.Blocks[0].Transfers[0].Amount = "1250.505"
	orders.Blocks[0].Transfers[0].EndToEndID = ""

	_, _, err := pain.Render(orders)

	var refused *pain.Refused

	fmt.Println(errors.As(err, &refused))

	for _, f := range refused.Faults {
		fmt.Println(f.Path, f.Code)
	}

	// Output:
	// true
	// /blocks/0/transfers/0/endToEndID MISSING
	// /blocks/0/transfers/0/amount AMOUNT
}
