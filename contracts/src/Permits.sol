// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The permit that takes a wallet contract's signature, as USDC has it.
interface IPermitBytes {
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature) external;
}

/// @dev EIP-3009, of which only the receiver can use an authorization.
interface IAuthorized {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @dev The same with a wallet contract's signature.
interface IAuthorizedBytes {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @dev The part of Permit2 that transfers by a signature with a witness.
interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
