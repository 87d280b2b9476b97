package ebics

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"
)

// Phases of a transaction (ch. 5.1).
const (
	phaseInitialisation = "Initialisation"
	phaseTransfer       = "Transfer"
	phaseReceipt        = "Receipt"
)

// envelope is a request being built.
type envelope struct {
	root, static, mutable, signature, body *etree.Element
}

// newEnvelope returns a request with empty parts. signed leaves the place for the authentication signature.
func (c *Client) newEnvelope(name string, signed bool) *envelope {
	root := etree.NewElement(name)
	root.CreateAttr("xmlns", c.Version.namespace())
	root.CreateAttr("xmlns:ds", dsigNamespace)
	root.CreateAttr("Version", string(c.Version))
	root.CreateAttr("Revision", "1")

	e := &envelope{root: root}
	header := add(root, "header", "", "authenticate", "true")
	e.static = add(header, "static", "")
	e.mutable = add(header, "mutable", "")

	if signed {
		e.signature = add(root, "AuthSignature", "")
	}

	e.body = add(root, "body", "")

	return e
}

// fresh adds a nonce and the time, which the bank accepts once (ch. 11.4).
func (c *Client) fresh(static *etree.Element) {
	var nonce [16]byte
	_, _ = rand.Read(nonce[:])
	add(static, "Nonce", strings.ToUpper(hex.EncodeToString(nonce[:])))
	add(static, "Timestamp", c.now().UTC().Format("2006-01-02T15:04:05.000Z"))
}

// whoWeAre adds customer, user and product.
func (c *Client) whoWeAre(static *etree.Element) {
	add(static, "PartnerID", c.Subscriber.Partner)
	add(static, "UserID", c.Subscriber.User)
	add(static, "Product", "Slipway", "Language", "en")
}

// securityMedium is where our keys are: unspecified.
const securityMedium = "0000"

// orderDetails adds the order (ch. 3.1.2). attribute is that of version 2.5: DZNNN, DZHNN or OZHNN.
func (c *Client) orderDetails(static *etree.Element, o Order, attribute string, parameters bool) {
	details := add(static, "OrderDetails", "")

	if c.Version == H004 {
		add(details, "OrderType", o.Type)
		add(details, "OrderAttribute", attribute)
	} else {
		add(details, "AdminOrderType", o.Type)
	}

	if parameters {
		orderParameters(details, o)
	}
}

func orderParameters(details *etree.Element, o Order) {
	switch {
	case o.Service.Name != "": // BTUOrderParams, BTDOrderParams
		p := add(details, o.Type+"OrderParams", "")
		if o.FileName != "" && o.Type == "BTU" {
			p.CreateAttr("fileName", o.FileName)
		}

		addService(p, o.Service)

		if o.Type == "BTU" {
			add(p, "SignatureFlag", "") // the order is authorised by the signatures that come with it
		}

		addRange(p, o)

	case o.Format != "": // FULOrderParams, FDLOrderParams
		p := add(details, o.Type+"OrderParams", "")
		addRange(p, o)

		format := add(p, "FileFormat", o.Format)
		if o.Country != "" {
			format.CreateAttr("CountryCode", o.Country)
		}

	default:
		addRange(add(details, "StandardOrderParams", ""), o)
	}
}

func addService(to *etree.Element, s Service) {
	service := add(to, "Service", "")
	add(service, "ServiceName", s.Name)

	if s.Scope != "" {
		add(service, "Scope", s.Scope)
	}

	if s.Option != "" {
		add(service, "ServiceOption", s.Option)
	}

	if s.Container != "" {
		add(service, "Container", "", "containerType", s.Container)
	}

	message := add(service, "MsgName", s.Message)

	for _, a := range [][2]string{{"variant", s.Variant}, {"version", s.Version}, {"format", s.Format}} {
		if a[1] != "" {
			message.CreateAttr(a[0], a[1])
		}
	}
}

func addRange(to *etree.Element, o Order) {
	if o.From == "" {
		return
	}

	days := add(to, "DateRange", "")
	add(days, "Start", o.From)
	add(days, "End", o.To)
}

// addDigests names the keys of the bank that we have, so that the bank can tell us that they are old (ch. 4.6.2).
func (c *Client) addDigests(static *etree.Element) {
	digests := add(static, "BankPubKeyDigests", "")
	c.addDigest(digests, "Authentication", X002, c.Bank.Authentication)
	c.addDigest(digests, "Encryption", E002, c.Bank.Encryption)
}

func (c *Client) addDigest(to *etree.Element, tag, procedure string, key PublicKey) {
	sum := key.Hash(c.Version)
	add(to, tag, encode(sum[:]), "Version", procedure, "Algorithm", algSHA256)
}

// within builds a request of a running transaction (ch. 5.5.1.2.2).
func (c *Client) within(transaction, phase string) *envelope {
	e := c.newEnvelope("ebicsRequest", true)
	add(e.static, "HostID", c.Subscriber.Host)
	add(e.static, "TransactionID", transaction)
	add(e.mutable, "TransactionPhase", phase)

	return e
}

// addSegmentNumber names the segment of a request.
func addSegmentNumber(e *envelope, number, of int) {
	add(e.mutable, "SegmentNumber", strconv.Itoa(number), "lastSegment", strconv.FormatBool(number == of))
}

// now returns the client's time.
func (c *Client) now() time.Time { return c.Now() }
