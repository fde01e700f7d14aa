import { readFileSync } from 'node:fs'
import { describeSettingMistake } from '@tonplug/core'
import { UsageError } from './failure.js'

const SECRET_VARIABLE = 'TONPAY_WEBHOOK_SECRET'
const API_KEY_VARIABLE = 'TONPAY_API_KEY'

/** A secret and its source. Its value is never printed. */
export interface SourcedSecret {
  /** `TONPAY_WEBHOOK_SECRET`, or the path of the file. */
  source: string
  value: string
  /** True when a line break at the end of the file was removed, as editors and `echo` add it. */
  hadLineBreak: boolean
}

/**
 * Returns the secrets of the files, otherwise that of the environment.
 * @throws {UsageError} when a secret is missing or empty, or a file cannot be read.
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

/** Like {@link readSecrets}; returns `undefined` when the secret is missing. */
export function readOptionalSecrets(
  files: readonly string[],
): [SourcedSecret, ...SourcedSecret[]] | undefined {
  const isThere = files.length > 0 || (process.env[SECRET_VARIABLE] ?? '') !== ''
  return isThere ? readSecrets(files) : undefined
}

/**
 * Returns the merchant's API key of the file, otherwise that of the environment, if any.
 * @throws {UsageError} when the file is empty or cannot be read, and when the key can only be a mistake.
 */
export function readApiKey(file: string | undefined): SourcedSecret | undefined {
  const key =
    file === undefined
      ? {
          source: API_KEY_VARIABLE,
          value: process.env[API_KEY_VARIABLE] ?? '',
          hadLineBreak: false,
        }
      : readSecretFile(file, '--api-key-file')
  const mistake = describeSettingMistake(key.value)
  if (mistake !== undefined) throw new UsageError(`the API key in ${key.source} ${mistake}`)
  return key.value === '' ? undefined : key
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
    // The path is not repeated, because it may be the secret itself.
    throw new UsageError(
      `${option}: the file does not exist or cannot be read; give the path of a file that contains the secret, never the secret itself`,
    )
  }
}
