package screening

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// Lists rejects the addresses on the operator's lists and approves all others, and finds names on them. It is safe for
// concurrent use.
type Lists struct {
	paths []string
	state atomic.Pointer[lists]
}

// lists is the content of all files at one time. It never changes.
type lists struct {
	addresses map[string]string // normalised address → the list that contains it
	names     *nameIndex
	edition   string
	sources   []Source
	files     []stamp
	cut       int
}

// stamp identifies a file's version.
type stamp struct {
	size     int64
	modified time.Time
}

// NewLists reads the files. It fails if there is none, or one cannot be read, or one is empty: a list that is empty by
// mistake would approve everyone.
func NewLists(paths ...string) (*Lists, error) {
	if len(paths) == 0 {
		return nil, errors.New("screening: no list file is configured")
	}

	p := &Lists{paths: slices.Clone(paths)}

	return p, p.Reload()
}

// many is the number of addresses or names from which a list counts as a published one, not the operator's own.
const many = 20

// Reload reads the files again. What a newer file no longer contains is no longer listed. If a file is invalid, the
// present lists stay in use and the error names the file and line. They also stay if a published list lost more than
// half of its addresses or names: a truncated download, or another kind of file, looks like that. To accept it, restart
// the service.
func (p *Lists) Reload() error {
	l, err := readLists(p.paths)
	if err != nil {
		return err
	}

	if old := p.state.Load(); old != nil {
		if err := shrunk(old.sources, l.sources); err != nil {
			return err
		}
	}

	p.state.Store(l)

	return nil
}

// shrunk returns an error if a list has lost more than half of its addresses or names. The files are the same ones, in
// the same order.
func shrunk(old, now []Source) error {
	for i, was := range old {
		for _, x := range []struct {
			what     string
			was, now int
		}{{"addresses", was.Addresses, now[i].Addresses}, {"names", was.Names, now[i].Names}} {
			if x.was >= many && 2*x.now < x.was {
				return fmt.Errorf(
					"screening list %s: of %d %s only %d are left; start the service anew if that is right",
					was.Name,
					x.was,
					x.what,
					x.now,
				)
			}
		}
	}

	return nil
}

// Changed reports whether a file differs from the version read last. A file that cannot be checked counts as changed:
// reading it shows why.
func (p *Lists) Changed() bool {
	for i, path := range p.paths {
		info, err := os.Stat(path)
		if err != nil || (stamp{info.Size(), info.ModTime()}) != p.state.Load().files[i] {
			return true
		}
	}

	return false
}

// Watch reads the files again when one has changed, until ctx ends. Files that cannot be read are logged on each check;
// meanwhile the present lists stay in use. It also logs a list older than maxAge, since its publisher has probably
// published a newer one.
func (p *Lists) Watch(ctx context.Context, now func() time.Time, every, maxAge time.Duration, log *slog.Logger) error {
	look := time.NewTicker(every)
	defer look.Stop()
	p.complain(now(), maxAge, log)

	complained := now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}

		if p.Changed() {
			if err := p.Reload(); err != nil {
				log.ErrorContext(
					ctx,
					"sanctions lists could not be read; the ones before stay in use",
					"error",
					err.Error(),
				)

				continue
			}

			log.InfoContext(
				ctx,
				"sanctions lists were read",
				"edition",
				p.Edition(),
				"addresses",
				p.Addresses(),
				"names",
				p.Names(),
			)
		}

		if t := now(); t.Sub(complained) >= complainEvery {
			p.complain(t, maxAge, log)
			complained = t
		}
	}
}

// complainEvery is how often problems of lists in use are logged.
const complainEvery = 24 * time.Hour

func (p *Lists) complain(now time.Time, maxAge time.Duration, log *slog.Logger) {
	if n := p.Cut(); n > 0 {
		log.Error(
			"sanctions lists break off in the middle of addresses; give SDN_COMMENTS.CSV or an XML list besides",
			"addresses",
			n,
		)
	}

	for _, s := range p.Sources() {
		if age := now.Sub(s.Date); maxAge > 0 && age > maxAge {
			log.Error(
				"a sanctions list is old",
				"list",
				s.Name,
				"date",
				s.Date.Format(time.DateOnly),
				"days",
				int(age/(24*time.Hour)),
			)
		}
	}
}

// Edition identifies the bytes of all files together.
func (p *Lists) Edition() string { return p.state.Load().edition }

// Sources returns the files as they were read, in the order of the configuration.
func (p *Lists) Sources() []Source { return slices.Clone(p.state.Load().sources) }

// Addresses returns the number of listed addresses.
func (p *Lists) Addresses() int { return len(p.state.Load().addresses) }

// Names returns the number of listed names.
func (p *Lists) Names() int { return len(p.state.Load().names.names) }

// Cut returns the number of addresses that are truncated because their file ends in the middle of them and no other
// file continues. If it is not 0, the operator should add a list that contains them completely.
func (p *Lists) Cut() int { return p.state.Load().cut }

// Screen answers from memory. The network does not matter: an address is the same key on every chain.
func (p *Lists) Screen(_ context.Context, _, address string) (Result, error) {
	l := p.state.Load()
	if where, ok := l.addresses[normal(address)]; ok {
		return Result{
			Status:    Rejected,
			Reference: l.edition,
			Message:   "The address stands on a sanctions list (" + where + ").",
		}, nil
	}

	return Result{Status: Approved, Reference: l.edition}, nil
}

// Match answers from memory. A name in a script that most listed names do not use is found only if it is listed in that
// script; a miss proves nothing.
func (p *Lists) Match(name string, least int) ([]Hit, error) {
	hits := p.state.Load().names.match(name, least)
	if len(hits) == 0 && !readable(name) {
		return nil, ErrLetters
	}

	return hits, nil
}
