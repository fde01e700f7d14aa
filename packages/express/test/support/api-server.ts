import { listen } from './listen.js'

/** A request as it arrived. */
interface Arrived {
  /** Path and query. */
  url: string | undefined
  apiKey: string | string[] | undefined
}

/** A local server of the data APIs. */
export interface ApiServer {
  baseUrl: string
  arrived: Arrived[]
}

/** Answers every request with one status and body, once `isReady` says so. */
export async function startApi(
  body: object,
  options: { status?: number; isReady?: Promise<void> } = {},
): Promise<ApiServer> {
  const { status = 200, isReady } = options
  const arrived: Arrived[] = []
  const { url } = await listen((request, response) => {
    arrived.push({ url: request.url, apiKey: request.headers['x-api-key'] })
    void Promise.resolve(isReady).then(() => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  return { baseUrl: url, arrived }
}
