/** Sends a request to the server. @throws {Error} with the message of a refusal. */
export async function ask(path: string, body?: object): Promise<unknown> {
  const response = await send(path, body)
  const result: unknown = await response.json()
  if (response.ok) return result
  throw new Error(errorOf(result) ?? `The server responded with ${response.status}.`)
}

function send(path: string, body: object | undefined): Promise<Response> {
  const post = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  return fetch(path, post).catch(() => {
    throw new Error('tonplug dev does not respond. Is it still running?')
  })
}

function errorOf(result: unknown): string | undefined {
  const isObject = typeof result === 'object' && result !== null
  return isObject && 'error' in result ? String(result.error) : undefined
}
