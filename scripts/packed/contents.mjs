// What is in the archive of a package, and what is not.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../files.mjs'
import { everyFileBelow, readJson } from './archives.mjs'

const MAX_README_LINES = 79
const ALWAYS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/cjs/package.json']
const BUILT = /^dist\/(?:esm|cjs)\/.*(?:\.js|\.js\.map|\.d\.ts)$/
const OF_TESTS = /\.test(?:-d)?\.|\.tsbuildinfo$|(?:^|\/)(?:test|fixtures)\//

/** @returns a sentence for each file of a package of `packAll` that is missing, or that nobody needs. */
export function contentProblems({ name, folder, unpacked }) {
  const { files } = readJson(join(folder, 'package.json'))
  const extras = files.filter((entry) => entry !== 'dist' && !entry.startsWith('!'))
  const packed = everyFileBelow(unpacked)
  const isExpected = (file) =>
    (ALWAYS.includes(file) || BUILT.test(file) || extras.some((extra) => isIn(file, extra))) &&
    !OF_TESTS.test(file)
  return [
    ...packed.filter((file) => !isExpected(file)).map((file) => `nobody needs ${file}`),
    ...expectedFiles(folder, extras)
      .filter((file) => !packed.includes(file))
      .map((file) => `lacks ${file}`),
    ...packed
      .filter((file) => file.endsWith('.map'))
      .flatMap((file) => mapProblems(unpacked, file)),
    ...readmeProblems(unpacked),
  ].map((problem) => `${name}: ${problem}`)
}

/** The licence and README, what each source compiles to, and the other folders that are published. */
function expectedFiles(folder, extras) {
  const formats = ['esm', 'cjs'].filter((format) => existsSync(join(folder, 'dist', format)))
  const sources = filesBelow(join(folder, 'src'), '.ts')
    .filter((file) => !OF_TESTS.test(file))
    .map((file) => file.slice(join(folder, 'src/').length, -'.ts'.length))
  const others = extras.flatMap((extra) => {
    const path = join(folder, extra)
    return statSync(path).isDirectory()
      ? everyFileBelow(path).map((file) => join(extra, file))
      : [extra]
  })
  return [
    'README.md',
    'LICENSE',
    ...sources.flatMap((source) =>
      formats.flatMap((format) =>
        ['.js', '.d.ts'].map((suffix) => `dist/${format}/${source}${suffix}`),
      ),
    ),
    ...others,
  ]
}

/** A map shows a debugger the source, which is not published, so it has to contain it. */
function mapProblems(unpacked, file) {
  const { sources, sourcesContent } = readJson(join(unpacked, file))
  const isWhole = sources.every((_, index) => typeof sourcesContent?.[index] === 'string')
  return isWhole ? [] : [`${file} names a source that it does not contain`]
}

function readmeProblems(unpacked) {
  const lines = readFileSync(join(unpacked, 'README.md'), 'utf8').trimEnd().split('\n').length
  return lines <= MAX_README_LINES ? [] : [`its README has ${lines} lines, not under 80`]
}

function isIn(file, entry) {
  return file === entry || file.startsWith(`${entry}/`)
}
