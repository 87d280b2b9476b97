package config

import "slices"

// Whether a chain's coins and tokens are worth anything follows from its number (EIP-155). Chains that stand in none of
// these lists say it themselves, by network.testnet.

// developmentChains are numbers of chains on developers' machines.
func developmentChains() []uint64 { return []uint64{1337, 31337} }

// testChains are public networks for tests.
func testChains() []uint64 {
	return []uint64{
		5,         // Goerli
		97,        // BNB Smart Chain Testnet
		300,       // ZKsync Sepolia
		1287,      // Moonbase Alpha
		1301,      // Unichain Sepolia
		4801,      // World Chain Sepolia
		5003,      // Mantle Sepolia
		10200,     // Gnosis Chiado
		17000,     // Holesky
		43113,     // Avalanche Fuji
		44787,     // Celo Alfajores
		59141,     // Linea Sepolia
		80002,     // Polygon Amoy
		84532,     // Base Sepolia
		421614,    // Arbitrum Sepolia
		534351,    // Scroll Sepolia
		560048,    // Hoodi
		11155111,  // Sepolia
		11155420,  // OP Sepolia
		168587773, // Blast Sepolia
	}
}

// valuedChains are networks whose coins are bought and sold.
func valuedChains() []uint64 {
	return []uint64{
		1,       // Ethereum
		10,      // OP Mainnet
		25,      // Cronos
		56,      // BNB Smart Chain
		100,     // Gnosis
		130,     // Unichain
		137,     // Polygon
		146,     // Sonic
		250,     // Fantom
		324,     // ZKsync Era
		480,     // World Chain
		1101,    // Polygon zkEVM
		1284,    // Moonbeam
		1868,    // Soneium
		5000,    // Mantle
		8453,    // Base
		34443,   // Mode
		42161,   // Arbitrum One
		42170,   // Arbitrum Nova
		42220,   // Celo
		43114,   // Avalanche
		57073,   // Ink
		59144,   // Linea
		80094,   // Berachain
		81457,   // Blast
		534352,  // Scroll
		7777777, // Zora
	}
}

// IsTestnet reports whether what is on the network has no worth: by its number, or because the configuration says so of
// a number that is not known.
func (n Network) IsTestnet() bool {
	known := slices.Contains(testChains(), n.ChainID) || slices.Contains(developmentChains(), n.ChainID)
	return known || n.Testnet && !slices.Contains(valuedChains(), n.ChainID)
}

// checkWorth reports a network that does not fit what the deployment is for.
func (k *checker) checkWorth(mode Mode, n Network) {
	key := networkKey + "." + n.ID

	switch {
	case n.Testnet && slices.Contains(valuedChains(), n.ChainID):
		k.report("%s.testnet: chain %d is no network for tests: its tokens are worth money", key, n.ChainID)
	case mode.RealMoney() && slices.Contains(developmentChains(), n.ChainID):
		k.report("%s: chain %d is a development chain", key, n.ChainID)
	case mode.RealMoney() && n.IsTestnet():
		k.report("%s: chain %d is a network for tests: its tokens are worth nothing", key, n.ChainID)
	case mode.RealMoney() || n.IsTestnet():
	case slices.Contains(valuedChains(), n.ChainID):
		k.report("%s: chain %d is no network for tests: its tokens are worth money", key, n.ChainID)
	default:
		k.report("%s: chain %d is not known: set testnet = true if its tokens are worth nothing", key, n.ChainID)
	}
}
