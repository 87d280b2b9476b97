package setup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
)

// keys makes the keys that are missing: the one that seals secrets at rest, and the operator's, which signs on chains.
func (s *setup) keys(context.Context) error {
	s.title("Keys")

	if !s.given("security.keyring", "(a secret)") {
		path := filepath.Join(s.Dir, "keyring")
		if !exists(path) {
			if err := writeSecret(path, secret.NewKey("k1").Reveal()); err != nil {
				return err
			}

			s.say("  made %s: it seals secrets in the database. Keep a copy apart from the back-ups", path)
		}

		s.set("security.keyring_file", path)
	}

	if s.given("chain.signer.kind", s.have.Chain.Signer.Kind) {
		return nil
	}

	key := filepath.Join(s.Dir, "operator.json")
	password := filepath.Join(s.Dir, "operator.password")

	if !exists(key) {
		address, err := makeKey(key, password)
		if err != nil {
			return err
		}

		s.say("  made %s: the operator's key, address %s. It needs gas money", key, address)
	} else if !exists(password) {
		return fmt.Errorf("%s is there and %s is not: put the password back, or name both in the configuration", key,
			password)
	}

	s.set("chain.signer.password_file", password)
	s.set("chain.signer.keystore_file", key)
	s.set("chain.signer.kind", "keystore")

	return nil
}

// makeKey makes a key in an encrypted file with a password of its own, and returns its address.
func makeKey(path, passwordFile string) (address string, err error) {
	if !exists(passwordFile) {
		if err := writeSecret(passwordFile, rand.Text()); err != nil {
			return "", err
		}
	}

	raw, err := os.ReadFile(passwordFile)
	if err != nil {
		return "", err
	}

	key, err := crypto.GenerateKey()
	if err != nil {
		return "", err
	}

	if err := chain.WriteKeystore(path, strings.TrimRight(string(raw), "\r\n"), key); err != nil {
		return "", err
	}

	return crypto.PubkeyToAddress(key.PublicKey).Hex(), nil
}

// next prints what is still missing, and the command that comes next.
func (s *setup) next() error {
	command := "slipway --config " + s.path

	for _, n := range s.have.Networks {
		if n.Router == "" {
			s.title("Next")
			s.say("  Deploy the router, which costs gas of the operator's address:\n")
			s.say("    %s router deploy %s --owner 0x… --guardian 0x…\n", command, n.ID)
			s.say("  It writes the address into %s. Then run slipway init again.", s.path)

			return nil
		}
	}

	reasons := config.CheckLive(s.have)
	if !s.have.Mode.RealMoney() {
		reasons = config.CheckTest(s.have)
	}

	if len(reasons) > 0 {
		s.title("Still missing")

		for _, r := range reasons {
			s.say("  - %s", r)
		}

		return errors.New("the configuration is not complete: add what is missing to " + s.path + ", and run slipway " +
			"init again")
	}

	s.title("Ready")

	if parts := s.have.Simulated().Parts(); len(parts) > 0 {
		s.say("  simulated: %s", strings.Join(parts, ", "))
	}

	s.say("  Make the tables of the database:\n")
	s.say("    %s migrate\n", command)
	s.say("  Make two people operators; each completes the account by the link that is printed:\n")
	s.say("    %s user add NAME@example.org FIRST LAST --role operator\n", command)

	for _, n := range s.have.Networks {
		s.say(
			"  Have the treasury approve the router for each token that it sends, up to what you could bear to lose:\n",
		)
		s.say("    %s router approve %s 0x… AMOUNT\n", command, n.ID)
	}

	s.say("  Start the service:\n")
	s.say("    %s serve", command)

	return nil
}
