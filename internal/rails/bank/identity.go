package bank

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// crockford writes identifiers with letters and digits only, which every rail carries, and none that people mistake
// for another.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

var base32Letters = base32.NewEncoding(crockford).WithPadding(base32.NoPadding)

// endToEndLength is how many characters our end-to-end identification has: 130 bits.
const endToEndLength = 26

// EndToEndID is the identification of a payout that comes back in reports and statements: 26 characters made from its
// key, at most 35 being allowed (ISO 20022 Max35Text). The same key gives the same one in every database, so that a
// bank refuses what a restored backup would send again, and its statements are matched whatever became of our rows.
func EndToEndID(key string) string {
	sum := sha256.Sum256([]byte("slipway/end-to-end/" + key))
	return base32Letters.EncodeToString(sum[:17])[:endToEndLength]
}

// mayBeOurs says whether a text has the form of our end-to-end identification: most in a statement do not, and need
// no question.
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

// UETR is the payout's unique end-to-end transaction reference: a UUID of version 4 in form (ISO 20022
// UUIDv4Identifier), made from the key. Its last four digits are a check of the others, by which ours are told from
// strangers' without a question.
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

// mayBeOurUETR says whether a text has the form of our UETR and its check.
func mayBeOurUETR(s string) bool {
	if len(s) != 36 {
		return false
	}

	digits := strings.ReplaceAll(s, "-", "")

	return len(digits) == 32 && uetrCheck(digits[:28]) == digits[28:]
}

// The prefixes of this package's rows.
const (
	payoutPrefix     = "pyo"
	filePrefix       = "pfl"
	inboxPrefix      = "bfl"
	statementPrefix  = "stm"
	resolutionPrefix = "brs"
	entryPrefix      = "ent"
)

// messagePrefix is what the MsgId of our files begins with.
const messagePrefix = "SLW"

// messageLength is how many characters the MsgId of our files has.
const messageLength = len(messagePrefix) + endToEndLength

// messageID is the MsgId of a file: it follows from the account, the rail and the payouts alone. The same payouts
// have the same one in every database, so that a bank which looks for duplicates refuses a copy, whenever and by
// whatever database it was written.
func messageID(house, rail string, endToEndIDs []string) string {
	sum := sha256.New()

	_, _ = io.WriteString(sum, "slipway/file/"+house+"/"+rail) // a hash takes everything
	for _, end := range slices.Sorted(slices.Values(endToEndIDs)) {
		_, _ = io.WriteString(sum, "\n"+end)
	}

	return messagePrefix + base32Letters.EncodeToString(sum.Sum(nil)[:17])[:endToEndLength]
}

// blockID is the PmtInfId of a file's payments with the same charges: 31 characters.
func blockID(message, charges string) string { return message + "-" + charges[:1] }

// ofBlock takes a PmtInfId of ours apart.
func ofBlock(paymentInfo string) (message, charges string, ok bool) {
	if len(paymentInfo) != messageLength+2 || !strings.HasPrefix(paymentInfo, messagePrefix) ||
		paymentInfo[messageLength] != '-' {
		return "", "", false
	}

	charges, ok = map[byte]string{'O': "OUR", 'S': "SHA", 'B': "BEN"}[paymentInfo[messageLength+1]]

	return paymentInfo[:messageLength], charges, ok
}

// fileName is under which name a file is handed over, every time.
func fileName(message string) string {
	return "pain001-" + strings.ToLower(strings.TrimPrefix(message, messagePrefix)) + ".xml"
}

// messageOf is the MsgId of a file by its name; false for a file that is not ours.
func messageOf(name string) (string, bool) {
	tail, prefixed := strings.CutPrefix(name, "pain001-")

	tail, ok := strings.CutSuffix(tail, ".xml")
	if !prefixed || !ok || !mayBeOurs(strings.ToUpper(tail)) {
		return "", false
	}

	return messagePrefix + strings.ToUpper(tail), true
}
