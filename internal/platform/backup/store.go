package backup

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// Postgres is a database of PostgreSQL, by its address.
type Postgres string

// Another returns the address of another database of the same server.
func (a Postgres) Another(name string) (Postgres, error) {
	u, err := url.Parse(string(a))
	if err != nil {
		return "", errors.New("the database's address cannot be read")
	}

	q := u.Query()
	q.Del("dbname")
	u.RawQuery = q.Encode()
	u.Path = "/" + name

	return Postgres(u.String()), nil
}

// Name returns the database's name.
func (a Postgres) Name() string {
	c, err := pgx.ParseConfig(string(a))
	if err != nil {
		return ""
	}

	return c.Database
}

// ofDrills is the comment on a database that a drill has made. One without it is somebody's, and is left.
const ofDrills = "made by slipway backup drill, which removes it"

// Aside makes an empty database beside this one, for a drill, and returns its address and what removes it. One that a
// drill has left, because its process died, is removed first. The role must be allowed to make databases.
func (a Postgres) Aside(ctx context.Context) (aside Postgres, remove func() error, err error) {
	conn, err := pgx.Connect(ctx, string(a))
	if err != nil {
		return "", nil, err
	}

	name := a.Name() + "_drill"
	quoted := pgx.Identifier{name}.Sanitize()

	var comment *string

	err = conn.QueryRow(ctx,
		"SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $1", name).Scan(&comment)

	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = nil
	case err == nil && (comment == nil || *comment != ofDrills):
		err = fmt.Errorf("the database %s is there, and no drill has made it: rename it", name)
	case err == nil:
		_, err = conn.Exec(ctx, "DROP DATABASE "+quoted+" WITH (FORCE)")
	}

	if err == nil {
		_, err = conn.Exec(ctx, "CREATE DATABASE "+quoted+" TEMPLATE template0 ENCODING 'UTF8'")
	}

	if err == nil {
		_, err = conn.Exec(ctx, "COMMENT ON DATABASE "+quoted+" IS '"+ofDrills+"'")
	}

	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("make the database %s for the drill: %w", name, err), conn.Close(ctx))
	}

	remove = func() error {
		ctx := context.WithoutCancel(ctx)
		_, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+quoted+" WITH (FORCE)")

		return errors.Join(err, conn.Close(ctx))
	}

	if aside, err = a.Another(name); err != nil {
		return "", nil, errors.Join(err, remove())
	}

	return aside, remove, nil
}
