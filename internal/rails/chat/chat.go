// Package chat writes messages for the incoming webhooks of Slack, Microsoft Teams and Matrix, and reads their answers.
//
// It promises that a text of people stays text: it becomes no link, no mention, no picture and no formatting, and adds
// no lines. The one link of a message is the caller's. It does not promise that anybody is notified, which the settings
// of the room decide.
//
// Read in this order: chat.go (a message, and what each product takes), plain.go (texts of people), answer.go (what an
// answer means), address.go (what is wrong with an address, and what is shown of it).
package chat

import (
	"html"
	"strings"

	"slipway/internal/platform/jsonout"
)

// Kind is the product that an address belongs to.
type Kind string

// The kinds.
const (
	Slack  Kind = "SLACK"
	Teams  Kind = "TEAMS"  // a workflow that begins with a webhook request: the connectors of Office 365 were retired
	Matrix Kind = "MATRIX" // a generic webhook of matrix-hookshot
)

// Message is what is said. Title and Lines are one line each, with the texts of people cleaned by Plain.
type Message struct {
	Title     string
	Lines     []string
	Link      string // the caller's own address; empty: none
	LinkWords string
}

// Body returns the bytes that an address of a kind is sent.
func Body(k Kind, m Message) ([]byte, error) {
	switch k {
	case Slack:
		return jsonout.Marshal(slackOf(m))
	case Teams:
		return jsonout.Marshal(teamsOf(m))
	case Matrix:
		return jsonout.Marshal(matrixOf(m))
	}

	panic("chat: there is no kind " + string(k))
}

// slackMessage is a message as Slack's incoming webhooks take it. The blocks are what is shown, in plain text; text is
// shown in notifications alone.
type slackMessage struct {
	Text   string       `json:"text"`
	Markup bool         `json:"mrkdwn"` // of text
	Names  bool         `json:"link_names"`
	Unfurl bool         `json:"unfurl_links"`
	Blocks []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type string    `json:"type"`
	Text slackText `json:"text"`
}

// slackText is a text object. Plain text has no markup, but & < and > are escaped all the same.
type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Emoji is a pointer since mrkdwn must not have it.
	Emoji *bool `json:"emoji,omitempty"`
}

// slackEscape writes the three characters that Slack reads as control characters.
var slackEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func slackOf(m Message) slackMessage {
	plain := func(text string) slackBlock {
		return slackBlock{"section", slackText{Type: "plain_text", Text: slackEscape.Replace(text), Emoji: new(bool)}}
	}

	out := slackMessage{
		Text:   slackEscape.Replace(strings.Join(append([]string{m.Title}, m.Lines...), " — ")),
		Blocks: []slackBlock{plain(m.Title)},
	}

	if len(m.Lines) > 0 {
		out.Blocks = append(out.Blocks, plain(strings.Join(m.Lines, "\n")))
	}

	if m.Link != "" {
		// a button would report to the app of the webhook, which has nobody who listens
		link := "<" + strings.ReplaceAll(
			slackEscape.Replace(m.Link),
			"|",
			"%7C",
		) + "|" + slackEscape.Replace(
			m.LinkWords,
		) + ">"
		out.Blocks = append(out.Blocks, slackBlock{"section", slackText{Type: "mrkdwn", Text: link}})
	}

	return out
}

// teamsMessage is what a workflow "when a Teams webhook request is received" takes: a message with one Adaptive Card.
type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

type teamsAttachment struct {
	ContentType string    `json:"contentType"`
	ContentURL  *string   `json:"contentUrl"`
	Content     teamsCard `json:"content"`
}

type teamsCard struct {
	Schema   string        `json:"$schema"`
	Type     string        `json:"type"`
	Version  string        `json:"version"`
	Fallback string        `json:"fallbackText"`
	Body     []teamsBlock  `json:"body"`
	Actions  []teamsAction `json:"actions,omitempty"`
}

// teamsBlock is a RichTextBlock: the runs of it have no Markdown, which those of a TextBlock have.
type teamsBlock struct {
	Type    string     `json:"type"`
	Inlines []teamsRun `json:"inlines"`
}

type teamsRun struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Weight string `json:"weight,omitempty"`
}

type teamsAction struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

func teamsOf(m Message) teamsMessage {
	block := func(text, weight string) teamsBlock {
		return teamsBlock{"RichTextBlock", []teamsRun{{"TextRun", text, weight}}}
	}

	card := teamsCard{
		Schema:   "http://adaptivecards.io/schemas/adaptive-card.json",
		Type:     "AdaptiveCard",
		Version:  "1.2",
		Fallback: m.Title,
		Body:     []teamsBlock{block(m.Title, "Bolder")},
	}

	for _, line := range m.Lines {
		card.Body = append(card.Body, block(line, ""))
	}

	if m.Link != "" {
		card.Actions = []teamsAction{{"Action.OpenUrl", m.LinkWords, m.Link}}
	}

	return teamsMessage{"message", []teamsAttachment{{
		ContentType: "application/vnd.microsoft.card.adaptive",
		Content:     card,
	}}}
}

// matrixMessage is what a generic webhook of matrix-hookshot takes. Without html it would read text as Markdown.
type matrixMessage struct {
	Text string `json:"text"`
	HTML string `json:"html"`
}

func matrixOf(m Message) matrixMessage {
	lines := append([]string{m.Title}, m.Lines...)
	marked := []string{"<strong>" + html.EscapeString(m.Title) + "</strong>"}

	for _, line := range m.Lines {
		marked = append(marked, html.EscapeString(line))
	}

	if m.Link != "" {
		lines = append(lines, m.LinkWords+": "+m.Link)
		marked = append(marked,
			`<a href="`+html.EscapeString(m.Link)+`">`+html.EscapeString(m.LinkWords)+"</a>")
	}

	return matrixMessage{strings.Join(lines, "\n"), strings.Join(marked, "<br>")}
}
