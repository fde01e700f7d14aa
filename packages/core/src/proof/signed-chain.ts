import { BoundedMap } from '../shared/bounded-map.js'
import { decodeHex } from '../shared/base64.js'
import { withDeadline } from '../shared/timers.js'
import { proveAccount, type AccountId, type ProvenAccount } from './account-state.js'
import type { BlockId } from './block-id.js'
import type { ProofCell } from './cell.js'
import { createHeadReader, type HeadOptions } from './head.js'
import { createHistory, type History } from './history.js'
import { MAX_TRANSACTIONS, readAccountState, readTransactionList } from './liteserver.js'
import { ProofError } from './proof-error.js'
import { shareRuns } from './share-runs.js'
import type { ProvenTransaction, TransactionId } from './transaction.js'

/** Deadline of a look. */
const LOOK_MS = 60_000
const MAX_ACCOUNTS = 1000

/** Accounts and transactions, proven from signed blocks. Addresses are canonical. */
export interface SignedChain {
  /**
   * Returns the transaction of an account with a logical time; `null` when the account has none at that time, `undefined`
   * when the newest signed block does not have it yet. Calls that wait at the same time share one proof of the account.
   * @throws {ProofError} and what the liteserver throws.
   */
  transactionAt(address: string, lt: bigint): Promise<ProvenTransaction | null | undefined>
  /** Stores the newest proven transaction of an account, so that a restart continues there. @throws what the store throws. */
  remember(address: string): Promise<void>
  /** Proves accounts after one block. @throws as above */
  accounts(addresses: readonly string[]): Promise<ProvenAccount[]>
}

/** Creates a {@link SignedChain}, which reads a liteserver and checks its proofs against the newest signed block. */
export function createSignedChain(options: HeadOptions): SignedChain {
  const { liteserver, trusted, anchors } = options
  const readHead = createHeadReader(options)
  const head = shareRuns(() => inTime(readHead))
  const histories = new BoundedMap<string, ReturnType<typeof openHistory>>(MAX_ACCOUNTS)

  function inTime<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const limit = { clock: options.clock, deadlineMs: LOOK_MS, isBackground: true }
    return withDeadline(limit, run, () => {
      const problem = `the proof takes more than ${LOOK_MS / 1000} seconds`
      throw new ProofError('not_covered', `${problem}; the next look continues`)
    })
  }

  async function prove(block: BlockId, account: AccountId, signal: AbortSignal) {
    const bytes = await liteserver.getAccountState({ block, account }, { signal })
    signal.throwIfAborted()
    return proveAccount(block, account, readAccountState(bytes, block))
  }

  /** Many large transactions exceed the limits of one answer; a single transaction does not. */
  async function readPage(
    account: AccountId,
    last: TransactionId,
    signal: AbortSignal,
    count = MAX_TRANSACTIONS,
  ): Promise<ProofCell[]> {
    const bytes = await liteserver.getTransactions({ account, last, count }, { signal })
    signal.throwIfAborted()
    try {
      return readTransactionList(bytes)
    } catch (error) {
      if (count > 1) return await readPage(account, last, signal, 1)
      throw error
    }
  }

  function openHistory(address: string) {
    const account = toAccountId(address)
    const place = { globalId: trusted.globalId, address }
    const wanted = new Set<bigint>()
    let stored: TransactionId | undefined
    let history: History | undefined
    const look = shareRuns(() =>
      inTime(async (signal) => {
        const { id } = await head()
        const proven = await prove(id, account, signal)
        if (proven.kind === 'absent') return
        if (history === undefined) {
          stored = await anchors?.loadTransaction(place)
          history = createHistory(account.hash, stored)
        }
        await history.extend(proven.last, [...wanted], (last) => readPage(account, last, signal))
      }),
    )
    return {
      async at(lt: bigint): Promise<ProvenTransaction | null | undefined> {
        const known = history?.at(lt)
        if (known !== undefined) return known
        wanted.add(lt)
        try {
          await look()
        } catch (error) {
          const found = history?.at(lt)
          if (found === undefined) throw error
          return found
        } finally {
          wanted.delete(lt)
        }
        return history?.at(lt)
      },
      remember: shareRuns(async () => {
        const newest = history?.newest
        if (newest === undefined || newest.lt === stored?.lt) return
        await anchors?.saveTransaction(place, newest)
        stored = newest
      }),
    }
  }

  return {
    async transactionAt(address, lt) {
      const history = histories.get(address) ?? openHistory(address)
      histories.set(address, history)
      return await history.at(lt)
    },
    async remember(address) {
      await histories.get(address)?.remember()
    },
    async accounts(addresses) {
      const { id } = await head()
      return await inTime((signal) =>
        Promise.all(addresses.map((address) => prove(id, toAccountId(address), signal))),
      )
    },
  }
}

/** @param address canonical */
function toAccountId(address: string): AccountId {
  const [workchain = '', hash = ''] = address.split(':')
  return { workchain: Number(workchain), hash: decodeHex(hash) }
}
