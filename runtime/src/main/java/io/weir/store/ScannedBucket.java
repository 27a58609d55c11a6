package io.weir.store;

/**
 * What a store tells of a bucket that it lists. Whose it is can't be told: a store knows names that
 * are made with a secret.
 *
 * @param name what {@link BucketHasher} calls it
 * @param left how many permits it has left now, under the limit that was asked about; those that
 *     are leased are missing
 * @param resetMicros when all are back if nobody asks, in microseconds from now
 */
public record ScannedBucket(String name, long left, long resetMicros) {}
