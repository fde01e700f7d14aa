// Clones, builds and packs the last commit twice, in two folders, at two times and with two umasks: the packed packages must
// be equal, byte for byte. Then anybody can rebuild the published packages from their commit.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const UMASKS = ['022', '077']
const BUILD = [
  'npx -y pnpm@12 install --frozen-lockfile --prefer-offline',
  'npx -y pnpm@12 run build',
  'npx -y pnpm@12 -r --filter "./packages/*" pack --pack-destination ../packed',
].join(' && ')

const root = mkdtempSync(join(tmpdir(), 'tonplug-reproducible-'))
try {
  const [one, other] = UMASKS.map((umask) => packCleanly(join(root, `umask-${umask}`), umask))
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => one.get(path) !== other.get(path),
  )
  for (const path of differing) console.error(`two builds differ: ${path}`)
  const archives = [...one.keys()].filter((path) => path.endsWith('.tgz'))
  if (differing.length > 0 || archives.length === 0) process.exitCode = 1
  console.log(`${archives.length} packages with ${one.size - archives.length} files compared`)
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Returns the SHA-512 of each packed package, and of each file in it. */
function packCleanly(folder, umask) {
  const build = ['-c', `umask ${umask} && git clone -q . "$1/clone" && cd "$1/clone" && ${BUILD}`]
  execFileSync('bash', [...build, 'bash', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const packed = join(folder, 'packed')
  const hashes = new Map()
  for (const archive of readdirSync(packed)) {
    hashes.set(archive, sha512(readFileSync(join(packed, archive))))
    const content = join(packed, archive.replace('.tgz', ''))
    mkdirSync(content)
    execFileSync('tar', ['xzf', join(packed, archive), '-C', content])
    for (const entry of readdirSync(content, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) hashes.set(path.slice(packed.length + 1), sha512(readFileSync(path)))
    }
  }
  return hashes
}

function sha512(bytes) {
  return createHash('sha512').update(bytes).digest('hex')
}
