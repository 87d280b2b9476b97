package bank

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// crockford is the alphabet of our identifiers: letters and digits that every rail carries, without those that people
// confuse.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

var base32Letters = base32.NewEncoding(crockford).WithPadding(base32.NoPadding)

// endToEndLength is the number of characters of our end-to-end identification. They hold 130 bits.
const endToEndLength = 26

// EndToEndID returns the identification of a payout that the bank repeats in reports and statements: 26 characters
// derived from its key. ISO 20022 allows 35 (Max35Text). The same key gives the same identification in every database.
// So a bank refuses what a restored backup would send again, and its statements are matched whatever happened to our
// rows.
func EndToEndID(key string) string {
	sum := sha256.Sum256([]byte("slipway/end-to-end/" + key))
	return base32Letters.EncodeToString(sum[:17])[:endToEndLength]
}

// mayBeOurs reports whether a text has the form of our end-to-end identification. Most texts in a statement do not, and
// need no query.
func mayBeOurs(s string) bool {
	if len(s) != endToEndLength {
		return false
	}

	for i := range len(s) {
		if strings.IndexByte(crockford, s[i]) < 0 {
			return false
		}
	}

	return true
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
)

// messagePrefix is how the MsgId of our files begins.
const messagePrefix = "SLW"

// messageLength is the number of characters of the MsgId of our files.
const messageLength = len(messagePrefix) + endToEndLength

// isMessageID reports whether a MsgId has the form of ours.
func isMessageID(s string) bool {
	tail, prefixed := strings.CutPrefix(s, messagePrefix)
	return prefixed && mayBeOurs(tail)
}

// messageID returns the MsgId of a file. It depends only on the account, the rail and the payouts. The same payouts
// have the same MsgId in every database, so that a bank that checks for duplicates refuses a copy, whichever database
// wrote it and when.
func messageID(house, rail string, endToEndIDs []string) string {
	sum := sha256.New()

	_, _ = io.WriteString(sum, "slipway/file/"+house+"/"+rail) // a hash accepts everything
	for _, end := range slices.Sorted(slices.Values(endToEndIDs)) {
		_, _ = io.WriteString(sum, "\n"+end)
	}

	return messagePrefix + base32Letters.EncodeToString(sum.Sum(nil)[:17])[:endToEndLength]
}

// blockID returns the PmtInfId of a file's payments with the same charges: 31 characters.
func blockID(message, charges string) string { return message + "-" + charges[:1] }

// parseBlockID splits a PmtInfId of ours. It returns false for others.
func parseBlockID(paymentInfo string) (message, charges string, ok bool) {
	if len(paymentInfo) != messageLength+2 || !strings.HasPrefix(paymentInfo, messagePrefix) ||
		paymentInfo[messageLength] != '-' {
		return "", "", false
	}

	charges, ok = map[byte]string{'O': "OUR", 'S': "SHA", 'B': "BEN"}[paymentInfo[messageLength+1]]

	return paymentInfo[:messageLength], charges, ok
}

// fileName returns the name under which a file is handed over, every time.
func fileName(message string) string {
	return "pain001-" + strings.ToLower(strings.TrimPrefix(message, messagePrefix)) + ".xml"
}

// messageOf returns the MsgId of a file from its name, and false for a file that is not ours.
func messageOf(name string) (string, bool) {
	tail, prefixed := strings.CutPrefix(name, "pain001-")

	tail, ok := strings.CutSuffix(tail, ".xml")
	if !prefixed || !ok || !mayBeOurs(strings.ToUpper(tail)) {
		return "", false
	}

	return messagePrefix + strings.ToUpper(tail), true
}
