import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { escapeHidden } from './escape-hidden.js'
import { UsageError } from './failure.js'

/** The input and output of the question. */
export interface Terminal {
  input: Readable & { isTTY?: boolean | undefined }
  output: Writable
}

const TERMINAL: Terminal = { input: process.stdin, output: process.stderr }

/**
 * Asks a yes-or-no question; any answer other than yes is no.
 * @throws {UsageError} without a terminal.
 */
export async function confirm(
  question: string,
  { input, output }: Terminal = TERMINAL,
): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new UsageError('a confirmation needs a terminal; add --yes to skip it')
  }
  const lines = createInterface({ input, output })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`${escapeHidden(question)} [y/N] `), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
