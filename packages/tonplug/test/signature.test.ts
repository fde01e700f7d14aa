import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { document, tonplug } from './run-command.js'

const SECRET = 'whsec_signature_test'
const { body: BODY, signature: SIGNATURE } = signPayload(transferCompleted(), SECRET)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonplug-signature-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('verify', () => {
  it('reports a matching signature, with the secret of the environment or a file, and the body of a file or the input', async () => {
    const body = await file('body.json', BODY)
    const byVariable = await tonplug(['verify', body, '--signature', SIGNATURE], {
      TONPAY_WEBHOOK_SECRET: SECRET,
    })
    expect(byVariable).toMatchObject({ code: 0, stderr: '' })
    expect(byVariable.stdout).toContain(`matches these ${BODY.length} bytes`)

    const secretFile = await file('secret.txt', `${SECRET}\n`)
    const args = ['verify', '-', '-s', SIGNATURE, '--secret-file', secretFile, '--json']
    const byFile = await tonplug(args, { input: BODY })
    expect(byFile).toMatchObject({ code: 0, stderr: '' })
    expect(document(byFile)).toMatchObject({
      isMatch: true,
      mistakes: [],
      notes: [expect.stringContaining('ends with a line break')],
      secret: { source: secretFile },
    })
    expect(byFile.stdout).not.toContain(SECRET)
  })

  it('names the mistake and its fix, and never the secret', async () => {
    const body = await file('spaced.json', JSON.stringify(JSON.parse(BODY), null, 2))
    const environment = { TONPAY_WEBHOOK_SECRET: SECRET }
    const ended = await tonplug(['verify', body, '-s', SIGNATURE], environment)
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toMatch(
      /^The signature does not match\.\nreserialised: .+\n {2}Keep the received bytes/,
    )

    const json = await tonplug(['verify', body, '-s', SIGNATURE.slice(7), '--json'], environment)
    expect(json).toMatchObject({ code: 1, stderr: '' })
    expect(document(json)).toMatchObject({
      isMatch: false,
      mistakes: [{ code: 'prefix-missing' }, { code: 'reserialised' }],
    })
    expect(ended.stdout + json.stdout).not.toContain(SECRET)
  })

  it('tries further secrets', async () => {
    const body = await file('body.json', BODY)
    const files = [await file('new.txt', 'whsec_new'), await file('old.txt', SECRET)]
    const named = files.flatMap((path) => ['--secret-file', path])
    const ended = await tonplug(['verify', body, '-s', SIGNATURE, ...named])
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain(`wrong-secret: It was signed with the secret in ${files[1]}`)
  })

  it.each([
    ['without a secret', ['-s', SIGNATURE], 'TONPAY_WEBHOOK_SECRET'],
    ['without a signature', [], '--signature'],
    [
      'with the secret for its file',
      ['-s', SIGNATURE, '--secret-file', SECRET],
      'never the secret',
    ],
    ['with an unknown option', ['-s', SIGNATURE, '--secret', SECRET], '--secret'],
    ['with an unknown encoding', ['-s', SIGNATURE, '--encoding', 'hax'], 'hex'],
  ])('states the correct usage, with exit code 2, %s', async (_, args, named) => {
    const body = await file('body.json', BODY)
    const ended = await tonplug(['verify', body, ...args])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
    expect(ended.stderr).not.toContain(SECRET)
  })

  it('reports a missing body as invalid arguments', async () => {
    const environment = { TONPAY_WEBHOOK_SECRET: SECRET }
    const ended = await tonplug(['verify', 'nowhere.json', '-s', SIGNATURE, '--json'], environment)
    expect(ended).toMatchObject({ code: 2, stderr: '' })
    expect(document(ended)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('nowhere.json') },
    })
  })
})
