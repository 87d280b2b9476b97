//go:build !nosandbox

package ebicssim

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// download is an answer that is being fetched.
type download struct {
	parts [][]byte // base64, cut after encryption
	files []string // of the outbox, which are gone once they are acknowledged
}

// kinds are the messages of the order types of version 2.5.
var kinds = map[string]string{
	"C52": "camt.052",
	"C53": "camt.053",
	"C54": "camt.054",
	"Z52": "camt.052",
	"Z53": "camt.053",
	"Z54": "camt.054",
	"CRZ": "pain.002",
	"Z01": "pain.002",
}

// beginDownload opens a transaction with what there is to fetch.
func (h *Host) beginDownload(q *request, user string, o order) ([]byte, error) {
	d := &download{}

	content, err := h.contentOf(q, user, o, d)
	if err != nil {
		return nil, err
	}

	u := h.state.Users[user]

	data, wrapped, err := pack(content, u.Encryption.public())
	if err != nil {
		return nil, err
	}

	// Cut so that each part is base64 of its own.
	for part := range slices.Chunk(data, max(3, h.c.SegmentSize*3/4)) {
		d.parts = append(d.parts, []byte(base64of(part)))
	}

	t := h.begin(q, user)
	t.download = d

	return h.response(q, response{
		transaction: t.id,
		segments:    len(d.parts),
		segment:     1,
		last:        len(d.parts) == 1,
		data:        d.parts[0],
		wrapped:     wrapped,
		receiver:    keyHash(u.Encryption.public()),
	}), h.save()
}

// contentOf returns what an order fetches.
func (h *Host) contentOf(q *request, user string, o order, d *download) ([]byte, error) {
	switch o.kind {
	case "HTD":
		return h.rights(q, user, false), nil
	case "HKD":
		return h.rights(q, user, true), nil
	case "HAC":
		return h.protocol(user, o)
	}

	kind := kinds[o.kind]
	inZIP := true

	switch o.kind {
	case "BTD":
		kind = o.message
		inZIP = o.zip
	case "FDL":
		kind = strings.TrimSuffix(o.format, ".zip")
		inZIP = strings.HasSuffix(o.format, ".zip")
	}

	if !strings.HasPrefix(kind, "camt.") && kind != "pain.002" {
		return nil, fail("091005", "EBICS_UNSUPPORTED_ORDER_TYPE")
	}

	files, err := h.waiting(kind)
	if err != nil {
		return nil, err
	}

	if len(files) == 0 {
		return nil, failOrder("090005", "EBICS_NO_DOWNLOAD_DATA_AVAILABLE")
	}

	if !inZIP {
		files = files[:1]
	}

	d.files = files
	if inZIP {
		return zipOf(files)
	}

	return os.ReadFile(files[0])
}

// waiting returns the files of a kind in the bank's outbox, oldest first.
func (h *Host) waiting(kind string) ([]string, error) {
	if h.c.Engine == nil {
		return nil, nil
	}

	return filepath.Glob(filepath.Join(h.c.Engine.Outbox(), "*"+kind+"*.xml"))
}

func zipOf(files []string) ([]byte, error) {
	var out bytes.Buffer

	z := zip.NewWriter(&out)
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}

		w, err := z.Create(filepath.Base(name))
		if err != nil {
			return nil, err
		}

		if _, err := w.Write(content); err != nil {
			return nil, err
		}
	}

	if err := z.Close(); err != nil {
		return nil, err
	}

	return out.Bytes(), nil
}

// giveSegment gives a segment, also once more.
func (h *Host) giveSegment(q *request, t *transaction) ([]byte, error) {
	n, err := strconv.Atoi(q.mutable("SegmentNumber"))
	if err != nil || n < 1 || n > len(t.download.parts) {
		return nil, fail("011101", "EBICS_TX_SEGMENT_NUMBER_EXCEEDED")
	}

	return h.response(q, response{
		segments: len(t.download.parts),
		segment:  n,
		last:     n == len(t.download.parts),
		data:     t.download.parts[n-1],
	}), nil
}

// takeReceipt ends a download. What was acknowledged as good is not offered again.
func (h *Host) takeReceipt(q *request, t *transaction) ([]byte, error) {
	delete(h.transactions, t.id)

	if text(q.body, "TransferReceipt", "ReceiptCode") != "0" {
		return h.response(q, response{code: "011001"}), nil
	}

	for _, name := range t.download.files {
		done := filepath.Join(filepath.Dir(name), "done")
		if err := os.MkdirAll(done, 0o700); err != nil {
			return nil, err
		}

		if err := os.Rename(name, filepath.Join(done, filepath.Base(name))); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}

	return h.response(q, response{code: "011000"}), h.save()
}
