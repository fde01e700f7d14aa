import { createV2Client, type V2Client } from '../../../src/toncenter/v2/client.js'
import {
  numberOf,
  startMockHistory,
  type History,
  type MockHistory,
  type PageRequest,
} from './mock-history.js'

/** A server of a history until the test ends, and a client of it that tries nothing again. */
export async function serve(history: History): Promise<{ server: MockHistory; v2: V2Client }> {
  const server = await startMockHistory(history)
  const v2 = createV2Client({ baseUrl: server.baseUrl, rps: Infinity, retry: { maxAttempts: 1 } })
  return { server, v2 }
}

/** The numbers of all that a walk delivers. */
export async function collect(
  walk: AsyncIterable<Parameters<typeof numberOf>[0]>,
): Promise<number[]> {
  const numbers: number[] = []
  for await (const row of walk) numbers.push(numberOf(row))
  return numbers
}

/** The numbers from `newest` down to `oldest`. */
export function down(newest: number, oldest: number): number[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
}

/** Returns the requested page sizes. */
export function limits(requests: readonly PageRequest[]): number[] {
  return requests.map(({ query }) => Number(query['limit']))
}
