// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title A stand-in for USDC: 6 decimals, a blacklist and a pause, refusing with sentences as the real one does. It has
/// permits (EIP-2612) and authorizations (EIP-3009), each in the form for keys and in that for wallet contracts.
/// The balance error is OpenZeppelin's own, so that callers meet custom errors and sentences from one token.
contract TestUSDC is ERC20Permit, Ownable {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// @notice Whether an authorization was used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool used)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    mapping(address account => bool listed) public isBlacklisted;
    bool public paused;

    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);
    event Pause();
    event Unpause();

    constructor() ERC20("USD Coin (test)", "USDC") ERC20Permit("USD Coin (test)") Ownable(msg.sender) {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpause();
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        _check(msg.sender);
        _check(spender);
        return super.approve(spender, amount);
    }

    /// @notice EIP-2612 with the signature of a key or of a wallet contract.
    function permit(address owner_, address spender, uint256 value, uint256 deadline, bytes memory signature) public {
        _check(owner_);
        _check(spender);
        require(block.timestamp <= deadline, "FiatTokenV2: permit is expired");
        bytes32 data = keccak256(abi.encode(PERMIT, owner_, spender, value, _useNonce(owner_), deadline));
        _signed(owner_, data, signature, "EIP2612: invalid signature");
        _approve(owner_, spender, value);
    }

    function permit(address owner_, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
        override
    {
        permit(owner_, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice EIP-3009: only the receiver can use it.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        _useAuthorization(from, nonce);
        bytes32 data = keccak256(abi.encode(RECEIVE, from, to, value, validAfter, validBefore, nonce));
        _signed(from, data, signature, "FiatTokenV2: invalid signature");
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) external {
        _useAuthorization(authorizer, nonce);
        _signed(authorizer, keccak256(abi.encode(CANCEL, authorizer, nonce)), signature, "FiatTokenV2: invalid signature");
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _useAuthorization(address authorizer, bytes32 nonce) private {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        authorizationState[authorizer][nonce] = true;
    }

    function _signed(address by, bytes32 data, bytes memory signature, string memory otherwise) private view {
        require(SignatureChecker.isValidSignatureNow(by, _hashTypedDataV4(data), signature), otherwise);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _check(msg.sender);
        return super.transferFrom(from, to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        _check(from);
        _check(to);
        super._update(from, to, amount);
    }

    function _check(address account) private view {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[account], "Blacklistable: account is blacklisted");
    }
}
