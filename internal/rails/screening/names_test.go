package screening_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/screening"
)

// published is a small list in the Treasury's form, with names of nobody: three files that tell of the same parties.
func published(t *testing.T) *screening.Lists {
	t.Helper()
	cut := "Gender Male; " + strings.Repeat(
		"Website example.org; ",
		50,
	) + "Digital Currency Address - ETH 0x901bb9583b24d97e99"
	p, err := screening.NewLists(
		file(
			t,
			"SDN.CSV",
			`101,"BOROVKIN, Dmitriy Yuryevich","individual","CYBER2] [SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"`+cut+`"`+"\r\n"+
				`102,"ZELENOGRAD MACHINE WORKS JSC",-0- ,"RUSSIA-EO14024",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"Organization Established Date 1998; a.k.a. 'ZMW'."`+"\r\n"+
				`103,"BLUE HERON","vessel","IRAN",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"IMO 1."`+"\r\n"+
				`104,"MÜLLER-ŠIMIĆ, José Łukasz","individual","SDNT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"POB Belize."`+"\r\n\x1a",
		),
		file(
			t,
			"ALT.CSV",
			`101,1,"aka","BOROVKINE, Dimitri",-0- `+"\r\n"+`102,2,"fka","ZELENOGRAD PRECISION TRADING COMPANY",-0- `+"\r\n\x1a",
		),
		file(t, "ADD.CSV", `101,1,"1 Main Street","Minsk","Belarus",-0- `+"\r\n\x1a"),
		file(t, "SDN_COMMENTS.CSV", `101,"5513c6778dc6888ab6870e; Passport 7."`+"\r\n\x1a"),
		file(t, "own.txt", "name: Ümit Ökçün Ticaret A.Ş. # our own\n0x03893a7c7463AE47D46bc7f091665f1893656003\n"),
	)
	require.NoError(t, err)

	return p
}

func best(t *testing.T, p screening.Names, name string) (screening.Hit, bool) {
	t.Helper()
	hits, err := p.Match(name, 85)
	require.NoError(t, err)

	if len(hits) == 0 {
		return screening.Hit{}, false
	}

	return hits[0], true
}

// Whoever is listed is found in another order, alphabet and spelling, without a middle name and under each alias;
// with an explanation.
func TestNamesAreFoundInOtherSpellings(t *testing.T) {
	p := published(t)
	for name, entry := range map[string]string{
		"Dmitriy Yuryevich Borovkin":             "101",
		"BOROVKIN Dmitriy":                       "101",
		"Dmitry Borovkin":                        "101",
		"Dimitri Borovkine":                      "101",
		"Боровкин Дмитрий Юрьевич":               "101",
		"Zelenograd Machine Works":               "102",
		"JSC «Zelenograd Machine Works»":         "102",
		"Zelenograd Machin Works LLC":            "102",
		"Zelenograd Precision Trading Co., Ltd.": "102",
		"Z.M.W.":                                 "102",
		"Jose Lukasz Muller-Simic":               "104",
		"Umit Okcun Ticaret AS":                  "own",
	} {
		t.Run(name, func(t *testing.T) {
			hit, found := best(t, p, name)
			require.True(t, found)
			require.Equal(t, entry, hit.Entry)
			require.Contains(t, hit.Why, "of 100: in both: ")
		})
	}

	for name, score := range map[string]int{"Dmitriy Yuryevich Borovkin": 100, "Machine Works, Zelenograd JSC": 100} {
		t.Run(name, func(t *testing.T) {
			hit, _ := best(t, p, name)
			require.Equal(t, score, hit.Score)
		})
	}

	hit, _ := best(t, p, "Dmitry Borovkin")
	require.Less(t, hit.Score, 100)
	require.Equal(t, []string{"CYBER2", "SDGT"}, hit.Programs)
	require.Equal(t, []string{"Belarus"}, hit.Countries)
	require.Equal(t, "SDN.CSV", hit.List)
	weak, _ := best(t, p, "ZMW")
	require.True(t, weak.Weak)
	require.Contains(t, weak.Why, "weak alias")
}

func TestOtherNamesAreNotFound(t *testing.T) {
	p := published(t)

	for _, name := range []string{
		"", "  ", "Blue Heron", "Dmitriy", "Dmitriy Petrov", "Yuryevich", "Precision Trading Company", "Machine Works Bern AG", "José Müller", "Acme Ltd", "GmbH & Co. KG", "ZMX",
		strings.Repeat("Dmitriy ", 200), strings.Repeat("x", 5000),
	} {
		hit, found := best(t, p, name)
		require.False(t, found, "%s: %s", name, hit.Why)
	}
}

// What one file breaks off and another goes on with is one address.
func TestRemarksGoOnInAnotherFile(t *testing.T) {
	p := published(t)
	require.Zero(t, p.Cut())
	require.Equal(t, screening.Rejected, status(t, p, "0x901bb9583b24d97e995513c6778dc6888ab6870e"))
}

func TestSourcesSayWhatWasRead(t *testing.T) {
	path := file(
		t,
		"sdn.xml",
		`<sdnList><publshInformation><Publish_Date>05/07/2024</Publish_Date></publshInformation><sdnEntry><uid>1</uid><lastName>ACME</lastName></sdnEntry></sdnList>`,
	)

	p, err := screening.NewLists(path)
	require.NoError(t, err)

	s := p.Sources()[0]
	require.Equal(t, "sdn.xml", s.Name)
	require.Equal(t, time.Date(2024, 5, 7, 0, 0, 0, 0, time.UTC), s.Date)
	require.Equal(t, 1, s.Names)
	require.Len(t, s.Digest, 16)

	edition := p.Edition()
	require.False(t, p.Changed())

	require.NoError(
		t,
		os.WriteFile(
			path,
			[]byte(`<sdnList><sdnEntry><uid>2</uid><lastName>BETA WORKS</lastName></sdnEntry></sdnList>`),
			0o600,
		),
	)

	require.True(t, p.Changed())
	require.NoError(t, p.Reload())
	require.NotEqual(t, edition, p.Edition())
	require.False(t, p.Changed())

	hits, err := p.Match("ACME", 85)
	require.NoError(t, err)
	require.Empty(t, hits, "who was taken off a list is listed no more")
}

// A file that is replaced is read within a minute; one that is replaced by something wrong changes nothing and is
// told to the log, as is an old one, day by day.
func TestListsAreWatched(t *testing.T) {
	path := file(t, "own.txt", "name: Acme Works\n")
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Date(1999, 12, 1, 0, 0, 0, 0, time.UTC)))

	synctest.Test(t, func(t *testing.T) {
		p, err := screening.NewLists(path)
		require.NoError(t, err)

		var said strings.Builder

		ctx, stop := context.WithCancel(t.Context())
		go func() {
			_ = p.Watch(ctx, time.Now, time.Minute, 20*24*time.Hour, slog.New(slog.NewTextHandler(&said, nil)))
		}()
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, 1, strings.Count(said.String(), "list is old"), said.String())
		require.NoError(t, os.WriteFile(path, []byte("oops\n"), 0o600))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Contains(t, said.String(), "could not be read")
		require.Equal(t, 1, p.Names())
		require.NoError(t, os.WriteFile(path, []byte("name: Acme Works\nname: Beta Works\n"), 0o600))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, 2, p.Names())
		stop()
	})
}

// A name in letters that lists are not written in is not found, which says nothing: it is an error, except where it
// is listed in just these.
func TestNamesInOtherLettersAreNotApproved(t *testing.T) {
	p, err := screening.NewLists(file(t, "own.txt", "name: Acme Works\nname: 蓝鹭贸易\n"))
	require.NoError(t, err)

	for _, name := range []string{"محمد علي", "王伟", "Αφοί Παπαδόπουλοι", "Acme 王伟 Trading of the South"} {
		_, err := p.Match(name, 85)
		require.ErrorIs(t, err, screening.ErrLetters, name)
	}

	hit, found := best(t, p, "蓝鹭贸易")
	require.True(t, found)
	require.Equal(t, 100, hit.Score)

	for _, name := range []string{"Jürgen Öz", "Łukasz Ðorđević", "Мар’яна Шевченко", "Marʼyana Shevchenko", "Nguyễn Văn An", "O'Neill & Sons 24", "ﬁne ² Ⅳ"} {
		_, err := p.Match(name, 85)
		require.NoError(t, err, name)
	}
}

// A name that is like very many listed ones finds more of them than people are asked about at a time.
func TestManyHitsAreAllFound(t *testing.T) {
	var text strings.Builder
	for i := range 2 * screening.HitLimit {
		fmt.Fprintf(&text, "name: Ivan Petrov %c%c\n", 'a'+i/20, 'a'+i%20)

		if i == 11 {
			p, err := screening.NewLists(file(t, "some.txt", text.String()))
			require.NoError(t, err)
			hits, err := p.Match("Ivan Petrov", 50)
			require.NoError(t, err)
			require.Len(t, hits, 12)
		}
	}

	p, err := screening.NewLists(file(t, "own.txt", text.String()))
	require.NoError(t, err)
	hits, err := p.Match("Ivan Petrov", 50)
	require.NoError(t, err)
	require.Len(t, hits, screening.HitLimit)
}

// A file that broke off, or lost all its names, does not take the place of the one before.
func TestMostOfAListDoesNotVanishUnseen(t *testing.T) {
	addresses := ""
	for i := range 20 {
		addresses += fmt.Sprintf("0x%040x\n", i)
	}

	names := strings.Repeat("name: Acme Works\n", 20)
	whole := addresses + names
	path := file(t, "own.txt", whole)
	p, err := screening.NewLists(path)
	require.NoError(t, err)

	edition := p.Edition()
	for _, x := range []struct{ text, says string }{
		{addresses, "of 20 names only 0"},
		{addresses + names[:9*17], "of 20 names only 9"},
		{names, "of 20 addresses only 0"},
	} {
		require.NoError(t, os.WriteFile(path, []byte(x.text), 0o600))
		require.ErrorContains(t, p.Reload(), x.says)
		require.Equal(t, edition, p.Edition())
	}

	require.NoError(t, os.WriteFile(path, []byte(addresses+names[:10*17]), 0o600))
	require.NoError(t, p.Reload())
	require.NotEqual(t, edition, p.Edition())
}

func TestOracle(t *testing.T) {
	word := func(last byte) []byte { return append(make([]byte, 31), last) }

	var (
		answer  []byte
		failure error
		asked   string
	)
	o := screening.NewOracle(
		map[string]string{"net_ethereum": screening.PublishedOracle(1)},
		func(_ context.Context, network, contract string, data []byte) ([]byte, error) {
			asked = fmt.Sprintf("%s %s %x", network, contract, data)
			return answer, failure
		},
	)

	const address = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"
	for _, test := range []struct {
		answer []byte
		want   screening.Status
	}{
		{word(0), screening.Approved},
		{word(1), screening.Rejected},
		{nil, screening.Error},
		{word(2), screening.Error},
		{append(word(0), 0), screening.Error},
		{[]byte{0}, screening.Error},
		{append([]byte{1}, word(0)[1:]...), screening.Error},
	} {
		answer = test.answer
		r, err := o.Screen(t.Context(), "net_ethereum", address)
		require.NoError(t, err)
		require.Equal(t, test.want, r.Status, "%x", test.answer)
		require.Equal(t, test.want == screening.Approved, r.Message == "")
	}

	require.Equal(
		t,
		"net_ethereum 0x40C57923924B5c5c5455c48D93317139ADDaC8fb "+
			"df592f7d000000000000000000000000098b716b8aaf21512996dc57eb0615e2383e2f96",
		asked,
	)
	failure = errors.New("down")
	_, err := o.Screen(t.Context(), "net_ethereum", address)
	require.ErrorIs(t, err, failure)
	r, err := o.Screen(t.Context(), "net_ethereum", "TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre")
	require.NoError(t, err)
	require.Equal(t, screening.Error, r.Status)
	r, err = o.Screen(t.Context(), "net_gnosis", address)
	require.NoError(t, err)
	require.Equal(t, screening.Approved, r.Status, "a network without an oracle is for the lists")
	require.Empty(t, screening.PublishedOracle(100))
	require.NotEqual(t, screening.PublishedOracle(1), screening.PublishedOracle(8453))
}

// provider gives one answer.
type provider struct {
	status screening.Status
	err    error
}

func (p provider) Screen(context.Context, string, string) (screening.Result, error) {
	return screening.Result{Status: p.status, Reference: string(p.status), Message: string(p.status)}, p.err
}

func (p provider) Edition() string { return string(p.status) }

// Any hit rejects, and anything that is not known keeps the payment back: in each order.
func TestTheWorstAnswerCounts(t *testing.T) {
	approved := provider{status: screening.Approved}
	review := provider{status: screening.Review}
	rejected := provider{status: screening.Rejected}
	unclear := provider{status: screening.Error}
	odd := provider{status: "FINE"}

	down := provider{err: errors.New("down")}
	for _, test := range []struct {
		of   []screening.Provider
		want screening.Status // empty: an error
	}{
		{[]screening.Provider{approved, approved}, screening.Approved},
		{[]screening.Provider{approved, review}, screening.Review},
		{[]screening.Provider{approved, unclear}, screening.Error},
		{[]screening.Provider{review, unclear}, screening.Error},
		{[]screening.Provider{unclear, rejected}, screening.Rejected},
		{[]screening.Provider{down, rejected}, screening.Rejected},
		{[]screening.Provider{approved, down}, ""},
		{[]screening.Provider{review, down}, ""},
		{[]screening.Provider{approved, odd}, "FINE"},
		{[]screening.Provider{}, ""},
	} {
		for range 2 {
			r, err := screening.Several(test.of...).Screen(t.Context(), "n", "a")
			if test.want == "" {
				require.Error(t, err)
			} else {
				require.NoError(t, err)
				require.Equal(t, test.want, r.Status, "%v", test.of)
			}

			for i, j := 0, len(test.of)-1; i < j; i, j = i+1, j-1 {
				test.of[i], test.of[j] = test.of[j], test.of[i]
			}
		}
	}

	require.Equal(t, "APPROVED+REVIEW", screening.Several(approved, down, review).Edition())
}

// What a name costs against a list as large as the Treasury's: some 40,000 names.
func BenchmarkMatch(b *testing.B) {
	var text strings.Builder

	syllables := []string{
		"ba",
		"ko",
		"rin",
		"zel",
		"mar",
		"tov",
		"ek",
		"sha",
		"li",
		"dor",
		"an",
		"vich",
		"gul",
		"pet",
		"os",
		"hin",
	}
	for i := range 40_000 {
		n := func(k int) string { return syllables[i*k%16] + syllables[i/7*k%16] + syllables[i/(k+3)%16] }
		fmt.Fprintf(&text, "name: %s %s %s\n", n(3), n(5), n(11))
	}

	path := b.TempDir() + "/list.txt"
	require.NoError(b, os.WriteFile(path, []byte(text.String()), 0o600))
	p, err := screening.NewLists(path)
	require.NoError(b, err)

	for b.Loop() {
		_, _ = p.Match("Bakorin Zelmartov Ekshali", 85)
	}
}
