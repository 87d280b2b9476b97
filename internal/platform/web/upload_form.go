package web

import (
	"errors"
	"io"
	"mime/multipart"

	"slipway/internal/core/fault"
)

// form reads the part `file` of a multipart body (RFC 7578).
type form struct {
	parts *multipart.Reader
	head  *budget
	file  *multipart.Part
	l     fault.List
	ended error // what followed the content; nil: not read yet
}

// openForm reads up to the content of the file. It refuses other parts.
func openForm(body io.Reader, boundary string, rule UploadRule) (Upload, error) {
	f := &form{head: &budget{in: body, left: uploadHead}}

	f.parts = multipart.NewReader(f.head, boundary)
	if boundary == "" {
		return Upload{}, broken("its Content-Type names no boundary")
	}

	if err := f.next(); err != nil {
		return Upload{}, err
	}

	if f.file == nil {
		f.l.Add("/"+filePart, fault.Required, "is required.")
		return Upload{}, f.l.Err()
	}

	f.head.left = rule.maxBody()
	name := f.file.FileName()
	declared := f.file.Header.Get("Content-Type")

	return Upload{
		File:   &bounded{in: f, rule: rule},
		ended:  func() error { return f.ended },
		labels: func() (string, string) { return name, declared },
		places: placesInForm,
	}, nil
}

// next skips to the next part `file`, or to the end. It notes every part that is no file, or a second one.
func (f *form) next() error {
	for seen := f.file != nil; ; {
		p, err := f.parts.NextPart()

		switch {
		case err == io.EOF: // not errors.Is: a wrapped one is an end in the middle
			return nil
		case err != nil:
			return f.broken(err)

		case p.FormName() != filePart:
			f.l.Add("/"+escapePointer(p.FormName()), fault.UnknownField, "is not a part of this form; only `%s` is.",
				filePart)

		case seen:
			f.l.Add("/"+filePart, fault.DuplicateField, "stands twice in the form.")
		default:
			f.file = p
			return nil
		}
	}
}

// Read reads the content, and at its end whatever follows.
func (f *form) Read(p []byte) (int, error) {
	if f.ended != nil {
		return 0, f.ended
	}

	n, err := f.file.Read(p)
	switch {
	case err == nil:
		return n, nil
	case !errors.Is(err, io.EOF):
		f.ended = f.broken(err)
		return n, f.ended
	}

	f.ended = io.EOF

	f.head.left = uploadHead
	if err := f.next(); err != nil {
		f.ended = err
	} else if err := f.l.Err(); err != nil {
		f.ended = err
	}

	return n, f.ended
}

func (f *form) broken(err error) error {
	if r, ok := fault.As(err); ok {
		return r
	}

	return broken("it is not the multipart form that its Content-Type says")
}

// budget ends a body with more bytes than one stretch of it may have, because the headers of a part are in memory.
type budget struct {
	in   io.Reader
	left int64
}

// Read reads the next bytes.
func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, broken("there is too much before or after the file's content")
	}

	if int64(len(p)) > b.left {
		p = p[:b.left]
	}

	n, err := b.in.Read(p)
	b.left -= int64(n)

	return n, err
}
