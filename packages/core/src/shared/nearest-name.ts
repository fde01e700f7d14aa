/** Returns the most similar known name, unless none is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(name.length / 2)) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** Returns a hint for an unknown name: the most similar name, or all names. */
export function hintForName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `did you mean ${nearest}?`
  return `it takes ${known.join(', ') || 'none'}`
}

/** Returns the Levenshtein distance: the fewest insertions, deletions and replacements. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replace = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
