import type { Decoder } from './decoding.js'
import { withDrift, type DriftListener } from './drift.js'
import type { Issue } from './issue.js'
import { Mismatch } from './mismatch.js'
import { tracePlace } from './trace-place.js'

/** What it takes to decode an answer. */
export interface Decoding {
  /** Generated from the schema. */
  decoder: Decoder
  /** Parses the answer again: what a decoder refused, it has changed in part. */
  parseAgain: () => unknown
  onDrift: DriftListener
}

/** A decoded answer, or the first thing that is wrong with it. */
export type Decoded = { isDecoded: true; value: unknown } | ({ isDecoded: false } & Issue)

/** Decodes freshly parsed JSON in place. Only when that fails, the answer is read once more, to find out where. */
export function decode(value: unknown, { decoder, parseAgain, onDrift }: Decoding): Decoded {
  try {
    return { isDecoded: true, value: withDrift(onDrift, () => decoder(value)) }
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    const place = tracePlace(decoder, parseAgain())
    return { isDecoded: false, path: [...place, ...error.path], expected: error.expected }
  }
}
