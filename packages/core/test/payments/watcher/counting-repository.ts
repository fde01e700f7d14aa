import type { Order, OrderRepository } from '@tonplug/core'
import { BEGIN } from './paid-chain.js'

/** A repository whose only order is old enough that the whole index is scanned. Counts calls and their keys. */
export function countingRepository() {
  const calls: Record<string, number[]> = {}
  const count = (name: string, keys: number): void => void (calls[name] ??= []).push(keys)
  const order: Order = {
    reference: 'the-only-order',
    rawAmount: 1n,
    asset: 'TON',
    status: 'pending',
    createdAt: new Date(BEGIN * 1000),
  }
  const orders = {
    find: async () => {
      count('find', 1)
      return null
    },
    complete: async () => 'not-found',
    fail: async () => 'not-found',
    async *listOpen() {
      yield order
    },
    findByBodyHashes: async (hashes) => {
      count('findByBodyHashes', hashes.length)
      return []
    },
    findByReferences: async (references) => {
      count('findByReferences', references.length)
      return []
    },
  } satisfies OrderRepository
  const total = (): number => Object.values(calls).reduce((sum, { length }) => sum + length, 0)
  return { orders, calls, total }
}
