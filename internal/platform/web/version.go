package web

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

// Record is an answer that shows one stored record. Its entity tag is made of the record's version, and Location of its
// identifier.
type Record interface {
	// Record returns the identifier and the version. The version grows with each change of the record.
	Record() (id string, version int64)
}

// entityTag returns the strong validator (RFC 9110, 8.8.3) of an answer: "<version>-<hash of the bytes>", or "h<hash>"
// if it shows no record. If-Match compares the version alone, since it is about the record. If-None-Match compares the
// bytes, which also hold what belongs to other records and what depends on the time.
func entityTag(shown any, body []byte) string {
	tag := make([]byte, 0, 40)
	tag = append(tag, '"')

	if r, ok := shown.(Record); ok {
		_, version := r.Record()
		tag = strconv.AppendInt(tag, version, 10)
		tag = append(tag, '-')
	} else {
		tag = append(tag, 'h')
	}

	tag = strconv.AppendUint(tag, xxhash.Sum64(body), 16)

	return string(append(tag, '"'))
}

// storedRecord is what a stored answer tells of the record that it shows.
type storedRecord struct {
	ID      string `json:"_id"`
	Version int64  `json:"version"`
}

// Record returns the identifier and the version.
func (r storedRecord) Record() (id string, version int64) { return r.ID, r.Version }

// recordOf returns the record that a stored answer of the operation shows, or nil.
func (e *endpoint) recordOf(body []byte) any {
	if !e.showsRecord {
		return nil
	}

	r, ok := recordAtEnds(body)
	if !ok && json.Unmarshal(body, &r) != nil {
		return nil
	}

	return r
}

// recordAtEnds returns the record of an answer that begins with its identifier and ends with its version, as most do:
// nothing between them has to be read.
func recordAtEnds(body []byte) (r storedRecord, ok bool) {
	const first, last = `{"_id":"`, `,"version":`

	begin, found := bytes.CutPrefix(body, []byte(first))
	id, _, closed := bytes.Cut(begin, []byte(`"`))

	at := bytes.LastIndex(body, []byte(last))
	if !found || !closed || at < 0 || bytes.IndexByte(id, '\\') >= 0 {
		return r, false
	}

	number := bytes.TrimSuffix(body[at+len(last):], []byte("}"))
	version, err := strconv.ParseInt(string(number), 10, 64)

	return storedRecord{ID: string(id), Version: version}, err == nil
}

// label sets the headers that identify what a successful answer shows: ETag of a single record, and Location of a new
// one. It reports whether the caller has the same bytes already, by If-None-Match.
func (e *endpoint) label(c *call, r *http.Request, status int, shown any, body []byte) (same bool) {
	if !e.tagged {
		return false
	}

	h := c.Header()
	tag := entityTag(shown, body)
	h["Etag"] = []string{tag}

	if record, ok := shown.(Record); ok && status == http.StatusCreated && e.op.Location != "" {
		id, _ := record.Record()
		h["Location"] = []string{strings.Replace(e.op.Location, "{id}", id, 1)}
	}

	return e.op.Method == http.MethodGet && hasTag(r.Header["If-None-Match"], tag)
}

// hasTag reports whether If-None-Match names a tag, by weak comparison (RFC 9110, 13.1.2).
func hasTag(values []string, tag string) bool {
	for _, value := range values {
		for _, given := range strings.Split(value, ",") {
			given = strings.TrimSpace(given)
			if given == "*" || strings.TrimPrefix(given, "W/") == tag {
				return true
			}
		}
	}

	return false
}

// condition reads If-Match. An operation that compares no version refuses it: whoever sends it must not be overtaken.
func (e *endpoint) condition(c *call, r *http.Request) error {
	given := r.Header["If-Match"]
	if len(given) == 0 || e.op.Method == http.MethodGet {
		return nil
	}

	value := strings.Join(given, ",")

	if !e.op.Versioned {
		return fault.New(fault.Precondition, fault.VersionMismatch,
			"This operation changes no record whose version could be compared with If-Match.")
	}

	match, ok := caller.ParseMatch(value)
	if !ok || len(value) > maxTags {
		var l fault.List
		l.AddParameter("header", "If-Match", fault.FormatInvalid, "must be an ETag or a version of the record, or *.")
		return l.Err()
	}

	c.Match = match

	return nil
}
