package iban_test

import (
	"errors"
	"fmt"

	"slipway/internal/standards/iban"
)

// An IBAN is written with blanks or without; its parts are told by its country's table.
func ExampleParse() {
	account, err := iban.Parse("de89 3704 0044 0532 0130 00")
	if err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(account)
	fmt.Println(account.Country(), account.Bank(), account.InSEPA())

	// Output:
	// DE89 3704 0044 0532 0130 00
	// DE 37040044 true
}

// A mistyped number is refused, with the rule that it breaks.
func ExampleError() {
	_, err := iban.Parse("DE88370400440532013000")

	var wrong *iban.Error

	fmt.Println(errors.As(err, &wrong))
	fmt.Println(wrong.Problem == iban.WrongCheckDigits)

	// Output:
	// true
	// true
}
