//go:build !nosandbox

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// attempt stands in for a test where the harness of browsers asks for one: what would fail the test becomes an error.
type attempt struct {
	testing.TB // nil; the harness calls only what is below

	dir  string
	undo []func()
	err  error
}

// attempted runs do, which may use the harness of browsers, and returns why it gave up.
func attempted(dir string, do func(t testing.TB)) error {
	a := &attempt{dir: dir}
	ended := make(chan struct{})

	go func() {
		defer close(ended)
		defer a.clean()

		do(a)
	}()
	<-ended

	return a.err
}

func (a *attempt) clean() {
	for i := len(a.undo) - 1; i >= 0; i-- {
		a.undo[i]()
	}
}

// Helper does nothing.
func (a *attempt) Helper() {}

// Name returns what the folder of pictures would be called.
func (a *attempt) Name() string { return "bench" }

// Cleanup runs f when the attempt is over.
func (a *attempt) Cleanup(f func()) { a.undo = append(a.undo, f) }

// TempDir makes a folder that is removed with the bench's.
func (a *attempt) TempDir() string {
	dir, err := os.MkdirTemp(a.dir, "browser-")
	if err != nil {
		a.Fatalf("%v", err)
	}

	return dir
}

// ArtifactDir is a folder like any other: the bench keeps no pictures.
func (a *attempt) ArtifactDir() string { return a.TempDir() }

// Errorf notes what is wrong.
func (a *attempt) Errorf(format string, args ...any) {
	a.err = errors.Join(a.err, fmt.Errorf(format, args...))
}

// Fatalf notes what is wrong and ends the attempt.
func (a *attempt) Fatalf(format string, args ...any) {
	a.Errorf(format, args...)
	a.FailNow()
}

// Skip says why the attempt is left out, and ends it.
func (a *attempt) Skip(args ...any) {
	say("console: %s", fmt.Sprint(args...))
	runtime.Goexit()
}

// Skipf says why the attempt is left out, and ends it.
func (a *attempt) Skipf(format string, args ...any) { a.Skip(fmt.Sprintf(format, args...)) }

// FailNow ends the attempt, as it ends a test.
func (a *attempt) FailNow() { runtime.Goexit() }
