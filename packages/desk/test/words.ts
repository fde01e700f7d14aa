/** Words of developers, base units and raw addresses. They are never in visible text. */
export const UNWANTED =
  /[Rr]eport|[Dd]oor|[Rr]ule \d|dead letter|base unit|\b[a-z]+_[a-z]+\b|(?<![.\d])\d{9,}\b|\b0:[0-9a-f]{8}|undefined|null|NaN/
