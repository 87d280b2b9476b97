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

// HostileTokenMetaData contains all meta data concerning the HostileToken contract.
var HostileTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"allowance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientAllowance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"balance\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"needed\",\"type\":\"uint256\"}],\"name\":\"ERC20InsufficientBalance\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"approver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidApprover\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"receiver\",\"type\":\"address\"}],\"name\":\"ERC20InvalidReceiver\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"sender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSender\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"ERC20InvalidSpender\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Approval\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"Transfer\",\"type\":\"event\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"answer\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"target_\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data_\",\"type\":\"bytes\"}],\"name\":\"callBackWith\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"calledBackWell\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"data\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"decimals\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payee\",\"type\":\"address\"}],\"name\":\"manners\",\"outputs\":[{\"internalType\":\"enumHostileToken.Manner\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"payee\",\"type\":\"address\"},{\"internalType\":\"enumHostileToken.Manner\",\"name\":\"manner\",\"type\":\"uint8\"}],\"name\":\"misbehave\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"name\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"symbol\",\"outputs\":[{\"internalType\":\"string\",\"name\":\"\",\"type\":\"string\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"target\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"totalSupply\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "172befbd75cd57ced44d1ce5d716710416",
	Bin: "0x608060405234801561000f575f5ffd5b506040518060400160405280600e81526020016d486f7374696c652028746573742960901b815250604051806040016040528060048152602001631213d4d560e21b8152508160039081610063919061011b565b506004610070828261011b565b5050506101d9565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806100a057607f821691505b6020821081036100be57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610116578282111561011657805f5260205f20601f840160051c60208510156100ef57505f5b90810190601f840160051c035f5b81811015610112575f838201556001016100fd565b5050505b505050565b81516001600160401b0381111561013457610134610078565b61014881610142845461008c565b846100c4565b6020601f82116001811461017a575f83156101635750848201515b5f19600385901b1c1916600184901b1784556101d2565b5f84815260208120601f198516915b828110156101a95787850151825560209485019460019092019101610189565b50848210156101c657868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b6113e2806101e65f395ff3fe608060405234801561000f575f5ffd5b5060043610610115575f3560e01c806348ab5ea3116100ad57806391433df31161007d578063a9059cbb11610063578063a9059cbb14610252578063d4b8399214610265578063dd62ed3e146102aa575f5ffd5b806391433df31461023757806395d89b411461024a575f5ffd5b806348ab5ea3146101df57806370a08231146101f257806373d4a13a1461022757806385bb7d691461022f575f5ffd5b806323b872dd116100e857806323b872dd1461019b5780632df96f81146101ae578063313ce567146101bb57806340c10f19146101ca575f5ffd5b806306fdde0314610119578063095ea7b31461013757806318160ddd1461015a5780631b1f12521461016c575b5f5ffd5b6101216102ef565b60405161012e9190610d8e565b60405180910390f35b61014a610145366004610dc8565b61037f565b604051901515815260200161012e565b6002545b60405190815260200161012e565b61018e61017a366004610df0565b60056020525f908152604090205460ff1681565b60405161012e9190610e36565b61014a6101a9366004610e75565b610398565b60085461014a9060ff1681565b6040516012815260200161012e565b6101dd6101d8366004610dc8565b6106d2565b005b6101dd6101ed366004610eaf565b6106e0565b61015e610200366004610df0565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b610121610733565b6101216107bf565b6101dd610245366004610f2d565b6107cc565b610121610834565b61014a610260366004610dc8565b610843565b6006546102859073ffffffffffffffffffffffffffffffffffffffff1681565b60405173ffffffffffffffffffffffffffffffffffffffff909116815260200161012e565b61015e6102b8366004610f65565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b6060600380546102fe90610f96565b80601f016020809104026020016040519081016040528092919081815260200182805461032a90610f96565b80156103755780601f1061034c57610100808354040283529160200191610375565b820191905f5260205f20905b81548152906001019060200180831161035857829003601f168201915b5050505050905090565b5f3361038c818585610850565b60019150505b92915050565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526005602052604081205460ff16600d81600d8111156103d4576103d4610e09565b0361044a5762030d405a1161044a576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152600e60248201527f746f6f206c6974746c652067617300000000000000000000000000000000000060448201526064015b60405180910390fd5b600181600d81111561045e5761045e610e09565b0361046c575f9150506106cb565b600381600d81111561048057610480610e09565b0361048f5760019150506106cb565b600981600d8111156104a3576104a3610e09565b036104d7577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83146104d7576104d7610fe7565b600a81600d8111156104eb576104eb610e09565b036104f9575b5f5a116104f1575b600881600d81111561050d5761050d610e09565b0361051d5761051d5f5f5f610862565b600781600d81111561053157610531610e09565b03610544576105445f600161c350610862565b600b81600d81111561055857610558610e09565b0361057557610568606484611041565b6105729084611079565b92505b600c81600d81111561058957610589610e09565b036106235760065460405173ffffffffffffffffffffffffffffffffffffffff909116906105b99060079061108c565b5f604051808303815f865af19150503d805f81146105f2576040519150601f19603f3d011682016040523d82523d5f602084013e6105f7565b606091505b5060085f6009610607848261119e565b508391906101000a81548160ff02191690831515021790555050505b61062e858585610873565b50600281600d81111561064357610643610e09565b03610651575f9150506106cb565b600481600d81111561066557610665610e09565b0361067857610678600160026020610862565b600581600d81111561068c5761068c610e09565b0361069e5761069e60015f6001610862565b600681600d8111156106b2576106b2610e09565b036106c5576106c560018061c350610862565b60019150505b9392505050565b6106dc828261088b565b5050565b600680547fffffffffffffffffffffffff00000000000000000000000000000000000000001673ffffffffffffffffffffffffffffffffffffffff8516179055600761072d8284836112b9565b50505050565b6007805461074090610f96565b80601f016020809104026020016040519081016040528092919081815260200182805461076c90610f96565b80156107b75780601f1061078e576101008083540402835291602001916107b7565b820191905f5260205f20905b81548152906001019060200180831161079a57829003601f168201915b505050505081565b6009805461074090610f96565b73ffffffffffffffffffffffffffffffffffffffff82165f90815260056020526040902080548291907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016600183600d81111561082b5761082b610e09565b02179055505050565b6060600480546102fe90610f96565b5f3361038c8185856108e5565b61085d838383600161098e565b505050565b815f52821561086f57805ff35b805ffd5b5f33610880858285610ad3565b6106c58585856108e5565b73ffffffffffffffffffffffffffffffffffffffff82166108da576040517fec442f050000000000000000000000000000000000000000000000000000000081525f6004820152602401610441565b6106dc5f8383610b9b565b73ffffffffffffffffffffffffffffffffffffffff8316610934576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f6004820152602401610441565b73ffffffffffffffffffffffffffffffffffffffff8216610983576040517fec442f050000000000000000000000000000000000000000000000000000000081525f6004820152602401610441565b61085d838383610b9b565b73ffffffffffffffffffffffffffffffffffffffff84166109dd576040517fe602df050000000000000000000000000000000000000000000000000000000081525f6004820152602401610441565b73ffffffffffffffffffffffffffffffffffffffff8316610a2c576040517f94280d620000000000000000000000000000000000000000000000000000000081525f6004820152602401610441565b73ffffffffffffffffffffffffffffffffffffffff8085165f908152600160209081526040808320938716835292905220829055801561072d578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92584604051610ac591815260200190565b60405180910390a350505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81101561072d5781811015610b8d576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff841660048201526024810182905260448101839052606401610441565b61072d84848484035f61098e565b73ffffffffffffffffffffffffffffffffffffffff8316610bd2578060025f828254610bc791906113cf565b90915550610c829050565b73ffffffffffffffffffffffffffffffffffffffff83165f9081526020819052604090205481811015610c57576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff851660048201526024810182905260448101839052606401610441565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff8216610cab57600280548290039055610cd6565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef83604051610d3591815260200190565b60405180910390a3505050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f6106cb6020830184610d42565b803573ffffffffffffffffffffffffffffffffffffffff81168114610dc3575f5ffd5b919050565b5f5f60408385031215610dd9575f5ffd5b610de283610da0565b946020939093013593505050565b5f60208284031215610e00575f5ffd5b6106cb82610da0565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b60208101600e8310610e6f577f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b91905290565b5f5f5f60608486031215610e87575f5ffd5b610e9084610da0565b9250610e9e60208501610da0565b929592945050506040919091013590565b5f5f5f60408486031215610ec1575f5ffd5b610eca84610da0565b9250602084013567ffffffffffffffff811115610ee5575f5ffd5b8401601f81018613610ef5575f5ffd5b803567ffffffffffffffff811115610f0b575f5ffd5b866020828401011115610f1c575f5ffd5b939660209190910195509293505050565b5f5f60408385031215610f3e575f5ffd5b610f4783610da0565b91506020830135600e8110610f5a575f5ffd5b809150509250929050565b5f5f60408385031215610f76575f5ffd5b610f7f83610da0565b9150610f8d60208401610da0565b90509250929050565b600181811c90821680610faa57607f821691505b602082108103610fe1577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52600160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f82611074577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b8181038181111561039257610392611014565b5f5f835461109981610f96565b6001821680156110b057600181146110e357611110565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0083168652811515820286019350611110565b865f5260205f205f5b83811015611108578154888201526001909101906020016110ec565b505081860193505b509195945050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b601f82111561085d578282111561085d57805f5260205f20601f840160051c602085101561117357505f5b90810190601f840160051c035f5b81811015611196575f83820155600101611181565b505050505050565b815167ffffffffffffffff8111156111b8576111b861111b565b6111cc816111c68454610f96565b84611148565b6020601f82116001811461121d575f83156111e75750848201515b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600385901b1c1916600184901b1784556112b2565b5f848152602081207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08516915b8281101561126a578785015182556020948501946001909201910161124a565b50848210156112a657868401517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600387901b60f8161c191681555b505060018360011b0184555b5050505050565b67ffffffffffffffff8311156112d1576112d161111b565b6112e5836112df8354610f96565b83611148565b5f601f841160018114611335575f85156112ff5750838201355b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600387901b1c1916600186901b1783556112b2565b5f838152602081207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe08716915b828110156113825786850135825560209485019460019092019101611362565b50868210156113bd577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60f88860031b161c19848701351681555b505060018560011b0183555050505050565b808201808211156103925761039261101456",
}

// HostileToken is an auto generated Go binding around an Ethereum contract.
type HostileToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *HostileToken) GetABI() abi.ABI {
	return c.abi
}

// NewHostileToken creates a new instance of HostileToken.
func NewHostileToken() *HostileToken {
	parsed, err := HostileTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &HostileToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *HostileToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (hostileToken *HostileToken) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := hostileToken.abi.Pack("allowance", owner, spender)
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
func (hostileToken *HostileToken) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return hostileToken.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (hostileToken *HostileToken) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := hostileToken.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function answer() view returns(bytes)
func (hostileToken *HostileToken) PackAnswer() []byte {
	enc, err := hostileToken.abi.Pack("answer")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function answer() view returns(bytes)
func (hostileToken *HostileToken) TryPackAnswer() ([]byte, error) {
	return hostileToken.abi.Pack("answer")
}

// UnpackAnswer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x85bb7d69.
//
// Solidity: function answer() view returns(bytes)
func (hostileToken *HostileToken) UnpackAnswer(data []byte) ([]byte, error) {
	out, err := hostileToken.abi.Unpack("answer", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (hostileToken *HostileToken) PackApprove(spender common.Address, value *big.Int) []byte {
	enc, err := hostileToken.abi.Pack("approve", spender, value)
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
func (hostileToken *HostileToken) TryPackApprove(spender common.Address, value *big.Int) ([]byte, error) {
	return hostileToken.abi.Pack("approve", spender, value)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 value) returns(bool)
func (hostileToken *HostileToken) UnpackApprove(data []byte) (bool, error) {
	out, err := hostileToken.abi.Unpack("approve", data)
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
func (hostileToken *HostileToken) PackBalanceOf(account common.Address) []byte {
	enc, err := hostileToken.abi.Pack("balanceOf", account)
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
func (hostileToken *HostileToken) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return hostileToken.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (hostileToken *HostileToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := hostileToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackCallBackWith is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x48ab5ea3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function callBackWith(address target_, bytes data_) returns()
func (hostileToken *HostileToken) PackCallBackWith(target common.Address, data []byte) []byte {
	enc, err := hostileToken.abi.Pack("callBackWith", target, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCallBackWith is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x48ab5ea3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function callBackWith(address target_, bytes data_) returns()
func (hostileToken *HostileToken) TryPackCallBackWith(target common.Address, data []byte) ([]byte, error) {
	return hostileToken.abi.Pack("callBackWith", target, data)
}

// PackCalledBackWell is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2df96f81.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function calledBackWell() view returns(bool)
func (hostileToken *HostileToken) PackCalledBackWell() []byte {
	enc, err := hostileToken.abi.Pack("calledBackWell")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCalledBackWell is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2df96f81.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function calledBackWell() view returns(bool)
func (hostileToken *HostileToken) TryPackCalledBackWell() ([]byte, error) {
	return hostileToken.abi.Pack("calledBackWell")
}

// UnpackCalledBackWell is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x2df96f81.
//
// Solidity: function calledBackWell() view returns(bool)
func (hostileToken *HostileToken) UnpackCalledBackWell(data []byte) (bool, error) {
	out, err := hostileToken.abi.Unpack("calledBackWell", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackData is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x73d4a13a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function data() view returns(bytes)
func (hostileToken *HostileToken) PackData() []byte {
	enc, err := hostileToken.abi.Pack("data")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackData is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x73d4a13a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function data() view returns(bytes)
func (hostileToken *HostileToken) TryPackData() ([]byte, error) {
	return hostileToken.abi.Pack("data")
}

// UnpackData is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x73d4a13a.
//
// Solidity: function data() view returns(bytes)
func (hostileToken *HostileToken) UnpackData(data []byte) ([]byte, error) {
	out, err := hostileToken.abi.Unpack("data", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function decimals() view returns(uint8)
func (hostileToken *HostileToken) PackDecimals() []byte {
	enc, err := hostileToken.abi.Pack("decimals")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDecimals is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x313ce567.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function decimals() view returns(uint8)
func (hostileToken *HostileToken) TryPackDecimals() ([]byte, error) {
	return hostileToken.abi.Pack("decimals")
}

// UnpackDecimals is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x313ce567.
//
// Solidity: function decimals() view returns(uint8)
func (hostileToken *HostileToken) UnpackDecimals(data []byte) (uint8, error) {
	out, err := hostileToken.abi.Unpack("decimals", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackManners is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1b1f1252.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function manners(address payee) view returns(uint8)
func (hostileToken *HostileToken) PackManners(payee common.Address) []byte {
	enc, err := hostileToken.abi.Pack("manners", payee)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackManners is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1b1f1252.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function manners(address payee) view returns(uint8)
func (hostileToken *HostileToken) TryPackManners(payee common.Address) ([]byte, error) {
	return hostileToken.abi.Pack("manners", payee)
}

// UnpackManners is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1b1f1252.
//
// Solidity: function manners(address payee) view returns(uint8)
func (hostileToken *HostileToken) UnpackManners(data []byte) (uint8, error) {
	out, err := hostileToken.abi.Unpack("manners", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (hostileToken *HostileToken) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := hostileToken.abi.Pack("mint", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (hostileToken *HostileToken) TryPackMint(to common.Address, amount *big.Int) ([]byte, error) {
	return hostileToken.abi.Pack("mint", to, amount)
}

// PackMisbehave is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91433df3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function misbehave(address payee, uint8 manner) returns()
func (hostileToken *HostileToken) PackMisbehave(payee common.Address, manner uint8) []byte {
	enc, err := hostileToken.abi.Pack("misbehave", payee, manner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMisbehave is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x91433df3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function misbehave(address payee, uint8 manner) returns()
func (hostileToken *HostileToken) TryPackMisbehave(payee common.Address, manner uint8) ([]byte, error) {
	return hostileToken.abi.Pack("misbehave", payee, manner)
}

// PackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function name() view returns(string)
func (hostileToken *HostileToken) PackName() []byte {
	enc, err := hostileToken.abi.Pack("name")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackName is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x06fdde03.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function name() view returns(string)
func (hostileToken *HostileToken) TryPackName() ([]byte, error) {
	return hostileToken.abi.Pack("name")
}

// UnpackName is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x06fdde03.
//
// Solidity: function name() view returns(string)
func (hostileToken *HostileToken) UnpackName(data []byte) (string, error) {
	out, err := hostileToken.abi.Unpack("name", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function symbol() view returns(string)
func (hostileToken *HostileToken) PackSymbol() []byte {
	enc, err := hostileToken.abi.Pack("symbol")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSymbol is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x95d89b41.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function symbol() view returns(string)
func (hostileToken *HostileToken) TryPackSymbol() ([]byte, error) {
	return hostileToken.abi.Pack("symbol")
}

// UnpackSymbol is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x95d89b41.
//
// Solidity: function symbol() view returns(string)
func (hostileToken *HostileToken) UnpackSymbol(data []byte) (string, error) {
	out, err := hostileToken.abi.Unpack("symbol", data)
	if err != nil {
		return *new(string), err
	}
	out0 := *abi.ConvertType(out[0], new(string)).(*string)
	return out0, nil
}

// PackTarget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd4b83992.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function target() view returns(address)
func (hostileToken *HostileToken) PackTarget() []byte {
	enc, err := hostileToken.abi.Pack("target")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTarget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd4b83992.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function target() view returns(address)
func (hostileToken *HostileToken) TryPackTarget() ([]byte, error) {
	return hostileToken.abi.Pack("target")
}

// UnpackTarget is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd4b83992.
//
// Solidity: function target() view returns(address)
func (hostileToken *HostileToken) UnpackTarget(data []byte) (common.Address, error) {
	out, err := hostileToken.abi.Unpack("target", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function totalSupply() view returns(uint256)
func (hostileToken *HostileToken) PackTotalSupply() []byte {
	enc, err := hostileToken.abi.Pack("totalSupply")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTotalSupply is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18160ddd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function totalSupply() view returns(uint256)
func (hostileToken *HostileToken) TryPackTotalSupply() ([]byte, error) {
	return hostileToken.abi.Pack("totalSupply")
}

// UnpackTotalSupply is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18160ddd.
//
// Solidity: function totalSupply() view returns(uint256)
func (hostileToken *HostileToken) UnpackTotalSupply(data []byte) (*big.Int, error) {
	out, err := hostileToken.abi.Unpack("totalSupply", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (hostileToken *HostileToken) PackTransfer(to common.Address, value *big.Int) []byte {
	enc, err := hostileToken.abi.Pack("transfer", to, value)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (hostileToken *HostileToken) TryPackTransfer(to common.Address, value *big.Int) ([]byte, error) {
	return hostileToken.abi.Pack("transfer", to, value)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address to, uint256 value) returns(bool)
func (hostileToken *HostileToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := hostileToken.abi.Unpack("transfer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 amount) returns(bool)
func (hostileToken *HostileToken) PackTransferFrom(from common.Address, to common.Address, amount *big.Int) []byte {
	enc, err := hostileToken.abi.Pack("transferFrom", from, to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 amount) returns(bool)
func (hostileToken *HostileToken) TryPackTransferFrom(from common.Address, to common.Address, amount *big.Int) ([]byte, error) {
	return hostileToken.abi.Pack("transferFrom", from, to, amount)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 amount) returns(bool)
func (hostileToken *HostileToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := hostileToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// HostileTokenApproval represents a Approval event raised by the HostileToken contract.
type HostileTokenApproval struct {
	Owner   common.Address
	Spender common.Address
	Value   *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const HostileTokenApprovalEventName = "Approval"

// ContractEventName returns the user-defined event name.
func (HostileTokenApproval) ContractEventName() string {
	return HostileTokenApprovalEventName
}

// UnpackApprovalEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Approval(address indexed owner, address indexed spender, uint256 value)
func (hostileToken *HostileToken) UnpackApprovalEvent(log *types.Log) (*HostileTokenApproval, error) {
	event := "Approval"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != hostileToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(HostileTokenApproval)
	if len(log.Data) > 0 {
		if err := hostileToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range hostileToken.abi.Events[event].Inputs {
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

// HostileTokenTransfer represents a Transfer event raised by the HostileToken contract.
type HostileTokenTransfer struct {
	From  common.Address
	To    common.Address
	Value *big.Int
	Raw   *types.Log // Blockchain specific contextual infos
}

const HostileTokenTransferEventName = "Transfer"

// ContractEventName returns the user-defined event name.
func (HostileTokenTransfer) ContractEventName() string {
	return HostileTokenTransferEventName
}

// UnpackTransferEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Transfer(address indexed from, address indexed to, uint256 value)
func (hostileToken *HostileToken) UnpackTransferEvent(log *types.Log) (*HostileTokenTransfer, error) {
	event := "Transfer"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != hostileToken.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(HostileTokenTransfer)
	if len(log.Data) > 0 {
		if err := hostileToken.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range hostileToken.abi.Events[event].Inputs {
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
func (hostileToken *HostileToken) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], hostileToken.abi.Errors["ERC20InsufficientAllowance"].ID.Bytes()[:4]) {
		return hostileToken.UnpackERC20InsufficientAllowanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], hostileToken.abi.Errors["ERC20InsufficientBalance"].ID.Bytes()[:4]) {
		return hostileToken.UnpackERC20InsufficientBalanceError(raw[4:])
	}
	if bytes.Equal(raw[:4], hostileToken.abi.Errors["ERC20InvalidApprover"].ID.Bytes()[:4]) {
		return hostileToken.UnpackERC20InvalidApproverError(raw[4:])
	}
	if bytes.Equal(raw[:4], hostileToken.abi.Errors["ERC20InvalidReceiver"].ID.Bytes()[:4]) {
		return hostileToken.UnpackERC20InvalidReceiverError(raw[4:])
	}
	if bytes.Equal(raw[:4], hostileToken.abi.Errors["ERC20InvalidSender"].ID.Bytes()[:4]) {
		return hostileToken.UnpackERC20InvalidSenderError(raw[4:])
	}
	if bytes.Equal(raw[:4], hostileToken.abi.Errors["ERC20InvalidSpender"].ID.Bytes()[:4]) {
		return hostileToken.UnpackERC20InvalidSpenderError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// HostileTokenERC20InsufficientAllowance represents a ERC20InsufficientAllowance error raised by the HostileToken contract.
type HostileTokenERC20InsufficientAllowance struct {
	Spender   common.Address
	Allowance *big.Int
	Needed    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func HostileTokenERC20InsufficientAllowanceErrorID() common.Hash {
	return common.HexToHash("0xfb8f41b23e99d2101d86da76cdfa87dd51c82ed07d3cb62cbc473e469dbc75c3")
}

// UnpackERC20InsufficientAllowanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
func (hostileToken *HostileToken) UnpackERC20InsufficientAllowanceError(raw []byte) (*HostileTokenERC20InsufficientAllowance, error) {
	out := new(HostileTokenERC20InsufficientAllowance)
	if err := hostileToken.abi.UnpackIntoInterface(out, "ERC20InsufficientAllowance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// HostileTokenERC20InsufficientBalance represents a ERC20InsufficientBalance error raised by the HostileToken contract.
type HostileTokenERC20InsufficientBalance struct {
	Sender  common.Address
	Balance *big.Int
	Needed  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func HostileTokenERC20InsufficientBalanceErrorID() common.Hash {
	return common.HexToHash("0xe450d38cd8d9f7d95077d567d60ed49c7254716e6ad08fc9872816c97e0ffec6")
}

// UnpackERC20InsufficientBalanceError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
func (hostileToken *HostileToken) UnpackERC20InsufficientBalanceError(raw []byte) (*HostileTokenERC20InsufficientBalance, error) {
	out := new(HostileTokenERC20InsufficientBalance)
	if err := hostileToken.abi.UnpackIntoInterface(out, "ERC20InsufficientBalance", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// HostileTokenERC20InvalidApprover represents a ERC20InvalidApprover error raised by the HostileToken contract.
type HostileTokenERC20InvalidApprover struct {
	Approver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidApprover(address approver)
func HostileTokenERC20InvalidApproverErrorID() common.Hash {
	return common.HexToHash("0xe602df05cc75712490294c6c104ab7c17f4030363910a7a2626411c6d3118847")
}

// UnpackERC20InvalidApproverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidApprover(address approver)
func (hostileToken *HostileToken) UnpackERC20InvalidApproverError(raw []byte) (*HostileTokenERC20InvalidApprover, error) {
	out := new(HostileTokenERC20InvalidApprover)
	if err := hostileToken.abi.UnpackIntoInterface(out, "ERC20InvalidApprover", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// HostileTokenERC20InvalidReceiver represents a ERC20InvalidReceiver error raised by the HostileToken contract.
type HostileTokenERC20InvalidReceiver struct {
	Receiver common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func HostileTokenERC20InvalidReceiverErrorID() common.Hash {
	return common.HexToHash("0xec442f055133b72f3b2f9f0bb351c406b178527de2040a7d1feb4e058771f613")
}

// UnpackERC20InvalidReceiverError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidReceiver(address receiver)
func (hostileToken *HostileToken) UnpackERC20InvalidReceiverError(raw []byte) (*HostileTokenERC20InvalidReceiver, error) {
	out := new(HostileTokenERC20InvalidReceiver)
	if err := hostileToken.abi.UnpackIntoInterface(out, "ERC20InvalidReceiver", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// HostileTokenERC20InvalidSender represents a ERC20InvalidSender error raised by the HostileToken contract.
type HostileTokenERC20InvalidSender struct {
	Sender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSender(address sender)
func HostileTokenERC20InvalidSenderErrorID() common.Hash {
	return common.HexToHash("0x96c6fd1edd0cd6ef7ff0ecc0facdf53148dc0048b57fe58af65755250a7a96bd")
}

// UnpackERC20InvalidSenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSender(address sender)
func (hostileToken *HostileToken) UnpackERC20InvalidSenderError(raw []byte) (*HostileTokenERC20InvalidSender, error) {
	out := new(HostileTokenERC20InvalidSender)
	if err := hostileToken.abi.UnpackIntoInterface(out, "ERC20InvalidSender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// HostileTokenERC20InvalidSpender represents a ERC20InvalidSpender error raised by the HostileToken contract.
type HostileTokenERC20InvalidSpender struct {
	Spender common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ERC20InvalidSpender(address spender)
func HostileTokenERC20InvalidSpenderErrorID() common.Hash {
	return common.HexToHash("0x94280d62c347d8d9f4d59a76ea321452406db88df38e0c9da304f58b57b373a2")
}

// UnpackERC20InvalidSpenderError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ERC20InvalidSpender(address spender)
func (hostileToken *HostileToken) UnpackERC20InvalidSpenderError(raw []byte) (*HostileTokenERC20InvalidSpender, error) {
	out := new(HostileTokenERC20InvalidSpender)
	if err := hostileToken.abi.UnpackIntoInterface(out, "ERC20InvalidSpender", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// RelayOperatorMetaData contains all meta data concerning the RelayOperator contract.
var RelayOperatorMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"relay\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "00980b52ca42d140e0e549f0985b50cd02",
	Bin: "0x6080604052348015600e575f5ffd5b506101698061001c5f395ff3fe608060405234801561000f575f5ffd5b5060043610610029575f3560e01c8063c28e83fd1461002d575b5f5ffd5b61004061003b3660046100c2565b610042565b005b5f5f8473ffffffffffffffffffffffffffffffffffffffff16848460405161006b92919061015a565b5f604051808303815f865af19150503d805f81146100a4576040519150601f19603f3d011682016040523d82523d5f602084013e6100a9565b606091505b5091509150816100bb57805160208201fd5b5050505050565b5f5f5f604084860312156100d4575f5ffd5b833573ffffffffffffffffffffffffffffffffffffffff811681146100f7575f5ffd5b9250602084013567ffffffffffffffff811115610112575f5ffd5b8401601f81018613610122575f5ffd5b803567ffffffffffffffff811115610138575f5ffd5b866020828401011115610149575f5ffd5b939660209190910195509293505050565b818382375f910190815291905056",
}

// RelayOperator is an auto generated Go binding around an Ethereum contract.
type RelayOperator struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *RelayOperator) GetABI() abi.ABI {
	return c.abi
}

// NewRelayOperator creates a new instance of RelayOperator.
func NewRelayOperator() *RelayOperator {
	parsed, err := RelayOperatorMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &RelayOperator{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *RelayOperator) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackRelay is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc28e83fd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function relay(address to, bytes data) returns()
func (relayOperator *RelayOperator) PackRelay(to common.Address, data []byte) []byte {
	enc, err := relayOperator.abi.Pack("relay", to, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRelay is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc28e83fd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function relay(address to, bytes data) returns()
func (relayOperator *RelayOperator) TryPackRelay(to common.Address, data []byte) ([]byte, error) {
	return relayOperator.abi.Pack("relay", to, data)
}
