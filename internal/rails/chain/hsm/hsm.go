// Package hsm signs with a key that never leaves a hardware module, through the module's PKCS#11 library. The signer
// process uses it in place of a key file.
//
// PKCS#11 libraries are C, so only a build with -tags pkcs11 (and CGO_ENABLED=1) can open one. Open of any other build
// says so.
//
// What it promises: Open finds exactly one key of a label, on the curve secp256k1. A session that the module has closed
// is opened anew, once for each signature.
//
// What it does not promise: that an error means that nothing was signed.
//
// Read hsm.go, then pkcs11.go; without.go stands in its place in a build without the tag.
package hsm

import (
	"errors"

	"slipway/internal/platform/secret"
)

// Config names a key in a module.
type Config struct {
	Module string      // path of the PKCS#11 library
	Token  string      // label of the token
	Label  string      // label of the key pair (CKA_LABEL of both halves)
	PIN    secret.Text // of the token's user
}

// ErrNotBuilt means that this program was built without PKCS#11.
var ErrNotBuilt = errors.New("this program was built without PKCS#11: build it with CGO_ENABLED=1 and -tags pkcs11")
