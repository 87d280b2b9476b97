package network

import (
	"time"

	"slipway/internal/directory/refdata"
)

// View is a Network of the interface. internalRpcUrl is not in it: it may hold a provider's key.
type View struct {
	ID               string             `json:"_id"`
	Name             string             `json:"name"`
	Type             string             `json:"type"`
	ChainID          int64              `json:"chainId,omitzero"`
	RPCURL           string             `json:"rpcUrl,omitempty"`
	WSRPCURL         string             `json:"wsRpcUrl,omitempty"`
	BlockExplorerURL string             `json:"blockExplorerUrl,omitempty"`
	IsClientVisible  bool               `json:"isClientVisible"`
	IsTestnet        bool               `json:"isTestnet"`
	Contracts        map[string]string  `json:"contracts" nullable:"false"`
	NativeCurrency   *refdata.TokenView `json:"nativeCurrency,omitempty"`
	Features         []string           `json:"features" nullable:"false"`
	MinTransaction   Number             `json:"minTransactionFee"`
	AMLProviderName  string             `json:"amlProviderName,omitempty"`
	ScreenOnProvider bool               `json:"screenOnScreeningProvider"`
	MultisigPrefix   string             `json:"multisigChainPrefix,omitempty"`
	WalletAddress    string             `json:"walletAddress,omitempty"`
	Finality         Finality           `json:"finality" doc:"when a block counts"`
	MaxFeePerGasWei  string             `json:"maxFeePerGasWei,omitempty"`
	StuckAfter       int64              `json:"stuckAfterSeconds"`
	BlockTime        int64              `json:"blockTime" doc:"milliseconds between blocks"`
	PendingApproval  string             `json:"pendingApproval,omitempty" doc:"for the platform's people: identifier of the approval that a change waits for"`
	Version          int64              `json:"version"`
	CreatedAt        time.Time          `json:"createdAt"`
	UpdatedAt        time.Time          `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// ViewOf returns the interface's form.
func ViewOf(n Network) View {
	v := View{
		ID:               n.ID,
		Name:             n.Name,
		Type:             n.Type,
		ChainID:          n.ChainID,
		RPCURL:           n.RPCURL,
		WSRPCURL:         n.WSRPCURL,
		BlockExplorerURL: n.Explorer,
		IsClientVisible:  n.ClientVisible,
		IsTestnet:        n.Testnet,
		Contracts:        n.Contracts,
		Features:         n.Features,
		MinTransaction:   Number(n.MinTransactionFee),
		AMLProviderName:  n.AMLProvider,
		ScreenOnProvider: n.ScreenOnProvider,
		MultisigPrefix:   n.MultisigPrefix,
		WalletAddress:    n.WalletAddress,
		Finality:         n.Finality,
		MaxFeePerGasWei:  n.MaxFeePerGasWei,
		StuckAfter:       int64(n.StuckAfter / time.Second),
		BlockTime:        n.BlockTime.Milliseconds(),
		Version:          n.Version,
		CreatedAt:        n.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:        n.UpdatedAt.Truncate(time.Millisecond),
	}

	if v.Contracts == nil {
		v.Contracts = map[string]string{}
	}

	if v.Features == nil {
		v.Features = []string{}
	}

	if t, ok := refdata.All().Token(n.NativeToken); ok {
		native := t.View(nil)
		v.NativeCurrency = &native
	}

	return v
}
