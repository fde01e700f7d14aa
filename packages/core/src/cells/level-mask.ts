/** How many levels a mask has: each of its three bits is one. */
export function countLevels(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
}
