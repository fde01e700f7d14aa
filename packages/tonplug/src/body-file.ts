import { readFileSync } from 'node:fs'
import { UsageError } from './failure.js'

/** Returns the exact bytes of a file, or of the standard input for `-`. @throws {UsageError} when it cannot be read. */
export function readBody(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `the body cannot be read (${problem}); give the path of a file with the bytes as they were received, or - for the standard input`,
    )
  }
}
