package ebics

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

const dsigNamespace = "http://www.w3.org/2000/09/xmldsig#"

// The algorithms of an authentication signature X002 (ch. 5.2.1 and 14.1).
const (
	algC14N      = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	algRSASHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
	algSHA256    = "http://www.w3.org/2001/04/xmlenc#sha256"
	marked       = "#xpointer(//*[@authenticate='true'])"
)

// Limits of a document of somebody else. An envelope has some forty elements; what a bank lists of a customer's rights
// may have thousands.
const (
	deepest      = 24
	mostElements = 200_000
)

// parse reads XML of somebody else: well-formed, without a document type, within the limits.
func parse(text []byte) (*etree.Element, error) {
	if err := examine(text); err != nil {
		return nil, err
	}

	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(text); err != nil {
		return nil, fmt.Errorf("read XML: %w", err)
	}

	if doc.Root() == nil {
		return nil, errors.New("read XML: there is no element")
	}

	return doc.Root(), nil
}

// examine reads the tokens once, before a tree is built of them.
func examine(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))

	depth, elements := 0, 0
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return fmt.Errorf("read XML: %w", err)
		}

		switch t.(type) {
		case xml.Directive:
			return errors.New("read XML: a document type is not accepted")
		case xml.StartElement:
			depth++
			elements++
		case xml.EndElement:
			depth--
		}

		if depth > deepest || elements > mostElements {
			return fmt.Errorf("read XML: more than %d levels or %d elements", deepest, mostElements)
		}
	}
}

// add appends an element. Attributes are pairs of name and value.
func add(parent *etree.Element, tag, text string, attributes ...string) *etree.Element {
	e := parent.CreateElement(tag)
	if text != "" {
		e.SetText(text)
	}

	for i := 0; i+1 < len(attributes); i += 2 {
		e.CreateAttr(attributes[i], attributes[i+1])
	}

	return e
}

// write returns the document without any blanks between elements.
func write(root *etree.Element) ([]byte, error) {
	doc := etree.NewDocument()
	doc.CreateProcInst("xml", `version="1.0" encoding="UTF-8"`)
	doc.SetRoot(root)

	return doc.WriteToBytes()
}

// only returns the one child of a name in the parent's own namespace; nil if there is none, or several.
func only(parent *etree.Element, tag string) *etree.Element {
	if parent == nil {
		return nil
	}

	return onlyIn(parent, parent.NamespaceURI(), tag)
}

func onlyIn(parent *etree.Element, namespace, tag string) *etree.Element {
	if parent == nil {
		return nil
	}

	var found *etree.Element
	for _, c := range parent.ChildElements() {
		if c.Tag != tag || c.NamespaceURI() != namespace {
			continue
		}

		if found != nil {
			return nil
		}

		found = c
	}

	return found
}

// at follows a path of only children.
func at(from *etree.Element, path ...string) *etree.Element {
	for _, tag := range path {
		from = only(from, tag)
	}

	return from
}

// textAt returns the trimmed text at a path; "" if it leads nowhere.
func textAt(from *etree.Element, path ...string) string {
	if e := at(from, path...); e != nil {
		return strings.TrimSpace(e.Text())
	}

	return ""
}

// bytesAt returns the base64 content at a path.
func bytesAt(from *etree.Element, path ...string) ([]byte, error) {
	e := at(from, path...)
	if e == nil {
		return nil, fmt.Errorf("there is no single %s", strings.Join(path, "/"))
	}

	return decode(e.Text())
}

// decode reads base64 with blanks in it.
func decode(text string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
}

func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// canonical returns an element in Canonical XML 1.0 with everything that is in scope at its place: the apex of an
// inclusive canonicalisation repeats the namespaces of its ancestors.
func canonical(e *etree.Element) ([]byte, error) {
	scope, err := etreeutils.NSBuildParentContext(e)
	if err != nil {
		return nil, err
	}

	alone, err := etreeutils.NSDetatch(scope, e)
	if err != nil {
		return nil, err
	}

	return dsig.MakeC14N10RecCanonicalizer().Canonicalize(alone)
}

// markedDigest is the hash over the marked elements in the order of the document (ch. 5.2.1). A marked element within a
// marked one, which EBICS does not have, is refused: it would be hashed twice.
func markedDigest(root *etree.Element) ([]byte, error) {
	h := sha256.New()

	var walk func(e *etree.Element, within bool) error

	walk = func(e *etree.Element, within bool) error {
		if e.SelectAttrValue("authenticate", "") == "true" {
			if within {
				return errors.New("a marked element is within another")
			}

			text, err := canonical(e)
			if err != nil {
				return err
			}

			_, _ = h.Write(text)
			within = true
		}

		for _, c := range e.ChildElements() {
			if err := walk(c, within); err != nil {
				return err
			}
		}

		return nil
	}

	if err := walk(root, false); err != nil {
		return nil, err
	}

	return h.Sum(nil), nil
}

// signEnvelope fills in the authentication signature X002, whose element is already at its place.
func signEnvelope(root, signature *etree.Element, key *rsa.PrivateKey) error {
	digest, err := markedDigest(root)
	if err != nil {
		return err
	}

	info := add(signature, "ds:SignedInfo", "")
	add(info, "ds:CanonicalizationMethod", "", "Algorithm", algC14N)
	add(info, "ds:SignatureMethod", "", "Algorithm", algRSASHA256)
	reference := add(info, "ds:Reference", "", "URI", marked)
	add(add(reference, "ds:Transforms", ""), "ds:Transform", "", "Algorithm", algC14N)
	add(reference, "ds:DigestMethod", "", "Algorithm", algSHA256)
	add(reference, "ds:DigestValue", encode(digest))

	text, err := canonical(info)
	if err != nil {
		return err
	}

	sum := sha256.Sum256(text)

	value, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		return err
	}

	add(signature, "ds:SignatureValue", encode(value))

	return nil
}

// verifyEnvelope verifies the authentication signature of an envelope with the bank's key. Algorithms and reference are
// compared with the only ones that EBICS has, so that nothing else can be signed than what is read.
func verifyEnvelope(root *etree.Element, key *rsa.PublicKey) error {
	signature := only(root, "AuthSignature")
	info := onlyIn(signature, dsigNamespace, "SignedInfo")
	reference := onlyIn(info, dsigNamespace, "Reference")
	transforms := onlyIn(reference, dsigNamespace, "Transforms")

	if transforms == nil || len(transforms.ChildElements()) != 1 {
		return errors.New("there is no AuthSignature with one reference and one transform")
	}

	for _, want := range []struct {
		element         *etree.Element
		attribute, text string
	}{
		{onlyIn(info, dsigNamespace, "CanonicalizationMethod"), "Algorithm", algC14N},
		{onlyIn(info, dsigNamespace, "SignatureMethod"), "Algorithm", algRSASHA256},
		{reference, "URI", marked},
		{onlyIn(transforms, dsigNamespace, "Transform"), "Algorithm", algC14N},
		{onlyIn(reference, dsigNamespace, "DigestMethod"), "Algorithm", algSHA256},
	} {
		if want.element == nil || want.element.SelectAttrValue(want.attribute, "") != want.text {
			return fmt.Errorf("AuthSignature does not have %s %q", want.attribute, want.text)
		}
	}

	stated, err := bytesIn(reference, "DigestValue")
	if err != nil {
		return err
	}

	digest, err := markedDigest(root)
	if err != nil {
		return err
	}

	if !bytes.Equal(stated, digest) {
		return errors.New("the signed digest is not that of the marked elements")
	}

	text, err := canonical(info)
	if err != nil {
		return err
	}

	value, err := bytesIn(signature, "SignatureValue")
	if err != nil {
		return err
	}

	sum := sha256.Sum256(text)

	return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], value)
}

// bytesIn returns the base64 content of the only child of a name in the namespace of XML signatures.
func bytesIn(parent *etree.Element, tag string) ([]byte, error) {
	e := onlyIn(parent, dsigNamespace, tag)
	if e == nil {
		return nil, fmt.Errorf("there is no single %s", tag)
	}

	return decode(e.Text())
}
