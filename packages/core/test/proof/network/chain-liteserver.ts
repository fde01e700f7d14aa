import { Address, type Cell } from '@ton/core'
import type { Liteserver, TrustedBlock } from '@tonplug/core/proof'
import type { Chain } from '@tonplug/simulator'
import type { TestAccount } from './blocks.js'
import {
  SignedNetwork,
  writeAccountState,
  writeTransactions,
  type AccountAnswer,
  type MasterBlock,
} from './signed-network.js'

/** The calls that a liteserver has answered. */
type ServedCall = 'getBlockProof' | 'getAccountState' | 'getTransactions'

/** A liteserver of a simulated chain. A test may change its answers. */
export interface ChainLiteserver extends Liteserver {
  network: SignedNetwork
  trusted: TrustedBlock
  calls: ServedCall[]
  /** Makes a masterchain block of the chain's state, with a time in Unix seconds. @default the current time */
  seal(utime?: number): Promise<MasterBlock>
  /** Makes no new block for the next calls. @default false */
  isSealed: boolean
  /** Other states of accounts, by raw address. */
  readonly states: Map<string, Cell>
  changeBlockProof: (bytes: Buffer) => Uint8Array
  changeAccount: (answer: AccountAnswer, address: string) => AccountAnswer
  changeTransactions: (cells: Cell[]) => Cell[]
  /** Runs before each answer, and may fail or wait. */
  before: (call: ServedCall, signal: AbortSignal) => void | Promise<void>
}

/** Starts a network whose blocks have the accounts of a simulated chain. */
export function createChainLiteserver(
  chain: Chain,
  { nowMs = Date.now }: { nowMs?: () => number } = {},
): ChainLiteserver {
  const utimeNow = (): number => Math.floor(nowMs() / 1000)
  const network = new SignedNetwork({ utime: utimeNow() })
  const states = new Map<string, Cell>()
  const accountsOf = async (): Promise<TestAccount[]> => {
    const addresses = new Set(chain.transactions.map(({ address }) => address.toRawString()))
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
  const server: ChainLiteserver = {
    network,
    trusted: { id: network.first.id, globalId: network.globalId },
    calls: [],
    states,
    isSealed: false,
    changeBlockProof: (bytes) => bytes,
    changeAccount: (answer) => answer,
    changeTransactions: (cells) => cells,
    before: () => undefined,
    async seal(utime = utimeNow()) {
      return network.append({ utime, accounts: await accountsOf() })
    },
    async getBlockProof(known, { signal }) {
      await begin('getBlockProof', signal)
      if (!server.isSealed) await server.seal()
      return server.changeBlockProof(network.blockProof(known))
    },
    async getAccountState({ block, account }, { signal }) {
      await begin('getAccountState', signal)
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

  async function begin(call: ServedCall, signal: AbortSignal): Promise<void> {
    server.calls.push(call)
    await server.before(call, signal)
    signal.throwIfAborted()
  }
}
