package network

import (
	"context"
	"slices"
	"time"

	"slipway/internal/platform/db"
)

// seed is a chain every deployment knows. It is not offered to clients until an operator gives it a node.
type seed struct {
	id, name, coin, prefix, explorer string
	chain                            int64
	testnet                          bool
	tag                              string
	depth                            int
	block, stuck                     time.Duration
	tokens                           []Token
	others                           []Token // contracts that are taken for those, by the name they go by
	data                             DataFee
}

// seeds returns every chain. Token contracts are from the issuers' and bridges' own lists. Where an issuer has its own
// contract beside a bridged one, it is the issuer's.
func seeds() []seed { return slices.Concat(mainChains(), rollups(), testChains()) }

// mainChains are chains with validators of their own. On BNB Smart Chain the tokens are bridged ones with 18 decimals.
// On Gnosis they are bridged, too, and its USDC is not the one that is called USDC.e there.
func mainChains() []seed {
	return []seed{
		{
			id:       "net_ethereum",
			name:     "Ethereum",
			coin:     "ETH",
			prefix:   "eth",
			explorer: "https://etherscan.io",
			chain:    1,
			tag:      "finalized",
			block:    12 * time.Second,
			stuck:    3 * time.Minute,
			tokens: []Token{
				{Code: "USDC", Address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", Decimals: 6},
				{Code: "USDT", Address: "0xdAC17F958D2ee523a2206206994597C13D831ec7", Decimals: 6},
				{Code: "DAI", Address: "0x6B175474E89094C44Da98b954EedeAC495271d0F", Decimals: 18},
			},
		},
		{
			id:       "net_polygon",
			name:     "Polygon",
			coin:     "POL",
			prefix:   "matic",
			explorer: "https://polygonscan.com",
			chain:    137,
			tag:      "finalized",
			block:    2 * time.Second,
			stuck:    time.Minute,
			others: []Token{
				{Code: "USDC.e", Address: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", Decimals: 6},
			},
			tokens: []Token{
				{Code: "USDC", Address: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", Decimals: 6},
				{Code: "USDT", Address: "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", Decimals: 6},
				{Code: "DAI", Address: "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063", Decimals: 18},
			},
		},
		{
			id:       "net_gnosis",
			name:     "Gnosis",
			coin:     "XDAI",
			prefix:   "gno",
			explorer: "https://gnosisscan.io",
			chain:    100,
			tag:      "finalized",
			block:    5 * time.Second,
			stuck:    90 * time.Second,
			others: []Token{
				{Code: "USDC.e", Address: "0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0", Decimals: 6},
				{Code: "WXDAI", Address: "0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d", Decimals: 18},
			},
			tokens: []Token{
				{Code: "USDC", Address: "0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83", Decimals: 6},
				{Code: "USDT", Address: "0x4ECaBa5870353805a9F068101A40E0f32ed605C6", Decimals: 6},
			},
		},
		{
			id:       "net_bnb",
			name:     "BNB Smart Chain",
			coin:     "BNB",
			prefix:   "bnb",
			explorer: "https://bscscan.com",
			chain:    56,
			tag:      "finalized",
			block:    750 * time.Millisecond,
			stuck:    time.Minute,
			tokens: []Token{
				{Code: "USDC", Address: "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", Decimals: 18},
				{Code: "USDT", Address: "0x55d398326f99059fF775485246999027B3197955", Decimals: 18},
				{Code: "DAI", Address: "0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3", Decimals: 18},
			},
		},
	}
}

// rollups are chains that settle on Ethereum.
func rollups() []seed {
	return []seed{
		{
			id:       "net_arbitrum",
			name:     "Arbitrum One",
			coin:     "ETH",
			prefix:   "arb1",
			explorer: "https://arbiscan.io",
			chain:    42161,
			tag:      "finalized",
			block:    250 * time.Millisecond,
			stuck:    time.Minute,
			data:     DataInGas,
			others: []Token{
				{Code: "USDC.e", Address: "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8", Decimals: 6},
			},
			tokens: []Token{
				{Code: "USDC", Address: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", Decimals: 6},
				{Code: "USDT", Address: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9", Decimals: 6},
				{Code: "DAI", Address: "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1", Decimals: 18},
			},
		},
		{
			id:       "net_base",
			name:     "Base",
			coin:     "ETH",
			prefix:   "base",
			explorer: "https://basescan.org",
			chain:    8453,
			tag:      "finalized",
			block:    2 * time.Second,
			stuck:    time.Minute,
			data:     DataByOracle,
			others: []Token{
				{Code: "USDbC", Address: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA", Decimals: 6},
			},
			tokens: []Token{
				{Code: "USDC", Address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", Decimals: 6},
				{Code: "USDT", Address: "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2", Decimals: 6},
				{Code: "DAI", Address: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", Decimals: 18},
			},
		},
		{
			id:       "net_optimism",
			name:     "OP Mainnet",
			coin:     "ETH",
			prefix:   "oeth",
			explorer: "https://optimistic.etherscan.io",
			chain:    10,
			tag:      "finalized",
			block:    2 * time.Second,
			stuck:    time.Minute,
			data:     DataByOracle,
			others: []Token{
				{Code: "USDC.e", Address: "0x7F5c764cBc14f9669B88837ca1490cCa17c31607", Decimals: 6},
				{Code: "USDT0", Address: "0x01bFF41798a0BcF287b996046Ca68b395DbC1071", Decimals: 6},
			},
			tokens: []Token{
				{Code: "USDC", Address: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", Decimals: 6},
				{Code: "USDT", Address: "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58", Decimals: 6},
				{Code: "DAI", Address: "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1", Decimals: 18},
			},
		},
	}
}

// testChains are chains whose tokens have no worth.
func testChains() []seed {
	return []seed{
		{
			id:       "net_sepolia",
			name:     "Sepolia",
			coin:     "ETH",
			prefix:   "sep",
			explorer: "https://sepolia.etherscan.io",
			chain:    11155111,
			testnet:  true,
			tag:      "finalized",
			block:    12 * time.Second,
			stuck:    3 * time.Minute,
			tokens: []Token{
				{Code: "USDC", Address: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238", Decimals: 6},
			},
		},
		{
			id:       "net_base-sepolia",
			name:     "Base Sepolia",
			coin:     "ETH",
			prefix:   "basesep",
			explorer: "https://sepolia.basescan.org",
			chain:    84532,
			testnet:  true,
			tag:      "finalized",
			block:    2 * time.Second,
			stuck:    time.Minute,
			data:     DataByOracle,
			tokens: []Token{
				{Code: "USDC", Address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", Decimals: 6},
			},
		},
		{
			id:       "net_arbitrum-sepolia",
			name:     "Arbitrum Sepolia",
			coin:     "ETH",
			prefix:   "arb-sep",
			explorer: "https://sepolia.arbiscan.io",
			chain:    421614,
			testnet:  true,
			tag:      "finalized",
			block:    250 * time.Millisecond,
			stuck:    time.Minute,
			data:     DataInGas,
			tokens: []Token{
				{Code: "USDC", Address: "0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d", Decimals: 6},
			},
		},
		{
			id:       "net_optimism-sepolia",
			name:     "OP Sepolia",
			coin:     "ETH",
			prefix:   "opsep",
			explorer: "https://sepolia-optimism.etherscan.io",
			chain:    11155420,
			testnet:  true,
			tag:      "finalized",
			block:    2 * time.Second,
			stuck:    time.Minute,
			data:     DataByOracle,
			tokens: []Token{
				{Code: "USDC", Address: "0x5fd84259d66Cd46123540766Be93DFE6D43130D7", Decimals: 6},
			},
		},
		{
			id:       "net_polygon-amoy",
			name:     "Polygon Amoy",
			coin:     "POL",
			prefix:   "polygonamoy",
			explorer: "https://amoy.polygonscan.com",
			chain:    80002,
			testnet:  true,
			tag:      "finalized",
			block:    2 * time.Second,
			stuck:    time.Minute,
			tokens: []Token{
				{Code: "USDC", Address: "0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582", Decimals: 6},
			},
		},
		{
			id:       "net_gnosis-chiado",
			name:     "Gnosis Chiado",
			coin:     "XDAI",
			prefix:   "chi",
			explorer: "https://gnosis-chiado.blockscout.com",
			chain:    10200,
			testnet:  true,
			tag:      "finalized",
			block:    5 * time.Second,
			stuck:    90 * time.Second,
		},
		{
			id:       "net_bnb-testnet",
			name:     "BNB Smart Chain Testnet",
			coin:     "BNB",
			prefix:   "bnbt",
			explorer: "https://testnet.bscscan.com",
			chain:    97,
			testnet:  true,
			tag:      "finalized",
			block:    750 * time.Millisecond,
			stuck:    time.Minute,
		},
	}
}

// Seed adds the chains every deployment knows. What is there already, changed or deleted by an operator, stays as it
// is, so that it can run at each start.
func Seed(ctx context.Context, d *db.DB) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		for _, s := range seeds() {
			n := Network{
				ID:               s.id,
				Name:             s.name,
				Type:             EVM,
				ChainID:          s.chain,
				Explorer:         s.explorer,
				Testnet:          s.testnet,
				NativeToken:      s.coin,
				Features:         []string{"C2C", "C2F", "ONRAMP", "PAYABLES", "BATCH"},
				MultisigPrefix:   s.prefix,
				ScreenOnProvider: true,
				Finality:         Finality{Tag: s.tag, Depth: s.depth},
				StuckAfter:       s.stuck,
				BlockTime:        s.block,
				Version:          1,
				CreatedAt:        tx.Now,
				UpdatedAt:        tx.Now,
			}
			networkTableOnce.Insert(tx, rowOf(n, tx.Now))

			for _, t := range s.tokens {
				tx.Insert(insertTokenOnce, s.id, t.Code, t.Address, int64(t.Decimals), "")
			}
		}

		return nil
	})
}
