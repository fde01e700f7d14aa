/** A webhook has two levels. */
const MAX_DEPTH = 32

/**
 * Returns true for JSON with more than 32 levels: millions of levels take gigabytes of memory once they are parsed, and the
 * size of indented JSON grows with the square of the depth. Reads each character once.
 */
export function isDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isString && character === '\\') index++
    else if (character === '"') isString = !isString
    else if (isString) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
