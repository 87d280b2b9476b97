//go:build !nosandbox

package demo

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// teller prints what happens: on a terminal with a moving line for what is under way, elsewhere a plain line for each
// thing done.
type teller struct {
	out      io.Writer
	terminal bool
	begin    time.Time
	stop     chan struct{}
	stopped  chan struct{}
}

func newTeller(out io.Writer, terminal bool) *teller {
	return &teller{out: out, terminal: terminal, begin: time.Now()}
}

// heading opens a part of the story.
func (t *teller) heading(s string) { fmt.Fprintf(t.out, "\n%s\n", t.bold(s)) }

// doing shows what is under way until done or fail is called.
func (t *teller) doing(what string) {
	if !t.terminal {
		return
	}

	t.stop = make(chan struct{})

	t.stopped = make(chan struct{})
	go t.spin(what, t.stop, t.stopped)
}

func (t *teller) spin(what string, stop, stopped chan struct{}) {
	defer close(stopped)
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()

	for i := 0; ; i++ {
		fmt.Fprintf(t.out, "\r\033[K  %c %s", frames[i%len(frames)], what)

		select {
		case <-stop:
			fmt.Fprint(t.out, "\r\033[K")
			return
		case <-tick.C:
		}
	}
}

func (t *teller) still() {
	if t.stop != nil {
		close(t.stop)
		<-t.stopped
		t.stop = nil
	}
}

// done says what was done, with the seconds since the demo began.
func (t *teller) done(format string, args ...any) {
	t.still()
	fmt.Fprintf(t.out, "  %s %5.1fs  %s\n", t.green("✓"), time.Since(t.begin).Seconds(), fmt.Sprintf(format, args...))
}

// note adds a line under what was done.
func (t *teller) note(format string, args ...any) {
	fmt.Fprintf(t.out, "            %s\n", fmt.Sprintf(format, args...))
}

// table prints rows in columns; columns whose heading ends in ">" are aligned to the right.
func (t *teller) table(head []string, rows [][]string) {
	width := make([]int, len(head))
	for _, r := range append([][]string{head}, rows...) {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(strings.TrimSuffix(c, ">"))))
		}
	}

	line := func(r []string) {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-len([]rune(strings.TrimSuffix(c, ">"))))
			if c = strings.TrimSuffix(c, ">"); strings.HasSuffix(head[i], ">") {
				b.WriteString(pad + c + "  ")
			} else {
				b.WriteString(c + pad + "  ")
			}
		}

		fmt.Fprintln(t.out, "  "+strings.TrimRight(b.String(), " "))
	}
	line(head)

	total := 0
	for _, w := range width {
		total += w + 2
	}

	fmt.Fprintln(t.out, "  "+strings.Repeat("─", total-2))

	for _, r := range rows {
		line(r)
	}
}

func (t *teller) bold(s string) string {
	if t.terminal {
		return "\033[1m" + s + "\033[0m"
	}

	return s
}

func (t *teller) green(s string) string {
	if t.terminal {
		return "\033[32m" + s + "\033[0m"
	}

	return s
}
