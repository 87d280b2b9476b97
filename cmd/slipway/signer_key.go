package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/hsm"
	"slipway/internal/rails/chain/kms"
)

// keyFlags name the operator's key: in a file, in a hardware module, or at a cloud's key service.
type keyFlags struct {
	Keystore     string `type:"existingfile" help:"Encrypted key file (Ethereum keystore, version 3)."`
	PasswordFile string `type:"existingfile" help:"File whose first line is its password."`

	KMSKey         string `name:"kms-key" help:"Key of AWS KMS instead (id, ARN or alias), of the spec ECC_SECG_P256K1."`
	KMSRegion      string `name:"kms-region" help:"Its region."`
	KMSCredentials string `name:"kms-credentials" type:"existingfile" help:"File with credentials in the form of ~/.aws/credentials, profile default. It is read anew for each signature."`
	KMSEndpoint    string `name:"kms-endpoint" help:"Address of the service, such as a private one. Empty: the region's."`

	HSMModule  string `name:"pkcs11-module" type:"existingfile" help:"PKCS#11 library of a hardware module instead. Only in a program built with -tags pkcs11."`
	HSMToken   string `name:"pkcs11-token" help:"Label of the token."`
	HSMKey     string `name:"pkcs11-key" help:"Label of the key pair, of the curve secp256k1."`
	HSMPINFile string `name:"pkcs11-pin-file" type:"existingfile" help:"File whose first line is the PIN of the token's user."`
}

// open returns the signer of the one key that is named, and what to call in the end.
func (f keyFlags) open(ctx context.Context) (chain.Signer, func() error, error) {
	nothing := func() error { return nil }

	if err := f.check(); err != nil {
		return nil, nil, err
	}

	switch {
	case f.KMSKey != "":
		key, err := kms.Open(ctx, kms.Config{
			Region:      f.KMSRegion,
			Key:         f.KMSKey,
			Endpoint:    f.KMSEndpoint,
			Credentials: kms.FromFile(f.KMSCredentials),
			Clock:       clock.New(),
		})
		if err != nil {
			return nil, nil, err
		}

		s, err := chain.NewHeldSigner(key)

		return s, nothing, err

	case f.HSMModule != "":
		pin, err := firstLine(f.HSMPINFile)
		if err != nil {
			return nil, nil, err
		}

		key, err := hsm.Open(hsm.Config{
			Module: f.HSMModule,
			Token:  f.HSMToken,
			Label:  f.HSMKey,
			PIN:    secret.Text(pin),
		})
		if err != nil {
			return nil, nil, err
		}

		s, err := chain.NewHeldSigner(key)

		return s, key.Close, err
	}

	password, err := firstLine(f.PasswordFile)
	if err != nil {
		return nil, nil, err
	}

	s, err := chain.OpenKeystore(f.Keystore, password)

	return s, nothing, err
}

// check returns an error unless exactly one kind of key is named, whole.
func (f keyFlags) check() error {
	kinds := []struct {
		flags []string
		given []bool
	}{
		{
			[]string{"--keystore", "--password-file"},
			[]bool{f.Keystore != "", f.PasswordFile != ""},
		},
		{
			[]string{"--kms-key", "--kms-region", "--kms-credentials"},
			[]bool{f.KMSKey != "", f.KMSRegion != "", f.KMSCredentials != ""},
		},
		{
			[]string{"--pkcs11-module", "--pkcs11-token", "--pkcs11-key", "--pkcs11-pin-file"},
			[]bool{f.HSMModule != "", f.HSMToken != "", f.HSMKey != "", f.HSMPINFile != ""},
		},
	}

	named := 0

	var faults []error

	for _, kind := range kinds {
		count := 0
		for _, given := range kind.given {
			if given {
				count++
			}
		}

		if count > 0 {
			named++
		}

		if count > 0 && count < len(kind.flags) {
			faults = append(faults, fmt.Errorf("%s are needed together", strings.Join(kind.flags, ", ")))
		}
	}

	if named != 1 {
		faults = append(faults, errors.New("name one key: --keystore, --kms-key or --pkcs11-module"))
	}

	return errors.Join(faults...)
}

// firstLine reads a file that holds one line.
func firstLine(path string) (string, error) {
	raw, err := os.ReadFile(path)
	line, _, _ := strings.Cut(string(raw), "\n")

	return strings.TrimRight(line, "\r"), err
}
