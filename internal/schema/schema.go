// Package schema carries the migrations of every noun, one text for both databases.
//
// Types are TEXT, BIGINT, BOOLEAN and BYTEA and nothing else. Times are BIGINT Unix microseconds, 0 for none; texts
// are ” for none; amounts are digit TEXT in base units; JSON is TEXT that SQL never looks into. Columns are NOT NULL.
// Foreign keys, where there are any, are DEFERRABLE INITIALLY DEFERRED, since a group commit writes table by table.
package schema

import (
	"embed"
	"io/fs"
)

//go:embed migrations/*.sql
var files embed.FS

// Files is the folder of migrations, in order of their names.
func Files() fs.FS {
	sub, err := fs.Sub(files, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}

	return sub
}
