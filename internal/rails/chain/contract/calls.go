package contract

import "sync"

// Parsing an interface takes long, and it never changes.
var (
	router = sync.OnceValue(NewSlipwayRouter)
	token  = sync.OnceValue(NewERC20)
	wallet = sync.OnceValue(NewERC1271)
)

// Router packs calls of the router and unpacks its answers.
func Router() *SlipwayRouter { return router() }

// Token packs calls of a token (ERC-20). Its answers are not to be unpacked by it: tokens of old return less than the
// standard says.
func Token() *ERC20 { return token() }

// Wallet packs calls of a wallet that is a contract (ERC-1271).
func Wallet() *ERC1271 { return wallet() }
