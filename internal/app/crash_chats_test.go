//go:build !nosandbox

package app_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// room is a room of Slack: it answers ok.
type room struct {
	mu     sync.Mutex
	body   []string
	server *httptest.Server
}

func newRoom(t *testing.T) *room {
	t.Helper()

	r := &room{}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		raw, _ := io.ReadAll(q.Body)

		r.mu.Lock()
		defer r.mu.Unlock()

		r.body = append(r.body, string(raw))
		_, _ = io.WriteString(w, "ok")
	}))
	t.Cleanup(r.server.Close)

	return r
}

// got returns and forgets what was written in the room.
func (r *room) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()

	out := r.body
	r.body = nil

	return out
}

// channel has an organisation write to the room.
func (r *room) channel(c *apptest.Client) {
	c.Do("POST", "/chat-channels", apptest.Object{
		"name":    "Finance",
		"kind":    "SLACK",
		"address": r.server.URL + "/services/T024/B024/xxxx",
	}).OK(201)
}

// happen writes the event that an API client of the organisation has ended, which every channel is told of.
func happen(h *apptest.Harness, c *apptest.Client, client string) {
	h.T.Helper()

	require.NoError(h.T, h.DB().Write(context.Background(), func(tx *db.Tx) error {
		return trail.Event(tx, "api_client.expired", c.Org, client, 1, map[string]string{"_id": client})
	}))
}

// A process that is killed between a room's answer and its record has the room told once more, and never again. One
// that is killed before that loses nothing.
func TestAKilledProcessTellsARoomAtMostOnceMore(t *testing.T) {
	points := []struct {
		name, client string
		comes        int // how often the room is told
	}{
		{"feed.numbered", "ak_one", 1},
		{"chat.answered_unrecorded", "ak_two", 2},
	}

	const open = `SELECT (SELECT count(*) FROM events e WHERE NOT EXISTS (SELECT 1 FROM feed f WHERE f.event = e.id)) +
		(SELECT count(*) FROM chat_messages WHERE state = 'QUEUED')`

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		r := newRoom(t)
		r.channel(c)
		sealedAll(h)

		for _, point := range points {
			happen(h, c, point.client)
			h.Stop(h.App)

			work := apptest.Work{Webhooks: true, Forever: true}
			h.Spawn(work, point.name).Wait().Killed()

			work = apptest.Work{Webhooks: true, Open: open, Ahead: later}
			h.Spawn(work, "").Wait().Ended()

			h.App = h.Start()

			got := r.got()
			require.Len(t, got, point.comes, point.name)

			for _, m := range got {
				require.Contains(t, m, point.client)
			}
		}

		require.Zero(t, h.Count(open))
	})
}

// A back-up that is put back sends nothing to rooms that it had not sent when it was made: the world that it was taken
// of has. Events that had no number then are no exception.
func TestARestoredBackUpTellsNoRoomAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		r := newRoom(t)
		r.channel(c)
		happen(h, c, "ak_numbered")
		sealedAll(h)
		happen(h, c, "ak_not_numbered")

		restore := h.Snapshot()

		sealedAll(h)

		_, err := h.App.Deliveries.RunDue(t.Context(), 100)
		require.NoError(t, err)
		require.Len(t, r.got(), 2)

		restore()
		h.BankUntil("the world was read again", func() bool {
			return h.Count("SELECT count(*) FROM chat_messages WHERE state = 'DOUBTFUL'") == 2
		})
		sealedAll(h)

		_, err = h.App.Deliveries.RunDue(t.Context(), 100)
		require.NoError(t, err)
		require.Empty(t, r.got())

		happen(h, c, "ak_later")
		sealedAll(h)

		_, err = h.App.Deliveries.RunDue(t.Context(), 100)
		require.NoError(t, err)
		require.Len(t, r.got(), 1, "and goes on with what happens")
	})
}
