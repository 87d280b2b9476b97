package id_test

import (
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/id"
)

// Identifiers name their noun, and sort by the time of the record.
func ExampleNew() {
	monday := time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)
	first := id.New("txn", monday)
	second := id.New("txn", monday.Add(time.Second))

	fmt.Println(strings.HasPrefix(first, "txn_"), first < second)
	fmt.Println(id.Valid("txn", first), id.Valid("pbl", first))

	// Output:
	// true true
	// true false
}
