package feed

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/web"
)

// APIVersion is the version of the events that this build writes.
const APIVersion = "2026-11-01"

// beatInterval is how often a stream shows that it lives. Proxies end connections that are silent for a minute.
const beatInterval = 15 * time.Second

// scanLimit limits how many events one request looks at for those of its types.
const scanLimit = 2_000

// View is an event as clients see it.
type View struct {
	ID         string    `json:"id" example:"evt_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Type       string    `json:"type" example:"transaction.completed"`
	APIVersion string    `json:"apiVersion" example:"2026-11-01" doc:"version that the form of the event has"`
	CreatedAt  time.Time `json:"createdAt"`
	Number     string    `json:"number" example:"1042" doc:"place in the organisation's feed: dense, in the order of the commits; send it as after or Last-Event-ID"`
	Object     string    `json:"object" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the record that has changed"`
	Sequence   int64     `json:"sequence" example:"4" doc:"version of the record after the change: of two events of one record the one with the higher sequence is newer"`
	Data       Data      `json:"data"`
}

// Data is what an event shows of its record.
type Data struct {
	Object   Object  `json:"object" doc:"the record as the change left it"`
	Previous *Object `json:"previous,omitempty" doc:"members of object that the record's event before had otherwise, with their values of then; null if that is none, or there is no event before"`
}

// Object is the JSON object that was stored with an event.
type Object string

// Schema returns its schema for the OpenAPI document.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// AppendJSON appends the stored text. There is no event without one.
func (o Object) AppendJSON(dst []byte) ([]byte, error) {
	if o == "" {
		return nil, errors.New("an event without its object")
	}

	return append(dst, o...), nil
}

// MarshalJSONTo writes the stored text.
func (o Object) MarshalJSONTo(enc *jsontext.Encoder) error { return enc.WriteValue(jsontext.Value(o)) }

// UnmarshalJSONFrom reads any value.
func (o *Object) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	*o = Object(raw)

	return err
}

// ViewOf shows an event.
func ViewOf(e Event) View {
	v := View{
		ID:         e.ID,
		Type:       e.Type,
		APIVersion: APIVersion,
		CreatedAt:  e.At,
		Number:     strconv.FormatInt(e.Number, 10),
		Object:     e.Object,
		Sequence:   e.Sequence,
		Data:       Data{Object: Object(e.Data)},
	}

	if e.Previous != "" {
		before := Object(e.Previous)
		v.Data.Previous = &before
	}

	return v
}

// PageView is what a reader of the feed gets.
type PageView struct {
	Results   []View `json:"results" nullable:"false"`
	PageTotal int    `json:"page_total" doc:"events on this page"`
	Next      string `json:"next" example:"1042" doc:"send it as after to go on, also when there are no results"`
	HasMore   bool   `json:"hasMore" doc:"further events are there already; they may be of other types"`
}

// types is embedded in what is asked for events of some types.
type types struct {
	Types []string `query:"types[]" maxItems:"50" maxLength:"80" pattern:"^[a-z_]+(\\.[a-z_]+)*(\\.\\*)?$" patternDescription:"must be a type such as transaction.completed, or a noun such as transaction.*" doc:"only events of these types; transaction.* is all of a noun"`
}

func (t types) match(kind string) bool { return Match(t.Types, kind) }

// Match reports whether a type is one of these. "transaction.*" is every type that begins with "transaction."; none is
// every type.
func Match(types []string, kind string) bool {
	return len(types) == 0 || slices.ContainsFunc(types, func(t string) bool {
		noun, all := cutStar(t)
		return t == kind || all && len(kind) > len(noun) && kind[:len(noun)] == noun
	})
}

// cutStar returns "transaction." of "transaction.*".
func cutStar(t string) (noun string, all bool) {
	if n := len(t); n > 2 && t[n-2:] == ".*" {
		return t[:n-1], true
	}

	return "", false
}

type listIn struct {
	types
	After   string `query:"after" pattern:"^(0|[1-9][0-9]{0,17})$" patternDescription:"must be a number" doc:"the last next; left out: from the oldest event that is kept"`
	Limit   int    `query:"limit" default:"100" minimum:"1" maximum:"250" doc:"events on a page"`
	Seconds int    `query:"wait" minimum:"0" maximum:"30" doc:"seconds to wait for an event if there is none"`
}

// Wait returns for how long the request waits.
func (in *listIn) Wait() time.Duration { return time.Duration(in.Seconds) * time.Second }

type streamIn struct {
	types
	LastEventID string `header:"Last-Event-ID" pattern:"^(0|[1-9][0-9]{0,17})$" patternDescription:"must be a number" doc:"number of the last event received; browsers send it by themselves"`
	After       string `query:"after" pattern:"^(0|[1-9][0-9]{0,17})$" patternDescription:"must be a number" doc:"the same, for the first connection; left out: only what happens from now on"`
	Lifetime    int    `query:"lifetime" default:"3600" minimum:"0" maximum:"86400" doc:"seconds after which the stream ends; 0: after the events that are there"`
}

// Routes registers the operations of the feed.
func (f *Feed) Routes(api *web.API) {
	op := func(path, id, summary, description string) web.Operation {
		return web.Operation{
			Method:      "GET",
			Path:        path,
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "events",
			Access:      web.Tenant,
			Unattended:  true,
			Codes:       []fault.Code{fault.EventsGone},
		}
	}

	web.Register(api, op(
		"/events",
		"listEvents",
		"Read the organisation's events",
		"Oldest first, in the order in which the changes became durable. Nothing ever appears before a number that was "+
			"read. With `wait` the answer comes as soon as there is an event. Events are kept for 90 days.",
	), f.list)

	web.Register(api, op(
		"/events/stream",
		"streamEvents",
		"Follow the organisation's events as they happen",
		"Server-sent events: the id of each is its number, and its data is the event. A comment comes every 15 seconds. "+
			"A client that connects again with `Last-Event-ID` misses nothing. The stream ends with the session, with "+
			"the credential and with the process: connect again.",
	), f.stream)
}

// begin returns the number after which a caller reads. It refuses one that the feed no longer has, or does not have
// yet, since the caller would miss events without noticing. first is used if the caller names none.
func (f *Feed) begin(ctx context.Context, after string, first func(bounds) int64) (int64, error) {
	b, err := readBounds(ctx, f.db, caller.Of(ctx).Organisation)
	if err != nil {
		return 0, err
	}

	if after == "" {
		return first(b), nil
	}

	n, err := strconv.ParseInt(after, 10, 64)
	if err != nil {
		return 0, err // the pattern admits only numbers
	}

	if n > b.newest || n < b.oldest-1 {
		return 0, fault.New(
			fault.Gone,
			fault.EventsGone,
			"The feed has the events from %d to %d. Read the records anew, then go on from the newest.",
			b.oldest,
			b.newest,
		)
	}

	return n, nil
}

func (f *Feed) list(ctx context.Context, in *listIn) (*PageView, error) {
	after, err := f.begin(ctx, in.After, func(b bounds) int64 { return max(b.oldest-1, 0) })
	if err != nil {
		return nil, err
	}

	l := f.Follow(caller.Of(ctx).Organisation)
	defer l.Close()

	over := time.NewTimer(in.Wait())
	defer over.Stop()

	for {
		changed := l.Changed()

		page, err := l.page(ctx, after, in)
		if err != nil || len(page.Results) > 0 || page.HasMore || in.Seconds == 0 {
			return page, err
		}

		select {
		case <-changed:
		case <-over.C:
			return page, nil
		case <-l.Ended():
			return page, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// page reads the next events that match, and looks at no more than scanLimit others.
func (l *Follower) page(ctx context.Context, after int64, in *listIn) (*PageView, error) {
	out := &PageView{Results: []View{}}

	for seen := 0; seen < scanLimit; {
		events, err := l.Read(ctx, after)
		if err != nil {
			return nil, err
		}

		if len(events) == 0 {
			out.finish(after, false)
			return out, nil
		}

		for _, e := range events {
			if len(out.Results) == in.Limit {
				out.finish(after, true)
				return out, nil
			}

			seen++
			after = e.Number

			if in.match(e.Type) {
				out.Results = append(out.Results, ViewOf(e))
			}
		}
	}

	out.finish(after, true)

	return out, nil
}

func (p *PageView) finish(after int64, more bool) {
	p.PageTotal = len(p.Results)
	p.Next = strconv.FormatInt(after, 10)
	p.HasMore = more
}

func (f *Feed) stream(ctx context.Context, in *streamIn) (*web.EventStream, error) {
	from := in.LastEventID
	if from == "" {
		from = in.After
	}

	after, err := f.begin(ctx, from, func(b bounds) int64 { return b.newest })
	if err != nil {
		return nil, err
	}

	organisation := caller.Of(ctx).Organisation

	return &web.EventStream{Send: func(ctx context.Context, w *web.EventWriter) error {
		w.ID(strconv.FormatInt(after, 10))

		l := f.Follow(organisation)
		defer l.Close()

		return l.send(ctx, w, after, in)
	}}, nil
}

// send writes events until the stream's lifetime is over, the process stops or ctx ends.
func (l *Follower) send(ctx context.Context, w *web.EventWriter, after int64, in *streamIn) error {
	beat := time.NewTicker(beatInterval)
	defer beat.Stop()

	over := time.NewTimer(time.Duration(in.Lifetime) * time.Second)
	defer over.Stop()

	for {
		changed := l.Changed()

		next, err := l.sendAfter(ctx, w, after, in)
		if err != nil {
			return err
		}

		if next > after {
			after = next
			continue
		}

		if in.Lifetime == 0 {
			return nil
		}

		select {
		case <-changed:
		case <-beat.C:
			w.Beat()
		case <-over.C:
			return nil
		case <-l.Ended():
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// sendAfter sends what is there after a number, and returns the number of the last event. If none of them matches, the
// client still learns where to go on.
func (l *Follower) sendAfter(ctx context.Context, w *web.EventWriter, after int64, in *streamIn) (int64, error) {
	events, err := l.Read(ctx, after)
	if err != nil {
		return after, err
	}

	for _, e := range events {
		after = e.Number

		if !in.match(e.Type) {
			continue
		}

		text, err := jsonout.Marshal(ViewOf(e))
		if err != nil {
			return after, err
		}

		w.Event(strconv.FormatInt(e.Number, 10), text)
	}

	if n := len(events); n > 0 && !in.match(events[n-1].Type) {
		w.ID(strconv.FormatInt(after, 10))
	}

	return after, w.Flush()
}
