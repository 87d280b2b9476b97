package limit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"slipway/internal/platform/secret"
)

// Work asks callers for a proof that they have computed something, where a limit for all of them is used up. Whoever
// has few tries to make pays a second of a computer; whoever makes very many pays for each.
//
// A challenge is text: version, bits, when it ends, random, key and signature, with dots between them. A proof is the
// challenge, a dot and a decimal number, such that SHA-256 over the 32 bytes of SHA-256(challenge) followed by the
// number's digits begins with so many zero bits (the idea is Hashcash's). Nothing is stored of a challenge; that a
// proof counts once is remembered by each process for itself.
type Work struct {
	keys    *secret.Keyring
	purpose string
	used    *Limiter
	paid    *Meter // proofs that were taken; the fuller, the more is asked
}

const (
	workVersion  = "1"
	workLifetime = 2 * time.Minute
	leastBits    = 18 // a quarter of a million hashes: half a second in a browser
	mostBits     = 23 // eight million
	workParts    = 7  // of a proof
	usedProofs   = 20_000
)

// newWork returns work for a purpose. rate is how many proofs are taken before more is asked for each.
func newWork(keys *secret.Keyring, purpose string, rate Rate) *Work {
	return &Work{
		keys:    keys,
		purpose: purpose,
		used:    New(Rate{Events: 1, Per: 2 * workLifetime}, usedProofs),
		paid:    NewMeter(rate),
	}
}

// ask returns a challenge for somebody. It is good once.
func (w *Work) ask(who string, now time.Time) string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // it never fails since Go 1.24

	head := strings.Join([]string{
		workVersion,
		strconv.Itoa(w.bits(now)),
		strconv.FormatInt(now.Add(workLifetime).Unix(), 10),
		base64.RawURLEncoding.EncodeToString(raw),
	}, ".")
	key, mac := w.keys.Sign(w.context(who), head)

	return head + "." + key + "." + base64.RawURLEncoding.EncodeToString(mac)
}

func (w *Work) context(who string) string { return "proof-of-work/" + w.purpose + "/" + who }

// bits returns how much is asked at a time: more, the more proofs are brought.
func (w *Work) bits(now time.Time) int {
	q := w.paid.Left(now)
	if q.Limit == 0 {
		return leastBits
	}

	return leastBits + (mostBits-leastBits)*(q.Limit-q.Remaining)/q.Limit
}

// take reports whether a proof is that of a challenge for somebody. A second call with the same proof returns false.
func (w *Work) take(who, proof string, now time.Time) bool {
	parts := strings.Split(proof, ".")
	if len(parts) != workParts || parts[0] != workVersion || len(parts[6]) > 20 {
		return false
	}

	asked, err := strconv.Atoi(parts[1])
	if err != nil {
		return false
	}

	ends, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || now.Unix() > ends {
		return false
	}

	mac, err := base64.RawURLEncoding.DecodeString(parts[5])
	if err != nil || !w.keys.Verify(parts[4], w.context(who), strings.Join(parts[:4], "."), mac) {
		return false
	}

	if zeros(strings.Join(parts[:6], "."), parts[6]) < asked || !w.used.Take(parts[3], now).OK {
		return false
	}

	w.paid.Take(now)

	return true
}

// zeros returns how many zero bits the hash of a challenge and a number begins with.
func zeros(challenge, number string) (n int) {
	seed := sha256.Sum256([]byte(challenge))

	for _, b := range sha256.Sum256(append(seed[:], number...)) {
		n += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}

	return n
}
