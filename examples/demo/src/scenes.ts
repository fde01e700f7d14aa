import { amountScenes } from './scenes/amount-and-asset.js'
import { authenticityScenes } from './scenes/authenticity.js'
import { chainScenes } from './scenes/chain.js'
import { killScenes } from './scenes/kills.js'
import { repetitionScenes } from './scenes/repetition.js'
import { statusScenes } from './scenes/status.js'
import type { Scene } from './scene.js'

/** All rows of the demo, in the order of the table. */
export const scenes: readonly Scene[] = [
  ...chainScenes,
  ...statusScenes,
  ...repetitionScenes,
  ...killScenes,
  ...authenticityScenes,
  ...amountScenes,
]
