package bank

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"slipway/internal/platform/db"
)

// What a bank holds or says shows that the database is old, where the database does not know it: a payment file of
// ours, a file of the bank's that the archive has, and a booked debit or a report under an identification of ours.

// Signs asks the bank's folders, the copies outside of the database and the archive for what the database does not
// know. It returns a sentence for each, the same every time. Nothing is changed.
//
// The row of a payment file is written before anything of it leaves, and that of a file from the bank before it is
// moved away at the bank. So a file that is neither known nor still to be fetched was taken by this deployment later.
func (r *Rail) Signs(ctx context.Context) (signs []string, err error) {
	files, err := r.sentFiles(ctx) // outside first: what is written meanwhile is known by the time it is looked for
	if err != nil {
		return nil, err
	}

	for _, h := range files {
		known, err := filesByMessage(ctx, r.db, []string{h.message})
		if err != nil {
			return nil, fmt.Errorf("payment file %s: %w", h.message, err)
		}

		if len(known) == 0 {
			signs = append(
				signs,
				fmt.Sprintf("the payment file %s left, and this database does not know it", h.message),
			)
		}
	}

	taken, err := r.takenFiles(ctx)
	for _, hash := range taken {
		signs = append(
			signs,
			fmt.Sprintf("the archive has the bank's file %s, and this database does not know it", hash),
		)
	}

	return signs, err
}

// takenFiles returns the hashes of archived files that the database does not know and that the bank does not offer any
// more. One that it offers was being taken when a process ended.
func (r *Rail) takenFiles(ctx context.Context) ([]string, error) {
	missing, err := r.unknownFiles(ctx)
	if err != nil || len(missing) == 0 {
		return nil, err
	}

	offered := map[string]bool{}

	if r.c.Channel != nil {
		remotes, err := r.c.Channel.List(ctx)
		if err != nil {
			return nil, fmt.Errorf("list files of the bank: %w", err)
		}

		for _, f := range remotes {
			hashes, err := r.hashesOf(ctx, f.Name)
			if err != nil {
				return nil, fmt.Errorf("file %s of the bank: %w", f.Name, err)
			}

			for _, hash := range hashes {
				offered[hash] = true
			}
		}
	}

	// A file that was being taken is known by the time the bank offers it no more.
	missing, err = r.unknownFiles(ctx)

	var taken []string
	for _, m := range missing {
		if !offered[m.hash] {
			taken = append(taken, m.hash)
		}
	}

	return taken, err
}

// hashesOf returns the hash of a file that the bank offers, and those of the files in it if it is a ZIP: they are
// archived one by one.
func (r *Rail) hashesOf(ctx context.Context, name string) (hashes []string, err error) {
	content, err := r.c.Channel.Get(ctx, name)
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, content.Close()) }()

	in := bufio.NewReader(io.LimitReader(content, r.c.MaxFile))

	var packed []byte
	if isZIP(in) {
		if packed, err = io.ReadAll(io.LimitReader(in, maxPacked+1)); err != nil {
			return nil, err
		}

		files, _ := r.unpack(packed) // of one that is refused, nothing is taken
		for _, f := range files {
			inner, err := f.open()
			if err != nil {
				return nil, err
			}

			hash, err := hashOfAll(inner)
			if err = errors.Join(err, inner.Close()); err != nil {
				return nil, err
			}

			hashes = append(hashes, hash)
		}
	}

	hash, err := hashOfAll(io.MultiReader(bytes.NewReader(packed), in))

	return append(hashes, hash), err
}

func hashOfAll(content io.Reader) (string, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, content)

	return hex.EncodeToString(sum.Sum(nil)), err
}

// arrival is an archived file.
type arrival struct {
	hash string
	at   time.Time
}

// unknownFiles returns archived files that the database does not know, in the order in which they arrived.
func (r *Rail) unknownFiles(ctx context.Context) (missing []arrival, err error) {
	entries, err := os.ReadDir(r.c.Archive)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}

	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !isHash(e.Name()) })

	for some := range slices.Chunk(entries, idsPerQuery) {
		known, err := knownHashes(ctx, r.db, some)
		if err != nil {
			return nil, err
		}

		for _, e := range some {
			if known[e.Name()] {
				continue
			}

			info, err := e.Info()
			if err != nil {
				return nil, err
			}

			missing = append(missing, arrival{e.Name(), info.ModTime()})
		}
	}

	slices.SortStableFunc(missing, func(a, b arrival) int { return a.at.Compare(b.at) })

	return missing, nil
}

// strange tells of a booked debit under an identification of ours that nobody knows: this database has planned no such
// payment, and no payment file that left has it.
func (s *settling) strange(ctx context.Context, m Entry) error {
	if s.r.c.Behind == nil || m.Credit || m.Reversal {
		return nil
	}

	message, _ := messageOfBlock(m.PaymentInfoID)
	what := ""

	switch {
	case mayBeOurs(m.EndToEndID) && !datedID(m.EndToEndID):
		_, err := handedSettled(ctx, s.tx, m.EndToEndID)
		if err == nil || !errors.Is(err, db.ErrNone) {
			return err // it left in a file that is known
		}

		what = "the payment " + m.EndToEndID

	case mayBeOurUETR(m.UETR):
		what = "the payment " + m.UETR

	case isMessageID(message): // a shorter one may be a number of others
		files, err := filesBeginning(ctx, s.tx, message)
		if err != nil || len(files) > 0 {
			return err
		}

		what = "payments of the file " + message

	default:
		return nil
	}

	return s.r.c.Behind(ctx, s.tx, "the bank has booked "+what+", which this database does not know")
}

// datedID reports whether an identification of our form may be one that others make of the time (a ULID of the years
// 2004 to 2109). Of ours, which are hashes, one in a thousand is taken for such.
func datedID(end string) bool {
	return end[0] == '0' && (end[1] == '1' || end[1] == '2' || end[1] == '3')
}

// strangeReports tells of reports about payment files with an identification of ours that the database does not know.
func (r *Rail) strangeReports(ctx context.Context, tx *db.Tx, found examined) error {
	if r.c.Behind == nil || found.report == nil {
		return nil
	}

	told := map[string]bool{}

	for _, s := range found.report.statuses {
		if !isMessageID(s.message) || told[s.message] {
			continue
		}

		told[s.message] = true

		files, err := filesByMessage(ctx, tx, []string{s.message})
		if err != nil {
			return err
		}

		if len(files) > 0 {
			continue
		}

		sign := "the bank has reported about the payment file " + s.message + ", which this database does not know"
		if err := r.c.Behind(ctx, tx, sign); err != nil {
			return err
		}
	}

	return nil
}
