// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheat codes that these tests use, of Foundry's.
interface Vm {
    function prank(address sender) external;
    function warp(uint256 time) external;
    function etch(address target, bytes calldata code) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function addr(uint256 key) external pure returns (address);
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function assume(bool condition) external pure;
}

/// @dev What these tests call of the router; the byte code is the committed one.
interface IRouter {
    function pay(address payer, address token, uint256 number, bytes calldata legs) external;
    function payByPull(address payer, address token, uint256 number, bytes calldata legs) external;
    function payWithIntent(address, address, uint256, bytes calldata, uint256, bytes calldata) external;
    function payWithPermit(address, address, uint256, bytes calldata, uint256, bytes calldata, bytes calldata) external;
    function payWithAuthorization(address, address, uint256, bytes calldata, uint256, bytes calldata) external;
    function payWithPermit2(address, address, uint256, bytes calldata, uint256, bytes calldata) external;
    function payOwn(address token, uint256 number, bytes calldata legs, uint256 deadline) external;
    function executed(uint256 number) external view returns (bool);
    function ownExecuted(address payer, uint256 number) external view returns (bool);
    function intentDigest(address, address, uint256, bytes calldata, uint256) external view returns (bytes32);
    function setDailyCap(address token, uint256 limit) external;
    function setSignedIntentsOnly(bool required) external;
    function signedIntentsOnly(address payer) external view returns (bool required, uint256 clearsAt);
    function dailyCap(address, address) external view returns (uint256, uint256, uint256, uint256);
    function setFurtherOperator(address operator, bool allowed) external;
    function setOperator(address operator) external;
    function operator() external view returns (address);
    function owner() external view returns (address);
    function guardian() external view returns (address);
    function pause() external;
    function unpause() external;
}

interface IToken {
    function mint(address to, uint256 amount) external;
    function approve(address spender, uint256 amount) external returns (bool);
    function allowance(address owner, address spender) external view returns (uint256);
    function balanceOf(address owner) external view returns (uint256);
    function nonces(address owner) external view returns (uint256);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function misbehave(address payee, uint8 manner) external;
}

/// @title A router with a token like USDC, one like USDT, and the people of every test.
abstract contract World {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    string private constant ARTIFACTS = "../../internal/rails/chain/contract/artifacts/";
    uint256 internal constant LEG_GAS = 300_000;
    uint256 internal constant FORTUNE = 1e15;
    uint256 internal constant FAR = 4_000_000_000;

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant LEG = keccak256("Leg(address to,uint256 amount)");
    bytes32 private constant INTENT = keccak256(
        "Intent(address payer,address token,uint256 batchNumber,Leg[] legs,uint256 deadline)Leg(address to,uint256 amount)"
    );
    bytes32 private constant WITNESS = keccak256(
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Intent witness)Intent(address payer,address token,uint256 batchNumber,Leg[] legs,uint256 deadline)Leg(address to,uint256 amount)TokenPermissions(address token,uint256 amount)"
    );
    bytes32 private constant PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");

    address internal owner = address(0xA11CE);
    address internal operator = address(0x09E7A708);
    address internal guardian = address(0x6A2D);
    address internal honest = address(0x40E57); // whom honest batches pay, and no thief
    IRouter internal router;
    IToken internal usdc;
    IToken internal usdt;
    IToken internal hostile;

    function _build() internal {
        vm.warp(1_790_000_000);
        router = IRouter(_deploy("SlipwayRouter", abi.encode(owner, operator, guardian, LEG_GAS)));
        usdc = IToken(_deploy("TestUSDC", ""));
        usdt = IToken(_deploy("TestUSDT", ""));
        hostile = IToken(_deploy("HostileToken", ""));
        vm.etch(PERMIT2, _artifact("TestPermit2", ".deployedBytecode"));
    }

    function _artifact(string memory name, string memory field) private view returns (bytes memory) {
        return vm.parseJsonBytes(vm.readFile(string.concat(ARTIFACTS, name, ".json")), field);
    }

    function _deploy(string memory name, bytes memory arguments) internal returns (address made) {
        bytes memory code = bytes.concat(_artifact(name, ".bytecode"), arguments);
        assembly ("memory-safe") {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0), name);
    }

    /// @dev Lets a payer have tokens, and the router take `allowance` of them.
    function _fund(address payer, IToken token, uint256 allowance) internal {
        token.mint(payer, FORTUNE);
        _approve(payer, token, address(router), allowance);
    }

    /// @dev USDT's approve answers nothing, so the answer is not decoded.
    function _approve(address payer, IToken token, address spender, uint256 amount) internal {
        vm.prank(payer);
        (bool ok, ) = address(token).call(abi.encodeCall(IToken.approve, (spender, amount)));
        require(ok, "approve");
    }

    function _leg(address to, uint256 amount) internal pure returns (bytes memory) {
        return abi.encodePacked(to, uint96(amount));
    }

    function _sum(bytes memory legs) internal pure returns (uint256 sum) {
        for (uint256 at = 32; at <= legs.length; at += 32) {
            sum += _word(legs, at) & type(uint96).max;
        }
    }

    function _word(bytes memory legs, uint256 at) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(legs, at))
        }
    }

    // The digests are computed here once more, from the standards' texts and not by the router.

    function _intentStruct(address payer, address token, uint256 number, bytes memory legs, uint256 deadline)
        private
        pure
        returns (bytes32)
    {
        bytes memory hashes;
        for (uint256 at = 32; at <= legs.length; at += 32) {
            uint256 word = _word(legs, at);
            hashes = bytes.concat(hashes, keccak256(abi.encode(LEG, word >> 96, word & type(uint96).max)));
        }
        return keccak256(abi.encode(INTENT, payer, token, number, keccak256(hashes), deadline));
    }

    function _signIntent(uint256 key, address token, uint256 number, bytes memory legs) internal view returns (bytes memory) {
        return _sign(key, _intentDigest(vm.addr(key), token, number, legs, FAR));
    }

    function _intentDigest(address payer, address token, uint256 number, bytes memory legs, uint256 deadline)
        internal
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Slipway"),
                keccak256("1"),
                block.chainid,
                address(router)
            )
        );
        return _typed(domain, _intentStruct(payer, token, number, legs, deadline));
    }

    function _signPermit(uint256 key, IToken token, uint256 sum) internal view returns (bytes memory) {
        address payer = vm.addr(key);
        bytes32 data = keccak256(abi.encode(PERMIT, payer, address(router), sum, token.nonces(payer), FAR));
        return _sign(key, _typed(token.DOMAIN_SEPARATOR(), data));
    }

    function _signAuthorization(uint256 key, IToken token, uint256 number, bytes memory legs)
        internal
        view
        returns (bytes memory)
    {
        address payer = vm.addr(key);
        bytes32 nonce = _intentDigest(payer, address(token), number, legs, FAR);
        bytes32 data = keccak256(abi.encode(RECEIVE, payer, address(router), _sum(legs), 0, FAR, nonce));
        return _sign(key, _typed(token.DOMAIN_SEPARATOR(), data));
    }

    function _signPermit2(uint256 key, address token, uint256 number, bytes memory legs) internal view returns (bytes memory) {
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, token, _sum(legs)));
        bytes32 witness = _intentStruct(vm.addr(key), token, number, legs, FAR);
        bytes32 data = keccak256(abi.encode(WITNESS, permissions, address(router), number, FAR, witness));
        return _sign(key, _typed(IToken(PERMIT2).DOMAIN_SEPARATOR(), data));
    }

    function _typed(bytes32 domain, bytes32 data) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, data));
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
