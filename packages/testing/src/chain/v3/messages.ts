import { loadMessage, type Address, type Cell } from '@ton/core'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { readAddress } from '../refusal.js'
import { base64Hash, readHash } from '../spellings.js'
import { isMessage } from './trace.js'

/** A message, the transactions that it links, and where it stands in a list by lt. */
interface MessageRow {
  cell: Cell
  receiver: RecordedTransaction | undefined
  sender: RecordedTransaction | undefined
  lt: bigint
}

/** All messages, once each. */
export function messagesOf(indexed: readonly RecordedTransaction[]): MessageRow[] {
  const rows = new Map<string, MessageRow>()
  for (const one of indexed) {
    for (const cell of one.outMessages) rows.set(keyOf(cell), rowOf(cell, undefined, one))
    if (one.inMessage === undefined) continue
    const sent = rows.get(keyOf(one.inMessage))
    rows.set(keyOf(one.inMessage), rowOf(one.inMessage, one, sent?.sender))
  }
  return [...rows.values()]
}

function keyOf(cell: Cell): string {
  return base64Hash(cell.hash())
}

function rowOf(
  cell: Cell,
  receiver: RecordedTransaction | undefined,
  sender: RecordedTransaction | undefined,
): MessageRow {
  const { info } = loadMessage(cell.beginParse())
  return { cell, receiver, sender, lt: info.type === 'external-in' ? -1n : info.createdLt }
}

/** Whether a message is among those that a query of `/messages` asks for. */
export function isAskedMessage(
  cell: Cell,
  hashes: readonly string[],
  query: URLSearchParams,
): boolean {
  const { info, body } = loadMessage(cell.beginParse())
  const source = query.get('source')
  const destination = query.get('destination')
  const bodyHash = query.get('body_hash')
  if (hashes.length > 0 && !hashes.some((hash) => isMessage(cell, hash))) return false
  if (bodyHash !== null && base64Hash(body.hash()) !== readHash(bodyHash)) return false
  if (query.get('exclude_externals') === 'true' && info.type !== 'internal') return false
  if (query.get('only_externals') === 'true' && info.type === 'internal') return false
  return (
    isAt(info.type === 'external-in' ? undefined : info.src, source) &&
    isAt(info.type === 'external-out' ? undefined : info.dest, destination)
  )
}

function isAt(address: Address | undefined, asked: string | null): boolean {
  if (asked === null) return true
  return asked === 'null' ? address === undefined : (address?.equals(readAddress(asked)) ?? false)
}
