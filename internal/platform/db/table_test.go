package db_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
)

type parcelKind string

// parcel has a field of every kind that a table can have.
type parcel struct {
	id, owner string
	kind      parcelKind
	phone     string
	fragile   bool
	pieces    int
	grams     int64
	labels    map[string]string
	patience  time.Duration
	tokens    *big.Int
	price     money.Amount
	stamps    []string
	photo     []byte
	version   int64
	sentAt    time.Time
}

var (
	parcelPhone = db.SealColumn("parcels", "sealed", "owner, id").FoundBy(
		"phone_hash",
		func(key db.Key, texts []string) string { return key[0].(string) + "/" + texts[0] },
	)
	parcelPhoto = db.SealBytes("parcels", "photo", "id")
	parcels     = db.NewTable("parcels", (*parcel).columns)
	parcelsOnce = parcels.OrIgnore("(id)")
)

func (p *parcel) columns(c *db.Columns) {
	c.Text("id", &p.id)
	c.Text("owner", &p.owner)
	c.Text("kind", (*string)(&p.kind))
	c.Sealed(parcelPhone, db.Key{&p.owner, &p.id}, &p.phone)
	c.Bool("fragile", &p.fragile)
	c.Int("pieces", &p.pieces)
	c.Int64("grams", &p.grams)
	c.JSON("labels", &p.labels)
	c.Duration("patience_s", time.Second, &p.patience)
	c.Units("tokens", &p.tokens)
	c.Amount("currency", "decimals", "units", &p.price)
	c.Words("stamps", &p.stamps)
	c.Written("search", func() string { return p.owner + " " + p.id })
	c.SealedBytes(parcelPhoto, db.Key{&p.id}, &p.photo)
	c.Int64("version", &p.version)
	c.Time("sent_at", &p.sentAt)
}

func eachParcels(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()

	run := func(t *testing.T, url string) {
		keys, err := secret.ParseKeyring(secret.NewKey("k1"))
		require.NoError(t, err)
		d, err := db.Open(t.Context(), db.Config{URL: url, Keys: keys})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`CREATE TABLE parcels (id TEXT PRIMARY KEY, owner TEXT NOT NULL, kind TEXT NOT NULL,
				sealed TEXT NOT NULL, phone_hash TEXT NOT NULL, fragile BOOLEAN NOT NULL, pieces BIGINT NOT NULL,
				grams BIGINT NOT NULL, labels TEXT NOT NULL, patience_s BIGINT NOT NULL, tokens TEXT NOT NULL,
				currency TEXT NOT NULL, decimals BIGINT NOT NULL, units TEXT NOT NULL, stamps TEXT NOT NULL,
				search TEXT NOT NULL, photo BYTEA NOT NULL, version BIGINT NOT NULL, sent_at BIGINT NOT NULL)`)

			return err
		}))

		test(t, d)
	}

	t.Run("sqlite", func(t *testing.T) { run(t, "sqlite:"+dbtest.SQLiteFile(t)) })
	t.Run("postgres", func(t *testing.T) { run(t, dbtest.PostgresURL(t)) })
}

func insertParcels(t *testing.T, d *db.DB, table *db.Table[parcel], all ...parcel) {
	t.Helper()
	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		for _, p := range all {
			table.Insert(tx, &p)
		}

		return nil
	}))
}

func fullParcel() parcel {
	return parcel{
		id:       "p1",
		owner:    "ann",
		kind:     "BOX",
		phone:    "+41 44 000 00 00",
		fragile:  true,
		pieces:   3,
		grams:    5_000_000_000,
		labels:   map[string]string{"b": "2", "a": "1"},
		patience: 90 * time.Second,
		tokens:   new(big.Int).Lsh(big.NewInt(1), 100),
		price:    money.FromUnits(money.Asset{Code: "CHF", Decimals: 2}, big.NewInt(1250)),
		stamps:   []string{"blue", "red"},
		photo:    []byte("a photo"),
		version:  1,
		sentAt:   time.Date(2026, 3, 1, 12, 0, 0, 123_000, time.UTC),
	}
}

// emptyParcel is what is read of a parcel without content.
func emptyParcel() parcel {
	return parcel{
		id:     "p0",
		owner:  "bob",
		labels: map[string]string{},
		tokens: new(big.Int),
		price:  money.FromUnits(money.Asset{}, new(big.Int)),
		stamps: []string{},
	}
}

// What a record holds comes back in the same fields, whatever their kind, and is changed as a whole.
func TestTableReadsWhatItWrote(t *testing.T) {
	eachParcels(t, func(t *testing.T, d *db.DB) {
		full := fullParcel()
		empty := emptyParcel()
		insertParcels(t, d, parcels, full, empty)

		all, err := parcels.Select(t.Context(), d, "WHERE owner <> ? ORDER BY id", "nobody")
		require.NoError(t, err)
		require.Equal(t, []parcel{empty, full}, all)

		var w db.Where
		db.Find(d, &w, parcelPhone, "ann/"+full.phone)
		found, err := parcels.Select(t.Context(), d, w.SQL(), w.Args...)
		require.NoError(t, err)
		require.Equal(t, []parcel{full}, found)

		page, total, err := parcels.Page(t.Context(), d, db.Page{Window: caller.Window{Limit: 1}})
		require.NoError(t, err)
		require.EqualValues(t, 2, total)
		require.Equal(t, full, page[0])

		byID := func(p parcel) string { return p.id }
		byKey, err := parcels.ByKeys(t.Context(), d, db.Where{}, []string{"p1", "p9"}, byID)
		require.NoError(t, err)
		require.Equal(t, map[string]parcel{"p1": full}, byKey)

		byKey, err = parcels.ByKeys(t.Context(), d, db.Where{}, nil, byID)
		require.NoError(t, err)
		require.Empty(t, byKey)

		next := full
		next.phone = "+44 20 0000 0000"
		next.fragile = false
		next.labels = map[string]string{"c": "3"}
		next.version = 2
		next.sentAt = time.Time{}
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			parcels.Update(tx, &next, full.version)
			return nil
		}))

		got, err := parcels.One(t.Context(), d, "WHERE id = ?", full.id)
		require.NoError(t, err)
		require.Equal(t, next, got)

		_, err = parcels.One(t.Context(), d, "WHERE id = ?", "p9")
		require.ErrorIs(t, err, db.ErrNone)
	})
}

// Each of several records has a row of its own, with nothing of its neighbours.
func TestTableInsertsSeveralRows(t *testing.T) {
	eachParcels(t, func(t *testing.T, d *db.DB) {
		last := fullParcel()
		last.id = "p2"
		last.phone = "+44 20 0000 0000"
		all := []parcel{emptyParcel(), fullParcel(), last}

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			parcels.InsertAll(tx, nil)
			parcels.InsertAll(tx, all)

			return nil
		}))

		got, err := parcels.Select(t.Context(), d, "ORDER BY id")
		require.NoError(t, err)
		require.Equal(t, all, got)
	})
}

// A row that has changed since it was read is not written over.
func TestTableUpdatesOnlyTheVersionThatWasRead(t *testing.T) {
	eachParcels(t, func(t *testing.T, d *db.DB) {
		p := fullParcel()
		insertParcels(t, d, parcels, p)

		p.version = 7
		p.pieces = 0
		require.ErrorIs(t, d.Write(t.Context(), func(tx *db.Tx) error {
			parcels.Update(tx, &p, 2)
			return nil
		}), db.ErrStale)

		got, err := parcels.One(t.Context(), d, "WHERE id = ?", p.id)
		require.NoError(t, err)
		require.Equal(t, fullParcel(), got)
	})
}

// A row that cannot be read is named.
func TestARowThatIsDamagedIsNamed(t *testing.T) {
	eachParcels(t, func(t *testing.T, d *db.DB) {
		insertParcels(t, d, parcels, fullParcel())

		for _, column := range []string{"tokens", "units", "labels", "sealed"} {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE parcels SET " + column + " = 'x'")
				return err
			}))

			_, err := parcels.One(t.Context(), d, "")
			require.ErrorContains(t, err, "row p1: ", column)
			_, err = parcels.Select(t.Context(), d, "")
			require.ErrorContains(t, err, "row p1: ", column)
		}
	})
}

func TestTableSkipsRowsThatExist(t *testing.T) {
	eachParcels(t, func(t *testing.T, d *db.DB) {
		p := fullParcel()
		insertParcels(t, d, parcels, p)

		p.pieces = 9
		insertParcels(t, d, parcelsOnce, p)

		got, err := parcels.One(t.Context(), d, "WHERE id = ?", p.id)
		require.NoError(t, err)
		require.Equal(t, fullParcel(), got)
	})
}

// A row that was read keeps its values when the next one is read: no two rows share memory.
func TestRowsShareNoMemory(t *testing.T) {
	eachParcels(t, func(t *testing.T, d *db.DB) {
		first := fullParcel()
		second := fullParcel()
		second.id = "p2"
		second.phone = "1"
		second.photo = []byte("another")
		second.tokens = big.NewInt(7)
		second.stamps = []string{"green"}
		second.labels = map[string]string{"c": "3"}
		insertParcels(t, d, parcels, first, second)

		all, err := parcels.Select(t.Context(), d, "ORDER BY id")
		require.NoError(t, err)
		require.Equal(t, []parcel{first, second}, all)
	})
}

// Only some columns are read, the other fields stay empty; and only these are changed.
func TestTableOfOnlySomeColumns(t *testing.T) {
	some := parcels.Only("owner", "kind", "currency", "decimals", "units", "search", "id", "version")

	eachParcels(t, func(t *testing.T, d *db.DB) {
		full := fullParcel()
		insertParcels(t, d, parcels, full)

		got, err := some.One(t.Context(), d, "WHERE id = ?", full.id)
		require.NoError(t, err)

		next := got
		require.Equal(t, parcel{
			id:      "p1",
			owner:   "ann",
			kind:    "BOX",
			price:   full.price,
			version: 1,
		}, got)

		next.id = "another"
		next.owner = "cid"
		next.kind = "BAG"
		next.version = 2
		write := func(change func(tx *db.Tx) error) error { return d.Write(t.Context(), change) }

		require.NoError(t, write(func(tx *db.Tx) error {
			some.Change(tx, &next, "id = ? AND version = ?", full.id, full.version)
			return nil
		}))
		require.ErrorIs(t, write(func(tx *db.Tx) error {
			return some.ChangeNow(tx, &next, "id = ? AND version = ?", full.id, full.version)
		}), db.ErrStale)

		search, err := db.Value[string](t.Context(), d, "SELECT search FROM parcels WHERE id = ?", full.id)
		require.NoError(t, err)
		require.Equal(t, "cid another", search)

		want := full
		want.owner = "cid"
		want.kind = "BAG"
		want.version = 2
		want.phone = "" // it is sealed for its owner
		withoutPhone := parcels.Only(
			"id",
			"owner",
			"kind",
			"fragile",
			"pieces",
			"grams",
			"labels",
			"patience_s",
			"tokens",
			"currency",
			"decimals",
			"units",
			"stamps",
			"photo",
			"version",
			"sent_at",
		)

		got, err = withoutPhone.One(t.Context(), d, "WHERE id = ?", full.id)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})

	require.Panics(t, func() { parcels.Only("id", "colour") })
	require.PanicsWithValue(
		t,
		"table parcels has only a part of a value: units",
		func() { parcels.Only("id", "units") },
	)
	require.PanicsWithValue(
		t,
		"table parcels has only a part of a value: sealed",
		func() { parcels.Only("id", "owner", "sealed") },
		"its hashes would be those of another text",
	)

	next := fullParcel()
	part := "a table of only some columns of parcels is for reading and for Change"
	require.PanicsWithValue(t, part, func() { some.Insert(nil, &next) }, "the other columns would be lost")
	require.PanicsWithValue(t, part, func() { some.Update(nil, &next, 1) }, "its first column is not the key")
}

// weight is what is read of two parcels at once.
type weight struct {
	kind  string
	grams int64
}

func (w *weight) columns(c *db.Columns) {
	c.Text("a.kind", &w.kind)
	c.Int64("a.grams + b.grams", &w.grams)
}

// What several tables hold is read in one statement: as a view, and as the records of each.
func TestViewReadsSeveralTables(t *testing.T) {
	const pairs = "FROM parcels a JOIN parcels b ON b.owner = a.owner AND b.id > a.id"

	weights := db.NewView(pairs, (*weight).columns)

	eachParcels(t, func(t *testing.T, d *db.DB) {
		first := fullParcel()
		second := first
		second.id = "p2"
		second.grams = 1
		insertParcels(t, d, parcels, first, second)

		got, err := weights.Select(t.Context(), d, "")
		require.NoError(t, err)
		require.Equal(t, []weight{{"BOX", first.grams + 1}}, got)

		rows, err := d.Query(t.Context(), "SELECT "+parcels.ListIf("b.grams > 1", "a")+", "+parcels.List("b")+" "+pairs)
		require.NoError(t, err)

		defer rows.Close()

		var a, b parcel

		require.True(t, rows.Next())
		require.NoError(t, rows.Scan(append(parcels.Dest(&a), parcels.Dest(&b)...)...))
		require.Equal(t, second, b)

		none := emptyParcel()
		none.id = ""
		none.owner = ""
		none.labels = nil
		require.Equal(t, none, a)
	})
}

// A list of columns that cannot be right ends the process when it starts, not when the first row is written.
func TestNewTableRefusesWrongColumns(t *testing.T) {
	for name, columns := range map[string]func(p *parcel, c *db.Columns){
		"no column":              func(*parcel, *db.Columns) {},
		"a column twice":         func(p *parcel, c *db.Columns) { c.Text("id", &p.id); c.Text("id", &p.owner) },
		"a column without name":  func(p *parcel, c *db.Columns) { c.Text("", &p.id) },
		"a hash that is a field": func(p *parcel, c *db.Columns) { p.columns(c); c.Text("phone_hash", &p.phone) },
	} {
		t.Run(name, func(t *testing.T) {
			require.Panics(t, func() { db.NewTable("parcels", columns) })
		})
	}

	t.Run("a sealed column of another table", func(t *testing.T) {
		require.PanicsWithValue(t, "table letters has the sealed column parcels.sealed", func() {
			db.NewTable("letters", (*parcel).columns)
		})
	})
}
