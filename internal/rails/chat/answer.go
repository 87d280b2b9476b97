package chat

import (
	"net/http"
	"strconv"
	"strings"
)

// Outcome is what an answer means.
type Outcome string

// The outcomes.
const (
	Taken   Outcome = "TAKEN"
	Later   Outcome = "LATER"   // the same may be taken later, or may have been taken: there was no answer, or no verdict
	Refused Outcome = "REFUSED" // this message is not taken, however often it is sent
	Gone    Outcome = "GONE"    // nothing that is sent to this address is taken any more
)

// Answer is what a server has answered to a message.
type Answer struct {
	Status  int // 0: there was no answer
	Body    []byte
	Problem string // in one sentence why there was none
}

// Judge returns what an answer means.
//
// Slack answers 200 "ok", 400 for a message that it cannot read, 403, 404 and 410 for an address or a channel that is
// closed, and 429 with Retry-After. A workflow of Teams answers 202, 401 where its signature is not valid any more, and
// 404 where it is switched off or gone. matrix-hookshot answers 200 or 202, 404 for an address that it does not have,
// and 500 if the room did not take the message.
func (a Answer) Judge() Outcome {
	switch a.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return Gone
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return Refused
	}

	if a.Status >= 200 && a.Status < 300 {
		return Taken
	}

	return Later
}

// said are the words of Slack, Teams and Matrix that say more than their status, and what they mean.
var said = []struct{ word, means string }{
	{"invalid_payload", "Slack could not read the message."},
	{"no_text", "Slack could not read the message."},
	{"user_not_found", "The person whom the webhook writes to is not in Slack."},
	{"action_prohibited", "An admin of Slack has forbidden messages here."},
	{"posting_to_general_channel_denied", "An admin of Slack has forbidden messages in this channel."},
	{"channel_not_found", "The channel does not exist any more."},
	{"channel_is_archived", "The channel was archived."},
	{"no_service", "The webhook was removed or switched off."},
	{"no_active_hooks", "The webhook was switched off."},
	{"invalid_token", "The address is not complete, or was revoked."},
	{"no_team", "The workspace does not exist."},
	{"team_disabled", "The workspace was closed."},
	{"rollup_error", "Slack has trouble of its own."},
	{"WorkflowTriggerIsNotEnabled", "The workflow is switched off."},
	{"WorkflowNotFound", "The workflow was deleted."},
	{"Webhook not found", "The webhook was removed from the room."},
}

// Explain returns in one sentence or two what a message came to. It holds nothing of the address and of what the server
// has written besides: that may repeat the address.
func (a Answer) Explain() string {
	if a.Status == 0 {
		return a.Problem
	}

	status := "The server answered " + strconv.Itoa(a.Status)

	for _, s := range said {
		if strings.Contains(string(a.Body), s.word) && a.Status >= 300 {
			return status + ": " + s.word + ". " + s.means
		}
	}

	return status + ". " + meaning(a.Status)
}

func meaning(status int) string {
	switch {
	case status >= 200 && status < 300:
		return "It has taken the message."
	case status >= 300 && status < 400:
		return "It leads to another address, which is not followed. Give the address that it leads to."
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "It does not allow messages at this address: it may be incomplete, or may have been revoked."
	case status == http.StatusNotFound, status == http.StatusGone:
		return "There is no webhook at this address any more."
	case status == http.StatusTooManyRequests:
		return "It was sent too much at once, and asks for a pause."
	case status < 500:
		return "It did not take the message."
	}

	return "It has trouble of its own."
}
