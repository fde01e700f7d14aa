/** Returns the JSON of a path of this server. */
export async function getJson(path) {
  return read(await fetch(path))
}

/** Sends JSON to a path of this server. Returns its JSON, if any. */
export async function postJson(path, body) {
  const headers = { 'content-type': 'application/json' }
  return read(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function read(response) {
  if (!response.ok) throw new Error(`The shop responded with status ${response.status}.`)
  return response.status === 204 ? undefined : response.json()
}
