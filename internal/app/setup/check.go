package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

const (
	checkTimeout = 15 * time.Second // of one check
	newBlock     = 15 * time.Second // a newest block may be that much ahead of this machine's clock

	// oldBlock is the age of a newest block that means a node that is still catching up, or a chain that stands.
	oldBlock = 10 * time.Minute
)

// folder makes a folder for this user alone, and proves that files can be written to it.
func folder(path string) (string, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", err
	}

	probe, err := os.CreateTemp(path, ".slipway-")
	if err != nil {
		return "", fmt.Errorf("nothing can be written to %s: %w", path, err)
	}

	return path + " can be written to", errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// database opens the database and returns its version. An SQLite file is not made: only its folder is tried.
func database(ctx context.Context, c *config.Config) (string, error) {
	url := c.DatabaseURL()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		path, _, _ = strings.Cut(path, "?")

		if err := db.CheckFolder(filepath.Dir(path)); err != nil {
			return "", err
		}

		said, err := folder(filepath.Dir(path))

		return "SQLite: " + said, err
	}

	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	d, err := db.Open(ctx, db.Config{URL: url, Readers: 1, Writers: 1})
	if err != nil {
		return "", err
	}

	err = d.CheckDurability(ctx)

	var version string
	if err == nil {
		version, err = db.One(ctx, d, func(s *string) []any { return []any{s} }, "SELECT version()")
	}

	version, _, _ = strings.Cut(version, " on ")

	return version + " answers and is durable", errors.Join(err, d.Close())
}

// node asks a node for its chain and how far it is, and returns that in words.
func node(ctx context.Context, url string, chainID uint64) (string, error) {
	n, err := lookAtNode(ctx, url, chainID)

	return n.String(), err
}

// nodeState is how far a node is.
type nodeState struct {
	chain, block uint64
	age          time.Duration // of the newest block; negative if its time is ahead of ours
}

// String returns it in words.
func (n nodeState) String() string {
	if n.old() {
		return fmt.Sprintf("chain %d, but its newest block (%d) is %s old", n.chain, n.block, n.age)
	}

	if n.ahead() {
		return fmt.Sprintf(
			"chain %d, but its newest block (%d) is %s ahead of this machine's clock",
			n.chain,
			n.block,
			-n.age,
		)
	}

	return fmt.Sprintf("chain %d at block %d, %s old", n.chain, n.block, max(0, n.age))
}

func (n nodeState) ahead() bool { return n.age < -newBlock }

func (n nodeState) old() bool { return n.age > oldBlock }

// lookAtNode fails for a node that does not answer, serves another chain, or is still catching up. A node that has
// every block and still indexes transactions also reports progress: it is not behind.
func lookAtNode(ctx context.Context, url string, chainID uint64) (nodeState, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	c, err := ethclient.DialContext(ctx, url)
	if err != nil {
		return nodeState{}, errors.New("the node's address cannot be used") // without the cause: it may hold a key
	}
	defer c.Close()

	id, err := c.ChainID(ctx)
	if err != nil {
		return nodeState{}, errors.New("the node does not answer")
	}

	if id.Uint64() != chainID {
		return nodeState{}, fmt.Errorf("the node serves chain %s, not %d", id, chainID)
	}

	syncing, err := c.SyncProgress(ctx)
	if err == nil && syncing != nil && syncing.CurrentBlock < syncing.HighestBlock {
		return nodeState{}, fmt.Errorf("the node is still catching up: it is at block %d of %d", syncing.CurrentBlock,
			syncing.HighestBlock)
	}

	head, err := c.HeaderByNumber(ctx, nil)
	if err != nil {
		return nodeState{}, errors.New("the node does not give its newest block")
	}

	return nodeState{
		chain: chainID,
		block: head.Number.Uint64(),
		age:   clock.New().Now().Sub(time.Unix(int64(head.Time), 0)).Round(time.Second),
	}, nil
}

// mailServer asks the server whether it would accept a mail to somebody outside, as the service does when it sends one.
func mailServer(ctx context.Context, c *config.Config) (string, error) {
	m := c.Mail
	err := mail.SMTP{
		Host:     m.Host,
		Port:     m.Port,
		Helo:     c.Greeting(),
		Security: m.Security,
		Username: m.Username,
		Password: m.Password,
		Timeout:  checkTimeout,
	}.Probe(ctx, m.From)

	return fmt.Sprintf("%s:%d would accept a mail from %s (%s)", m.Host, m.Port, m.From, m.Security), err
}
