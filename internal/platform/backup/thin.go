package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// all is how long each back-up is kept. After that the first of each day is.
	all = 48 * time.Hour
	// always is how many of the newest are kept however old they are: the service may have stood still for long, or its
	// clock may have been set ahead.
	always = 3
)

// Thin removes back-ups that need not be kept: after two days all but the first of each day, and after keep all. The
// newest three are never removed. Hold the place's lock. It returns the names of those that it removed.
func (p *Place) Thin(now time.Time, keep time.Duration) ([]string, error) {
	names, err := p.Names()
	if err != nil {
		return nil, err
	}

	var out []string

	kept := map[string]bool{} // days, each of which has one

	for i, name := range names {
		at := begun(name)
		age := now.Sub(at)
		day := at.Format(time.DateOnly)
		old := age > keep || age > all && kept[day]
		kept[day] = kept[day] || !old

		if !old || i >= len(names)-always {
			continue
		}

		if err := p.remove(name); err != nil {
			return out, fmt.Errorf("remove the back-up %s: %w", name, err)
		}

		out = append(out, name)
	}

	return out, nil
}

// remove takes a back-up its name first, so that none is there in part.
func (p *Place) remove(name string) error {
	left := p.at(name + unfinished)
	if err := os.Rename(p.at(name), left); err != nil {
		return err
	}

	return errors.Join(syncFolder(p.folder), os.RemoveAll(left))
}

// Clear removes files that no back-up names any more. Hold the place's lock. It removes nothing while a back-up cannot
// be read.
func (p *Place) Clear(ctx context.Context) (n int, err error) {
	manifests, err := p.List()
	if err != nil {
		return 0, err
	}

	named := map[string]bool{}

	for _, m := range manifests {
		list, err := p.list(ctx, m)
		if err != nil {
			return 0, err
		}

		for _, f := range list {
			named[f.SHA256] = true
		}
	}

	root, err := os.OpenRoot(filepath.Join(p.folder, objectsName))
	if err != nil {
		return 0, gone(err) // there never was a file
	}

	defer func() { _ = root.Close() }() // nothing is written by it

	err = fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || named[e.Name()] {
			return gone(err)
		}

		if sumForm.MatchString(e.Name()) || strings.HasSuffix(e.Name(), unfinished) {
			n++
			return root.Remove(path)
		}

		return nil
	})

	return n, err
}
