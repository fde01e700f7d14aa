/** Asks the server; what it refuses is an Error with its words. */
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
    throw new Error('tonplug dev does not answer. Is it still running?')
  }
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}
