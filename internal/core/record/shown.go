package record

import "time"

// Country is a Country of the interface within another record.
type Country struct {
	ID        string    `json:"_id"`
	Name      string    `json:"name"`
	Alpha2    string    `json:"isoCode3166"`
	Alpha3    string    `json:"isoCode3166_alpha3"`
	Continent string    `json:"continent"`
	Rails     []RailRef `json:"allowedPaymentRails" nullable:"false"`
	IBAN      bool      `json:"iban"`
}

// Ref returns the reference to the country.
func (c Country) Ref() CountryRef { return CountryRef{ID: c.ID, Name: c.Name, Alpha2: c.Alpha2} }

// Currency is a Currency of the interface within another record.
type Currency struct {
	ID       string    `json:"_id"`
	Name     string    `json:"name"`
	Symbol   string    `json:"symbol"`
	Code     string    `json:"isoCode"`
	Decimals int       `json:"decimals"`
	IsHidden bool      `json:"isHidden"`
	Rails    []RailRef `json:"allowedPaymentRails" nullable:"false"`
}

// TokenAddress is where a token is on a network.
type TokenAddress struct {
	Network  string `json:"network" doc:"identifier"`
	ChainID  int64  `json:"chainId"`
	Address  string `json:"address"`
	Decimals int    `json:"decimals"`
}

// Token is a Token of the interface: by itself and within another record it shows the same.
type Token struct {
	ID             string         `json:"_id"`
	Name           string         `json:"name"`
	Code           string         `json:"isoCode"`
	Logo           string         `json:"logo"`
	ERC20Address   []TokenAddress `json:"ERC20Address" nullable:"false"`
	TradableInFiat bool           `json:"tradableInFiat"`
	IsHidden       bool           `json:"isHidden"`
	OnrampEligible bool           `json:"onrampEligible"`
	Stable         bool           `json:"stable"`
}

// Ownership is a wallet's proof of ownership.
type Ownership struct {
	ApprovedAt    *time.Time `json:"approvedAt,omitempty"`
	Message       string     `json:"message,omitempty" doc:"the text to sign, exactly as it is"`
	ExpiresAt     *time.Time `json:"expiresAt,omitempty" doc:"until when the text can be signed"`
	SignedMessage string     `json:"signedMessage,omitempty" doc:"the signature"`
	Status        string     `json:"status" enum:"PENDING,VERIFIED,FAILED,EXPIRED,REVOKED"`
}

// WalletFields are a wallet's own.
type WalletFields struct {
	ID                   string     `json:"_id"`
	Address              string     `json:"address"`
	Type                 string     `json:"type" enum:"EOA,MULTISIG"`
	WalletAnalysisStatus string     `json:"walletAnalysisStatus" enum:"PENDING,IN_PROGRESS,APPROVED,REVIEW,REJECTED,ERROR,EXPIRED"`
	ScreeningAnalysisID  string     `json:"screeningAnalysisId,omitempty"`
	ScreeningErrMessage  string     `json:"screeningErrMessage,omitempty"`
	SoftDeleted          bool       `json:"softDeleted"`
	Approval             string     `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	PayableFrom          *time.Time `json:"payableFrom,omitempty" doc:"nothing is paid to it before: it is new"`
	Ownership            Ownership  `json:"ownership"`
	Version              int64      `json:"version"`
	CreatedAt            time.Time  `json:"createdAt"`
	UpdatedAt            time.Time  `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v WalletFields) Record() (id string, version int64) { return v.ID, v.Version }

// Wallet is a Wallet of the interface within another record.
type Wallet struct {
	WalletFields
	Network  Named `json:"network"`
	Receiver Ref   `json:"receiver"`
}
