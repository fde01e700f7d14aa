import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { TransportHooks } from '../../../src/toncenter/transport/hooks.js'

const seen: unknown[] = []

/** Remembers something that leaves the product: {@link findKey} looks for the key in it. */
export function see(value: unknown): void {
  seen.push(value)
}

/** Hooks that remember every event. */
export function seenByOthers(hooks: TransportHooks): TransportHooks {
  return {
    request: (event) => (see(event), hooks.request?.(event)),
    response: (event) => (see(event), hooks.response?.(event)),
    retry: (event) => (see(event), hooks.retry?.(event)),
    wait: (event) => (see(event), hooks.wait?.(event)),
    error: (event) => (see(event), hooks.error?.(event)),
  }
}

/** The values that were seen since the last time. */
export function takeSeen(): unknown[] {
  return seen.splice(0)
}

/** Fails when the key is in anything that was seen since the last time, or when nothing was. */
export function expectNoKey(key: string): void {
  const values = takeSeen()
  expect(values.length).toBeGreaterThan(0)
  expect(values.flatMap((value) => findKey(value, key))).toEqual([])
}

/** Where the key is in a value: messages, stacks, causes, hidden properties, JSON. */
export function findKey(value: unknown, key: string): string[] {
  const found: string[] = []
  const views: Record<string, () => string> = {
    text: () => String(value),
    inspect: () => inspect(value, { depth: null, showHidden: true, maxStringLength: null }),
    json: () => JSON.stringify(value, everyProperty()) ?? '',
  }
  for (const [view, write] of Object.entries(views)) if (write().includes(key)) found.push(view)
  return found
}

/** Writes errors with what JSON leaves out, each object once. */
function everyProperty(): (name: string, value: unknown) => unknown {
  const written = new Set<object>()
  return (_, value) => {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'bigint' ? `${value}` : value
    if (written.has(value)) return undefined
    written.add(value)
    if (!(value instanceof Error)) return value
    const names = Object.getOwnPropertyNames(value)
    return Object.fromEntries(names.map((name) => [name, Reflect.get(value, name) as unknown]))
  }
}
