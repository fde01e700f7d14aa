// Runs the quick starts of docs/start as a reader would paste them: the files whose first line is their name, then the
// commands, then waits for the output that the page shows. Only the port is another one.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { filesBelow } from './files.mjs'
import { PATIENCE_MS, findPort, linesOnceThere, listening } from './pasted/server.mjs'

for (const file of filesBelow('docs/start', '.md')) {
  const page = readPage(readFileSync(file, 'utf8'))
  const folder = join('docs/.check', basename(file, '.md'))
  const port = await findPort()
  writeFiles(folder, page.files, port)
  const complaint = await run(folder, page, port)
  console.log(`${file}: ${complaint ?? 'runs as pasted'}`)
  if (complaint === undefined) rmSync(folder, { recursive: true })
  else process.exitCode = 1
}

/** @returns `{ files: { [name]: text }, commands, server, output }` */
function readPage(text) {
  const blocks = [...text.matchAll(/^```(?<info>\w+.*)\n(?<code>[\s\S]*?)^```/gm)].map(
    ({ groups }) => groups,
  )
  const named = blocks
    .map(({ code }) => [/^\/\/ (\S+\.\w+)\n/.exec(code)?.[1], code])
    .filter(([name]) => name !== undefined)
  const codeOf = (info) => blocks.filter((block) => block.info === info).map(({ code }) => code)
  return {
    files: Object.fromEntries(named),
    commands: codeOf('sh').filter((code) => !code.startsWith('npm install')),
    server: codeOf('sh background')[0],
    output: codeOf('console')[0].trim(),
  }
}

function writeFiles(folder, files, port) {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, code] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code.replaceAll('3000', String(port)))
  }
  // As `npm init` and `npm install` leave it; the dependencies are those of docs/.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
}

/** Commands that build come before the server, the last one is the payment. */
async function run(folder, { commands, server, output }, port) {
  const payment = commands.at(-1)
  for (const command of commands.slice(0, -1)) {
    const complaint = runToEnd(folder, command)
    if (complaint !== undefined) return complaint
  }
  const shop = spawn('bash', ['-c', `exec env ${server}`], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  shop.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  try {
    await listening(port, shop)
    const complaint = runToEnd(folder, payment) ?? runToEnd(folder, payment)
    if (complaint !== undefined) return complaint
    const lines = await linesOnceThere(
      () => printed,
      (line) => line === output,
    )
    const count = lines.filter((line) => line === output).length
    return count === 1 ? undefined : `printed "${output}" ${count} times, not once`
  } finally {
    shop.kill()
    await once(shop, 'exit')
  }
}

function runToEnd(folder, command) {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', command], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  })
  return status === 0 ? undefined : `${command.trim()} failed:\n${stdout}${stderr}`
}

/** With the commands that the dependencies of docs/ bring. */
function environment() {
  return {
    ...process.env,
    PATH: `${join(process.cwd(), 'docs/node_modules/.bin')}:${process.env.PATH}`,
  }
}
