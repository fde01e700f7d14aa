import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { UsageError } from './failure.js'

/** Where the question goes and the answer comes from. */
export interface Terminal {
  input: Readable & { isTTY?: boolean | undefined }
  output: Writable
}

/**
 * Asks a yes-or-no question; anything but yes is no.
 * @throws {UsageError} when there is nobody to ask.
 */
export async function confirm(question: string, { input, output }: Terminal): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new UsageError('nobody can be asked here; add --yes to go ahead without a question')
  }
  const lines = createInterface({ input, output })
  try {
    const closed = new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''))
    })
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
