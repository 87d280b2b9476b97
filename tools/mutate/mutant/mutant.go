// Package mutant is what a mutated package calls in place of its operators. At most one mutant is on in a process: the
// one whose number is in MUTANT. With MUTANT_REACHED, the number of every mutant that is reached is written to that
// file.
package mutant

import (
	"cmp"
	"os"
	"strconv"
	"sync"
)

var (
	on, _   = strconv.Atoi(os.Getenv("MUTANT"))
	reached = openReached()

	mu   sync.Mutex
	seen = map[int]bool{}
)

func openReached() *os.File {
	name := os.Getenv("MUTANT_REACHED")
	if name == "" {
		return nil
	}

	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}

	return f
}

// number is what can be calculated with.
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// On reports whether mutant n is on.
func On(n int) bool {
	if reached != nil {
		mu.Lock()
		if !seen[n] {
			seen[n] = true
			_, _ = reached.WriteString(strconv.Itoa(n) + "\n")
		}

		mu.Unlock()
	}

	return n == on
}

// Less is a < b. Mutant n includes the limit, n+1 turns it round.
func Less[T cmp.Ordered](n int, a, b T) bool {
	switch {
	case On(n):
		return a <= b
	case On(n + 1):
		return a >= b
	}

	return a < b
}

// AtMost is a <= b. Mutant n excludes the limit, n+1 turns it round.
func AtMost[T cmp.Ordered](n int, a, b T) bool {
	switch {
	case On(n):
		return a < b
	case On(n + 1):
		return a > b
	}

	return a <= b
}

// More is a > b. Mutant n includes the limit, n+1 turns it round.
func More[T cmp.Ordered](n int, a, b T) bool {
	switch {
	case On(n):
		return a >= b
	case On(n + 1):
		return a <= b
	}

	return a > b
}

// AtLeast is a >= b. Mutant n excludes the limit, n+1 turns it round.
func AtLeast[T cmp.Ordered](n int, a, b T) bool {
	switch {
	case On(n):
		return a > b
	case On(n + 1):
		return a < b
	}

	return a >= b
}

// And is a && b; mutant n is a || b.
func And(n int, a bool, b func() bool) bool {
	if On(n) {
		return a || b()
	}

	return a && b()
}

// Or is a || b; mutant n is a && b.
func Or(n int, a bool, b func() bool) bool {
	if On(n) {
		return a && b()
	}

	return a || b()
}

// Add is a + b; mutant n is a - b.
func Add[T number](n int, a, b T) T {
	if On(n) {
		return a - b
	}

	return a + b
}

// Sub is a - b; mutant n is a + b.
func Sub[T number](n int, a, b T) T {
	if On(n) {
		return a + b
	}

	return a - b
}

// Mul is a * b; mutant n is a / b.
func Mul[T number](n int, a, b T) T {
	if On(n) {
		return a / b
	}

	return a * b
}

// Div is a / b; mutant n is a * b.
func Div[T number](n int, a, b T) T {
	if On(n) {
		return a * b
	}

	return a / b
}

// Pick is f; mutant n is g.
func Pick[F any](n int, f, g F) F {
	if On(n) {
		return g
	}

	return f
}
