import { onTestFinished } from 'vitest'
import { createV2Client, type V2Client } from '../../src/v2/client.js'
import {
  numberOf,
  startHistoryServer,
  type Asked,
  type History,
  type HistoryServer,
} from './history-server.js'

/** A server of a history until the test ends, and a client of it that tries nothing again. */
export async function serve(history: History): Promise<{ server: HistoryServer; v2: V2Client }> {
  const server = await startHistoryServer(history)
  onTestFinished(async () => server.close())
  const v2 = createV2Client({ baseUrl: server.url, rps: Infinity, retry: { maxAttempts: 1 } })
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

/** The page sizes that were asked for. */
export function limits(asked: readonly Asked[]): number[] {
  return asked.map(({ query }) => Number(query['limit']))
}
