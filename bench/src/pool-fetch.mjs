import { Pool } from 'undici'

/** Creates a `fetch` option for a client that uses an undici `Pool`, which has less overhead than `fetch` itself. */
export function createPoolFetch(root) {
  const pool = new Pool(root)
  return async (url, { method, headers, body, signal }) => {
    const path = url.slice(root.length)
    const response = await pool.request({ path, method, headers, body, signal })
    const chunks = response.body[Symbol.asyncIterator]()
    return {
      status: response.statusCode,
      headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
      body: {
        getReader: () => ({
          read: () => chunks.next(),
          cancel: async (reason) => void response.body.destroy(reason),
        }),
      },
    }
  }
}
