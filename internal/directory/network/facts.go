package network

import (
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
)

// DataFee is how a chain charges for a transaction's data on Ethereum.
type DataFee string

// The ways that the known chains have.
const (
	NoDataFee    DataFee = ""       // it has no chain below it
	DataInGas    DataFee = "gas"    // the node's estimate contains it, as gas (Arbitrum)
	DataByOracle DataFee = "oracle" // it is taken besides the gas; a contract of the chain tells how much (OP stack)
)

// GasPriceOracle is the contract that tells the data fee, at the same address on every chain of the OP stack.
const GasPriceOracle = "0x420000000000000000000000000000000000000F"

// Facts are what is known of a public chain by its number (EIP-155), whoever uses it.
type Facts struct {
	Name, Coin, Prefix, Explorer string
	Testnet                      bool
	Finality                     Finality
	FinalityReason               string
	BlockTime, StuckAfter        time.Duration
	Tokens                       []Token // by the codes of the directory
	LookAlikes                   []Token // other contracts that people take for those
	Data                         DataFee
	LeastTipWei                  int64             // what nodes take per gas at least besides the base fee
	Feeds                        map[string]string // Chainlink's proxies by pair
	SequencerFeed                string            // Chainlink's, of a rollup; "" for none
}

// FactsOf returns what is known of a chain; false for one that is not known.
func FactsOf(chainID int64) (Facts, bool) {
	i := slices.IndexFunc(seeds(), func(s seed) bool { return s.chain == chainID })
	if i < 0 || chainID == 0 {
		return Facts{}, false
	}

	s := seeds()[i]
	feeds, sequencer := feedsOf(chainID)

	return Facts{
		Name:           s.name,
		Coin:           s.coin,
		Prefix:         s.prefix,
		Explorer:       s.explorer,
		Testnet:        s.testnet,
		Finality:       Finality{Tag: s.tag, Depth: s.depth},
		FinalityReason: finalityReason(s.data, chainID),
		BlockTime:      s.block,
		StuckAfter:     s.stuck,
		Tokens:         s.tokens,
		LookAlikes:     s.others,
		Data:           s.data,
		LeastTipWei:    leastTip(chainID),
		Feeds:          feeds,
		SequencerFeed:  sequencer,
	}, true
}

// finalityReason returns why the tag finalized is the rule of a chain.
func finalityReason(data DataFee, chainID int64) string {
	switch {
	case data != NoDataFee:
		return "a block of the rollup is final once the Ethereum block with its data is: a quarter of an hour. Before, " +
			"the sequencer alone vouches for it"
	case chainID == 137 || chainID == 80002:
		return "a milestone of the validators makes a block final within seconds (Heimdall)"
	case chainID == 56 || chainID == 97:
		return "two thirds of the validators have voted for it and for its child (fast finality, BEP-126)"
	default:
		return "two thirds of the stake have attested two epochs on top of it"
	}
}

// leastTip returns the rule of a chain's nodes about the priority fee. A node may suggest less than it then takes: its
// suggestion follows the blocks, in which validators put cheaper transactions of their own.
func leastTip(chainID int64) int64 {
	const gwei = 1_000_000_000

	switch chainID {
	case 137, 80002:
		return 25 * gwei // PIP-35, enforced by Bor's pool
	case 56:
		return gwei / 20 // there is no base fee: the tip is the price
	case 97:
		return gwei / 10
	default:
		return 0
	}
}

// The gas rules of Ethereum, by fork, as far as a router has to know them: the gas of its legs is fixed at deployment.
// The chains that follow Ethereum take its forks over sooner or later, so what holds for the next one holds for all of
// them.
const (
	NextFork = "Amsterdam"

	// NextForkLegGas is the most that a known token takes for a leg to a new holder under the rules of NextFork, which
	// make new storage dearer (USDC, measured in docs/reference/gas.md).
	NextForkLegGas = 160_000
)

// feedsOf returns Chainlink's proxies of dollar prices on a chain, and its uptime feed if it is a rollup.
func feedsOf(chainID int64) (feeds map[string]string, sequencer string) {
	pairs := func(usdc, usdt, dai string) map[string]string {
		return map[string]string{"USDC/USD": usdc, "USDT/USD": usdt, "DAI/USD": dai}
	}

	switch chainID {
	case 1:
		return pairs(
			"0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6",
			"0x3E7d1eAB13ad0104d2750B8863b489D65364e32D",
			"0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9",
		), ""
	case 10:
		return pairs(
			"0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3",
			"0xECef79E109e997bCA29c1c0897ec9d7b03647F5E",
			"0x8dBa75e83DA73cc766A7e5a0ee71F656BAb470d6",
		), "0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389"
	case 56:
		return pairs(
			"0x51597f405303C4377E36123cBc172b13269EA163",
			"0xB97Ad0E74fa7d920791E90258A6E2085088b4320",
			"0x132d3C0B1D2cEa0BC552588063bdBb210FDeecfA",
		), ""
	case 100:
		return pairs(
			"0x26C31ac71010aF62E6B486D1132E266D6298857D",
			"0x68811D7DF835B1c33e6EEae8E7C141eF48d48cc7",
			"0x678df3415fc31947dA4324eC63212874be5a82f8",
		), ""
	case 137:
		return pairs(
			"0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7",
			"0x0A6513e40db6EB1b165753AD52E80663aeA50545",
			"0x4746DeC9e833A82EC7C2C1356372CcF2cfcD2F3D",
		), ""
	case 8453:
		return pairs(
			"0x7e860098F58bBFC8648a4311b374B1D669a2bc6B",
			"0xf19d560eB8d2ADf07BD6D13ed03e1D11215721F9",
			"0x591e79239a7d679378eC8c847e5038150364C78F",
		), "0xBCF85224fc0756B9Fa45aA7892530B47e10b6433"
	case 42161:
		return pairs(
			"0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3",
			"0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7",
			"0xc5C8E77B397E531B8EC06BFb0048328B30E9eCfB",
		), "0xFdB631F5EE196F0ed6FAa767959853A9F217697D"
	}

	return nil, ""
}

// fillIn returns a new network of a known chain with what is known of it.
func (n Network) fillIn(f Facts) Network {
	n.Explorer = f.Explorer
	n.Testnet = f.Testnet
	n.NativeToken = f.Coin
	n.MultisigPrefix = f.Prefix
	n.Finality = f.Finality
	n.BlockTime = f.BlockTime
	n.StuckAfter = f.StuckAfter

	return n
}

// checkFacts notes what a network says of its chain that is known to be otherwise.
func (n Network) checkFacts(l *fault.List) {
	f, known := FactsOf(n.ChainID)
	if !known {
		return
	}

	if n.NativeToken != f.Coin {
		l.Add("/nativeCurrency", fault.NotAllowed, "is %s on chain %d (%s).", f.Coin, n.ChainID, f.Name)
	}

	if n.Testnet != f.Testnet {
		l.Add("/isTestnet", fault.NotAllowed, "is %t: chain %d is %s.", f.Testnet, n.ChainID, f.Name)
	}
}

// checkFacts refuses a contract of a known chain that is another token's, or a token with other decimals than it has.
func (t Token) checkFacts(chainID int64) error {
	f, _ := FactsOf(chainID)

	var l fault.List

	for _, other := range f.LookAlikes {
		if strings.EqualFold(other.Address, t.Address) {
			l.Add("/address", fault.NotAllowed, "is %s on %s, which is another token.", other.Code, f.Name)
		}
	}

	for _, known := range f.Tokens {
		switch same := strings.EqualFold(known.Address, t.Address); {
		case same && known.Code != t.Code:
			l.Add("/address", fault.NotAllowed, "is %s on %s.", known.Code, f.Name)
		case same && known.Decimals != t.Decimals:
			l.Add("/decimals", fault.NotAllowed, "is %d on %s.", known.Decimals, f.Name)
		}
	}

	return l.Err()
}
