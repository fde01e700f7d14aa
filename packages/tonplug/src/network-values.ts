import { canonicalAddress, describeSettingMistake } from '@tonplug/core'
import { explainError } from './explain-error.js'
import { UsageError } from './failure.js'

/** Returns a valid address unchanged. @throws {UsageError} when it is invalid. @param option the name of its option */
export function readAddress(option: string, text: string): string {
  try {
    canonicalAddress(text)
    return text
  } catch (error) {
    throw new UsageError(`${option}: ${explainError(error)}`)
  }
}

/** Returns a valid base URL of API v3 unchanged. @throws {UsageError} when it is invalid. */
export function readBaseUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const mistake = describeSettingMistake(text, { isLocation: true })
  if (mistake !== undefined) throw new UsageError(`${option} ${mistake}`)
  if (url !== undefined && isPlain(url)) return text
  // The value is not repeated, because it may contain credentials.
  throw new UsageError(
    `${option}: give the base URL of an API v3, such as https://testnet.toncenter.com, without credentials and query`,
  )
}

function isPlain({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}
