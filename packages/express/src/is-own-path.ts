/** The parts of an Express request that routing sets. */
export interface RoutedRequest {
  url?: string | undefined
  /** Set by the router when a route, rather than a mounted middleware, has matched. */
  route?: { path?: unknown; stack?: readonly { handle?: unknown }[] | undefined } | undefined
}

/**
 * Returns true if a handler is mounted at the path of a request, or is in the request's route; false for the longer paths
 * that `app.use(path, …)` also matches.
 */
export function isOwnPath({ route, url = '/' }: RoutedRequest, handler: unknown): boolean {
  const [path = ''] = url.split('?', 1)
  if (path === '' || path === '/') return true
  if (route === undefined) return false
  if (route.stack?.some(({ handle }) => handle === handler) === true) return true
  // A function of the route may call the handler. Express keeps `route` after a route, such as `app.all('*', …)`, has called
  // `next`; its path is another one.
  return [route.path].flat().some((pattern) => isPathOf(pattern, path))
}

/** Compares a path with the path of a route, which may have parameters but no wildcards. */
function isPathOf(pattern: unknown, path: string): boolean {
  if (typeof pattern !== 'string') return false
  const names = toSegments(pattern)
  const given = toSegments(path)
  return (
    names.length === given.length &&
    names.every((name, index) => name.startsWith(':') || name === given[index])
  )
}

function toSegments(path: string): string[] {
  return path.toLowerCase().replace(/\/$/, '').split('/')
}
