import type * as z from 'zod/mini'

/** One invalid place of a value. */
export interface Issue {
  /** Keys and indexes from the value down. */
  path: readonly PropertyKey[]
  /** The expected value. */
  expected: string
}

const EXPECTED: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

/** Returns the first issue of a failed check. */
export function firstIssue(error: z.core.$ZodError): Issue {
  const [issue] = error.issues
  if (issue === undefined) return { path: [], expected: error.message }
  const expected =
    issue.code === 'invalid_type' ? (EXPECTED[issue.expected] ?? issue.expected) : issue.message
  return { path: issue.path, expected }
}

/** Formats a path, for example `result[0].transaction_id.lt`. */
export function writePath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text
}
