package user

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// NoteLanguage records which language the request wishes as the person's, which mails are written in. A request that
// wishes none, such as a program's, changes nothing.
func NoteLanguage(ctx context.Context, tx *db.Tx, userID string) error {
	language := words.Must().Choice(caller.RequestOf(ctx).Language)
	if language == "" {
		return nil
	}

	_, err := tx.Exec("UPDATE users SET language = ? WHERE id = ? AND language <> ?", language, userID, language)

	return err
}

// Language returns the code of the language of the person with an address, or "" where it is not known.
func Language(ctx context.Context, q db.Querier, address string) (string, error) {
	all, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT language FROM users WHERE email_key = ?", Key(address))
	if err != nil || len(all) == 0 {
		return "", err
	}

	return all[0], nil
}
