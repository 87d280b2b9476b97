package ebics

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/beevik/etree"
)

// answer is what the bank said, read from the signed parts of its answer. DataTransfer alone is read from outside them:
// EBICS does not sign order data.
type answer struct {
	transaction string // TransactionID, hexadecimal
	segments    int    // NumSegments of a download
	segment     int    // SegmentNumber; 0 if there is none
	last        bool   // lastSegment
	orderID     string
	transfer    *etree.Element // body/DataTransfer; nil if there is none
}

// Forms of the identifiers in answers (ebics_types).
const (
	transactionDigits = 32
	orderIDLength     = 4
)

// readAnswer verifies and reads an answer within a transaction (F-14). transaction is "" in the first phase. The error
// is a *Refusal if the bank refuses, and wraps ErrUnproven if the answer may not be the bank's.
func (c *Client) readAnswer(text []byte, phase, transaction string) (*answer, error) {
	root, err := parse(text)
	if err != nil {
		return nil, unproven("%w", err)
	}

	if root.Tag == "ebicsKeyManagementResponse" {
		// Banks answer so before they know who asks. It is never signed, so only its refusals are of use.
		return nil, c.earlyRefusal(root)
	}

	if root.Tag != "ebicsResponse" || root.NamespaceURI() != c.Version.namespace() {
		return nil, unproven("its root is %s in %q", root.Tag, root.NamespaceURI())
	}

	if err := verifyEnvelope(root, c.Bank.Authentication.Key); err != nil {
		return nil, unproven("signature X002: %w", err)
	}

	return readVerified(root, phase, transaction)
}

// unproven returns an error that wraps ErrUnproven.
func unproven(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrUnproven, fmt.Errorf(format, args...))
}

// earlyRefusal returns the refusal in an unsigned answer, and ErrUnproven if it is none.
func (c *Client) earlyRefusal(root *etree.Element) error {
	r := refusalIn(root, false)
	if root.NamespaceURI() != c.Version.namespace() || r == nil {
		return unproven("it is unsigned")
	}

	return r
}

// readVerified reads an answer whose signature is valid. Each value is taken from one place, below an element that is
// marked as signed: what else an attacker adds is not looked at.
func readVerified(root *etree.Element, phase, transaction string) (*answer, error) {
	header := only(root, "header")
	code := at(root, "body", "ReturnCode")

	if !isMarked(header) || !isMarked(code) {
		return nil, unproven("header or return code are not signed, or not there once")
	}

	if got := textAt(header, "mutable", "TransactionPhase"); got != phase {
		return nil, unproven("it answers %q instead of %q", got, phase)
	}

	out := &answer{
		transaction: strings.ToUpper(textAt(header, "static", "TransactionID")),
		orderID:     textAt(header, "mutable", "OrderID"),
		transfer:    at(root, "body", "DataTransfer"),
	}

	// A bank that does not know the transaction, or no longer, may not name it. Nothing but waiting follows from such a
	// refusal, so it needs no other proof than the signature.
	if r := refusalIn(root, true); r != nil && out.transaction == "" {
		return nil, r
	}

	if transaction != "" && out.transaction != transaction {
		return nil, unproven("it is about transaction %q instead of %q", out.transaction, transaction)
	}

	if out.transaction != "" && !isHex(out.transaction, transactionDigits) {
		return nil, unproven("transaction id %q", out.transaction)
	}

	if out.orderID != "" && len(out.orderID) != orderIDLength {
		return nil, unproven("order id %q", out.orderID)
	}

	var err error
	if out.segments, err = numberAt(header, "static", "NumSegments"); err != nil {
		return nil, err
	}

	if out.segment, err = numberAt(header, "mutable", "SegmentNumber"); err != nil {
		return nil, err
	}

	if s := at(header, "mutable", "SegmentNumber"); s != nil {
		out.last = s.SelectAttrValue("lastSegment", "") == "true"
	}

	if r := refusalIn(root, true); r != nil {
		return nil, r
	}

	return out, nil
}

// refusalIn returns the refusal in an answer, or nil if both codes are fine.
func refusalIn(root *etree.Element, proven bool) *Refusal {
	r := &Refusal{
		Technical: textAt(root, "header", "mutable", "ReturnCode"),
		Business:  textAt(root, "body", "ReturnCode"),
		Text:      textAt(root, "header", "mutable", "ReportText"),
		OrderID:   textAt(root, "header", "mutable", "OrderID"),
		Proven:    proven,
	}
	r.Segment, _ = numberAt(root, "header", "mutable", "SegmentNumber")

	if fine(r.Technical) && fine(r.Business) {
		return nil
	}

	return r
}

// isMarked reports whether an element is there and signed.
func isMarked(e *etree.Element) bool {
	return e != nil && e.SelectAttrValue("authenticate", "") == "true"
}

// mostSegments limits the segments of a download.
const mostSegments = 10_000

// numberAt reads a count; 0 if it is not there.
func numberAt(from *etree.Element, path ...string) (int, error) {
	text := textAt(from, path...)
	if text == "" {
		return 0, nil
	}

	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > mostSegments {
		return 0, unproven("%s is %q", path[len(path)-1], text)
	}

	return n, nil
}

func isHex(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789ABCDEF") == ""
}

// readManagement reads the unsigned answer to INI, HIA or HPB. It returns DataTransfer, nil where there is none.
func (c *Client) readManagement(text []byte) (*etree.Element, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}

	if root.NamespaceURI() != c.Version.namespace() ||
		root.Tag != "ebicsKeyManagementResponse" && root.Tag != "ebicsResponse" {
		return nil, fmt.Errorf("the bank's answer is %s in %q", root.Tag, root.NamespaceURI())
	}

	if r := refusalIn(root, false); r != nil {
		return nil, r
	}

	if textAt(root, "body", "ReturnCode") == "" {
		return nil, errors.New("the bank's answer has no return code")
	}

	return at(root, "body", "DataTransfer"), nil
}
