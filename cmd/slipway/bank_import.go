package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"slipway/internal/app"
	"slipway/internal/app/cli"
	"slipway/internal/rails/bank"
)

type bankImportCommand struct {
	Paths []string `arg:"" name:"path" help:"Files, or folders whose files are taken in the order of their names." type:"path"`
}

// Run imports every file and prints its outcome. If a file could not be
// booked, the others are booked all the same, and it returns an error at the end.
func (c bankImportCommand) Run(ctx context.Context, g *globals) error {
	var files []string
	for _, p := range c.Paths {
		some, err := filesUnder(p)
		if err != nil {
			return err
		}

		files = append(files, some...)
	}

	if len(files) == 0 {
		return errors.New("there is no file in the folder")
	}

	return g.withBank(ctx, func(a *app.App) error {
		var sum imported
		for n, path := range files {
			r, err := importFile(ctx, a, g.out, path, fmt.Sprintf("%d of %d", n+1, len(files)))
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}

			sum.add(r)
			fmt.Fprintf(
				g.out,
				"%-9s %-11s %s\n",
				cmp.Or(r.Kind, "?"),
				r.Outcome,
				cli.Plain(filepath.Base(path)+what(r)),
			)
		}

		fmt.Fprintln(g.out, sum)

		return sum.problem()
	})
}

// imported counts files by their outcome, and entries.
type imported struct {
	files, booked, unbalanced, repeated, waiting, quarantined int
	entries, fresh, matched                                   int
}

// String returns all counts as one line.
func (s imported) String() string {
	files := fmt.Sprintf("%d files: %d booked, %d known already, %d wait, %d quarantined, %d unbalanced",
		s.files, s.booked, s.repeated, s.waiting, s.quarantined, s.unbalanced)

	return fmt.Sprintf("%s; %d entries, %d new, %d of payouts", files, s.entries, s.fresh, s.matched)
}

// problem returns an error if a file was not booked, or does not add up.
func (s imported) problem() error {
	if n := s.waiting + s.quarantined; n > 0 {
		return fmt.Errorf("%d files were not booked; slipway bank held says what ends that", n)
	}

	if s.unbalanced > 0 {
		return fmt.Errorf("the balances of %d files do not add up; slipway bank held says what ends that", s.unbalanced)
	}

	return nil
}

func (s *imported) add(r bank.Report) {
	s.files++
	s.entries += r.Entries
	s.fresh += r.New
	s.matched += r.Matched

	switch r.Outcome {
	case bank.Imported:
		s.booked++
	case bank.Unbalanced:
		s.unbalanced++
	case bank.Repeated:
		s.repeated++
	case bank.Waiting:
		s.waiting++
	case bank.Quarantined:
		s.quarantined++
	}
}

// what returns in words what a report counts.
func what(r bank.Report) string {
	if r.Reason != "" {
		return ": " + r.Reason
	}

	counts := fmt.Sprintf(": %d entries, %d new, %d of payouts", r.Entries, r.New, r.Matched)
	if r.Statuses > 0 && r.Entries == 0 {
		counts = fmt.Sprintf(": %d statuses", r.Statuses)
	}

	if r.Remark != "" {
		counts += "; " + r.Remark
	}

	return counts
}

// importFile imports one file under its base name, with a bar where there is a terminal.
func importFile(ctx context.Context, a *app.App, out io.Writer, path, position string) (r bank.Report, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, err
	}

	defer func() { err = errors.Join(err, f.Close()) }()

	info, err := f.Stat()
	if err != nil {
		return r, err
	}

	var progress func(read int64, entries int)
	if isTerminal(out) {
		b := &bar{out: out, label: position + " " + cli.Plain(filepath.Base(path)), size: info.Size()}

		progress = b.show
		defer b.wipe()
	}

	return a.ImportBankFile(ctx, func() string { return filepath.Base(path) }, f, progress)
}

// bar is a progress bar on one line of a terminal. A file is read twice: to examine it, and to book it.
type bar struct {
	out   io.Writer
	label string
	size  int64
	last  time.Time
}

const (
	barWidth  = 30
	barPeriod = 100 * time.Millisecond // how often it is drawn
)

func (b *bar) show(read int64, entries int) {
	if now := time.Now(); now.Sub(b.last) >= barPeriod {
		b.last = now
		fmt.Fprint(b.out, "\r\033[K"+b.line(read, entries))
	}
}

// line returns the bar as text.
func (b *bar) line(read int64, entries int) string {
	full := int64(barWidth)
	if b.size > 0 {
		full = min(barWidth, read*barWidth/b.size)
	}

	label := b.label
	if len(label) > 40 {
		label = label[:39] + "…"
	}

	drawn := strings.Repeat("█", int(full)) + strings.Repeat("·", barWidth-int(full))

	return fmt.Sprintf("%-40s [%s] %d entries", label, drawn, entries)
}

func (b *bar) wipe() { fmt.Fprint(b.out, "\r\033[K") }
