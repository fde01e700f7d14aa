import {
  beginCell,
  loadMessage,
  storeAccount,
  type Address,
  type Cell,
  type Transaction,
  type TupleItem,
} from '@ton/core'
import { EmulationError, GetMethodError, type Blockchain } from '@ton/sandbox'
import { viewAccount, type AccountView, type Codes } from './account-view.js'
import type { ChainBlock } from './block.js'
import { checkFirstLt, checkWhole } from '../shared/check-options.js'
import { createSerialQueue, type SerialQueue } from '../shared/serial-queue.js'
import type { ChainSnapshot } from './chain-snapshot.js'
import { internalMessage, type FaucetMessage } from './faucet.js'
import { Ledger, type EmulationLimits } from './ledger.js'
import { messageCell } from './message-hash.js'
import { MessageRejectedError } from './message-rejected-error.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import { Sandbox } from './sandbox.js'
import type { TransactionIndex } from './transaction-index.js'

// Above 2^45, as on the network, so that code with 32-bit integers fails.
const FIRST_LT = 60_000_000_000_000n
const MAX_TRANSACTIONS = 10_000
const NO_CONTRACT = -13
const NO_LIMITS: EmulationLimits = { transactions: Infinity, depth: Infinity }

/** Options of a simulated chain. */
export interface ChainOptions {
  /**
   * Initial time in Unix seconds, which stays until a test moves it, or a function that returns the current time.
   * @default the clock of this machine
   */
  now?: number | (() => number)
  /** The logical time of the first block. @default 60 000 000 000 000 */
  firstLt?: bigint
  /**
   * Number of kept transactions, and of kept blocks. The chain discards the oldest blocks, as a node without the full
   * history does; accounts stay. @default 10 000
   */
  maxTransactions?: number
}

/** The result of a get-method; the stack is empty on failure. */
export interface GetMethodRun {
  exitCode: number
  gasUsed: number
  stack: TupleItem[]
}

/** A simulated chain: real contracts in a real virtual machine, without a network. */
export interface Chain {
  /** The sandbox, for get-methods. Messages that are sent to it directly are not in any block. */
  readonly blockchain: Blockchain
  /**
   * The current time in Unix seconds, as contracts read it. Tests may set it.
   * @throws {RangeError} when it is set to an earlier time, or the option `now` is a function
   */
  now: number
  /** Keeps messages in the pool until `mine` is called. @default false: each message is mined at once */
  isHolding: boolean
  /** The kept blocks, oldest first. There is at least one; the first block of a chain has no transactions. */
  readonly blocks: readonly ChainBlock[]
  /** The kept transactions, in order of execution. */
  readonly transactions: readonly RecordedTransaction[]
  /** An index of the kept transactions. */
  readonly index: TransactionIndex
  /** Accepted external messages that are not in a block yet. */
  readonly pool: readonly Cell[]
  /**
   * Sends an external message. Like a node, runs it on the current state first, and drops it silently if the contract
   * no longer accepts it when it is mined.
   * @throws {MessageRejectedError} when the contract does not accept it.
   */
  send(message: Cell): Promise<void>
  /**
   * Returns the transaction that an external message would cause now.
   * @param ignoreSignature accepts any signature @default false
   * @throws {MessageRejectedError} when the contract does not accept it.
   */
  emulate(message: Cell, ignoreSignature?: boolean): Promise<Transaction>
  /**
   * Returns the transactions that an external message would cause now, in order of execution. Nothing changes.
   * @param limits where to stop, for messages that cause very many @default no limits
   * @throws {MessageRejectedError} when the contract does not accept it.
   */
  emulateTrace(
    message: Cell,
    ignoreSignature?: boolean,
    limits?: EmulationLimits,
  ): Promise<RecordedTransaction[]>
  /** Mines blocks until no message is pending. A message that a transaction sends is received in the next block. */
  mine(): Promise<void>
  /** Mines one block with at most `limit` transactions; no block when no message is pending. */
  mineBlock(limit?: number): Promise<void>
  /** Mines a block without transactions, as the network does every few seconds. Pending messages stay pending. */
  mineEmptyBlock(): Promise<void>
  /** Drops all messages of the pool. */
  dropPool(): void
  account(address: Address): Promise<AccountView>
  /** Returns the account as a cell, as the shard state stores it. */
  accountCell(address: Address): Promise<Cell>
  runGetMethod(address: Address, method: string | number, stack: TupleItem[]): Promise<GetMethodRun>
  /** Adds nanocoins to an account, in separate blocks, also while `isHolding` is true. */
  fund(address: Address, value: bigint): Promise<void>
  /** Sends an internal message from the faucet, in separate blocks, like `fund`. */
  sendFromFaucet(message: FaucetMessage): Promise<void>
  /** Calls `listener` after each block, in order. Returns the function that unsubscribes. */
  onBlock(listener: (block: ChainBlock) => void): () => void
  /**
   * Calls `listener` with each external message that was dropped before it was mined, or whose transaction was
   * undone: the contract no longer accepted it, the pool was dropped, or a snapshot was restored. Returns the
   * function that unsubscribes.
   */
  onLost(listener: (message: Cell) => void): () => void
  /** Saves the state of the chain. */
  snapshot(): Promise<ChainSnapshot>
  /** Restores a saved state, any number of times. Does not call the listeners of `onBlock`. */
  restore(snapshot: ChainSnapshot): Promise<void>
  /** Restores the initial state. */
  reset(): Promise<void>
}

/** Creates a simulated chain. */
export async function createChain({
  now,
  firstLt = FIRST_LT,
  maxTransactions = MAX_TRANSACTIONS,
}: ChainOptions = {}): Promise<Chain> {
  const machine = machineClock()
  const time = now ?? machine.read
  const seconds = typeof time === 'function' ? time() : time
  checkWhole('now', seconds, { least: 0, most: 2 ** 32 - 1, unit: ' of seconds' })
  checkWhole('maxTransactions', maxTransactions, { least: 1, most: Infinity })
  checkFirstLt(firstLt)
  const sandbox = await Sandbox.start()
  sandbox.setLt(firstLt)
  if (typeof time === 'function') sandbox.useClock(time)
  else sandbox.now = time
  const codes: Codes = new Map()
  const ledger = new Ledger(sandbox, codes, maxTransactions)
  return openChain({ sandbox, codes, ledger, setTime: timeSetter() })

  function timeSetter(): ChainParts['setTime'] {
    if (now === undefined) return machine.set
    return typeof now === 'number' ? (value) => void (sandbox.now = value) : undefined
  }
}

/** Follows the clock of this machine, ahead of it once it was set. */
function machineClock(): { read: () => number; set: (seconds: number) => void } {
  let ahead = 0
  const read = (): number => Math.floor(Date.now() / 1000) + ahead
  return { read, set: (seconds) => void (ahead += seconds - read()) }
}

/** The parts of a chain. */
interface ChainParts {
  sandbox: Sandbox
  codes: Codes
  ledger: Ledger
  /** Undefined when a function returns the time. */
  setTime: ((seconds: number) => void) | undefined
}

function openChain(parts: ChainParts): Chain {
  const { sandbox, ledger } = parts
  const { blocks, transactions, index, pool } = ledger
  // The calls share one state.
  const enqueue = createSerialQueue()
  const chain: Chain = {
    blockchain: sandbox,
    get now() {
      // The sandbox has a time from its start.
      return sandbox.now!
    },
    set now(seconds) {
      moveTime(parts, seconds)
    },
    isHolding: false,
    blocks,
    transactions,
    index,
    pool,
    send: (message) =>
      enqueue(async () => {
        if (pool.some((waiting) => waiting.equals(message))) return
        await emulate(sandbox, message)
        pool.push(message)
        if (!chain.isHolding) await ledger.finish()
      }),
    dropPool: () => ledger.dropPool(),
    fund: (to, value) => chain.sendFromFaucet({ to, value }),
    onBlock: (listener) => ledger.onBlock(listener),
    onLost: (listener) => ledger.onLost(listener),
    ...queuedCalls(parts, enqueue),
  }
  return chain
}

function queuedCalls({ sandbox, codes, ledger }: ChainParts, enqueue: SerialQueue) {
  const beginning = ledger.save()
  return {
    emulate: (...call) => enqueue(() => emulate(sandbox, ...call)),
    emulateTrace: (message, ignoreChksig = false, limits = NO_LIMITS) =>
      enqueue(async () => {
        await emulate(sandbox, message, ignoreChksig)
        return await ledger.emulate(message, { ignoreChksig }, limits)
      }),
    mine: () => enqueue(() => ledger.finish()),
    mineBlock: (limit = Infinity) => enqueue(() => ledger.makeBlock(limit)),
    mineEmptyBlock: () => enqueue(async () => ledger.makeEmptyBlock()),
    account: (address) => enqueue(async () => viewAccount(await sandbox.stateOf(address), codes)),
    accountCell: (address) => enqueue(() => readAccountCell(sandbox, address)),
    runGetMethod: (...call) => enqueue(() => runGetMethod(sandbox, ...call)),
    sendFromFaucet: (message) =>
      enqueue(() => ledger.deliver(messageCell(internalMessage(message)))),
    snapshot: () => enqueue(async () => ledger.save()),
    restore: (snapshot) => enqueue(() => ledger.restore(snapshot)),
    reset: () => enqueue(() => ledger.restore(beginning)),
  } satisfies Partial<Chain>
}

/** @throws {RangeError} for an earlier time, or when the option `now` is a function. */
function moveTime({ sandbox, setTime }: ChainParts, seconds: number): void {
  if (setTime === undefined) {
    throw new RangeError(
      'now cannot be set, because the option `now` is a function; change what it returns',
    )
  }
  if (seconds < sandbox.now!) {
    throw new RangeError(`now cannot go back from ${sandbox.now} to ${seconds}`)
  }
  setTime(seconds)
}

/** Returns the transaction that an external message would cause. */
async function emulate(
  sandbox: Sandbox,
  message: Cell,
  ignoreChksig = false,
): Promise<Transaction> {
  const { info } = loadMessage(message.beginParse())
  if (info.type !== 'external-in') throw new MessageRejectedError(undefined, '')
  try {
    return await sandbox.emulate(info.dest, message, { ignoreChksig })
  } catch (error) {
    if (!(error instanceof EmulationError)) throw error
    throw new MessageRejectedError(error.exitCode, error.vmLogs ?? '')
  }
}

async function readAccountCell(sandbox: Sandbox, address: Address): Promise<Cell> {
  const { account } = await sandbox.stateOf(address)
  const exists = account !== null && account !== undefined
  const cell = beginCell().storeBit(exists)
  return (exists ? cell.store(storeAccount(account)) : cell).endCell()
}

async function runGetMethod(
  sandbox: Sandbox,
  ...[address, method, stack]: Parameters<Chain['runGetMethod']>
): Promise<GetMethodRun> {
  const { account } = await sandbox.stateOf(address)
  if (account?.storage.state.type !== 'active') {
    return { exitCode: NO_CONTRACT, gasUsed: 0, stack: [] }
  }
  try {
    const run = await sandbox.runGetMethod(address, method, stack)
    return { exitCode: run.exitCode, gasUsed: Number(run.gasUsed), stack: run.stack }
  } catch (error) {
    if (!(error instanceof GetMethodError)) throw error
    return { exitCode: error.exitCode, gasUsed: Number(error.gasUsed), stack: [] }
  }
}
