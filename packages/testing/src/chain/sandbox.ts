import type { Address, Cell, Message, ShardAccount, Transaction } from '@ton/core'
import {
  Blockchain,
  Executor,
  LocalBlockchainStorage,
  type MessageParams,
  type SmartContract,
} from '@ton/sandbox'

/** What two transactions in a row differ by. */
export const LT_STEP = 1_000_000n

let executor: Promise<Executor> | undefined

/** The accounts and the virtual machine that runs them, with a logical time that can be set; it records nothing. */
export class Sandbox extends Blockchain {
  readonly #accounts: AccountStore

  private constructor(virtualMachine: Executor) {
    const storage = new AccountStore()
    super({ executor: virtualMachine, storage })
    this.#accounts = storage
    this.verbosity.print = false
  }

  /** All chains of a process have one virtual machine, since it keeps nothing of what it runs. */
  static async start(): Promise<Sandbox> {
    executor ??= Executor.create()
    return new Sandbox(await executor)
  }

  /** Sets the logical time of the last transaction. */
  setLt(lt: bigint): void {
    this.currentLt = lt
  }

  /** Takes the time of each moment from a function, for good. */
  followTime(now: () => number): void {
    // The property of the class is asked at each transaction; a snapshot's time is of no matter then.
    Object.defineProperty(this, 'now', { get: now, set: () => undefined })
  }

  async stateOf(address: Address): Promise<ShardAccount> {
    return (await this.getContract(address)).account
  }

  /** Runs a message to an account and keeps what the account has become. */
  async receive(dest: Address, message: Message): Promise<Transaction> {
    this.increaseLt()
    return withoutLogs(await (await this.getContract(dest)).receiveMessage(message))
  }

  /** Runs a message to an account, which stays as it is. */
  async emulate(dest: Address, message: Message, params?: MessageParams): Promise<Transaction> {
    const contract = await this.getContract(dest)
    const before = contract.account
    this.increaseLt()
    try {
      return withoutLogs(await contract.receiveMessage(message, params))
    } finally {
      contract.account = before
      this.setLt(this.lt - LT_STEP)
    }
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

/** A transaction alone: the sandbox adds logs, storages and actions, most of what it weighs. */
function withoutLogs(one: Transaction & { raw: Cell }): Transaction {
  return {
    address: one.address,
    lt: one.lt,
    prevTransactionHash: one.prevTransactionHash,
    prevTransactionLt: one.prevTransactionLt,
    now: one.now,
    outMessagesCount: one.outMessagesCount,
    oldStatus: one.oldStatus,
    endStatus: one.endStatus,
    inMessage: one.inMessage,
    outMessages: one.outMessages,
    totalFees: one.totalFees,
    stateUpdate: one.stateUpdate,
    description: one.description,
    raw: one.raw,
    hash: one.hash,
  }
}
