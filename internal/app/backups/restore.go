package backups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"slipway/internal/platform/backup"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// sqliteScheme begins the address of a database that is a file.
const sqliteScheme = "sqlite:"

// Restored says what was put back, and where.
type Restored struct {
	Manifest backup.Manifest
	Database string            // the file, or the name of the database
	Trees    map[string]string // folders by name
	Files    int
}

// Restore puts a back-up of a place back to where the configuration says: the database, which must not be there yet or
// be empty, and the files. name is empty for the newest one. A second call after an error goes on with the files.
//
// The witness stays as it is: the service finds by it that the database is old, and re-reads the world before anything
// leaves.
func Restore(
	ctx context.Context,
	c *config.Config,
	keys *secret.Keyring,
	migrations fs.FS,
	place *backup.Place,
	name string,
) (out Restored, err error) {
	release, err := place.Lock()
	if errors.Is(err, backup.ErrBusy) {
		return out, err
	}

	if err == nil { // a place that can only be read needs no lock
		defer release()
	}

	if out.Manifest, err = place.Find(name); err != nil {
		return out, err
	}

	if err := out.Manifest.Genuine(keys); err != nil {
		return out, err
	}

	out.Trees = c.Backed()
	for tree, folder := range out.Trees { // the files first: a database that is there is one that is complete
		n, err := place.PutFiles(ctx, out.Manifest, tree, folder)
		if err != nil {
			return out, err
		}

		out.Files += n
	}

	out.Database, err = putDatabase(ctx, place, out.Manifest, migrations, c.DatabaseURL())

	return out, err
}

// putDatabase puts the copy of a database to an address, and returns where that is in words.
func putDatabase(
	ctx context.Context,
	place *backup.Place,
	m backup.Manifest,
	migrations fs.FS,
	address string,
) (string, error) {
	path, file := strings.CutPrefix(address, sqliteScheme)
	path, _, _ = strings.Cut(path, "?")

	engine := db.Postgres.String()
	if file {
		engine = db.SQLite.String()
	}

	if m.Engine != engine {
		return "", fmt.Errorf("the back-up is of %s, and database.url names a database of %s", m.Engine, engine)
	}

	if file {
		return path, place.WriteDatabase(ctx, m, path)
	}

	name := backup.Postgres(address).Name()
	if err := fill(ctx, place, m, migrations, address); err != nil {
		return "", fmt.Errorf("the database %s: %w", name, err)
	}

	return name, nil
}

// fill makes the tables of an empty database as they were when it was copied, and puts the rows into them.
func fill(ctx context.Context, place *backup.Place, m backup.Manifest, migrations fs.FS, address string) (err error) {
	d, err := db.Open(ctx, db.Config{URL: address})
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	u, err := d.Upgrade(ctx, migrations)
	if err != nil {
		return err
	}

	if u.At > 0 {
		return errors.New("it has tables already: a back-up is put back into an empty database")
	}

	if m.Schema > u.Wanted {
		return fmt.Errorf("the back-up's schema is %d, and this program knows %d: use a program as new as the back-up",
			m.Schema, u.Wanted)
	}

	if _, err := d.MigrateTo(ctx, migrations, m.Schema); err != nil {
		return err
	}

	return place.Database(ctx, m, func(r io.Reader) error { return d.Fill(ctx, r) })
}

// ErrNoPlace is returned by Drill where there is no place to put a database aside: that says nothing of the back-up.
var ErrNoPlace = errors.New("there is no place for a drill")

// aside puts the copy of a database to where nobody works on it, and returns its address and what removes it.
func (s *Service) aside(ctx context.Context, m backup.Manifest) (address string, remove func() error, err error) {
	if m.Engine == db.SQLite.String() {
		return s.fileAside(ctx, m)
	}

	server := s.Config.Backup.DrillURL.Reveal()
	if server == "" {
		server = s.Config.DatabaseURL()
	}

	if strings.HasPrefix(server, sqliteScheme) {
		return "", nil, errors.New("the back-up is of PostgreSQL: name a server for the drill in backup.drill_url")
	}

	to, remove, err := backup.Postgres(server).Aside(ctx)
	if err != nil {
		const rights = "%w: %w (the role needs CREATEDB, or another server is named in backup.drill_url)"
		return "", nil, fmt.Errorf(rights, ErrNoPlace, err)
	}

	if err := fill(ctx, s.place, m, s.Schema, string(to)); err != nil {
		return "", nil, errors.Join(err, remove())
	}

	return string(to), remove, nil
}

// fileAside writes the copy to a folder beside the live database: the place may be on another machine, and SQLite works
// on no file there.
func (s *Service) fileAside(
	ctx context.Context,
	m backup.Manifest,
) (address string, remove func() error, err error) {
	folder, err := s.beside("drill")
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrNoPlace, err)
	}

	remove = func() error { return os.RemoveAll(folder) }
	path := filepath.Join(folder, config.DatabaseName)

	if err := s.place.WriteDatabase(ctx, m, path); err != nil {
		return "", nil, errors.Join(err, remove())
	}

	return sqliteScheme + path, remove, nil
}

// spare is what a copy beside the live database leaves free on its disk: a full disk would stop the service.
const spare = 1 << 30

// beside returns the path of what is made for a while beside the live database, without what a process that died has
// left there. It returns an error where a copy of the database would leave little room on its disk.
func (s *Service) beside(what string) (string, error) {
	live, _, _ := strings.Cut(strings.TrimPrefix(s.Config.DatabaseURL(), sqliteScheme), "?")
	path := filepath.Join(filepath.Dir(live), what+".unfinished")

	if err := os.RemoveAll(path); err != nil {
		return "", err
	}

	var size int64

	for _, file := range []string{live, live + "-wal"} {
		info, err := os.Stat(file)
		if err == nil {
			size += info.Size()
		}
	}

	var disk syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(live), &disk); err != nil {
		return "", err
	}

	return path, roomFor(size, int64(disk.Bavail)*int64(disk.Bsize)) //nolint:unconvert // another type on other systems
}

// roomFor returns an error unless a copy of so many bytes leaves enough of what is free.
func roomFor(size, free int64) error {
	if free-size >= spare {
		return nil
	}

	const megabyte = 1 << 20

	const short = "a copy of the database takes %d MB beside it for a while, and %d MB are free: %d MB have to be left"

	return fmt.Errorf(short, size/megabyte, free/megabyte, spare/megabyte)
}
