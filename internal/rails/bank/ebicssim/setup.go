//go:build !nosandbox

package ebicssim

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"math/big"

	"github.com/beevik/etree"
)

// versions answers HEV (ch. 10).
func (h *Host) versions(q *etree.Element) []byte {
	root := etree.NewElement("ebicsHEVResponse")
	root.CreateAttr("xmlns", "http://www.ebics.org/H000")

	code, words := codeOK, "EBICS_OK"
	if text(q, "HostID") != h.c.Host {
		code, words = codeVersion, "EBICS_INVALID_HOST_ID"
	}

	status := put(root, "SystemReturnCode", "")
	put(status, "ReturnCode", code)
	put(status, "ReportText", words)

	if code == codeOK {
		put(root, "VersionNumber", "02.50", "ProtocolVersion", "H004")
		put(root, "VersionNumber", "03.00", "ProtocolVersion", "H005")
	}

	return document(root)
}

// managementAnswer is the unsigned answer to orders about keys. content is for the holder of a key.
func (h *Host) managementAnswer(version, technical, business string, fill func(body *etree.Element)) []byte {
	root := etree.NewElement("ebicsKeyManagementResponse")
	root.CreateAttr("xmlns", "urn:org:ebics:"+version)
	root.CreateAttr("xmlns:ds", dsNamespace)
	root.CreateAttr("Version", version)
	root.CreateAttr("Revision", "1")

	header := put(root, "header", "", "authenticate", "true")
	put(header, "static", "")
	mutable := put(header, "mutable", "")
	put(mutable, "ReturnCode", technical)
	put(mutable, "ReportText", "["+technical+"]")

	body := put(root, "body", "")
	if fill != nil {
		fill(body)
	}

	put(body, "ReturnCode", business, "authenticate", "true")

	return document(root)
}

// takeKeys takes INI and HIA, each once.
func (h *Host) takeKeys(q *request) ([]byte, error) {
	user := q.static("PartnerID") + "/" + q.static("UserID")

	u := h.state.Users[user]
	if u == nil {
		return nil, fail("091003", "EBICS_USER_UNKNOWN")
	}

	packed, err := unbase64(text(q.body, "DataTransfer", "OrderData"))
	if err != nil {
		return nil, fail(codeInvalidXML, "EBICS_INVALID_XML")
	}

	content, err := unzip(packed)
	if err != nil {
		return nil, failOrder("090004", "EBICS_INVALID_ORDER_DATA_FORMAT")
	}

	root, err := parse(content)
	if err != nil {
		return nil, failOrder("090004", "EBICS_INVALID_ORDER_DATA_FORMAT")
	}

	if text(root, "PartnerID")+"/"+text(root, "UserID") != user {
		return nil, failOrder("091004", "EBICS_INVALID_USER_STATE")
	}

	switch kind := q.order().kind; {
	case kind == "INI" && u.Signature == nil:
		if u.Signature, err = h.readKey(q, child(root, "SignaturePubKeyInfo")); err != nil {
			return nil, err
		}

	case kind == "HIA" && u.Encryption == nil:
		if u.Authentication, err = h.readKey(q, child(root, "AuthenticationPubKeyInfo")); err != nil {
			return nil, err
		}

		if u.Encryption, err = h.readKey(q, child(root, "EncryptionPubKeyInfo")); err != nil {
			return nil, err
		}

	default:
		return nil, fail("091002", "EBICS_INVALID_USER_OR_USER_STATE")
	}

	if u.Signature != nil && u.Encryption != nil {
		u.State = initialised
		if h.c.Activate {
			u.State = ready
		}
	}

	return h.managementAnswer(q.version, codeOK, codeOK, nil), h.save()
}

// readKey reads a user's key: of the certificate in version 3.0, of exponent and modulus in 2.5.
func (h *Host) readKey(q *request, info *etree.Element) (*userKey, error) {
	no := failOrder("091217", "EBICS_X509_CERTIFICATE_REQUIRED")

	der, err := unbase64(text(info, "X509Data", "X509Certificate"))
	if err == nil && len(der) > 0 && q.version == "H005" {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, no
		}

		key, is := c.PublicKey.(*rsa.PublicKey)
		if !is {
			return nil, no
		}

		return h.longEnough(keyOf(key))
	}

	if q.version == "H005" {
		return nil, no
	}

	value := child(child(info, "PubKeyValue"), "RSAKeyValue")
	modulus, errModulus := unbase64(text(value, "Modulus"))
	exponent, errExponent := unbase64(text(value, "Exponent"))

	if errModulus != nil || errExponent != nil {
		return nil, failOrder("090004", "EBICS_INVALID_ORDER_DATA_FORMAT")
	}

	return h.longEnough(&userKey{
		Modulus:  new(big.Int).SetBytes(modulus).Bytes(),
		Exponent: new(big.Int).SetBytes(exponent).Bytes(),
	})
}

func (h *Host) longEnough(k *userKey) (*userKey, error) {
	if k.public().N.BitLen() < 2048 {
		return nil, failOrder("091204", "EBICS_KEYMGMT_KEYLENGTH_ERROR_SIGNATURE")
	}

	return k, nil
}

// giveKeys answers HPB with the bank's keys, encrypted for the user.
func (h *Host) giveKeys(q *request) ([]byte, error) {
	user := q.static("PartnerID") + "/" + q.static("UserID")

	u := h.state.Users[user]
	if u == nil || u.State != ready {
		return nil, fail("091002", "EBICS_INVALID_USER_OR_USER_STATE")
	}

	if err := h.verified(q, user); err != nil {
		return nil, err
	}

	if err := h.freshOnce(q); err != nil {
		return nil, err
	}

	root := etree.NewElement("HPBResponseOrderData")
	root.CreateAttr("xmlns", "urn:org:ebics:"+q.version)
	root.CreateAttr("xmlns:ds", dsNamespace)
	h.putKey(q, root, "Authentication", "X002", h.state.Authentication)
	h.putKey(q, root, "Encryption", "E002", h.state.Encryption)
	put(root, "HostID", h.c.Host)

	data, wrapped, err := pack(document(root), u.Encryption.public())
	if err != nil {
		return nil, err
	}

	return h.managementAnswer(q.version, codeOK, codeOK, func(body *etree.Element) {
		h.putData(body, response{
			data:     []byte(base64of(data)),
			wrapped:  wrapped,
			receiver: keyHash(u.Encryption.public()),
		})
	}), h.save()
}

func (h *Host) putKey(q *request, root *etree.Element, name, procedure string, key ownKey) {
	info := put(root, name+"PubKeyInfo", "")
	put(put(info, "ds:X509Data", ""), "ds:X509Certificate", base64of(key.Certificate))

	if q.version == "H004" {
		value := put(put(info, "PubKeyValue", ""), "ds:RSAKeyValue", "")
		put(value, "ds:Modulus", base64of(key.key.N.Bytes()))
		put(value, "ds:Exponent", base64of(big.NewInt(int64(key.key.E)).Bytes()))
	}

	put(info, name+"Version", procedure)
}

// Hashes returns the hashes of the bank's authentication and encryption keys, as its letter prints them: of the
// certificates in version 3.0, of the bare keys in 2.5.
func (h *Host) Hashes(version string) (authentication, encryption []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()

	of := func(k ownKey) []byte {
		if version == "H004" {
			return keyHash(&k.key.PublicKey)
		}

		sum := sha256.Sum256(k.Certificate)

		return sum[:]
	}

	return of(h.state.Authentication), of(h.state.Encryption)
}

// suspend locks a user at its own wish (SPR). The signature over one blank proves the wish.
func (h *Host) suspend(q *request, user string) ([]byte, error) {
	if _, err := h.signatureOf(q, user, []byte(" ")); err != nil {
		return nil, err
	}

	h.state.Users[user].State = suspended

	return h.response(q, response{orderID: h.nextID()}), h.save()
}
