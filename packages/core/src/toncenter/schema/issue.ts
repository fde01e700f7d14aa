export interface Issue {
  /** Keys and indexes from the value down. */
  path: readonly PropertyKey[]
  expected: string
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
