import { createHash } from 'node:crypto'

let users = 0

/**
 * Lets Web Crypto hash at once while a simulation runs: it hashes in a thread pool, whose end no seed decides. Results are the
 * same. Simulations may overlap.
 * @returns a function that ends this
 */
export function hashAtOnce(): () => void {
  const { subtle } = globalThis.crypto
  if (users++ === 0) {
    const digest: typeof subtle.digest = async (algorithm, data) => {
      const name = typeof algorithm === 'string' ? algorithm : algorithm.name
      const bytes = ArrayBuffer.isView(data)
        ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
        : new Uint8Array(data)
      return new Uint8Array(createHash(name.replace('-', '')).update(bytes).digest()).buffer
    }
    Object.defineProperty(subtle, 'digest', { value: digest, configurable: true })
  }
  return () => {
    // The method of the prototype is back.
    if (--users === 0) Reflect.deleteProperty(subtle, 'digest')
  }
}
