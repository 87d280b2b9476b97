//go:build !nosandbox

package matrix

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/directory/directorytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
)

// password is everybody's. It must come back in no answer and stand in no log.
const password = "canary-password violet kettles 47"

// canary stands in every text of organisation B: nobody of A may ever read it.
const canary = "zQcanaryBz"

// stage is a sandbox with three organisations, their records, and one person for each column of the matrix.
type stage struct {
	t     testing.TB
	world *world.World
	app   *app.App
	logs  *logBuffer
	cast  map[string]*person
	made  int // numbers e-mail addresses and names

	host     *tenant // whose invitations the others take
	operator string  // token
	secrets  []string
	told     map[string]bool // what conforms has reported
	mu       sync.Mutex      // of told
}

// person is one actor: how he presents himself, and what he is.
type person struct {
	email, token string
	wish         string // header Slipway-Organisation
	home         *tenant
}

// tenant is an organisation with what it has.
type tenant struct {
	id, admin             string // admin: token of its creator
	mark                  string // stands in its texts
	self, receiver, payee string // receivers, and the receiver's proven wallet
	payer                 world.Account
	payerWallet           string
}

// logBuffer keeps what the service logs.
type logBuffer struct {
	sync.Mutex
	bytes.Buffer
}

// Write is safe for concurrent use.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

// text gives what was logged so far.
func (b *logBuffer) text() string {
	b.Lock()
	defer b.Unlock()
	return b.String()
}

// onEach runs a test on both databases.
func onEach(t *testing.T, test func(t *testing.T, s *stage)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, newStage(t, sqliteFile(t))) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, newStage(t, dbtest.PostgresURL(t))) })
}

// newStage starts everything. At its end it looks through the log for what must not be there.
func newStage(t testing.TB, database string) *stage {
	t.Helper()
	ctx := context.Background()
	s := &stage{
		t:       t,
		logs:    &logBuffer{},
		cast:    map[string]*person{},
		secrets: []string{password},
		told:    map[string]bool{},
	}

	var err error
	s.world, err = world.Start(ctx, world.Config{Mode: devchain.Manual})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.world.Close()) })
	c, err := config.Load(config.Source{})
	require.NoError(t, err)
	c.Database.URL = secret.Text(database)
	c.DataDir = t.TempDir()
	c.QRBills.CacheDir = platformtest.PDFCache()
	log, err := observe.NewLogger(s.logs, "debug", "json")
	require.NoError(t, err)
	out := app.Sandbox(s.world)
	out.NoLimits = true
	out.AnyDurability = true // a server for tests may run without fsync
	out.Passwords = &argon2id.Params{
		Memory:      64,
		Iterations:  1,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	}
	s.app, err = app.New(ctx, c, log, out)
	require.NoError(t, err)
	s.app.Feed.Close() // streams and long polls end with what is there: whoever calls here waits for the whole answer
	t.Cleanup(func() {
		require.NoError(t, s.app.Close())
		s.searchLogs()
	})
	s.people()

	return s
}

// exec changes the database behind the service's back.
func (s *stage) exec(query string, args ...any) {
	s.t.Helper()
	require.NoError(s.t, s.app.DB.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// people fills the cast. Whoever must have grown old logs in first, then 16 minutes pass.
func (s *stage) people() {
	s.cast["expired"] = s.someone("expired")
	s.cast["expired"].token = s.login(s.cast["expired"].email).access
	s.app.DB.Clock().Advance(16 * time.Minute)

	s.cast["anonymous"] = &person{}
	s.cast["garbage"] = &person{token: "at_" + strings.Repeat("x", 50)}
	ended := s.signedIn("ended")
	s.send(call{method: "POST", path: "/auth/logout", token: ended.token}).is(204)
	s.cast["ended"] = ended
	refresh := s.someone("refresh")
	refresh.token = s.login(refresh.email).refresh
	s.cast["refresh"] = refresh
	s.cast["homeless"] = s.signedIn("homeless")

	a := s.tenant("A Ltd", s.world.Accounts[0], s.world.Accounts[1])
	for _, m := range []struct{ name, roles, userType string }{
		{"viewer", `"viewer"`, ""},
		{"initiator", `"initiator"`, ""},
		{"approver", `"approver"`, ""},
		{"authorized", ``, "authorized"},
		{"admin", `"admin"`, ""},
		{"off", `"admin"`, "authorized"},
		{"removed", `"admin"`, ""},
		{"astray", `"admin"`, ""},
	} {
		s.cast[m.name] = s.member(a, m.name, m.roles, m.userType)
	}

	s.cast["client"] = s.client(s.member(a, "client", `"admin"`, "authorized"), "")
	s.cast["reading"] = s.client(s.member(a, "reading", `"admin"`, "authorized"), `"read"`)
	half := s.member(a, "half", `"admin"`, "authorized")
	half.token, _ = s.secondStep(half)
	s.cast["half"] = half
	s.exec("UPDATE users SET is_active = FALSE WHERE email = ?", s.cast["off"].email)
	s.exec(
		"UPDATE members SET is_active = FALSE WHERE user_id = (SELECT id FROM users WHERE email = ?)",
		s.cast["removed"].email,
	)

	b := s.tenant(canary+" Ltd", s.world.Accounts[2], s.world.Accounts[3])
	s.cast["other"] = s.member(b, "other", `"initiator"`, "authorized")
	s.cast["astray"].wish = b.id
	c := s.tenant("C Ltd", s.world.Accounts[4], s.newAccount())
	s.cast["pending"] = s.member(c, "pending", `"admin"`, "authorized")
	s.cast["staff"] = s.granted("staff", user.Staff)
	s.cast["operator"] = s.granted("operator", user.Operator)
	s.operator = s.cast["operator"].token
	host := s.signedIn("host")
	s.host = &tenant{id: s.organisation(host.token, "Host Ltd"), admin: host.token}
}

func (s *stage) newAccount() world.Account {
	key, address := directorytest.NewKey(s.t)
	return world.Account{Key: key, Address: address}
}

// someone has an account. The first one registers; the others get his password's hash, since each costs what it must
// cost.
func (s *stage) someone(name string) *person {
	s.made++

	p := &person{email: fmt.Sprintf("%s%d@example.org", name, s.made)}
	if s.made == 1 {
		s.send(call{
			method: "POST",
			path:   "/auth/register",
			body:   `{"firstName":"Pat","lastName":"` + name + `","email":"` + p.email + `","password":"` + password + `"}`,
		}).is(200)

		return p
	}

	ctx := context.Background()
	require.NoError(s.t, s.app.DB.Write(ctx, func(tx *db.Tx) error {
		u := user.Create(ctx, tx, user.Person{FirstName: "Pat", LastName: name, Email: p.email})
		_, err := tx.Exec(
			`INSERT INTO passwords (user_id, hash, version, changed_at)
				SELECT ?, hash, 1, changed_at FROM passwords LIMIT 1`,
			u.ID,
		)

		return err
	}))

	return p
}

type tokens struct{ access, refresh string }

func (s *stage) login(email string) tokens {
	a := s.send(call{
		method: "POST",
		path:   "/auth/login",
		body:   `{"email":"` + email + `","password":"` + password + `"}`,
	}).is(200)
	t := tokens{a.text("access_token"), a.text("refresh_token")}
	s.secrets = append(s.secrets, t.access, t.refresh, digestOf(t.access), digestOf(t.refresh))

	return t
}

func (s *stage) signedIn(name string) *person {
	p := s.someone(name)
	p.token = s.login(p.email).access
	return p
}

func (s *stage) granted(name, staff string) *person {
	p := s.signedIn(name)
	require.NoError(s.t, s.app.DB.Write(context.Background(), func(tx *db.Tx) error {
		_, _, err := user.Grant(context.Background(), tx, p.email, staff)
		return err
	}))

	return p
}

func (s *stage) organisation(token, name string) string {
	return s.send(call{
		method: "POST",
		path:   "/organisations/create",
		token:  token,
		body:   `{"organisationType":"Organisation","name":"` + name + `","country":"CH","payablesEmail":"pay@example.org","address":{"addressLine1":"` + name + ` street","postCode":"8000","city":"` + name + ` city"}}`,
	}).is(201).text("_id")
}

// member brings a person into a tenant.
func (s *stage) member(home *tenant, name, roles, userType string) *person {
	p := s.signedIn(name)
	p.home = home
	s.send(call{
		method: "POST",
		path:   "/organisations/join",
		token:  p.token,
		body:   `{"invitationToken":"` + s.invitation(home, p.email, roles) + `"}`,
	}).is(200)

	if userType != "" {
		s.send(call{
			method: "PATCH",
			path:   "/organisations/" + home.id + "/members/" + s.memberOf(home, p.email),
			token:  home.admin,
			body:   `{"userType":"` + userType + `"}`,
		}).is(200)
	}

	return p
}

func (s *stage) invitation(home *tenant, email, roles string) string {
	s.exec("UPDATE invitations SET created_at = 0") // each row of the matrix has a day of its own

	return s.send(call{
		method: "POST",
		path:   "/organisations/" + home.id + "/invitations",
		token:  home.admin,
		body:   `{"email":"` + email + `","roles":[` + roles + `]}`,
	}).is(201).text("token")
}

// invitationOf returns the identifier of the invitation of a token.
func (s *stage) invitationOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	found, err := db.Value[string](
		context.Background(),
		s.app.DB,
		"SELECT id FROM invitations WHERE token_hash = ?",
		hex.EncodeToString(sum[:]),
	)
	require.NoError(s.t, err)

	return found
}

func (s *stage) memberOf(home *tenant, email string) string {
	found, err := db.Value[string](
		context.Background(),
		s.app.DB,
		"SELECT m.id FROM members m JOIN users u ON u.id = m.user_id WHERE m.organisation = ? AND u.email = ?",
		home.id,
		email,
	)
	require.NoError(s.t, err)

	return found
}

// tenant makes an approved organisation with receivers, wallets and an allowance on the chain.
func (s *stage) tenant(name string, payer, payee world.Account) *tenant {
	creator := s.signedIn("creator")
	o := &tenant{admin: creator.token, payer: payer, mark: name}
	o.id = s.organisation(creator.token, name)
	s.onboarding(o, "APPROVED")
	o.self = s.send(call{method: "GET", path: "/receivers/self", token: o.admin}).is(200).text("_id")
	o.receiver = s.receiver(o)
	o.payerWallet = s.proven(o, o.self, payer)
	o.payee = s.proven(o, o.receiver, payee)
	s.approve(payer, s.world.Token("USDC"))

	return o
}

// onboarding sets how far an organisation has come, without the ways of the table.
func (s *stage) onboarding(o *tenant, status string) {
	s.exec("UPDATE organisations SET onboarding_status = ? WHERE id = ?", status, o.id)
}

// approve lets the router take tokens from a wallet.
func (s *stage) approve(a world.Account, token world.Token) {
	ctx := context.Background()
	c, err := ethclient.DialContext(ctx, s.world.URL)
	require.NoError(s.t, err)

	defer c.Close()
	nonce, err := c.PendingNonceAt(ctx, a.Address)
	require.NoError(s.t, err)
	id := big.NewInt(world.ChainID)

	tx, err := types.SignNewTx(a.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		To:        &token.Address,
		Gas:       100_000,
		Data:      contract.Token().PackApprove(s.world.Router, big.NewInt(1e12)),
		GasTipCap: big.NewInt(1e9),
		GasFeeCap: big.NewInt(2e10),
	})
	require.NoError(s.t, err)
	require.NoError(s.t, c.SendTransaction(ctx, tx))
	s.world.Chain.Mine(1)
}

// wallet stores a wallet and gives its identifier and the text to sign.
func (s *stage) wallet(o *tenant, receiver string, a world.Account) (id, message string) {
	w := s.send(call{
		method: "POST",
		path:   "/wallets",
		token:  o.admin,
		body:   `{"address":"` + a.Address.Hex() + `","network":"` + world.NetworkID + `","receiver":"` + receiver + `"}`,
	}).is(201)

	return w.text("_id"), w.text("ownership.message")
}

func signature(a world.Account, message string) string {
	sig, err := crypto.Sign(accounts.TextHash([]byte(message)), a.Key)
	if err != nil {
		panic(err) // the hash always has 32 bytes
	}

	sig[64] += 27

	return "0x" + hex.EncodeToString(sig)
}

// proven stores a wallet, proves and screens it.
func (s *stage) proven(o *tenant, receiver string, a world.Account) string {
	id, message := s.wallet(o, receiver, a)
	s.send(call{
		method: "POST",
		path:   "/wallets/" + id + "/verify-wallet",
		token:  o.admin,
		body:   `{"message":` + quoted(message) + `,"signedMessage":"` + signature(a, message) + `"}`,
	}).is(200)
	require.NoError(s.t, s.app.Wallets.Screen(context.Background(), id))

	return id
}

func (s *stage) receiver(o *tenant) string {
	s.made++

	return s.send(call{
		method: "POST",
		path:   "/receivers",
		token:  o.admin,
		body: fmt.Sprintf(
			`{"type":"INDIVIDUAL","email":"r%d@example.org","firstName":"%s","lastName":"%[2]s","taxId":"%[2]s",`+
				`"address":{"addressLine1":"%[2]s street","postCode":"8000","city":"%[2]s"},"countryIsoCode":"CH"}`,
			s.made,
			o.mark,
		),
	}).is(201).text("_id")
}

// bankAccount adds an account of the tenant's receiver.
func (s *stage) bankAccount(o *tenant) string {
	return s.send(call{
		method: "POST",
		path:   "/bank-accounts",
		token:  o.admin,
		body: `{"bankCountry":"cty_de","currency":"cur_eur","receiver":"` + o.receiver +
			`","iban":"DE89370400440532013000","bicSwift":"COBADEFFXXX","bankName":"` + o.mark + `","channel":"` + o.mark + `"}`,
	}).is(201).text("_id")
}

// draftBody is a valid transaction of a tenant.
func draftBody(o *tenant) string {
	return `{"type":"CRYPTO","token":"USDC","walletAddress":"` + o.payer.Address.Hex() + `","payments":[{"type":"CRYPTO","receiver":"` + o.receiver + `","wallet":"` + o.payee +
		`","amount":"1.25","reason":"` + o.mark + `","instructions":"` + o.mark + `"}]}`
}

func (s *stage) draft(o *tenant) string {
	s.made++ // the organisation may demand a key
	key := map[string]string{"Idempotency-Key": fmt.Sprint("draft ", s.made)}

	return s.send(call{
		method: "POST",
		path:   "/transactions",
		token:  o.admin,
		body:   draftBody(o),
		header: key,
	}).is(201).text("_id")
}

func (s *stage) waiting(o *tenant) string {
	id := s.draft(o)
	s.send(call{method: "POST", path: "/transactions/" + id + "/submit", token: o.admin}).is(200)
	return id
}

// deposit is an on-ramp that waits for its deposit. It can be made only while the organisation is APPROVED.
func (s *stage) deposit(o *tenant) string {
	was, err := db.Value[string](
		context.Background(),
		s.app.DB,
		"SELECT onboarding_status FROM organisations WHERE id = ?",
		o.id,
	)
	require.NoError(s.t, err)

	s.onboarding(o, "APPROVED")
	defer s.onboarding(o, was)
	s.made++
	id := s.send(call{
		method: "POST",
		path:   "/transactions",
		token:  o.admin,
		header: map[string]string{"Idempotency-Key": fmt.Sprint("deposit ", s.made)},
		body: `{"type":"ONRAMP","token":"USDC","walletAddress":"` + o.payer.Address.Hex() + `","amountCurrency":"cur_eur","payments":[{"type":"ONRAMP","receiver":"` + o.self +
			`","amount":"2000.00","reason":"` + o.mark + `"}]}`,
	}).is(201).text("_id")
	s.send(call{
		method: "POST",
		path:   "/transactions/" + id + "/submit",
		token:  o.admin,
		body:   `{"sender":"` + o.mark + `"}`,
	}).is(200)

	return id
}
