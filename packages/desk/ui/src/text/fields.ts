/** Returns a field of a form, trimmed; `''` for an absent one. */
export function fieldOf(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
