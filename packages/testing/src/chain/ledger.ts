import { Address, loadMessage, type Cell, type Transaction } from '@ton/core'
import { EmulationError } from '@ton/sandbox'
import { NONEXIST, viewAccount, type AccountView, type Codes } from './account-view.js'
import type { ChainBlock } from './block.js'
import type { ChainSnapshot } from './chain-snapshot.js'
import { keepTransaction } from './kept-cells.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import { LT_STEP, type Sandbox } from './sandbox.js'
import { GrowingIndex } from './transaction-index.js'

const FIRST_SEQNO = 50_000_000

/** A message that nobody has received, and the transaction that sent it. */
export interface WaitingMessage {
  message: Cell
  parent: RecordedTransaction | undefined
}

/** The blocks and transactions of a chain, and what waits to become some. Its callers take turns. */
export class Ledger {
  readonly blocks: ChainBlock[] = []
  readonly transactions: RecordedTransaction[] = []
  readonly index = new GrowingIndex()
  /** Messages from outside. */
  readonly pool: Cell[] = []
  readonly #sandbox: Sandbox
  readonly #codes: Codes
  readonly #maxTransactions: number
  readonly #listeners = new Set<(block: ChainBlock) => void>()
  readonly #lossListeners = new Set<(message: Cell) => void>()
  /** As the newest transaction left them. */
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

  /** Makes blocks until nothing waits. */
  async finish(): Promise<void> {
    while (this.#waiting.length > 0 || this.pool.length > 0) await this.makeBlock(Infinity)
  }

  /** Makes a block of at most so many transactions; none of nothing. */
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

  /** Makes blocks of an internal message and of all that comes of it, and of nothing else. */
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

  onBlock(listener: (block: ChainBlock) => void): () => void {
    // Each call counts, also one of a function that listens already.
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
    for (const message of this.pool.splice(0)) this.#tellLost(message)
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
      // What waited then may have been received since.
      const children = one.children.filter((child) => kept.has(child))
      one.children.splice(0, Infinity, ...children)
      this.transactions.push(one)
      this.index.add(one)
    }
    const isWaiting = new Set(this.pool)
    for (const message of pool) if (!isWaiting.has(message)) this.#tellLost(message)
    for (const one of undone) {
      if (kept.has(one) || one.parent !== undefined || one.inMessage === undefined) continue
      this.#tellLost(one.inMessage)
    }
  }

  #tellLost(message: Cell): void {
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

  /** There is always one block. */
  #newest(): ChainBlock {
    return this.blocks.at(-1)!
  }

  #takeFromPool(): WaitingMessage | undefined {
    const message = this.pool.shift()
    return message && { message, parent: undefined }
  }

  /** Runs a message. @returns what the transaction sent to accounts */
  async #receive(one: WaitingMessage, block: ChainBlock): Promise<WaitingMessage[]> {
    const { dest } = loadMessage(one.message.beginParse()).info
    // Only messages to accounts wait.
    if (!(dest instanceof Address)) return []
    const before = this.#sandbox.lt
    let transaction: Transaction
    try {
      transaction = await this.#sandbox.receive(dest, one.message)
    } catch (error) {
      // A message from outside that is no longer accepted leaves no trace.
      if (!(error instanceof EmulationError)) throw error
      this.#sandbox.setLt(before)
      if (one.parent === undefined) this.#tellLost(one.message)
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
    this.blocks.push(block)
    for (const one of block.transactions) {
      this.transactions.push(one)
      this.index.add(one)
    }
    this.#forgetOldest()
    for (const listener of this.#listeners) listener(block)
  }

  /** Whole blocks fall out, so that each that is kept tells all of its transactions. */
  #forgetOldest(): void {
    let [blocks, transactions] = [0, 0]
    const count = this.transactions.length
    while (blocks < this.blocks.length - 1 && count - transactions > this.#maxTransactions) {
      transactions += this.blocks[blocks]?.transactions.length ?? 0
      blocks++
    }
    this.blocks.splice(0, blocks)
    for (const one of this.transactions.splice(0, transactions)) this.index.remove(one)
  }
}
