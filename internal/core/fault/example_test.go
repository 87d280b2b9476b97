package fault_test

import (
	"fmt"

	"slipway/internal/core/fault"
)

// All problems of one request are reported at once.
func ExampleList() {
	var l fault.List

	l.Add("/name", fault.Required, "is required.")
	l.Add("/amount", fault.AmountPrecision, "EUR has %d decimals.", 2)

	refusal, _ := fault.As(l.Err())
	fmt.Println(refusal.Code, refusal.Detail)

	for _, f := range refusal.Fields {
		fmt.Println(f.Pointer, f.Code, f.Message)
	}

	// Output:
	// VALIDATION 2 things in the request need to be corrected.
	// /name REQUIRED is required.
	// /amount AMOUNT_PRECISION EUR has 2 decimals.
}

// Refusals are compared by code, also inside other errors.
func ExampleIs() {
	err := fmt.Errorf("read the payee: %w", fault.Missing("receiver"))

	fmt.Println(fault.Is(err, fault.NotFoundCode))
	fmt.Println(fault.Is(err, fault.Required))

	// Output:
	// true
	// false
}
