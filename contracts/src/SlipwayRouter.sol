// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Pays batches of ERC-20 legs from a payer's wallet to receivers, each batch at most once, for ever.
/// @notice The router never holds tokens: every leg is a transferFrom from payer to payee under the payer's own
/// allowance. It has no generic call, no delegatecall, no proxy and takes no ether. What it promises:
///
///  1. A batch number works once. A second use reverts, whoever sends it and whatever it carries.
///  2. A leg that fails (blacklisted payee, paused token, a token that says false) fails alone and is reported.
///  3. A leg is only reported as failed if it had its full gas: a transaction sent with too little gas reverts whole.
///  4. Only the operators start payments, only while not paused, and only within the policy the payer set on itself.
///
/// What it does not promise: that an operator picks honest payees. A payer bounds that by an exact allowance, by a daily
/// cap per token, or by requiring its own signature for every batch.
contract SlipwayRouter is Ownable2Step, ReentrancyGuardTransient, EIP712 {
    /// @dev 30 payments and up to two fee legs.
    uint256 private constant MAX_LEGS = 32;
    uint256 private constant LEG_SIZE = 32;
    uint256 private constant MAX_REASON = 128;

    /// @notice How long a payer waits before a looser policy holds: a thief of the payer's key gets no quick way out.
    uint256 public constant LOOSEN_DELAY = 48 hours;

    /// @notice The limit that stands for "no cap".
    uint256 public constant NO_CAP = type(uint104).max;

    uint256 private constant PAUSED = 1 << 160;

    uint256 private constant POLICY_SIGNED = 1;
    uint256 private constant POLICY_CAPS = 2;
    uint256 private constant POLICY_CLEARS_AT_SHIFT = 8;

    bytes32 private constant LEG_TYPEHASH = keccak256("Leg(address to,uint256 amount)");
    bytes32 private constant INTENT_TYPEHASH = keccak256(
        "Intent(address payer,address token,uint256 batchNumber,Leg[] legs,uint256 deadline)Leg(address to,uint256 amount)"
    );

    /// @notice The gas each leg's token call is given, and must have been given before it may be recorded as failed.
    /// Fixed at deployment because it follows the chain's gas schedule, not the code.
    uint256 public immutable legGas;

    /// @dev The operator in the low 160 bits and the paused flag above: one comparison tells both.
    uint256 private _gate;

    /// @dev Operators beside the one of the gate, so that several keys share the load. Nothing of it is read while that
    /// one sends.
    mapping(address further => bool allowed) private _further;

    /// @notice May pause at once, and nothing else.
    address public guardian;

    /// @dev 256 batch numbers a word. A mapping and not a computed slot: numbers are chosen by the operator.
    mapping(uint256 index => Word word) private _executed;

    struct Word {
        uint256 bits;
    }

    /// @dev Zero for a payer that never set anything: such a payer costs one storage read a batch.
    mapping(address payer => uint256 flags) private _policies;

    struct Cap {
        uint104 limit;
        uint104 nextLimit;
        uint40 nextAt; // 0: nothing scheduled
        bool set;
        uint104 spent;
        uint40 day; // the UTC day that `spent` belongs to
    }

    mapping(address payer => mapping(address token => Cap cap)) private _caps;

    /// @notice One batch was executed; bit i of `failed` says that leg i was not paid.
    event BatchExecuted(uint256 indexed batchNumber, address indexed payer, address indexed token, uint256 failed);

    /// @notice Leg `index` was not paid; `reason` is the first 128 bytes of what the token answered.
    event LegFailed(uint256 indexed batchNumber, uint256 index, bytes reason);

    event OperatorChanged(address indexed operator);
    event FurtherOperatorChanged(address indexed operator, bool allowed);
    event GuardianChanged(address indexed guardian);
    event Paused(address indexed by);
    event Unpaused(address indexed by);
    event DailyCapSet(address indexed payer, address indexed token, uint256 limit);
    event DailyCapScheduled(address indexed payer, address indexed token, uint256 limit, uint256 from);
    event SignedIntentsRequired(address indexed payer);
    event SignedIntentsClearScheduled(address indexed payer, uint256 from);

    error BatchAlreadyExecuted(uint256 number);
    error NotOperator(address caller);
    error NotGuardian(address caller);
    error RouterPaused();
    error BadLegs(uint256 length);
    error PayeeIsRouter();
    error TokenHasNoCode(address token);
    error LegGasTooLow(uint256 index);
    error SignedIntentRequired(address payer);
    error IntentExpired(uint256 deadline);
    error IntentSignatureInvalid(address payer);
    error DailyCapExceeded(address payer, address token, uint256 left, uint256 wanted);
    error CapTooLarge(uint256 limit);
    error RenounceDisabled();
    error BadLegGas(uint256 gasPerLeg);

    /// @dev Never thrown: the reason of a leg whose token call went through without saying true.
    error TransferNotConfirmed();

    constructor(address owner_, address operator_, address guardian_, uint256 legGas_)
        Ownable(owner_)
        EIP712("Slipway", "1")
    {
        // Below 100 000 real tokens fail; above 1 000 000 thirty-two hostile legs outgrow a transaction.
        if (legGas_ < 100_000 || legGas_ > 1_000_000) revert BadLegGas(legGas_);
        legGas = legGas_;
        _setOperator(operator_);
        _setGuardian(guardian_);
    }

    // ---------------------------------------------------------------------------------------------------- payments

    /// @notice Pays a batch under the payer's allowance and policy.
    /// @param packedLegs 1 to 32 words of 20 bytes payee and 12 bytes amount in base units.
    function pay(address payer, address token, uint256 batchNumber, bytes calldata packedLegs) external nonReentrant {
        _onlyOperator();
        uint256 policy = _policies[payer];
        if (policy != 0 && _signedOnly(policy)) revert SignedIntentRequired(payer);
        _execute(payer, token, batchNumber, packedLegs, policy);
    }

    /// @notice Pays a batch that the payer signed (EIP-712; a key's 65 bytes with low s, or a wallet's EIP-1271).
    /// A daily cap holds here too: it is the limit for the case that the signing key is stolen as well.
    function payWithIntent(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        _onlyOperator();
        if (block.timestamp > deadline) revert IntentExpired(deadline);
        _checkLegs(packedLegs);
        bytes32 digest = intentDigest(payer, token, batchNumber, packedLegs, deadline);
        if (!_signedBy(payer, digest, signature)) revert IntentSignatureInvalid(payer);
        _execute(payer, token, batchNumber, packedLegs, _policies[payer]);
    }

    /// @notice Whether the batch number was used up.
    function executed(uint256 number) external view returns (bool) {
        return _executed[number >> 8].bits & (1 << (number & 255)) != 0;
    }

    /// @notice The 256 numbers from word * 256 on, one bit each: a restored service asks once for many.
    function executedWord(uint256 word) external view returns (uint256 bits) {
        return _executed[word].bits;
    }

    /// @notice What the payer signs. The legs are listed one by one so that a wallet can show them.
    function intentDigest(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline
    ) public view returns (bytes32) {
        bytes32 legsHash = _hashLegs(packedLegs);
        return _hashTypedDataV4(
            keccak256(abi.encode(INTENT_TYPEHASH, payer, token, batchNumber, legsHash, deadline))
        );
    }

    function _execute(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 policy
    ) private {
        _checkLegs(packedLegs);
        if (token.code.length == 0) revert TokenHasNoCode(token);
        _useNumber(batchNumber);
        if (policy & POLICY_CAPS == 0) {
            (uint256 failed, ) = _payLegs(payer, token, batchNumber, packedLegs);
            emit BatchExecuted(batchNumber, payer, token, failed);
        } else {
            // The whole batch counts before the first call; what was reverted for certain is given back after it.
            _spend(payer, token, _sum(packedLegs));
            (uint256 failed, uint256 reverted) = _payLegs(payer, token, batchNumber, packedLegs);
            if (reverted != 0) _caps[payer][token].spent -= uint104(reverted);
            emit BatchExecuted(batchNumber, payer, token, failed);
        }
    }

    function _checkLegs(bytes calldata packedLegs) private pure {
        uint256 length = packedLegs.length;
        if (length == 0 || length > MAX_LEGS * LEG_SIZE || length % LEG_SIZE != 0) revert BadLegs(length);
    }

    function _useNumber(uint256 number) private {
        Word storage word = _executed[number >> 8];
        uint256 bits = word.bits;
        uint256 bit = 1 << (number & 255);
        if (bits & bit != 0) revert BatchAlreadyExecuted(number);
        word.bits = bits | bit;
    }

    /// @dev The hot loop. Each leg costs the token's own work and some 100 gas here.
    ///
    /// A leg counts as paid if the call went through and the token answered true or nothing (a token with code and no
    /// answer is USDT's manner). Only 32 bytes of an answer are copied, 128 on failure: a token cannot make us pay for
    /// memory. Each call gets `legGas` at most, so that one leg cannot burn what the others need. A call silently gets
    /// less when less is there (EIP-150 keeps 1/64 back), so a failed leg counts only if that much is left even after
    /// it; otherwise it may have failed for want of gas, and the whole batch reverts.
    ///
    /// @return failed one bit a leg, and `reverted`, the sum of the legs that certainly moved nothing.
    function _payLegs(address payer, address token, uint256 batchNumber, bytes calldata packedLegs)
        private
        returns (uint256 failed, uint256 reverted)
    {
        uint256 stipend = legGas;
        bytes32 legFailedTopic = LegFailed.selector;
        bytes4 notConfirmed = TransferNotConfirmed.selector;
        bytes4 gasTooLow = LegGasTooLow.selector;
        bytes4 payeeIsRouter = PayeeIsRouter.selector;
        assembly ("memory-safe") {
            // The call's arguments stand at 0x1c to 0x7f, constant addresses being cheapest; that borrows Solidity's
            // pointer to free memory (0x40) and its zero word (0x60), which are put back at the end.
            let free := mload(0x40)
            // What the rare path keeps: the failed bits, the reverted sum; behind them it builds its log.
            mstore(free, 0)
            mstore(add(free, 0x20), 0)
            mstore(0x20, payer)
            mstore(0x40, 0)
            let at := packedLegs.offset
            let end := add(at, packedLegs.length)
            for {} 1 {} {
                // transferFrom(address,address,uint256), again each round: the answer is written over it. As it ends
                // in 0xdd, nothing but a whole new word can make it 1.
                mstore(0x00, 0x23b872dd)
                // The payee fills the last 20 bytes of its word; what spills over is overwritten by the amount.
                mstore(0x4c, calldataload(at))
                mstore(0x60, and(calldataload(at), 0xffffffffffffffffffffffff))
                let ok := call(stipend, token, 0, 0x1c, 0x64, 0x00, 0x20)
                at := add(at, 0x20)
                // One jump a leg: said true, has a next leg, and did not pay the router itself.
                if and(and(ok, eq(mload(0x00), 1)), lt(eq(mload(0x40), address()), lt(at, end))) { continue }

                if eq(shr(96, calldataload(sub(at, 0x20))), address()) {
                    mstore(0x00, payeeIsRouter)
                    revert(0x00, 0x04)
                }
                if and(ok, or(eq(mload(0x00), 1), iszero(returndatasize()))) {
                    if lt(at, end) { continue }
                    break
                }

                // From here on the leg failed; care matters more than gas.
                let index := sub(shr(5, sub(at, packedLegs.offset)), 1)
                if lt(gas(), add(div(mul(stipend, 64), 63), 1000)) {
                    mstore(0x00, gasTooLow)
                    mstore(0x04, index)
                    revert(0x00, 0x24)
                }
                mstore(free, or(mload(free), shl(index, 1)))
                let log := add(free, 0x40)
                let size := 4
                mstore(add(log, 0x60), notConfirmed)
                if iszero(ok) {
                    mstore(add(free, 0x20), add(mload(add(free, 0x20)), mload(0x60)))
                    size := returndatasize()
                    if gt(size, MAX_REASON) { size := MAX_REASON }
                    calldatacopy(add(log, 0x60), calldatasize(), MAX_REASON) // zeroes
                    returndatacopy(add(log, 0x60), 0, size)
                }
                mstore(log, index)
                mstore(add(log, 0x20), 0x40)
                mstore(add(log, 0x40), size)
                log2(log, add(0x60, and(add(size, 31), not(31))), legFailedTopic, batchNumber)
                if lt(at, end) { continue }
                break
            }
            failed := mload(free)
            reverted := mload(add(free, 0x20))
            mstore(0x40, free)
            mstore(0x60, 0)
        }
    }

    function _sum(bytes calldata packedLegs) private pure returns (uint256 sum) {
        for (uint256 i = 0; i < packedLegs.length; i += LEG_SIZE) {
            sum += uint96(uint256(bytes32(packedLegs[i:i + LEG_SIZE])));
        }
    }

    // --------------------------------------------------------------------------------------------------- signatures

    /// @dev keccak256 over the legs' struct hashes, as EIP-712 wants an array of structs hashed.
    function _hashLegs(bytes calldata packedLegs) private pure returns (bytes32) {
        uint256 count = packedLegs.length / LEG_SIZE;
        bytes32[] memory hashes = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint256 leg = uint256(bytes32(packedLegs[i * LEG_SIZE:(i + 1) * LEG_SIZE]));
            hashes[i] = keccak256(abi.encode(LEG_TYPEHASH, address(uint160(leg >> 96)), uint256(uint96(leg))));
        }
        return keccak256(abi.encodePacked(hashes));
    }

    /// @dev A key may sign for its own address even when that address carries code (EIP-7702): the key is its master
    /// either way. A contract's own address has no key, so nothing is opened for contracts.
    function _signedBy(address payer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError err, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (err == ECDSA.RecoverError.NoError && signer == payer) return true;
        return payer.code.length != 0
            && SignatureChecker.isValidERC1271SignatureNowCalldata(payer, digest, signature);
    }

    // ----------------------------------------------------------------------------------------------- payer's policy

    /// @notice Sets the caller's daily cap for a token: lower at once, higher (NO_CAP is highest) after 48 hours.
    /// A new call replaces a scheduled one. The day is the UTC day; 0 stops the token.
    function setDailyCap(address token, uint256 limit) external {
        if (limit > NO_CAP) revert CapTooLarge(limit);
        Cap storage cap = _caps[msg.sender][token];
        uint256 current = _limit(cap);
        // What had been scheduled and is due becomes the present before it is compared and overwritten.
        cap.limit = uint104(current);
        cap.set = true;
        _policies[msg.sender] |= POLICY_CAPS;
        if (limit > current) {
            uint256 from = block.timestamp + LOOSEN_DELAY;
            cap.nextLimit = uint104(limit);
            cap.nextAt = uint40(from);
            emit DailyCapScheduled(msg.sender, token, limit, from);
        } else {
            cap.limit = uint104(limit);
            cap.nextLimit = 0;
            cap.nextAt = 0;
            emit DailyCapSet(msg.sender, token, limit);
        }
    }

    /// @notice Requires the caller's signature for every batch at once, or stops requiring it after 48 hours.
    /// Requiring it again cancels a scheduled end.
    function setSignedIntentsOnly(bool required) external {
        uint256 caps = _policies[msg.sender] & POLICY_CAPS;
        if (required) {
            _policies[msg.sender] = caps | POLICY_SIGNED;
            emit SignedIntentsRequired(msg.sender);
        } else if (_signedOnly(_policies[msg.sender])) {
            uint256 from = block.timestamp + LOOSEN_DELAY;
            _policies[msg.sender] = caps | POLICY_SIGNED | (from << POLICY_CLEARS_AT_SHIFT);
            emit SignedIntentsClearScheduled(msg.sender, from);
        }
    }

    /// @notice Whether the payer's signature is needed now, and from when on it no longer is (0: nothing scheduled).
    function signedIntentsOnly(address payer) external view returns (bool required, uint256 clearsAt) {
        uint256 policy = _policies[payer];
        required = _signedOnly(policy);
        clearsAt = required ? policy >> POLICY_CLEARS_AT_SHIFT : 0;
    }

    /// @notice The payer's cap for a token now (NO_CAP: none), what today used of it, and what is scheduled from when
    /// on (`nextFrom` 0: nothing).
    function dailyCap(address payer, address token)
        external
        view
        returns (uint256 limit, uint256 spentToday, uint256 nextLimit, uint256 nextFrom)
    {
        Cap storage cap = _caps[payer][token];
        limit = _limit(cap);
        spentToday = _spentToday(cap);
        if (cap.nextAt > block.timestamp) (nextLimit, nextFrom) = (cap.nextLimit, cap.nextAt);
    }

    function _spend(address payer, address token, uint256 wanted) private {
        Cap storage cap = _caps[payer][token];
        uint256 limit = _limit(cap);
        uint256 spent = _spentToday(cap);
        uint256 left = limit > spent ? limit - spent : 0;
        if (limit != NO_CAP && wanted > left) revert DailyCapExceeded(payer, token, left, wanted);
        // Without a cap nothing is refused; the count then stops at its largest value instead of wrapping.
        uint256 total = spent + wanted;
        cap.spent = uint104(total < NO_CAP ? total : NO_CAP);
        cap.day = uint40(block.timestamp / 1 days);
    }

    function _limit(Cap storage cap) private view returns (uint256) {
        if (!cap.set) return NO_CAP;
        return cap.nextAt != 0 && block.timestamp >= cap.nextAt ? cap.nextLimit : cap.limit;
    }

    function _spentToday(Cap storage cap) private view returns (uint256) {
        return cap.day == block.timestamp / 1 days ? cap.spent : 0;
    }

    function _signedOnly(uint256 policy) private view returns (bool) {
        if (policy & POLICY_SIGNED == 0) return false;
        uint256 clearsAt = policy >> POLICY_CLEARS_AT_SHIFT;
        return clearsAt == 0 || block.timestamp < clearsAt;
    }

    // -------------------------------------------------------------------------------------------------------- roles

    /// @notice The address that may start payments, besides the further ones.
    function operator() external view returns (address) {
        return address(uint160(_gate));
    }

    /// @notice Whether an address may start payments: the operator or a further one.
    function isOperator(address account) external view returns (bool) {
        return account != address(0) && account == address(uint160(_gate)) || _further[account];
    }

    /// @notice Whether payments are stopped.
    function paused() external view returns (bool) {
        return _gate & PAUSED != 0;
    }

    /// @notice Replaces the operator at once; the zero address leaves none. Pausing and further operators are not
    /// touched.
    function setOperator(address operator_) external onlyOwner {
        _setOperator(operator_);
    }

    /// @notice Lets a further address start payments beside the operator, or takes that from it at once.
    function setFurtherOperator(address operator_, bool allowed) external onlyOwner {
        _further[operator_] = allowed;
        emit FurtherOperatorChanged(operator_, allowed);
    }

    /// @notice Replaces the guardian at once; the zero address leaves none.
    function setGuardian(address guardian_) external onlyOwner {
        _setGuardian(guardian_);
    }

    /// @notice Stops all payments. Guardian or owner; a second call changes nothing.
    function pause() external {
        if (msg.sender != guardian && msg.sender != owner()) revert NotGuardian(msg.sender);
        _gate |= PAUSED;
        emit Paused(msg.sender);
    }

    /// @notice Lets payments go on. Owner only: a guardian can stop but not start.
    function unpause() external onlyOwner {
        _gate &= ~PAUSED;
        emit Unpaused(msg.sender);
    }

    /// @notice Refused: a router without owner could neither unpause nor replace a stolen operator key.
    function renounceOwnership() public view override onlyOwner {
        revert RenounceDisabled();
    }

    function _setOperator(address operator_) private {
        _gate = (_gate & PAUSED) | uint160(operator_);
        emit OperatorChanged(operator_);
    }

    function _setGuardian(address guardian_) private {
        guardian = guardian_;
        emit GuardianChanged(guardian_);
    }

    function _onlyOperator() private view {
        uint256 gate = _gate;
        if (gate != uint160(msg.sender)) {
            if (address(uint160(gate)) != msg.sender && !_further[msg.sender]) revert NotOperator(msg.sender);
            if (gate & PAUSED != 0) revert RouterPaused();
        }
    }
}
