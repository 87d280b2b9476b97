package transaction

import (
	"context"
	"sync"

	"slipway/internal/platform/db"
)

// batchesPerWord is how many batch numbers share one storage word of the router. Using a word again costs a quarter of
// the gas of a new one.
const batchesPerWord = 256

// numbers allots batch numbers. A process reserves a word of 256 numbers at a time. The word is the time of reservation
// in microseconds, so a database restored from a backup never allots a number that was used after that backup.
type numbers struct {
	db   *db.DB
	mu   sync.Mutex
	word int64
	next int64
}

func newNumbers(d *db.DB) *numbers { return &numbers{db: d, next: batchesPerWord} }

// take returns a number that no other transaction has. Numbers of drafts that are never accepted stay unused.
func (n *numbers) take(ctx context.Context) (int64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.next == batchesPerWord {
		word, err := n.takeWord(context.WithoutCancel(ctx))
		if err != nil {
			return 0, err
		}

		n.word = word
		n.next = 0
	}

	number := n.word*batchesPerWord + n.next
	n.next++

	return number, nil
}

// maxWordTries limits the search for a free word. Two processes collide only in the same microsecond.
const maxWordTries = 8

func (n *numbers) takeWord(ctx context.Context) (word int64, err error) {
	for range maxWordTries {
		err = n.db.Write(ctx, func(tx *db.Tx) error {
			word = db.Micros(tx.Now)
			if word <= n.word {
				word = n.word + 1
			}

			insertWord(tx, word)

			return nil
		})
		if !db.IsUnique(err, "batch_words") {
			return word, err
		}
	}

	return 0, err
}
