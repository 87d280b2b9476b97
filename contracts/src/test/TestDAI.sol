// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title A stand-in for DAI as it is on rollups: 18 decimals, permits by EIP-2612 and no surprises.
contract TestDAI is ERC20Permit, Ownable {
    constructor() ERC20("Dai Stablecoin (test)", "DAI") ERC20Permit("Dai Stablecoin (test)") Ownable(msg.sender) {}

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
