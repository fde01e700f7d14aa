import { untilAborted } from '../shared/abort.js'
import { BoundedMap } from '../shared/bounded-map.js'
import { startTimer, type Clock } from '../shared/clock.js'
import { decodeHex } from '../shared/base64.js'
import { proveAccount, type AccountId, type ProvenAccount } from './account-state.js'
import type { BlockId } from './block-id.js'
import type { ProofCell } from './cell.js'
import { createHeadReader, type HeadOptions } from './head.js'
import { createHistory } from './history.js'
import { MAX_TRANSACTIONS, readAccountState, readTransactionList } from './liteserver.js'
import { ProofError } from './proof-error.js'
import { shareRuns } from './share-runs.js'
import type { ProvenTransaction } from './transaction.js'

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
  /** Proves accounts after one block. @throws as above */
  accounts<Name extends string>(
    addresses: Readonly<Record<Name, string>>,
  ): Promise<Record<Name, ProvenAccount>>
}

export function createSignedChain(options: HeadOptions): SignedChain {
  const { liteserver, clock } = options
  const readHead = createHeadReader(options)
  const head = shareRuns(() => withDeadline(clock, readHead))
  const readers = new BoundedMap<string, TransactionReader>(MAX_ACCOUNTS)

  async function prove(
    block: BlockId,
    address: string,
    signal: AbortSignal,
  ): Promise<ProvenAccount> {
    const account = toAccountId(address)
    const bytes = await liteserver.getAccountState({ block, account }, { signal })
    signal.throwIfAborted()
    return proveAccount(block, account, readAccountState(bytes, block))
  }

  function openAccount(address: string): TransactionReader {
    const account = toAccountId(address)
    const history = createHistory(account.hash)
    const wanted = new Set<bigint>()
    const look = shareRuns(() =>
      withDeadline(clock, async (signal) => {
        const { id } = await head()
        const proven = await prove(id, address, signal)
        if (proven.kind === 'absent') return
        const downTo = [...wanted].reduce((least, lt) => (lt < least ? lt : least), proven.last.lt)
        await history.extend(proven.last, downTo, async (last) => {
          const page = async (count: number): Promise<ProofCell[]> => {
            const bytes = await liteserver.getTransactions({ account, last, count }, { signal })
            signal.throwIfAborted()
            return readTransactionList(bytes)
          }
          // Many large transactions exceed the limits of one answer; a single transaction does not.
          return page(MAX_TRANSACTIONS).catch((error: unknown) => {
            if (!(error instanceof ProofError)) throw error
            return page(1)
          })
        })
      }),
    )
    return async (lt) => {
      const known = history.at(lt)
      if (known !== undefined) return known
      wanted.add(lt)
      try {
        await look()
      } catch (error) {
        const found = history.at(lt)
        if (found === undefined) throw error
        return found
      } finally {
        wanted.delete(lt)
      }
      return history.at(lt)
    }
  }

  return {
    async transactionAt(address, lt) {
      const reader = readers.get(address) ?? openAccount(address)
      readers.set(address, reader)
      return await reader(lt)
    },
    async accounts(addresses) {
      const { id } = await head()
      return await withDeadline(clock, async (signal) => {
        const names = Object.keys(addresses) as (keyof typeof addresses)[]
        const proven = names.map(async (name) => [name, await prove(id, addresses[name], signal)])
        return Object.fromEntries(await Promise.all(proven))
      })
    },
  }
}

type TransactionReader = (lt: bigint) => Promise<ProvenTransaction | null | undefined>

/** @param address canonical */
function toAccountId(address: string): AccountId {
  const [workchain = '', hash = ''] = address.split(':')
  return { workchain: Number(workchain), hash: decodeHex(hash) }
}

async function withDeadline<Result>(
  clock: Clock,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const { signal } = controller
  const stop = startTimer(
    clock,
    LOOK_MS,
    () =>
      controller.abort(
        new ProofError(
          'not_covered',
          `the proof takes more than ${LOOK_MS / 1000} seconds; the next look continues`,
        ),
      ),
    { isBackground: true },
  )
  try {
    return await untilAborted(run(signal), signal)
  } finally {
    stop()
  }
}
