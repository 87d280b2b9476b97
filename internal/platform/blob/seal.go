package blob

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// KeySize is the length of the key of one sealed content, in bytes.
const KeySize = 32

// chunk is how many bytes are encrypted at once: the memory used, and the smallest piece that is returned after it was
// verified.
const chunk = 32 << 10

// ErrForged is the error of encrypted content that differs from what was stored: changed, reordered, truncated, or of
// another key.
var ErrForged = errors.New("the sealed content is not what was stored")

// NewKey returns a key. Use it for one content only: the nonces count from zero.
func NewKey() []byte {
	key := make([]byte, KeySize)
	_, _ = rand.Read(key) // crypto/rand never fails since Go 1.24
	return key
}

// boxOf returns AES-256-GCM in chunks, the construction STREAM (Hoang, Reyhanitabar, Rogaway, Vizár: Online
// Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, 2015): the nonce is the chunk's number and whether it
// is the last.
func boxOf(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("a sealing key has %d bytes", KeySize)
	}

	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}

	return cipher.NewGCM(block)
}

func nonceOf(n uint64, last bool) []byte {
	var nonce [12]byte
	binary.BigEndian.PutUint64(nonce[3:11], n)

	if last {
		nonce[11] = 1
	}

	return nonce[:]
}

// Sealer encrypts what is written to it. Close writes the end, without which nothing can be opened.
type Sealer struct {
	out    io.Writer
	box    cipher.AEAD
	buffer []byte // of the chunk that is not full yet
	sealed []byte
	n      uint64
}

// Seal returns a writer that encrypts into out.
func Seal(out io.Writer, key []byte) (*Sealer, error) {
	box, err := boxOf(key)
	if err != nil {
		return nil, err
	}

	return &Sealer{
		out:    out,
		box:    box,
		buffer: make([]byte, 0, chunk),
		sealed: make([]byte, 0, chunk+box.Overhead()),
	}, nil
}

// Write adds bytes.
func (s *Sealer) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		if len(s.buffer) == chunk { // more follows, so it is not the last
			if err := s.flush(false); err != nil {
				return written, err
			}
		}

		n := min(len(p), chunk-len(s.buffer))
		s.buffer = append(s.buffer, p[:n]...)
		p = p[n:]
		written += n
	}

	return written, nil
}

// Close writes the last chunk, which may be empty.
func (s *Sealer) Close() error { return s.flush(true) }

func (s *Sealer) flush(last bool) error {
	s.sealed = s.box.Seal(s.sealed[:0], nonceOf(s.n, last), s.buffer, nil)
	s.n++
	s.buffer = s.buffer[:0]
	_, err := s.out.Write(s.sealed)

	return err
}

// Opener decrypts what a Sealer has written.
type Opener struct {
	in     io.Reader
	box    cipher.AEAD
	buffer []byte // one chunk and one byte, which shows whether it is the last
	held   int    // bytes of buffer that were read ahead
	plain  []byte // decrypted and not returned yet
	space  []byte // the memory of plain
	n      uint64
	err    error
}

// Unseal returns a reader that decrypts in. It returns no byte before its chunk was verified.
func Unseal(in io.Reader, key []byte) (*Opener, error) {
	box, err := boxOf(key)
	if err != nil {
		return nil, err
	}

	return &Opener{in: in, box: box, buffer: make([]byte, chunk+box.Overhead()+1), space: make([]byte, 0, chunk)}, nil
}

// Read returns decrypted bytes. io.EOF comes only after the true end.
func (o *Opener) Read(p []byte) (int, error) {
	for len(o.plain) == 0 {
		if o.err != nil {
			return 0, o.err
		}

		o.next()
	}

	n := copy(p, o.plain)
	o.plain = o.plain[n:]

	return n, nil
}

// next opens one chunk.
func (o *Opener) next() {
	n, err := io.ReadFull(o.in, o.buffer[o.held:])
	n += o.held

	last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !last {
		o.err = err
		return
	}

	sealed := o.buffer[:n]
	if !last {
		sealed = o.buffer[:n-1]
	}

	plain, err := o.box.Open(o.space, nonceOf(o.n, last), sealed, nil)
	switch {
	case err != nil:
		o.err = ErrForged
		return
	case last:
		o.err = io.EOF
	default:
		o.buffer[0] = o.buffer[n-1]
		o.held = 1
	}

	o.plain = plain
	o.n++
}
