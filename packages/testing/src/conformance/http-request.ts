import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'

/** A request, sent exactly as given. */
export interface HttpRequest {
  /** @default 'POST' */
  method?: string | undefined
  /** An array is sent as repeated headers. */
  headers?: Record<string, string | string[]> | undefined
  /** One part is sent with a content length, several are sent chunked. */
  body?: string | Uint8Array | readonly Uint8Array[] | undefined
  /** Never sends the end of the body. @default false */
  isUnfinished?: boolean | undefined
  /** @default a new connection */
  agent?: Agent | undefined
}

/** The response to a request. */
export interface HttpAnswer {
  status: number
  headers: IncomingMessage['headers']
  body: string
  /** Everything that the sender can see: status line, headers, body. */
  text: string
}

/** A request that has been started. */
export interface SentRequest {
  answer: Promise<HttpAnswer>
  /** Resets the connection. */
  destroy: () => void
}

/** Sends one request over a real socket and reads the whole response. */
export function sendRequest(url: string, sent: HttpRequest): Promise<HttpAnswer> {
  return startRequest(url, sent).answer
}

/** Starts a request that a test can interrupt. */
export function startRequest(url: string, sent: HttpRequest): SentRequest {
  const { method = 'POST', headers = {}, agent = false } = sent
  const client = request(url, { method, headers, agent })
  const answer = readAnswer(client)
  writeBody(client, sent)
  return { answer, destroy: () => client.destroy() }
}

function readAnswer(client: ClientRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    // A receiver may respond and close while the body is being sent; the response counts.
    client.on('error', (error) => isAnswered || reject(error))
    client.on('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        resolve(toAnswer(response, Buffer.concat(chunks).toString()))
        client.destroy()
      })
    })
  })
}

function toAnswer(response: IncomingMessage, body: string): HttpAnswer {
  const { statusCode = 0, statusMessage = '', headers, rawHeaders } = response
  const text = [`${statusCode} ${statusMessage}`, ...rawHeaders, body].join('\n')
  return { status: statusCode, headers, body, text }
}

function writeBody(client: ClientRequest, { body, isUnfinished = false }: HttpRequest): void {
  const isWhole = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  if (isWhole && !isUnfinished) {
    client.end(body)
    return
  }
  const pieces = isWhole ? [body ?? ''] : body
  client.flushHeaders()
  for (const piece of pieces) client.write(piece)
  if (!isUnfinished) client.end()
}
