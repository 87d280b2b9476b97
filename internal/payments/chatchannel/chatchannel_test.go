//go:build !nosandbox

package chatchannel_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/chatchannel"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/mail"
)

// Each kind of room is told who asks for what, and where one looks and decides.
func TestEachKindOfRoomIsToldWhatWaits(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		for _, kind := range []string{"SLACK", "TEAMS", "MATRIX"} {
			path := o.channel(kind, nil)
			id := o.submitted("1000.00")

			all := o.told()
			require.Len(t, all, 1, kind)
			require.Contains(t, all[0], "Waits for approval: USDC 1,000.00")
			require.Contains(t, all[0], "Ada Lovelace asks for a payment of USDC to wallets")
			require.Contains(t, all[0], "To Alice Keller")
			require.Contains(t, all[0], "Reference: "+id)
			require.Contains(t, all[0], "https://pay.example.org/console/o/"+o.maker.Org+"/transactions/"+id)
			require.NotContains(t, all[0], "/accept")
			require.NotRegexp(t, "0x[0-9a-fA-F]{40}", all[0], "no address of a wallet")
			require.NotContains(t, all[0], "canaryToken")
			require.Equal(t, int64(0), o.state(chatchannel.Queued))

			shown := o.maker.Do("GET", path, nil).OK(200)
			require.NotEmpty(t, shown.Text("sentAt"))
			o.maker.Do("DELETE", path, nil).OK(200)
		}
	})
}

// F-09: what was decided meanwhile is not asked for any more.
func TestNobodyIsAskedForWhatWasDecided(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.channel("SLACK", object{"news": []string{"DECISIONS"}})

		id := o.submitted("10.00")
		o.sealed()
		require.EqualValues(t, 1, o.state(chatchannel.Queued))

		o.accepter.Do("POST", "/transactions/"+id+"/accept", nil).OK(200)
		require.Empty(t, o.told())
		require.EqualValues(t, 1, o.state(chatchannel.Unwanted))

		deleted := o.maker.Do("POST", "/payables", o.payable("Rent")).OK(201).Text("_id")
		o.sealed()
		o.maker.Do("POST", "/payables/"+deleted+"/reject", object{"reason": "Twice"}).OK(200)
		require.Empty(t, o.told())

		o.maker.Do("POST", "/payables", o.payable("Rent of May")).OK(201)

		all := o.told()
		require.Len(t, all, 1)
		require.Contains(t, all[0], "Waits for approval: USDC 20.00")
		require.Contains(t, all[0], "Payable: Rent of May")
	})
}

func (o *office) payable(name string) object {
	return object{
		"name":         name,
		"amount":       "20.00",
		"reason":       "Rent",
		"receiver":     o.payee,
		"type":         "CRYPTO",
		"status":       "DRAFT",
		"wallet":       o.wallet,
		"tokenIsoCode": "USDC",
	}
}

// Each kind of news can be switched, for each channel by itself.
func TestEachKindOfNewsIsSwitched(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("MATRIX", object{"news": []string{"PAYEES"}})

		o.submitted("10.00")
		require.Empty(t, o.told())

		account := o.maker.BankAccount(o.payee, "DE89370400440532013000")
		all := o.told()
		require.Len(t, all, 1)
		require.Contains(t, all[0], "New bank account of a payee")
		require.Contains(t, all[0], "Alice Keller, EUR")
		require.NotContains(t, all[0], "3000")
		require.NotContains(t, all[0], "DE89")

		changed := object{"iban": "DE02120300000000202051", "bicSwift": "BYLADEM1001"}
		o.maker.Do("PATCH", "/bank-accounts/"+account, changed).OK(200)
		require.Contains(t, strings.Join(o.told(), ""), "Bank account of a payee changed")

		o.maker.Receiver("Bob")
		require.Contains(t, strings.Join(o.told(), ""), "New payee")

		o.maker.Do("PATCH", path, object{"news": []string{"PROBLEMS", "DECISIONS"}}).OK(200)
		o.maker.Receiver("Carla")
		require.Empty(t, o.told())

		// switched off after it was queued
		id := o.submitted("11.00")
		o.sealed()
		o.maker.Do("PATCH", path, object{"news": []string{"PROBLEMS"}}).OK(200)
		require.Empty(t, o.told())

		o.accepter.Do("POST", "/transactions/"+id+"/accept", nil).OK(200)
		o.Finish(id, transaction.PaymentFailed)
		require.Contains(t, strings.Join(o.told(), ""), "Not paid: USDC 11.00")
	})
}

// A payee's name becomes no mention, link or formatting in the room, whatever it is.
func TestAPayeesNameIsNoMention(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.maker.Do("PATCH", "/receivers/"+o.payee, object{
			"firstName": "<!channel> @room",
			"lastName":  "[pay](https://evil.example) *now*",
		}).OK(200)
		o.told()

		for _, kind := range []string{"SLACK", "TEAMS", "MATRIX"} {
			path := o.channel(kind, nil)
			o.submitted("10.00")

			all := strings.Join(o.told(), "")
			require.Contains(t, all, "Waits for approval")
			require.NotContains(t, all, "<!channel>")
			require.NotContains(t, all, "@room")
			require.NotContains(t, all, "https://evil")
			require.NotContains(t, all, "evil.example")
			require.NotContains(t, all, "](")
			o.maker.Do("DELETE", path, nil).OK(200)
		}
	})
}

// Slack asks for a pause by 429 with Retry-After. Nothing is sent to the room before that.
func TestARoomThatAsksForAPauseGetsIt(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("SLACK", nil)
		o.server.answers(func(w http.ResponseWriter) bool {
			w.Header().Set("Retry-After", "1800")
			return status(429, "rate_limited")(w)
		})

		first := o.submitted("10.00")
		require.Len(t, o.told(), 1)
		require.Contains(t, o.maker.Do("GET", path, nil).OK(200).Text("problem"), "asks for a pause")

		second := o.submitted("20.00")
		require.Empty(t, o.told(), "the pause is the room's, not the message's")

		o.later(29 * time.Minute)
		require.Empty(t, o.told())

		o.server.answers(nil)
		o.later(2 * time.Minute)

		all := strings.Join(o.told(), "")
		require.Contains(t, all, first)
		require.Contains(t, all, second)
		require.EqualValues(t, 2, o.state(chatchannel.Sent))
		require.NotContains(t, o.maker.Do("GET", path, nil).OK(200).Raw, "failingSince\":\"")
	})
}

// While a server is away the pauses grow. A message that was not taken for a day is given up.
func TestAMessageIsGivenUpAfterADay(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("MATRIX", nil)
		o.server.answers(status(503, "busy"))

		o.submitted("10.00")

		tries := len(o.told())

		for range 70 {
			o.later(20 * time.Minute)
			tries += len(o.told())
		}

		require.Greater(t, tries, 5)
		require.Less(t, tries, 20)
		require.EqualValues(t, 1, o.state(chatchannel.Queued))

		o.server.answers(nil)
		o.later(5 * time.Hour)
		require.Empty(t, o.told(), "an old message helps nobody")
		require.EqualValues(t, 1, o.state(chatchannel.Failed))
		require.Equal(t, true, o.maker.Do("GET", path, nil).OK(200).Body["isEnabled"])
	})
}

// A server that has forgotten the address, or forbids it, switches the channel off, and people get a mail. What waits
// is not sent when it is switched on again.
func TestAnAddressThatIsGoneSwitchesTheChannelOff(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		other := o.channel("TEAMS", object{"news": []string{"TECHNICAL"}})

		for _, x := range []struct {
			status int
			body   string
		}{{404, "no_service"}, {410, "channel_is_archived"}, {403, "action_prohibited"}} {
			path := o.channel("SLACK", object{"news": []string{"DECISIONS"}})
			o.server.answers(func(w http.ResponseWriter) bool {
				return strings.HasSuffix(o.server.path(), "SLACK") && status(x.status, x.body)(w)
			})

			o.submitted("10.00")
			o.submitted("20.00")
			all := o.told()
			require.Len(t, all, 1, "the second one is not tried")

			all = o.told()
			require.Len(t, all, 1)
			require.Contains(t, all[0], "The chat Finance is no longer told anything", "other rooms learn of it")

			shown := o.maker.Do("GET", path, nil).OK(200)
			require.Equal(t, false, shown.Body["isEnabled"])
			require.Equal(t, "GONE", shown.Text("offReason"))
			require.Contains(t, shown.Text("problem"), x.body)

			m := o.Mails(o.maker.Email)[0]
			require.Equal(t, mail.ChatOff, mail.Kind(m.Kind))
			require.Contains(t, m.Text, "Finance")
			require.NotContains(t, m.Text, "canaryToken")

			o.server.answers(nil)
			o.submitted("30.00")
			require.Empty(t, o.told())

			o.maker.Do("PATCH", path, object{"isEnabled": true}).OK(200)
			require.Empty(t, o.told(), "what happened meanwhile is not told afterwards")

			o.submitted("40.00")
			require.Len(t, o.told(), 1)
			o.maker.Do("DELETE", path, nil).OK(200)
		}

		require.Equal(t, true, o.maker.Do("GET", other, nil).OK(200).Body["isEnabled"])
	})
}

func (s *server) path() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.paths[len(s.paths)-1]
}

// A message that a room refuses, and takes others, holds up none of them.
func TestARefusedMessageHoldsUpNoOther(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("SLACK", nil)
		o.server.answers(status(400, "invalid_payload"))
		o.submitted("10.00")
		require.Len(t, o.told(), 1)
		require.EqualValues(t, 1, o.state(chatchannel.Failed))
		require.NotEmpty(t, o.maker.Do("GET", path, nil).OK(200).Text("failingSince"))

		o.server.answers(nil)
		o.submitted("20.00")
		require.Len(t, o.told(), 1)
		require.Nil(t, o.maker.Do("GET", path, nil).OK(200).Body["failingSince"])
	})
}

// A table of payees or payables is one message, not hundreds.
func TestManyTogetherAreOneMessage(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.channel("SLACK", object{"language": "de"})

		for i := range 14 {
			o.maker.Do("POST", "/payables", o.payable("Rent "+strconv.Itoa(i))).OK(201)
		}

		all := o.told()
		require.Len(t, all, 1)
		require.Contains(t, all[0], "14 Neuigkeiten")
		require.Contains(t, all[0], "Wartet auf Freigabe: 20,00\u00a0USDC, Verbindlichkeit: Rent 9")
		require.NotContains(t, all[0], "Rent 10")
		require.Contains(t, all[0], "Und 4 weitere.")
		require.EqualValues(t, 14, o.state(chatchannel.Sent))
	})
}

// The address is a secret: it is sealed, and no answer, audit line or event has it.
func TestTheAddressIsSealedAndNeverShown(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		made := o.maker.Do("POST", "/chat-channels", object{
			"name":    "Finance",
			"kind":    "SLACK",
			"address": o.server.URL + "/services/T024/canaryh8Qk",
		}).OK(201)
		path := "/chat-channels/" + made.Text("_id")
		require.Equal(t, strings.TrimPrefix(o.server.URL, "http://")+"/…h8Qk", made.Text("shownAddress"))

		shown := o.maker.Do("PATCH", path, object{"name": "Money"}).OK(200)
		shown.Raw += made.Raw + o.maker.Do("GET", "/chat-channels", nil).OK(200).Raw +
			o.maker.Do("GET", "/audit-log", nil).OK(200).Raw

		o.server.answers(status(404, "no_service at "+o.server.URL+"/services/T024/canaryh8Qk"))
		shown.Raw += o.maker.Do("POST", path+"/test", nil).OK(200).Raw
		o.submitted("10.00")
		o.told()
		shown.Raw += o.maker.Do("GET", path, nil).OK(200).Raw
		require.Contains(t, shown.Raw, "GONE")
		require.NotContains(t, shown.Raw, "canary")
		require.Zero(t, o.Count("SELECT count(*) FROM chat_channels WHERE address LIKE '%canary%'"))
		require.Zero(t, o.Count("SELECT count(*) FROM events WHERE data LIKE '%canary%'"))
		require.Zero(t, o.Count("SELECT count(*) FROM audit_log WHERE detail LIKE '%canary%'"))

		o.maker.Do("DELETE", path, nil).OK(200)
		require.EqualValues(t, 1, o.Count("SELECT count(*) FROM chat_channels WHERE address = '' AND deleted = TRUE"))
	})
}

// A test says what the server has said, and switches nothing.
func TestATestSaysWhatTheServerSaid(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("TEAMS", nil)

		a := o.maker.Do("POST", path+"/test", nil).OK(200)
		require.Equal(t, "TAKEN", a.Text("outcome"))
		require.EqualValues(t, 202, a.Body["httpStatus"])
		require.Contains(t, strings.Join(o.server.got(), ""), "This is a test")

		o.server.answers(status(404, `{"error":{"code":"WorkflowTriggerIsNotEnabled","message":"off"}}`))

		a = o.maker.Do("POST", path+"/test", nil).OK(200)
		require.Equal(t, "GONE", a.Text("outcome"))
		require.Contains(t, a.Text("said"), "The workflow is switched off.")
		require.Equal(t, true, o.maker.Do("GET", path, nil).OK(200).Body["isEnabled"])

		o.server.Close()

		a = o.maker.Do("POST", path+"/test", nil).OK(200)
		require.Equal(t, "LATER", a.Text("outcome"))
		require.EqualValues(t, 0, a.Body["httpStatus"])
		require.NotContains(t, a.Text("said"), "127.0.0.1")
	})
}

// Z-02: another organisation's channel is unknown, and admins alone change one.
func TestAnotherOrganisationsChannelIsUnknown(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("SLACK", nil)
		stranger := o.Founder("Eve")

		stranger.Do("GET", path, nil).Refused(404, "NOT_FOUND")
		stranger.Do("PATCH", path, object{"isEnabled": false}).Refused(404, "NOT_FOUND")
		stranger.Do("DELETE", path, nil).Refused(404, "NOT_FOUND")
		stranger.Do("POST", path+"/test", nil).Refused(404, "NOT_FOUND")
		require.Empty(t, stranger.Do("GET", "/chat-channels", nil).OK(200).Results())
		require.Empty(t, o.server.got())

		hers := stranger.Receiver("Stranger")
		o.maker.Receiver("Bob") // what happens to both is numbered together

		all := o.told()
		require.Len(t, all, 1, "and it is told nothing of hers")
		require.Contains(t, all[0], "Bob Keller")
		require.Zero(t, o.Count("SELECT count(*) FROM chat_messages WHERE object = ?", hers))

		viewer := o.maker.Colleague("Vera", "viewer")
		viewer.Do("GET", path, nil).OK(200)
		viewer.Do("POST", path+"/test", nil).Refused(403, "ROLE_REQUIRED")
		viewer.Do("PATCH", path, object{"name": "X"}).Refused(403, "ROLE_REQUIRED")
	})
}

func TestAChannelIsChecked(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		good := object{"name": "Finance", "kind": "TEAMS", "address": o.server.URL + "/services/a"}

		for pointer, members := range map[string]object{
			"/name MIN_LENGTH":                  {"name": ""},
			"/kind INVALID_VALUE":               {"kind": "IRC"},
			"/language INVALID_VALUE":           {"language": "it"},
			"/news/0 INVALID_VALUE":             {"news": []string{"GOSSIP"}},
			"/address WEBHOOK_URL_INVALID":      {"address": "ftp://chat.example.org/x"},
			"/address WEBHOOK_URL_INVALID \n":   {"address": "https://a.webhook.office.com/webhookb2/x"},
			"/address WEBHOOK_URL_INVALID \n\n": {"address": "https://chat.example.org/"},
		} {
			a := o.maker.Do("POST", "/chat-channels", good.With(members))
			require.Equal(t, 422, a.Status, "%s: %s", pointer, a.Raw)
			require.Contains(t, a.Raw, strings.Fields(pointer)[0], pointer)
		}

		for range 10 {
			o.maker.Do("POST", "/chat-channels", good).OK(201)
		}

		o.maker.Do("POST", "/chat-channels", good).Refused(409, "CHAT_CHANNEL_LIMIT")
	})
}

// A restored back-up does not send again what had waited in it.
func TestARestoredBackUpSendsNothingAgain(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		o.channel("SLACK", nil)
		o.submitted("10.00")
		o.sealed()
		o.later(time.Minute)

		n, err := o.chats.DoubtOlder(context.Background(), o.DB.Now())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		require.Empty(t, o.told())
		require.EqualValues(t, 1, o.state(chatchannel.Doubtful))

		n, err = o.chats.DoubtOlder(context.Background(), o.DB.Now())
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// A key without the scope neither adds a channel nor reads one.
func TestAKeyNeedsTheScope(t *testing.T) {
	each(t, func(t *testing.T, o *office) {
		path := o.channel("SLACK", nil)
		key := o.maker.Do("POST", "/auth/api-key", object{
			"name":   "Books",
			"scopes": []string{"chat-channels:read", "transactions:read"},
		}).OK(200)
		token := o.Do("POST", "/auth/token", "",
			`{"clientId":"`+key.Text("clientId")+`","secret":"`+key.Text("secret")+`"}`).OK(200).Text("access_token")

		o.Do("GET", path, token, "").OK(200)
		o.Do("POST", path+"/test", token, "").Refused(403, "SCOPE_REQUIRED")
		o.Do("DELETE", path, token, "", identitytest.Header{}).Refused(403, "SCOPE_REQUIRED")
		require.Empty(t, o.server.got())
	})
}
