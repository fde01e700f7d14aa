import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { lockFolder } from '../src/folder-lock.js'
import { openDatabase } from '../src/open-database.js'

let parent: string
let folder: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tonplug-lock-'))
  folder = join(parent, 'shop')
  await mkdir(folder)
})
afterEach(() => rm(parent, { recursive: true }))

function refusal(holder: string): unknown {
  return expect.objectContaining({
    code: 'ERR_TONPLUG_CONFIGURATION',
    message: expect.stringContaining(`folder: ${folder} is in use by ${holder}`) as string,
  })
}

it('rejects a folder that another process uses, and names both', async () => {
  const other = execFile(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(other, 'spawn')
  await writeFile(`${folder}/tonplug.lock`, `${other.pid}`)
  await expect(openDatabase({ folder })).rejects.toEqual(refusal(`process ${other.pid}`))
  const exited = once(other, 'exit')
  other.kill()
  await exited
  const release = lockFolder(folder)
  expect(await readFile(`${folder}/tonplug.lock`, 'utf8')).toBe(`${process.pid}`)
  release()
})

it('rejects a folder that this process uses, until it is closed', async () => {
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  const { close } = await openDatabase({ folder })
  await expect(openDatabase({ folder })).rejects.toEqual(refusal('this process'))
  await expect(openDatabase({ folder: `file://${folder}` })).rejects.toEqual(
    refusal('this process'),
  )
  await close()
  expect(existsSync(`${folder}/tonplug.lock`)).toBe(false)
  await (await openDatabase({ folder })).close()
})

it('opens a folder whose process was killed while PostgreSQL wrote its lock file', async () => {
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  await writeFile(`${folder}/postmaster.pid`, '')
  const { db, close } = await openDatabase({ folder })
  expect(await db.query('SELECT 1 AS one')).toMatchObject({ rows: [{ one: 1 }] })
  await close()
})

it('takes over the lock of an earlier process with the same id', async () => {
  await writeFile(`${folder}/tonplug.lock`, `${process.pid}`)
  lockFolder(folder)()
  expect(existsSync(`${folder}/tonplug.lock`)).toBe(false)
})

it('does not take over a lock that another process is writing', async () => {
  await writeFile(`${folder}/tonplug.lock`, '')
  expect(() => lockFolder(folder)).toThrow(`delete ${folder}/tonplug.lock`)
})

it('releases the lock when the process exits', async () => {
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  const path = new URL('../dist/esm/index.js', import.meta.url).href
  const script = `const { openDatabase } = await import(${JSON.stringify(path)})
    await openDatabase({ folder: ${JSON.stringify(folder)} })
    console.log((await import('node:fs')).existsSync(${JSON.stringify(`${folder}/tonplug.lock`)}))
    process.exit()`
  const child = execFile(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  child.stdout?.on('data', (text: string) => (output += text))
  await once(child, 'close')
  expect(output).toBe('true\n')
  expect(existsSync(`${folder}/tonplug.lock`)).toBe(false)
})
