import type * as z from 'zod/mini'

/** One thing that is wrong with a value. */
export interface Issue {
  /** Keys and indexes from the value down. */
  path: readonly PropertyKey[]
  /** What belongs there. */
  expected: string
}

/** What a failed check found, in the words of the vocabulary. */
function describeIssue(issue: z.core.$ZodIssue): Issue {
  const expected =
    issue.code === 'invalid_type' ? (EXPECTED[issue.expected] ?? issue.expected) : issue.message
  return { path: issue.path, expected }
}

/** The first thing that a failed check found. */
export function firstIssue(error: z.core.$ZodError): Issue {
  const [issue] = error.issues
  return issue === undefined ? { path: [], expected: error.message } : describeIssue(issue)
}

const EXPECTED: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

/** Writes a path as in `result[0].transaction_id.lt`. */
export function writePath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text
}
