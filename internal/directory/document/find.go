package document

import (
	"context"

	"slipway/internal/platform/db"
)

// ByKey gives a document of the organisation. An unknown key, a malformed one and another organisation's are refused word for word the same.
func ByKey(ctx context.Context, q db.Querier, organisation, key string) (Document, error) {
	return Document{}, errUnbuilt
}

// Known gives those of the keys that are documents of the organisation, in one query.
func Known(ctx context.Context, q db.Querier, organisation string, keys []string) (map[string]Document, error) {
	return nil, errUnbuilt
}
