package chat_test

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chat"
)

// hostile are names of payees that would like to be more than that.
var hostile = []string{
	"<!channel>", "<!here>", "<@U024BE7LH>", "<#C024BE7LR>", "@channel", "@here", "@everyone", "@room",
	"<https://evil.example|Approve>", "https://evil.example/x", "evil.example", "www.evil.example", "evil。example",
	"[Approve](https://evil.example)", "![x](https://evil.example/x.png)", "*bold*", "~struck~", "`code`",
	"</strong><a href=\"https://evil.example\">Approve</a>", "<img src=x onerror=alert(1)>", "<at>Ada</at>",
	"@ada:evil.example", "#room:evil.example", "mailto:ada@evil.example", ":smile:",
	"{{DATE(2017-02-14T06:00:00Z, SHORT)}}", "&lt;!channel&gt;", "a\nb\r\nc\u2028d", "\u202egnp.exe", "\x00\x07",
	"\u200b@\u200bchannel",
}

// linkLike is what programs make a link of: a scheme with slashes, or letters behind a dot.
var linkLike = regexp.MustCompile(`\pL[.\x{3002}]\pL|://|mailto:\pL`)

func message(name string) chat.Message {
	return chat.Message{
		Title:     "Waits for approval: USDC 1,000.00",
		Lines:     []string{"To " + chat.Plain(name), "Reference: txn_1"},
		Link:      "https://pay.example.org/console/o/org_1/transactions/txn_1",
		LinkWords: "Look at it and decide",
	}
}

func body(t *testing.T, k chat.Kind, m chat.Message) string {
	t.Helper()

	raw, err := chat.Body(k, m)
	require.NoError(t, err)
	require.True(t, json.Valid(raw))

	return string(raw)
}

// a text of people is one line, in which nothing is a link, a mention, a placeholder or formatting.
func TestATextOfPeopleStaysText(t *testing.T) {
	for _, name := range hostile {
		plain := chat.Plain(name)
		require.NotRegexp(t, linkLike, plain, "%q", name)
		require.NotRegexp(t, `[@#!][\pL\pN]|<[\pL\pN!@#/]|\*\pL|~\pL|`+"`"+`\pL|\]\(|\{\{|:smile`, plain, "%q", name)
		require.NotRegexp(t, "[\n\r\u2028\u202e\x00\x07]", plain, "%q", name)
	}

	require.Equal(
		t,
		"Müller & Söhne AG, Zürich-West (CH) 12.5 %",
		chat.Plain("  Müller & Söhne AG,\tZürich-West (CH) 12.5 % "),
	)
	require.Len(t, []rune(chat.Plain(strings.Repeat("ä", 1_000_000))), 201)
	require.Equal(t, "txn_01kaj3w8r8q2m5x9v7t4b6c1dn", chat.Plain("txn_01kaj3w8r8q2m5x9v7t4b6c1dn"), "it can be copied")
	require.Equal(t, "می\u200cخواهم", chat.Plain("می\u200cخواهم"))
}

// Slack reads & < and > even in plain text, and has no markup in the blocks that hold texts of people.
func TestSlackShowsOneLinkAndNoMarkup(t *testing.T) {
	for _, name := range hostile {
		raw := body(t, chat.Slack, message(name))

		var m struct {
			Text   string
			Mrkdwn *bool
			Names  *bool `json:"link_names"`
			Blocks []struct {
				Type string
				Text struct {
					Type, Text string
					Emoji      *bool
				}
			}
		}

		require.NoError(t, json.Unmarshal([]byte(raw), &m))
		require.False(t, *m.Mrkdwn)
		require.False(t, *m.Names)
		require.NotContains(t, m.Text, "<")
		require.Len(t, m.Blocks, 3)

		for _, b := range m.Blocks[:2] {
			require.Equal(t, "plain_text", b.Text.Type)
			require.False(t, *b.Text.Emoji)
			require.NotRegexp(t, `[<>]|&[^lga]`, b.Text.Text, "%q", name)
		}

		link := m.Blocks[2].Text
		require.Equal(t, "mrkdwn", link.Type)
		require.Nil(t, link.Emoji)
		require.Equal(t,
			"<https://pay.example.org/console/o/org_1/transactions/txn_1|Look at it and decide>", link.Text)
	}
}

// Teams reads Markdown in a TextBlock, and none in the runs of a RichTextBlock.
func TestTeamsGetsACardWithoutMarkdown(t *testing.T) {
	for _, name := range hostile {
		raw := body(t, chat.Teams, message(name))
		require.NotContains(t, raw, `"TextBlock"`)
		require.NotContains(t, raw, `"msteams"`, "nobody is mentioned")

		var m struct {
			Type        string
			Attachments []struct {
				ContentType string
				Content     struct {
					Type, Version string
					Body          []struct {
						Type    string
						Inlines []struct{ Type, Text string }
					}
					Actions []struct{ Type, Title, URL string }
				}
			}
		}

		require.NoError(t, json.Unmarshal([]byte(raw), &m))
		require.Equal(t, "message", m.Type)
		require.Len(t, m.Attachments, 1)
		require.Equal(t, "application/vnd.microsoft.card.adaptive", m.Attachments[0].ContentType)

		card := m.Attachments[0].Content
		require.Equal(t, "AdaptiveCard", card.Type)
		require.Len(t, card.Body, 3)
		require.Equal(t, "To "+chat.Plain(name), card.Body[1].Inlines[0].Text)
		require.Len(t, card.Actions, 1)
		require.Equal(t, "Action.OpenUrl", card.Actions[0].Type)
		require.Equal(t, "https://pay.example.org/console/o/org_1/transactions/txn_1", card.Actions[0].URL)
	}
}

// matrix-hookshot makes Markdown of a text without html, and a text with @room notifies everybody.
func TestMatrixGetsEscapedHTML(t *testing.T) {
	tag := regexp.MustCompile(`<[^>]*>`)

	for _, name := range hostile {
		var m map[string]string

		require.NoError(t, json.Unmarshal([]byte(body(t, chat.Matrix, message(name))), &m))
		require.Len(t, m, 2, "and no username, which it would set before the text as Markdown")
		require.NotContains(t, m["text"], "@room")
		require.Equal(t, []string{
			"<strong>", "</strong>", "<br>", "<br>", "<br>",
			`<a href="https://pay.example.org/console/o/org_1/transactions/txn_1">`, "</a>",
		}, tag.FindAllString(m["html"], -1), "%q", name)
		require.Contains(t, html.UnescapeString(m["html"]), chat.Plain(name))
	}
}

// What the products answer, as their documents say.
func TestAnAnswerIsJudged(t *testing.T) {
	for name, x := range map[string]struct {
		status int
		body   string
		want   chat.Outcome
		said   string
	}{
		"slack":                {200, "ok", chat.Taken, "It has taken the message."},
		"slack rate":           {429, "rate_limited", chat.Later, "asks for a pause"},
		"slack removed":        {404, "no_service", chat.Gone, "removed or switched off"},
		"slack archived":       {410, "channel_is_archived", chat.Gone, "archived"},
		"slack forbidden":      {403, "action_prohibited", chat.Gone, "forbidden"},
		"slack payload":        {400, "invalid_payload", chat.Refused, "could not read"},
		"slack trouble":        {500, "rollup_error", chat.Later, "trouble of its own"},
		"teams":                {202, "", chat.Taken, "It has taken the message."},
		"teams off":            {404, `{"error":{"code":"WorkflowTriggerIsNotEnabled"}}`, chat.Gone, "workflow is switched off"},
		"teams signature":      {401, `{"error":{"code":"DirectApiAuthorizationRequired"}}`, chat.Gone, "revoked"},
		"matrix":               {200, `{"ok":true}`, chat.Taken, "It has taken the message."},
		"matrix removed":       {404, `{"ok":false,"error":"Webhook not found"}`, chat.Gone, "removed from the room"},
		"matrix room":          {500, `{"ok":false,"error":"Failed to process webhook"}`, chat.Later, "trouble of its own"},
		"leads elsewhere":      {302, "", chat.Later, "leads to another address"},
		"repeats the address":  {404, "no page at /services/T0/B0/canarySecret", chat.Gone, "no webhook"},
		"not its kind at all":  {405, "", chat.Later, "did not take"},
		"a proxy without host": {502, "<html>bad gateway</html>", chat.Later, "trouble of its own"},
	} {
		a := chat.Answer{Status: x.status, Body: []byte(x.body)}
		require.Equal(t, x.want, a.Judge(), name)
		require.Contains(t, a.Explain(), x.said, name)
		require.NotContains(t, a.Explain(), "canarySecret")
	}

	none := chat.Answer{Problem: "The name was not found."}
	require.Equal(t, chat.Later, none.Judge())
	require.Equal(t, "The name was not found.", none.Explain())
}

func TestAnAddressIsShownByItsEndAlone(t *testing.T) {
	require.Equal(t, "hooks.slack.com/…h8Qk", chat.Shown("https://hooks.slack.com/services/T024/B024/canaryh8Qk"))
	require.Equal(t, "prod-1.westeurope.logic.azure.com:443/…sig9",
		chat.Shown("https://prod-1.westeurope.logic.azure.com:443/workflows/x/run?sv=1.0&sig=canarysig9"))
	require.Equal(
		t,
		"hook.example/…",
		chat.Shown("https://hook.example/a1b2"),
		"an end that is nearly all of it is none",
	)
	require.Empty(t, chat.Shown(""))

	require.NoError(t, chat.CheckAddress(chat.Slack, "https://hooks.slack.com/services/T024/B024/x"))
	require.ErrorIs(t, chat.CheckAddress(chat.Slack, "https://hooks.slack.com/"), chat.ErrNoPath)
	require.ErrorIs(t, chat.CheckAddress(chat.Teams, "https://a.webhook.office.com/webhookb2/x"), chat.ErrRetired)
	require.ErrorIs(t, chat.CheckAddress(chat.Teams, "https://outlook.office.com/webhook/x"), chat.ErrRetired)
}
