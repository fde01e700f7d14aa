import type { V3Result } from '@tonplug/core/toncenter'
import { callWith } from '../v3/call-with.js'
import { readFixture } from '../v3/fixtures.js'

/** The transactions of an answer that was captured, decoded. */
export async function decodeCaptured(
  endpoint: 'transactions' | 'transactionsByMessage' | 'traces',
): Promise<V3Result<'transactions'>['transactions']> {
  const text = readFixture(`${endpoint}.captured.json`)
  if (endpoint !== 'traces') return (await callWith(endpoint, text)).transactions
  const { traces } = await callWith('traces', text)
  return traces.flatMap(({ transactions }) => Object.values(transactions ?? {}))
}
