package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"slipway/internal/rails/screening"
	"slipway/internal/standards/ofac"
)

type screeningCommand struct {
	Lists screeningListsCommand `cmd:"" help:"Read sanctions lists and show what they hold, and from when they are."`
	Check screeningCheckCommand `cmd:"" help:"Hold an address or a name against the lists. Nobody else is asked, and nothing is recorded."`
}

// listFiles are the files that a command reads: those of its flag, else those of the configuration.
type listFiles struct {
	List []string `help:"Files to read instead of screening.list_files, such as one that is to replace another." type:"existingfile"`
}

func (f listFiles) read(g *globals) (*screening.Lists, error) {
	if len(f.List) > 0 {
		return screening.NewLists(f.List...)
	}

	c, err := g.load()
	if err != nil {
		return nil, err
	}

	return screening.NewLists(c.Screening.ListFiles...)
}

type screeningListsCommand struct{ listFiles }

// Run fails with the file and line when a list cannot be read: run it before a file is replaced.
func (c screeningListsCommand) Run(g *globals) error {
	lists, err := c.read(g)
	if err != nil {
		return err
	}

	var rows [][]string
	for _, s := range lists.Sources() {
		rows = append(
			rows,
			[]string{s.Name, s.Date.Format(time.DateOnly), fmt.Sprint(s.Addresses), fmt.Sprint(s.Names), s.Digest},
		)
	}

	if err := columns(g.out, "list\tof\taddresses\tnames\tsha-256", rows); err != nil {
		return err
	}

	_, err = fmt.Fprintf(
		g.out,
		"%d addresses and %d names in all, edition %s\n",
		lists.Addresses(),
		lists.Names(),
		lists.Edition(),
	)
	if n := lists.Cut(); n > 0 && err == nil {
		_, err = fmt.Fprintf(
			g.out,
			"%d addresses are missing, because remarks break off: add SDN_COMMENTS.CSV or an XML list\n",
			n,
		)
	}

	return err
}

type screeningCheckCommand struct {
	listFiles
	Least   int    `help:"Score of 100 from which names are shown." default:"70"`
	Subject string `arg:"" help:"The address or the name."`
}

// Run prints the answer; a hit is no failure.
func (c screeningCheckCommand) Run(ctx context.Context, g *globals) error {
	lists, err := c.read(g)
	if err != nil {
		return err
	}

	if ofac.Plausible(c.Subject) {
		r, err := lists.Screen(ctx, "", c.Subject)
		if err != nil {
			return err
		}

		_, err = fmt.Fprintln(g.out, strings.TrimSpace(string(r.Status)+" "+r.Message))

		return err
	}

	hits, err := lists.Match(c.Subject, c.Least)
	if err != nil {
		return err
	}

	if len(hits) == 0 {
		_, err := fmt.Fprintf(g.out, "no listed name scores %d or more\n", c.Least)
		return err
	}

	var rows [][]string
	for _, h := range hits {
		rows = append(
			rows,
			[]string{
				fmt.Sprint(h.Score),
				h.Name,
				h.List,
				h.Entry,
				cmp.Or(strings.Join(h.Programs, " "), "-"),
				cmp.Or(strings.Join(h.Countries, ", "), "-"),
				h.Why,
			},
		)
	}

	return columns(g.out, "score\tname\tlist\tentry\tprograms\tcountries\twhy", rows)
}
