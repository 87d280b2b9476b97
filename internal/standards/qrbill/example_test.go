package qrbill_test

import (
	"errors"
	"fmt"
	"strings"

	"slipway/internal/standards/qrbill"
)

// The text of a bill's QR code has one element a line.
func ExampleParse() {
	payload := strings.Join([]string{
		"SPC", "0200", "1", "CH3909000000000012345",
		"S", "Werft AG", "Hafenstrasse", "7", "8001", "Zurich", "CH",
		"", "", "", "", "", "", "",
		"1949.75", "CHF",
		"", "", "", "", "", "", "",
		"SCOR", "RF18539007547034",
		"Invoice 7", "EPD",
	}, "\n")

	bill, err := qrbill.Parse(payload)
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(bill.Creditor.Name, bill.Account)
	fmt.Println(bill.Amount, bill.Currency, bill.ReferenceType, bill.Reference)

	// Output:
	// Werft AG CH39 0900 0000 0000 1234 5
	// 1949.75 CHF SCOR RF18539007547034
}

// A payload that breaks rules gives no bill, but the rules that it breaks.
func ExampleError() {
	_, err := qrbill.Parse("SPC\n0200\n1")

	var broken *qrbill.Error

	fmt.Println(errors.As(err, &broken), broken.Has(qrbill.LineCount))

	// Output:
	// true true
}
