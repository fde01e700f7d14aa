import type { Decoder } from './decoding.js'
import { Mismatch, type Issue } from './mismatch.js'

export interface Decoding {
  decoder: Decoder
  /** Parses the response again, since a decoder may have changed part of a value that it refuses. */
  parseAgain: () => unknown
}

export type Decoded = { isDecoded: true; value: unknown } | ({ isDecoded: false } & Issue)

/** Decodes freshly parsed JSON in place. Decodes an invalid response once more to find the invalid place. */
export function decode(value: unknown, { decoder, parseAgain }: Decoding): Decoded {
  try {
    return { isDecoded: true, value: decoder(value) }
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const path = findMismatch(decoder, parseAgain())
    return { isDecoded: false, path: [...path, ...error.path], expected: error.expected }
  }
}

interface Place {
  key: PropertyKey
  parent: Place | undefined
}

/**
 * Finds the value that a decoder refuses by decoding once more through proxies that record each property read. A decoder
 * checks a value right after it reads it, so a refused string or number is the last one read.
 * @param value freshly parsed JSON that is not used elsewhere
 * @returns keys and indexes from the value down
 */
function findMismatch(decoder: Decoder, value: unknown): PropertyKey[] {
  const places = new WeakMap<object, Place | undefined>()
  let last: Place | undefined

  const traced = (one: unknown, place: Place | undefined): unknown => {
    last = place
    if (typeof one !== 'object' || one === null) return one
    const proxy = new Proxy(one, {
      get(holder, name) {
        const inner: unknown = Reflect.get(holder, name)
        const key = Array.isArray(holder) ? Number(String(name)) : name
        // Lists also have a length and methods.
        return Number.isNaN(key) ? inner : traced(inner, { key, parent: place })
      },
    })
    places.set(proxy, place)
    return proxy
  }

  try {
    decoder(traced(value, undefined))
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const { value: refused } = error
    const isKnown = typeof refused === 'object' && refused !== null && places.has(refused)
    return pathTo(isKnown ? places.get(refused) : last)
  }
  return []
}

function pathTo(place: Place | undefined): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at = place; at !== undefined; at = at.parent) path.push(at.key)
  return path.reverse()
}
