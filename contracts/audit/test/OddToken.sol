// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token whose owner is the thief: at any moment it answers, moves and counts as it was last told to.
/// HostileToken misbehaves by payee, in transferFrom; this one in every function, pulls and passing on included.
contract OddToken {
    enum Manner {
        Honest,
        NoAnswer, // moves and answers nothing, as USDT does
        SaysFalse, // moves nothing
        MovesAndSaysFalse,
        SaysTrueMovesNothing,
        TakesFee, // one percent never arrives, as PAXG and STA do
        GivesMore, // the payee gets more than was sent
        Rebases, // every balance is doubled on the way, as AMPL may do
        RefusesAll, // a pause
        RefusesTransfer, // pulls, but passes nothing on
        RefusesZero, // reverts where nothing is sent, as LEND does
        BurnsGas,
        AnswersTwo,
        CallsBack, // calls the router again, with the power of an operator
        BalancesLie, // balanceOf says another number at each call
        AllowancesLie,
        NoBalances // balanceOf reverts
    }

    Manner public manner;
    bytes public back;
    address public backTo;
    bool public backWorked;
    uint256 private _factor = 1;
    uint256 private _asked;
    mapping(address account => uint256 amount) private _balances;
    mapping(address account => mapping(address spender => uint256 amount)) private _allowances;

    function mint(address to, uint256 amount) external {
        _balances[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        _allowances[msg.sender][spender] = amount;
        return true;
    }

    function behave(Manner manner_) external {
        manner = manner_;
    }

    function callBack(address to, bytes calldata data) external {
        (backTo, back) = (to, data);
    }

    function balanceOf(address account) external view returns (uint256) {
        if (manner == Manner.NoBalances) revert();
        if (manner == Manner.BalancesLie) return _balances[account] * _factor + gasleft() % 7;
        return _balances[account] * _factor;
    }

    function allowance(address account, address spender) external view returns (uint256) {
        return manner == Manner.AllowancesLie ? type(uint256).max : _allowances[account][spender];
    }

    function permit(address, address, uint256, uint256, bytes calldata) external {}

    function receiveWithAuthorization(address from, address to, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        _balances[from] -= value;
        _move(to, value);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (manner == Manner.RefusesTransfer) revert("no");
        return _transfer(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (manner != Manner.AllowancesLie) _allowances[from][msg.sender] -= amount;
        return _transfer(from, to, amount);
    }

    function _transfer(address from, address to, uint256 amount) private returns (bool) {
        if (manner == Manner.RefusesAll || (manner == Manner.RefusesZero && amount == 0)) revert("no");
        if (manner == Manner.SaysFalse) return false;
        if (manner == Manner.SaysTrueMovesNothing) return true;
        if (manner == Manner.BurnsGas) while (gasleft() > 0) {}
        if (manner == Manner.CallsBack) (backWorked, ) = backTo.call(back);
        _balances[from] -= amount;
        _move(to, amount);
        if (manner == Manner.MovesAndSaysFalse) return false;
        if (manner == Manner.NoAnswer || manner == Manner.AnswersTwo) _answer(manner == Manner.NoAnswer ? 0 : 32);
        return true;
    }

    function _move(address to, uint256 amount) private {
        if (manner == Manner.TakesFee) amount -= (amount + 99) / 100;
        if (manner == Manner.GivesMore) amount += 1;
        if (manner == Manner.Rebases) _factor *= 2;
        _balances[to] += amount;
    }

    function _answer(uint256 size) private pure {
        assembly ("memory-safe") {
            mstore(0, 2)
            return(0, size)
        }
    }
}
