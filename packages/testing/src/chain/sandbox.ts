import {
  loadMessage,
  type Address,
  type Cell,
  type ShardAccount,
  type Transaction,
} from '@ton/core'
import {
  Blockchain,
  Executor,
  type ExecutorEmulationResult,
  type ExecutorGetMethodArgs,
  type ExecutorGetMethodResult,
  type ExecutorRunTickTockArgs,
  type ExecutorRunTransactionArgs,
  type IExecutor,
  LocalBlockchainStorage,
  type MessageParams,
  type SmartContract,
} from '@ton/sandbox'

/** What two transactions in a row differ by. */
export const LT_STEP = 1_000_000n

let shared: Promise<Executor> | undefined

/** The accounts and the virtual machine that runs them, with a logical time that can be set; it records nothing. */
export class Sandbox extends Blockchain {
  readonly #accounts: AccountStore

  readonly #executor: ExactExecutor

  private constructor(executor: ExactExecutor) {
    const storage = new AccountStore()
    super({ executor, storage })
    this.#accounts = storage
    this.#executor = executor
    this.verbosity.print = false
  }

  /** All chains of a process have one virtual machine, since it keeps nothing of what it runs. */
  static async start(): Promise<Sandbox> {
    shared ??= Executor.create()
    return new Sandbox(new ExactExecutor(await shared))
  }

  /** Sets the logical time of the last transaction. */
  setLt(lt: bigint): void {
    this.currentLt = lt
  }

  async stateOf(address: Address): Promise<ShardAccount> {
    return (await this.getContract(address)).account
  }

  /** Runs a message to an account and keeps what the account has become. */
  async receive(dest: Address, message: Cell): Promise<Transaction> {
    this.increaseLt()
    return this.#run(await this.getContract(dest), message)
  }

  /** Runs a message to an account, which stays as it is. */
  async emulate(dest: Address, message: Cell, params?: MessageParams): Promise<Transaction> {
    const contract = await this.getContract(dest)
    const before = contract.account
    this.increaseLt()
    try {
      return await this.#run(contract, message, params)
    } finally {
      contract.account = before
      this.setLt(this.lt - LT_STEP)
    }
  }

  async #run(contract: SmartContract, cell: Cell, params?: MessageParams): Promise<Transaction> {
    this.#executor.message = cell
    return contract.receiveMessage(loadMessage(cell.beginParse()), params)
  }

  /** All accounts as they are. */
  saveAccounts(): AccountStates {
    return this.#accounts
      .knownContracts()
      .map((contract) => ({ address: contract.address, account: contract.account }))
  }

  /** Makes the accounts what they were, and forgets those that were not. */
  async restoreAccounts(states: AccountStates): Promise<void> {
    this.#accounts.clearKnownContracts()
    for (const { address, account } of states) {
      const contract = await this.getContract(address)
      contract.account = account
    }
  }
}

/** Runs a message as it was sent: the sandbox writes it anew, by which its hash may become another. */
class ExactExecutor implements IExecutor {
  /** The message that is run next. */
  message: Cell | undefined
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  runTransaction(args: ExecutorRunTransactionArgs): Promise<ExecutorEmulationResult> {
    const { message = args.message } = this
    this.message = undefined
    return this.#executor.runTransaction({ ...args, message })
  }

  runTickTock(args: ExecutorRunTickTockArgs): Promise<ExecutorEmulationResult> {
    return this.#executor.runTickTock(args)
  }

  runGetMethod(args: ExecutorGetMethodArgs): Promise<ExecutorGetMethodResult> {
    return this.#executor.runGetMethod(args)
  }
}

/** Accounts as they were at some time. */
export type AccountStates = readonly { address: Address; account: ShardAccount }[]

/** Keeps accounts as the network does: one that never got a message does not exist, where the sandbox has it as uninit. */
class AccountStore extends LocalBlockchainStorage {
  readonly #known = new Set<string>()

  override async getContract(blockchain: Blockchain, address: Address): Promise<SmartContract> {
    const contract = await super.getContract(blockchain, address)
    const key = address.toRawString()
    if (!this.#known.has(key)) {
      this.#known.add(key)
      contract.account = { account: null, lastTransactionLt: 0n, lastTransactionHash: 0n }
    }
    return contract
  }

  override clearKnownContracts(): void {
    super.clearKnownContracts()
    this.#known.clear()
  }
}
