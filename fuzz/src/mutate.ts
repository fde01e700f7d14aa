/** The source of random choices. */
export interface Chance {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random: () => number
  /** Inputs whose parts are copied into other inputs. */
  pool: readonly Uint8Array[]
  /** Words of the target's input format. */
  words: readonly Uint8Array[]
}

const MOST_BYTES = 4096

/** Returns a copy of an input with one to four random changes. */
export function mutate(input: Uint8Array, chance: Chance): Uint8Array {
  let bytes: Buffer = Buffer.from(input)
  const changes = 1 + below(chance, 4)
  for (let change = 0; change < changes; change++) bytes = changeOnce(bytes, chance)
  return bytes.subarray(0, MOST_BYTES)
}

/** Returns a random value of a list. */
export function pick<Value>(chance: Chance, values: readonly Value[]): Value | undefined {
  return values[below(chance, values.length)]
}

function changeOnce(bytes: Buffer, chance: Chance): Buffer {
  const at = below(chance, bytes.length + 1)
  const end = at + below(chance, Math.min(bytes.length - at + 1, 32))
  switch (below(chance, 8)) {
    case 0:
      return splice(bytes, at, at, pick(chance, chance.words))
    case 1:
      return splice(bytes, at, end, pick(chance, chance.words))
    case 2:
      return splice(bytes, at, end)
    case 3:
      // Repeats a part of the input, up to 16 times.
      return splice(
        bytes,
        at,
        at,
        ...Array<Buffer>(1 + below(chance, 16)).fill(bytes.subarray(at, end)),
      )
    case 4:
      return splice(bytes, at, at + 1, Buffer.of(below(chance, 256)))
    case 5:
      return splice(bytes, at, at + 1, Buffer.of((bytes[at] ?? 0) ^ (1 << below(chance, 8))))
    case 6: {
      const other = pick(chance, chance.pool) ?? bytes
      const from = below(chance, other.length)
      return splice(bytes, at, end, other.subarray(from, from + below(chance, 64)))
    }
    default: {
      // Replaces the rest with a part of another input.
      const other = pick(chance, chance.pool) ?? bytes
      return splice(bytes, at, bytes.length, other.subarray(below(chance, other.length)))
    }
  }
}

function splice(
  bytes: Buffer,
  from: number,
  to: number,
  ...pieces: readonly (Uint8Array | undefined)[]
): Buffer {
  const inserted = pieces.filter((piece) => piece !== undefined)
  return Buffer.concat([bytes.subarray(0, from), ...inserted, bytes.subarray(to)])
}

function below({ random }: Chance, limit: number): number {
  return Math.floor(random() * limit)
}
