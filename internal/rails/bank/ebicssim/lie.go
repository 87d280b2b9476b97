//go:build !nosandbox

package ebicssim

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// Lie is one misbehaviour. Each is told once, to the next request that it fits.
type Lie struct {
	Kind  LieKind
	Phase string // only in a request of this TransactionPhase; "" is any
	Order string // only in requests of this order type or transaction; "" is any
	At    int    // of LieCutAnswer: after how many bytes
}

// LieKind says how the server misbehaves.
type LieKind string

// The misbehaviours.
const (
	LieDeaf           LieKind = "deaf"            // the connection breaks before the request is acted on
	LieSilent         LieKind = "silent"          // the request is acted on, and no answer comes
	LieCutAnswer      LieKind = "cut"             // the answer breaks off
	LieTwice          LieKind = "twice"           // the request is acted on twice, as if a proxy had repeated it
	LieStale          LieKind = "stale"           // the answer before comes once more
	LieOtherOrder     LieKind = "other_order"     // a signed answer about another transaction
	LieOtherOrderID   LieKind = "other_order_id"  // a signed answer that names the order id of another order
	LieWrongSignature LieKind = "wrong_signature" // signed by another key
	LieChanged        LieKind = "changed"         // a return code is changed after it was signed
	LieUnsigned       LieKind = "unsigned"        // a success without any signature
	LieForgets        LieKind = "forgets"         // the server restarts before it answers
)

// Lie makes the server misbehave, in the order of the calls.
func (h *Host) Lie(l ...Lie) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lies = append(h.lies, l...)
}

// Lies returns those that were not told yet.
func (h *Host) Lies() []Lie {
	h.mu.Lock()
	defer h.mu.Unlock()

	return slices.Clone(h.lies)
}

// lyingly answers a request, with the first lie that fits. ok is false if the connection breaks.
func (h *Host) lyingly(request []byte, honest func() []byte) (out []byte, ok bool) {
	i := slices.IndexFunc(h.lies, func(l Lie) bool {
		return bytes.Contains(request, []byte(l.Order)) &&
			(l.Phase == "" || bytes.Contains(request, []byte("<TransactionPhase>"+l.Phase+"<")))
	})
	if i < 0 {
		h.previous = honest()
		return h.previous, true
	}

	l := h.lies[i]
	h.lies = slices.Delete(h.lies, i, i+1)

	switch l.Kind {
	case LieDeaf:
		return nil, false
	case LieSilent:
		honest()
		return nil, false
	case LieCutAnswer:
		out = honest()
		return out[:min(l.At, len(out))], false
	case LieTwice:
		honest()
		return honest(), true
	case LieStale:
		honest()
		return h.previous, true
	case LieForgets:
		clear(h.transactions)
		return honest(), true
	case LieOtherOrder, LieOtherOrderID, LieWrongSignature, LieChanged, LieUnsigned:
	}

	return h.forged(l, honest()), true
}

// forged changes an honest answer.
func (h *Host) forged(l Lie, out []byte) []byte {
	root, err := parse(out)
	if err != nil {
		return out
	}

	signature := child(root, "AuthSignature")

	switch l.Kind {
	case LieChanged:
		setText(root, "000000", "header", "mutable", "ReturnCode")
		setText(root, "000000", "body", "ReturnCode")
		setText(root, "Changed.", "header", "mutable", "ReportText")

	case LieUnsigned:
		return []byte(strings.ReplaceAll(string(h.managementAnswer(root.SelectAttrValue("Version", ""), codeOK, codeOK,
			nil)), "[000000]", "[EBICS_OK] OK"))

	case LieOtherOrder:
		if child(child(child(root, "header"), "static"), "TransactionID") == nil {
			put(child(child(root, "header"), "static"), "TransactionID", "")
		}

		setText(root, randomHex(16), "header", "static", "TransactionID")
		resign(h, root, signature, h.state.Authentication.key)

	case LieOtherOrderID:
		setText(root, otherOrder(h), "header", "mutable", "OrderID")
		resign(h, root, signature, h.state.Authentication.key)

	case LieWrongSignature:
		other, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}

		resign(h, root, signature, other)

	case LieDeaf, LieSilent, LieCutAnswer, LieTwice, LieStale, LieForgets:
	}

	return document(root)
}

func resign(h *Host, root, signature *etree.Element, key *rsa.PrivateKey) {
	if signature == nil {
		return
	}

	signature.Child = nil
	h.sign(root, signature, key)
}

func setText(e *etree.Element, value string, path ...string) {
	for _, tag := range path {
		e = child(e, tag)
	}

	if e != nil {
		e.SetText(value)
	}
}

// otherOrder returns the id of the first order that was accepted.
func otherOrder(h *Host) string {
	if len(h.state.Orders) == 0 {
		return "Z999"
	}

	return h.state.Orders[0].ID
}

// Deny makes the server refuse the next complete order, with a code of the order.
func (h *Host) Deny(code, words string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.denied = failOrder(code, words)
}
