package db_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// A database that keeps text in another encoding than UTF-8 is refused, with the remedy. What a role says about the
// encoding of its connections does not count.
func TestTextIsUTF8WhateverTheServerSays(t *testing.T) {
	s := ownDatabase(t)

	for _, encoding := range []string{"LATIN1", "SQL_ASCII"} {
		name := strings.ToLower(encoding)
		s.Do("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING '" + encoding + "' LOCALE 'C'")

		_, err := db.Open(t.Context(), db.Config{URL: s.Database(name)})
		require.ErrorContains(t, err, "encoding "+encoding)
		require.ErrorContains(t, err, "ENCODING 'UTF8'")
	}

	s.Do("ALTER ROLE postgres SET client_encoding = 'LATIN1'")

	d := openAt(t, s.Address, 1)
	require.NoError(t, d.Write(t.Context(), insert("Łódź")))
	require.EqualValues(t, 1, count(t, d, "id = ? AND length(id) = 4", "Łódź"))

	const query = "SELECT current_setting('client_encoding')"

	encoding, err := db.Value[string](t.Context(), d, query)
	require.NoError(t, err)
	require.Equal(t, "UTF8", encoding)

	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		encoding, err := db.Value[string](t.Context(), tx, query)
		require.Equal(t, "UTF8", encoding)

		return err
	}))
}
