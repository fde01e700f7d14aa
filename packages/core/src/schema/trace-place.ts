import type { Decoder } from './decoding.js'
import { Mismatch } from './mismatch.js'

/** The way to a value: the key that it has, below those of what holds it. */
interface Place {
  key: PropertyKey
  above: Place | undefined
}

/**
 * Where the value stands that a decoder refuses: it decodes once more, and whatever is looked up on the way remembers its
 * place. A decoder looks at each value right after it has looked it up, so that a text or a number which it refuses is
 * the last thing that was looked up.
 * @param value freshly parsed JSON that nobody else holds
 * @returns keys and indexes from the value down
 */
export function tracePlace(decoder: Decoder, value: unknown): PropertyKey[] {
  const places = new WeakMap<object, Place | undefined>()
  let last: Place | undefined

  const traced = (one: unknown, place: Place | undefined): unknown => {
    last = place
    if (typeof one !== 'object' || one === null) return one
    const proxy = new Proxy(one, {
      get(holder, name) {
        const inner: unknown = Reflect.get(holder, name)
        const key = Array.isArray(holder) ? Number(String(name)) : name
        // Lists have a length and methods too.
        return Number.isNaN(key) ? inner : traced(inner, { key, above: place })
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
  for (let at = place; at !== undefined; at = at.above) path.push(at.key)
  return path.reverse()
}
