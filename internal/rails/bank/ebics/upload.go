package ebics

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Prepared is an order that is complete before anything of it leaves: the same bytes are sent on every attempt. Store
// it before Begin. It contains the transaction key: seal it.
type Prepared struct {
	Order     Order
	Key       []byte   // of the transaction, AES
	Signature []byte   // our electronic signature, packed and encrypted
	Digest    []byte   // of the content, by which banks find doubles
	Segments  [][]byte // the content, packed, encrypted and cut
}

// segmentSize is how much of an encrypted order one segment carries. The limit of 1 MB counts base64 (ch. 7), and some
// banks count the envelope.
const segmentSize = 700_000

// Prepare signs, packs, encrypts and cuts an order (ch. 5.5.1.1 and 7). Nothing leaves.
func (c *Client) Prepare(o Order, content []byte) (*Prepared, error) {
	if err := c.ready(); err != nil {
		return nil, err
	}

	p := &Prepared{Order: o, Key: make([]byte, keySize), Digest: orderDigest(content)}
	if _, err := rand.Read(p.Key); err != nil {
		return nil, err
	}

	value, err := sign006(c.Keys.Signature.Private, p.Digest)
	if err != nil {
		return nil, fmt.Errorf("sign the order: %w", err)
	}

	text, err := c.signatureText(value)
	if err != nil {
		return nil, err
	}

	if p.Signature, err = sealData(p.Key, text); err != nil {
		return nil, err
	}

	encrypted, err := sealData(p.Key, content)
	if err != nil {
		return nil, err
	}

	p.Segments = slices.Collect(slices.Chunk(encrypted, cmp.Or(c.SegmentSize, segmentSize)))

	return p, nil
}

// sealData packs and encrypts.
func sealData(key, content []byte) ([]byte, error) {
	packed, err := compress(content)
	if err != nil {
		return nil, err
	}

	return encrypt(key, packed)
}

// Begin asks the bank to accept an upload (ch. 5.5.1.2.1). It returns the transaction's id, and the order's if the bank
// assigns it now. No content has left. After an error none is at the bank, whatever the bank remembers of the attempt.
func (c *Client) Begin(ctx context.Context, p *Prepared) (transaction, orderID string, err error) {
	if err := c.ready(); err != nil {
		return "", "", err
	}

	e, err := c.initialisation(p)
	if err != nil {
		return "", "", err
	}

	text, err := c.signed(ctx, e)
	if err != nil {
		return "", "", err
	}

	a, err := c.readAnswer(text, phaseInitialisation, "")
	if err != nil {
		return "", "", err
	}

	if a.transaction == "" {
		return "", "", unproven("it begins no transaction")
	}

	return a.transaction, a.orderID, nil
}

// initialisation builds the first request of an upload.
func (c *Client) initialisation(p *Prepared) (*envelope, error) {
	e := c.newEnvelope("ebicsRequest", true)
	add(e.static, "HostID", c.Subscriber.Host)
	c.fresh(e.static)
	c.whoWeAre(e.static)
	c.orderDetails(e.static, p.Order, "OZHNN", true)
	c.addDigests(e.static)
	add(e.static, "SecurityMedium", securityMedium)
	add(e.static, "NumSegments", strconv.Itoa(len(p.Segments)))
	add(e.mutable, "TransactionPhase", phaseInitialisation)

	wrapped, err := wrapKey(c.Bank.Encryption.Key, p.Key)
	if err != nil {
		return nil, fmt.Errorf("encrypt the transaction key: %w", err)
	}

	transfer := add(e.body, "DataTransfer", "")
	info := add(transfer, "DataEncryptionInfo", "", "authenticate", "true")
	c.addDigest(info, "EncryptionPubKeyDigest", E002, c.Bank.Encryption)
	add(info, "TransactionKey", encode(wrapped))
	add(transfer, "SignatureData", encode(p.Signature), "authenticate", "true")

	if c.Version == H005 {
		add(transfer, "DataDigest", encode(p.Digest), "SignatureVersion", A006)
	}

	return e, nil
}

// Send sends one segment, counted from 1 (ch. 5.5.1.2.2). After the last one the bank has the order: then the answer's
// business code is the result of the order. It returns the order's id if the answer names it.
//
// An error that is no proven *Refusal leaves it unknown whether the bank has the segment: send the same again.
func (c *Client) Send(ctx context.Context, p *Prepared, transaction string, segment int) (orderID string, err error) {
	if err := c.ready(); err != nil {
		return "", err
	}

	if segment < 1 || segment > len(p.Segments) {
		return "", fmt.Errorf("segment %d of %d", segment, len(p.Segments))
	}

	e := c.within(transaction, phaseTransfer)
	addSegmentNumber(e, segment, len(p.Segments))
	add(add(e.body, "DataTransfer", ""), "OrderData", encode(p.Segments[segment-1]))

	text, err := c.signed(ctx, e)
	if err != nil {
		return "", err
	}

	a, err := c.readAnswer(text, phaseTransfer, transaction)
	if err != nil {
		return "", err
	}

	// Some banks leave the number out; one of another segment is an answer to another request.
	if a.segment != 0 && a.segment != segment {
		return "", unproven("it is about segment %d instead of %d", a.segment, segment)
	}

	return a.orderID, nil
}

// Refused returns the refusal in an error, and whether it is proven to be the bank's.
func Refused(err error) (r *Refusal, proven bool) {
	if !errors.As(err, &r) {
		return nil, false
	}

	return r, r.Proven
}
