package organisation

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// writeLimits returns limits in the form in which they are stored: CODE=amount, sorted, separated by commas.
func writeLimits(limits map[string]money.Amount) string {
	var out []string
	for code, a := range limits {
		out = append(out, code+"="+a.String())
	}

	slices.Sort(out)

	return strings.Join(out, ",")
}

// readLimits parses what writeLimits returned.
func readLimits(s string) (map[string]money.Amount, error) {
	out := map[string]money.Amount{}
	for _, word := range db.Words(s) {
		code, text := cut(word)

		a, err := money.ParseOrZero(money.Asset{Code: code, Decimals: limitDecimals}, text)
		if err != nil {
			return nil, err
		}

		out[code] = a
	}

	return out, nil
}

// cut splits a limit into its currency or token and its amount.
func cut(word string) (code, amount string) {
	code, amount, _ = strings.Cut(word, "=")
	return code, amount
}

// PolicyOf returns the policy of an organisation, or the refusal NOT_FOUND.
func PolicyOf(ctx context.Context, q db.Querier, orgID string) (Policy, error) {
	type policyRow struct {
		Policy
		fourEyes, delay int64
		limits, caps    string
		rules           string
	}

	r, err := db.One(ctx, q, func(r *policyRow) []any {
		return []any{
			&r.fourEyes,
			&r.limits,
			&r.PayeeApproval,
			&r.delay,
			&r.SignedIntents,
			&r.caps,
			&r.rules,
			&r.Version,
		}
	}, `SELECT four_eyes, four_eyes_limits, payee_approval, payee_delay, signed_intents, daily_caps, accept_rules,
		policy_version
		FROM organisations WHERE id = ?`, orgID)
	if err != nil {
		return Policy{}, missing(err, "organisation")
	}

	p := r.Policy
	p.FourEyes = r.fourEyes != 0
	p.PayeeDelay = time.Duration(r.delay) * time.Second

	if p.Limits, err = readLimits(r.limits); err != nil {
		return Policy{}, err
	}

	if p.DailyCaps, err = readLimits(r.caps); err != nil {
		return Policy{}, err
	}

	p.AcceptRules, err = readRules(r.rules)

	return p, err
}

// writePolicy replaces the policy of the version before. If that is not the current one, it fails with db.ErrStale.
func writePolicy(tx *db.Tx, orgID string, p Policy) {
	var fourEyes, payerRules, several int64

	if p.FourEyes {
		fourEyes = p.Version
	}

	if p.BindsPayers() {
		payerRules = p.Version
	}

	if len(p.AcceptRules) > 0 {
		several = p.Version
	}

	tx.Change(
		`UPDATE organisations
			SET four_eyes = ?, four_eyes_limits = ?, payee_approval = ?, payee_delay = ?, payer_rules = ?,
			signed_intents = ?, daily_caps = ?, accept_rules = ?, several_accept = ?, policy_version = ?, updated_at = ?
			WHERE id = ? AND policy_version = ?`,
		fourEyes,
		writeLimits(p.Limits),
		p.PayeeApproval,
		int64(p.PayeeDelay/time.Second),
		payerRules,
		p.SignedIntents,
		writeLimits(p.DailyCaps),
		writeRules(p.AcceptRules),
		several,
		p.Version,
		db.Micros(tx.Now),
		orgID,
		p.Version-1,
	)
}
