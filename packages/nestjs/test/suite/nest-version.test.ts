import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Injectable } from '@nestjs/common'
import { NestFactory, Reflector } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { expect, it } from 'vitest'

const major = process.env['NEST_MAJOR'] ?? ''
const folder = resolve(import.meta.dirname, `../nest-${major}`)
const require = createRequire(`${folder}/package.json`)

const imported = {
  common: { Injectable },
  core: { NestFactory, Reflector },
  'platform-express': { ExpressAdapter },
  'platform-fastify': { FastifyAdapter },
  testing: { Test },
}

it.each(Object.entries(imported))(
  '@nestjs/%s has the major version of the project name',
  (name, exported) => {
    const manifest = readFileSync(`${folder}/node_modules/@nestjs/${name}/package.json`, 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    expect(version.split('.')[0]).toBe(major)
    expect(require(`@nestjs/${name}`)).toMatchObject(exported)
  },
)
