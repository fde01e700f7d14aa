import type {
  ActionRequests,
  ActionResult,
  DeskAction,
  DeskError,
  Session,
} from '../../../src/api.js'

/** A request that the server refused, or no response. */
class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: DeskError['code'] | undefined

  constructor(message: string, code?: DeskError['code']) {
    super(message)
    this.code = code
  }
}

/** Requests JSON. The caller names the type of the response. @throws {RequestError} */
export async function load<T>(path: string): Promise<T> {
  // The server's types are in api.ts.
  return (await request(path)) as T
}

/** Performs an action. A rejected token is fetched again once. @throws {RequestError} */
export async function act<A extends DeskAction>(
  action: A,
  body: ActionRequests[A],
  session: Session,
): Promise<ActionResult> {
  try {
    return await post(action, body, session.csrfToken)
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'CSRF') throw error
    const { csrfToken } = await load<Session>('api/session')
    return post(action, body, csrfToken)
  }
}

async function post(action: DeskAction, body: object, csrfToken: string): Promise<ActionResult> {
  const result = await request(`api/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify(body),
  })
  // The response to an action.
  return result as ActionResult
}

async function request(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(path, init).catch(() => {
    throw new RequestError('The server does not respond. Is it running?')
  })
  const result: unknown = await response.json().catch(() => undefined)
  if (response.ok) return result
  const { code, message = refusalText(response.status) } = readError(result)
  throw new RequestError(message, code)
}

function readError(result: unknown): Partial<DeskError> {
  return typeof result === 'object' && result !== null ? result : {}
}

function refusalText(status: number): string {
  if (status === 401 || status === 403) return 'You are not signed in. Sign in, then reload.'
  return `The server responded with ${status}.`
}
