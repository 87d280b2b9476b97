package creditorref_test

import (
	"fmt"

	"slipway/internal/standards/creditorref"
)

// A reference that people write with blanks is stored in its electronic form. A mistyped one is none.
func ExampleStructured() {
	fmt.Println(creditorref.Structured("RF18 5390 0754 7034"))
	fmt.Println(creditorref.Structured("RF19 5390 0754 7034"))

	// Output:
	// RF18539007547034 true
	//  false
}

// A deposit's reference is found in what banks and people make of it.
func ExampleFind() {
	reference := creditorref.Deposit([5]byte{1, 2, 3, 4, 5})
	text := "rent " + creditorref.Show(reference) + " thank you"

	fmt.Println(len(creditorref.Find(text)), creditorref.Find(text)[0] == reference)

	// Output:
	// 1 true
}
