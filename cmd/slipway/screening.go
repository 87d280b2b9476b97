package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"slipway/internal/rails/screening"
	"slipway/internal/standards/sanctions"
)

type screeningCommand struct {
	Lists screeningListsCommand `cmd:"" help:"Read sanctions lists, and print what they hold and their dates."`
	Check screeningCheckCommand `cmd:"" help:"Check an address or a name against the lists. Makes no call and records nothing."`
}

// listFiles are the files that a command reads: those of its flag, or else those of the configuration.
type listFiles struct {
	List []string `help:"Files to read instead of screening.list_files, such as a new edition." type:"existingfile"`
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

// Run returns file and line if a list cannot be read. Run it before you replace a file.
func (c screeningListsCommand) Run(g *globals) error {
	lists, err := c.read(g)
	if err != nil {
		return err
	}

	var rows [][]string
	for _, s := range lists.Sources() {
		date := s.Date.Format(time.DateOnly)
		rows = append(rows, []string{s.Name, date, fmt.Sprint(s.Addresses), fmt.Sprint(s.Names), s.Digest})
	}

	if err := columns(g.out, "list\tof\taddresses\tnames\tsha-256", rows); err != nil {
		return err
	}

	const sum = "%d addresses and %d names in all, edition %s\n"
	if _, err := fmt.Fprintf(g.out, sum, lists.Addresses(), lists.Names(), lists.Edition()); err != nil {
		return err
	}

	if n := lists.Cut(); n > 0 {
		const missing = "%d addresses are missing, because remarks break off: add SDN_COMMENTS.CSV or an XML list\n"
		_, err := fmt.Fprintf(g.out, missing, n)

		return err
	}

	return nil
}

type screeningCheckCommand struct {
	listFiles
	Least   int    `help:"Least score, of 100, of the names that are printed." default:"70"`
	Subject string `arg:"" help:"The address or the name."`
}

// Run prints the result. A hit is no error.
func (c screeningCheckCommand) Run(ctx context.Context, g *globals) error {
	lists, err := c.read(g)
	if err != nil {
		return err
	}

	if sanctions.Plausible(c.Subject) {
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
		rows = append(rows, []string{
			fmt.Sprint(h.Score),
			h.Name,
			h.List,
			h.Entry,
			cmp.Or(strings.Join(h.Programs, " "), "-"),
			cmp.Or(strings.Join(h.Countries, ", "), "-"),
			cmp.Or(strings.Join(h.Births, ", "), "-"),
			cmp.Or(strings.Join(h.Numbers, ", "), "-"),
			h.Why,
		})
	}

	return columns(g.out, "score\tname\tlist\tentry\tprograms\tcountries\tborn\tnumbers\twhy", rows)
}
