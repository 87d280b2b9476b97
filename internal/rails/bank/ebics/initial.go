package ebics

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"math/big"

	"github.com/beevik/etree"
)

// hevNamespace is the namespace of the enquiry about versions.
const hevNamespace = "http://www.ebics.org/H000"

// Versions asks which versions the bank speaks, newest first (HEV, ch. 10). It returns only those that we speak too.
func (c *Client) Versions(ctx context.Context) ([]Version, error) {
	root := etree.NewElement("ebicsHEVRequest")
	root.CreateAttr("xmlns", hevNamespace)
	add(root, "HostID", c.Subscriber.Host)

	text, err := c.send(ctx, root)
	if err != nil {
		return nil, err
	}

	answer, err := parse(text)
	if err != nil {
		return nil, err
	}

	if answer.Tag != "ebicsHEVResponse" || answer.NamespaceURI() != hevNamespace {
		return nil, fmt.Errorf("the bank's answer to HEV is %s in %q", answer.Tag, answer.NamespaceURI())
	}

	if code := textAt(answer, "SystemReturnCode", "ReturnCode"); !fine(code) {
		return nil, &Refusal{Technical: code, Text: textAt(answer, "SystemReturnCode", "ReportText")}
	}

	var out []Version
	for _, v := range []Version{H005, H004} {
		for _, e := range answer.ChildElements() {
			if e.Tag == "VersionNumber" && e.SelectAttrValue("ProtocolVersion", "") == string(v) {
				out = append(out, v)
				break
			}
		}
	}

	return out, nil
}

// SendINI sends our signature key (INI, ch. 4.4.1.2.1). The bank accepts it once: a second call is refused with
// CodeUserState, and only the bank can reset the user.
func (c *Client) SendINI(ctx context.Context) error {
	root := etree.NewElement("SignaturePubKeyOrderData")
	root.CreateAttr("xmlns", c.Version.signatureNamespace())
	root.CreateAttr("xmlns:ds", dsigNamespace)

	info := add(root, "SignaturePubKeyInfo", "")
	c.addPublicKey(info, c.Keys.Signature.Public())
	add(info, "SignatureVersion", A006)
	add(root, "PartnerID", c.Subscriber.Partner)
	add(root, "UserID", c.Subscriber.User)

	return c.unsecured(ctx, "INI", root)
}

// SendHIA sends our authentication and encryption keys (HIA, ch. 4.4.1.2.2). As SendINI, it is accepted once.
func (c *Client) SendHIA(ctx context.Context) error {
	root := etree.NewElement("HIARequestOrderData")
	root.CreateAttr("xmlns", c.Version.namespace())
	root.CreateAttr("xmlns:ds", dsigNamespace)

	info := add(root, "AuthenticationPubKeyInfo", "")
	c.addPublicKey(info, c.Keys.Authentication.Public())
	add(info, "AuthenticationVersion", X002)

	info = add(root, "EncryptionPubKeyInfo", "")
	c.addPublicKey(info, c.Keys.Encryption.Public())
	add(info, "EncryptionVersion", E002)

	add(root, "PartnerID", c.Subscriber.Partner)
	add(root, "UserID", c.Subscriber.User)

	return c.unsecured(ctx, "HIA", root)
}

// addPublicKey writes a key: as a certificate, and in version 2.5 as exponent and modulus besides.
func (c *Client) addPublicKey(info *etree.Element, key PublicKey) {
	data := add(info, "ds:X509Data", "")
	add(data, "ds:X509Certificate", encode(key.Certificate))

	if c.Version == H004 {
		value := add(add(info, "PubKeyValue", ""), "ds:RSAKeyValue", "")
		add(value, "ds:Modulus", encode(key.Key.N.Bytes()))
		add(value, "ds:Exponent", encode(big.NewInt(int64(key.Key.E)).Bytes()))
	}
}

// unsecured sends order data that is packed and nothing else.
func (c *Client) unsecured(ctx context.Context, order string, data *etree.Element) error {
	text, err := write(data)
	if err != nil {
		return err
	}

	if c.Trace != nil {
		c.Trace(text)
	}

	packed, err := compress(text)
	if err != nil {
		return err
	}

	e := c.newEnvelope("ebicsUnsecuredRequest", false)
	add(e.static, "HostID", c.Subscriber.Host)
	c.whoWeAre(e.static)
	c.orderDetails(e.static, Order{Type: order}, "DZNNN", false)
	add(e.static, "SecurityMedium", securityMedium)
	add(add(e.body, "DataTransfer", ""), "OrderData", encode(packed))

	answer, err := c.send(ctx, e.root)
	if err != nil {
		return err
	}

	_, err = c.readManagement(answer)

	return err
}

// FetchBankKeys fetches the bank's keys (HPB, ch. 4.4.2). Nothing proves them: a person compares their hashes with the
// bank's letter before they are used. It works once the bank has activated our keys.
func (c *Client) FetchBankKeys(ctx context.Context) (*BankKeys, error) {
	e := c.newEnvelope("ebicsNoPubKeyDigestsRequest", true)
	add(e.static, "HostID", c.Subscriber.Host)
	c.fresh(e.static)
	c.whoWeAre(e.static)
	c.orderDetails(e.static, Order{Type: "HPB"}, "DZHNN", false)
	add(e.static, "SecurityMedium", securityMedium)

	text, err := c.signed(ctx, e)
	if err != nil {
		return nil, err
	}

	transfer, err := c.readManagement(text)
	if err != nil {
		return nil, err
	}

	if transfer == nil {
		return nil, errors.New("the bank's answer to HPB has no data")
	}

	key, err := c.transactionKey(transfer)
	if err != nil {
		return nil, err
	}

	packed, err := bytesAt(transfer, "OrderData")
	if err != nil {
		return nil, err
	}

	content, err := openData(key, packed, mostAnswer)
	if err != nil {
		return nil, err
	}

	return c.readBankKeys(content)
}

// readBankKeys reads what HPB returns.
func (c *Client) readBankKeys(content []byte) (*BankKeys, error) {
	root, err := parse(content)
	if err != nil {
		return nil, err
	}

	if root.Tag != "HPBResponseOrderData" || root.NamespaceURI() != c.Version.namespace() {
		return nil, fmt.Errorf("the bank's keys are in %s of %q", root.Tag, root.NamespaceURI())
	}

	if host := textAt(root, "HostID"); host != c.Subscriber.Host {
		return nil, fmt.Errorf("the bank's keys are of the host %q, not %q", host, c.Subscriber.Host)
	}

	var out BankKeys
	for _, k := range []struct {
		to             *PublicKey
		info, tag, use string
	}{
		{&out.Authentication, "AuthenticationPubKeyInfo", "AuthenticationVersion", X002},
		{&out.Encryption, "EncryptionPubKeyInfo", "EncryptionVersion", E002},
	} {
		info := only(root, k.info)
		if use := textAt(info, k.tag); use != k.use {
			return nil, fmt.Errorf("the bank's %s is %q: only %s is known", k.tag, use, k.use)
		}

		if *k.to, err = c.readPublicKey(info); err != nil {
			return nil, fmt.Errorf("the bank's %s: %w", k.info, err)
		}
	}

	return &out, nil
}

// readPublicKey reads a key of the bank: of its certificate in version 3.0, of exponent and modulus in 2.5.
func (c *Client) readPublicKey(info *etree.Element) (PublicKey, error) {
	data := onlyIn(info, dsigNamespace, "X509Data")
	if c.Version == H005 {
		der, err := bytesIn(data, "X509Certificate")
		if err != nil {
			return PublicKey{}, err
		}

		return publicKeyOfCertificate(der)
	}

	value := onlyIn(only(info, "PubKeyValue"), dsigNamespace, "RSAKeyValue")

	modulus, err := bytesIn(value, "Modulus")
	if err != nil {
		return PublicKey{}, err
	}

	exponent, err := bytesIn(value, "Exponent")
	if err != nil {
		return PublicKey{}, err
	}

	if len(exponent) > 4 {
		return PublicKey{}, fmt.Errorf("an exponent of %d bytes", len(exponent))
	}

	e := new(big.Int).SetBytes(exponent).Int64()

	return publicKeyOf(&rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: int(e)}, nil)
}

// transactionKey decrypts the key of a download (ch. 5.6.1.1.2). The digest beside it names the receiver's key; some
// banks put their own there, so it is not compared.
func (c *Client) transactionKey(transfer *etree.Element) ([]byte, error) {
	wrapped, err := bytesAt(transfer, "DataEncryptionInfo", "TransactionKey")
	if err != nil {
		return nil, err
	}

	key, err := unwrapKey(c.Keys.Encryption.Private, wrapped)
	if err != nil {
		return nil, fmt.Errorf("decrypt the transaction key: %w", err)
	}

	return key, nil
}

// openData decrypts and unpacks order data.
func openData(key, encrypted []byte, most int64) ([]byte, error) {
	packed, err := decrypt(key, encrypted)
	if err != nil {
		return nil, err
	}

	return inflate(packed, most)
}

// Suspend locks the subscriber at the bank, as after the loss of a key (SPR, ch. 4.5). Only the bank can unlock it.
// Like an upload it carries our electronic signature, over one blank.
func (c *Client) Suspend(ctx context.Context) error {
	if err := c.ready(); err != nil {
		return err
	}

	p, err := c.Prepare(Order{Type: "SPR"}, []byte(" "))
	if err != nil {
		return err
	}

	p.Segments = nil

	e, err := c.initialisation(p)
	if err != nil {
		return err
	}

	text, err := c.signed(ctx, e)
	if err != nil {
		return err
	}

	_, err = c.readAnswer(text, phaseInitialisation, "")

	return err
}

// signatureText is the document that carries our electronic signature of an order (ch. 14.1.4, ebics_signature).
func (c *Client) signatureText(value []byte) ([]byte, error) {
	root := etree.NewElement("UserSignatureData")
	root.CreateAttr("xmlns", c.Version.signatureNamespace())

	data := add(root, "OrderSignatureData", "")
	add(data, "SignatureVersion", A006)
	add(data, "SignatureValue", encode(value))
	add(data, "PartnerID", c.Subscriber.Partner)
	add(data, "UserID", c.Subscriber.User)

	text, err := write(root)
	if err == nil && c.Trace != nil {
		c.Trace(text)
	}

	return text, err
}
