import * as z from 'zod/mini'

/** One word of the vocabulary: reads a value, or answers `undefined` when it is not what the word stands for. */
export type Word<Output, Input = unknown> = z.ZodMiniTransform<Output, Input>

/**
 * Makes a word of the vocabulary.
 * @param expected what the value must be, as the end of "is not …" and of "must be …"
 */
export function word<Output, Input = unknown>(
  expected: string,
  read: (value: Input) => Output | undefined,
): Word<Output, Input> {
  const schema = z.transform((value: Input, context): Output => {
    const output = read(value)
    if (output !== undefined) return output
    context.issues.push({ code: 'custom', message: expected, input: value })
    return z.NEVER
  })
  // `z.transform` types its output as awaited, which is the same: no word reads to a promise.
  return schema as Word<Output, Input>
}
