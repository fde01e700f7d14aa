/**
 * Returns the size of a test whose larger sizes repeat the same situations. `NIGHT_SIZES=1` selects the large one, as
 * `.ci/run sizes` of the nightly workflow does.
 */
export function nightSize<Size>(size: Size, atNight: Size): Size {
  return process.env['NIGHT_SIZES'] === '1' ? atNight : size
}
