package state_test

import (
	"fmt"

	"slipway/internal/core/state"
)

// A noun declares its moves once. Everything else is refused.
func ExampleNew() {
	type status string

	table := state.New("Door",
		state.Move[status]{To: "OPEN", On: "build"},
		state.Move[status]{From: "OPEN", To: "CLOSED", On: "close"},
		state.Move[status]{From: "CLOSED", To: "OPEN", On: "open"},
		state.Move[status]{From: "CLOSED", To: "WALLED", On: "brick up"},
	)

	fmt.Println(table.States())
	fmt.Println(table.Allows("OPEN", "CLOSED"), table.Allows("WALLED", "OPEN"))

	// Output:
	// [OPEN CLOSED WALLED]
	// true false
}
