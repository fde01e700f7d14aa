import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { AnchorStore } from '../proof/anchor-store.js'
import type { BlockId } from '../proof/block-id.js'
import { MASTERCHAIN, WHOLE_SHARD } from '../proof/block-id.js'
import { ConfigurationError } from '../shared/configuration-error.js'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const SCHEMA = z.record(
  z.string(),
  z.strictObject({ seqno: z.int().min(1), rootHash: hash, fileHash: hash }),
)

/**
 * Stores the newest proven key block of each network in a file, for one process. It never goes back. A file that cannot be
 * read is an error, not an empty store.
 * @param path its folder must exist
 * @throws {ConfigurationError} from both methods when the file has other content, and the errors of `node:fs`.
 */
export function fileAnchors(path: string): AnchorStore {
  let last: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<z.infer<typeof SCHEMA>> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
      throw error
    })
    try {
      return SCHEMA.parse(JSON.parse(text))
    } catch (cause) {
      const problem = `must be a file that fileAnchors() has written; ${path} is another one`
      throw new ConfigurationError({ option: 'path', problem, cause })
    }
  }
  const replace = async (
    globalId: number,
    { seqno, rootHash, fileHash }: BlockId,
  ): Promise<void> => {
    const stored = await read()
    if ((stored[globalId]?.seqno ?? 0) >= seqno) return
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
    stored[globalId] = { seqno, rootHash: hex(rootHash), fileHash: hex(fileHash) }
    const draft = `${path}.new`
    await writeFile(draft, JSON.stringify(stored), { flush: true })
    await rename(draft, path)
  }
  return {
    async load(globalId) {
      const found = (await read())[globalId]
      if (found === undefined) return undefined
      const bytes = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, 'hex'))
      return {
        workchain: MASTERCHAIN,
        shard: WHOLE_SHARD,
        seqno: found.seqno,
        rootHash: bytes(found.rootHash),
        fileHash: bytes(found.fileHash),
      }
    },
    save({ id, globalId }) {
      const saved = last.then(() => replace(globalId, id))
      last = saved.catch(() => undefined)
      return saved
    },
  }
}
