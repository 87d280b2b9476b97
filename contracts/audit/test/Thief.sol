// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OddToken} from "./OddToken.sol";
import {IRouter, IToken, World} from "./World.sol";

/// @title Holds the operator's key, a further operator that is a token of its own, and every signature that was given.
/// Foundry calls its functions in any order with any arguments. The payers, who do only what honest people do, and the
/// books of what they allowed are kept here, too.
contract Thief is World {
    uint256 private constant PLAIN = 101; // no policy: approves and permits exact debits
    uint256 private constant CAPPED = 102; // a daily cap, and an approval without limit
    uint256 private constant GUARDED = 103; // requires its signature, and an approval without limit
    uint256 private constant OWN = 104; // pays itself
    uint256 private constant NUMBERS = 700;
    uint256 private constant DELAY = 48 hours;
    uint256 private constant GAS = 4_000_000; // of a call: a token that burns all it is given burns no more

    address public plain = vm.addr(PLAIN);
    address public capped = vm.addr(CAPPED);
    address public guarded = vm.addr(GUARDED);
    address public own = vm.addr(OWN);
    OddToken public odd;

    /// @notice The first rule that was broken, or nothing.
    string public broken;

    mapping(address token => uint256 sum) private _allowed; // what plain approved and permitted, in all
    mapping(address token => uint256 sum) private _signed; // what guarded signed and was paid
    uint256 private _ownPaid;
    mapping(uint256 number => bool) private _used;
    mapping(uint256 number => bool) private _ownUsed;

    uint256 private _limit = 1000;
    uint256 private _next;
    uint256 private _nextAt;
    uint256 private _day;
    uint256 private _dayBase; // what capped had when the day began
    uint256 private _dayLimit; // the highest cap of the day

    constructor() {
        _build();
        odd = new OddToken();
        vm.prank(owner);
        router.setFurtherOperator(address(odd), true);

        address[4] memory payers = [plain, capped, guarded, own];
        for (uint256 i = 0; i < payers.length; i++) {
            _fund(payers[i], usdc, i == 1 || i == 2 ? type(uint256).max : 0);
            _fund(payers[i], usdt, i == 1 || i == 2 ? type(uint256).max : 0);
            odd.mint(payers[i], FORTUNE);
            vm.prank(payers[i]);
            odd.approve(address(router), FORTUNE);
        }
        _approve(guarded, usdc, PERMIT2, type(uint256).max);

        vm.prank(guarded);
        router.setSignedIntentsOnly(true);
        _setCap(usdc);
        _setCap(usdt);
        _newDay();
    }

    // --------------------------------------------------------------------------------------------- what a thief does

    /// @notice Takes by an approval, one leg at a time or by a pull.
    function steal(uint256 who, uint256 what, uint256 number, uint256 seed, bool pull) external {
        bytes memory legs = _loot(seed);
        (address payer, address token) = (_payer(who), _token(what));
        number %= NUMBERS;
        bytes memory data = pull
            ? abi.encodeCall(IRouter.payByPull, (payer, token, number, legs))
            : abi.encodeCall(IRouter.pay, (payer, token, number, legs));
        _send(number, data);
    }

    /// @notice Sends the permit of an honest debit with payees of its own, or with more than the debit.
    function stealPermit(uint256 number, uint256 seed, bool more, bool first) external {
        bytes memory legs = _loot(seed);
        number %= NUMBERS;
        bytes memory permit = _signPermit(PLAIN, usdc, _sum(legs));
        _allowed[address(usdc)] += _sum(legs);
        if (first) {
            (bool ok, ) = address(usdc).call(
                abi.encodeWithSignature(
                    "permit(address,address,uint256,uint256,bytes)", plain, address(router), _sum(legs), FAR, permit
                )
            );
            ok;
        }
        uint256 most = usdc.allowance(plain, address(router));
        if (_sum(legs) > most) most = _sum(legs);
        uint256 before = usdc.balanceOf(plain);
        if (more) legs = bytes.concat(legs, _leg(_accomplice(seed), 1));
        _send(number, abi.encodeCall(IRouter.payWithPermit, (plain, address(usdc), number, legs, FAR, permit, "")));
        if (before - usdc.balanceOf(plain) > most) broken = "more than a permit's debit left its payer";
    }

    /// @notice Sends what the guarded payer signed, as it stands and twice.
    function sendSigned(uint256 manner, uint256 number, uint96 amount) external {
        bytes memory legs = _leg(honest, uint256(amount) % 1e6 + 1);
        number %= NUMBERS;
        bytes memory data = _signedCall(manner, address(usdc), number, legs, legs);
        if (_send(number, data)) _signed[address(usdc)] += _sum(legs);
        _send(number, data);
    }

    /// @notice Changes one thing of what the guarded payer signed.
    function redirect(uint256 manner, uint256 number, uint256 seed, uint256 what) external {
        bytes memory legs = _leg(honest, seed % 1e6 + 2);
        bytes memory other = legs;
        uint256 sent = number % NUMBERS;
        address token = address(usdc);
        if (what % 4 == 0) other = _leg(_accomplice(seed), seed % 1e6 + 2);
        if (what % 4 == 1) other = _leg(honest, seed % 1e6 + 1);
        if (what % 4 == 2) other = bytes.concat(legs, _leg(_accomplice(seed), 1));
        if (what % 4 == 3) token = address(usdt);
        if (_send(sent, _signedCall(manner, token, sent, legs, other))) broken = "a changed batch went through";
    }

    /// @notice Lets a token of its own misbehave, and call back with an operator's power while it is paid.
    function misbehave(uint256 manner, uint256 who, uint256 number, uint256 seed, bool pull) external {
        odd.behave(OddToken.Manner(manner % (uint256(type(OddToken.Manner).max) + 1)));
        bytes memory legs = _loot(seed);
        number %= NUMBERS;
        odd.callBack(
            address(router),
            abi.encodeCall(IRouter.pay, (_payer(seed), address(usdc), (number + 1) % NUMBERS, _leg(_accomplice(seed), 5)))
        );
        address payer = _payer(who);
        bytes memory data = pull
            ? abi.encodeCall(IRouter.payByPull, (payer, address(odd), number, legs))
            : abi.encodeCall(IRouter.pay, (payer, address(odd), number, legs));
        _send(number, data);
        if (odd.backWorked()) broken = "a token called back and was let in";
        odd.behave(OddToken.Manner.Honest);
    }

    /// @notice Calls any function with any bytes, and the tokens themselves.
    function callAnything(uint256 which, bytes calldata data) external {
        bytes4[12] memory known = [
            bytes4(keccak256("setOperator(address)")), bytes4(keccak256("setFurtherOperator(address,bool)")),
            bytes4(keccak256("setGuardian(address)")), bytes4(keccak256("transferOwnership(address)")),
            bytes4(keccak256("acceptOwnership()")), bytes4(keccak256("renounceOwnership()")),
            IRouter.pay.selector, IRouter.payWithIntent.selector, IRouter.payWithPermit.selector,
            IRouter.payWithAuthorization.selector, IRouter.payWithPermit2.selector, IRouter.unpause.selector
        ];
        bytes memory sent = which % 13 == 12 ? data : bytes.concat(known[which % 13 % 12], data);
        vm.prank(operator);
        (bool ok, ) = address(router).call(sent);
        if (ok && which % 13 < 6) broken = "the operator changed a role";

        address payer = _payer(which);
        vm.prank(operator);
        (ok, ) = address(usdc).call(abi.encodeWithSignature("transferFrom(address,address,uint256)", payer, operator, 1));
        if (ok) broken = "the operator took from the token itself";
    }

    // -------------------------------------------------------------------------------------- what honest payers do

    /// @notice Approves exactly what is to be paid.
    function approveExactly(uint256 what, uint256 amount) external {
        address token = what % 2 == 0 ? address(usdc) : address(usdt);
        amount %= 5e6;
        _approve(plain, IToken(token), address(router), 0);
        _approve(plain, IToken(token), address(router), amount);
        _allowed[token] += amount;
    }

    /// @notice Changes its daily cap: lower holds at once, higher after 48 hours.
    function recap(uint256 limit) external {
        limit %= 5e6;
        uint256 current = _limitNow();
        _limit = current;
        (_next, _nextAt) = (0, 0);
        if (limit > current) (_next, _nextAt) = (limit, block.timestamp + DELAY);
        else _limit = limit;
        vm.prank(capped);
        router.setDailyCap(address(usdc), limit);
        _raiseDay();
    }

    /// @notice Pays a batch of its own, short or so long that it is pulled.
    function payOwn(uint256 number, uint96 amount) external {
        bytes memory legs = _leg(honest, uint256(amount) % 1e6 + 1);
        if (amount % 3 == 0) {
            for (uint256 i = 0; i < 15; i++) legs = bytes.concat(legs, _leg(honest, i));
        }
        number %= NUMBERS;
        // In one transaction, as a Safe's batch does it: when the payment reverts, so does the approval.
        _approve(own, usdc, address(router), _sum(legs));
        vm.prank(own);
        (bool ok, ) =
            address(router).call(abi.encodeCall(IRouter.payOwn, (address(usdc), number, legs, block.timestamp)));
        if (!ok) _approve(own, usdc, address(router), 0);
        if (!ok) return;
        if (usdc.allowance(own, address(router)) != 0) broken = "an approval outlived its batch";
        if (_ownUsed[number] || _used[number]) broken = "a payer repeated a number";
        _ownUsed[number] = true;
        _ownPaid += _sum(legs);
    }

    function passTime(uint256 time) external {
        vm.warp(block.timestamp + time % 50 hours);
        if (block.timestamp / 1 days != _day) _newDay();
        _raiseDay();
    }

    // ------------------------------------------------------------------------------------------------- what holds

    /// @notice The rules, each compared with the payers' books.
    function hold() external view {
        require(bytes(broken).length == 0, broken);
        _holdToken(usdc);
        _holdToken(usdt);
        require(_dayBase - usdc.balanceOf(capped) <= _dayLimit, "more than the cap left within a day");
        require(FORTUNE - usdc.balanceOf(own) == _ownPaid, "somebody paid for a payer that pays itself");
        require(router.operator() == operator && router.owner() == owner, "a role moved");
        require(router.guardian() == guardian, "the guardian moved");
    }

    function _holdToken(IToken token) private view {
        uint256 left = FORTUNE - token.balanceOf(plain);
        require(left <= _allowed[address(token)], "more than the exact debits left a payer without a policy");
        require(FORTUNE - token.balanceOf(guarded) == _signed[address(token)], "what a payer did not sign left it");
        require(token.balanceOf(address(router)) == 0, "the router kept something");
        require(token.allowance(address(router), operator) == 0, "the router approved somebody");
        require(token.allowance(address(router), address(odd)) == 0, "the router approved somebody");
    }

    // ---------------------------------------------------------------------------------------------------- helpers

    /// @dev Sends with the operator's key. A number that went through once must not go through again.
    function _send(uint256 number, bytes memory data) private returns (bool ok) {
        vm.prank(operator);
        (ok, ) = address(router).call{gas: GAS}(data);
        if (!ok) return false;
        if (_used[number]) broken = "a number went through twice";
        _used[number] = true;
    }

    /// @dev A call with what the guarded payer signed of `legs`, carrying `sent`.
    function _signedCall(uint256 manner, address token, uint256 number, bytes memory legs, bytes memory sent)
        private
        view
        returns (bytes memory)
    {
        address signed = address(usdc);
        if (manner % 3 == 0) {
            bytes memory intent = _signIntent(GUARDED, signed, number, legs);
            return abi.encodeCall(IRouter.payWithIntent, (guarded, token, number, sent, FAR, intent));
        }
        if (manner % 3 == 1) {
            bytes memory given = _signAuthorization(GUARDED, usdc, number, legs);
            return abi.encodeCall(IRouter.payWithAuthorization, (guarded, token, number, sent, FAR, given));
        }
        bytes memory transfer = _signPermit2(GUARDED, signed, number, legs);
        return abi.encodeCall(IRouter.payWithPermit2, (guarded, token, number, sent, FAR, transfer));
    }

    function _loot(uint256 seed) private view returns (bytes memory legs) {
        uint256 count = seed % 97 == 0 ? 32 : seed % 4 + 1;
        for (uint256 i = 0; i < count; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            address to = seed % 101 == 0 ? address(router) : _accomplice(seed);
            legs = bytes.concat(legs, _leg(to, seed % 9 == 0 ? 0 : (seed >> 8) % 900));
        }
    }

    function _accomplice(uint256 seed) private pure returns (address) {
        return address(uint160(0x7000 + seed % 5));
    }

    function _payer(uint256 who) private view returns (address) {
        if (who % 4 == 0) return plain;
        if (who % 4 == 1) return capped;
        return who % 4 == 2 ? guarded : own;
    }

    function _token(uint256 what) private view returns (address) {
        return what % 2 == 0 ? address(usdc) : address(usdt);
    }

    function _setCap(IToken token) private {
        vm.prank(capped);
        router.setDailyCap(address(token), _limit);
    }

    function _limitNow() private view returns (uint256) {
        return _nextAt != 0 && block.timestamp >= _nextAt ? _next : _limit;
    }

    function _newDay() private {
        _day = block.timestamp / 1 days;
        _dayBase = usdc.balanceOf(capped);
        _dayLimit = 0;
        _raiseDay();
    }

    function _raiseDay() private {
        uint256 now_ = _limitNow();
        if (now_ > _dayLimit) _dayLimit = now_;
    }
}
