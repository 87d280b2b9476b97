// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IAuthorized, IAuthorizedBytes, IPermit2, IPermitBytes} from "./Permits.sol";

/// @title Pays batches of ERC-20 legs from a payer's wallet to receivers, each batch at most once, for ever.
/// @notice The router keeps no tokens: a leg is a transferFrom from payer to payee under the payer's own allowance, or
/// the whole batch is pulled and passed on within one call, after which the router has what it had before. It has no
/// generic call, no delegatecall, no proxy and takes no ether. What it promises:
///
///  1. A batch number works once. A second use reverts, whoever sends it and whatever it carries.
///  2. A leg that fails (blacklisted payee, paused token, a token that says false) fails alone and is reported.
///  3. A leg is only reported as failed if it had its full gas: a transaction sent with too little gas reverts whole.
///  4. Only operators start payments, only while not paused, and only within the policy the payer set on itself; a
///     payer may start its own, under numbers of its own.
///  5. What is pulled is the sum of the legs, to the unit. What was not paid of it goes back to the payer in the same
///     call, or the call reverts.
///
/// What it does not promise: that an operator picks honest payees. A payer bounds that by an exact allowance or permit,
/// by a daily cap per token, or by requiring its own signature for every batch. An authorization (EIP-3009), a Permit2
/// transfer and an intent name the payees, so the operator has no choice in them.
contract SlipwayRouter is Ownable2Step, ReentrancyGuardTransient, EIP712 {
    /// @dev 30 payments and up to two fee legs.
    uint256 private constant MAX_LEGS = 32;
    uint256 private constant LEG_SIZE = 32;
    uint256 private constant MAX_REASON = 128;

    /// @dev From so many legs on, the sum of a permit or of an own batch is pulled once: a transferFrom of each leg writes
    /// the allowance for each.
    uint256 private constant PULL_FROM = 14;

    /// @notice How long a payer waits before a looser policy holds: a thief of the payer's key gets no quick way out.
    uint256 public constant LOOSEN_DELAY = 48 hours;

    /// @notice The limit that stands for "no cap".
    uint256 public constant NO_CAP = type(uint104).max;

    uint256 private constant PAUSED = 1 << 160;

    uint256 private constant POLICY_SIGNED = 1;
    uint256 private constant POLICY_CAPS = 2;
    uint256 private constant POLICY_OWN = 4;
    uint256 private constant POLICY_CLEARS_AT_SHIFT = 8;

    bytes32 private constant LEG_TYPEHASH = keccak256("Leg(address to,uint256 amount)");
    bytes32 private constant INTENT_TYPEHASH = keccak256(
        "Intent(address payer,address token,uint256 batchNumber,Leg[] legs,uint256 deadline)Leg(address to,uint256 amount)"
    );

    /// @dev What Permit2 is told of the witness's type; it stands behind its own fields in what the payer signs.
    string private constant WITNESS_TYPE =
        "Intent witness)Intent(address payer,address token,uint256 batchNumber,Leg[] legs,uint256 deadline)Leg(address to,uint256 amount)TokenPermissions(address token,uint256 amount)";

    /// @notice Permit2 has this address on every chain.
    address public constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

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

    /// @dev The numbers that payers used up themselves.
    mapping(address payer => mapping(uint256 index => Word word)) private _ownExecuted;

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

    /// @notice The payer executed a batch itself; `content` is the hash of the packed legs.
    event OwnBatchExecuted(
        uint256 indexed batchNumber, address indexed payer, address indexed token, uint256 failed, bytes32 content
    );

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
    error PermitRefused(address payer, address token);
    error AuthorizationRefused(address payer, address token);
    error PullNotExact(uint256 wanted, uint256 arrived);
    error NotDelivered(uint256 left);
    error GiveBackRefused(address payer, uint256 amount);
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
        uint256 policy = _unsigned(payer);
        _begin(payer, token, batchNumber, packedLegs, policy);
        _payEach(payer, token, batchNumber, packedLegs, policy);
    }

    /// @notice Pays like `pay`, by one pull of the sum and a transfer to each payee: cheaper where a token's transferFrom
    /// is dearer than its transfer. The payees' tokens come from the router then.
    function payByPull(address payer, address token, uint256 batchNumber, bytes calldata packedLegs)
        external
        nonReentrant
    {
        _onlyOperator();
        uint256 policy = _unsigned(payer);
        _begin(payer, token, batchNumber, packedLegs, policy);
        _payPulled(payer, token, batchNumber, packedLegs, policy, _sum(packedLegs));
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
        _inTime(deadline);
        uint256 policy = _policies[payer];
        _begin(payer, token, batchNumber, packedLegs, policy);
        _checkIntent(payer, token, batchNumber, packedLegs, deadline, signature);
        _payEach(payer, token, batchNumber, packedLegs, policy);
    }

    /// @notice Pays under a permit (EIP-2612) for exactly the sum of the legs, which is given to the token in the same
    /// call. A permit that somebody gave to the token before is no failure: the allowance counts. A permit names no
    /// payees, so a payer that requires signed intents signs one too, with the same deadline. From 14 legs on the payees'
    /// tokens come from the router, as in `payByPull`.
    /// @param intent the payer's signature of the batch, or nothing.
    function payWithPermit(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline,
        bytes calldata permit,
        bytes calldata intent
    ) external nonReentrant {
        _onlyOperator();
        _inTime(deadline);
        uint256 policy = intent.length == 0 ? _unsigned(payer) : _policies[payer];
        _begin(payer, token, batchNumber, packedLegs, policy);
        if (intent.length != 0) _checkIntent(payer, token, batchNumber, packedLegs, deadline, intent);
        uint256 sum = _sum(packedLegs);
        _usePermit(payer, token, sum, deadline, permit);
        if (packedLegs.length < PULL_FROM * LEG_SIZE) _payEach(payer, token, batchNumber, packedLegs, policy);
        else _payPulled(payer, token, batchNumber, packedLegs, policy, sum);
    }

    /// @notice Pays by an authorization (EIP-3009) to pull exactly the sum of the legs, before the deadline. Its nonce is
    /// the digest of the intent, so the payer's one signature names the payees, too, and no allowance is touched.
    function payWithAuthorization(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        _onlyOperator();
        _inTime(deadline);
        uint256 policy = _policies[payer];
        _begin(payer, token, batchNumber, packedLegs, policy);
        uint256 before = _balance(token);
        uint256 sum = _sum(packedLegs);
        bytes32 nonce = intentDigest(payer, token, batchNumber, packedLegs, deadline);
        _useAuthorization(payer, token, sum, deadline, nonce, signature);
        uint256 failed = _passOn(payer, token, batchNumber, packedLegs, policy, before, sum);
        emit BatchExecuted(batchNumber, payer, token, failed);
    }

    /// @notice Pays by a Permit2 signature transfer of exactly the sum of the legs. The intent is its witness, so the
    /// payer's one signature names the payees; its nonce is the batch number. The payer has approved Permit2, not this.
    function payWithPermit2(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        _onlyOperator();
        _inTime(deadline);
        uint256 policy = _policies[payer];
        _begin(payer, token, batchNumber, packedLegs, policy);
        uint256 before = _balance(token);
        uint256 sum = _sum(packedLegs);
        IPermit2(PERMIT2).permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(token, sum), batchNumber, deadline),
            IPermit2.SignatureTransferDetails(address(this), sum),
            payer,
            _hashIntent(payer, token, batchNumber, packedLegs, deadline),
            WITNESS_TYPE,
            signature
        );
        uint256 failed = _passOn(payer, token, batchNumber, packedLegs, policy, before, sum);
        emit BatchExecuted(batchNumber, payer, token, failed);
    }

    /// @notice Pays a batch of the caller's own tokens under the caller's allowance, which it may give in the same
    /// transaction and which is used up by it. Numbers are the caller's own: they take none of the operator's. A number
    /// that the operator or the caller has used before reverts, and the operator cannot use it for this payer after it.
    /// The caller's policy does not bind it: it can move its tokens without the router, too. A pause does. From 14 legs on
    /// the payees' tokens come from the router, as in `payByPull`.
    function payOwn(address token, uint256 batchNumber, bytes calldata packedLegs, uint256 deadline)
        external
        nonReentrant
    {
        if (_gate & PAUSED != 0) revert RouterPaused();
        _inTime(deadline);
        _checkLegs(packedLegs, token);
        if (executed(batchNumber)) revert BatchAlreadyExecuted(batchNumber);
        _useNumber(_ownExecuted[msg.sender][batchNumber >> 8], batchNumber);
        uint256 policy = _policies[msg.sender];
        if (policy & POLICY_OWN == 0) _policies[msg.sender] = policy | POLICY_OWN;
        uint256 failed;
        if (packedLegs.length < PULL_FROM * LEG_SIZE) {
            (failed, ) = _payLegs(msg.sender, token, batchNumber, packedLegs);
        } else {
            failed = _pullAndPassOn(msg.sender, token, batchNumber, packedLegs, 0, _sum(packedLegs));
        }
        emit OwnBatchExecuted(batchNumber, msg.sender, token, failed, keccak256(packedLegs));
    }

    /// @notice Whether the batch number was used up.
    function executed(uint256 number) public view returns (bool) {
        return _executed[number >> 8].bits & (1 << (number & 255)) != 0;
    }

    /// @notice Whether the payer used the number up itself, by payOwn.
    function ownExecuted(address payer, uint256 number) public view returns (bool) {
        return _ownExecuted[payer][number >> 8].bits & (1 << (number & 255)) != 0;
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
        return _hashTypedDataV4(_hashIntent(payer, token, batchNumber, packedLegs, deadline));
    }

    /// @dev The policy of a payer that does not require signatures; of one that does it reverts.
    function _unsigned(address payer) private view returns (uint256 policy) {
        policy = _policies[payer];
        if (policy != 0 && _signedOnly(policy)) revert SignedIntentRequired(payer);
    }

    function _inTime(uint256 deadline) private view {
        if (block.timestamp > deadline) revert IntentExpired(deadline);
    }

    /// @dev Everything that comes before the first call outside: the number is used up, and the whole batch counts
    /// towards the cap.
    function _begin(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 policy
    ) private {
        _checkLegs(packedLegs, token);
        if (policy & POLICY_OWN != 0 && ownExecuted(payer, batchNumber)) revert BatchAlreadyExecuted(batchNumber);
        _useNumber(_executed[batchNumber >> 8], batchNumber);
        if (policy & POLICY_CAPS != 0) _spend(payer, token, _sum(packedLegs));
    }

    /// @dev Pays every leg from the payer to its payee.
    function _payEach(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 policy
    ) private {
        (uint256 failed, uint256 reverted) = _payLegs(payer, token, batchNumber, packedLegs);
        // What was reverted for certain is given back to the cap.
        if (policy & POLICY_CAPS != 0 && reverted != 0) _caps[payer][token].spent -= uint104(reverted);
        emit BatchExecuted(batchNumber, payer, token, failed);
    }

    /// @dev Pulls the sum under the payer's allowance, and pays every leg out of it.
    function _payPulled(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 policy,
        uint256 sum
    ) private {
        uint256 failed = _pullAndPassOn(payer, token, batchNumber, packedLegs, policy, sum);
        emit BatchExecuted(batchNumber, payer, token, failed);
    }

    function _pullAndPassOn(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 policy,
        uint256 sum
    ) private returns (uint256 failed) {
        uint256 before = _balance(token);
        _confirmed(token, abi.encodeCall(IERC20.transferFrom, (payer, address(this), sum)));
        return _passOn(payer, token, batchNumber, packedLegs, policy, before, sum);
    }

    /// @dev Passes a pulled batch on, and gives back what no payee took. Afterwards the router has what it had before.
    function _passOn(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 policy,
        uint256 before,
        uint256 sum
    ) private returns (uint256 failed) {
        uint256 arrived = _balance(token) - before;
        if (arrived != sum) revert PullNotExact(sum, arrived);
        failed = _passLegs(token, batchNumber, packedLegs);
        uint256 left = _balance(token) - before;
        if (left != 0) {
            if (failed == 0) revert NotDelivered(left);
            _confirmed(token, abi.encodeCall(IERC20.transfer, (payer, left)));
            if (_balance(token) != before) revert GiveBackRefused(payer, left);
            // solhint-disable-next-line reentrancy
            if (policy & POLICY_CAPS != 0) _caps[payer][token].spent -= uint104(left);
        }
    }

    function _balance(address token) private view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }

    /// @dev Calls the token, which must say true or nothing.
    function _confirmed(address token, bytes memory data) private {
        (bool ok, bytes memory answer) = token.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        if (answer.length != 0 && (answer.length < 32 || abi.decode(answer, (uint256)) != 1)) {
            revert TransferNotConfirmed();
        }
    }

    function _checkLegs(bytes calldata packedLegs, address token) private view {
        uint256 length = packedLegs.length;
        if (length == 0 || length > MAX_LEGS * LEG_SIZE || length % LEG_SIZE != 0) revert BadLegs(length);
        if (token.code.length == 0) revert TokenHasNoCode(token);
    }

    function _useNumber(Word storage word, uint256 number) private {
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

    /// @dev Like _payLegs, out of what the router has pulled: each leg is a transfer. The inner loop ends with the last leg,
    /// or with one that has to be looked at.
    function _passLegs(address token, uint256 batchNumber, bytes calldata packedLegs) private returns (uint256 failed) {
        uint256 stipend = legGas;
        uint256 done;
        while (done < packedLegs.length) {
            bool ok;
            bool paid;
            address payee;
            assembly ("memory-safe") {
                // As in _payLegs, one word nearer: transfer(address,uint256) stands at 0x1c to 0x5f.
                let free := mload(0x40)
                mstore(0x20, 0)
                let at := add(packedLegs.offset, done)
                let end := add(packedLegs.offset, packedLegs.length)
                for {} 1 {} {
                    mstore(0x00, 0xa9059cbb)
                    mstore(0x2c, calldataload(at))
                    mstore(0x40, and(calldataload(at), 0xffffffffffffffffffffffff))
                    ok := call(stipend, token, 0, 0x1c, 0x44, 0x00, 0x20)
                    at := add(at, 0x20)
                    if and(and(ok, eq(mload(0x00), 1)), lt(eq(mload(0x20), address()), lt(at, end))) { continue }
                    break
                }
                paid := and(ok, or(eq(mload(0x00), 1), iszero(returndatasize())))
                payee := mload(0x20)
                mstore(0x40, free)
                done := sub(at, packedLegs.offset)
            }
            if (payee == address(this)) revert PayeeIsRouter();
            if (paid) continue;

            uint256 index = done / LEG_SIZE - 1;
            if (gasleft() < stipend * 64 / 63 + 1000) revert LegGasTooLow(index);
            failed |= 1 << index;
            emit LegFailed(batchNumber, index, ok ? abi.encodePacked(TransferNotConfirmed.selector) : _reason());
        }
    }

    /// @dev The first 128 bytes of the last call's answer.
    function _reason() private pure returns (bytes memory reason) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, MAX_REASON) { size := MAX_REASON }
            reason := mload(0x40)
            mstore(reason, size)
            returndatacopy(add(reason, 0x20), 0, size)
            mstore(0x40, add(reason, and(add(size, 0x3f), not(31))))
        }
    }

    function _sum(bytes calldata packedLegs) private pure returns (uint256 sum) {
        assembly ("memory-safe") {
            let at := packedLegs.offset
            let end := add(at, packedLegs.length)
            for {} lt(at, end) { at := add(at, 0x20) } {
                sum := add(sum, and(calldataload(at), 0xffffffffffffffffffffffff))
            }
        }
    }

    // --------------------------------------------------------------------------------------------------- signatures

    function _checkIntent(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline,
        bytes calldata signature
    ) private view {
        bytes32 digest = intentDigest(payer, token, batchNumber, packedLegs, deadline);
        if (!_signedBy(payer, digest, signature)) revert IntentSignatureInvalid(payer);
    }

    /// @dev Gives the permit to the token, in the form for keys first. If the token refuses it, the allowance decides:
    /// somebody may have given it the same permit before. A token without permits that says nothing against one has no
    /// allowance either, and its legs fail.
    function _usePermit(address payer, address token, uint256 sum, uint256 deadline, bytes calldata permit) private {
        bool ok;
        if (permit.length == 65) {
            (bytes32 r, bytes32 s, uint8 v) = _split(permit);
            (ok, ) = token.call(abi.encodeCall(IERC20Permit.permit, (payer, address(this), sum, deadline, v, r, s)));
        }
        if (!ok) {
            (ok, ) = token.call(abi.encodeCall(IPermitBytes.permit, (payer, address(this), sum, deadline, permit)));
        }
        if (!ok && IERC20(token).allowance(payer, address(this)) < sum) revert PermitRefused(payer, token);
    }

    /// @dev Pulls by an authorization, in the form for keys first. That the sum arrived is checked by the caller.
    function _useAuthorization(
        address payer,
        address token,
        uint256 sum,
        uint256 deadline,
        bytes32 nonce,
        bytes calldata signature
    ) private {
        bool ok;
        if (signature.length == 65) {
            (bytes32 r, bytes32 s, uint8 v) = _split(signature);
            (ok, ) = token.call(
                abi.encodeCall(
                    IAuthorized.receiveWithAuthorization, (payer, address(this), sum, 0, deadline, nonce, v, r, s)
                )
            );
        }
        if (!ok) {
            (ok, ) = token.call(
                abi.encodeCall(
                    IAuthorizedBytes.receiveWithAuthorization,
                    (payer, address(this), sum, 0, deadline, nonce, signature)
                )
            );
        }
        if (!ok) revert AuthorizationRefused(payer, token);
    }

    function _split(bytes calldata signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        r = bytes32(signature[:32]);
        s = bytes32(signature[32:64]);
        v = uint8(signature[64]);
    }

    function _hashIntent(
        address payer,
        address token,
        uint256 batchNumber,
        bytes calldata packedLegs,
        uint256 deadline
    ) private pure returns (bytes32) {
        return keccak256(abi.encode(INTENT_TYPEHASH, payer, token, batchNumber, _hashLegs(packedLegs), deadline));
    }

    /// @dev keccak256 over the legs' struct hashes, as EIP-712 wants an array of structs hashed.
    function _hashLegs(bytes calldata packedLegs) private pure returns (bytes32 hash) {
        bytes32 typeHash = LEG_TYPEHASH;
        assembly ("memory-safe") {
            // The struct of a leg stands at 0x00 to 0x5f, constant addresses being cheapest; that borrows Solidity's
            // pointer to free memory, which is put back at the end.
            let hashes := mload(0x40)
            mstore(0x00, typeHash)
            mstore(0x20, 0)
            let at := packedLegs.offset
            let end := add(at, packedLegs.length)
            let behind := sub(hashes, at) // how far behind its leg a hash stands: a leg is as long as a hash
            // Two legs a round. Behind an odd number of them the second is what follows in the calldata; its hash, which
            // stands behind the others, is not read.
            for {} 1 {} {
                // As in _payLegs, the amount overwrites what the payee's word spills over.
                mstore(0x2c, calldataload(at))
                mstore(0x40, and(calldataload(at), 0xffffffffffffffffffffffff))
                mstore(add(at, behind), keccak256(0x00, 0x60))
                at := add(at, 0x20)
                mstore(0x2c, calldataload(at))
                mstore(0x40, and(calldataload(at), 0xffffffffffffffffffffffff))
                mstore(add(at, behind), keccak256(0x00, 0x60))
                at := add(at, 0x20)
                if lt(at, end) { continue }
                break
            }
            hash := keccak256(hashes, packedLegs.length)
            mstore(0x40, hashes)
        }
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
        uint256 kept = _policies[msg.sender] & (POLICY_CAPS | POLICY_OWN);
        if (required) {
            _policies[msg.sender] = kept | POLICY_SIGNED;
            emit SignedIntentsRequired(msg.sender);
        } else if (_signedOnly(_policies[msg.sender])) {
            uint256 from = block.timestamp + LOOSEN_DELAY;
            _policies[msg.sender] = kept | POLICY_SIGNED | (from << POLICY_CLEARS_AT_SHIFT);
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
