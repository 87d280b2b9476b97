//go:build !nosandbox

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base32"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apiclient"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/inprocess"
	"slipway/internal/standards/otp"
)

const deskPassword = "three words for the desk"

// desk is a database with two operators, Ann and Ben, and a guest. All have a second factor.
type desk struct {
	t      *testing.T
	people map[string][]string // recovery codes that were not used yet
}

// peopleAt registers people in the database of the settings, through the routes of a service that does not run.
func peopleAt(t *testing.T) *desk {
	t.Helper()

	d := &desk{t: t, people: map[string][]string{}}
	d.with(func(a *app.App) {
		for _, name := range []string{"ann", "ben", "guest"} {
			d.register(a, name)
		}
	})
	d.grant("ann", "operator")
	d.grant("ben", "operator")

	return d
}

// with opens the database of the settings.
func (d *desk) with(do func(a *app.App)) {
	d.t.Helper()

	g := &globals{out: io.Discard}
	require.NoError(d.t, g.tool(context.Background(), func(a *app.App) error {
		do(a)
		return nil
	}))
}

// register opens an account with a second factor.
func (d *desk) register(a *app.App, name string) {
	d.t.Helper()
	ctx := context.Background()

	c := apiclient.New("http://slipway.example")
	c.HTTP = &http.Client{Transport: inprocess.Transport(a.Handler)}
	require.NoError(d.t, c.Register(ctx, apiclient.Person{
		FirstName: name,
		LastName:  "Desk",
		Email:     name + "@example.org",
		Password:  deskPassword,
	}))

	_, err := c.SignIn(ctx, name+"@example.org", deskPassword)
	require.NoError(d.t, err)

	var made struct{ Secret string }
	require.NoError(d.t, c.Call(ctx, "POST", "/auth/2fa/generate", nil, &made))

	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made.Secret)
	require.NoError(d.t, err)

	phone := otp.Usual(raw)

	var codes struct{ RecoveryCodes []string }
	body := apiclient.Object{"code": phone.Code(phone.Step(a.DB.Now()))}
	require.NoError(d.t, c.Call(ctx, "POST", "/auth/2fa/verify", body, &codes))

	d.people[name] = codes.RecoveryCodes
}

func (d *desk) grant(name, role string) {
	d.t.Helper()
	_, err := slip(d.t, "user", "grant", name+"@example.org", role)
	require.NoError(d.t, err)
}

// as returns what a person types to prove who he is. Each call uses up a code.
func (d *desk) as(name string) string {
	d.t.Helper()

	code := d.people[name][0]
	d.people[name] = d.people[name][1:]

	return name + "@example.org\n" + deskPassword + "\n" + code + "\n"
}

// at runs a command at a terminal at which a text is typed.
func (d *desk) at(typed string, args ...string) (string, error) {
	return d.run(&terminal{in: bufio.NewReader(strings.NewReader(typed)), prompts: io.Discard, attended: true}, args)
}

// piped runs a command whose standard input is a pipe.
func (d *desk) piped(typed string, args ...string) (string, error) {
	return d.run(&terminal{in: bufio.NewReader(strings.NewReader(typed)), prompts: io.Discard}, args)
}

func (d *desk) run(at *terminal, args []string) (string, error) {
	d.t.Helper()

	var out bytes.Buffer
	err := runAt(context.Background(), args, &out, at)

	return out.String(), err
}

// asked returns the identifier of the approval that a command has opened.
func asked(t *testing.T, out string) string {
	t.Helper()

	id, _, ok := strings.Cut(out, " is asked for by ")
	require.True(t, ok, out)

	return id
}

// One person who has the shell types both addresses: that was enough, and is not any more. Nor is one person with both
// of his words, a wrong code, a wrong password, or somebody who is no operator.
func TestOnePersonAtTheTerminalIsNotTwo(t *testing.T) {
	deskOf(t)
	d := peopleAt(t)
	lostWitness(t, databaseURL())
	confirm := []string{"reread", "confirm", "--note", "the bank has nothing of ours"}

	wrongCode := "ann@example.org\n" + deskPassword + "\n000000\n"
	for typed, want := range map[string]string{
		"ann@example.org\n":                       "no password",
		"ann@example.org\nnot her password\n":     "CREDENTIALS_INVALID",
		"ann@example.org\n" + deskPassword + "\n": "no code",
		wrongCode:                 "TWO_FACTOR_CODE_INVALID",
		d.as("guest"):             "not an operator",
		d.as("ann") + d.as("ann"): "SECOND_PERSON_REQUIRED",
		d.as("ann") + "ANN@Example.org\nmisspelt\n":                     "CREDENTIALS_INVALID",
		d.as("ann") + d.as("guest"):                                     "not an operator",
		d.as("ann") + "ben@example.org\nmisspelt\n":                     "CREDENTIALS_INVALID",
		d.as("ann") + "ben@example.org\n" + deskPassword + "\n000000\n": "TWO_FACTOR_CODE_INVALID",
	} {
		out, err := d.at(typed, confirm...)
		require.ErrorContains(t, err, want, out)
	}

	_, err := slip(t, "reread", "confirm", "--by", "ann@example.org", "--with", "ben@example.org")
	require.Error(t, err)
	require.True(t, held(t), "nobody has confirmed it")
}

// Two operators prove who they are, one after the other, and payments leave again. No service runs.
func TestTwoOperatorsConfirmAtOneTerminal(t *testing.T) {
	deskOf(t)
	d := peopleAt(t)

	_, err := d.at("", "reread", "confirm", "--note", "nothing to confirm")
	require.ErrorContains(t, err, "no re-reading waits")

	lostWitness(t, databaseURL())
	require.True(t, held(t))

	out, err := d.at(d.as("ann")+d.as("ben"), "reread", "confirm", "--note", "the bank has nothing of ours")
	require.NoError(t, err, out)
	require.Contains(t, out, "is APPROVED by ben@example.org")
	require.False(t, held(t))

	out, err = slip(t, "reread", "show")
	require.NoError(t, err)
	require.Contains(t, out, "the bank has nothing of ours")
	require.NotContains(t, out, "ann@example.org", "identifiers: an address can change")
}

// Without a terminal, or without the second person, the request waits. The second one decides later; who has asked can
// only take it back; and an answer that is repeated decides nothing again.
func TestSecondOperatorDecidesLater(t *testing.T) {
	deskOf(t)
	d := peopleAt(t)
	lostWitness(t, databaseURL())

	for note, code := range map[string]string{" \u00ad": "REQUIRED", strings.Repeat("é", 501): "TOO_LONG"} {
		_, err := d.piped(d.as("ann"), "reread", "confirm", "--note", note)
		require.ErrorContains(t, err, "/note "+code, "the words are checked as a route checks them")
	}

	out, err := d.piped(d.as("ann")+d.as("ben"), "reread", "confirm", "--note", " asked\u200b  the bank ")
	require.NoError(t, err)
	require.Contains(t, out, "asked the bank\n")
	require.Contains(t, out, "slipway approve apr_", "two in one pipe are one who wrote it")

	first := asked(t, out)

	out, err = d.at(d.as("ann")+"\n", "reread", "confirm", "--note", "asked the bank, all of it")
	require.NoError(t, err)

	second := asked(t, out)
	require.NotEqual(t, first, second)

	_, err = d.piped("", "approve", first)
	require.ErrorContains(t, err, "SUPERSEDED", "nobody approves what is not asked for any more")
	_, err = d.piped(d.as("ann"), "approve", second)
	require.ErrorContains(t, err, "SECOND_PERSON_REQUIRED")
	_, err = d.piped(d.as("guest"), "approve", second)
	require.ErrorContains(t, err, "not an operator")
	_, err = d.piped(d.as("ben"), "approve", second, "--comment", strings.Repeat("é", 501))
	require.ErrorContains(t, err, "TOO_LONG")
	require.True(t, held(t))

	out, err = d.piped(d.as("ben"), "approve", second, "--comment", "I have the bank's list")
	require.NoError(t, err)
	require.Contains(t, out, "asked the bank, all of it", "it says what is decided")
	require.Contains(t, out, "is APPROVED by ben@example.org")
	require.False(t, held(t))

	_, err = d.piped(d.as("ben"), "approve", second)
	require.ErrorContains(t, err, "APPROVED", "once")

	lostWitness(t, databaseURL())

	out, err = d.piped(d.as("ben"), "reread", "confirm", "--note", "a mistake")
	require.NoError(t, err)
	out, err = d.piped(d.as("ben"), "approve", asked(t, out), "--reject")
	require.NoError(t, err)
	require.Contains(t, out, "REJECTED")
	require.True(t, held(t))
}

// Whoever fails as the second person is told that the request waits, unless it does not any more.
func TestOnlyWhatWaitsIsSaidToWait(t *testing.T) {
	deskOf(t)
	d := peopleAt(t)
	lostWitness(t, databaseURL())

	confirm := func(secrets int, before func()) error {
		in := bufio.NewReader(strings.NewReader(d.as("ann") + d.as("ben")))
		_, err := d.run(&terminal{
			in:       in,
			prompts:  io.Discard,
			attended: true,
			unseen: func() ([]byte, error) {
				if secrets--; secrets == 0 {
					before()
				}

				line, err := in.ReadString('\n')

				return []byte(strings.TrimSpace(line)), err
			},
		}, []string{"reread", "confirm", "--note", "asked the bank"})

		return err
	}

	const code = 4 // the second person's, after two passwords and a code

	err := confirm(code, func() { d.sql("UPDATE users SET is_active = FALSE WHERE email = 'ben@example.org'") })
	require.ErrorContains(t, err, "ACCOUNT_INACTIVE")
	require.ErrorContains(t, err, "waits for another operator")

	d.sql("UPDATE users SET is_active = TRUE")
	err = confirm(code, func() { d.sql("UPDATE approvals SET status = 'REJECTED' WHERE status = 'PENDING'") })
	require.ErrorContains(t, err, "APPROVAL_DECIDED")
	require.NotContains(t, err.Error(), "waits for another operator")
}

// A second person who is no operator any more, whose account is off, or who became an operator just now, decides
// nothing.
func TestSecondOperatorMustBeOneNow(t *testing.T) {
	deskOf(t)
	d := peopleAt(t)
	lostWitness(t, databaseURL())

	out, err := d.piped(d.as("ann"), "reread", "confirm", "--note", "asked the bank")
	require.NoError(t, err)

	id := asked(t, out)

	d.grant("ben", "none")
	_, err = d.piped(d.as("ben"), "approve", id)
	require.ErrorContains(t, err, "not an operator")

	d.grant("ben", "operator")
	d.sql("UPDATE users SET is_active = FALSE WHERE email = 'ben@example.org'")
	_, err = d.piped("ben@example.org\n"+deskPassword+"\n", "approve", id)
	require.ErrorContains(t, err, "ACCOUNT_INACTIVE")

	d.sql("UPDATE users SET is_active = TRUE WHERE email = 'ben@example.org'")

	// the platform has had two operators for days; whoever has the shell makes a third one today
	d.sql("UPDATE staff_grants SET granted_at = granted_at - ?", (5 * 24 * time.Hour).Microseconds())
	d.grant("guest", "operator")
	_, err = d.piped(d.as("guest"), "approve", id)
	require.ErrorContains(t, err, "OPERATOR_TOO_NEW")

	// nor does it help to take the others' roles away
	d.grant("ann", "none")
	d.grant("ben", "none")
	_, err = d.piped(d.as("guest"), "approve", id)
	require.ErrorContains(t, err, "OPERATOR_TOO_NEW")
	require.True(t, held(t))

	d.sql("UPDATE staff_grants SET granted_at = granted_at - ?", user.GrantDelay.Microseconds())
	_, err = d.piped(d.as("guest"), "approve", id)
	require.NoError(t, err)
	require.False(t, held(t))
}

// Wrong codes at the terminal are counted in the database: a sixth one is not looked at, although each command is a
// process of its own.
func TestWrongCodesCountAcrossCommands(t *testing.T) {
	deskOf(t)
	d := peopleAt(t)
	lostWitness(t, databaseURL())

	confirm := func() error {
		_, err := d.piped("ann@example.org\n"+deskPassword+"\n000000\n", "reread", "confirm", "--note", "n")
		return err
	}
	for range 5 {
		require.ErrorContains(t, confirm(), "TWO_FACTOR_CODE_INVALID")
	}

	require.ErrorContains(t, confirm(), "TOO_MANY_ATTEMPTS")
}

// sql changes the database as nobody does through the program.
func (d *desk) sql(text string, args ...any) {
	d.t.Helper()

	o, err := db.Open(context.Background(), db.Config{URL: databaseURL()})
	require.NoError(d.t, err)
	require.NoError(d.t, o.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(text, args...)
		return err
	}))
	require.NoError(d.t, o.Close())
}

// held reports whether nothing leaves.
func held(t *testing.T) bool {
	t.Helper()

	is := false
	(&desk{t: t}).with(func(a *app.App) {
		var err error
		is, err = a.Instance.Held(context.Background())
		require.NoError(t, err)
	})

	return is
}
