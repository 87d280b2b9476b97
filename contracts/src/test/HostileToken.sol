// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that misbehaves on demand, for one payee or for all.
contract HostileToken is ERC20 {
    enum Manner {
        Honest,
        ReturnFalse, // says false and moves nothing
        ReturnFalseButMove, // says false and moves all the same
        ReturnTrueButKeep, // says true and moves nothing
        ReturnTwo, // answers 2: neither true nor false
        ReturnShort, // answers one byte
        ReturnHuge, // answers true followed by 50 000 bytes
        RevertHuge, // refuses with 50 000 bytes
        RevertEmpty,
        RevertPanic,
        BurnGas, // never ends
        TakeFee, // keeps one percent
        CallBack, // calls `target` with `data` during the transfer
        NeedGas // works with 200 000 gas, refuses at once with less, as a proxy's inner call may
    }

    mapping(address payee => Manner) public manners;
    address public target;
    bytes public data;
    bool public calledBackWell;
    bytes public answer;

    constructor() ERC20("Hostile (test)", "HOST") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function misbehave(address payee, Manner manner) external {
        manners[payee] = manner;
    }

    function callBackWith(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        (bool moves, uint256 moved) = _begin(to, amount);
        if (moves) super.transferFrom(from, to, moved);
        return _end(manners[to]);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        (bool moves, uint256 moved) = _begin(to, amount);
        if (moves) super.transfer(to, moved);
        return _end(manners[to]);
    }

    /// @dev What comes before anything moves: whether it does, and how much of it.
    function _begin(address to, uint256 amount) private returns (bool moves, uint256 moved) {
        Manner manner = manners[to];
        if (manner == Manner.NeedGas) require(gasleft() > 200_000, "too little gas");
        if (manner == Manner.RevertPanic) assert(amount == type(uint256).max);
        if (manner == Manner.BurnGas) while (gasleft() > 0) {}
        if (manner == Manner.RevertEmpty) _answer(false, 0, 0);
        if (manner == Manner.RevertHuge) _answer(false, 1, 50_000);
        if (manner == Manner.CallBack) (calledBackWell, answer) = target.call(data);
        moves = manner != Manner.ReturnFalse && manner != Manner.ReturnTrueButKeep;
        moved = manner == Manner.TakeFee ? amount - amount / 100 : amount;
    }

    function _end(Manner manner) private pure returns (bool) {
        if (manner == Manner.ReturnTwo) _answer(true, 2, 32);
        if (manner == Manner.ReturnShort) _answer(true, 0, 1);
        if (manner == Manner.ReturnHuge) _answer(true, 1, 50_000);
        return manner != Manner.ReturnFalse && manner != Manner.ReturnFalseButMove;
    }

    function _answer(bool ok, uint256 word, uint256 size) private pure {
        assembly {
            mstore(0, word)
            if ok {
                return(0, size)
            }
            revert(0, size)
        }
    }
}
