package slipway

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/bits"
	"net/http"
	"strconv"
	"strings"
)

// What a client proves by itself where very many sign in or register.
const (
	workHeader = "Proof-Of-Work"
	workCode   = "PROOF_OF_WORK_REQUIRED"
	mostBits   = 26 // more than half a minute of work is somebody's mistake
	workTries  = 3  // challenges of one call
	workCheck  = 1 << 14
)

// challenge returns what the service asks to be proven before it looks at a call; "" if it asks for nothing.
func (a Answer) challenge() string {
	if a.Status != http.StatusTooManyRequests {
		return ""
	}

	var asked struct{ Code, Challenge string }

	_ = json.Unmarshal(a.Body, &asked) // another form asks for nothing

	if asked.Code != workCode {
		return ""
	}

	return asked.Challenge
}

// prove returns the text that answers a challenge. It blocks until it has found it, a second or so, or until the
// context ends.
func prove(ctx context.Context, challenge string) (string, error) {
	parts := strings.Split(challenge, ".")
	if len(parts) < 2 {
		return "", fmt.Errorf("slipway: the challenge %q has no number of bits", challenge)
	}

	asked, err := strconv.Atoi(parts[1])
	if err != nil || asked > mostBits {
		return "", fmt.Errorf("slipway: the challenge asks for %s bits, and at most %d are proven", parts[1], mostBits)
	}

	seed := sha256.Sum256([]byte(challenge))
	text := seed[:]

	for n := uint64(0); ; n++ {
		if n%workCheck == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}

		text = strconv.AppendUint(text[:len(seed)], n, 10)
		if zeroBits(sha256.Sum256(text)) >= asked {
			return challenge + "." + string(text[len(seed):]), nil
		}
	}
}

// zeroBits returns how many zero bits a hash begins with.
func zeroBits(hash [sha256.Size]byte) (n int) {
	for _, b := range hash {
		n += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}

	return n
}
