//go:build !nosandbox

package ebicssim

import (
	"bytes"
	"context"
	"crypto/rsa"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// upload is an order that is being received.
type upload struct {
	order     order
	orderID   string
	segments  int
	received  [][]byte
	key       []byte // of the transaction
	signature []byte // UserSignatureData, unpacked
	digest    []byte // as H005 states it; nil in 2.5
}

// idDigits are the digits of an order id.
const idDigits = 36

// nextID assigns an order id: A000, A001, …
func (h *Host) nextID() string {
	n := h.state.Counter
	h.state.Counter++

	s := strconv.FormatInt(int64(n%(idDigits*idDigits*idDigits)), idDigits)
	for len(s) < 3 {
		s = "0" + s
	}

	return "A" + string(bytes.ToUpper([]byte(s)))
}

// beginUpload opens a transaction for an order. A file that the bank has is refused here where its hash is stated.
func (h *Host) beginUpload(q *request, user string, o order) ([]byte, error) {
	transfer := child(q.body, "DataTransfer")

	segments, err := strconv.Atoi(q.static("NumSegments"))
	if err != nil || segments < 1 || segments > 1000 {
		return nil, fail("011101", "EBICS_TX_SEGMENT_NUMBER_EXCEEDED")
	}

	u := &upload{order: o, segments: segments}
	if u.key, u.signature, err = h.openSignature(q); err != nil {
		return nil, err
	}

	if q.version == "H005" {
		if u.digest, err = unbase64(text(transfer, "DataDigest")); err != nil || len(u.digest) != 32 {
			return nil, failOrder("091113", "EBICS_INVALID_REQUEST_CONTENT")
		}

		if err := h.notADouble(u.digest); err != nil {
			return nil, err
		}
	}

	u.orderID = h.nextID()
	t := h.begin(q, user)
	t.upload = u

	return h.response(q, response{transaction: t.id, orderID: u.orderID}), h.save()
}

// openSignature decrypts the transaction key and what it encrypts in the first request.
func (h *Host) openSignature(q *request) (key, signature []byte, err error) {
	transfer := child(q.body, "DataTransfer")

	wrapped, err := unbase64(text(transfer, "DataEncryptionInfo", "TransactionKey"))
	if err != nil {
		return nil, nil, fail(codeInvalidXML, "EBICS_INVALID_XML")
	}

	//nolint:staticcheck // the protocol knows no other padding
	key, err = rsa.DecryptPKCS1v15(nil, h.state.Encryption.key, wrapped)
	if err != nil || len(key) != 16 {
		return nil, nil, failOrder("090004", "EBICS_INVALID_ORDER_DATA_FORMAT")
	}

	packed, err := unbase64(text(transfer, "SignatureData"))
	if err != nil {
		return nil, nil, fail(codeInvalidXML, "EBICS_INVALID_XML")
	}

	if signature, err = unpack(packed, key); err != nil {
		return nil, nil, failOrder("090004", "EBICS_INVALID_ORDER_DATA_FORMAT")
	}

	return key, signature, nil
}

// signatureOf verifies the electronic signature of a request that has no further segments.
func (h *Host) signatureOf(q *request, user string, content []byte) ([]byte, error) {
	_, signature, err := h.openSignature(q)
	if err != nil {
		return nil, err
	}

	return signature, h.verifyOrder(signature, user, content)
}

// verifyOrder verifies the electronic signature of an order with the user's key.
func (h *Host) verifyOrder(signature []byte, user string, content []byte) error {
	no := failOrder("091301", "EBICS_SIGNATURE_VERIFICATION_FAILED")

	root, err := parse(signature)
	if err != nil {
		return no
	}

	data := child(root, "OrderSignatureData")
	value, err := unbase64(text(data, "SignatureValue"))

	if err != nil || text(data, "PartnerID")+"/"+text(data, "UserID") != user ||
		!signedBy(text(data, "SignatureVersion"), h.state.Users[user].Signature.public(), content, value) {
		return no
	}

	return nil
}

// notADouble refuses content that the bank has. Which code banks use is not published.
func (h *Host) notADouble(digest []byte) error {
	if h.c.AcceptDoubles {
		return nil
	}

	for _, o := range h.state.Orders {
		if o.SHA256 == hex.EncodeToString(digest) {
			return failOrder("091115", "EBICS_ORDERID_ALREADY_EXISTS")
		}
	}

	return nil
}

// takeSegment takes the next segment. One that is out of step gets 061101 with the last one that we have.
func (h *Host) takeSegment(ctx context.Context, q *request, t *transaction) ([]byte, error) {
	u := t.upload

	n, err := strconv.Atoi(q.mutable("SegmentNumber"))
	if err != nil || n < 1 || n > u.segments {
		return nil, fail("011101", "EBICS_TX_SEGMENT_NUMBER_EXCEEDED")
	}

	if n != len(u.received)+1 {
		out := fail("061101", "EBICS_TX_RECOVERY_SYNC")
		out.segment = len(u.received)

		return nil, out
	}

	data, err := unbase64(text(q.body, "DataTransfer", "OrderData"))
	if err != nil {
		return nil, fail(codeInvalidXML, "EBICS_INVALID_XML")
	}

	u.received = append(u.received, data)
	if n < u.segments {
		return h.response(q, response{segment: n}), nil
	}

	delete(h.transactions, t.id)

	if err := h.accept(ctx, t); err != nil {
		return nil, err
	}

	return h.response(q, response{segment: n, last: true, orderID: u.orderID}), nil
}

// accept takes a complete order: it verifies it, and puts it into the bank's inbox.
func (h *Host) accept(ctx context.Context, t *transaction) error {
	u := t.upload

	content, err := unpack(bytes.Join(u.received, nil), u.key)
	if err != nil {
		h.note("FILE_UPLOAD", "TA01", u.orderID, t.user, u.order.kind)
		return errorsWith(failOrder("090004", "EBICS_INVALID_ORDER_DATA_FORMAT"), h.save())
	}

	digest := contentHash(content)
	wrongDigest := u.digest != nil && !bytes.Equal(u.digest, digest)

	if err := h.verifyOrder(u.signature, t.user, content); err != nil || wrongDigest {
		h.note("ES_VERIFICATION", "DS0B", u.orderID, t.user, u.order.kind)
		h.note("ORDER_HAC_FINAL_NEG", "DS0B", u.orderID, t.user, u.order.kind)

		return errorsWith(failOrder("091301", "EBICS_SIGNATURE_VERIFICATION_FAILED"), h.save())
	}

	if err := h.notADouble(digest); err != nil {
		h.note("ORDER_HAC_FINAL_NEG", "DS18", u.orderID, t.user, u.order.kind)
		return errorsWith(err, h.save())
	}

	if no := h.denied; no != nil {
		h.denied = nil
		h.note("ORDER_HAC_FINAL_NEG", "DS0G", u.orderID, t.user, u.order.kind)

		return errorsWith(no, h.save())
	}

	name := "ebics_" + strconv.Itoa(len(h.state.Orders)+1) + "_" + u.orderID + ".xml"
	h.state.Orders = append(h.state.Orders, Order{
		ID:     u.orderID,
		User:   t.user,
		Kind:   u.order.kind,
		SHA256: hex.EncodeToString(digest),
		File:   name,
	})

	info := messageID(content)
	h.note("FILE_UPLOAD", "TS01", u.orderID, t.user, u.order.kind, info...)
	h.note("ES_VERIFICATION", "DS01", u.orderID, t.user, u.order.kind)
	h.note("ORDER_HAC_FINAL_POS", "DS05", u.orderID, t.user, u.order.kind, info...)

	if err := h.save(); err != nil {
		return err
	}

	if h.c.Engine == nil {
		return nil
	}

	to := filepath.Join(h.c.Engine.Inbox(), name)
	if err := os.WriteFile(to+".tmp", content, 0o600); err != nil {
		return err
	}

	if err := os.Rename(to+".tmp", to); err != nil {
		return err
	}

	_, err = h.c.Engine.Step(ctx)

	return err
}

func errorsWith(first, second error) error {
	if second != nil {
		return second
	}

	return first
}

var messageIDForm = regexp.MustCompile(`<MsgId>([^<]{1,35})</MsgId>`)

// messageID returns what the customer protocol repeats of a payment file.
func messageID(content []byte) []string {
	m := messageIDForm.FindSubmatch(content)
	if m == nil {
		return nil
	}

	return []string{"MsgId: " + string(m[1])}
}
