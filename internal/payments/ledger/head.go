package ledger

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/witness"
)

// signContext separates the ledger's signatures from everything else that a keyring signs.
const signContext = "slipway ledger"

// signedText returns the text that is signed for a journal. It contains the hash of its content.
func signedText(hash string) string { return "journal " + hash }

// Signer returns the function for db.Config.Sign of a database with books. Its result is "key id:hex" of an HMAC by the
// keyring.
func Signer(keys *secret.Keyring) func(text string) string {
	return func(text string) string {
		id, mac := keys.Sign(signContext, text)

		return id + ":" + hex.EncodeToString(mac)
	}
}

// genuine reports whether a signature of a text was made by the keyring.
func genuine(keys *secret.Keyring, text, signature string) bool {
	id, encoded, _ := strings.Cut(signature, ":")
	mac, err := hex.DecodeString(encoded)

	return err == nil && keys.Verify(id, signContext, text, mac)
}

// Proof is what Verify compares the book with besides the book itself. The zero value compares with nothing.
type Proof struct {
	Keys *secret.Keyring // signs journals; nil: signatures are not checked
	Head *SignedHead     // the newest link as kept outside of the database; nil: none

	// Watch is called for each page of journals with how many were read, and of how many; nil: nobody watches.
	Watch func(read, all int)
}

// SignedHead is the newest link of the chain of hashes at a moment. It is signed and is meant for a place outside of
// the database.
type SignedHead struct {
	Seq       int64     `json:"seq"`
	Hash      string    `json:"hash"`
	At        time.Time `json:"at"`
	Signature string    `json:"signature"`
}

func (h SignedHead) text() string {
	return fmt.Sprintf("head %d %s %s", h.Seq, h.Hash, h.At.UTC().Format(time.RFC3339Nano))
}

// The records of a head in the witness: the newest, and one for each day that is kept for ever.
const (
	ledgerKind = "ledger"
	headRecord = "ledger/head.json"
	dayRecord  = "ledger/%s.json"
)

var dayForm = regexp.MustCompile(`^ledger/\d{4}-\d{2}-\d{2}\.json$`)

// Errors of a head that is kept outside of the database.
var (
	ErrHeadForged = errors.New("the head kept outside of the database is not signed by this service")
	ErrHeadGone   = errors.New("the chain of hashes is not the one whose head was kept outside of the database")
)

// Witness keeps the head of the book outside of the database. It is safe for use by several processes: each compares
// before it writes.
type Witness struct {
	DB    *db.DB
	Keys  *secret.Keyring
	Store witness.Store
	Log   *slog.Logger

	// Derived returns what other packages keep of the book and the journals do not say; nil: they keep nothing.
	Derived func(ctx context.Context) ([]string, error)
}

// Keep compares the book with the head that was kept last and then stores the present head: as the newest, once a day
// under a name that stays, and in the log. If the book does not contain the kept head, Keep returns an error and leaves
// the kept head until Accept: somebody cut the book or put an older one in its place. A second call without a new link
// writes nothing.
func (w Witness) Keep(ctx context.Context) error {
	kept, err := w.Kept(ctx)
	if err != nil {
		return err
	}

	if kept != nil {
		if err := Contains(ctx, w.DB, *kept); err != nil {
			return err
		}
	}

	seq, hash, err := Head(ctx, w.DB)
	if err != nil || seq == 0 || kept != nil && kept.Seq == seq {
		return err
	}

	return w.put(ctx, seq, hash)
}

// Kept returns the head that was kept last, or nil if there is none.
func (w Witness) Kept(ctx context.Context) (*SignedHead, error) {
	h, err := w.read(ctx, headRecord)
	if errors.Is(err, witness.ErrNone) {
		return nil, nil
	}

	return h, err
}

func (w Witness) read(ctx context.Context, name string) (*SignedHead, error) {
	raw, err := w.Store.Read(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("read the kept head: %w", err)
	}

	var h SignedHead
	if err := json.Unmarshal(raw, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHeadForged, err)
	}

	if !genuine(w.Keys, h.text(), h.Signature) {
		return nil, ErrHeadForged
	}

	return &h, nil
}

// KeptUpTo returns the newest head of those that are kept for ever, one of each day, whose link is not after seq; nil
// if there is none. A book that ends at seq has to contain it.
func (w Witness) KeptUpTo(ctx context.Context, seq int64) (*SignedHead, error) {
	names, err := w.Store.List(ctx, ledgerKind)
	if err != nil {
		return nil, fmt.Errorf("list the kept heads: %w", err)
	}

	for _, name := range slices.Backward(names) {
		if !dayForm.MatchString(name) {
			continue
		}

		h, err := w.read(ctx, name)
		if err != nil || h.Seq <= seq {
			return h, err
		}
	}

	return nil, nil
}

// Accept stores the present head in place of one that the book no longer contains, and keeps the old one under a name
// with the time. It is for operators who have found the reason, for example a restored backup.
func (w Witness) Accept(ctx context.Context) error {
	raw, err := w.Store.Read(ctx, headRecord)
	if err != nil && !errors.Is(err, witness.ErrNone) {
		return fmt.Errorf("read the kept head: %w", err)
	}

	if err == nil {
		name := fmt.Sprintf(dayRecord, "given-up-"+w.DB.Now().UTC().Format("20060102T150405.000000000"))
		if err := w.Store.Put(ctx, name, raw); err != nil {
			return fmt.Errorf("keep the replaced head: %w", err)
		}
	}

	seq, hash, err := Head(ctx, w.DB)
	if err != nil {
		return err
	}

	return w.put(ctx, seq, hash)
}

func (w Witness) put(ctx context.Context, seq int64, hash string) error {
	h := SignedHead{Seq: seq, Hash: hash, At: w.DB.Now().UTC()}
	h.Signature = Signer(w.Keys)(h.text())

	raw, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("encode the head: %w", err)
	}

	day := fmt.Sprintf(dayRecord, h.At.Format(time.DateOnly))
	for _, name := range []string{day, headRecord} {
		if err := w.Store.Put(ctx, name, raw); err != nil {
			return fmt.Errorf("keep the head: %w", err)
		}
	}

	w.Log.Info("ledger head", "seq", h.Seq, "hash", h.Hash, "at", h.At, "signature", h.Signature)

	return nil
}

// Contains returns ErrHeadGone if the book does not contain the head. Whether the head is signed is not looked at.
func Contains(ctx context.Context, q db.Querier, h SignedHead) error {
	if h.Seq == 0 {
		return nil
	}

	link, err := sealOf(ctx, q, h.Seq)
	if errors.Is(err, db.ErrNone) {
		return fmt.Errorf("%w: link %d is missing", ErrHeadGone, h.Seq)
	}

	if err == nil && link.Hash != h.Hash {
		err = fmt.Errorf("%w: link %d is another one", ErrHeadGone, h.Seq)
	}

	return err
}
