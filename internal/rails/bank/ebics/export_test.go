package ebics

import (
	"time"
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
