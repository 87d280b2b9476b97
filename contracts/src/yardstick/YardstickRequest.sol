// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title A yardstick for gas, never to be deployed: one payment with a reference and a fee, as by Request's fee proxy.
/// @notice The event carries the reference, by which a payment is found. The same reference can be paid again.
contract YardstickFeeProxy {
    using SafeERC20 for IERC20;

    event TransferWithReferenceAndFee(
        address tokenAddress,
        address to,
        uint256 amount,
        bytes indexed paymentReference,
        uint256 feeAmount,
        address feeAddress
    );

    /// @notice Pays `to` and, unless it is zero, the fee, from the caller's tokens.
    function transferFromWithReferenceAndFee(
        address tokenAddress,
        address to,
        uint256 amount,
        bytes calldata paymentReference,
        uint256 feeAmount,
        address feeAddress
    ) external {
        IERC20 token = IERC20(tokenAddress);
        token.safeTransferFrom(msg.sender, to, amount);
        if (feeAmount != 0 && feeAddress != address(0)) token.safeTransferFrom(msg.sender, feeAddress, feeAmount);
        emit TransferWithReferenceAndFee(tokenAddress, to, amount, paymentReference, feeAmount, feeAddress);
    }
}

/// @title A yardstick for gas, never to be deployed: a batch that goes through the fee proxy leg by leg, as Request's do.
/// @notice The sum is taken from the caller first, and the proxy may move what lies here. Request's own contract takes a
/// fee of the batch besides; here there is none, which makes the yardstick cheaper.
contract YardstickBatchPayments {
    using SafeERC20 for IERC20;

    YardstickFeeProxy public immutable proxy;

    error TooLittle(uint256 wanted);

    constructor(YardstickFeeProxy proxy_) {
        proxy = proxy_;
    }

    /// @notice Pays each recipient its amount under its reference, and its fee to one address.
    function batchERC20PaymentsWithReference(
        address tokenAddress,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes[] calldata paymentReferences,
        uint256[] calldata feeAmounts,
        address feeAddress
    ) external {
        IERC20 token = IERC20(tokenAddress);
        uint256 sum;
        for (uint256 i = 0; i < recipients.length; i++) {
            sum += amounts[i] + feeAmounts[i];
        }
        _take(token, sum);
        for (uint256 i = 0; i < recipients.length; i++) {
            proxy.transferFromWithReferenceAndFee(
                tokenAddress, recipients[i], amounts[i], paymentReferences[i], feeAmounts[i], feeAddress
            );
        }
    }

    /// @dev Looks first at what the caller has and allows, as Request's contract does.
    function _take(IERC20 token, uint256 sum) private {
        if (token.allowance(msg.sender, address(this)) < sum || token.balanceOf(msg.sender) < sum) {
            revert TooLittle(sum);
        }
        token.safeTransferFrom(msg.sender, address(this), sum);
        if (token.allowance(address(this), address(proxy)) < sum) token.forceApprove(address(proxy), type(uint256).max);
    }
}
