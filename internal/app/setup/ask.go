package setup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// question is one thing to be answered: by its flag, by a person at a terminal, or by what is usual.
type question struct {
	text  string
	flag  string
	given string // by the flag
	usual string // the answer of whoever just presses Enter; empty: there is none
	check func(string) error
}

// tries is how often a person is asked again after a wrong answer.
const tries = 5

// asker asks questions at a terminal, or takes the answers of flags.
type asker struct {
	in  *bufio.Reader // nil: nobody is there
	out io.Writer
}

func newAsker(in io.Reader, out io.Writer) asker {
	a := asker{out: out}
	if in != nil {
		a.in = bufio.NewReader(in)
	}

	return a
}

func (a asker) say(format string, args ...any) { fmt.Fprintf(a.out, format+"\n", args...) }

func (a asker) title(text string) { a.say("\n%s", text) }

// checked prints the outcome of a check that went well.
func (a asker) checked(said string, err error) error {
	if err == nil {
		a.say("  ok: %s", said)
	}

	return err
}

// ask returns the answer to a question. Without a terminal, a question without a flag gets the usual answer, or is an
// error that names the flag.
func (a asker) ask(q question) (string, error) {
	switch {
	case q.given != "":
		return q.given, q.accept(q.given)
	case a.in == nil && q.usual != "":
		a.say("  %s: %s", q.text, q.usual)
		return q.usual, nil
	case a.in == nil:
		return "", fmt.Errorf("%s is needed: %s", q.flag, q.text)
	}

	for range tries {
		fmt.Fprintf(a.out, "  %s", q.text)

		if q.usual != "" {
			fmt.Fprintf(a.out, " [%s]", q.usual)
		}

		fmt.Fprint(a.out, ": ")

		line, err := a.in.ReadString('\n')
		if err != nil && line == "" {
			return "", fmt.Errorf("no answer to: %s", q.text)
		}

		answer := strings.TrimSpace(line)
		if answer == "" {
			answer = q.usual
		}

		err = q.accept(answer)
		if err == nil {
			return answer, nil
		}

		a.say("  %v", err)
	}

	return "", fmt.Errorf("no usable answer to: %s", q.text)
}

// accept returns why an answer is none.
func (q question) accept(answer string) error {
	if answer == "" {
		return errors.New("an answer is needed")
	}

	if q.check == nil {
		return nil
	}

	if err := q.check(answer); err != nil {
		return fmt.Errorf("%s %q: %w", q.flag, answer, err)
	}

	return nil
}

// oneOf returns a check for a few words.
func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(words, s) {
			return errors.New("must be one of: " + strings.Join(words, ", "))
		}

		return nil
	}
}

func isPort(s string) error {
	if n, err := strconv.ParseUint(s, 10, 16); err != nil || n == 0 {
		return errors.New("must be a port such as 587")
	}

	return nil
}

func readable(path string) error {
	_, err := os.ReadFile(path)
	return err
}
