/** A POST request. */
export interface SentRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Returns the command line that sends a request again, quoted for a POSIX shell. */
export function curlCommand({ url, headers, body }: SentRequest): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `  -H ${quote(`${name}: ${value}`)} \\\n`,
  )
  return `curl -i ${quote(url)} \\\n${lines.join('')}  --data-binary ${quote(body)}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
