package db

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/s2"

	"slipway/internal/platform/secret"
)

// Sealed is a column whose values are encrypted by the database's keyring (Config.Keys). It is declared once, beside
// the store that owns the table. A value is bound to its table, column and row: moved to another place, it cannot be
// decrypted. It holds one text, or several that are encrypted together; pass them in the same order when writing and
// reading. If all of them are empty, the column is empty.
//
// No SQL can look inside. A value to search by needs a column of its own with a keyed hash, see FoundBy.
type Sealed struct {
	table, column string
	key           []string // columns of the primary key
	bytes         bool     // BYTEA, and one value
	alike         *s2.Dict // what its short values are alike; nil: nothing

	hashes []hashed
}

// hashed is a column with keyed hashes.
type hashed struct {
	column string
	text   func(key Key, texts []string) string
}

// Key is the primary key of a row: values for writing, pointers to them for reading.
type Key []any

// SealColumn declares a column of texts: SealColumn("payment_terms", "sealed", "transaction_id, position").
func SealColumn(table, column, key string) *Sealed {
	return &Sealed{table: table, column: column, key: strings.Split(key, ", ")}
}

// SealBytes declares a column of bytes, which holds one value. The value is compressed before it is encrypted, since no
// database can compress it afterwards.
func SealBytes(table, column, key string) *Sealed {
	c := SealColumn(table, column, key)
	c.bytes = true
	return c
}

// Alike says what short values of a column of bytes look like: they are compressed against that text, so that what they
// have in common with it takes no room. An answer of 2 KB becomes 400 bytes, and a page of the database holds eight
// instead of one. The text is part of how values are stored: a value that was written with another text is not read.
// Alike panics for a text that is too short to compress against.
func (c *Sealed) Alike(text []byte) *Sealed {
	out := *c

	out.alike = s2.MakeDict(text, nil)
	if out.alike == nil {
		panic(c.Name() + ": the text is too short for values to be alike")
	}

	return &out
}

// FoundBy declares one more column with keyed hashes of what text returns, by which rows are found. A row whose text is
// "" cannot be found. The text begins with what limits the search, such as the organisation.
func (c *Sealed) FoundBy(column string, text func(key Key, texts []string) string) *Sealed {
	out := *c
	out.hashes = append(slices.Clip(c.hashes), hashed{column, text})

	return &out
}

// Name returns the table and the column.
func (c *Sealed) Name() string { return c.table + "." + c.column }

// sealing is a value that is encrypted when it is passed to a Tx.
type sealing struct {
	c     *Sealed
	key   Key
	texts []string
	bytes []byte
	hash  *hashed // its keyed hash instead of the value itself
}

// Of returns the column's value in the row of a key, for Insert, Change and Exec.
func (c *Sealed) Of(key Key, texts ...string) any { return &sealing{c: c, key: key, texts: texts} }

// OfBytes is like Of, for bytes.
func (c *Sealed) OfBytes(key Key, plain []byte) any { return &sealing{c: c, key: key, bytes: plain} }

// HashesOf returns the values of FoundBy's columns, in the row of a key whose sealed column holds these texts.
func (c *Sealed) HashesOf(key Key, texts ...string) []any {
	out := make([]any, len(c.hashes))
	for i := range c.hashes {
		out[i] = &sealing{c: c, key: key, texts: texts, hash: &c.hashes[i]}
	}

	return out
}

// opening receives a column's value when a row is read, and decrypts it once the row's key is known.
type opening struct {
	c      *Sealed
	key    Key
	sealed []byte
	texts  []*string
	bytes  *[]byte
}

// Into returns a destination for Scan that reads the column into texts. The key's columns must be read in the same row.
func (c *Sealed) Into(key Key, texts ...*string) any { return &opening{c: c, key: key, texts: texts} }

// IntoBytes is like Into, for bytes.
func (c *Sealed) IntoBytes(key Key, plain *[]byte) any {
	return &opening{c: c, key: key, bytes: plain}
}

// Scan receives the column's value.
func (o *opening) Scan(src any) error {
	switch v := src.(type) {
	case string:
		o.sealed = append(o.sealed[:0], v...)
	case []byte:
		o.sealed = append(o.sealed[:0], v...)
	default:
		return fmt.Errorf("%s holds %T", o.c.Name(), src)
	}

	return nil
}

// context returns what a value is bound to.
func (c *Sealed) context(key Key) string {
	var b strings.Builder
	b.WriteString(c.table)
	b.WriteByte('.')
	b.WriteString(c.column)

	for _, part := range key {
		b.WriteByte('/')

		switch v := part.(type) {
		case string:
			b.WriteString(v)
		case *string:
			b.WriteString(*v)
		case int64:
			b.WriteString(strconv.FormatInt(v, 10))
		case *int64:
			b.WriteString(strconv.FormatInt(*v, 10))
		case *int:
			b.WriteString(strconv.Itoa(*v))
		default:
			panic(fmt.Sprintf("%s: %T is no part of a key", c.Name(), part))
		}
	}

	return b.String()
}

var errNoKeys = errors.New("the database was opened without a keyring: it can neither seal nor open")

// Seal encrypts, in place, the values of a row that Of and HashesOf have deferred. A Tx does so by itself. A goroutine
// that prepares rows beside the writing one can call it, to take over its part of the work.
func (d *DB) Seal(args []any) {
	for i, a := range args {
		if s, ok := a.(*sealing); ok {
			args[i] = d.seal(s)
		}
	}
}

// packing are buffers in which bytes were packed before they were encrypted, for their memory.
var packing = sync.Pool{New: func() any { return new([]byte) }}

// Bytes begin with how they were packed before they were encrypted, in S2 each.
const (
	packedAlone = 1
	packedAlike = 2 // against the text of Sealed.Alike
)

// shortBytes is up to where a text that values are alike is of use: a longer value is alike itself, and packs faster
// alone.
const shortBytes = 4 << 10

func (c *Sealed) appendPacked(dst, raw []byte) []byte {
	dst = slices.Grow(dst, 1+s2.MaxEncodedLen(len(raw)))
	room := dst[1:cap(dst)]

	if c.alike != nil && len(raw) <= shortBytes {
		return append(append(dst, packedAlike), c.alike.Encode(room, raw)...)
	}

	return append(append(dst, packedAlone), s2.Encode(room, raw)...)
}

var errPacking = errors.New("bytes were packed in a way that this version does not know")

func (c *Sealed) unpacked(packed []byte) ([]byte, error) {
	switch {
	case len(packed) > 0 && packed[0] == packedAlone:
		return s2.Decode(nil, packed[1:])
	case len(packed) > 0 && packed[0] == packedAlike && c.alike != nil:
		return c.alike.Decode(nil, packed[1:])
	}

	return nil, errPacking
}

func (d *DB) seal(s *sealing) any {
	if s.hash != nil {
		text := s.hash.text(s.key, s.texts)
		if text == "" {
			return ""
		}

		return d.sealer().Find(s.c.table+"."+s.hash.column, text)
	}

	if s.c.bytes {
		if len(s.bytes) == 0 {
			return []byte{}
		}

		packed := packing.Get().(*[]byte)
		defer packing.Put(packed)

		*packed = s.c.appendPacked((*packed)[:0], s.bytes)

		return d.sealer().SealBytes(*packed, s.c.context(s.key))
	}

	plain := joinTexts(s.texts)
	if len(plain) == 0 {
		return ""
	}

	return d.sealer().Seal(plain, s.c.context(s.key))
}

// sealer returns the keyring. It panics if there is none: a value that must be encrypted is then a programming error.
func (d *DB) sealer() *secret.Keyring {
	if d.keys == nil {
		panic(errNoKeys)
	}

	return d.keys
}

// Find adds the condition that a row was sealed with one of some texts: texts are what the functions of FoundBy return,
// in the order of their columns, and an empty one is left out. If all are empty, no row is found. Rows encrypted with
// older keys are found too.
func Find(q Querier, w *Where, c *Sealed, texts ...string) {
	keys := q.(keyed).keyring()
	if keys == nil {
		panic(errNoKeys)
	}

	var either Where

	for i, text := range texts {
		if column := c.hashes[i].column; text != "" {
			In(&either, column, keys.FindAny(c.table+"."+column, text))
		}
	}

	if len(either.parts) == 0 {
		w.And("1 = 0")
		return
	}

	w.And("("+strings.Join(either.parts, " OR ")+")", either.Args...)
}

// keyed is implemented by each Querier of this package.
type keyed interface{ keyring() *secret.Keyring }

// Keyring returns the keyring of the database's columns, or nil if there is none. Files that belong to the database are
// encrypted with it too.
func (d *DB) Keyring() *secret.Keyring { return d.keys }

func (d *DB) keyring() *secret.Keyring      { return d.keys }
func (t *Tx) keyring() *secret.Keyring      { return t.d.keys }
func (s snapshot) keyring() *secret.Keyring { return s.d.keys }

// scan reads a row and decrypts its sealed columns.
func (d *DB) scan(rows Rows, dest []any) error {
	if err := rows.Scan(dest...); err != nil {
		return err
	}

	for _, v := range dest {
		if o, ok := v.(*opening); ok {
			if err := d.open(o); err != nil {
				return fmt.Errorf("%s: %w", o.c.context(o.key), err)
			}
		}
	}

	return nil
}

func (d *DB) open(o *opening) error {
	plain, err := d.decrypt(o.c, o.key, o.sealed)
	if err != nil {
		return err
	}

	if o.c.bytes {
		*o.bytes = plain
		return nil
	}

	texts, err := splitTexts(plain, len(o.texts))
	if err != nil {
		return err
	}

	for i := range texts {
		*o.texts[i] = texts[i]
	}

	return nil
}

// decrypt returns what a column holds in the row of a key: joined texts, or bytes. An empty column holds nothing.
func (d *DB) decrypt(c *Sealed, key Key, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 {
		return nil, nil
	}

	if d.keys == nil {
		return nil, errNoKeys
	}

	if !c.bytes {
		return d.keys.Open(string(sealed), c.context(key))
	}

	packed, err := d.keys.OpenBytes(sealed, c.context(key))
	if err != nil {
		return nil, err
	}

	return c.unpacked(packed)
}

// joinTexts returns texts one after the other, each preceded by its length. If all are empty it returns nothing.
func joinTexts(texts []string) []byte {
	size := 0
	for _, s := range texts {
		size += len(s)
	}

	if size == 0 {
		return nil
	}

	out := make([]byte, 0, size+len(texts)*binary.MaxVarintLen32)
	for _, s := range texts {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}

	return out
}

var errTexts = errors.New("the sealed value does not hold as many texts as are read")

// splitTexts splits n joined texts. Of nothing, it returns n empty ones.
func splitTexts(plain []byte, n int) ([]string, error) {
	if len(plain) == 0 {
		return make([]string, n), nil
	}

	out, err := splitAll(plain)
	if err == nil && len(out) != n {
		err = errTexts
	}

	return out, err
}

func splitAll(plain []byte) (out []string, err error) {
	for len(plain) > 0 {
		size, head := binary.Uvarint(plain)
		if head <= 0 || size > uint64(len(plain)-head) {
			return nil, errTexts
		}

		out = append(out, string(plain[head:head+int(size)]))
		plain = plain[head+int(size):]
	}

	return out, nil
}
