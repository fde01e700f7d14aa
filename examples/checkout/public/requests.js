/** A problem that the page has a sentence for: a key of `problems` in the files of `texts`. */
export class Problem extends Error {
  constructor(key) {
    super(key)
    this.key = key
  }
}

/** Returns the JSON of a path of this server. */
export function getJson(path) {
  return read(fetch(path))
}

/** Sends JSON to a path of this server. Returns its JSON, if any. */
export function postJson(path, body) {
  const headers = { 'content-type': 'application/json' }
  return read(fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function read(fetched) {
  const response = await fetched.catch(() => {
    throw new Problem('tryAgain')
  })
  if (response.ok) return response.status === 204 ? undefined : response.json()
  if (response.status === 404) throw new Problem('over')
  throw new Problem(response.status === 429 ? 'busy' : 'server')
}
