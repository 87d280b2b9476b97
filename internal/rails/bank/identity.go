package bank

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"io"
	"slices"
	"strings"

	"slipway/internal/rails/bank/format"
)

// crockford is the alphabet of our identifiers.
const crockford = format.Alphabet

var base32Letters = base32.NewEncoding(crockford).WithPadding(base32.NoPadding)

// endToEndLength is the number of characters of our end-to-end identification. They hold 130 bits.
const endToEndLength = format.Tail

// EndToEndID returns the identification of a payout: 26 characters derived from its key. Files name the payout by it,
// or by its beginning (format.Format.Identity), and the bank repeats that in reports and statements. The same key gives
// the same identification in every database. So a bank refuses what a restored backup would send again, and its
// statements are matched whatever happened to our rows.
func EndToEndID(key string) string {
	sum := sha256.Sum256([]byte("slipway/end-to-end/" + key))
	return base32Letters.EncodeToString(sum[:17])[:endToEndLength]
}

// mayBeOurs reports whether a text has the form of our end-to-end identification. Most texts in a statement do not, and
// need no query.
func mayBeOurs(s string) bool { return format.IsID(s, endToEndLength) }

// mayBeIdentity reports whether a text has the form of what some format makes of our end-to-end identification.
func mayBeIdentity(s string) bool {
	for _, f := range formats() {
		if f.Names(s) {
			return true
		}
	}

	return false
}

// UETR returns the payout's unique end-to-end transaction reference: in form a UUID of version 4 (ISO 20022
// UUIDv4Identifier), derived from the key. Its last four digits are a checksum of the others. It distinguishes ours
// from others without a query.
func UETR(key string) string {
	sum := sha256.Sum256([]byte("slipway/uetr/" + key))
	b := sum[:14]
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	x := hex.EncodeToString(b)
	x += uetrCheck(x)

	return x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]
}

func uetrCheck(digits string) string {
	sum := sha256.Sum256([]byte("slipway/uetr-check/" + digits))
	return hex.EncodeToString(sum[:2])
}

// mayBeOurUETR reports whether a text has the form of our UETR and a valid checksum.
func mayBeOurUETR(s string) bool {
	if len(s) != 36 {
		return false
	}

	digits := strings.ReplaceAll(s, "-", "")

	return len(digits) == 32 && uetrCheck(digits[:28]) == digits[28:]
}

// The id prefixes of this package's rows.
const (
	payoutPrefix     = "pyo"
	filePrefix       = "pfl"
	inboxPrefix      = "bfl"
	statementPrefix  = "stm"
	resolutionPrefix = "brs"
	entryPrefix      = "ent"
	correctionPrefix = "bco"
)

// messagePrefix is how the identification of our files begins.
const messagePrefix = format.Prefix

// messageLength is the number of characters of the identification of our files.
const messageLength = len(messagePrefix) + endToEndLength

// isMessageID reports whether the identification of a file has the form of ours.
func isMessageID(s string) bool {
	tail, prefixed := strings.CutPrefix(s, messagePrefix)
	return prefixed && mayBeOurs(tail)
}

// messageID returns the identification of a file: its MsgId, where its format has one. It depends only on the account,
// the rail and the payouts. The same payouts have the same one in every database, so that a bank that checks for
// duplicates refuses a copy, whichever database wrote it and when.
func messageID(house, rail string, identities []string) string {
	sum := sha256.New()

	_, _ = io.WriteString(sum, "slipway/file/"+house+"/"+rail) // a hash accepts everything
	for _, end := range slices.Sorted(slices.Values(identities)) {
		_, _ = io.WriteString(sum, "\n"+end)
	}

	return messagePrefix + base32Letters.EncodeToString(sum.Sum(nil)[:17])[:endToEndLength]
}
