package bank

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// CodeArchive is the refusal of a ZIP that is damaged, locked or beyond its bounds. Codes are stable.
const CodeArchive = "ARCHIVE_UNUSABLE"

// The bounds of a ZIP. All that is in it counts together against the largest file, in however many archives it is.
const (
	maxPacked   = 64 << 20 // also of all archives in it together
	maxUnpacked = 1000     // files
	maxNested   = 2        // a ZIP in a ZIP, and no deeper
)

const kindArchive = "ZIP"

var zipMagic = []byte("PK\x03\x04")

// isZIP reports whether a file begins as a ZIP.
func isZIP(in *bufio.Reader) bool {
	head, _ := in.Peek(len(zipMagic))
	return bytes.Equal(head, zipMagic)
}

// importZIP imports each file of a ZIP, as banks deliver them through EBICS. Nothing of a ZIP that is damaged or
// beyond its bounds is used. Otherwise its files are judged one by one, as if they had come alone, so a second call
// repeats nothing. After an error the report is about the files that were imported before it.
func (r *Rail) importZIP(
	ctx context.Context,
	named func() string,
	content io.Reader,
	progress func(int64, int),
) (Report, error) {
	packed, err := io.ReadAll(io.LimitReader(content, maxPacked+1))
	if err != nil {
		return Report{}, fmt.Errorf("read %s: %w", named(), err)
	}

	files, err := r.unpack(packed)
	if err != nil {
		return r.keep(
			ctx,
			named,
			io.MultiReader(bytes.NewReader(packed), content),
			progress,
			r.keptOnly(&Unusable{CodeArchive, err.Error()}),
		)
	}

	name := shortName(named())

	var done []Report
	for _, f := range files {
		one, failed := r.importPacked(ctx, f, name, progress)
		if failed != nil {
			err = fmt.Errorf("%s in %s: %w", f.name, name, failed)
			break
		}

		done = append(done, one)
	}

	err = errors.Join(err, r.reportAgain(ctx, done))
	out := Report{Kind: kindArchive, Outcome: Repeated, Remark: fmt.Sprintf("%d files", len(files)), Files: done}

	for i, one := range done {
		out.add(files[i].name, one)
	}

	return out, err
}

// keptOnly returns what reads a file as far as it may be kept, and finds only why it is refused.
func (r *Rail) keptOnly(why *Unusable) func(context.Context, *spool) examined {
	return func(_ context.Context, s *spool) examined {
		if _, err := io.Copy(io.Discard, io.LimitReader(s, r.c.MaxFile)); err != nil {
			return examined{err: err}
		}

		return examined{kind: kindArchive, err: why}
	}
}

// importPacked imports a file of the archive with a name.
func (r *Rail) importPacked(
	ctx context.Context,
	f packedFile,
	archive string,
	progress func(int64, int),
) (Report, error) {
	content, err := f.open()
	if err != nil {
		return Report{}, err
	}

	one, err := r.importPlain(ctx, func() string { return f.name + " in " + archive }, content, progress)

	return one, errors.Join(err, content.Close())
}

// reportAgain replaces the reports of files that a later file of their archive may have ended the waiting of.
func (r *Rail) reportAgain(ctx context.Context, done []Report) error {
	for i, one := range done {
		if one.Outcome != Waiting && one.Outcome != Unbalanced {
			continue
		}

		row, err := inboxByHash(ctx, r.db, one.Hash)
		if err != nil {
			return fmt.Errorf("bank file %s: %w", one.File, err)
		}

		done[i] = row.report(true)
	}

	return nil
}

// packedFile is a file in a ZIP.
type packedFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// room is what may still be unpacked of an archive and of the archives in it.
type room struct {
	bytes  int64 // of all files
	packed int64 // of the archives among them, which are held in memory
	files  int
}

// unpack returns the files of a ZIP in the order of their names, and of the ZIPs in it. It has read each of them to its
// end: the sizes that a ZIP states may lie.
func (r *Rail) unpack(packed []byte) ([]packedFile, error) {
	if len(packed) > maxPacked {
		return nil, fmt.Errorf("the archive has more than %d MiB", maxPacked>>20)
	}

	return unpackInto(&room{bytes: r.c.MaxFile, packed: maxPacked, files: maxUnpacked}, packed, 1)
}

func unpackInto(left *room, packed []byte, depth int) ([]packedFile, error) {
	if depth > maxNested {
		return nil, errors.New("an archive in an archive in an archive")
	}

	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("the archive cannot be read: %w", err)
	}

	var out []packedFile
	for _, f := range z.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") {
			continue
		}

		if left.files--; left.files < 0 {
			return nil, fmt.Errorf("the archive has more than %d files", maxUnpacked)
		}

		inner, err := look(f, left)
		if err != nil {
			return nil, err
		}

		if inner == nil {
			out = append(out, packedFile{name: shortName(f.Name), open: f.Open})
			continue
		}

		more, err := unpackInto(left, inner, depth+1)
		if err != nil {
			return nil, err
		}

		out = append(out, more...)
	}

	if len(out) == 0 {
		return nil, errors.New("the archive is empty")
	}

	slices.SortStableFunc(out, func(a, b packedFile) int { return strings.Compare(a.name, b.name) })

	return out, nil
}

// look reads a file of a ZIP to its end, and takes what it needs of the room. It returns its content if it is a ZIP
// itself.
func look(f *zip.File, left *room) (inner []byte, err error) {
	name := shortName(f.Name)
	if f.Flags&1 != 0 {
		return nil, fmt.Errorf("%s in the archive is locked by a password", name)
	}

	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s in the archive cannot be read: %w", name, err)
	}

	defer func() { _ = in.Close() }()

	var head bytes.Buffer
	if _, err := io.CopyN(&head, in, int64(len(zipMagic))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s in the archive is damaged: %w", name, err)
	}

	to := io.Discard
	most := left.bytes

	nested := bytes.Equal(head.Bytes(), zipMagic)
	if nested {
		to = &head
		most = min(most, left.packed)
	}

	n := int64(head.Len())

	rest, err := io.Copy(to, io.LimitReader(in, most-n+1))
	if err != nil {
		return nil, fmt.Errorf("%s in the archive is damaged: %w", name, err)
	}

	if n += rest; n > most {
		return nil, errors.New("what is in the archive is larger than allowed")
	}

	left.bytes -= n

	if !nested {
		return nil, nil
	}

	left.packed -= n

	return head.Bytes(), nil
}

// outcomes are in the order in which they need people.
var outcomes = []Outcome{Repeated, Imported, Unbalanced, Waiting, Quarantined}

// add adds what became of a file of an archive. The archive's outcome is that of the file that needs people most.
func (r *Report) add(name string, one Report) {
	r.Entries += one.Entries
	r.New += one.New
	r.Matched += one.Matched
	r.Statuses += one.Statuses

	if slices.Index(outcomes, one.Outcome) > slices.Index(outcomes, r.Outcome) || r.File == "" {
		r.File = one.File
		r.Hash = one.Hash
		r.Outcome = one.Outcome
		r.Code = one.Code

		r.Reason = ""
		if one.Reason != "" {
			r.Reason = name + ": " + one.Reason
		}
	}

	if one.Remark != "" {
		r.Remark += "; " + name + ": " + one.Remark
	}
}
