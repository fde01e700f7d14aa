import { Address, type Cell } from '@ton/core'
import { systemClock, type Clock } from '@tonplug/core'
import type { Liteserver, TrustedBlock } from '@tonplug/core/proof'
import type { Chain } from '../chain/chain.js'
import type { NetworkAccount } from './blocks.js'
import {
  SignedNetwork,
  writeAccountState,
  writeTransactions,
  type AccountAnswer,
  type MasterBlock,
} from './signed-network.js'
import { createValidators, type SignatureForm } from './validators.js'

/** A call that a liteserver has answered. */
export type LiteserverCall = 'getBlockProof' | 'getAccountState' | 'getTransactions'

/**
 * A liteserver of a simulated chain. Validators of its own sign its masterchain blocks. By default its answers are true; a test
 * may change them.
 */
export interface SimulatedLiteserver extends Liteserver {
  /** The first key block. */
  readonly trusted: TrustedBlock
  /** Names of the calls, oldest first. */
  readonly calls: LiteserverCall[]
  /** The form of the next signatures. @default 'ordinary' */
  form: SignatureForm
  /** Bits of the shards' prefixes in the next blocks: each bit splits all shards, and fewer bits merge them. @default 0, one shard */
  splits: number
  /** Makes no new block for the next calls: the newest one grows old. @default false */
  isSealed: boolean
  /** Other states of accounts in the next blocks, by raw address. */
  readonly states: Map<string, Cell>
  /**
   * Makes a masterchain block with the chain's accounts of workchain 0. Each block proof makes one, too.
   * @param utime Unix seconds @default now
   */
  seal(utime?: number): Promise<unknown>
  /** Makes a key block that names other validators, by default as the current set. */
  changeValidators(options?: { isTemporary?: boolean | undefined }): void
  /** Replaces the newest block by another one with its number, also signed, and makes no new blocks. */
  fork(): void
  /** Changes a `liteServer.partialBlockProof`. */
  changeBlockProof: (bytes: Buffer) => Uint8Array
  /** Changes the parts of a `liteServer.accountState`, before they are written. @param address raw */
  changeAccount: (answer: AccountAnswer, address: string) => AccountAnswer
  /** Changes the transactions of a `liteServer.transactionList`, newest first, before they are written. */
  changeTransactions: (cells: Cell[]) => Cell[]
  /** Runs before each answer, and may fail or wait. */
  before: (call: LiteserverCall, signal: AbortSignal) => void | Promise<void>
}

/** A liteserver whose network a test can read and change. */
export interface ChainLiteserver extends SimulatedLiteserver {
  network: SignedNetwork
  seal(utime?: number): Promise<MasterBlock>
}

/** Options of {@link createLiteserver}. */
export interface SimulatedLiteserverOptions {
  /** The clock of the blocks. @default the system clock */
  clock?: Pick<Clock, 'nowMs'> | undefined
}

/**
 * Creates a liteserver of a simulated chain, for `signedBlocks`. After a `restore` or `reset` of the chain create another one.
 * @example
 * ```ts
 * import { signedBlocks } from '@tonplug/core/proof'
 * import { createChainSimulator, createLiteserver } from '@tonplug/simulator'
 *
 * const liteserver = createLiteserver(await createChainSimulator())
 * const source = signedBlocks({ liteserver, trusted: liteserver.trusted })
 * ```
 */
export function createLiteserver(
  chain: Chain,
  options: SimulatedLiteserverOptions = {},
): SimulatedLiteserver {
  return createChainLiteserver(chain, options)
}

/** Starts a network whose blocks have the accounts of a simulated chain. */
export function createChainLiteserver(
  chain: Chain,
  { clock = systemClock }: SimulatedLiteserverOptions = {},
): ChainLiteserver {
  const utimeNow = (): number => Math.floor(clock.nowMs() / 1000)
  const network = new SignedNetwork({ utime: utimeNow() })
  const states = new Map<string, Cell>()
  const server: ChainLiteserver = {
    network,
    trusted: { id: network.first.id, globalId: network.globalId },
    calls: [],
    states,
    splits: 0,
    isSealed: false,
    get form() {
      return network.form
    },
    set form(form) {
      network.form = form
    },
    changeBlockProof: (bytes) => bytes,
    changeAccount: (answer) => answer,
    changeTransactions: (cells) => cells,
    before: () => undefined,
    async seal(utime = utimeNow()) {
      const accounts = await accountsOf(chain, states)
      return network.append({ utime, accounts, splits: server.splits })
    },
    changeValidators({ isTemporary = false } = {}) {
      const { head } = network
      const others = createValidators(`set of block ${head.id.seqno}`, 5)
      const names = isTemporary
        ? { current: network.newestKeyBlock.named.current, temporary: others, main: 4 }
        : { current: others, main: 4 }
      const { accounts } = head
      network.append({ utime: utimeNow(), accounts, splits: server.splits, names })
    },
    fork() {
      const { utime, accounts, named } = network.head
      network.blocks.pop()
      network.append({
        utime: utime + 1,
        accounts,
        splits: server.splits,
        ...(named && { names: named }),
      })
      server.isSealed = true
    },
    async getBlockProof(known, { signal }) {
      await begin('getBlockProof', signal)
      if (!server.isSealed) await server.seal()
      return server.changeBlockProof(network.blockProof(known))
    },
    async getAccountState({ block, account }, { signal }) {
      await begin('getAccountState', signal)
      if (account.workchain !== 0)
        throw new TypeError('the server has only accounts of workchain 0')
      const known = network.blocks.find(({ id }) => id.seqno === block.seqno)
      if (known === undefined) throw new TypeError('the server does not have the block')
      const digits = Buffer.from(account.hash).toString('hex')
      const answer = network.accountProof(known, BigInt(`0x${digits}`))
      return writeAccountState(server.changeAccount(answer, `${account.workchain}:${digits}`))
    },
    async getTransactions({ account, last, count }, { signal }) {
      await begin('getTransactions', signal)
      const address = new Address(account.workchain, Buffer.from(account.hash))
      const own = chain.index.ofAccount(address)
      const newest = own.findIndex(
        ({ transaction }) =>
          transaction.lt === last.lt && transaction.hash().equals(Buffer.from(last.hash)),
      )
      const cells = own
        .slice(Math.max(0, newest + 1 - count), newest + 1)
        .toReversed()
        .map(({ transaction }) => transaction.raw)
      return writeTransactions(server.changeTransactions(cells), network.head.id)
    },
  }
  return server

  async function begin(call: LiteserverCall, signal: AbortSignal): Promise<void> {
    server.calls.push(call)
    await server.before(call, signal)
    signal.throwIfAborted()
  }
}

/** Returns the accounts of workchain 0 that have transactions. @param states other states, by raw address */
async function accountsOf(
  chain: Chain,
  states: ReadonlyMap<string, Cell>,
): Promise<NetworkAccount[]> {
  const all = chain.transactions.map(({ address }) => address)
  const inShards = all.filter(({ workChain }) => workChain === 0)
  const addresses = new Set(inShards.map((address) => address.toRawString()))
  const found = await Promise.all(
    [...addresses].map(async (raw) => {
      const address = Address.parseRaw(raw)
      const { last } = await chain.account(address)
      const state = states.get(raw) ?? (await chain.accountCell(address))
      return { hash: BigInt(`0x${address.hash.toString('hex')}`), state, last }
    }),
  )
  return found.filter(({ last }) => last.lt > 0n)
}
