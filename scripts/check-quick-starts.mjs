// Runs the code of docs/start and of the READMEs as a newcomer does, on every supported version of Node: a local registry
// serves the packed packages to the `npm install` commands of each page, in a folder outside the workspace.
// Servers and payments are in docs/test/pasted-code.test.ts. `--short` runs it on Node 20.19, the oldest, since the tests of
// the packages run on newer ones. Other arguments are passed to Vitest: `-t nestjs`.
import { spawn, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { packAll, readJson } from './pack.mjs'

const args = process.argv.slice(2)
const isShort = args.includes('--short')
/** The oldest is the first: it installs the packages of all versions. */
const VERSIONS = isShort ? ['20.19'] : ['20.19', '22', '24', '26']
const TESTS = ['run', '--project', 'quick-starts', ...args.filter((arg) => arg !== '--short')]

const root = mkdtempSync(join(tmpdir(), 'tonplug-quick-starts-'))
const packed = packAll(join(root, 'archives'))
const registry = createServer((request, response) => {
  const path = decodeURIComponent(request.url.slice(1))
  const found = packed.find(({ name, archive }) => [name, basename(archive)].includes(path))
  if (found === undefined) response.writeHead(404).end('{}')
  else response.end(path === found.name ? describe(found) : readFileSync(found.archive))
}).listen(0, '127.0.0.1')
try {
  await once(registry, 'listening')
  const nodes = VERSIONS.map((version) => ({ version, folder: folderOfNode(version) }))
  const env = {
    ...process.env,
    QUICK_START_FOLDER: join(root, 'projects'),
    QUICK_START_REGISTRY: originOf(registry),
    QUICK_START_NODES: JSON.stringify(nodes),
  }
  const tests = spawn('node_modules/.bin/vitest', TESTS, { env, stdio: 'inherit' })
  const [status] = await once(tests, 'exit')
  process.exitCode = status ?? 1
} finally {
  registry.close()
  rmSync(root, { recursive: true, force: true })
}

/** Returns the document of a package in a registry. */
function describe({ name, archive, unpacked }) {
  const manifest = readJson(join(unpacked, 'package.json'))
  const { version } = manifest
  const dist = { tarball: `${originOf(registry)}${basename(archive)}` }
  return JSON.stringify({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  })
}

function originOf(server) {
  return `http://127.0.0.1:${server.address().port}/`
}

function folderOfNode(version) {
  const command = ['-y', `node@${version}`, '-p', 'process.execPath']
  return dirname(execFileSync('npx', command, { encoding: 'utf8' }).trim())
}
