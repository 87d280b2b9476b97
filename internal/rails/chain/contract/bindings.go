// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package contract

import (
	"bytes"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// ERC1271MetaData contains all meta data concerning the ERC1271 contract.
var ERC1271MetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"hash\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"isValidSignature\",\"outputs\":[{\"internalType\":\"bytes4\",\"name\":\"\",\"type\":\"bytes4\"}],\"stateMutability\":\"view\",\"type\":\"function\"}]",
	ID:  "0dd40ef5b7d4518b79412abb0a28da4792",
}

// ERC1271 is an auto generated Go binding around an Ethereum contract.
type ERC1271 struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *ERC1271) GetABI() abi.ABI {
	return c.abi
}

// NewERC1271 creates a new instance of ERC1271.
func NewERC1271() *ERC1271 {
	parsed, err := ERC1271MetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &ERC1271{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *ERC1271) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackIsValidSignature is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1626ba7e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isValidSignature(bytes32 hash, bytes signature) view returns(bytes4)
func (eRC1271 *ERC1271) PackIsValidSignature(hash [32]byte, signature []byte) []byte {
	enc, err := eRC1271.abi.Pack("isValidSignature", hash, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsValidSignature is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1626ba7e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isValidSignature(bytes32 hash, bytes signature) view returns(bytes4)
func (eRC1271 *ERC1271) TryPackIsValidSignature(hash [32]byte, signature []byte) ([]byte, error) {
	return eRC1271.abi.Pack("isValidSignature", hash, signature)
}

// UnpackIsValidSignature is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1626ba7e.
//
// Solidity: function isValidSignature(bytes32 hash, bytes signature) view returns(bytes4)
func (eRC1271 *ERC1271) UnpackIsValidSignature(data []byte) ([4]byte, error) {
	out, err := eRC1271.abi.Unpack("isValidSignature", data)
	if err != nil {
		return *new([4]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([4]byte)).(*[4]byte)
	return out0, nil
}

// ERC20MetaData contains all meta data concerning the ERC20 contract.
var ERC20MetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"decimals\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "dd0cf82415ff484199c4815111ff28781f",
}

// ERC20 is an auto generated Go binding around an Ethereum contract.
type ERC20 struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *ERC20) GetABI() abi.ABI {
	return c.abi
}

// NewERC20 creates a new instance of ERC20.
func NewERC20() *ERC20 {
	parsed, err := ERC20MetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &ERC20{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *ERC20) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (eRC20 *ERC20) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := eRC20.abi.Pack("allowance", owner, spender)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (eRC20 *ERC20) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return eRC20.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (eRC20 *ERC20) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := eRC20.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (eRC20 *ERC20) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := eRC20.abi.Pack("approve", spender, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (eRC20 *ERC20) TryPackApprove(spender common.Address, value *big.Int) ([]byte, error) {
	return eRC20.abi.Pack("approve", spender, value)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (eRC20 *ERC20) UnpackApprove(data []byte) (bool, error) {
	out, err := eRC20.abi.Unpack("approve", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (eRC20 *ERC20) PackBalanceOf(account common.Address) []byte {
	enc, err := eRC20.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (eRC20 *ERC20) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return eRC20.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (eRC20 *ERC20) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := eRC20.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decimals() pure returns(uint8)
func (eRC20 *ERC20) PackDecimals() []byte {
	enc, err := eRC20.abi.Pack("decimals")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function decimals() pure returns(uint8)
func (eRC20 *ERC20) TryPackDecimals() ([]byte, error) {
	return eRC20.abi.Pack("decimals")
}

// UnpackDecimals is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x313ce567.
//
// Solidity: function decimals() pure returns(uint8)
func (eRC20 *ERC20) UnpackDecimals(data []byte) (uint8, error) {
	out, err := eRC20.abi.Unpack("decimals", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (eRC20 *ERC20) PackTransferFrom(from common.Address, to common.Address, value *big.Int) []byte {
	enc, err := eRC20.abi.Pack("transferFrom", from, to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (eRC20 *ERC20) TryPackTransferFrom(from common.Address, to common.Address, value *big.Int) ([]byte, error) {
	return eRC20.abi.Pack("transferFrom", from, to, value)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 value) returns(bool)
func (eRC20 *ERC20) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := eRC20.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// SlipwayRouterMetaData contains all meta data concerning the SlipwayRouter contract.
var SlipwayRouterMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"operator_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"guardian_\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"legGas_\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"AuthorizationRefused\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"gasPerLeg\",\"type\":\"uint256\"}],\"name\":\"BadLegGas\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"length\",\"type\":\"uint256\"}],\"name\":\"BadLegs\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"number\",\"type\":\"uint256\"}],\"name\":\"BatchAlreadyExecuted\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"limit\",\"type\":\"uint256\"}],\"name\":\"CapTooLarge\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"left\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"wanted\",\"type\":\"uint256\"}],\"name\":\"DailyCapExceeded\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"GiveBackRefused\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"}],\"name\":\"IntentExpired\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"}],\"name\":\"IntentSignatureInvalid\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"InvalidShortString\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"index\",\"type\":\"uint256\"}],\"name\":\"LegGasTooLow\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"left\",\"type\":\"uint256\"}],\"name\":\"NotDelivered\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotGuardian\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotOperator\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"OwnableInvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnableUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"PayeeIsRouter\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"PermitRefused\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"wanted\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"arrived\",\"type\":\"uint256\"}],\"name\":\"PullNotExact\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ReentrancyGuardReentrantCall\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"RenounceDisabled\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"RouterPaused\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"}],\"name\":\"SignedIntentRequired\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"string\",\"name\":\"str\",\"type\":\"string\"}],\"name\":\"StringTooLong\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"TokenHasNoCode\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"TransferNotConfirmed\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"failed\",\"type\":\"uint256\"}],\"name\":\"BatchExecuted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"limit\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"from\",\"type\":\"uint256\"}],\"name\":\"DailyCapScheduled\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"limit\",\"type\":\"uint256\"}],\"name\":\"DailyCapSet\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[],\"name\":\"EIP712DomainChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"bool\",\"name\":\"allowed\",\"type\":\"bool\"}],\"name\":\"FurtherOperatorChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"guardian\",\"type\":\"address\"}],\"name\":\"GuardianChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"index\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"bytes\",\"name\":\"reason\",\"type\":\"bytes\"}],\"name\":\"LegFailed\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"operator\",\"type\":\"address\"}],\"name\":\"OperatorChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"failed\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"bytes32\",\"name\":\"content\",\"type\":\"bytes32\"}],\"name\":\"OwnBatchExecuted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferStarted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"by\",\"type\":\"address\"}],\"name\":\"Paused\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"from\",\"type\":\"uint256\"}],\"name\":\"SignedIntentsClearScheduled\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"}],\"name\":\"SignedIntentsRequired\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"by\",\"type\":\"address\"}],\"name\":\"Unpaused\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"LOOSEN_DELAY\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"NO_CAP\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"PERMIT2\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"acceptOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"dailyCap\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"limit\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"spentToday\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"nextLimit\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"nextFrom\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"eip712Domain\",\"outputs\":[{\"internalType\":\"bytes1\",\"name\":\"fields\",\"type\":\"bytes1\"},{\"internalType\":\"string\",\"name\":\"name\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"version\",\"type\":\"string\"},{\"internalType\":\"uint256\",\"name\":\"chainId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"verifyingContract\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"salt\",\"type\":\"bytes32\"},{\"internalType\":\"uint256[]\",\"name\":\"extensions\",\"type\":\"uint256[]\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"number\",\"type\":\"uint256\"}],\"name\":\"executed\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"word\",\"type\":\"uint256\"}],\"name\":\"executedWord\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"bits\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"guardian\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"}],\"name\":\"intentDigest\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"isOperator\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"legGas\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"operator\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"number\",\"type\":\"uint256\"}],\"name\":\"ownExecuted\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pause\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"paused\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"}],\"name\":\"pay\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"}],\"name\":\"payByPull\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"}],\"name\":\"payOwn\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"payWithAuthorization\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"payWithIntent\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"permit\",\"type\":\"bytes\"},{\"internalType\":\"bytes\",\"name\":\"intent\",\"type\":\"bytes\"}],\"name\":\"payWithPermit\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"batchNumber\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"packedLegs\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"payWithPermit2\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pendingOwner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"renounceOwnership\",\"outputs\":[],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"limit\",\"type\":\"uint256\"}],\"name\":\"setDailyCap\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator_\",\"type\":\"address\"},{\"internalType\":\"bool\",\"name\":\"allowed\",\"type\":\"bool\"}],\"name\":\"setFurtherOperator\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"guardian_\",\"type\":\"address\"}],\"name\":\"setGuardian\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"operator_\",\"type\":\"address\"}],\"name\":\"setOperator\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bool\",\"name\":\"required\",\"type\":\"bool\"}],\"name\":\"setSignedIntentsOnly\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payer\",\"type\":\"address\"}],\"name\":\"signedIntentsOnly\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"required\",\"type\":\"bool\"},{\"internalType\":\"uint256\",\"name\":\"clearsAt\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"unpause\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "8939d9a07cbb76e78e3d17d1836acb5f18",
	Bin: "0x61018080604052346102b557608081613dbc803803809161002082856102b9565b8339810103126102b557610033816102f0565b90610040602082016102f0565b91606061004f604084016102f0565b92015190604051906100626040836102b9565b600782526020820166536c697077617960c81b8152604051926100866040856102b9565b60018452603160f81b60208501908152926001600160a01b031680156102a257600180546001600160a01b03199081169091555f8054918216831781556001600160a01b03909116907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a36100fc81610304565b6101205261010984610304565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a0815261017260c0826102b9565b5190206080523060c052620186a081108015610296575b610284576101605260048054600160a01b166001600160a01b03939093169283179055604051917f4721129e0e676ed6a92909bb24e853ccdd63ad72280cc2e974e38e480e0e6e545f80a2600680546001600160a01b0319166001600160a01b039290921691821790557f01c6520cf747e4632b43b535b91afe3950ccabc4ab29bbd89e3c1f6b0ba056555f80a2613a4c90816103708239608051816138ac015260a05181613963015260c0518161387d015260e051816138fb0152610100518161392101526101205181610c2301526101405181610c4d015261016051818181610a5f01528181612d5e0152818161337901526133d30152f35b6305f01f6160e11b5f5260045260245ffd5b50620f42408111610189565b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b601f909101601f19168101906001600160401b038211908210176102dc57604052565b634e487b7160e01b5f52604160045260245ffd5b51906001600160a01b03821682036102b557565b601f81511161032f576020815191015160208210610320571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe60806040526004361015610011575f80fd5b5f5f3560e01c806304dc843714611db9578063119da42014611d5757806315b0497814611c90578063200e7ea1146118545780632abd7899146117db5780632d8c825a1461175e5780633f4ba83a146116d7578063437987961461168f578063452a93201461163d578063570ca735146115eb578063594bb9d81461151a5780635c975abb146114c55780635cff30ee1461147f5780635e978715146113575780636afdd8501461130f5780636d70f7ae14611267578063715018a614611208578063738ab73e14610f1057806379ba509714610e085780638456cb5914610d2157806384b0196e14610beb5780638674ae3b14610baf578063888c3e8214610b295780638a0dac4a14610a825780638afde74414610a295780638da5cb5b146109d8578063b04861b714610967578063b3ab15fb146108c9578063be01626f14610625578063d3ecebd7146105c6578063da09a33114610329578063e25aca6e146102a3578063e30c3978146102515763f2fde38b14610190575f80fd5b3461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5773ffffffffffffffffffffffffffffffffffffffff6101dc61216c565b6101e4612b47565b16807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff8254167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227008380a380f35b80fd5b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760409073ffffffffffffffffffffffffffffffffffffffff6102f361216c565b16815260096020528181205461030881613216565b918215610322575060081c5b825191151582526020820152f35b9050610314565b503461024e5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5761036161216c565b602435906cffffffffffffffffffffffffff821161059a57338352600a6020526040832073ffffffffffffffffffffffffffffffffffffffff82165f5260205260405f206103ae81613184565b81547effffffffffffffffffffffffffffffffffff00000000000000000000000000166cffffffffffffffffffffffffff8216177f01000000000000000000000000000000000000000000000000000000000000001782553385526009602052604085208054600217905583111561051b576202a3004201908142116104ee5780547fff000000000000000000000000000000000000ffffffffffffffffffffffffff16606885901b79ffffffffffffffffffffffffff00000000000000000000000000161760d083901b7effffffffff00000000000000000000000000000000000000000000000000001617905560408051938452602084019190915273ffffffffffffffffffffffffffffffffffffffff919091169133917ff18088b67cd1eafacf40e296994c820b4ce90ada53ca98e3b321782f59eaeab491a380f35b6024857f4e487b710000000000000000000000000000000000000000000000000000000081526011600452fd5b80547fff00000000000000000000000000000000000000000000000000000000000000166cffffffffffffffffffffffffff841617905560405191825273ffffffffffffffffffffffffffffffffffffffff169033907f68e0dc69f50bb655ad3a315f5d9b932a865acd21b9876fd318d0d7e5b679533290602090a380f35b602483837fdbf60afc000000000000000000000000000000000000000000000000000000008252600452fd5b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57602061061b6004358060081c5f526007602052600160ff60405f205492161b16151590565b6040519015158152f35b503461024e5760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5761065d61216c565b6024359060443567ffffffffffffffff81116108c5576106819036906004016121b2565b909161068b612442565b740100000000000000000000000000000000000000006004541661089d576106b460643561256f565b6106bf818385613277565b6106e0848060081c5f526007602052600160ff60405f205492161b16151590565b610871573385526008602052604085208460081c8652602052610706846040872061331b565b33855260096020526040852054600481161561085a575b506101c08210156107e0576107358284868433613333565b50925b610741836123ca565b61074e6040519182612389565b83815286602082019236868201116107dc578573ffffffffffffffffffffffffffffffffffffffff96602092863783010152519020604051938452602084015216917f54d2f32711641b353f27ce4c0db12f9d5747aef68c38c4c52d65b926ebe8b66260403393a4807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b5080fd5b6108546107ed838561292d565b6107f683612b93565b6108496040517f23b872dd00000000000000000000000000000000000000000000000000000000602082015233602482015230604482015283606482015260648152610843608482612389565b8561377b565b878587898733612d36565b92610738565b60049033875260096020521760408620555f61071d565b602485857f5bafbfc6000000000000000000000000000000000000000000000000000000008252600452fd5b6004857ff562b5a0000000000000000000000000000000000000000000000000000000008152fd5b8380fd5b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5761090161216c565b610909612b47565b73ffffffffffffffffffffffffffffffffffffffff740100000000000000000000000000000000000000006004541691168091176004557f4721129e0e676ed6a92909bb24e853ccdd63ad72280cc2e974e38e480e0e6e548280a280f35b503461024e576109b2610979366121e0565b91610982612442565b61098a6124b6565b610993856125a4565b936109a285858585858b612613565b6109ac848461292d565b9561298b565b807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5773ffffffffffffffffffffffffffffffffffffffff6020915416604051908152f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760206040517f00000000000000000000000000000000000000000000000000000000000000008152f35b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5773ffffffffffffffffffffffffffffffffffffffff610acf61216c565b610ad7612b47565b16807fffffffffffffffffffffffff000000000000000000000000000000000000000060065416176006557f01c6520cf747e4632b43b535b91afe3950ccabc4ab29bbd89e3c1f6b0ba056558280a280f35b503461024e5760a07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57610b6161216c565b610b6961218f565b916064359067ffffffffffffffff821161024e576020610ba7610ba28686610b9436600489016121b2565b916084359360443591612c20565b613236565b604051908152f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760206040516202a3008152f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57610cc590610c477f000000000000000000000000000000000000000000000000000000000000000061380f565b90610c717f000000000000000000000000000000000000000000000000000000000000000061380f565b906020610cd360405193610c858386612389565b8385525f3681376040519687967f0f00000000000000000000000000000000000000000000000000000000000000885260e08589015260e088019061232a565b90868203604088015261232a565b904660608601523060808601528260a086015284820360c08601528080855193848152019401925b828110610d0a57505050500390f35b835185528695509381019392810192600101610cfb565b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5773ffffffffffffffffffffffffffffffffffffffff6006541633141580610de7575b610dbb577401000000000000000000000000000000000000000060045417600455337f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2588280a280f35b807fa252c151000000000000000000000000000000000000000000000000000000006024925233600452fd5b5073ffffffffffffffffffffffffffffffffffffffff815416331415610d72565b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e576001543373ffffffffffffffffffffffffffffffffffffffff821603610ee4577fffffffffffffffffffffffff0000000000000000000000000000000000000000166001558054337fffffffffffffffffffffffff0000000000000000000000000000000000000000821617825573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e08380a380f35b6024827f118cdaa700000000000000000000000000000000000000000000000000000000815233600452fd5b503461024e5780610f2036612274565b9390958798819885979894848796610f36612442565b610f3e6124b6565b610f478361256f565b73ffffffffffffffffffffffffffffffffffffffff841685526009602052818c60408720549a610f7a928c928a89612613565b610f8386612b93565b998c84610f908b8661292d565b9d8e95610f9e938b8a612c20565b610fa790613236565b869760418314611153575b508715611089575b5050505050505015611041577f9860afd95bbebbdfc33e366abf05d0fc1f92ce95a00bbf51ed7f6bec15e3fc959460209473ffffffffffffffffffffffffffffffffffffffff94859461100f948a8c8e612d36565b9560405196875216951693a4807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b60448973ffffffffffffffffffffffffffffffffffffffff89818c7f05bcddc90000000000000000000000000000000000000000000000000000000085521660045216602452fd5b8697509161110c91611138949360405196879573ffffffffffffffffffffffffffffffffffffffff602088019a7f88b7ab63000000000000000000000000000000000000000000000000000000008c52166024880152306044880152606487015289608487015260a486015260c485015260e060e4850152610104840191612404565b037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08101835282612389565b5190828b5af161114661295c565b5089895f88818080610fba565b81985087919087838789829560ff61116b8a8c613722565b919390946040519673ffffffffffffffffffffffffffffffffffffffff602089019a7fef55bec6000000000000000000000000000000000000000000000000000000008c52166024890152306044890152606488015287608488015260a487015260c48601521660e484015261010483015261012482015261012481526111f461014482612389565b51925af161120061295c565b50968e610fb2565b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57600490611242612b47565b7f89051165000000000000000000000000000000000000000000000000000000008152fd5b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760209073ffffffffffffffffffffffffffffffffffffffff6112b761216c565b169081151591826112ed575b82156112d6575b50506040519015158152f35b815260058352604090205460ff1690505f806112ca565b60045473ffffffffffffffffffffffffffffffffffffffff16811492506112c3565b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760206040516e22d473030f116ddee9f6b43ac78ba38152f35b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760043580151581036107dc573382526009602052604082205460061690156113e2576001903383526009602052176040822055337fca946ada97bf50b88352116a930acd46c0ce51caf60eafc5404c5cc1bd07d78c8280a280f35b33825260096020526113f76040832054613216565b6113ff575080f35b6202a3004201908142116114525760019033845260096020528260081b171760408320556040519081527fac74660a380cde7dd88c7b70d12499ffc621ecf51317a05c6a635e404c5ade0760203392a280f35b6024837f4e487b710000000000000000000000000000000000000000000000000000000081526011600452fd5b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760206040516cffffffffffffffffffffffffff8152f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57602074010000000000000000000000000000000000000000600454161515604051908152f35b503461024e5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760809061155561216c565b61155d61218f565b73ffffffffffffffffffffffffffffffffffffffff604084828195168152600a6020522091165f5260205260405f209161159683613184565b926115a0816131e3565b905464ffffffffff8160d01c164281116115ce575b5050604051938452602084015260408301526060820152f35b935060681c6cffffffffffffffffffffffffff1691505f806115b5565b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57602073ffffffffffffffffffffffffffffffffffffffff60045416604051908152f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57602073ffffffffffffffffffffffffffffffffffffffff60065416604051908152f35b503461024e5760207ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5760406020916004358152600783522054604051908152f35b503461024e57807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e5761170e612b47565b7ffffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffff60045416600455337f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa8280a280f35b503461024e5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc36011261024e57602061061b61179b61216c565b6024359073ffffffffffffffffffffffffffffffffffffffff165f52600860205260405f208160081c5f52602052600160ff60405f205492161b16151590565b503461024e576109b261184f6117f036612274565b90611802989298979397969496612442565b61180a6124b6565b6118138961256f565b73ffffffffffffffffffffffffffffffffffffffff84168b52600960205260408b2054986118458a8a8a8a8a8a612613565b88888888886128c6565b612a6d565b5034611c5f5761186336612274565b929096959193611871612442565b6118796124b6565b6118828561256f565b73ffffffffffffffffffffffffffffffffffffffff87165f52600960205260405f2054926118b48484848a858d612613565b6118bd81612b93565b946118c8848461292d565b966040516118d58161236d565b73ffffffffffffffffffffffffffffffffffffffff84169b8c8252896020830152604051906060820182811067ffffffffffffffff821117611c63578b94898f958f8b9161194b9560405287528060208801528a6040880198858a526040519a61193e8c61236d565b308c5260208c0152612c20565b9460405161195a60e082612389565b60ae81527f496e74656e74207769746e65737329496e74656e74286164647265737320706160208201527f7965722c6164647265737320746f6b656e2c75696e743235362062617463684e60408201527f756d6265722c4c65675b5d206c6567732c75696e7432353620646561646c696e60608201527f65294c6567286164647265737320746f2c75696e7432353620616d6f756e742960808201527f546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c7560a08201527f696e7432353620616d6f756e742900000000000000000000000000000000000060c08201526e22d473030f116ddee9f6b43ac78ba33b15611c5f578e96604051978897889788977f137c29fe00000000000000000000000000000000000000000000000000000000895260048901815190611ab7916020809173ffffffffffffffffffffffffffffffffffffffff81511684520151910152565b60209081015160448a015290516064890152815173ffffffffffffffffffffffffffffffffffffffff166084890152015160a487015273ffffffffffffffffffffffffffffffffffffffff1660c486015260e4850152610104840161014090526101448401611b259161232a565b908382037ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc01610124850152611b5a92612404565b035a925f6e22d473030f116ddee9f6b43ac78ba38195f18015611c5457611bf5575b509373ffffffffffffffffffffffffffffffffffffffff93611bc5937f9860afd95bbebbdfc33e366abf05d0fc1f92ce95a00bbf51ed7f6bec15e3fc959793896020988c612d36565b946040519586521693a4807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b602095919a5093611bc5937f9860afd95bbebbdfc33e366abf05d0fc1f92ce95a00bbf51ed7f6bec15e3fc959793611c425f73ffffffffffffffffffffffffffffffffffffffff98612389565b895f9d94985050939750935093611b7c565b6040513d5f823e3d90fd5b5f80fd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b34611c5f5760407ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112611c5f57611cc761216c565b60243590811515809203611c5f57602073ffffffffffffffffffffffffffffffffffffffff7fc6073cad260ba760159dd0b5d27d2b5734ad54e3813a631419de9078bdfb3f6492611d16612b47565b1692835f526005825260405f207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0081541660ff8316179055604051908152a2005b34611c5f57611d94611d68366121e0565b92611d74929192612442565b611d7c6124b6565b611d85856125a4565b9461184f868686868686612613565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b34611c5f5760e07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc360112611c5f57611df061216c565b611df861218f565b9060643567ffffffffffffffff8111611c5f57611e199036906004016121b2565b9060a43567ffffffffffffffff8111611c5f57611e3a9036906004016121b2565b60c49491943567ffffffffffffffff8111611c5f57611e5d9036906004016121b2565b9590611e67612442565b611e6f6124b6565b611e7a60843561256f565b8661214357611e88846125a4565b965b611e9a8888886044358d8a612613565b80612129575b5050611eac858561292d565b915f9160418214612086575b8215611ff5575b50501580611f42575b611efa576101c0841015611ee45750611d949460443591612a6d565b93929190611ef5956044359161298b565b611d94565b73ffffffffffffffffffffffffffffffffffffffff8681847fe202b7d1000000000000000000000000000000000000000000000000000000005f52166004521660245260445ffd5b506040517fdd62ed3e00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8316600482015230602482015260208160448173ffffffffffffffffffffffffffffffffffffffff8b165afa8015611c545782915f91611fc0575b5010611ec8565b9150506020813d602011611fed575b81611fdc60209383612389565b81010312611c5f5781905188611fb9565b3d9150611fcf565b5f92509061110c612070849360405192839160208301957f9fd5a6cf00000000000000000000000000000000000000000000000000000000875273ffffffffffffffffffffffffffffffffffffffff8b166024850152306044850152896064850152608435608485015260a060a485015260c4840191612404565b5190828a5af161207e61295c565b508780611ebf565b91505f806120948385613722565b91906040519160ff60208401947fd505accf00000000000000000000000000000000000000000000000000000000865273ffffffffffffffffffffffffffffffffffffffff8c1660248601523060448601528a606486015260843560848601521660a484015260c483015260e482015260e4815261211461010482612389565b5190828c5af161212261295c565b5091611eb8565b61213c9160843588886044358d8a6128c6565b8780611ea0565b73ffffffffffffffffffffffffffffffffffffffff84165f52600960205260405f205496611e8a565b6004359073ffffffffffffffffffffffffffffffffffffffff82168203611c5f57565b6024359073ffffffffffffffffffffffffffffffffffffffff82168203611c5f57565b9181601f84011215611c5f5782359167ffffffffffffffff8311611c5f5760208381860195010111611c5f57565b9060807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc830112611c5f5760043573ffffffffffffffffffffffffffffffffffffffff81168103611c5f579160243573ffffffffffffffffffffffffffffffffffffffff81168103611c5f5791604435916064359067ffffffffffffffff8211611c5f57612270916004016121b2565b9091565b60c07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc820112611c5f5760043573ffffffffffffffffffffffffffffffffffffffff81168103611c5f579160243573ffffffffffffffffffffffffffffffffffffffff81168103611c5f57916044359160643567ffffffffffffffff8111611c5f5782612303916004016121b2565b929092916084359160a4359067ffffffffffffffff8211611c5f57612270916004016121b2565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b6040810190811067ffffffffffffffff821117611c6357604052565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff821117611c6357604052565b67ffffffffffffffff8111611c6357601f017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe01660200190565b601f82602094937fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe093818652868601375f8582860101520116010190565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c61248e5760017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d565b7f3ee5aeb5000000000000000000000000000000000000000000000000000000005f5260045ffd5b6004543381036124c35750565b3373ffffffffffffffffffffffffffffffffffffffff8216141580612558575b61252c57740100000000000000000000000000000000000000001661250457565b7ff562b5a0000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f76c6c93a000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b50335f52600560205260ff60405f205416156124e3565b8042116125795750565b7f7d372854000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff1690815f52600960205260405f20549182151580612604575b6125d95750565b7feb37dbe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b5061260e83613216565b6125d2565b9490939291612623858585613277565b6004821615158061287f575b612854579061264e8260029360081c5f52600760205260405f2061331b565b1661265a575b50505050565b73ffffffffffffffffffffffffffffffffffffffff916126799161292d565b921691825f52600a60205260405f2073ffffffffffffffffffffffffffffffffffffffff83165f5260205260405f20926126b284613184565b6126bb856131e3565b938482111561283f576cffffffffffffffffffffffffff6126dc8684612d29565b925b141580612836575b6127de5750505081018091116127b1576cffffffffffffffffffffffffff811015612798576cffffffffffffffffffffffffff60018192935b019216167fffffffffffffffffffffffffffffffffffffff0000000000000000000000000082541617815580547fffffffffffffffffffffffffffff0000000000ffffffffffffffffffffffffff71ffffffffff0000000000000000000000000062015180420460681b1691161790555f808080612654565b506cffffffffffffffffffffffffff806001819361271f565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b9073ffffffffffffffffffffffffffffffffffffffff60849492604051947f1aa33fa0000000000000000000000000000000000000000000000000000000008652600486015216602484015260448301526064820152fd5b508184116126e6565b6cffffffffffffffffffffffffff5f926126de565b7f5bafbfc6000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b506128c1818773ffffffffffffffffffffffffffffffffffffffff165f52600860205260405f208160081c5f52602052600160ff60405f205492161b16151590565b61262f565b969490936128dd93610ba2936128e398968a612c20565b846135e9565b156128eb5750565b73ffffffffffffffffffffffffffffffffffffffff907f3cf3281b000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b5f929181015b80821061293e575050565b90926020906bffffffffffffffffffffffff85351601930190612933565b3d15612986573d9061296d826123ca565b9161297b6040519384612389565b82523d5f602084013e565b606090565b73ffffffffffffffffffffffffffffffffffffffff9196612a35916020978895977f9860afd95bbebbdfc33e366abf05d0fc1f92ce95a00bbf51ed7f6bec15e3fc9597898c6129d981612b93565b957f23b872dd000000000000000000000000000000000000000000000000000000006040519e8f0152612a308a82169e8f602482015230604482015289606482015260648152612a2a608482612389565b8361377b565b612d36565b956040519687521694a4565b906cffffffffffffffffffffffffff809116911603906cffffffffffffffffffffffffff82116127b157565b949373ffffffffffffffffffffffffffffffffffffffff6020926002612ab983947f9860afd95bbebbdfc33e366abf05d0fc1f92ce95a00bbf51ed7f6bec15e3fc95979889858d613333565b91909816151580612b3e575b612ad8575b5060405196875216951693a4565b8289165f52600a855260405f208383165f5285526cffffffffffffffffffffffffff612b1081600160405f2001931682845416612a41565b167fffffffffffffffffffffffffffffffffffffff000000000000000000000000008254161790555f612aca565b50801515612ac5565b73ffffffffffffffffffffffffffffffffffffffff5f54163303612b6757565b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b602073ffffffffffffffffffffffffffffffffffffffff916024604051809481937f70a08231000000000000000000000000000000000000000000000000000000008352306004840152165afa908115611c54575f91612bf1575090565b90506020813d602011612c18575b81612c0c60209383612389565b81010312611c5f575190565b3d9150612bff565b949293919091604051947f27c2702aa03241c3935bb9d9c6257e71cf3b82a021ca864d124f668961a88c0f5f525f602052806040838301928803915b6bffffffffffffffffffffffff813580602c5216825260605f208382019081526bffffffffffffffffffffffff602083013580602c52168352602060605f209101520190828210612d205750505073ffffffffffffffffffffffffffffffffffffffff90852092856040528160208701977f8e82252ed859aa05c6a877834f68e2a53c6da5bd30ef86bfcb15fb8a46fcc67e8952166040870152166060850152608084015260a083015260c082015260c08152612d1a60e082612389565b51902090565b90604090612c5c565b919082039182116127b157565b93909492959796612d4f89612d4a88612b93565b612d29565b90808203613156575050945f957f0000000000000000000000000000000000000000000000000000000000000000905f928181018360061b91603f858404604014861517159304936103e88501809511965b818110612f28575050505050505050508395612dc081612d4a86612b93565b9485612dcf575b505050505050565b15612efc57612e3373ffffffffffffffffffffffffffffffffffffffff604051947fa9059cbb000000000000000000000000000000000000000000000000000000006020870152169384602482015286604482015260448152610843606482612389565b612e3c84612b93565b03612ecc57600216612e51575b808080612dc7565b5f52600a60205273ffffffffffffffffffffffffffffffffffffffff60405f2091165f526020526cffffffffffffffffffffffffff612e9c81600160405f2001931682845416612a41565b167fffffffffffffffffffffffffffffffffffffff000000000000000000000000008254161790555f8080612e49565b83827f9b5965ff000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b847ff2ac51b1000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b906bffffffffffffffffffffffff96959493929160209d8e5f8f601c82604492604051978287528a019e8f5b63a9059cbb84523580602c52166040528df19e8f990198858a103060205114109060015f51141616613136578e3d1560015f51141716846020519a84604052039973ffffffffffffffffffffffffffffffffffffffff3091161461310e57613106578860051c907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82019182116127b157865a906127b1578b6127b15788116130da576001821b179e8b927f3a43a106923899f4455d142fb040d8d7859510a720191e54c41e1d69d0e1cbc992911561308d57506040517fef21eba200000000000000000000000000000000000000000000000000000000602082015260048152613060602482612389565b905b61307e604051928392835260406020840152604083019061232a565b0390a25b909192939495612da1565b3d608081116130d2575b603f817fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0928452805f602086013e0116810160405290613062565b506080613097565b507f99d62433000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b9d5050613082565b7fb7cafc7b000000000000000000000000000000000000000000000000000000005f5260045ffd5b60209e508e5f8f601c826044926bffffffffffffffffffffffff8f612f54565b7f2c12bd98000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b548060f81c156131d1576cffffffffffffffffffffffffff8164ffffffffff829360d01c1680151590816131c6575b50156131c15760681c161690565b161690565b90504210155f6131b3565b506cffffffffffffffffffffffffff90565b6001015462015180420464ffffffffff8260681c16145f14613211576cffffffffffffffffffffffffff1690565b505f90565b60018116156132115760081c801590811561322f575090565b9050421090565b604290613241613866565b90604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b5080158015613310575b8015613304575b6132d95750803b156132975750565b73ffffffffffffffffffffffffffffffffffffffff907fd0b1b2a7000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b7f7a8869f2000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b50601f81161515613288565b506104008111613281565b908154600160ff83161b918282166128545750179055565b9391929092604051945f86525f60208701526020525f604052815b806323b872dd5f526bffffffffffffffffffffffff823580604c52166060526020805f6064601c828b7f0000000000000000000000000000000000000000000000000000000000000000f1920191858501831030604051141060015f51148216166135e25730823560601c1461310e573d1560015f51141781166135cd576103e8603f7f000000000000000000000000000000000000000000000000000000000000000060061b04015a10613577577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f8987857f3a43a106923899f4455d142fb040d8d7859510a720191e54c41e1d69d0e1cbc99560017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff6020858d9b030160051c011b84511784527fef21eba20000000000000000000000000000000000000000000000000000000060a0600495015215613514575b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff91602091030160051c0160408c0152604060608c01528060808c0152011660600160408901a2838301811061350f5750505050505b8051916020820151916040525f606052565b61334e565b91505060605160208c01510160208c0152873d918c6080841161356e575b91602091845f60a07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff9660803683830137013e915091506134a7565b60809350613532565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602086847f99d62433000000000000000000000000000000000000000000000000000000005f52030160051c0160045260245ffd5b5050838301811061350f5750505050506134fd565b505061334e565b906135f5848483613989565b5060048110156136f5571590816136d2575b506136c957813b1515928361361f575b505050905090565b5f93507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f86602097606494604051967f1626ba7e0000000000000000000000000000000000000000000000000000000088526004880152604060248801528160448801528587013786848287010152011601915afa7f1626ba7e000000000000000000000000000000000000000000000000000000005f5114601f3d111616805f8080613617565b50505050600190565b905073ffffffffffffffffffffffffffffffffffffffff8084169116145f613607565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b9181602011611c5f5782359282604011611c5f576020810135926040101561374e576040013560f81c90565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f91829182602083519301915af161379161295c565b90156138075780519081151591826137d4575b50506137ac57565b7fef21eba2000000000000000000000000000000000000000000000000000000005f5260045ffd5b6020811092509082156137eb575b50505f806137a4565b602081810193509181010312611c5f5751600114155f806137e2565b602081519101fd5b60ff811690601f821161383e576040519161382b604084612389565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016301480613960575b156138ce577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a08152612d1a60c082612389565b507f000000000000000000000000000000000000000000000000000000000000000046146138a5565b90604183036139b3576139ac9250602081013591604082359201355f1a906139bd565b9192909190565b50505f9160029190565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411613a41579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15611c54575f5173ffffffffffffffffffffffffffffffffffffffff811615613a3757905f905f90565b505f906001905f90565b5050505f916003919056",
}

// SlipwayRouter is an auto generated Go binding around an Ethereum contract.
type SlipwayRouter struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *SlipwayRouter) GetABI() abi.ABI {
	return c.abi
}

// NewSlipwayRouter creates a new instance of SlipwayRouter.
func NewSlipwayRouter() *SlipwayRouter {
	parsed, err := SlipwayRouterMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &SlipwayRouter{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *SlipwayRouter) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address owner_, address operator_, address guardian_, uint256 legGas_) returns()
func (slipwayRouter *SlipwayRouter) PackConstructor(owner_ common.Address, operator_ common.Address, guardian_ common.Address, legGas_ *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("", owner_, operator_, guardian_, legGas_)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackLOOSENDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8674ae3b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function LOOSEN_DELAY() view returns(uint256)
func (slipwayRouter *SlipwayRouter) PackLOOSENDELAY() []byte {
	enc, err := slipwayRouter.abi.Pack("LOOSEN_DELAY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLOOSENDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8674ae3b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function LOOSEN_DELAY() view returns(uint256)
func (slipwayRouter *SlipwayRouter) TryPackLOOSENDELAY() ([]byte, error) {
	return slipwayRouter.abi.Pack("LOOSEN_DELAY")
}

// UnpackLOOSENDELAY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8674ae3b.
//
// Solidity: function LOOSEN_DELAY() view returns(uint256)
func (slipwayRouter *SlipwayRouter) UnpackLOOSENDELAY(data []byte) (*big.Int, error) {
	out, err := slipwayRouter.abi.Unpack("LOOSEN_DELAY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackNOCAP is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5cff30ee.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function NO_CAP() view returns(uint256)
func (slipwayRouter *SlipwayRouter) PackNOCAP() []byte {
	enc, err := slipwayRouter.abi.Pack("NO_CAP")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackNOCAP is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5cff30ee.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function NO_CAP() view returns(uint256)
func (slipwayRouter *SlipwayRouter) TryPackNOCAP() ([]byte, error) {
	return slipwayRouter.abi.Pack("NO_CAP")
}

// UnpackNOCAP is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5cff30ee.
//
// Solidity: function NO_CAP() view returns(uint256)
func (slipwayRouter *SlipwayRouter) UnpackNOCAP(data []byte) (*big.Int, error) {
	out, err := slipwayRouter.abi.Unpack("NO_CAP", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackPERMIT2 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6afdd850.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function PERMIT2() view returns(address)
func (slipwayRouter *SlipwayRouter) PackPERMIT2() []byte {
	enc, err := slipwayRouter.abi.Pack("PERMIT2")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPERMIT2 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6afdd850.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function PERMIT2() view returns(address)
func (slipwayRouter *SlipwayRouter) TryPackPERMIT2() ([]byte, error) {
	return slipwayRouter.abi.Pack("PERMIT2")
}

// UnpackPERMIT2 is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6afdd850.
//
// Solidity: function PERMIT2() view returns(address)
func (slipwayRouter *SlipwayRouter) UnpackPERMIT2(data []byte) (common.Address, error) {
	out, err := slipwayRouter.abi.Unpack("PERMIT2", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptOwnership() returns()
func (slipwayRouter *SlipwayRouter) PackAcceptOwnership() []byte {
	enc, err := slipwayRouter.abi.Pack("acceptOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function acceptOwnership() returns()
func (slipwayRouter *SlipwayRouter) TryPackAcceptOwnership() ([]byte, error) {
	return slipwayRouter.abi.Pack("acceptOwnership")
}

// PackDailyCap is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x594bb9d8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function dailyCap(address payer, address token) view returns(uint256 limit, uint256 spentToday, uint256 nextLimit, uint256 nextFrom)
func (slipwayRouter *SlipwayRouter) PackDailyCap(payer common.Address, token common.Address) []byte {
	enc, err := slipwayRouter.abi.Pack("dailyCap", payer, token)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDailyCap is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x594bb9d8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function dailyCap(address payer, address token) view returns(uint256 limit, uint256 spentToday, uint256 nextLimit, uint256 nextFrom)
func (slipwayRouter *SlipwayRouter) TryPackDailyCap(payer common.Address, token common.Address) ([]byte, error) {
	return slipwayRouter.abi.Pack("dailyCap", payer, token)
}

// DailyCapOutput serves as a container for the return parameters of contract
// method DailyCap.
type DailyCapOutput struct {
	Limit      *big.Int
	SpentToday *big.Int
	NextLimit  *big.Int
	NextFrom   *big.Int
}

// UnpackDailyCap is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x594bb9d8.
//
// Solidity: function dailyCap(address payer, address token) view returns(uint256 limit, uint256 spentToday, uint256 nextLimit, uint256 nextFrom)
func (slipwayRouter *SlipwayRouter) UnpackDailyCap(data []byte) (DailyCapOutput, error) {
	out, err := slipwayRouter.abi.Unpack("dailyCap", data)
	outstruct := new(DailyCapOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Limit = abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	outstruct.SpentToday = abi.ConvertType(out[1], new(big.Int)).(*big.Int)
	outstruct.NextLimit = abi.ConvertType(out[2], new(big.Int)).(*big.Int)
	outstruct.NextFrom = abi.ConvertType(out[3], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackEip712Domain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (slipwayRouter *SlipwayRouter) PackEip712Domain() []byte {
	enc, err := slipwayRouter.abi.Pack("eip712Domain")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEip712Domain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (slipwayRouter *SlipwayRouter) TryPackEip712Domain() ([]byte, error) {
	return slipwayRouter.abi.Pack("eip712Domain")
}

// Eip712DomainOutput serves as a container for the return parameters of contract
// method Eip712Domain.
type Eip712DomainOutput struct {
	Fields            [1]byte
	Name              string
	Version           string
	ChainId           *big.Int
	VerifyingContract common.Address
	Salt              [32]byte
	Extensions        []*big.Int
}

// UnpackEip712Domain is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x84b0196e.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (slipwayRouter *SlipwayRouter) UnpackEip712Domain(data []byte) (Eip712DomainOutput, error) {
	out, err := slipwayRouter.abi.Unpack("eip712Domain", data)
	outstruct := new(Eip712DomainOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Fields = *abi.ConvertType(out[0], new([1]byte)).(*[1]byte)
	outstruct.Name = *abi.ConvertType(out[1], new(string)).(*string)
	outstruct.Version = *abi.ConvertType(out[2], new(string)).(*string)
	outstruct.ChainId = abi.ConvertType(out[3], new(big.Int)).(*big.Int)
	outstruct.VerifyingContract = *abi.ConvertType(out[4], new(common.Address)).(*common.Address)
	outstruct.Salt = *abi.ConvertType(out[5], new([32]byte)).(*[32]byte)
	outstruct.Extensions = *abi.ConvertType(out[6], new([]*big.Int)).(*[]*big.Int)
	return *outstruct, nil
}

// PackExecuted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd3ecebd7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function executed(uint256 number) view returns(bool)
func (slipwayRouter *SlipwayRouter) PackExecuted(number *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("executed", number)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackExecuted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd3ecebd7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function executed(uint256 number) view returns(bool)
func (slipwayRouter *SlipwayRouter) TryPackExecuted(number *big.Int) ([]byte, error) {
	return slipwayRouter.abi.Pack("executed", number)
}

// UnpackExecuted is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd3ecebd7.
//
// Solidity: function executed(uint256 number) view returns(bool)
func (slipwayRouter *SlipwayRouter) UnpackExecuted(data []byte) (bool, error) {
	out, err := slipwayRouter.abi.Unpack("executed", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackExecutedWord is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x43798796.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function executedWord(uint256 word) view returns(uint256 bits)
func (slipwayRouter *SlipwayRouter) PackExecutedWord(word *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("executedWord", word)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackExecutedWord is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x43798796.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function executedWord(uint256 word) view returns(uint256 bits)
func (slipwayRouter *SlipwayRouter) TryPackExecutedWord(word *big.Int) ([]byte, error) {
	return slipwayRouter.abi.Pack("executedWord", word)
}

// UnpackExecutedWord is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x43798796.
//
// Solidity: function executedWord(uint256 word) view returns(uint256 bits)
func (slipwayRouter *SlipwayRouter) UnpackExecutedWord(data []byte) (*big.Int, error) {
	out, err := slipwayRouter.abi.Unpack("executedWord", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackGuardian is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x452a9320.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function guardian() view returns(address)
func (slipwayRouter *SlipwayRouter) PackGuardian() []byte {
	enc, err := slipwayRouter.abi.Pack("guardian")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGuardian is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x452a9320.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function guardian() view returns(address)
func (slipwayRouter *SlipwayRouter) TryPackGuardian() ([]byte, error) {
	return slipwayRouter.abi.Pack("guardian")
}

// UnpackGuardian is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x452a9320.
//
// Solidity: function guardian() view returns(address)
func (slipwayRouter *SlipwayRouter) UnpackGuardian(data []byte) (common.Address, error) {
	out, err := slipwayRouter.abi.Unpack("guardian", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackIntentDigest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x888c3e82.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function intentDigest(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline) view returns(bytes32)
func (slipwayRouter *SlipwayRouter) PackIntentDigest(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("intentDigest", payer, token, batchNumber, packedLegs, deadline)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIntentDigest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x888c3e82.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function intentDigest(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline) view returns(bytes32)
func (slipwayRouter *SlipwayRouter) TryPackIntentDigest(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int) ([]byte, error) {
	return slipwayRouter.abi.Pack("intentDigest", payer, token, batchNumber, packedLegs, deadline)
}

// UnpackIntentDigest is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x888c3e82.
//
// Solidity: function intentDigest(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline) view returns(bytes32)
func (slipwayRouter *SlipwayRouter) UnpackIntentDigest(data []byte) ([32]byte, error) {
	out, err := slipwayRouter.abi.Unpack("intentDigest", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackIsOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6d70f7ae.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isOperator(address account) view returns(bool)
func (slipwayRouter *SlipwayRouter) PackIsOperator(account common.Address) []byte {
	enc, err := slipwayRouter.abi.Pack("isOperator", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6d70f7ae.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isOperator(address account) view returns(bool)
func (slipwayRouter *SlipwayRouter) TryPackIsOperator(account common.Address) ([]byte, error) {
	return slipwayRouter.abi.Pack("isOperator", account)
}

// UnpackIsOperator is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6d70f7ae.
//
// Solidity: function isOperator(address account) view returns(bool)
func (slipwayRouter *SlipwayRouter) UnpackIsOperator(data []byte) (bool, error) {
	out, err := slipwayRouter.abi.Unpack("isOperator", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackLegGas is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8afde744.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function legGas() view returns(uint256)
func (slipwayRouter *SlipwayRouter) PackLegGas() []byte {
	enc, err := slipwayRouter.abi.Pack("legGas")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLegGas is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8afde744.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function legGas() view returns(uint256)
func (slipwayRouter *SlipwayRouter) TryPackLegGas() ([]byte, error) {
	return slipwayRouter.abi.Pack("legGas")
}

// UnpackLegGas is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8afde744.
//
// Solidity: function legGas() view returns(uint256)
func (slipwayRouter *SlipwayRouter) UnpackLegGas(data []byte) (*big.Int, error) {
	out, err := slipwayRouter.abi.Unpack("legGas", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x570ca735.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function operator() view returns(address)
func (slipwayRouter *SlipwayRouter) PackOperator() []byte {
	enc, err := slipwayRouter.abi.Pack("operator")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x570ca735.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function operator() view returns(address)
func (slipwayRouter *SlipwayRouter) TryPackOperator() ([]byte, error) {
	return slipwayRouter.abi.Pack("operator")
}

// UnpackOperator is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x570ca735.
//
// Solidity: function operator() view returns(address)
func (slipwayRouter *SlipwayRouter) UnpackOperator(data []byte) (common.Address, error) {
	out, err := slipwayRouter.abi.Unpack("operator", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackOwnExecuted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2d8c825a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function ownExecuted(address payer, uint256 number) view returns(bool)
func (slipwayRouter *SlipwayRouter) PackOwnExecuted(payer common.Address, number *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("ownExecuted", payer, number)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwnExecuted is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2d8c825a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function ownExecuted(address payer, uint256 number) view returns(bool)
func (slipwayRouter *SlipwayRouter) TryPackOwnExecuted(payer common.Address, number *big.Int) ([]byte, error) {
	return slipwayRouter.abi.Pack("ownExecuted", payer, number)
}

// UnpackOwnExecuted is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x2d8c825a.
//
// Solidity: function ownExecuted(address payer, uint256 number) view returns(bool)
func (slipwayRouter *SlipwayRouter) UnpackOwnExecuted(data []byte) (bool, error) {
	out, err := slipwayRouter.abi.Unpack("ownExecuted", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (slipwayRouter *SlipwayRouter) PackOwner() []byte {
	enc, err := slipwayRouter.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address)
func (slipwayRouter *SlipwayRouter) TryPackOwner() ([]byte, error) {
	return slipwayRouter.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (slipwayRouter *SlipwayRouter) UnpackOwner(data []byte) (common.Address, error) {
	out, err := slipwayRouter.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pause() returns()
func (slipwayRouter *SlipwayRouter) PackPause() []byte {
	enc, err := slipwayRouter.abi.Pack("pause")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pause() returns()
func (slipwayRouter *SlipwayRouter) TryPackPause() ([]byte, error) {
	return slipwayRouter.abi.Pack("pause")
}

// PackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function paused() view returns(bool)
func (slipwayRouter *SlipwayRouter) PackPaused() []byte {
	enc, err := slipwayRouter.abi.Pack("paused")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function paused() view returns(bool)
func (slipwayRouter *SlipwayRouter) TryPackPaused() ([]byte, error) {
	return slipwayRouter.abi.Pack("paused")
}

// UnpackPaused is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5c975abb.
//
// Solidity: function paused() view returns(bool)
func (slipwayRouter *SlipwayRouter) UnpackPaused(data []byte) (bool, error) {
	out, err := slipwayRouter.abi.Unpack("paused", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackPay is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x119da420.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pay(address payer, address token, uint256 batchNumber, bytes packedLegs) returns()
func (slipwayRouter *SlipwayRouter) PackPay(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte) []byte {
	enc, err := slipwayRouter.abi.Pack("pay", payer, token, batchNumber, packedLegs)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPay is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x119da420.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pay(address payer, address token, uint256 batchNumber, bytes packedLegs) returns()
func (slipwayRouter *SlipwayRouter) TryPackPay(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte) ([]byte, error) {
	return slipwayRouter.abi.Pack("pay", payer, token, batchNumber, packedLegs)
}

// PackPayByPull is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb04861b7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function payByPull(address payer, address token, uint256 batchNumber, bytes packedLegs) returns()
func (slipwayRouter *SlipwayRouter) PackPayByPull(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte) []byte {
	enc, err := slipwayRouter.abi.Pack("payByPull", payer, token, batchNumber, packedLegs)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPayByPull is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb04861b7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function payByPull(address payer, address token, uint256 batchNumber, bytes packedLegs) returns()
func (slipwayRouter *SlipwayRouter) TryPackPayByPull(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte) ([]byte, error) {
	return slipwayRouter.abi.Pack("payByPull", payer, token, batchNumber, packedLegs)
}

// PackPayOwn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbe01626f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function payOwn(address token, uint256 batchNumber, bytes packedLegs, uint256 deadline) returns()
func (slipwayRouter *SlipwayRouter) PackPayOwn(token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("payOwn", token, batchNumber, packedLegs, deadline)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPayOwn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbe01626f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function payOwn(address token, uint256 batchNumber, bytes packedLegs, uint256 deadline) returns()
func (slipwayRouter *SlipwayRouter) TryPackPayOwn(token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int) ([]byte, error) {
	return slipwayRouter.abi.Pack("payOwn", token, batchNumber, packedLegs, deadline)
}

// PackPayWithAuthorization is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x738ab73e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function payWithAuthorization(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes signature) returns()
func (slipwayRouter *SlipwayRouter) PackPayWithAuthorization(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, signature []byte) []byte {
	enc, err := slipwayRouter.abi.Pack("payWithAuthorization", payer, token, batchNumber, packedLegs, deadline, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPayWithAuthorization is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x738ab73e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function payWithAuthorization(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes signature) returns()
func (slipwayRouter *SlipwayRouter) TryPackPayWithAuthorization(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, signature []byte) ([]byte, error) {
	return slipwayRouter.abi.Pack("payWithAuthorization", payer, token, batchNumber, packedLegs, deadline, signature)
}

// PackPayWithIntent is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2abd7899.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function payWithIntent(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes signature) returns()
func (slipwayRouter *SlipwayRouter) PackPayWithIntent(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, signature []byte) []byte {
	enc, err := slipwayRouter.abi.Pack("payWithIntent", payer, token, batchNumber, packedLegs, deadline, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPayWithIntent is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2abd7899.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function payWithIntent(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes signature) returns()
func (slipwayRouter *SlipwayRouter) TryPackPayWithIntent(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, signature []byte) ([]byte, error) {
	return slipwayRouter.abi.Pack("payWithIntent", payer, token, batchNumber, packedLegs, deadline, signature)
}

// PackPayWithPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x04dc8437.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function payWithPermit(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes permit, bytes intent) returns()
func (slipwayRouter *SlipwayRouter) PackPayWithPermit(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, permit []byte, intent []byte) []byte {
	enc, err := slipwayRouter.abi.Pack("payWithPermit", payer, token, batchNumber, packedLegs, deadline, permit, intent)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPayWithPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x04dc8437.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function payWithPermit(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes permit, bytes intent) returns()
func (slipwayRouter *SlipwayRouter) TryPackPayWithPermit(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, permit []byte, intent []byte) ([]byte, error) {
	return slipwayRouter.abi.Pack("payWithPermit", payer, token, batchNumber, packedLegs, deadline, permit, intent)
}

// PackPayWithPermit2 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x200e7ea1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function payWithPermit2(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes signature) returns()
func (slipwayRouter *SlipwayRouter) PackPayWithPermit2(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, signature []byte) []byte {
	enc, err := slipwayRouter.abi.Pack("payWithPermit2", payer, token, batchNumber, packedLegs, deadline, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPayWithPermit2 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x200e7ea1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function payWithPermit2(address payer, address token, uint256 batchNumber, bytes packedLegs, uint256 deadline, bytes signature) returns()
func (slipwayRouter *SlipwayRouter) TryPackPayWithPermit2(payer common.Address, token common.Address, batchNumber *big.Int, packedLegs []byte, deadline *big.Int, signature []byte) ([]byte, error) {
	return slipwayRouter.abi.Pack("payWithPermit2", payer, token, batchNumber, packedLegs, deadline, signature)
}

// PackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pendingOwner() view returns(address)
func (slipwayRouter *SlipwayRouter) PackPendingOwner() []byte {
	enc, err := slipwayRouter.abi.Pack("pendingOwner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pendingOwner() view returns(address)
func (slipwayRouter *SlipwayRouter) TryPackPendingOwner() ([]byte, error) {
	return slipwayRouter.abi.Pack("pendingOwner")
}

// UnpackPendingOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe30c3978.
//
// Solidity: function pendingOwner() view returns(address)
func (slipwayRouter *SlipwayRouter) UnpackPendingOwner(data []byte) (common.Address, error) {
	out, err := slipwayRouter.abi.Unpack("pendingOwner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceOwnership() view returns()
func (slipwayRouter *SlipwayRouter) PackRenounceOwnership() []byte {
	enc, err := slipwayRouter.abi.Pack("renounceOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceOwnership() view returns()
func (slipwayRouter *SlipwayRouter) TryPackRenounceOwnership() ([]byte, error) {
	return slipwayRouter.abi.Pack("renounceOwnership")
}

// PackSetDailyCap is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xda09a331.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setDailyCap(address token, uint256 limit) returns()
func (slipwayRouter *SlipwayRouter) PackSetDailyCap(token common.Address, limit *big.Int) []byte {
	enc, err := slipwayRouter.abi.Pack("setDailyCap", token, limit)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetDailyCap is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xda09a331.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setDailyCap(address token, uint256 limit) returns()
func (slipwayRouter *SlipwayRouter) TryPackSetDailyCap(token common.Address, limit *big.Int) ([]byte, error) {
	return slipwayRouter.abi.Pack("setDailyCap", token, limit)
}

// PackSetFurtherOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x15b04978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setFurtherOperator(address operator_, bool allowed) returns()
func (slipwayRouter *SlipwayRouter) PackSetFurtherOperator(operator common.Address, allowed bool) []byte {
	enc, err := slipwayRouter.abi.Pack("setFurtherOperator", operator, allowed)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetFurtherOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x15b04978.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setFurtherOperator(address operator_, bool allowed) returns()
func (slipwayRouter *SlipwayRouter) TryPackSetFurtherOperator(operator common.Address, allowed bool) ([]byte, error) {
	return slipwayRouter.abi.Pack("setFurtherOperator", operator, allowed)
}

// PackSetGuardian is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8a0dac4a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setGuardian(address guardian_) returns()
func (slipwayRouter *SlipwayRouter) PackSetGuardian(guardian common.Address) []byte {
	enc, err := slipwayRouter.abi.Pack("setGuardian", guardian)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetGuardian is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8a0dac4a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setGuardian(address guardian_) returns()
func (slipwayRouter *SlipwayRouter) TryPackSetGuardian(guardian common.Address) ([]byte, error) {
	return slipwayRouter.abi.Pack("setGuardian", guardian)
}

// PackSetOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb3ab15fb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setOperator(address operator_) returns()
func (slipwayRouter *SlipwayRouter) PackSetOperator(operator common.Address) []byte {
	enc, err := slipwayRouter.abi.Pack("setOperator", operator)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetOperator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb3ab15fb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setOperator(address operator_) returns()
func (slipwayRouter *SlipwayRouter) TryPackSetOperator(operator common.Address) ([]byte, error) {
	return slipwayRouter.abi.Pack("setOperator", operator)
}

// PackSetSignedIntentsOnly is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5e978715.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setSignedIntentsOnly(bool required) returns()
func (slipwayRouter *SlipwayRouter) PackSetSignedIntentsOnly(required bool) []byte {
	enc, err := slipwayRouter.abi.Pack("setSignedIntentsOnly", required)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetSignedIntentsOnly is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5e978715.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setSignedIntentsOnly(bool required) returns()
func (slipwayRouter *SlipwayRouter) TryPackSetSignedIntentsOnly(required bool) ([]byte, error) {
	return slipwayRouter.abi.Pack("setSignedIntentsOnly", required)
}

// PackSignedIntentsOnly is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe25aca6e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function signedIntentsOnly(address payer) view returns(bool required, uint256 clearsAt)
func (slipwayRouter *SlipwayRouter) PackSignedIntentsOnly(payer common.Address) []byte {
	enc, err := slipwayRouter.abi.Pack("signedIntentsOnly", payer)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSignedIntentsOnly is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe25aca6e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function signedIntentsOnly(address payer) view returns(bool required, uint256 clearsAt)
func (slipwayRouter *SlipwayRouter) TryPackSignedIntentsOnly(payer common.Address) ([]byte, error) {
	return slipwayRouter.abi.Pack("signedIntentsOnly", payer)
}

// SignedIntentsOnlyOutput serves as a container for the return parameters of contract
// method SignedIntentsOnly.
type SignedIntentsOnlyOutput struct {
	Required bool
	ClearsAt *big.Int
}

// UnpackSignedIntentsOnly is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe25aca6e.
//
// Solidity: function signedIntentsOnly(address payer) view returns(bool required, uint256 clearsAt)
func (slipwayRouter *SlipwayRouter) UnpackSignedIntentsOnly(data []byte) (SignedIntentsOnlyOutput, error) {
	out, err := slipwayRouter.abi.Unpack("signedIntentsOnly", data)
	outstruct := new(SignedIntentsOnlyOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Required = *abi.ConvertType(out[0], new(bool)).(*bool)
	outstruct.ClearsAt = abi.ConvertType(out[1], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (slipwayRouter *SlipwayRouter) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := slipwayRouter.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (slipwayRouter *SlipwayRouter) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return slipwayRouter.abi.Pack("transferOwnership", newOwner)
}

// PackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unpause() returns()
func (slipwayRouter *SlipwayRouter) PackUnpause() []byte {
	enc, err := slipwayRouter.abi.Pack("unpause")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function unpause() returns()
func (slipwayRouter *SlipwayRouter) TryPackUnpause() ([]byte, error) {
	return slipwayRouter.abi.Pack("unpause")
}

// SlipwayRouterBatchExecuted represents a BatchExecuted event raised by the SlipwayRouter contract.
type SlipwayRouterBatchExecuted struct {
	BatchNumber *big.Int
	Payer       common.Address
	Token       common.Address
	Failed      *big.Int
	Raw         *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterBatchExecutedEventName = "BatchExecuted"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterBatchExecuted) ContractEventName() string {
	return SlipwayRouterBatchExecutedEventName
}

// UnpackBatchExecutedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event BatchExecuted(uint256 indexed batchNumber, address indexed payer, address indexed token, uint256 failed)
func (slipwayRouter *SlipwayRouter) UnpackBatchExecutedEvent(log *types.Log) (*SlipwayRouterBatchExecuted, error) {
	event := "BatchExecuted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterBatchExecuted)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterDailyCapScheduled represents a DailyCapScheduled event raised by the SlipwayRouter contract.
type SlipwayRouterDailyCapScheduled struct {
	Payer common.Address
	Token common.Address
	Limit *big.Int
	From  *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterDailyCapScheduledEventName = "DailyCapScheduled"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterDailyCapScheduled) ContractEventName() string {
	return SlipwayRouterDailyCapScheduledEventName
}

// UnpackDailyCapScheduledEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event DailyCapScheduled(address indexed payer, address indexed token, uint256 limit, uint256 from)
func (slipwayRouter *SlipwayRouter) UnpackDailyCapScheduledEvent(log *types.Log) (*SlipwayRouterDailyCapScheduled, error) {
	event := "DailyCapScheduled"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterDailyCapScheduled)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterDailyCapSet represents a DailyCapSet event raised by the SlipwayRouter contract.
type SlipwayRouterDailyCapSet struct {
	Payer common.Address
	Token common.Address
	Limit *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterDailyCapSetEventName = "DailyCapSet"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterDailyCapSet) ContractEventName() string {
	return SlipwayRouterDailyCapSetEventName
}

// UnpackDailyCapSetEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event DailyCapSet(address indexed payer, address indexed token, uint256 limit)
func (slipwayRouter *SlipwayRouter) UnpackDailyCapSetEvent(log *types.Log) (*SlipwayRouterDailyCapSet, error) {
	event := "DailyCapSet"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterDailyCapSet)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterEIP712DomainChanged represents a EIP712DomainChanged event raised by the SlipwayRouter contract.
type SlipwayRouterEIP712DomainChanged struct {
	Raw *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterEIP712DomainChangedEventName = "EIP712DomainChanged"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterEIP712DomainChanged) ContractEventName() string {
	return SlipwayRouterEIP712DomainChangedEventName
}

// UnpackEIP712DomainChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event EIP712DomainChanged()
func (slipwayRouter *SlipwayRouter) UnpackEIP712DomainChangedEvent(log *types.Log) (*SlipwayRouterEIP712DomainChanged, error) {
	event := "EIP712DomainChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterEIP712DomainChanged)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterFurtherOperatorChanged represents a FurtherOperatorChanged event raised by the SlipwayRouter contract.
type SlipwayRouterFurtherOperatorChanged struct {
	Operator common.Address
	Allowed  bool
	Raw      *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterFurtherOperatorChangedEventName = "FurtherOperatorChanged"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterFurtherOperatorChanged) ContractEventName() string {
	return SlipwayRouterFurtherOperatorChangedEventName
}

// UnpackFurtherOperatorChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event FurtherOperatorChanged(address indexed operator, bool allowed)
func (slipwayRouter *SlipwayRouter) UnpackFurtherOperatorChangedEvent(log *types.Log) (*SlipwayRouterFurtherOperatorChanged, error) {
	event := "FurtherOperatorChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterFurtherOperatorChanged)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterGuardianChanged represents a GuardianChanged event raised by the SlipwayRouter contract.
type SlipwayRouterGuardianChanged struct {
	Guardian common.Address
	Raw      *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterGuardianChangedEventName = "GuardianChanged"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterGuardianChanged) ContractEventName() string {
	return SlipwayRouterGuardianChangedEventName
}

// UnpackGuardianChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event GuardianChanged(address indexed guardian)
func (slipwayRouter *SlipwayRouter) UnpackGuardianChangedEvent(log *types.Log) (*SlipwayRouterGuardianChanged, error) {
	event := "GuardianChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterGuardianChanged)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterLegFailed represents a LegFailed event raised by the SlipwayRouter contract.
type SlipwayRouterLegFailed struct {
	BatchNumber *big.Int
	Index       *big.Int
	Reason      []byte
	Raw         *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterLegFailedEventName = "LegFailed"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterLegFailed) ContractEventName() string {
	return SlipwayRouterLegFailedEventName
}

// UnpackLegFailedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event LegFailed(uint256 indexed batchNumber, uint256 index, bytes reason)
func (slipwayRouter *SlipwayRouter) UnpackLegFailedEvent(log *types.Log) (*SlipwayRouterLegFailed, error) {
	event := "LegFailed"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterLegFailed)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterOperatorChanged represents a OperatorChanged event raised by the SlipwayRouter contract.
type SlipwayRouterOperatorChanged struct {
	Operator common.Address
	Raw      *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterOperatorChangedEventName = "OperatorChanged"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterOperatorChanged) ContractEventName() string {
	return SlipwayRouterOperatorChangedEventName
}

// UnpackOperatorChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OperatorChanged(address indexed operator)
func (slipwayRouter *SlipwayRouter) UnpackOperatorChangedEvent(log *types.Log) (*SlipwayRouterOperatorChanged, error) {
	event := "OperatorChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterOperatorChanged)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterOwnBatchExecuted represents a OwnBatchExecuted event raised by the SlipwayRouter contract.
type SlipwayRouterOwnBatchExecuted struct {
	BatchNumber *big.Int
	Payer       common.Address
	Token       common.Address
	Failed      *big.Int
	Content     [32]byte
	Raw         *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterOwnBatchExecutedEventName = "OwnBatchExecuted"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterOwnBatchExecuted) ContractEventName() string {
	return SlipwayRouterOwnBatchExecutedEventName
}

// UnpackOwnBatchExecutedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnBatchExecuted(uint256 indexed batchNumber, address indexed payer, address indexed token, uint256 failed, bytes32 content)
func (slipwayRouter *SlipwayRouter) UnpackOwnBatchExecutedEvent(log *types.Log) (*SlipwayRouterOwnBatchExecuted, error) {
	event := "OwnBatchExecuted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterOwnBatchExecuted)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterOwnershipTransferStarted represents a OwnershipTransferStarted event raised by the SlipwayRouter contract.
type SlipwayRouterOwnershipTransferStarted struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterOwnershipTransferStartedEventName = "OwnershipTransferStarted"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterOwnershipTransferStarted) ContractEventName() string {
	return SlipwayRouterOwnershipTransferStartedEventName
}

// UnpackOwnershipTransferStartedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
func (slipwayRouter *SlipwayRouter) UnpackOwnershipTransferStartedEvent(log *types.Log) (*SlipwayRouterOwnershipTransferStarted, error) {
	event := "OwnershipTransferStarted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterOwnershipTransferStarted)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterOwnershipTransferred represents a OwnershipTransferred event raised by the SlipwayRouter contract.
type SlipwayRouterOwnershipTransferred struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterOwnershipTransferred) ContractEventName() string {
	return SlipwayRouterOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
func (slipwayRouter *SlipwayRouter) UnpackOwnershipTransferredEvent(log *types.Log) (*SlipwayRouterOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterPaused represents a Paused event raised by the SlipwayRouter contract.
type SlipwayRouterPaused struct {
	By  common.Address
	Raw *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterPausedEventName = "Paused"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterPaused) ContractEventName() string {
	return SlipwayRouterPausedEventName
}

// UnpackPausedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Paused(address indexed by)
func (slipwayRouter *SlipwayRouter) UnpackPausedEvent(log *types.Log) (*SlipwayRouterPaused, error) {
	event := "Paused"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterPaused)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterSignedIntentsClearScheduled represents a SignedIntentsClearScheduled event raised by the SlipwayRouter contract.
type SlipwayRouterSignedIntentsClearScheduled struct {
	Payer common.Address
	From  *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterSignedIntentsClearScheduledEventName = "SignedIntentsClearScheduled"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterSignedIntentsClearScheduled) ContractEventName() string {
	return SlipwayRouterSignedIntentsClearScheduledEventName
}

// UnpackSignedIntentsClearScheduledEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SignedIntentsClearScheduled(address indexed payer, uint256 from)
func (slipwayRouter *SlipwayRouter) UnpackSignedIntentsClearScheduledEvent(log *types.Log) (*SlipwayRouterSignedIntentsClearScheduled, error) {
	event := "SignedIntentsClearScheduled"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterSignedIntentsClearScheduled)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterSignedIntentsRequired represents a SignedIntentsRequired event raised by the SlipwayRouter contract.
type SlipwayRouterSignedIntentsRequired struct {
	Payer common.Address
	Raw   *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterSignedIntentsRequiredEventName = "SignedIntentsRequired"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterSignedIntentsRequired) ContractEventName() string {
	return SlipwayRouterSignedIntentsRequiredEventName
}

// UnpackSignedIntentsRequiredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SignedIntentsRequired(address indexed payer)
func (slipwayRouter *SlipwayRouter) UnpackSignedIntentsRequiredEvent(log *types.Log) (*SlipwayRouterSignedIntentsRequired, error) {
	event := "SignedIntentsRequired"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterSignedIntentsRequired)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// SlipwayRouterUnpaused represents a Unpaused event raised by the SlipwayRouter contract.
type SlipwayRouterUnpaused struct {
	By  common.Address
	Raw *types.Log // Blockchain specific contextual infos
}

const SlipwayRouterUnpausedEventName = "Unpaused"

// ContractEventName returns the user-defined event name.
func (SlipwayRouterUnpaused) ContractEventName() string {
	return SlipwayRouterUnpausedEventName
}

// UnpackUnpausedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Unpaused(address indexed by)
func (slipwayRouter *SlipwayRouter) UnpackUnpausedEvent(log *types.Log) (*SlipwayRouterUnpaused, error) {
	event := "Unpaused"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != slipwayRouter.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(SlipwayRouterUnpaused)
	if len(log.Data) > 0 {
		if err := slipwayRouter.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range slipwayRouter.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (slipwayRouter *SlipwayRouter) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["AuthorizationRefused"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackAuthorizationRefusedError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["BadLegGas"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackBadLegGasError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["BadLegs"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackBadLegsError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["BatchAlreadyExecuted"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackBatchAlreadyExecutedError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["CapTooLarge"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackCapTooLargeError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["DailyCapExceeded"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackDailyCapExceededError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["GiveBackRefused"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackGiveBackRefusedError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["IntentExpired"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackIntentExpiredError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["IntentSignatureInvalid"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackIntentSignatureInvalidError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["InvalidShortString"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackInvalidShortStringError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["LegGasTooLow"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackLegGasTooLowError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["NotDelivered"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackNotDeliveredError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["NotGuardian"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackNotGuardianError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["NotOperator"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackNotOperatorError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["OwnableInvalidOwner"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackOwnableInvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["OwnableUnauthorizedAccount"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackOwnableUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["PayeeIsRouter"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackPayeeIsRouterError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["PermitRefused"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackPermitRefusedError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["PullNotExact"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackPullNotExactError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["ReentrancyGuardReentrantCall"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackReentrancyGuardReentrantCallError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["RenounceDisabled"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackRenounceDisabledError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["RouterPaused"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackRouterPausedError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["SignedIntentRequired"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackSignedIntentRequiredError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["StringTooLong"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackStringTooLongError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["TokenHasNoCode"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackTokenHasNoCodeError(raw[4:])
	}
	if bytes.Equal(raw[:4], slipwayRouter.abi.Errors["TransferNotConfirmed"].ID.Bytes()[:4]) {
		return slipwayRouter.UnpackTransferNotConfirmedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// SlipwayRouterAuthorizationRefused represents a AuthorizationRefused error raised by the SlipwayRouter contract.
type SlipwayRouterAuthorizationRefused struct {
	Payer common.Address
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AuthorizationRefused(address payer, address token)
func SlipwayRouterAuthorizationRefusedErrorID() common.Hash {
	return common.HexToHash("0x05bcddc9f5f81b1729353a26072f185cba3e44b51a85ff0ebe3daf03da972621")
}

// UnpackAuthorizationRefusedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AuthorizationRefused(address payer, address token)
func (slipwayRouter *SlipwayRouter) UnpackAuthorizationRefusedError(raw []byte) (*SlipwayRouterAuthorizationRefused, error) {
	out := new(SlipwayRouterAuthorizationRefused)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "AuthorizationRefused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterBadLegGas represents a BadLegGas error raised by the SlipwayRouter contract.
type SlipwayRouterBadLegGas struct {
	GasPerLeg *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error BadLegGas(uint256 gasPerLeg)
func SlipwayRouterBadLegGasErrorID() common.Hash {
	return common.HexToHash("0x0be03ec2498858e66c33d07955a1bf44254e3fd31222aef216cc5bfa72d13e78")
}

// UnpackBadLegGasError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error BadLegGas(uint256 gasPerLeg)
func (slipwayRouter *SlipwayRouter) UnpackBadLegGasError(raw []byte) (*SlipwayRouterBadLegGas, error) {
	out := new(SlipwayRouterBadLegGas)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "BadLegGas", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterBadLegs represents a BadLegs error raised by the SlipwayRouter contract.
type SlipwayRouterBadLegs struct {
	Length *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error BadLegs(uint256 length)
func SlipwayRouterBadLegsErrorID() common.Hash {
	return common.HexToHash("0x7a8869f2ce420b3484c0e3c9679a5c23c2e4aebcd2949130a68dd675e93c6b51")
}

// UnpackBadLegsError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error BadLegs(uint256 length)
func (slipwayRouter *SlipwayRouter) UnpackBadLegsError(raw []byte) (*SlipwayRouterBadLegs, error) {
	out := new(SlipwayRouterBadLegs)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "BadLegs", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterBatchAlreadyExecuted represents a BatchAlreadyExecuted error raised by the SlipwayRouter contract.
type SlipwayRouterBatchAlreadyExecuted struct {
	Number *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error BatchAlreadyExecuted(uint256 number)
func SlipwayRouterBatchAlreadyExecutedErrorID() common.Hash {
	return common.HexToHash("0x5bafbfc6b2bd33a5e92625a9b97c5017022e40efd177bc94ed71cdb97e928ef6")
}

// UnpackBatchAlreadyExecutedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error BatchAlreadyExecuted(uint256 number)
func (slipwayRouter *SlipwayRouter) UnpackBatchAlreadyExecutedError(raw []byte) (*SlipwayRouterBatchAlreadyExecuted, error) {
	out := new(SlipwayRouterBatchAlreadyExecuted)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "BatchAlreadyExecuted", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterCapTooLarge represents a CapTooLarge error raised by the SlipwayRouter contract.
type SlipwayRouterCapTooLarge struct {
	Limit *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error CapTooLarge(uint256 limit)
func SlipwayRouterCapTooLargeErrorID() common.Hash {
	return common.HexToHash("0xdbf60afc46d0a7d75ec0e9d58c2c27a1dd4bfb38cbe7712f1a9b69ef95dea1c1")
}

// UnpackCapTooLargeError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error CapTooLarge(uint256 limit)
func (slipwayRouter *SlipwayRouter) UnpackCapTooLargeError(raw []byte) (*SlipwayRouterCapTooLarge, error) {
	out := new(SlipwayRouterCapTooLarge)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "CapTooLarge", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterDailyCapExceeded represents a DailyCapExceeded error raised by the SlipwayRouter contract.
type SlipwayRouterDailyCapExceeded struct {
	Payer  common.Address
	Token  common.Address
	Left   *big.Int
	Wanted *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error DailyCapExceeded(address payer, address token, uint256 left, uint256 wanted)
func SlipwayRouterDailyCapExceededErrorID() common.Hash {
	return common.HexToHash("0x1aa33fa075afb378907dc3f3a065563201a6af30cc664c42509e72390fe3d6fd")
}

// UnpackDailyCapExceededError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error DailyCapExceeded(address payer, address token, uint256 left, uint256 wanted)
func (slipwayRouter *SlipwayRouter) UnpackDailyCapExceededError(raw []byte) (*SlipwayRouterDailyCapExceeded, error) {
	out := new(SlipwayRouterDailyCapExceeded)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "DailyCapExceeded", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterGiveBackRefused represents a GiveBackRefused error raised by the SlipwayRouter contract.
type SlipwayRouterGiveBackRefused struct {
	Payer  common.Address
	Amount *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error GiveBackRefused(address payer, uint256 amount)
func SlipwayRouterGiveBackRefusedErrorID() common.Hash {
	return common.HexToHash("0x9b5965ff7c69264c57efb25cadfac5e443a0f448c5cf073d01d783c81f6df301")
}

// UnpackGiveBackRefusedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error GiveBackRefused(address payer, uint256 amount)
func (slipwayRouter *SlipwayRouter) UnpackGiveBackRefusedError(raw []byte) (*SlipwayRouterGiveBackRefused, error) {
	out := new(SlipwayRouterGiveBackRefused)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "GiveBackRefused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterIntentExpired represents a IntentExpired error raised by the SlipwayRouter contract.
type SlipwayRouterIntentExpired struct {
	Deadline *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error IntentExpired(uint256 deadline)
func SlipwayRouterIntentExpiredErrorID() common.Hash {
	return common.HexToHash("0x7d372854c760a182aa4a58b3a332fc9950c4082f9a3cacc646eec3e52f27c2c7")
}

// UnpackIntentExpiredError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error IntentExpired(uint256 deadline)
func (slipwayRouter *SlipwayRouter) UnpackIntentExpiredError(raw []byte) (*SlipwayRouterIntentExpired, error) {
	out := new(SlipwayRouterIntentExpired)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "IntentExpired", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterIntentSignatureInvalid represents a IntentSignatureInvalid error raised by the SlipwayRouter contract.
type SlipwayRouterIntentSignatureInvalid struct {
	Payer common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error IntentSignatureInvalid(address payer)
func SlipwayRouterIntentSignatureInvalidErrorID() common.Hash {
	return common.HexToHash("0x3cf3281b16b43229ba97b72b7e6b7557a16f07d430fd6824c7050adfba1155c0")
}

// UnpackIntentSignatureInvalidError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error IntentSignatureInvalid(address payer)
func (slipwayRouter *SlipwayRouter) UnpackIntentSignatureInvalidError(raw []byte) (*SlipwayRouterIntentSignatureInvalid, error) {
	out := new(SlipwayRouterIntentSignatureInvalid)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "IntentSignatureInvalid", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterInvalidShortString represents a InvalidShortString error raised by the SlipwayRouter contract.
type SlipwayRouterInvalidShortString struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InvalidShortString()
func SlipwayRouterInvalidShortStringErrorID() common.Hash {
	return common.HexToHash("0xb3512b0c6163e5f0bafab72bb631b9d58cd7a731b082f910338aa21c83d5c274")
}

// UnpackInvalidShortStringError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InvalidShortString()
func (slipwayRouter *SlipwayRouter) UnpackInvalidShortStringError(raw []byte) (*SlipwayRouterInvalidShortString, error) {
	out := new(SlipwayRouterInvalidShortString)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "InvalidShortString", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterLegGasTooLow represents a LegGasTooLow error raised by the SlipwayRouter contract.
type SlipwayRouterLegGasTooLow struct {
	Index *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error LegGasTooLow(uint256 index)
func SlipwayRouterLegGasTooLowErrorID() common.Hash {
	return common.HexToHash("0x99d62433b9078d43992484e4d0336e5ef9e122fd1729c28b16d51e43cacdd763")
}

// UnpackLegGasTooLowError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error LegGasTooLow(uint256 index)
func (slipwayRouter *SlipwayRouter) UnpackLegGasTooLowError(raw []byte) (*SlipwayRouterLegGasTooLow, error) {
	out := new(SlipwayRouterLegGasTooLow)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "LegGasTooLow", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterNotDelivered represents a NotDelivered error raised by the SlipwayRouter contract.
type SlipwayRouterNotDelivered struct {
	Left *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotDelivered(uint256 left)
func SlipwayRouterNotDeliveredErrorID() common.Hash {
	return common.HexToHash("0xf2ac51b1c722271a0c2b23f094a68cf5ae23d850ba9b73693e24fda6c417452c")
}

// UnpackNotDeliveredError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotDelivered(uint256 left)
func (slipwayRouter *SlipwayRouter) UnpackNotDeliveredError(raw []byte) (*SlipwayRouterNotDelivered, error) {
	out := new(SlipwayRouterNotDelivered)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "NotDelivered", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterNotGuardian represents a NotGuardian error raised by the SlipwayRouter contract.
type SlipwayRouterNotGuardian struct {
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotGuardian(address caller)
func SlipwayRouterNotGuardianErrorID() common.Hash {
	return common.HexToHash("0xa252c151cd1ee155ad6a596fd962f839a8b963fd05f5e863eca095de2e0b08a4")
}

// UnpackNotGuardianError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotGuardian(address caller)
func (slipwayRouter *SlipwayRouter) UnpackNotGuardianError(raw []byte) (*SlipwayRouterNotGuardian, error) {
	out := new(SlipwayRouterNotGuardian)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "NotGuardian", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterNotOperator represents a NotOperator error raised by the SlipwayRouter contract.
type SlipwayRouterNotOperator struct {
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotOperator(address caller)
func SlipwayRouterNotOperatorErrorID() common.Hash {
	return common.HexToHash("0x76c6c93a6423c7e2cef5f93921b1d4d1a5ffb795cd7cfed2df95566b7c7f7c40")
}

// UnpackNotOperatorError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotOperator(address caller)
func (slipwayRouter *SlipwayRouter) UnpackNotOperatorError(raw []byte) (*SlipwayRouterNotOperator, error) {
	out := new(SlipwayRouterNotOperator)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "NotOperator", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterOwnableInvalidOwner represents a OwnableInvalidOwner error raised by the SlipwayRouter contract.
type SlipwayRouterOwnableInvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableInvalidOwner(address owner)
func SlipwayRouterOwnableInvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x1e4fbdf7f3ef8bcaa855599e3abf48b232380f183f08f6f813d9ffa5bd585188")
}

// UnpackOwnableInvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableInvalidOwner(address owner)
func (slipwayRouter *SlipwayRouter) UnpackOwnableInvalidOwnerError(raw []byte) (*SlipwayRouterOwnableInvalidOwner, error) {
	out := new(SlipwayRouterOwnableInvalidOwner)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "OwnableInvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterOwnableUnauthorizedAccount represents a OwnableUnauthorizedAccount error raised by the SlipwayRouter contract.
type SlipwayRouterOwnableUnauthorizedAccount struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func SlipwayRouterOwnableUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0x118cdaa7a341953d1887a2245fd6665d741c67c8c50581daa59e1d03373fa188")
}

// UnpackOwnableUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func (slipwayRouter *SlipwayRouter) UnpackOwnableUnauthorizedAccountError(raw []byte) (*SlipwayRouterOwnableUnauthorizedAccount, error) {
	out := new(SlipwayRouterOwnableUnauthorizedAccount)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "OwnableUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterPayeeIsRouter represents a PayeeIsRouter error raised by the SlipwayRouter contract.
type SlipwayRouterPayeeIsRouter struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error PayeeIsRouter()
func SlipwayRouterPayeeIsRouterErrorID() common.Hash {
	return common.HexToHash("0xb7cafc7b7b1a7e5510d0c7ffc30c9ccc3ae7e5ec3abd5942d10605fa89bf03da")
}

// UnpackPayeeIsRouterError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error PayeeIsRouter()
func (slipwayRouter *SlipwayRouter) UnpackPayeeIsRouterError(raw []byte) (*SlipwayRouterPayeeIsRouter, error) {
	out := new(SlipwayRouterPayeeIsRouter)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "PayeeIsRouter", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterPermitRefused represents a PermitRefused error raised by the SlipwayRouter contract.
type SlipwayRouterPermitRefused struct {
	Payer common.Address
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error PermitRefused(address payer, address token)
func SlipwayRouterPermitRefusedErrorID() common.Hash {
	return common.HexToHash("0xe202b7d1b8c3e0c52e9239cde9bcd3189737d7b12e9646bf5910a3f24e6d3364")
}

// UnpackPermitRefusedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error PermitRefused(address payer, address token)
func (slipwayRouter *SlipwayRouter) UnpackPermitRefusedError(raw []byte) (*SlipwayRouterPermitRefused, error) {
	out := new(SlipwayRouterPermitRefused)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "PermitRefused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterPullNotExact represents a PullNotExact error raised by the SlipwayRouter contract.
type SlipwayRouterPullNotExact struct {
	Wanted  *big.Int
	Arrived *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error PullNotExact(uint256 wanted, uint256 arrived)
func SlipwayRouterPullNotExactErrorID() common.Hash {
	return common.HexToHash("0x2c12bd98834ceb0bb140fe2ccf2cc609e7a60f9ef4b8b0e5c7aa4fadbd82b37d")
}

// UnpackPullNotExactError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error PullNotExact(uint256 wanted, uint256 arrived)
func (slipwayRouter *SlipwayRouter) UnpackPullNotExactError(raw []byte) (*SlipwayRouterPullNotExact, error) {
	out := new(SlipwayRouterPullNotExact)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "PullNotExact", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterReentrancyGuardReentrantCall represents a ReentrancyGuardReentrantCall error raised by the SlipwayRouter contract.
type SlipwayRouterReentrancyGuardReentrantCall struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReentrancyGuardReentrantCall()
func SlipwayRouterReentrancyGuardReentrantCallErrorID() common.Hash {
	return common.HexToHash("0x3ee5aeb571de7fc460830b4d0017439a1ca56fb0bc39062227ade4fe4a24c1ca")
}

// UnpackReentrancyGuardReentrantCallError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReentrancyGuardReentrantCall()
func (slipwayRouter *SlipwayRouter) UnpackReentrancyGuardReentrantCallError(raw []byte) (*SlipwayRouterReentrancyGuardReentrantCall, error) {
	out := new(SlipwayRouterReentrancyGuardReentrantCall)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "ReentrancyGuardReentrantCall", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterRenounceDisabled represents a RenounceDisabled error raised by the SlipwayRouter contract.
type SlipwayRouterRenounceDisabled struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error RenounceDisabled()
func SlipwayRouterRenounceDisabledErrorID() common.Hash {
	return common.HexToHash("0x8905116560d0223388013a6344e0f340294b54bf7b203773dd2cb8f2e5a0d511")
}

// UnpackRenounceDisabledError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error RenounceDisabled()
func (slipwayRouter *SlipwayRouter) UnpackRenounceDisabledError(raw []byte) (*SlipwayRouterRenounceDisabled, error) {
	out := new(SlipwayRouterRenounceDisabled)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "RenounceDisabled", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterRouterPaused represents a RouterPaused error raised by the SlipwayRouter contract.
type SlipwayRouterRouterPaused struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error RouterPaused()
func SlipwayRouterRouterPausedErrorID() common.Hash {
	return common.HexToHash("0xf562b5a0dfac6246647ce57fb1ad24f93fe94de02981681889fd65c3636e0a45")
}

// UnpackRouterPausedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error RouterPaused()
func (slipwayRouter *SlipwayRouter) UnpackRouterPausedError(raw []byte) (*SlipwayRouterRouterPaused, error) {
	out := new(SlipwayRouterRouterPaused)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "RouterPaused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterSignedIntentRequired represents a SignedIntentRequired error raised by the SlipwayRouter contract.
type SlipwayRouterSignedIntentRequired struct {
	Payer common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SignedIntentRequired(address payer)
func SlipwayRouterSignedIntentRequiredErrorID() common.Hash {
	return common.HexToHash("0xeb37dbe7f53ed1ab98d6c3a9397b8eee5b2165ad9b0c7faf25ba44de3ea96180")
}

// UnpackSignedIntentRequiredError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SignedIntentRequired(address payer)
func (slipwayRouter *SlipwayRouter) UnpackSignedIntentRequiredError(raw []byte) (*SlipwayRouterSignedIntentRequired, error) {
	out := new(SlipwayRouterSignedIntentRequired)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "SignedIntentRequired", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterStringTooLong represents a StringTooLong error raised by the SlipwayRouter contract.
type SlipwayRouterStringTooLong struct {
	Str string
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StringTooLong(string str)
func SlipwayRouterStringTooLongErrorID() common.Hash {
	return common.HexToHash("0x305a27a93f8e33b7392df0a0f91d6fc63847395853c45991eec52dbf24d72381")
}

// UnpackStringTooLongError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StringTooLong(string str)
func (slipwayRouter *SlipwayRouter) UnpackStringTooLongError(raw []byte) (*SlipwayRouterStringTooLong, error) {
	out := new(SlipwayRouterStringTooLong)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "StringTooLong", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterTokenHasNoCode represents a TokenHasNoCode error raised by the SlipwayRouter contract.
type SlipwayRouterTokenHasNoCode struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TokenHasNoCode(address token)
func SlipwayRouterTokenHasNoCodeErrorID() common.Hash {
	return common.HexToHash("0xd0b1b2a7df4721a70ce9221ad01fae470035c185f197cbdf52b18117f777c29b")
}

// UnpackTokenHasNoCodeError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TokenHasNoCode(address token)
func (slipwayRouter *SlipwayRouter) UnpackTokenHasNoCodeError(raw []byte) (*SlipwayRouterTokenHasNoCode, error) {
	out := new(SlipwayRouterTokenHasNoCode)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "TokenHasNoCode", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SlipwayRouterTransferNotConfirmed represents a TransferNotConfirmed error raised by the SlipwayRouter contract.
type SlipwayRouterTransferNotConfirmed struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TransferNotConfirmed()
func SlipwayRouterTransferNotConfirmedErrorID() common.Hash {
	return common.HexToHash("0xef21eba24a89dd0aafea7ae4978005a39ec3c282a4705814e4015f1dd8a2ef7f")
}

// UnpackTransferNotConfirmedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TransferNotConfirmed()
func (slipwayRouter *SlipwayRouter) UnpackTransferNotConfirmedError(raw []byte) (*SlipwayRouterTransferNotConfirmed, error) {
	out := new(SlipwayRouterTransferNotConfirmed)
	if err := slipwayRouter.abi.UnpackIntoInterface(out, "TransferNotConfirmed", raw); err != nil {
		return nil, err
	}
	return out, nil
}
