package bank

import (
	"context"
	"fmt"
	"regexp"
)

// copiesKind is the kind of the records that hold copies of payment files outside of the database.
const copiesKind = "payments"

// copyID identifies one rendering of a file: its MsgId and the hash of its bytes. Renderings of the same payouts differ
// in their dates.
type copyID struct{ message, sha256 string }

// bytesName names the record with a file's bytes, stored before they leave; it ends alike for every format. leftName
// names the record that they left.
func (c copyID) bytesName() string { return copiesKind + "/" + c.message + "." + c.sha256 + ".xml" }

func (c copyID) leftName() string { return copiesKind + "/" + c.message + "." + c.sha256 + ".left" }

var copyName = regexp.MustCompile(
	`^` + copiesKind + `/(` + messagePrefix + `[0-9A-HJKMNP-TV-Z]{26})\.([0-9a-f]{64})\.(xml|left)$`,
)

// keepCopy stores a file's bytes outside of the database. A second call stores the same again.
func (r *Rail) keepCopy(ctx context.Context, f fileRow, content []byte) error {
	if r.c.Copies == nil {
		return nil
	}

	if err := r.putCopy(ctx, copyID{f.MessageID, f.SHA256}, content); err != nil {
		return fmt.Errorf("keep a copy before it leaves: %w", err)
	}

	return nil
}

// putCopy stores the bytes, sealed for this name.
func (r *Rail) putCopy(ctx context.Context, c copyID, content []byte) error {
	return r.c.Copies.Put(ctx, c.bytesName(), r.db.Keyring().SealBytes(content, "witness/"+c.bytesName()))
}

// readCopy returns the bytes.
func (r *Rail) readCopy(ctx context.Context, c copyID) ([]byte, error) {
	sealed, err := r.c.Copies.Read(ctx, c.bytesName())
	if err != nil {
		return nil, err
	}

	return r.db.Keyring().OpenBytes(sealed, "witness/"+c.bytesName())
}

// markLeft records outside of the database that a file is at the bank. Without this mark a copy proves only that it may
// be.
func (r *Rail) markLeft(ctx context.Context, f fileRow) error {
	if r.c.Copies == nil {
		return nil
	}

	return r.c.Copies.Put(ctx, copyID{f.MessageID, f.SHA256}.leftName(), []byte(f.Name+"\n"))
}

// keptCopies lists the copies; the value is true if the copy certainly left.
func (r *Rail) keptCopies(ctx context.Context) (map[copyID]bool, error) {
	out := map[copyID]bool{}
	if r.c.Copies == nil {
		return out, nil
	}

	names, err := r.c.Copies.List(ctx, copiesKind)
	if err != nil {
		return nil, fmt.Errorf("copies of payment files: %w", err)
	}

	for _, name := range names {
		m := copyName.FindStringSubmatch(name)
		if m == nil {
			return nil, fmt.Errorf("copies of payment files: %s is not the name of one", name)
		}

		c := copyID{m[1], m[2]}
		out[c] = out[c] || m[3] == "left"
	}

	return out, nil
}
