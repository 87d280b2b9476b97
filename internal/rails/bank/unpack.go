package bank

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// CodeArchive is the refusal of a ZIP that is damaged, locked or beyond its bounds. Codes are stable.
const CodeArchive = "ARCHIVE_UNUSABLE"

// The bounds of a ZIP. All that is in it counts together against the largest file.
const (
	maxPacked   = 64 << 20
	maxUnpacked = 1000 // files
	maxNested   = 2    // a ZIP in a ZIP, and no deeper
)

const kindArchive = "ZIP"

var zipMagic = []byte("PK\x03\x04")

// importZIP imports each file of a ZIP, as banks deliver them through EBICS. Nothing of a ZIP that is damaged or
// beyond its bounds is used. Otherwise its files are judged one by one, as if they had come alone, so a second call
// repeats nothing.
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

	files, err := r.unpack(packed, 1)
	name := named()

	if err != nil {
		refused := examined{kind: kindArchive, err: &Unusable{CodeArchive, err.Error()}}
		stored := func(_ context.Context, s *spool) examined {
			if _, err := io.Copy(io.Discard, s); err != nil {
				return examined{err: err}
			}

			return refused
		}

		return r.keep(ctx, func() string { return name }, bytes.NewReader(packed), progress, stored)
	}

	out := Report{Kind: kindArchive, Outcome: Repeated, Remark: fmt.Sprintf("%d files", len(files))}

	for _, f := range files {
		inner, err := f.open()
		if err != nil {
			return out, fmt.Errorf("%s in %s: %w", f.name, name, err)
		}

		one, err := r.importPlain(ctx, func() string { return f.name + " in " + shortName(name) }, inner, progress)
		if err = errors.Join(err, inner.Close()); err != nil {
			return out, fmt.Errorf("%s in %s: %w", f.name, name, err)
		}

		out.add(f.name, one)
	}

	return out, nil
}

// packedFile is a file in a ZIP.
type packedFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// unpack returns the files of a ZIP in the order of their names, and of the ZIPs in it. It has read each of them to its
// end: the sizes that a ZIP states may lie.
func (r *Rail) unpack(packed []byte, depth int) ([]packedFile, error) {
	if len(packed) > maxPacked {
		return nil, fmt.Errorf("the archive has more than %d MiB", maxPacked>>20)
	}

	if depth > maxNested {
		return nil, errors.New("an archive in an archive in an archive")
	}

	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("the archive cannot be read: %w", err)
	}

	var out []packedFile

	room := r.c.MaxFile
	for _, f := range z.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") {
			continue
		}

		inner, n, err := look(f, room)
		if err != nil {
			return nil, err
		}

		room -= n

		if inner == nil {
			out = append(out, packedFile{name: path.Base(f.Name), open: f.Open})
		} else {
			more, err := r.unpack(inner, depth+1)
			if err != nil {
				return nil, err
			}

			out = append(out, more...)
		}

		if len(out) > maxUnpacked {
			return nil, fmt.Errorf("the archive has more than %d files", maxUnpacked)
		}
	}

	if len(out) == 0 {
		return nil, errors.New("the archive is empty")
	}

	slices.SortStableFunc(out, func(a, b packedFile) int { return strings.Compare(a.name, b.name) })

	return out, nil
}

// look reads a file of a ZIP to its end. It returns its length, and its content if it is a ZIP itself.
func look(f *zip.File, room int64) (inner []byte, n int64, err error) {
	name := path.Base(f.Name)
	if f.Flags&1 != 0 {
		return nil, 0, fmt.Errorf("%s in the archive is locked by a password", name)
	}

	in, err := f.Open()
	if err != nil {
		return nil, 0, fmt.Errorf("%s in the archive cannot be read: %w", name, err)
	}

	defer func() { _ = in.Close() }()

	var head bytes.Buffer
	if _, err := io.CopyN(&head, in, int64(len(zipMagic))); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, fmt.Errorf("%s in the archive is damaged: %w", name, err)
	}

	to := io.Discard

	nested := bytes.Equal(head.Bytes(), zipMagic)
	if nested {
		to = &head
		room = min(room, maxPacked)
	}

	n = int64(head.Len())

	rest, err := io.Copy(to, io.LimitReader(in, room-n+1))
	if err != nil {
		return nil, 0, fmt.Errorf("%s in the archive is damaged: %w", name, err)
	}

	if n += rest; n > room {
		return nil, 0, errors.New("what is in the archive is larger than allowed")
	}

	if !nested {
		return nil, n, nil
	}

	return head.Bytes(), n, nil
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
