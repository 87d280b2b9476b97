//go:build !nosandbox

package screening_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/screening"
)

func TestListedAddressesAreRejectedInAnyLetterCase(t *testing.T) {
	p, err := screening.NewLists(
		file(
			t,
			"own.txt",
			"# our own\r\n0x098B716B8Aaf21512996dC57EB0615e2383E2f96 # bridge "+
				"thief\r\n\r\n12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h, mixer\r\n",
		),
		file(
			t,
			"sdn.csv",
			`29702,"X","individual","CYBER2",-0- ,"Gender Male; Digital Currency Address - XBT 12udabs2TkX7NXCSj6KpqXfakjE52ZPLhz; alt. Digital Currency Address - ETH 0x901bb9583b24d97e995513c6778dc6888ab6870e; Secondary."`+"\r\n\x1a",
		),
		file(t, "eth.json", `["0x03893a7c7463AE47D46bc7f091665f1893656003"]`),
	)
	require.NoError(t, err)
	require.Equal(t, 5, p.Addresses())

	for _, a := range []string{
		"0x098b716b8aaf21512996dc57eb0615e2383e2f96", "0X098B716B8AAF21512996DC57EB0615E2383E2F96", "0x901bB9583b24D97e995513C6778dc6888AB6870e",
		"0x03893a7c7463ae47d46bc7f091665f1893656003", "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h",
	} {
		require.Equal(t, screening.Rejected, status(t, p, a), a)
	}

	require.Equal(t, screening.Approved, status(t, p, "12qtd5BFwRsdNsAZY76UVE1xyCGNTojH9h"), "base58 has letter case")
	require.Equal(t, screening.Approved, status(t, p, "0x098B716B8Aaf21512996dC57EB0615e2383E2f97"))
}

func TestWrongListsAreRefused(t *testing.T) {
	_, err := screening.NewLists()
	require.Error(t, err)

	for name, text := range map[string]string{
		"empty":      "",
		"comments":   "# nothing\n",
		"words":      "hello world\n",
		"short":      "0x1234\n",
		"json":       `["0x12"]`,
		"half json":  `["0x`,
		"remarks":    `1,"X","Digital Currency Address - ETH "`,
		"separators": ",,,\n",
		"Latin-1":    "name: M\xfcller\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := screening.NewLists(file(t, name, text))
			require.Error(t, err)
		})
	}

	_, err = screening.NewLists(filepath.Join(t.TempDir(), "absent"))
	require.Error(t, err)
}

func TestReloadKeepsTheOldListWhenTheNewOneIsWrong(t *testing.T) {
	path := file(t, "list.txt", "0x098B716B8Aaf21512996dC57EB0615e2383E2f96\n")
	p, err := screening.NewLists(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte("oops\n"), 0o600))
	require.ErrorContains(t, p.Reload(), "line 1")
	require.Equal(t, screening.Rejected, status(t, p, "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"))
	require.NoError(t, os.WriteFile(path, []byte("0x901bb9583b24d97e995513c6778dc6888ab6870e\n"), 0o600))
	require.NoError(t, p.Reload())
	require.Equal(t, screening.Approved, status(t, p, "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"))
	require.Equal(t, screening.Rejected, status(t, p, "0x901bb9583b24d97e995513c6778dc6888ab6870e"))
}

func TestTreasuryLists(t *testing.T) {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	dir = filepath.Join(dir, "chain_refdata", "ofac")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	var paths []string
	for _, name := range []string{"watchman_sdn.csv", "watchman_consolidated.csv", "sanctioned_addresses_ETH.json", "sanctioned_addresses_TRX.txt", "sanctioned_addresses_USDC.txt", "sanctioned_addresses_XBT.json"} {
		paths = append(paths, filepath.Join(dir, name))
	}

	p, err := screening.NewLists(paths...)
	require.NoError(t, err)
	require.Greater(t, p.Addresses(), 100)
	require.Equal(t, 1, p.Cut(), "one remark of the extract breaks off in the middle of an address")

	for name, entry := range map[string]string{
		"Dmitry Khoroshev":                           "48603",
		"Artem Mikhailovich Lifshitz":                "29702",
		"Iran Aircraft Manufacturing Industrial Co.": "11195",
		"Suex OTC sro":                               "33151",
	} {
		t.Run(name, func(t *testing.T) {
			hits, err := p.Match(name, 85)
			require.NoError(t, err)
			require.NotEmpty(t, hits)
			require.Equal(t, entry, hits[0].Entry)
		})
	}

	for _, name := range []string{"Iris Makran", "Daniel Huber", "Leader Industries AG", "Dmitry Petrov"} {
		hits, err := p.Match(name, 85)
		require.NoError(t, err)
		require.Empty(t, hits, name)
	}

	for _, a := range []string{"0x901bb9583b24d97e995513c6778dc6888ab6870e", "TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre", "0x983A81CA6FB1E441266D2FBCB7D8E530AC2E05A2"} {
		require.Equal(t, screening.Rejected, status(t, p, a), a)
	}
}

func TestSimulatorDecidesByTheEnd(t *testing.T) {
	for end, want := range map[string]screening.Status{
		"dead": screening.Rejected,
		"DeaD": screening.Rejected,
		"beef": screening.Error,
		"cafe": screening.Review,
		"0001": screening.Approved,
	} {
		t.Run(end, func(t *testing.T) {
			require.Equal(t, want, status(t, screening.Simulator{}, "0x000000000000000000000000000000000001"+end))
		})
	}
}

// Lists of several publishers are read beside each other, each with its own date, and a hit shows what a person
// compares.
func TestListsOfSeveralPublishers(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

		return path
	}

	eu := `<export xmlns="x" generationDate="2026-11-20T14:00:00"><sanctionEntity logicalId="7"><subjectType code="person"/>` +
		`<nameAlias wholeName="Vera Beispiel" strong="true"/><birthdate birthdate="1962-03-04" city="Ort"/>` +
		`<identification number="X1" identificationTypeDescription="Passport"/></sanctionEntity>`
	for i := range 30 {
		eu += fmt.Sprintf(
			`<sanctionEntity logicalId="1%d"><nameAlias wholeName="Nummer %d Handel"/></sanctionEntity>`,
			i,
			i,
		)
	}

	uk := "Report Date: 13-Feb-2026\nUnique ID,Name 6,Name 1,Name type,Designation Type,Sanctions Imposed\n" +
		"RUS1,MUSTER,Wanda,Primary Name,Individual,Asset freeze\nRUS1,MUSTER,Wanda,Primary Name,Individual,Asset freeze\n"

	euPath := write("eu.xml", eu+"</export>")
	lists, err := screening.NewLists(euPath, write("uk.csv", uk))
	require.NoError(t, err)
	require.Equal(t, "2026-11-20", lists.Sources()[0].Date.Format(time.DateOnly))
	require.Equal(t, "2026-02-13", lists.Sources()[1].Date.Format(time.DateOnly))

	hits, err := lists.Match("Beispiel, Vera", 90)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, "EU.7", hits[0].Entry)
	require.Equal(t, []string{"1962-03-04"}, hits[0].Births)
	require.Equal(t, []string{"Ort"}, hits[0].Places)
	require.Equal(t, []string{"Passport X1"}, hits[0].Numbers)

	hits, err = lists.Match("Wanda Muster", 90)
	require.NoError(t, err)
	require.Len(t, hits, 1, "a row for each address is one name")
	require.Equal(t, []string{"Asset freeze"}, hits[0].Programs)

	short, _, _ := strings.Cut(eu, `<sanctionEntity logicalId="19"`)
	write("eu.xml", short+"</export>")
	require.ErrorContains(t, lists.Reload(), "eu.xml: of 31 names only 10 are left")

	write("eu.xml", eu+"</export>")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "more"), 0o700))

	same := write("more/eu.xml", eu+"</export>")
	lists, err = screening.NewLists(euPath, same)
	require.NoError(t, err)
	write("more/eu.xml", short+"</export>")
	require.ErrorContains(t, lists.Reload(), "eu.xml: of 31 names only 10 are left", "of two files of one name")

	hits, err = lists.Match("Vera Beispiel", 90)
	require.NoError(t, err)
	require.Len(t, hits, 1, "the lists before stay in use")
}

// Remarks of the Treasury that break off go on in another file. What they say of a birth or a document counts once it
// is whole.
func TestFactsOfRemarksAreWhole(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

		return path
	}

	remarks := "DOB 04 Mar 1962; " + strings.Repeat("Website example.org; ", 50) + "Passport AB12"
	main := write(
		"sdn.csv",
		`7,"DOE, Jane","individual","CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"`+remarks+"\"\r\n",
	)
	more := write("sdn_comments.csv", "7,\"3456 (Utopia); POB Ort.\"\r\n")

	for _, c := range []struct {
		files           []string
		numbers, places []string
	}{
		{[]string{main}, nil, nil},
		{[]string{main, more}, []string{"Passport AB123456 (Utopia)"}, []string{"Ort"}},
	} {
		lists, err := screening.NewLists(c.files...)
		require.NoError(t, err)

		hits, err := lists.Match("Jane Doe", 90)
		require.NoError(t, err)
		require.Len(t, hits, 1)
		require.Equal(t, []string{"04 Mar 1962"}, hits[0].Births)
		require.Equal(t, c.numbers, hits[0].Numbers)
		require.Equal(t, c.places, hits[0].Places)
	}
}
