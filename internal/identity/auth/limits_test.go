package auth_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
)

func limited(t *testing.T, d *db.DB, l auth.Limits) *world {
	return identitytest.NewWith(t, d, func(c *auth.Config) { c.Limits = l })
}

func from(format string, args ...any) identitytest.Header {
	return header("Source", fmt.Sprintf(format, args...))
}

func TestSignInsAreLimitedByAccountAndSource(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := limited(t, d, auth.DefaultLimits())
		w.Register(ada)

		wrong := func(email string, h identitytest.Header) identitytest.Answer {
			return w.Do("POST", "/auth/login", "", `{"email":"`+email+`","password":"not hers at all"}`, h)
		}
		for left := 4; left >= 0; left-- {
			a := wrong(ada, from("203.0.113.1")).Refused(401, "CREDENTIALS_INVALID")
			require.Equal(t, []string{"5", fmt.Sprint(left)},
				[]string{a.Header.Get("RateLimit-Limit"), a.Header.Get("RateLimit-Remaining")})
		}

		hashes := w.Auth.HashCalls()
		known := wrong(ada, from("203.0.113.1")).Refused(429, "TOO_MANY_ATTEMPTS")
		require.Equal(t, "12", known.Header.Get("Retry-After"))
		require.Equal(t, hashes, w.Auth.HashCalls(), "who is over the limit costs no hash")

		for range 5 {
			wrong("nobody@example.com", from("203.0.113.1")).Refused(401, "CREDENTIALS_INVALID")
		}

		unknown := wrong("nobody@example.com", from("203.0.113.1")).Refused(429, "TOO_MANY_ATTEMPTS")
		require.Equal(t, known.Header.Get("Retry-After"), unknown.Header.Get("Retry-After"),
			"the same for accounts that do not exist (A-01)")
		wrong(ada, from("203.0.113.2")).Refused(401, "CREDENTIALS_INVALID")
		w.DB.Clock().Advance(12 * time.Second)
		wrong(ada, from("203.0.113.1")).Refused(401, "CREDENTIALS_INVALID")

		for i := range 60 { // one /64 is one holder, whatever its addresses
			wrong(fmt.Sprintf("x%d@example.com", i), from("2001:db8::%x", i)).Refused(401, "CREDENTIALS_INVALID")
		}

		wrong("y@example.com", from("2001:db8::ffff")).Refused(429, "TOO_MANY_ATTEMPTS")
		wrong("y@example.com", from("2001:db8:0:1::1")).Refused(401, "CREDENTIALS_INVALID")
	})
}

func TestAVictimIsNotLockedOut(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := limited(t, d, auth.DefaultLimits())
		w.Register(ada)
		home := from("198.51.100.7")
		w.Do("POST", "/auth/login", "", login(ada), home).OK(200)
		w.DB.Clock().Advance(time.Hour)
		guesses := 0

		refused := 0
		for i := range 1_990 { // from ever new addresses, for 20 minutes
			a := w.Do("POST", "/auth/login", "", `{"email":"`+ada+`","password":"guess number `+fmt.Sprint(i)+`"}`,
				from("203.%d.%d.1", i/250, i%250))
			switch a.Status {
			case 401:
				guesses++
			case 429:
				refused++
			default:
				t.Fatalf("%d %s", a.Status, a.Raw)
			}

			w.DB.Clock().Advance(600 * time.Millisecond)
		}

		require.LessOrEqual(t, guesses, 61, "guesses in 20 minutes")
		require.Greater(t, refused, 1_900)
		// where she has signed in before
		w.Do("POST", "/auth/login", "", login(ada), home).OK(200)
		// an attacker's place is as good as any
		w.Do("POST", "/auth/login", "", login(ada), from("192.0.2.99")).Refused(429, "TOO_MANY_ATTEMPTS")
		w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`, from("192.0.2.99")).OK(200)
		w.DB.Clock().Advance(time.Minute)
		w.Do("POST", "/auth/login", "", login(ada), from("192.0.2.99")).OK(200)
	})
}

// proofOf answers a challenge. It is written from the text of the refusal's explanation.
func proofOf(t testing.TB, a identitytest.Answer) identitytest.Header {
	t.Helper()

	challenge := a.Text("challenge")
	asked, err := strconv.Atoi(strings.Split(challenge, ".")[1])
	require.NoError(t, err)

	seed := sha256.Sum256([]byte(challenge))

	for n := 0; ; n++ {
		number := strconv.Itoa(n)
		hash := sha256.Sum256(append(seed[:], number...))

		if bits.LeadingZeros32(binary.BigEndian.Uint32(hash[:])) >= asked {
			return header("Proof-Of-Work", challenge+"."+number)
		}
	}
}

// Strangers that are too many for the service pay for each try with work. Whoever is known does not.
func TestAllStrangersTogetherPayWithWork(t *testing.T) {
	l := auth.DefaultLimits()
	l.Global = limit.Rate{Events: 10, Per: time.Hour}
	w := limited(t, dbtest.SQLite(t), l)
	w.Register(ada)
	w.Do("POST", "/auth/login", "", login(ada), from("198.51.100.7")).OK(200)

	wrong := func(i int, headers ...identitytest.Header) identitytest.Answer {
		return w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":"x%d@example.com","password":"x"}`, i), headers...)
	}

	for i := range 10 { // what was right does not count
		wrong(i, from("203.0.%d.1", i)).Refused(401, "CREDENTIALS_INVALID")
	}

	hashes := w.Auth.HashCalls()
	asked := wrong(10, from("203.0.99.1")).Refused(429, "PROOF_OF_WORK_REQUIRED")
	require.Equal(t, hashes, w.Auth.HashCalls(), "who is asked costs no hash")
	require.NotEmpty(t, asked.Header.Get("Retry-After"))

	proof := proofOf(t, asked)
	wrong(10, from("192.0.2.1"), proof).Refused(429, "PROOF_OF_WORK_REQUIRED") // it is of another network
	wrong(10, from("203.0.99.2"), proof).Refused(401, "CREDENTIALS_INVALID")
	wrong(10, from("203.0.99.2"), proof).Refused(429, "PROOF_OF_WORK_REQUIRED") // it is good once
	wrong(10, from("203.0.99.3"), header("Proof-Of-Work", "1.18.x")).Refused(429, "PROOF_OF_WORK_REQUIRED")

	register := w.Do("POST", "/auth/register", "", person("bob@example.com", fresh), from("203.0.99.4"),
		proofOf(t, wrong(10, from("203.0.99.4"))))
	register.OK(200) // it needs no work, and this was another door's

	late := proofOf(t, wrong(11, from("203.0.98.1")).Refused(429, "PROOF_OF_WORK_REQUIRED"))
	w.DB.Clock().Advance(2*time.Minute + time.Second)
	wrong(11, from("203.0.98.1"), late).Refused(429, "PROOF_OF_WORK_REQUIRED")

	w.Do("POST", "/auth/login", "", login(ada), from("198.51.100.7")).OK(200)

	elsewhere := w.Do("POST", "/auth/login", "", login(ada), from("192.0.2.9")).Refused(429, "PROOF_OF_WORK_REQUIRED")
	w.Do("POST", "/auth/login", "", login(ada), from("192.0.2.9"), proofOf(t, elsewhere)).OK(200)
}

// Four addresses try without pause. Whoever comes from elsewhere registers and signs in at once, and proves nothing.
func TestAFewAddressesCloseNoDoor(t *testing.T) {
	w := limited(t, dbtest.SQLite(t), auth.DefaultLimits())
	w.Register(ada)

	for i := range 960 { // ten minutes
		address := from("203.0.%d.1", i%4)
		w.Do("POST", "/auth/register", "", person(fmt.Sprintf("n%d@example.com", i), fresh), address)
		w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":"x%d@example.com","password":"x"}`, i), address)
		w.DB.Clock().Advance(625 * time.Millisecond)

		if i%96 == 95 {
			newcomer := from("198.51.%d.7", i/96)
			w.Do("POST", "/auth/register", "", person(fmt.Sprintf("new%d@example.com", i), fresh), newcomer).OK(200)
			w.Do("POST", "/auth/login", "", login(ada), newcomer).OK(200)
		}
	}
}

// A thousand networks try without pause. Whoever comes from elsewhere gets in by a moment's work, each time.
func TestManyNetworksCloseNoDoorToWhoWorks(t *testing.T) {
	l := auth.DefaultLimits()
	l.Global.Per = 10 * time.Hour // what comes free meanwhile, the attackers take
	l.Registrations.Per = time.Hour
	w := limited(t, dbtest.SQLite(t), l)
	w.Register(ada)

	tries := 0
	attack := func() {
		tries++
		address := from("203.%d.%d.1", tries%1_000/250, tries%250)
		w.Do("POST", "/auth/register", "", person(fmt.Sprintf("n%d@example.com", tries), fresh), address)
		w.Do("POST", "/auth/login", "", fmt.Sprintf(`{"email":"x%d@example.com","password":"x"}`, tries), address)
	}

	for i := range 1_000 {
		attack()
		w.DB.Clock().Advance(10 * time.Millisecond)

		if i < 800 || i%100 != 99 {
			continue
		}

		newcomer := from("198.51.%d.7", i/100)
		body := person(fmt.Sprintf("new%d@example.com", i), fresh)

		asked := w.Do("POST", "/auth/register", "", body, newcomer).Refused(429, "PROOF_OF_WORK_REQUIRED")
		w.Do("POST", "/auth/register", "", body, newcomer, proofOf(t, asked)).OK(200)

		asked = w.Do("POST", "/auth/login", "", login(ada), newcomer).Refused(429, "PROOF_OF_WORK_REQUIRED")
		w.Do("POST", "/auth/login", "", login(ada), newcomer, proofOf(t, asked)).OK(200)
	}
}

func TestOtherDoorsAreLimitedToo(t *testing.T) {
	l := auth.DefaultLimits()
	l.Source = limit.Rate{Events: 3, Per: time.Minute}
	l.Refresh = limit.Rate{Events: 3, Per: time.Minute}

	w := limited(t, dbtest.SQLite(t), l)
	for i, c := range [][2]string{
		{"/auth/register", person(ada, "short")},
		{"/auth/forgot-password", `{"email":"x"}`},
		{"/auth/reset-password", reset("x", fresh)},
		{"/auth/confirm-account", `{"token":"x"}`},
		{"/auth/2fa/login", `{"tempToken":"x","code":"1"}`},
		{"/auth/token", `{"clientId":"ak_1","secret":"x"}`},
		{"/auth/refresh", ""},
	} {
		source := from("203.0.113.%d", i)
		for range 3 {
			require.NotEqual(t, 429, w.Do("POST", c[0], "rt_x", c[1], source).Status, c[0])
		}

		a := w.Do("POST", c[0], "rt_x", c[1], source).Refused(429, "TOO_MANY_ATTEMPTS")
		require.NotEmpty(t, a.Header.Get("Retry-After"), c[0])
	}
}

func TestMailsThatStrangersCauseAreFew(t *testing.T) {
	w := limited(t, dbtest.SQLite(t), auth.Limits{Mails: limit.Rate{Events: 3, Per: 15 * time.Minute}})
	w.Register(ada) // one

	for i := range 20 {
		w.Do("POST", "/auth/forgot-password", "", `{"email":"`+ada+`"}`, from("203.0.113.%d", i)).OK(200)
		w.Do("POST", "/auth/register", "", person(ada, fresh), from("203.0.113.%d", i)).OK(200)
		w.RunJobs()
	}

	require.Len(t, w.Mails(ada), 3)
}

// Neither another session nor another organisation gives a person further reads without end.
func TestReadsOfAPersonAreLimited(t *testing.T) { // I-10
	w := limited(t, dbtest.SQLite(t), auth.Limits{Reads: limit.Rate{Events: 3, Per: time.Minute}})
	w.Register(ada)
	w.Register("bob@example.com")

	for range 2 {
		s := w.Login(ada)
		for range 3 {
			w.Do("GET", "/users/me", s.Access, "").OK(200)
		}
	}

	w.Do("GET", "/users/me", w.Login(ada).Access, "").Refused(429, "RATE_LIMITED")
	w.Do("GET", "/users/me", w.Login("bob@example.com").Access, "").OK(200)
}

func TestRequestsOfACredentialAreLimited(t *testing.T) {
	w := limited(t, dbtest.SQLite(t), auth.Limits{
		Reads:  limit.Rate{Events: 3, Per: time.Minute},
		Writes: limit.Rate{Events: 1, Per: time.Minute},
	})

	s := w.Someone(ada)
	for left := 2; left >= 0; left-- {
		require.Equal(t, fmt.Sprint(left),
			w.Do("GET", "/users/me", s.Access, "").OK(200).Header.Get("RateLimit-Remaining"))
	}

	w.Do("GET", "/users/me", s.Access, "").Refused(429, "RATE_LIMITED")
	w.Do("PATCH", "/users/me", s.Access, `{}`).OK(200)
	w.DB.Clock().Advance(auth.CacheLifetime) // the counter outlives the cached token
	w.Do("GET", "/users/me", s.Access, "").Refused(429, "RATE_LIMITED")
	w.Do("PATCH", "/users/me", s.Access, `{}`).Refused(429, "RATE_LIMITED")
	w.Do("GET", "/users/me", w.Login(ada).Access, "").OK(200) // each session has its own
}
