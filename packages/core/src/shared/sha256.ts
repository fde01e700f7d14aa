/** The first 32 bits of the fractional parts of roots of the first primes. Source: FIPS 180-4, sections 4.2.2 and 5.3.3. */
const rootsOf = (count: number, exponent: number): Uint32Array => {
  const roots: number[] = []
  for (let number = 2; roots.length < count; number++) {
    let divisor = 2
    while (number % divisor !== 0) divisor++
    if (divisor === number) roots.push((number ** exponent % 1) * 2 ** 32)
  }
  return Uint32Array.from(roots)
}

const CONSTANTS = rootsOf(64, 1 / 3)
const INITIAL = rootsOf(8, 1 / 2)
const BLOCK_BYTES = 64

/**
 * Returns SHA-256 of bytes. Synchronous, unlike Web Crypto, for hashes of short texts in code without requests; for a large
 * input use Web Crypto, which is faster.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = Math.ceil((bytes.length + 9) / BLOCK_BYTES)
  const padded = new Uint8Array(blocks * BLOCK_BYTES)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  const state = Uint32Array.from(INITIAL)
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) mix(state, view, start)
  const hash = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => hash.setUint32(index * 4, word))
  return new Uint8Array(hash.buffer)
}

/** Mixes a block into the state. Source: FIPS 180-4, section 6.2.2. */
function mix(state: Uint32Array, view: DataView, start: number): void {
  const words = scheduleOf(view, start)
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let round = 0; round < 64; round++) {
    const choice = (e & f) ^ (~e & g)
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = h + sum + choice + at(CONSTANTS, round) + at(words, round)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = at(state, index) + word
  }
}

function scheduleOf(view: DataView, start: number): Uint32Array {
  const words = new Uint32Array(64)
  for (let index = 0; index < 16; index++) words[index] = view.getUint32(start + index * 4)
  for (let index = 16; index < 64; index++) {
    const [early, late] = [at(words, index - 15), at(words, index - 2)]
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = at(words, index - 16) + first + at(words, index - 7) + second
  }
  return words
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}
