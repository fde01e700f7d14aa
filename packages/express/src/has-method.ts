/** Returns true for an object with a method of this name. */
export function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}
