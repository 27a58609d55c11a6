package io.weir.store;

/**
 * The first 128 bits of a bucket's hash, which name it in a remote store.
 *
 * <p>Immutable.
 *
 * @param by the hasher; one with another secret computes another hash
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
record BucketHash(Object by, long high, long low) {}
