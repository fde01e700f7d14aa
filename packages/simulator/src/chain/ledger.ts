import { Address, loadMessage, type Cell, type Transaction } from '@ton/core'
import { EmulationError, type MessageParams } from '@ton/sandbox'
import { NONEXIST, viewAccount, type AccountView, type Codes } from './account-view.js'
import type { ChainBlock } from './block.js'
import type { ChainSnapshot } from './chain-snapshot.js'
import { keepTransaction } from './kept-transaction.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import { LT_STEP, type Sandbox } from './sandbox.js'
import { MutableTransactionIndex } from './transaction-index.js'
import type { WaitingMessage } from './waiting-message.js'

const FIRST_SEQNO = 50_000_000

/** Where an emulation stops. */
export interface EmulationLimits {
  transactions: number
  depth: number
}

/** The blocks, transactions and pending messages of a chain. Calls must not run concurrently. */
export class Ledger {
  readonly blocks: ChainBlock[] = []
  readonly transactions: RecordedTransaction[] = []
  readonly index = new MutableTransactionIndex()
  /** Accepted external messages. */
  readonly pool: Cell[] = []
  readonly #sandbox: Sandbox
  readonly #codes: Codes
  readonly #maxTransactions: number
  readonly #listeners = new Set<(block: ChainBlock) => void>()
  readonly #lossListeners = new Set<(message: Cell) => void>()
  /** The account states after the newest transaction. */
  #views = new Map<string, AccountView>()
  #waiting: WaitingMessage[] = []

  constructor(sandbox: Sandbox, codes: Codes, maxTransactions: number) {
    this.#sandbox = sandbox
    this.#codes = codes
    this.#maxTransactions = maxTransactions
    const first = this.#beginBlock(FIRST_SEQNO)
    sandbox.setLt(first.startLt)
    this.blocks.push(first)
  }

  /** Mines blocks until no message is pending. */
  async finish(): Promise<void> {
    while (this.#waiting.length > 0 || this.pool.length > 0) await this.makeBlock(Infinity)
  }

  /** Mines a block of at most `limit` transactions; no block when no message is pending. */
  async makeBlock(limit: number): Promise<void> {
    const block = this.#beginBlock()
    const sent: WaitingMessage[] = []
    while (block.transactions.length < limit) {
      const one = this.#waiting.shift() ?? this.#takeFromPool()
      if (one === undefined) break
      sent.push(...(await this.#receive(one, block)))
    }
    this.#waiting.push(...sent)
    this.#close(block)
  }

  /** Mines a block without transactions. */
  makeEmptyBlock(): void {
    const block = this.#beginBlock()
    block.endLt = block.startLt + LT_STEP - 1n
    this.#sandbox.setLt(block.startLt)
    this.#append(block)
  }

  /** Mines separate blocks for an internal message and all messages that it causes. */
  async deliver(message: Cell): Promise<void> {
    let generation: WaitingMessage[] = [{ message, parent: undefined }]
    while (generation.length > 0) {
      const block = this.#beginBlock()
      const sent: WaitingMessage[] = []
      for (const one of generation) sent.push(...(await this.#receive(one, block)))
      this.#close(block)
      generation = sent
    }
  }

  /**
   * Runs a message and all that it causes, and undoes it.
   * @param limits no more than `depth` generations follow the message; none begins after `transactions`
   */
  async emulate(
    message: Cell,
    params: MessageParams,
    limits: EmulationLimits,
  ): Promise<RecordedTransaction[]> {
    const { accounts, lt, views } = this.save()
    const made: RecordedTransaction[] = []
    try {
      let generation: WaitingMessage[] = [{ message, parent: undefined }]
      for (let depth = 0; generation.length > 0 && depth <= limits.depth; depth++) {
        const block = this.#beginBlock(this.#newest().seqno + 1 + depth)
        const sent: WaitingMessage[] = []
        for (const one of generation) sent.push(...(await this.#receive(one, block, params)))
        made.push(...block.transactions)
        generation = made.length < limits.transactions ? sent : []
      }
      return made
    } finally {
      await this.#sandbox.restoreAccounts(accounts)
      this.#sandbox.setLt(lt)
      this.#views = new Map(views)
    }
  }

  onBlock(listener: (block: ChainBlock) => void): () => void {
    // A function that subscribes twice is called twice.
    const own = (block: ChainBlock): void => listener(block)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  onLost(listener: (message: Cell) => void): () => void {
    const own = (message: Cell): void => listener(message)
    this.#lossListeners.add(own)
    return () => void this.#lossListeners.delete(own)
  }

  dropPool(): void {
    for (const message of this.pool.splice(0)) this.#reportLost(message)
  }

  save(): ChainSnapshot {
    return {
      now: this.#sandbox.now ?? 0,
      lt: this.#sandbox.lt,
      accounts: this.#sandbox.saveAccounts(),
      views: new Map(this.#views),
      blocks: [...this.blocks],
      transactions: [...this.transactions],
      waiting: [...this.#waiting],
      pool: [...this.pool],
    }
  }

  async restore(snapshot: ChainSnapshot): Promise<void> {
    await this.#sandbox.restoreAccounts(snapshot.accounts)
    this.#sandbox.setLt(snapshot.lt)
    this.#sandbox.now = snapshot.now
    this.#views = new Map(snapshot.views)
    this.#waiting = [...snapshot.waiting]
    this.blocks.splice(0, Infinity, ...snapshot.blocks)
    const pool = this.pool.splice(0, Infinity, ...snapshot.pool)
    const undone = this.transactions.splice(0)
    this.index.clear()
    const kept = new Set(snapshot.transactions)
    for (const one of snapshot.transactions) {
      // Messages that were pending then may have been received since.
      const children = one.children.filter((child) => kept.has(child))
      one.children.splice(0, Infinity, ...children)
      this.transactions.push(one)
      this.index.add(one)
    }
    const isWaiting = new Set(this.pool)
    for (const message of pool) if (!isWaiting.has(message)) this.#reportLost(message)
    for (const one of undone) {
      if (kept.has(one) || one.parent !== undefined || one.inMessage === undefined) continue
      this.#reportLost(one.inMessage)
    }
  }

  #reportLost(message: Cell): void {
    for (const listener of this.#lossListeners) listener(message)
  }

  #beginBlock(seqno = this.#newest().seqno + 1): ChainBlock {
    const startLt = this.#sandbox.lt + LT_STEP
    return {
      seqno,
      utime: this.#sandbox.now ?? 0,
      startLt,
      endLt: startLt,
      transactions: [],
    }
  }

  /** Returns the newest block; there is always one. */
  #newest(): ChainBlock {
    return this.blocks.at(-1)!
  }

  #takeFromPool(): WaitingMessage | undefined {
    const message = this.pool.shift()
    return message && { message, parent: undefined }
  }

  /** Runs a message. @returns the internal messages that the transaction sent */
  async #receive(
    one: WaitingMessage,
    block: ChainBlock,
    params?: MessageParams,
  ): Promise<WaitingMessage[]> {
    const { dest } = loadMessage(one.message.beginParse()).info
    // Only messages to accounts are pending.
    if (!(dest instanceof Address)) return []
    const before = this.#sandbox.lt
    let transaction: Transaction
    try {
      const options = { ...params, now: block.utime }
      transaction = await this.#sandbox.receive(dest, one.message, options)
    } catch (error) {
      // An external message that is no longer accepted causes no transaction.
      if (!(error instanceof EmulationError)) throw error
      this.#sandbox.setLt(before)
      if (one.parent === undefined) this.#reportLost(one.message)
      return []
    }
    const parent = await this.#record(dest, transaction, one.parent, block.seqno)
    block.transactions.push(parent)
    return parent.outMessages
      .filter((cell) => loadMessage(cell.beginParse()).info.type === 'internal')
      .map((message) => ({ message, parent }))
  }

  async #record(
    address: Address,
    transaction: Transaction,
    parent: RecordedTransaction | undefined,
    seqno: number,
  ): Promise<RecordedTransaction> {
    const key = address.toRawString()
    const after = viewAccount(await this.#sandbox.stateOf(address), this.#codes)
    const before = this.#views.get(key) ?? NONEXIST
    this.#views.set(key, after)
    const kept = keepTransaction(transaction)
    const made: RecordedTransaction = Object.assign(kept, {
      address,
      seqno,
      before,
      after,
      parent,
      children: [],
    })
    parent?.children.push(made)
    return made
  }

  #close(block: ChainBlock): void {
    if (block.transactions.length === 0) return
    block.endLt = this.#sandbox.lt + LT_STEP - 1n
    this.#append(block)
  }

  #append(block: ChainBlock): void {
    this.blocks.push(block)
    for (const one of block.transactions) {
      this.transactions.push(one)
      this.index.add(one)
    }
    this.#discardOldest()
    for (const listener of this.#listeners) listener(block)
  }

  /** Discards whole blocks, so that each kept block has all of its transactions. */
  #discardOldest(): void {
    let [blocks, transactions] = [0, 0]
    const count = this.transactions.length
    const isFull = (): boolean =>
      count - transactions > this.#maxTransactions ||
      this.blocks.length - blocks > this.#maxTransactions
    while (blocks < this.blocks.length - 1 && isFull()) {
      transactions += this.blocks[blocks]?.transactions.length ?? 0
      blocks++
    }
    this.blocks.splice(0, blocks)
    for (const one of this.transactions.splice(0, transactions)) this.index.remove(one)
  }
}
