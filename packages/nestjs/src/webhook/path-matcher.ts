/** Matches URLs with the path of a route. It may match further URLs, but never misses one. */
export interface PathMatcher {
  matches: (url: string) => boolean
  /** True when a wildcard allows any prefix. */
  isOpen: boolean
  /** Number of literal segments; more segments make a match more specific. */
  literals: number
}

/** Returns a matcher of the whole path of a URL; for a path with wildcards, of the segments after the last wildcard. */
export function createPathMatcher(path: string): PathMatcher {
  const segments = toSegments(path) ?? []
  const wildcard = segments.findLastIndex((segment) => /[*?+(){}[\]]/.test(segment))
  const isOpen = wildcard >= 0
  const expected = segments.slice(wildcard + 1)
  return {
    matches: (url) => {
      const actual = toSegments(url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '')
      if (actual === undefined) return false
      const start = actual.length - expected.length
      return (
        (isOpen ? start >= 0 : start === 0) &&
        expected.every(
          (segment, index) => isParameter(segment) || segment === actual[start + index],
        )
      )
    },
    isOpen,
    literals: expected.filter((segment) => !isParameter(segment)).length,
  }
}

/** Returns true for a URL with exactly this path. A fast check for most requests, because splitting a URL is expensive. */
export function isAtPath(url: string, path: string): boolean {
  return url.startsWith(path) && '?#'.includes(url.charAt(path.length))
}

/** Returns true for `:merchant` or `shop-:merchant`. */
function isParameter(segment: string): boolean {
  return segment.includes(':')
}

/** Returns the segments in lower case, because Express ignores case by default; `undefined` for a malformed path. */
function toSegments(path: string): string[] | undefined {
  try {
    return decodeURI(path).toLowerCase().split('/').filter(Boolean)
  } catch {
    return undefined
  }
}
