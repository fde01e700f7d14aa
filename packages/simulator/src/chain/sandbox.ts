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

/** The distance between the logical times of consecutive transactions. */
export const LT_STEP = 1_000_000n

let shared: Promise<Executor> | undefined

/** The virtual machine and the accounts, with a settable logical time. Records no transactions. */
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

  /** Starts a sandbox. All chains of a process share one virtual machine, because it has no state. */
  static async start(): Promise<Sandbox> {
    shared ??= Executor.create()
    return new Sandbox(new ExactExecutor(await shared))
  }

  /** Sets the logical time of the last transaction. */
  setLt(lt: bigint): void {
    this.currentLt = lt
  }

  /** Reads the time from a function from now on. */
  useClock(now: () => number): void {
    // The base class reads the property for each transaction, and sets it when a snapshot is restored.
    Object.defineProperty(this, 'now', {
      get: now,
      set() {
        // The function remains the source of the time.
      },
    })
  }

  async stateOf(address: Address): Promise<ShardAccount> {
    return (await this.getContract(address)).account
  }

  /** Runs a message on an account and saves the new state. */
  async receive(dest: Address, message: Cell, params?: MessageParams): Promise<Transaction> {
    this.increaseLt()
    return this.#run(await this.getContract(dest), message, params)
  }

  /** Runs a message on an account without saving the new state. */
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

  /** Returns the states of all accounts. */
  saveAccounts(): AccountStates {
    return this.#accounts
      .knownContracts()
      .map((contract) => ({ address: contract.address, account: contract.account }))
  }

  /** Restores the states of accounts and removes all others. */
  async restoreAccounts(states: AccountStates): Promise<void> {
    this.#accounts.clearKnownContracts()
    for (const { address, account } of states) {
      const contract = await this.getContract(address)
      contract.account = account
    }
  }
}

/** Runs the original cell of a message. The sandbox would serialize the message again, which may change its hash. */
class ExactExecutor implements IExecutor {
  /** The cell of the next message. */
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

/** Saved account states. */
export type AccountStates = readonly { address: Address; account: ShardAccount }[]

/**
 * Returns accounts that never received a message as nonexistent, as the network does; the sandbox has them as uninit.
 */
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
