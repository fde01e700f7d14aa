/** Tells of a URL whether it may be that of a route. */
export interface PathMatcher {
  matches: (url: string) => boolean
  /** Whether there may be anything in front of what is known of the path. */
  isOpen: boolean
  /** How many of its segments are known; the more, the more a match says. */
  known: number
}

/** Matches the whole path of a URL; of a path with wildcards what comes after them. */
export function createPathMatcher(path: string): PathMatcher {
  const segments = toSegments(path) ?? []
  const wildcard = segments.findLastIndex((segment) => /[*?+(){}[\]]/.test(segment))
  const isOpen = wildcard >= 0
  const wanted = segments.slice(wildcard + 1)
  return {
    matches: (url) => {
      const given = toSegments(url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '')
      if (given === undefined) return false
      const start = given.length - wanted.length
      return (
        (isOpen ? start >= 0 : start === 0) &&
        wanted.every((segment, index) => isParameter(segment) || segment === given[start + index])
      )
    },
    isOpen,
    known: wanted.filter((segment) => !isParameter(segment)).length,
  }
}

/** Whether a URL has this very path. As most have: taking one apart costs more than all else that finds a route. */
export function isAtPath(url: string, path: string): boolean {
  return url.startsWith(path) && '?#'.includes(url.charAt(path.length))
}

/** `:merchant`, or `shop-:merchant`. */
function isParameter(segment: string): boolean {
  return segment.includes(':')
}

/** In lower case, as Express routes by default; a path that cannot be decoded is nobody's. */
function toSegments(path: string): string[] | undefined {
  try {
    return decodeURI(path).toLowerCase().split('/').filter(Boolean)
  } catch {
    return undefined
  }
}
