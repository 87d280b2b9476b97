//go:build !nosandbox && linux

package signer_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/signer"
)

const (
	patience = 30 * time.Second
	password = "nine violet kettles"
	part     = "SLIPWAY_TEST_PART" // what a child process is
	inFolder = "SLIPWAY_TEST_FOLDER"
	perHour  = "SLIPWAY_TEST_PER_HOUR"
	node     = "SLIPWAY_TEST_NODE"
	database = "SLIPWAY_TEST_CHILD_DATABASE"
	address  = "SLIPWAY_TEST_ADDRESS"
)

var router = common.HexToAddress("0x1001")

// TestChildProcess is not a test of its own: it is the signer, or the process that sends, of the test below.
func TestChildProcess(t *testing.T) {
	dir := os.Getenv(inFolder)

	switch os.Getenv(part) {
	case "signer":
		key, err := chain.OpenKeystore(filepath.Join(dir, "key"), password)
		require.NoError(t, err)

		n, err := strconv.Atoi(os.Getenv(perHour))
		require.NoError(t, err)

		s, err := signer.Open(key, signer.Policy{
			Routers:         map[uint64]common.Address{31337: router},
			MaxGas:          1 << 24,
			MaxFeePerGasWei: big.NewInt(100_000_000_000),
			PerHour:         n,
		}, filepath.Join(dir, "journal"), clock.New())

		require.NoError(t, err)
		require.NoError(t, s.Serve(context.Background(), filepath.Join(dir, "socket"), slog.New(slog.DiscardHandler)))

	case "service":
		d, err := db.Open(context.Background(), db.Config{URL: os.Getenv(database), Clock: clock.New()})
		require.NoError(t, err)
		require.NoError(t, railOf(t, d).Run(context.Background()))

	default:
		t.Skip("runs as the child of another test")
	}
}

// deaf is an Observer that keeps nothing.
type deaf struct{}

func (deaf) Seen(context.Context, *db.Tx, chain.Sent) error        { return nil }
func (deaf) Lost(context.Context, *db.Tx, chain.Sent) error        { return nil }
func (deaf) Final(context.Context, *db.Tx, chain.Sent) error       { return nil }
func (deaf) Refused(context.Context, *db.Tx, string, string) error { return nil }

// railOf is the rail of a process that has no key.
func railOf(t *testing.T, d *db.DB) *chain.Rail {
	t.Helper()
	remote, err := chain.NewRemoteSigner(
		filepath.Join(os.Getenv(inFolder), "socket"),
		common.HexToAddress(os.Getenv(address)),
	)
	require.NoError(t, err)
	r := chain.New(chain.Config{DB: d, Observer: deaf{}})
	require.NoError(t, r.AddNetwork(context.Background(), chain.Network{
		ID:              "dev",
		ChainID:         big.NewInt(31337),
		URLs:            []string{os.Getenv(node)},
		Signer:          remote,
		Finality:        chain.Finality{Depth: 2},
		MaxFeePerGasWei: big.NewInt(50_000_000_000),
		Poll:            5 * time.Millisecond,
	}))

	return r
}

// child starts this binary as a part of the test, to be killed at its end.
func child(t *testing.T, what string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildProcess$", "-test.timeout=5m")

	cmd.Env = append(append(os.Environ(), part+"="+what), env...)
	cmd.Stdout = os.Stderr
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { kill(cmd) })

	return cmd
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_, _ = cmd.Process.Wait()
}

// holds reports whether a process has some bytes anywhere in its memory.
func holds(t *testing.T, pid int, secrets ...[]byte) bool {
	t.Helper()
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	require.NoError(t, err)

	defer maps.Close()

	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		t.Skip("this machine does not let a process read its child's memory: ", err)
	}
	defer memory.Close()

	read := 0
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var (
			from, to uint64
			rights   string
		)
		_, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights)
		require.NoError(t, err)

		if !strings.HasPrefix(rights, "rw") {
			continue
		}

		for at := from; at < to; at += 1 << 20 {
			piece := make([]byte, min(1<<20+64, to-at)) // a secret may lie across two pieces
			n, _ := memory.ReadAt(piece, int64(at))     // what cannot be read is not there

			read += n
			for _, s := range secrets {
				if bytes.Contains(piece[:n], s) {
					return true
				}
			}
		}
	}

	require.Greater(t, read, 1<<20, "its memory was read")

	return false
}

// K-01: with the signer in a process of its own, the process that serves the internet and sends has the key nowhere
// in its memory, whatever it has had signed. K-05: a signer that is killed at its limit is at its limit when it is
// started anew.
func TestTheServiceHoldsNoKey(t *testing.T) {
	url := dbtest.PostgresURL(t)
	dir := t.TempDir()
	key, err := crypto.GenerateKey()
	require.NoError(t, err)
	require.NoError(t, chain.WriteKeystore(filepath.Join(dir, "key"), password, key))
	from := crypto.PubkeyToAddress(key.PublicKey)
	ch, err := devchain.Start(devchain.Config{
		Mode:  devchain.Manual,
		Alloc: map[common.Address]*big.Int{from: new(big.Int).Exp(big.NewInt(10), big.NewInt(20), nil)},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ch.Close()) })
	ch.Mine(2)

	for name, value := range map[string]string{inFolder: dir, node: ch.URL(), database: url, address: from.Hex()} {
		t.Setenv(name, value)
	}

	d, err := db.Open(t.Context(), db.Config{URL: url, Clock: clock.New()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	r := railOf(t, d) // it plans, and never runs
	plan := func(i int64) string {
		data, err := contract.EncodePay(contract.Batch{
			Payer:  common.HexToAddress("0x3"),
			Token:  common.HexToAddress("0x2"),
			Number: big.NewInt(i),
			Legs:   []contract.Leg{{To: common.HexToAddress("0x4"), Amount: big.NewInt(1)}},
		})
		require.NoError(t, err)
		s := chain.Send{
			Key:     fmt.Sprintf("transaction/txn_%d/batch", i),
			Network: "dev",
			To:      router,
			Data:    data,
			Object:  "txn",
		}
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error { return r.Plan(tx, s) }))

		return s.Key
	}
	until := func(key string, condition func(chain.Status) bool) {
		require.Eventually(t, func() bool {
			ch.Mine(1)
			s, err := r.Status(t.Context(), d, key)
			return err == nil && condition(s)
		}, patience, 5*time.Millisecond, key)
	}
	final := func(s chain.Status) bool { return s.State == chain.StateFinal }
	atLimit := func(s chain.Status) bool { return strings.Contains(s.Note, "2 batches in one hour") }

	keeper := child(t, "signer", perHour+"=2")
	service := child(t, "service")
	until(plan(1), final)
	until(plan(2), final)
	raw := crypto.FromECDSA(key)
	secrets := [][]byte{raw, reversed(raw), []byte(hex.EncodeToString(raw))}
	require.False(t, holds(t, service.Process.Pid, secrets...), "the key is in the memory of the process that sends")
	require.True(
		t,
		holds(t, keeper.Process.Pid, secrets...),
		"it is in the signer's, so the search finds what is there",
	)

	third := plan(3)
	until(third, atLimit)
	kill(keeper)
	until(third, func(s chain.Status) bool { return strings.Contains(s.Note, "no answer") })
	keeper = child(t, "signer", perHour+"=2")
	until(third, atLimit)
	kill(keeper)
	child(t, "signer", perHour+"=3")
	until(third, final)
}

// reversed is a key as a big integer's words lie in the memory of this machine.
func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i, x := range b {
		out[len(b)-1-i] = x
	}

	return out
}
