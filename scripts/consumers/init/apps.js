// Existing apps that `tonplug init` extends.

const express = `import express from 'express'

const app = express()
app.use(express.json())
app.get('/', (request, response) => response.json({ isRunning: true }))
app.listen(process.env.PORT)
`
const expressTypes = express.replace('(request, response)', '(_request, response)')
const expressInCommonJs = express
  .replace("import express from 'express'", "const express = require('express')")
  .replaceAll(/(?<=[)}])$/gm, ';')

const nest = {
  'src/app.module.ts': `import { Controller, Get, Module } from '@nestjs/common';

@Controller()
class AppController {
  @Get()
  get() {
    return { isRunning: true };
  }
}

@Module({
  imports: [],
  controllers: [AppController],
})
export class AppModule {}
`,
  'src/main.ts': `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function start() {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT));
}
void start();
`,
  'jest.config.json': JSON.stringify({
    rootDir: 'src',
    testRegex: '\\.spec\\.ts$',
    transform: { '^.+\\.ts$': 'ts-jest' },
    testEnvironment: 'node',
  }),
}

const typescript = (options) => ({
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      strict: true,
      skipLibCheck: true,
      outDir: 'dist',
      rootDir: 'src',
      ...options,
    },
    include: ['src'],
  }),
})

/** `tests` is the arguments of the program that runs the generated test. */
export const expressApps = [
  {
    name: 'ESM',
    manifest: { type: 'module' },
    files: { 'server.js': express },
    tests: ['--test', 'ton-payments.test.js'],
    main: 'server.js',
  },
  {
    name: 'CommonJS with semicolons',
    manifest: { type: 'commonjs' },
    files: { 'src/server.js': expressInCommonJs },
    tests: ['--test', 'src/ton-payments.test.js'],
    main: 'src/server.js',
  },
  {
    name: 'TypeScript',
    manifest: { type: 'module', devDependencies: { typescript: '*', vitest: '*' } },
    files: {
      'src/server.ts': expressTypes,
      ...typescript({ module: 'nodenext', types: ['node'] }),
    },
    isCompiled: true,
    tests: ['node_modules/vitest/vitest.mjs', 'run', '--dir', 'src'],
    main: 'dist/server.js',
  },
]

export const nestApps = [
  {
    name: 'Nest',
    manifest: { type: 'commonjs', devDependencies: { typescript: '*', jest: '*' } },
    files: {
      ...nest,
      ...typescript({
        module: 'commonjs',
        moduleResolution: 'node10',
        ignoreDeprecations: '5.0',
        types: ['node', 'jest'],
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        // Jest checks no types: the compiler has.
        isolatedModules: true,
      }),
    },
    isCompiled: true,
    tests: ['node_modules/jest/bin/jest.js'],
    main: 'dist/main.js',
  },
]
