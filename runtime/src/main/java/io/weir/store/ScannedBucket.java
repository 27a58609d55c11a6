package io.weir.store;

/**
 * A bucket as a store lists it. Its caller is unknown: a store knows only names that are made with
 * a secret.
 *
 * @param name its name, by {@link BucketHasher}
 * @param left permits left now, by the limit of the scan, not counting those that are leased
 * @param resetMicros microseconds until all are back if there are no more claims
 */
public record ScannedBucket(String name, long left, long resetMicros) {}
