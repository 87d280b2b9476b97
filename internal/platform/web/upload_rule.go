package web

import (
	"errors"
	"io"
	"slices"

	"slipway/internal/core/fault"
)

// Upload is the body of an operation that receives a file. Give the In struct a field `Body web.Upload` and the
// operation an Operation.Upload. The file comes as multipart/form-data with a part `file`, or as JSON
// {"fileBase64","fileName","contentType"}. Either is read as it arrives and never held in memory. The labels are
// complete once File has been read to its end, since in JSON they may follow the content. A use case refers to problems
// by /file, /fileName and /contentType; the refusal names the actual part of the body.
type Upload struct {
	File io.Reader // the content; its errors are refusals, which the use case returns. Nil if Stored is set
	// Stored is the documentStorageKey that was sent in place of a file, if the operation accepts one.
	Stored string

	labels func() (name, declaredType string)
	ended  func() error      // how reading the body ended, once it has
	places map[string]string // this body's names for /file, /fileName and /contentType
}

// locate names the parts of this body in a refusal, because use cases do not know in which form a file came.
func (u Upload) locate(err error) error {
	f, ok := fault.As(err)
	// an error of reading the body has its place already
	if !ok || len(f.Fields) == 0 || u.ended != nil && errors.Is(err, u.ended()) {
		return err
	}

	located := *f

	located.Fields = slices.Clone(f.Fields)
	for i := range located.Fields {
		if at := u.places[located.Fields[i].Pointer]; at != "" {
			located.Fields[i].Pointer = at
		}
	}

	return &located
}

// Labels returns the file's name and type as the sender states them. Both may be empty. They are complete once File has
// ended.
func (u Upload) Labels() (name, declaredType string) {
	if u.labels == nil {
		return "", ""
	}

	return u.labels()
}

// UploadRule is what an operation accepts as a file.
type UploadRule struct {
	MaxBytes int64 // of the content
	OrStored bool  // JSON {"documentStorageKey"} is accepted in place of a file
}

// maxBody returns the largest size of a body: base64 takes a third more, and each + and / may be escaped.
func (u UploadRule) maxBody() int64 { return u.MaxBytes/4*7 + 2*uploadHead }

func (u UploadRule) tooLarge() *fault.Fault {
	return fault.New(fault.TooLarge, fault.BodyTooLarge, "The file may have at most %d bytes.", u.MaxBytes)
}

func broken(why string) *fault.Fault {
	return fault.New(fault.Malformed, fault.BodyMalformed, "The body cannot be read: %s.", why)
}
