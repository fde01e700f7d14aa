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
import { checkFirstLt, checkWhole } from './check-options.js'
import type { ChainSnapshot } from './chain-snapshot.js'
import { outOfNowhere, type FaucetMessage } from './faucet.js'
import { Ledger } from './ledger.js'
import { messageCell } from './message-hash.js'
import { MessageRejectedError } from './message-rejected-error.js'
import type { RecordedTransaction } from './recorded-transaction.js'
import { Sandbox } from './sandbox.js'
import type { TransactionIndex } from './transaction-index.js'

// Beyond 2^45, as on the network, so that nothing gets away with 32 bits.
const FIRST_LT = 60_000_000_000_000n
const MAX_TRANSACTIONS = 10_000
const NO_CONTRACT = -13

/** How a chain begins. */
export interface ChainOptions {
  /**
   * Unix seconds at which the time stands until it is moved, or a function that is asked for them at each moment.
   * @default the time of this machine, since wallets date their messages by it
   */
  now?: number | (() => number)
  /** The logical time of the first block. @default 60 000 000 000 000 */
  firstLt?: bigint
  /**
   * How many of the newest transactions are kept. Older ones fall out with their block, as on a node that does not keep
   * all history; accounts stay. @default 10 000
   */
  maxTransactions?: number
}

/** How a get-method ended; the stack is that of the virtual machine, empty when it failed. */
interface GetMethodRun {
  exitCode: number
  gasUsed: number
  stack: TupleItem[]
}

/** A chain in this process: real contracts in a real virtual machine, and nothing else of a network. */
export interface Chain {
  /** The virtual machine and its accounts, for get-methods; what is sent to it directly is in no block. */
  readonly blockchain: Blockchain
  /**
   * Unix seconds, what contracts see; tests move it.
   * @throws {RangeError} when it is moved back, or by anybody where a function tells it
   */
  now: number
  /** Whether messages wait in the pool until `mine` is called. @default false: each makes its blocks at once */
  isHolding: boolean
  /** Those that are kept, oldest first. There is always one; the first of a chain has no transactions. */
  readonly blocks: readonly ChainBlock[]
  /** Those that are kept, in the order in which they took place. */
  readonly transactions: readonly RecordedTransaction[]
  /** Finds transactions without a look at all of them. */
  readonly index: TransactionIndex
  /** Messages from outside that were accepted and are in no block. */
  readonly pool: readonly Cell[]
  /**
   * Takes a message from outside, as a node does: it runs on the state as it is, and is dropped silently when that is
   * no longer so once its turn comes.
   * @throws {MessageRejectedError} when the contract does not accept it.
   */
  send(message: Cell): Promise<void>
  /**
   * The transaction that a message from outside would make now.
   * @param ignoreSignature whether all signatures are taken as right @default false
   * @throws {MessageRejectedError} when the contract does not accept it.
   */
  emulate(message: Cell, ignoreSignature?: boolean): Promise<Transaction>
  /** Makes blocks until nothing waits: a message that a transaction sends is received in the next block. */
  mine(): Promise<void>
  /** Makes one block, with at most `limit` transactions; none when nothing waits. */
  mineBlock(limit?: number): Promise<void>
  /** Forgets what is in the pool. */
  dropPool(): void
  account(address: Address): Promise<AccountView>
  /** The same as a cell of the shard's state. */
  accountCell(address: Address): Promise<Cell>
  runGetMethod(address: Address, method: string | number, stack: TupleItem[]): Promise<GetMethodRun>
  /** Sends nanocoins out of nowhere, in blocks of their own, also of a chain that is holding. */
  fund(address: Address, value: bigint): Promise<void>
  /** Sends an internal message of the faucet's, for which nobody pays; as `fund`. */
  sendFromFaucet(message: FaucetMessage): Promise<void>
  /** Tells of each block once it is made, in order. The returned function ends it. */
  onBlock(listener: (block: ChainBlock) => void): () => void
  /**
   * Tells of each message from outside that makes no transaction, or whose transaction was undone: it was not accepted
   * any more when its turn came, the pool was dropped, or the chain was made what it was. The returned function ends it.
   */
  onLost(listener: (message: Cell) => void): () => void
  /** All that the chain is now. */
  snapshot(): Promise<ChainSnapshot>
  /** Makes the chain what it was, any number of times; `onBlock` is not told. */
  restore(snapshot: ChainSnapshot): Promise<void>
  /** Makes the chain what it was at its beginning. */
  reset(): Promise<void>
}

/** Begins a chain. */
export async function createChain({
  now: time = Math.floor(Date.now() / 1000),
  firstLt = FIRST_LT,
  maxTransactions = MAX_TRANSACTIONS,
}: ChainOptions = {}): Promise<Chain> {
  const seconds = typeof time === 'function' ? time() : time
  checkWhole('now', seconds, { least: 0, most: 2 ** 32 - 1, unit: ' of seconds' })
  checkWhole('maxTransactions', maxTransactions, { least: 1, most: Infinity })
  checkFirstLt(firstLt)
  const sandbox = await Sandbox.start()
  sandbox.setLt(firstLt)
  if (typeof time === 'function') sandbox.followTime(time)
  else sandbox.now = time
  const codes: Codes = new Map()
  const ledger = new Ledger(sandbox, codes, maxTransactions)
  const inTurn = createTurns()

  async function account(address: Address): Promise<AccountView> {
    return viewAccount(await sandbox.stateOf(address), codes)
  }

  async function emulate(message: Cell, ignoreChksig = false): Promise<Transaction> {
    const { info } = loadMessage(message.beginParse())
    if (info.type !== 'external-in') throw new MessageRejectedError(undefined, '')
    try {
      return await sandbox.emulate(info.dest, message, { ignoreChksig })
    } catch (error) {
      if (!(error instanceof EmulationError)) throw error
      throw new MessageRejectedError(error.exitCode, error.vmLogs ?? '')
    }
  }

  const chain: Chain = {
    blockchain: sandbox,
    get now() {
      // It has one from its start.
      return sandbox.now!
    },
    set now(seconds) {
      if (typeof time === 'function') {
        throw new RangeError('the chain keeps the time of its clock; move that one')
      }
      if (seconds < chain.now) {
        throw new RangeError(`the chain's clock cannot go back from ${chain.now} to ${seconds}`)
      }
      sandbox.now = seconds
    },
    isHolding: false,
    blocks: ledger.blocks,
    transactions: ledger.transactions,
    index: ledger.index,
    get pool() {
      return ledger.pool
    },
    send: (message) =>
      inTurn(async () => {
        if (ledger.pool.some((waiting) => waiting.equals(message))) return
        await emulate(message)
        ledger.pool.push(message)
        if (!chain.isHolding) await ledger.finish()
      }),
    emulate: (message, ignoreSignature) => inTurn(() => emulate(message, ignoreSignature)),
    mine: () => inTurn(() => ledger.finish()),
    mineBlock: (limit = Infinity) => inTurn(() => ledger.makeBlock(limit)),
    dropPool: () => ledger.dropPool(),
    account: (address) => inTurn(() => account(address)),
    accountCell: (address) =>
      inTurn(async () => {
        const { account: stored } = await sandbox.stateOf(address)
        const exists = stored !== null && stored !== undefined
        const cell = beginCell().storeBit(exists)
        return (exists ? cell.store(storeAccount(stored)) : cell).endCell()
      }),
    runGetMethod: (address, method, stack) =>
      inTurn(async () => {
        const { status } = await account(address)
        if (status !== 'active') return { exitCode: NO_CONTRACT, gasUsed: 0, stack: [] }
        try {
          const run = await sandbox.runGetMethod(address, method, stack)
          return { exitCode: run.exitCode, gasUsed: Number(run.gasUsed), stack: run.stack }
        } catch (error) {
          if (!(error instanceof GetMethodError)) throw error
          return { exitCode: error.exitCode, gasUsed: Number(error.gasUsed), stack: [] }
        }
      }),
    fund: (to, value) => chain.sendFromFaucet({ to, value }),
    sendFromFaucet: (message) => inTurn(() => ledger.deliver(messageCell(outOfNowhere(message)))),
    onBlock: (listener) => ledger.onBlock(listener),
    onLost: (listener) => ledger.onLost(listener),
    snapshot: () => inTurn(async () => ledger.save()),
    restore: (snapshot) => inTurn(() => ledger.restore(snapshot)),
    reset: () => inTurn(() => ledger.restore(beginning)),
  }
  const beginning = ledger.save()
  return chain
}

/** One at a time: there is one state. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
