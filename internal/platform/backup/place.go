package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	manifestName = "manifest.json"
	drillName    = "last-drill.json"
	lockName     = ".lock"
	objectsName  = "objects"     // the folder of what lies once
	unfinished   = ".unfinished" // ends the name of a folder that is no back-up yet, or no longer

	nameLayout = "20060102T150405Z"

	ownerOnly       = 0o600
	ownerOnlyFolder = 0o700
)

// nameForm matches names of back-ups, so that no name leads to another folder.
var nameForm = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z$`)

// Place is a folder of back-ups. It is safe for use by several processes if the file system knows locks.
type Place struct{ folder string }

// Open opens a place. It does not make the folder, which may be one that is not mounted now: what is done with it then
// returns an error.
func Open(folder string) (*Place, error) {
	folder, err := filepath.Abs(folder)
	return &Place{folder}, err
}

// Folder returns the full path of the place.
func (p *Place) Folder() string { return p.folder }

// Lock keeps other processes from working in the place until release is called or this process ends. It returns ErrBusy
// if one does.
func (p *Place) Lock() (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(p.folder, lockName), os.O_CREATE|os.O_RDWR, ownerOnly)
	if err != nil {
		return nil, p.away(err)
	}

	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { _ = f.Close() }, nil
	}

	_ = f.Close()

	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("%w: %s", ErrBusy, p.folder)
	}

	return nil, fmt.Errorf("lock %s: %w", p.folder, err)
}

// away explains that nothing can be done in the place.
func (p *Place) away(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder of the back-ups is not there: mount it, or make it: %w", err)
	}

	return fmt.Errorf("the folder of the back-ups: %w", err)
}

// Names returns the names of all back-ups, the oldest first. A name is the moment at which it was begun.
func (p *Place) Names() ([]string, error) {
	entries, err := os.ReadDir(p.folder)
	if err != nil {
		return nil, p.away(err)
	}

	var out []string
	for _, e := range entries {
		if e.IsDir() && nameForm.MatchString(e.Name()) {
			out = append(out, e.Name())
		}
	}

	slices.Sort(out)

	return out, nil
}

// Newest returns when the newest back-up was begun, or the zero time if there is none. Those that were taken while the
// clock was ahead of now do not count.
func (p *Place) Newest(now time.Time) (time.Time, error) {
	names, err := p.Names()
	if err != nil {
		return time.Time{}, err
	}

	for _, name := range slices.Backward(names) {
		if at := begun(name); !at.After(now) {
			return at, nil
		}
	}

	return time.Time{}, nil
}

// Oldest returns when the oldest back-up was begun, or the zero time if there is none.
func (p *Place) Oldest() (time.Time, error) {
	names, err := p.Names()
	if err != nil || len(names) == 0 {
		return time.Time{}, err
	}

	return begun(names[0]), nil
}

func begun(name string) time.Time {
	at, _ := time.Parse(nameLayout, name) // nameForm has matched it; the zero time for the 99th of a month
	return at
}

// List returns the manifests of all back-ups, the oldest first. One that cannot be read is returned as an error beside
// the others.
func (p *Place) List() (out []Manifest, err error) {
	names, err := p.Names()
	if err != nil {
		return nil, err
	}

	for _, name := range names {
		m, failed := p.Find(name)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}

		out = append(out, m)
	}

	return out, err
}

// Find returns the manifest of a back-up, or of the newest one if name is empty. It returns ErrNone if there is none.
// The manifest may be anybody's: see Manifest.Genuine.
func (p *Place) Find(name string) (m Manifest, err error) {
	if name == "" {
		names, err := p.Names()
		if err != nil {
			return m, err
		}

		if len(names) == 0 {
			return m, fmt.Errorf("%w: %s is empty", ErrNone, p.folder)
		}

		name = names[len(names)-1]
	}

	if !nameForm.MatchString(name) {
		return m, fmt.Errorf("%w: %q is not a name such as %s", ErrNone, name, nameLayout)
	}

	f, err := os.Open(p.at(name, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%w: %s in %s", ErrNone, name, p.folder)
	}

	if err != nil {
		return m, err
	}

	defer func() { _ = f.Close() }() // it was only read

	if m, err = readManifest(f); err != nil {
		return m, fmt.Errorf("read the manifest of %s: %w", name, err)
	}

	if m.Name != name {
		return m, fmt.Errorf("%w: the folder %s has the manifest of %q", ErrDamaged, name, m.Name)
	}

	return m, nil
}

// at returns the path of what a back-up's folder holds.
func (p *Place) at(name string, more ...string) string {
	return filepath.Join(append([]string{p.folder, name}, more...)...)
}

// sweep removes what processes that died have left.
func (p *Place) sweep() error {
	entries, err := os.ReadDir(p.folder)
	if err != nil {
		return err
	}

	for _, e := range entries {
		if strings.HasSuffix(e.Name(), unfinished) {
			err = errors.Join(err, os.RemoveAll(p.at(e.Name())))
		}
	}

	return err
}

// syncFolder makes a folder's list of names durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}

	return errors.Join(f.Sync(), f.Close())
}

// Report keeps the report of the last drill in the place.
func (p *Place) Report(report any) error {
	part := p.at(drillName + unfinished)
	if err := os.RemoveAll(part); err != nil {
		return err
	}

	err := writeDurably(part, func(w io.Writer) error {
		return json.MarshalWrite(w, report, jsontext.WithIndent("  "))
	})
	if err == nil {
		err = os.Rename(part, p.at(drillName))
	}

	if err != nil {
		return fmt.Errorf("keep the report of the drill: %w", err)
	}

	return syncFolder(p.folder)
}

// Reported reads the report of the last drill. Where there is none, or it cannot be read, report stays as it is.
func (p *Place) Reported(report any) error {
	raw, err := os.ReadFile(p.at(drillName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read the report of the last drill: %w", err)
	}

	return json.Unmarshal(raw, report)
}
