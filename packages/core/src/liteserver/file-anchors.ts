import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { AnchorStore, NetworkAccount } from '../proof/anchor-store.js'
import { MASTERCHAIN, WHOLE_SHARD } from '../proof/block-id.js'
import { decodeHex } from '../shared/base64.js'
import { toHex } from '../shared/bytes.js'
import { ConfigurationError } from '../shared/configuration-error.js'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const SCHEMA = z.strictObject({
  blocks: z.record(
    z.string(),
    z.strictObject({ seqno: z.int().min(1), rootHash: hash, fileHash: hash }),
  ),
  transactions: z.record(
    z.string(),
    z.strictObject({ lt: z.string().regex(/^[0-9]{1,20}$/), hash }),
  ),
})

type Content = z.infer<typeof SCHEMA>

/**
 * Stores the newest proven key block of each network, and the newest proven transaction of each account, in a file, for one
 * process. Neither goes back. A file that cannot be read is an error, not an empty store.
 * @param path its folder must exist
 * @throws {ConfigurationError} from all methods when the file has other content, and the errors of `node:fs`.
 */
export function fileAnchors(path: string): AnchorStore {
  let last: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<Content> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return { blocks: {}, transactions: {} }
    try {
      return SCHEMA.parse(JSON.parse(text))
    } catch (cause) {
      const problem = `must be a file that fileAnchors() has written; ${path} is another one`
      throw new ConfigurationError({ option: 'path', problem, cause })
    }
  }
  /** Writes the file, unless the change returns false. One change follows the other. */
  const change = (apply: (content: Content) => boolean): Promise<void> => {
    const changed = last.then(async () => {
      const content = await read()
      if (!apply(content)) return
      const draft = `${path}.new`
      await writeFile(draft, JSON.stringify(content), { flush: true })
      await rename(draft, path)
    })
    last = changed.catch(() => undefined)
    return changed
  }
  return {
    async loadBlock(globalId) {
      const found = (await read()).blocks[globalId]
      if (found === undefined) return undefined
      const hashes = { rootHash: decodeHex(found.rootHash), fileHash: decodeHex(found.fileHash) }
      return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: found.seqno, ...hashes }
    },
    saveBlock({ id: { seqno, rootHash, fileHash }, globalId }) {
      return change(({ blocks }) => {
        if ((blocks[globalId]?.seqno ?? 0) >= seqno) return false
        blocks[globalId] = { seqno, rootHash: toHex(rootHash), fileHash: toHex(fileHash) }
        return true
      })
    },
    async loadTransaction(account) {
      const found = (await read()).transactions[keyOf(account)]
      return found && { lt: BigInt(found.lt), hash: decodeHex(found.hash) }
    },
    saveTransaction(account, { lt, hash: bytes }) {
      return change(({ transactions }) => {
        const key = keyOf(account)
        if (BigInt(transactions[key]?.lt ?? -1) >= lt) return false
        transactions[key] = { lt: lt.toString(), hash: toHex(bytes) }
        return true
      })
    },
  }
}

function keyOf({ globalId, address }: NetworkAccount): string {
  return `${globalId} ${address}`
}
