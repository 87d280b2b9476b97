package network

import (
	"time"

	"slipway/internal/core/record"
	"slipway/internal/directory/refdata"
)

// Fields are a network's own. internalRpcUrl is not among them: it may hold a provider's key.
type Fields struct {
	ID               string            `json:"_id"`
	Name             string            `json:"name"`
	Type             string            `json:"type"`
	ChainID          int64             `json:"chainId,omitzero"`
	RPCURL           string            `json:"rpcUrl,omitempty"`
	WSRPCURL         string            `json:"wsRpcUrl,omitempty"`
	BlockExplorerURL string            `json:"blockExplorerUrl,omitempty"`
	IsClientVisible  bool              `json:"isClientVisible"`
	IsTestnet        bool              `json:"isTestnet"`
	Contracts        map[string]string `json:"contracts" nullable:"false"`
	Features         []string          `json:"features" nullable:"false"`
	MinTransaction   Number            `json:"minTransactionFee"`
	AMLProviderName  string            `json:"amlProviderName,omitempty"`
	ScreenOnProvider bool              `json:"screenOnScreeningProvider"`
	MultisigPrefix   string            `json:"multisigChainPrefix,omitempty"`
	WalletAddress    string            `json:"walletAddress,omitempty"`
	Finality         Finality          `json:"finality" doc:"when a block counts"`
	MaxFeePerGasWei  string            `json:"maxFeePerGasWei,omitempty"`
	StuckAfter       int64             `json:"stuckAfterSeconds"`
	BlockTime        int64             `json:"blockTime" doc:"milliseconds between blocks"`
	PendingApproval  string            `json:"pendingApproval,omitempty" doc:"for the platform's people: identifier of the approval that a change waits for"`
	Version          int64             `json:"version"`
	CreatedAt        time.Time         `json:"createdAt"`
	UpdatedAt        time.Time         `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v Fields) Record() (id string, version int64) { return v.ID, v.Version }

// View is a Network of the interface.
type View struct {
	Fields
	NativeCurrency *refdata.TokenView `json:"nativeCurrency"`
}

// Embedded is a Network of the interface within another record.
type Embedded struct {
	Fields
	NativeCurrency *record.Coded `json:"nativeCurrency"`
}

// ViewOf returns the interface's form.
func ViewOf(n Network) View {
	v := View{Fields: fieldsOf(n)}
	if t, ok := refdata.All().Token(n.NativeToken); ok {
		native := t.View(nil) // it has no contract
		v.NativeCurrency = &native
	}

	return v
}

// Embed returns the interface's form within another record.
func Embed(n Network) Embedded {
	v := Embedded{Fields: fieldsOf(n)}
	if t, ok := refdata.All().Token(n.NativeToken); ok {
		native := t.Ref()
		v.NativeCurrency = &native
	}

	return v
}

func fieldsOf(n Network) Fields {
	v := Fields{
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

	return v
}
