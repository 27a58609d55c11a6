package io.weir.benchmarks.soak;

/**
 * The permits of a bucket that were spent between two slots of time.
 *
 * <p>Immutable.
 *
 * @param place the load, the caller and the time
 * @param permits how many
 */
record PermitCount(Place place, long permits) {
  /**
   * Identifies what was counted. Immutable.
   *
   * @param load under which policy
   * @param key of which caller
   * @param degraded whether without the store
   * @param asked the slot in which they were asked for
   * @param told the slot in which they were granted
   */
  record Place(SoakLoadKind load, int key, boolean degraded, long asked, long told) {}

  static PermitCount parse(String line) {
    String[] words = line.split(" ", -1);
    Place place =
        new Place(
            SoakLoadKind.valueOf(words[0]),
            Integer.parseInt(words[1]),
            Boolean.parseBoolean(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[4]));
    return new PermitCount(place, Long.parseLong(words[5]));
  }

  @Override
  public String toString() {
    return String.join(
        " ",
        place.load().name(),
        "" + place.key(),
        "" + place.degraded(),
        "" + place.asked(),
        "" + place.told(),
        "" + permits);
  }
}
