package ebics

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"slipway/internal/platform/db"
)

// Sealed columns: our keys; what is sent, with its transaction key; what was fetched.
var (
	sealedKeys     = db.SealBytes("ebics_contracts", "keys", "id")
	sealedPrepared = db.SealBytes("ebics_uploads", "prepared", "staged")
	sealedContent  = db.SealBytes("ebics_downloads", "content", "name")
)

// Sealed returns the sealed columns of this package.
func Sealed() []*db.Sealed { return []*db.Sealed{sealedKeys, sealedPrepared, sealedContent} }

// Stored is a contract as it is stored.
type Stored struct {
	ID        string
	Version   Version
	State     ContractState
	Keys      *Keys
	Bank      *BankKeys // nil until two people have accepted them
	ExpiresAt time.Time // the first of our certificates
	FetchedAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// id returns the key of a subscriber's contract.
func (s Subscriber) id() string { return s.Host + "/" + s.Partner + "/" + s.User }

// ReadContract reads a subscriber's contract. It returns db.ErrNone before init.
func ReadContract(ctx context.Context, q db.Querier, s Subscriber) (*Stored, error) {
	type row struct {
		version, state, bank               string
		keys                               []byte
		expires, fetched, created, updated int64
	}

	id := s.id()

	r, err := db.One(ctx, q, func(r *row) []any {
		return []any{
			&r.version,
			&r.state,
			sealedKeys.IntoBytes(db.Key{id}, &r.keys),
			&r.bank,
			&r.expires,
			&r.fetched,
			&r.created,
			&r.updated,
		}
	}, `SELECT version, state, keys, bank_keys, expires_at, fetched_at, created_at, updated_at
		FROM ebics_contracts WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}

	out := &Stored{
		ID:        id,
		Version:   Version(r.version),
		State:     ContractState(r.state),
		ExpiresAt: db.Time(r.expires),
		CreatedAt: db.Time(r.created),
		UpdatedAt: db.Time(r.updated),
	}
	if r.fetched != 0 {
		out.FetchedAt = db.Time(r.fetched)
	}

	if err := json.Unmarshal(r.keys, &out.Keys); err != nil {
		return nil, fmt.Errorf("stored keys of %s: %w", id, err)
	}

	if r.bank != "" {
		if out.Bank, err = ParseBankKeys([]byte(r.bank)); err != nil {
			return nil, fmt.Errorf("stored keys of the bank of %s: %w", id, err)
		}
	}

	return out, nil
}

var insertContract = db.InsertInto("ebics_contracts",
	"id, version, state, keys, bank_keys, expires_at, fetched_at, created_at, updated_at").OrIgnore("(id)")

func addContract(tx *db.Tx, s Subscriber, v Version, keys []byte, expires time.Time) {
	now := db.Micros(tx.Now)
	tx.Insert(insertContract, s.id(), string(v), string(ContractNew), sealedKeys.OfBytes(db.Key{s.id()}, keys), "",
		db.Micros(expires), int64(0), now, now)
}

// moveContract writes the next state of a contract, which s has once the write is committed. It returns db.ErrStale if
// the stored contract has another state by now.
func moveContract(tx *db.Tx, s *Stored, to ContractState) error {
	if !ContractStates().Allows(s.State, to) {
		return fmt.Errorf("the EBICS contract %s is %s and cannot become %s", s.ID, s.State, to)
	}

	tx.Change("UPDATE ebics_contracts SET state = ?, updated_at = ? WHERE id = ? AND state = ?", string(to),
		db.Micros(tx.Now), s.ID, string(s.State))
	tx.OnCommit(func() { s.State = to })

	return nil
}

// noteBankKeys stores the keys of the bank that two people have accepted.
func noteBankKeys(tx *db.Tx, s Subscriber, from ContractState, keys []byte) error {
	if !ContractStates().Allows(from, ContractLive) {
		return fmt.Errorf("the EBICS contract %s is %s: it has no use for the bank's keys", s.id(), from)
	}

	tx.Change("UPDATE ebics_contracts SET state = ?, bank_keys = ?, updated_at = ? WHERE id = ? AND state = ?",
		string(ContractLive), string(keys), db.Micros(tx.Now), s.id(), string(from))

	return nil
}

// claimFetch reports whether it is time to fetch the bank's files, and whether this process does it.
func claimFetch(tx *db.Tx, s Subscriber, every time.Duration) (bool, error) {
	n, err := tx.Exec("UPDATE ebics_contracts SET fetched_at = ? WHERE id = ? AND fetched_at <= ?", db.Micros(tx.Now),
		s.id(), db.Micros(tx.Now.Add(-every)))

	return n == 1, err
}

// uploadRow is a row of ebics_uploads, without what is sent.
type uploadRow struct {
	Staged, Contract, Message string
	State                     UploadState
	Reason                    string
	Size, Segments, Sent      int64
	Transaction, OrderID      string
	BeganAt                   int64
}

const uploadColumns = "staged, contract, message, state, reason, size, segments, sent, transaction_id, order_id, began_at"

func (u *uploadRow) dest() []any {
	return []any{
		&u.Staged,
		&u.Contract,
		&u.Message,
		(*string)(&u.State),
		&u.Reason,
		&u.Size,
		&u.Segments,
		&u.Sent,
		&u.Transaction,
		&u.OrderID,
		&u.BeganAt,
	}
}

func uploadOf(ctx context.Context, q db.Querier, staged string) (uploadRow, error) {
	return db.One(ctx, q, (*uploadRow).dest, "SELECT "+uploadColumns+" FROM ebics_uploads WHERE staged = ?", staged)
}

// sameOrder is how long an order id stands for one order: banks count through some 46,000 and begin again.
const sameOrder = 90 * 24 * time.Hour

// usedOrderID reports whether another upload had an order's id lately.
func usedOrderID(ctx context.Context, q db.Querier, now time.Time, u uploadRow, orderID string) (bool, error) {
	return db.Value[bool](ctx, q, `SELECT EXISTS(SELECT 1 FROM ebics_uploads WHERE contract = ? AND order_id = ? AND
		order_id <> '' AND staged <> ? AND began_at > ?)`, u.Contract, orderID, u.Staged,
		db.Micros(now.Add(-sameOrder)))
}

// preparedOf reads what is sent.
func preparedOf(ctx context.Context, q db.Querier, staged string) (*Prepared, error) {
	text, err := db.One(ctx, q, func(b *[]byte) []any {
		return []any{sealedPrepared.IntoBytes(db.Key{staged}, b)}
	}, "SELECT prepared FROM ebics_uploads WHERE staged = ?", staged)
	if err != nil {
		return nil, err
	}

	var p Prepared

	return &p, json.Unmarshal(text, &p)
}

var insertUpload = db.InsertInto("ebics_uploads", uploadColumns+", prepared, created_at, updated_at")

func addUpload(tx *db.Tx, u uploadRow, prepared []byte) {
	now := db.Micros(tx.Now)
	tx.Insert(insertUpload, u.Staged, u.Contract, u.Message, string(u.State), u.Reason, u.Size, u.Segments, u.Sent,
		u.Transaction, u.OrderID, u.BeganAt, sealedPrepared.OfBytes(db.Key{u.Staged}, prepared), now, now)
}

// dropUpload removes an attempt of which nothing has left.
func dropUpload(tx *db.Tx, staged string) error {
	_, err := tx.Exec("DELETE FROM ebics_uploads WHERE staged = ? AND state = ?", staged, string(UploadStaged))
	return err
}

// noteUpload writes the next state of an upload. It returns db.ErrStale if another process has moved it.
func noteUpload(tx *db.Tx, was, now uploadRow) error {
	if !UploadStates().Allows(was.State, now.State) {
		return fmt.Errorf("the upload %s is %s and cannot become %s", was.Staged, was.State, now.State)
	}

	tx.Change(`UPDATE ebics_uploads SET state = ?, reason = ?, sent = ?, transaction_id = ?, order_id = ?, began_at = ?,
		updated_at = ? WHERE staged = ? AND state = ? AND sent = ? AND transaction_id = ?`,
		string(now.State), now.Reason, now.Sent, now.Transaction, now.OrderID, now.BeganAt, db.Micros(tx.Now),
		was.Staged, string(was.State), was.Sent, was.Transaction)

	return nil
}

// downloadRow is a fetched file, without its content.
type downloadRow struct {
	Name    string
	Size    int64
	Created int64
}

func openDownloads(ctx context.Context, q db.Querier, s Subscriber, limit int) ([]downloadRow, error) {
	return db.Select(ctx, q, func(d *downloadRow) []any { return []any{&d.Name, &d.Size, &d.Created} },
		"SELECT name, size, created_at FROM ebics_downloads WHERE contract = ? AND NOT done ORDER BY name LIMIT ?",
		s.id(), int64(limit))
}

func downloadContent(ctx context.Context, q db.Querier, name string) ([]byte, error) {
	return db.One(ctx, q, func(b *[]byte) []any {
		return []any{sealedContent.IntoBytes(db.Key{name}, b)}
	}, "SELECT content FROM ebics_downloads WHERE name = ?", name)
}

var insertDownload = db.InsertInto("ebics_downloads", "name, contract, hash, content, size, done, created_at").
	OrIgnore("(contract, hash)")

func addDownload(tx *db.Tx, s Subscriber, name, hash string, content []byte) {
	tx.Insert(insertDownload, name, s.id(), hash, sealedContent.OfBytes(db.Key{name}, content), int64(len(content)),
		false, db.Micros(tx.Now))
}

// doneDownload marks a file as imported. Its content is in the archive by then.
func doneDownload(tx *db.Tx, name string) error {
	_, err := tx.Exec("UPDATE ebics_downloads SET done = TRUE, content = ? WHERE name = ?",
		sealedContent.OfBytes(db.Key{name}, nil), name)

	return err
}
