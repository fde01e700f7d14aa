import { canonicalAddress, friendlyAddress, isTonplugError } from '@tonplug/core'
import type { DeskOptions } from '../options.js'

/** Returns an address as wallet apps show it; an invalid one unchanged. */
export function shownAddress(address: string, network: DeskOptions['network']): string {
  try {
    return friendlyAddress(address, { isBounceable: false, isTestOnly: network === 'testnet' })
  } catch (error) {
    if (isTonplugError(error)) return address
    throw error
  }
}

/** Returns true for two formats of one address. An invalid address equals nothing. */
export function isSameAddress(one: string, other: string): boolean {
  try {
    return canonicalAddress(one) === canonicalAddress(other)
  } catch (error) {
    if (isTonplugError(error)) return false
    throw error
  }
}

/** Returns the beginning and the end of a long address. */
export function shortAddress(address: string): string {
  return address.length > 16 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}
