// Package matrix has no code: its tests ask of every route who may call it, whose records it shows, what a body may
// not set, and whether any input can bring it down.
//
// Read in this order: matrix.txt (who gets which answer), requests.txt (one valid call of every route), stage_test.go
// (the people and their records), then a test file for each question: matrix_test.go, swap_test.go, assign_test.go,
// expose_test.go, fuzz_test.go, golden_test.go.
package matrix
