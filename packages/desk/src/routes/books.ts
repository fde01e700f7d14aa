import type { Logger } from '@tonplug/core'
import type { Operator } from '@tonplug/core/operator'
import type { DeskBooks } from '../api.js'
import type { DeskOptions } from '../options.js'
import { booksOf } from '../words/books.js'
import type { Vocabulary } from '../words/sentences.js'

/** Compares the ledger with the chain on request, once at a time. The result is that of this process. */
export interface BooksMonitor {
  /** Returns the last result. */
  read(): DeskBooks
  /** Begins a comparison unless one is running. */
  start(): void
}

export function createBooksMonitor(
  { payments: { internals }, v3 }: Pick<DeskOptions, 'payments' | 'v3'>,
  { operator, words }: { operator: Pick<Operator, 'balance'>; words: Vocabulary },
): BooksMonitor {
  const { clock, logger } = internals
  const wallets = v3 === undefined ? [] : (internals.wallets ?? [])
  let books: DeskBooks = { canCompare: wallets.length > 0, isRunning: false, wallets: [] }
  const compare = async (): Promise<void> => {
    const compared = []
    for (const wallet of wallets) compared.push(booksOf(await operator.balance(wallet), words))
    books = { ...books, isRunning: false, comparedAtMs: clock.nowMs(), wallets: compared }
  }
  return {
    read: () => books,
    start() {
      if (books.isRunning || !books.canCompare) return
      books = { ...books, isRunning: true, problem: undefined }
      void compare().catch((error: unknown) => {
        logFailure(logger, error)
        const problem = 'The chain could not be read. Try again later.'
        books = { ...books, isRunning: false, problem }
      })
    },
  }
}

function logFailure(logger: Logger, error: unknown): void {
  logger.error('desk comparison of ledger and chain failed', { error })
}
