package web

import "io"

// Upload is the body of an operation that takes a file: give the In struct a field `Body web.Upload` and the operation an Operation.Upload.
// It comes as multipart/form-data with a part `file`, or as JSON {"fileBase64","fileName","contentType"}; either is read as it arrives
// and never held in memory. Name and Type are complete when File has been read to its end, since JSON may carry them behind the content.
type Upload struct {
	File io.Reader // the content; its errors are refusals, which the use case passes on. Nil when Stored is given
	// Stored is the documentStorageKey that came in place of a file, where the operation takes one.
	Stored string

	labels func() (name, declaredType string)
}

// Labels gives the file's name and type as the sender states them; both may be empty. They are complete when File has ended.
func (u Upload) Labels() (name, declaredType string) {
	if u.labels == nil {
		return "", ""
	}
	return u.labels()
}

// UploadRule says what an operation takes as a file.
type UploadRule struct {
	MaxBytes int64 // of the content
	OrStored bool  // JSON {"documentStorageKey"} is taken in place of a file
}
