package fault

// Networks, receivers, wallets.
const (
	NetworkUnknown        Code = "NETWORK_UNKNOWN"
	NetworkTypeUnsupp     Code = "NETWORK_TYPE_UNSUPPORTED"
	NetworkInUse          Code = "NETWORK_IN_USE"
	NetworkFixed          Code = "NETWORK_FIELD_FIXED"
	NetworkConfigured     Code = "NETWORK_FIELD_CONFIGURED"
	NetworkNoNode         Code = "NETWORK_WITHOUT_NODE"
	TokenNoContract       Code = "TOKEN_WITHOUT_CONTRACT"
	TokenDecimals         Code = "TOKEN_DECIMALS_DIFFER"
	TokenSymbol           Code = "TOKEN_SYMBOL_DIFFERS"
	TreasuryIsWallet      Code = "TREASURY_IS_WALLET"
	NetworkAmbiguous      Code = "NETWORK_AMBIGUOUS"
	CountryUnknown        Code = "COUNTRY_UNKNOWN"
	ReceiverUnknown       Code = "RECEIVER_UNKNOWN"
	ReceiverSelf          Code = "RECEIVER_IS_SELF"
	AddressInvalid        Code = "ADDRESS_INVALID"
	AddressChecksum       Code = "ADDRESS_CHECKSUM"
	AddressForbidden      Code = "ADDRESS_FORBIDDEN"
	AddressLooksAlike     Code = "ADDRESS_LOOKS_ALIKE"
	AddressNew            Code = "ADDRESS_NEW"
	AddressContract       Code = "ADDRESS_CONTRACT"
	WalletUnknown         Code = "WALLET_UNKNOWN"
	WalletDuplicate       Code = "WALLET_DUPLICATE"
	WalletNotVerified     Code = "WALLET_NOT_VERIFIED"
	WalletNotScreened     Code = "WALLET_NOT_SCREENED"
	ScreeningRejected     Code = "WALLET_SCREENING_REJECTED"
	SignatureMismatch     Code = "SIGNATURE_MISMATCH"
	SignatureMalformed    Code = "SIGNATURE_MALFORMED"
	SignatureUnsupported  Code = "SIGNATURE_UNSUPPORTED"
	ChallengeMismatch     Code = "CHALLENGE_MISMATCH"
	ChallengeExpired      Code = "CHALLENGE_EXPIRED"
	OwnershipMessageRules Code = "OWNERSHIP_MESSAGE_INVALID"
	WalletVerified        Code = "WALLET_ALREADY_VERIFIED"
	WalletNotInReview     Code = "WALLET_NOT_IN_REVIEW"
	WalletTypeWrong       Code = "WALLET_TYPE_WRONG"
	AddressOtherChain     Code = "ADDRESS_OTHER_CHAIN"
	SafeUnknown           Code = "SAFE_UNKNOWN"
	SafeSignature         Code = "SAFE_SIGNATURE_INVALID"
	SafeNotOwner          Code = "SAFE_NOT_OWNER"
	SafeNonceUsed         Code = "SAFE_NONCE_USED"
)

var directoryCodes = map[Code]string{
	NetworkUnknown:    "There is no such network, or it is not offered to you.",
	NetworkTypeUnsupp: "The network type has no driver; `evm` has.",
	NetworkInUse:      "The network still has open transactions.",
	TreasuryIsWallet: "The address is the stored wallet of an organisation, from which deliveries would be " +
		"taken: it cannot be the treasury.",
	NetworkFixed:      "A live network's chain id and contracts do not change; add another network.",
	NetworkConfigured: "The field of this network is decided by the deployment's configuration: change it there.",
	NetworkNoNode: "The network has no node that can be asked about a contract: give it a `chainId`, and `rpcUrl` or " +
		"`internalRpcUrl`.",
	TokenNoContract:  "There is no contract at the address on this network.",
	TokenDecimals:    "The contract tells other decimals: an amount in the wrong unit is a thousandfold payment.",
	TokenSymbol:      "The contract tells another symbol: it is another token.",
	NetworkAmbiguous: "The wallet is stored on several networks; name one in `network`.",
	CountryUnknown:   "The country code is not one of ISO 3166-1 alpha-2.",
	ReceiverUnknown:  "There is no such receiver, or it is deleted.",
	ReceiverSelf:     "The organisation's own receiver cannot be changed or deleted in this way.",
	AddressInvalid:   "The address is not 0x and 40 hexadecimal digits.",
	AddressChecksum: "The address mixes upper and lower case in another way than its checksum (EIP-55): a " +
		"letter is mistyped.",
	AddressLooksAlike: "The address begins and ends like that of a wallet that is known, and is another one. " +
		"It is a warning: compare all of it.",
	AddressNew: "Nothing was paid to the address for this receiver before. It is a warning: compare all of it.",
	AddressContract: "The address is another sort than the payment says: there is a contract at it, or there is " +
		"none. It is a warning.",
	AddressForbidden: "Tokens sent to this address would be lost or come back: the zero address, a " +
		"precompile, a token, or a contract of the platform.",
	AddressOtherChain: "The address names a chain (EIP-3770) that is not the network's.",
	WalletTypeWrong:   "An address with a key and a delegate (EIP-7702) is an EOA, not a MULTISIG.",
	SafeUnknown:       "There is no Safe of published code at the wallet's address.",
	SafeSignature:     "The confirmation is no signature of an owner over the hash, in one of the four forms of Safe.",
	SafeNotOwner:      "The confirmation is not of an owner that the Safe has now.",
	SafeNonceUsed:     "The Safe has carried out another transaction with this nonce: this one cannot be any more.",
	WalletUnknown:     "There is no such wallet, or it is deleted.",
	WalletDuplicate:   "The receiver already has this address on this network.",
	WalletNotVerified: "The wallet's ownership has not been proven by signature.",
	WalletNotScreened: "The wallet has not passed screening.",
	ScreeningRejected: "Screening rejected the address.",
	SignatureMismatch: "The signature was not made with the wallet's key over the given message.",
	SignatureMalformed: "The signature is not 65 bytes of hexadecimal with a low s (EIP-2), nor a contract " +
		"signature.",
	SignatureUnsupported:  "Signatures of wallets that are not deployed yet (ERC-6492) are not accepted.",
	ChallengeMismatch:     "The message is not the one that was given out for this wallet, byte for byte.",
	ChallengeExpired:      "The message to sign has expired; ask for a new one.",
	OwnershipMessageRules: "`ownershipMessage` may be at most 200 printable ASCII characters on one line.",
	WalletVerified:        "The wallet's ownership is proven already; there is nothing to sign.",
	WalletNotInReview:     "Screening of the wallet does not wait for a person's decision.",
}
