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

// Lists rejects the addresses that stand on the operator's lists and approves all others, and finds names on them.
// Safe for concurrent use.
type Lists struct {
	paths []string
	state atomic.Pointer[lists]
}

// lists is what one reading of all files gave. It never changes.
type lists struct {
	addresses map[string]string // normal form of the address → where it stands
	names     *nameIndex
	edition   string
	sources   []Source
	files     []stamp
	cut       int
}

// stamp is what a file looked like when it was read.
type stamp struct {
	size     int64
	modified time.Time
}

// NewLists reads the files. It fails when there is none, or one cannot be read, or one holds nothing: a list that is
// empty by mistake would let everybody pass.
func NewLists(paths ...string) (*Lists, error) {
	if len(paths) == 0 {
		return nil, errors.New("screening: no list file is configured")
	}

	p := &Lists{paths: slices.Clone(paths)}

	return p, p.Reload()
}

// many is from how many addresses or names on a list is a published one, and not a handful of the operator's own.
const many = 20

// Reload reads the files again; what a newer file no longer lists is listed no more. If one is wrong, the lists read
// before stay in use and the error says which file and line. So they do when of many addresses or names less than
// half is left: a file that broke off while it was fetched, or is of another sort, looks like that. Who means it
// starts the service anew.
func (p *Lists) Reload() error {
	l, err := readLists(p.paths)
	if err != nil {
		return err
	}

	if old := p.state.Load(); old != nil {
		for _, x := range []struct {
			what     string
			was, now int
		}{{"addresses", len(old.addresses), len(l.addresses)}, {"names", len(old.names.names), len(l.names.names)}} {
			if x.was >= many && 2*x.now < x.was {
				return fmt.Errorf(
					"screening lists: of %d %s only %d are left; start the service anew if that is right",
					x.was,
					x.what,
					x.now,
				)
			}
		}
	}

	p.state.Store(l)

	return nil
}

// Changed says whether a file is another one than was read last. A file that cannot be seen counts as changed:
// reading it says why.
func (p *Lists) Changed() bool {
	for i, path := range p.paths {
		info, err := os.Stat(path)
		if err != nil || (stamp{info.Size(), info.ModTime()}) != p.state.Load().files[i] {
			return true
		}
	}

	return false
}

// Watch reads the files again whenever one has changed, until ctx ends. Files that cannot be read are told to the log
// at each look; meanwhile what was read before counts. So does a list that is older than maxAge, since its publisher
// has most likely published another one.
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

// complainEvery is how often the log is told of what is wrong with lists in use.
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

// Edition names the bytes of all files together.
func (p *Lists) Edition() string { return p.state.Load().edition }

// Sources are the files as they were read, in the order of the configuration.
func (p *Lists) Sources() []Source { return slices.Clone(p.state.Load().sources) }

// Addresses is the number of addresses listed.
func (p *Lists) Addresses() int { return len(p.state.Load().addresses) }

// Names is the number of names listed.
func (p *Lists) Names() int { return len(p.state.Load().names.names) }

// Cut is the number of addresses that could not be taken because their file breaks off in the middle of them and no
// other file goes on. When it is not 0, the operator should add a list that holds them whole.
func (p *Lists) Cut() int { return p.state.Load().cut }

// Screen answers from memory. The network makes no difference: an address is the same key on every chain.
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

// Match answers from memory. A name in letters that most listed names are not written in is found only where it is
// listed in just these; that it is not found so says nothing.
func (p *Lists) Match(name string, least int) ([]Hit, error) {
	hits := p.state.Load().names.match(name, least)
	if len(hits) == 0 && !readable(name) {
		return nil, ErrLetters
	}

	return hits, nil
}
