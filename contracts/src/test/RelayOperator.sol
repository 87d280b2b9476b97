// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title An operator that is a contract and relays what it is told: the only kind that can be re-entered.
contract RelayOperator {
    function relay(address to, bytes calldata data) external {
        (bool ok, bytes memory answer) = to.call(data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
