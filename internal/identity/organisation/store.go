package organisation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
)

// This file holds all SQL of organisations and members. Columns that others may join on (hot paths only):
// organisations.id, onboarding_status, is_active, require_idempotency_key, four_eyes, policy_version;
// members.organisation, user_id, user_type, roles, is_active.

var (
	insertOrg = db.InsertInto("organisations", "id, organisation_type, name, first_name, last_name, sealed, "+
		"reference_code, payables_email, country, onboarding_status, transaction_value_limit, "+
		"min_usd_payment_amount, cumulative_amount, is_on_chain, complex_structure, is_active, "+
		"require_idempotency_key, risk, features, "+
		"created_by, search, version, created_at, updated_at")
	insertMem = db.InsertInto(
		"members",
		"id, organisation, user_id, user_type, roles, applicant_id, onboarding_status, is_active, version, "+
			"created_at, updated_at",
	)
	insertInv = db.InsertInto("invitations",
		"id, organisation, email_key, address, token_hash, roles, approved_by, created_by, expires_at, created_at")
)

const (
	orgColumns = "o.id, o.organisation_type, o.name, o.first_name, o.last_name, o.sealed, o.reference_code, " +
		"o.payables_email, o.country, o.onboarding_status, o.transaction_value_limit, " +
		"o.min_usd_payment_amount, o.cumulative_amount, o.is_on_chain, o.complex_structure, o.is_active, " +
		"o.require_idempotency_key, o.risk, " +
		"o.features, o.default_wallet, o.default_token, o.quote_headroom_percent, o.home_currency, o.time_zone, o.tax, " +
		"o.created_by, o.version, o.created_at, o.updated_at"
	memColumns = "id, organisation, user_id, user_type, roles, applicant_id, onboarding_status, is_active, " +
		"stands_in_for, stands_in_from, stands_in_until, version, created_at, updated_at"
)

// particulars holds what identifies an organisation besides its names.
var particulars = db.SealColumn("organisations", "sealed", "id")

// taxNumbers holds the tax number and the VAT identifier.
var taxNumbers = db.SealColumn("organisations", "tax", "id")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{particulars, taxNumbers} }

func (o Organisation) sealed() any {
	return particulars.Of(db.Key{o.ID}, o.DateOfBirth, o.RegistrationNumber, o.AddressLine1, o.PostCode, o.City)
}

// searchText returns the text that the platform's people search.
func (o Organisation) searchText() string {
	return text.Searchable(strings.Join([]string{o.Name, o.FirstName, o.LastName, o.ReferenceCode}, " "))
}

func insertOrganisation(tx *db.Tx, o Organisation) {
	tx.Insert(
		insertOrg,
		o.ID,
		o.Type,
		o.Name,
		o.FirstName,
		o.LastName,
		o.sealed(),
		o.ReferenceCode,
		o.PayablesEmail,
		o.Country,
		string(o.Onboarding),
		o.TransactionValueLimit,
		o.MinUSDPaymentAmount,
		o.CumulativeTotal,
		o.IsOnChain,
		o.ComplexStructure,
		o.IsActive,
		o.RequireKey,
		o.Risk,
		strings.Join(o.Features, ","),
		o.CreatedBy,
		o.searchText(),
		o.Version,
		db.Micros(o.CreatedAt),
		db.Micros(o.UpdatedAt),
	)
}

// writeOnboarding writes what Advance decided. If the row was changed since it was read, it fails with db.ErrStale,
// like every write of this file.
func writeOnboarding(tx *db.Tx, o Organisation, from Status) {
	tx.Change(`UPDATE organisations SET onboarding_status = ?, version = ?, updated_at = ?
			WHERE id = ? AND version = ? AND onboarding_status = ?`,
		string(o.Onboarding), o.Version, db.Micros(o.UpdatedAt), o.ID, o.Version-1, string(from))
}

// writeOrganisation writes what an admin may change.
func writeOrganisation(tx *db.Tx, o Organisation, old int64) {
	tx.Change(
		`UPDATE organisations
			SET name = ?, search = ?, payables_email = ?, require_idempotency_key = ?,
			default_wallet = ?, default_token = ?,
			quote_headroom_percent = ?, home_currency = ?, time_zone = ?, tax = ?, version = ?, updated_at = ?
			WHERE id = ? AND version = ?`,
		o.Name,
		o.searchText(),
		o.PayablesEmail,
		o.RequireKey,
		o.DefaultWallet,
		o.DefaultToken,
		o.Headroom,
		o.HomeCurrency,
		o.TimeZone,
		taxNumbers.Of(db.Key{o.ID}, o.TaxID, o.VATID),
		o.Version,
		db.Micros(o.UpdatedAt),
		o.ID,
		old,
	)
}

// writeCorrection writes what may be corrected with the identity provider.
func writeCorrection(tx *db.Tx, o Organisation) {
	tx.Change(`UPDATE organisations
			SET name = ?, search = ?, sealed = ?, first_name = ?, last_name = ?, country = ?,
			version = ?, updated_at = ?
			WHERE id = ? AND version = ?`,
		o.Name, o.searchText(), o.sealed(), o.FirstName, o.LastName, o.Country, o.Version, db.Micros(o.UpdatedAt),
		o.ID, o.Version-1)
}

type orgRow struct {
	Organisation
	status, features string
	created, updated int64
}

func (r *orgRow) dest() []any {
	return []any{
		&r.ID,
		&r.Type,
		&r.Name,
		&r.FirstName,
		&r.LastName,
		particulars.Into(db.Key{&r.ID}, &r.DateOfBirth, &r.RegistrationNumber, &r.AddressLine1, &r.PostCode, &r.City),
		&r.ReferenceCode,
		&r.PayablesEmail,
		&r.Country,
		&r.status,
		&r.TransactionValueLimit,
		&r.MinUSDPaymentAmount,
		&r.CumulativeTotal,
		&r.IsOnChain,
		&r.ComplexStructure,
		&r.IsActive,
		&r.RequireKey,
		&r.Risk,
		&r.features,
		&r.DefaultWallet,
		&r.DefaultToken,
		&r.Headroom,
		&r.HomeCurrency,
		&r.TimeZone,
		taxNumbers.Into(db.Key{&r.ID}, &r.TaxID, &r.VATID),
		&r.CreatedBy,
		&r.Version,
		&r.created,
		&r.updated,
	}
}

func (r *orgRow) organisation() Organisation {
	o := r.Organisation
	o.Onboarding = Status(r.status)
	o.Features = db.Words(r.features)
	o.CreatedAt = db.Time(r.created)
	o.UpdatedAt = db.Time(r.updated)

	return o
}

// missing turns db.ErrNone into NOT_FOUND, which is also what strangers get.
func missing(err error, noun string) error {
	if errors.Is(err, db.ErrNone) {
		return fault.Missing(noun)
	}

	return err
}

// ByID returns an organisation, or the refusal NOT_FOUND. It does not check who asks.
func ByID(ctx context.Context, q db.Querier, orgID string) (Organisation, error) {
	if !id.Valid(Prefix, orgID) {
		return Organisation{}, fault.Missing("organisation")
	}

	r, err := db.One(ctx, q, (*orgRow).dest, "SELECT "+orgColumns+" FROM organisations o WHERE o.id = ?", orgID)

	return r.organisation(), missing(err, "organisation")
}

// NamesOf returns the names under which banks know some organisations: the organisation's own, and that of its person
// if it is an individual.
func NamesOf(ctx context.Context, q db.Querier, ids []string) (map[string][]string, error) {
	type named struct{ id, name, first, last string }

	if len(ids) == 0 {
		return map[string][]string{}, nil
	}

	var w db.Where
	db.In(&w, "id", ids)

	rows, err := db.Select(ctx, q, func(n *named) []any { return []any{&n.id, &n.name, &n.first, &n.last} },
		"SELECT id, name, first_name, last_name FROM organisations"+w.SQL(), w.Args...)
	if err != nil {
		return nil, fmt.Errorf("names of organisations: %w", err)
	}

	out := make(map[string][]string, len(rows))
	for _, n := range rows {
		out[n.id] = []string{n.name, strings.TrimSpace(n.first + " " + n.last)}
	}

	return out, nil
}

// listOf returns one page of the organisations that the user is an active member of, and how many there are. If only is
// set, the list has that organisation alone.
func listOf(
	ctx context.Context, q db.Querier, userID, only string, w db.Where, limit, offset int, descending bool,
) ([]Organisation, int64, error) {
	var mine db.Where
	mine.And("m.user_id = ?", userID)
	mine.And("m.is_active = TRUE")

	if only != "" {
		mine.And("m.organisation = ?", only)
	}

	if without := caller.Of(ctx).Without; without != "" {
		mine.And("m.organisation <> ?", without)
	}

	const from = " FROM members m JOIN organisations o ON o.id = m.organisation"

	total, err := db.Value[int64](ctx, q, "SELECT count(*)"+from+mine.SQL(), mine.Args...)
	if err != nil {
		return nil, 0, err
	}

	order := " ORDER BY o.id"
	if descending {
		order += " DESC"
	}

	where := mine.SQL()
	if s := w.SQL(); s != "" {
		where += " AND " + strings.TrimPrefix(s, " WHERE ")
	}

	rows, err := db.Select(ctx, q, (*orgRow).dest, "SELECT "+orgColumns+from+where+order+" LIMIT ? OFFSET ?",
		append(append(mine.Args, w.Args...), int64(limit), int64(offset))...)

	out := make([]Organisation, len(rows))
	for i := range rows {
		out[i] = rows[i].organisation()
	}

	return out, total, err
}

func insertMember(tx *db.Tx, m Member) {
	tx.Insert(
		insertMem,
		m.ID,
		m.Organisation,
		m.User,
		m.UserType,
		strings.Join(m.Roles, ","),
		m.ApplicantID,
		string(m.Onboarding),
		m.IsActive,
		m.Version,
		db.Micros(m.CreatedAt),
		db.Micros(m.UpdatedAt),
	)
}

// writeMember writes what an admin may change about a member.
func writeMember(tx *db.Tx, m Member, old int64) {
	tx.Change(`UPDATE members
			SET user_type = ?, roles = ?, is_active = ?, stands_in_for = ?, stands_in_from = ?, stands_in_until = ?,
			version = ?, updated_at = ?, left_by = ''
			WHERE id = ? AND version = ?`,
		m.UserType, strings.Join(m.Roles, ","), m.IsActive, m.StandsIn.For, db.Micros(m.StandsIn.From),
		db.Micros(m.StandsIn.Until), m.Version, db.Micros(m.UpdatedAt), m.ID, old)
}

// noteLeft records that the directory has ended a membership. What an admin writes afterwards clears it.
func noteLeft(tx *db.Tx, m Member) error {
	_, err := tx.Exec("UPDATE members SET left_by = 'scim' WHERE id = ?", m.ID)
	return err
}

// writeMemberOnboarding writes what advanceMember decided.
func writeMemberOnboarding(tx *db.Tx, m Member, from Status) {
	tx.Change(`UPDATE members SET onboarding_status = ?, version = ?, updated_at = ?
			WHERE id = ? AND version = ? AND onboarding_status = ?`,
		string(m.Onboarding), m.Version, db.Micros(m.UpdatedAt), m.ID, m.Version-1, string(from))
}

// writeApplicant writes the provider's applicant of a member.
func writeApplicant(tx *db.Tx, m Member) {
	tx.Change("UPDATE members SET applicant_id = ?, version = ?, updated_at = ? WHERE id = ? AND version = ?",
		m.ApplicantID, m.Version, db.Micros(m.UpdatedAt), m.ID, m.Version-1)
}

type memberRow struct {
	Member
	roles, status    string
	from, until      int64
	created, updated int64
}

func (r *memberRow) dest() []any {
	return []any{
		&r.ID,
		&r.Organisation,
		&r.User,
		&r.UserType,
		&r.roles,
		&r.ApplicantID,
		&r.status,
		&r.IsActive,
		&r.StandsIn.For,
		&r.from,
		&r.until,
		&r.Version,
		&r.created,
		&r.updated,
	}
}

func (r *memberRow) member() Member {
	m := r.Member
	m.Roles = db.Words(r.roles)
	m.Onboarding = Status(r.status)
	m.StandsIn.From = db.Time(r.from)
	m.StandsIn.Until = db.Time(r.until)
	m.CreatedAt = db.Time(r.created)
	m.UpdatedAt = db.Time(r.updated)

	return m
}

// MemberOf returns the membership of a user, active or not. For a stranger it returns NOT_FOUND of the organisation.
func MemberOf(ctx context.Context, q db.Querier, orgID, userID string) (Member, error) {
	if !id.Valid(Prefix, orgID) {
		return Member{}, fault.Missing("organisation")
	}

	r, err := db.One(ctx, q, (*memberRow).dest,
		"SELECT "+memColumns+" FROM members WHERE organisation = ? AND user_id = ?", orgID, userID)

	return r.member(), missing(err, "organisation")
}

func memberByID(ctx context.Context, q db.Querier, orgID, memberID string) (Member, error) {
	if !id.Valid(memberPrefix, memberID) {
		return Member{}, fault.Missing("member")
	}

	r, err := db.One(ctx, q, (*memberRow).dest, "SELECT "+memColumns+" FROM members WHERE organisation = ? AND id = ?",
		orgID, memberID)

	return r.member(), missing(err, "member")
}

// membersOf returns members of an organisation, oldest first: those after one, or all from offset on.
func membersOf(ctx context.Context, q db.Querier, orgID, after string, limit, offset int) ([]Member, error) {
	rows, err := db.Select(ctx, q, (*memberRow).dest,
		"SELECT "+memColumns+" FROM members WHERE organisation = ? AND id > ? ORDER BY id LIMIT ? OFFSET ?",
		orgID, after, int64(limit), int64(offset))

	out := make([]Member, len(rows))
	for i := range rows {
		out[i] = rows[i].member()
	}

	return out, err
}

// allMembersOf returns the members of organisations, oldest first.
func allMembersOf(ctx context.Context, q db.Querier, orgIDs []string) ([]Member, error) {
	var w db.Where
	db.In(&w, "organisation", orgIDs)

	rows, err := db.Select(ctx, q, (*memberRow).dest,
		"SELECT "+memColumns+" FROM members"+w.SQL()+" ORDER BY id LIMIT ?",
		append(w.Args, int64(maxMembers*len(orgIDs)))...)

	out := make([]Member, len(rows))
	for i := range rows {
		out[i] = rows[i].member()
	}

	return out, err
}

// membersWith returns the members of an organisation that some people are, active or not.
func membersWith(ctx context.Context, q db.Querier, orgID string, people []string) ([]Member, error) {
	if len(people) == 0 {
		return nil, nil
	}

	var w db.Where
	w.And("organisation = ?", orgID)
	db.In(&w, "user_id", people)

	rows, err := db.Select(ctx, q, (*memberRow).dest, "SELECT "+memColumns+" FROM members"+w.SQL(), w.Args...)

	out := make([]Member, len(rows))
	for i := range rows {
		out[i] = rows[i].member()
	}

	return out, err
}

// membershipsOfPerson returns every membership of a user, active or not.
func membershipsOfPerson(ctx context.Context, q db.Querier, userID string) ([]Member, error) {
	rows, err := db.Select(ctx, q, (*memberRow).dest,
		"SELECT "+memColumns+" FROM members WHERE user_id = ? ORDER BY id LIMIT ?", userID, int64(maxOrganisations))

	out := make([]Member, len(rows))
	for i := range rows {
		out[i] = rows[i].member()
	}

	return out, err
}

// Admins returns the users who are active admins of an organisation, oldest first.
func Admins(ctx context.Context, q db.Querier, orgID string) ([]string, error) {
	all, err := membersOf(ctx, q, orgID, "", maxMembers, 0)

	var out []string

	for _, m := range all {
		if m.Is(Admin) {
			out = append(out, m.User)
		}
	}

	return out, err
}

func countMembers(ctx context.Context, q db.Querier, orgID string) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM members WHERE organisation = ?", orgID)
}

func countMemberships(ctx context.Context, q db.Querier, userID string) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM members WHERE user_id = ?", userID)
}

type membership struct{ organisation, name, roles, userType string }

func membershipRows(ctx context.Context, q db.Querier, userID string) ([]membership, error) {
	return db.Select(ctx, q, func(m *membership) []any {
		return []any{&m.organisation, &m.name, &m.roles, &m.userType}
	},
		`SELECT o.id, o.name, m.roles, m.user_type FROM members m
			JOIN organisations o ON o.id = m.organisation
			WHERE m.user_id = ? AND m.is_active = TRUE AND o.is_active = TRUE
			ORDER BY m.id LIMIT ?`, userID, int64(maxOrganisations))
}

// SoleAdmin returns an active organisation of which a user is the only admin who can sign in, or "".
func SoleAdmin(ctx context.Context, q db.Querier, userID string) (string, error) {
	in, err := MembershipsOf(ctx, q, userID)

	for _, m := range in {
		if !slices.Contains(m.Roles, Admin) && m.UserType != Admin {
			continue
		}

		others, err := db.Value[int64](ctx, q, `SELECT count(*) FROM members m JOIN users u ON u.id = m.user_id
				WHERE m.organisation = ? AND m.user_id <> ? AND m.is_active = TRUE AND u.is_active = TRUE
				AND (m.user_type = 'admin' OR ',' || m.roles || ',' LIKE '%,admin,%')`,
			m.Organisation, userID)
		if err != nil || others == 0 {
			return m.Organisation, err
		}
	}

	return "", err
}
