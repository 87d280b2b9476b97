package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"slipway/internal/platform/db"
)

// openPets opens a database with one table. Close it with the function that it returns.
func openPets(ctx context.Context) (d *db.DB, closeAll func()) {
	dir, err := os.MkdirTemp("", "slipway-example")
	if err != nil {
		panic(err)
	}

	if d, err = db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "pets.db")}); err != nil {
		panic(err)
	}

	if err := d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("CREATE TABLE pets (name TEXT PRIMARY KEY, kind TEXT NOT NULL, version BIGINT NOT NULL)")
		return err
	}); err != nil {
		panic(err)
	}

	return d, func() {
		_ = d.Close()
		_ = os.RemoveAll(dir)
	}
}

var insertPet = db.InsertInto("pets", "name, kind, version")

// A write body decides and writes in one transaction. It may run more than once, so it calls nothing outside.
func ExampleDB_Write() {
	ctx := context.Background()

	d, closeAll := openPets(ctx)
	defer closeAll()

	adopt := func(name, kind string) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			tx.Insert(insertPet, name, kind, int64(1))
			return nil
		})
	}

	fmt.Println(adopt("Ada", "cat"))
	fmt.Println(db.IsUnique(adopt("Ada", "dog"), "pets"))

	// Output:
	// <nil>
	// true
}

// A change names the version that was read. If somebody else was first, the whole write fails with ErrStale.
func ExampleTx_Change() {
	ctx := context.Background()

	d, closeAll := openPets(ctx)
	defer closeAll()

	rename := func(kind string, version int64) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			const set = "UPDATE pets SET kind = ?, version = version + 1 WHERE name = 'Ada' AND version = ?"
			tx.Change(set, kind, version)

			return nil
		})
	}

	_ = d.Write(ctx, func(tx *db.Tx) error {
		tx.Insert(insertPet, "Ada", "cat", int64(1))
		return nil
	})

	fmt.Println(rename("lion", 1))
	fmt.Println(errors.Is(rename("tiger", 1), db.ErrStale))

	// Output:
	// <nil>
	// true
}

// Optional conditions are added one by one; an empty list adds none. Select scans each row into the fields that dest
// names.
func ExampleSelect() {
	ctx := context.Background()

	d, closeAll := openPets(ctx)
	defer closeAll()

	_ = d.Write(ctx, func(tx *db.Tx) error {
		tx.Insert(insertPet, "Ada", "cat", int64(1))
		tx.Insert(insertPet, "Bob", "dog", int64(3))
		tx.Insert(insertPet, "Eve", "owl", int64(5))

		return nil
	})

	type pet struct {
		name    string
		version int64
	}

	find := func(kinds []string, from int64) ([]pet, error) {
		var w db.Where

		db.In(&w, "kind", kinds)

		if from > 0 {
			w.And("version >= ?", from)
		}

		return db.Select(ctx, d, func(p *pet) []any { return []any{&p.name, &p.version} },
			"SELECT name, version FROM pets"+w.SQL()+" ORDER BY name LIMIT 100", w.Args...)
	}

	fmt.Println(find([]string{"cat", "dog"}, 2))
	fmt.Println(find(nil, 0))

	// Output:
	// [{Bob 3}] <nil>
	// [{Ada 1} {Bob 3} {Eve 5}] <nil>
}
