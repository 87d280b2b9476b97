package passkey

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Service holds the use cases of passkeys. Each runs in the caller's transaction: the passkey is used together with
// what it is for.
//
// A challenge must stay used even if its answer is refused, so the transaction that took it commits. Register and Check
// therefore return the refusal apart from errors, and the caller answers with it after the commit.
type Service struct{ party *webauthn.WebAuthn } // nil: passkeys are not possible here

// New returns the service for the address under which people reach it. Browsers bind passkeys to its host name. With an
// IP address in place of a name every operation is refused with PASSKEYS_UNAVAILABLE.
func New(name, baseURL string) *Service {
	u, err := url.Parse(baseURL)
	if err != nil || net.ParseIP(u.Hostname()) != nil {
		return &Service{}
	}

	timeout := webauthn.TimeoutConfig{ // not enforced by the library: the clock of the database decides
		Timeout:    ChallengeLifetime,
		TimeoutUVD: ChallengeLifetime,
	}

	party, err := webauthn.New(&webauthn.Config{
		RPID:                  u.Hostname(),
		RPDisplayName:         name,
		RPOrigins:             []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey:        protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification:   protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
	if err != nil { // the name is none that browsers accept
		return &Service{}
	}

	return &Service{party}
}

// Offer returns the options with which a browser makes another passkey, for Register.
func (s *Service) Offer(ctx context.Context, tx *db.Tx, o Owner, session string) (Options, error) {
	if s.party == nil {
		return "", unavailable()
	}

	keys, err := Of(ctx, tx, o.ID)
	if err != nil {
		return "", err
	}

	if len(keys) >= Most {
		return "", fault.New(
			fault.Conflict,
			fault.PasskeyLimit,
			"You have %d passkeys already: delete one first.",
			Most,
		)
	}

	h := holder{o, keys}

	made, asked, err := s.party.BeginRegistration(h,
		webauthn.WithExclusions(webauthn.Credentials(h.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return "", fmt.Errorf("begin a passkey of %s: %w", o.ID, err)
	}

	writeChallenge(tx, Challenge{Add, o.ID, session}, asked.Challenge)

	return newOptions(made.Response)
}

// Register stores the passkey that a browser has made with the options of Offer. refused is the answer to one that does
// not fit, and must not undo the transaction.
func (s *Service) Register(
	ctx context.Context, tx *db.Tx, o Owner, session, name string, a Answer,
) (k Passkey, refused, err error) {
	if s.party == nil {
		return k, unavailable(), nil
	}

	var l fault.List

	name = checkName(&l, name)
	if err := l.Err(); err != nil {
		return k, nil, err
	}

	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(a))
	if err != nil {
		return k, invalid(), nil
	}

	challenge := parsed.Response.CollectedClientData.Challenge

	ok, err := takeChallenge(tx, Challenge{Add, o.ID, session}, challenge)
	if err != nil || !ok {
		return k, invalid(), err
	}

	made, err := s.party.CreateCredential(holder{Owner: o}, s.session(o.ID, challenge), parsed)
	if err != nil {
		return k, s.refuse(ctx, tx, o.ID, err), nil
	}

	k = Passkey{
		ID:             id.New(Prefix, tx.Now),
		User:           o.ID,
		Name:           name,
		Version:        1,
		CreatedAt:      tx.Now,
		BackedUp:       made.Flags.BackupState,
		backupEligible: made.Flags.BackupEligible,
		signCount:      int64(made.Authenticator.SignCount),
		credential:     toBase64(made.ID),
		publicKey:      toBase64(made.PublicKey),
		transports:     transportsOf(made),
	}
	passkeys.Insert(tx, &k)
	trail.Audit(ctx, tx, "", "passkey.added", o.ID, k.ID)

	return k, nil, nil
}

// session returns what the library asks for when it checks an answer to a challenge. Its end was checked before.
func (s *Service) session(user, challenge string) webauthn.SessionData {
	return webauthn.SessionData{
		Challenge:        challenge,
		RelyingPartyID:   s.party.Config.RPID,
		UserID:           []byte(user),
		UserVerification: protocol.VerificationRequired,
		CredParams:       webauthn.CredentialParametersDefault(),
	}
}

// refuse writes down why an answer was refused, which the caller does not learn.
func (s *Service) refuse(ctx context.Context, tx *db.Tx, user string, why error) error {
	reason := why.Error()

	var p *protocol.Error
	if errors.As(why, &p) && p.DevInfo != "" {
		reason += ": " + p.DevInfo
	}

	const most = 200
	if len(reason) > most {
		reason = strings.ToValidUTF8(reason[:most], "")
	}

	trail.Audit(ctx, tx, "", "passkey.refused", user, reason)

	return invalid()
}

func transportsOf(c *webauthn.Credential) string {
	words := make([]string, len(c.Transport))
	for i, t := range c.Transport {
		words[i] = string(t)
	}

	return strings.Join(words, ",")
}

// Ask returns the options with which a browser answers by a passkey, for Check. For a person without passkeys it
// returns PASSKEY_INVALID.
func (s *Service) Ask(ctx context.Context, tx *db.Tx, c Challenge) (Options, error) {
	if s.party == nil {
		return "", unavailable()
	}

	var allowed []protocol.CredentialDescriptor

	if c.User != "" {
		keys, err := Of(ctx, tx, c.User)
		if err != nil {
			return "", err
		}

		if len(keys) == 0 {
			return "", fault.New(fault.Conflict, fault.PasskeyNone, "The account has no passkey.")
		}

		allowed = webauthn.Credentials(holder{keys: keys}.WebAuthnCredentials()).CredentialDescriptors()
	}

	made, asked, err := s.party.BeginDiscoverableLogin(webauthn.WithAllowedCredentials(allowed))
	if err != nil {
		return "", fmt.Errorf("ask for a passkey: %w", err)
	}

	writeChallenge(tx, c, asked.Challenge)

	return newOptions(made.Response)
}

// Check checks a browser's answer to a challenge and uses both up. For SignIn it returns whose passkey it is. refused
// is the answer to one that does not fit, and must not undo the transaction; the passkey is then the one that was
// named, if it is known.
func (s *Service) Check(ctx context.Context, tx *db.Tx, c Challenge, a Answer) (k Passkey, refused, err error) {
	if s.party == nil {
		return k, unavailable(), nil
	}

	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(a))
	if err != nil {
		return k, invalid(), nil
	}

	challenge := parsed.Response.CollectedClientData.Challenge

	ok, err := takeChallenge(tx, c, challenge)
	if err != nil || !ok {
		return k, invalid(), err
	}

	k, err = byCredential(ctx, tx, toBase64(parsed.RawID))
	if errors.Is(err, db.ErrNone) {
		return k, invalid(), nil
	}

	if err != nil {
		return k, nil, err
	}

	named := string(parsed.Response.UserHandle)
	if c.User != "" && k.User != c.User || c.User == "" && named != k.User {
		return k, invalid(), nil
	}

	ctx = caller.With(ctx, caller.Principal{User: k.User})

	used, err := s.party.ValidateLogin(holder{Owner{ID: k.User}, []Passkey{k}}, s.session(k.User, challenge), parsed)
	if err != nil {
		return k, s.refuse(ctx, tx, k.User, err), nil
	}

	if used.Authenticator.CloneWarning {
		trail.Audit(ctx, tx, "", "passkey.copied", k.User, k.ID)
		return k, copied(), nil
	}

	before := k.signCount
	k.signCount = int64(used.Authenticator.SignCount)
	k.BackedUp = used.Flags.BackupState
	noteUse(tx, k, before)

	return k, nil, nil
}

// Rename gives a person's passkey another name. Another person's passkey is NOT_FOUND.
func (s *Service) Rename(ctx context.Context, tx *db.Tx, user, passkeyID, name string) (Passkey, error) {
	var l fault.List

	name = checkName(&l, name)
	if err := l.Err(); err != nil {
		return Passkey{}, err
	}

	k, err := find(ctx, tx, user, passkeyID)
	if err != nil || k.Name == name {
		return k, err
	}

	writeName(tx, k, name)
	trail.Audit(ctx, tx, "", "passkey.renamed", user, k.ID)

	k.Name = name
	k.Version++

	return k, nil
}

// Delete deletes a person's passkey and returns it. A second call returns NOT_FOUND.
func (s *Service) Delete(ctx context.Context, tx *db.Tx, user, passkeyID string) (Passkey, error) {
	k, err := find(ctx, tx, user, passkeyID)
	if err != nil {
		return k, err
	}

	trail.Audit(ctx, tx, "", "passkey.deleted", user, k.ID)

	return k, remove(tx, k.ID)
}

// find returns a person's passkey, if it is as the caller has seen it.
func find(ctx context.Context, tx *db.Tx, user, passkeyID string) (Passkey, error) {
	k, err := one(ctx, tx, user, passkeyID)
	if errors.Is(err, db.ErrNone) {
		return k, fault.Missing("passkey")
	}

	if err != nil {
		return k, err
	}

	return k, caller.Unchanged(ctx, k.Version)
}

// DeleteAll deletes all passkeys of a person: the second factor is switched off.
func (s *Service) DeleteAll(ctx context.Context, tx *db.Tx, user string) error {
	n, err := removeAll(tx, user)
	if err != nil || n == 0 {
		return err
	}

	trail.Audit(ctx, tx, "", "passkey.deleted", user, "all")

	return nil
}
