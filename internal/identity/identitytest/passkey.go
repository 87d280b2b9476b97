package identitytest

import (
	"encoding/json"
	"fmt"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/passkey/passkeytest"
)

// party is the host name of BaseURL.
const party = "pay.example.org"

// Device returns a person's device before a page of this service.
func (w *World) Device() *passkeytest.Authenticator {
	return passkeytest.New(w.T, BaseURL, party)
}

// OptionsOf returns what the browser gets.
func OptionsOf(a Answer) string {
	raw, err := json.Marshal(a.Body["publicKey"])
	require.NoError(a.T, err)

	return string(raw)
}

// AddPasskey makes a passkey on a device and returns the answer to its adding.
func (w *World) AddPasskey(token, name string, d *passkeytest.Authenticator) Answer {
	w.T.Helper()
	offered := w.Do("POST", "/auth/passkeys/options", token, WithPassword("")).OK(200)

	return w.Do("POST", "/auth/passkeys", token,
		fmt.Sprintf(`{"name":%q,"credential":%s}`, name, d.Make(OptionsOf(offered))))
}

// LoginByPasskey signs in by a passkey alone.
func (w *World) LoginByPasskey(d *passkeytest.Authenticator) Answer {
	w.T.Helper()
	asked := w.Do("POST", "/auth/passkeys/login-options", "", "").OK(200)

	return w.Do("POST", "/auth/passkeys/login", "", `{"credential":`+d.Answer(OptionsOf(asked))+`}`)
}

// PasskeyProof answers by a passkey for the session of a token.
func (w *World) PasskeyProof(token string, d *passkeytest.Authenticator) string {
	w.T.Helper()
	asked := w.Do("POST", "/auth/passkeys/challenge", token, "").OK(200)

	return `{"passkey":` + d.Answer(OptionsOf(asked)) + `}`
}
