package ebics

import (
	"context"
	"encoding/json"
	"time"

	"slipway/internal/platform/db"
)

// NewShortKeys makes keys of the least length, for tests.
func NewShortKeys(name string, now time.Time) (*Keys, error) { return newKeys(name, now, leastBits) }

// For tests of single steps.
var (
	OrderDigest  = orderDigest
	Encrypt      = encrypt
	Decrypt      = decrypt
	Inflate      = inflate
	Compress     = compress
	Parse        = parse
	ReadProtocol = readProtocol
	ErrTooLarge  = errTooLarge
)

// ReadAnswer verifies and reads an answer as the client does.
func (c *Client) ReadAnswer(text []byte, phase, transaction string) error {
	_, err := c.readAnswer(text, phase, transaction)
	return err
}

// AddReady stores a contract that is set up, with these keys.
func AddReady(ctx context.Context, d *db.DB, s Subscriber, v Version, keys *Keys, bank *BankKeys) error {
	text, err := json.Marshal(keys)
	if err != nil {
		return err
	}

	return d.Write(ctx, func(tx *db.Tx) error {
		addContract(tx, s, v, text, tx.Now.AddDate(1, 0, 0))
		tx.Apart()
		_, err := tx.Exec("UPDATE ebics_contracts SET state = 'READY', bank_keys = ? WHERE id = ?", bank.Text(), s.id())

		return err
	})
}
