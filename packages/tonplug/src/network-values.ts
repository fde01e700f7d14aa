import { canonicalAddress } from '@tonplug/core'
import { explainError } from './explain-error.js'
import { UsageError } from './failure.js'

/** An address as it was given. @throws {UsageError} when it is none. @param option the one that it was given with */
export function readAddress(option: string, text: string): string {
  try {
    canonicalAddress(text)
    return text
  } catch (error) {
    throw new UsageError(`${option}: ${explainError(error)}`)
  }
}

/** The address of an API v3, as it was given. @throws {UsageError} when a client could not take it. */
export function readBaseUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && isPlain(url)) return text
  // It is not quoted: addresses may hold credentials.
  throw new UsageError(
    `${option}: give the base URL of an API v3, such as https://testnet.toncenter.com, without credentials and query`,
  )
}

function isPlain({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}
