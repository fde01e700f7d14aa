/** Sends a request to the server. A refusal becomes an Error with the server's message. */
export async function ask(path, body) {
  const options = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  let response
  try {
    response = await fetch(path, options)
  } catch {
    throw new Error('tonplug dev does not respond. Is it still running?')
  }
  const result = await response.json()
  if (!response.ok) throw new Error(result.error)
  return result
}
