/**
 * Returns a function that creates a value at its first call. Schemas are created so: many of them would delay the start of every
 * app, and take memory in apps that never use them.
 */
export function lazy<Value>(create: () => Value): () => Value {
  let created: { value: Value } | undefined
  return () => (created ??= { value: create() }).value
}
