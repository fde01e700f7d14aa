/** Whether a URL may be that of a webhook route. */
export type PathMatcher = (url: string) => boolean

/**
 * Matches the end of a URL's path, since global prefix, version and an outer app put segments in front of a route's
 * own. With wildcards it matches everything.
 */
export function createPathMatcher(path: string): PathMatcher {
  const wanted = /[*?+(){}[\]]/.test(path) ? [] : toSegments(path)
  return (url) => {
    // As most are; taking a URL apart costs more than all else that is done to find a route.
    if (url === path) return true
    const given = toSegments(url.split(/[?#]/, 1)[0] ?? '')
    const start = given.length - wanted.length
    return (
      start >= 0 &&
      wanted.every((segment, index) => segment.startsWith(':') || segment === given[start + index])
    )
  }
}

/** In lower case, as Express routes by default; a path that cannot be decoded is nobody's. */
function toSegments(path: string): string[] {
  try {
    return decodeURI(path).toLowerCase().split('/').filter(Boolean)
  } catch {
    return []
  }
}
