package epcqr_test

import (
	"fmt"
	"strings"

	"slipway/internal/standards/epcqr"
)

// The text of a code that a banking app reads: what is empty at the end is left out.
func ExampleTransfer_Payload() {
	text, err := epcqr.Transfer{
		Name:      "Werft AG",
		Account:   "DE89370400440532013000",
		Amount:    "1250.50",
		Reference: "RF18539007547034",
	}.Payload()

	fmt.Println(strings.ReplaceAll(text, "\n", "|"), err)

	// Output:
	// BCD|002|1|SCT||Werft AG|DE89370400440532013000|EUR1250.50||RF18539007547034 <nil>
}
