package document

import (
	"context"
	"fmt"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// prefix begins every key.
const prefix = "doc"

// ByKey returns a document of the organisation. An unknown key, a malformed one and another organisation's are refused
// word for word the same.
func ByKey(ctx context.Context, q db.Querier, organisation, key string) (Document, error) {
	v, err := find(ctx, q, organisation, key)
	return v.Document, err
}

// LatestOf returns the keys of the latest documents of organisations, by organisation, the newest first and at most
// limit of each.
func LatestOf(ctx context.Context, q db.Querier, organisations []string, limit int) (map[string][]string, error) {
	all, err := latestOf(ctx, q, organisations, limit)
	if err != nil {
		return nil, fmt.Errorf("documents of %d organisations: %w", len(organisations), err)
	}

	out := map[string][]string{}
	for _, d := range all {
		out[d.organisation] = append(out[d.organisation], d.key)
	}

	return out, nil
}

// Known returns those of the keys that are documents of the organisation, in one query; in none when no key could be
// one.
func Known(ctx context.Context, q db.Querier, organisation string, keys []string) (map[string]Document, error) {
	out := make(map[string]Document, len(keys))

	var wanted []string
	for _, k := range keys {
		if id.Valid(prefix, k) { // what cannot be one is not asked for
			wanted = append(wanted, k)
		}
	}

	if len(wanted) == 0 {
		return out, nil
	}

	rows, err := stored(ctx, q, organisation, wanted)
	if err != nil {
		return nil, fmt.Errorf("documents of %s: %w", organisation, err)
	}

	for _, v := range rows {
		out[v.Key] = v.Document
	}

	return out, nil
}
