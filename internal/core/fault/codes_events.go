package fault

// Events and webhooks.
const (
	EventsGone        Code = "EVENTS_GONE"
	WebhookURL        Code = "WEBHOOK_URL_INVALID"
	WebhookLimit      Code = "WEBHOOK_ENDPOINT_LIMIT"
	ChatLimit         Code = "CHAT_CHANNEL_LIMIT"
	WebhookReplayOpen Code = "WEBHOOK_REPLAY_OPEN"
)

var eventCodes = map[Code]string{
	EventsGone: "The feed has no events after this number: it is older than 90 days, or the feed never had it. Read the " +
		"records anew, then go on from the newest number.",
	WebhookURL:        "The address cannot be one of a webhook endpoint. It must be https and lead to the public internet.",
	WebhookLimit:      "The organisation has as many webhook endpoints as it may have.",
	ChatLimit:         "The organisation has as many chat channels as it may have.",
	WebhookReplayOpen: "A replay to this endpoint is still under way.",
}
