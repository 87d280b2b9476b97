// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A stand-in for USDT on Ethereum: 6 decimals and its four old manners.
///  1. transfer, transferFrom and approve return nothing.
///  2. approve refuses to change an allowance that is not zero to another that is not zero.
///  3. Refusals carry no reason.
///  4. Too little balance or allowance is an assertion of the old kind and burns all gas the call was given.
contract TestUSDT {
    string public constant name = "Tether USD (test)";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public immutable owner;
    uint256 public totalSupply;
    bool public paused;
    mapping(address account => uint256 amount) public balanceOf;
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;
    mapping(address account => bool listed) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AddedBlackList(address account);
    event RemovedBlackList(address account);
    event Pause();
    event Unpause();

    modifier onlyOwner() {
        _require(msg.sender == owner);
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function addBlackList(address account) external onlyOwner {
        isBlackListed[account] = true;
        emit AddedBlackList(account);
    }

    function removeBlackList(address account) external onlyOwner {
        isBlackListed[account] = false;
        emit RemovedBlackList(account);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpause();
    }

    function approve(address spender, uint256 amount) external {
        _require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            _assert(amount <= allowed);
            allowance[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
    }

    /// The real token only refuses a blacklisted sender; this one refuses both ends, as its issuer's newer tokens do,
    /// so that a batch can meet a blacklisted payee that answers without a reason.
    function _move(address from, address to, uint256 amount) private {
        _require(!paused && !isBlackListed[from] && !isBlackListed[to]);
        _assert(amount <= balanceOf[from]);
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _require(bool ok) private pure {
        if (!ok) {
            assembly {
                revert(0, 0)
            }
        }
    }

    function _assert(bool ok) private pure {
        if (!ok) {
            assembly {
                invalid()
            }
        }
    }
}
