//go:build !nosandbox

package ebicssim

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

const (
	dsNamespace = "http://www.w3.org/2000/09/xmldsig#"
	c14n        = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	sha256Name  = "http://www.w3.org/2001/04/xmlenc#sha256"
)

// request is a request that was read.
type request struct {
	root, header, body *etree.Element
	version            string
	transaction        string // of a running one
}

func (q *request) static(tag string) string  { return text(q.header, "static", tag) }
func (q *request) mutable(tag string) string { return text(q.header, "mutable", tag) }

// text returns the trimmed text at a path.
func text(e *etree.Element, path ...string) string {
	for _, tag := range path {
		e = child(e, tag)
	}

	if e == nil {
		return ""
	}

	return strings.TrimSpace(e.Text())
}

func parse(raw []byte) (*etree.Element, error) {
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(raw); err != nil {
		return nil, err
	}

	for _, t := range doc.Child {
		if _, is := t.(*etree.Directive); is {
			return nil, fmt.Errorf("a document type")
		}
	}

	if doc.Root() == nil {
		return nil, fmt.Errorf("no element")
	}

	return doc.Root(), nil
}

// order is what a request is about.
type order struct {
	kind     string // order type; BTU and BTD with the fields below
	service  string // ServiceName
	message  string // MsgName
	zip      bool
	format   string // of FUL and FDL
	from, to string // days
}

func (q *request) order() order {
	details := child(child(q.header, "static"), "OrderDetails")
	o := order{kind: text(details, "AdminOrderType") + text(details, "OrderType")}

	for _, p := range details.ChildElements() {
		if !strings.HasSuffix(p.Tag, "OrderParams") {
			continue
		}

		service := child(p, "Service")
		o.service = text(service, "ServiceName")
		o.message = text(service, "MsgName")
		o.format = text(p, "FileFormat")
		o.from = text(p, "DateRange", "Start")
		o.to = text(p, "DateRange", "End")

		if c := child(service, "Container"); c != nil {
			o.zip = c.SelectAttrValue("containerType", "") == "ZIP"
		}
	}

	return o
}

// uploads are the order types of version 2.5 that carry payments.
var uploads = []string{"BTU", "FUL", "CCT", "CIP", "CCU", "XE2", "XE3", "AXZ", "AZV", "CCS", "XCT"}

func (o order) isUpload() bool { return slices.Contains(uploads, o.kind) }

// verified verifies the authentication signature of a request with the user's key.
func (h *Host) verified(q *request, user string) error {
	u := h.state.Users[user]
	no := fail("061001", "EBICS_AUTHENTICATION_FAILED")

	signature := child(q.root, "AuthSignature")
	info := child(signature, "SignedInfo")

	if u == nil || u.Authentication == nil || info == nil {
		return no
	}

	digest, err := digestOf(q.root)
	if err != nil {
		return no
	}

	stated, err := unbase64(text(info, "Reference", "DigestValue"))
	if err != nil || !bytes.Equal(stated, digest) {
		return no
	}

	canonical, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(info)
	if err != nil {
		return no
	}

	value, err := unbase64(text(signature, "SignatureValue"))
	if err != nil {
		return no
	}

	sum := sha256.Sum256(canonical)
	if rsa.VerifyPKCS1v15(u.Authentication.public(), crypto.SHA256, sum[:], value) != nil {
		return no
	}

	return nil
}

// markedIn returns the marked elements in the order of the document. etree's own paths return the higher ones first.
func markedIn(e *etree.Element) (out []*etree.Element) {
	if e.SelectAttrValue("authenticate", "") == "true" {
		out = append(out, e)
	}

	for _, c := range e.ChildElements() {
		out = append(out, markedIn(c)...)
	}

	return out
}

// digestOf hashes the marked elements in their canonical form.
func digestOf(root *etree.Element) ([]byte, error) {
	h := sha256.New()

	for _, e := range markedIn(root) {
		canonical, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(e)
		if err != nil {
			return nil, err
		}

		h.Write(canonical)
	}

	return h.Sum(nil), nil
}

// clockMayDiffer is how far a client's clock may be off.
const clockMayDiffer = 6 * time.Hour

// freshOnce refuses a nonce that was used, and a time that is far off.
func (h *Host) freshOnce(q *request) error {
	replay := fail("091103", "EBICS_TX_MESSAGE_REPLAY")
	now := h.c.Clock.Now()

	at, err := time.Parse(time.RFC3339Nano, q.static("Timestamp"))
	if err != nil || at.Before(now.Add(-clockMayDiffer)) || at.After(now.Add(clockMayDiffer)) {
		return replay
	}

	nonce := strings.ToUpper(q.static("Nonce"))
	if _, used := h.state.Nonces[nonce]; used || len(nonce) != 32 {
		return replay
	}

	h.state.Nonces[nonce] = now
	for n, t := range h.state.Nonces {
		if t.Before(now.Add(-2 * clockMayDiffer)) {
			delete(h.state.Nonces, n)
		}
	}

	return nil
}

// knowsOurKeys refuses a client that has older keys of the bank. Hashes of certificates and of bare keys are taken.
func (h *Host) knowsOurKeys(q *request) error {
	digests := child(child(q.header, "static"), "BankPubKeyDigests")

	for tag, key := range map[string]ownKey{
		"Authentication": h.state.Authentication,
		"Encryption":     h.state.Encryption,
	} {
		stated, err := unbase64(text(digests, tag))
		certificate := sha256.Sum256(key.Certificate)

		byKey := bytes.Equal(stated, keyHash(&key.key.PublicKey))
		byCertificate := q.version == "H005" && bytes.Equal(stated, certificate[:])

		if err != nil || !byKey && !byCertificate {
			return fail("091008", "EBICS_BANK_PUBKEY_UPDATE_REQUIRED")
		}
	}

	return nil
}

// response is what an answer in a transaction says.
type response struct {
	transaction string
	phase       string
	segments    int
	segment     int
	last        bool
	orderID     string
	refusal     *refusal // nil: all is well
	code        string   // ReturnCode of the header; "" is 000000
	data        []byte   // base64
	wrapped     []byte   // transaction key, in the first answer of a download
	receiver    []byte   // hash of the key that it is encrypted for
}

// response builds and signs an ebicsResponse.
func (h *Host) response(q *request, r response) []byte {
	if r.transaction == "" {
		r.transaction = q.transaction
	}

	if r.phase == "" {
		r.phase = q.mutable("TransactionPhase")
	}

	technical := orElse(r.code, codeOK)
	business := codeOK

	words := "[EBICS_OK] OK"
	if r.refusal != nil {
		technical, business = r.refusal.technical, r.refusal.business
		words = "[" + r.refusal.text + "]"
		r.segment = r.refusal.segment
	}

	root := etree.NewElement("ebicsResponse")
	root.CreateAttr("xmlns", "urn:org:ebics:"+q.version)
	root.CreateAttr("xmlns:ds", dsNamespace)
	root.CreateAttr("Version", q.version)
	root.CreateAttr("Revision", "1")

	header := put(root, "header", "", "authenticate", "true")
	static := put(header, "static", "")

	if r.transaction != "" {
		put(static, "TransactionID", r.transaction)
	}

	if r.segments > 0 {
		put(static, "NumSegments", strconv.Itoa(r.segments))
	}

	mutable := put(header, "mutable", "")
	put(mutable, "TransactionPhase", orElse(r.phase, "Initialisation"))

	if r.segment > 0 {
		put(mutable, "SegmentNumber", strconv.Itoa(r.segment), "lastSegment", strconv.FormatBool(r.last))
	}

	if r.orderID != "" {
		put(mutable, "OrderID", r.orderID)
	}

	put(mutable, "ReturnCode", technical)
	put(mutable, "ReportText", words)

	signature := put(root, "AuthSignature", "")
	body := put(root, "body", "")
	h.putData(body, r)
	put(body, "ReturnCode", business, "authenticate", "true")

	h.sign(root, signature, h.state.Authentication.key)

	return document(root)
}

func (h *Host) putData(body *etree.Element, r response) {
	if r.data == nil {
		return
	}

	transfer := put(body, "DataTransfer", "")

	if r.wrapped != nil {
		info := put(transfer, "DataEncryptionInfo", "", "authenticate", "true")
		put(info, "EncryptionPubKeyDigest", base64of(r.receiver), "Version", "E002", "Algorithm", sha256Name)
		put(info, "TransactionKey", base64of(r.wrapped))
	}

	put(transfer, "OrderData", string(r.data))
}

// sign fills in an authentication signature.
func (h *Host) sign(root, signature *etree.Element, key *rsa.PrivateKey) {
	digest, err := digestOf(root)
	if err != nil {
		panic(err) // our own document
	}

	info := put(signature, "ds:SignedInfo", "")
	put(info, "ds:CanonicalizationMethod", "", "Algorithm", c14n)
	put(info, "ds:SignatureMethod", "", "Algorithm", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256")
	reference := put(info, "ds:Reference", "", "URI", "#xpointer(//*[@authenticate='true'])")
	put(put(reference, "ds:Transforms", ""), "ds:Transform", "", "Algorithm", c14n)
	put(reference, "ds:DigestMethod", "", "Algorithm", sha256Name)
	put(reference, "ds:DigestValue", base64of(digest))

	canonical, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(info)
	if err != nil {
		panic(err)
	}

	sum := sha256.Sum256(canonical)

	value, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}

	put(signature, "ds:SignatureValue", base64of(value))
}

func put(parent *etree.Element, tag, text string, attributes ...string) *etree.Element {
	e := parent.CreateElement(tag)
	if text != "" {
		e.SetText(text)
	}

	for i := 0; i+1 < len(attributes); i += 2 {
		e.CreateAttr(attributes[i], attributes[i+1])
	}

	return e
}

func document(root *etree.Element) []byte {
	doc := etree.NewDocument()
	doc.CreateProcInst("xml", `version="1.0" encoding="UTF-8"`)
	doc.SetRoot(root)

	out, err := doc.WriteToBytes()
	if err != nil {
		panic(err)
	}

	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}

	return s
}
