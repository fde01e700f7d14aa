import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

Object.assign(process.env, parseEnv(readFileSync(join(__dirname, '../.env.example'), 'utf8')))
