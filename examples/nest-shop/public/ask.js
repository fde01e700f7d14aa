/** Asks the shop and returns its JSON; a refusal is thrown with the shop's own words. */
export async function ask(path, body) {
  const response = await fetch(
    path,
    body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}
