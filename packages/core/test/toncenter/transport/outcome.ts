import { createV2Client, type V2Client } from '../../../src/toncenter/v2/client.js'
import { createLine, type Line } from './calls.js'
import { see } from './key-scan.js'

/** The outcome of a call: `ok`, or the code of its error without the prefix. */
export async function outcomeOf(
  call: Promise<unknown>,
): Promise<{ outcome: string; error?: unknown }> {
  try {
    await call
    return { outcome: 'ok' }
  } catch (error) {
    see(error)
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'none'
    return { outcome: code.replace('ERR_TONPLUG_', ''), error }
  }
}

/** A client of API v2 over a line. */
export function createCaller(
  baseUrl: string | string[],
  options = {},
): { line: Line; v2: V2Client } {
  const line = createLine({ baseUrl, ...options })
  return { line, v2: createV2Client({ transport: line.transport }) }
}
