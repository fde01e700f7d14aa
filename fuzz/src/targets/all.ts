import type { Target } from '../target.js'
import { addressTarget } from './address.js'
import { answersTarget } from './answers.js'
import { cellsTarget } from './cells.js'
import { cursorsTarget } from './cursors.js'
import { linksTarget } from './links.js'
import { losslessJsonTarget } from './lossless-json.js'
import { payloadTarget } from './payload.js'
import { ratesTarget } from './rates.js'
import { signatureTarget } from './signature.js'
import { stacksTarget } from './stacks.js'

export const targets: readonly Target[] = [
  signatureTarget,
  payloadTarget,
  answersTarget,
  stacksTarget,
  addressTarget,
  cellsTarget,
  losslessJsonTarget,
  cursorsTarget,
  linksTarget,
  ratesTarget,
]
