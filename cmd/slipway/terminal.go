package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// terminal is where a person answers questions. Without a person it reads a line for each answer, so that a file or a
// pipe can hold them.
type terminal struct {
	in       *bufio.Reader
	prompts  io.Writer
	attended bool                   // a person sits there
	unseen   func() ([]byte, error) // reads what is typed without showing it; nil: like any other line
}

// terminalAt returns the terminal of a process whose standard input is f.
func terminalAt(f *os.File) *terminal {
	t := &terminal{in: bufio.NewReader(f), prompts: os.Stderr}
	if term.IsTerminal(int(f.Fd())) {
		t.attended = true
		t.unseen = func() ([]byte, error) { return term.ReadPassword(int(f.Fd())) }
	}

	return t
}

// line asks for a line, which is shown as it is typed.
func (t *terminal) line(word string) (string, error) {
	if t.attended {
		fmt.Fprintf(t.prompts, "%s: ", word)
	}

	line, err := t.in.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}

	if err != nil {
		return "", fmt.Errorf("no %s on the standard input: %w", word, err)
	}

	return strings.TrimRight(line, "\r\n"), nil
}

// secret asks for a secret: a terminal does not show what is typed.
func (t *terminal) secret(word string) (string, error) {
	if t.unseen == nil {
		return t.line(word)
	}

	fmt.Fprintf(t.prompts, "%s: ", word)
	raw, err := t.unseen()
	fmt.Fprintln(t.prompts)

	return string(raw), err
}
