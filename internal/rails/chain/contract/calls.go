package contract

import "sync"

// The bindings parse the ABI once: parsing is slow and the result never changes.
var (
	router = sync.OnceValue(NewSlipwayRouter)
	token  = sync.OnceValue(NewERC20)
	wallet = sync.OnceValue(NewERC1271)
)

// Router packs calls of the router and unpacks its results.
func Router() *SlipwayRouter { return router() }

// Token packs calls of a token (ERC-20). Do not unpack its results with it: old tokens return less than the standard
// requires.
func Token() *ERC20 { return token() }

// Wallet packs calls of a wallet contract (ERC-1271).
func Wallet() *ERC1271 { return wallet() }
