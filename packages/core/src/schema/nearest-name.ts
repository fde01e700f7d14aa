/** The name that differs least from `name`, when one is near enough to be what was meant. */
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

/** For whoever gave a name that is not known: the one that was meant, or all there are. */
export function hintForName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `did you mean ${nearest}?`
  return `it takes ${known.length === 0 ? 'none' : known.join(', ')}`
}

/** Levenshtein: insertions, deletions and replacements that turn one text into the other. */
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
