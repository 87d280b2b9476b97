// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OddToken} from "./OddToken.sol";
import {Thief} from "./Thief.sol";
import {IRouter, IToken, World} from "./World.sol";

/// @title A stolen operator key takes nothing from a payer with a policy, and at most the exact debits from one without.
contract StolenKeyTest {
    Thief private _thief;

    function setUp() public {
        _thief = new Thief();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_thief);
    }

    function invariant_aStolenKeyIsBounded() external view {
        _thief.hold();
    }
}

/// @title What one call of the router does, whatever it is given.
contract RouterTest is World {
    uint256 private constant PAYER = 101;
    address private payer = vm.addr(PAYER);

    function setUp() public {
        _build();
        _fund(payer, usdc, type(uint256).max);
        _fund(payer, usdt, type(uint256).max);
        _fund(payer, hostile, type(uint256).max);
    }

    /// Exactly the legs move, in both manners, for tokens that answer and that do not.
    function testFuzz_whatMovesIsExactlyTheLegs(uint256 seed, uint8 count, uint256 number, bool pull, bool answers) external {
        IToken token = answers ? usdc : usdt;
        uint256 n = uint256(count) % 32 + 1;
        bytes memory legs;
        for (uint256 i = 0; i < n; i++) {
            legs = bytes.concat(legs, _leg(address(uint160(0x9000 + i)), uint256(keccak256(abi.encode(seed, i))) % 1e9));
        }

        _pay(payer, address(token), number, legs, pull);

        require(FORTUNE - token.balanceOf(payer) == _sum(legs), "the payer's debit");
        for (uint256 i = 0; i < n; i++) {
            uint256 wanted = uint256(keccak256(abi.encode(seed, i))) % 1e9;
            require(token.balanceOf(address(uint160(0x9000 + i))) == wanted, "a payee's credit");
        }
        require(token.balanceOf(address(router)) == 0, "the router kept something");
        require(router.executed(number), "the number is used");
    }

    /// A number works once, in whatever manner it is used again.
    function testFuzz_aNumberWorksOnce(uint256 number, bool first, bool second) external {
        bytes memory legs = _leg(address(0x9000), 5);
        _pay(payer, address(usdc), number, legs, first);
        vm.prank(operator);
        (bool ok, ) = address(router).call(
            second
                ? abi.encodeCall(IRouter.payByPull, (payer, address(usdt), number, legs))
                : abi.encodeCall(IRouter.pay, (payer, address(usdt), number, legs))
        );
        require(!ok, "the number worked twice");
    }

    /// Nobody but an operator moves anything, whatever is called.
    function testFuzz_nobodyElseMovesAnything(address caller, bytes4 selector, bytes calldata data, uint256 number) external {
        vm.assume(caller != operator && caller != owner && caller != payer);
        vm.prank(caller);
        (bool ok, ) = address(router).call(bytes.concat(selector, data));
        ok;
        vm.prank(caller);
        (ok, ) = address(router).call(
            abi.encodeCall(IRouter.pay, (payer, address(usdc), number, _leg(caller, 1)))
        );
        require(!ok && usdc.balanceOf(payer) == FORTUNE, "a stranger moved something");
        require(router.operator() == operator && router.owner() == owner, "a stranger changed a role");
    }

    /// A leg of a token that misbehaves for one payee fails alone: the others are paid exactly.
    function testFuzz_anOddPayeeFailsAlone(uint8 manner, uint8 at, uint8 count) external {
        uint256 n = uint256(count) % 8 + 2;
        uint256 odd = uint256(at) % n;
        bytes memory legs;
        for (uint256 i = 0; i < n; i++) legs = bytes.concat(legs, _leg(address(uint160(0x9000 + i)), 100));
        hostile.misbehave(address(uint160(0x9000 + odd)), manner % 12); // all but those that call back or want gas

        _pay(payer, address(hostile), 7, legs, false);

        for (uint256 i = 0; i < n; i++) {
            if (i != odd) require(hostile.balanceOf(address(uint160(0x9000 + i))) == 100, "another leg was touched");
        }
        require(hostile.balanceOf(address(router)) == 0, "the router kept something");
    }

    /// A pull of a token that misbehaves in any manner leaves the router what it had, or moves nothing.
    function testFuzz_anOddTokenLeavesNothingBehind(uint8 manner, uint256 seed, uint8 count, uint64 before) external {
        OddToken odd = new OddToken();
        OddToken.Manner chosen = OddToken.Manner(manner % (uint256(type(OddToken.Manner).max) + 1));
        odd.mint(payer, FORTUNE);
        odd.mint(address(router), before);
        vm.prank(payer);
        odd.approve(address(router), FORTUNE);
        bytes memory legs;
        for (uint256 i = 0; i <= uint256(count) % 6; i++) {
            legs = bytes.concat(legs, _leg(address(uint160(0x9000 + i)), uint256(keccak256(abi.encode(seed, i))) % 1e6));
        }

        odd.behave(chosen);
        vm.prank(operator);
        (bool ok, ) = address(router).call{gas: 15_000_000}(
            abi.encodeCall(IRouter.payByPull, (payer, address(odd), 7, legs))
        );
        odd.behave(OddToken.Manner.Honest);

        require(router.executed(7) == ok, "the number is used exactly when the call went through");
        if (chosen == OddToken.Manner.Rebases || chosen == OddToken.Manner.BalancesLie) return; // balances say nothing
        require(odd.balanceOf(address(router)) == before, "the router kept or lost something");
        if (!ok) require(odd.balanceOf(payer) == FORTUNE, "a refused call moved something");
    }

    /// A signature is of one batch: one changed field makes it worth nothing.
    function testFuzz_anIntentBindsEveryField(uint256 number, uint96 amount, uint8 field, uint160 other) external {
        amount = uint96(uint256(amount) % 1e9 + 1);
        bytes memory legs = _leg(honest, amount);
        bytes memory intent = _signIntent(PAYER, address(usdc), number, legs);
        require(
            router.intentDigest(payer, address(usdc), number, legs, FAR)
                == _intentDigest(payer, address(usdc), number, legs, FAR),
            "the digest is the standard's"
        );
        vm.assume(address(other) != honest && address(other) != address(router));

        address token = address(usdc);
        uint256 sent = number;
        uint256 deadline = FAR;
        if (field % 5 == 0) token = address(usdt);
        if (field % 5 == 1) legs = _leg(address(other), amount);
        if (field % 5 == 2) legs = _leg(honest, uint256(amount) + 1);
        if (field % 5 == 3) sent = number ^ 1;
        if (field % 5 == 4) deadline = FAR - 1;
        vm.prank(operator);
        (bool ok, ) =
            address(router).call(abi.encodeCall(IRouter.payWithIntent, (payer, token, sent, legs, deadline, intent)));
        require(!ok, "a changed batch went through");
    }

    /// What an operator and a payer do under one number never happens twice.
    function testFuzz_ownNumbersAndTheOperatorsMeetOnce(uint256 number, bool ownFirst) external {
        bytes memory legs = _leg(honest, 5);
        bytes memory mine = abi.encodeCall(IRouter.payOwn, (address(usdc), number, legs, FAR));
        bytes memory theirs = abi.encodeCall(IRouter.pay, (payer, address(usdc), number, legs));

        vm.prank(ownFirst ? payer : operator);
        (bool ok, ) = address(router).call(ownFirst ? mine : theirs);
        require(ok, "the first");
        vm.prank(ownFirst ? operator : payer);
        (ok, ) = address(router).call(ownFirst ? theirs : mine);
        require(!ok && usdc.balanceOf(honest) == 5, "a number paid twice");
    }

    /// A stranger's own batches take no number of anybody else.
    function testFuzz_ownNumbersAreTheCallersAlone(uint256 number, address stranger) external {
        vm.assume(stranger != payer && stranger != address(0));
        vm.prank(stranger);
        (bool ok, ) =
            address(router).call(abi.encodeCall(IRouter.payOwn, (address(usdc), number, _leg(honest, 0), FAR)));
        ok;
        require(!router.executed(number) && !router.ownExecuted(payer, number), "a stranger used a number up");
        _pay(payer, address(usdc), number, _leg(honest, 5), false);
        require(usdc.balanceOf(honest) == 5, "the operator's number works");
    }

    function test_aPauseStopsEverything() external {
        vm.prank(guardian);
        router.pause();
        vm.prank(operator);
        (bool ok, ) = address(router).call(abi.encodeCall(IRouter.pay, (payer, address(usdc), 1, _leg(honest, 5))));
        require(!ok, "the operator pays while paused");
        vm.prank(payer);
        (ok, ) = address(router).call(abi.encodeCall(IRouter.payOwn, (address(usdc), 1, _leg(honest, 5), FAR)));
        require(!ok, "a payer pays while paused");
    }

    function test_theRouterTakesNoEther() external {
        (bool ok, ) = address(router).call{value: 1}("");
        require(!ok && address(router).balance == 0, "the router took ether");
    }

    function _pay(address from, address token, uint256 number, bytes memory legs, bool pull) private {
        vm.prank(operator);
        if (pull) router.payByPull(from, token, number, legs);
        else router.pay(from, token, number, legs);
    }
}
