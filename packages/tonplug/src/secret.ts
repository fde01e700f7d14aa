import { readFileSync } from 'node:fs'
import { UsageError } from './failure.js'

const SECRET_VARIABLE = 'TONPAY_WEBHOOK_SECRET'
const API_KEY_VARIABLE = 'TONPAY_API_KEY'

/** A secret and where it came from. Its value is never printed. */
export interface SourcedSecret {
  /** `TONPAY_WEBHOOK_SECRET`, or the file's path. */
  source: string
  value: string
  /** The file ended with a line break, which was left out: editors and `echo` put it there. */
  hadLineBreak: boolean
}

/**
 * The secrets of these files, otherwise that of the environment.
 * @throws {UsageError} when there is none, or one is empty or cannot be read.
 */
export function readSecrets(files: readonly string[]): [SourcedSecret, ...SourcedSecret[]] {
  const [first, ...others] = files.map((path) => readSecretFile(path))
  if (first !== undefined) return [first, ...others]
  const value = process.env[SECRET_VARIABLE] ?? ''
  if (value === '') {
    throw new UsageError(
      `no secret: set ${SECRET_VARIABLE} to the webhook secret of the merchant dashboard (Developer → Webhooks), or name a file that holds it with --secret-file`,
    )
  }
  return [{ source: SECRET_VARIABLE, value, hadLineBreak: false }]
}

/** As {@link readSecrets}; `undefined` when there is none. */
export function readOptionalSecrets(
  files: readonly string[],
): [SourcedSecret, ...SourcedSecret[]] | undefined {
  const isThere = files.length > 0 || (process.env[SECRET_VARIABLE] ?? '') !== ''
  return isThere ? readSecrets(files) : undefined
}

/**
 * The merchant's API key of this file, otherwise that of the environment, if there is one.
 * @throws {UsageError} when the file is empty or cannot be read.
 */
export function readApiKey(file: string | undefined): SourcedSecret | undefined {
  if (file !== undefined) return readSecretFile(file, '--api-key-file')
  const value = process.env[API_KEY_VARIABLE] ?? ''
  return value === '' ? undefined : { source: API_KEY_VARIABLE, value, hadLineBreak: false }
}

function readSecretFile(path: string, option = '--secret-file'): SourcedSecret {
  const text = readText(path, option)
  const value = text.replace(/\r?\n$/, '')
  if (value.trim() === '') throw new UsageError(`${option}: ${path} is empty`)
  return { source: path, value, hadLineBreak: value !== text }
}

function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Without the path as given: who mistakes the option gives the secret itself.
    throw new UsageError(
      `${option}: there is no such file, or it cannot be read; give the path of a file that holds the secret, never the secret itself`,
    )
  }
}
