import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const PRISMA_SCHEMA = `
generator client {
  provider            = "prisma-client"
  output              = "./client"
  importFileExtension = "ts"
}
datasource db {
  provider = "postgresql"
}`

/** Generates a client of Prisma from a schema without models. @returns the URL of its TypeScript module */
export async function generatePrismaClient(): Promise<{
  href: string
  remove: () => Promise<void>
}> {
  const prisma = findPrisma()
  // The client imports its runtime from this project.
  const generated = fileURLToPath(new URL('.vitest/', import.meta.url))
  await mkdir(generated, { recursive: true })
  const folder = await mkdtemp(join(generated, 'prisma-'))
  await writeFile(join(folder, 'schema.prisma'), PRISMA_SCHEMA)
  await promisify(execFile)(
    process.execPath,
    [prisma, 'generate', '--no-hints', '--schema', join(folder, 'schema.prisma')],
    // The command line downloads the engine of migrations unless there is one; generating does not use it.
    {
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
      },
    },
  )
  return {
    href: pathToFileURL(join(folder, 'client/client.ts')).href,
    remove: () => rm(folder, { recursive: true }),
  }
}

/** @returns the path of the command line. @throws {Error} when the project of this folder is not installed */
function findPrisma(): string {
  try {
    return createRequire(import.meta.url).resolve('prisma/build/index.js')
  } catch (cause) {
    throw new Error('Run npx pnpm@12 install:prisma first', { cause })
  }
}
