// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A yardstick for gas, never to be deployed: the caller pays many from its own tokens, as with Disperse.
/// @notice The two functions have the names and arguments that wallets know. Nothing here keeps a payment from being made
/// twice, and one leg that fails fails all.
contract YardstickDisperse {
    error NotPaid(address to);

    /// @notice Takes the sum once and hands it on.
    function disperseToken(IERC20 token, address[] calldata recipients, uint256[] calldata values) external {
        uint256 sum;
        for (uint256 i = 0; i < values.length; i++) {
            sum += values[i];
        }
        if (!token.transferFrom(msg.sender, address(this), sum)) revert NotPaid(address(this));
        for (uint256 i = 0; i < recipients.length; i++) {
            if (!token.transfer(recipients[i], values[i])) revert NotPaid(recipients[i]);
        }
    }

    /// @notice Moves each amount from the caller to its recipient.
    function disperseTokenSimple(IERC20 token, address[] calldata recipients, uint256[] calldata values) external {
        for (uint256 i = 0; i < recipients.length; i++) {
            if (!token.transferFrom(msg.sender, recipients[i], values[i])) revert NotPaid(recipients[i]);
        }
    }
}
