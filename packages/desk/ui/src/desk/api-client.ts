import type {
  ActionRequests,
  ActionResult,
  ChainLookUp,
  DeskAction,
  DeskBooks,
  DeskError,
  Session,
  SigningResult,
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

/** Performs an action. @throws {RequestError} */
export async function act<A extends DeskAction>(
  action: A,
  body: ActionRequests[A],
  session: Session,
): Promise<ActionResult> {
  // The response to an action.
  return (await post(action, body, session)) as ActionResult
}

/** Begins to compare the ledger with the chain. @throws {RequestError} */
export async function compareBooks(session: Session): Promise<DeskBooks> {
  // The response to this request.
  return (await post('books', {}, session)) as DeskBooks
}

/** Looks for a transaction on the chain. @throws {RequestError} */
export async function lookUp(hash: string, session: Session): Promise<ChainLookUp> {
  // The response to this request.
  return (await post('look-up', { hash }, session)) as ChainLookUp
}

/**
 * Begins a signing of a refund, before its request is handed to a wallet; with `id`, ends the signing that has it.
 * @throws {RequestError}
 */
export async function recordSigning(
  signing: { reportId: string; id?: string | undefined },
  session: Session,
): Promise<SigningResult> {
  // The response to this request.
  return (await post('signing', signing, session)) as SigningResult
}

/** Posts to the desk. A rejected token is fetched again once. */
async function post(name: string, body: object, session: Session): Promise<unknown> {
  const send = ({ csrfToken }: Session): Promise<unknown> =>
    request(`api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
      body: JSON.stringify(body),
    })
  try {
    return await send(session)
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'CSRF') throw error
    return send(await load<Session>('api/session'))
  }
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
