import { useState } from 'preact/hooks'
import type { BooksOfCoin, BooksOfWallet, DeskBooks, Session } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { CopyableCode } from '../components/copyable-code.js'
import { type Column, DataTable } from '../components/data-table.js'
import { Timestamp } from '../components/timestamp.js'
import { compareBooks } from './api-client.js'
import { useResource } from './use-resource.js'

const REFRESH_MS = 5000

const COLUMNS: readonly Column<BooksOfCoin>[] = [
  { name: 'Credited', cell: ({ credited }) => credited },
  { name: 'Refunded', cell: ({ refunded }) => refunded },
  { name: 'Other received', cell: ({ otherIn }) => otherIn },
  { name: 'Other sent', cell: ({ otherOut }) => otherOut },
  { name: 'Balance', cell: ({ balance }) => balance ?? '–' },
]

/** Compares the ledger with the chain on request; hidden where that is not possible. */
export function BooksCard({ session }: { session: Session }) {
  const { data, reload } = useResource<DeskBooks>('api/books', REFRESH_MS)
  const [problem, setProblem] = useState<string>()
  if (data?.canCompare !== true) return null
  const { isRunning, comparedAtMs, wallets } = data
  const compare = async (): Promise<void> => {
    setProblem(undefined)
    await compareBooks(session).catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    )
    reload()
  }
  return (
    <section class="card" aria-labelledby="books-title" aria-busy={isRunning}>
      <div class="with-action">
        <h3 id="books-title">Ledger and chain</h3>
        <button type="button" disabled={isRunning} onClick={() => void compare()}>
          {isRunning ? 'Comparing…' : 'Compare now'}
        </button>
      </div>
      <p class="problem" role="alert" hidden={(problem ?? data.problem) === undefined}>
        {problem ?? data.problem}
      </p>
      <p class="hint" role="status">
        {comparedAtMs === undefined ? (
          'Not compared yet. Every transaction of the wallets is read, which can take minutes.'
        ) : (
          <>
            Compared on <Timestamp atMs={comparedAtMs} />
          </>
        )}
      </p>
      {wallets.map((books) => (
        <WalletBooks key={books.wallet} books={books} />
      ))}
    </section>
  )
}

function WalletBooks({ books: { wallet, coins, alarms, isComplete } }: { books: BooksOfWallet }) {
  return (
    <>
      <h4 class="with-action">
        <CopyableCode name="the wallet" value={wallet} isShort />
        <State hasAlarm={alarms.length > 0} isComplete={isComplete} />
      </h4>
      {alarms.map((text) => (
        <p class="problem" key={text}>
          {text}
        </p>
      ))}
      <DataTable
        caption={`The coins of ${wallet}`}
        columns={COLUMNS}
        rows={coins}
        keyOf={({ asset }) => asset}
      />
    </>
  )
}

function State({ hasAlarm, isComplete }: { hasAlarm: boolean; isComplete: boolean }) {
  if (hasAlarm) return <Badge tone="bad">differs</Badge>
  return isComplete ? (
    <Badge tone="good">agrees</Badge>
  ) : (
    <Badge tone="wait">not complete yet</Badge>
  )
}
