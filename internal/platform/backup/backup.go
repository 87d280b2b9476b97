// Package backup takes copies of a database and of the folders that belong to it, and puts them back.
//
// A place is a folder, best on the disk of another machine. In it each back-up is a folder of its own, with the copy of
// the database, the list of the files at that moment, and a manifest. The files themselves lie once for all back-ups,
// named by what is in them: documents and bank files never change, so a back-up costs little more than its database.
//
// It promises:
//   - A back-up that Find or List returns is complete: its manifest is written last, and its folder has another name
//     until then. A process that dies in the middle leaves nothing that looks like one.
//   - Nothing is put back that is not byte for byte what was taken, and nothing whose manifest was not signed with a key
//     of the keyring: whoever can write to the place cannot make a back-up.
//   - One process at a time works in a place (Place.Lock).
//
// It does not promise that what was taken is sound: a drill finds that out. The keyring is not in a back-up, and nobody
// who has the place alone reads what is sealed in the database.
//
// Read in this order: backup.go (what a back-up is), place.go (where back-ups lie), take.go, files.go (what lies once),
// restore.go, thin.go (which are kept), store.go (a
// database of PostgreSQL beside another one).
package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/platform/secret"
)

// Errors of a place.
var (
	ErrNone   = errors.New("there is no such back-up")
	ErrBusy   = errors.New("another process works in the place of the back-ups")
	ErrForged = errors.New("the back-up's manifest is not signed with a key of the keyring")
	// ErrDamaged is returned with the name of the file whose bytes are not those that were taken.
	ErrDamaged = errors.New("the back-up is damaged")
)

// format is the form of a manifest. Another one is refused.
const format = 1

// signContext separates the signatures of manifests from everything else that a keyring signs.
const signContext = "slipway backup"

// Manifest says what a back-up is. Its signature covers everything in it, and with the hashes all that was taken.
type Manifest struct {
	Format  int       `json:"format"`
	Name    string    `json:"name"` // of its folder: the moment at which it began, in UTC
	Begun   time.Time `json:"begun"`
	Ended   time.Time `json:"ended"`
	Program string    `json:"program"` // the version that took it

	Engine   string `json:"engine"` // sqlite or postgres
	Schema   int64  `json:"schema"` // the newest migration in it
	Database Part   `json:"database"`

	Files     Part  `json:"files"` // the list of the files beside the database
	Count     int   `json:"count"` // of files
	FileBytes int64 `json:"fileBytes"`

	// The newest link of the book's chain of hashes just before the database was copied, which has it therefore. Seq is
	// 0 for a book without links.
	HeadSeq  int64  `json:"headSeq"`
	HeadHash string `json:"headHash"`

	Key       string `json:"key"` // of the keyring, by which what is written now is sealed
	Signature string `json:"signature"`
}

// Part is a compressed file (zstd) in the folder of a back-up. Bytes and SHA256 are of the compressed file.
type Part struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bytes returns how much a back-up takes, with all of its files.
func (m Manifest) Bytes() int64 { return m.Database.Bytes + m.Files.Bytes + m.FileBytes }

// Source is what is to be taken.
type Source struct {
	Engine, Program string

	// Now is read at the beginning and at the end.
	Now func() time.Time

	// State returns what is in the database: its newest migration, and the newest link of the book. It is asked before
	// Copy is.
	State func(ctx context.Context) (State, error)

	// Copy writes the database, as it is at one moment, to a new file, and returns its path. The file may lie in the
	// folder, and is removed in the end.
	Copy func(ctx context.Context, folder string) (path string, err error)

	// Trees are folders by the name that they have in the back-up. One that is missing has no files.
	Trees map[string]string

	// Watch is told what is being done; nil: nobody watches.
	Watch func(text string)

	Keyring *secret.Keyring
}

// State is what a manifest says of the database.
type State struct {
	Schema   int64
	HeadSeq  int64
	HeadHash string
}

// sign returns the manifest with its signature.
func (m Manifest) sign(k *secret.Keyring) (Manifest, error) {
	text, err := m.signed()
	if err != nil {
		return m, err
	}

	id, mac := k.Sign(signContext, text)
	m.Key = id
	m.Signature = hex.EncodeToString(mac)

	return m, nil
}

// signed returns the text that is signed: the manifest without its signature, and without the name of the key that the
// signature is verified by.
func (m Manifest) signed() (string, error) {
	m.Key = ""
	m.Signature = ""
	text, err := json.Marshal(m)

	return string(text), err
}

// Genuine returns ErrForged unless the manifest was signed with a key of the keyring.
func (m Manifest) Genuine(k *secret.Keyring) error {
	text, err := m.signed()
	if err != nil {
		return err
	}

	mac, err := hex.DecodeString(m.Signature)
	if err != nil || !k.Verify(m.Key, signContext, text, mac) {
		return fmt.Errorf("%w: %s says that it was signed with %q", ErrForged, m.Name, m.Key)
	}

	return nil
}

func readManifest(r io.Reader) (m Manifest, err error) {
	if err := json.UnmarshalRead(io.LimitReader(r, 1<<20), &m); err != nil {
		return m, err
	}

	if m.Format != format {
		return m, fmt.Errorf("its form is %d, and this program knows %d", m.Format, format)
	}

	return m, nil
}

func (m Manifest) write(w io.Writer) error { return json.MarshalWrite(w, m, jsontext.WithIndent("  ")) }
