// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title A stand-in for USDC: 6 decimals, a blacklist and a pause, refusing with sentences as the real one does.
/// The balance error is OpenZeppelin's own, so that callers meet custom errors and sentences from one token.
contract TestUSDC is ERC20, Ownable {
    mapping(address account => bool listed) public isBlacklisted;
    bool public paused;

    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);
    event Pause();
    event Unpause();

    constructor() ERC20("USD Coin (test)", "USDC") Ownable(msg.sender) {}

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
