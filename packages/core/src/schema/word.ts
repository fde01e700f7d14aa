import * as z from 'zod/mini'
import { Mismatch } from './mismatch.js'
import { withParts } from './parts.js'

/** One word of the vocabulary: reads a value, or refuses one that is not what the word stands for. */
export type Word<Output> = z.ZodMiniTransform<Output, unknown>

/**
 * Makes a word of the vocabulary.
 * @param read throws a {@link Mismatch} for what it does not read; an exported function, since generated decoders call it
 *   too
 */
export function word<Output>(read: (value: unknown) => Output): Word<Output> {
  const schema = z.transform((value: unknown, context): Output => {
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      const { expected, path } = error
      context.issues.push({ code: 'custom', message: expected, path: [...path], input: value })
      return z.NEVER
    }
  })
  // `z.transform` types its output as awaited, which is the same: no word reads to a promise.
  return withParts(schema as Word<Output>, { read })
}

/** Makes a word that reads a value as it is. @param read as in {@link word}; answers the very value that it is given */
export function plainWord<Output>(read: (value: unknown) => Output): Word<Output> {
  return withParts(word(read), { read, isUnchanged: true })
}
