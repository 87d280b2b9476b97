//go:build !nosandbox && !noconsole

package console_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/platform/browsertest"
)

// types are the annotations of money.ts. Without them it is JavaScript.
var types = regexp.MustCompile(`: (\[bigint, bigint\]|(string|number|bigint)(\[\])?( \| (null|undefined))*)`)

// TestMoneyIsWrittenAsTheServiceWritesIt runs the console's money in a browser, and compares what it writes, adds up
// and orders with the service's, for amounts of every size and number of decimals.
func TestMoneyIsWrittenAsTheServiceWritesIt(t *testing.T) {
	source, err := os.ReadFile("../../../console/src/lib/money.ts")
	require.NoError(t, err)

	script := strings.ReplaceAll(types.ReplaceAllString(string(source), ""), "export function", "function")
	dice := rand.New(rand.NewPCG(1, 2))

	type row struct {
		A       string `json:"a"`
		B       string `json:"b"`
		Grouped string `json:"grouped"`
		Sum     string `json:"sum"`
		Order   int    `json:"order"`
	}

	var rows []row

	for range 2000 {
		decimals := dice.IntN(19)
		a := units(dice)
		b := units(dice)
		text := money.Format(a, decimals)
		_, fraction, _ := strings.Cut(text, ".")
		rows = append(rows, row{
			A:       text,
			B:       money.Format(b, decimals),
			Grouped: strings.Replace(money.Grouped(text), "-", "−", 1),
			Sum: new(
				big.Rat,
			).SetFrac(
				new(big.Int).Add(a, b),
				power(decimals),
			).FloatString(
				max(len(fraction), places(money.Format(b, decimals))),
			),
			Order: a.Cmp(b),
		})
	}

	table, err := json.Marshal(rows)
	require.NoError(t, err)

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open("about:blank")
	require.True(t, p.Holds(fmt.Sprintf(`(() => {
		%s
		const wrong = %s.filter(r => grouped(r.a) !== r.grouped || sum([r.a, r.b]) !== r.sum
			|| Math.sign(compare(r.a, r.b)) !== r.order || !r.a.startsWith('-') && plain(grouped(r.a)) !== r.a);
		document.body.innerText = wrong.slice(0, 5).map(r => JSON.stringify([r, grouped(r.a), sum([r.a, r.b])])).join('\n');
		return true;
	})()`, script, table)))
	require.Empty(t, p.Text("body"))
}

// units are of any size up to 30 digits, of either sign.
func units(dice *rand.Rand) *big.Int {
	n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(dice.IntN(30))), nil)
	n.Mul(n, big.NewInt(dice.Int64N(2000)-1000))

	return n.Add(n, big.NewInt(dice.Int64N(100)))
}

func power(decimals int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
}

func places(amount string) int {
	_, fraction, _ := strings.Cut(amount, ".")
	return len(fraction)
}
