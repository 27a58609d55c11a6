package io.weir.store;

/**
 * What a bucket is called in a store elsewhere: the first 128 bits of its hash.
 *
 * <p>Immutable.
 *
 * @param by who worked it out; another secret leads to another name
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
record BucketHash(BucketHasher by, long high, long low) {}
