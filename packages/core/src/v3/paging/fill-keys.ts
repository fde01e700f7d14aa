/**
 * The keys of rows that come in their order. A row without one, such as a message from outside, stands at the key of the
 * row before it, and at the beginning at `start` or at the first key there is.
 */
export function fillKeys(
  keys: readonly (bigint | number | undefined)[],
  start: bigint | undefined,
): (bigint | undefined)[] {
  const first = keys.find((key) => key !== undefined)
  let current = start ?? (first === undefined ? undefined : BigInt(first))
  return keys.map((key) => {
    if (key !== undefined) current = BigInt(key)
    return current
  })
}
