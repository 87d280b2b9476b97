package setup

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
)

// run sets up a deployment in a folder. terminal is what a person types; "" means that nobody is there.
func run(t *testing.T, dir string, a Answers, terminal string) (string, error) {
	t.Helper()

	var out bytes.Buffer

	c := Config{Dir: dir, Answers: a, Out: &out}
	if terminal != "" {
		c.In = strings.NewReader(terminal)
	}

	err := Run(context.Background(), c)

	return out.String(), err
}

// contents returns the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()

	out := map[string]string{}
	list, err := os.ReadDir(dir)
	require.NoError(t, err)

	for _, e := range list {
		if e.IsDir() {
			continue
		}

		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)

		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), e.Name())
		out[e.Name()] = string(raw)
	}

	return out
}

// Everything that may be simulated is left out: nothing has to be answered.
func TestSetUpNeedsNoAnswerWhereEverythingIsSimulated(t *testing.T) {
	dir := t.TempDir()
	out, err := run(t, dir, Answers{}, "")
	require.NoError(t, err, out)
	require.Contains(t, out, "user add")
	require.Contains(t, out, "simulated: chain, bank")

	made := contents(t, dir)
	require.Contains(t, made, "keyring")
	require.Contains(t, made, "operator.json")

	c, err := config.Load(config.Source{File: filepath.Join(dir, FileName)})
	require.NoError(t, err)
	require.Empty(t, config.CheckTest(c))
	require.GreaterOrEqual(t, len(c.Chain.Signer.Password.Reveal()), 16)
	require.False(t, c.Given("webhooks.private_targets"), "what opens the own network is never written by itself")
	require.False(t, c.PrivateWebhooks())

	out, err = run(t, dir, Answers{Mode: "live", DataDir: t.TempDir()}, "")
	require.NoError(t, err, out)
	require.Contains(t, out, "mode is set: test")
	require.Equal(t, made, contents(t, dir), "a second run replaces nothing")
}

// What is missing is named by its flag, and what was answered before it is kept.
func TestSetUpSaysWhichAnswerIsMissing(t *testing.T) {
	dir := t.TempDir()
	_, err := run(t, dir, Answers{Mode: "live"}, "")
	require.ErrorContains(t, err, "--base-url is needed")

	_, err = run(t, dir, Answers{BaseURL: "https://pay.example.org", Network: "base", ChainID: 8453}, "")
	require.ErrorContains(t, err, "--rpc is needed")

	made := contents(t, dir)
	require.Contains(t, made[FileName], `mode = "live"`)
	require.NotContains(t, made[FileName], "base\"\nchain", "half a network is not written")
	require.Contains(t, made, "operator.json")
}

// A person is asked again after a wrong answer; Enter takes the usual one.
func TestSetUpAsksAtATerminal(t *testing.T) {
	dir := t.TempDir()
	typed := "prod\ntest\n\n\n" + filepath.Join(dir, "data") + "\n\n\n-\n-\nnobody\nmanual\n\n-\n"
	out, err := run(t, dir, Answers{}, typed)
	require.NoError(t, err, out)
	require.Contains(t, out, "must be one of: test, live")
	require.Contains(t, out, "must be one of: manual, outside, -")

	c, err := config.Load(config.Source{File: filepath.Join(dir, FileName)})
	require.NoError(t, err)
	require.False(t, c.Simulated().Verification, "people do it")
	require.True(t, c.Simulated().Screening)
}

// A database that would have its witness beside it is given a second place for it, or is left so on purpose; one that
// has it elsewhere is not asked about.
func TestSetUpAsksForASecondPlaceOfTheWitness(t *testing.T) {
	load := func(dir string) *config.Config {
		c, err := config.Load(config.Source{File: filepath.Join(dir, FileName)})
		require.NoError(t, err)

		return c
	}

	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "witness")
	out, err := run(t, dir, Answers{Witness: elsewhere}, "")
	require.NoError(t, err, out)
	require.Equal(t, elsewhere, load(dir).WitnessFolder())
	require.False(t, load(dir).WitnessBeside())

	dir = t.TempDir()
	out, err = run(t, dir, Answers{}, "")
	require.NoError(t, err, out)
	require.Contains(t, out, "both are lost and put back together")
	require.True(t, load(dir).WitnessBeside())

	dir = t.TempDir()
	require.NoError(
		t,
		os.WriteFile(filepath.Join(dir, FileName), []byte("[database]\nurl = \"postgres://localhost/x\"\n"), 0o600),
	)
	require.False(t, load(dir).WitnessBeside(), "the database is elsewhere")

	t.Chdir(dir)
	require.NoError(
		t,
		os.WriteFile(
			FileName,
			[]byte("data_dir = \"data\"\n[witness]\nfolder = \""+filepath.Join(dir, "data", "x")+"\"\n"),
			0o600,
		),
	)
	require.True(t, load(dir).WitnessBeside(), "however the folders are written")
}

// With PostgreSQL the witness is named in any case: all processes have to find the same.
func TestSetUpNamesTheWitnessOfASharedDatabase(t *testing.T) {
	dir := t.TempDir()
	settings := "data_dir = \"" + dir + "\"\n[database]\nurl = \"postgres://localhost/x\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), []byte(settings), 0o600))

	var out bytes.Buffer

	s, err := open(Config{Dir: dir, Out: &out})
	require.NoError(t, err)
	require.True(t, s.have.WitnessOwn())

	require.NoError(t, s.witness())
	require.Contains(t, out.String(), "All processes on the database share one")
	require.False(t, s.have.WitnessOwn())
	require.Equal(t, filepath.Join(dir, "witness"), s.have.Witness.Folder)
}

// Where a bank is named, it is asked who converts and what tokens are worth, and what is answered stands in the file.
func TestSetUpAsksWhoConverts(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	require.NoError(t, os.WriteFile(list, []byte("name: Nobody\n"), 0o600))

	bank := Answers{
		ToBank:    filepath.Join(dir, "out"),
		FromBank:  filepath.Join(dir, "in"),
		TestBank:  true,
		Country:   "DE",
		IBAN:      "DE89370400440532013000",
		BIC:       "COBADEFFXXX",
		Holder:    "Example GmbH",
		Lists:     []string{filepath.Join(dir, "missing.txt")},
		Liquidity: "house",
		Feeds:     []string{"USDC/USD seven"},
	}
	_, err := run(t, dir, bank, "")
	require.ErrorContains(t, err, "--screening-list")

	bank.Lists = []string{list}
	_, err = run(t, dir, bank, "")
	require.ErrorContains(t, err, "--feed")

	bank.Feeds = []string{"-"}
	out, err := run(t, dir, bank, "")
	require.NoError(t, err, out)
	require.Contains(t, out, "simulated: chain, identity verification, rates")

	c, err := config.Load(config.Source{File: filepath.Join(dir, FileName)})
	require.NoError(t, err)
	require.Equal(t, []string{list}, c.Screening.ListFiles)
	require.Equal(t, "house", c.Liquidity.Provider)
}

// A wrong value is refused before it stands in the file.
func TestSetUpKeepsAFileThatCanBeRead(t *testing.T) {
	dir := t.TempDir()
	_, err := run(t, dir, Answers{BaseURL: "pay.example.org"}, "")
	require.ErrorContains(t, err, "http.base_url")

	_, err = config.Load(config.Source{File: filepath.Join(dir, FileName)})
	require.NoError(t, err)
}

func TestFileKeepsTheLinesOfPeople(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	require.NoError(t, os.WriteFile(path, []byte(`# ours
mode = "test"

[mail] # the relay
host = "m"

[[network]]
id = "one" # first
chain_id = 1

[[network]]
id = "two"
`), 0o600))

	f, err := OpenFile(path)
	require.NoError(t, err)
	f.Add("data_dir", "/srv")
	f.Add("mail.port", 25)
	f.Add("bank.channel", "folder")
	f.AddTo("network", "two", "chain_id", 2)
	f.AddTo("network", "one", "rpc_urls", []string{"http://a", "http://b"})
	f.AddTo("house_account", "eur", "currency", "EUR")
	require.NoError(t, f.Save())

	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, `# ours
mode = "test"

data_dir = "/srv"
[mail] # the relay
port = 25
host = "m"

[[network]]
id = "one" # first
rpc_urls = ["http://a", "http://b"]
chain_id = 1

[[network]]
id = "two"
chain_id = 2

[bank]
channel = "folder"

[[house_account]]
id = "eur"
currency = "EUR"
`, string(raw))
}
