const ID = /^[1-9]\d{0,17}$/

/** Returns true for text that can be the id of a row. */
export function isId(text: string): boolean {
  return ID.test(text)
}
