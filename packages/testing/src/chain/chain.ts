import { Address, Cell, loadMessage, type Message, type StateInit, type TupleItem } from '@ton/core'
import {
  Blockchain,
  EmulationError,
  GetMethodError,
  type BlockchainTransaction,
} from '@ton/sandbox'
import { AccountStore } from './account-store.js'
import { viewAccount, type AccountView } from './account-view.js'
import { messageCells, type RecordedTransaction } from './recorded-transaction.js'

const FIRST_SEQNO = 50_000_000
// Beyond 2^45, as on the network, so that nothing gets away with 32 bits.
const FIRST_LT = 60_000_000_000_000n

/** The account that messages out of nowhere come from. */
export const FAUCET = new Address(-1, Buffer.alloc(32, 0x55))

/** A masterchain block; `shard` is the one block of workchain 0 that it refers to. */
export interface ChainBlock {
  seqno: number
  /** Unix seconds. */
  utime: number
  transactions: RecordedTransaction[]
}

/** A message out of nowhere. */
export interface FaucetMessage {
  to: Address
  /** Nanocoins. */
  value: bigint
  body?: Cell
  /** Of a contract that is to be deployed. */
  init?: StateInit
}

/** How a get-method ended; the stack is that of the virtual machine, empty when it failed. */
interface GetMethodRun {
  exitCode: number
  gasUsed: number
  stack: TupleItem[]
}

/** A message from outside that no contract accepts. */
export class MessageRejectedError extends Error {
  override readonly name = 'MessageRejectedError'
  /** What the contract ended with; undefined when it did not run. */
  readonly exitCode: number | undefined
  readonly vmLog: string

  constructor(exitCode: number | undefined, vmLog: string) {
    super(`the message was not accepted${exitCode === undefined ? '' : `: exit code ${exitCode}`}`)
    this.exitCode = exitCode
    this.vmLog = vmLog
  }
}

/** A chain in this process: real contracts in a real virtual machine, and nothing else of a network. */
export interface Chain {
  readonly blockchain: Blockchain
  /**
   * Unix seconds, what contracts see; tests move it, and never back. Of a chain whose time a function tells, nobody
   * moves it here.
   */
  now: number
  /** Whether messages wait in the pool until `mine` is called. @default false: each makes its block at once */
  isHolding: boolean
  /** Oldest first; the first has no transactions. */
  readonly blocks: readonly ChainBlock[]
  /** In the order in which they took place. */
  readonly transactions: readonly RecordedTransaction[]
  /** Messages from outside that were accepted and are in no block. */
  readonly pool: readonly Cell[]
  /** Whether a transaction sent messages that nobody has received, since the last block was too small. */
  isUnfinished(root: RecordedTransaction): boolean
  /**
   * Takes a message from outside, as a node does: it runs on the state as it is, and is dropped silently when that is
   * no longer so once its turn comes.
   * @throws {MessageRejectedError} when the contract does not accept it.
   */
  send(message: Cell): Promise<void>
  /** Makes a block of the pool and of what earlier blocks left over, with at most `limit` transactions; none, no block. */
  mine(limit?: number): Promise<void>
  /** Forgets what is in the pool. */
  dropPool(): void
  account(address: Address): Promise<AccountView>
  runGetMethod(address: Address, method: string | number, stack: TupleItem[]): Promise<GetMethodRun>
  /** Sends nanocoins out of nowhere. */
  fund(address: Address, value: bigint): Promise<void>
  /** Sends an internal message of the {@link FAUCET}'s, for which nobody pays. */
  sendFromFaucet(message: FaucetMessage): Promise<void>
  /** Tells of each block once it is made, in order. The returned function ends it. */
  onBlock(listener: (block: ChainBlock) => void): () => void
}

/**
 * Begins a chain.
 * @param now Unix seconds, or a function that tells them at each moment; unless told otherwise the time of this machine,
 * since wallets date their messages by it
 */
export async function createChain({
  now: time = Math.floor(Date.now() / 1000),
}: { now?: number | (() => number) } = {}): Promise<Chain> {
  const now = typeof time === 'function' ? time() : time
  const blockchain = await Blockchain.create({ storage: new AccountStore() })
  blockchain.verbosity.print = false
  await blockchain.loadFrom({ ...blockchain.snapshot(), lt: FIRST_LT })
  blockchain.now = now
  if (typeof time === 'function') followTime(blockchain, time)
  const blocks: ChainBlock[] = [{ seqno: FIRST_SEQNO, utime: now, transactions: [] }]
  const transactions: RecordedTransaction[] = []
  const recorded = new Map<BlockchainTransaction, RecordedTransaction>()
  const views = new Map<string, AccountView>()
  const unfinished = new Map<
    AsyncIterator<BlockchainTransaction>,
    RecordedTransaction | undefined
  >()
  const listeners = new Set<(block: ChainBlock) => void>()
  let pool: Cell[] = []
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: the sandbox keeps one state. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  async function account(address: Address): Promise<AccountView> {
    return viewAccount((await blockchain.getContract(address)).account)
  }

  async function tryOut(message: Cell): Promise<void> {
    const parsed = loadMessage(message.beginParse())
    if (parsed.info.type !== 'external-in') throw new MessageRejectedError(undefined, '')
    const contract = await blockchain.getContract(parsed.info.dest)
    const before = contract.account
    try {
      await contract.receiveMessage(parsed)
    } catch (error) {
      if (!(error instanceof EmulationError)) throw error
      throw new MessageRejectedError(error.exitCode, error.vmLogs ?? '')
    }
    contract.account = before
  }

  async function record(one: BlockchainTransaction, seqno: number): Promise<RecordedTransaction> {
    const workchain =
      one.inMessage?.info.dest instanceof Address ? one.inMessage.info.dest.workChain : 0
    const address = new Address(
      workchain,
      Buffer.from(one.address.toString(16).padStart(64, '0'), 'hex'),
    )
    const key = address.toRawString()
    const after = await account(address)
    const before = views.get(key) ?? NONEXIST
    views.set(key, after)
    const parent = one.parent === undefined ? undefined : recorded.get(one.parent)
    const made: RecordedTransaction = {
      address,
      transaction: one,
      seqno,
      before,
      after,
      ...messageCells(one.raw),
      parent,
      children: [],
    }
    parent?.children.push(made)
    recorded.set(one, made)
    return made
  }

  async function begin(message: Message | Cell): Promise<void> {
    unfinished.set(await blockchain.sendMessageIter(message, { allowParallel: true }), undefined)
  }

  async function fillBlock(limit: number): Promise<void> {
    for (const message of pool.splice(0)) await begin(message)
    const block: ChainBlock = {
      seqno: blocks.at(-1)!.seqno + 1,
      utime: chain.now,
      transactions: [],
    }
    for (const [trace, root] of unfinished) {
      while (block.transactions.length < limit) {
        const { value, done } = await nextTransaction(trace)
        if (done === true) {
          unfinished.delete(trace)
          break
        }
        const made = await record(value, block.seqno)
        unfinished.set(trace, unfinished.get(trace) ?? root ?? made)
        block.transactions.push(made)
      }
    }
    if (block.transactions.length === 0) return
    blocks.push(block)
    transactions.push(...block.transactions)
    for (const listener of listeners) listener(block)
  }

  const chain: Chain = {
    blockchain,
    get now() {
      return blockchain.now ?? now
    },
    set now(seconds) {
      blockchain.now = seconds
    },
    isHolding: false,
    blocks,
    transactions,
    get pool() {
      return pool
    },
    isUnfinished: (root) => [...unfinished.values()].includes(root),
    send: (message) =>
      inTurn(async () => {
        if (pool.some((waiting) => waiting.equals(message))) return
        await tryOut(message)
        pool.push(message)
        if (!chain.isHolding) await fillBlock(Infinity)
      }),
    mine: (limit = Infinity) => inTurn(() => fillBlock(limit)),
    dropPool() {
      pool = []
    },
    account: (address) => inTurn(() => account(address)),
    runGetMethod: (address, method, stack) =>
      inTurn(async () => {
        const { status } = await account(address)
        if (status !== 'active') return { exitCode: NO_CONTRACT, gasUsed: 0, stack: [] }
        try {
          const run = await blockchain.runGetMethod(address, method, stack)
          return { exitCode: run.exitCode, gasUsed: Number(run.gasUsed), stack: run.stack }
        } catch (error) {
          if (!(error instanceof GetMethodError)) throw error
          return { exitCode: error.exitCode, gasUsed: Number(error.gasUsed), stack: [] }
        }
      }),
    fund: (to, value) => chain.sendFromFaucet({ to, value }),
    sendFromFaucet: (message) =>
      inTurn(async () => {
        await begin(outOfNowhere(message))
        await fillBlock(Infinity)
      }),
    onBlock(listener) {
      // Each call counts, also one of a function that listens already.
      const own = (block: ChainBlock): void => listener(block)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
  return chain
}

/** The sandbox asks for the time anew at each transaction. */
function followTime(blockchain: Blockchain, now: () => number): void {
  Object.defineProperty(blockchain, 'now', {
    get: now,
    set() {
      throw new Error('the chain keeps the time of its clock; move that one')
    },
  })
}

const NO_CONTRACT = -13

const NONEXIST: AccountView = viewAccount({
  account: null,
  lastTransactionLt: 0n,
  lastTransactionHash: 0n,
})

/** The next transaction of a trace. A message from outside that is no longer accepted ends its trace before it began. */
async function nextTransaction(
  trace: AsyncIterator<BlockchainTransaction>,
): Promise<IteratorResult<BlockchainTransaction>> {
  try {
    return await trace.next()
  } catch (error) {
    if (!(error instanceof EmulationError)) throw error
    return { value: undefined, done: true }
  }
}

function outOfNowhere({ to, value, body = Cell.EMPTY, init }: FaucetMessage): Message {
  return {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: FAUCET,
      dest: to,
      value: { coins: value },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    body,
    ...(init && { init }),
  }
}
